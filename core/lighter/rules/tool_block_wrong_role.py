r"""A tool call stands in a user message, or a tool result in an assistant message.

## What
In Anthropic's Messages `tool_use` blocks belong to the assistant and `tool_result` blocks to the user. Here one stands on the
other side. (Blocks of tools that the provider runs itself, such as `web_search_tool_result`, do belong to the assistant.)

## Why it is refused
The roles of the blocks are fixed by the API, and a call or result on the wrong side pairs with nothing.

## Example
Bad:
```
{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}, {"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]}
```
Good:
```
{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}]}
{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]}
```

## Fix
Move the block into a message of the right role: results into the user message directly after the calls.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.strays import id_text
from lighter.wire import fields_of, placed_blocks, placed_parts, role_of

RULE = Rule(
    code="P109",
    name="tool-block-wrong-role",
    summary="a tool call stands in a user message, or a tool result in an assistant message",
    severity={
        "generic:anthropic": "error",
        "anthropic": "error",
        "generic:bedrock": "error",
        "generic:gemini": "error",
    },
    formats=("anthropic", "bedrock", "gemini"),
    refusals=(
        Refusal(
            ("anthropic",),
            "`tool_use` blocks can only be in `assistant` messages",
            "https://github.com/microsoft/agent-framework/issues/4328",
        ),
        Refusal(
            ("anthropic",),
            "messages.1: `tool_result` blocks can only be in `user` messages",
            "https://platform.claude.com/docs/en/api/messages",
        ),
    ),
    source="https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use",
)

_PROPER_ROLE = {"tool_use": "assistant", "tool_result": "user"}
_KIND = {"tool_use": "call", "tool_result": "result"}


_BY_KEY = {
    "bedrock": {"toolUse": "assistant", "toolResult": "user"},
    "gemini": {
        "functionCall": "model", "function_call": "model", "functionResponse": "user", "function_response": "user",
    },
}  # fmt: skip
"""The formats whose blocks are named by a key, and whose each key is."""

LOOKS_BEYOND_TEXT = True


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report the first block of a message that is on the wrong side, at the block: all of them have the one wrong role."""
    misplaced = _keyed_blocks(passage) if passage.format in _BY_KEY else _typed_blocks(passage)
    told: set[tuple[int, int]] = set()
    for finding in misplaced:
        at = (finding.record.row, finding.mentions[0].message.index)
        if at not in told:
            told.add(at)
            yield finding


def _typed_blocks(passage: Passage) -> Iterator[Finding]:
    for message in passage.messages:
        role = role_of(message)
        if role not in ("user", "assistant"):
            continue
        for path, block in placed_blocks(message):
            kind = block.get("type")
            if isinstance(kind, str) and _PROPER_ROLE.get(kind, role) != role:
                call_id = id_text(block.get("id" if kind == "tool_use" else "tool_use_id"))
                yield Finding(
                    record=message.record,
                    path=path,
                    message=f"a tool {_KIND[kind]} stands in a message of the {role}",
                    help=f"move it into a message of the {_PROPER_ROLE[kind]}",
                    mentions=(Mention(message, call_id),),
                    refusals=None if kind == "tool_use" else (),
                )


def _keyed_blocks(passage: Passage) -> Iterator[Finding]:
    proper = _BY_KEY[passage.format]
    for message in passage.messages:
        is_unsaid = passage.format == "gemini" and fields_of(message).get("role") is None
        role = "user" if is_unsaid else role_of(message)
        if role not in proper.values():
            continue
        placed = [*(placed_parts(message) if passage.format == "gemini" else placed_blocks(message))]
        served = {id_text(call.get("toolUseId")) for call in map(_served_call, placed)} - {""}
        for path, block in placed:
            key = next((key for key in proper if isinstance(block.get(key), dict)), None)
            if key is None or proper[key] == role or id_text(block[key].get("toolUseId")) in served:
                continue
            kind = "call" if proper[key] != "user" else "result"
            yield Finding(
                record=message.record,
                path=path,
                message=f"a tool {kind} stands in a message of the {role}",
                help=f"move it into a message of the {proper[key]}",
                mentions=(Mention(message),),
                refusals=(),
            )


def _served_call(placed: tuple[str, dict[str, Any]]) -> Mapping[str, Any]:
    """Give the call of a tool that Bedrock itself runs, whose result stands in the assistant's own turn; else nothing."""
    call = placed[1].get("toolUse")
    return call if isinstance(call, dict) and call.get("type") == "server_tool_use" else {}


VALID = (
    Example(
        r"""[{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]}]""",
        format="anthropic",
        target="anthropic",
    ),
    Example(
        r"""[{"role": "user", "content": "News?"}, {"role": "assistant", "content": [{"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "harbour"}}, {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}, {"type": "text", "text": "All quiet."}]}, {"role": "user", "content": "Good."}]""",
        format="anthropic",
        target="anthropic",
    ),
)

INVALID = (
    Example(
        r"""[{"role": "user", "content": "How high is the tide?"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}, {"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]}, {"role": "user", "content": "Thanks."}]""",
        where=("/1/content/1",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        r"""{"role": "user", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}]}
{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]}
""",
        where=("/0/content/0",),
        format="anthropic",
    ),
)
