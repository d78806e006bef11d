"""Findings of the linter: what a rule yields, and what the user of the library gets."""

from typing import Literal

from msgspec import Struct

Severity = Literal["error", "warning", "info"]
Applicability = Literal["safe", "unsafe"]
FailOn = Literal["error", "warning", "never"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""All of them, from the worst on."""

Unanswered = Literal["error", "drop"]
"""What becomes of a call without a result: it gets one that says there is none, or it is dropped."""

FAILING: dict[FailOn, tuple[Severity, ...]] = {"error": ("error",), "warning": ("error", "warning"), "never": ()}
"""The severities that fail a run, by the least of them."""


class Mark(Struct, frozen=True):
    """A message shown in the frame of a finding; `text` is the part of the line to underline, `label` what is said of it."""

    index: int
    line: str
    text: str = ""
    label: str = ""
    is_primary: bool = False


class Fix(Struct, frozen=True):
    """How a finding can be repaired, and whether that is safe."""

    applicability: Applicability
    message: str


class Location(Struct, frozen=True):
    """1-based row, and 1-based column in characters."""

    row: int
    column: int


class History(Struct, frozen=True):
    """What a finding stands in: sums over the messages up to each one, how many were sent, and which is at fault (-1: none)."""

    sums: tuple[int, ...]
    asked: int
    at: int


class Diagnostic(Struct, frozen=True, kw_only=True):
    """One finding, as `lint` returns it and as `--output-format json` prints it.

    `path` is a JSON Pointer inside the record at `location.row`. `targets` names those that are known to refuse it.
    `conversation` is the session id when the log tells one, `url` the page of the rule, from the root of lighter's repository,
    `marks` the messages that the frame shows, `help` the concrete change, `note` the provider's own words. `history` is what
    tells a fault that later lines of a growing log repeat.
    """

    code: str
    name: str
    severity: Severity
    message: str
    filename: str
    location: Location
    path: str
    targets: tuple[str, ...] = ()
    fix: Fix | None = None
    url: str = ""
    fingerprint: str = ""
    help: str = ""
    note: str = ""
    marks: tuple[Mark, ...] = ()
    conversation: str | None = None
    history: History | None = None


class Tally(Struct):
    """What was found in a part of a file, and what was read of it; `sessions` is how many began, `bodies` counts the others.

    `undone` is how many messages were taken back; `has_chunks`: pieces of streams were among the records.
    """

    found: list[Diagnostic]
    values: int
    rows: int
    messages: int
    bodies: int
    sessions: int
    strangers: int
    undone: int
    has_chunks: bool
