r"""Pieces of a streamed answer stand among the messages.

## What
A streaming API sends an answer in many small pieces (`chat.completion.chunk`, `content_block_delta` …). Here such pieces were
logged as they came, between messages, instead of the message that they add up to. The first piece of each stream is reported.
A file that is one provider's stream from beginning to end is read as such and is no fault, nor is a stream behind the request that
asked for it (`"stream": true`). Of LangChain's pieces (`AIMessageChunk`, `ToolMessageChunk` …) one message may be made, too, which
keeps the name; several of one kind with one id, or none, are pieces.

## Why it is refused
No provider takes pieces back as history, and whoever reads the log sees an answer missing, and its tool calls with it.

## Example
Bad:
```
{"role": "user", "content": "How warm is it?"}
{"object": "chat.completion.chunk", "id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "11"}}]}
{"object": "chat.completion.chunk", "id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"content": " °C"}}]}
```
Good:
```
{"role": "user", "content": "How warm is it?"}
{"role": "assistant", "content": "11 °C"}
```

## Fix
Join the pieces: text and arguments are appended in order, calls by their `index`. lighter does it for LangChain's pieces in a
history, as LangChain adds them up; it is safe where the answer came to its end and nothing of the pieces is left out but ids.
Pieces of a provider's own stream stay as they are: those of several answers may be mixed, and whether one that lacks its end was
stored again as a message the log does not say. Put the pieces of one answer into a file of their own: it is read as the message that
they add up to, which `lighter convert FILE --to lighter` writes.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Edit, Put, Repair, drop_message
from lighter.edits_messages import may_move
from lighter.history import pieces_in
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Rule
from lighter.rules import FileFacts

RULE = Rule(
    code="F117",
    name="unmerged-stream-chunks",
    summary="pieces of a streamed answer stand among the messages",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    source="https://platform.openai.com/docs/api-reference/chat/streaming, https://github.com/Effect-TS/effect-smol/issues/2338, "
    "https://github.com/vercel/ai/issues/14722, https://github.com/AntonOsika/gpt-engineer/issues/804",
    fix=Fix("safe", "join the pieces of LangChain's messages, as LangChain adds them up"),
)

NEEDLES = (b"MessageChunk", b"tool_call_chunks")
_SAID = "pieces of a streamed answer stand here instead of the message that they add up to"
_HELP = "join the pieces to one message"
_HELP_APART = f"{_HELP}; those of one answer in a file of their own are read as that message"


def check_file(file: FileFacts) -> Iterator[Finding]:
    """Report the first piece of each stream in a file that holds messages too."""
    if file.messages:
        for record in file.chunks:
            yield Finding(record=record, path="", message=_SAID, help=_HELP_APART)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report the first piece of each message that stands in pieces; pieces that were joined are one message here."""
    for run in pieces_in(passage):
        if not _is_alone(passage, run):
            yield Finding(run[0].record, run[0].path, _SAID, _HELP, repair=_joining(passage, run))


def _is_alone(passage: Passage, run: Sequence[WireMessage]) -> bool:
    """Say whether the pieces of a message are all that there is: one stream from beginning to end."""
    is_bare = passage.body is None or passage.body.is_bare
    return is_bare and passage.is_first and passage.is_last and len(run) == len(passage.messages)


def _joining(passage: Passage, run: Sequence[WireMessage]) -> Repair | None:
    """Put the message that pieces add up to in the place of the first, and take the others away."""
    from lighter.formats._langchain_copies import PIECE_ID  # noqa: PLC0415 - loaded only for LangChain's pieces
    from lighter.formats._langchain_stream import assemble  # noqa: PLC0415 - as above

    if not may_move(passage, *run):
        return None
    found = assemble([message.raw for message in run])
    first, *others = run
    joined = Put(first.record, first.path, _without_nulls(found.value, run))
    edits: tuple[Edit, ...] = (joined, *map(drop_message, others))
    is_whole = found.is_complete and all(lost.feature == PIECE_ID for lost in found.lost)
    return Repair(edits, "safe" if is_whole else "unsafe")


def _without_nulls(value: dict[str, Any], run: Sequence[WireMessage]) -> dict[str, Any]:
    """Leave out the fields that are null in the sum and stand in no piece, which LangChain does not load everywhere."""
    key = next((key for key in ("kwargs", "data") if isinstance(value.get(key), dict)), None)
    if key is not None:
        return {**value, key: _said(value[key], [message.raw.get(key) for message in run])}
    return _said(value, [message.raw for message in run])


def _said(value: dict[str, Any], pieces: Sequence[Any]) -> dict[str, Any]:
    known = {key for piece in pieces if isinstance(piece, dict) for key in piece}
    return {key: item for key, item in value.items() if item is not None or key in known}


VALID = (
    # One stream, and nothing else.
    Example(
        r"""{"object": "chat.completion.chunk", "id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "11"}, "finish_reason": null}]}
{"object": "chat.completion.chunk", "id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"content": " °C"}, "finish_reason": null}]}
{"object": "chat.completion.chunk", "id": "chatcmpl-1", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
"""
    ),
    Example(
        r"""{"role": "user", "content": "How warm is it?"}
{"role": "assistant", "content": "11 °C"}
"""
    ),
    # A request and the stream that it asked for.
    Example(
        r"""{"model": "m", "stream": true, "messages": [{"role": "user", "content": "How warm is it?"}]}
{"object": "chat.completion.chunk", "id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "11"}, "finish_reason": null}]}
{"object": "chat.completion.chunk", "id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"content": " °C"}, "finish_reason": "stop"}]}
"""
    ),
    # A stream of another kind than a model's answer.
    Example(
        r"""{"type": "ChatMessageChunk", "role": "critic", "content": "Too "}
{"type": "ChatMessageChunk", "role": "critic", "content": "warm."}
"""
    ),
    # Two messages that were put together from pieces.
    Example(
        '[{"type": "human", "content": "How warm is it?"}, {"type": "AIMessageChunk", "content": "11 °C", "id": "run-1"},'
        ' {"type": "AIMessageChunk", "content": "Take a coat.", "id": "run-2"}]'
    ),
)

INVALID = (
    Example(
        r"""{"role": "user", "content": "How warm is it?"}
{"object": "chat.completion.chunk", "id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "11"}, "finish_reason": null}]}
{"object": "chat.completion.chunk", "id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"content": " °C"}, "finish_reason": "stop"}]}
{"role": "user", "content": "And tomorrow?"}
{"object": "chat.completion.chunk", "id": "chatcmpl-2", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "12"}, "finish_reason": "stop"}]}
""",
        where=("/1", "/4"),
    ),
    Example(
        r"""{"role": "user", "content": "How warm is it?"}
{"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": "m", "stop_reason": null, "usage": {}}}
{"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "11 °C"}}
{"type": "content_block_stop", "index": 0}
{"type": "message_stop"}
""",
        where=("/1",),
    ),
    # Pieces of a result.
    Example(
        '[{"type": "ai", "content": "", "tool_calls": [{"name": "weather", "args": {}, "id": "call_1", "type": "tool_call"}]},'
        ' {"type": "ToolMessageChunk", "tool_call_id": "call_1", "content": "11"},'
        ' {"type": "ToolMessageChunk", "tool_call_id": "call_1", "content": " °C"}]',
        where=("/1",),
    ),
    Example(
        '[{"type": "human", "content": "How warm is it?"}, {"type": "AIMessageChunk", "content": "11", "id": "run-1"},'
        ' {"type": "AIMessageChunk", "content": " °", "id": "run-1"}, {"type": "AIMessageChunk", "content": "C", "id": "run-1"}]',
        where=("/1",),
    ),
)
