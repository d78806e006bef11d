"""Texts, names, arguments and other JSON values that the conversations of all formats are made of."""

import json
from typing import Any

from hypothesis import strategies as st

WORDS = ("tide", "harbour", "café", "日本語", "שלום", "🙂", "a\nb", "  spaced  ", "{", "\\u0000", "<b>")
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
names = st.from_regex(r"[a-z][a-z0-9_-]{0,11}", fullmatch=True)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6
)
objects = st.dictionaries(names, json_values, max_size=3)
raw_arguments = objects.map(json.dumps) | st.sampled_from(
    ["", "{", "[1,2]", '{"n": 1e3, "m": -0, "k": 12345678901234567890123}']
)


def some(**optional: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Give an object with some of these keys."""
    return st.fixed_dictionaries({}, optional=optional)


unknown_keys: st.SearchStrategy[dict[str, Any]] = st.just({}) | some(x_trace=json_values, weight=st.integers(0, 1))
