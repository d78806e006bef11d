"""Reading LangChain messages of every form as core messages."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from lighter.conversation import BlockOrigin, Conversation, Joined, Origin, WireMessage
from lighter.envelope import Body
from lighter.formats._calls import call_id_of
from lighter.formats._entries import filled
from lighter.formats._langchain import DIFFERS, FAMILY, SPELLING, content_key, is_usage, odd_mark, unwrap
from lighter.formats._langchain_calls import (
    ITEM_IDS,
    KEPT,
    PLACE,
    Calls,
    is_call_block,
    no_calls,
    read_call_block,
    read_calls,
)
from lighter.formats._langchain_draft import MODELS, Draft, draft_of, extras_of, marked_single, text_of_field
from lighter.formats._langchain_dress import CONTENT, KIND, usual_content_key
from lighter.formats._langchain_history import history_of, losses_of
from lighter.formats._langchain_parts import RAW, read_item, read_part
from lighter.formats._langchain_pieces import pieces_in
from lighter.formats._langchain_turns import holds_results, read_turn
from lighter.formats._reading import Placed, conversation_of, extras, name_results, undivided, unread
from lighter.formats.openai_responses.shapes import ITEM_ID
from lighter.formats.openai_responses.shapes import NAME as RESPONSES
from lighter.jsontext import encode_text, step
from lighter.messages import (
    ABSENT,
    AssistantMessage,
    Extra,
    Message,
    OpaqueBlock,
    OtherMessage,
    ReasoningBlock,
    RefusalBlock,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from lighter.passage import Entry

_STOPS = ("finish_reason", "stop_reason")
_KNOWN_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant"}
_IN_SHORT = ("role", "pair")
"""Shapes that name a role instead of a class."""


def read_entries(name: str, messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Read wire messages, in order, with the history's own edits carried out; any JSON value gives a message.

    Results of functions take the call before them. Pieces of a message are read as that message, at the first of them.
    """
    return name_results(
        entry for wire, told in _whole(history_of(messages).left) for entry in _entries(name, wire, told)
    )


def read_conversation(name: str, body: Body, messages: Sequence[WireMessage]) -> Conversation:
    """Read a list of messages with what stands beside it."""
    history = history_of(messages)
    whole = list(_whole(history.left))
    entries = list(name_results(entry for wire, told in whole for entry in _entries(name, wire, told)))
    if body.response is not None:
        beside = tuple((body.response_path + step(key), value) for key, value in body.response.items())
        body = replace(body, response=None, rest=(*body.rest, *beside))
    found = conversation_of(name, body, entries, ext=extras(FAMILY, body.fields, ()))
    undone = tuple(losses_of(history))
    joined = tuple(told for _, told in whole if told is not None)
    if not (undone or joined):
        return found
    records = {id(wire.record): wire.record for wire in messages}  # those that were taken back are part of it
    return replace(found, records=tuple(records.values()), undone=undone, joined=joined)


def _whole(messages: Sequence[WireMessage]) -> Iterator[tuple[WireMessage, Joined | None]]:
    """Give messages, with those joined that stand there in pieces."""
    runs = {run[0].index: run for run in pieces_in(messages)}
    pieces = {piece.index for run in runs.values() for piece in run}
    for wire in messages:
        if wire.index in runs:
            from lighter.formats._langchain_joining import joined_message  # noqa: PLC0415 - few histories hold pieces

            yield joined_message(runs[wire.index])
        elif wire.index not in pieces:
            yield wire, None


def _entries(name: str, wire: WireMessage, told: Joined | None) -> Iterator[Entry]:
    """Read one message; one that was joined is at home where the first of its pieces stands."""
    if told is None:
        yield from (Entry(message, origin, wire) for message, origin in _read(name, wire))
        return
    from lighter.formats._langchain_joining import origin_in_pieces  # noqa: PLC0415 - as above

    for message, origin in _read(name, wire):
        yield Entry(message, origin_in_pieces(origin, told), told.pieces[0])


def _read(name: str, wire: WireMessage) -> list[tuple[Message, Origin]]:
    """Read one wire message; results that stand in the content of a human message are messages by themselves."""
    unwrapped = unwrap(wire.raw)
    if unwrapped is None:
        unknown: Any = unread(FAMILY, wire.raw)
        unknown = replace(unknown, ext=(*unknown.ext, odd_mark(name)))
        return [(unknown, Origin(wire.record.row, wire.path))]
    draft = draft_of(name, wire, unwrapped)
    content = _content_of(draft)
    message: Any = _bare(draft)
    if isinstance(message, UserMessage) and holds_results(content):
        return read_turn(draft, content, message)
    placed = _said(draft, content) if unwrapped.kind == "ai" else _content(draft, content, no_calls())
    message = replace(message, ext=(*message.ext, *extras_of(draft)))
    return [filled(message, placed, wire.record.row, wire.path, draft.places)]


def _content_of(draft: Draft) -> Any:
    """Find the content of a message, under whichever key it stands."""
    match draft.unwrapped.shape:
        case "pair" | "text":
            draft.known.add("content")
            return draft.fields["content"]
        case "old":
            draft.known.add("text")
            return draft.fields["text"]
        case shape:
            key = content_key(draft.fields)
            if key != usual_content_key(shape, draft.layout_name, draft.fields):
                draft.ext.append(Extra(draft.own, "/:content", encode_text(key)))
            draft.known.add(key)
            return draft.fields.get(key)


def _content(draft: Draft, content: Any, calls: Calls) -> Placed:
    """Read the value of the content."""
    path = draft.places["content"]
    if not isinstance(content, list):
        if content is None:
            told = "null" if content_key(draft.fields) in draft.fields else ABSENT
            draft.ext.append(Extra(draft.own, "/:empty", told))
        elif not isinstance(content, str):
            draft.ext.append(odd_mark(draft.name))
        return undivided(FAMILY, content, path)
    if marked_single(content):
        draft.ext.append(Extra(CONTENT, "/content", '"list"'))
    placed: Placed = []
    here = draft.unwrapped.content_at.removeprefix(draft.unwrapped.prefix)
    for index, part in enumerate(content):
        place = path + step(index)
        if draft.unwrapped.kind == "ai" and is_call_block(part):
            made = f"call_{draft.wire.index}_c{index}"
            placed += read_call_block(part, place, here + step(index), calls, made)
        else:
            placed += read_part(part, place, draft.setting)
    return list(_once(placed))


def _once(placed: Placed) -> Iterator[tuple[Any, BlockOrigin]]:
    """Let the first part of an item of OpenAI's reasoning stand for the item; version 1 has a block for each of its texts."""
    seen: set[str] = set()
    for block, origin in placed:
        is_reasoning = isinstance(block, ReasoningBlock)
        told = next((e for e in block.ext if is_reasoning and (e.format, e.path) == (RESPONSES, "/id")), None)
        if told is not None and told.json in seen:
            block = replace(block, ext=tuple(Extra(FAMILY, e.path, e.json) if e is told else e for e in block.ext))  # noqa: PLW2901 - the same block, its id kept only
        elif told is not None:
            seen.add(told.json)
        yield block, origin


def _said(draft: Draft, content: Any) -> Placed:
    """Read what a model said: reasoning, content, refusal and calls."""
    calls = read_calls(draft.fields, draft.base, draft.name, f"call_{draft.wire.index}")
    draft.known |= calls.known
    draft.kept_known |= calls.kept_known
    spoken = _content(draft, content, calls)
    draft.ext += calls.ext
    if any(isinstance(block, OpaqueBlock) for block, _ in calls.placed):
        draft.ext.append(odd_mark(draft.name))
    return [*_reasoned(draft), *spoken, *_refused(draft), *calls.placed]


def _bare(draft: Draft) -> Message:
    """Make the message of a kind, without its content."""
    unwrapped = draft.unwrapped
    mark = (Extra(KIND, "", encode_text(unwrapped.named)),) if unwrapped.is_chunk else ()
    told, name = text_of_field(draft, "id"), text_of_field(draft, "name")
    match unwrapped.kind:
        case "system":
            is_kept = draft.kept.get("__openai_role__") == "developer"
            if is_kept:
                draft.kept_known.add("__openai_role__")
                draft.places["role"] = f"{draft.base}/additional_kwargs/__openai_role__"
            is_developer = is_kept or unwrapped.named == "developer"
            return SystemMessage("", is_developer=is_developer, id=told, name=name, ext=mark)
        case "human":
            return UserMessage("", id=told, name=name, ext=mark)
        case "ai":
            return _answered(draft, AssistantMessage("", id=told, name=name, ext=mark))
        case "tool" | "function":
            return _result(draft, told, name, mark)
        case "remove":
            return OtherMessage("", "", id=told, name=name, ext=(Extra(KIND, "", '"RemoveMessage"'),))
        case _:
            return _chat(draft, told, name)


def _result(draft: Draft, told: str | None, name: str | None, mark: tuple[Extra, ...]) -> ToolMessage:
    """Make the message of a result; a function's is that of a call without an id."""
    draft.places["result"] = draft.wire.path
    if name is not None:
        draft.places["tool_name"] = draft.places.pop("name")
    made = f"call_{draft.wire.index}"
    if name is None:
        draft.ext.append(Extra(SPELLING, "/:name", ABSENT))
    if draft.unwrapped.kind == "function":
        draft.ext += [odd_mark(draft.name)] if name is None else []
        return ToolMessage(made, name or "", "", None, kind="legacy", is_id_synthetic=True, id=told, ext=mark)
    given, status = draft.fields.get("tool_call_id"), draft.fields.get("status")
    call_id, is_made = call_id_of(given, made)
    if isinstance(given, str) and not is_made:
        draft.known.add("tool_call_id")
    elif is_made:
        spelled = encode_text(given) if "tool_call_id" in draft.fields else ABSENT
        draft.ext += (Extra(SPELLING, "/tool_call_id", spelled), odd_mark(draft.name))
        draft.known.add("tool_call_id")
    draft.places["call_id"] = f"{draft.base}/tool_call_id"
    is_error = {"error": True, "success": False}.get(status) if isinstance(status, str) else None
    if is_error is not None:
        draft.known.add("status")
        draft.places["is_error"] = f"{draft.base}/status"
    return ToolMessage(call_id, name or "", "", is_error, is_id_synthetic=is_made, id=told, ext=mark)


def _chat(draft: Draft, told: str | None, name: str | None) -> Message:
    """Make the message of a role of one's own: that of the role where providers know it, else the user's with the role kept."""
    is_short = draft.unwrapped.shape in _IN_SHORT
    role = draft.unwrapped.named if is_short else draft.fields.get("role")
    place = draft.unwrapped.named_at if is_short else f"{draft.unwrapped.prefix}/role"
    draft.places["role"] = draft.wire.path + place
    draft.known.add("role")
    mark = Extra(KIND, "", '"ChatMessageChunk"' if draft.unwrapped.is_chunk else '"ChatMessage"')
    if role in ("system", "developer"):
        return SystemMessage("", is_developer=role == "developer", id=told, name=name, ext=(mark,))
    known = _KNOWN_ROLES.get(role) if isinstance(role, str) else None
    if known is not None:
        mark_role = Extra(SPELLING, "/role", encode_text(role))
        if known == "assistant":
            return AssistantMessage("", id=told, name=name, ext=(mark, mark_role))
        return UserMessage("", id=told, name=name, ext=(mark, mark_role))
    if not isinstance(role, str):
        draft.ext.append(odd_mark(draft.name))
    kept = Extra(FAMILY, place, encode_text(role)) if role is not None else Extra(SPELLING, "/role", ABSENT)
    return UserMessage("", id=told, name=name, ext=(mark, kept))


def _answered(draft: Draft, message: AssistantMessage) -> AssistantMessage:
    """Add model, stop reason and usage, which an answer tells beside its content."""
    told: dict[str, str] = {}
    for field, keys in (("model", MODELS), ("stop", _STOPS)):
        key = next((key for key in keys if isinstance(draft.metadata.get(key), str)), None)
        if key is None:
            continue
        told[field] = text = draft.metadata[key]
        draft.places[field] = f"{draft.base}/response_metadata/{key}"
        draft.ext.append(Extra(SPELLING, f"/:{field}", encode_text(key)))
        same = {other for other in keys if draft.metadata.get(other) == text}
        draft.metadata_known |= same
        draft.ext += (Extra(SPELLING, f"/response_metadata/{other}", encode_text(text)) for other in same - {key})
    if is_usage(usage := draft.fields.get("usage_metadata")):
        told["usage"] = encode_text(usage)
        draft.places["usage"] = f"{draft.base}/usage_metadata"
        draft.known.add("usage_metadata")
    item_id = (Extra(ITEM_ID, "", encode_text(message.id)),) if _is_item(draft, message.id) else ()
    return replace(message, ext=(*message.ext, *item_id), **told)


def _is_item(draft: Draft, name: str | None) -> bool:
    """Say whether the id of an answer is that of a message item of OpenAI's Responses, as langchain-openai sends it back."""
    if name is None or not name.startswith("msg_"):
        return False
    return draft.metadata.get("model_provider") == "openai" or ITEM_IDS in draft.kept


def _reasoned(draft: Draft) -> Placed:
    """Read the reasoning that stands beside the content."""
    path = f"{draft.base}/additional_kwargs"
    text, item = draft.kept.get("reasoning_content"), draft.kept.get("reasoning")
    if isinstance(text, str) and text:
        draft.kept_known.add("reasoning_content")
        return [(ReasoningBlock(text, carrier="reasoning_content"), BlockOrigin(f"{path}/reasoning_content"))]
    if not isinstance(item, dict) or (placed := read_item(item, f"{path}/reasoning")) is None or len(placed) != 1:
        return []
    draft.kept_known.add("reasoning")
    draft.ext += _numbers(item)
    block: Any = placed[0][0]
    marks = (Extra(RAW, "", encode_text(item)), Extra(PLACE, "", KEPT))
    return [(replace(block, ext=(*block.ext, *marks)), placed[0][1])]


def _numbers(item: Mapping[str, Any]) -> Iterator[Extra]:
    """Tell the numbers of the parts of a streamed summary, which nobody reads."""
    place = "/additional_kwargs/reasoning"
    for index, text in enumerate(item["summary"]):
        if isinstance(text, dict) and "index" in text:
            yield Extra(DIFFERS, f"{place}/summary/{index}/index", encode_text(text["index"]))
    if "index" in item:
        yield Extra(DIFFERS, f"{place}/index", encode_text(item["index"]))


def _refused(draft: Draft) -> Placed:
    text = draft.kept.get("refusal")
    if not isinstance(text, str) or not text:
        return []
    draft.kept_known.add("refusal")
    return [(RefusalBlock(text, "refusal"), BlockOrigin(f"{draft.base}/additional_kwargs/refusal"))]
