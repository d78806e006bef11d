"""The screen of OpenAI Chat: which conversations are so ordinary that no rule could have anything to say.

See `lighter.screen`.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

import orjson
from msgspec import Struct

from lighter.screen import LARGEST_INTEGER, LOG_KEYS, LOOK, CallChecker, Keeper, Unusual, checker_of, count_plain

BODY_KEYS = frozenset(
    {"model", "temperature", "top_p", "max_tokens", "max_completion_tokens", "stream", "seed", "n", "user"}
)
"""Request parameters that no rule reads."""

LONGEST_ID = 200
"""Characters of a call's id that no rule minds where the target sets no limit."""

KNOWN_KEYS = frozenset({"role", "content", "name", "tool_calls", "tool_call_id"})
_SPEAKERS = ("user", "assistant", "system", "developer")
_CACHED = 4096


class _Shape(Struct, frozen=True):
    """What the keys of a message say: how many they are, which meaningful ones there are, and the rest."""

    count: int
    has_name: bool
    has_calls: bool
    has_call_id: bool
    plain: tuple[str, ...]


_UNSEEN = _Shape(0, has_name=False, has_calls=False, has_call_id=False, plain=())


class ChatScreen:
    """The screen for one run; see `lighter.screen.Screen`.

    `is_logged`: keys of loggers may stand on messages. `longest_id`: characters that the id of a call may have. `keys`: a
    message that has all of one of these is never ordinary. `roles`: the roles that the target takes. `is_bound_to_model`: what
    it takes depends on the model, so that a record which names one is looked at. `wants_tools`: calls of tools that are not
    declared are looked at, even where none are. `given_tools` checks calls where none are declared. `only_errors`: what is but a
    warning passes. `suspects`, `hints` and `needles`: see `lighter.screen.Keeper`; without needles no record is searched.
    """

    def __init__(  # noqa: PLR0913 - one argument for each of the facts above
        self,
        *,
        is_logged: bool,
        longest_id: int,
        suspects: Sequence[Callable[[str], bool]] = (),
        hints: Sequence[bytes] | None = None,
        needles: Sequence[bytes] | None = None,
        keys: Sequence[frozenset[str]] = (),
        roles: Container[str] = _SPEAKERS,
        is_bound_to_model: bool = False,
        wants_tools: bool = False,
        only_errors: bool = False,
        given_tools: CallChecker | None = None,
    ) -> None:
        self.keys = keys
        self.wants_tools = wants_tools
        self.only_errors = only_errors
        self.given_tools = given_tools
        self.speakers = tuple(role for role in _SPEAKERS if role in roles)
        self.extra = LOG_KEYS if is_logged else frozenset[str]()
        self.longest_id = longest_id
        self.keeper = Keeper("openai-chat", suspects, hints, needles)
        self.is_clean = self.keeper.is_clean
        self.called: list[str] = []
        self._plain_keys = (BODY_KEYS | self.extra) - ({"model"} if is_bound_to_model else set())
        self._shapes: dict[tuple[str, ...], _Shape | None] = {}

    def answers(self, raw: Any) -> bool:
        """Say whether an ordinary message holds the result of a call."""
        return bool(raw["role"] == "tool")

    def count_calls(self, raw: Any) -> int:
        """Count the calls of an ordinary message."""
        return len(raw.get("tool_calls") or ())

    def count_of_body(self, value: Any, strings: list[str], *, may_pend: bool) -> int:
        """Judge a conversation by all but its bytes; LOOK, or how many keys and string values it holds."""
        open_ids: set[str] = set()
        self.called.clear()
        try:
            messages, count, tools = self.keeper.open_body(value, strings, self._plain_keys)
        except Unusual:
            return LOOK
        found = self.screen(messages, open_ids, strings, tools=checker_of(tools, only_errors=self.only_errors))
        if found < 0 or (open_ids and not may_pend):
            return LOOK
        if not any(message["role"] in ("user", "assistant") for message in messages):
            return LOOK
        return count + found

    def screen(
        self,
        messages: Sequence[Any],
        open_ids: set[str],
        strings: list[str],
        *,
        seen: Sequence[Container[str]] = (),  # noqa: ARG002 - ids may come again in a later turn of a chat
        tools: CallChecker | None = None,
    ) -> int:
        """Go through messages in order; LOOK, or how many keys and string values they hold. This is the one hot loop."""
        count, spoken, speakers, tools = 0, self.keeper.spoken, self.speakers, tools or self.given_tools
        spoken.clear()
        for raw in messages:
            if type(raw) is not dict:
                return LOOK
            role, content = raw.get("role"), raw.get("content")
            if len(raw) == 2 and type(content) is str:  # nearly all: a role and a text
                if not content or content.isspace() or open_ids or role not in speakers:
                    return LOOK
                strings.append(content)
                if role == "assistant":
                    spoken.append(content)
                count += 4
                continue
            found = self._further(raw, role, content, open_ids, strings, tools)
            if found < 0:
                return LOOK
            if role == "assistant" and content:
                spoken.append(content)
            count += found
        return count

    def _further(  # noqa: PLR0913, PLR0917 - it shares the state of the loop that calls it
        self,
        raw: dict[str, Any],
        role: Any,
        content: Any,
        open_ids: set[str],
        strings: list[str],
        tools: CallChecker | None,
    ) -> int:
        """Judge a message with more than text: LOOK, or how many keys and string values there are in it."""
        shape = self._shape(raw)
        if shape is None:
            return LOOK
        count = shape.count + 1  # its keys, and the role
        if type(content) is str:
            strings.append(content)
            count += 1
        elif content is not None:
            return LOOK
        found = self._told(raw, role, content, shape, open_ids, strings, tools)
        if found < 0:
            return LOOK
        count += found
        if not (shape.plain or shape.has_name):
            return count
        found = self._rest(raw, shape, strings)
        return LOOK if found < 0 else count + found

    def _told(  # noqa: PLR0913, PLR0917 - as above
        self,
        raw: dict[str, Any],
        role: Any,
        content: Any,
        shape: _Shape,
        open_ids: set[str],
        strings: list[str],
        tools: CallChecker | None,
    ) -> int:
        """Judge a result, calls, or text alone by its role; LOOK, or how many keys and string values it holds in calls and ids."""
        if role == "tool":
            call_id = raw["tool_call_id"] if shape.has_call_id else None
            if type(call_id) is not str or call_id not in open_ids or shape.has_calls or content is None:
                return LOOK
            open_ids.discard(call_id)
            strings.append(call_id)
            return 1
        if open_ids or shape.has_call_id or role not in self.speakers:
            return LOOK
        if shape.has_calls:
            return self._calls(raw["tool_calls"], open_ids, strings, tools) if role == "assistant" else LOOK
        return LOOK if not content or content.isspace() else 0

    def _shape(self, raw: dict[str, Any]) -> _Shape | None:
        """Judge a message by its keys, once for each combination."""
        keys = tuple(raw)
        shape = self._shapes.get(keys, _UNSEEN)
        if shape is not _UNSEEN:
            return shape
        if len(self._shapes) >= _CACHED:
            self._shapes.clear()
        plain = tuple(key for key in keys if key not in KNOWN_KEYS)
        shape = None
        is_wanted = any(map(frozenset(keys).issuperset, self.keys))
        if "role" in keys and not is_wanted and all(key in self.extra for key in plain):
            shape = _Shape(len(keys), "name" in keys, "tool_calls" in keys, "tool_call_id" in keys, plain)
        self._shapes[keys] = shape
        return shape

    def _calls(self, calls: Any, open_ids: set[str], strings: list[str], tools: CallChecker | None) -> int:
        """Go through the calls of a message; LOOK, or how many keys and string values they hold."""
        if type(calls) is not list or not calls or (tools is None and self.wants_tools):
            return LOOK
        for call in calls:
            if type(call) is not dict or len(call) != 3 or call.get("type") != "function":
                return LOOK
            call_id, function = call.get("id"), call.get("function")
            if type(call_id) is not str or not 0 < len(call_id) <= self.longest_id or call_id in open_ids:
                return LOOK
            if type(function) is not dict or len(function) != 2:
                return LOOK
            name, arguments = function.get("name"), function.get("arguments")
            if type(arguments) is not str or not self.keeper.is_name(name):
                return LOOK
            try:
                parsed = orjson.loads(arguments)
            except ValueError:
                return LOOK
            if type(parsed) is not dict or None in parsed.values():
                return LOOK
            if tools is not None and not (name in tools.names and tools.is_valid(name, parsed)):
                return LOOK
            open_ids.add(call_id)
            self.called.append(call_id)
            strings += (call_id, arguments)
        return 9 * len(calls)

    def _rest(self, raw: Mapping[str, Any], shape: _Shape, strings: list[str]) -> int:
        """Go through the keys of a message that mean nothing to the rules, and its name."""
        count = 0
        if shape.has_name:
            if not self.keeper.is_name(raw["name"]) or (not self.extra and raw["role"] == "tool"):
                return LOOK
            count = 1
        for key in shape.plain:
            value = raw[key]
            if type(value) is str:
                strings.append(value)
                count += 1
            elif type(value) is not float or not -LARGEST_INTEGER < value < LARGEST_INTEGER:
                try:
                    count += count_plain(value, strings)
                except Unusual:
                    return LOOK
        return count
