"""The README tells the truth: its commands print what it shows, its Python runs, its links lead somewhere.

With `--update-golden` the output shown in the README is written anew.
"""

import doctest
import fcntl
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from lighter import formats

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "sample_conversations").rglob("*.md")])
CONSOLE = re.compile(r"^```console\n(?P<session>.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```pycon\n(?P<session>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?P<target>[^)#]+)[^)]*\)")
WIDTH = 96
HEIGHT = 500


def on_screen(command: str, folder: Path) -> str:
    """Run a command of the README in a folder and give what a terminal shows, stdout and stderr together."""
    words = shlex.split(command)
    assert words[0] == "lighter"
    source_roots = os.pathsep.join(str(ROOT / name) for name in ("core", "cli"))
    environment = {**os.environ, "PYTHONPATH": source_roots, "NO_COLOR": "1", "TERM": "dumb", "LIGHTER_PAGER": "cat"}
    for name in ("COLUMNS", "LINES", "FORCE_COLOR", "LIGHTER_OUTPUT_FORMAT"):
        environment.pop(name, None)
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    with subprocess.Popen(
        [sys.executable, "-m", "lighter", *words[1:]],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
    ):
        os.close(terminal)
        shown = b"".join(iter(lambda: read_from(screen), b""))
    os.close(screen)
    return shown.decode().replace("\r\n", "\n")


def read_from(screen: int) -> bytes:
    try:
        return os.read(screen, 65536)
    except OSError:  # Linux says EIO when the last writer has closed the terminal
        return b""


def rerun(session: str, folder: Path) -> str:
    commands = [line.removeprefix("$ ") for line in session.splitlines() if line.startswith("$ ")]
    return "".join(f"$ {command}\n{on_screen(command, folder)}" for command in commands)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What a reader of the README has before them, less what writing there could spoil."""
    (tmp_path / "sample_conversations").symlink_to(ROOT / "sample_conversations")
    return tmp_path


def test_commands_print_what_the_readme_shows(clone: Path, is_updating: bool) -> None:
    text = README.read_text(encoding="utf-8")
    renewed = CONSOLE.sub(lambda found: f"```console\n{rerun(found['session'], clone)}```", text)
    if is_updating:
        README.write_text(renewed, encoding="utf-8")
    else:
        assert renewed == text


def test_python_of_the_readme_runs(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(clone)
    text = README.read_text(encoding="utf-8")
    sessions = "\n".join(found["session"] for found in PYTHON.finditer(text))
    example = doctest.DocTestParser().get_doctest(sessions, {}, "README", str(README), 0)
    assert example.examples
    report: list[str] = []
    doctest.DocTestRunner().run(example, out=report.append)
    assert not report, "".join(report)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    targets = [found["target"] for found in LINK.finditer(page.read_text(encoding="utf-8"))]
    missing = [target for target in targets if "://" not in target and not (page.parent / target).exists()]
    assert missing == []


def test_every_format_is_named() -> None:
    text = README.read_text(encoding="utf-8")
    assert [name for name in formats.names() if f"| `{name}`" not in text] == []
