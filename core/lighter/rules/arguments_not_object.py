r"""The arguments of a call are JSON, but no object.

## What
Arguments are named, so they are an object. Here they are text (mostly an object encoded twice), a list, a number or null; or,
on Anthropic's wire, `input` is absent.

## Why it is refused
Anthropic wants a dictionary. On OpenAI's wire the text is not looked into by OpenAI itself, but vLLM, SGLang and everything that
converts the call parse it and ask for its items. PHP clients write an empty object as `[]`.

## Example
Bad: `{"type": "tool_use", "id": "toolu_1", "name": "read_tide", "input": "{\"pier\": 3}"}`
Good: `{"type": "tool_use", "id": "toolu_1", "name": "read_tide", "input": {"pier": 3}}`

## Fix
Unwrap text that itself is an object; `[]` becomes `{}`. Anything else is left to you.
"""

from collections.abc import Iterator
from typing import Any

from lighter.diagnostics import Fix
from lighter.edits import Put, Repair, repair
from lighter.jsontext import decode, step
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._telling import mention_wire_call, of_call
from lighter.toolwire import Arguments, WireCall, parse_json, tool_calls
from lighter.wire import fields_of, type_name

RULE = Rule(
    code="A102",
    name="arguments-not-object",
    summary="the arguments of a call are JSON, but no object",
    severity={
        "generic": "warning",
        "generic:anthropic": "error",
        "openai-chat": "warning",
        "azure-openai": "warning",
        "anthropic": "error",
        "vllm": "error",
        "generic:gemini": "error",
        "generic:bedrock": "error",
        "generic:ollama": "error",
        "generic:gemini-interactions": "error",
    },
    formats=(
        *("openai-chat", "anthropic", "openai-responses", "gemini", "gemini-interactions", "bedrock"),
        *("mistral", "cohere", "ollama"),
    ),
    refusals=(
        Refusal(
            ("anthropic",),
            "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
            "https://github.com/anthropics/claude-code/issues/6696",
        ),
        Refusal(
            ("anthropic",),
            "messages.1.content.1.tool_use.input: Field required",
            "https://github.com/liushuangls/go-anthropic/issues/67",
        ),
        Refusal(
            ("vllm", "sglang"),
            "'str object' has no attribute 'items'",
            "https://github.com/sgl-project/sglang/issues/28035",
        ),
        Refusal(
            ("ollama",),
            "json: cannot unmarshal string into Go struct field ChatRequest.messages.tool_calls.function.arguments of type map[string]interface {}",
            "https://github.com/aliasrobotics/cai/issues/76",
        ),
        Refusal(
            ("vllm",), "Can only get item pairs from a mapping.", "jinja2 3 do_items, which templates of Qwen call"
        ),
    ),
    source="https://github.com/anthropics/claude-code/issues/6696",
    fix=Fix("safe", "unwrap an object that was encoded twice; write `[]` as `{}`"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Yield each call whose arguments are no object."""
    if passage.format == "gemini-interactions":
        yield from _steps(passage)
    for call in tool_calls(passage):
        is_absent = call.shape == "block" and call.arguments.kind == "absent"
        if not is_absent and call.arguments.kind != "other":
            continue
        fault = (
            f"the call{of_call(call)} has no `input`"
            if is_absent
            else f"the arguments{of_call(call)} are {type_name(call.arguments.value)}, not an object"
        )
        yield Finding(
            call.message.record,
            call.arguments_path,
            fault,
            help=_remedy(call.arguments),
            mentions=(mention_wire_call(call, "arguments of this call"),),
            severity="error" if passage.format == "mistral" and not _is_text(call) else None,
            repair=_repair(call),
        )


def _steps(passage: Passage) -> Iterator[Finding]:
    """Find the calls of Gemini's Interactions that no reader takes for calls (google-genai 3.6.1 `FunctionCallStep`)."""
    for message in passage.messages:
        fields = fields_of(message)
        if fields.get("type") == "function_call" and not isinstance(found := fields.get("arguments", {}), dict):
            said = f"the arguments of this call are {type_name(found)}, not an object"
            help_ = "write the arguments as an object with the names of the parameters"
            yield Finding(message.record, f"{message.path}/arguments", said, help_, refusals=())


def _is_text(call: WireCall) -> bool:
    """Say whether the arguments are text: where texts and objects are taken, nothing else is (mistralai 3.7.0 `FunctionCall`)."""
    return isinstance(call.holder.get(call.keys.arguments), str)


def _repair(call: WireCall) -> Repair | None:
    key = call.keys.arguments
    found, path = call.holder.get(key), call.holder_path + step(key)
    is_text = isinstance(found, str) and found != call.arguments.value
    match call.arguments.value:
        case [] | None:
            value: Any = "{}" if is_text else {}
        case str() as text if _is_object(text):
            value = text if is_text else decode(text)
        case _:
            return None
    return repair(Put(call.message.record, path, value))


def _remedy(arguments: Arguments) -> str:
    match arguments.value:
        case [] | None:
            return "write an empty object"
        case str() as text if _is_object(text):
            return "the object is encoded twice: unwrap it once"
        case _:
            return "write the arguments as an object with the names of the parameters"


def _is_object(text: str) -> bool:
    try:
        return isinstance(parse_json(text), dict)
    except ValueError:
        return False


def _chat(arguments: str) -> str:
    return (
        '{"role":"user","content":"Tide?"}\n{"role":"assistant","content":null,"tool_calls":[{"id":"call_a1","type":"function",'
        f'"function":{{"name":"read_tide","arguments":"{arguments}"}}}}]}}\n'
        '{"role":"tool","tool_call_id":"call_a1","content":"2.1 m"}\n'
    )


def _blocks(arguments: str) -> str:
    return (
        '{"messages":[{"role":"user","content":"Tide?"},'
        f'{{"role":"assistant","content":[{{"type":"tool_use","id":"toolu_1","name":"read_tide"{arguments}}}]}},'
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"2.1 m"}]}]}\n'
    )


VALID = (
    Example(_chat("{}"), format="openai-chat"),
    Example(_blocks(',"input":{}'), format="anthropic", target="anthropic"),
    Example(
        '{"role":"user","content":"List"}\n{"role":"assistant","content":null,"tool_calls":[{"id":"call_a1","type":"custom",'
        '"custom":{"name":"shell","input":"[1, 2]"}}]}\n{"role":"tool","tool_call_id":"call_a1","content":"ok"}\n',
        format="openai-chat",
    ),
)

INVALID = (
    Example(
        _blocks(',"input":"{\\"pier\\":3}"'),
        where=("/0/messages/1/content/0/input",),
        format="anthropic",
        target="anthropic",
    ),
    Example(_blocks(',"input":[]'), where=("/0/messages/1/content/0/input",), format="anthropic"),
    Example(_blocks(""), where=("/0/messages/1/content/0",), format="anthropic", target="anthropic"),
    Example(
        _chat('\\"{\\\\\\"pier\\\\\\": 3}\\"'), where=("/1/tool_calls/0/function/arguments",), format="openai-chat"
    ),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "", "tool_calls": [{"id": "a1b2c3d4e", "function":'
        ' {"name": "read_tide", "arguments": []}}]}, {"role": "tool", "tool_call_id": "a1b2c3d4e", "content": "2.1 m"}]',
        where=("/1/tool_calls/0/function/arguments",),
        format="mistral",
        target="mistral",
    ),
    Example(
        '{"model":"gemini-3-pro","input":[{"type":"user_input","content":[{"type":"text","text":"Tide?"}]},{"type":"function_call",'
        '"id":"c1","name":"read_tide","arguments":[]},{"type":"function_result","call_id":"c1","name":"read_tide","result":"2.1 m"}]}',
        where=("/input/1/arguments",),
        format="gemini-interactions",
    ),
)
