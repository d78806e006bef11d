"""Calls, results and tools of each provider's own wire are read with their places, and no value makes a lint raise."""

import copy
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from passages import passage_of

from lighter.jsontext import value_at
from lighter.linting import LintOptions, lint_stream
from lighter.toolcheck import checkers_of
from lighter.toolwire import declared_tools, malformed_calls, tool_calls, tool_results
from lighter.wires import has_plain_text, ids_are_optional, nameless_strays, results_stand_together, wire_of

GEMINI_CALL = {"functionCall": {"id": "c1", "name": "read_tide", "args": {"pier": 3}}}
GEMINI_RESULT = {"functionResponse": {"id": "c1", "name": "read_tide", "response": {"output": "2.1 m"}}}
BEDROCK_CALL = {"toolUse": {"toolUseId": "c1", "name": "read_tide", "input": {"pier": 3}}}
CHAT_CALL = {"id": "c1", "function": {"name": "read_tide", "arguments": {"pier": 3}}}

CALLS: list[tuple[str, Any, str, tuple[str, str, str]]] = [
    (
        "gemini",
        {"role": "model", "parts": [GEMINI_CALL]},
        "/0/parts/0",
        ("/functionCall/id", "/functionCall/name", "/functionCall/args"),
    ),
    (
        "gemini",
        {"role": "model", "parts": [{"function_call": GEMINI_CALL["functionCall"]}]},
        "/0/parts/0",
        ("/function_call/id", "/function_call/name", "/function_call/args"),
    ),
    (
        "bedrock",
        {"role": "assistant", "content": [BEDROCK_CALL]},
        "/0/content/0",
        ("/toolUse/toolUseId", "/toolUse/name", "/toolUse/input"),
    ),
]


@pytest.mark.parametrize(("wire", "message", "path", "inside"), CALLS)
def test_call_has_its_places(wire: str, message: Any, path: str, inside: tuple[str, str, str]) -> None:
    (call,) = tool_calls(passage_of([message], wire))
    assert (call.id, call.name, call.arguments.kind, call.arguments.value) == ("c1", "read_tide", "object", {"pier": 3})
    assert (call.id_path, call.name_path, call.arguments_path) == tuple(path + place for place in inside)
    assert call.path == path


@pytest.mark.parametrize(("wire", "kind"), [("mistral", "object"), ("ollama", "object"), ("cohere", "unserialised")])
def test_chats_differ_in_what_arguments_they_take(wire: str, kind: str) -> None:
    (call,) = tool_calls(passage_of([{"role": "assistant", "content": "", "tool_calls": [CHAT_CALL]}], wire))
    assert (call.arguments.kind, call.arguments_path) == (kind, "/0/tool_calls/0/function/arguments")


@pytest.mark.parametrize(("wire", "kind"), [("mistral", "object"), ("ollama", "other"), ("cohere", "object")])
def test_chats_differ_in_what_text_is_to_them(wire: str, kind: str) -> None:
    told = {"id": "c1", "function": {"name": "read_tide", "arguments": '{"pier": 3}'}}
    (call,) = tool_calls(passage_of([{"role": "assistant", "content": "", "tool_calls": [told]}], wire))
    assert call.arguments.kind == kind


def test_results_have_their_places() -> None:
    (gemini,) = tool_results(passage_of([{"role": "user", "parts": [GEMINI_RESULT]}], "gemini"))
    assert (gemini.path, gemini.id_path) == ("/0/parts/0", "/0/parts/0/functionResponse/id")
    assert (gemini.name, gemini.name_path) == ("read_tide", "/0/parts/0/functionResponse/name")
    block: dict[str, Any] = {"toolResult": {"content": []}}
    (bedrock,) = tool_results(passage_of([{"role": "user", "content": [block]}], "bedrock"))
    assert (bedrock.path, bedrock.id_path) == ("/0/content/0", "/0/content/0/toolResult")


@pytest.mark.parametrize(
    ("wire", "message"),
    [
        ("gemini", {"role": "user", "parts": [GEMINI_CALL]}),
        ("gemini", {"role": "model", "parts": [GEMINI_RESULT, {"functionCall": None}]}),
        ("bedrock", {"role": "user", "content": [BEDROCK_CALL]}),
        (
            "bedrock",
            {"role": "assistant", "content": [{"toolUse": {**BEDROCK_CALL["toolUse"], "type": "server_tool_use"}}]},
        ),
    ],
)
def test_what_stands_elsewhere_is_no_call(wire: str, message: Any) -> None:
    passage = passage_of([message], wire)
    assert (tool_calls(passage), malformed_calls(passage)) == ((), ())


def test_broken_calls_are_told() -> None:
    contents = [{"role": "model", "parts": [{"functionCall": "read_tide"}]}]
    assert [call.fault for call in malformed_calls(passage_of(contents, "gemini"))] == ["object"]
    blocks = [{"role": "assistant", "content": [{"toolUse": {"toolUseId": "c1"}}, {"toolUse": 3}]}]
    assert [call.fault for call in malformed_calls(passage_of(blocks, "bedrock"))] == ["hollow", "object"]


def test_strays_without_an_id_are_counted() -> None:
    call = {"functionCall": {"name": "read_tide"}}
    (message,) = passage_of([{"role": "user", "parts": [call, GEMINI_CALL, {"text": "x"}]}], "gemini").messages
    assert nameless_strays("gemini", message) == (1, 0)
    (message,) = passage_of([{"role": "model", "parts": [{"functionResponse": {}}]}], "gemini").messages
    assert nameless_strays("gemini", message) == (0, 1)
    assert nameless_strays("openai-chat", message) == (0, 0)


SCHEMA = {"type": "OBJECT", "properties": {"pier": {"type": "INTEGER"}}, "required": ["pier"]}


def test_tools_of_gemini() -> None:
    declared = {"name": "read_tide", "parameters": SCHEMA}
    fields = {"tools": [{"googleSearch": {}}, {"function_declarations": [declared, {"name": "now"}]}, "x"]}
    search, tide, now, broken = declared_tools(fields, "gemini")
    assert [tool.shape for tool in (search, tide, now, broken)] == ["typed", "flat", "flat", "unknown"]
    assert (tide.name, tide.schema_path) == ("read_tide", "/tools/1/function_declarations/0/parameters")
    assert tide.schema["properties"]["pier"] == {"type": "integer"}
    (check,) = checkers_of(passage_of({"messages": [], **fields}, "gemini"))
    assert check.is_valid("read_tide", {"pier": 3})
    assert not check.is_valid("read_tide", {"pier": "three"})
    assert check.is_open


def test_tools_of_bedrock() -> None:
    spec = {"name": "read_tide", "inputSchema": {"json": {"type": "object"}}}
    fields = {"toolConfig": {"tools": [{"toolSpec": spec}, {"cachePoint": {"type": "default"}}, {"systemTool": {}}, 3]}}
    tide, system, broken = declared_tools(fields, "bedrock")
    assert (tide.name, tide.schema) == ("read_tide", {"type": "object"})
    assert value_at(fields, tide.schema_path) == {"type": "object"}
    assert (system.shape, broken.shape) == ("typed", "unknown")


def test_what_is_told_of_wires() -> None:
    assert [name for name in ("gemini", "bedrock", "anthropic", "mistral") if results_stand_together(name)] == [
        "gemini",
        "bedrock",
        "anthropic",
    ]
    assert [name for name in ("gemini", "bedrock", "ollama", "cohere") if ids_are_optional(name)] == [
        "gemini",
        "ollama",
    ]
    assert [name for name in ("gemini", "bedrock", "anthropic", "lighter") if has_plain_text(name)] == [
        "anthropic",
        "lighter",
    ]
    assert wire_of("lighter") is None


CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "lint_cases_providers.jsonl").read_text(encoding="utf-8").splitlines()
]
INPUTS = [case for case in CASES if "input" in case]
JUNK: list[Any] = [
    None,
    True,
    3,
    "",
    "x",
    [],
    {},
    [None],
    [{}],
    {"text": None},
    {"functionCall": 3},
    {"toolUse": {"toolUseId": 3}},
]


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Walk all places of a value but the whole."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from places_in(item, (*path, key))


@settings(max_examples=200, deadline=None)
@given(data=st.data(), case=st.sampled_from(INPUTS), junk=st.sampled_from(JUNK), is_generic=st.booleans())
def test_no_value_makes_a_lint_raise(data: st.DataObject, case: dict[str, Any], junk: Any, is_generic: bool) -> None:
    value = copy.deepcopy(case["input"])
    places = list(places_in(value))
    *above, last = data.draw(st.sampled_from(places)) if places else ()  # type: ignore[misc] # only without places
    holder = value
    for key in above:
        holder = holder[key]
    holder[last] = copy.deepcopy(junk)
    options = LintOptions(
        "generic" if is_generic else case["target"], case["mode"], None if case["format"] == "jsonl" else case["format"]
    )
    for found in lint_stream(io.BytesIO(json.dumps(value).encode()), "case.json", options).diagnostics:
        value_at(value, found.path)  # the place exists
