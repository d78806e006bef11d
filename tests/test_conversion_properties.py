"""Properties of conversion: own format is identity, nothing is lost without a word, the way back restores what was not named."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from leaves import changed, is_covered, leaves
from strategies import BODIES, unified

from lighter import convert, jsontext, parse
from lighter.formats import get, names

FORMATS = names()
SOURCES = tuple(BODIES)
RELAXED = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def exact(value: Any) -> Any:
    return jsontext.decode(jsontext.encode(value))


@pytest.mark.parametrize("name", SOURCES)
@RELAXED
@given(data=st.data())
def test_same_format_gives_the_record_back(name: str, data: st.DataObject) -> None:
    body = exact(data.draw(BODIES[name]))
    assert jsontext.is_same(convert(body, name, name).value, body)


@pytest.mark.parametrize("name", SOURCES)
@RELAXED
@given(data=st.data())
def test_lighter_holds_everything(name: str, data: st.DataObject) -> None:
    body = exact(data.draw(BODIES[name]))
    there = convert(body, "lighter", name)
    assert there.losses == ()
    back = get(name).write(parse(exact(there.value), "lighter"))
    moved = any(loss.action == "moved" for loss in back.losses)  # results that stood apart from their calls
    assert moved or jsontext.is_same(unified(exact(back.value)), unified(get(name).write(parse(body, name)).value))


@pytest.mark.parametrize("name", SOURCES)
@RELAXED
@given(data=st.data())
def test_core_model_holds_its_own_format(name: str, data: st.DataObject) -> None:
    body = exact(data.draw(BODIES[name]))
    written = get(name).write(parse(body, name))
    if not written.losses:
        assert jsontext.is_same(unified(exact(written.value)), unified(body))


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("name", SOURCES)
@RELAXED
@given(data=st.data())
def test_every_text_arrives_or_is_named(name: str, target: str, data: st.DataObject) -> None:
    body = json.loads(json.dumps(data.draw(BODIES[name])))
    found = list(leaves(body))
    if not found:
        return
    path = data.draw(st.sampled_from(found))
    other = changed(body, path)
    one, two = convert(body, target, name), convert(other, target, name)
    if jsontext.encode(one.value) == jsontext.encode(two.value) and body != other:
        assert is_covered(jsontext.pointer(path), one.losses + two.losses), path


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("name", SOURCES)
@RELAXED
@given(data=st.data())
def test_way_back_restores_texts_that_were_not_named(name: str, target: str, data: st.DataObject) -> None:
    body = json.loads(json.dumps(data.draw(BODIES[name])))
    there = convert(body, target, name)
    back = convert(exact(there.value), name, target)
    kept = json.dumps(json.loads(jsontext.encode(back.value)), ensure_ascii=False)
    for path in leaves(body["messages"]):
        pointer = jsontext.pointer(("messages", *path))
        if path[-1] in ("text", "content") and not is_covered(pointer, there.losses) and not back.losses:
            text = body["messages"]
            for key in path:
                text = text[key]
            assert json.dumps(text, ensure_ascii=False)[1:-1] in kept, pointer


@pytest.mark.parametrize("target", FORMATS)
@RELAXED
@given(value=st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
    st.sampled_from(["role", "content", "tool_calls", "messages", "type", "text", "id", "function", "name", "arguments", "tool_use_id", "input",
                     "source", "blocks", "toolCalls", "callId", "ext", "choices", "message"]), inner, max_size=5), max_leaves=25))  # fmt: skip
def test_any_json_is_read_and_written_without_an_exception(target: str, value: Any) -> None:
    for source in FORMATS:
        body = {"messages": value if isinstance(value, list) else [value]}
        convert(body, target, source)
