"""Judging for a target of another format: as `convert` would write it, with the places of the source."""

import io
import json
from typing import Any

import pytest
from chat import SAID, USER, calls, jsonl, result, user

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


@pytest.mark.parametrize("target", ["openai-responses", "gemini-interactions", "bedrock", "openai-chat"])
@pytest.mark.parametrize("said", [[], [{"type": "text", "text": "Two piers."}]])
def test_all_calls_of_an_answer_that_becomes_several_items_are_pending(target: str, said: list[Any]) -> None:
    blocks = [{"type": "tool_use", "id": f"toolu_{n}", "name": "f", "input": {}} for n in range(3)]
    answer = {"type": "message", "role": "assistant", "content": [*said, *blocks]}
    exchange = {"request": {"model": "claude-opus-4-8", "max_tokens": 9, "messages": [USER]}, "response": answer}
    assert lint(exchange, target=target, mode="log", format="anthropic") == []


CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
BAD = {"type": "strin"}


def function(name: str = "f", parameters: Any = CITY) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "description": "d", "parameters": parameters}}


def tool(name: str = "f", schema: Any = CITY) -> dict[str, Any]:
    return {"name": name, "description": "d", "input_schema": schema}


@pytest.mark.parametrize("target", ["anthropic", "gemini", "bedrock"])
@pytest.mark.parametrize(
    "messages", [[{"role": "user", "content": ""}], [{"role": "user", "content": []}, {"role": "user", "content": ""}]]
)
def test_where_nothing_is_left_to_send_the_first_message_is_pointed_at(messages: list[Any], target: str) -> None:
    found = lint({"messages": messages}, target=target, format="openai-chat")
    assert [(finding.code, finding.path) for finding in found] == [("M107", "/messages/0")]


@pytest.mark.parametrize(("source", "target", "tools", "expected"), [
    ("openai-chat", "anthropic", [function(), function()], [("S103", "/tools/1/function")]),
    ("openai-chat", "anthropic", [function(), function("g", BAD)], [("S102", "/tools/1/function/parameters/type")]),
    ("openai-chat", "anthropic", [function("a.b")], []),
    ("openai-chat", "anthropic", [function("g"), function("a.b", BAD)], [("S102", "/tools/1/function/parameters/type")]),
    ("anthropic", "openai-chat", [tool("g", {"type": "object"})], []),
    ("openai-chat", "anthropic", [{"type": "function", "function": {}}, function()], [("S104", "/tools/0/function")]),
    ("openai-chat", "gemini", [function("g", {"type": "object", "properties": {"x": {"type": "array"}}})],
     [("S105", "/tools/0/function/parameters/properties/x")]),
    ("anthropic", "openai-chat", [tool(), tool("g"), tool()], [("S103", "/tools/2")]),
    ("anthropic", "openai-chat", [tool(), tool("g", BAD)], [("S102", "/tools/1/input_schema/type")]),
    ("anthropic", "openai-chat", [tool(), {"name": "g"}], [("S104", "/tools/1")]),
    ("anthropic", "bedrock", [tool(), tool("g", BAD)], [("S102", "/tools/1/input_schema/type")]),
])  # fmt: skip
def test_findings_about_tools_stand_at_the_tools_of_the_source(
    source: str, target: str, tools: list[Any], expected: list[tuple[str, str]]
) -> None:
    found = lint({"messages": [USER], "tools": tools}, target=target, format=source)
    assert [(finding.code, finding.path) for finding in found] == expected


def test_rows_of_tools_are_those_of_the_file() -> None:
    body = json.dumps({"messages": [USER], "tools": [function(), function()]}, indent=1).encode()
    [found] = lint_stream(io.BytesIO(body), "body.json", LintOptions("anthropic")).diagnostics
    lines = body.decode().split("\n")
    assert found.location.row == [row for row, line in enumerate(lines, 1) if '"function": {' in line][1]


def called(*entries: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(entries)}


def call(**keys: Any) -> dict[str, Any]:
    return {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"} | keys}


CHAT_CAUSES: list[tuple[list[Any], list[tuple[str, str]]]] = [
    ([USER, called(call(name=None)), result("c")], [("P114", "/1/tool_calls/0/function/name")]),
    ([USER, called({"id": "c", "name": "f", "arguments": "{}"}), result("c")], [("P118", "/1/tool_calls/0")]),
    ([USER, called({"id": "c"}), result("c")], [("P118", "/1/tool_calls/0")]),
    ([USER, called({"id": "c", "type": "function", "function": "f"}), result("c")], [("P118", "/1/tool_calls/0")]),
    ([USER, user(tool_calls=[call()]), result("c")], [("P117", "/1/tool_calls")]),
    ([USER, calls("c"), {"role": "tool", "content": "ok"}], [("P112", "/2")]),
    ([USER, called({"type": "function", "function": {"name": "f", "arguments": "{}"}}), result("c")],
     [("P112", "/1/tool_calls/0")]),
    ([USER, calls("c", "c"), result("c"), result("c")], [("P105", "/1/tool_calls/1/id")]),
    ([{"role": "user", "content": 5}, SAID, USER], [("M105", "/0/content")]),
    ([USER, {"role": "wizard", "content": "x"}], [("M103", "/1/role")]),
    ([USER, SAID, 5, USER], [("M120", "/2")]),
    # What the target would refuse besides is told as well, and so is what other turns lack.
    ([USER, called(call(name=None), {**call(), "id": "d"}), result("c"), USER],
     [("P114", "/1/tool_calls/0/function/name"), ("P101", "/1/tool_calls/1")]),
    ([USER, called(call(name=None)), result("c"), calls("d"), USER],
     [("P114", "/1/tool_calls/0/function/name"), ("P101", "/3/tool_calls/0")]),
    # A part that only its own provider refuses is left behind, as `convert` says.
    ([{"role": "user", "content": [{"type": "hum"}, {"type": "text", "text": "x"}]}], []),
]  # fmt: skip


@pytest.mark.parametrize(("messages", "expected"), CHAT_CAUSES)
@pytest.mark.parametrize("target", ["anthropic", "openai-responses"])
def test_what_converting_leaves_behind_is_told_by_its_cause(
    messages: list[Any], expected: list[tuple[str, str]], target: str
) -> None:
    found = lint(messages, target=target, format="openai-chat")
    assert [(finding.code, finding.path) for finding in found] == expected
    assert all(finding.severity == "error" and target in finding.targets for finding in found)


@pytest.mark.parametrize("target", ["anthropic", "gemini"])
@pytest.mark.parametrize(("rest", "is_told"), [([], True), ([SAID, USER], False)])
def test_a_message_that_is_left_out_accounts_for_a_list_that_is_empty(
    target: str, rest: list[Any], is_told: bool
) -> None:
    messages = [{"role": "user", "content": [{"type": "hum"}]}, *rest]
    found = lint(messages, target=target, format="openai-chat")
    assert [(finding.code, finding.path) for finding in found] == [("M106", "/0/content/0/type")] * is_told


def used(**keys: Any) -> list[Any]:
    """Make a question, a call with some keys (None: left out), and its result."""
    block = {"type": "tool_use", "id": "c", "name": "f", "input": {}} | keys
    answer = {"type": "tool_result", "tool_use_id": "c", "content": "ok"}
    kept = {key: None if value == "null" else value for key, value in block.items() if value is not None}
    return [USER, {"role": "assistant", "content": [kept]}, {"role": "user", "content": [answer]}]


@pytest.mark.parametrize(("messages", "expected"), [
    (used(input=None), [("A102", "/1/content/0")]),
    (used(id=None), [("P112", "/1/content/0")]),
    (used(name=None), [("P114", "/1/content/0")]),
    (used(name="null"), [("P114", "/1/content/0/name")]),
    ([*used()[:2], {"role": "user", "content": [{"type": "tool_result", "content": "ok"}]}], [("P112", "/2/content/0")]),
    ([USER, {**used()[1], "role": "user"}, used()[2]], [("P109", "/1/content/0")]),
    (used(), []),
])  # fmt: skip
def test_the_same_of_blocks(messages: list[Any], expected: list[tuple[str, str]]) -> None:
    found = lint(messages, target="openai-chat", format="anthropic")
    assert [(finding.code, finding.path) for finding in found] == expected


@pytest.mark.parametrize(("arguments", "expected"), [
    ("[]", ("A102", "warning")),
    ('{"town": 1', ("A103", "warning")),
    ('{"city": 1}', ("A105", "warning")),
])  # fmt: skip
def test_arguments_that_converting_wraps_are_told_once(arguments: str, expected: tuple[str, str]) -> None:
    closed = function(parameters={**CITY, "additionalProperties": False})
    body = {"messages": [USER, calls("c", arguments=arguments), result("c")], "tools": [closed]}
    found = lint(body, target="anthropic", format="openai-chat")
    assert [(finding.code, finding.severity) for finding in found] == [expected]
    assert found[0].path.startswith("/messages/1/tool_calls/0/function/arguments")


def test_causes_in_a_log_stand_in_their_lines() -> None:
    log = io.BytesIO(jsonl(USER, called(call(name=None)), result("c"), SAID, USER))
    report = lint_stream(log, "log.jsonl", LintOptions("anthropic"))
    assert [(found.code, found.location.row, found.path) for found in report.diagnostics] == [
        ("P114", 2, "/tool_calls/0/function/name")
    ]


def test_causes_are_told_only_where_their_rules_are_chosen() -> None:
    messages = [USER, called(call(name=None)), result("c")]
    assert lint(messages, target="anthropic", format="openai-chat", select=("P102",)) == []
    assert lint(messages, target="anthropic", format="openai-chat", ignore=("P114",)) == []


# Mistral is spoken to in OpenAI's words as well, and refuses the key then; for Anthropic the chat is converted.
@pytest.mark.parametrize(("target", "expected"), [("anthropic", []), ("mistral", ["M113"])])
@pytest.mark.parametrize("wrap", [lambda messages: messages, lambda messages: {"messages": messages}])
def test_chats_with_names_are_judged_as_chats(target: str, expected: list[str], wrap: Any) -> None:
    assert [found.code for found in lint(wrap([user(name="John_Smith-1")]), target=target)] == expected
