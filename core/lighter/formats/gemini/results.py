"""Reading function responses as tool messages: what the tool gave, in whichever wrapping, and the call that it answers."""

from typing import Any

from lighter.conversation import BlockOrigin, Origin
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


class Calls:
    """The calls of the last turn, for results that say by their order or their name alone which of them they answer."""

    def __init__(self) -> None:
        self._open: list[ToolCall] = []
        self._ids: set[str] = set()

    def made(self, calls: tuple[ToolCall, ...]) -> None:
        """Take the calls of another turn."""
        self._open = list(calls)
        self._ids = {call.call_id for call in calls if not call.is_id_synthetic}

    def answered(self, given: str, name: str) -> ToolCall | None:
        """Give the call that a result answers, by its id, else the first that is open and has its name; None when none is."""
        if given:
            found = next((call for call in self._open if call.call_id == given and not call.is_id_synthetic), None)
            if found is None and given not in self._ids:  # only the result has an id
                found = next((call for call in self._open if call.is_id_synthetic and call.tool_name == name), None)
        else:
            found = next((call for call in self._open if not name or call.tool_name == name), None)
        if found is not None:
            self._open.remove(found)
        return found


def read_result(part: Keyed, path: str, row: int, made_id: str, calls: Calls) -> tuple[ToolMessage, Origin] | None:
    """Read the part that holds a function response."""
    raw = part.values["functionResponse"]
    response = keyed(raw, ("id", "name", "response", "parts"), "/functionResponse")
    holder = part.at("functionResponse")
    given, name = response.values.get("id"), response.values.get("name")
    if not isinstance(name, str | None):
        return None
    call_id = given if isinstance(given, str) and given else ""
    call = calls.answered(call_id, name or "")
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
