r"""A request wants a tool called that it does not declare.

## What
`tool_choice` names a tool, or allows some by name, and one of them is not among the tools of the request. Only whole requests are
judged. Where OpenAI's chats have no tools at all, the choice itself is the fault (`tool-choice-without-tools`).

## Why it is refused
The model cannot be made to call what it was not given. It happens when tools are filtered or renamed and the choice is not, and
when a name is mistyped: it is case-sensitive.

## Example
Bad:
```
{"messages": [{"role": "user", "content": "Tide?"}], "max_tokens": 99, "tools": [{"name": "read_tide", "input_schema": {"type": "object"}}], "tool_choice": {"type": "tool", "name": "readTide"}}
```
Good: the same with `"name": "read_tide"` in the choice.

## Fix
Declare the tool, or correct the name.
"""

from collections.abc import Iterator

from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._requests import chosen_by_name, is_whole_request
from lighter.rules._telling import shown
from lighter.toolwire import declared_tools
from lighter.wire import has_past

RULE = Rule(
    code="S109",
    name="undeclared-tool-choice",
    summary="a request wants a tool called that it does not declare",
    severity={
        **dict.fromkeys(("anthropic", "openai-responses", "vllm"), "error"),
        # Nobody has quoted what these say to it.
        **dict.fromkeys(("openai-chat", "azure-openai", "gemini", "bedrock"), "warning"),
    },
    formats=("openai-chat", "openai-responses", "anthropic", "gemini", "bedrock"),
    modes=("request",),
    refusals=(
        Refusal(
            ("anthropic",),
            "Tool 'get_weather' not found in provided tools",
            "https://github.com/aakshintala/fiber/issues/132",
        ),
        Refusal(
            ("openai-responses",),
            "Tool choice 'function' not found in 'tools' parameter.",
            "https://github.com/vllm-project/vllm/pull/40399",
        ),
    ),
    # vLLM's check of the same.
    source="https://github.com/sgl-project/sglang/pull/28862",
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report the first tool that a whole request chooses by name and does not declare."""
    if not is_whole_request(passage) or has_past(passage):
        return
    if any(passage.fields.get(key) for key in ("prompt", "mcp_servers")):
        return
    tools = declared_tools(passage.fields, passage.format)
    if not tools and passage.format not in _NAMED_ALONE:
        return
    names = {tool.name for tool in tools}
    if passage.format != "gemini" and any(tool.name is None and tool.shape in ("typed", "unknown") for tool in tools):
        return  # among them may be one that brings others along
    wrong = [(path, name) for path, name in chosen_by_name(passage) if name not in names]
    for path, name in wrong[:1]:
        others = f", nor are {len(wrong) - 1} others" if len(wrong) > 1 else ""
        yield Finding(
            passage.record,
            passage.fields_path + path,
            f"the tool {shown(name)} is chosen and not declared{others}",
            _help(name, names),
        )


_NAMED_ALONE = ("anthropic", "openai-responses")
"""The formats in which this, not that there are no tools, is the fault of a choice without any."""


def _help(name: str, names: set[str | None]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - rarely needed, and it costs start-up time

    near = get_close_matches(name.lower(), [known.lower() for known in names if known], n=1)
    meant = next((known for known in names if known and near and known.lower() == near[0]), None)
    return f"did you mean {shown(meant)}?" if meant else "declare the tool in `tools`, or correct the name"


_ASKED = '"messages": [{"role": "user", "content": "Tide?"}]'
_BLOCKS = f'{_ASKED}, "max_tokens": 99, "tools": [{{"name": "read_tide", "input_schema": {{"type": "object"}}}}]'
_FUNCTION = (
    '{"type": "function", "function": {"name": "read_tide", "parameters": {"type": "object", "properties": {}}}}'
)
_ITEM = '{"type": "function", "name": "read_tide", "parameters": {"type": "object", "properties": {}}}'


def _gemini(name: str) -> str:
    return (
        '{"contents": [{"role": "user", "parts": [{"text": "Tide?"}]}], "tools": [{"functionDeclarations": [{"name": "read_tide"}]}],'
        f' "toolConfig": {{"functionCallingConfig": {{"mode": "ANY", "allowedFunctionNames": ["{name}"]}}}}}}'
    )


VALID = (
    Example(
        f'{{{_BLOCKS}, "tool_choice": {{"type": "tool", "name": "read_tide"}}}}', format="anthropic", target="anthropic"
    ),
    # The tools of an MCP server are not listed.
    Example(
        f'{{{_BLOCKS}, "mcp_servers": [{{"type": "url", "url": "https://example.org", "name": "sea"}}],'
        ' "tool_choice": {"type": "tool", "name": "read_wind"}}',
        format="anthropic",
        target="anthropic",
    ),
    Example(
        f'{{{_ASKED}, "tools": [{_FUNCTION}], "tool_choice": {{"type": "allowed_tools", "allowed_tools": {{"mode": "auto", "tools": ['
        '{"type": "function", "function": {"name": "read_tide"}}]}}}',
        format="openai-chat",
        target="openai-chat",
    ),
    # A tool of the provider's has no name.
    Example(
        f'{{"input": "Tide?", "tools": [{_ITEM}, {{"type": "web_search"}}], "tool_choice": {{"type": "web_search"}}}}',
        format="openai-responses",
        target="openai-responses",
    ),
    Example(_gemini("read_tide"), format="gemini", target="gemini"),
)

INVALID = (
    Example(
        f'{{{_BLOCKS}, "tool_choice": {{"type": "tool", "name": "readTide"}}}}',
        ("/tool_choice/name",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        f'{{{_ASKED}, "max_tokens": 99, "tool_choice": {{"type": "tool", "name": "read_tide"}}}}',
        ("/tool_choice/name",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        f'{{"input": [{{"role": "user", "content": "Tide?"}}], "tools": [{_ITEM}], "tool_choice": {{"type": "function", "name":'
        ' "read_tides"}}',
        ("/tool_choice/name",),
        format="openai-responses",
        target="openai-responses",
    ),
    Example(
        f'{{{_ASKED}, "tools": [{_FUNCTION}], "tool_choice": {{"type": "function", "function": {{"name": "read_wind"}}}}}}',
        ("/tool_choice/function/name",),
        format="openai-chat",
        target="openai-chat",
    ),
    Example(
        _gemini("read_wind"),
        ("/toolConfig/functionCallingConfig/allowedFunctionNames/0",),
        format="gemini",
        target="gemini",
    ),
)
