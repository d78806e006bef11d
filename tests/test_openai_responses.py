"""OpenAI Responses: reading items, writing them, exactness, what is named as lost, envelopes, detection and pairing."""

import io
from typing import Any

import pytest
from chat import USER, jsonl
from response_items import ANSWER, CALL, REASONING, RESULT, SAID
from strategies.values import PNG

from lighter import (
    AssistantMessage,
    Conversation,
    SystemMessage,
    ToolCall,
    ToolMessage,
    UserMessage,
    convert,
    fix,
    jsontext,
    load,
    parse,
    trim,
)
from lighter.conversation import Tool
from lighter.formats import get
from lighter.formats.openai_responses.shapes import OPAQUE_ITEMS
from lighter.messages import MediaBlock, OpaqueBlock, ReasoningBlock, RefusalBlock, TextBlock, blocks_of

NAME = "openai-responses"


def read(*items: Any, **fields: Any) -> Conversation:
    return parse({**fields, "input": list(items)}, NAME)


def test_items_of_one_turn_are_one_message() -> None:
    search = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
    read_in = read(USER, REASONING, SAID, search, CALL, RESULT, {"role": "assistant", "content": "done"})
    assert [message.role for message in read_in.messages] == ["user", "assistant", "tool", "assistant"]
    turn = read_in.messages[1]
    assert isinstance(turn, AssistantMessage)
    assert [type(block) for block in blocks_of(turn)] == [ReasoningBlock, TextBlock, OpaqueBlock, ToolCall]
    assert (turn.content, turn.tool_calls[0].tool_name) == ("hello", "f")
    assert read_in.messages[2] == ToolMessage("call_1", "f", "42", None)
    assert read_in.messages[3] == AssistantMessage("done")
    assert [origin.path for origin in read_in.origins] == ["/input/0", "/input/1", "/input/5", "/input/6"]
    assert [origin.path for origin in read_in.origins[1].blocks] == [
        "/input/1",
        "/input/2/content/0",
        "/input/3",
        "/input/4",
    ]


def test_items_of_a_log_are_not_folded() -> None:
    (found,) = load(io.BytesIO(jsonl(USER, REASONING, CALL, RESULT)))
    assert (found.format, found.layout) == (NAME, "messages")
    assert [message.role for message in found.messages] == ["user", "assistant", "assistant", "tool"]


PARTS: list[tuple[dict[str, Any], Any]] = [
    ({"type": "input_text", "text": "a"}, TextBlock("a")),
    ({"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "low"},
     MediaBlock("image", "base64", PNG, "image/png", detail="low")),
    ({"type": "input_image", "image_url": "https://example.com/a.png", "detail": "auto"},
     MediaBlock("image", "url", "https://example.com/a.png", detail="auto")),
    ({"type": "input_image", "file_id": "file-1", "detail": "auto"}, MediaBlock("image", "file_id", "file-1", detail="auto")),
    ({"type": "input_file", "file_data": "data:application/pdf;base64,JVBE", "filename": "a.pdf"},
     MediaBlock("document", "base64", "JVBE", "application/pdf", "a.pdf")),
    ({"type": "input_file", "file_url": "https://example.com/a.pdf"}, MediaBlock("document", "url", "https://example.com/a.pdf")),
    ({"type": "input_file", "file_id": "file-2"}, MediaBlock("document", "file_id", "file-2")),
    ({"type": "input_video", "x": 1}, OpaqueBlock(NAME, "input_video", '{"type":"input_video","x":1}')),
]  # fmt: skip


@pytest.mark.parametrize(("part", "block"), PARTS, ids=[part["type"] for part, _ in PARTS])
def test_parts_are_read_and_written_back(part: dict[str, Any], block: Any) -> None:
    for items in (
        [{"role": "user", "content": [part, part]}],
        [CALL, {**RESULT, "output": [part, part]}],
        [{"type": "message", "role": "developer", "content": [part]}],
    ):
        conversation = read(*items)
        assert blocks_of(conversation.messages[-1])[0] == block
        written = get(NAME).write(conversation)
        assert (written.value, written.losses) == ({"input": items}, ())


@pytest.mark.parametrize("kind", [*sorted(OPAQUE_ITEMS), "x_of_next_year"])
def test_items_that_only_this_api_knows_pass_through_in_place(kind: str) -> None:
    item = {
        "type": kind,
        "id": "x_1",
        "status": "completed",
        "encrypted_content": "e",
        "tools": [{"a": 1e3}],
        "arguments": "{",
    }
    body = {"model": "gpt-5", "input": [USER, SAID, item, CALL, RESULT, item, USER]}
    held = convert(body, "lighter", NAME)
    assert held.losses == ()
    assert convert(jsontext.decode(jsontext.encode(held.value)), NAME, "lighter").value == body
    for target in ("openai-chat", "anthropic"):
        dropped = {loss.path for loss in convert(body, target, NAME).losses if loss.action == "dropped"}
        assert {"/input/2", "/input/5"} <= dropped


def test_answers_tell_model_stop_reason_and_usage() -> None:
    found = parse({"request": {"model": "m", "input": "hi"}, "response": ANSWER})
    user, said = found.messages
    assert user.content == "hi"
    assert isinstance(said, AssistantMessage)
    assert (said.model, said.stop, said.usage) == ("gpt-5", "completed", '{"total_tokens":3}')
    assert found.origins[1].at("usage") == "/response/usage"


def test_answers_without_output_keep_their_envelope() -> None:
    queued = {**ANSWER, "status": "queued", "output": []}
    found = parse({"request": {"model": "m", "input": [USER]}, "response": queued})
    assert {extra.path for extra in found.ext} == {f"/response/{key}" for key in queued if key != "output"}


def test_history_that_is_elsewhere_is_a_loss() -> None:
    body = {
        "model": "gpt-5", "previous_response_id": "resp_0", "conversation": "conv_1", "input": [{"type": "item_reference", "id": "msg_0"}, USER],
    }  # fmt: skip
    lost = {loss.path: loss for loss in convert(body, "anthropic").losses if loss.action == "dropped"}
    assert {"/previous_response_id", "/conversation", "/input/0"} <= lost.keys()
    assert "not in the file" in lost["/previous_response_id"].detail


def written(*messages: Any, **parts: Any) -> tuple[Any, list[tuple[str, str]]]:
    done = convert(Conversation(messages, **parts), NAME)
    return done.value, [(loss.action, loss.feature) for loss in done.losses]


def test_plain_conversations_are_plain_items() -> None:
    value, losses = written(
        SystemMessage("You add."),
        UserMessage("19 + 23?"),
        AssistantMessage("Let me see.", tool_calls=(ToolCall("c", "add", '{"a":19}'),)),
        ToolMessage("c", "add", "42", None),
        AssistantMessage("42."),
    )
    assert value == {
        "instructions": "You add.",
        "input": [
            {"role": "user", "content": "19 + 23?"},
            {"role": "assistant", "content": "Let me see."},
            {"type": "function_call", "call_id": "c", "name": "add", "arguments": '{"a":19}'},
            {"type": "function_call_output", "call_id": "c", "output": "42"},
            {"role": "assistant", "content": "42."},
        ],
    }
    assert losses == []


@pytest.mark.parametrize("leading", [
    [{"role": "developer", "content": "Be brief."}],
    [{"role": "system", "content": [{"type": "text", "text": "Be brief."}, {"type": "text", "text": "Be kind."}]}],
    [{"role": "system", "content": "Be brief."}, {"role": "system", "content": "Be kind."}],
], ids=["developer", "parts", "two"])  # fmt: skip
def test_leading_system_messages_come_back(leading: list[Any]) -> None:
    there = convert([*leading, USER], NAME)
    assert there.losses == ()
    back = convert(there.value, "openai-chat", NAME)
    assert (back.value["messages"], back.losses) == ([*leading, USER], ())


def test_system_items_and_instructions_are_told_apart() -> None:
    for body in ({"instructions": "a", "input": [USER]}, {"input": [{"role": "system", "content": "a"}, USER]}):
        held = convert(body, "lighter", NAME).value
        assert convert(held, NAME, "lighter").value == body


def test_call_ids_that_are_too_long_are_rewritten_together() -> None:
    ids = ["x" * 64, "x" * 65, "x" * 66]
    calls = tuple(ToolCall(call_id, "f", "{}") for call_id in ids)
    results = tuple(ToolMessage(call_id, "f", call_id, None) for call_id in reversed(ids))
    value, losses = written(UserMessage("u"), AssistantMessage("", tool_calls=calls), *results)
    made = [item["call_id"] for item in value["input"] if item.get("type") == "function_call"]
    answered = [item["call_id"] for item in value["input"] if item.get("type") == "function_call_output"]
    assert made[0] == ids[0]
    assert len(set(made)) == 3
    assert answered == made[::-1]
    assert all(len(call_id) <= 64 for call_id in made)
    assert losses == [("rewritten", "call-id")] * 4


def test_results_of_custom_calls_are_custom() -> None:
    call = {"id": "c", "type": "custom", "custom": {"name": "shell", "input": "ls"}}
    chat = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "a.py"},
    ]
    assert convert(chat, NAME).value["input"] == [
        {"type": "custom_tool_call", "call_id": "c", "name": "shell", "input": "ls"},
        {"type": "custom_tool_call_output", "call_id": "c", "output": "a.py"},
    ]


def test_refusals_get_an_item_of_their_own() -> None:
    value, losses = written(UserMessage("u"), AssistantMessage("", blocks=(RefusalBlock("No."),)))
    item = value["input"][1]
    assert item.pop("id").startswith("msg_")
    assert item == {
        "type": "message", "role": "assistant", "status": "completed", "content": [{"type": "refusal", "refusal": "No."}],
    }  # fmt: skip
    assert losses == [("synthesised", "item-id")]


@pytest.mark.parametrize(("block", "loss"), [
    (ReasoningBlock("hm"), ("dropped", "reasoning")),
    (MediaBlock("audio", "base64", "UklG", "audio/wav"), ("dropped", "audio")),
    (MediaBlock("image", "url", "https://example.com/a.png"), ("dropped", "image")),
    (ToolCall("s", "web_search", "{}", "server"), ("dropped", "server-tool")),
    (OpaqueBlock("anthropic", "x", "{}"), ("dropped", "x")),
], ids=["reasoning", "audio", "image", "server tool", "opaque"])  # fmt: skip
def test_what_an_assistant_cannot_say_here_is_named(block: Any, loss: tuple[str, str]) -> None:
    value, losses = written(UserMessage("u"), AssistantMessage("", blocks=(TextBlock("t"), block)))
    assert value["input"][1] == {"role": "assistant", "content": "t"}
    assert losses == [loss]


def test_media_and_documents_of_results_stay_in_them() -> None:
    blocks = (
        TextBlock("see"), MediaBlock("image", "base64", PNG, "image/png"), MediaBlock("document", "text", "notes"),
        MediaBlock("image", "file_id", "file_011"),
    )  # fmt: skip
    call = AssistantMessage("", tool_calls=(ToolCall("c", "f", "{}"),))
    value, losses = written(call, ToolMessage("c", "f", "", is_error=True, blocks=blocks))
    assert value["input"][1]["output"] == [
        {"type": "input_text", "text": "see"},
        {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"},
        {"type": "input_text", "text": "notes"},
    ]
    assert losses == [("dropped", "is-error"), ("rewritten", "document"), ("dropped", "file-id")]


def test_images_of_users_get_a_detail() -> None:
    value, losses = written(UserMessage("", blocks=(MediaBlock("image", "url", "https://example.com/a.png"),)))
    part = {"type": "input_image", "image_url": "https://example.com/a.png", "detail": "auto"}
    assert (value["input"][0]["content"], losses) == ([part], [("synthesised", "image-detail")])


def test_tools_and_parameters() -> None:
    function = {"name": "f", "description": "d", "parameters": {"type": "object", "properties": {}}, "strict": True}
    chat = {
        "messages": [USER], "model": "gpt-5", "max_tokens": 9, "stop": ["x"], "parallel_tool_calls": False, "top_p": 0.5,
        "tools": [{"type": "function", "function": function}, {"type": "function", "function": {"name": "g"}}],
        "tool_choice": {"type": "function", "function": {"name": "f"}},
    }  # fmt: skip
    done = convert(chat, NAME)
    assert done.value == {
        "input": [USER], "model": "gpt-5", "max_output_tokens": 9, "parallel_tool_calls": False, "top_p": 0.5,
        "tools": [{"type": "function", **function}, {"type": "function", "name": "g", "parameters": None, "strict": False}],
        "tool_choice": {"type": "function", "name": "f"},
    }  # fmt: skip
    assert [(loss.action, loss.path) for loss in done.losses] == [
        ("synthesised", "/tools/1"), ("rewritten", "/max_tokens"), ("dropped", "/stop"),
    ]  # fmt: skip
    back = convert(done.value, "openai-chat", NAME)
    assert back.losses == ()
    assert back.value["tool_choice"] == chat["tool_choice"]
    assert written(UserMessage("u"), tools=(Tool(name="g", is_strict=False),))[1] == []


def test_turns_of_the_assistant_that_follow_one_another_become_one() -> None:
    value, losses = written(UserMessage("u"), AssistantMessage("a"), AssistantMessage("b"))
    assert [item["content"] for item in value["input"]] == ["u", "a", "b"]
    assert losses == [("moved", "consecutive-turns")]


ASKED: dict[str, Any] = {"role": "user", "content": "List the files"}
SHELL: dict[str, Any] = {"type": "shell_call", "call_id": "call_s", "action": {"commands": ["ls"]}}
LISTED: dict[str, Any] = {"type": "shell_call_output", "call_id": "call_s", "output": []}


@pytest.mark.parametrize("unanswered", ["error", "drop"])
def test_no_output_is_made_up_for_a_tool_of_its_own(unanswered: Any) -> None:
    thought = {"type": "reasoning", "id": "rs_1", "summary": []}
    fixed = fix({"input": [ASKED, thought, SHELL, ASKED]}, unsafe=True, unanswered=unanswered)
    assert fixed.value == {"input": [ASKED, ASKED]}


def test_trimming_keeps_the_output_of_a_tool_of_its_own_with_its_call() -> None:
    items = [ASKED, ASKED, SHELL, ASKED, LISTED, ASKED]
    assert trim({"input": items}, max_messages=3).value == {"input": [ASKED]}
