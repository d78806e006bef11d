"""Items are taken out of lists: what stays has its bytes, and both ways of cutting give the same value."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lighter import jsontext
from lighter.cutting import cut, without

TEXTS = {
    "first": (b"[1, 2,3]", ["/0"], b"[2,3]"),
    "middle": (b"[1, 2,3]", ["/1"], b"[1,3]"),
    "last": (b"[1, 2,3 ]", ["/2"], b"[1, 2 ]"),
    "all": (b"[ 1, 2 ]", ["/0", "/1"], b"[  ]"),
    "on lines": (b'{\n "m": [\n  1,\n  2,\n  3\n ]\n}', ["/m/0", "/m/1"], b'{\n "m": [\n  3\n ]\n}'),
    "at two depths": (b'[{"a": [1, 2.50]}, [3, 4]]', ["/0/a/0", "/1"], b'[{"a": [2.50]}]'),
    "a whole and a part of it": (b"[[1, 2], 3]", ["/0/1", "/0"], b"[3]"),
    "two lists": (b'{"b": [1, 2], "a": [3, 4]}', ["/a/0", "/b/1"], b'{"b": [1], "a": [4]}'),
    "in a string": (rb'{"body": "{\"m\": [1, \"\u00e9\"]}"}', ["/body/m/0"], rb'{"body": "{\"m\": [\"\u00e9\"]}"}'),
    "in a string of any script": ('{"b": "[1, \\"é\\"]"}'.encode(), ["/b/0"], '{"b": "[\\"é\\"]"}'.encode()),
    "no list": (b'{"a": 1}', ["/a", "/b/0", ""], b'{"a": 1}'),
    "exact numbers": (b'[0, 1e3, 1.10, -0, "\\/"]', ["/0"], b'[1e3, 1.10, -0, "\\/"]'),
}


@pytest.mark.parametrize(("data", "paths", "left"), TEXTS.values(), ids=TEXTS)
def test_what_stays_has_its_bytes(data: bytes, paths: list[str], left: bytes) -> None:
    assert cut(data, paths) == left


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
    assert json.loads(cut(json.dumps(value, indent=indent).encode(), paths)) == without(value, paths)


def test_what_is_not_touched_is_the_same_object() -> None:
    first, last = object(), {"a": [1]}
    found = without({"m": (first, 2, last), "x": last}, ["/m/1"])
    assert found["m"] == (first, last)
    assert found["m"][1] is found["x"] is last
