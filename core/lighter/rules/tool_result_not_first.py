r"""Other blocks stand before the tool results of a user message.

## What
In Anthropic's Messages the results of a turn's calls must be the first blocks of the next user message; text and images come
after them. Here a block stands before a result.

## Why it is refused
The provider looks for the results at the start of the message, finds something else, and takes the calls for unanswered.

## Example
Bad:
```
{"role": "user", "content": [{"type": "text", "text": "Here you go"}, {"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]}
```
Good:
```
{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}, {"type": "text", "text": "Here you go"}]}
```

## Fix
Move the results to the front of the message; nothing else changes.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from lighter.diagnostics import Fix
from lighter.models import claude_version
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.wire import fields_of

RULE = Rule(
    code="P107",
    name="tool-result-not-first",
    summary="other blocks stand before the tool results of a user message",
    severity={
        "generic:anthropic": "error",
        "anthropic": "error",
        "generic:bedrock": "error",
    },
    formats=("anthropic", "bedrock"),
    refusals=(
        Refusal(
            ("anthropic",),
            "Did not find 1 `tool_result` block(s) at the beginning of this message",
            "https://github.com/anthropics/anthropic-sdk-typescript/issues/653",
        ),
    ),
    source="https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use",
    fix=Fix("safe", "move the results to the front of the message"),
)

LOOKS_BEYOND_TEXT = True


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report the first block before a result, once for each message."""
    # The messages of a log stand in records of their own, so that a path alone tells no block.
    answers = {(result.wire.index, result.path) for _, result in passage.pairing.answers}
    is_unsure = passage.format == "bedrock" and passage.model is None
    if passage.format == "bedrock" and not is_unsure and claude_version(passage.model or "") is None:
        return  # another maker's model
    for message in passage.messages:
        content = fields_of(message).get("content")
        blocks = content if isinstance(content, list) else []
        first = next((index for index, block in enumerate(blocks) if _is_other(block, passage.format)), None)
        if first is None:
            continue
        places = ((message.index, f"{message.path}/content/{index}") for index in range(first, len(blocks)))
        if any(place in answers for place in places):
            from lighter.edits_results import results_first  # noqa: PLC0415 - formats are loaded only for what is at fault

            yield Finding(
                record=message.record,
                path=f"{message.path}/content/{first}",
                message=f"{_name_of(blocks[first])} stands before a tool result",
                help="move the tool results to the front of the message",
                mentions=(Mention(message, "", "the results must come first"),),
                severity="warning" if is_unsure else None,
                repair=results_first(message, [isinstance(block, dict) and _is_result(block) for block in blocks]),
            )


def _is_other(block: Any, format_name: str) -> bool:
    """Say whether a block is no result; what is no block at all (`content-part-type`) is at fault wherever it stands."""
    is_block = isinstance(block, dict) and (format_name != "anthropic" or block.get("type") is not None)
    return is_block and not _is_result(block)


def _is_result(block: Mapping[str, Any]) -> bool:
    return block.get("type") == "tool_result" or "toolResult" in block


def _name_of(block: Any) -> str:
    match block:
        case {"type": str(kind)} if kind.isidentifier():
            return f"{'an' if kind.startswith(tuple('aeiou')) else 'a'} {kind} block"
        case _:
            return "a block"


VALID = (
    # Text after the results is fine.
    Example(
        r"""[{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}, {"type": "text", "text": "Here you go"}]}]""",
        format="anthropic",
        target="anthropic",
    ),
    # In an assistant's message results have a fault of their own.
    Example(
        r"""{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}]}
{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]}
{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_2", "name": "get_tide", "input": {}}, {"type": "tool_result", "tool_use_id": "toolu_2", "content": "2.1 m"}]}
""",
        format="anthropic",
    ),
    # What is no block is at fault for that.
    Example(
        r"""{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}]}
{"role": "user", "content": ["Here you go", {"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]}
""",
        format="anthropic",
    ),
    # Without its call the result is an orphan, wherever it stands.
    Example(
        r"""{"role": "user", "content": [{"type": "text", "text": "Here you go"}, {"type": "tool_result", "tool_use_id": "toolu_9", "content": "2.1 m"}]}
""",
        format="anthropic",
    ),
)

INVALID = (
    Example(
        r"""[{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}]}, {"role": "user", "content": [{"type": "text", "text": "Here you go"}, {"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]}]""",
        where=("/1/content/0",),
        format="anthropic",
        target="anthropic",
    ),
    # Between two results.
    Example(
        r"""{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}, {"type": "tool_use", "id": "toolu_2", "name": "get_wind", "input": {}}]}
{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}, {"type": "text", "text": "and"}, {"type": "tool_result", "tool_use_id": "toolu_2", "content": "4 kn"}]}
""",
        where=("/1/content/1",),
        format="anthropic",
    ),
)
