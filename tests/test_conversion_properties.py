"""Properties of conversion: own format is identity, nothing is lost without a word, the way back restores what was not named."""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from comparing import EVERYWHERE, changed, exact, is_covered, leaves, unified
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import BODIES

from lighter import convert, jsontext, parse
from lighter.envelope import open_value
from lighter.errors import CannotHold, NotRecognised
from lighter.formats import get, names, writable

RELAXED = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
each_source = pytest.mark.parametrize("name", BODIES)
each_target = pytest.mark.parametrize("target", writable())
a_target = st.sampled_from(writable())
PAYLOADS = frozenset({"response", "result", "json"})
"""Keys of what tools gave, whose values may come back as JSON text."""

REFUSED = {"call-id", "trailing-whitespace"}
"""What a writer mends even in its own format, since the provider would refuse it."""

KEYS = [
    "role", "content", "type", "text", "id", "name", "arguments", "input", "messages", "tools", "model", "source", "message",
    "tool_calls", "function", "choices", "tool_use_id", "blocks", "toolCalls", "callId", "ext",
    "call_id", "output", "summary", "instructions", "detail", "image_url", "object", "response",
    "parts", "thought", "thoughtSignature", "functionCall", "function_call", "functionResponse", "args", "inlineData", "mimeType",
    "data", "fileData", "contents", "candidates", "config", "steps", "result", "toolUse", "toolUseId", "toolResult", "status", "json",
    "reasoningContent", "cachePoint", "document", "bytes", "system", "toolConfig", "inputSchema", "tool_plan", "thinking", "images",
    "lc", "kwargs", "additional_kwargs", "response_metadata", "invalid_tool_calls", "tool_call_chunks", "lc_kwargs", "source_type",
]  # fmt: skip
KINDS = ["message", "function_call", "function_call_output", "reasoning", "input_text", "assistant", "user", "response", "model",
         "user_input", "thought", "function_result", "default", "error", "b'x'", "tool", "system", "ai", "human",
         "constructor", "AIMessage", "tool_call"]  # fmt: skip


def plain(body: Any) -> Any:
    """Give a body as `json` reads it."""
    return json.loads(json.dumps(body))


def at(body: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        body = body[key]
    return body


@each_source
@RELAXED
@given(data=st.data())
def test_same_format_gives_the_record_back(name: str, data: st.DataObject) -> None:
    body = exact(data.draw(BODIES[name]))
    assert jsontext.is_same(convert(body, name, name).value, body)


@each_source
@RELAXED
@given(data=st.data())
def test_lighter_holds_everything(name: str, data: st.DataObject) -> None:
    body = exact(data.draw(BODIES[name]))
    there = convert(body, "lighter", name)
    assert there.losses == ()
    back = get(name).write(parse(exact(there.value), "lighter"))
    moved = any(loss.action == "moved" for loss in back.losses)  # results that stood apart from their calls
    assert moved or jsontext.is_same(unified(exact(back.value)), unified(get(name).write(parse(body, name)).value))


@each_source
@RELAXED
@given(data=st.data())
def test_core_model_holds_its_own_format(name: str, data: st.DataObject) -> None:
    body = exact(data.draw(BODIES[name]))
    written = get(name).write(parse(body, name))
    assert {loss.feature for loss in written.losses} <= REFUSED
    if not written.losses:
        assert jsontext.is_same(unified(exact(written.value)), unified(body))


def check_every_text_arrives_or_is_named(name: str, target: str, data: st.DataObject) -> None:
    body = plain(data.draw(BODIES[name]))
    found = list(leaves(body))
    if not found:
        return
    path = data.draw(st.sampled_from(found))
    other = changed(body, path)
    one, two = convert(body, target, name), convert(other, target, name)
    if jsontext.encode(one.value) == jsontext.encode(two.value) and body != other:
        # An id that was changed wherever it occurs may be named at one of those places, not at each copy.
        places = [place for place in found if place[-1] == path[-1] and at(body, place) == at(body, path)]
        named = [place for place in places if is_covered(jsontext.pointer(place), one.losses + two.losses)]
        assert named if path[-1] in EVERYWHERE else path in named, path


def check_losses_name_places_of_the_source(name: str, target: str, data: st.DataObject) -> None:
    body = plain(data.draw(BODIES[name]))
    for loss in convert(body, target, name).losses:
        jsontext.value_at(body, loss.path)


def check_the_way_back_restores_texts_that_were_not_named(name: str, target: str, data: st.DataObject) -> None:
    body = plain(data.draw(BODIES[name]))
    there = convert(body, target, name)
    if any(loss.feature == "empty-message" for loss in there.losses):  # then nothing may be left to read
        return
    back = convert(exact(there.value), name, target)
    if back.losses:
        return
    kept = json.dumps(json.loads(jsontext.encode(back.value)), ensure_ascii=False)
    for path in leaves(body):
        pointer = jsontext.pointer(path)
        is_telling = path[-1] in ("text", "content", "output") and PAYLOADS.isdisjoint(path)
        if is_telling and not is_covered(pointer, there.losses):
            assert json.dumps(at(body, path), ensure_ascii=False)[1:-1] in kept, pointer


CHECKS = (
    check_every_text_arrives_or_is_named,
    check_losses_name_places_of_the_source,
    check_the_way_back_restores_texts_that_were_not_named,
)
each_check = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))


@each_check
@each_source
@RELAXED
@given(data=st.data())
def test_conversion_to_some_format(check: Callable[..., None], name: str, data: st.DataObject) -> None:
    check(name, data.draw(a_target), data)


@pytest.mark.slow
@each_check
@each_target
@each_source
@settings(RELAXED, max_examples=20)
@given(data=st.data())
def test_conversion_to_each_format(check: Callable[..., None], name: str, target: str, data: st.DataObject) -> None:
    check(name, target, data)


@RELAXED
@given(target=a_target, value=st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(KINDS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5), max_leaves=25,
))  # fmt: skip
def test_any_json_is_read_and_written_without_an_exception(target: str, value: Any) -> None:
    open_value(value)
    listed = value if isinstance(value, list) else [value]
    for source in names():
        convert({"messages": listed}, target, source)
    bodies: list[Any] = [
        {"messages": [{"role": "user", "content": listed}, {"role": "assistant", "content": listed}], "system": listed},
        {"messages": [], "toolConfig": value, "inferenceConfig": value, "tools": listed},
        {"input": listed, "instructions": "x", "model": "m"}, {"object": "response", "output": [value]},
        {"output": {"message": value}, "stopReason": value}, {"input": {"inputBodyJson": value}, "output": {"outputBodyJson": value}},
        {"contents": listed, "config": value}, {"contents": value, "generationConfig": value, "tools": listed, "toolConfig": value},
        {"candidates": [{"content": value, "finishReason": "STOP"}]}, {"model": "gemini-x", "input": listed, "generation_config": value},
        {"id": "x", "status": "completed", "steps": listed}, [{"role": "model", "parts": listed}, {"role": "user", "parts": listed}],
    ]  # fmt: skip
    for body in bodies:
        with suppress(NotRecognised, CannotHold):  # no conversation at all is among them, or several
            convert(body, target)
