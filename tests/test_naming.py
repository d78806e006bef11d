"""By which id findings name a conversation."""

from typing import Any

import pytest

import lighter

ORPHAN: list[Any] = [{"role": "tool", "tool_call_id": "c", "content": "1"}]
NAMED: dict[str, tuple[Any, str | None]] = {
    "session": ([{**ORPHAN[0], "session_id": "s1"}], None),
    "own id": ({"id": "chat-7", "messages": ORPHAN}, "chat-7"),
    "conversation id before own": ({"id": "chat-7", "conversation_id": "k", "messages": ORPHAN}, "k"),
    "number": ({"thread_id": 12, "messages": ORPHAN}, "12"),
    "batch": ({"custom_id": "row-3", "body": {"model": "m", "messages": ORPHAN}}, "row-3"),
    "inside the request": ({"request": {"session_id": "s9", "messages": ORPHAN}}, "s9"),
    "one of several": ([{"id": "a", "messages": ORPHAN}], "a"),
    "none": (ORPHAN, None),
    "no name": ({"id": None, "session_id": "", "conversation_id": True, "messages": ORPHAN}, None),
}


@pytest.mark.parametrize("name", NAMED)
def test_findings_name_their_conversation(name: str) -> None:
    value, expected = NAMED[name]
    assert {found.conversation for found in lighter.lint(value) if found.code == "P102"} == {expected}
