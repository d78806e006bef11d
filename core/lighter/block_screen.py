"""The screen of Anthropic Messages: which conversations are so ordinary that no rule could have anything to say.

See `lighter.screen`. Results are ordinary when they stand first in the user's next turn, all of them.
"""

from collections.abc import Callable, Container, Sequence
from typing import Any

from lighter.envelope import SESSION_KEYS
from lighter.screen import LOG_KEYS, LOOK, CallChecker, Keeper, Unusual, checker_of, count_plain

BODY_KEYS = frozenset({
    "model", "max_tokens", "temperature", "top_p", "top_k", "stream", "stop_sequences", "metadata", "thinking",
})  # fmt: skip
"""Request parameters whose values no rule reads; what may not stand at the end is seen to in `count_of_body`."""

MOST_MARKS = 4
"""Cache breakpoints that one request may set (`too-many-cache-breakpoints`)."""

_TEXT = frozenset({"type", "text"})
_MARKED_TEXT = _TEXT | {"cache_control"}
_CALL = frozenset({"type", "id", "name", "input"})
_RESULT = frozenset({"type", "tool_use_id", "content"})
_FLAGGED_RESULT = _RESULT | {"is_error"}
_THOUGHT = frozenset({"type", "thinking", "signature"})
_ROLES = ("user", "assistant")
_MARK = {"type": "ephemeral"}


class BlockScreen:
    """The screen for one run; see `lighter.screen.Screen`.

    `is_logged`: keys of loggers may stand on messages. `is_request`: what is linted must be a request that is accepted now.
    `only_errors`: what is but a warning passes. `given_tools` checks calls where no tools are declared. `suspects`, `hints` and
    `needles`: see `lighter.screen.Keeper`; without needles no record is searched.
    """

    def __init__(  # noqa: PLR0913 - one argument for each of the facts above
        self,
        *,
        is_logged: bool,
        is_request: bool,
        only_errors: bool = False,
        suspects: Sequence[Callable[[str], bool]] = (),
        hints: Sequence[bytes] | None = None,
        needles: Sequence[bytes] | None = None,
        given_tools: CallChecker | None = None,
    ) -> None:
        self.extra = LOG_KEYS if is_logged else frozenset[str]()
        self.is_request = is_request
        self.only_errors = only_errors
        self.given_tools = given_tools
        self.keeper = Keeper("anthropic", suspects, hints, needles)
        self.is_clean = self.keeper.is_clean
        self.called: list[str] = []
        self._marks = 0
        self._plain_keys = BODY_KEYS | self.extra

    def answers(self, raw: Any) -> bool:
        """Say whether an ordinary message holds the results of calls."""
        content = raw["content"]
        return type(content) is list and content[0]["type"] == "tool_result"

    def count_calls(self, raw: Any) -> int:
        """Count the calls of an ordinary message."""
        content = raw["content"]
        return sum(block["type"] == "tool_use" for block in content) if type(content) is list else 0

    def count_of_body(self, value: Any, strings: list[str], *, may_pend: bool) -> int:
        """Judge a conversation by all but its bytes; LOOK, or how many keys and string values it holds."""
        open_ids: set[str] = set()
        self._marks = 0
        self.called.clear()
        try:
            messages, count, tools = self.keeper.open_body(value, strings, self._plain_keys, {"system": self._texts})
        except Unusual:
            return LOOK
        self._marks += tools.marks if tools else 0
        check = checker_of(tools, only_errors=self.only_errors)
        found = self.screen(messages, open_ids, strings, tools=check, is_whole=True)
        if found < 0 or not messages or (open_ids and not may_pend) or self._marks > MOST_MARKS:
            return LOOK
        last = messages[-1]
        if self.is_request and last["role"] == "assistant" and not open_ids and not self._may_end_with(last, value):
            return LOOK
        if type(value) is dict and "thinking" in value and self.answers(last):
            return LOOK
        return count + found

    def _may_end_with(self, said: dict[str, Any], body: Any) -> bool:
        """Say whether a last message of the assistant is no error: whether a model continues it is told where one is named."""
        if not self.only_errors or (type(body) is dict and not body.keys().isdisjoint(("model", "thinking"))):
            return False
        content = said["content"]
        text = content if type(content) is str else content[-1].get("text")
        return type(text) is str and text == text.rstrip()

    def screen(  # noqa: C901, PLR0913 - the hot loop: a call more for each message would tell; all that is known of what came before
        self,
        messages: Sequence[Any],
        open_ids: set[str],
        strings: list[str],
        *,
        seen: Sequence[Container[str]] = (),
        tools: CallChecker | None = None,
        is_whole: bool = False,
    ) -> int:
        """Go through messages in order; LOOK, or how many keys and string values they hold. This is the hot loop."""
        count, spoken, met, tools = 0, self.keeper.spoken, set[str](), tools or self.given_tools
        seen = (met, *seen)
        spoken.clear()
        if not is_whole:
            self._marks = 0
        for raw in messages:
            if type(raw) is not dict:
                return LOOK
            role, content = raw.get("role"), raw.get("content")
            if role not in _ROLES or (found := self._rest(raw, strings, is_whole=is_whole) if len(raw) > 2 else 0) < 0:
                return LOOK
            count += found
            if type(content) is str:
                if not content or content.isspace() or open_ids:
                    return LOOK
                strings.append(content)
                if role == "assistant":
                    spoken.append(content)
                count += 4
                continue
            if type(content) is not list or not content or (role == "assistant" and open_ids):
                return LOOK
            if role == "user":
                found = self._asked(content, open_ids, strings)
            else:
                found = self._said(content, open_ids, strings, spoken, seen, tools)
                met |= open_ids
            if found < 0:
                return LOOK
            count += found + 3
        if self._marks and self.is_request and not is_whole:
            return LOOK
        return count

    def _asked(self, content: list[Any], open_ids: set[str], strings: list[str]) -> int:
        """Go through the blocks of a user: the results of all open calls, then texts."""
        count = 0
        for block in content:
            if type(block) is not dict:
                return LOOK
            if block.get("type") == "text":
                found = LOOK if open_ids else self._text(block, strings)
            else:
                found = self._result(block, open_ids, strings) if open_ids else LOOK
            if found < 0:
                return LOOK
            count += found
        return LOOK if open_ids else count

    def _result(self, block: dict[str, Any], open_ids: set[str], strings: list[str]) -> int:
        """Judge the result of a call; one without content is left to the rules."""
        call_id, content, keys = block.get("tool_use_id"), block.get("content"), block.keys()
        if keys != _RESULT and (keys != _FLAGGED_RESULT or type(block["is_error"]) is not bool):
            return LOOK
        if block["type"] != "tool_result" or type(call_id) is not str or call_id not in open_ids:
            return LOOK
        open_ids.discard(call_id)
        strings.append(call_id)
        if type(content) is str:
            strings.append(content)
            return len(block) + 3
        found = self._texts(content, strings) if type(content) is list else LOOK
        return LOOK if found < 0 else found + len(block) + 2

    def _said(  # noqa: PLR0913, PLR0917 - it shares the state of the loop that calls it
        self,
        content: list[Any],
        open_ids: set[str],
        strings: list[str],
        spoken: list[str],
        seen: Sequence[Container[str]],
        tools: CallChecker | None,
    ) -> int:
        """Go through the blocks of an assistant."""
        count = 0
        for block in content:
            kind = block.get("type") if type(block) is dict else None
            if kind == "tool_use":
                found = self._call(block, open_ids, strings, seen, tools)
            elif kind == "text":
                found = self._text(block, strings)
                spoken += strings[-1:]
            elif kind == "thinking" and block.keys() == _THOUGHT:
                thought, signature = block["thinking"], block["signature"]
                if type(thought) is not str or type(signature) is not str or not signature:
                    return LOOK
                strings += (thought, signature)
                found = 6
            else:
                return LOOK
            if found < 0:
                return LOOK
            count += found
        return count

    def _call(
        self,
        block: dict[str, Any],
        open_ids: set[str],
        strings: list[str],
        seen: Sequence[Container[str]],
        tools: CallChecker | None,
    ) -> int:
        if block.keys() != _CALL:
            return LOOK
        call_id, name, arguments = block["id"], block["name"], block["input"]
        if type(arguments) is not dict or not self.keeper.is_name(name) or not self.keeper.is_id(call_id):
            return LOOK
        if call_id in open_ids or any(call_id in ids for ids in seen):
            return LOOK
        if tools is not None and not (name in tools.names and tools.is_valid(name, arguments)):
            return LOOK
        try:
            count = count_plain(arguments, strings)
        except Unusual:
            return LOOK
        open_ids.add(call_id)
        self.called.append(call_id)
        return count + 7

    def _texts(self, value: Any, strings: list[str]) -> int:
        """Judge text, or a list of text blocks."""
        if type(value) is str and value and not value.isspace():
            strings.append(value)
            return 1
        if type(value) is not list or not value:
            return LOOK
        found = [self._text(block, strings) if type(block) is dict else LOOK for block in value]
        return LOOK if LOOK in found else sum(found)

    def _text(self, block: dict[str, Any], strings: list[str]) -> int:
        """Judge a text block, which may set a cache breakpoint."""
        keys, text = block.keys(), block.get("text")
        if type(text) is not str or not text or text.isspace() or block.get("type") != "text":
            return LOOK
        strings.append(text)
        if keys == _TEXT:
            return 4
        if keys != _MARKED_TEXT or block["cache_control"] != _MARK:
            return LOOK
        self._marks += 1
        return 7

    def _rest(self, raw: dict[str, Any], strings: list[str], *, is_whole: bool) -> int:
        """Go through the keys of a message that mean nothing to the rules."""
        count = 0
        try:
            for key, value in raw.items():
                if key not in ("role", "content"):
                    if key not in self.extra and (is_whole or key not in SESSION_KEYS):
                        return LOOK
                    count += 1 + count_plain(value, strings)
        except Unusual:
            return LOOK
        return count
