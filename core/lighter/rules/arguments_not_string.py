r"""The arguments of a call are a JSON value where the wire wants JSON text.

## What
On OpenAI's wire `arguments` is a string that holds JSON. Here it is an object, a list, null, or absent.

## Why it is refused
OpenAI and Azure check the type. Rows for chat templates (Hugging Face, TRL) hold objects by right: without a target, nothing is
said where no call has an id, and elsewhere an object is only noted as information, and not in training rows.

## Example
Bad: `{"name": "read_tide", "arguments": {"pier": 3}}`
Good: `{"name": "read_tide", "arguments": "{\"pier\": 3}"}`

## Fix
Write the value as JSON text.
"""

from collections.abc import Iterator

from lighter import jsontext
from lighter.diagnostics import Fix, Severity
from lighter.edits import Put, Repair, repair, unsafe
from lighter.jsontext import step
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._quotes import said_with
from lighter.rules._telling import mention_wire_call, of_call
from lighter.toolwire import WireCall, has_ids, tool_calls
from lighter.wire import type_name

RULE = Rule(
    code="A101",
    name="arguments-not-string",
    summary="the arguments of a call are a JSON value where the wire wants JSON text",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error"},
    formats=("openai-chat", "openai-responses", "cohere"),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid type for 'messages[2].tool_calls[0].function.arguments': expected a string, but got an object instead.",
            "https://github.com/aaif-goose/goose-mobile/pull/20",
        ),
        Refusal(("vllm",), "Input should be a valid string", "https://github.com/bytedance/deer-flow/issues/4445"),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Missing required parameter: 'messages[1].tool_calls[1].function.arguments'",
            "https://github.com/mark3labs/mcphost/issues/117",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got null instead.",
            "openai 3.57.0 Function.arguments",
        ),
        Refusal(
            ("openai-responses",),
            "Invalid type for 'input[1].arguments': expected a string, but got an object instead.",
            "openai 3.57.0 ResponseFunctionToolCallParam.arguments",
        ),
        Refusal(
            ("openai-responses",),
            "Missing required parameter: 'input[1].arguments'.",
            "openai 3.57.0 ResponseFunctionToolCallParam.arguments",
        ),
        Refusal(
            ("deepseek",),
            "Failed to deserialize the JSON body into the target type: messages[2]: missing field `arguments` at line 1 column 727",
            "https://github.com/neuron-core/neuron-ai/issues/498",
        ),
    ),
    source="https://github.com/aaif-goose/goose-mobile/pull/20",
    # It writes whatever stands there as JSON.
    spares=("llamafactory", "mistral"),
    fix=Fix("safe", "write the arguments as JSON text"),
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Yield each call whose arguments are no text."""
    faulty = [
        call
        for call in tool_calls(passage)
        if call.shape in ("function", "legacy", "item") and call.arguments.kind in ("unserialised", "absent")
    ]
    is_for_template = bool(faulty) and not has_ids(passage)
    for call in faulty:
        severity = _severity(call, aim, is_for_template=is_for_template)
        if severity is None:
            continue
        is_absent = call.arguments.kind == "absent"
        yield Finding(
            call.message.record,
            call.arguments_path,
            f"the call{of_call(call)} has no arguments"
            if is_absent
            else f"the arguments{of_call(call)} are {type_name(call.arguments.value)}, not JSON text",
            help='write `"{}"` for a call without arguments' if is_absent else "write the arguments as JSON text",
            mentions=(mention_wire_call(call, "arguments of this call"),),
            severity=severity,
            refusals=said_with(RULE, "Missing" if is_absent else "string"),
            repair=_repair(call),
        )


def _repair(call: WireCall) -> Repair:
    record, path = call.message.record, call.holder_path + step(call.keys.arguments)
    if call.arguments.kind == "absent":
        return unsafe('write `"{}"`, as for a call without arguments', Put(record, path, "{}"))
    edit = Put(record, path, jsontext.encode_text(jsontext.value_at(record.value, path)))
    # What is no object stays none as text, which is refused as well.
    is_object = isinstance(call.arguments.value, dict) or call.arguments.value in ([], None)
    return repair(edit) if is_object else unsafe("write it as JSON text", edit)


def _severity(call: WireCall, aim: Aim, *, is_for_template: bool) -> Severity | None:
    if aim.target != "generic":
        return "error"
    if is_for_template and call.shape == "function":
        return None
    if isinstance(call.arguments.value, dict):
        return None if aim.mode == "finetune" else "info"
    return "error"


def _chat(arguments: str) -> str:
    return (
        '{"role":"user","content":"Tide?"}\n{"role":"assistant","content":null,"tool_calls":[{"id":"call_a1","type":"function",'
        f'"function":{{"name":"read_tide"{arguments}}}}}]}}\n'
        '{"role":"tool","tool_call_id":"call_a1","content":"2.1 m"}\n'
    )


VALID = (
    Example(_chat(',"arguments":"{\\"pier\\":3}"'), format="openai-chat", target="openai-chat"),
    # A custom tool has no arguments, but an input.
    Example(
        '{"role":"user","content":"List"}\n{"role":"assistant","content":null,"tool_calls":[{"id":"call_a1","type":"custom",'
        '"custom":{"name":"shell","input":"ls"}}]}\n{"role":"tool","tool_call_id":"call_a1","content":"ok"}\n',
        format="openai-chat",
        target="openai-chat",
    ),
    # A row for a chat template.
    Example(
        '{"messages":[{"role":"user","content":"Tide?"},{"role":"assistant","tool_calls":[{"type":"function","function":{"name":"read_tide",'
        '"arguments":{"pier":3}}}]},{"role":"tool","name":"read_tide","content":"2.1 m"}]}\n',
        format="openai-chat",
    ),
)

INVALID = (
    Example(
        _chat(',"arguments":{"pier":3}'),
        where=("/1/tool_calls/0/function/arguments",),
        format="openai-chat",
        target="openai-chat",
    ),
    Example(_chat(',"arguments":null'), where=("/1/tool_calls/0/function/arguments",), format="openai-chat"),
    Example(_chat(""), where=("/1/tool_calls/0/function",), format="openai-chat", target="azure-openai"),
)
