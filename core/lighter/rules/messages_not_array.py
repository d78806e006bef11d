r"""The messages of a request are not a list.

## What
`messages` holds a text, an object or null. Often the whole list is JSON that was encoded once more, as data sets do that
store a conversation in one column of text.

## Why it is refused
Providers ask for a list of objects, also when there is only one message. LangGraph takes one message of LangChain's as it is.

## Example
Bad:
```
{"messages": "[{\"role\": \"user\", \"content\": \"Ahoy\"}]"}
```
Good:
```
{"messages": [{"role": "user", "content": "Ahoy"}]}
```

## Fix
Parse the text, or put brackets around the one message.
"""

from collections.abc import Iterator
from typing import Any

from lighter.diagnostics import Fix
from lighter.edits import Put, Repair, repair
from lighter.envelope import decoded
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._langchain import FORMS
from lighter.rules._quotes import said_with
from lighter.wire import list_of_messages, type_name

RULE = Rule(
    code="M121",
    name="messages-not-array",
    summary="the messages of a request are not a list",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid type for 'messages': expected an array of objects, but got a string instead.",
            "https://portkey.ai/error-library/type-validation-error-10531",
        ),
        Refusal(
            ("anthropic",), "messages: Input should be a valid list", "https://platform.claude.com/docs/en/api/messages"
        ),
    ),
    source="https://platform.openai.com/docs/api-reference/chat/create",
    fix=Fix("safe", "write the list itself"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find a list of messages that is something else."""
    match list_of_messages(passage):
        case None | (_, list()):
            return
        case (_, str() | dict()) if passage.format == "gemini" and passage.messages:
            return  # the client takes one text or one content, and sends a list (google-genai 3.6.1, `ContentListUnion`)
        case (_, dict()) if passage.format in FORMS and passage.messages:
            return  # a graph takes one message, and puts it into a list (langgraph 1.2.24, `add_messages`)
        case (path, str(listed)) if listed.lstrip()[:1] in ("[", "{"):
            help_ = "parse the text: it is JSON that was encoded once more"
        case (path, dict(listed)):
            help_ = "put brackets around the message"
        case (path, listed):
            help_ = "put a list of messages here"
    words = "got a string" if isinstance(listed, str) else ""
    yield Finding(
        passage.record,
        path,
        f"the messages are {type_name(listed)}, not a list",
        help_,
        refusals=(*said_with(RULE, words), *said_with(RULE, "valid list")),
        repair=_repair(passage, path, listed),
    )


def _repair(passage: Passage, path: str, listed: Any) -> Repair | None:
    """Write the list that a text or the numbers of an object stand for, or put a message that stands alone into one."""
    value = decoded(listed)
    if isinstance(value, dict):
        is_numbered = list(value) == [str(index) for index in range(len(value))]  # what PHP makes of a list with gaps
        if is_numbered:
            value = list(value.values())
        elif not _OF_MESSAGES.isdisjoint(value):
            value = [value]
    return repair(Put(passage.record, path, value)) if isinstance(value, list) else None


_OF_MESSAGES = frozenset({"role", "type", "content", "parts"})


VALID = (
    Example('{"messages": [{"role": "user", "content": "Ahoy"}]}'),
    Example('[{"role": "user", "content": "[]"}]'),
    Example('{"model": "gemini-2.5-flash", "contents": "Ahoy"}', format="gemini", target="gemini"),
    Example('{"contents": {"role": "user", "parts": [{"text": "Ahoy"}]}}', format="gemini"),
    Example('{"messages": {"type": "human", "content": "Ahoy"}}', format="langchain-dump"),
    Example('{"messages": {"type": "human", "data": {"content": "Ahoy"}}}', format="langchain-stored"),
)

INVALID = (
    Example(
        '{"messages": {"0": {"role": "user", "content": "Ahoy"}, "1": {"role": "assistant", "content": "Ahoy!"}}}',
        ("/messages",),
        format="openai-chat",
    ),
    Example(
        '{"messages": "[{\\"role\\": \\"user\\", \\"content\\": \\"Ahoy\\"}]"}', ("/messages",), format="openai-chat"
    ),
    Example(
        '{"model": "gpt-5", "messages": {"role": "user", "content": "Ahoy"}}',
        ("/messages",),
        format="openai-chat",
        target="openai-chat",
    ),
)
