"""Items are taken out of lists in objects as they are in texts, and what is not touched stays the same object."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lighter import jsontext
from lighter.cutting import without
from lighter.edits_text import Change, edited

values = st.recursive(
    st.integers() | st.text('aé"\\/', max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("ab/~"), inner, max_size=3),
    max_leaves=12,
)


def items_of(value: Any, path: str = "") -> list[str]:
    """List the pointers of all items of lists."""
    match value:
        case dict():
            return [found for key, item in value.items() for found in items_of(item, path + jsontext.step(key))]
        case list():
            here = [path + jsontext.step(index) for index in range(len(value))]
            return here + [found for place, item in zip(here, value, strict=True) for found in items_of(item, place)]
        case _:
            return []


@given(value=values, data=st.data(), indent=st.sampled_from([None, 1]))
def test_texts_and_objects_are_cut_alike(value: Any, data: st.DataObject, indent: int | None) -> None:
    paths = data.draw(st.lists(st.sampled_from(items_of(value)), max_size=4) if items_of(value) else st.just([]))
    text = edited(json.dumps(value, indent=indent).encode(), [Change("drop", path) for path in paths])
    assert json.loads(text) == without(value, paths)


def test_values_in_a_text_are_found() -> None:
    body = {"request": json.dumps({"messages": [1, "é", 3]})}
    assert json.loads(without(body, ["/request/messages/0"])["request"]) == {"messages": ["é", 3]}


def test_what_is_not_touched_is_the_same_object() -> None:
    first, last = object(), {"a": [1]}
    found = without({"m": (first, 2, last), "x": last}, ["/m/1"])
    assert found["m"] == (first, last)
    assert found["m"][1] is found["x"] is last
