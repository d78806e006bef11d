"""Proofs over material that lies outside the repository: strict SDK types, a detector of silent loss, public transcripts.

The environment variable LIGHTER_SHARED names the folder that holds it; without it these tests are skipped.
"""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from lighter import jsontext
from lighter.conversion import write
from lighter.reading import load

SHARED = Path(os.environ.get("LIGHTER_SHARED", "does-not-exist"))
ROOT = Path(__file__).parent.parent
CASES = Path(__file__).parent / "conversion_cases.jsonl"
FORMATS = ("lighter", "anthropic", "openai-chat")
FOLDERS = {"openai_chat": "openai-chat", "anthropic": "anthropic", "openai_finetune": "openai-chat"}
SUPPORTED = sorted(path for folder in FOLDERS for path in (SHARED / "corpus" / folder).glob("*"))
EVERYTHING = sorted(path for path in (SHARED / "corpus").rglob("*") if path.is_file())

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not SHARED.is_dir(), reason="LIGHTER_SHARED is not set")]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(str(ROOT / name) for name in ("core", "cli"))}


def lighter(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lighter", *map(str, words)]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        stdin=subprocess.DEVNULL,
        env=environment(),
    )


def detector(*words: str | Path) -> subprocess.CompletedProcess[str]:
    tool = SHARED / "tools" / "leaf_sensitivity.py"
    command = [sys.executable, str(tool), "--lighter", f"{sys.executable} -m lighter", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment())


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("source", ["openai-chat", "anthropic"])
def test_no_leaf_of_the_tricky_conversations_is_lost_silently(source: str, target: str) -> None:
    done = detector("--from", source, "--to", target, CASES)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", SUPPORTED, ids=lambda path: path.name)
def test_same_format_is_identity_on_public_files(path: Path) -> None:
    done = detector("--from", FOLDERS[path.parent.name], "--identity", path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def validators() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sdk_validators", SHARED / "tools" / "sdk_validators.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NAMES = {"anthropic": "anthropic", "openai-chat": "openai_chat"}
TRICKY = [
    case
    for case in map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    if case["format"] in ("openai", "anthropic")
]


@pytest.mark.parametrize("target", NAMES)
@pytest.mark.parametrize("case", TRICKY, ids=lambda case: case["id"])
@pytest.mark.filterwarnings("ignore")
def test_tricky_conversations_are_valid_by_the_sdk_types(
    case: dict[str, Any], target: str, validators: ModuleType
) -> None:
    from lighter import convert

    body = {**case.get("env", {}), "messages": case["messages"]}
    source = {"openai": "openai-chat"}.get(case["format"], case["format"])
    if source == target:
        pytest.skip("a copy")
    written = json.loads(jsontext.encode(convert(body, target, source).value))
    assert validators.validate(NAMES[target], written["messages"]) == []
    assert validators.rules(NAMES[target], written["messages"]) == []


@pytest.mark.parametrize("target", NAMES)
@pytest.mark.parametrize("path", SUPPORTED, ids=lambda path: path.name)
@pytest.mark.filterwarnings("ignore")
def test_public_files_convert_to_what_the_sdk_types_take(path: Path, target: str, validators: ModuleType) -> None:
    source = FOLDERS[path.parent.name]
    if source == target:
        pytest.skip("a copy")
    for conversation in load(path, source):
        written = json.loads(jsontext.encode(write(conversation, target).value))
        assert validators.validate(NAMES[target], written["messages"]) == []


@pytest.mark.parametrize("path", EVERYTHING, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_public_file_is_done_or_refused_in_one_line(path: Path, tmp_path: Path) -> None:
    commands: list[list[str | Path]] = [
        ["lint", path],
        ["show", path],
        ["convert", path, "--to", "lighter", "-o", tmp_path / "o"],
    ]
    for words in commands:
        done = lighter(*words)
        assert done.returncode in (0, 1, 2), done.stderr
        assert "Traceback" not in done.stderr
        assert "lighter itself failed" not in done.stderr, done.stderr


@pytest.mark.parametrize("path", SUPPORTED, ids=lambda path: path.name)
def test_public_files_of_supported_formats_are_recognised(path: Path) -> None:
    done = lighter("lint", path, "--output-format", "json")
    assert "no conversation recognised" not in done.stderr
