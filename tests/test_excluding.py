"""What is excluded where folders are searched, and from where patterns count."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from lighter.config import Config
from lighter.excluding import NEVER_SEARCHED, Exclusion, exclusion_of
from lighter.inputs import expand

NAMES = ("a.jsonl", "b.jsonl", "logs/a.jsonl", "logs/deep/b.jsonl", "venv/a.jsonl", "x/node_modules/a.jsonl")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in NAMES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(exclusion: Exclusion, word: str = ".") -> set[str]:
    inputs, _ = expand([word], exclusion_of=lambda _: exclusion)
    return {os.path.relpath(item.name).replace(os.sep, "/") for item in inputs}


OURS = {name for name in NAMES if not any(part in name.split("/") for part in NEVER_SEARCHED)}


@pytest.mark.parametrize(
    ("said", "flags", "left"),
    [
        ({}, {}, OURS),
        ({"exclude": ()}, {}, set(NAMES)),
        ({"exclude": ("b.jsonl",)}, {}, set(NAMES) - {"b.jsonl", "logs/deep/b.jsonl"}),
        ({"extend_exclude": ("/b.jsonl",)}, {}, OURS - {"b.jsonl"}),
        ({"extend_exclude": ("b.jsonl/", "logs/*/")}, {}, OURS - {"logs/deep/b.jsonl"}),
        ({"exclude": ("logs",), "extend_exclude": ("a.jsonl",)}, {"exclude": ["deep"]}, set(NAMES) - {"logs/deep/b.jsonl"}),
        ({"exclude": ("logs",)}, {"extend_exclude": ["venv/"]}, {"a.jsonl", "b.jsonl", "x/node_modules/a.jsonl"}),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("folder")
def test_what_is_excluded_is_passed_over(said: dict[str, Any], flags: dict[str, Any], left: set[str]) -> None:
    assert found(exclusion_of(Config(**said), ".", **flags)) == left


def test_patterns_count_from_their_configuration_and_those_of_flags_from_here(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder / "logs")
    exclusion = exclusion_of(Config(extend_exclude=("/b.jsonl",)), "..", extend_exclude=["/a.jsonl"])
    assert found(exclusion, "..") == {"../a.jsonl", "deep/b.jsonl"}


def test_patterns_may_begin_with_their_folder(folder: Path) -> None:
    assert found(exclusion_of(extend_exclude=["./b.jsonl", f"{folder}/logs/"])) == {"a.jsonl"}


def test_a_folder_that_is_named_is_searched(folder: Path) -> None:
    exclusion = exclusion_of(Config(extend_exclude=("logs", "venv")), str(folder))
    assert found(exclusion, "logs") == {"logs/a.jsonl", "logs/deep/b.jsonl"}
    assert found(exclusion, "venv") == {"venv/a.jsonl"}


@pytest.mark.parametrize(
    ("pattern", "forbidden"),
    [
        ("logs", ["logs/a.jsonl", "logs/deep/b.jsonl"]),
        ("logs/deep/", ["logs/deep/b.jsonl"]),
        ("b.jsonl", ["b.jsonl", "logs/deep/b.jsonl"]),
        ("b.jsonl/", []),
        ("venv", ["venv/a.jsonl"]),
    ],
)
def test_files_may_be_excluded_even_where_they_are_named(pattern: str, forbidden: Iterable[str], folder: Path) -> None:
    exclusion = exclusion_of(Config(exclude=(pattern,)), ".")
    assert [name for name in NAMES if exclusion.forbids(str(folder / name))] == forbidden


def test_where_a_project_stands_excludes_nothing_of_it(tmp_path: Path) -> None:
    exclusion = exclusion_of(Config(), str(tmp_path / "venv" / "project"))
    assert not exclusion.forbids(str(tmp_path / "venv" / "project" / "a.jsonl"))
    assert exclusion.forbids(str(tmp_path / "venv" / "other" / "a.jsonl"))


@pytest.mark.usefixtures("folder")
def test_what_was_left_out_is_told_where_nothing_is_left() -> None:
    found, [error] = expand(["logs"], exclusion_of=lambda _: exclusion_of(exclude=["*.jsonl", "deep"]))
    assert found == []
    assert str(error).endswith("in its folders too; 2 excluded)")
