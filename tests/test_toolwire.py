"""Calls, results and definitions are read off any wire message, with their places, and no value makes the rules raise."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from passages import passage_of

from lighter.jsontext import value_at
from lighter.passage import Passage
from lighter.rule import MODES, Aim
from lighter.rules import rules
from lighter.toolwire import (
    WireCall,
    arguments_of,
    chosen_names,
    declared_tools,
    first_of_each_name,
    has_ids,
    malformed_calls,
    parse_json,
    tool_calls,
    tool_results,
)

CODES = ("P111", "P112", "P113", "P114", "P115", "P116", "P117", "P118", "A", "S", "H")
RULES = [module for module in rules() if module.rule.code.startswith(CODES)]


def entry(**keys: Any) -> dict[str, Any]:
    return {"id": "call_1", "type": "function", **keys}


def chat_call(value: Any) -> Passage:
    return passage_of({"messages": [{"role": "assistant", "content": None, "tool_calls": [value]}]})


def test_function_call_has_its_places() -> None:
    (call,) = tool_calls(chat_call(entry(function={"name": "read_tide", "arguments": '{"pier": 3}'})))
    assert (call.shape, call.id, call.name) == ("function", "call_1", "read_tide")
    assert call.arguments.value == {"pier": 3}
    assert call.path == "/messages/0/tool_calls/0"
    assert call.id_path == call.path + "/id"
    assert call.name_path == call.path + "/function/name"
    assert call.arguments_path == call.path + "/function/arguments"


def test_what_is_absent_is_placed_at_its_parent() -> None:
    (call,) = tool_calls(chat_call({"function": {"arguments": "{}"}}))
    assert (call.id_path, call.name_path) == (call.path, call.path + "/function")
    (result,) = tool_results(passage_of({"messages": [{"role": "tool", "content": "2.1 m"}]}))
    assert result.id_path == "/messages/0"


def test_custom_legacy_and_block_calls() -> None:
    (custom,) = tool_calls(chat_call({"id": "c", "type": "custom", "custom": {"name": "shell", "input": "{not json"}}))
    assert (custom.shape, custom.arguments.kind, custom.arguments_path[-13:]) == ("custom", "free", "/custom/input")
    legacy = {"role": "assistant", "content": None, "function_call": {"name": "read_tide", "arguments": "{"}}
    (old,) = tool_calls(passage_of({"messages": [legacy]}))
    assert (old.shape, old.arguments.kind) == ("legacy", "invalid")
    assert old.arguments_path == "/messages/0/function_call/arguments"
    content = [{"type": "text", "text": "x"}, {"type": "tool_use", "id": "t", "name": "read_tide", "input": []}]
    (block,) = tool_calls(passage_of({"messages": [{"role": "assistant", "content": content}]}, "anthropic"))
    assert (block.shape, block.path, block.arguments.kind) == ("block", "/messages/0/content/1", "other")


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("call_1", "object"),
        (None, "object"),
        ({"id": "call_1", "name": "read_tide", "args": {}}, "flat"),
        ({"id": "call_1"}, "hollow"),
        (entry(function=None), "hollow"),
        (entry(function={}), "hollow"),
        ({"id": "call_1", "type": "custom"}, "hollow"),
    ],
)
def test_broken_entries_are_no_calls(value: Any, fault: str) -> None:
    passage = chat_call(value)
    assert tool_calls(passage) == ()
    assert [(call.path, call.fault) for call in malformed_calls(passage)] == [("/messages/0/tool_calls/0", fault)]


@pytest.mark.parametrize("role", ["user", "tool", "system", "developer", "function"])
def test_only_the_model_calls(role: str) -> None:
    raw = {"role": role, "content": "x", "tool_calls": [entry(function={"name": "f", "arguments": "{}"})]}
    assert tool_calls(passage_of([raw])) == ()


def test_what_a_reader_made_stands_in_for_a_wire_that_has_no_module() -> None:
    call = {"callId": "call_1", "toolName": "read_tide", "arguments": '{"pier": 3}'}
    raw = {"role": "tool", "callId": "call_1", "toolName": "read_tide", "toolOutput": "2.1 m", "isError": False}
    passage = passage_of([{"role": "assistant", "content": "", "toolCalls": [call]}, raw], "lighter")
    (found,), (result,) = tool_calls(passage), tool_results(passage)
    assert (found.id, found.name, found.arguments.value) == ("call_1", "read_tide", {"pier": 3})
    assert value_at(passage.record.value, found.id_path) == "call_1"
    assert (result.id, result.id_path) == ("call_1", "/1/callId")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("{}", "object"),
        (' {"a": "\\ud83c"} ', "object"),  # a lone surrogate is grammatical
        ("", "empty"),
        (" \n", "empty"),
        ("null", "other"),
        ('"{}"', "other"),
        ("{", "invalid"),
        ("{'a': 1}", "invalid"),
        ('{"a": NaN}', "invalid"),
        ("{}{}", "invalid"),
        ('{"a": "x\ny"}', "invalid"),
        ({}, "unserialised"),
        (None, "unserialised"),
    ],
)
def test_arguments_are_classified(text: Any, kind: str) -> None:
    assert arguments_of(text).kind == kind


def test_deep_arguments_are_taken() -> None:
    assert arguments_of('{"a":' * 5000 + "{}" + "}" * 5000).kind == "object"


@given(st.text())
def test_parsing_arguments_raises_value_error_alone(text: str) -> None:
    try:
        parse_json(text)
    except ValueError:
        assert arguments_of(text).kind in ("invalid", "empty")


SCHEMA = {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("tool", "shape", "name", "holder_path"),
    [
        ({"type": "function", "function": {"name": "f", "parameters": SCHEMA}}, "wrapped", "f", "/tools/0/function"),
        ({"type": "function", "function": {"function": {"name": "f"}}}, "wrapped", "f", "/tools/0/function/function"),
        ({"name": "f", "input_schema": SCHEMA}, "flat", "f", "/tools/0"),
        ({"type": "custom", "name": "f", "input_schema": SCHEMA}, "flat", "f", "/tools/0"),
        ({"type": "function", "name": "f", "parameters": SCHEMA}, "flat", "f", "/tools/0"),
        ({"type": "custom", "custom": {"name": "f"}}, "custom", "f", "/tools/0/custom"),
        ({"type": "web_search_20250305", "name": "web_search"}, "typed", "web_search", "/tools/0"),
        ({"type": "mcp_toolset"}, "typed", None, "/tools/0"),
        ("f", "unknown", None, ""),
    ],
)
def test_definitions_are_read(tool: Any, shape: str, name: str | None, holder_path: str) -> None:
    (read,) = declared_tools({"tools": [tool]})
    assert (read.path, read.shape, read.name, read.holder_path) == ("/tools/0", shape, name, holder_path)


def test_definitions_in_text_and_legacy_functions() -> None:
    fields = {"tools": '[{"name": "a"}]', "functions": [{"name": "b", "parameters": SCHEMA}]}
    assert [(tool.path, tool.name) for tool in declared_tools(fields)] == [("/tools/0", "a"), ("/functions/0", "b")]
    assert value_at(fields, "/tools/0/name") == "a"


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ({"tool_choice": {"type": "function", "function": {"name": "f"}}}, {"f"}),
        ({"tool_choice": {"type": "tool", "name": "f"}}, {"f"}),
        ({"tool_choice": {"type": "allowed_tools", "allowed_tools": {"tools": [{"function": {"name": "f"}}]}}}, {"f"}),
        ({"function_call": {"name": "f"}}, {"f"}),
        ({"tool_choice": "auto"}, set()),
    ],
)
def test_tools_named_in_the_choice(fields: dict[str, Any], names: set[str]) -> None:
    assert chosen_names(fields) == names


def test_each_name_is_told_once() -> None:
    calls = [entry(function={"name": name, "arguments": "{}"}) for name in ("f", "g", "f", "")]
    told = first_of_each_name(tool_calls(passage_of([{"role": "assistant", "tool_calls": calls}])))
    assert [(call.path[-1], count) for call, count in told] == [("0", 2), ("1", 1)]


@pytest.mark.parametrize(("call_id", "expected"), [("call_1", True), (7, True), ("", False), (None, False)])
def test_ids_anywhere(call_id: Any, expected: bool) -> None:
    value = {"id": call_id, "type": "function", "function": {"name": "f", "arguments": "{}"}}
    assert has_ids(chat_call(value)) is expected


KEYS = st.sampled_from(
    [
        *(
            "role",
            "content",
            "type",
            "text",
            "id",
            "name",
            "input",
            "arguments",
            "function",
            "custom",
            "tools",
            "parameters",
        ),
        *("tool_calls", "function_call", "tool_call_id", "tool_use_id", "input_schema"),
    ]
)
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.sampled_from(
        [
            "assistant",
            "user",
            "tool",
            "tool_use",
            "tool_result",
            "text",
            "function",
            "custom",
            "{}",
            "[INST]",
            "sk-ant-",
        ]
    ),
)
JSON = st.recursive(
    VALUES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=25
)


@settings(max_examples=150, deadline=None)
@given(
    messages=st.lists(JSON, max_size=4),
    tools=JSON,
    wire=st.sampled_from(["openai-chat", "anthropic"]),
    mode=st.sampled_from(MODES),
    targeted=st.booleans(),
)
def test_no_value_makes_the_rules_raise(messages: list[Any], tools: Any, wire: str, mode: Any, targeted: bool) -> None:
    passage = passage_of({"messages": messages, "tools": tools, "functions": tools, "tool_choice": tools}, wire)
    aim = Aim(target=wire if targeted else "generic", mode=mode, format=wire)
    for module in RULES:
        for finding in module.check(passage, aim) if module.check else ():
            value_at(passage.record.value, finding.path)  # the place exists
            finding.message.encode()
    for call in tool_calls(passage):
        assert isinstance(call, WireCall)
        assert value_at(passage.record.value, call.path) == call.raw
