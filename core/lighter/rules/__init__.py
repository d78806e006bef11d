"""The rules, found by listing this folder: one module each, with RULE, a check, VALID and INVALID; its docstring is its page.

A module offers one or more of these, all optional:
    check(passage, aim)          yields the findings of a stretch of conversation
    check_record(record, value)  yields the findings of a record as JSON; asked only where a key is repeated, a number is huge, a
                                 NUL or deep nesting occurs, or the record is no object
    check_row(record, value)     yields the findings of a training row, conversation or not; asked of every record in mode finetune
    check_file(file)             yields the findings that take the whole file to see
So that ordinary messages need not be asked about, a rule says what makes a message worth a look: NEEDLES (bytes of a record, one
of which the fault needs), is_suspect(text) for the assistant's text alone (where NEEDLES stand beside it, it is asked of records
that hold one of them), or KEYS (keys that a message must all have, in chats).
Its LOOKS_BEYOND_TEXT says that a fault stands in a call, a result or media, so that it is not asked about passages that are text
alone (`Passage.is_text_alone`).
Without any of the former every message is asked about, unless the screens look for the fault (`lighter.screened`).
The reader itself finds what keeps bytes from being read (`LineFault.kind` names the rule); such a rule has no check at all, but
may have
    fix_of(fault)                tells how one such fault is repaired, where that is not as RULE.fix says
    mended(data)                 gives the text of a record with the fault repaired; without it the text is as it was read
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from lighter.diagnostics import Fix
from lighter.errors import UnknownRule
from lighter.passage import Passage
from lighter.records import LineFault, Record
from lighter.rule import Aim, Example, Finding, Rule

ALL = "ALL"
"""The selector that names every rule."""


class FileFacts(Struct):
    """What a file holds, as far as single records cannot tell.

    `format` is what the file was taken for, `target` who it is judged for. `rows` is how many records it holds, and `first` the
    first of them. `chunks` are the first records of each stream that was logged in pieces, in order, and `messages` is how many
    messages stand in the file besides. `cuts` are the records in which streams begin that do not come to their end, with the
    pointers of their first pieces.
    """

    format: str | None = None
    chunks: Sequence[Record] = ()
    messages: int = 0
    cuts: Sequence[tuple[Record, str]] = ()
    target: str = "generic"
    rows: int = 0
    first: Record | None = None


class RuleModule(Struct, frozen=True):
    """A rule with its checks, its examples and its page; `module` is where they stand."""

    rule: Rule
    module: Any
    check: Callable[[Passage, Aim], Iterator[Finding]] | None = None
    check_record: Callable[[Record, Any], Iterator[Finding]] | None = None
    check_file: Callable[[FileFacts], Iterator[Finding]] | None = None
    check_row: Callable[[Record, Any], Iterator[Finding]] | None = None

    def fix_of_fault(self, fault: LineFault) -> Fix | None:
        """Tell how a fault of the file's bytes is repaired; None when it must be mended by hand."""
        own: Callable[[LineFault], Fix | None] | None = getattr(self.module, "fix_of", None)
        return self.rule.fix if own is None else own(fault)

    @property
    def page(self) -> str:
        """The documentation: what is wrong, why, an example, the fix."""
        return self.module.__doc__ or ""

    @property
    def sections(self) -> Mapping[str, str]:
        """The documentation by its headings (`What`, `Why it is refused`, `Example`, `Fix`); the opening sentence under `""`."""
        opening, *parts = f"\n{self.page}".split("\n## ")
        titled = (part.partition("\n") for part in parts)
        return {"": opening.strip(), **{title: text.strip("\n") for title, _, text in titled}}

    @property
    def valid(self) -> tuple[Example, ...]:
        """Texts in which the rule finds nothing."""
        return tuple(self.module.VALID)

    @property
    def invalid(self) -> tuple[Example, ...]:
        """Texts in which the rule finds exactly the places that they name."""
        return tuple(self.module.INVALID)


Found = tuple[RuleModule, Finding]
"""A finding, and the rule that yields it."""


def row_findings(
    checks: Sequence[tuple[RuleModule, Callable[[Record, Any], Iterator[Finding]]]], record: Record
) -> Iterator[Found]:
    """Run the checks of training rows on a record: one row, or a document that is a list of rows."""
    value = record.value
    is_list = type(value) is list and value and all(type(row) is dict and "role" not in row for row in value)
    for prefix, row in [(f"/{index}", row) for index, row in enumerate(value)] if is_list else [("", value)]:
        for module, check in checks:
            for finding in check(record, row):
                yield module, replace(finding, path=prefix + finding.path)


@cache
def names() -> tuple[str, ...]:
    """List the rules by name, without loading them."""
    found = (entry.removesuffix(".py") for entry in os.listdir(os.path.dirname(__file__)))  # noqa: PTH120, PTH208 - pathlib costs start-up time
    return tuple(name.replace("_", "-") for name in found if name[0] != "_" and name.isidentifier())


@cache
def load(name: str) -> RuleModule:
    """Load the rule of a name that is among `names`."""
    module: Any = import_module(f"lighter.rules.{name.replace('-', '_')}")
    checks = (getattr(module, check, None) for check in ("check", "check_record", "check_file", "check_row"))
    return RuleModule(module.RULE, module, *checks)


@cache
def rules() -> tuple[RuleModule, ...]:
    """Give all rules, by code."""
    return tuple(sorted(map(load, names()), key=lambda module: module.rule.code))


@cache
def _by_name() -> Mapping[str, RuleModule]:
    return {key: module for module in rules() for key in (module.rule.name, module.rule.code)}


def find(name: str) -> RuleModule:
    """Give a rule by its code or its name; raises UnknownRule."""
    known, word = _by_name(), name.strip()
    module = known.get(word.upper()) or known.get(word.lower())
    if module is None:
        raise UnknownRule("rule", name, known)
    return module


def selected(select: Iterable[str] = (), ignore: Iterable[str] = ()) -> tuple[RuleModule, ...]:
    """Give the rules that selectors name (`P`, `P1`, `P102`, `orphan-tool-result`, `ALL`), without those that `ignore` names.

    No selector selects all. What is named more exactly wins: `select P102, ignore P` keeps P102. Raises UnknownRule.
    """
    chosen, dropped = _exactness(select or (ALL,)), _exactness(ignore)
    return tuple(
        module
        for module in rules()
        if (code := module.rule.code) in chosen and (code not in dropped or chosen[code] > dropped[code])
    )


def _exactness(selectors: Iterable[str]) -> Mapping[str, int]:
    """Tell for each code that selectors name how exactly the most exact of them names it."""
    found: dict[str, int] = {}
    for selector in selectors:
        for code, length in _named(selector):
            found[code] = max(length, found.get(code, 0))
    return found


def _named(selector: str) -> Iterator[tuple[str, int]]:
    """Yield the codes that a selector names, and how exactly it names them."""
    name = selector.strip()
    if name.upper() == ALL:
        yield from ((module.rule.code, 0) for module in rules())
        return
    if name.upper() not in _by_name() and name.lower() not in _by_name():
        matching = [module.rule.code for module in rules() if name and module.rule.code.startswith(name.upper())]
        if matching:
            yield from ((code, len(name)) for code in matching)
            return
    code = find(name).rule.code
    yield code, len(code)
