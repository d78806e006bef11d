"""Which calls the results without an id answer, and ids made up by readers that are unlike all others of the history."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Any

from msgspec.structs import replace

from lighter.messages import AssistantMessage, Message, ToolCall, ToolMessage, blocks_of, with_blocks
from lighter.passage import Entry


def answered_by_order(entries: Iterable[Entry]) -> Sequence[Entry]:
    """Give results that carry no id (old function results, training rows) that of the call they answer.

    Results with an id are paired by it. The others take, by name first and else in order, what is left: the calls of the latest
    turn, so that a call that never was answered does not get the answer of a later one, and then older ones without an id.
    """
    found = list(entries)
    if not any(_has_made_id(entry.message) for entry in found):
        return found
    _make_distinct(found)
    results = (entry.message for entry in found if isinstance(entry.message, ToolMessage))
    told = {result.call_id for result in results if not result.is_id_synthetic}
    turn: list[ToolCall] = []
    older: list[ToolCall] = []
    waiting: list[int] = []
    is_open = False
    for index, entry in enumerate(found):
        match entry.message:
            case AssistantMessage(tool_calls=calls) if calls:
                _settle(found, waiting, turn, older)
                if not is_open:
                    older, turn = [*older, *(call for call in turn if call.is_id_synthetic)], []
                turn += [call for call in calls if _is_left(call, told)]
            case ToolMessage(is_id_synthetic=True):
                waiting.append(index)
            case _:
                pass
        is_open = isinstance(entry.message, AssistantMessage)
    _settle(found, waiting, turn, older)
    return found


def _is_left(call: ToolCall, told: set[str]) -> bool:
    return call.kind != "server" and (call.is_id_synthetic or call.call_id not in told)


def _settle(found: list[Entry], waiting: list[int], turn: list[ToolCall], older: list[ToolCall]) -> None:
    """Give the results that wait, by their indices, the ids of open calls: those that have a name first."""
    for is_by_name in (True, False):
        for index in tuple(waiting):
            message = found[index].message
            if not isinstance(message, ToolMessage):
                continue
            name = message.tool_name or message.name
            fitting = (call for call in chain(turn, older) if not is_by_name or call.tool_name == name)
            call = next(fitting, None)
            if call is None:
                continue
            waiting.remove(index)
            for calls in (turn, older):
                calls[:] = [other for other in calls if other is not call]
            found[index] = Entry(replace(message, call_id=call.call_id), found[index].origin, found[index].wire)
    waiting.clear()


def _has_made_id(message: Message) -> bool:
    match message:
        case ToolMessage():
            return message.is_id_synthetic
        case AssistantMessage():
            return any(call.is_id_synthetic for call in message.tool_calls)
        case _:
            return False


def _make_distinct(found: list[Entry]) -> None:
    """Give calls and results whose made-up id stands in the history for another one an id that nothing else has."""
    made: set[str] = set()
    told: set[str] = set()
    for entry in found:
        for owner in _owners(entry.message):
            (made if owner.is_id_synthetic else told).add(owner.call_id)
    if not (clashing := sorted(made & told)):
        return
    taken, new = made | told, dict[str, str]()
    for call_id in clashing:
        new[call_id] = next(other for n in count(1) if (other := f"{call_id}_{n}") not in taken)
        taken.add(new[call_id])
    for index, entry in enumerate(found):
        if any(owner.is_id_synthetic and owner.call_id in new for owner in _owners(entry.message)):
            found[index] = Entry(_renamed(entry.message, new), entry.origin, entry.wire)


def _owners(message: Message) -> Iterator[ToolCall | ToolMessage]:
    match message:
        case ToolMessage():
            yield message
        case AssistantMessage():
            yield from message.tool_calls
        case _:
            pass


def _renamed(message: Message, new: Mapping[str, str]) -> Message:
    """Give what has a made-up id the new one."""
    if isinstance(message, ToolMessage):
        return replace(message, call_id=new.get(message.call_id, message.call_id))
    blocks = (
        replace(block, call_id=new.get(block.call_id, block.call_id))
        if isinstance(block, ToolCall) and block.is_id_synthetic
        else block
        for block in blocks_of(message)
    )
    said: Any = message
    renamed: Message = with_blocks(said, list(blocks))
    return renamed
