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
    seen = f"({counted(tally.conversations, 'conversation')}, {counted(tally.messages, 'message')})"
    parts = [
        screen.paint(counted(tally.findings[severity], word), severity)
        for severity, word in (("error", "error"), ("warning", "warning"), ("info", "note"))
        if tally.findings[severity]
    ]
    if parts:
        return f"Found {', '.join(parts)} in {counted(tally.files_with_findings, 'file')} {seen}.\n"
    if tally.failed:
        return f"No findings in {counted(tally.files, 'file')} {seen}; {counted(tally.failed, 'input')} could not be checked.\n"
    return f"{screen.paint('All checks passed', 'green')} {seen}.\n"


def counted(number: int, word: str) -> str:
    """Say how many there are of something."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
