"""Text fitted to cells: wrapping, and eliding that keeps the spans."""

from hypothesis import given
from hypothesis import strategies as st

from lighter_cli.output._cells import Span, elide, width_of, wrap

LINE = 'assistant  "I shall look that up for you"   calls   get_weather(city="Oslo", day="tomorrow")   id call_a1'


def test_width_counts_cells() -> None:
    assert width_of("12 °C") == 5
    assert width_of("日本 🎉") == 7


def test_a_line_that_fits_is_left_alone() -> None:
    span = Span(11, 12)
    assert elide(LINE, [span], len(LINE), 11) == (LINE, [span])


def test_what_is_pointed_at_survives() -> None:
    at = LINE.index("call_a1")
    text, (span,) = elide(LINE, [Span(at, at + 7)], 60, 11)
    assert text == 'assistant  "I shall look tha…", day="tomorrow")   id call_a1'
    assert text[span.start : span.end] == "call_a1"
    assert text.startswith("assistant  ")
    assert width_of(text) <= 60


def test_a_span_too_long_keeps_both_ends() -> None:
    text, (span,) = elide("user       " + "a" + "b" * 200 + "c", [Span(11, 213)], 50, 11)
    shown = text[span.start : span.end]
    assert shown.startswith("ab")
    assert shown.endswith("bc")
    assert "…" in shown
    assert width_of(text) <= 50


def test_wide_characters_are_counted_twice() -> None:
    line = "user       " + "漢" * 60 + "X" + "字" * 60
    text, (span,) = elide(line, [Span(71, 72)], 70, 11)
    assert text[span.start : span.end] == "X"
    assert width_of(text) <= 70


def test_wrap_indents_what_follows() -> None:
    assert wrap("help: one two three", 12, 6) == ["help: one", "      two", "      three"]
    assert wrap("averyveryverylongword", 5) == ["averyveryverylongword"]
    assert wrap("", 10) == [""]


@given(st.text(alphabet="ab 漢🎉…", max_size=200), st.integers(20, 120), st.data())
def test_elided_text_fits_and_keeps_its_spans(line: str, width: int, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(line)), max_size=4)))
    spans = [Span(start, end) for start, end in zip(cuts[::2], cuts[1::2], strict=False)]
    text, moved = elide(line, spans, width, 11)
    assert width_of(text) <= width
    for before, after in zip(spans, moved, strict=True):
        wanted, shown = line[before.start : before.end], text[after.start : after.end]
        assert shown == wanted or "…" in shown


@given(st.text(alphabet="ab 漢", max_size=120), st.integers(4, 40))
def test_wrapping_loses_no_word(text: str, width: int) -> None:
    assert " ".join(wrap(text, width)).split() == text.split()
