"""The linting of all inputs of a command line: what became of each is told in the order of file names."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from lighter.diagnostics import Diagnostic
from lighter.errors import LighterError, NotFixed, NotText, UnreadableInput
from lighter.inputs import Input, expand
from lighter.lint_files import Job, Linted, lint_all
from lighter.linting import Report
from lighter.rules import find
from lighter_cli.commands._settings import Settings
from lighter_cli.output._summary import Deed, Tally, counted
from lighter_cli.terminal import Progress, complain, note, report_crash

if TYPE_CHECKING:
    from lighter.baseline import Baseline
    from lighter_cli.commands._fixing import Fixer

MOST_NOTES = 10
"""Files passed over that are told by name; the others are counted."""


class Run:
    """The linting of all inputs, by so many processes: counts what is found and tells what could not be read."""

    def __init__(  # noqa: PLR0913 - one argument for each thing that the flags decide
        self,
        settings: Settings,
        stdin_name: str,
        workers: int,
        *,
        is_quiet: bool,
        skips: bool,
        baseline: str | Path | None = None,
        fixer: "Fixer | None" = None,
    ) -> None:
        self.tally = Tally()
        self._settings = settings
        self._known = baseline
        self._fixer = fixer
        self._workers = workers
        self._stdin_name = stdin_name
        self._is_quiet = is_quiet
        self._skips_unrecognised = skips
        self._progress = Progress(is_wanted=not is_quiet)

    def reports(self, words: Sequence[str]) -> Iterator[Report]:
        """Lint what the words name, in the order of file names; what cannot be read is told and passed over."""
        inputs, errors = expand(words, stdin_name=self._stdin_name, exclusion_of=self._settings.exclusion_of)
        for error in errors:
            self._fail(str(error))
        taken = [item for item in inputs if not self._settings.forbids(item)]
        if inputs and not taken and not self._is_quiet:
            note("nothing to lint: all that was named is excluded")
        inputs = sorted(taken, key=lambda item: item.name)
        jobs = [self._settings.of_file(item) for item in inputs]  # what is wrong with options is told first
        baseline = self._baseline(inputs)
        for item, linted in zip(inputs, self._linted(jobs), strict=True):
            self._progress.erase()
            report = self._report(item, linted)
            if report is not None and self._is_transcript(item, report):
                if baseline:
                    report.diagnostics = baseline.new(report.diagnostics)
                self._count(report)
                yield report
        if baseline:
            self._tell_known(baseline)
        if self.tally.skipped and not self.tally.files and not self._skips_unrecognised and not self.tally.failed:
            self._fail(f"no transcripts in {', '.join(words)}")

    def close(self) -> None:
        """Say what was passed over."""
        if self.tally.skipped > MOST_NOTES and not self._is_quiet:
            note(f"{self.tally.skipped - MOST_NOTES} more files skipped")

    def _baseline(self, inputs: Sequence[Input]) -> "Baseline | None":
        if self._known is None:
            return None
        from lighter.baseline import Baseline, known_findings  # noqa: PLC0415 - loaded only when there is one

        return Baseline(known_findings(self._known), [item.name for item in inputs])

    def _tell_known(self, baseline: "Baseline") -> None:
        """Say how many findings the baseline has silenced, and how many in it are there no more."""
        counts = ((baseline.silenced, "left out"), (baseline.gone, "gone"))
        told = ", ".join(f"{counted(count, 'known finding')} {what}" for count, what in counts if count)
        if told and not self._is_quiet:
            note(f"{told} ({self._known})")

    def _linted(self, jobs: Sequence[Job]) -> Iterator[Linted]:
        if self._fixer is None:
            yield from lint_all(jobs, self._workers, self._progress.tell)
            return
        for is_piped, group in groupby(jobs, self._fixer.is_for):
            if is_piped:
                yield from map(self._fixer.fixed, group)
            else:
                yield from lint_all(list(group), self._workers, self._progress.tell)

    def _report(self, item: Input, linted: Linted) -> Report | None:
        """Give the report of a file, or tell why there is none."""
        match linted.error:
            case None if linted.break_:
                self._fail(f"{item.name}: {linted.break_}; only what stands before was read")
            case None:
                pass
            case NotText() as error:
                self._pass_over(item, str(error))
            case UnreadableInput() as error:
                self._fail(str(error))
            case NotFixed() as error:
                self._fail(str(error))
            case OSError() as error:
                self._fail(f"{item.name}: {error.strerror or error}")
            case LighterError() as error:
                raise error  # the options are wrong, for every file
            case error:
                self.tally.failed += 1
                report_crash(error, item.name)
        if linted.aside is not None:
            note(f"{item.name}: what cannot be read was set aside in {linted.aside}")
        return linted.report

    def _is_transcript(self, item: Input, report: Report) -> bool:
        if not self._is_quiet:
            for text in report.notes:
                note(f"{item.name}: {text}")
        if report.is_recognised:
            return True
        self._pass_over(item, report.reason, f"; see `lighter formats --explain {item.name}`")
        return False

    def _pass_over(self, item: Input, reason: str, hint: str = "") -> None:
        """Skip a file that is no transcript with a note, or complain when it was named."""
        if item.is_walked or self._skips_unrecognised:
            self.tally.skipped += 1
            if self.tally.skipped <= MOST_NOTES and not self._is_quiet:
                note(f"skipped {reason}")
        else:
            self._fail(reason + hint)

    def _count(self, report: Report) -> None:
        self.tally.files += 1
        self.tally.files_with_findings += bool(report.diagnostics)
        self.tally.conversations += report.conversations
        self.tally.messages += report.messages
        self.tally.rows += report.rows
        self.tally.findings.update(found.severity for found in report.diagnostics)
        self.tally.fixable.update(found.fix.applicability for found in report.diagnostics if found.fix)
        self.tally.fixed.update(map(_deed_of, report.applied))
        self.tally.in_its_wake.update(map(_deed_of, report.in_its_wake))

    def _fail(self, text: str) -> None:
        self.tally.failed += 1
        complain(text)


def _deed_of(found: Diagnostic) -> Deed:
    """Tell how a repair is counted: by its rule, and by what it did where that is unsafe and not what the rule says."""
    usual = find(found.code).rule.fix
    is_usual = found.fix is None or found.fix.applicability == "safe" or (usual and found.fix.message == usual.message)
    return found.code, found.name, "" if is_usual or found.fix is None else found.fix.message
