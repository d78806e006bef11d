"""The fast answer to "could any rule have something to say here?" for OpenAI Chat, over values as the parser gave them.

The screen may say "look" of what turns out to be fine, never "ordinary" of what is not. It knows the shapes that nearly all
messages have; whatever else it meets, however harmless, is left to the rules. Most of a file passes here and costs no core
object and no rule at all.

That no key occurs twice is proved by counting: a record has two quotes for each key and each string value, and one more for
each quote inside a string. With a key too many the count is too high.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson
from msgspec import Struct

from lighter.envelope import SESSION_KEYS
from lighter.plaintools import plain_tools

LOOK = -1
"""What the screen says of a message that it cannot vouch for."""

LARGEST_INTEGER = 2**53
DEEPEST = 8
"""Levels of nesting that a value of no meaning may have before it is looked at."""

LOG_KEYS = frozenset({
    *SESSION_KEYS, "timestamp", "ts", "time", "created", "created_at", "createdAt", "date", "id", "uuid", "message_id",
    "messageId", "index", "turn", "turn_id", "step", "model", "run_id", "runId", "trace_id", "user_id", "metadata", "usage",
    "finish_reason",
})  # fmt: skip
"""Keys that loggers add to messages and records, and that no rule reads when there is no target."""

BODY_KEYS = frozenset(
    {"model", "temperature", "top_p", "max_tokens", "max_completion_tokens", "stream", "seed", "n", "user"}
)
"""Request parameters that no rule reads."""

DEEPEST_JSON = 64
"""The same for a record as a whole, and for the schemas of tools."""

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_CACHED = 4096


class _Unusual(Exception):
    """A value that the screen cannot vouch for."""


class _Shape(Struct, frozen=True):
    """What the keys of a message say: how many they are, which meaningful ones there are, and the rest."""

    count: int
    has_name: bool
    has_calls: bool
    has_call_id: bool
    plain: tuple[str, ...]


_SIMPLE = _Shape(2, has_name=False, has_calls=False, has_call_id=False, plain=())
"""The shape of most messages: a role and content."""

_SPEAKERS = ("user", "assistant", "system", "developer")  # no set: what stands as a role may be unhashable
_UNSEEN = _Shape(0, has_name=False, has_calls=False, has_call_id=False, plain=())


class _Tools(Struct, frozen=True):
    """A list of tools that was seen: its checker, how many keys and strings it holds, and the strings."""

    check: Any
    count: int
    strings: tuple[str, ...]


class ChatScreen:
    """The screen for one run.

    `is_logged`: keys of loggers may stand on messages. `suspects` say of a text of the assistant that some rule wants to look at
    it, and so do `needles` in a record's bytes. `called` gets the id of each call that passes.
    """

    def __init__(
        self,
        *,
        is_logged: bool,
        longest_id: int,
        suspects: Sequence[Callable[[str], bool]] = (),
        needles: Sequence[bytes] = (),
    ) -> None:
        from lighter.needles import finder  # noqa: PLC0415 - the detection of plain chats has no need of it

        self.extra = LOG_KEYS if is_logged else frozenset[str]()
        self.longest_id = longest_id
        self.suspects = suspects
        self.needles = finder((b"\\u0022", *needles))
        self.called: list[str] = []
        self._shapes: dict[tuple[str, ...], _Shape | None] = {}
        self._names: set[str] = set()
        self._tools: dict[bytes, _Tools | None] = {}

    def is_ordinary_body(self, value: Any, data: bytes, *, may_pend: bool) -> bool:
        """Say whether a record that is one conversation is ordinary; `may_pend`: its last calls need no result."""
        strings: list[str] = []
        open_ids: set[str] = set()
        try:
            messages, count, tools = self._opened(value, strings)
        except _Unusual:
            return False
        found = self.screen(messages, open_ids, strings, tools)
        if found < 0 or (open_ids and not may_pend):
            return False
        if not any(message["role"] in ("user", "assistant") for message in messages):
            return False
        return self.is_clean(data, count + found, strings)

    def _opened(self, value: Any, strings: list[str]) -> tuple[list[Any], int, Any]:
        """Find the messages of a record, with the count of what stands around them and the checker of its tools."""
        if type(value) is list:
            return value, 0, None
        if type(value) is not dict or type(messages := value.get("messages")) is not list:
            raise _Unusual
        count, check = 1, None
        for key, item in value.items():
            if key == "messages":
                continue
            if key == "tools":
                tools = self._known_tools(item)
                count += 1 + tools.count
                strings += tools.strings
                check = tools.check
            elif key in BODY_KEYS or key in self.extra:
                count += 1 + count_plain(item, strings)
            else:
                raise _Unusual
        return messages, count, check

    def _known_tools(self, tools: Any) -> _Tools:
        try:
            data = orjson.dumps(tools)
        except TypeError:  # a lone surrogate, or an integer of more than 64 bits
            raise _Unusual from None
        if data not in self._tools:
            if len(self._tools) >= _CACHED:
                self._tools.clear()
            self._tools[data] = _learn_tools(tools)
        known = self._tools[data]
        if known is None:
            raise _Unusual
        return known

    def screen(  # noqa: C901, PLR0912 - the one hot loop: a call for each message would double its cost
        self, messages: Sequence[Any], open_ids: set[str], strings: list[str], tools: Any = None
    ) -> int:
        """Go through messages in order; LOOK, or how many keys and string values they hold.

        `open_ids` are the calls that wait for a result, before and after. The strings met are added to `strings`.
        """
        count = 0
        shapes, spoken = self._shapes, list[str]()
        for raw in messages:
            if type(raw) is not dict:
                return LOOK
            keys = tuple(raw)
            shape = shapes.get(keys, _UNSEEN)
            if shape is _UNSEEN:
                shape = self._learn(keys)
            if shape is None:
                return LOOK
            role, content = raw["role"], raw.get("content")
            if type(content) is str:
                if "\0" in content:
                    return LOOK
                strings.append(content)
                count += 1
                if role == "assistant":
                    spoken.append(content)
            elif content is not None:
                return LOOK
            count += shape.count + 1  # its keys, and the role
            if shape is _SIMPLE:
                if not content or content.isspace() or open_ids or role not in _SPEAKERS:
                    return LOOK
                continue
            found = self._further(raw, shape, open_ids, strings, tools)
            if found < 0:
                return LOOK
            count += found
        for is_suspect in self.suspects:
            if any(map(is_suspect, spoken)):
                return LOOK
        return count

    def _further(self, raw: dict[str, Any], shape: _Shape, open_ids: set[str], strings: list[str], tools: Any) -> int:
        """Judge a message with more than text: LOOK, or how many keys and string values there are besides its own and its text."""
        role, content = raw["role"], raw.get("content")
        count = 0
        if role == "tool":
            call_id = raw["tool_call_id"] if shape.has_call_id else None
            if type(call_id) is not str or call_id not in open_ids or shape.has_calls or content is None:
                return LOOK
            open_ids.discard(call_id)
            strings.append(call_id)
            count = 1
        elif open_ids or shape.has_call_id or role not in _SPEAKERS:
            return LOOK
        elif shape.has_calls:
            count = self._calls(raw["tool_calls"], open_ids, strings, tools) if role == "assistant" else LOOK
            if count < 0:
                return LOOK
        elif not content or content.isspace():
            return LOOK
        if not (shape.plain or shape.has_name):
            return count
        found = self._rest(raw, shape, strings)
        return LOOK if found < 0 else count + found

    def is_clean(self, data: bytes, count: int, strings: Sequence[str]) -> bool:
        r"""Say whether records hold no key beyond those counted, with the string values, as `count`, and no needle.

        A quote in a string may also be written `\u0022`, which would not be counted: that is one of the needles.
        """
        quotes = data.count(b'"')
        if quotes != 2 * count and quotes != 2 * count + quotes_in(strings):
            return False
        return not self.needles(data)

    def _learn(self, keys: tuple[str, ...]) -> _Shape | None:
        """Judge a message by its keys, once for each combination."""
        if len(self._shapes) >= _CACHED:
            self._shapes.clear()
        known = {"role", "content", "name", "tool_calls", "tool_call_id"}
        plain_keys = tuple(key for key in keys if key not in known)
        shape = None
        if keys in (("role", "content"), ("content", "role")):
            shape = _SIMPLE
        elif "role" in keys and all(key in self.extra for key in plain_keys):
            shape = _Shape(len(keys), "name" in keys, "tool_calls" in keys, "tool_call_id" in keys, plain_keys)
        self._shapes[keys] = shape
        return shape

    def _calls(self, calls: Any, open_ids: set[str], strings: list[str], tools: Any) -> int:
        """Go through the calls of a message; LOOK, or how many keys and string values they hold."""
        if type(calls) is not list or not calls:
            return LOOK
        for call in calls:
            if type(call) is not dict or len(call) != 3 or call.get("type") != "function":
                return LOOK
            call_id, function = call.get("id"), call.get("function")
            if (
                type(call_id) is not str
                or not 0 < len(call_id) <= self.longest_id
                or call_id in open_ids
                or "\0" in call_id
            ):
                return LOOK
            if type(function) is not dict or len(function) != 2:
                return LOOK
            name, arguments = function.get("name"), function.get("arguments")
            if type(arguments) is not str or type(name) is not str or not (name in self._names or self._is_name(name)):
                return LOOK
            try:
                parsed = orjson.loads(arguments)
            except ValueError:
                return LOOK
            if type(parsed) is not dict or "\0" in arguments:
                return LOOK
            if tools is not None and not (name in tools.names and tools.is_valid(name, parsed)):
                return LOOK
            open_ids.add(call_id)
            self.called.append(call_id)
            strings += (call_id, arguments)
        return 9 * len(calls)

    def _is_name(self, name: str) -> bool:
        if not _NAME.fullmatch(name):
            return False
        if len(self._names) >= _CACHED:
            self._names.clear()
        self._names.add(name)
        return True

    def _rest(self, raw: Mapping[str, Any], shape: _Shape, strings: list[str]) -> int:
        """Go through the keys of a message that mean nothing to the rules, and its name."""
        count = 0
        if shape.has_name:
            name = raw["name"]
            if type(name) is not str or not (name in self._names or self._is_name(name)):
                return LOOK
            if not self.extra and raw["role"] == "tool":
                return LOOK
            count = 1
        for key in shape.plain:
            value = raw[key]
            if type(value) is str:
                if "\0" in value:
                    return LOOK
                strings.append(value)
                count += 1
            elif type(value) is not float or not -LARGEST_INTEGER < value < LARGEST_INTEGER:
                try:
                    count += count_plain(value, strings)
                except _Unusual:
                    return LOOK
        return count


def quotes_in(strings: Sequence[str]) -> int:
    """Count the quotes in strings; to ask first whether there are any is ten times as fast where there are none."""
    return sum([text.count('"') for text in strings if '"' in text])


def count_plain(value: Any, strings: list[str], depth: int = DEEPEST) -> int:
    """Count the keys and string values of a value that no rule but those of the file reads; raises _Unusual."""
    if isinstance(value, str):
        if "\0" in value:
            raise _Unusual
        strings.append(value)
        return 1
    if value is None or (isinstance(value, int | float) and -LARGEST_INTEGER < value < LARGEST_INTEGER):
        return 0
    if depth == 0:
        raise _Unusual
    if isinstance(value, dict):
        for key in value:
            if '"' in key or "\0" in key:
                raise _Unusual
        return len(value) + sum([count_plain(item, strings, depth - 1) for item in value.values()])
    if isinstance(value, list):
        return sum([count_plain(item, strings, depth - 1) for item in value])
    raise _Unusual


def is_sound(value: Any, data: bytes) -> bool:
    """Say whether nothing is odd about a record as JSON: no repeated key, no NUL, no huge number, no deep nesting.

    Like the screen it may say no wrongly, never yes.
    """
    strings: list[str] = []
    try:
        count = count_plain(value, strings, DEEPEST_JSON)
    except _Unusual:
        return False
    quotes = data.count(b'"')
    return quotes == 2 * count + quotes_in(strings) and b"\\u0022" not in data


def _learn_tools(tools: Any) -> _Tools | None:
    strings: list[str] = []
    try:
        count = count_plain(tools, strings, DEEPEST_JSON)
    except _Unusual:
        return None
    check: Any = plain_tools(tools)
    if check is None and isinstance(tools, list) and tools:
        from lighter.toolcheck import checker_for  # noqa: PLC0415 - it loads a schema compiler, which few tools need

        check = checker_for(tools)
    return _Tools(check, count, tuple(strings)) if check is not None and check.is_sound else None
