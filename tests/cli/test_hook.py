"""The hook for pre-commit runs a command that exists, over the files that hold transcripts."""

import re
from pathlib import Path

import pytest

from lighter_cli import exits, main

HOOKS = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"
FIELD = re.compile(r"^[- ] (?P<name>\w+): (?P<value>.+)$", re.MULTILINE)

pytestmark = pytest.mark.skipif(not HOOKS.is_file(), reason="hooks are read from the repository, not from an archive")


@pytest.fixture
def hook() -> dict[str, str]:
    return {found["name"]: found["value"] for found in FIELD.finditer(HOOKS.read_text(encoding="utf-8"))}


def test_the_hook_fails_on_findings_and_passes_strangers_by(
    hook: dict[str, str], files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files)
    command, *words = hook["entry"].split()
    assert command == "lighter"
    assert main.run([*words, "good.jsonl", "other.jsonl"]) == exits.OK
    assert main.run([*words, "good.jsonl", "orphan.jsonl"]) == exits.FINDINGS


@pytest.mark.parametrize(("path", "is_checked"), [("logs/a.jsonl", True), ("a.jsonl.py", False), ("a.json", False)])
def test_the_hook_takes_logs_alone(path: str, is_checked: bool, hook: dict[str, str]) -> None:
    assert bool(re.search(hook["files"], path)) is is_checked
