"""What `lighter explain` prints: the rules behind an error message, and the places in each file."""

from collections.abc import Iterable, Iterator, Sequence
from shlex import quote
from typing import Any

from lighter.beyond import Beyond
from lighter.excerpt import harmless
from lighter.explaining import Explanation, how_to_fix
from lighter.explaining_places import Named, Places
from lighter.inputs import STDIN
from lighter.linting import Report
from lighter.providers import TARGETS
from lighter_cli.output._cells import wrap
from lighter_cli.output._frame import frame
from lighter_cli.output._prose import WIDEST, prose
from lighter_cli.output._summary import counted
from lighter_cli.output.full import render
from lighter_cli.output.json import fields_of
from lighter_cli.terminal import Screen

Found = tuple[str, Places]
"""The name of a file, and what was found in it."""


def page(explanations: Sequence[Explanation], screen: Screen) -> Iterator[str]:
    """Say what the likeliest rule is about, and name the others."""
    first, *others = explanations
    width = min(screen.width, WIDEST)
    sections = first.module.sections
    yield screen.paint(f"{first.rule.code} {first.rule.name}: {first.rule.summary}", "bold")
    yield ""
    yield from _quoted(first, width)
    yield ""
    for title, heading in (
        ("What it means", "What"),
        ("Why it is refused", "Why it is refused"),
        ("What to do", "Fix"),
    ):
        yield screen.paint(title, "bold")
        yield from (f"  {line}" for line in prose(sections.get(heading, ""), width - 2))
        yield ""
    if told := how_to_fix(first.rule):
        yield from (f"  {line}" for line in wrap(told, width - 2))
        yield ""
    if others:
        yield screen.paint("Also behind such words", "bold")
        for other in others:
            lines = wrap(f"{other.rule.code} {other.rule.name}: {other.rule.summary}", width - 2, indent=2)
            yield from (f"  {line}" for line in lines)
        yield ""
    yield from wrap(f"see `lighter rule {first.rule.code}` for examples and sources", width)


def _quoted(told: Explanation, width: int) -> Iterator[str]:
    who = ", ".join(TARGETS[key].title if (key := name.lower()) in TARGETS else name for name in told.refusal.targets)
    yield from wrap(f"{'Said by' if told.is_sure else 'Much like what is said by'} {who}:", width)
    yield from (f"  {line}" for line in wrap(f'"{told.refusal.text}"', width - 2))
    if told.refusal.source:
        yield from (f"  {line}" for line in wrap(f"(seen in {told.refusal.source})", width - 2))


def beyond_page(beyond: Beyond, screen: Screen) -> Iterator[str]:
    """Say what an error means that no rule finds."""
    width = min(screen.width, WIDEST)
    yield screen.paint(f"No rule finds this: {beyond.title}", "bold")
    for title, text in (("What it means", beyond.meaning), ("What to do", beyond.remedy)):
        yield ""
        yield screen.paint(title, "bold")
        yield from (f"  {line}" for line in prose(text, width - 2))


def in_files(found: Iterable[Found], screen: Screen, *, is_alone: bool) -> Iterator[str]:
    """Show the places in each file; files without any are counted, but for one that `is_alone`."""
    rest, target = 0, ""
    for name, places in found:
        if is_alone or places.findings or places.named:
            yield from _in_file(name, places, screen)
        else:
            rest, target = rest + 1, places.target
    if rest:
        yield f"\nIn {counted(rest, 'file')}, judged for {target}, nothing of this is found\n"


def _in_file(name: str, places: Places, screen: Screen) -> Iterator[str]:
    yield "\n" + screen.paint(_verdict(name, places), "bold") + "\n\n"
    if places.findings:
        yield from render([Report(name, list(places.findings))], screen)
    for named in places.named:
        yield "\n".join(_shown(named, name, screen)) + "\n\n"
    word = "-" if name == STDIN else quote(harmless(name))
    fixes = {found.fix.applicability for found in places.findings if found.fix}
    if fixes:
        rules = ",".join(dict.fromkeys(found.code for found in places.findings if found.fix))
        flags = "--fix --unsafe-fixes" if "unsafe" in fixes else "--fix"
        yield f"to repair: lighter lint {word} --target {places.target} --select {rules} {flags}\n"
    if places.others:
        yield f"{counted(places.others, 'other finding')}: lighter lint {word} --target {places.target}\n"


def _verdict(name: str, places: Places) -> str:
    judged = f"In {harmless(name)}, judged for {places.target}"
    count = len(places.findings)
    if not count:
        return f"{judged}, nothing of this is found"
    told = f"{judged}: {counted(count, 'place')}"
    if 0 < places.pointed < count:
        return f"{told}, first {'those' if places.pointed > 1 else 'the one'} that the error names"
    return told


def _shown(named: Named, name: str, screen: Screen) -> Iterator[str]:
    where = f"{harmless(name)}:{named.location.row}:{named.location.column}"
    yield f"{screen.paint('info:', 'info')} the error names this message"
    yield f"  {screen.paint('-->', 'blue')} {where}  {harmless(named.path)}".rstrip()
    yield from frame([named.mark], "info", screen)


def fields(explanations: Sequence[Explanation], beyond: Beyond | None, found: Iterable[Found]) -> dict[str, Any]:
    """Give all of it as JSON."""
    return {
        "rules": [_rule(told) for told in explanations],
        "beyond_rules": {"title": beyond.title, "meaning": beyond.meaning, "remedy": beyond.remedy} if beyond else None,
        "files": [_fields_of_file(name, places) for name, places in found],
    }


def _fields_of_file(name: str, places: Places) -> dict[str, Any]:
    return {
        "filename": name,
        "target": places.target,
        "findings": [fields_of(item) | {"is_named": at < places.pointed} for at, item in enumerate(places.findings)],
        "other_findings": places.others,
        "messages": [
            {
                "location": {"row": named.location.row, "column": named.location.column},
                "path": named.path,
                "index": named.mark.index,
                "line": named.mark.line,
            }
            for named in places.named
        ],
    }


def _rule(told: Explanation) -> dict[str, Any]:
    rule, sections = told.rule, told.module.sections
    return {
        "code": rule.code,
        "name": rule.name,
        "summary": rule.summary,
        "share": told.share,
        "is_sure": told.is_sure,
        "refusal": {
            "targets": list(told.refusal.targets),
            "text": told.refusal.text,
            "source": told.refusal.source,
        },
        "meaning": sections.get("What", ""),
        "reason": sections.get("Why it is refused", ""),
        "remedy": sections.get("Fix", ""),
        "fix": {"applicability": rule.fix.applicability, "message": rule.fix.message} if rule.fix else None,
    }
