r"""A streamed answer breaks off before its end, or misses its beginning.

## What
The pieces of the answer stop before the event that ends a stream: a `finish_reason`, `message_stop`, `response.completed`; or
the event is missing that begins each stream of a provider: `message_start`, `messageStart`, `message-start`. What
came of it is read all the same, and a tool call that was cut keeps the arguments as far as they came. The first piece of the
stream is reported; a stream that breaks off in a broken line is reported there.

## Why it is refused
Nobody refuses it. But the answer is not what the model said: its text ends anywhere, calls are missing or have half their
arguments, and figures such as the usage never came.

## Example
Bad:
```
{"object": "chat.completion.chunk", "id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "It is 1"}}]}
```
Good:
```
{"object": "chat.completion.chunk", "id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "It is 11 °C"}}]}
{"object": "chat.completion.chunk", "id": "chatcmpl-1", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
```

## Fix
Drop the answer, or ask for it again.
"""

from collections.abc import Iterator

from lighter.providers import TARGETS
from lighter.rule import Example, Finding, Rule
from lighter.rules import FileFacts

RULE = Rule(
    code="F121",
    name="truncated-stream",
    summary="a streamed answer is not whole",
    severity=dict.fromkeys(TARGETS, "warning"),
    source="https://platform.openai.com/docs/api-reference/chat/streaming, "
    "https://docs.anthropic.com/en/docs/build-with-claude/streaming",
)


def check_file(file: FileFacts) -> Iterator[Finding]:
    """Report the first piece of each stream that does not come to its end."""
    for record, path in file.cuts:
        yield Finding(
            record=record,
            path=path,
            message="the streamed answer that begins here is not whole",
            help="drop it, or ask for it again",
        )


VALID = (
    Example(
        r"""{"object": "chat.completion.chunk", "id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "11 °C"}, "finish_reason": null}]}
{"object": "chat.completion.chunk", "id": "chatcmpl-1", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
"""
    ),
    # Whoever logged it left the last event out; why the message ended is told before that.
    Example(
        r"""{"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": "m", "stop_reason": null, "usage": {"input_tokens": 9, "output_tokens": 1}}}
{"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "11 °C"}}
{"type": "content_block_stop", "index": 0}
{"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": null}, "usage": {"output_tokens": 4}}
"""
    ),
)

INVALID = (
    Example(
        r"""{"object": "chat.completion.chunk", "id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "It is"}, "finish_reason": null}]}
{"object": "chat.completion.chunk", "id": "chatcmpl-2", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "11 °C"}, "finish_reason": "stop"}]}
""",
        where=("/0",),
    ),
    Example(
        r"""data: {"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": "m", "stop_reason": null, "usage": {"input_tokens": 9, "output_tokens": 1}}}

data: {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "toolu_1", "name": "find_park", "input": {}}}

data: {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{\"city\": \"Os"}}
""",
        where=("/0",),
    ),
    Example(
        r"""{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "°C"}}
{"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": null}, "usage": {"output_tokens": 4}}
{"type": "message_stop"}
""",
        where=("/0",),
    ),
)
