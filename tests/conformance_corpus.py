"""The corpus of defects and look-alikes: the histories of all case files, and those of them that other checkers can read."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from test_lint_cases import cases_of

CASE_FILES = (
    "lint_cases.jsonl",
    "lint_cases_more.jsonl",
    "lint_cases_providers.jsonl",
    "lint_cases_compatible.jsonl",
    "lint_cases_traps.jsonl",
)

CHAT_TARGETS = ("generic", "openai-chat", "azure-openai", "openai-finetune", "azure-finetune")
"""Targets for which a checker of OpenAI's chats may be expected to say the same."""


class Probe(Struct, frozen=True):
    """A history that every checker of its wire format can be given: a list of messages, and the tools beside them.

    `rules` names the faults, none for a look-alike. `is_row`: it is a training row, which no request need be.
    """

    id: str
    format: str
    messages: Any
    tools: Any
    rules: tuple[str, ...]
    is_row: bool = False


def cases() -> Iterator[dict[str, Any]]:
    """Yield all cases but those about logs of Claude Code."""
    for name in CASE_FILES:
        yield from (case for case in cases_of(name) if case["format"] != "claude-code")


def probes() -> list[Probe]:
    """List the histories in OpenAI's and Anthropic's wire form that stand in a list or a request."""
    return [_probe(case) for case in cases() if is_probe(case)]


def is_probe(case: dict[str, Any]) -> bool:
    """Say whether other checkers can be given a case."""
    told = case.get("input")
    wanted = CHAT_TARGETS if case["format"] == "openai-chat" else ("generic", "anthropic")
    if case["format"] not in ("openai-chat", "anthropic") or case["target"] not in wanted:
        return False
    if case["mode"] == "log" and not case["expect"]:
        return False  # what is sound as a log need not be as a request, and others know no such difference
    return isinstance(told, list) or (isinstance(told, dict) and "messages" in told)


def _probe(case: dict[str, Any]) -> Probe:
    told = case["input"]
    body = told if isinstance(told, dict) else {"messages": told}
    rules = tuple(dict.fromkeys(want["rule"] for want in case["expect"]))
    return Probe(case["id"], case["format"], body["messages"], body.get("tools"), rules, case["mode"] == "finetune")
