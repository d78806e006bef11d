"""Whatever a transcript holds, no style lets it act on the terminal, none fails, and the plain one leaves no word out."""

import io
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lighter.excerpt import harmless
from lighter.reading import read_passages
from lighter_cli.showing.compact import Compact
from lighter_cli.showing.full import Full
from lighter_cli.showing.plain import Plain
from lighter_cli.showing.presenting import Presentation
from lighter_cli.showing.selection import Selection
from lighter_cli.showing.style import Style
from lighter_cli.showing.theme import console_on
from lighter_cli.terminal import Screen

Styles = dict[str, Callable[[], Style]]
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ud800-\udfff]")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
TEXT = st.text(st.characters(codec="utf-8"), max_size=40) | st.sampled_from([
    "\x1b[2J\x1b]0;x\x07", "\x1b]8;;https://evil.example\x1b\\x\x1b]8;;\x1b\\", "[bold red]x[/]", "[/]", "\u202eevil",
    "\x00", "\x9b31m", "&#x202e;x &rlm; &#27;[31m", "[a](https://e.example/\u202e) ![i](http://x/\x1b[1m) <b>\x1b[0m</b>",
    "> > > > > > > > > > > > deep\n- - - - - - - - - - deep", "| a | b |\n|---|---|\n| \x1b[31m | 你好 |", "```\x1b[31m\n\x07\n```",
    "# \x1b[31m\n\n---\n1. x\n   - y\n\n    code", "<https://e.example/>", "~~s~~ **b** _i_ `c`", "\ud800".encode("utf-8", "replace").decode(),
    "a\tb\r\nc\rd", '{"k": ["\\u001b[31m", 1e400]}', "x" * 300, "漢字" * 90,
])  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
CALLS = st.lists(
    st.fixed_dictionaries({
        "id": TEXT, "type": st.just("function"),
        "function": st.fixed_dictionaries({"name": TEXT, "arguments": TEXT | JSON.map(json.dumps)}),
    }),
    max_size=3,
)  # fmt: skip
MESSAGE = st.one_of(
    st.fixed_dictionaries({"role": st.sampled_from(["user", "system", "assistant"]), "content": TEXT, "name": TEXT}),
    st.fixed_dictionaries(
        {"role": st.just("assistant"), "content": TEXT, "reasoning_content": TEXT, "tool_calls": CALLS}
    ),
    st.fixed_dictionaries({"role": st.just("tool"), "tool_call_id": TEXT, "content": TEXT}),
    st.fixed_dictionaries({"role": TEXT, "content": JSON}),
    st.dictionaries(
        st.sampled_from(["role", "content", "tool_calls", "created", "usage", "model"]) | TEXT, JSON, max_size=4
    ),
)


def shown(style: str, messages: list[Any], *, width: int = 40, is_folded: bool = True) -> str:
    """Show messages of one conversation in a style, in colour where it has any."""
    out = io.StringIO()
    console = console_on(out, Screen(is_terminal=True, is_coloured=True, width=width))
    styles: Styles = {
        "plain": lambda: Plain(out.write),
        "full": lambda: Full(console, is_folded=is_folded),
        "compact": lambda: Compact(console, width=width),
    }
    data = json.dumps({"messages": messages, "model": "m"}).encode()
    Presentation(styles[style](), Selection()).show_all(read_passages(io.BytesIO(data), format="openai-chat"))
    return out.getvalue()


@pytest.mark.parametrize("style", ["plain", "full", "compact"])
@given(messages=st.lists(MESSAGE, max_size=4), width=st.integers(20, 90))
def test_no_style_lets_a_transcript_act(style: str, messages: list[Any], width: int) -> None:
    text = shown(style, messages, width=width)
    assert not HARMFUL.search(COLOUR.sub("", text)), repr(text)
    assert "\x1b]" not in text
    if style == "plain":
        assert "\x1b" not in text


def words_of(value: Any) -> list[str]:
    """List the lines of all strings in a message, as they are shown."""
    match value:
        case dict():
            return [word for item in value.values() for word in words_of(item)]
        case list():
            return [word for item in value for word in words_of(item)]
        case str():
            return [line for line in harmless(value, is_multiline=True).split("\n") if line.strip()]
        case _:
            return []


SAID = st.one_of(
    st.fixed_dictionaries({"role": st.sampled_from(["user", "system"]), "content": TEXT, "name": TEXT}),
    st.fixed_dictionaries(
        {"role": st.just("assistant"), "content": TEXT, "reasoning_content": TEXT, "tool_calls": CALLS}
    ),
    st.fixed_dictionaries({"role": st.just("tool"), "tool_call_id": TEXT, "content": TEXT}),
)


@given(st.lists(SAID, max_size=4))
def test_the_plain_style_leaves_no_word_out(messages: list[dict[str, Any]]) -> None:
    text = shown("plain", messages)
    for message in messages:
        for call in message.get("tool_calls", ()):
            call.pop("type")
        for word in words_of(message):
            assert (
                word in text or harmless(word) in text or harmless(json.dumps(word, ensure_ascii=False))[1:-1] in text
            )


@given(st.lists(SAID, min_size=1, max_size=3), st.integers(48, 90))
def test_rows_fit_the_screen(messages: list[Any], width: int) -> None:
    for style in ("full", "compact"):
        console = console_on(io.StringIO(), Screen(width=width))
        rows = COLOUR.sub("", shown(style, messages, width=width)).split("\n")
        assert all(
            console.measure(row, options=console.options.update(width=9999)).maximum <= width
            for row in rows
            if row.isascii()
        )


@pytest.mark.parametrize("style", ["plain", "full", "compact"])
def test_huge_content_is_no_trouble(style: str) -> None:
    contents = [
        "x" * 200_000,
        "line\n" * 20_000,
        json.dumps([{"id": n} for n in range(5000)]),
        "你好" * 60_000,
        "[" * 100_000,
    ]
    messages = [{"role": role, "content": content} for content in contents for role in ("user", "assistant")]
    text = shown(style, messages)
    if style == "full":
        assert len(text) < 60_000
        assert "more characters" in text
        assert "more lines, --full" in text
    if style == "plain":
        assert all(content.split("\n")[0] in text for content in contents)
