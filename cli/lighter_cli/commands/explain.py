"""`lighter explain`: says which faults are behind a provider's error message, what to do, and where in a file they are."""

import os
import sys
from collections.abc import Iterator, Sequence
from shlex import quote
from typing import Annotated, Any, Literal

import typer

from lighter.beyond import Beyond
from lighter.errors import LighterError
from lighter.excerpt import harmless
from lighter.explaining import Explanation, beyond_rules, how_to_fix
from lighter.explaining import explain as explained
from lighter.explaining_places import Named, Places, find_places
from lighter.inputs import Input, expand
from lighter.linting import Report
from lighter.providers import TARGETS
from lighter.rule import Mode
from lighter_cli import exits
from lighter_cli.output._cells import wrap
from lighter_cli.output._frame import frame
from lighter_cli.output._prose import WIDEST, prose
from lighter_cli.output.full import render
from lighter_cli.output.json import fields_of, text_of
from lighter_cli.terminal import Color, Screen, complain, is_terminal, screen_of

EXAMPLES = (
    'lighter explain "messages.3.content.1.tool_use.id: String should match pattern"',
    'lighter explain "$ERROR" request.json --target anthropic',
    "tail -50 agent.log | lighter explain - history.jsonl",
)


def explain(  # noqa: PLR0913 - one parameter for each flag
    error: Annotated[
        str | None, typer.Argument(metavar="ERROR", help="The provider's error message; - is standard input.")
    ] = None,
    file: Annotated[str | None, typer.Argument(metavar="FILE", help="The transcript that was refused.")] = None,
    *,
    source_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="The format of the file, instead of detecting it.")
    ] = None,
    target: Annotated[
        str | None, typer.Option(metavar="TARGET", help="Who sent the error, instead of telling it from the words.")
    ] = None,
    mode: Annotated[Mode | None, typer.Option(help="What the file is: a record, a request or training rows.")] = None,
    output_format: Annotated[Literal["text", "json"], typer.Option(help="How to print.")] = "text",
    color: Annotated[Color, typer.Option(help="When to use colour.")] = "auto",
) -> int:
    """Explain a provider's error message.

    Says which fault of a history is behind it and what to do, and shows the places in a file. The message may be pasted as it
    came: in JSON, with a traceback around it, cut short. What is not about the history but about limits, keys or models is told as
    that. The exit status is 0, or 1 when the fault is found in the file, and 2 when the message is about no history, or unknown.
    """
    text = _asked(error, file)
    if not text.strip():
        raise LighterError("the error message is empty (see 'lighter explain --help')")
    explanations = explained(text)
    place = _input(file) if file is not None else None
    places = None
    if place is not None and explanations:
        places = find_places(explanations, text, place, target=target, mode=mode, format=source_format)
    beyond = None if explanations else beyond_rules(text)
    if output_format == "json":
        sys.stdout.write(text_of(_fields(explanations, place, places) | _beyond_fields(beyond)) + "\n")
    elif beyond:
        sys.stdout.writelines(line + "\n" for line in _beyond_page(beyond, screen_of(sys.stdout, color)))
    elif explanations:
        sys.stdout.writelines(line + "\n" for line in _page(explanations, screen_of(sys.stdout, color)))
        if place is not None and places is not None:
            sys.stdout.writelines(_in_file(place, places, screen_of(sys.stdout, color)))
    if not explanations and not beyond:
        complain(_unknown(text))
    if not explanations and not (beyond and beyond.is_about_history):
        return exits.FAILED
    return exits.FINDINGS if places and places.findings else exits.OK


def _asked(error: str | None, file: str | None) -> str:
    """Give the text of the error message, from the command line or from standard input."""
    if error is not None and error != "-":
        return error
    if error is None and (sys.stdin is None or is_terminal(sys.stdin)):
        raise LighterError("paste an error message in quotes, or pipe one in (see 'lighter explain --help')")
    if file == "-":
        raise LighterError("standard input can be the error message or the file, not both")
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def _input(word: str) -> Input:
    """Give the one file that a word names; raises LighterError where it names none or many."""
    inputs, errors = expand([word])
    if errors:
        raise errors[0]
    if len(inputs) != 1:
        raise LighterError(f"{word}: name one file")
    return inputs[0]


def _unknown(text: str) -> str:
    if os.path.isfile(text):  # noqa: PTH113 - any text may be asked about, and pathlib raises for one that is too long
        return f"{text} is a file: give the error message itself, or pipe the file in with 'lighter explain -'"
    return (
        "no rule is known for this error: it is not about a history, or nobody has recorded its words yet."
        " `lighter lint FILE --target TARGET` says what TARGET would refuse"
    )


def _page(explanations: Sequence[Explanation], screen: Screen) -> Iterator[str]:
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
    who = ", ".join(TARGETS[name].title if name in TARGETS else name for name in told.refusal.targets)
    yield from wrap(f"{'Said by' if told.is_sure else 'Much like what is said by'} {who}:", width)
    yield from (f"  {line}" for line in wrap(f'"{told.refusal.text}"', width - 2))
    if told.refusal.source:
        yield from (f"  {line}" for line in wrap(f"(seen in {told.refusal.source})", width - 2))


def _beyond_page(beyond: Beyond, screen: Screen) -> Iterator[str]:
    width = min(screen.width, WIDEST)
    yield screen.paint(f"No rule finds this: {beyond.title}", "bold")
    for title, text in (("What it means", beyond.meaning), ("What to do", beyond.remedy)):
        yield ""
        yield screen.paint(title, "bold")
        yield from (f"  {line}" for line in prose(text, width - 2))


def _beyond_fields(beyond: Beyond | None) -> dict[str, Any]:
    told = {"title": beyond.title, "meaning": beyond.meaning, "remedy": beyond.remedy} if beyond else None
    return {"beyond_rules": told}


def _in_file(place: Input, places: Places, screen: Screen) -> Iterator[str]:
    yield "\n" + screen.paint(_verdict(place, places), "bold") + "\n\n"
    if places.findings:
        yield from render([Report(place.name, list(places.findings))], screen)
    for named in places.named:
        yield "\n".join(_shown(named, place, screen)) + "\n\n"
    name = quote(harmless(place.name))
    fixes = {found.fix.applicability for found in places.findings if found.fix}
    if fixes:
        rules = ",".join(dict.fromkeys(found.code for found in places.findings if found.fix))
        flags = "--fix --unsafe-fixes" if "unsafe" in fixes else "--fix"
        yield f"to repair: lighter lint {name} --target {places.target} --select {rules} {flags}\n"
    if places.others:
        rest = f"{places.others} other finding{'s' * (places.others > 1)}"
        yield f"{rest}: lighter lint {name} --target {places.target}\n"


def _verdict(place: Input, places: Places) -> str:
    judged = f"In {harmless(place.name)}, judged for {places.target}"
    count = len(places.findings)
    if not count:
        return f"{judged}, nothing of this is found"
    told = f"{judged}: {count} place{'s' * (count > 1)}"
    if 0 < places.pointed < count:
        return f"{told}, first {'those' if places.pointed > 1 else 'the one'} that the error names"
    return told


def _shown(named: Named, place: Input, screen: Screen) -> Iterator[str]:
    where = f"{harmless(place.name)}:{named.location.row}:{named.location.column}"
    yield f"{screen.paint('info:', 'info')} the error names this message"
    yield f"  {screen.paint('-->', 'blue')} {where}  {harmless(named.path)}".rstrip()
    yield from frame([named.mark], "info", screen)


def _fields(explanations: Sequence[Explanation], place: Input | None, places: Places | None) -> dict[str, Any]:
    fields: dict[str, Any] = {"rules": [_rule(told) for told in explanations]}
    if place is not None and places is not None:
        fields |= {
            "filename": place.name,
            "target": places.target,
            "findings": [
                fields_of(item) | {"is_named": at < places.pointed} for at, item in enumerate(places.findings)
            ],
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
    return fields


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
