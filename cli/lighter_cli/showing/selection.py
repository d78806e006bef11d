"""What the reader asked to see: roles, turns, a tool, a pattern, one conversation; and how a turn is cut down to it."""

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lighter.errors import LighterError
from lighter.messages import (
    AssistantMessage,
    Block,
    MediaBlock,
    OpaqueBlock,
    ReasoningBlock,
    RefusalBlock,
    SystemMessage,
    TextBlock,
    ToolCall,
    ToolMessage,
    ToolResultBlock,
    blocks_of,
)
from lighter.passage import Entry
from lighter_cli.showing.facts import number_of
from lighter_cli.showing.turns import Call, Turn, with_parts

_ROLES = ("system", "developer", "user", "assistant", "tool")
_FOREIGN_ROLES = {"human": "user", "ai": "assistant", "model": "assistant", "function": "tool"}
"""What other formats call the roles."""

_RANGE = re.compile(r"(?P<first>\d*):(?P<last>\d*)|(?P<only>\d+)")


class Selection(Struct, frozen=True):
    """What is shown: a turn passes when it meets every condition that is set.

    `turns` is the first and the last number, None for an open end. `conversation` is a number (from 1, in order of
    appearance) or an id.
    """

    roles: frozenset[str] = frozenset()
    turns: tuple[int | None, int | None] = (None, None)
    tool: str | None = None
    pattern: re.Pattern[str] | None = None
    conversation: str | None = None

    @property
    def is_everything(self) -> bool:
        """Say whether all turns pass."""
        return self == Selection(conversation=self.conversation)


def roles_from(names: list[str]) -> frozenset[str]:
    """Read role names, in the words of any format; a name that no format has may still be one of the log's own."""
    return frozenset(_role_from(name) for name in names)


def _role_from(name: str) -> str:
    lower = name.lower()
    return _FOREIGN_ROLES.get(lower, lower if lower in _ROLES else name)


def role_hint(selection: Selection) -> str:
    """Say which of the roles asked for are none of the usual ones, to end a line with; empty when all are usual."""
    strange = ", ".join(map(repr, sorted(selection.roles.difference(_ROLES))))
    return f"; not among the usual roles ({', '.join(_ROLES)}): {strange}" if strange else ""


def turns_from(text: str | None) -> tuple[int | None, int | None]:
    """Read `3:10`, `3:`, `:10` or `3`; raises LighterError for anything else."""
    match = _RANGE.fullmatch(text or ":")
    if match is None:
        raise LighterError(f"--turns takes a range such as 3:10, 3:, :10 or 3, not {text!r}")
    if match["only"]:
        return int(match["only"]), int(match["only"])
    return (int(match["first"]) if match["first"] else None, int(match["last"]) if match["last"] else None)


def pattern_from(text: str | None) -> re.Pattern[str] | None:
    """Compile what is searched for; raises LighterError when it is no regular expression."""
    try:
        return None if text is None else re.compile(text, re.MULTILINE)
    except re.error as error:
        raise LighterError(f"--grep {text!r} is no regular expression: {error}") from error


def is_chosen(selection: Selection, number: int, conversation: str | None) -> bool:
    """Say whether a conversation, the `number`-th of the file, is asked for."""
    return selection.conversation in (None, conversation, str(number))


def is_past(selection: Selection, number: int) -> bool:
    """Say whether nothing of a conversation can be shown after the message of this number."""
    last = selection.turns[1]
    return last is not None and number > last


def select(selection: Selection, turn: Turn) -> Turn | None:
    """Cut a turn down to what is asked for; None when nothing of it is."""
    if selection.is_everything:
        return turn
    if not any(_is_in_turns(selection, entry) for entry in _entries(turn)):
        return None
    chosen: Turn | None = turn
    for cut in (_by_role, _by_tool, _by_pattern):
        chosen = cut(selection, chosen) if chosen is not None else None
    return chosen


def _entries(turn: Turn) -> Iterator[Entry]:
    yield turn.entry
    for call in turn.calls:
        yield from call.answers


def _is_in_turns(selection: Selection, entry: Entry) -> bool:
    first, last = selection.turns
    number = number_of(entry)
    return (first is None or number >= first) and (last is None or number <= last)


def _by_role(selection: Selection, turn: Turn) -> Turn | None:
    roles, message = selection.roles, turn.entry.message
    if not roles:
        return turn
    if isinstance(message, SystemMessage) and message.is_developer and "developer" in roles:
        return turn
    if isinstance(message, AssistantMessage):
        if "assistant" in roles:
            return replace(turn, shows_answers="tool" in roles)
        answered = [call for call in turn.calls if call.answers or call.results]
        return replace(with_parts(turn, answered), shows_text=False) if "tool" in roles and answered else None
    return turn if message.role in roles else None


def _by_tool(selection: Selection, turn: Turn) -> Turn | None:
    tool, message = selection.tool, turn.entry.message
    if tool is None:
        return turn
    if isinstance(message, ToolMessage):
        return turn if message.tool_name == tool else None
    calls = [call for call in turn.calls if call.call.tool_name == tool]
    return replace(with_parts(turn, calls), shows_text=False) if calls else None


def _by_pattern(selection: Selection, turn: Turn) -> Turn | None:
    pattern = selection.pattern
    if pattern is None:
        return turn
    if any(pattern.search(text) for part in turn.parts if not isinstance(part, Call) for text in _texts(part)):
        return turn
    calls = [call for call in turn.calls if any(map(pattern.search, _call_texts(call)))]
    return replace(with_parts(turn, calls), shows_text=False) if calls else None


def _call_texts(call: Call) -> Iterator[str]:
    yield call.call.tool_name
    yield call.call.arguments
    for entry in call.answers:
        for block in blocks_of(entry.message):
            yield from _texts(block)
    for result in call.results:
        yield result.json


def _texts(block: Block) -> Iterator[str]:
    """Give the texts of a block that can be searched."""
    match block:
        case ToolCall():
            yield block.tool_name
            yield block.arguments
        case ToolResultBlock() | OpaqueBlock():
            yield block.json
        case TextBlock() | ReasoningBlock() | RefusalBlock():
            yield block.text
        case MediaBlock():
            pass
