"""Places: a pointer leads to the row and column of its value, in every way of writing JSON."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pace import at_most

from lighter.diagnostics import Location
from lighter.jsontext import pointer
from lighter.locate import locate
from lighter.records import Record

PRETTY = b'{\n  "messages": [\n    {\n      "role": "user",\r\n      "content": "\xc3\xa9"\n    }\n  ],\n  "x": 1\n}'
CALL = rb'{"a": "\u00e9", "arguments": "{\"city\": \"\ud83c\udfa8\", \"n\": [1, {\"k\": \"v\"}]}", "plain": "[1, 2]"}'

PLACES = {
    "record": (b'  {"a": 1}', "", 1, 3),
    "member": (b'{"a": 1, "b": [true]}', "/b/0", 1, 16),
    "no-space": (b'{"a":1,"b":{"c":null}}', "/b/c", 1, 17),
    "scalar-record": (b"17", "", 1, 1),
    "characters": ('{"é🎨": "日本", "b": 1}'.encode(), "/b", 1, 19),
    "bad-bytes": (b'{"a": "\xff\xfe\xc3", "b": 1}', "/b", 1, 19),
    "pretty": (PRETTY, "/messages/0/content", 5, 18),
    "pretty-container": (PRETTY, "/messages/0", 3, 5),
    "pretty-end": (PRETTY, "/x", 8, 8),
    "escaped-key": (rb'{"a\/b": 1, "m~n": {"": 2}}', "/m~0n/", 1, 25),
    "escaped-key-slash": (rb'{"a\/b": 1}', "/a~1b", 1, 10),
    "escaped-key-unicode": (rb'{"\u0061": 1, "b": 2}', "/a", 1, 12),
    "brackets-in-strings": (rb'{"a": ["}]\"", {"b": "{"}], "c": 3}', "/c", 1, 34),
    "duplicate-key": (b'{"a": 1, "a": 2}', "/a", 1, 15),
    "missing-member": (b'{"a": {"b": 1}}', "/a/c/d", 1, 7),
    "missing-index": (b'{"a": [1, 2]}', "/a/2", 1, 7),
    "not-an-index": (b'{"a": [1, 2]}', "/a/x", 1, 7),
    "leading-zero": (b'{"a": [1, 2]}', "/a/01", 1, 7),
    "empty-containers": (b'{"a": [], "b": {}, "c": 0}', "/c", 1, 25),
    "below-a-number": (b'{"a": 1}', "/a/b", 1, 7),
    "in-string": (CALL, "/arguments/city", 1, 42),
    "in-string-behind-a-pair": (CALL, "/arguments/n", 1, 67),
    "in-string-deeper": (CALL, "/arguments/n/1/k", 1, 79),
    "in-string-missing": (CALL, "/arguments/none", 1, 30),
    "in-string-itself": (CALL, "/arguments", 1, 30),
    "in-plain-string": (CALL, "/plain/1", 1, 104),
    "in-string-no-json": (b'{"a": "b"}', "/a/0", 1, 7),
    "in-string-twice": (json.dumps({"a": json.dumps({"b": json.dumps([1, 2])})}).encode(), "/a/b/1", 1, 22),
    "broken-end": (b'{"a": [1, {"b": ', "/a/1", 1, 11),
    "broken-string": (b'{"a": 1, "b": "c', "/b/0", 1, 15),
    "nothing": (b"", "/a", 1, 1),
}  # fmt: skip


@pytest.mark.parametrize(("data", "path", "row", "column"), PLACES.values(), ids=PLACES)
def test_place(data: bytes, path: str, row: int, column: int) -> None:
    assert locate(Record(1, data, None), path) == Location(row, column)


@pytest.mark.parametrize(("data", "path", "row", "column"), PLACES.values(), ids=PLACES)
def test_place_is_told_from_where_the_record_starts(data: bytes, path: str, row: int, column: int) -> None:
    place = locate(Record(10, data, None, 5), path)
    assert place == Location(row + 9, column + 4 if row == 1 else column)


def test_long_record_with_many_places_is_quick() -> None:
    messages = [{"role": "user", "content": "x" * 100, "meta": {"n": number}} for number in range(50_000)]
    data = json.dumps(messages).encode()
    with at_most(30):
        for number in range(0, 50_000, 100):
            place = locate(Record(1, data, None), f"/{number}/meta/n")
            assert data.startswith(f"{number}}}".encode(), place.column - 1)


def test_places_in_any_order_in_a_long_record_are_quick() -> None:
    size = 20_000
    data = json.dumps(list(range(size)), indent=0).encode()
    record = Record(1, data, None)
    with at_most(20):
        rows = [locate(record, f"/{number}").row for number in range(size)]
    assert rows == list(range(2, size + 2))
    assert [locate(record, f"/{number}").row for number in (7, 900, 8, 8, 0)] == [9, 902, 10, 10, 2]


# An independent oracle: a writer that notes where it puts each value.

Notes = list[tuple[tuple[str | int, ...], int]]
SPACES = st.sampled_from(["", "", " ", "\n", "\r\n  ", "\t "])
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=8), st.sampled_from(["{", '"]', "\\", "é🎨", "a/b~c"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def write(value: Any, space: Iterator[str], *, is_ascii: bool) -> tuple[str, Notes]:
    """Write JSON with white space wherever it may stand; note the index of each value."""
    text, notes = "", []

    def put(item: Any, path: tuple[str | int, ...]) -> None:
        nonlocal text
        text += next(space)
        notes.append((path, len(text)))
        match item:
            case dict() | list():
                text += "{" if isinstance(item, dict) else "["
                pairs = list(item.items()) if isinstance(item, dict) else list(enumerate(item))
                for index, (key, child) in enumerate(pairs):
                    text += "," if index else ""
                    if isinstance(item, dict):
                        text += next(space) + json.dumps(key, ensure_ascii=is_ascii) + next(space) + ":"
                    put(child, (*path, key))
                    text += next(space)
                text += next(space) + ("}" if isinstance(item, dict) else "]")
            case _:
                text += json.dumps(item, ensure_ascii=is_ascii)

    put(value, ())
    return text, notes


def place_of(text: str, index: int) -> Location:
    before = text[:index]
    return Location(before.count("\n") + 1, index - (before.rfind("\n") + 1) + 1)


@given(VALUES, st.data(), st.booleans())
def test_places_agree_with_a_writer(value: Any, data: st.DataObject, is_ascii: bool) -> None:
    text, notes = write(value, iter(lambda: data.draw(SPACES), None), is_ascii=is_ascii)
    assert json.loads(text) == value
    record = Record(1, text.encode("utf-8"), value)
    for path, index in notes:
        assert locate(record, pointer(path)) == place_of(text, index)


@given(VALUES.filter(lambda value: isinstance(value, dict | list)), st.data(), st.booleans(), st.booleans())
def test_places_inside_strings_agree_with_a_writer(
    value: Any, data: st.DataObject, is_ascii: bool, is_twice: bool
) -> None:
    inner, notes = write(value, iter(lambda: data.draw(SPACES), None), is_ascii=is_ascii)
    outer = '{"é": 1, "s": ' + json.dumps(inner, ensure_ascii=is_twice) + "}"
    start = outer.index(json.dumps(inner, ensure_ascii=is_twice))
    for path, index in notes[1:]:
        written = len(json.dumps(inner[:index], ensure_ascii=is_twice)) - 1
        assert locate(Record(1, outer.encode(), None), "/s" + pointer(path)) == place_of(outer, start + written)


@given(st.binary(max_size=60) | st.text('{}[]":,\\ \n01au', max_size=40).map(str.encode), st.text("/01a~", max_size=8))
def test_any_bytes_and_any_pointer_have_a_place(data: bytes, path: str) -> None:
    place = locate(Record(3, data, None, 2), path)
    lines = data.split(b"\n")
    assert 3 <= place.row <= 3 + len(lines) - 1
    width = len(lines[place.row - 3].decode("utf-8", "surrogateescape"))
    assert 1 <= place.column <= width + 1 + (place.row == 3)
