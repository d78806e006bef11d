r"""A message is written partly in another provider's format.

## What
The file is in one wire format, and a message in it carries what only another has: blocks such as `tool_use`, `tool_result` or
`thinking` in a chat of OpenAI's kind, `tool_calls` or `image_url` parts among Anthropic's messages. A whole message may be
another's, too: contents of Gemini in a chat, messages of a chat among Gemini's contents, items of OpenAI's Responses. Of a
conversation in one record the first such place is reported; in a log with one message a line, that of each turn.

## Why it is refused
Each provider reads its own form only. At best the foreign part is ignored (and a call or a result is lost with it), at worst
the request is refused. Usual causes: a gateway that translates some messages, logs of two clients in one file.

## Example
Bad, in a chat of OpenAI's kind:
```
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "2.1 m"}]}
```
Good:
```
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}
```

## Fix
Convert the file to one format: `lighter convert FILE --to openai-chat` (or whichever you need).
"""

from collections.abc import Iterator

from lighter.conversation import WireMessage
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Rule
from lighter.rules._foreign_parts import (
    is_anthropic_part,
    is_chat_message,
    is_gemini_content,
    is_item,
    is_openai_part,
)
from lighter.strays import blocks_in

RULE = Rule(
    code="F119",
    name="mixed-formats",
    summary="a message is written partly in another provider's format",
    severity={"generic": "warning", "openai-chat": "warning", "azure-openai": "warning", "anthropic": "warning"},
    formats=("openai-chat", "anthropic", "openai-responses", "bedrock", "mistral", "gemini"),
    source="types of openai 3.57.0 and anthropic 2.14.0",
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Report the first foreign part of a passage, at the part."""
    for message in passage.messages:
        if not message.is_response and _whole(message.raw, passage.format) and _is_translated(passage):
            continue
        if found := foreign_part(message, passage.format):
            path, what, other = found
            yield Finding(
                record=message.record,
                path=path,
                message=f"{what} belongs to {other}'s format, which is not the file's",
                help="convert the file to one format",
                mentions=(Mention(message, "", f"written in {other}'s format"),),
                severity="error" if aim.mode == "request" else None,
            )
            return


def _is_translated(passage: Passage) -> bool:
    """Say whether only the answer is in the file's format: a proxy that translates logs the request as it came."""
    asked = [message for message in passage.messages if not message.is_response]
    is_answered = len(asked) < len(passage.messages)
    return is_answered and all(_whole(message.raw, passage.format) for message in asked)


def foreign_part(message: WireMessage, format_name: str) -> tuple[str, str, str] | None:
    """Find a message's first part of another format, or the whole of it: its place, what it is, whose it is."""
    if found := _whole(message.raw, format_name):
        return (message.path, *found)
    if format_name == "bedrock":
        return _in_bedrock(message)
    if format_name == "openai-responses":
        return _in_responses(message)
    if format_name == "anthropic":
        return _in_anthropic(message)
    if format_name in ("openai-chat", "mistral"):
        for index, block in blocks_in(message.raw):
            if is_anthropic_part(block):
                return f"{message.path}/content/{index}", f"a block of type `{block['type']}`", "Anthropic"
    return None


def _in_anthropic(message: WireMessage) -> tuple[str, str, str] | None:
    if isinstance(message.raw, dict) and message.raw.get("tool_calls"):
        return f"{message.path}/tool_calls", "`tool_calls`", "OpenAI"
    for index, block in blocks_in(message.raw):
        if is_openai_part(block):
            return f"{message.path}/content/{index}", f"a part of type `{block['type']}`", "OpenAI"
    return None


def _whole(raw: object, format_name: str) -> tuple[str, str] | None:
    """Tell a message that is nothing but another format's: what it is, and whose."""
    if not isinstance(raw, dict):
        return None
    if format_name == "gemini":
        return ("a message with `content`", "OpenAI Chat") if is_chat_message(raw) else None
    if is_gemini_content(raw):
        return "a message with `parts`", "Gemini"
    if is_item(raw) and format_name in ("openai-chat", "anthropic", "bedrock"):
        return f"an item of type `{raw['type']}`", "OpenAI Responses"
    return None


def _in_responses(message: WireMessage) -> tuple[str, str, str] | None:
    """Find calls and results in the form of chats, which are items of their own there, and blocks of Anthropic."""
    if not isinstance(message.raw, dict):
        return None
    if message.raw.get("tool_calls"):
        return f"{message.path}/tool_calls", "`tool_calls`", "OpenAI Chat"
    if message.raw.get("role") in ("tool", "function") and "type" not in message.raw:
        return message.path, f"a message of role `{message.raw['role']}`", "OpenAI Chat"
    if "role" not in message.raw and is_anthropic_part(message.raw):
        return message.path, f"an item of type `{message.raw['type']}`", "Anthropic"
    for index, block in blocks_in(message.raw):
        if is_anthropic_part(block):
            return f"{message.path}/content/{index}", f"a block of type `{block['type']}`", "Anthropic"
    return None


def _in_bedrock(message: WireMessage) -> tuple[str, str, str] | None:
    """Find what has a `type`, which no block of Converse has, or is a call of OpenAI's."""
    if isinstance(message.raw, dict) and message.raw.get("tool_calls"):
        return f"{message.path}/tool_calls", "`tool_calls`", "OpenAI"
    for index, block in blocks_in(message.raw):
        if is_openai_part(block):
            return f"{message.path}/content/{index}", f"a part of type `{block['type']}`", "OpenAI"
        if is_anthropic_part(block) or block.get("type") == "text":
            return f"{message.path}/content/{index}", f"a block of type `{block['type']}`", "Anthropic"
    return None


VALID = (
    # What a proxy logs that asks Gemini for those who speak to it as to OpenAI.
    Example(
        '{"request": {"messages": [{"role": "user", "content": "Tide?"}]}, "response": {"candidates": [{"content": {"role": "model", "parts": [{"text": "2.1 m"}]}}]}}\n',
        format="gemini",
    ),
    # Interfaces have parts as well, which tell their type.
    Example(
        '{"role": "user", "content": "Tide?"}\n{"role": "assistant", "parts": [{"type": "text", "text": "2.1 m"}]}\n',
        format="openai-chat",
    ),
    Example(
        r"""{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}
""",
        format="openai-chat",
    ),
    Example(
        r"""{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}]}
{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]}
""",
        format="anthropic",
    ),
    # Mistral thinks in lists, and others have images of their own.
    Example(
        r"""{"role": "assistant", "content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}, {"type": "text", "text": "2.1 m"}]}
{"role": "user", "content": [{"type": "image", "image": "quay.png"}]}
""",
        format="openai-chat",
    ),
)

INVALID = (
    Example(
        '{"role": "user", "content": "Tide?"}\n{"role": "model", "parts": [{"text": "2.1 m"}]}\n',
        ("/1",),
        format="openai-chat",
    ),
    Example(
        '[{"role": "user", "parts": [{"text": "Tide?"}]}, {"role": "assistant", "content": "2.1 m"}, {"role": "user", "parts": [{"text": "Thanks."}]}]',
        ("/1",),
        format="gemini",
    ),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"type": "function_call", "call_id": "call_1", "name": "get_tide", "arguments": "{}"}, {"type": "function_call_output", "call_id": "call_1", "output": "2.1 m"}, {"role": "user", "content": "Thanks."}]',
        ("/1",),
        format="openai-chat",
    ),
    Example(
        r"""[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}]""",
        where=("/1/tool_calls",),
        format="openai-responses",
        target="openai-responses",
    ),
    # The call is answered, only in the wrong form: nothing is missing besides.
    Example(
        r"""{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "2.1 m"}]}
{"role": "user", "content": "Thanks."}
""",
        where=("/1/content/0",),
        format="openai-chat",
    ),
    Example(
        r"""{"role": "assistant", "content": "Let me look.", "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "2.1 m"}]}
""",
        where=("/0/tool_calls",),
        format="anthropic",
    ),
)
