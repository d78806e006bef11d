"""Formats that lighter knows by sight but cannot read yet, so that a file of theirs is named instead of misread."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from lighter.envelope import decoded
from lighter.formats._langchain_sniffing import form_of


def _claude_code(value: dict[str, Any]) -> str | None:
    is_record = {"uuid", "sessionId", "message"} <= value.keys() and _qwen_code(value) is None
    return "`uuid`, `sessionId` and `message`" if is_record else None


def _qwen_code(value: dict[str, Any]) -> str | None:
    message = value.get("message")
    is_record = {"uuid", "sessionId"} <= value.keys() and isinstance(message, dict) and "parts" in message
    return "`uuid`, `sessionId` and a message with `parts`" if is_record else None


def _codex(value: dict[str, Any]) -> str | None:
    kinds = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
    is_record = value.get("type") in kinds and isinstance(value.get("payload"), dict)
    return f"`payload` of type {value['type']}" if is_record else None


def _copilot(value: dict[str, Any]) -> str | None:
    is_record = {"type", "data", "id", "parentId"} <= value.keys() and isinstance(value["data"], dict)
    return "`type`, `data` and `parentId`" if is_record else None


def _pi(value: dict[str, Any]) -> str | None:
    return "type session with `cwd`" if value.get("type") == "session" and {"version", "cwd"} <= value.keys() else None


def _kimi(value: dict[str, Any]) -> str | None:
    return "metadata with `protocol_version`" if {"type", "protocol_version"} <= value.keys() else None


def _droid(value: dict[str, Any]) -> str | None:
    if value.get("type") == "session_start" and {"cwd", "sessionTitle"} <= value.keys():
        return "type session_start with `sessionTitle`"
    is_said = value.get("type") == "message" and isinstance(value.get("text"), str) and "content" not in value
    return "type message with `role` and `text`" if is_said and "role" in value else None


def _chatgpt_export(value: dict[str, Any]) -> str | None:
    is_tree = isinstance(value.get("mapping"), dict) and value.keys() & {"current_node", "create_time"}
    return "`mapping`, a tree of messages" if is_tree else None


def _claude_ai_export(value: dict[str, Any]) -> str | None:
    return "`chat_messages`" if isinstance(value.get("chat_messages"), list) else None


def _alpaca(value: dict[str, Any]) -> str | None:
    is_row = isinstance(value.get("instruction"), str) and isinstance(value.get("output"), str)
    return "`instruction` and `output`" if is_row else None


def _swe_agent(value: dict[str, Any]) -> str | None:
    return "`trajectory`" if isinstance(value.get("trajectory"), list) and "environment" in value else None


def _inspect(value: dict[str, Any]) -> str | None:
    is_log = isinstance(value.get("eval"), dict) and {"version", "status"} <= value.keys()
    return "`eval`, `version` and `status`" if is_log else None


def _pydantic_ai(value: dict[str, Any]) -> str | None:
    return "parts with `part_kind`" if any("part_kind" in part for part in _objects(value.get("parts"))) else None


def _otel_genai(message: dict[str, Any]) -> str | None:
    is_told = any(
        part.get("type") in ("tool_call", "tool_call_response") or (part.get("type") == "text" and "content" in part)
        for part in _parts_alone(message)
    )
    return "typed `parts` with `content`" if is_told else None


def _ai_sdk_ui(message: dict[str, Any]) -> str | None:
    return (
        "typed `parts`" if any("type" in part for part in _parts_alone(message)) and not _otel_genai(message) else None
    )


def _ai_sdk(message: dict[str, Any]) -> str | None:
    kinds = ("tool-call", "tool-result")
    is_said = "role" in message and any(
        part.get("type") in kinds and "toolCallId" in part for part in _objects(message.get("content"))
    )
    return "parts with `toolCallId`" if is_said else None


def _llamafactory_v1(message: dict[str, Any]) -> str | None:
    is_said = "role" in message and any(
        {"type", "value"} <= part.keys() and part["type"] not in part for part in _objects(message.get("content"))
    )
    return "parts with `type` and `value`" if is_said else None


def _cursor(message: dict[str, Any]) -> str | None:
    inner = message.get("message")
    is_said = "role" in message and "content" not in message and isinstance(inner, dict) and "content" in inner
    return "`role` and `message`" if is_said else None


def _parts_alone(message: dict[str, Any]) -> list[dict[str, Any]]:
    return _objects(message.get("parts")) if "role" in message and "content" not in message else []


def _objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in value[:_HEAD] if isinstance(item, dict)] if isinstance(value, list) else []


def _sharegpt(value: dict[str, Any]) -> str | None:
    return "`conversations`" if isinstance(value.get("conversations"), list) else None


def _gemini_cli(value: dict[str, Any]) -> str | None:
    if {"sessionId", "projectHash"} <= value.keys():
        return "`sessionId` and `projectHash`"
    is_said = value.get("type") == "gemini" and "role" not in value and {"id", "content"} <= value.keys()
    return "message type gemini" if is_said else None


def _openhands(value: dict[str, Any]) -> str | None:
    kind = next((key for key in ("action", "observation") if isinstance(value.get(key), str)), None)
    is_event = kind is not None and "role" not in value and value.get("source") in ("agent", "user", "environment")
    return f"`source` and `{kind}`" if is_event and value.keys() & {"message", "args", "extras"} else None


def _grok(value: dict[str, Any]) -> str | None:
    if "role" in value or value.get("type") not in ("user", "assistant", "tool_result", "backend_tool_call"):
        return None
    own = ("prompt_index", "synthetic_reason", "model_fingerprint")
    key = next((key for key in own if key in value), None)
    if key is None and any(
        "arguments" in call and "function" not in call for call in _objects(value.get("tool_calls"))
    ):
        key = "tool_calls"
    return f"message type {value['type']} with `{key}`" if key else None


_SAID: dict[str, Callable[[dict[str, Any]], str | None]] = {
    "otel-genai": _otel_genai,
    "ai-sdk-ui": _ai_sdk_ui,
    "ai-sdk": _ai_sdk,
    "llamafactory-v1": _llamafactory_v1,
    "cursor": _cursor,
}
"""What tells formats whose messages have roles, as those of chats, by one message."""

_SIGHTS: dict[str, Callable[[dict[str, Any]], str | None]] = {
    "claude-code": _claude_code,
    "qwen-code": _qwen_code,
    "codex": _codex,
    "copilot-cli": _copilot,
    "pi": _pi,
    "kimi": _kimi,
    "droid": _droid,
    "chatgpt-export": _chatgpt_export,
    "claude-ai-export": _claude_ai_export,
    "alpaca": _alpaca,
    "sharegpt": _sharegpt,
    "gemini-cli": _gemini_cli,
    "openhands": _openhands,
    "swe-agent": _swe_agent,
    "inspect": _inspect,
    "pydantic-ai": _pydantic_ai,
    "grok": _grok,
    **_SAID,
}
"""What tells formats by one record, or by one message that lacks a role."""


_WRAPPERS = ("request", "response", "body", "input", "output")
_HEAD = 8
"""How many items of a list are looked at."""

_DEPTH = 4
"""How many lists and objects may lie around what is looked at: pairs of event and state in a list, say."""


def foreign_evidence(value: Any) -> Iterator[tuple[str, int, str]]:
    """Yield format, weight and reason for a record of a format that cannot be read yet."""
    for item in _within(value, _DEPTH):
        for name, sight in _SIGHTS.items():
            if reason := sight(item):
                yield name, 12, reason
        for message in _objects(item.get("messages")):
            yield from ((name, 12, reason) for name, sight in _SAID.items() if (reason := sight(message)))


def _within(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    """List the objects that may tell a record's format: itself, what it wraps, and the messages that it lists."""
    match value:
        case dict():
            yield value
            inner = [decoded(value[key]) for key in _WRAPPERS if key in value]
            if are_strangers(listed := value.get("messages")):
                inner.append(listed)
        case list():
            inner = value[:_HEAD]
        case _:
            return
    for item in inner if depth else ():
        yield from _within(item, depth - 1)


def rows_of(value: Any, layouts: Sequence[str]) -> list[Any]:
    """List the training rows in one of these layouts that a value is, or holds as a list."""
    return [row for row in (value if isinstance(value, list) else [value]) if _is_row(row, layouts)]


def _is_row(value: Any, layouts: Sequence[str]) -> bool:
    """Say whether a value is a training row in one of these layouts, all of whose turns can be told."""
    if not isinstance(value, dict) or not any(_SIGHTS[layout](value) for layout in layouts):
        return False
    turns = value.get("conversations")
    return not isinstance(turns, list) or (bool(turns) and all(map(_is_turn, turns)))


def _is_turn(turn: Any) -> bool:
    return isinstance(turn, dict) and ({"from", "value"} <= turn.keys() or {"role", "content"} <= turn.keys())


_SPEAKERS = frozenset({
    "human", "ai", "user", "assistant", "gemini", "model", "bot", "agent", "system", "tool", "function", "info", "error",
    "constructor", "AIMessageChunk", "HumanMessageChunk",
})  # fmt: skip
"""What logs of other worlds have under `type` where a chat has its role."""

_STRANGE_KEYS = frozenset(
    {"parts", "action", "observation", "kwargs", "lc", "source", "from", "author", "sender", "speaker"}
)
"""Keys that no chat has on its messages, and that say who speaks, or what was done, in other logs."""


def are_strangers(messages: Any) -> bool:
    """Say whether a list holds objects that are messages in no chat: none has a role, and each has what other logs have.

    A message of a chat that lacks its role has nothing else to tell whose it is, so it is none of these.
    """
    return isinstance(messages, list) and bool(messages) and all(map(_is_stranger, messages))


def _is_stranger(message: Any) -> bool:
    if not isinstance(message, dict) or "role" in message or form_of(message) is not None:
        return False
    kind = message.get("type")
    return (isinstance(kind, str) and kind in _SPEAKERS) or not _STRANGE_KEYS.isdisjoint(message)
