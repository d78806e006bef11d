"""Declared tools are compiled once per list, check arguments exactly, and never fetch or raise."""

from typing import Any

import orjson
import pytest

from lighter.toolcheck import checker_for, checker_for_json, compile_schema, schema_fault

PIER = {
    "type": "object",
    "properties": {"pier": {"type": "integer"}},
    "required": ["pier"],
    "additionalProperties": False,
}


def wrapped(name: str, schema: Any = PIER, **more: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": schema, **more}}


def test_arguments_are_checked_by_name() -> None:
    check = checker_for([wrapped("read_tide"), wrapped("now", {"type": "object", "properties": {}})])
    assert check.names == {"read_tide", "now"}
    assert check.is_sound
    assert check.is_valid("read_tide", {"pier": 3})
    assert not check.is_valid("read_tide", {"pier": "three"})
    assert check.is_valid("unknown", {"pier": "three"})


@pytest.mark.parametrize(
    ("arguments", "places"),
    [
        ({}, [((), "required")]),
        ({"pier": "three"}, [(("pier",), "type")]),
        ({"pier": 3, "x": 1, "y": 2}, [(("x",), "additionalProperties"), (("y",), "additionalProperties")]),
    ],
)
def test_mismatches_name_the_value(arguments: Any, places: list[Any]) -> None:
    found = checker_for([wrapped("read_tide")]).mismatches("read_tide", arguments)
    assert [(mismatch.keys, mismatch.keyword) for mismatch in found] == places


def test_half_characters_are_no_mismatch() -> None:
    check = checker_for([wrapped("read_tide", {"type": "object", "properties": {"pier": {"minLength": 1}}})])
    assert check.is_valid("read_tide", {"pier": "\ud83c"})
    assert check.mismatches("read_tide", {"pier": "\ud83c"}) == []


def test_tools_unknown_have_no_mismatch() -> None:
    assert checker_for([wrapped("read_tide")]).mismatches("now", {"pier": "three"}) == []


def test_equal_lists_share_a_checker() -> None:
    tools = [wrapped("read_tide")]
    assert checker_for(tools) is checker_for([dict(tools[0])]) is checker_for_json(orjson.dumps(tools), "openai-chat")


@pytest.mark.parametrize(
    "tools",
    [
        [wrapped("read_tide"), wrapped("read_tide")],
        [wrapped("read.tide")],
        [wrapped("")],
        [wrapped("r" * 65)],
        [wrapped("read_tide", {"type": "string"})],
        [wrapped("read_tide", {"type": "object", "required": None})],
        [{"type": "function", "function": {"function": {"name": "read_tide", "parameters": PIER}}}],
        [{"name": "read_tide", "parameters": PIER}],
        [{"name": "read_tide", "input_schema": PIER}],
        ["read_tide"],
    ],
)
def test_lists_with_a_fault_are_not_sound(tools: list[Any]) -> None:
    assert not checker_for(tools).is_sound


def test_anthropic_lists() -> None:
    check = checker_for(
        [{"name": "read_tide", "input_schema": PIER}, {"type": "web_search_20250305", "name": "web_search"}],
        "anthropic",
    )
    assert check.is_sound
    assert not check.is_open
    assert checker_for([{"type": "mcp_toolset", "mcp_server_name": "harbour"}], "anthropic").is_open


def test_strict_tools() -> None:
    assert checker_for([wrapped("read_tide", strict=True), wrapped("now")]).strict_names == {"read_tide"}


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "http://127.0.0.1:1/schema.json"},
        {"$ref": "file:///etc/passwd"},
        {"$ref": "#/nowhere"},
        {"type": "object", "properties": {"at": {"pattern": "(?<open"}}},
        {"type": 7},
        [],
        None,
        "text",
    ],
)
def test_nothing_is_fetched_and_nothing_raises(schema: Any) -> None:
    assert compile_schema(schema) is None
    assert checker_for([wrapped("read_tide", schema)]).is_valid("read_tide", {"pier": "three"})


@pytest.mark.parametrize(
    "draft", ["http://json-schema.org/draft-07/schema#", "http://127.0.0.1:1/json-schema.org/draft-07/schema", 7, None]
)
def test_named_drafts(draft: Any) -> None:
    schema = {"$schema": draft, **PIER}
    assert schema_fault(schema, is_2020_12=False) is None
    compiled = compile_schema(schema)
    assert compiled is not None
    assert not compiled.is_valid({})


@pytest.mark.parametrize("value", [2**70, 1.5, "\ud83c", [[]] * 3])
def test_odd_values_in_a_schema(value: Any) -> None:
    check = checker_for([wrapped("read_tide", {"type": "object", "properties": {"pier": {"default": value}}})])
    assert check.names == {"read_tide"}
    assert check.is_valid("read_tide", {"pier": 2**70})
