"""Linting: a file's records, or a value, through screen and rules to a report of findings."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from msgspec import Struct

from lighter.diagnostics import Diagnostic
from lighter.envelope import SESSION_KEYS, Opened, open_value, session_of
from lighter.passage import Passage
from lighter.records import LineFault, Record
from lighter.rule import Aim, Finding, Mode, severity_for
from lighter.rules import FileFacts, RuleModule, selected
from lighter.screen import ChatScreen
from lighter.sessions import Sessions, exact
from lighter.source import read_records

if TYPE_CHECKING:
    from lighter.detect import Detection

SAMPLE = 64
"""How many records are looked at to tell the format."""

PROGRESS_EVERY = 1 << 20
"""Bytes between two reports of progress."""

PLAIN = "openai-chat"
"""What a file is taken for when nothing speaks for any format: messages as plain as that are the same in all of them."""


class LintOptions(Struct, frozen=True):
    """What to lint for. `mode` None: `log` without a target, else the target's own. `format` None: told from the file.

    `select` and `ignore` name rules by code, by the start of codes, by name, or `ALL`.
    """

    target: str = "generic"
    mode: Mode | None = None
    format: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


class Report(Struct):
    """What was found in one file: sorted findings, and what was read.

    `values` is how many JSON values were read. `is_recognised` is false when none of them is shaped like a conversation and
    nothing is wrong with the file itself; `reason` then says why. `notes` are remarks for the user.
    """

    filename: str
    diagnostics: list[Diagnostic]
    format: str | None = None
    conversations: int = 0
    messages: int = 0
    values: int = 0
    is_recognised: bool = True
    reason: str = ""
    notes: tuple[str, ...] = ()


def lint_stream(
    stream: BinaryIO, filename: str, options: LintOptions, on_progress: Callable[[int], None] | None = None
) -> Report:
    """Lint a file, reading it once from where the stream stands.

    `on_progress` is told how many bytes were read. Raises UnknownFormat, UnknownRule (also for a target or selector), and
    UnreadableInput.
    """
    records = read_records(stream, filename=filename)
    return _report(_measured(records, on_progress) if on_progress else records, filename, options)


def lint(  # noqa: PLR0913 - every flag of the command is a keyword here
    obj: Any,
    target: str | None = None,
    mode: Mode | None = None,
    format: str | None = None,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
) -> list[Diagnostic]:
    """Lint messages, a request body, a list of either, SDK objects, or the file that a `str` or `Path` names.

    Places are told inside the value as given. Raises what `lint_stream` raises, NotRecognised when nothing in it is a
    conversation, and CannotHold for objects that are no JSON.
    """
    from lighter.errors import NotRecognised  # noqa: PLC0415 - loaded only to be raised

    options = LintOptions(target or "generic", mode, format, tuple(select), tuple(ignore))
    if isinstance(obj, str | Path):
        from lighter.inputs import Input, open_input  # noqa: PLC0415 - only files need it

        with open_input(Input(str(obj), Path(obj))) as stream:
            report = lint_stream(stream, str(obj), options)
    else:
        from lighter.objects import plain, record_of  # noqa: PLC0415 - only objects need it

        report = _report(iter([record_of(plain(obj))]), "", options)
    if not report.is_recognised:
        raise NotRecognised(report.reason)
    return report.diagnostics


def _measured(records: Iterator[Record | LineFault], on_progress: Callable[[int], None]) -> Iterator[Record | LineFault]:
    """Pass records on, and tell now and then how many bytes they took."""
    done = told = 0
    for item in records:
        yield item
        done += len(item.data)
        if done - told >= PROGRESS_EVERY:
            told = done
            on_progress(done)
    on_progress(done)


def _report(
    records: Iterator[Record | LineFault], filename: str, options: LintOptions, *, is_screened: bool = True
) -> Report:
    """Lint records; without the screen the same is found, only slower."""
    head = list(_sample(records))
    run = _Run(filename, options, [item for item in head if type(item) is Record], is_screened=is_screened)
    for item in chain(head, records):
        run.take(item)
    return run.finish()


def _sample(records: Iterator[Record | LineFault]) -> Iterator[Record | LineFault]:
    count = 0
    for item in records:
        yield item
        count += type(item) is Record
        if count == SAMPLE:
            return


class _Run:
    """The linting of one file."""

    def __init__(self, filename: str, options: LintOptions, head: Sequence[Record], *, is_screened: bool) -> None:
        self.report = Report(filename, [])
        modules = selected(options.select, options.ignore)
        known = options.format and _format_named(options.format)
        target_format, mode = _target(options)
        self.detection = None if known or _is_plainly_chat(head, target_format) else _detect(head)
        found = known or _format_of(self.detection, target_format)
        self.report.format = found if known or self.detection is None or self.detection.format else None
        self.format = found
        self.aim = Aim(options.target, mode, target_format or found)
        self.modules = {module.rule.name: module for module in modules if severity_for(module.rule, self.aim)}
        self.checks = [(module, module.check) for module in self.modules.values() if module.check]
        self.record_checks = [(module, module.check_record) for module in self.modules.values() if module.check_record]
        self.screen = screen_for(self.aim, self.format, [module for module, _ in self.checks]) if is_screened else None
        self.sessions = Sessions(self.format, self.screen)
        self.session_keys: dict[tuple[str, ...], str | None] = {}
        self.facts = FileFacts(self.format)
        self.chunks: list[Record] = []
        self.stream: Any = None
        self.strangers = 0
        self.faults = 0
        self.is_log = False

    def take(self, item: Record | LineFault) -> None:
        """Take the next record, or a line that is none."""
        if type(item) is not Record:
            self._take_fault(item)  # type: ignore[arg-type] # the other of the two
            return
        self.report.values += 1
        value = item.value
        if type(value) is dict and "role" in value and "messages" not in value and (self.is_log or "stop_reason" not in value):
            self.stream = None
            self.is_log = True
            self.report.messages += 1
            key = self._session(value)
            if not self.sessions.take(key, item):
                for passage in self.sessions.add(key, item):
                    self._judge_log(passage)
        elif (
            self.screen is not None
            and not self.is_log
            and self.screen.is_ordinary_body(value, item.data, may_pend=self.aim.mode != "request")
        ):
            self.stream = None
            self.report.conversations += 1
            self.report.messages += len(value if type(value) is list else value["messages"])
        else:
            self._take_unusual(exact(item))

    def _session(self, value: dict[str, Any]) -> str | None:
        """Tell a message's session; which key holds it is looked up once for each combination of keys."""
        keys = tuple(value)
        if keys in self.session_keys:
            name = self.session_keys[keys]
            if name is None:
                return None
            found = value[name]
            return found if type(found) is str else session_of(value)
        if len(self.session_keys) > 1000:
            self.session_keys.clear()
        self.session_keys[keys] = next((key for key in SESSION_KEYS if key in value), None)
        return session_of(value)

    def _take_fault(self, fault: LineFault) -> None:
        self.faults += 1
        if module := self.modules.get(fault.kind):
            from lighter.reporting import diagnostic_of_fault  # noqa: PLC0415 - loaded only when there is something to report

            self._add(diagnostic_of_fault(module.rule, fault, self.aim, self.report.filename))

    def _take_unusual(self, record: Record) -> None:
        """Take a record that the screen does not vouch for, or that is no message and no conversation."""
        opened: Opened = open_value(record.value, in_log=self.is_log)
        if opened.kind == "message":
            self.report.messages += 1
            self.stream = None
            for passage in self.sessions.add(session_of(record.value), record):
                self._judge_log(passage)
            return
        self._check_record(record)
        if opened.kind == "chunk":
            self._take_chunk(record)
            return
        self.stream = None
        self.strangers += opened.kind == "none"
        for body in opened.bodies:
            from lighter.reading import passage_of  # noqa: PLC0415 - as above

            self.report.conversations += 1
            self.report.messages += len(body.messages)
            self._judge(passage_of(self.format, record, body))

    def _take_chunk(self, record: Record) -> None:
        """Note the first piece of each stream."""
        value = record.value
        name = value.get("id") or "stream"
        if value.get("type") == "message_start" or name != self.stream:
            self.chunks.append(record)
        self.stream = name

    def _judge_log(self, passage: Passage) -> None:
        for message in passage.messages:
            self._check_record(message.record, passage)
        self._judge(passage)

    def _judge(self, passage: Passage) -> None:
        """Run the rules on a passage; one of another format than the target's as it would be after conversion."""
        if passage.format == self.aim.format:
            for module, check in self.checks:
                for finding in check(passage, self.aim):
                    self._report(module, finding, passage)
            return
        from lighter.judging import judged, led_back  # noqa: PLC0415 - only a target of another format needs it

        written = judged(passage, self.aim.format)
        for module, check in self.checks:
            for finding in check(written.passage, self.aim):
                self._report(module, led_back(finding, written), passage)

    def _check_record(self, record: Record, passage: Passage | None = None) -> None:
        for module, check in self.record_checks:
            for finding in check(record, record.value):
                self._report(module, finding, passage)

    def _report(self, module: RuleModule, finding: Finding, passage: Passage | None) -> None:
        from lighter.reporting import diagnostic_of  # noqa: PLC0415 - loaded only when there is something to report

        self._add(diagnostic_of(module.rule, finding, self.aim, self.report.filename, passage))

    def _add(self, diagnostic: Diagnostic | None) -> None:
        if diagnostic is not None:
            self.report.diagnostics.append(diagnostic)

    def finish(self) -> Report:
        """Judge what was held back, and give the report."""
        for passage in self.sessions.finish(is_all=self.aim.mode == "request"):
            self._judge_log(passage)
        report = self.report
        report.conversations += self.sessions.started
        self.facts = FileFacts(self.format, self.chunks, report.messages)
        for module in self.modules.values():
            if module.check_file:
                for finding in module.check_file(self.facts):
                    self._report(module, finding, None)
        if report.diagnostics:
            from lighter.reporting import order_of  # noqa: PLC0415 - as above

            report.diagnostics.sort(key=order_of)
        report.is_recognised = bool(report.conversations or self.chunks or self.faults or not report.values)
        if not report.is_recognised:
            report.reason = _reason(report.filename, self.detection)
        report.notes = tuple(self._notes())
        return report

    def _notes(self) -> Iterator[str]:
        if self.strangers and self.report.is_recognised:
            yield f"{self.strangers} record{'s' * (self.strangers > 1)} without a conversation passed over"
        if self.detection and self.detection.others:
            yield f"taken for {self.format}; some records speak for {', '.join(self.detection.others)}"


def screen_for(aim: Aim, format_name: str, modules: Sequence[RuleModule]) -> ChatScreen | None:
    """Give the screen that can vouch for messages, None when every message must go through the rules."""
    if format_name != "openai-chat" or aim.target not in ("generic", "openai-chat", "azure-openai") or aim.mode == "finetune":
        return None
    from lighter.needles import finder  # noqa: PLC0415 - only files that can be screened need it

    suspects, needles = [], list[bytes]()
    for module in modules:
        if is_suspect := getattr(module.module, "is_suspect", None):
            suspects.append(is_suspect)
        else:
            needles += getattr(module.module, "NEEDLES", ())
    is_generic = aim.target == "generic"
    return ChatScreen(
        is_logged=is_generic,
        longest_id=200 if is_generic else 40,
        suspects=suspects,
        needles=finder(needles) if needles else None,
    )


def _format_named(name: str) -> str:
    from lighter.formats import get  # noqa: PLC0415 - formats are loaded only when they are needed

    return get(name).NAME


def _target(options: LintOptions) -> tuple[str | None, Mode]:
    """Give the format that the target reads (None: any) and the mode."""
    if options.target == "generic":
        return None, options.mode or "log"
    from lighter.providers import get_target  # noqa: PLC0415 - only targets need it

    target = get_target(options.target)
    return target.format, options.mode or target.mode


def _is_plainly_chat(head: Sequence[Record], target_format: str | None) -> bool:
    """Say whether the first records are such that detection could only say OpenAI Chat, so that it need not be loaded."""
    if not head or target_format not in (None, PLAIN):
        return False
    screen = ChatScreen(is_logged=True, longest_id=200)
    waiting: set[str] = set()
    for record in head:
        value = record.value
        messages = value.get("messages") if type(value) is dict and value.keys() <= {"messages"} else (value,)
        if type(messages) is list:
            waiting.clear()
        if type(messages) not in (list, tuple) or not messages or screen.screen(messages, waiting, []) < 0:
            return False
        if any("model" in message or "usage" in message for message in messages):
            return False
    return True


def _detect(head: Sequence[Record]) -> "Detection":
    from lighter.detect import detect_values  # noqa: PLC0415 - as above

    return detect_values([record.value for record in head], [record.row for record in head])


def _format_of(detection: "Detection | None", target_format: str | None) -> str:
    """Choose the format to judge by: the one that was found, the target's own when the messages fit any."""
    if detection is None or detection.format is None:
        return (target_format if detection is not None else None) or PLAIN
    return target_format if target_format and detection.is_plain else detection.format


def _reason(filename: str, detection: "Detection | None") -> str:
    from lighter.reading import not_recognised  # noqa: PLC0415 - loaded only to say so

    if detection is None:
        return f"{filename}: no conversation recognised"
    return not_recognised(filename, detection)
