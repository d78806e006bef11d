"""The short way from an ordinary chat to Anthropic: a line is written as soon as it is parsed, without a core object.

What passes here is what the reader of chats, the writer of Anthropic and the rules for its requests would agree on without a
word, white space at the end aside. Anything else, however harmless, takes the long way, which gives the same bytes and losses.
"""

import re
from collections.abc import Callable
from typing import Any

import orjson
from msgspec import Struct

from lighter.envelope import Body
from lighter.formats import Straight
from lighter.formats.anthropic.write import write
from lighter.formats.anthropic.write_messages import TRAILING_WHITESPACE
from lighter.formats.openai_chat.read import read_body
from lighter.formats.openai_chat.shapes import NAME as CHAT
from lighter.jsontext import Number, decode, encode
from lighter.losses import Loss
from lighter.screen import CallChecker, Keeper, Unusual, count_plain, quotes_in

_FRAMES = ({"messages"}, {"messages", "tools"})
_RESULT = {"role", "content", "tool_call_id"}
_INEXACT = re.compile(r"\d[.eE]")
"""Text that may be a number whose literal a Python number would not write back."""

_MINUS_ZERO = re.compile(rb"-0(?![.\deE])")
_SPEAKERS = ("user", "assistant")
_CACHED = 1024
_SAVED = len('{"role":"system","content":""},') - len('"system":"",')
"""How much shorter a system prompt is beside the messages.

A line of texts alone that is as long as what is written, but for that, was as compact, and can have had no key twice: nobody
writes a text shorter. To ask that first saves counting the quotes of most lines.
"""

_KEYS_OF_CALL = 9
"""Keys and strings of a call: `id`, `type`, `function`, `name`, `arguments`, and all their values but the object."""


class _Tools(Struct, frozen=True):
    """A list of tools as Anthropic has it, with the keys and strings of the original, and what checks calls of them."""

    written: orjson.Fragment
    count: int
    strings: tuple[str, ...]
    check: CallChecker


class _Turns:
    """The messages written so far, and what the way there has met: keys and strings, ids of calls, calls without a result."""

    def __init__(self, tools: _Tools | None) -> None:
        self.tools = tools
        self.strings: list[str] = list(tools.strings) if tools else []
        self.count = tools.count if tools else 0
        self.written: list[Any] = []
        self.called: set[str] = set()
        self.open_ids: set[str] = set()


def shortcut(source: str) -> Callable[[bytes], Straight | None] | None:
    """Give a function that writes a line of a format at once, or says None; None for formats without such a way."""
    return _Shortcut().write if source == CHAT else None


class _Shortcut:
    def __init__(self) -> None:
        self._chat = Keeper("openai-chat")
        self._blocks = Keeper("anthropic")
        self._tools: dict[bytes, _Tools | None] = {}

    def write(self, data: bytes) -> Straight | None:
        """Write a line that is an ordinary chat; None for any other."""
        try:
            value = orjson.loads(data)
        except ValueError:
            return None
        if type(value) is not dict or value.keys() not in _FRAMES or type(messages := value["messages"]) is not list:
            return None
        try:
            turns = _Turns(self._known(value["tools"]) if "tools" in value else None)
            body = self._body(messages, turns)
        except Unusual:
            return None
        losses, saved = _trim(body, len(messages) - 1)
        if "system" in body:
            saved += _SAVED
        written = orjson.dumps(body)
        are_texts = not turns.called and turns.tools is None
        if not (are_texts and len(data.rstrip()) == len(written) + saved):
            quotes, count = data.count(b'"'), turns.count + len(value)
            if quotes != 2 * count and quotes != 2 * count + quotes_in(turns.strings):
                return None
            if b"\\u0022" in data:
                return None
        if not are_texts and b"-0" in data and _MINUS_ZERO.search(data):
            return None
        return Straight(written, losses)

    def _body(self, messages: list[Any], turns: _Turns) -> dict[str, Any]:
        """Write the body; raises Unusual."""
        body: dict[str, Any] = {}
        first = messages[0] if messages else None
        if type(first) is dict and first.get("role") == "system":
            body["system"] = _text(first)
            turns.strings.append(body["system"])
            turns.count += 4
            messages = messages[1:]
        self._walk(messages, turns)
        if turns.open_ids or not turns.written:
            raise Unusual
        body["messages"] = turns.written
        if turns.tools is not None:
            body["tools"] = turns.tools.written
        return body

    def _walk(self, messages: list[Any], turns: _Turns) -> None:
        """Write messages in order; raises Unusual. This is the one hot loop: nearly all messages stay the objects they are."""
        written, strings, open_ids = turns.written, turns.strings, turns.open_ids
        results: list[Any] | None = None
        for raw in messages:
            if type(raw) is not dict:
                raise Unusual
            if len(raw) == 2:
                first, second = raw
                if first != "role" or second != "content":
                    raise Unusual
                role, content = raw.values()
                if type(content) is not str or not content or content.isspace() or open_ids or role not in _SPEAKERS:
                    raise Unusual
                strings.append(content)
                written.append(raw)
                results = None
                continue
            role = raw.get("role")
            if role == "tool":
                result = _result(raw, open_ids, strings)
                if results is None:
                    results = [result]
                    written.append({"role": "user", "content": results})
                else:
                    results.append(result)
                turns.count += 2
            elif role == "assistant" and not open_ids:
                written.append({"role": role, "content": self._said(raw, turns)})
                results = None
            else:
                raise Unusual
        turns.count += 4 * len(messages)

    def _said(self, raw: dict[str, Any], turns: _Turns) -> list[Any]:
        """Write a message with calls; raises Unusual."""
        calls, content = raw.get("tool_calls"), raw.get("content")
        if len(raw) != 3 or "content" not in raw or type(calls) is not list or not calls:
            raise Unusual
        blocks: list[Any] = []
        if content is not None:
            blocks.append({"type": "text", "text": _text(raw)})
            turns.strings.append(content)
            turns.count += 1
        blocks += [self._call(call, turns) for call in calls]
        return blocks

    def _call(self, call: Any, turns: _Turns) -> dict[str, Any]:
        if type(call) is not dict or len(call) != 3 or call.get("type") != "function":
            raise Unusual
        call_id, function = call.get("id"), call.get("function")
        if not self._blocks.is_id(call_id) or call_id in turns.called:
            raise Unusual
        if type(function) is not dict or len(function) != 2 or not self._chat.is_name(name := function.get("name")):
            raise Unusual
        if type(text := function.get("arguments")) is not str:
            raise Unusual
        arguments, held = _object(text)
        if turns.tools is not None:
            check = turns.tools.check
            if name not in check.names or not check.is_valid(name, arguments):
                raise Unusual
        turns.called.add(call_id)
        turns.open_ids.add(call_id)
        turns.strings += (call_id, text)
        turns.count += _KEYS_OF_CALL
        return {"type": "tool_use", "id": call_id, "name": name, "input": held}

    def _known(self, tools: Any) -> _Tools:
        """Give a list of tools as Anthropic has it; raises Unusual when there is anything to say about it."""
        try:
            data = orjson.dumps(tools)
        except TypeError:  # nesting beyond its limits
            raise Unusual from None
        if data not in self._tools:
            if len(self._tools) >= _CACHED:
                self._tools.clear()
            self._tools[data] = self._learn(tools, decode(data))
        known = self._tools[data]
        if known is None:
            raise Unusual
        return known

    def _learn(self, tools: Any, exact: Any) -> _Tools | None:
        """Have a list of tools read and written the long way."""
        if _holds_number(exact):
            return None
        written = write(read_body(Body((), fields={"tools": exact}), ()))
        if written.losses or written.value.keys() != {"messages", "tools"}:
            return None
        try:
            source = self._chat.tools(tools)
            self._blocks.tools(written.value["tools"])
        except Unusual:
            return None
        return _Tools(orjson.Fragment(encode(written.value["tools"])), source.count, source.strings, source.check)


def _text(raw: dict[str, Any]) -> str:
    """Give the content of a message that is visible text; raises Unusual."""
    content = raw.get("content")
    if type(content) is not str or not content or content.isspace() or (len(raw) != 2 and "tool_calls" not in raw):
        raise Unusual
    return content


def _result(raw: dict[str, Any], open_ids: set[str], strings: list[str]) -> dict[str, Any]:
    """Write the result of a call; raises Unusual."""
    call_id, content = raw.get("tool_call_id"), raw.get("content")
    if raw.keys() != _RESULT or type(call_id) is not str or call_id not in open_ids:
        raise Unusual
    if type(content) is not str or not content or content.isspace():
        raise Unusual
    open_ids.discard(call_id)
    strings += (call_id, content)
    return {"type": "tool_result", "tool_use_id": call_id, "content": content}


def _object(text: str) -> tuple[dict[str, Any], Any]:
    """Read arguments that are an object, with no key twice, and give them also as they are written; raises Unusual."""
    try:
        value = orjson.loads(text)
    except ValueError:
        raise Unusual from None
    if type(value) is not dict:
        raise Unusual
    strings: list[str] = []
    quotes, count = text.count('"'), count_plain(value, strings)
    if quotes != 2 * count and (quotes != 2 * count + quotes_in(strings) or "\\u0022" in text):
        raise Unusual
    is_exact = len(strings) == len(value) or not _INEXACT.search(text)
    return value, value if is_exact else orjson.Fragment(encode(decode(text)))


def _holds_number(value: Any) -> bool:
    """Say whether an exact JSON value holds a number whose literal counts."""
    match value:
        case dict():
            return any(map(_holds_number, value.values()))
        case list():
            return any(map(_holds_number, value))
        case _:
            return isinstance(value, Number)


def _trim(body: dict[str, Any], index: int) -> tuple[tuple[Loss, ...], int]:
    """Cut white space off a final text of the assistant, as the long way does; give also how many bytes of JSON that saves.

    The row of the loss is the caller's to tell.
    """
    last = body["messages"][-1]
    content = last["content"]
    if last["role"] != "assistant" or content == (trimmed := content.rstrip()):
        return (), 0
    body["messages"][-1] = {"role": "assistant", "content": trimmed}
    saved = len(orjson.dumps(content)) - len(orjson.dumps(trimmed))
    return (Loss(0, f"/messages/{index}/content", *TRAILING_WHITESPACE),), saved
