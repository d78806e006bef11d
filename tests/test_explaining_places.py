"""An error message with a file: who is asked, which findings are kept, and which of them the error names."""

import json
from pathlib import Path
from typing import Any

import pytest
from chat import calls, result, user

from lighter.errors import NotRecognised
from lighter.explaining import explain
from lighter.explaining_places import Clues, Places, clues_of, find_places, target_of
from lighter.inputs import Input

UNANSWERED = (
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
)


@pytest.mark.parametrize(
    ("text", "paths", "ids"),
    [
        ("messages.3.content.1.tool_use.id: String", [("messages", "3", "content", "1", "tool_use", "id")], []),
        ("Invalid 'messages[2].tool_calls[0].id'", [("messages", "2", "tool_calls", "0", "id")], []),
        ("'param': 'messages.[14].role'", [("messages", "14", "role")], []),
        ("message[532].role", [("message", "532", "role")], []),
        ("in messages[7] and messages[8]", [("messages", "7"), ("messages", "8")], []),
        ("'input[95].call_id'", [("input", "95", "call_id")], []),
        ("the message at position 8 with role", [("messages", "8")], []),
        ("in the assistant message at message index 2.", [("messages", "2")], []),
        (
            "'messages.2.member.content.1.member.toolUse.name'",
            [("messages", "2", "content", "1", "toolUse", "name")],
            [],
        ),
        ("did not have response messages: call_sVabMby3Tu1c", [], ["call_sVabMby3Tu1c"]),
        ("No tool call found for function call output with call_id call_x7.", [], ["call_x7"]),
        ("responses: Agent:0, functions.Bash:12", [], ["Agent:0", "functions.Bash:12"]),
        ("messages: at least one message is required", [], []),
        ("GenerateContentRequest.contents[2].parts[0]", [("contents", "2", "parts", "0")], []),
    ],
)
def test_clues(text: str, paths: list[tuple[str, ...]], ids: list[str]) -> None:
    assert clues_of(text) == Clues(tuple(paths), tuple(ids))


@pytest.mark.parametrize(
    ("text", "target"),
    [
        (UNANSWERED, "openai-chat"),
        (f"litellm.BadRequestError: AzureException - {UNANSWERED}", "azure-openai"),
        (f"DashScope: {UNANSWERED}", "qwen"),
        (f"{UNANSWERED} (insufficient tool messages following tool_calls message)", "deepseek"),
        ("Failed to parse tool call arguments as JSON", "generic"),
        ("messages: text content blocks must be non-empty", "anthropic"),
        ("something else", "generic"),
    ],
)
def test_who_is_asked(text: str, target: str) -> None:
    assert target_of(explain(text), text) == target


def found(tmp_path: Path, value: Any, text: str, **options: Any) -> Places:
    """Write a value as one document, or a list of messages as a log, and ask where the fault behind a text is."""
    is_log = isinstance(value, list)
    file = tmp_path / ("a.jsonl" if is_log else "a.json")
    file.write_text("".join(json.dumps(item) + "\n" for item in value) if is_log else json.dumps(value))
    return find_places(explain(text), text, Input(file.name, file), **options)


TWO = [user(), calls("call_a1"), user(), calls("call_b2"), user()]
"""Two calls that nothing answers."""


def test_an_id_points_at_its_call(tmp_path: Path) -> None:
    text = f"{UNANSWERED} The following tool_call_ids did not have response messages: call_b2"
    places = found(tmp_path, TWO, text)
    assert (places.target, places.pointed, places.others) == ("openai-chat", 1, 0)
    assert [(item.name, item.location.row) for item in places.findings] == [
        ("missing-tool-result", 4),
        ("missing-tool-result", 2),
    ]


@pytest.mark.parametrize("value", [TWO, {"messages": TWO}], ids=["log", "request"])
def test_an_index_points_at_its_message(tmp_path: Path, value: Any) -> None:
    places = found(tmp_path, value, f"{{'error': {{'message': \"{UNANSWERED}\", 'param': 'messages.[3].role'}}}}")
    assert places.pointed == 1
    assert "call_b2" in places.findings[0].message


def test_indices_of_another_format_point_nowhere(tmp_path: Path) -> None:
    """They count the messages of the request that was made of the file."""
    places = found(tmp_path, TWO, f"{UNANSWERED} messages[3].role", target="anthropic")
    assert len(places.findings) == 2
    assert (places.pointed, places.named) == (0, ())


def test_indices_point_nowhere_in_a_file_that_may_not_be_the_one(tmp_path: Path) -> None:
    places = found(tmp_path, TWO, f"{UNANSWERED} messages[3].role", is_refused=False)
    assert (len(places.findings), places.pointed) == (2, 0)
    assert found(tmp_path, [user()], f"{UNANSWERED} messages[0].role", is_refused=False).named == ()


def test_findings_of_other_rules_are_counted_only(tmp_path: Path) -> None:
    places = found(tmp_path, [*TWO, {"role": "tool", "tool_call_id": "call_z", "content": "1"}], UNANSWERED)
    assert {item.name for item in places.findings} == {"missing-tool-result"}
    assert places.others == 1


def test_the_message_that_an_error_names_is_shown_where_nothing_is_found(tmp_path: Path) -> None:
    sound = [user(), calls("call_a1"), result("call_a1"), user()]
    by_index = found(tmp_path, sound, f"{UNANSWERED} messages[1].role")
    by_id = found(tmp_path, sound, f"{UNANSWERED} messages: call_a1")
    assert by_index.findings == by_id.findings == ()
    assert [named.location.row for named in by_index.named] == [2]
    assert [named.location.row for named in by_id.named] == [2, 3]


def test_another_target_can_be_asked(tmp_path: Path) -> None:
    places = found(tmp_path, TWO, UNANSWERED, target="anthropic", mode="request")
    assert places.target == "anthropic"
    assert all("anthropic" in item.targets for item in places.findings)


def test_a_file_without_a_conversation_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotRecognised):
        found(tmp_path, {"a": 1}, UNANSWERED)
