"""The real command, run in a shell or in a real pseudo-terminal."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from command import LIGHTER, clean_environment

HERE = Path(__file__).parent
Drawn = Callable[..., list[str]]


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
            LIGHTER[0],
            [*LIGHTER[1:], *words],
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
