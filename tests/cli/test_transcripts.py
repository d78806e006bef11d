"""What commands print, in pages of examples: a command after `$`, its output, its error output after `2>`, its exit status.

`--update-golden` rewrites the pages with what is printed now.
"""

import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

PAGES = sorted((Path(__file__).parent / "transcripts").glob("*.md"))
BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.DOTALL | re.MULTILINE)
PREAMBLE = 'lighter() { "$PYTHON" -m lighter "$@"; }\n'


def told(command: str, folder: Path, environment: Mapping[str, str]) -> Iterator[str]:
    done = subprocess.run(
        ["/bin/sh", "-c", PREAMBLE + command],
        cwd=folder, env=environment, capture_output=True, stdin=subprocess.DEVNULL, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    yield f"$ {command}"
    yield from done.stdout.splitlines()
    yield from (f"2> {line}".rstrip() for line in done.stderr.splitlines())
    if done.returncode:
        yield f"[exit {done.returncode}]"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page: Path, files: Path, environment: Mapping[str, str], is_updating: bool) -> None:
    def run(block: re.Match[str]) -> str:
        commands = re.findall(r"^\$ (.*)$", block[0], re.MULTILINE)
        return "".join(f"{line}\n" for command in commands for line in told(command, files, environment))

    expected = page.read_text(encoding="utf-8")
    actual = BLOCK.sub(run, expected)
    assert "lighter itself failed" not in actual
    if is_updating:
        page.write_text(actual, encoding="utf-8")
    assert actual == expected or is_updating
