"""What lint finds in public transcripts, as logs of their own format: each finding was looked at, and is a fault of its file.

The environment variable LIGHTER_SHARED names the folder that holds them; without it these tests are skipped.
"""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from lighter.errors import NotText
from lighter.inputs import Input, open_input
from lighter.linting import LintOptions, lint_stream

CORPUS = Path(os.environ.get("LIGHTER_SHARED", "does-not-exist")) / "corpus"
FILES = sorted(path for path in CORPUS.rglob("*") if path.is_file() and path.name != "MANIFEST.tsv")

EXPLAINED: Mapping[str, tuple[str, str]] = {
    "groq/test_tool_use_failed_error.jsonl": (
        "arguments-schema-mismatch",
        "the model was asked to call with keys that the schema forbids, and did",
    ),
    "openai_finetune/drone_training_first6_reduced.jsonl": (
        "arguments-not-object",
        "four of six calls have arguments that are JSON text within JSON text",
    ),
    "openai_responses/test_openai_responses_history_with_combined_tool_call_id.jsonl": (
        "undeclared-tool",
        "the history of an agent with a tool goes to one that declares other tools",
    ),
    "sharegpt/llamafactory_kto_en_demo.json": (
        "leaked-template-token",
        "an answer goes on with `<|user|>` and a question that the model made up",
    ),
}
"""The files with a fault: the rule that finds it, and what is wrong there."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not CORPUS.is_dir(), reason="LIGHTER_SHARED is not set")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_only_faults_are_found(path: Path) -> None:
    """Files of formats that are not read, and binary ones, give nothing at all."""
    name = f"{path.parent.name}/{path.name}"
    try:
        with open_input(Input(name, path)) as stream:
            report = lint_stream(stream, name, LintOptions())
    except NotText:
        return
    loud = {found.name for found in report.diagnostics if found.severity != "info"}
    assert loud == ({EXPLAINED[name][0]} if name in EXPLAINED else set())
