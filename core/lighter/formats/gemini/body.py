"""Reading requests and answers of Gemini's generateContent: system instruction, tools and parameters beside the contents."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from lighter.conversation import BlockOrigin, Conversation, Param, Tool, WireMessage
from lighter.envelope import Body
from lighter.formats._entries import answer_index, filled, tell
from lighter.formats._reading import Placed, conversation_of, extras
from lighter.formats.gemini.parts import read_parts
from lighter.formats.gemini.read import is_order_telling, read_messages
from lighter.formats.gemini.shapes import (
    AS_LIST,
    AS_ONE,
    AS_TEXT,
    IGNORED,
    IN_CONFIG,
    NAME,
    ORDER,
    REQUEST_KEYS,
    SPELLING,
    WRAP,
    Keyed,
    held,
    keyed,
)
from lighter.formats.gemini.tools import read_tools
from lighter.jsontext import encode_text, step
from lighter.messages import Extra, SystemMessage, TextBlock
from lighter.passage import Entry

PARAMS = {
    "temperature": "temperature", "topP": "top_p", "topK": "top_k", "maxOutputTokens": "max_tokens", "stopSequences": "stop",
    "candidateCount": "n", "presencePenalty": "presence_penalty", "frequencyPenalty": "frequency_penalty", "seed": "seed",
}  # fmt: skip
"""Members of `generationConfig`, and the common names of what they say."""

CHOICES = {"AUTO": "auto", "NONE": "none", "ANY": "required"}


class _Request(Struct):
    """Where in a request what is: the body, the object that holds everything but the contents, and the one with the parameters.

    `base` and `place` point at these two from the body on.
    """

    top: Keyed
    holder: Keyed
    base: str
    settings: Keyed
    place: str
    spelling: tuple[Extra, ...] = ()


def read_body(body: Body, messages: Sequence[WireMessage]) -> Conversation:
    """Read a request, an answer or both as one conversation; the system instruction becomes the first message."""
    entries, body = _answered(list(read_messages(messages)), body)
    request = _opened(body)
    taken: set[str] = set()
    tools: tuple[Tool, ...] = ()
    if (instructed := _system(request, body, messages)) is not None:
        entries.insert(0, instructed)
        taken.add("systemInstruction")
    listed = request.holder.values.get("tools")
    if isinstance(listed, list) and listed:
        tools = read_tools(listed, body.path + request.base + request.holder.at("tools"))
        taken.add("tools")
    params = list(_params(request, body.path, taken))
    ext = (*request.spelling, *_kept(request, taken))
    if is_order_telling(entries):
        ext += (Extra(ORDER, "", "true"),)
    if messages and messages[0].path == f"{body.path}/contents":
        ext += (Extra(WRAP, "/contents", AS_ONE),)
    return conversation_of(NAME, body, entries, params=tuple(params), tools=tools, ext=ext)


def _opened(body: Body) -> _Request:
    """Tell the two forms of a request apart: that of the API, and that of the Python SDK."""
    top = keyed(body.fields, REQUEST_KEYS)
    config = body.fields.get("config")
    if isinstance(config, dict) and top.values.keys() <= {"model"}:
        holder = keyed(config, (*REQUEST_KEYS, *PARAMS), "/config")
        spelling = (*top.renamed, *holder.renamed, Extra(WRAP, "", IN_CONFIG))
        return _Request(top, holder, "/config", holder, "/config", spelling)
    settings = top.values.get("generationConfig")
    place = top.at("generationConfig")
    found = keyed(settings if isinstance(settings, dict) else {}, PARAMS, "/generationConfig")
    return _Request(top, top, "", found, place, (*top.renamed, *found.renamed))


def _kept(request: _Request, taken: set[str]) -> tuple[Extra, ...]:
    """Keep what was not read, of the request and of its parts; what is empty says nothing."""
    in_config = request.base != ""
    if in_config:
        kept = (*request.top.kept(taken & {"model"}), *request.holder.kept(taken - {"model"}, request.base))
        kept = tuple(extra for extra in kept if extra.path != "/config")
        empty = not request.holder.raw
    else:
        settings = request.top.values.get("generationConfig")
        is_read = isinstance(settings, dict)
        kept = request.top.kept({*taken.intersection(REQUEST_KEYS), *(("generationConfig",) if is_read else ())})
        kept += request.settings.kept(taken.intersection(PARAMS), request.place)
        empty = is_read and not settings
    kept += (Extra(SPELLING, request.place, "{}"),) if empty else ()
    if "toolConfig" in taken:
        kept += _rest_of_choice(request)
    return kept


def _params(request: _Request, path: str, taken: set[str]) -> Iterator[Param]:
    """Yield the parameters, under their common names, and say which keys were taken."""
    model = request.top.values.get("model")
    if isinstance(model, str):
        taken.add("model")
        yield Param("model", encode_text(model), path + request.top.at("model"))
    for key, name in PARAMS.items():
        value = request.settings.values.get(key)
        if value is not None and value != []:
            taken.add(key)
            yield Param(name, encode_text(value), path + request.place + request.settings.at(key))
    choice = _choice(request)
    if choice is not None:
        taken.add("toolConfig")
        yield Param("tool_choice", encode_text(choice), path + _choice_place(request))


def _choice(request: _Request) -> Any:
    """Read which tools may be called in the spelling of OpenAI Chat; None for what that cannot say."""
    config = request.holder.values.get("toolConfig")
    calling = held(config, "functionCallingConfig") if isinstance(config, dict) else None
    if not isinstance(calling, dict):
        return None
    names = held(calling, "allowedFunctionNames")
    match calling.get("mode"), names:
        case "ANY", [str(name)]:
            return {"type": "function", "function": {"name": name}}
        case ("AUTO" | "NONE" | "ANY") as mode, None | []:
            return CHOICES[mode]
        case _:
            return None


def _choice_place(request: _Request) -> str:
    config = keyed(request.holder.values["toolConfig"], ("functionCallingConfig",))
    return request.base + request.holder.at("toolConfig") + config.at("functionCallingConfig")


def _rest_of_choice(request: _Request) -> tuple[Extra, ...]:
    """Keep what the tool configuration says besides, and how its keys are spelled."""
    prefix = f"{request.base}/toolConfig"
    config = keyed(request.holder.values["toolConfig"], ("functionCallingConfig",), prefix)
    calling = keyed(
        config.values["functionCallingConfig"], ("allowedFunctionNames", "mode"), f"{prefix}/functionCallingConfig"
    )
    place = request.base + request.holder.at("toolConfig")
    names = calling.values.get("allowedFunctionNames")
    known = {"mode", *(("allowedFunctionNames",) if names else ())}
    return (
        *config.renamed, *calling.renamed, *config.kept({"functionCallingConfig"}, place),
        *calling.kept(known, place + config.at("functionCallingConfig")),
    )  # fmt: skip


def _system(request: _Request, body: Body, messages: Sequence[WireMessage]) -> Entry | None:
    """Read the system instruction: a content, a text, or a list of texts and parts."""
    raw = request.holder.values.get("systemInstruction")
    if not messages or not raw:
        return None
    path, record = body.path + request.base + request.holder.at("systemInstruction"), messages[0].record
    ext: tuple[Extra, ...] = ()
    placed: Placed = []
    match raw:
        case str():
            placed, ext = [(TextBlock(raw), BlockOrigin(path))], (Extra(WRAP, "", AS_TEXT),)
        case list() if all(isinstance(item, str | dict) for item in raw):
            placed, ext = _texts_and_parts(raw, path), (Extra(WRAP, "", AS_LIST),)
        case {"parts": list(parts)}:
            placed = read_parts(parts, f"{path}/parts", "call_system", is_model=False)
            ext = extras(NAME, raw, {"parts", "role"})
            ext += (Extra(IGNORED, "/role", encode_text(raw["role"])),) if "role" in raw else ()
        case _:
            return None
    message, origin = filled(SystemMessage("", ext=ext), placed, record.row, path, {})
    return Entry(message, origin, WireMessage(record, path, raw, -1))


def _texts_and_parts(raw: Sequence[Any], path: str) -> Placed:
    placed: Placed = []
    for n, item in enumerate(raw):
        place = path + step(n)
        if isinstance(item, str):
            placed.append((TextBlock(item, ext=(Extra(WRAP, "", AS_TEXT),)), BlockOrigin(place)))
        else:
            placed += read_parts([item], "", "call_system", is_model=False)
            placed[-1] = placed[-1][0], replace(placed[-1][1], path=place)
    return placed


def _answered(entries: list[Entry], body: Body) -> tuple[list[Entry], Body]:
    """Give the answer's message its model, stop reason and usage; the rest of the envelope is kept as such."""
    if body.response is None:
        return entries, body
    response = keyed(body.response, ("usageMetadata", "modelVersion"))
    candidates = body.response.get("candidates")
    first = candidates[0] if isinstance(candidates, list) and candidates and isinstance(candidates[0], dict) else {}
    candidate, base = keyed(first, ("content", "finishReason")), f"{body.response_path}/candidates/0"
    found = [
        ("model", response.values.get("modelVersion"), body.response_path + response.at("modelVersion")),
        ("usage", response.values.get("usageMetadata"), body.response_path + response.at("usageMetadata")),
        ("stop", candidate.values.get("finishReason"), base + candidate.at("finishReason")),
    ]
    has_content = answer_index(entries) is not None
    taken = tell(entries, found)
    outside = [
        (body.response_path + step(key), value)
        for key, value in body.response.items()
        if not (key == "candidates" and first)
    ]
    outside += [(base + step(key), value) for key, value in first.items() if not (key == "content" and has_content)]
    rest = tuple((path, value) for path, value in outside if path not in taken)
    return entries, replace(body, response=None, rest=(*body.rest, *rest))
