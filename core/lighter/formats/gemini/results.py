"""Reading function responses as tool messages: what the tool gave, in whichever wrapping, and the call that it answers."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from lighter.conversation import BlockOrigin, Origin, WireMessage
from lighter.formats._entries import filled
from lighter.formats._reading import Placed, json_block
from lighter.formats.gemini.parts import read_media
from lighter.formats.gemini.shapes import NAME, SPELLING, WRAPPED, Keyed, absent, keyed
from lighter.jsontext import encode_text, step
from lighter.messages import Block, Extra, OpaqueBlock, TextBlock, ToolCall, ToolMessage

RESULT, ERROR = "result", "error"
"""The keys that stand around what a tool gave, as google-genai 3.6.1 writes them (_extra_utils.get_function_response_parts)."""

_WRAPPINGS = (RESULT, ERROR, "output", "content")
"""All that are read as such: the documentation of `FunctionResponse.response` says `output`, litellm writes `content`."""


class Response(Struct, frozen=True):
    """What a function response tells of the call that it answers; `made_id` is the id that its result gets for want of one."""

    made_id: str
    given: str
    name: str


class Calls:
    """The calls of the last turn, and which of them each function response after it answers.

    Responses with an id answer the call of that id. The others answer what is left: the first of their name, or simply the
    first when they have none.
    """

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._answered: dict[str, ToolCall] = {}

    def made_id(self, wire: WireMessage) -> str:
        """Make an id for the first call or result of a content that has none."""
        return f"{self._prefix}_{wire.index}"

    def made(self, calls: Iterable[ToolCall], responses: Sequence[Response]) -> None:
        """Take the calls of another turn, and the responses that stand behind it."""
        left: dict[tuple[str, str], deque[ToolCall]] = {}
        taken: set[int] = set()
        for call in calls:
            for key in _keys_of(call):
                left.setdefault(key, deque()).append(call)
        self._answered = {}
        for kind in ("id", "name", "any"):
            for response in responses:
                is_foreign = ("id", response.given) not in left  # only the result has an id
                if response.made_id in self._answered or not (kind == "id" or not response.given or is_foreign):
                    continue
                waiting = left.get(_key_of(response, kind), ())
                while waiting:
                    call = waiting.popleft()
                    if id(call) not in taken:
                        taken.add(id(call))
                        self._answered[response.made_id] = call
                        break

    def answered(self, made_id: str) -> ToolCall | None:
        """Give the call that a response answers; None when there is none."""
        return self._answered.get(made_id)


def _keys_of(call: ToolCall) -> Iterator[tuple[str, str]]:
    """Give what responses may find a call by: its id, its name (also with an id that is none's, where it has none), or just any."""
    yield from (("foreign", call.tool_name),) if call.is_id_synthetic else (("id", call.call_id),)
    yield "name", call.tool_name
    yield "any", ""


def _key_of(response: Response, kind: str) -> tuple[str, str]:
    match kind:
        case "id":
            return kind, response.given
        case "name":
            return "foreign" if response.given else kind, response.name
        case _:
            return ("none" if response.given or response.name else kind), ""


def read_result(part: Keyed, path: str, row: int, made_id: str, calls: Calls) -> tuple[ToolMessage, Origin] | None:
    """Read the part that holds a function response."""
    raw = part.values["functionResponse"]
    response = keyed(raw, ("id", "name", "response", "parts"), "/functionResponse")
    holder = part.at("functionResponse")
    given, name = response.values.get("id"), response.values.get("name")
    if not isinstance(name, str | None):
        return None
    call_id = given if isinstance(given, str) and given else ""
    call = calls.answered(made_id)
    taken = {"response", *(("name",) if name is not None else ())}
    is_told = bool(call_id) and (call is None or call.call_id == call_id)
    if is_told:
        taken.add("id")
    spelling = [Extra(SPELLING, holder + e.path, e.json) for e in absent(raw, "name")]
    if given == "":
        taken.add("id")
        spelling.append(Extra(SPELLING, f"{holder}/id", '""'))
    placed, is_error, wrapping = _output(response, holder)
    placed = [(block, BlockOrigin(path + origin.path, origin.fields)) for block, origin in placed]
    if isinstance(listed := response.values.get("parts"), list) and listed:
        taken.add("parts")
        placed += [_part(item, f"{path}{holder}{response.at('parts')}/{n}") for n, item in enumerate(listed)]
    ext = (
        *part.renamed, *response.renamed, *wrapping, *spelling, *part.kept({"functionResponse"}), *response.kept(taken, holder),
    )  # fmt: skip
    found_id = call_id if is_told else call.call_id if call is not None else made_id
    message = ToolMessage(found_id, name or "", "", is_error, is_id_synthetic=not is_told, ext=ext)
    output = path + holder + response.at("response")
    fields = {"content": output}
    fields |= {"call_id": f"{path}{holder}/id"} if is_told else {}
    fields |= {"tool_name": f"{path}{holder}/name"} if name is not None else {}
    fields |= {"is_error": output} if is_error else {}
    return filled(message, placed, row, path, fields)


def is_whole(value: Any) -> bool:
    """Say whether a value can be a response itself: an object, and none that would be read as the wrapping of another value."""
    return isinstance(value, dict) and not _is_wrapping(value)


def _is_wrapping(value: dict[str, Any]) -> bool:
    """Say whether an object only wraps what a tool gave; `error` with nothing in it says that there was none."""
    match value:
        case {"error": None | False}:
            return False
        case _:
            return len(value) == 1 and next(iter(value)) in _WRAPPINGS


def _output(response: Keyed, holder: str) -> tuple[Placed, bool | None, list[Extra]]:
    """Read what a tool gave: text, or a value where it is none; whether it is an error; and how it was wrapped."""
    value, place = response.values.get("response"), holder + response.at("response")
    match value:
        case dict() if _is_wrapping(value):
            key = next(iter(value))
            is_usual = key == ERROR or (key == RESULT and not is_whole(value[key]))
            wrapping = [] if is_usual else [Extra(WRAPPED, place, encode_text(key))]
            return _given(value[key], place + step(key)), True if key == ERROR else None, wrapping
        case dict():
            return [(json_block(value), BlockOrigin(place))], None, []
        case None:
            return [], None, _nothing(response, holder)
        case _:
            return _given(value, place), None, [Extra(WRAPPED, place, "null")]


def _nothing(response: Keyed, holder: str) -> list[Extra]:
    if "response" in response.raw:
        return [Extra(SPELLING, f"{holder}/response", "null")]
    return [Extra(SPELLING, holder + extra.path, extra.json) for extra in absent(response.raw, "response")]


def _given(value: Any, place: str) -> Placed:
    if value == "":
        return []
    return [(TextBlock(value) if isinstance(value, str) else json_block(value), BlockOrigin(place))]


def _part(raw: Any, path: str) -> tuple[Block, BlockOrigin]:
    """Read one of the parts beside the response: media, by value or by address."""
    if isinstance(raw, dict):
        part = keyed(raw, ("inlineData", "fileData", "mediaResolution"))
        held = [key for key in ("inlineData", "fileData") if isinstance(part.values.get(key), dict)]
        if len(held) == 1 and (media := read_media(part, held[0], path)) is not None:
            return media
    return OpaqueBlock(NAME, "response-part", encode_text(raw)), BlockOrigin(path)
