"""Histories seen in public reports, each with the findings that it must give, or none; see `evidence` in the case file."""

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest

from lighter.linting import LintOptions, lint_stream
from lighter.providers import TARGETS


def cases_of(name: str) -> list[dict[str, Any]]:
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


JUDGED = (
    *("openai-chat", "anthropic", "gemini", "bedrock", "mistral", "cohere", "ollama", "lighter"),
    *("langchain", "langchain-dump", "langchain-js", "langchain-stored"),
)
"""The formats that there are rules for."""

CASES = cases_of("lint_cases.jsonl")
MORE_CASES = cases_of("lint_cases_more.jsonl") + cases_of("lint_cases_providers.jsonl")
"""Variants of the same faults in other layouts and positions, and as many sound histories that resemble them."""


def is_supported(case: dict[str, Any]) -> bool:
    return case["format"] in (*JUDGED, "jsonl") and case["target"] in ("generic", *TARGETS)


def data_of(case: dict[str, Any]) -> bytes:
    if "input" in case:
        return json.dumps(case["input"]).encode()
    if "input_text" in case:
        return bytes(case["input_text"].encode("utf-8", "surrogatepass"))
    return base64.b64decode(case["input_b64"])


def findings(case: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Give rule, place and severity of what is loud; a place in a raw file begins with its line, 0-based."""
    name = f"{case['id']}{'.json' if 'input' in case else '.jsonl'}"
    options = LintOptions(case["target"], case["mode"], None if case["format"] == "jsonl" else case["format"])
    report = lint_stream(io.BytesIO(data_of(case)), name, options)
    found = []
    for item in report.diagnostics:
        is_whole = item.name in ("utf8-bom", "empty-file", "json-array-file")  # these concern the file
        row = "" if "input" in case or is_whole else f"/{item.location.row - 1}"
        found += [(item.name, row + item.path, item.severity)] if item.severity != "info" else []
    return sorted(found)


@pytest.mark.parametrize(
    "case", [case for case in CASES + MORE_CASES if is_supported(case)], ids=lambda case: case["id"]
)
def test_reported_histories_give_what_they_must(case: dict[str, Any]) -> None:
    expected = sorted((want["rule"], want["where"], want["severity"]) for want in case["expect"])
    assert findings(case) == expected, case["evidence"]


def test_most_cases_are_run() -> None:
    assert sum(map(is_supported, CASES)) >= 87
    assert all(map(is_supported, MORE_CASES))
    assert sum(not case["expect"] for case in MORE_CASES) >= 200


@pytest.mark.parametrize("target", ["generic", "openai-chat", "anthropic"])
def test_a_credential_is_never_repeated(target: str) -> None:
    secret = "ghp_" + "1A9bQ7xkL2mZ0pR4tVw6Yc8Ed3Fg5Hj1KnWs"
    data = json.dumps([{"role": "user", "content": f"Push with {secret} please"}]).encode()
    (found,) = lint_stream(io.BytesIO(data), "a.json", LintOptions(target, "log", "openai-chat")).diagnostics
    assert found.name == "secret-in-content"
    assert secret not in repr(found)
