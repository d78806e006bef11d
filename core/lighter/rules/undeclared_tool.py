"""A call names a tool that is not among the tools which the record declares.

## What
The record has `tools` and a call uses a name that none of them has. Each name is told once. In a training row it is told too when
the row declares no tools at all.

## Why it is refused
Providers take it in a history. But a model that is trained on it learns to call tools that it was not given, and an agent that
resumes such a log meets calls that it cannot run. Server tools, tools of MCP servers, and tools named in `tool_choice` are left
alone.

## Example
Bad:
```
{"tools": [{"type": "function", "function": {"name": "read_tide"}}], "messages": [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "call_a1", "type": "function", "function": {"name": "read_tides", "arguments": "{}"}}]}]}
```
Good: the same with `"name": "read_tide"` in the call.

## Fix
Declare the tool, or correct the name of the call.
"""

from collections.abc import Iterator

from lighter.likeness import nearest
from lighter.passage import Passage
from lighter.providers import get_target
from lighter.rule import Aim, Example, Finding, Mention, Rule
from lighter.rules._items import kind_of
from lighter.rules._limits import breach_of
from lighter.rules._telling import shown
from lighter.toolcheck import checkers_of
from lighter.toolwire import chosen_names, first_of_each_name, tool_calls
from lighter.wire import has_past

RULE = Rule(
    code="S101",
    name="undeclared-tool",
    summary="a call names a tool that is not among the tools which the record declares",
    severity={"generic": "warning", "openai-chat": "warning", "azure-openai": "warning", "anthropic": "warning"},
    formats=(
        *("openai-chat", "openai-responses", "anthropic", "gemini", "gemini-interactions", "bedrock"),
        *("mistral", "cohere", "ollama"),
    ),
    source="https://learn.microsoft.com/azure/ai-services/openai/how-to/fine-tuning-functions",
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Yield the first call of each name that is not declared."""
    calls = [call for call in tool_calls(passage) if not {"toolset_name", "namespace"} & call.raw.keys()]
    checks = checkers_of(passage) if calls else ()
    if not calls or (not checks and aim.mode != "finetune"):
        return
    if any(check.is_open for check in checks) or passage.fields.get("mcp_servers") or _gains_tools(passage):
        return
    names = frozenset[str]().union(*(check.names for check in checks), chosen_names(passage.fields))
    target = get_target(aim.target)
    for call, count in first_of_each_name(calls):
        if call.name in names:
            continue
        if breach_of(call.name, target.tool_name_max, target.tool_name_pattern, target.title):
            continue  # no tool could have it: `tool-name-format`
        near = nearest(call.name, names)
        others = f" ({count} calls)" if count > 1 else ""
        yield Finding(
            call.message.record,
            call.name_path,
            f"the tool {shown(call.name)} is not declared{others}" + ("" if checks else ": the row declares no tools"),
            help=f"did you mean {shown(near)}?" if near else "declare the tool in `tools`, or correct the name",
            mentions=(Mention(call.message, call.name, "no such tool"),),
            severity="error" if aim.mode == "finetune" and checks else None,
        )


def _gains_tools(passage: Passage) -> bool:
    """Say whether a history of OpenAI's Responses goes on elsewhere, or brings further tools with it."""
    if passage.format != "openai-responses":
        return False
    kinds = {kind_of(item) for item in passage.messages}
    return has_past(passage) or not kinds.isdisjoint({"additional_tools", "tool_search_output", "mcp_list_tools"})


def _chat(name: str, rest: str = "") -> str:
    return (
        '{"messages":[{"role":"user","content":"Tide?"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_a1","type":"function",'
        f'"function":{{"name":"{name}","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"call_a1","content":"2.1 m"}},'
        f'{{"role":"assistant","content":"2.1 m."}}]{rest}}}\n'
    )


_TOOLS = ',"tools":[{"type":"function","function":{"name":"read_tide","parameters":{"type":"object","properties":{}}}}]'

VALID = (
    Example(_chat("read_tide", _TOOLS), format="openai-chat"),
    Example(_chat("read_wind"), format="openai-chat"),
    Example(
        '{"messages":[{"role":"user","content":"News?"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1",'
        '"name":"web_search","input":{"query":"harbour"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]},'
        '{"type":"text","text":"All quiet."}]}],"tools":[{"name":"read_tide","input_schema":{"type":"object"}}]}\n',
        format="anthropic",
    ),
    Example(
        _chat("read_wind", _TOOLS + ',"tool_choice":{"type":"function","function":{"name":"read_wind"}}'),
        format="openai-chat",
    ),
)

INVALID = (
    Example(
        '{"model":"gpt-5","tools":[{"type":"function","name":"read_tide","parameters":{"type":"object","properties":{}}}],"input":['
        '{"role":"user","content":"Tide?"},{"type":"function_call","call_id":"call_1","name":"read_tides","arguments":"{}"},'
        '{"type":"function_call_output","call_id":"call_1","output":"2.1 m"}]}',
        where=("/input/1/name",),
        format="openai-responses",
        target="openai-responses",
    ),
    Example(_chat("read_tides", _TOOLS), where=("/0/messages/1/tool_calls/0/function/name",), format="openai-chat"),
    Example(
        _chat("read_wind"), where=("/0/messages/1/tool_calls/0/function/name",), format="openai-chat", mode="finetune"
    ),
    Example(
        '{"messages":[{"role":"user","content":"Tide?"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"read_wind",'
        '"input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"4 Bft"}]}],'
        '"tools":[{"name":"read_tide","input_schema":{"type":"object"}}]}\n',
        where=("/0/messages/1/content/0/name",),
        format="anthropic",
        target="anthropic",
    ),
)
