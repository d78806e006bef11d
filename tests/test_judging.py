"""Judging for a target of another format: as `convert` would write it, with the places of the source."""

import io
from typing import Any

import pytest
from chat import USER, calls, jsonl, result

from lighter import lint
from lighter.linting import LintOptions, lint_stream


@pytest.mark.parametrize(("messages", "expected"), [
    ([USER, calls("c"), USER], [("missing-tool-result", "/1/tool_calls/0")]),
    ([USER, calls("c"), result("c"), result("d"), USER], [("orphan-tool-result", "/3")]),
    ([USER, calls("not legal, but converted"), result("not legal, but converted"), USER], []),
    ([USER, calls("c"), USER, result("c")], []),
    ([USER, calls("c", arguments="[1]"), result("c")], []),
    ([{"role": "system", "content": "s"}, USER], []),
    ([USER, {"role": "user", "content": "  "}, {"role": "user", "content": "x", "name": "ann"}], []),
])  # fmt: skip
def test_a_chat_is_judged_as_it_would_be_converted(messages: list[Any], expected: list[tuple[str, str]]) -> None:
    assert [(found.name, found.path) for found in lint(messages, target="anthropic", format="openai-chat")] == expected


def test_places_in_a_log_are_rows_of_the_log() -> None:
    log = io.BytesIO(jsonl(USER, calls("c"), USER, USER))
    report = lint_stream(log, "log.jsonl", LintOptions("anthropic"))
    assert [(found.name, found.location.row, found.path) for found in report.diagnostics] == [
        ("missing-tool-result", 2, "/tool_calls/0")
    ]


def test_places_in_a_request_are_those_of_the_request() -> None:
    blocks = [{"type": "tool_use", "id": "x" * 300, "name": "f", "input": {}}]
    body = {"system": "s", "messages": [USER, {"role": "assistant", "content": blocks}, USER]}
    assert [(found.name, found.path) for found in lint(body, target="openai-chat")] == [
        ("missing-tool-result", "/messages/1/content/0")
    ]
