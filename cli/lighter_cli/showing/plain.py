"""The plain style: every word of the transcript, indented under headers, without colour, boxes or folding; made for pipes.

What stands in square brackets is said by lighter or by the log, not by a speaker.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from lighter.excerpt import harmless
from lighter.formats import SPELLING
from lighter.jsontext import encode_text, step
from lighter.messages import (
    AssistantMessage,
    Block,
    Extra,
    MediaBlock,
    Message,
    OpaqueBlock,
    ReasoningBlock,
    RefusalBlock,
    TextBlock,
    ToolCall,
    ToolMessage,
    ToolResultBlock,
    blocks_of,
)
from lighter.naming import id_of
from lighter.passage import Entry, Passage
from lighter.records import LineFault, Record
from lighter_cli.showing.facts import model_of, number_of, speaker_of, time_of
from lighter_cli.showing.placeholder import media_line, opaque_line
from lighter_cli.showing.turns import MISSING, REMARKS, Call, Turn, system_turn

STEP = "  "
_ANSWER_KEYS = ("choices", "content", "role", "model", "usage")
"""Keys of an answer that are shown with its message."""


class Plain:
    """Writes turns as plain text to `write`."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def heading(self, passage: Passage, number: int, *, is_again: bool) -> None:
        """Begin a conversation with what belongs to all of it."""
        name = f" {harmless(known)}" if (known := id_of(passage)) else ""
        again = ", continued" if is_again else ""
        lines = [f"conversation {number}{name} ({passage.format}{again})"]
        if not is_again:
            lines += (f"{STEP}[{harmless(key)}: {_json(value)}]" for key, value in _beside(passage))
        self._lines(lines)

    def turn(self, turn: Turn) -> None:
        """Show a message and, under its calls, their results."""
        message = turn.entry.message
        lines = [_header(turn.entry)]
        if turn.place in REMARKS:
            lines[0] += f" [{REMARKS[turn.place]}]"
        for part in turn.parts:
            if isinstance(part, Call):
                lines += _indented(_call(part, shows_answers=turn.shows_answers))
            elif turn.shows_text:
                lines += _indented(_block(part))
        if turn.shows_text:
            lines += _indented(_extras(message.ext))
        self._lines(lines)

    def fault(self, fault: LineFault) -> None:
        """Say in its place that a line could not be read."""
        self._lines([f"[line {fault.row}: could not be read ({fault.kind}): {harmless(fault.message)}]"])

    def stray(self, record: Record) -> None:
        """Show in its place a record that holds no message."""
        self._lines([f"[line {record.row}: no message] {_json(record.value)}"])

    def _lines(self, lines: list[str]) -> None:
        self._write("\n".join(lines) + "\n\n")


def _beside(passage: Passage) -> Iterator[tuple[str, Any]]:
    """List what a record holds besides its messages: the request's fields, the answer's, and what stands around both."""
    system = system_turn(passage)
    shown = system.entry.origin.path if system is not None else ""
    fields = passage.fields.items()
    yield from ((key, value) for key, value in fields if passage.fields_path + step(key) != shown)
    body = passage.body
    if body is None:
        return
    yield from body.rest
    yield from body.branches
    yield from ((key, value) for key, value in (body.response or {}).items() if key not in _ANSWER_KEYS)


def _header(entry: Entry) -> str:
    number = number_of(entry)
    return " ".join([*([str(number)] if number >= 0 else ()), *_facts(entry), *_result_facts(entry.message)])


def _facts(entry: Entry) -> Iterator[str]:
    message = entry.message
    yield harmless(speaker_of(message))
    if message.name:
        yield harmless(message.name)
    if model := model_of(message):
        yield f"[model {harmless(model)}]"
    if time := time_of(entry):
        yield f"[{time}]"
    if isinstance(message, AssistantMessage):
        yield from (f"[stop {harmless(message.stop)}]",) if message.stop else ()
        yield from (f"[usage {harmless(message.usage)}]",) if message.usage else ()


def _result_facts(message: Message) -> Iterator[str]:
    if isinstance(message, ToolMessage):
        yield harmless(message.tool_name)
        yield f"[{harmless(message.call_id)}]"
        if message.is_error:
            yield "[error]"


def _call(call: Call, *, shows_answers: bool) -> Iterator[str]:
    asked = call.call
    kind = "" if asked.kind == "function" else f" {asked.kind}"
    first, *rest = harmless(f"{asked.tool_name}({asked.arguments})", is_multiline=True).split("\n")
    yield f"[call{kind} {harmless(asked.call_id)}] {first}"
    yield from _indented(rest)
    yield from _indented(_extras(asked.ext))
    if not shows_answers:
        return
    for entry in call.answers:
        yield STEP + _header(entry)
        for block in blocks_of(entry.message):
            yield from _indented(_block(block), 2)
        yield from _indented(_extras(entry.message.ext), 2)
    for result in call.results:
        yield from _indented(_block(result))
    if call.state in MISSING:
        yield f"{STEP}[{MISSING[call.state]}]"


def _block(block: Block | ToolCall) -> Iterator[str]:
    match block:
        case TextBlock():
            yield from _text(block.text)
        case ReasoningBlock():
            yield "[reasoning]"
            yield from _indented(_text(block.text) if block.text else ())
            yield from (f"{STEP}[{opaque_line(opaque)}]" for opaque in block.opaque)
        case MediaBlock() if block.source in ("text", "blocks"):
            yield f"[{media_line(block)}]"
            yield from _indented(_text(block.data))
        case MediaBlock():
            yield f"[{media_line(block)}]"
        case RefusalBlock():
            yield "[refusal]"
            yield from _indented(_text(block.text))
        case ToolResultBlock():
            yield f"[{harmless(block.native_type)} {harmless(block.call_id)}]"
            yield from _indented(_text(block.json))
        case OpaqueBlock():
            yield f"[{harmless(block.native_type) or 'unknown block'}]"
            yield from _indented(_text(block.json))
        case ToolCall():
            yield from _call(Call(block), shows_answers=False)
    yield from _extras(block.ext)


def _extras(extras: tuple[Extra, ...]) -> Iterator[str]:
    for extra in extras:
        if extra.json and not extra.format.endswith(SPELLING):
            yield f"[{harmless(extra.path.lstrip('/')) or 'unread'}: {harmless(extra.json)}]"


def _text(text: str) -> list[str]:
    return harmless(text, is_multiline=True).split("\n")


def _json(value: Any) -> str:
    return harmless(value if isinstance(value, str) else encode_text(value))


def _indented(lines: Iterable[str], steps: int = 1) -> Iterator[str]:
    return (STEP * steps + line if line else "" for line in lines)
