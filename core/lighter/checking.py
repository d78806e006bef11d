"""Running the rules on what a file holds: which rule is asked about what, and the diagnostics of what they find."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from lighter.diagnostics import Diagnostic
from lighter.needles import finder
from lighter.passage import Passage
from lighter.records import LineFault, Record
from lighter.rule import Aim, Finding, severity_for
from lighter.rules import FileFacts, Found, RuleModule, row_findings, rules
from lighter.screen import is_sound
from lighter.streams import Streamed

if TYPE_CHECKING:
    from lighter.brought import Told
    from lighter.edits import Repair
    from lighter.fixable import Fixable
    from lighter.toolcheck import ToolCheck


class Mender(Protocol):
    """Who takes what can be repaired of the findings, as they are found."""

    def offer(self, diagnostic: Diagnostic, repair: "Repair", passage: Passage | None) -> None:
        """Take the repair of a finding."""
        ...

    def offer_fault(self, diagnostic: Diagnostic, fault: LineFault) -> None:
        """Take a fault of the file's bytes."""
        ...


class Checks:
    """The rules that apply to a file, and what they found so far."""

    def __init__(
        self,
        modules: Iterable[RuleModule],
        aim: Aim,
        filename: str,
        given_tools: "ToolCheck | None" = None,
        fixable: "Fixable | None" = None,
    ) -> None:
        self.aim = aim
        self.given_tools = given_tools
        self.filename = filename
        listed = tuple(modules)
        self.modules = {module.rule.name: module for module in listed if severity_for(module.rule, aim)}
        self._chosen = frozenset(module.rule.name for module in listed)
        chosen = self.modules.values()
        self.of_passages = [(module, module.check) for module in chosen if module.check]
        self.of_records = [(module, module.check_record) for module in chosen if module.check_record]
        self.of_rows = [(module, module.check_row) for module in chosen if module.check_row]
        self._searches = {
            module.rule.code: finder(module.module.NEEDLES)
            for module, _ in self.of_passages
            if hasattr(module.module, "NEEDLES")
        }
        self._beyond_text = {
            module.rule.code for module, _ in self.of_passages if hasattr(module.module, "LOOKS_BEYOND_TEXT")
        }
        self.found: list[Diagnostic] = []
        self.mender: Mender | None = None
        self.fixable = fixable
        self._listed = listed
        self._others: dict[str, Checks] = {}

    def diagnostics(self, *, is_readable: bool = True) -> list[Diagnostic]:
        """Give what was found, sorted; where nothing of the file can be read, nothing of it can be repaired."""
        if self.found:
            from lighter.grown import without_repetitions  # noqa: PLC0415 - loaded only when there is something to report
            from lighter.reporting import order_of  # noqa: PLC0415 - as above

            if self.fixable is not None:
                self.found = self.fixable.settled(self.found, is_readable=is_readable)
            self.found.sort(key=order_of)
            return without_repetitions(self.found)
        return self.found

    def judge(self, passage: Passage) -> None:
        """Run the rules on a passage; one of another format than the target's as it would be after conversion.

        What is judged for nobody in particular is judged as what it is.
        """
        passage.given_tools = self.given_tools
        if passage.format != self.aim.format and self.aim.target == "generic":
            self._of_format(passage.format).judge(passage)
            return
        found = self.found_in(passage)
        if any(one.finding.repair for one in found):
            from lighter.brought import without_new_faults  # noqa: PLC0415 - loaded only when there is something to report

            found = [*without_new_faults(found, passage, self._of_all_rules.found_in)]
        for one in found:
            if one.is_cause:
                self._tell_cause(one, passage)
            else:
                self._tell(one.module, (one.finding,), passage)

    @cached_property
    def _of_all_rules(self) -> "Checks":
        """The same with all rules, whichever were chosen; they tell nobody."""
        return Checks(rules(), self.aim, self.filename, self.given_tools)

    def found_in(self, passage: Passage) -> list["Told"]:
        """Give what the rules find in a passage, without what only follows from other things."""
        if passage.format != self.aim.format:
            return self._found_in_written(passage)
        asked = (pair for pair in self.of_passages if not self._is_needless(pair[0], passage))
        found = [(module, finding) for module, check in asked for finding in check(passage, self.aim)]
        follows = self._consequences_of(found, passage)
        return [self._told(*pair) for index, pair in enumerate(found) if index not in follows]

    def _told(self, module: RuleModule, finding: Finding, *, is_cause: bool = False) -> "Told":
        from lighter.brought import Told  # noqa: PLC0415 - loaded only when there is something to report

        severity = finding.severity or severity_for(module.rule, self.aim) or "info"
        return Told(module, finding, severity, is_cause)

    def _consequences_of(self, found: Sequence[Found], passage: Passage) -> frozenset[int]:
        """Tell which of the findings in a passage only follow from others of them."""
        if len(found) < 2:
            return frozenset()
        from lighter.consequences import consequences_of  # noqa: PLC0415 - loaded only when there is something to report

        return consequences_of(found, passage, self.aim)

    def _of_format(self, name: str) -> "Checks":
        """Give the checks of records in another format, which tell what they find here."""
        if name not in self._others:
            aim = Aim("generic", self.aim.mode, name)
            other = Checks(self._listed, aim, self.filename, self.given_tools, self.fixable)
            other.found, other.mender = self.found, self.mender
            self._others[name] = other
        return self._others[name]

    def _found_in_written(self, passage: Passage) -> list["Told"]:
        """Give what the rules find in a passage in the form of the target, and causes in place of what follows from them."""
        from lighter.causes import settled  # noqa: PLC0415 - only a target of another format needs it
        from lighter.fixing_source import repaired_in_source  # noqa: PLC0415 - as above
        from lighter.judging import judged, led_back  # noqa: PLC0415 - as above

        written = judged(passage, self.aim.format)
        written.passage.given_tools = self.given_tools
        found = (
            (module, led_back(finding, written))
            for module, check in self.of_passages
            for finding in check(written.passage, self.aim)
        )
        kept, causes = settled(found, written, self.aim.mode)
        causes = [cause for cause in causes if cause.name in self._chosen]
        told = [(cause.module, replace(cause.finding, severity=cause.severity)) for cause in causes]
        follows = self._consequences_of([*kept, *told], passage)
        left = [pair for index, pair in enumerate(kept) if index not in follows]
        return [
            *(self._told(*pair) for pair in repaired_in_source(left, passage, self.aim)),
            *(self._told(*pair, is_cause=True) for index, pair in enumerate(told, len(kept)) if index not in follows),
        ]

    def _tell_cause(self, cause: "Told", passage: Passage) -> None:
        """Tell a fault of the source's own form, in no provider's words: nobody is sent it as it stands."""
        from lighter.reporting import diagnostic_of  # noqa: PLC0415 - loaded only when there is something to report

        home = _at_home(replace(cause.finding, refusals=()), cause.module, passage)
        if home is None:
            return
        aim = Aim("generic", self.aim.mode, passage.format)
        diagnostic = diagnostic_of(cause.module.rule, home, aim, self.filename, passage)
        if diagnostic is not None and cause.severity == "error":
            diagnostic = replace(diagnostic, targets=tuple(sorted({*diagnostic.targets, self.aim.target})))
        self._add(diagnostic)
        self._offer(diagnostic, home, passage)

    def judge_record(self, record: Record, passage: Passage | None = None) -> None:
        """Run the rules that read a record as JSON, where there is anything odd about it."""
        if type(record.value) is dict and is_sound(record.value, record.data):
            return
        for module, check in self.of_records:
            self._tell(module, check(record, record.value), passage)

    def judge_row(self, record: Record) -> None:
        """Run the rules about training rows as a whole."""
        if self.of_rows:
            for module, finding in row_findings(self.of_rows, record):
                self._tell(module, (finding,), None)

    def judge_file(self, facts: FileFacts) -> None:
        """Run the rules that take the whole file to see."""
        for module in self.modules.values():
            if module.check_file:
                self._tell(module, module.check_file(facts), None)

    def tell_fault(self, fault: LineFault) -> None:
        """Tell what was wrong with the bytes of a line, where its rule applies."""
        fix, diagnostic = None, None
        if module := self.modules.get(fault.kind):
            from lighter.reporting import diagnostic_of_fault  # noqa: PLC0415 - as above

            fix = module.fix_of_fault(fault)
            diagnostic = diagnostic_of_fault(module.rule, fault, self.aim, self.filename, fix)
            self._add(diagnostic)
        if self.fixable is not None:
            self.fixable.fault(fault, fix, diagnostic)
        if self.mender and diagnostic and fix:
            self.mender.offer_fault(diagnostic, fault)

    def _is_needless(self, module: RuleModule, passage: Passage) -> bool:
        """Say whether no record holds what a rule looks for; bodies may be JSON in a string, where it hides."""
        if module.rule.code in self._beyond_text and passage.is_text_alone:
            return True
        search = self._searches.get(module.rule.code)
        if search is None:
            return False
        if passage.body is None:
            return not any(search(message.record.data) for message in passage.messages)
        listed = passage.body.listed
        is_plain = (
            isinstance(listed, list) and not passage.body.path and not any(isinstance(raw, str) for raw in listed)
        )
        return is_plain and type(passage.record) is Record and not search(passage.record.data)

    def _tell(self, module: RuleModule, findings: Iterable[Finding], passage: Passage | None) -> None:
        """Make diagnostics of the findings of a rule."""
        for finding in findings:
            from lighter.reporting import diagnostic_of  # noqa: PLC0415 - as above

            home = _at_home(finding, module, passage)
            if home is None:
                continue
            diagnostic = diagnostic_of(module.rule, home, self.aim, self.filename, passage)
            self._add(diagnostic)
            self._offer(diagnostic, home, passage)

    def _offer(self, diagnostic: Diagnostic | None, finding: Finding, passage: Passage | None) -> None:
        """Pass the repair of a finding on."""
        if diagnostic is None or finding.repair is None:
            return
        if self.fixable is not None:
            self.fixable.finding(diagnostic, finding.repair)
        if self.mender:
            self.mender.offer(diagnostic, finding.repair, passage)

    def _add(self, diagnostic: Diagnostic | None) -> None:
        if diagnostic is not None:
            self.found.append(diagnostic)


def _at_home(finding: Finding, module: RuleModule, passage: Passage | None) -> Finding | None:
    """Give a finding its place in the file: one about a joined answer stands in its first piece, if anywhere.

    What is told of another place than it was found in is not repaired there.
    """
    if not isinstance(finding.record, Streamed):
        is_elsewhere = passage is not None and type(passage.record) is not Record
        return replace(finding, repair=None) if is_elsewhere and finding.repair else finding
    from lighter.assembling import brought_home  # noqa: PLC0415 - loaded only for streams

    home = brought_home(finding, finding.record, module.rule.name, passage)
    return home and replace(home, repair=None)
