"""Transcripts on real pseudo-terminals of several widths, and through a pipe; `--update-golden` rewrites the goldens."""

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from command import LIGHTER

SHOW = Path(__file__).parent / "show"
NAMES = ("agent", "batch", "hostile", "wide")

SCREENS: tuple[tuple[str, str, tuple[str, ...], int], ...] = (
    *((name, name, (), width) for name in NAMES for width in (80, 120)),
    *((f"{name}-narrow", name, (), 40) for name in ("agent", "wide")),
    *((f"{name}-compact", name, ("--style", "compact"), 80) for name in NAMES),
    ("agent-grep", "agent", ("--grep", "temp=9.9[89]|no match"), 80),
    ("agent-tool", "agent", ("--tool", "open_ticket"), 80),
    ("agent-roles", "agent", ("--role", "user", "--role", "system", "--turns", "0:7"), 80),
    ("batch-second", "batch", ("--conversation", "2"), 80),
)
PIPES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    *((name, name, ()) for name in NAMES),
    ("agent-compact", "agent", ("--style", "compact")),
    ("agent-full", "agent", ("--style", "full", "--width", "72")),
)


def compare(golden: Path, actual: str, is_updating: bool) -> None:
    if is_updating:
        golden.write_text(actual, encoding="utf-8")
    assert actual == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize(("golden", "name", "words", "width"), SCREENS, ids=[f"{s[0]}-{s[3]}" for s in SCREENS])
def test_screen(  # noqa: PLR0913, PLR0917 - the parameters of a case, and two fixtures
    golden: str, name: str, words: tuple[str, ...], width: int, draw: Callable[..., list[str]], is_updating: bool
) -> None:
    lines = draw("show", str(SHOW / f"{name}.jsonl"), "--no-pager", *words, width=width, height=260)
    compare(SHOW / f"{golden}.{width}.txt", "\n".join(lines) + "\n", is_updating)


@pytest.mark.parametrize(("golden", "name", "words"), PIPES, ids=[p[0] for p in PIPES])
def test_pipe(
    golden: str, name: str, words: tuple[str, ...], environment: Mapping[str, str], is_updating: bool
) -> None:
    command = [*LIGHTER, "show", str(SHOW / f"{name}.jsonl"), *words]
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\x1b" not in done.stdout
    compare(SHOW / f"{golden}.pipe.txt", done.stdout.decode(), is_updating)


def test_the_plain_style_loads_no_rich(environment: Mapping[str, str]) -> None:
    words = ["lighter", "show", str(SHOW / "agent.jsonl")]
    code = f"import sys\nsys.argv = {words!r}\nfrom lighter_cli import main\nmain.run(sys.argv[1:])\n"
    code += "sys.exit(' '.join(name for name in sys.modules if name.partition('.')[0] in ('rich', 'pygments')) or None)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment, check=False, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_colour_is_a_choice(environment: Mapping[str, str]) -> None:
    command = [*LIGHTER, "show", str(SHOW / "agent.jsonl"), "--style", "full"]
    for changes, words, is_coloured in (
        ({}, (), False),
        ({"FORCE_COLOR": "1"}, (), True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, (), False),
        ({"NO_COLOR": "1"}, ("--color", "always"), True),
    ):
        done = subprocess.run([*command, *words], capture_output=True, env={**environment, **changes}, check=True)
        assert (b"\x1b[" in done.stdout) == is_coloured


def test_no_golden_is_left_over() -> None:
    screens = {f"{golden}.{width}.txt" for golden, _, _, width in SCREENS}
    assert {golden.name for golden in SHOW.glob("*.txt")} == screens | {f"{golden}.pipe.txt" for golden, *_ in PIPES}
