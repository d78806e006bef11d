"""How `show` counts conversations, what its exit status says, and what it says of arguments that are too deep to lay out."""

import json
from pathlib import Path

import pytest

from lighter_cli import main

A, B = '{"role":"user","content":"aaa"}', '{"role":"user","content":"bbb"}'
CALL = '{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}'
RESULT = '{"role":"tool","tool_call_id":"c","content":"r"}'
WHOLE = '{"messages":[{"role":"user","content":"www"}]}'

NUMBERED = {
    "an empty list in a log is no conversation": ([A, "[]", B], ["conversation 1"]),
    "an empty list among conversations is one": (["[]", WHOLE], ["conversation 2"]),
    "a conversation inside a log does not rename it": (
        [A, B, WHOLE],
        ["conversation 1", "conversation 2", "conversation 1"],
    ),
    "conversations are counted": ([WHOLE, WHOLE], ["conversation 1", "conversation 2"]),
}


@pytest.mark.parametrize("name", NUMBERED)
def test_conversations_are_numbered(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines, headings = NUMBERED[name]
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert main.run(["show", str(path)]) == 0
    shown = capsys.readouterr().out
    assert [line[:14] for line in shown.splitlines() if line.startswith("conversation")] == headings


def test_a_conversation_inside_a_log_does_not_take_its_calls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(f"{CALL}\n{WHOLE}\n{RESULT}\n{A}\n", encoding="utf-8")
    assert main.run(["show", str(path)]) == 0
    assert "answers no call" not in capsys.readouterr().out


STATUSES = {
    "empty": ("", 0, "note: {}: nothing to show"),
    "blank lines": ("\n\n", 0, "note: {}: nothing to show"),
    "empty list": ("[]", 0, "note: {}: nothing to show"),
    "no messages": ('{"messages":[]}', 0, "note: {}: nothing to show"),
    "only broken lines": ("{a\n{b\n", 1, "error: {}: no conversation could be read"),
    "something else": ('{"a":1}', 2, "error: {}: no conversation recognised"),
    "a message": (A, 0, ""),
    "a message and a broken line": (A + "\n{b\n", 0, ""),
}


@pytest.mark.parametrize("name", STATUSES)
def test_the_status_tells_whether_there_was_something(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, status, told = STATUSES[name]
    path = tmp_path / "log.jsonl"
    path.write_text(text, encoding="utf-8")
    assert main.run(["show", str(path)]) == status
    assert capsys.readouterr().err.startswith(told.format(path))


@pytest.mark.parametrize(
    ("arguments", "is_object"), [('{"a":' * 150 + "1" + "}" * 150, True), ("[1]", False), ("{", False)]
)
def test_deep_arguments_are_text(
    arguments: str, is_object: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments}}
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps({"role": "assistant", "content": None, "tool_calls": [call]}), encoding="utf-8")
    assert main.run(["show", str(path), "--style", "full"]) == 0
    shown = capsys.readouterr().out
    assert "f({" in shown or not is_object
    assert ("no JSON object" in shown) is not is_object
