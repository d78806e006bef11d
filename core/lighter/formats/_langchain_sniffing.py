"""What speaks for each form of LangChain's messages."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from lighter.formats._langchain import ROLES, STORED_SHAPES, content_key, unwrap

CERTAIN = 30
"""The weight of a wrapping: what providers' blocks in the content speak for does not count against it."""

_SHARED = frozenset({"system", "tool", "function"})
"""Types that other logs have as well."""

_FIELDS = frozenset({
    "type", "content", "content_blocks", "contentBlocks", "additional_kwargs", "response_metadata", "name", "id", "example", "tool_call_id", "artifact", "status",
    "role", "lc_kwargs", "lc_serializable", "lc_namespace", "lc_direct_tool_output", "metadata",
})  # fmt: skip
_FIELDS_OF_ANSWERS = frozenset(
    {"tool_calls", "invalid_tool_calls", "usage_metadata", "tool_call_chunks", "chunk_position"}
)
_INSTRUCTING = ("system", "developer")
_OWN_ROLES = (("human", "user"), ("ai", "assistant"))
"""LangChain's own roles, and what other chats call them."""

_REQUEST_KEYS = frozenset(
    {"model", "tools", "functions", "max_tokens", "max_completion_tokens", "temperature", "stream"}
)
"""Keys beside messages that only a request has, which is sent as it is."""

IN_OWN_ROLES = "roles `human`, `ai` or `remove`, which no provider knows"
BOTH_CALLS = "`tool_calls` in OpenAI's words and in LangChain's"
OWN_CALLS = "all `tool_calls` with `name`, `args` and the type `tool_call`"
LIKE_OWN_CALLS = "`tool_calls` with `name` and `args`"
FAULTS_ELSEWHERE = frozenset({IN_OWN_ROLES, BOTH_CALLS, OWN_CALLS, LIKE_OWN_CALLS})
"""Reasons for LangChain's shorthand that are faults of a chat which is meant for a provider."""

_FORMS = {"lc": "langchain", "js": "langchain-js", **dict.fromkeys((*STORED_SHAPES, "old"), "langchain-stored")}


def form_of(value: Any) -> str | None:
    """Tell the form of a message by its wrapping; None for what is no message, and for shorthand."""
    if not isinstance(value, dict):
        return None
    unwrapped = unwrap(value)
    if unwrapped is None:
        return _form_of_stranger(value)
    if unwrapped.shape == "dump":
        return "langchain-dump" if _is_flat(value, unwrapped.named) else None
    return _FORMS.get(unwrapped.shape)


def _form_of_stranger(value: Mapping[str, Any]) -> str | None:
    """Tell the form of a message of a class that nobody knows, or of one of which nothing is left but its class."""
    match value:
        case {"lc": 1, "id": [str(first), *_, str(named)]} if named.endswith(("Message", "MessageChunk")):
            return "langchain-js" if first == "langchain_core" and len(value["id"]) == 3 else "langchain"
        case _:
            return None


def _is_flat(value: Mapping[str, Any], kind: str) -> bool:
    """Say whether a flat message is LangChain's: words that others have for a message need its other keys."""
    if kind in ("user", "assistant", "developer"):
        return False
    if content_key(value) not in value:
        return kind not in _SHARED and value.keys() <= _FIELDS | _FIELDS_OF_ANSWERS
    return kind not in _SHARED or "additional_kwargs" in value or value.keys() <= _FIELDS


def is_of_no_provider(value: Any) -> bool:
    """Say whether a message is LangChain's by its wrapping or type: blocks of a provider in its content do not make it that one's."""
    form = form_of(value)
    if form != "langchain-dump":
        return form is not None
    return "additional_kwargs" in value or ("role" not in value and value["type"] not in _SHARED)


def is_shorthand(value: Any) -> bool:
    """Say whether a value may be a message in short: a text, or a role and its content."""
    unwrapped = unwrap(value) if isinstance(value, str | list) else None
    return unwrapped is not None


def is_pair(value: Any) -> bool:
    """Say whether a value is a pair of a role that LangChain knows and a content."""
    match value:
        case [str(role), str() | list()]:
            return role in ROLES
        case _:
            return False


def is_in_short(messages: Sequence[Any]) -> bool:
    """Say whether a list is one of messages in short: it begins with a text, or holds a pair, and all else in it has a known role.

    A text further on stands in a chat by mistake as well as in a list of LangChain, and one that is JSON was encoded once more.
    """
    if not all(map(_is_like, messages)):
        return False
    first = next((m for m in messages if not (isinstance(m, dict) and m.get("role") in _INSTRUCTING)), None)
    return isinstance(first, str) or any(map(is_pair, messages))


def _is_like(value: Any) -> bool:
    """Say whether `convert_to_messages` takes a value for a message, and no other chat has it for anything else."""
    match value:
        case str():
            return not value.lstrip().startswith(("{", "["))
        case {"role": str(role), "content": _} | {"role": str(role), "tool_calls": _}:
            return role in ROLES
        case _:
            return is_pair(value) or form_of(value) is not None


def _speaks_in_own_roles(messages: Sequence[Any]) -> bool:
    """Say whether messages have roles of LangChain where other chats have `user` and `assistant`, which then nobody there has.

    Where both stand beside each other, somebody wrote a chat and erred.
    """
    roles = [message.get("role") if isinstance(message, dict) else None for message in messages]
    known = {role for role in roles if isinstance(role, str)}
    if not known <= ROLES or not all(isinstance(role, str) for role in roles):
        return False
    is_reduced = any(m["role"] == "remove" and isinstance(m.get("id"), str) for m in messages)
    return is_reduced or any(own in known and usual not in known for own, usual in _OWN_ROLES)


def sniff_all(messages: Sequence[Any], fields: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield what all messages of a file together speak for, for the flat form; `fields`: the keys that stand beside them."""
    if not _REQUEST_KEYS.isdisjoint(fields):
        return
    if _speaks_in_own_roles(messages):
        yield CERTAIN * len(messages), IN_OWN_ROLES
    if any(map(_mixes_calls, messages)):
        yield CERTAIN * len(messages), BOTH_CALLS
    elif (calls := [call for message in messages for call in _calls_of(message)]) and all(map(_is_own_call, calls)):
        yield CERTAIN * len(messages), OWN_CALLS


def sniff_form(
    name: str, messages: Sequence[Any], _fields: Mapping[str, Any], _response: Mapping[str, Any] | None
) -> Iterator[tuple[int, str]]:
    """Yield what speaks for a form: wrappings, and for the flat one shorthand, and calls in LangChain's own words."""
    if name == "langchain-dump" and any(map(_has_own_calls, messages)) and any(map(_has_own_fields, messages)):
        yield CERTAIN, "`tool_calls` with `name` and `args`, and fields of LangChain beside them"
    for message in messages:
        if form_of(message) == name:
            # Other logs have lines of type `system` as well.
            is_shared = isinstance(message, dict) and message.get("type") == "system" and "data" not in message
            yield CERTAIN // 3 if is_shared else CERTAIN, _reason(message)
        elif name == "langchain-dump":
            if is_pair(message):
                yield CERTAIN, "a message as a pair of role and content"
            elif _has_own_calls(message):
                yield 6, LIKE_OWN_CALLS


def _reason(message: Mapping[str, Any]) -> str:
    if "lc" in message and isinstance(message.get("id"), list):
        return f"`lc` of {'.'.join(map(str, message['id'][:-1]))}"
    if ("data" in message or "type" not in message) and "content" not in message:
        return "messages as `type` and `data`"
    return "message type " + str(message["type"])


def _has_own_calls(message: Any) -> bool:
    match message:
        case {"role": str(), "tool_calls": [{"name": str(), "args": _} as call, *_]}:
            return "function" not in call
        case _:
            return False


def _mixes_calls(message: Any) -> bool:
    """Say whether a message lists calls in OpenAI's words and in LangChain's, which `convert_to_messages` takes in one list."""
    calls = _calls_of(message)
    return len(calls) > 1 and any(map(_is_own_call, calls)) and any(map(_is_usual_call, calls))


def _calls_of(message: Any) -> Sequence[Any]:
    """List the calls of an answer in shorthand."""
    match message:
        case {"role": "assistant" | "ai", "tool_calls": list(calls)}:
            return calls
        case _:
            return ()


def _is_own_call(call: Any) -> bool:
    match call:
        case {
            "name": str(),
            "args": dict(),
            "id": str() | None,
            "type": "tool_call",
        }:  # without its type it may be a faulty one
            return "function" not in call
        case _:
            return False


def _is_usual_call(call: Any) -> bool:
    match call:
        case {"id": str(), "function": {"name": str(), "arguments": _}}:
            return True
        case _:
            return False


def _has_own_fields(message: Any) -> bool:
    """Say whether a message with a role has a field that `convert_to_messages` knows and no provider's chat has."""
    match message:
        case {"role": str(), "tool_call_id": str(), "status": "success" | "error"}:
            return True
        case {"role": str(), "tool_call_id": str(), "artifact": _}:
            return True
        case {"role": str(), "response_metadata": dict()} | {"role": str(), "invalid_tool_calls": list()}:
            return True
        case _:
            return False
