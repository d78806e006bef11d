"""From what rules and the reader found to diagnostics: severity, place, fingerprint, the frame's messages, the provider's words."""

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from lighter import jsontext
from lighter.conversation import WireMessage
from lighter.diagnostics import Diagnostic, Fix, Location, Mark
from lighter.edits import Repair
from lighter.excerpt import ID_LIMIT, line_of, short
from lighter.grown import history_of
from lighter.locate import locate
from lighter.naming import id_of
from lighter.passage import Entry, Passage
from lighter.providers import TARGETS
from lighter.records import LineFault, Record
from lighter.rule import Aim, Finding, Mention, Refusal, Rule, severity_for

DOCS = "docs/rules/"
"""Where the pages about the rules stand, from the root of this project's repository, whose own address is its host's affair."""

BEFORE, AFTER = 40, 24
"""Characters of a broken line that are shown before and from the place of the fault."""

_INDEX = re.compile(r"/\d+(?=/|$)")


def diagnostic_of(
    rule: Rule, finding: Finding, aim: Aim, filename: str, passage: Passage | None = None
) -> Diagnostic | None:
    """Tell a rule's finding; None when the target does not mind it."""
    severity = severity_for(rule, aim)
    if severity is None:
        return None
    conversation = passage.conversation if passage else None
    return Diagnostic(
        code=rule.code,
        name=rule.name,
        severity=finding.severity or severity,
        message=finding.message,
        filename=filename,
        location=locate(finding.record, finding.path),
        path=finding.path,
        targets=targets_of(rule, aim),
        fix=fix_of(rule, finding.repair),
        url=f"{DOCS}{rule.name}.md",
        fingerprint=fingerprint(
            rule.code, _path_in_message(finding.path, passage), conversation, _content_of(finding, passage)
        ),
        help=finding.help,
        note=finding.note or note_of(rule.refusals if finding.refusals is None else finding.refusals, aim),
        marks=tuple(_marks(finding, passage)) if passage and not finding.is_secret else (),
        conversation=id_of(passage) if passage else None,
        history=None if aim.mode == "finetune" else history_of(passage, finding.path),
    )


def diagnostic_of_fault(
    rule: Rule, fault: LineFault, aim: Aim, filename: str, fix: Fix | None = None
) -> Diagnostic | None:
    """Tell what was wrong with the bytes of a line; None when the target does not mind it."""
    severity = severity_for(rule, aim)
    if severity is None:
        return None
    return Diagnostic(
        code=rule.code,
        name=rule.name,
        severity=severity,
        message=fault.message,
        filename=filename,
        location=Location(fault.row, fault.column),
        path=fault.path,
        targets=targets_of(rule, aim),
        fix=fix,
        url=f"{DOCS}{rule.name}.md",
        fingerprint=fingerprint(rule.code, fault.path, None, fault.data),
        note=note_of(rule.refusals, aim),
        marks=tuple(_mark_of_line(fault)),
    )


def fix_of(rule: Rule, repair: Repair | None) -> Fix | None:
    """Tell how a finding is repaired; None when it must be mended by hand."""
    if repair is None:
        return None
    applicability = repair.applicability or (rule.fix.applicability if rule.fix else "unsafe")
    return Fix(applicability, repair.message or (rule.fix.message if rule.fix else ""))


def _mark_of_line(fault: LineFault) -> Iterator[Mark]:
    """Show the line around the place of its fault, with what stands there underlined."""
    text = fault.data.rstrip(b"\r\n").decode("utf-8", "surrogateescape")
    at = min(fault.column - 1, len(text))
    before, after = _legible(text[max(at - BEFORE, 0) : at]), _legible(text[at : at + AFTER])
    if not before and not after:
        return
    start, end = "…" if at > BEFORE else "", "…" if len(text) > at + AFTER else ""
    yield Mark(fault.row, f"{start}{before}{after}{end}", after or before[-1:], is_primary=True)


def _legible(text: str) -> str:
    r"""Show bytes that are no text as `\xe9`, and NUL as `\0`."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace").replace("\0", "\\0")


def targets_of(rule: Rule, aim: Aim) -> tuple[str, ...]:
    """Name the targets that refuse a rule's fault, the one that is aimed at among them."""
    stern = {
        target for target, severity in rule.severity.items() if severity == "error" and not target.startswith("generic")
    }
    if aim.target != "generic" and severity_for(rule, aim) == "error":
        stern.add(aim.target)
    return tuple(sorted(stern.union(*(refusal.targets for refusal in rule.refusals))))


def note_of(refusals: Sequence[Refusal], aim: Aim) -> str:
    """Quote the target's own words; without a target, those of who reads the file's format, else the first."""
    wanted = aim.format if aim.target == "generic" else aim.target
    fitting = [refusal for refusal in refusals if wanted in refusal.targets]
    chosen = fitting or (refusals if aim.target == "generic" else ())
    if not chosen:
        return ""
    refusal = chosen[0]
    who = wanted if wanted in refusal.targets else refusal.targets[0]
    return f'{TARGETS[who].provider if who in TARGETS else who} refuses this: "{refusal.text}"'


def fingerprint(code: str, path: str, conversation: str | None, content: bytes) -> str:
    """Identify a finding across versions of a file: neither rows matter, nor what else stands in the file or the conversation.

    `path` is told from the message; places in lists are left out of it, for they move when something is put before them. Nor
    do the words matter in which the fault is told. Equal faults share their fingerprint.
    """
    parts = (code, _INDEX.sub("/*", path), conversation or "")
    digest = sha256("\0".join(parts).encode("utf-8", "surrogatepass"))
    digest.update(content.rstrip(b"\r\n"))
    return digest.hexdigest()[:16]


def _content_of(finding: Finding, passage: Passage | None) -> bytes:
    """Give the text of the faulty value; none where that is a list, or holds the whole conversation: these may grow."""
    last = passage.messages[-1].path if passage and passage.messages else ""
    text = b"" if last.startswith(f"{finding.path}/") else _text_at(finding.record, finding.path)
    return b"" if text.startswith(b"[") else text


def _path_in_message(path: str, passage: Passage | None) -> str:
    """Drop from a pointer what leads to the list of messages, and the index in it."""
    last = passage.messages[-1].path if passage and passage.messages else ""
    listed = last.rpartition("/")[0] + "/"
    if not last or not path.startswith(listed):
        return path
    index, slash, rest = path.removeprefix(listed).partition("/")
    return slash + rest if index.isdecimal() else path


def _text_at(record: Record, path: str) -> bytes:
    if not path:
        return record.data
    try:
        return jsontext.encode(jsontext.value_at(record.value, path))
    except (LookupError, ValueError, TypeError, RecursionError):
        return record.data


def _marks(finding: Finding, passage: Passage) -> Iterator[Mark]:
    """Show the messages that a finding mentions, or else the one that its place lies in."""
    mentions: Sequence[Mention] = finding.mentions or tuple(_holder(finding, passage))
    for place, mention in enumerate(mentions):
        message = mention.message
        if id(message) not in passage.lines:
            passage.lines[id(message)] = line_of(message, _entries_of(message, passage))
        line = passage.lines[id(message)]
        text = short(mention.text, ID_LIMIT) if mention.text else ""
        yield Mark(message.index, line, text if text in line else "", mention.label, is_primary=place == 0)


def _holder(finding: Finding, passage: Passage) -> Iterator[Mention]:
    for message in passage.messages:
        is_within = finding.path == message.path or finding.path.startswith(message.path + "/")
        if message.record is finding.record and is_within:
            yield Mention(message)
            return


def _entries_of(message: WireMessage, passage: Passage) -> Sequence[Entry]:
    if found := passage.entries_of(message):
        return found
    from lighter.formats import read_entries  # noqa: PLC0415 - the message before a passage, rarely shown

    return tuple(read_entries(passage.format, (message,)))


def order_of(diagnostic: Diagnostic) -> tuple[Any, ...]:
    """Give the key that findings are sorted by: file, row, column, path with numbers as numbers, code."""
    keys = [
        (0, int(key), "") if key.isdecimal() and key.isascii() else (1, 0, key)
        for key in jsontext.keys_of(diagnostic.path)
    ]
    place = diagnostic.location
    return diagnostic.filename, place.row, place.column, keys, diagnostic.code, diagnostic.message
