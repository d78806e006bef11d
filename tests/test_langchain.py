"""LangChain's messages in all forms, made by the real packages: told apart, written back as they were, and the same in any form."""

import json
from pathlib import Path
from typing import Any

import pytest

from lighter import Conversation, convert, detect, jsontext, lint, load, parse
from lighter.formats import get
from lighter.messages import AssistantMessage, MediaBlock, ReasoningBlock, ToolMessage, blocks_of

DATA = Path(__file__).parent / "data" / "langchain"
FORM = {
    "lc_dumpd": "langchain",
    "langsmith_llm_run": "langchain",
    "lc_json_stringify": "langchain-js",
    "stored": "langchain-stored",
    "stored_toDict": "langchain-stored",
    "model_dump": "langchain-dump",
    "model_dump_state": "langchain-dump",
    "spread": "langchain-dump",
    "spread_raw": "langchain-dump",
    "tuples": "langchain-dump",
    "content_blocks_view": "langchain-dump",
    "contentBlocks_view": "langchain-dump",
}
FORMS = sorted(set(FORM.values()))
FIXTURES = sorted(path for path in DATA.rglob("*.json*") if path.parent.name in FORM and path.name != "13_chunks.json")
each_fixture = pytest.mark.parametrize("path", FIXTURES, ids=lambda path: "/".join(path.parts[-3:]))
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def wire_of(path: Path) -> list[Any]:
    """Give the messages of a file as they stand there."""
    if path.suffix == ".jsonl":
        return [jsontext.decode(line) for line in path.read_bytes().split(b"\n") if line.strip()]
    match value := jsontext.decode(path.read_bytes()):
        case {"inputs": {"messages": [listed]}, "outputs": outputs}:
            answer = outputs["generations"][0][0]["message"] if outputs else None
            return [*listed, *([answer] if answer else [])]
        case {"messages": listed}:
            return list(listed)
        case _:
            return list(value)


def read(path: Path) -> Conversation:
    [conversation] = load(path)
    return conversation


def fixtures(*names: str) -> list[Path]:
    return [path for path in FIXTURES if path.stem in names]


@each_fixture
def test_form_is_told_by_its_shape(path: Path) -> None:
    detection = detect(path)
    assert detection.format == FORM[path.parent.name]
    assert detection.others == ()


@each_fixture
def test_own_form_gives_every_message_back(path: Path) -> None:
    if path.stem.startswith("11_remove"):  # what a history takes back is gone: tests/test_langchain_history.py
        return
    if path.stem == "13_chunks":  # pieces among messages are joined: tests/test_langchain_pieces.py
        return
    name, conversation = FORM[path.parent.name], read(path)
    held = parse(jsontext.decode(jsontext.encode(convert(conversation, "lighter").value)), "lighter")
    for found in (conversation, held):
        written = get(name).write(found)
        assert jsontext.is_same(written.value["messages"], wire_of(path))
        assert {loss.path.split("/")[1] for loss in written.losses} <= {"outputs", "run_type", "source"}


@pytest.mark.parametrize(
    "path", [path for path in FIXTURES if path.parent.name in ("lc_dumpd", "lc_json_stringify")], ids=str
)
@pytest.mark.parametrize("name", FORMS)
def test_forms_hold_each_other(path: Path, name: str) -> None:
    source = read(path)
    there = get(name).write(source)
    back = get(FORM[path.parent.name]).write(parse(jsontext.decode(jsontext.encode(there.value)), name))
    assert [plain(message) for message in parse(back.value, FORM[path.parent.name]).messages] == [
        plain(message) for message in source.messages
    ]


def plain(message: Any) -> tuple[Any, ...]:
    """Give what a message says, without what only tells how it was spelled."""
    blocks = tuple(
        (type(block).__name__, getattr(block, "text", ""), getattr(block, "arguments", ""))
        for block in blocks_of(message)
    )
    more = (message.name, message.id, getattr(message, "call_id", ""), getattr(message, "tool_name", ""))
    return message.role, blocks, *more, getattr(message, "usage", None)


@each_fixture
def test_valid_histories_are_no_fault(path: Path) -> None:
    has_pieces = (
        path.stem == "13_chunks" and path.parent.name != "contentBlocks_view"
    )  # which does not tell them from messages
    wanted = ["unmerged-stream-chunks"] if has_pieces else []
    assert [finding.name for finding in lint(path) if finding.severity != "info"] == wanted


# What the fields say


@pytest.mark.parametrize("path", fixtures("07_anthropic_content_blocks"), ids=lambda path: path.parent.name)
def test_call_that_stands_twice_is_one(path: Path) -> None:
    if path.parent.name == "tuples" or "view" in path.parent.name:  # they do not tell whose signature it is
        return
    [said, *_] = [message for message in read(path).messages if isinstance(message, AssistantMessage)]
    assert [call.call_id for call in said.tool_calls] == ["toolu_1"]
    assert [type(block).__name__ for block in blocks_of(said)] == ["ReasoningBlock", "TextBlock", "ToolCall"]
    assert convert(path, "anthropic").value[0]["messages"][1]["content"][0] == {
        "type": "thinking",
        "thinking": said.reasoning,
        "signature": "c2ln",
    }


@pytest.mark.parametrize("path", fixtures("08_v1_standard_blocks"), ids=lambda path: path.parent.name)
def test_images_are_read_in_both_spellings(path: Path) -> None:
    _, image = blocks_of(read(path).messages[0])
    assert isinstance(image, MediaBlock)
    assert (image.kind, image.source, image.data, image.media_type) == ("image", "base64", PNG, "image/png")


@pytest.mark.parametrize(("source", "form", "keys"), [
    ("js/lc_json_stringify", "langchain", {"base64", "mime_type"}),
    ("js/lc_json_stringify", "langchain-stored", {"data", "mimeType"}),
    ("py/lc_dumpd", "langchain-stored", {"base64", "mime_type"}),
    ("py/lc_dumpd", "langchain-js", {"data", "mimeType"}),
])  # fmt: skip
def test_images_are_written_in_the_spelling_of_the_language(source: str, form: str, keys: set[str]) -> None:
    fields = get(form).write(read(DATA / source / "08_v1_standard_blocks.jsonl")).value["messages"][0]
    fields = fields.get("kwargs") or fields.get("data")
    content = fields.get("content_blocks") or fields["content"]
    assert content[1].keys() == {"type", *keys}


def test_batches_of_langsmith_are_joined() -> None:
    run = {"id": "1", "run_type": "llm", "inputs": {"messages": [{"role": "user", "content": "hi"}]}, "outputs": {}}
    answer = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "ho"}, "finish_reason": "stop"}]}
    body = {"post": [run], "patch": [{"id": "1", "outputs": answer}]}
    assert detect(body).format == "openai-chat"
    assert [message.content for message in parse(body).messages] == ["hi", "ho"]
    assert parse(body).origins[1].path == "/patch/0/outputs/choices/0/message"


def test_calls_that_old_versions_left_unparsed_are_calls() -> None:
    function = {"name": "get_weather", "arguments": '{"city": "Oslo"}'}
    kept = {"tool_calls": [{"id": "call_9", "type": "function", "function": function}]}
    body = {"messages": [
        {"type": "ai", "content": "", "additional_kwargs": kept, "tool_calls": []},
        {"type": "tool", "content": "3C", "tool_call_id": "call_9"},
    ]}  # fmt: skip
    said, result = parse(body).messages
    assert get("langchain-dump").write(parse(body)).value == body
    assert isinstance(said, AssistantMessage)
    assert isinstance(result, ToolMessage)
    assert (said.tool_calls[0].arguments, result.tool_name) == ('{"city": "Oslo"}', "get_weather")


def test_arguments_that_did_not_parse_keep_their_text_and_id() -> None:
    path = DATA / "py" / "lc_dumpd" / "05_invalid_tool_call.jsonl"
    done = convert(path, "openai-chat")
    function = done.value[0]["messages"][1]["tool_calls"][1]
    assert (function["id"], function["function"]["arguments"]) == ("call_bad", '{"q": "unterminated')
    assert ("dropped", "/kwargs/invalid_tool_calls/0/error") in {(loss.action, loss.path) for loss in done.losses}
    back = convert(done.value[0], "langchain", "openai-chat").value["messages"][1]["kwargs"]
    assert [call["id"] for call in back["tool_calls"]] == ["call_ok"]
    assert [call["args"] for call in back["invalid_tool_calls"]] == ['{"q": "unterminated']


def test_failed_results_and_artifacts() -> None:
    path = DATA / "py" / "model_dump" / "04_parallel_tools_error_artifact.jsonl"
    done = convert(path, "anthropic")
    results = done.value[0]["messages"][2]["content"]
    assert [result.get("is_error") for result in results] == [False, True]
    assert ("dropped", "/artifact") in {(loss.action, loss.path) for loss in done.losses}


def test_functions_roles_and_developers() -> None:
    path = DATA / "py" / "model_dump" / "10_function_chat_developer.jsonl"
    done = convert(path, "openai-chat")
    system, _, said, result, critic, _ = done.value[0]["messages"]
    assert (system["role"], said["function_call"]["name"], result["role"]) == ("developer", "f", "function")
    assert (critic["role"], critic["content"]) == ("user", "custom role text")
    assert ("dropped", "/role") in {(loss.action, loss.path) for loss in done.losses}


def test_reasoning_of_responses_goes_back_as_an_item() -> None:
    item = {
        "id": "rs_1",
        "type": "reasoning",
        "summary": [{"type": "summary_text", "text": "Hm.", "index": 0}],
        "encrypted_content": "ZW5j",
    }
    fields = {"content": "Four.", "additional_kwargs": {"reasoning": item}, "type": "ai"}
    body = {"messages": [{"type": "human", "content": "How deep?"}, fields]}
    [_, said] = parse(body).messages
    assert isinstance(blocks_of(said)[0], ReasoningBlock)
    written = convert(body, "openai-responses").value["input"][1]
    assert written == {**item, "summary": [{"type": "summary_text", "text": "Hm."}]}
    assert get("langchain-dump").write(parse(body)).value == body


def test_values_with_a_key_lc_are_unwrapped_and_wrapped_again() -> None:
    path = DATA / "py" / "lc_dumpd" / "14_lc_key_in_user_data.jsonl"
    [said, _] = read(path).messages
    assert isinstance(said, AssistantMessage)
    assert json.loads(said.tool_calls[0].arguments)["lc"] == 1
    flat = convert(path, "langchain-dump").value[0]["messages"]
    assert flat[1]["artifact"] == {"lc": 1}


def test_results_in_a_human_message_stand_before_its_text() -> None:
    path = DATA / "py" / "model_dump" / "15_tool_result_in_human.jsonl"
    assert [message["role"] for message in convert(path, "openai-chat").value[0]["messages"]] == [
        "user",
        "assistant",
        "tool",
        "user",
    ]


# What providers gave goes back to them


def said_by(provider: str, content: list[Any], *calls: dict[str, Any], **kept: Any) -> dict[str, Any]:
    """Give a state in which a model of a provider spoke."""
    answer = {
        "type": "ai",
        "content": content,
        "tool_calls": list(calls),
        "additional_kwargs": kept,
        "response_metadata": {"model_provider": provider},
    }
    results = [{"type": "tool", "content": "r", "tool_call_id": call["id"]} for call in calls]
    return {"messages": [{"type": "human", "content": "q"}, answer, *results]}


CALL = {"name": "f", "args": {"a": 1}, "id": "call_1", "type": "tool_call"}
SIGNATURES = "__gemini_function_call_thought_signatures__"
SEARCH = [
    {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "q"}},
    {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": []},
    {"type": "text", "text": "t", "citations": [{"type": "web_search_result_location", "cited_text": "c"}]},
]
BODIES = {
    "signatures of Gemini": said_by("google_genai", [{"type": "thinking", "thinking": "hm", "signature": "c2ln"}], CALL, **{SIGNATURES: {"call_1": "c2cy"}}),
    "tools that Anthropic runs": said_by("anthropic", SEARCH),
    "items of OpenAI": said_by("openai", [
        {"type": "reasoning", "id": "rs_1", "reasoning": "hm", "encrypted_content": "ZW5j"},
        {"type": "text", "text": "t", "id": "msg_1"},
    ]),
    "a call among text": said_by("anthropic", [
        {"type": "tool_use", "id": "call_1", "name": "f", "input": {"a": 1}}, {"type": "text", "text": "t"},
    ], CALL),
}  # fmt: skip


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("form", FORMS)
def test_what_providers_gave_is_held(name: str, form: str) -> None:
    there = get(form).write(parse(BODIES[name]))
    assert there.losses == ()
    back = get("langchain-dump").write(parse(jsontext.decode(jsontext.encode(there.value)), form))
    fields = back.value["messages"][1]
    assert {key: fields[key] for key in BODIES[name]["messages"][1]} == BODIES[name]["messages"][1]


def test_signatures_of_gemini_go_back() -> None:
    [thought, called] = convert(BODIES["signatures of Gemini"], "gemini").value["contents"][1]["parts"]
    assert (thought["thoughtSignature"], called["thoughtSignature"]) == ("c2ln", "c2cy")


def test_tools_that_anthropic_runs_go_back() -> None:
    assert convert(BODIES["tools that Anthropic runs"], "anthropic").value["messages"][1]["content"] == SEARCH


def test_items_of_openai_go_back() -> None:
    done = convert(BODIES["items of OpenAI"], "openai-responses")
    reasoning, message = done.value["input"][1:]
    assert (reasoning["id"], reasoning["encrypted_content"]) == ("rs_1", "ZW5j")
    assert (message["id"], message["content"][0]["text"], message["type"]) == ("msg_1", "t", "message")
    assert done.refusals == ()


def test_a_call_keeps_its_place_among_text() -> None:
    assert [
        block["type"] for block in convert(BODIES["a call among text"], "anthropic").value["messages"][1]["content"]
    ] == ["tool_use", "text"]
    there = convert(convert(BODIES["a call among text"], "anthropic").value, "langchain", "anthropic")
    assert [part["type"] for part in there.value["messages"][1]["kwargs"]["content"]] == ["tool_call", "text"]


@pytest.mark.parametrize("beside", [{"status": "error"}, {"artifact": [1]}, {}], ids=str)
def test_calls_of_langchain_with_its_fields_beside_them_are_its_own(beside: dict[str, Any]) -> None:
    call = {"name": "f", "args": {"x": 1}, "id": "a"}  # with its type it needs nothing beside it
    asked = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "", "tool_calls": [call]}]
    body = [*asked, {"role": "tool", "tool_call_id": "a", "content": "r", **beside}]
    assert detect(body).format == ("langchain-dump" if beside else "openai-chat")
    if beside:
        assert lint(body) == []
        written = convert(body, to="langchain").value["messages"]
        assert written[1]["kwargs"]["tool_calls"] == [call]
        assert beside.items() <= written[2]["kwargs"].items()


SERVER_RESULTS = {
    "langchain": {"type": "server_tool_result", "tool_call_id": "ws_1", "status": "success", "output": ["r"]},
    "langchain-js": {"type": "server_tool_call_result", "toolCallId": "ws_1", "status": "success", "output": ["r"]},
}
"""How langchain-core and @langchain/core spell what a provider's own tool gave (`ServerToolResult`, `ServerToolCallResult`)."""


@pytest.mark.parametrize("to", SERVER_RESULTS)
@pytest.mark.parametrize("part", SERVER_RESULTS.values(), ids=SERVER_RESULTS)
@pytest.mark.parametrize("name", FORMS)
def test_results_of_server_tools_are_spelled_in_the_language_of_the_form(name: str, part: Any, to: str) -> None:
    def content(value: Any) -> Any:
        kwargs = value["messages"][0]["kwargs"]
        return kwargs.get("content_blocks", kwargs.get("content"))

    call = {"type": "server_tool_call", "id": "ws_1", "name": "web_search", "args": {}}
    message = {"type": "ai", "content": [call, part], "response_metadata": {"output_version": "v1"}}
    source = convert({"messages": [message]}, name, "langchain-dump")
    written = convert(source.value, to, name)
    assert (source.losses, written.losses) == ((), ())
    assert content(written.value) == [call, SERVER_RESULTS[to]]


@pytest.mark.parametrize("message", [{"type": "chat", "role": "", "content": "x"}, ["", "x"]])
def test_an_empty_role_is_one_of_its_own(message: Any) -> None:
    found = convert({"messages": [{"type": "human", "content": "q"}, message]}, "openai-chat")
    assert [said["role"] for said in found.value["messages"]] == ["user", "user"]
    assert [(loss.action, loss.path.rpartition("/")[0]) for loss in found.losses] == [("dropped", "/messages/1")]
    kept = convert({"messages": [{"type": "human", "content": "q"}, message]}, "langchain")
    assert (kept.value["messages"][1]["kwargs"]["role"], kept.losses) == ("", ())


@pytest.mark.parametrize("name", ["openai-chat", "mistral", "ollama", "cohere"])
def test_chats_give_an_empty_role_back(name: str) -> None:
    body = {"messages": [{"role": "user", "content": "q"}, {"role": "", "content": "x"}]}
    assert get(name).write(parse(body, name)).value == body
