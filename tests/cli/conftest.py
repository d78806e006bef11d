"""The real command, run in a shell or in a real pseudo-terminal."""

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
Drawn = Callable[..., list[str]]


def clean_environment(**changes: str) -> dict[str, str]:
    """Give an environment in which nothing of the developer's own terminal shows."""
    own = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT") if name in os.environ}
    roots = os.pathsep.join(str(ROOT / name) for name in ("core", "cli"))
    return {
        **own,
        "PYTHONPATH": roots,
        "PYTHONUTF8": "1",
        "PYTHON": sys.executable,
        "TERM": "xterm-256color",
        **changes,
    }


@pytest.fixture
def environment() -> Mapping[str, str]:
    """Give the environment that commands run in."""
    return clean_environment()


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Give a copy of the example files to run in."""
    return Path(shutil.copytree(HERE / "files", tmp_path / "files"))


@pytest.fixture
def draw(files: Path) -> Drawn:
    """Give a function that runs the command in a pseudo-terminal and returns what the screen then shows, line by line."""
    import pexpect  # type: ignore[import-untyped]  # it has no types
    import pyte

    def run(*words: str, width: int = 80, height: int = 200, **changes: str) -> list[str]:
        screen = pyte.Screen(width, height)
        stream = pyte.ByteStream(screen)
        environment = clean_environment(**changes)
        child = pexpect.spawn(
            sys.executable,
            ["-m", "lighter", *words],
            cwd=str(files),
            dimensions=(height, width),
            env=environment,
            timeout=30,
        )
        while True:
            try:
                stream.feed(child.read_nonblocking(65536))
            except pexpect.EOF:
                break
        child.close()
        lines = [line.rstrip() for line in screen.display]
        while lines and not lines[-1]:
            lines.pop()
        return [*lines, f"[exit {child.exitstatus}]"]

    return run
