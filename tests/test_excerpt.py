"""One-line views of messages, and text made harmless."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lighter.conversation import WireMessage
from lighter.excerpt import harmless, line_of, short
from lighter.formats import read_entries
from lighter.records import Record

WEATHER = {"id": "call_a1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city":"Oslo"}'}}
BROKEN = {"id": "call_a2", "type": "function", "function": {"name": "get_weather", "arguments": '{"city":"Oslo'}}
TIME = {"id": "call_a3", "type": "function", "function": {"name": "now", "arguments": "{}"}}

LINES: tuple[tuple[Any, str], ...] = (
    ({"role": "user", "content": "Use Celsius please"}, 'user       "Use Celsius please"'),
    (
        {"role": "assistant", "content": None, "tool_calls": [WEATHER]},
        'assistant  calls   get_weather(city="Oslo")   id call_a1',
    ),
    (
        {"role": "assistant", "content": "Let me look", "tool_calls": [BROKEN, TIME]},
        'assistant  "Let me look"   calls   get_weather({"city":"Oslo)   id call_a2   calls   now()   id call_a3',
    ),
    ({"role": "tool", "tool_call_id": "call_b2", "content": "12 °C"}, 'tool       answers call_b2   "12 °C"'),
    ({"role": "tool", "content": "12 °C"}, 'tool       answers (no id)   "12 °C"'),
    ({"role": "function", "name": "now", "content": "noon"}, 'function   answers now   "noon"'),
    ({"role": "assistant", "content": "Yes", "reasoning_content": "hm"}, 'assistant  thinks "hm"   "Yes"'),
    ({"role": "assistant", "content": None, "refusal": "No."}, 'assistant  refuses "No."'),
    (
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]},
        "user       [image image/png]",
    ),
    ({"role": "user", "content": ""}, "user       (empty)"),
    ({"role": "user", "content": None}, "user       (content null)"),
    ({"role": "user"}, "user       (no content)"),
    ({"content": "hi"}, '(no role)  "hi"'),
    ({"role": 7, "content": "hi"}, '7          "hi"'),
    ({"role": "user", "content": "a\nb\u202ec\x1b[31m"}, 'user       "a\\nb\\u202ec\\x1b[31m"'),
    (12, "?          12"),
    (None, "?          null"),
    ("text", '?          "text"'),
    ([1, {"a": True}], '?          [1,{"a":true}]'),
)

HARMLESS: tuple[tuple[str, str], ...] = (
    ("plain ASCII, and ünïcode: 日本語 🎉", "plain ASCII, and ünïcode: 日本語 🎉"),
    ("\x1b[2Jclear", "\\x1b[2Jclear"),
    ("\x9b31m, \x7f", "\\x9b31m, \\x7f"),
    ("a\u202eb\u2066c", "a\\u202eb\\u2066c"),
    ("line\nnext\ttab\rback", "line\\nnext\\ttab\\rback"),
    ("\ufeffmark", "\\ufeffmark"),
    ("call\u200b_1, call\u200d_1", "call\\u200b_1, call\\u200d_1"),
    ("lone \ud83d half", "lone \\ud83d half"),
    ("tag \U000e0041, selector \U000e0101", "tag \\U000e0041, selector \\U000e0101"),
    ("filler \u3164 and \u2800", "filler \\u3164 and \u2800"),
    ("family 👨‍👩‍👧, می‌خواهم", "family 👨‍👩‍👧, می‌خواهم"),
    ("10\u00a0km, 全\u3000角", "10\u00a0km, 全\u3000角"),
    ("❤\ufe0f but ❤\ufe0f\ufe0f", "❤\ufe0f but ❤\ufe0f\\ufe0f"),
)

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
FIELDS = (
    "role",
    "content",
    "tool_calls",
    "tool_call_id",
    "name",
    "function_call",
    "refusal",
    "reasoning_content",
    "audio",
)
messages = st.fixed_dictionaries(
    {},
    optional={
        name: st.sampled_from(["user", "assistant", "tool"]) | values if name == "role" else values for name in FIELDS
    },
)


def told(raw: Any) -> str:
    message = WireMessage(Record(1, b"", raw), "", raw, 0)
    return line_of(message, tuple(read_entries("openai-chat", [message])))


@pytest.mark.parametrize(("raw", "line"), LINES, ids=lambda value: json.dumps(value)[:40])
def test_a_message_in_one_line(raw: Any, line: str) -> None:
    assert told(raw) == line


@pytest.mark.parametrize(("text", "shown"), HARMLESS, ids=ascii)
def test_what_a_terminal_acts_upon_is_escaped(text: str, shown: str) -> None:
    assert harmless(text) == shown


def test_lines_and_tabs_stay_where_several_lines_are_shown() -> None:
    assert harmless("a\r\n\tb\x07\nc\r", is_multiline=True) == "a\n\tb\\x07\nc\\r"


def test_long_values_keep_both_ends() -> None:
    text = short("beginning" + "x" * 500 + "end", 30)
    assert text.startswith("beginning")
    assert text.endswith("xend")
    assert len(text) == 30


@pytest.mark.parametrize(("size", "told_as"), [(2_000, 'f(a="x'), (5_000, 'f({"a":"x'), (0, "f()")])
def test_arguments_are_told_by_name_while_they_are_short(size: int, told_as: str) -> None:
    function = {"name": "f", "arguments": json.dumps({"a": "x" * size}, separators=(",", ":")) if size else "{}"}
    line = told({"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": function}]})
    assert told_as in line
    assert line.endswith("id c")
    assert len(line) < 400


def test_deep_values_are_not_followed() -> None:
    value: list[Any] = []
    for _ in range(500):
        value = [value]
    assert told(value) == "?          […]"
    assert told({"role": "user", "content": value}).startswith("user       ")


def test_a_huge_message_is_told_briefly() -> None:
    many = [{**WEATHER, "id": f"call_{number}"} for number in range(300)]
    assert told({"role": "assistant", "tool_calls": many}).endswith("… 292 more")
    assert len(told({"role": "user", "content": "x" * 1_000_000})) < 120
    assert len(told([["deep"] * 1000] * 1000)) < 120


@given(st.text())
def test_harmless_text_is_printable(text: str) -> None:
    kept = "\u00a0\u3000\u202f\u200c\u200d"  # spaces, and joiners inside scripts
    assert all(char.isprintable() or char in kept or char > "\U0001f000" for char in harmless(text))


@given(values | messages)
def test_any_value_is_told_in_one_printable_line(raw: Any) -> None:
    line = told(raw)
    assert harmless(line) == line
    assert len(line) < 2000
