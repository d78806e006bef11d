"""What .gitignore leaves out of a search: git itself is asked, about files that it has never seen."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from lighter.inputs import expand

FILES = ("a.jsonl", "b.jsonl", "#c.jsonl", "!d.jsonl", "e f.jsonl", "logs/a.jsonl", "logs/old/a.jsonl", "logs/old/b.jsonl", "out/logs/a.jsonl", "out/日誌.jsonl")  # fmt: skip
CASES: tuple[Mapping[str, str], ...] = (
    {"": "logs/\n"},
    {"": "/logs\n\n# a.jsonl\n\\#c.jsonl\n"},
    {"": "*.jsonl\n!a.jsonl\n"},
    {"": "logs/\n!logs/a.jsonl\n"},
    {"": "logs/*\n!logs/old/\n"},
    {"": "logs/old\n!b.jsonl\n", "logs/old": "!*\n"},
    {"": "a.jsonl\n", "logs": "!a.jsonl\n", "logs/old": "/b.jsonl\na.jsonl\n"},
    {"": "e f.jsonl  \n\\!d.jsonl\n"},
    {"": "e f.jsonl\\  \na.jsonl\t\nlogs\n"},
    {"": "[z-a].jsonl\n[\na.jsonl/\nout/**\n"},
    {"": "\ufeffa.jsonl\r\nlogs/\r\n"},
    {"out": "/logs/\n*日*\n"},
    {".git/info": "logs/\nb.jsonl\n", "": "!b.jsonl\n"},
    {"": "**/old/a.jsonl\n*/logs\n!\n"},
)


def repository(folder: Path, lines: Mapping[str, str]) -> Path:
    subprocess.run(["git", "init", "-q", folder], check=True)
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    for place, text in lines.items():
        name = "exclude" if place == ".git/info" else ".gitignore"
        (folder / place / name).write_bytes(text.encode())
    return folder


def found_in(folder: Path) -> set[str]:
    inputs, _ = expand([str(folder)])
    return {os.path.relpath(item.name, folder).replace(os.sep, "/") for item in inputs}


@pytest.mark.parametrize("lines", CASES, ids=lambda lines: "|".join(lines.values()))
def test_what_git_would_not_add_is_left_out(lines: Mapping[str, str], tmp_path: Path) -> None:
    command = ["git", "-c", "core.quotepath=off", "ls-files", "--others", "--exclude-standard", "-z"]
    told = subprocess.run(command, cwd=repository(tmp_path, lines), capture_output=True, encoding="utf-8", check=True)
    wanted = {name for name in told.stdout.split("\0") if name.endswith(".jsonl")}
    assert wanted <= set(FILES)
    assert found_in(tmp_path) == wanted


def test_without_a_repository_nothing_is_left_out(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*\n")
    (tmp_path / "a.jsonl").touch()
    assert found_in(tmp_path) == {"a.jsonl"}


def test_a_folder_that_is_named_is_searched_and_the_patterns_of_those_above_hold(tmp_path: Path) -> None:
    repository(tmp_path, {"": "logs/\nold/b.jsonl\n/logs/old/a.jsonl\n"})
    assert found_in(tmp_path / "logs") == {"a.jsonl", "old/b.jsonl"}


def test_a_gitignore_that_is_no_text_or_cannot_be_read_does_no_harm(tmp_path: Path) -> None:
    repository(tmp_path, {})
    (tmp_path / "logs" / ".gitignore").mkdir()
    os.mkfifo(tmp_path / "out" / ".gitignore")
    (tmp_path / ".gitignore").write_bytes(b"\xff\xfe\x00\nb.jsonl\n")
    assert found_in(tmp_path) == {name for name in FILES if not name.endswith("b.jsonl")}
