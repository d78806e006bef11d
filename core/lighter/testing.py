"""For the tests of agents: `assert_valid` fails with a readable report where a provider would refuse a history."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from lighter.diagnostics import FAILING, Diagnostic, FailOn, Mark
from lighter.errors import LighterError, NotRecognised, UnknownName
from lighter.excerpt import harmless
from lighter.lint_files import lint
from lighter.rule import Mode

MOST_TOLD = 20
"""Findings that are told in full; the others are counted."""


def assert_valid(  # noqa: PLR0913, PLR0917 - the keywords of `lint`
    history: Any,
    target: str | None = None,
    mode: Mode | None = None,
    format: str | None = None,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    tools: Any = None,
    baseline: str | Path | Iterable[Diagnostic] | None = None,
    *,
    fail_on: FailOn = "error",
) -> None:
    """Raise AssertionError when `lighter.lint` finds a fault in a history; its text tells each of them, and what would help.

    `history` and the other arguments are those of `lighter.lint`: lists of messages, request bodies, SDK objects,
    conversations, or the path of a file. With a `target` the history is judged as a request to that provider. `fail_on`: the
    least severity that counts. What is no conversation at all fails, too; raises what `lint` raises for everything else.
    """
    __tracebackhide__ = True  # pytest points at the test, not in here
    if fail_on not in FAILING:
        raise UnknownName("severity to fail on", fail_on, FAILING)
    try:
        found = lint(history, target, mode, format, select, ignore, tools, baseline)
    except NotRecognised as error:
        raise AssertionError(str(error)) from None
    except LighterError as error:
        raise error.with_traceback(None) from None  # it is the test that is wrong, and not what goes on in here
    faults = [finding for finding in found if finding.severity in FAILING[fail_on]]
    if faults:
        raise AssertionError("\n".join(_told(faults, target)))


def _told(faults: Sequence[Diagnostic], target: str | None) -> Iterator[str]:
    many = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    yield f"{many} in the history{f' for {target}' if target else ''}"
    for finding in faults[:MOST_TOLD]:
        yield ""
        yield from _finding(finding)
    if len(faults) > MOST_TOLD:
        yield f"\n… and {len(faults) - MOST_TOLD} more"


def _finding(finding: Diagnostic) -> Iterator[str]:
    yield f"{finding.code} {finding.name} [{finding.severity}]: {harmless(finding.message)}"
    place = f"{finding.filename}:{finding.location.row}:{finding.location.column}" if finding.filename else ""
    if where := "  ".join(filter(None, (harmless(place), harmless(finding.path)))):
        yield f"  --> {where}"
    for mark in sorted(finding.marks, key=_index_of):
        label = f"   <-- {harmless(mark.label)}" if mark.label else ""
        yield f"  {mark.index:>3} | {harmless(mark.line)}{label}"
    advice = finding.help or (finding.fix.message if finding.fix else "")
    for label, text in (("help", advice), ("note", finding.note)):
        if text:
            yield f"  {label}: {harmless(text)}"


def _index_of(mark: Mark) -> int:
    return mark.index
