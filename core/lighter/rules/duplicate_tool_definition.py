"""Two tools of one name are declared.

## What
A definition has the name of an earlier one, whether they are equal or not.

## Why it is refused
The provider could not tell which of them the model calls. It happens when the tools of several MCP servers, or an own tool and a
server tool, are put into one list.

## Example
Bad: `"tools": [{"name": "read_tide", …}, {"name": "read_tide", …}]`
Good: `"tools": [{"name": "read_tide", …}, {"name": "read_tide_2", …}]`

## Fix
Drop the second one where they are equal; else rename one of them.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Drop, Repair, repair
from lighter.jsontext import is_same
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._telling import shown
from lighter.toolwire import DeclaredTool, declared_tools

RULE = Rule(
    code="S103",
    name="duplicate-tool-definition",
    summary="two tools of one name are declared",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    formats=("openai-chat", "openai-responses", "anthropic", "gemini", "bedrock"),
    refusals=(
        Refusal(
            ("anthropic",), "tools: Tool names must be unique.", "https://github.com/tailcallhq/forgecode/issues/892"
        ),
    ),
    source="https://github.com/tailcallhq/forgecode/issues/892",
    fix=Fix("safe", "drop the later definition where both are equal"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Yield each later definition of a name."""
    if not passage.is_first:
        return
    first: dict[tuple[str, str], DeclaredTool] = {}
    for tool in declared_tools(passage.fields, passage.format):
        if tool.name is None:
            continue
        # `tools` and the legacy `functions` are two lists, and clients that move from one to the other send both.
        earlier = first.setdefault((tool.path.split("/")[1], tool.name), tool)
        if earlier is not tool:
            yield Finding(
                passage.record,
                passage.fields_path + tool.holder_path,
                f"the tool {shown(tool.name)} is declared a second time",
                help="drop this definition" if is_same(earlier.raw, tool.raw) else "rename one of the two tools",
                repair=_repair(passage, tool) if is_same(earlier.raw, tool.raw) else None,
            )


def _chat(*names: str) -> str:
    tools = ",".join(
        f'{{"type":"function","function":{{"name":"{name}","parameters":{{"type":"object","properties":{{}}}}}}}}'
        for name in names
    )
    return f'{{"messages":[{{"role":"user","content":"Tide?"}}],"tools":[{tools}]}}\n'


def _blocks(*names: str) -> str:
    tools = ",".join(f'{{"name":"{name}","input_schema":{{"type":"object"}}}}' for name in names)
    return f'{{"system":"Tides.","messages":[{{"role":"user","content":"Tide?"}}],"tools":[{tools}]}}\n'


def _repair(passage: Passage, tool: DeclaredTool) -> Repair | None:
    is_text = isinstance(passage.fields.get(tool.path.split("/")[1]), str)
    return None if is_text else repair(Drop(passage.record, passage.fields_path + tool.path))


VALID = (
    Example(_chat("read_tide", "read_wind"), format="openai-chat"),
    Example(_blocks("read_tide", "Read_tide"), format="anthropic", target="anthropic"),
    # The same tool in the new list and in the old one.
    Example(
        _chat("read_tide").replace(
            '"tools"', '"functions":[{"name":"read_tide","parameters":{"type":"object"}}],"tools"'
        ),
        format="openai-chat",
        target="openai-chat",
    ),
)

INVALID = (
    Example(
        _chat("read_tide", "read_tide"), where=("/0/tools/1/function",), format="openai-chat", target="openai-chat"
    ),
    Example(
        _blocks("read_tide", "read_wind", "read_tide"), where=("/0/tools/2",), format="anthropic", target="anthropic"
    ),
)
