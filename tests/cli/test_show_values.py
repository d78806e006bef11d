"""The pieces of a screen: values laid out, calls, folding and wrapping; none of them loses or invents anything unsaid."""

import json
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from lighter.messages import MediaBlock, ToolCall
from lighter_cli.showing.arguments import lay_out, one_line
from lighter_cli.showing.folding import SLACK, fold
from lighter_cli.showing.placeholder import byte_text, media_line
from lighter_cli.showing.theme import coloured
from lighter_cli.showing.values import NOT_JSON, parse, pretty
from lighter_cli.showing.wrapping import Wrapped, breaks, cells_of, hanging, without_tabs

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
SCRIPTS = st.text("abc de 漢字かな，。（）《》한국 \t🙂é" + "\u0301", max_size=120)


@given(VALUES, st.integers(1, 100))
def test_laid_out_json_is_the_same_json(value: object, width: int) -> None:
    text = json.dumps(value, ensure_ascii=False)
    laid = pretty(text, width)
    assert (laid is None) == (not isinstance(value, dict | list))
    if laid is not None and "\\x" not in laid and "\\U" not in laid:
        assert json.loads(laid) == value


@pytest.mark.parametrize("text", ["", "x", '"text"', "12", '{"a": NaN}', "{", "[" * 5000, "[" * 200 + "]" * 200])
def test_what_is_no_json_structure_stays_as_it_is(text: str) -> None:
    assert pretty(text, 80) is None


def test_literals_and_doubled_keys_are_kept() -> None:
    text = '{"a": 1.10, "a": 1e400, "b": -0, "c": 123456789012345678901234567890, "d": true}'
    assert pretty(text, 200) == text


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        ("{}", ["f()"]),
        ('{"a":1,"b c":[true,null]}', ['f(a=1, "b c"=[true, null])']),
        ('{"text":"one\\ntwo","n":1.50}', ["f(", "  text=", "    one", "    two", "  n=1.50", ")"]),
        ('{"list":["' + "x" * 20 + '","' + "y" * 20 + '"]}',
         ["f(", "  list=[", f'    "{"x" * 20}",', f'    "{"y" * 20}"', "  ]", ")"]),
        ("", ["f()"]),
        ('{"a": ', ['f({"a": )']),
        ("[1]", ["f([1])"]),
        ("free\ntext", ["f(", "  free", "  text", ")"]),
        ('{"esc":"\\u001b[31m"}', ['f(esc="\\u001b[31m")']),
    ],
)  # fmt: skip
def test_calls_read_like_calls(arguments: str, lines: list[str]) -> None:
    assert [line.text for line in lay_out(ToolCall("c", "f", arguments), 40).lines] == lines


@pytest.mark.parametrize(
    ("call", "is_broken"),
    [
        (ToolCall("c", "f", '{"a":1}'), False),
        (ToolCall("c", "f", "{"), True),
        (ToolCall("c", "f", "[1]"), True),
        (ToolCall("c", "f", "free", kind="custom"), False),
    ],
)
def test_broken_arguments_are_called_so(call: ToolCall, is_broken: bool) -> None:
    assert lay_out(call, 40).is_broken == is_broken
    assert "\n" not in one_line(call)


@given(st.lists(st.text("ab 漢", max_size=60), max_size=40).map("\n".join), st.integers(1, 12), st.integers(4, 40))
def test_folding_counts_what_it_hides(text: str, rows: int, width: int) -> None:
    folded = fold(text, rows, width)
    whole = text.strip("\n")
    assert folded.characters >= 0
    assert whole.startswith(folded.text)
    hidden = whole[len(folded.text) :]
    if folded.characters:
        assert hidden.partition("\n")[0] == hidden[: folded.characters]
    assert hidden.count("\n") == folded.lines
    assert bool(folded.note) == bool(hidden)
    taken = sum(max(1, -(-cell_len(line) // width)) for line in folded.text.split("\n"))
    assert taken <= rows + SLACK


def test_folding_opens_at_a_match() -> None:
    text = "\n".join(f"line {number}" for number in range(100))
    folded = fold(text, 5, 40, re.compile("line 7[0-9]"))
    assert (folded.before, folded.text.split("\n")[0], folded.lines) == (70, "line 70", 25)
    assert folded.note_before == "… 70 lines above"
    assert folded.note == "… 25 more lines, --full shows them"
    assert fold(text, 5, 40, re.compile("line 1$")).before == 0


def test_a_long_line_is_folded_by_characters() -> None:
    folded = fold("x" * 200_000 + "\nend", 2, 50)
    assert (len(folded.text), folded.characters, folded.lines) == (100, 199_900, 1)
    assert folded.note == "… 199,900 more characters and 1 more line, --full shows them"


def test_a_long_line_below_short_ones_is_cut_and_not_hidden() -> None:
    folded = fold("f(\n  text=" + "x" * 5_000 + "\n)", 4, 20)
    assert folded.text.startswith("f(\n  text=xxx")
    assert len(folded.text) == len("f(\n") + 3 * 20
    assert (folded.lines, folded.characters) == (1, 5_000 + len("  text=") - 3 * 20)


@given(SCRIPTS, st.integers(6, 30))
def test_wrapping_loses_only_blanks_and_fits(text: str, width: int) -> None:
    console = Console(width=width, color_system=None)
    for held in (Wrapped(text), hanging(Wrapped(text))):
        rows = [str(line) for line in held.wrap(console, width)]
        assert "".join("".join(rows).split()) == "".join(text.split())
        assert all(cells_of(row) <= width for row in rows)


@given(SCRIPTS, st.integers(4, 30))
def test_the_quick_way_and_the_slow_way_agree(text: str, width: int) -> None:
    console = Console(width=width, color_system=None)
    options = console.options.update(width=width)
    quick = "".join(segment.text for segment in console.render(Wrapped(text), options))
    slow = [str(line) for line in Wrapped(text).wrap(console, width)]
    assert quick.split("\n")[:-1] == slow


@pytest.mark.parametrize(
    ("line", "width", "parts"),
    [
        ("one two three", 7, ["one two", "three"]),
        ("你好世界你好", 5, ["你好", "世界", "你好"]),
        ("你好，世界。再见", 6, ["你好，", "世界。", "再见"]),
        ("说（你好）吧", 6, ["说（你", "好）吧"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("see abcdefghij", 6, ["see", "abcdef", "ghij"]),
        ("文mixed文", 6, ["文", "mixed", "文"]),
    ],
)
def test_lines_break_as_their_script_does(line: str, width: int, parts: list[str]) -> None:
    bounds = [0, *breaks(line, width), len(line)]
    assert [line[start:end].strip() for start, end in pairwise(bounds)] == parts


def test_tabs_stop_by_cells() -> None:
    assert [without_tabs(line) for line in ("a\tb", "漢字\tb", "12345678\tb", "x\t")] == [
        "a       b",
        "漢字    b",
        "12345678        b",
        "x",
    ]


def test_colours_leave_strings_whole() -> None:
    text = coloured('f(a="Station 7: true", n=7, "k": null)')
    told = {text.plain[span.start : span.end]: span.style for span in text.spans}
    assert told == {
        "a": "value.key",
        '"Station 7: true"': "value.string",
        "n": "value.key",
        "7": "value.number",
        '"k"': "value.key",
        "null": "value.word",
    }


@pytest.mark.parametrize(
    ("block", "line"),
    [
        (MediaBlock("image", "url", "https://example.org/a.png"), "image  https://example.org/a.png"),
        (MediaBlock("document", "file_id", "file-9", "application/pdf", name="a.pdf"),
         "document  application/pdf  a.pdf  file-9"),
        (MediaBlock("audio", "base64", "aGFsbG8=", "audio/wav"), "audio/wav  5 B"),
        (MediaBlock("image", "base64", "R0lGODlhBwAJAAAA", "image/png", detail="low"),
         "image/gif  7×9  12 B  detail low  (declared image/png)"),
        (MediaBlock("image", "url", "http://x/\x1b[31m"), "image  http://x/\\x1b[31m"),
    ],
)  # fmt: skip
def test_media_take_one_line(block: MediaBlock, line: str) -> None:
    assert media_line(block) == line


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (123_456, "123 kB"), (999_960, "1.0 MB"), (2_500_000, "2.5 MB")],
)
def test_sizes_are_short(size: int, text: str) -> None:
    assert byte_text(size) == text


def test_not_json_is_no_value() -> None:
    assert parse("nothing") is NOT_JSON
    assert parse("{}") == []
    assert parse("{}") is not NOT_JSON
