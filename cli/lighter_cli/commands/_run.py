"""The linting of all inputs of a command line, one after the other."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lighter.errors import LighterError, NotFixed, NotText, UnreadableInput
from lighter.inputs import COMPRESSED_SUFFIXES, Input, break_of, expand, open_input
from lighter.linting import LintOptions, Report, lint_stream
from lighter_cli.output._summary import Tally, counted
from lighter_cli.terminal import Progress, complain, note, report_crash

if TYPE_CHECKING:
    from lighter.baseline import Baseline

MOST_NOTES = 10
"""Files passed over that are told by name; the others are counted."""


class Run:
    """The linting of all inputs, one after the other: counts what is found and tells what could not be read."""

    def __init__(  # noqa: PLR0913 - one argument for each thing that the flags decide
        self,
        options_of: Callable[[Input], LintOptions],
        stdin_name: str,
        *,
        is_quiet: bool,
        skips_unrecognised: bool,
        baseline: str | Path | None = None,
        fix: Callable[[Input, LintOptions], Report] | None = None,
    ) -> None:
        self.tally = Tally()
        self._options_of = options_of
        self._known = baseline
        self._fix = fix
        self._stdin_name = stdin_name
        self._is_quiet = is_quiet
        self._skips_unrecognised = skips_unrecognised
        self._progress = Progress(is_wanted=not is_quiet)

    def reports(self, words: Sequence[str]) -> Iterator[Report]:
        """Lint what the words name, in the order of file names; what cannot be read is told and passed over."""
        inputs, errors = expand(words, stdin_name=self._stdin_name)
        for error in errors:
            self._fail(str(error))
        inputs.sort(key=lambda item: item.name)
        todo = [(item, self._options_of(item)) for item in inputs]  # what is wrong with options is told before all else
        baseline = self._baseline(inputs)
        for item, options in todo:
            report = self._report(item, options)
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

    def _report(self, item: Input, options: LintOptions) -> Report | None:
        try:
            if self._fix is not None:
                return self._fix(item, options)
            size = item.path.stat().st_size if item.path and item.path.suffix not in COMPRESSED_SUFFIXES else None
            with open_input(item) as stream:
                report = lint_stream(
                    stream, item.name, options, lambda done: self._progress.tell(item.name, done, size)
                )
                if reason := break_of(stream):
                    self._progress.erase()
                    self._fail(f"{item.name}: {reason}; only what stands before was read")
                return report
        except NotText as error:
            self._pass_over(item, str(error))
        except UnreadableInput as error:
            self._fail(str(error))
        except OSError as error:
            self._fail(f"{item.name}: {error.strerror or error}")
        except NotFixed as error:
            self._fail(str(error))
        except LighterError:
            raise  # the options are wrong, for every file
        except Exception as error:  # noqa: BLE001 - a fault of lighter in one file must not hide what others hold
            self.tally.failed += 1
            report_crash(error, item.name)
        finally:
            self._progress.erase()
        return None

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
        self._progress.erase()
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
        self.tally.findings.update(found.severity for found in report.diagnostics)
        self.tally.fixable.update(found.fix.applicability for found in report.diagnostics if found.fix)
        self.tally.fixed.update((found.code, found.name) for found in report.applied)

    def _fail(self, text: str) -> None:
        self.tally.failed += 1
        complain(text)
