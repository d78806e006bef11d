"""Judging for a target of another format: as `convert` would write it, with the places of the source."""

import io
import json
from typing import Any

import pytest

from lighter import lint
from lighter.linting import LintOptions, lint_stream

USER: dict[str, Any] = {"role": "user", "content": "hi"}


def calling(call_id: str, arguments: str = "{}") -> dict[str, Any]:
    call = {"id": call_id, "type": "function", "function": {"name": "f", "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def result(call_id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": "x"}


@pytest.mark.parametrize(("messages", "expected"), [
    ([USER, calling("c"), USER], [("missing-tool-result", "/1/tool_calls/0")]),
    ([USER, calling("c"), result("c"), result("d"), USER], [("orphan-tool-result", "/3")]),
    ([USER, calling("not legal, but converted"), result("not legal, but converted"), USER], []),
    ([USER, calling("c"), USER, result("c")], []),
    ([USER, calling("c", "[1]"), result("c")], []),
    ([{"role": "system", "content": "s"}, USER], []),
    ([USER, {"role": "user", "content": "  "}, {"role": "user", "content": "x", "name": "ann"}], []),
])  # fmt: skip
def test_a_chat_is_judged_as_it_would_be_converted(messages: list[Any], expected: list[tuple[str, str]]) -> None:
    assert [(found.name, found.path) for found in lint(messages, target="anthropic", format="openai-chat")] == expected


def test_places_in_a_log_are_rows_of_the_log() -> None:
    lines = "".join(json.dumps(message) + "\n" for message in [USER, calling("c"), USER, USER])
    report = lint_stream(io.BytesIO(lines.encode()), "log.jsonl", LintOptions("anthropic"))
    assert [(found.name, found.location.row, found.path) for found in report.diagnostics] == [
        ("missing-tool-result", 2, "/tool_calls/0")
    ]


def test_places_in_a_request_are_those_of_the_request() -> None:
    blocks = [{"type": "tool_use", "id": "x" * 300, "name": "f", "input": {}}]
    body = {"system": "s", "messages": [USER, {"role": "assistant", "content": blocks}, USER]}
    assert [(found.name, found.path) for found in lint(body, target="openai-chat")] == [
        ("missing-tool-result", "/messages/1/content/0")
    ]
