r"""A request says how tools are to be chosen, and declares no tools.

## What
`tool_choice` or `parallel_tool_calls` stands in a request without tools. Anthropic and OpenAI's
Responses mind it only where some tool must be called; Gemini where a `functionCallingConfig` stands beside no function declaration.
Only whole requests are judged; that one of the tools is named which is not declared is a fault of its own
(`undeclared-tool-choice`).

## Why it is refused
There is nothing to choose from. It happens when a client strips the tools of a request for a last answer or a summary, and leaves
the parameters that belong to them.

## Example
Bad:
```
{"model": "gpt-4o", "messages": [{"role": "user", "content": "Tide?"}], "tool_choice": "none"}
```
Good:
```
{"model": "gpt-4o", "messages": [{"role": "user", "content": "Tide?"}]}
```

## Fix
Drop the parameter, or send the tools along.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Drop, repair
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._requests import function_calling, is_whole_request
from lighter.toolwire import declared_tools
from lighter.wire import has_past

_OPENAI = ("openai-chat", "azure-openai")
_PARAMETERS = ("tool_choice", "parallel_tool_calls")

RULE = Rule(
    code="S108",
    name="tool-choice-without-tools",
    summary="a request says how tools are to be chosen, and declares no tools",
    severity=dict.fromkeys((*_OPENAI, "vllm", "openai-responses", "anthropic", "gemini"), "error"),
    formats=("openai-chat", "openai-responses", "anthropic", "gemini"),
    modes=("request",),
    refusals=(
        Refusal(
            _OPENAI,
            "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
            "https://github.com/writer/writer-framework/pull/1013",
        ),
        Refusal(
            _OPENAI,
            "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.",
            "https://github.com/Upsonic/Upsonic/issues/323",
        ),
        Refusal(
            ("vllm",),
            "Value error, When using `tool_choice`, `tools` must be set.",
            "https://github.com/langgenius/dify/issues/12485",
        ),
        Refusal(
            ("openai-responses",),
            "Tool choice 'required' must be specified with 'tools' parameter.",
            "https://github.com/vllm-project/vllm/pull/40399",
        ),
        Refusal(
            ("anthropic",),
            "tool_choice.any may only be specified while providing tools",
            "https://github.com/aakshintala/fiber/issues/132",
        ),
        Refusal(
            ("gemini",),
            "Function calling config is set without function_declarations.",
            "https://github.com/musistudio/claude-code-router/pull/1207",
        ),
    ),
    source="https://github.com/vllm-project/vllm/pull/40311",
    fix=Fix("safe", "drop the parameter"),
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Report the parameters of a whole request that are only allowed beside tools."""
    if not is_whole_request(passage) or has_past(passage) or passage.fields.get("prompt") is not None:
        return
    tools = declared_tools(passage.fields, passage.format)
    if any(tool.shape != "typed" or passage.format != "gemini" for tool in tools):
        return
    paths = list(_useless(passage, aim.target))
    if not paths:
        return
    also = "".join(f", and so is `{path.rpartition('/')[2]}`" for path in paths[1:])
    yield Finding(
        passage.record,
        passage.fields_path + paths[0],
        f"`{paths[0].rpartition('/')[2]}` is only allowed beside tools, and the request declares none{also}",
        "drop it, or send the tools along",
        repair=repair(*(Drop(passage.record, passage.fields_path + path) for path in paths)),
    )


def _useless(passage: Passage, target: str) -> Iterator[str]:
    """Point at the parameters that the target refuses where there are no tools."""
    fields = passage.fields
    choice = fields.get("tool_choice")
    match passage.format:
        case "openai-chat" if fields.get("tools") == []:
            return  # a fault of its own, `empty-tools`
        case "openai-chat" if target == "vllm":
            if choice is not None and choice != "none":  # which newer versions take (vllm-project/vllm#10000)
                yield "/tool_choice"
        case "openai-chat":
            yield from (f"/{key}" for key in _PARAMETERS if fields.get(key) is not None)
        case "openai-responses" if choice == "required":
            yield "/tool_choice"
        case "anthropic" if isinstance(choice, dict) and choice.get("type") == "any":
            yield "/tool_choice"
        case "gemini" if (found := function_calling(fields)) and found[1].get("mode") != "NONE":
            yield found[0]
        case _:
            pass


_CHAT = '"messages": [{"role": "user", "content": "Tide?"}]'
_TOOLS = '"tools": [{"type": "function", "function": {"name": "read_tide", "parameters": {"type": "object", "properties": {}}}}]'
_CONTENTS = '"contents": [{"role": "user", "parts": [{"text": "Tide?"}]}]'
_AUTO = '"toolConfig": {"functionCallingConfig": {"mode": "AUTO"}}'

VALID = (
    Example(f'{{{_CHAT}, {_TOOLS}, "tool_choice": "auto", "parallel_tool_calls": false}}', target="openai-chat"),
    Example(f'{{{_CHAT}, "tool_choice": null}}', format="openai-chat", target="openai-chat"),
    # A log tells what was sent, and a list of messages nothing of what is sent beside it.
    Example(f'{{{_CHAT}, "tool_choice": "auto"}}', format="openai-chat"),
    # Anthropic and OpenAI's Responses mind only what cannot be done.
    Example(f'{{{_CHAT}, "max_tokens": 9, "tool_choice": {{"type": "auto"}}}}', format="anthropic", target="anthropic"),
    Example('{"input": "Tide?", "tool_choice": "auto"}', format="openai-responses", target="openai-responses"),
    # Tools that stand in a stored prompt, or came before.
    Example(
        '{"input": "Tide?", "prompt": {"id": "pmpt_1"}, "tool_choice": "required"}',
        format="openai-responses",
        target="openai-responses",
    ),
    Example(
        f'{{{_CONTENTS}, "tools": [{{"functionDeclarations": [{{"name": "read_tide"}}]}}], {_AUTO}}}',
        format="gemini",
        target="gemini",
    ),
)

INVALID = (
    Example(f'{{{_CHAT}, "tool_choice": "none"}}', ("/tool_choice",), format="openai-chat", target="openai-chat"),
    Example(
        f'{{{_CHAT}, "parallel_tool_calls": false}}',
        ("/parallel_tool_calls",),
        format="openai-chat",
        target="azure-openai",
    ),
    Example(f'{{{_CHAT}, "tool_choice": "auto"}}', ("/tool_choice",), format="openai-chat", target="vllm"),
    Example(
        '{"input": [{"role": "user", "content": "Tide?"}], "tool_choice": "required"}',
        ("/tool_choice",),
        format="openai-responses",
        target="openai-responses",
    ),
    Example(
        f'{{{_CHAT}, "max_tokens": 9, "tool_choice": {{"type": "any"}}}}',
        ("/tool_choice",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        f'{{{_CONTENTS}, "tools": [{{"googleSearch": {{}}}}], {_AUTO}}}',
        ("/toolConfig/functionCallingConfig",),
        format="gemini",
        target="gemini",
    ),
)
