"""The line that ends the output for people: how much was found, in how much."""

from collections import Counter

from msgspec import Struct, field

from lighter_cli.terminal import Screen


class Tally(Struct):
    """What a run has seen so far: findings by severity, files, conversations, messages; and files that were not checked."""

    findings: Counter[str] = field(default_factory=Counter)
    files: int = 0
    files_with_findings: int = 0
    conversations: int = 0
    messages: int = 0
    failed: int = 0
    skipped: int = 0


def summary(tally: Tally, screen: Screen) -> str:
    """Sum a run up in one line; empty when there was nothing to check."""
    if not tally.files:
        return ""
    seen = f"({_count(tally.conversations, 'conversation')}, {_count(tally.messages, 'message')})"
    parts = [
        screen.paint(_count(tally.findings[severity], word), severity)
        for severity, word in (("error", "error"), ("warning", "warning"), ("info", "note"))
        if tally.findings[severity]
    ]
    if parts:
        return f"Found {', '.join(parts)} in {_count(tally.files_with_findings, 'file')} {seen}.\n"
    if tally.failed:
        return f"No findings in {_count(tally.files, 'file')} {seen}; {_count(tally.failed, 'input')} could not be checked.\n"
    return f"{screen.paint('All checks passed', 'green')} {seen}.\n"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
