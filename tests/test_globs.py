"""Patterns name the files that .gitignore would name: git itself is asked."""

import subprocess
from pathlib import Path

import pytest

from lighter.globs import matches

NAMES = (
    "a.jsonl",
    "logs/a.jsonl",
    "logs/deep/er/a.jsonl",
    "logs/b.jsonl",
    "old/logs/a.jsonl",
    "old/train_1.jsonl",
    "train_12.jsonl",
    "x[1].jsonl",
    "日誌/a.jsonl",
)
PATTERNS = (
    *(
        "a.jsonl",
        "*.jsonl",
        "/a.jsonl",
        "logs",
        "logs/",
        "/logs",
        "logs/*",
        "logs/*.jsonl",
        "logs/**",
        "logs/**/a.jsonl",
    ),
    *(
        "**/logs/a.jsonl",
        "**/a.jsonl",
        "old/**/a.jsonl",
        "train_?.jsonl",
        "train_[0-9].jsonl",
        "[!a].jsonl",
        "x[[]1].jsonl",
    ),
    *(
        "nothing",
        "*/a.jsonl",
        "l*s/deep",
        "日誌/*",
        "**",
        "a.jsonl/",
        "*.jsonl/",
        "lo**s",
        "old/**.jsonl",
        "logs/**er/a.jsonl",
    ),
    *(
        "x\\[1].jsonl",
        "[^a].jsonl",
        "[]a-b].jsonl",
        "logs[/]a.jsonl",
        "log[^x]/b.jsonl",
        "[\\a].jsonl",
        "***/a.jsonl",
        "\\",
    ),
    *("old/**/*", "**/deep/**", "/**/a.jsonl", "/logs/", "//logs", "a.json\\l", "[a", "x[", "old\\/logs"),
)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", folder], check=True)
    for name in NAMES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_match_as_in_gitignore(pattern: str, repository: Path) -> None:
    (repository / ".gitignore").write_text(pattern + "\n", encoding="utf-8")
    done = subprocess.run(
        ["git", "-c", "core.quotepath=off", "check-ignore", "--no-index", "--stdin", "-z"],
        cwd=repository,
        input="\0".join(NAMES),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    ignored = set(filter(None, done.stdout.split("\0")))
    assert {name for name in NAMES if matches(name, pattern)} == ignored
