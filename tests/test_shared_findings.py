"""What lint finds in public transcripts, as logs and for each target: each finding was looked at, and is a fault of its file.

The environment variable LIGHTER_SHARED names the folder that holds them; without it these tests are skipped.
"""

import os
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path

import pytest

from lighter.errors import NotText
from lighter.inputs import Input, open_input
from lighter.linting import LintOptions, lint_stream
from lighter.providers import TARGETS

CORPUS = Path(os.environ.get("LIGHTER_SHARED", "does-not-exist")) / "corpus"
FILES = sorted(path for path in CORPUS.rglob("*") if path.is_file() and path.name != "MANIFEST.tsv")

EVERY = frozenset(TARGETS)

STRICT_IDS = EVERY - {
    "generic",
    "anthropic",
    "gemini",
    "gemini-interactions",
    "bedrock",
    "cohere",
    "ollama",
    "openai-responses",
    "llamafactory",
}
TRAINERS = frozenset({"openai-finetune", "azure-finetune"})

EXPLAINED: Mapping[tuple[str, str], tuple[AbstractSet[str], str]] = {
    ("groq/test_tool_use_failed_error.jsonl", "arguments-schema-mismatch"): (
        EVERY,
        "the model was asked to call with keys that the schema forbids, and did",
    ),
    ("openai_finetune/drone_training_first6_reduced.jsonl", "arguments-not-object"): (
        EVERY,
        "four of six calls have arguments that are JSON text within JSON text",
    ),
    ("openai_responses/test_openai_responses_history_with_combined_tool_call_id.jsonl", "undeclared-tool"): (
        EVERY,
        "the history of an agent with a tool goes to one that declares other tools",
    ),
    ("sharegpt/llamafactory_kto_en_demo.json", "leaked-template-token"): (
        EVERY - {"gemini-interactions"},
        "an answer goes on with `<|user|>` and a question that the model made up",
    ),
    ("openai_chat/test_compatible_api_with_tool_calls_without_id.jsonl", "missing-tool-id"): (
        STRICT_IDS,
        "Gemini's API in OpenAI's form answered with a call whose id is empty, which others do not take back",
    ),
    ("codex/agent-sessions_schema_drift.jsonl", "null-content"): (
        STRICT_IDS | {"anthropic", "cohere", "openai-responses", "llamafactory"},
        "what the user says stands under `message`, where no chat has it",
    ),
    ("langchain/vercel_ai_LANGGRAPH_RESPONSE_1_final_values.json", "no-messages"): (
        EVERY - {"generic", "gemini-interactions"},
        "the state of a graph that waits for a person holds no message that could be sent",
    ),
    ("openai_finetune/toy_chat_fine_tuning.jsonl", "must-start-with-user"): (
        frozenset({"bedrock"}),
        "the assistant speaks first",
    ),
}
"""The files with a fault, and the rule that finds it: the targets that mind, and what is wrong there."""

EXPLAINED_BY_TARGET: Mapping[str, tuple[AbstractSet[str], str]] = {
    "tool-id-format": (frozenset({"mistral"}), "its ids have nine letters and digits, others' are longer"),
    "user-after-tool": (frozenset({"mistral"}), "others let a user speak after a result"),
    "content-wrong-type": (
        TRAINERS,
        "several texts, or one beside reasoning, are written as parts, and a row takes text",
    ),
}
"""What is common elsewhere and minded by some targets only, in whichever file."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not CORPUS.is_dir(), reason="LIGHTER_SHARED is not set")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_only_faults_are_found(path: Path) -> None:
    """Files of formats that are not read, and binary ones, give nothing at all."""
    name = f"{path.parent.name}/{path.name}"
    for target in TARGETS:
        try:
            with open_input(Input(name, path)) as stream:
                report = lint_stream(stream, name, LintOptions(target, "log"))
        except NotText:
            return
        loud = {found.name for found in report.diagnostics if found.severity != "info"}
        loud -= {rule for rule, (minding, _) in EXPLAINED_BY_TARGET.items() if target in minding}
        assert loud == {rule for (file, rule), (minding, _) in EXPLAINED.items() if file == name and target in minding}


def test_formats_that_are_not_read_are_recognised_as_none() -> None:
    """A few files of other folders are chats all the same."""
    read = {path.parent.name for path in FILES if is_recognised(path)}
    assert read == {
        *("anthropic", "bedrock", "gemini", "groq", "langchain", "mistral", "openai_chat", "openai_finetune"),
        *("openai_responses", "langsmith", "mini_swe_agent", "sharegpt", "codex"),
    }


def is_recognised(path: Path) -> bool:
    try:
        with open_input(Input(path.name, path)) as stream:
            return lint_stream(stream, path.name, LintOptions()).is_recognised
    except NotText:
        return False
