"""What goes to standard output when inputs are fixed: as a patch what would be changed, or standard input, fixed."""

import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import BinaryIO

from msgspec.structs import replace

from lighter.errors import UnreadableInput
from lighter.excerpt import harmless
from lighter.fixing import Fixed, fix_stream, spooled
from lighter.fixing_diff import patch
from lighter.fixing_files import fixed_file
from lighter.fixing_plan import Fixing
from lighter.inputs import Input, break_of, open_input
from lighter.lint_files import Job, Linted
from lighter.linting import LintOptions, Report
from lighter_cli.terminal import is_terminal, note


class Unprinted(OSError):
    """Standard output takes no more, whatever the input that is told there."""


class Fixer:
    """Fixes standard input; with `is_diff` nothing is written but a patch, of files as well."""

    def __init__(self, *, is_diff: bool) -> None:
        self.is_diff = is_diff
        self.has_changes = False

    def is_for(self, job: Job) -> bool:
        """Say whether a job is to be done here, not where files are fixed in their places."""
        return job.fixing is not None and (self.is_diff or job.item.path is None)

    def fixed(self, job: Job) -> Linted:
        """Fix an input, and tell what is found in it then; whatever keeps it from being fixed is the result."""
        try:
            return Linted(self._report(job.item, job.options, job.fixing or Fixing()))
        except Unprinted:
            raise
        except Exception as error:  # noqa: BLE001 - what is wrong with one file must not hide what others hold
            return Linted(error=error)

    def _report(self, item: Input, options: LintOptions, fixing: Fixing) -> Report:
        if item.path is None:
            return self._report_on_stdin(item, options, fixing)
        with fixed_file(item, options, fixing) as fixed:
            if fixed.set_aside is not None:
                note(f"{item.name}: what cannot be read would be set aside in a file beside it")
            return self._told(fixed, lambda: open_input(item), item.name)

    def _report_on_stdin(self, item: Input, options: LintOptions, fixing: Fixing) -> Report:
        with open_input(item) as stream, spooled(stream) as opened:
            if reason := break_of(stream):
                raise UnreadableInput(item.name, f"{reason}; it was not fixed")
            # Beside what is piped through there is no place where anything could be set aside.
            with fix_stream(opened, item.name, options, replace(fixing, may_set_aside=False)) as fixed:
                if not self.is_diff:
                    _copy(fixed.content or opened())
                return self._told(fixed, opened if self.is_diff else None, item.name)

    def _told(self, fixed: Fixed, opened: Callable[[], BinaryIO] | None, name: str) -> Report:
        """Give the report of what was fixed; print the patch, when there is a way to open the file as it was."""
        self.has_changes |= fixed.content is not None
        if opened is not None and fixed.content is not None:
            with opened() as old:
                _print_patch(old, fixed.content, name)
        return fixed.report


def _print(pieces: Iterable[bytes]) -> None:
    """Write bytes to standard output, after what was written to it as text."""
    out = sys.stdout.buffer
    _checked(sys.stdout.flush)
    for piece in pieces:
        _checked(partial(out.write, piece))
    _checked(out.flush)


def _checked(write: Callable[[], object]) -> None:
    try:
        write()
    except OSError as error:
        raise Unprinted(error.errno, error.strerror) from error


def _copy(content: BinaryIO) -> None:
    if content.seekable():
        content.seek(0)
    _print(iter(partial(content.read, 1 << 20), b""))


def _print_patch(old: BinaryIO, new: BinaryIO, name: str) -> None:
    new.seek(0)
    if is_terminal(sys.stdout):
        for line in patch(old, new, name):
            sys.stdout.write(harmless(line.decode("utf-8", "backslashreplace").rstrip("\r\n")) + "\n")
        return
    _print(patch(old, new, name))
