"""`lighter rule`: prints the page of a rule, from the same words that its module opens with."""

import sys
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

import typer

from lighter import rules
from lighter.errors import LighterError
from lighter.explaining import how_to_fix
from lighter.explaining_severity import by_severity, severities
from lighter.jsontext import encode_text
from lighter.providers import TARGETS
from lighter.repaired import change_of, repaired, shortest
from lighter.rule import Rule
from lighter.rules import RuleModule
from lighter_cli import exits
from lighter_cli.output._cells import wrap
from lighter_cli.output._prose import WIDEST, example, prose
from lighter_cli.output.json import array
from lighter_cli.terminal import Screen, screen_of

EXAMPLES = ("lighter rule P101", "lighter rule missing-tool-result", "lighter rule --all --output-format json")


def rule(
    name: Annotated[str | None, typer.Argument(metavar="CODE|NAME", help="A rule's code or name.")] = None,
    all_rules: Annotated[bool, typer.Option("--all", help="Print every rule.")] = False,
    output_format: Annotated[Literal["text", "json"], typer.Option(help="How to print.")] = "text",
) -> int:
    """Explain a rule.

    Its page tells what it finds, why that is refused and in which words, and how to repair it.
    """
    if all_rules == (name is not None):
        raise LighterError("name one rule by its code or name, or give --all (see 'lighter rule --help')")
    asked = rules.rules() if all_rules else (rules.find(name or ""),)
    screen = screen_of(sys.stdout)
    if output_format == "json":
        objects = map(_fields_of, asked)
        sys.stdout.writelines(array(objects) if all_rules else [encode_text(next(objects)) + "\n"])
    else:
        for number, module in enumerate(asked):
            sys.stdout.writelines(["\n"] if number else [])
            sys.stdout.writelines(line + "\n" for line in _page(module, screen))
    return exits.OK


def _page(module: RuleModule, screen: Screen) -> Iterator[str]:
    rule = module.rule
    yield screen.paint(f"{rule.code} {rule.name}", "bold")
    for heading, text in module.sections.items():
        yield ""
        if heading:
            yield screen.paint(heading, "bold")
        lines = example(text) if heading == "Example" else prose(text, min(screen.width, WIDEST) - 2)
        yield from (f"  {line}".rstrip() if heading else line for line in lines)
    if told := how_to_fix(rule):
        yield ""
        yield from (f"  {line}" for line in wrap(told, min(screen.width, WIDEST) - 2))
        yield from _repair(module, screen)
    yield ""
    yield from _severities(rule, screen)
    yield from _refusals(rule, screen)
    if rule.source and rule.source not in [refusal.source for refusal in rule.refusals]:
        yield from _section("Source", [rule.source], screen)


def _repair(module: RuleModule, screen: Screen) -> Iterator[str]:
    """Show an example before and after its repair."""
    one = shortest(module)
    if one is not None:
        yield ""
        colours = {"-": "red", "+": "green"}
        yield from (
            f"    {screen.paint(line, colours[line[0]]) if line[0] in colours else line}" for line in change_of(one)
        )


def _severities(rule: Rule, screen: Screen) -> Iterator[str]:
    told = by_severity(rule)
    widest = max(map(len, told))
    lines = []
    for severity, names in told.items():
        first, *rest = wrap(_named(names), min(screen.width, WIDEST) - widest - 4)
        lines.append(f"{screen.paint(severity, severity)}{' ' * (widest - len(severity))}  {first}")
        lines += [f"{'':{widest}}  {line}" for line in rest]
    formats = f"; formats {', '.join(rule.formats)}" if rule.formats else ""
    lines += wrap(f"(modes {', '.join(rule.modes)}{formats}; since {rule.since})", min(screen.width, WIDEST) - 2)
    yield from _section("Severity by target", lines, screen)


def _named(names: Sequence[str]) -> str:
    """List targets; without one the severity may hold for some formats of files only."""
    formats = [name.removeprefix("generic:") for name in names if name.startswith("generic:")]
    told = ["no target" if name == "generic" else name for name in names if not name.startswith("generic:")]
    return ", ".join(told + ([f"no target (in {', '.join(formats)})"] if formats else []))


def _refusals(rule: Rule, screen: Screen) -> Iterator[str]:
    if not rule.refusals:
        return
    width = min(screen.width, WIDEST) - 4
    lines = []
    for refusal in rule.refusals:
        titles = ", ".join(TARGETS[key].title if (key := name.lower()) in TARGETS else name for name in refusal.targets)
        lines += [f"{titles}:", *(f"  {line}" for line in wrap(f'"{refusal.text}"', width))]
        lines += [f"  {line}" for line in wrap(f"(seen in {refusal.source})", width)] if refusal.source else []
    yield from _section("Said by", lines, screen)


def _section(title: str, lines: list[str], screen: Screen) -> Iterator[str]:
    yield screen.paint(title, "bold")
    yield from (f"  {line}" for line in lines)
    yield ""


def _fields_of(module: RuleModule) -> dict[str, Any]:
    rule = module.rule
    refusals = [{"targets": list(r.targets), "text": r.text, "source": r.source} for r in rule.refusals]
    return {
        "code": rule.code,
        "name": rule.name,
        "summary": rule.summary,
        "severity": dict(severities(rule)),
        "modes": list(rule.modes),
        "formats": list(rule.formats) if rule.formats is not None else None,
        "refusals": refusals,
        "source": rule.source,
        "fix": {"applicability": rule.fix.applicability, "message": rule.fix.message} if rule.fix else None,
        "since": rule.since,
        "explanation": module.page.strip(),
        "examples": {
            "valid": [example.text for example in module.valid],
            "invalid": _invalid(module),
        },
    }


def _invalid(module: RuleModule) -> list[dict[str, Any]]:
    """Give the examples in which the rule finds something, each with what its repair makes of it."""
    done = {id(one.example): {"applicability": one.applicability, "text": one.after} for one in repaired(module)}
    return [
        {
            "text": example.text,
            "where": list(example.where),
            "format": example.format,
            "target": example.target,
            "fixed": done.get(id(example)),
        }
        for example in module.invalid
    ]
