"""What the screens of the formats share: "could any rule have something to say here?", over values as the parser gave them.

A screen may say "look" of what turns out to be fine, never "ordinary" of what is not. It knows the shapes that nearly all
messages have; whatever else it meets, however harmless, is left to the rules. Most of a file passes here and costs no core
object and no rule at all.

That no key occurs twice is proved by counting: a record has two quotes for each key and each string value, and one more for
each quote inside a string. With a key too many the count is too high.
"""

import re
from collections.abc import Callable, Collection, Container, Mapping, Sequence
from typing import Any, Protocol, TypeGuard

import orjson
from msgspec import Struct

from lighter.envelope import SESSION_KEYS
from lighter.plaintools import plain_tools

LOOK = -1
"""What a screen says of messages that it cannot vouch for."""

LARGEST_INTEGER = 2**53
DEEPEST = 8
"""Levels of nesting that a value of no meaning may have before it is looked at."""

DEEPEST_JSON = 64
"""The same for a record as a whole, and for the schemas of tools."""

LOG_KEYS = frozenset({
    *SESSION_KEYS, "timestamp", "ts", "time", "created", "created_at", "createdAt", "date", "id", "uuid", "message_id",
    "messageId", "index", "turn", "turn_id", "step", "model", "run_id", "runId", "trace_id", "user_id", "metadata", "usage",
    "finish_reason",
})  # fmt: skip
"""Keys that loggers add to messages and records, and that no rule reads when there is no target."""

ESCAPES = (b"\\u0022", b"\\u0000")
"""Spellings of a quote that the count of quotes would miss, and of NUL, which no other can have."""

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_CACHED = 4096
_NO_JUDGES: Mapping[str, Callable[[Any, list[str]], int]] = {}


class Unusual(Exception):
    """A value that the screen cannot vouch for."""


class CallChecker(Protocol):
    """What checks calls against a list of tools."""

    @property
    def names(self) -> Container[str]:
        """The names that may be called."""
        ...

    @property
    def strict_names(self) -> Collection[str]:
        """The names of the tools whose schema a provider enforces."""
        ...

    def is_valid(self, name: str, arguments: Any) -> bool:
        """Say whether arguments certainly fit the tool of a name, which is one of `names`."""
        ...


class Tools(Struct, frozen=True):
    """A list of tools that was seen: its checker, how many keys and strings it holds, the strings, and its cache breakpoints."""

    check: CallChecker
    count: int
    strings: tuple[str, ...]
    marks: int


def checker_of(tools: Tools | None, *, only_errors: bool) -> CallChecker | None:
    """Give what checks the calls of a body; with `only_errors` only where a call that fits no tool is more than a warning."""
    return tools.check if tools and (tools.check.strict_names or not only_errors) else None


class Screen(Protocol):
    """What linting asks of a screen. `called` has the id of each call that passed since it was cleared."""

    called: list[str]

    def count_of_body(self, value: Any, strings: list[str], *, may_pend: bool) -> int:
        """Judge a record that is one conversation by all but its bytes; LOOK, or how many keys and string values it holds.

        `may_pend`: its last calls need no result. The strings met are added to `strings`.
        """
        ...

    def screen(
        self, messages: Sequence[Any], open_ids: set[str], strings: list[str], *, seen: Sequence[Container[str]] = ()
    ) -> int:
        """Go through messages in order; LOOK, or how many keys and string values they hold.

        `open_ids` are the calls that wait for a result, before and after; `seen` hold those of earlier turns. The strings met
        are added to `strings`.
        """
        ...

    def is_clean(self, data: bytes, count: int, strings: Sequence[str]) -> bool:
        """Say whether records hold nothing but what was counted, and no text that some rule looks for."""
        ...

    def answers(self, raw: Any) -> bool:
        """Say whether an ordinary message holds the results of calls, so that no turn ends before it."""
        ...

    def count_calls(self, raw: Any) -> int:
        """Count the calls of an ordinary message."""
        ...


def is_ordinary_body(screen: Screen, value: Any, data: bytes, *, may_pend: bool) -> bool:
    """Say whether a record that is one conversation is ordinary; `may_pend`: its last calls need no result."""
    strings: list[str] = []
    count = screen.count_of_body(value, strings, may_pend=may_pend)
    return count >= 0 and screen.is_clean(data, count, strings)


class Keeper:
    """What a screen remembers during a run: names and lists of tools that passed, and what rules look for in bytes and texts.

    `suspects` say of a text of the assistant, or of several joined, that some rule wants to look at it; they are asked where
    the bytes of the record hold one of `hints`, which is found out sooner (None: always). `needles` say so of the bytes alone.
    `spoken` are the texts of the assistant in what was screened last.
    """

    def __init__(
        self,
        format: str,
        suspects: Sequence[Callable[[str], bool]] = (),
        hints: Sequence[bytes] | None = None,
        needles: Sequence[bytes] | None = None,
    ) -> None:
        self.format = format
        self.suspects = suspects
        self.spoken: list[str] = []
        self._hints_at = _finder(hints) if suspects and hints is not None else None
        self._holds = None if needles is None else _finder((*ESCAPES, *needles))
        self._names: set[str] = set()
        self._tools: dict[bytes, Tools | None] = {}

    def is_clean(self, data: bytes, count: int, strings: Sequence[str]) -> bool:
        """Say whether records hold no key beyond those counted, with the string values, as `count`, and nothing suspect."""
        quotes = data.count(b'"')
        if quotes != 2 * count and quotes != 2 * count + quotes_in(strings):
            return False
        if self._holds is not None and self._holds(data):
            return False
        return not self.spoken or not self.suspects or not self._is_suspect(data)

    def is_name(self, name: Any) -> TypeGuard[str]:
        """Say whether a value is a name that every provider takes."""
        if type(name) is not str:
            return False
        if name in self._names:
            return True
        if not _NAME.fullmatch(name):
            return False
        if len(self._names) >= _CACHED:
            self._names.clear()
        self._names.add(name)
        return True

    def is_id(self, call_id: Any) -> TypeGuard[str]:
        """Say whether a value is an id that every provider takes."""
        return type(call_id) is str and _NAME.fullmatch(call_id) is not None

    def _is_suspect(self, data: bytes) -> bool:
        """Say whether some rule wants to look at what the assistant says."""
        if self._hints_at is not None and not self._hints_at(data):
            return False
        text = "\n".join(self.spoken)
        return any(is_suspect(text) for is_suspect in self.suspects)

    def tools(self, tools: Any) -> Tools:
        """Give what is known of a list of tools; raises Unusual when it is not in order."""
        try:
            data = orjson.dumps(tools)
        except TypeError:  # nesting or a number beyond its limits
            raise Unusual from None
        if data not in self._tools:
            if len(self._tools) >= _CACHED:
                self._tools.clear()
            self._tools[data] = _learn_tools(tools, self.format)
        known = self._tools[data]
        if known is None:
            raise Unusual
        return known

    def open_body(
        self,
        value: Any,
        strings: list[str],
        plain_keys: Container[str],
        judges: Mapping[str, Callable[[Any, list[str]], int]] = _NO_JUDGES,
    ) -> tuple[list[Any], int, Tools | None]:
        """Find the messages of a record; with them, how many keys and strings stand around them, and its tools.

        `plain_keys` have values that mean nothing to the rules, `judges` count those of other keys, or say LOOK. Raises Unusual
        for any further key, and when there is no list of messages.
        """
        if type(value) is list:
            return value, 0, None
        if type(value) is not dict or type(messages := value.get("messages")) is not list:
            raise Unusual
        count, tools = len(value), None
        for key, item in value.items():
            if key == "messages":
                continue
            if key == "tools":
                tools = self.tools(item)
                count += tools.count
                strings += tools.strings
            elif key in plain_keys:
                count += count_plain(item, strings)
            elif key in judges and (found := judges[key](item, strings)) >= 0:
                count += found
            else:
                raise Unusual
        return messages, count, tools


def _finder(needles: Sequence[bytes]) -> Callable[[bytes], bool]:
    from lighter.needles import finder  # noqa: PLC0415 - the detection of plain chats has no need of it

    return finder(needles)


def quotes_in(strings: Sequence[str]) -> int:
    """Count the quotes in strings; to ask first whether there are any is ten times as fast where there are none."""
    return sum([text.count('"') for text in strings if '"' in text])


def count_plain(value: Any, strings: list[str], depth: int = DEEPEST) -> int:
    """Count the keys and string values of a value that no rule but those of the file reads; raises Unusual."""
    if type(value) is str:
        if "\0" in value:
            raise Unusual
        strings.append(value)
        return 1
    if value is None or (isinstance(value, int | float) and -LARGEST_INTEGER < value < LARGEST_INTEGER):
        return 0
    if depth == 0:
        raise Unusual
    if type(value) is dict:
        count = len(value)
        for key, item in value.items():
            if '"' in key or "\0" in key:
                raise Unusual
            if type(item) is str and "\0" not in item:  # as most are; a call for each would double the time
                strings.append(item)
                count += 1
            else:
                count += count_plain(item, strings, depth - 1)
        return count
    if type(value) is list:
        return sum([count_plain(item, strings, depth - 1) for item in value])
    raise Unusual


def is_sound(value: Any, data: bytes) -> bool:
    """Say whether nothing is odd about a record as JSON: no repeated key, no NUL, no huge number, no deep nesting.

    Like the screen it may say no wrongly, never yes.
    """
    strings: list[str] = []
    try:
        count = count_plain(value, strings, DEEPEST_JSON)
    except Unusual:
        return False
    quotes = data.count(b'"')
    return quotes == 2 * count + quotes_in(strings) and b"\\u0022" not in data


def _learn_tools(tools: Any, format: str) -> Tools | None:
    """Give what there is to know of a list of tools; None when a rule could have something to say about it."""
    strings: list[str] = []
    try:
        count = count_plain(tools, strings, DEEPEST_JSON)
    except Unusual:
        return None
    check: CallChecker | None = plain_tools(tools, format)
    if check is None and isinstance(tools, list) and tools:
        from lighter.toolcheck import checker_for  # noqa: PLC0415 - it loads a schema compiler, which few tools need

        compiled = checker_for(tools, format)
        check = compiled if compiled.is_sound else None
    if check is None:
        return None
    marks = sum([tool.get("cache_control") is not None for tool in tools if isinstance(tool, dict)])
    return Tools(check, count, tuple(strings), marks)
