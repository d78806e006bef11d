"""Colour, width and messages: what is decided about a terminal."""

import io

import pytest

from lighter_cli.terminal import Progress, Screen, complain, screen_of, takes_colour


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


COLOURS: tuple[tuple[bool, str, dict[str, str], bool], ...] = (
    (True, "auto", {}, True),
    (False, "auto", {}, False),
    (True, "auto", {"NO_COLOR": "1"}, False),
    (True, "auto", {"NO_COLOR": ""}, True),
    (False, "auto", {"FORCE_COLOR": "1"}, True),
    (True, "auto", {"FORCE_COLOR": "0"}, False),
    (False, "auto", {"CLICOLOR_FORCE": "1"}, True),
    (True, "auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    (True, "auto", {"TERM": "dumb"}, False),
    (False, "auto", {"TERM": "dumb", "FORCE_COLOR": "1"}, True),
    (False, "always", {"NO_COLOR": "1", "TERM": "dumb"}, True),
    (True, "never", {"FORCE_COLOR": "1"}, False),
)


@pytest.mark.parametrize(("is_terminal", "flag", "environment", "expected"), COLOURS)
def test_colour(is_terminal: bool, flag: str, environment: dict[str, str], expected: bool) -> None:
    stream = Terminal() if is_terminal else io.StringIO()
    assert takes_colour(stream, flag, environment) is expected  # type: ignore[arg-type]  # the table holds only valid flags


def test_width_is_80_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert screen_of(io.StringIO()).width == 80
    assert screen_of(None).width == 80
    monkeypatch.setenv("COLUMNS", "132")
    assert screen_of(io.StringIO()).width == 132
    monkeypatch.setenv("COLUMNS", "5")
    assert screen_of(io.StringIO()).width == 40
    assert screen_of(io.StringIO(), width=60).width == 60


def test_a_closed_stream_is_no_terminal() -> None:
    stream = io.StringIO()
    stream.close()
    assert not screen_of(stream).is_terminal


def test_paint_leaves_text_alone_without_colour() -> None:
    assert Screen().paint("text", "error") == "text"
    assert Screen(is_coloured=True).paint("text", "dim") == "\x1b[2mtext\x1b[0m"
    assert Screen(is_coloured=True).paint("", "dim") == ""


def test_complaints_are_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    complain("bad\x1b[31m\n::error::x.jsonl: no such file")
    assert capsys.readouterr().err == "error: bad\\x1b[31m\\n::error::x.jsonl: no such file\n"


def test_progress_is_drawn_late_and_erased(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    stream = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("lighter_cli.terminal.time.monotonic", lambda: clock[0])
    monkeypatch.setattr("sys.stderr", stream)
    progress = Progress()
    progress.tell("log.jsonl", 1_000_000, 10_000_000)
    assert stream.getvalue() == ""
    clock[0] += 0.6
    progress.tell("log.jsonl", 5_000_000, 10_000_000)
    progress.tell("log.jsonl", 5_000_001, 10_000_000)
    assert stream.getvalue() == "\r\x1b[2Klog.jsonl: 5.0 MB of 10.0 MB (50 %)"
    progress.erase()
    progress.erase()
    assert stream.getvalue().endswith("(50 %)\r\x1b[2K")


def test_progress_is_never_drawn_into_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    stream = io.StringIO()
    monkeypatch.setattr("lighter_cli.terminal.time.monotonic", lambda: clock[0])
    monkeypatch.setattr("sys.stderr", stream)
    progress = Progress()
    clock[0] += 5
    progress.tell("log.jsonl", 1)
    assert stream.getvalue() == ""
