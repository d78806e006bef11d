"""What a lint rule is made of: its description, what it yields, and what it is asked to judge."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix, Severity
from lighter.edits import Repair
from lighter.records import Record

Mode = Literal["log", "request", "finetune"]
MODES: tuple[Mode, ...] = ("log", "request", "finetune")


class Refusal(Struct, frozen=True):
    """Who refuses a fault, in which words, and where that was seen (a report, a document, an SDK).

    In the words `…` stands for anything. `is_rarer`: another rule's fault is more often behind the same words.
    """

    targets: tuple[str, ...]
    text: str
    source: str
    is_rarer: bool = False


class Rule(Struct, frozen=True, kw_only=True):
    """A rule's permanent code, its name (which states the fault), its severity per target, and its authority.

    `severity` maps a target to a severity. `generic` stands for "no target given", `generic:FORMAT` for that with one wire
    format; a target that is not named here minds the fault as its kin does (`lighter.providers.Target.kin`), or not at all, as
    those in `spares`. `formats`: the wire formats whose values the rule reads, None for all. `modes`: when it applies. `fix`: how a
    finding is repaired where it can be, unless the finding's own `repair` says otherwise.
    """

    code: str
    name: str
    summary: str
    severity: Mapping[str, Severity]
    refusals: tuple[Refusal, ...] = ()
    source: str = ""
    modes: tuple[Mode, ...] = MODES
    formats: tuple[str, ...] | None = None
    spares: tuple[str, ...] = ()
    fix: Fix | None = None
    since: str = "0.1.0"


class Aim(Struct, frozen=True):
    """What a history is judged for: the target, the mode, and the wire format that the target reads.

    `kin` is the target that decides where a rule does not name this one; None when nobody does.
    """

    target: str
    mode: Mode
    format: str
    kin: str | None = None


class Mention(Struct, frozen=True):
    """A message that the frame of a finding shows: `text` is underlined in its line (all of it when empty), with `label`."""

    message: WireMessage
    text: str = ""
    label: str = ""


class Finding(Struct, frozen=True):
    """What a rule yields: where (a pointer into a record), what is wrong, what would help, and which messages show it.

    The first mention is the faulty message, further ones the other ends of the relationship; without mentions the message
    that `path` lies in is shown. `severity` overrides the rule's own. `refusals`: what providers say to this very fault, where
    the rule's own list would be too wide. `is_secret`: no message is shown, for what is wrong with it is that it
    can be read. `repair`: the edits that mend this very fault, None when it must be mended by hand.
    """

    record: Record
    path: str
    message: str
    help: str = ""
    mentions: tuple[Mention, ...] = ()
    severity: Severity | None = None
    note: str = ""
    refusals: tuple[Refusal, ...] | None = None
    is_secret: bool = False
    repair: Repair | None = None


def severity_for(rule: Rule, aim: Aim) -> Severity | None:
    """Tell how much a target minds a rule's fault; None when the rule does not apply."""
    if aim.mode not in rule.modes or (rule.formats is not None and aim.format not in rule.formats):
        return None
    if aim.target in rule.spares:
        return None
    own = _named(rule, aim.target, aim.format)
    if own is not None or aim.kin is None:
        return own
    inherited = _named(rule, aim.kin, aim.format)
    # Without a target, `info` says that some mind: it is nothing about this one.
    return None if aim.kin == "generic" and inherited == "info" else inherited


def _named(rule: Rule, target: str, wire_format: str) -> Severity | None:
    own = rule.severity.get(f"generic:{wire_format}") if target == "generic" else None
    return own if own is not None else rule.severity.get(target)


class Example(Struct, frozen=True):
    """A rule's example as the text of a file (JSONL, or one JSON value), and the places at which the rule reports it.

    A place is a pointer into the one JSON value, or `/N` (a line, 0-based) and a pointer into that line's record.
    """

    text: str
    where: tuple[str, ...] = ()
    format: str | None = None
    target: str = "generic"
    mode: Mode | None = None
