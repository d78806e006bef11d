"""Linting: a file's records, or a value, through screen and rules to a report of findings."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO

from msgspec import Struct

from lighter.aiming import Look, aim_at, count_rows, look_at, reason_of, rows_read_by, screen_for, target_and_mode
from lighter.checking import Checks, Mender
from lighter.diagnostics import Diagnostic, Tally
from lighter.envelope import SESSION_KEYS, Opened, fitting, has_roles, open_value, session_of
from lighter.errors import UnknownMode
from lighter.history import history_in, told
from lighter.passage import Passage
from lighter.records import LineFault, Record
from lighter.rule import MODES, Mode
from lighter.rules import ALL, FileFacts, selected
from lighter.screen import is_ordinary_body
from lighter.screened import rules_for_ordinary
from lighter.sessions import Sessions, exact
from lighter.source import measured, read_records, sample
from lighter.streams import Scattered, Streamed, gathered, pieces_of, whole

if TYPE_CHECKING:
    from lighter.toolcheck import ToolCheck

MOST_SHAPES = 1000
"""Combinations of keys that are remembered."""

BATCH = 32
"""How many messages of one session are screened at once."""

BATCH_BYTES = 1 << 18
"""A record that is longer than this starts a batch of its own, so that no batch holds many long records."""


class LintOptions(Struct, frozen=True):
    """What to lint for. `mode` None: `log` without a target, else the target's own. `format` None: told from the file.

    `select` and `ignore` name rules by code, by the start of codes, by name, or `ALL`. `tools`: what `tool_text` gives of the
    tools that calls are checked against where a record declares none. Raises UnknownMode.
    """

    target: str = "generic"
    mode: Mode | None = None
    format: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    tools: bytes = b""

    def __post_init__(self) -> None:
        if self.mode is not None and self.mode not in MODES:
            raise UnknownMode("mode", self.mode, MODES)


def options_of(  # noqa: PLR0913 - every flag of the command is a keyword here
    *,
    target: str | None = None,
    mode: Mode | None = None,
    format: str | None = None,
    select: Sequence[str] | None = None,
    ignore: Sequence[str] | None = None,
    extend_select: Sequence[str] = (),
    extend_ignore: Sequence[str] = (),
    tools: Any = None,
) -> LintOptions:
    """Make options of what was asked for, None where nothing was.

    `tools` are definitions, or the path of a file of them. Raises UnknownMode, UnreadableInput and NotRecognised for these.
    """
    chosen = (*(select or (ALL,)), *extend_select) if extend_select else tuple(select or ())
    text = b""
    if tools is not None:
        from lighter.toolfile import tool_text  # noqa: PLC0415 - loaded only when they are asked for

        text = tool_text(tools)
    return LintOptions(target or "generic", mode, format, chosen, (*(ignore or ()), *extend_ignore), text)


class Report(Struct):
    """What was found in one file: sorted findings, and what was read.

    `values` is how many JSON values were read, `rows` how many training rows that no format reads, but rules about rows judge.
    `is_recognised` is false when none is shaped like a conversation or such a row, and nothing is wrong with the file itself;
    `reason` then says why. `notes` are remarks for the user. `applied`: what was repaired before, where the file was fixed;
    `in_its_wake`: what of that were faults of rules that found nothing in the file as it was.
    """

    filename: str
    diagnostics: list[Diagnostic]
    format: str | None = None
    conversations: int = 0
    messages: int = 0
    values: int = 0
    rows: int = 0
    is_recognised: bool = True
    reason: str = ""
    notes: tuple[str, ...] = ()
    applied: tuple[Diagnostic, ...] = ()
    in_its_wake: tuple[Diagnostic, ...] = ()


def lint_stream(
    stream: BinaryIO,
    filename: str,
    options: LintOptions,
    on_progress: Callable[[int], None] | None = None,
    *,
    may_set_aside: bool = True,
) -> Report:
    """Lint a file, reading it once from where the stream stands.

    `on_progress` is told how many bytes were read. `may_set_aside`: whoever fixes the file can keep the lines that no record is
    gained from; else these cannot be repaired. Raises UnknownFormat, UnknownTarget, UnknownRule for a selector, and
    UnreadableInput.
    """
    records = read_records(stream, filename=filename)
    told = measured(records, on_progress) if on_progress else records
    return report_on(told, filename, options, may_set_aside=may_set_aside)


def report_on(  # noqa: PLR0913 - what is read, what for, and who else is told
    records: Iterator[Record | LineFault],
    filename: str,
    options: LintOptions,
    *,
    is_screened: bool = True,
    mender: Mender | None = None,
    may_set_aside: bool = True,
) -> Report:
    """Lint records; without the screen the same is found, only slower. `mender` takes the repairs of what is found.

    `may_set_aside` as for `lint_stream`.
    """
    head = sample(records)
    if (streams := gathered(head, records, exact)) is not None:
        records, head = streams, sample(streams, 1)
    firsts = [whole(item) for item in head if isinstance(item, Record)]
    look = look_at(firsts, options.format, target_and_mode(options.target, options.mode)[0])
    run = LintRun(filename, options, look, is_screened=is_screened, may_set_aside=may_set_aside)
    run.first = firsts[0] if firsts else None
    if mender is not None:
        run.checks.mender = mender
    run.take(chain(head, records))
    return run.finish()


class LintRun:
    """The linting of one file, or of a part of it."""

    def __init__(
        self, filename: str, options: LintOptions, look: Look, *, is_screened: bool = True, may_set_aside: bool = True
    ) -> None:
        self.report = Report(filename, [])
        self._options = options
        self._may_set_aside = may_set_aside
        _, mode = target_and_mode(options.target, options.mode)
        self.detection, found = look.detection, look.format
        self.report.format = found if self.detection is None or self.detection.format else None
        self.format = found
        self.is_mixed = options.format is None and self.detection is not None and bool(self.detection.others)
        self.is_unknown = self.detection is not None and self.detection.format is None
        self._rows_read = rows_read_by(options.target) if mode == "finetune" else ()
        foreign = self.detection.foreign if self.detection is not None else None
        self.is_foreign = self.is_unknown and foreign is not None and foreign not in self._rows_read
        self.aim = aim_at(options.target, mode, found)
        self._given = _given_tools(options.tools) if options.tools else None
        self.first: Record | None = None
        is_plain = is_screened and not (options.select or options.ignore or options.tools)
        asking = rules_for_ordinary(self.aim) if is_plain else None
        if asking is None:
            asking = [module for module, _ in self.checks.of_passages]
        self.screen = screen_for(self.aim, self.format, asking, self._given) if is_screened else None
        self.sessions = Sessions(self.format, self.screen, is_all=mode == "request")
        self.session_keys: dict[tuple[str, ...], str | None] = {}
        self.scattered = Scattered()
        self.cuts: list[tuple[Record, str]] = []
        self.batch: list[Record] = []
        self.strangers = self.joined = self.undone = 0
        self.faults = 0
        self.is_log = False

    @cached_property
    def checks(self) -> Checks:
        """The rules that apply, all of which are loaded when something is met that is not ordinary."""
        from lighter.fixable import Fixable  # noqa: PLC0415 - loaded only when there is something to check

        modules = selected(self._options.select, self._options.ignore)
        fixable = Fixable(may_set_aside=self._may_set_aside)
        return Checks(modules, self.aim, self.report.filename, self._given, fixable)

    @property
    def _is_checked(self) -> bool:
        """Whether any rule was needed so far."""
        return "checks" in vars(self)

    def take(self, items: Iterable[Record | LineFault]) -> None:
        """Take the records of the file, and the lines that are none; messages of one session in batches."""
        session_keys, batch, batch_key = self.session_keys, self.batch, None
        for item in items:
            value = item.value if type(item) is Record else None
            if (
                type(value) is not dict
                or "role" not in value
                or "messages" in value
                or ("stop_reason" in value and not self.is_log)
                or self.is_foreign
            ):
                self._take_batch(batch_key)
                self._take_single(item)
                continue
            keys = tuple(value)
            name = session_keys.get(keys, "")
            if name is None:
                key = None
            elif name and type(value[name]) is str:
                key = value[name]
            else:
                key = self._session(keys, value)
            if key != batch_key or len(batch) >= BATCH or len(item.data) > BATCH_BYTES:
                self._take_batch(batch_key)
                batch_key = key
            batch.append(item)  # type: ignore[arg-type] # only records have a dict for a value here
        self._take_batch(batch_key)

    def _take_batch(self, key: str | None) -> None:
        """Take the messages that were set aside."""
        if not self.batch:
            return
        self.scattered.end()
        self.is_log = True
        for record in self.batch if self.aim.mode == "finetune" else ():
            self.checks.judge_row(record)
        self.report.values += len(self.batch)
        self.report.messages += len(self.batch)
        for passage in self.sessions.add(key, self.batch):
            self._judge_log(passage)
        self.batch.clear()

    def _take_single(self, item: Record | LineFault) -> None:
        """Take a line that is no record, or a record that is no message of a log by the looks of it."""
        if isinstance(item, LineFault):
            self.faults += 1
            if item.is_unreadable:
                self.sessions.lose()
            self.checks.tell_fault(item)
            return
        self.report.values += 1
        if self.aim.mode == "finetune":
            self.checks.judge_row(item)
        rows = count_rows(item.value, self._rows_read) if self._rows_read else 0
        self.report.rows += rows
        if rows and rows == (len(item.value) if isinstance(item.value, list) else 1):
            self.checks.judge_record(item)
        elif self.is_foreign:
            self.strangers += 1
        else:
            self._take_other(item)

    def _take_other(self, record: Record) -> None:
        """Take a record that is no message of a log by the looks of it."""
        value = record.value
        may_pend = self.aim.mode != "request"
        if self.screen and not self.is_log and is_ordinary_body(self.screen, value, record.data, may_pend=may_pend):
            self.scattered.end()
            self.report.conversations += 1
            self.report.messages += len(value if type(value) is list else value["messages"])
        else:
            self._take_unusual(exact(record))

    def _session(self, keys: tuple[str, ...], value: dict[str, Any]) -> str | None:
        """Tell a message's session; which key tells it is remembered for each combination of keys."""
        if len(self.session_keys) < MOST_SHAPES:
            self.session_keys[keys] = next((key for key in SESSION_KEYS if key in value), None)
        return session_of(value)

    def _take_unusual(self, record: Record) -> None:
        """Take a record that the screen does not vouch for, or that is no message and no conversation."""
        record = whole(record)
        joined = self._take_joined(record) if isinstance(record, Streamed) else None
        opened = joined or fitting(open_value(record.value, in_log=self.is_log), self.format)
        if opened.kind == "message" and not (self.is_unknown and "role" not in record.value):
            self.report.messages += 1
            self.scattered.end()
            for passage in self.sessions.add(session_of(record.value), (record,)):
                self._judge_log(passage)
            return
        for piece in pieces_of(record):
            self.checks.judge_record(piece)
        if opened.kind == "chunk":
            self.scattered.take(record)
            return
        self.scattered.end()
        if self.is_log and not isinstance(record.value, dict | list):
            self.sessions.lose()
        bodies = [body for body in opened.bodies if not self.is_unknown or has_roles(body)]
        self.strangers += opened.passed or not bodies
        for body in bodies:
            from lighter.reading import passage_of  # noqa: PLC0415 - loaded only for what is not ordinary

            self.report.conversations += 1
            self.report.messages += len(body.messages)
            self._judge(passage_of(self.format, record, body, is_mixed=self.is_mixed))

    def _take_joined(self, record: Streamed) -> Opened | None:
        """Count the pieces of an answer, note where it breaks off, and tell where its messages stand if that is known."""
        self.report.values += len(record.pieces) - 1
        self.cuts += [(record.pieces[0], path) for path in record.cuts if not record.has_gap]
        if record.opened is not None:
            self.scattered.first += record.pieces[:1] if not record.is_asked else ()
            self.joined += sum(len(body.messages) for body in record.opened.bodies)
        return record.opened

    def _judge_log(self, passage: Passage) -> None:
        passage.streamed_ids = self.scattered.ids
        for message in passage.messages:
            self.checks.judge_record(message.record, passage)
        self._judge(passage)

    def _judge(self, passage: Passage) -> None:
        self.checks.judge(passage)
        self.undone += history_in(passage).undone

    def tally(self) -> Tally:
        """Judge what was held back, and give what was found so far."""
        for passage in self.sessions.finish(is_all=self.aim.mode == "request"):
            self._judge_log(passage)
        read, begun, has_chunks = self.report, self.sessions.started, bool(self.scattered.first)
        return Tally(
            found=self.checks.found if self._is_checked else [],
            values=read.values,
            rows=read.rows,
            messages=read.messages,
            bodies=read.conversations,
            sessions=begun,
            strangers=self.strangers,
            undone=self.undone,
            has_chunks=has_chunks,
        )

    def add(self, part: Tally) -> None:
        """Take what another run found in a part of the file."""
        self.checks.found += part.found
        self.report.values += part.values
        self.report.rows += part.rows
        self.report.messages += part.messages
        self.report.conversations += part.bodies
        self.sessions.started += part.sessions
        self.strangers += part.strangers
        self.undone += part.undone

    def finish(self) -> Report:
        """Judge what was held back and the file as a whole, and give the report."""
        self.tally()
        report = self.report
        report.conversations += self.sessions.started
        if self._is_checked:
            self._judge_file()
        has_faults = bool(self.faults and not self.scattered.first) or bool(report.diagnostics and self.checks.of_rows)
        report.is_recognised = bool(report.conversations or report.rows or has_faults or not report.values)
        if not report.is_recognised:
            report.reason = reason_of(report.filename, self.detection)
        report.notes = tuple(self._notes())
        return report

    def _judge_file(self) -> None:
        report = self.report
        facts = FileFacts(
            format=self.format,
            chunks=self.scattered.first,
            messages=report.messages - self.joined,
            cuts=self.cuts,
            target=self.aim.target,
            rows=max(report.values, report.conversations),
            first=self.first,
        )
        self.checks.judge_file(facts)
        report.diagnostics = self.checks.diagnostics(is_readable=bool(report.values))

    def _notes(self) -> Iterator[str]:
        if self.strangers and self.report.is_recognised:
            yield f"{self.strangers} record{'s' * (self.strangers > 1)} without a conversation passed over"
        if self.undone:
            yield told(self.undone)
        if self.detection and self.detection.others:
            yield f"taken for {self.format}; some records speak for {', '.join(self.detection.others)}"


def _given_tools(text: bytes) -> "ToolCheck":
    from lighter.toolfile import check_of  # noqa: PLC0415 - loaded only when tools are given

    return check_of(text)
