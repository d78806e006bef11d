"""JSON read and written exactly."""

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lighter import jsontext
from lighter.jsontext import Number

LITERALS = [
    "0", "-0", "1", "-1", "1.10", "1e3", "1E+05", "-0.0", "5e-324", "1e400", "123456789012345678901234567890", "0.1234567890123456789",
]  # fmt: skip


@pytest.mark.parametrize("literal", LITERALS)
def test_number_literals_survive(literal: str) -> None:
    assert jsontext.encode(jsontext.decode(f'{{"n":[{literal}]}}')) == f'{{"n":[{literal}]}}'.encode()


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", "-Infinity", "{", '{"a":1}{', '"\x01"', "", "nul", "'a'"])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no JSON value|^(Expecting|Extra data|Invalid)"):
        jsontext.decode(text)


def test_lone_surrogates_are_kept_as_escapes() -> None:
    value = jsontext.decode('{"a\\udc00":"x\\ud83c\\n\\"\\u0001","n":1.50}')
    assert jsontext.encode(value) == b'{"a\\udc00":"x\\ud83c\\n\\"\\u0001","n":1.50}'


def test_what_no_json_can_say_is_refused() -> None:
    with pytest.raises(TypeError, match="object is no JSON value"):
        jsontext.encode([object()])


def test_copies_of_numbers_keep_their_literals() -> None:
    number = jsontext.decode("1.10")
    for copied in (copy.deepcopy(number), pickle.loads(pickle.dumps(number))):  # noqa: S301 - of our own making
        assert jsontext.encode(copied) == b"1.10"


def test_numbers_are_numbers() -> None:
    assert Number("1.10") + 1 == 2.1
    assert json.dumps(jsontext.decode("[1.10, 2]")) == "[1.1, 2]"


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=15,
)  # fmt: skip


@given(values)
def test_decode_and_encode_are_inverse(value: Any) -> None:
    text = json.dumps(value)
    once = jsontext.decode(text)
    assert jsontext.is_same(jsontext.decode(jsontext.encode(once)), once)
    assert json.loads(jsontext.encode(once)) == json.loads(text)


@given(values)
def test_pointers_lead_to_every_value(value: Any) -> None:
    def walk(inner: Any, keys: tuple[Any, ...]) -> None:
        path = jsontext.pointer(keys)
        assert jsontext.value_at(value, path) is inner
        assert jsontext.keys_of(path) == [str(key) for key in keys]
        for key, item in (
            inner.items() if isinstance(inner, dict) else enumerate(inner) if isinstance(inner, list) else ()
        ):
            walk(item, (*keys, key))

    walk(value, ())


def test_pointers_go_on_into_json_held_in_a_string() -> None:
    assert jsontext.value_at({"arguments": '{"city": ["Oslo"]}'}, "/arguments/city/0") == "Oslo"
    for path in ("/arguments/town", "/arguments/city/7", "/other", "/arguments/city/0/x"):
        with pytest.raises(LookupError):
            jsontext.value_at({"arguments": '{"city": ["Oslo"]}'}, path)


@pytest.mark.parametrize(
    ("one", "other"), [(1, 1.0), (1, True), (None, False), ([1], [1, 2]), ({"a": 1}, {"b": 1}), ("1", 1)]
)
def test_is_same_tells_json_values_apart(one: Any, other: Any) -> None:
    assert not jsontext.is_same(one, other)
    assert jsontext.is_same(one, one)


def test_what_can_be_read_is_written_from_wherever_it_is() -> None:
    def deeper(levels: int, value: Any) -> bytes:
        return deeper(levels - 1, value) if levels else jsontext.encode(value)

    data = b"[" * 900 + b"1e400" + b"]" * 900
    assert deeper(200, jsontext.decode(data)) == data
