"""The hooks for pre-commit run commands that exist, over the files that hold transcripts."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from lighter_cli import exits, main

ROOT = Path(__file__).parents[2]
HOOKS = ROOT / ".pre-commit-hooks.yaml"
Hooks = dict[str, dict[str, Any]]
HOOK_IDS = ("lighter-lint", "lighter-fix")
GOOD = '{"role":"user","content":"Tide?"}\n'
ORPHAN = '{"role":"tool","tool_call_id":"call_9","content":"2.1 m"}\n'
GLUED = GOOD.replace("\n", "") + GOOD

pytestmark = pytest.mark.skipif(not HOOKS.is_file(), reason="hooks are read from the repository, not from an archive")


@pytest.fixture(scope="module")
def hooks() -> Hooks:
    return {hook["id"]: hook for hook in yaml.safe_load(HOOKS.read_text(encoding="utf-8"))}


def test_the_linting_hook_fails_on_findings_and_passes_strangers_by(
    hooks: Hooks, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files)
    command, *words = hooks["lighter-lint"]["entry"].split()
    assert command == "lighter"
    assert main.run([*words, "good.jsonl", "other.jsonl"]) == exits.OK
    assert main.run([*words, "good.jsonl", "orphan.jsonl"]) == exits.FINDINGS


@pytest.mark.parametrize("hook", HOOK_IDS)
def test_the_hooks_pass_by_what_is_excluded(
    hook: str, hooks: Hooks, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files)
    _, *words = hooks[hook]["entry"].split()
    before = Path("orphan.jsonl").read_bytes()
    Path("lighter.toml").write_text("exclude = ['orphan.jsonl', 'damaged.*']\n", encoding="utf-8")
    assert main.run([*words, "good.jsonl", "orphan.jsonl"]) == exits.OK
    assert main.run([*words, "orphan.jsonl", "damaged.jsonl"]) == exits.OK
    assert Path("orphan.jsonl").read_bytes() == before


@pytest.mark.parametrize("hook", HOOK_IDS)
def test_a_name_that_begins_with_a_dash_is_no_option(
    hook: str, hooks: Hooks, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files)
    before = Path("good.jsonl").read_bytes()
    for name in ("-ogood.jsonl", "--fail-on=never.jsonl"):
        Path(name).write_text(ORPHAN, encoding="utf-8")
        assert main.run([*hooks[hook]["entry"].split()[1:], *hooks[hook]["args"], name]) == exits.FINDINGS
    assert Path("good.jsonl").read_bytes() == before


@pytest.mark.parametrize(("path", "is_checked"), [("logs/a.jsonl", True), ("a.jsonl.py", False), ("a.json", False)])
def test_the_hooks_take_logs_alone(path: str, is_checked: bool, hooks: Hooks) -> None:
    for hook in hooks.values():
        assert bool(re.search(hook["files"], path)) is is_checked


def test_the_fixing_hook_mends_and_tells_the_rest(hooks: Hooks, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    command, *words = hooks["lighter-fix"]["entry"].split()
    assert command == "lighter"
    Path("glued.jsonl").write_text(GLUED, encoding="utf-8")
    assert main.run([*words, "glued.jsonl", "other.jsonl"]) == exits.OK
    assert Path("glued.jsonl").read_text(encoding="utf-8") == GOOD + GOOD
    assert main.run([*words, "glued.jsonl", "orphan.jsonl"]) == exits.FINDINGS


# With the real pre-commit


def run_in(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    own = {
        "PRE_COMMIT_HOME": str(folder.parent / "pre-commit"),
        **{f"GIT_{who}_{what}": "x@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | own
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a project whose hooks come from a commit of this working copy."""
    base = tmp_path_factory.mktemp("hooks")
    source, project = base / "lighter", base / "project"
    for package in ("core", "cli"):
        shutil.copytree(ROOT / package, source / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", HOOKS.name):
        shutil.copy(ROOT / name, source)
    project.mkdir()
    for folder in (source, project):
        run_in(folder, "git", "init", "-q", "-b", "main")
    run_in(source, "git", "add", "-A")
    assert run_in(source, "git", "commit", "-qm", "lighter").returncode == 0
    revision = run_in(source, "git", "rev-parse", "HEAD").stdout.strip()
    config = {"repos": [{"repo": str(source), "rev": revision, "hooks": [{"id": name} for name in HOOK_IDS]}]}
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    return project


def pre_commit(project: Path, hook: str, **contents: str) -> subprocess.CompletedProcess[str]:
    """Run a hook over logs of these contents."""
    for name, text in contents.items():
        (project / f"{name}.jsonl").write_text(text, encoding="utf-8")
    run_in(project, "git", "add", "-A")
    return run_in(project, sys.executable, "-m", "pre_commit", "run", hook, "--all-files")


@pytest.mark.slow
def test_pre_commit_runs_the_linting_hook(project: Path) -> None:
    done = pre_commit(project, "lighter-lint", good=GOOD, stranger='{"temperature":21.5}\n')
    assert done.returncode == 0, done.stdout + done.stderr
    assert "lighter lint" in done.stdout
    assert "Passed" in done.stdout
    done = pre_commit(project, "lighter-lint", orphan=ORPHAN + GOOD)
    assert done.returncode == 1
    assert "orphan.jsonl:1:" in done.stdout
    assert "P102" in done.stdout
    for text in ("ignore = ['P102']\n", "extend-exclude = ['orphan.jsonl']\n"):
        (project / "lighter.toml").write_text(text, encoding="utf-8")
        assert pre_commit(project, "lighter-lint").returncode == 0
    (project / "lighter.toml").unlink()


@pytest.mark.slow
def test_pre_commit_runs_the_fixing_hook(project: Path) -> None:
    (project / "orphan.jsonl").unlink(missing_ok=True)
    done = pre_commit(project, "lighter-fix", glued=GLUED)
    assert done.returncode == 1
    assert "files were modified by this hook" in done.stdout
    assert (project / "glued.jsonl").read_text(encoding="utf-8") == GOOD + GOOD
    done = pre_commit(project, "lighter-fix")
    assert done.returncode == 0, done.stdout + done.stderr
