r"""A message is not an object.

## What
The list of messages holds something else than objects: texts, numbers, null, lists. Often each message is JSON that was
encoded once more, as data sets do that store messages in one column of text.

## Why it is refused
A message is an object with a role. A text in its place is refused, also when it reads like one.

## Example
Bad:
```
["{\"role\": \"user\", \"content\": \"Ahoy\"}"]
```
Good:
```
[{"role": "user", "content": "Ahoy"}]
```

## Fix
Parse each text, and put the object in its place.
"""

from collections.abc import Iterator
from typing import Any

from lighter.diagnostics import Fix
from lighter.edits import Put, Repair, repair
from lighter.envelope import decoded
from lighter.jsontext import step
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.wire import is_shorthand, list_of_messages, type_name

RULE = Rule(
    code="M120",
    name="message-not-object",
    summary="a message is not an object",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "'{\"role\":\"user\",\"content\":…}' is not of type 'object' - 'messages.0'",
            "https://portkey.ai/error-library/input-type-error-10116",
        ),
        Refusal(
            ("anthropic",),
            "messages.0: Input should be a valid dictionary or object to extract fields from",
            "https://platform.claude.com/docs/en/api/messages",
        ),
        Refusal(
            ("openai-responses", "azure-openai"),
            "Invalid type for 'input[0]': expected an input item, but got a string instead.",
            "",
        ),
    ),
    source="https://platform.openai.com/docs/api-reference/chat/create",
    fix=Fix("safe", "parse the text"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find the first message that is no object; more of them have the same cause."""
    match list_of_messages(passage):
        case (path, list(listed)):
            wrong = [
                index
                for index, message in enumerate(listed)
                if not (isinstance(message, dict) or is_shorthand(passage, message))
            ]
        case _:
            return
    if wrong:
        first = listed[wrong[0]]
        others = f" (and {len(wrong) - 1} more like it)" if len(wrong) > 1 else ""
        is_encoded = isinstance(first, str) and first.lstrip().startswith("{")
        help_ = (
            "parse the text: it is JSON that was encoded once more"
            if is_encoded
            else "put an object with role and content here"
        )
        if isinstance(first, str) and not is_encoded:
            help_ += "; where LangChain reads the list, name its form: `--from langchain-dump`"
        said = f"this message is {type_name(first)}, not an object{others}"
        yield Finding(passage.record, path + step(wrong[0]), said, help_, repair=_repair(passage, path, listed))


def _repair(passage: Passage, path: str, listed: list[Any]) -> Repair | None:
    """Write the objects that the texts among the messages hold."""
    parsed = [(index, decoded(message)) for index, message in enumerate(listed) if isinstance(message, str)]
    edits = [Put(passage.record, path + step(index), value) for index, value in parsed if _may_be_message(value)]
    return repair(*edits) if edits else None


def _may_be_message(value: Any) -> bool:
    """Say whether the value of a text may be a message; LangChain would read a secret of the environment for some objects."""
    return isinstance(value, dict) and ("lc" not in value or value.get("type") == "constructor")


VALID = (
    Example('[{"role": "user", "content": "{\\"role\\": \\"user\\"}"}]'),
    Example('{"role": "user", "content": "Ahoy"}\n{"role": "assistant", "content": "Ahoy!"}\n'),
    Example('{"model": "gpt-5", "input": "Ahoy"}', format="openai-responses", target="openai-responses"),
    Example('[["human", "Ahoy"], "Ahoy!", ["ai", "Ahoy!"]]', format="langchain-dump"),
    Example('["{\\"role\\": \\"user\\"", "Ahoy!"]', format="langchain-dump"),
)

INVALID = (
    Example(
        '{"messages": ["{\\"role\\": \\"user\\", \\"content\\": \\"Ahoy\\"}"]}', ("/messages/0",), format="openai-chat"
    ),
    Example('["{\\"role\\": \\"user\\", \\"content\\": \\"Ahoy\\"}"]', ("/0",)),
    Example(
        '[{"role": "user", "content": "Ahoy"}, "Ahoy!", null]', ("/1",), format="openai-chat", target="openai-chat"
    ),
    Example(
        '{"model": "gpt-5", "instructions": "Greet.", "input": [{"role": "user", "content": "Ahoy"}, null]}',
        ("/input/1",),
        format="openai-responses",
        target="openai-responses",
    ),
)
