r"""The arguments of a call broke off, and LangChain closed them, so that it looks like a whole one.

## What
While an answer streams, LangChain closes the open texts and brackets of a call's arguments and puts what that gives into
`tool_calls`. When the stream breaks off there, the call stays, with a path or a command that the model had not finished; only
`tool_call_chunks` beside it shows the text as it came. Where the pieces of the answer stand there themselves, LangChain does so when
it adds them up.

## Why it is refused
Nobody refuses it: an agent runs the call with half its arguments. Written for a provider it has the text that came, which vLLM,
llama.cpp and SGLang refuse.

## Example
Bad:
```
[{"type": "AIMessageChunk", "content": "", "id": "run-1", "tool_calls": [{"name": "delete", "args": {"path": "/tmp/"}, "id": "call_1", "type": "tool_call"}], "tool_call_chunks": [{"name": "delete", "args": "{\"path\": \"/tmp/", "id": "call_1", "index": 0, "type": "tool_call_chunk"}]}]
```
Good: the same with `"args": "{\"path\": \"/tmp/old\"}"` in the chunk and `"args": {"path": "/tmp/old"}` in the call.

## Fix
The rest of the arguments is lost: ask the model again.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from lighter.conversation import WireMessage
from lighter.history import pieces_in
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Rule
from lighter.rules._langchain import FORMS, unwrapped_in
from lighter.rules._telling import shown

RULE = Rule(
    code="A108",
    name="completed-arguments",
    summary="the arguments of a call broke off and were closed, so that it looks like a whole one",
    severity={"generic": "warning"},
    formats=FORMS,
    source="https://github.com/langchain-ai/langchain/blob/master/libs/core/langchain_core/messages/ai.py (`init_tool_calls`, `parse_partial_json`)",
)

NEEDLES = (b"tool_call_chunks",)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report each call that has no whole arguments; where a message stands in pieces, all of these say them together."""
    runs = pieces_in(passage)
    pieces = {message.index for run in runs for message in run}
    for run in runs:
        yield from _cut_off_in_pieces(run)
    for message, unwrapped in unwrapped_in(passage):
        if message.index not in pieces:
            for place, tool in _cut_off(unwrapped.fields):
                yield Finding(
                    message.record,
                    f"{message.path}{unwrapped.prefix}{place}/args",
                    f"the arguments of {shown(tool)} broke off, and LangChain closed them",
                    "the rest of the arguments is lost: ask the model again",
                )


def _cut_off_in_pieces(run: tuple[WireMessage, ...]) -> Iterator[Finding]:
    """Report each call that has no whole arguments after all pieces of its message, where the last of its own stands."""
    if not any(b"tool_call_chunks" in piece.record.data for piece in run):
        return
    from lighter.formats._langchain import unwrap  # noqa: PLC0415 - loaded only for LangChain's messages
    from lighter.formats._langchain_joining import joined_message  # noqa: PLC0415 - as above
    from lighter.formats._langchain_merged import is_called_in_piece, text_cut_off  # noqa: PLC0415 - as above

    message, told = joined_message(run)
    unwrapped = unwrap(message.raw)
    chunks = unwrapped.fields.get("tool_call_chunks") if unwrapped is not None else None
    for index, call in enumerate(chunks if isinstance(chunks, list) else ()):
        if unwrapped is not None and is_called_in_piece(call) and text_cut_off(call.get("id"), call["name"], [call]):
            number, home = told.homes.get(f"{unwrapped.prefix}/tool_call_chunks/{index}", [(0, unwrapped.prefix)])[-1]
            yield Finding(
                run[number].record,
                f"{run[number].path}{home}",
                f"the arguments of {shown(call['name'])} broke off, and LangChain closes them when it adds up the pieces",
                "the rest of the arguments is lost: ask the model again",
            )


def _cut_off(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Give the places and names of calls whose arguments broke off; those that stand in pieces alone are closed when they are loaded."""
    from lighter.formats._langchain_merged import is_called_in_piece, text_cut_off  # noqa: PLC0415 - loaded only for LangChain's messages

    calls, chunks = fields.get("tool_calls"), fields.get("tool_call_chunks")
    if not isinstance(chunks, list):
        return
    for index, call in enumerate(calls if isinstance(calls, list) else ()):
        if _has_arguments(call) and text_cut_off(call.get("id"), call["name"], chunks) is not None:
            yield f"/tool_calls/{index}", call["name"]
    for index, piece in enumerate(chunks if not (calls or fields.get("invalid_tool_calls")) else ()):
        if is_called_in_piece(piece) and text_cut_off(piece.get("id"), piece["name"], [piece]) is not None:
            yield f"/tool_call_chunks/{index}", piece["name"]


def _has_arguments(call: Any) -> bool:
    match call:
        case {"name": str(), "args": dict()}:
            return True
        case _:
            return False


def _log(text: str, kind: str = "AIMessageChunk") -> str:
    return (
        f'[{{"type": "human", "content": "Tidy up"}}, {{"type": "{kind}", "content": "", "id": "run-1", "tool_calls":'
        ' [{"name": "delete", "args": {"path": "/tmp/"}, "id": "call_1", "type": "tool_call"}], "tool_call_chunks":'
        f' [{{"name": "delete", "args": "{text}", "id": "call_1", "index": 0, "type": "tool_call_chunk"}}]}},'
        ' {"type": "tool", "content": "deleted", "tool_call_id": "call_1"}]'
    )


def _pieces(rest: str) -> str:
    return (
        r'[{"type": "human", "content": "Tidy up"}, {"type": "AIMessageChunk", "content": "", "id": "run-1", "tool_call_chunks":'
        r' [{"name": "delete", "args": "{\"path\": \"/t", "id": "call_1", "index": 0, "type": "tool_call_chunk"}]},'
        ' {"type": "AIMessageChunk", "content": "", "id": "run-1", "tool_call_chunks":'
        f' [{{"name": null, "args": "{rest}", "id": null, "index": 0, "type": "tool_call_chunk"}}]}}]'
    )


VALID = (Example(_log(r"{\"path\": \"/tmp/\"}")), Example(_log("")), Example(_pieces(r"mp/old\"}")))

INVALID = (
    Example(_log(r"{\"path\": \"/tmp/"), ("/1/tool_calls/0/args",)),
    Example(_log(r"{\"path\": \"/tmp/", "ai"), ("/1/tool_calls/0/args",)),
    Example(
        '[{"type": "human", "content": "Tidy up"}, {"type": "AIMessageChunk", "content": "", "id": "run-1", "tool_call_chunks":'
        r' [{"name": "delete", "args": "{\"path\": \"/tmp/", "id": "call_1", "index": 0, "type": "tool_call_chunk"}]}]',
        ("/1/tool_call_chunks/0/args",),
    ),
    Example(_pieces("mp/"), ("/2/tool_call_chunks/0",)),
)
