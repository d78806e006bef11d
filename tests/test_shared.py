"""Proofs over material that lies outside the repository: strict SDK types, a detector of silent loss, public transcripts.

The environment variable LIGHTER_SHARED names the folder that holds it; without it these tests are skipped.
"""

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from command import LIGHTER, clean_environment

from lighter import convert, jsontext
from lighter.conversion import write
from lighter.envelope import open_value
from lighter.formats import writable
from lighter.reading import Reading, load
from lighter.records import Record
from lighter.source import read_records

SHARED = Path(os.environ.get("LIGHTER_SHARED", "does-not-exist"))
CASES = Path(__file__).parent / "conversion_cases.jsonl"
FOLDERS = {
    "openai_chat": "openai-chat",
    "openai_responses": "openai-responses",
    "openai_finetune": "openai-chat",
    "anthropic": "anthropic",
    "gemini": "gemini",
    "bedrock": "bedrock",
    "groq": "openai-chat",
    "mistral": "mistral",
}
SUPPORTED = sorted(path for folder in FOLDERS for path in (SHARED / "corpus" / folder).glob("*"))
OF_LANGCHAIN = sorted(path for folder in ("langchain", "langsmith") for path in (SHARED / "corpus" / folder).glob("*"))
EVERYTHING = sorted(path for path in (SHARED / "corpus").rglob("*") if path.is_file())

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not SHARED.is_dir(), reason="LIGHTER_SHARED is not set")]


MOST_RECORDS = 6
"""Records of a file that the detector is given: it converts a copy for each leaf."""


def conversing(path: Path) -> Iterator[Record]:
    """Give the records of a file that hold conversations."""
    with path.open("rb") as stream:
        for record in read_records(stream):
            if isinstance(record, Record) and open_value(record.value).bodies:
                yield record


def body_of(case: dict[str, Any], source: str) -> dict[str, Any]:
    """Give a case as a request body."""
    key = {"openai-responses": "input", "gemini": "contents"}.get(source, "messages")
    return {**case.get("env", {}), key: case["messages"]}


def lighter(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [*LIGHTER, *map(str, words)]
    return subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        stdin=subprocess.DEVNULL,
        env=clean_environment(),
    )


def detector(*words: str | Path) -> subprocess.CompletedProcess[str]:
    tool = SHARED / "tools" / "leaf_sensitivity.py"
    command = [sys.executable, str(tool), "--lighter", " ".join(LIGHTER), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=clean_environment())


def test_no_leaf_of_the_tricky_conversations_is_lost_silently() -> None:
    done = detector("--to", ",".join(writable()), CASES)
    assert done.returncode == 0, done.stdout


def test_what_the_way_back_does_not_restore_is_named() -> None:
    done = detector("--round-trip", "--to", ",".join([*LISTS, "lighter"]), CASES)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", OF_LANGCHAIN, ids=lambda path: path.name)
def test_every_file_that_langchain_and_langsmith_wrote_is_read(path: Path) -> None:
    targets = ("openai-chat", "anthropic", "gemini", "langchain")
    for words in (("lint",), ("show",), *(("convert", "--to", target) for target in targets)):
        done = lighter(*words, path)
        assert done.returncode in (0, 1), done.stderr


@pytest.mark.parametrize("path", SUPPORTED, ids=lambda path: path.name)
def test_no_leaf_of_public_files_is_lost_silently(path: Path, tmp_path: Path) -> None:
    """Each record that holds a conversation: the detector takes every record for one."""
    kept = [record.data for record in conversing(path)][:MOST_RECORDS]
    some = tmp_path / path.name
    some.write_bytes(b"".join(line.rstrip(b"\n") + b"\n" for line in kept))
    targets = [name for name in writable() if name != FOLDERS[path.parent.name]]
    done = detector("--from", FOLDERS[path.parent.name], "--to", ",".join(targets), some)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", SUPPORTED, ids=lambda path: path.name)
def test_same_format_is_identity_on_public_files(path: Path) -> None:
    done = detector("--from", FOLDERS[path.parent.name], "--identity", path)
    assert done.returncode == 0, done.stdout + done.stderr


LANGCHAIN = {
    "py/lc_dumpd": "langchain",
    "py/stored": "langchain-stored",
    "py/model_dump": "langchain-dump",
    "py/content_blocks_view": "langchain-dump",
    "js/lc_json_stringify": "langchain-js",
    "js/stored_toDict": "langchain-stored",
    "js/spread": "langchain-dump",
    "js/spread_raw": "langchain-dump",
    "js/contentBlocks_view": "langchain-dump",
}
"""Folders of messages as LangChain's packages write them, and the form of each."""


@pytest.mark.parametrize(("turn", "folder"), list(enumerate(LANGCHAIN)), ids=list(LANGCHAIN))
def test_no_leaf_of_langchain_messages_is_lost_silently(turn: int, folder: str) -> None:
    """Pieces of answers among them, too; each folder goes to some of the formats, so that all have their turn."""
    files = sorted((SHARED / "fixtures" / "langchain" / folder).glob("*.jsonl"))
    targets = writable()[turn :: len(LANGCHAIN)]
    done = detector("--from", LANGCHAIN[folder], "--join", "--to", ",".join(targets), *files)
    assert done.returncode == 0, done.stdout


@pytest.fixture(scope="session")
def validators() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sdk_validators", SHARED / "tools" / "sdk_validators.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LISTS = {
    "openai-chat": ("openai_chat", "messages"),
    "openai-responses": ("openai_responses", "input"),
    "anthropic": ("anthropic", "messages"),
    "gemini": ("gemini", "contents"),
    "gemini-interactions": ("gemini_interactions", "input"),
    "bedrock": ("bedrock", "messages"),
    "mistral": ("mistral", "messages"),
    "cohere": ("cohere", "messages"),
    "ollama": ("ollama", "messages"),
}
"""What the validators call a format, and the key of a request whose value they check."""

REQUESTS: dict[str, tuple[str, dict[str, Any]]] = {
    "openai-chat": ("openai_chat_request", {"model": "m"}),
    "anthropic": ("anthropic_request", {"model": "m", "max_tokens": 1}),
    "gemini": ("gemini_request", {}),
    "bedrock": ("bedrock_request", {"modelId": "m"}),
}
"""What they call a whole request, and what it needs besides."""

SOURCES = {"openai": "openai-chat", "openai_responses": "openai-responses"}
TRICKY = [
    pytest.param(body_of(case, source), source, target, id=f"{case['id']}-{target}")
    for case in map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    for target in LISTS
    if (source := str(SOURCES.get(case["format"], case["format"]))) != target
]
PUBLIC = [
    pytest.param(path, target, id=f"{path.name}-{target}")
    for path in SUPPORTED
    for target in LISTS
    if FOLDERS[path.parent.name] != target
]


def faults_of(written: Any, target: str, validators: ModuleType, *, with_rules: bool) -> list[str]:
    """List what is wrong with a request by the SDK's types and, where asked for, by rules that no type states."""
    value = json.loads(jsontext.encode(written))
    name, key = LISTS[target]
    found: list[str] = validators.validate(name, value[key])
    if target in REQUESTS:
        whole, needed = REQUESTS[target]
        found += validators.validate(whole, needed | value)
    return found + validators.rules(name, value[key]) if with_rules else found


@pytest.mark.parametrize(("body", "source", "target"), TRICKY)
@pytest.mark.filterwarnings("ignore")
def test_tricky_conversations_are_valid_by_the_sdk_types(
    body: dict[str, Any], source: str, target: str, validators: ModuleType
) -> None:
    """Or else it was said that the target would refuse them."""
    conversion = convert(body, target, source)
    assert faults_of(conversion.value, target, validators, with_rules=not conversion.refusals) == []


@pytest.mark.parametrize(("path", "target"), PUBLIC)
@pytest.mark.filterwarnings("ignore")
def test_public_files_convert_to_what_the_sdk_types_take(path: Path, target: str, validators: ModuleType) -> None:
    for conversation in load(path):
        if conversation.format != target:
            assert faults_of(write(conversation, target).value, target, validators, with_rules=False) == []


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
    """A few files of the chat folder hold recorded Responses."""
    with path.open("rb") as stream:
        found = Reading(stream, filename=path.name).format
    assert found == FOLDERS[path.parent.name] or (path.parent.name, found) == ("openai_chat", "openai-responses")
