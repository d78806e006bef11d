"""Fixing: the repairs of what the linter finds, applied to a file or a value until nothing more can be repaired."""

import contextlib
import io
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, BinaryIO, Self, cast

from msgspec import Struct

from lighter import jsontext
from lighter.diagnostics import Diagnostic, Unanswered
from lighter.errors import NotFixed, NotRecognised
from lighter.fixing_bytes import mend, recode
from lighter.fixing_lines import rewrite, watched
from lighter.fixing_plan import Fixing, Plan
from lighter.linting import LintOptions, Report, report_on
from lighter.rule import Mode

MOST_PASSES = 200
"""Passes over one file; each repairs something, and two or three are usual."""

SPOOL = 1 << 24
"""Bytes of a fixed file that are held in memory; a longer one stands in a file without a name, in the folder of the original."""

Opened = Callable[[], contextlib.AbstractContextManager[BinaryIO]]
"""A way to open the content so far, as often as it is asked for."""


class FixResult(Struct, frozen=True):
    """A value with its repairs applied, and the findings that these repaired, in the order of the passes."""

    value: Any
    applied: tuple[Diagnostic, ...] = ()


class Fixed:
    """What fixing a file came to; a context, with the end of which its spools are gone.

    `report` tells what is still found, `applied` what was repaired. `content` is the new content, None when nothing changes,
    `set_aside` what no record could be gained from.
    """

    def __init__(
        self, report: Report, applied: list[Diagnostic], content: BinaryIO | None, set_aside: BinaryIO
    ) -> None:
        self.report = report
        self.applied = applied
        self.content = content
        self.set_aside = set_aside if set_aside.tell() else None
        self._spools = [set_aside, *([content] if content else [])]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the spools."""
        for spool in self._spools:
            spool.close()


def fix_stream(
    open_stream: Callable[[], BinaryIO],
    filename: str,
    options: LintOptions,
    fixing: Fixing,
    *,
    folder: Path | None = None,
) -> Fixed:
    """Repair a file, reading it as often as it takes; nothing is written but to spools.

    `open_stream` opens the file anew each time. `folder` is where spools stand that are too long for memory. Raises what
    `lint_stream` raises, and NotFixed where repairs come to no end.
    """
    applied: list[Diagnostic] = []
    content: BinaryIO | None = None
    seen: set[bytes] = set()
    told: set[str] | None = None
    with contextlib.ExitStack() as spools:
        aside = spools.enter_context(_spool(folder))
        for _ in range(MOST_PASSES):
            opened = partial(_reading, content, open_stream)
            plan = Plan(fixing)
            with opened() as stream:
                records = watched(stream, filename, plan)
                report = report_on(records, filename, options, mender=plan, may_set_aside=fixing.may_set_aside)
            plan.settle()
            told = {found.code for found in report.diagnostics} if told is None else told
            following = spools.enter_context(_spool(folder))
            done = _applied(plan, opened, filename, following, aside) if report.is_recognised and report.values else []
            if not done:
                following.close()
                spools.pop_all()
                report.applied = tuple(found for found in applied if found.code in told)
                report.in_its_wake = tuple(found for found in applied if found.code not in told)
                return Fixed(report, applied, content, aside)
            if (digest := _digest(following)) in seen:
                raise NotFixed(f"{filename}: its repairs undo each other ({done[0].code}); please report this")
            seen.add(digest)
            applied += done
            if content is not None:
                content.close()
            content = following
    raise NotFixed(f"{filename}: its repairs come to no end; please report this")


def _applied(plan: Plan, opened: Opened, filename: str, out: BinaryIO, aside: BinaryIO) -> list[Diagnostic]:
    """Write the content with the repairs of a plan: those of its bytes, or if there are none those of its records."""
    done = _mended(opened, filename, plan, out, aside.write) if plan.faults or plan.spread else []
    if done or not plan.records:
        return done
    out.seek(0)
    out.truncate()
    with opened() as stream:
        rewrite(stream, filename, plan.records, out)
    return plan.applied


@contextlib.contextmanager
def _reading(content: BinaryIO | None, open_stream: Callable[[], BinaryIO]) -> Iterator[BinaryIO]:
    """Open the content so far, or the file when there is none yet."""
    if content is not None:
        content.seek(0)
        yield content
        return
    with open_stream() as stream:
        yield stream


def _mended(
    opened: Opened, filename: str, plan: Plan, out: BinaryIO, set_aside: Callable[[bytes], Any]
) -> list[Diagnostic]:
    """Repair the bytes of a file; its encoding first, since nothing else can be told before."""
    with opened() as stream:
        if (recoded := recode(stream, plan, out)) is not None:
            return recoded
    out.seek(0)
    out.truncate()
    with opened() as stream:
        return mend(stream, filename, plan, out, set_aside)


def _spool(folder: Path | None) -> BinaryIO:
    return cast("BinaryIO", tempfile.SpooledTemporaryFile(SPOOL, dir=None if folder is None else str(folder)))


def _digest(stream: BinaryIO) -> bytes:
    stream.seek(0)
    digest = blake2b()
    while chunk := stream.read(1 << 20):
        digest.update(chunk)
    return digest.digest()


def fix(  # noqa: PLR0913 - every flag of the command is a keyword here
    obj: Any,
    unsafe: bool = False,
    *,
    target: str | None = None,
    mode: Mode | None = None,
    format: str | None = None,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    unanswered: Unanswered = "error",
) -> FixResult:
    """Repair messages, a request body, a list of either, SDK objects, or what the file that a `str` or `Path` names holds.

    The value is the same JSON with the repairs applied; of a file it is the list of its records, or its one value, and the
    file itself is left alone. `unsafe` applies repairs, too, that may not be what was meant. `unanswered` says what these do
    with a call that has no result: `error` gives it one that says so, `drop` takes it away. Raises what `lint` raises.
    """
    chosen, left_out = ((names,) if isinstance(names, str) else tuple(names) for names in (select, ignore))
    options = LintOptions(target or "generic", mode, format, chosen, left_out)
    open_stream, filename = _opener(obj)
    with fix_stream(open_stream, filename, options, Fixing(unsafe, unanswered)) as fixed:
        if not fixed.report.is_recognised:
            raise NotRecognised(fixed.report.reason)
        with _reading(fixed.content, open_stream) as stream:
            values = [*_values(stream, filename)]
    is_file = isinstance(obj, str | Path)
    return FixResult(values[0] if not is_file or len(values) == 1 else values, tuple(fixed.applied))


def _opener(obj: Any) -> tuple[Callable[[], BinaryIO], str]:
    """Give a way to open an object as the file that it would be, and its name."""
    if isinstance(obj, str | Path):
        from lighter.inputs import Input, open_input  # noqa: PLC0415 - only files need it

        return lambda: open_input(Input(str(obj), Path(obj))), str(obj)
    from lighter.objects import written_as_file  # noqa: PLC0415 - files have no need of it

    data = written_as_file(obj)
    return lambda: io.BytesIO(data), ""


def _values(stream: BinaryIO, filename: str) -> Iterator[Any]:
    from lighter.records import Record  # noqa: PLC0415 - as above
    from lighter.source import read_records  # noqa: PLC0415 - as above

    for item in read_records(stream, filename=filename, decode=jsontext.decode):
        if isinstance(item, Record):
            yield item.value


@contextlib.contextmanager
def spooled(stream: IO[bytes]) -> Iterator[Callable[[], BinaryIO]]:
    """Read a stream that can be read but once, and give a way to open it again and again."""
    with _spool(None) as held:
        shutil.copyfileobj(stream, held, 1 << 20)

        def reopened() -> BinaryIO:
            held.seek(0)
            return cast("BinaryIO", _Kept(held))

        yield reopened


class _Kept:
    """A stream that others may close without losing it."""

    raw = None

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._stream)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def seekable(self) -> bool:
        """Say that it is read on from where it was opened."""
        return False

    def read(self, size: int = -1, /) -> bytes:
        """Read bytes."""
        return self._stream.read(size)
