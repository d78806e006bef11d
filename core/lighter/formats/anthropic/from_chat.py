"""The short way from an ordinary chat to Anthropic: a line is written as soon as it is parsed, without a core object.

What passes here is what the reader of chats, the writer of Anthropic and the rules for its requests would agree on without a
word, white space at the end aside. Anything else, however harmless, takes the long way, which gives the same bytes and losses.
The parser itself refuses what has other keys or types than the structs below, which costs less than parsing into dicts.

That no key occurs twice is proved by counting: what was written has a quote for each quote of the line, those aside that the
two forms have more or less. With a key too many the line has too many.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, field

from lighter.envelope import Body
from lighter.formats import Straight
from lighter.formats.anthropic.write import write
from lighter.formats.anthropic.write_messages import TRAILING_WHITESPACE
from lighter.formats.openai_chat.read import read_body
from lighter.formats.openai_chat.shapes import NAME as CHAT
from lighter.jsontext import Number, decode, encode
from lighter.losses import Loss
from lighter.needles import finder
from lighter.screen import Keeper, Unusual, quotes_in

_CACHED = 1024
_DEEPEST = 64
"""Brackets in the text of arguments that certainly are not nested too deeply; with more they are looked at."""


class _System(Struct, frozen=True, forbid_unknown_fields=True, tag_field="role", tag="system"):
    """The system prompt of a chat."""

    content: str


class _User(Struct, frozen=True, forbid_unknown_fields=True, tag_field="role", tag="user"):
    """A user's text, which is the same in both formats."""

    content: str


class _Function(Struct, frozen=True, forbid_unknown_fields=True):
    """What a call calls."""

    name: str
    arguments: str


class _Call(Struct, frozen=True, forbid_unknown_fields=True):
    """A call as chats have it."""

    id: str
    type: Literal["function"]
    function: _Function


class _Assistant(Struct, frozen=True, forbid_unknown_fields=True, tag_field="role", tag="assistant"):
    """The assistant's text, or calls; without calls it is the same in both formats."""

    content: str | None
    tool_calls: list[_Call] | UnsetType = UNSET


class _Tool(Struct, frozen=True, forbid_unknown_fields=True, tag_field="role", tag="tool"):
    """The result of a call as chats have it."""

    tool_call_id: str
    content: str


class _Chat(Struct, frozen=True, forbid_unknown_fields=True):
    """A record of a chat, its tools as they are written."""

    messages: list[_System | _User | _Assistant | _Tool]
    tools: Raw | UnsetType = UNSET


class _Turn(Struct, frozen=True):
    """A message of blocks as Anthropic has it."""

    role: Literal["user", "assistant"]
    content: list[Any]


class _Text(Struct, frozen=True, tag_field="type", tag="text"):
    """A text beside calls."""

    text: str


class _Use(Struct, frozen=True, tag_field="type", tag="tool_use"):
    """A call as Anthropic has it."""

    id: str
    name: str
    arguments: Any = field(name="input")


class _Result(Struct, frozen=True, tag_field="type", tag="tool_result"):
    """The result of a call as Anthropic has it."""

    tool_use_id: str
    content: str


class _Body(Struct, frozen=True, omit_defaults=True):
    """A request as Anthropic has it, its tools as they are written."""

    system: str | UnsetType
    messages: list[Any]
    tools: Raw | UnsetType


class _Tools(Struct, frozen=True):
    """A list of tools as Anthropic has it, and how many quotes that saves; none of them binds the arguments of its calls."""

    written: Raw
    saved: int


_SAVED_BY_PROMPT = 4
_SAVED_BY_CALL = 4
_SAVED_BY_CALLS = 2
_ADDED_BY_TEXT = 6
_ADDED_BY_RESULTS = 6
"""Quotes around keys and fixed values that Anthropic's form saves or adds: for a system prompt beside the messages, for each
call, for a message with calls and for a text in it, and for a message that holds results."""

_SHORTER_BY_PROMPT = len('{"role":"system","content":""},') - len('"system":"",')
"""How much shorter a system prompt is beside the messages.

A line of texts alone that is as long as what is written, but for that, was as compact, and can have had no key twice: nobody
writes a text shorter. To ask that first saves counting the quotes of most lines.
"""


class _Turns:
    """The messages written so far, and what the way there has met: ids of calls, calls without a result, quotes saved."""

    def __init__(self, tools: _Tools | None) -> None:
        self.tools = tools
        self.saved = tools.saved if tools else 0
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
        self._decode = msgspec.json.Decoder(_Chat).decode
        # The end of the escape of a quote, also of one in a text that is JSON itself.
        self._hides_quote = finder((b"u0022",))

    def write(self, data: bytes) -> Straight | None:
        """Write a line that is an ordinary chat; None for any other."""
        try:
            chat = self._decode(data)
            turns = _Turns(None if chat.tools is UNSET else self._known(bytes(chat.tools)))
            body = self._body(chat.messages, turns)
            losses = _trim(body.messages, len(chat.messages) - 1)
            written = encode(body)
        except (msgspec.DecodeError, UnicodeError, RecursionError, Unusual):
            return None
        are_texts = not (losses or turns.called or turns.tools)
        shorter = 0 if body.system is UNSET else _SHORTER_BY_PROMPT
        is_compact = are_texts and len(data.rstrip()) == len(written) + shorter
        return Straight(written, losses) if is_compact or self._is_whole(data, written, turns.saved) else None

    def _is_whole(self, data: bytes, written: bytes, saved: int) -> bool:
        """Say whether all keys and strings of a line were written, so that no key hid another; see above."""
        return data.count(b'"') == written.count(b'"') + saved and not self._hides_quote(data)

    def _body(self, messages: Sequence[_System | _User | _Assistant | _Tool], turns: _Turns) -> _Body:
        """Write the body; raises Unusual."""
        system: str | UnsetType = UNSET
        if messages and type(first := messages[0]) is _System:
            system, messages = _visible(first.content), messages[1:]
            turns.saved += _SAVED_BY_PROMPT
        self._walk(messages, turns)
        if turns.open_ids or not turns.written:
            raise Unusual
        return _Body(system, turns.written, UNSET if turns.tools is None else turns.tools.written)

    def _walk(self, messages: Sequence[_System | _User | _Assistant | _Tool], turns: _Turns) -> None:
        """Write messages in order; raises Unusual. This is the one hot loop: nearly all messages stay the objects they are."""
        written, open_ids = turns.written, turns.open_ids
        results: list[_Result] | None = None
        for message in messages:
            kind, content = type(message), message.content
            if kind is _User or (kind is _Assistant and message.tool_calls is UNSET):  # type: ignore[union-attr] # as it says
                if not content or content.isspace() or open_ids:
                    raise Unusual
                written.append(message)
                results = None
            elif kind is _Tool:
                result = _result(message, open_ids)  # type: ignore[arg-type] # as it says
                if results is None:
                    results = [result]
                    written.append(_Turn("user", results))
                    turns.saved -= _ADDED_BY_RESULTS
                else:
                    results.append(result)
            elif kind is _Assistant and not open_ids:
                written.append(_Turn("assistant", self._said(message, turns)))  # type: ignore[arg-type] # as it says
                results = None
            else:
                raise Unusual

    def _said(self, message: _Assistant, turns: _Turns) -> list[Any]:
        """Write a message with calls; raises Unusual."""
        if not message.tool_calls:
            raise Unusual
        turns.saved += _SAVED_BY_CALLS
        blocks: list[Any] = []
        if message.content is not None:
            blocks.append(_Text(_visible(message.content)))
            turns.saved -= _ADDED_BY_TEXT
        blocks += [self._call(call, turns) for call in message.tool_calls]
        return blocks

    def _call(self, call: _Call, turns: _Turns) -> _Use:
        call_id, name = call.id, call.function.name
        if call_id in turns.called or not self._blocks.is_id(call_id) or not self._chat.is_name(name):
            raise Unusual
        arguments = _arguments(call.function.arguments)
        turns.called.add(call_id)
        turns.open_ids.add(call_id)
        turns.saved += _SAVED_BY_CALL
        return _Use(call_id, name, arguments)

    def _known(self, data: bytes) -> _Tools:
        """Give a list of tools as Anthropic has it; raises Unusual when there is anything to say about it."""
        if data not in self._tools:
            if len(self._tools) >= _CACHED:
                self._tools.clear()
            self._tools[data] = self._learn(data)
        known = self._tools[data]
        if known is None:
            raise Unusual
        return known

    def _learn(self, data: bytes) -> _Tools | None:
        """Have a list of tools read and written the long way."""
        try:
            tools = decode(data)
            written = write(read_body(Body((), fields={"tools": tools}), ()))
            if _holds_number(tools) or written.losses or written.value.keys() != {"messages", "tools"}:
                return None
            source = self._chat.tools(tools)
            is_strict = source.check.strict_names or self._blocks.tools(written.value["tools"]).check.strict_names
        except (ValueError, RecursionError, Unusual):
            return None
        quotes = data.count(b'"')
        if is_strict or quotes != 2 * source.count + quotes_in(source.strings) or self._hides_quote(data):
            return None
        text = encode(written.value["tools"])
        return _Tools(Raw(text), quotes - text.count(b'"'))


def _visible(text: str) -> str:
    """Give a text that is more than white space; raises Unusual for others."""
    if not text or text.isspace():
        raise Unusual
    return text


def _result(message: _Tool, open_ids: set[str]) -> _Result:
    """Write the result of a call; raises Unusual."""
    call_id = message.tool_call_id
    if call_id not in open_ids:
        raise Unusual
    open_ids.discard(call_id)
    return _Result(call_id, _visible(message.content))


def _arguments(text: str) -> dict[str, Any]:
    """Read arguments that are an object; raises Unusual."""
    try:
        value = decode(text)
    except ValueError:
        raise Unusual from None
    if type(value) is not dict or text.count("{") + text.count("[") > _DEEPEST:
        raise Unusual
    return value


def _holds_number(value: Any) -> bool:
    """Say whether an exact JSON value holds a number whose literal counts."""
    match value:
        case dict():
            return any(map(_holds_number, value.values()))
        case list():
            return any(map(_holds_number, value))
        case _:
            return isinstance(value, Number)


def _trim(messages: list[Any], index: int) -> tuple[Loss, ...]:
    """Cut white space off a final text of the assistant, as the long way does; the row of the loss is the caller's to tell."""
    last = messages[-1]
    if type(last) is not _Assistant or last.content is None or last.content == (trimmed := last.content.rstrip()):
        return ()
    messages[-1] = _Assistant(trimmed)
    return (Loss(0, f"/messages/{index}/content", *TRAILING_WHITESPACE),)
