r"""The result of a provider's own tool stands without its call.

## What
Tools that Anthropic runs itself (web search, code execution, advisor …) leave both halves in the assistant's message: a
`server_tool_use` block, and after it a `…_tool_result` block with the same id. Here the result has no such block before it in
the assistant's turn.

## Why it is refused
Usually a client dropped or moved the block that it did not know, or split one message over several rows and lost some. The
history is then refused at every further request.

## Example
Bad:
```
{"role": "assistant", "content": [{"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}, {"type": "text", "text": "All quiet."}]}
```
Good:
```
{"role": "assistant", "content": [{"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "harbour"}}, {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}, {"type": "text", "text": "All quiet."}]}
```

## Fix
Put the `server_tool_use` block back before the result, or drop the result block.
"""

from collections.abc import Iterator

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Repair
from lighter.edits_messages import dropping_blocks
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._telling import shown
from lighter.strays import id_text
from lighter.wire import placed_blocks, role_of

RULE = Rule(
    code="P110",
    name="server-tool-unpaired",
    summary="the result of a provider's own tool stands without its call",
    severity={"generic:anthropic": "error", "anthropic": "error"},
    formats=("anthropic",),
    refusals=(
        Refusal(
            ("anthropic",),
            "unexpected `tool_use_id` found in `advisor_tool_result` blocks … must have a corresponding `server_tool_use` block before it",
            "https://github.com/anthropics/claude-code/issues/64383",
        ),
    ),
    source="https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool",
    fix=Fix("unsafe", "drop the block"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report each result of a server tool without its call in the same turn, at the block."""
    called: set[str] = set()
    role: str | None = None
    for message in (*filter(None, [passage.before]), *passage.messages):
        now = role_of(message)
        if now != "assistant" or role != "assistant":  # rows of one role are one turn
            called = set()
        role = now
        yield from _unpaired(passage, message, called, is_reported=message is not passage.before)


def _repair(passage: Passage, message: WireMessage, path: str) -> Repair | None:
    edits = dropping_blocks(passage, message, (int(path.rpartition("/")[2]),))
    return Repair(edits) if edits else None


def _unpaired(passage: Passage, message: WireMessage, called: set[str], *, is_reported: bool) -> Iterator[Finding]:
    for path, block in placed_blocks(message):
        kind = block.get("type")
        if not isinstance(kind, str):
            continue
        if kind.endswith("tool_use"):
            called.add(id_text(block.get("id")))
        elif kind.endswith("_tool_result") and is_reported and id_text(block.get("tool_use_id")) not in called:
            call_id = id_text(block.get("tool_use_id"))
            fault = (
                f"no `server_tool_use` block before it has the id {shown(call_id)}" if call_id else "it names no call"
            )
            yield Finding(
                record=message.record,
                path=path,
                message=f"the result of a server tool stands alone: {fault}",
                help="put the `server_tool_use` block back before it, or drop this block",
                mentions=(Mention(message, call_id, "its call is not in this turn"),),
                repair=_repair(passage, message, path),
            )


VALID = (
    Example(
        r"""[{"role": "user", "content": "News?"}, {"role": "assistant", "content": [{"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "harbour"}}, {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}, {"type": "text", "text": "All quiet."}]}]""",
        format="anthropic",
        target="anthropic",
        mode="log",
    ),
    # Rows of one turn.
    Example(
        r"""{"role": "user", "content": "News?"}
{"role": "assistant", "content": [{"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "harbour"}}]}
{"role": "assistant", "content": [{"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}]}
""",
        format="anthropic",
    ),
    # A tool of an MCP server that Anthropic calls: the same pair under other names.
    Example(
        r"""[{"role": "user", "content": "News?"}, {"role": "assistant", "content": [{"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "read_news", "server_name": "harbour", "input": {}}, {"type": "mcp_tool_result", "tool_use_id": "mcptoolu_1", "content": []}, {"type": "text", "text": "All quiet."}]}]""",
        format="anthropic",
        target="anthropic",
        mode="log",
    ),
)

INVALID = (
    Example(
        r"""[{"role": "user", "content": "Ask."}, {"role": "assistant", "content": [{"type": "advisor_tool_result", "tool_use_id": "srvtoolu_1", "content": {"type": "advisor_result", "text": "x"}}, {"type": "text", "text": "Done."}]}, {"role": "user", "content": "Next."}]""",
        where=("/1/content/0",),
        format="anthropic",
        target="anthropic",
    ),
    # The call stands in an earlier turn, where it does not count.
    Example(
        r"""{"role": "assistant", "content": [{"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "harbour"}}]}
{"role": "user", "content": "Go on."}
{"role": "assistant", "content": [{"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}, {"type": "text", "text": "All quiet."}]}
""",
        where=("/2/content/0",),
        format="anthropic",
    ),
)
