"""Messages in short: texts, pairs and objects with roles in one list are what `convert_to_messages` makes of them."""

import json
from pathlib import Path
from typing import Any

import pytest
from chat import SAID, USER

from lighter import convert, detect, lint, load
from lighter.detection import detect_values

THEIRS: Any = pytest.importorskip("langchain_core.messages")

OPENAI = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
OWN = {"name": "f", "args": {"a": 1}, "id": "call_2", "type": "tool_call"}
HUMAN, AI = {"role": "human", "content": "q"}, {"role": "ai", "content": "a"}
SYSTEM = {"role": "system", "content": "s"}
CRITIC = {"role": "critic", "content": "x"}


def called(*calls: Any) -> list[Any]:
    """Give an answer that calls, and the results."""
    results = [{"role": "tool", "tool_call_id": call["id"], "content": "r"} for call in calls]
    return [{"role": "assistant", "content": "", "tool_calls": list(calls)}, *results]


SHORT: dict[str, list[Any]] = {
    "text": ["q", SAID],
    "texts and objects": ["q", SAID, "and?", SAID],
    "text after instructions": [SYSTEM, "q", SAID],
    "text and calls of OpenAI": ["q", *called(OPENAI)],
    "text and a function": ["q", {"role": "function", "name": "f", "content": "1"}],
    "pair": [["user", "q"], *called(OPENAI)],
    "pair further on": [USER, ["assistant", "a"], USER],
    "text, pair and objects": ["q", ["ai", "a"], USER, "last"],
    "own roles": [HUMAN, AI],
    "one own role": [HUMAN, SAID],
    "the other own role": [SYSTEM, HUMAN, AI, USER],
    "calls of both": [USER, *called(OPENAI, OWN)],
    "own calls": [USER, *called(OWN), SAID],
}
FAULTS = ["own roles", "one own role", "the other own role", "calls of both", "own calls"]


def view(message: Any) -> Any:
    """Give what a message of langchain-core says."""
    return message.type, message.content, [call["id"] for call in getattr(message, "tool_calls", ())]


@pytest.mark.parametrize("listed", SHORT.values(), ids=SHORT)
def test_shorthand_is_what_the_package_makes_of_it(listed: list[Any]) -> None:
    found = convert(listed, "langchain-objects")
    assert detect(listed).format == "langchain-dump"
    assert [view(message) for message in found.value] == [
        view(message) for message in THEIRS.convert_to_messages(listed)
    ]
    assert found.losses == ()
    assert lint(listed) == []


@pytest.mark.parametrize("name", FAULTS)
def test_where_a_chat_is_meant_for_a_provider_the_words_of_langchain_are_faults(name: str) -> None:
    assert {d.name for d in lint(SHORT[name], target="openai-chat")} <= {"unknown-role", "malformed-tool-call"}
    assert lint(SHORT[name], target="openai-chat")
    assert lint({"model": "gpt-5", "messages": SHORT[name]})


CHATS: dict[str, tuple[Any, str]] = {
    "a text in the middle": ([USER, "oops", SAID], "message-not-object"),
    "a text at the end": ([USER, SAID, "oops"], "message-not-object"),
    "a text that is JSON": (['{"role": "user", "content": "q"}', SAID], "message-not-object"),
    "a text and null": (["q", None, SAID], "message-not-object"),
    "a text and a role that nobody knows": (["q", CRITIC], "message-not-object"),
    "a text in a request": ({"messages": ["q", SAID]}, "message-not-object"),
    "both words for a person": ([USER, SAID, HUMAN, SAID], "unknown-role"),
    "both words for a model": ([USER, AI, USER, SAID], "unknown-role"),
    "a role that no LangChain knows": ([HUMAN, {"role": "gpt", "content": "a"}], "unknown-role"),
}


@pytest.mark.parametrize("name", CHATS)
def test_a_chat_with_a_fault_is_no_shorthand(name: str) -> None:
    value, rule = CHATS[name]
    assert detect(value).format == "openai-chat"
    assert rule in {d.name for d in lint(value)}


def test_rows_with_own_roles_among_others_are_faults() -> None:
    chat, own = {"messages": [USER, SAID]}, {"messages": [HUMAN, AI]}
    assert [d.path for d in lint([chat, own, chat])] == ["/1/messages/0/role", "/1/messages/1/role"]
    assert lint([own, own]) == []


def test_a_log_of_messages_is_weighed_as_a_whole() -> None:
    assert detect_values([SYSTEM, HUMAN, *called(OPENAI), SAID, USER]).format == "openai-chat"
    assert detect_values([SYSTEM, HUMAN, *called(OPENAI), SAID]).format == "langchain-dump"


def test_removals_in_short_are_carried_out() -> None:
    removal = {"role": "remove", "id": "m", "content": ""}
    found = convert([USER | {"id": "m"}, removal, USER], "langchain-objects")
    assert [view(message) for message in found.value] == [("human", USER["content"], [])]


def test_one_text_in_a_list_is_a_message_where_the_form_is_named() -> None:
    [message] = convert(["q"], "langchain-objects", format="langchain-dump").value
    assert view(message) == ("human", "q", [])
    assert detect(["q"]).format is None


def test_texts_alone_are_messages_where_the_form_is_named() -> None:
    listed = convert(["q", "and?"], "langchain-objects", format="langchain-dump").value
    assert [view(message) for message in listed] == [("human", "q", []), ("human", "and?", [])]
    assert detect(["src/tide.py", "src/quay.py"]).format is None


def test_types_that_others_have_are_langchain_s_beside_its_own_and_where_the_form_is_named() -> None:
    said = [{"type": "user", "content": "q"}, {"type": "assistant", "content": "a"}]
    assert detect(said).format is None
    assert detect([*said, {"type": "human", "content": "q"}]).format == "langchain-dump"
    listed = convert(said, "langchain-objects", format="langchain-dump").value
    assert [view(message) for message in listed] == [("human", "q", []), ("ai", "a", [])]


@pytest.mark.parametrize("first", ["user", "assistant", "developer"])
def test_types_that_others_have_may_stand_on_lines_of_langchain_s(first: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    lines = [{"type": first, "content": "q"}, {"type": "assistant", "content": "a"}]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert detect(path).format is None
    assert [len(found.messages) for found in load(path, "langchain-dump")] == [2]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in [*lines, {"type": "human", "content": "q"}]))
    (found,) = load(path)
    assert (found.format, len(found.messages)) == ("langchain-dump", 3)


def test_a_call_that_lost_its_function_does_not_make_a_chat_langchain_s() -> None:
    usual = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    calls = [usual, {"id": "b", "name": "f", "args": {}}]
    results = [{"role": "tool", "tool_call_id": name, "content": "r"} for name in ("a", "b")]
    body = [{"role": "user", "content": "q"}, {"role": "assistant", "content": None, "tool_calls": calls}, *results]
    assert detect(body).format == "openai-chat"
    assert [found.name for found in lint(body)] == ["malformed-tool-call"]
