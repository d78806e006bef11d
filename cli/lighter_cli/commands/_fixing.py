"""What `lint --fix` and `lint --diff` do with each input: fix it in its place, or say as a patch what would be changed."""

import shutil
import sys
from collections.abc import Callable
from typing import BinaryIO

from lighter.errors import UnreadableInput
from lighter.excerpt import harmless
from lighter.fixing import Fixed, fix_stream, spooled
from lighter.fixing_diff import patch
from lighter.fixing_files import fix_file, fixed_file
from lighter.fixing_plan import Fixing
from lighter.inputs import Input, break_of, open_input
from lighter.linting import LintOptions, Report
from lighter_cli.terminal import is_terminal, note


class Fixer:
    """Fixes inputs; with `is_diff` nothing is written but a patch to standard output, where a fixed standard input goes, too."""

    def __init__(self, fixing: Fixing, *, is_diff: bool) -> None:
        self._fixing = fixing
        self._is_diff = is_diff
        self.has_changes = False

    def report(self, item: Input, options: LintOptions) -> Report:
        """Fix an input, and tell what is found in it then; raises what `lighter.fixing_files.fix_file` raises."""
        if item.path is None:
            return self._report_on_stdin(item, options)
        if self._is_diff:
            with fixed_file(item, options, self._fixing) as fixed:
                if fixed.set_aside is not None:
                    note(f"{item.name}: what cannot be read would be set aside in a file beside it")
                return self._told(fixed, lambda: open_input(item), item.name)
        fixed, aside = fix_file(item, options, self._fixing)
        with fixed:
            if aside is not None:
                note(f"{item.name}: what cannot be read was set aside in {aside}")
            return self._told(fixed, None, item.name)

    def _report_on_stdin(self, item: Input, options: LintOptions) -> Report:
        with open_input(item) as stream, spooled(stream) as opened:
            if reason := break_of(stream):
                raise UnreadableInput(item.name, f"{reason}; it was not fixed")
            with fix_stream(opened, item.name, options, self._fixing) as fixed:
                if not self._is_diff:
                    _copy(fixed.content or opened())
                return self._told(fixed, opened if self._is_diff else None, item.name)

    def _told(self, fixed: Fixed, opened: Callable[[], BinaryIO] | None, name: str) -> Report:
        """Give the report of what was fixed; print the patch, when there is a way to open the file as it was."""
        self.has_changes |= fixed.content is not None
        if opened is not None and fixed.content is not None:
            with opened() as old:
                _print_patch(old, fixed.content, name)
        fixed.report.applied = tuple(fixed.applied)
        return fixed.report


def _standard_output() -> BinaryIO:
    """Give standard output for bytes, after what was written to it as text."""
    sys.stdout.flush()
    return sys.stdout.buffer


def _copy(content: BinaryIO) -> None:
    if content.seekable():
        content.seek(0)
    out = _standard_output()
    shutil.copyfileobj(content, out, 1 << 20)
    out.flush()


def _print_patch(old: BinaryIO, new: BinaryIO, name: str) -> None:
    new.seek(0)
    if is_terminal(sys.stdout):
        for line in patch(old, new, name):
            sys.stdout.write(harmless(line.decode("utf-8", "backslashreplace").rstrip("\r\n")) + "\n")
        return
    out = _standard_output()
    for line in patch(old, new, name):
        out.write(line)
    out.flush()
