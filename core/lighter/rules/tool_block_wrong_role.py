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

from collections.abc import Iterator

from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.strays import blocks_in, id_text

RULE = Rule(
    code="P109",
    name="tool-block-wrong-role",
    summary="a tool call stands in a user message, or a tool result in an assistant message",
    severity={"generic:anthropic": "error", "anthropic": "error"},
    formats=("anthropic",),
    refusals=(
        Refusal(
            ("anthropic",),
            "`tool_use` blocks can only be in `assistant` messages",
            "https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use",
        ),
    ),
    source="https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use",
)

PROPER_ROLE = {"tool_use": "assistant", "tool_result": "user"}
KIND = {"tool_use": "call", "tool_result": "result"}


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report each block on the wrong side, at the block."""
    for message in passage.messages:
        role = message.raw.get("role") if isinstance(message.raw, dict) else None
        if role not in ("user", "assistant"):
            continue
        for index, block in blocks_in(message.raw):
            kind = block.get("type")
            if isinstance(kind, str) and PROPER_ROLE.get(kind, role) != role:
                yield Finding(
                    record=message.record,
                    path=f"{message.path}/content/{index}",
                    message=f"a tool {KIND[kind]} stands in a message of the {role}",
                    help=f"move it into a message of the {PROPER_ROLE[kind]}",
                    mentions=(Mention(message, id_text(block.get("id" if kind == "tool_use" else "tool_use_id"))),),
                )


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
