"""The line that ends the output for people: how much was found, in how much."""

from collections import Counter

from msgspec import Struct, field

from lighter_cli.terminal import Screen

Deed = tuple[str, str, str]
"""A repair, as it is counted: code and name of the rule, and what was done (empty for the usual)."""


class Tally(Struct):
    """What a run has seen so far: findings by severity, files, conversations, messages, rows that are neither; and files that were not checked.

    `fixable` counts findings by how safe their repair is, `fixed` what was repaired, by code and name of the rule and, where
    that is not what the rule usually does, by what was done; `in_its_wake` what that brought to light and was repaired, too.
    """

    findings: Counter[str] = field(default_factory=Counter)
    fixable: Counter[str] = field(default_factory=Counter)
    fixed: Counter[Deed] = field(default_factory=Counter)
    in_its_wake: Counter[Deed] = field(default_factory=Counter)
    files: int = 0
    files_with_findings: int = 0
    conversations: int = 0
    messages: int = 0
    rows: int = 0
    failed: int = 0
    skipped: int = 0


def summary(tally: Tally, screen: Screen) -> str:
    """Sum a run up: what was found, what was fixed, and what could be; empty when there was nothing to check."""
    return _found(tally, screen) + fixes_summary(tally) if tally.files else ""


def fixes_summary(tally: Tally, *, is_done: bool = True) -> str:
    """Tell what was fixed (or would be), rule by rule, and what else could be; empty when that is nothing."""
    lines = []
    count = sum(tally.fixed.values())
    if count:
        lines.append(f"{'Fixed' if is_done else 'Would fix'} {counted(count, 'finding')}: {_deeds(tally.fixed)}.\n")
    if tally.in_its_wake:
        lines.append(f"In the wake of that also: {_deeds(tally.in_its_wake)}.\n")
    safe, unsafe = tally.fixable["safe"], tally.fixable["unsafe"]
    if not is_done:
        lines += [] if count else ["Nothing would be fixed.\n"]
        safe = 0
    if safe:
        also = f" ({_unsafe(unsafe)})" if unsafe else ""
        lines.append(f"{safe} fixable with `--fix`{also}.\n")
    elif unsafe:
        lines.append(f"{_unsafe(unsafe)}.\n")
    return "".join(lines)


def _deeds(deeds: Counter[Deed]) -> str:
    """List repairs, and what they were where that is not the usual."""
    told = ((number, name, f"{code}: {done}" if done else code) for (code, name, done), number in sorted(deeds.items()))
    return ", ".join(f"{number} {name} ({more})" for number, name, more in told)


def _unsafe(count: int) -> str:
    return f"{count} unsafe {'fix' if count == 1 else 'fixes'} available with `--fix --unsafe-fixes`"


def _found(tally: Tally, screen: Screen) -> str:
    counts = [counted(tally.conversations, "conversation"), counted(tally.messages, "message")]
    if tally.rows:
        counts = [*(counts if tally.conversations else ()), counted(tally.rows, "row")]
    seen = f"({', '.join(counts)})"
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
