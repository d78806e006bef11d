"""Edits change what they name, and no other byte of a text."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lighter import jsontext
from lighter.edits import Copied
from lighter.edits_text import Change, edited, rendered, resolved, text_of_value
from lighter.records import Record

TEXT = b'{"a": 1.10,  "b": [1, {"x" :  "\\u00e9"}, 3], "s": "{\\"q\\": 1e3, \\"r\\":[ ]}"}\n'

leaf = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
value = st.recursive(
    leaf,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


@st.composite
def spaced(draw: st.DrawFn, item: Any) -> str:
    """Write a value with white space wherever JSON allows it."""
    gap = st.sampled_from(["", " ", "\n", "\t "])
    match item:
        case dict():
            inner = [
                f"{draw(gap)}{json.dumps(key)}{draw(gap)}:{draw(gap)}{draw(spaced(held))}{draw(gap)}"
                for key, held in item.items()
            ]
            return "{" + (",".join(inner) or draw(gap)) + "}"
        case list():
            return "[" + (",".join(f"{draw(gap)}{draw(spaced(held))}{draw(gap)}" for held in item) or draw(gap)) + "]"
        case _:
            return json.dumps(item)


@st.composite
def texts_with_a_place(draw: st.DrawFn) -> tuple[bytes, Any, list[str | int]]:
    """Give a text, its value, and the keys that lead to a place in it."""
    item: Any = draw(
        st.dictionaries(st.text(max_size=3), value, min_size=1, max_size=4) | st.lists(value, min_size=1, max_size=4)
    )
    keys: list[str | int] = []
    here = item
    while isinstance(here, dict | list) and here and (not keys or draw(st.booleans())):
        key: Any = draw(st.sampled_from(list(here) if isinstance(here, dict) else range(len(here))))
        keys.append(key)
        here = here[key]
    return draw(spaced(item)).encode(), item, keys


@given(texts_with_a_place(), value)
def test_an_edit_does_what_it_would_do_to_the_value(case: tuple[bytes, Any, list[str | int]], new: Any) -> None:
    data, item, keys = case
    path = jsontext.pointer(keys)
    for what in ("put", "drop", *(("before", "after") if isinstance(keys[-1], int) else ())):
        expected = json.loads(json.dumps(item))
        holder = expected
        for key in keys[:-1]:
            holder = holder[key]
        last: Any = keys[-1]
        match what:
            case "put":
                holder[last] = new
            case "drop":
                del holder[last]
            case _:
                holder.insert(last + (what == "after"), new)
        done = edited(data, [Change(what, path, new)])
        assert json.loads(done) == expected
        assert list(json.loads(done)) == list(expected)


@given(texts_with_a_place())
def test_a_value_put_in_its_own_place_changes_no_byte(case: tuple[bytes, Any, list[str | int]]) -> None:
    data, _, keys = case
    path = jsontext.pointer(keys)
    assert edited(data, [Change("put", path, resolved(Copied(Record(1, data, None), path)))]) == data
    assert json.loads(text_of_value(data, path)) == jsontext.value_at(json.loads(data), path)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (Change("put", "/b/1/x", 2), b'{"a": 1.10,  "b": [1, {"x" :  2}, 3], "s": "{\\"q\\": 1e3, \\"r\\":[ ]}"}\n'),
        (Change("drop", "/a"), b'{"b": [1, {"x" :  "\\u00e9"}, 3], "s": "{\\"q\\": 1e3, \\"r\\":[ ]}"}\n'),
        (Change("drop", "/s"), b'{"a": 1.10,  "b": [1, {"x" :  "\\u00e9"}, 3]}\n'),
        (Change("after", "/b/2", "\u00e9"), TEXT.replace(b"3]", b'3, "\\u00e9"]')),
        (Change("before", "/b/0", 0), TEXT.replace(b"[1,", b"[0, 1,")),
        (Change("put", "/s/r/0", []), b""),
        (Change("put", "/s/q", None), TEXT.replace(b"1e3", b"null")),
        (Change("put", "/c", {"d": [1, 2]}), TEXT.replace(b"}\n", b',  "c": {"d": [1, 2]}}\n')),
    ],
)
def test_other_bytes_stay(change: Change, expected: bytes) -> None:
    if not expected:
        with pytest.raises(LookupError):
            edited(TEXT, [change])
        return
    assert edited(TEXT, [change]) == expected


def test_of_keys_that_occur_twice_the_last_is_replaced_and_all_are_dropped() -> None:
    data = b'{"a":1,"b":2,"a":3}'
    assert edited(data, [Change("put", "/a", 4)]) == b'{"a":1,"b":2,"a":4}'
    assert edited(data, [Change("drop", "/a")]) == b'{"b":2}'


def test_new_members_are_laid_out_as_those_beside_them() -> None:
    data = b'{\n  "a": [\n    1\n  ]\n}\n'
    assert edited(data, [Change("after", "/a/0", 2)]) == b'{\n  "a": [\n    1,\n    2\n  ]\n}\n'
    assert rendered({"a": [1]}, data) == b'{"a": [1]}'
    assert rendered({"a": [1]}, b'{"b":1}') == b'{"a":[1]}'


@pytest.mark.parametrize("path", ["/x/y", "/a/b", "/b/9/z", "/s/q/w"])
def test_a_path_that_leads_nowhere_is_an_error(path: str) -> None:
    with pytest.raises(LookupError):
        edited(TEXT, [Change("drop", path)])
