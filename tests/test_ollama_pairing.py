"""Which result answers which call stays the same in chats that rename ids, or have none."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from lighter import convert, parse
from lighter.messages import AssistantMessage, Message, ToolMessage

CASES = [
    case
    for case in map(
        json.loads, (Path(__file__).parent / "conversion_cases.jsonl").read_text(encoding="utf-8").splitlines()
    )
    if case["format"] in ("openai", "anthropic", "ollama")
]


def pairs(messages: tuple[Message, ...]) -> list[tuple[str, str]]:
    """Give the tool of each call and its answer, turn by turn."""
    found: list[tuple[str, str]] = []
    turn: dict[str, str] = {}
    for message in messages:
        match message:
            case AssistantMessage():
                turn = {call.call_id: call.tool_name for call in message.tool_calls}
            case ToolMessage():
                found.append((turn.get(message.call_id, "?"), message.tool_output))
            case _:
                pass
    return found


def alike(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Sort pairs, with names told by what remains of them where a target takes fewer characters."""
    return sorted((re.sub(r"\W", "_", name)[:12], answer) for name, answer in found)


@pytest.mark.parametrize("target", ["mistral", "cohere", "ollama"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_answers_stay_with_their_calls(case: dict[str, Any], target: str) -> None:
    body = {**case.get("env", {}), "messages": case["messages"]}
    source = {"openai": "openai-chat"}.get(case["format"], case["format"])
    before = pairs(parse(body, source).messages)
    after = pairs(parse(convert(body, target, source).value, target).messages)
    assert alike(after) == alike(before)
    assert "?" not in [name for name, _ in after]
