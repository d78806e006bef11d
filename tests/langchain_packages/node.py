"""Runs the scripts of this folder under node, with the @langchain/core that the lock file names, installed once."""

import fcntl
import json
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
LOCK = HERE / "package-lock.json"
INSTALLED = HERE / "node_modules" / ".package-lock.json"
NEEDS = 20
"""The oldest major version of node that @langchain/core runs on."""


@cache
def node() -> str:
    """Give the node to run, with the packages installed; skips the test where there is none that is new enough."""
    found, npm = shutil.which("node"), shutil.which("npm")
    if found is None or npm is None:
        pytest.skip("node and npm are not installed")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.removeprefix("v").split(".")[0]) < NEEDS:
        pytest.skip(f"node is {version.strip()}, and @langchain/core needs {NEEDS}")
    with LOCK.open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run two at a time
        if not INSTALLED.exists() or INSTALLED.stat().st_mtime < LOCK.stat().st_mtime:
            subprocess.run([npm, "ci", "--no-fund", "--no-audit"], cwd=HERE, capture_output=True, check=True)
    return found


def run(script: str, *arguments: str, lines: Sequence[Any] = (), folder: Path = HERE) -> list[Any]:
    """Run a script with JSON a line as its input; gives the lines of its output."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(
        [node(), script, *arguments],
        cwd=folder,
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.split("\n") if line]


def newest(folder: Path) -> Path:
    """Make a copy of the scripts in a folder, with the newest @langchain/core beside them."""
    node()
    for script in HERE.glob("*.mjs"):
        shutil.copy(script, folder)
    command = ["npm", "install", "--no-fund", "--no-audit", "@langchain/core@latest"]
    subprocess.run(command, cwd=folder, capture_output=True, check=True)
    return folder
