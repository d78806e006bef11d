r"""A request lists no tools where there is a list of tools.

## What
The request has `tools: []` (Bedrock: a `toolConfig` without tools). A request without tools has no such key. Only whole requests
are judged.

## Why it is refused
The list must have at least one entry. It happens when an agent filters its tools, or wants a last answer without any.

## Example
Bad:
```
{"model": "gpt-4o", "messages": [{"role": "user", "content": "Tide?"}], "tools": []}
```
Good:
```
{"model": "gpt-4o", "messages": [{"role": "user", "content": "Tide?"}]}
```

## Fix
Drop the key, and with it `tool_choice` and `parallel_tool_calls`, which are only allowed beside tools.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._requests import is_whole_request, without
from lighter.toolwire import tool_calls, tool_results

RULE = Rule(
    code="S107",
    name="empty-tools",
    summary="a request lists no tools where there is a list of tools",
    severity=dict.fromkeys(("openai-chat", "azure-openai", "deepseek", "qwen", "vllm", "bedrock"), "error"),
    formats=("openai-chat", "bedrock"),
    modes=("request",),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
            "https://github.com/continuedev/continue/issues/3403",
        ),
        Refusal(("qwen",), "[] is too short - 'tools'", "https://github.com/QwenLM/qwen-code/issues/643"),
        Refusal(
            ("bedrock",),
            "Value at 'toolConfig.tools' failed to satisfy constraint: Member must have length greater than or equal to 1",
            "https://github.com/genkit-ai/aws-bedrock-js-plugin/issues/43",
        ),
    ),
    # DeepSeek: the first; vLLM: the second.
    source="https://github.com/runebookai/tome/pull/87; https://github.com/vllm-project/vllm/pull/39780",
    fix=Fix("safe", "drop the empty list, and what is only allowed beside tools"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report an empty list of tools of a whole request."""
    if not is_whole_request(passage):
        return
    path = _empty_list(passage)
    if path is None:
        return
    key = path.split("/")[1]
    # Their legacy twins are allowed beside `functions`.
    beside = ("tool_choice", "parallel_tool_calls") if key == "tools" else ()
    yield Finding(
        passage.record,
        passage.fields_path + path,
        "the list of tools is empty",
        f"drop `{key}` where there are no tools",
        repair=without(passage, key, *beside),
    )


def _empty_list(passage: Passage) -> str | None:
    """Point at an empty list of tools; Bedrock wants tools in a history that uses some, which is another fault."""
    if passage.format != "bedrock":
        return "/tools" if passage.fields.get("tools") == [] else None
    match passage.fields.get("toolConfig"):
        case {"tools": []} if not tool_calls(passage) and not tool_results(passage):
            return "/toolConfig/tools"
        case _:
            return None


_ASKED = '"messages": [{"role": "user", "content": "Tide?"}]'
_ASKED_CONVERSE = '"messages": [{"role": "user", "content": [{"text": "Tide?"}]}]'
_TOOL = '{"type": "function", "function": {"name": "read_tide", "parameters": {"type": "object", "properties": {}}}}'

VALID = (
    Example(f'{{"model": "gpt-4o", {_ASKED}}}', format="openai-chat", target="openai-chat"),
    Example(f'{{"model": "gpt-4o", {_ASKED}, "tools": [{_TOOL}]}}', format="openai-chat", target="openai-chat"),
    # OpenAI's Responses take it.
    Example(
        '{"model": "gpt-5", "input": [{"role": "user", "content": "Tide?"}], "tools": []}',
        format="openai-responses",
        target="openai-responses",
    ),
    # A log tells what was sent, not what is to be.
    Example(f'{{"model": "gpt-4o", {_ASKED}, "tools": []}}', format="openai-chat", target="openai-chat", mode="log"),
)

INVALID = (
    Example(
        f'{{"model": "gpt-4o", {_ASKED}, "tools": [], "tool_choice": "auto"}}',
        ("/tools",),
        format="openai-chat",
        target="openai-chat",
    ),
    Example(f'{{"model": "qwen3-max", {_ASKED}, "tools": []}}', ("/tools",), format="openai-chat", target="qwen"),
    Example(
        f'{{"modelId": "m", {_ASKED_CONVERSE}, "toolConfig": {{"tools": []}}}}',
        ("/toolConfig/tools",),
        format="bedrock",
        target="bedrock",
    ),
)
