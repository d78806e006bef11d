"""The arguments of a call are blank text.

## What
A call of a tool without parameters has the arguments `""`. An empty object is `"{}"`.

## Why it is refused
OpenAI takes it. Older vLLM and bridges to Ollama parse the text, and blank text is no JSON.

## Example
Bad: `{"name": "now", "arguments": ""}`
Good: `{"name": "now", "arguments": "{}"}`

## Fix
Write `"{}"`.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Put, repair
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._telling import mention_wire_call, of_call
from lighter.toolwire import tool_calls

RULE = Rule(
    code="A104",
    name="arguments-empty",
    summary="the arguments of a call are blank text",
    severity={"generic": "warning", "openai-chat": "warning", "azure-openai": "warning", "xai": "error"},
    formats=("openai-chat", "openai-responses", "mistral", "cohere"),
    refusals=(
        Refusal(
            ("vllm",), "Expecting value: line 1 column 1 (char 0)", "https://github.com/vllm-project/vllm/issues/19419"
        ),
        Refusal(
            ("xai",),
            "The arguments to a tool_call with ID '…' are not a valid JSON string. Parsing error: Error(\"EOF while parsing a value\", line: 1, column: 0)",
            "https://github.com/spiceai/spiceai/issues/4734",
        ),
    ),
    source="https://github.com/vllm-project/vllm/issues/19419",
    fix=Fix("safe", 'write `"{}"`'),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Yield each call with blank arguments."""
    for call in tool_calls(passage):
        if call.arguments.kind == "empty":
            yield Finding(
                call.message.record,
                call.arguments_path,
                f"the arguments{of_call(call)} are blank text",
                help='write `"{}"` for a call without arguments',
                mentions=(mention_wire_call(call, "arguments of this call"),),
                repair=repair(Put(call.message.record, call.arguments_path, "{}")),
            )


def _chat(arguments: str) -> str:
    return (
        '{"role":"user","content":"Time?"}\n{"role":"assistant","content":null,"tool_calls":[{"id":"call_a1","type":"function",'
        f'"function":{{"name":"now","arguments":"{arguments}"}}}}]}}\n'
        '{"role":"tool","tool_call_id":"call_a1","content":"10:30"}\n'
    )


VALID = (
    Example(_chat("{}"), format="openai-chat"),
    Example(
        '{"role":"user","content":"Go"}\n{"role":"assistant","content":null,"tool_calls":[{"id":"call_a1","type":"custom",'
        '"custom":{"name":"shell","input":""}}]}\n{"role":"tool","tool_call_id":"call_a1","content":"ok"}\n',
        format="openai-chat",
    ),
)

INVALID = (
    Example(_chat(""), where=("/1/tool_calls/0/function/arguments",), format="openai-chat"),
    Example(_chat(" \\n"), where=("/1/tool_calls/0/function/arguments",), format="openai-chat", target="openai-chat"),
)
