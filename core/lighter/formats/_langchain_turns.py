"""Human messages of LangChain that hold results of tools among their content, as Anthropic has them."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from lighter.conversation import Origin
from lighter.formats._calls import call_id_of
from lighter.formats._entries import filled
from lighter.formats._langchain import FAMILY
from lighter.formats._langchain_draft import Draft, extras_of, marked_single
from lighter.formats._langchain_dress import CONTENT, KIND, TURN
from lighter.formats._langchain_parts import Setting, read_part
from lighter.formats._notes import OF_TURN
from lighter.formats._reading import Placed, extras, undivided
from lighter.jsontext import encode_text, step
from lighter.messages import Extra, Message, ToolMessage, UserMessage

_HUMAN = Extra(KIND, "", '"HumanMessage"')


def holds_results(content: Any) -> bool:
    """Say whether content holds results of tools."""
    return isinstance(content, list) and any(map(_is_result, content))


def _is_result(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "tool_result"


def read_turn(draft: Draft, content: list[Any], message: UserMessage) -> list[tuple[Message, Origin]]:
    """Read such a message: a core message for each result, one for each run of other blocks, all of one group."""
    wire, path = draft.wire, draft.places["content"]
    found: list[tuple[Message, Origin]] = []
    run: Placed = []

    def flush() -> None:
        if run:
            found.append(filled(UserMessage("", ext=(_HUMAN,)), run, wire.record.row, wire.path, draft.places))
            run.clear()

    for index, part in enumerate(content):
        place = path + step(index)
        if _is_result(part):
            flush()
            found.append(_result(draft, part, place, f"call_{wire.index}_{index}"))
        else:
            run += read_part(part, place, draft.setting)
    flush()
    first, origin = found[0]
    found[0] = _with_rest(draft, first, message), origin
    return [(replace(message, group=wire.index), origin) for message, origin in found]


def _with_rest(draft: Draft, first: Message, message: UserMessage) -> Message:
    """Give the first part of a message what belongs to the whole of it."""
    rest = (*message.ext, *extras_of(draft))
    if not isinstance(first, ToolMessage):
        return replace(first, name=message.name, id=message.id, ext=(*first.ext, *rest))
    turn = {FAMILY: TURN, f"{draft.name}-outer": f"{draft.name}-outer{OF_TURN}"}
    kept = [Extra(turn.get(e.format, e.format), e.path, e.json) for e in rest]
    for key, value in (("name", message.name), ("id", message.id)):
        kept += [Extra(TURN, f"{draft.unwrapped.prefix}/{key}", encode_text(value))] if value is not None else []
    return replace(first, ext=(*first.ext, *kept))


def _result(draft: Draft, part: Mapping[str, Any], path: str, made: str) -> tuple[Message, Origin]:
    call_id, is_made = call_id_of(part.get("tool_use_id"), made)
    is_error, content = part.get("is_error"), part.get("content")
    placed = _content(content, f"{path}/content", draft.setting)
    known = {"type", *(("tool_use_id",) if not is_made and isinstance(part.get("tool_use_id"), str) else ())}
    known |= ({"content"} if placed else set()) | ({"is_error"} if isinstance(is_error, bool) else set())
    ext = (_HUMAN, *extras(FAMILY, part, known))
    if isinstance(content, list) and content and marked_single(content):
        ext += (Extra(CONTENT, "/content", '"list"'),)
    told = is_error if isinstance(is_error, bool) else None
    message = ToolMessage(call_id, "", "", told, is_id_synthetic=is_made, ext=ext)
    fields = {"call_id": f"{path}/tool_use_id", "content": f"{path}/content"}
    fields |= {"is_error": f"{path}/is_error"} if told is not None else {}
    return filled(message, placed, draft.wire.record.row, path, fields)


def _content(content: Any, path: str, setting: Setting) -> Placed:
    if not isinstance(content, list):
        return undivided(FAMILY, content, path)
    return [placed for index, part in enumerate(content) for placed in read_part(part, path + step(index), setting)]
