"""The pager: what is shown flows into it as it is made, and a reader who leaves early ends the work quietly."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import IO

DEFAULT = "less -FRX"


def command_of(environment: Mapping[str, str]) -> list[str]:
    """Choose the pager: LIGHTER_PAGER, PAGER, else `less -FRX`; empty when there is none or it is `cat`."""
    chosen = next((environment[name] for name in ("LIGHTER_PAGER", "PAGER") if name in environment), DEFAULT)
    try:
        words = shlex.split(chosen)
    except ValueError:
        return []
    return words if words and words != ["cat"] and shutil.which(words[0]) else []


@contextmanager
def paged(*, is_wanted: bool) -> Iterator[IO[str]]:
    """Give the stream to write to: the pager's input, or standard output when there is no pager.

    `less` learns from LESS how to behave when it was named without options: leave if all fits, keep colours and screen.
    """
    command = command_of(os.environ) if is_wanted else []
    if not command:
        yield sys.stdout
        return
    with _ignored(getattr(signal, "SIGPIPE", None)):
        environment = {"LESS": "FRX", **os.environ}
        pager = subprocess.Popen(  # noqa: S603 - the user's own choice of program
            command, stdin=subprocess.PIPE, env=environment, text=True, encoding="utf-8", errors="backslashreplace"
        )
        if pager.stdin is None:
            raise OSError("the pager has no input")
        try:
            with suppress(BrokenPipeError):
                yield pager.stdin
        finally:
            with suppress(BrokenPipeError):
                pager.stdin.close()
            with _ignored(signal.SIGINT):  # Ctrl-C is the pager's now, until its reader leaves it
                pager.wait()


@contextmanager
def _ignored(number: signal.Signals | None) -> Iterator[None]:
    """Ignore a signal for a while; nothing happens where the system has no such signal."""
    before = None if number is None else signal.signal(number, signal.SIG_IGN)
    try:
        yield
    finally:
        if number is not None:
            signal.signal(number, before)
