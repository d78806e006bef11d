"""Where in a file the fault behind an error message is: the findings of its rules, and the messages that the error names."""

import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import BinaryIO

from msgspec import Struct

from lighter.conversation import WireMessage
from lighter.diagnostics import Diagnostic, Location, Mark
from lighter.errors import NotRecognised, UnreadableInput
from lighter.excerpt import line_of
from lighter.explaining import Explanation, as_it_tells
from lighter.explaining_words import as_it_was_said
from lighter.inputs import Input, break_of, open_input
from lighter.jsontext import encode_text, keys_of
from lighter.linting import LintOptions, lint_stream
from lighter.locate import locate
from lighter.passage import Passage
from lighter.providers import TARGETS, get_target
from lighter.reading import read_passages
from lighter.rule import Mode

MOST_NAMED = 5
"""Messages that an error names which are shown; an index may fit many conversations."""

_LISTS = frozenset({"messages", "message", "input", "contents"})
_PATH = re.compile(r"\b(messages?|input|contents)((?:\.?\[\d+\]|\.\d+|\.[A-Za-z_]\w*)+)")
_STEP = re.compile(r"\d+|[A-Za-z_]\w*")
_POSITION = re.compile(r"\b(?:at (?:message )?(?:index|position)|message index) (\d+)")
_ID = re.compile(
    r"(?<![\w.:-])(?:[A-Za-z][\w-]*(?:\.[\w-]+)*:\d+|[A-Za-z][\w-]*_[\w-]{2,}|(?=\w*\d)(?=\w*[A-Za-z])[\w-]{8,})"
)
_FIELDS = frozenset({"call_id", "call_ids"})
"""Names of fields that look like ids: every call of OpenAI's Responses has one of this name."""

_HINTS = (
    *(
        ("azure", "azure-openai"),
        ("dashscope", "qwen"),
        ("qwen", "qwen"),
        ("moonshot", "moonshot"),
        ("kimi", "moonshot"),
    ),
    *(
        ("deepseek", "deepseek"),
        ("minimax", "minimax"),
        ("groq", "groq"),
        ("x.ai", "xai"),
        ("z.ai", "zai"),
        ("glm", "zai"),
    ),
    *(("vllm", "vllm"), ("sglang", "vllm"), ("llama.cpp", "vllm"), ("llama-server", "vllm")),
)
"""Words of an error by which those who use OpenAI's sentences are told apart."""


class Clues(Struct, frozen=True):
    """What an error message says about the place: paths into the list of messages, and words that may be ids of calls."""

    paths: tuple[tuple[str, ...], ...] = ()
    ids: tuple[str, ...] = ()


class Named(Struct, frozen=True):
    """A message that an error names: where it stands, and the line that shows it."""

    location: Location
    path: str
    mark: Mark


class Places(Struct, frozen=True):
    """What the rules behind an error find in a file, judged for `target`.

    `findings` begins with those that the error names, by its indices or ids; `pointed` is how many these are. `others` is how
    many findings other rules have. `named`: the messages that the error names, where no finding is there.
    """

    target: str
    findings: tuple[Diagnostic, ...]
    pointed: int
    others: int
    named: tuple[Named, ...] = ()


def clues_of(text: str) -> Clues:
    """List what an error message says about the place of its fault."""
    text = as_it_was_said(text)
    paths = [(name, *_STEP.findall(steps)) for name, steps in _PATH.findall(text)]
    paths += [("messages", index) for index in _POSITION.findall(text)]
    cleaned = [tuple(step for step in path if step != "member") for path in paths]  # as botocore tells of lists
    usable = (path for path in cleaned if len(path) > 1 and path[1].isdecimal())
    rest = _PATH.sub(" ", text)
    return Clues(
        tuple(dict.fromkeys(usable)), tuple(dict.fromkeys(found for found in _ID.findall(rest) if _is_id(found)))
    )


def _is_id(word: str) -> bool:
    is_call = word.startswith(("call_", "toolu_")) and word not in _FIELDS
    return is_call or any(char.isdigit() for char in word)


def target_of(explanations: Sequence[Explanation], text: str) -> str:
    """Choose whom to judge for: who says the words; of those who share them the one that the text names."""
    for told in explanations:
        speakers = [name for name in told.refusal.targets if name in TARGETS]
        if not speakers:
            continue
        lower = text.lower()
        for word, name in _HINTS:
            if word in lower and (name in speakers or TARGETS[name].format == TARGETS[speakers[0]].format):
                return name
        return speakers[0]
    return "generic"


def find_places(  # noqa: PLR0913 - every flag of the command is a keyword here
    explanations: Sequence[Explanation],
    text: str,
    file: Input,
    *,
    target: str | None = None,
    mode: Mode | None = None,
    format: str | None = None,
    is_refused: bool = True,
) -> Places:
    """Lint a file for who said the error, and keep what the explaining rules find.

    `is_refused`: the file is known to be what the error is about, so that its indices count there. Raises what `lint_stream` raises, and NotRecognised when nothing in the file is a conversation.
    """
    said = as_it_tells(text)
    judged_for = target or target_of(explanations, said)
    with open_input(file) as stream:
        # Standard input can be read but once.
        held = stream.read() if file.path is None else None
        report = lint_stream(
            stream if held is None else BytesIO(held), file.name, LintOptions(judged_for, mode, format)
        )
        reason = break_of(stream)
    if reason:
        raise UnreadableInput(file.name, reason)
    if not report.is_recognised:
        raise NotRecognised(report.reason)
    names = {told.module.rule.name for told in explanations}
    clues = clues_of(said)
    if not is_refused or get_target(judged_for).format not in (None, report.format):
        # The indices are those of the request that was made of a file: results may be grouped there, the system apart.
        clues = Clues(ids=clues.ids)
    found = [item for item in report.diagnostics if item.name in names]
    pointed = [item for item in found if is_pointed_at(item, clues)]
    others = [item for item in found if item not in pointed]
    named: tuple[Named, ...] = ()
    if not pointed and (clues.paths or clues.ids):
        with open_input(file) if held is None else BytesIO(held) as again:
            named = tuple(_named(again, file.name, report.format, clues))
    return Places(judged_for, (*pointed, *others), len(pointed), len(report.diagnostics) - len(found), named)


def is_pointed_at(finding: Diagnostic, clues: Clues) -> bool:
    """Say whether an error names the place of a finding, by the index of the message or by an id."""
    told = [finding.message, *(mark.line for mark in finding.marks)]
    if any(_has_word(line, word) for word in clues.ids for line in told):
        return True
    index = next((mark.index for mark in finding.marks if mark.is_primary), None)
    keys = keys_of(finding.path)
    for path in clues.paths:
        own = _below_list(keys)
        if own:
            if own[: len(path) - 1] == list(path[1:]) or own[0] == path[1]:
                return True
        elif index is not None and str(index) == path[1]:
            return True
    return False


def _below_list(keys: Sequence[str]) -> list[str]:
    """Give the part of a place that begins with the index of the message; nothing in a log with one message a line."""
    for at, key in enumerate(keys):
        if key in _LISTS and at + 1 < len(keys) and keys[at + 1].isdecimal():
            return list(keys[at + 1 :])
    return list(keys) if keys and keys[0].isdecimal() else []


def _has_word(line: str, word: str) -> bool:
    return word in line and re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", line) is not None


def _named(stream: BinaryIO, filename: str, format: str | None, clues: Clues) -> Iterator[Named]:
    """Find the messages that an error names: those that hold one of its ids, or else those at its indices."""
    indices = {path[1] for path in clues.paths}
    by_index: list[Named] = []
    by_id: list[Named] = []
    for passage in read_passages(stream, filename, format):
        if not isinstance(passage, Passage):
            continue
        for message in passage.messages:
            is_there = str(message.index) in indices
            if is_there and len(by_index) < MOST_NAMED:
                by_index.append(_shown(message, passage))
            if clues.ids and len(by_id) < MOST_NAMED and _holds(message, clues.ids):
                by_id.append(_shown(message, passage))
    yield from by_id or by_index


def _holds(message: WireMessage, ids: Sequence[str]) -> bool:
    try:
        text = encode_text(message.raw)
    except (TypeError, ValueError, RecursionError):
        return False
    return any(_has_word(text, word) for word in ids)


def _shown(message: WireMessage, passage: Passage) -> Named:
    line = line_of(message, passage.entries_of(message))
    return Named(locate(message.record, message.path), message.path, Mark(message.index, line, is_primary=True))
