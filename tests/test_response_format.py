"""The form that a request asks the answer to have, from each API that has one to each other one."""

from typing import Any

import pytest

from lighter import convert

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}}
USER: dict[str, Any] = {"role": "user", "content": "q"}
CONTENTS: list[Any] = [{"role": "user", "parts": [{"text": "q"}]}]
NAMED: dict[str, Any] = {"name": "n", "schema": SCHEMA, "strict": True}

ASKED: dict[str, dict[str, Any]] = {
    "openai-chat": {"messages": [USER], "response_format": {"type": "json_schema", "json_schema": NAMED}},
    "mistral": {"messages": [USER], "response_format": {"type": "json_schema", "json_schema": NAMED}},
    "openai-responses": {"input": [USER], "text": {"format": {"type": "json_schema", **NAMED}}},
    "cohere": {"messages": [USER], "response_format": {"type": "json_object", "json_schema": SCHEMA}},
    "ollama": {"messages": [USER], "format": SCHEMA},
    "gemini": {"contents": CONTENTS, "generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": SCHEMA}},
}  # fmt: skip
AS_JSON: dict[str, dict[str, Any]] = {
    "openai-chat": {"messages": [USER], "response_format": {"type": "json_object"}},
    "mistral": {"messages": [USER], "response_format": {"type": "json_object"}},
    "openai-responses": {"input": [USER], "text": {"format": {"type": "json_object"}}},
    "cohere": {"messages": [USER], "response_format": {"type": "json_object"}},
    "ollama": {"messages": [USER], "format": "json"},
    "gemini": {"contents": CONTENTS, "generationConfig": {"responseMimeType": "application/json"}},
}
NAMING = ("openai-chat", "mistral", "openai-responses")
"""Those whose schemas have a name."""

each_pair = pytest.mark.parametrize(("source", "target"), [(a, b) for a in ASKED for b in ASKED if a != b])


def as_named(body: Any, name: str) -> Any:
    """Give a body whose schema has another name, and is not said to be strict."""
    if isinstance(body, dict):
        body = {key: as_named(item, name) for key, item in body.items() if key != "strict"}
        return body | {"name": name} if "schema" in body else body
    return body


@each_pair
def test_a_schema_arrives(source: str, target: str) -> None:
    done = convert(ASKED[source], target, source)
    if source in NAMING and target in NAMING:
        assert (done.value, done.losses) == (ASKED[target], ())
    elif target in NAMING:
        assert done.value == as_named(ASKED[target], "response")
        assert [(loss.feature, loss.action) for loss in done.losses] == [("schema-name", "synthesised")]
    else:
        assert done.value == ASKED[target]
        lost = {"name", "strict"} if source in NAMING else set()
        assert {(loss.feature, loss.action) for loss in done.losses} == {(name, "dropped") for name in lost}
        assert {loss.path.rpartition("/")[2] for loss in done.losses} == lost


@each_pair
def test_json_of_any_kind_arrives(source: str, target: str) -> None:
    done = convert(AS_JSON[source], target, source)
    assert (done.value, done.losses) == (AS_JSON[target], ())


def test_the_rest_of_what_responses_say_of_texts_is_named() -> None:
    body = {"input": [USER], "text": {"format": {"type": "text"}, "verbosity": "low"}}
    done = convert(body, "openai-chat", "openai-responses")
    assert done.value == {"messages": [USER], "response_format": {"type": "text"}}
    assert [(loss.path, loss.action) for loss in done.losses] == [("/text/verbosity", "dropped")]


def test_a_schema_of_geminis_own_dialect_is_translated() -> None:
    schema = {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}, "propertyOrdering": ["a"]}
    body = {"contents": CONTENTS, "generationConfig": {"responseMimeType": "application/json", "responseSchema": schema}}  # fmt: skip
    done = convert(body, "ollama", "gemini")
    assert done.value == ASKED["ollama"]
    place = "/generationConfig/responseSchema"
    assert {(loss.path, loss.action) for loss in done.losses} == {(place, "rewritten"), (f"{place}/propertyOrdering", "dropped")}  # fmt: skip


@pytest.mark.parametrize("asked", [{"type": "json_schema"}, {"type": "grammar"}, "json", None, {"type": "json_schema", "json_schema": {"schema": 5}}])  # fmt: skip
def test_what_nobody_knows_is_dropped(asked: Any) -> None:
    done = convert({"messages": [USER], "response_format": asked}, "ollama", "openai-chat")
    assert [(loss.path, loss.action) for loss in done.losses] == [("/response_format", "dropped")]


CLOSED: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}  # fmt: skip
OUTPUT = {"format": {"type": "json_schema", "schema": CLOSED}}


@pytest.mark.parametrize("source", ASKED)
def test_anthropic_takes_a_schema_that_closes_its_objects(source: str) -> None:
    def closed(value: Any) -> Any:
        if value == SCHEMA:
            return CLOSED
        return {key: closed(item) for key, item in value.items()} if isinstance(value, dict) else value

    done = convert(closed(ASKED[source]), "anthropic", source)
    assert done.value["output_config"] == OUTPUT
    assert {loss.path.rpartition("/")[2] for loss in done.losses} == ({"name", "strict"} if source in NAMING else set())


@pytest.mark.parametrize(
    "schema",
    [
        SCHEMA,
        {},
        {**CLOSED, "minProperties": 1},
        {"type": "array", "items": SCHEMA},
        {"type": "array", "minItems": 2},
        {"type": "string", "format": "regex"},
        {"anyOf": [CLOSED, {"type": "integer", "minimum": 1}]},
        {"anyOf": 5},
        {"$ref": "#/$defs/a", "$defs": {"a": SCHEMA}},
    ],
)
def test_a_schema_that_anthropic_would_refuse_is_dropped(schema: Any) -> None:
    done = convert({"messages": [USER], "format": schema}, "anthropic", "ollama")
    assert "output_config" not in done.value
    assert [(loss.path, loss.action) for loss in done.losses] == [("/format", "dropped")]


@pytest.mark.parametrize("target", ASKED)
def test_a_schema_of_anthropic_arrives(target: str) -> None:
    body = {"messages": [USER], "output_config": {**OUTPUT, "effort": "low"}}
    done = convert(body, target, "anthropic")
    assert CLOSED in nested(done.value)
    told = {(loss.path, loss.action) for loss in done.losses}
    named = {("/output_config", "synthesised")} if target in NAMING else set[tuple[str, str]]()
    assert told == {("/output_config/effort", "dropped"), *named}


def nested(value: Any) -> list[Any]:
    """List all values inside a value."""
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return [*inner, *(found for item in inner for found in nested(item))]
