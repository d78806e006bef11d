"""What is accepted without a schema compiler, the compiler accepts as well; the other way round nothing is promised."""

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lighter.plaintools import DEEPEST, fits, plain_schema, plain_tools

KEYS = st.sampled_from(["pier", "depth", "name"])
WORDS = st.sampled_from(["ebb", "flow", ""])
SCALARS = st.sampled_from([
    {"type": "string"}, {"type": "integer"}, {"type": "number"}, {"type": "boolean", "title": "t"}, {"type": "object"}, {"type": "array"},
    {"type": "string", "enum": ["ebb", "flow"]}, {"type": "string", "enum": []}, {"type": "integer", "enum": [1]},
    {"type": ["string", "null"]}, {"type": "text"}, {"type": "string", "minLength": 2}, {"type": "number", "default": "x"}, {}, True, None,
])  # fmt: skip
SCHEMAS = st.recursive(
    SCALARS,
    lambda inner: (
        st.fixed_dictionaries({"type": st.just("array"), "items": inner})
        | st.fixed_dictionaries(
            {"type": st.just("object")},
            optional={
                "properties": st.dictionaries(KEYS, inner, max_size=3),
                "required": st.lists(KEYS, max_size=2),
                "additionalProperties": st.booleans() | inner,
            },
        )
    ),
    max_leaves=6,
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from([1.0, 0.5]) | WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=400, deadline=None)
@given(SCHEMAS, st.lists(VALUES, min_size=1, max_size=8))
def test_the_compiler_accepts_what_is_accepted(schema: Any, values: list[Any]) -> None:
    plain = plain_schema(schema)
    if plain is not None:
        jsonschema_rs.meta.validate(schema)
        validator = jsonschema_rs.validator_for(schema)
        assert [value for value in values if fits(value, plain) and not validator.is_valid(value)] == []


SCHEMA = {"type": "object", "properties": {"tide": {"type": "string", "enum": ["ebb"]}}, "required": ["tide"], "additionalProperties": False}  # fmt: skip


@pytest.mark.parametrize(
    ("value", "is_fitting"), [({"tide": "ebb"}, True), ({"tide": "flow"}, False), ({}, False), ({"tide": "ebb", "x": 1}, False), ([], False)]
)  # fmt: skip
def test_ordinary_arguments_are_told_apart(value: Any, is_fitting: bool) -> None:
    plain = plain_schema(SCHEMA)
    assert plain is not None
    assert fits(value, plain) is is_fitting


def test_a_schema_too_deep_is_left_to_the_compiler() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(DEEPEST):
        schema = {"type": "array", "items": schema}
    assert plain_schema(schema) is None
    assert plain_schema(schema["items"]) is not None


WRAPPED: dict[str, Any] = {"type": "function", "function": {"name": "f", "parameters": SCHEMA}}
FLAT: dict[str, Any] = {"name": "f", "input_schema": SCHEMA}


def test_each_wire_has_its_own_definitions() -> None:
    for wire, own, other in (("openai-chat", WRAPPED, FLAT), ("anthropic", FLAT, WRAPPED)):
        found = plain_tools([own], wire)
        assert found is not None
        assert found.names == {"f"}
        assert found.is_valid("f", {"tide": "ebb"})
        for tools in ([other], [own, own], [own, other], [], own, [{**own, "strict": True}]):
            assert plain_tools(tools, wire) is None
