r"""An entry of the tool calls cannot be read as a call.

## What
A member of `tool_calls` has no `function`, is flat (`{"id", "name", "args"}`), holds an id only, or is no object; or `tool_calls`
is no list; or a `tool_use` block has neither name nor input. One finding stands for all that is wrong with the entry.

## Why it is refused
OpenAI's wire wants `{"id", "type": "function", "function": {"name", "arguments"}}`. The flat form is that of LangChain and of other
libraries, and gets into files when messages are dumped without conversion.

## Example
Bad: `{"id": "call_a1", "name": "read_tide", "args": {"pier": 3}}`
Good: `{"id": "call_a1", "type": "function", "function": {"name": "read_tide", "arguments": "{\"pier\": 3}"}}`

## Fix
Wrap the flat form. An entry with nothing but an id can only be dropped, together with its result.
"""

from collections.abc import Iterator

from lighter import jsontext
from lighter.diagnostics import Fix
from lighter.edits import Drop, Put, Repair, drop_message, repair, unsafe
from lighter.edits_messages import dropping, may_move
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.toolwire import MalformedCall, malformed_calls, tool_results
from lighter.wire import fields_of

RULE = Rule(
    code="P118",
    name="malformed-tool-call",
    summary="an entry of the tool calls cannot be read as a call",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    formats=("openai-chat", "anthropic", "gemini", "bedrock", "mistral", "cohere", "ollama"),
    refusals=(
        Refusal(
            ("anthropic",),
            "messages.1.content.1.tool_use.input: Field required",
            "https://github.com/liushuangls/go-anthropic/issues/67",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Missing required parameter: 'messages[3].tool_calls[0].function'.",
            "openai 3.57.0 ChatCompletionMessageFunctionToolCallParam.function",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid type for 'messages[1].tool_calls': expected an array of objects, but got an object instead.",
            "openai 3.57.0 ChatCompletionAssistantMessageParam.tool_calls",
        ),
    ),
    source="types of openai 3.57.0 (ChatCompletionMessageFunctionToolCallParam) and anthropic 2.14.0 (ToolUseBlockParam)",
    fix=Fix("safe", "wrap the flat form as `function`"),
)

_FAULTS = {
    "list": ("the tool calls are no list", "write them as a list"),
    "object": ("a tool call is no object", "write it as an object with `id`, `type` and `function`"),
    "flat": (
        "a tool call is flat: it has no `function`",
        "wrap name and arguments as `function`, arguments as JSON text",
    ),
    "hollow": ("a tool call has neither name nor arguments", "complete the call, or drop it together with its result"),
}


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Yield each entry that is no call."""
    for call in malformed_calls(passage):
        fault, remedy = _FAULTS[call.fault]
        yield Finding(
            call.message.record,
            call.path,
            fault,
            help=remedy,
            mentions=(Mention(call.message, label="here"),),
            repair=_repair(call, passage),
        )


_ARGUMENTS = ("arguments", "args", "input", "parameters")
"""Keys under which flat calls have their arguments."""


def _repair(call: MalformedCall, passage: Passage) -> Repair | None:
    record = call.message.record
    try:
        entry = jsontext.value_at(record.value, call.path)
    except LookupError:
        return None
    if call.fault == "hollow" and isinstance(entry, dict):
        return _dropped(call, entry.get("id"), passage)
    key = next((key for key in _ARGUMENTS if key in entry), None) if isinstance(entry, dict) else None
    if call.fault != "flat" or key is None:
        return None
    value = entry[key]
    text = value if isinstance(value, str) else jsontext.encode_text(value)
    rest = {name: item for name, item in entry.items() if name not in ("id", "type", "name", key)}
    holder = {"name": entry["name"], "arguments": text}
    own = {"id": entry["id"]} if "id" in entry else {}
    return repair(Put(record, call.path, {**own, "type": "function", "function": holder, **rest}))


def _dropped(call: MalformedCall, call_id: object, passage: Passage) -> Repair | None:
    """Take an entry that says nothing away, with its result."""
    listed, _, index = call.path.rpartition("/")
    entries = fields_of(call.message).get(listed.rpartition("/")[2])
    if not index.isdecimal() or not isinstance(entries, list):
        return None
    results = [result.message for result in tool_results(passage) if result.id == call_id and call_id is not None]
    if any(result.path != result.message.path for result in tool_results(passage)) or not may_move(passage, *results):
        return None
    if len(entries) == 1 and not fields_of(call.message).get("content"):
        whole = dropping(passage, call.message, *results)
        return whole and unsafe("drop the call and its result", *whole.edits)
    own = Drop(call.message.record, call.path if len(entries) > 1 else listed)
    return unsafe("drop the call and its result", own, *map(drop_message, results))


def _chat(calls: str) -> str:
    return (
        f'{{"role":"user","content":"Tide?"}}\n{{"role":"assistant","content":null,"tool_calls":{calls}}}\n'
        '{"role":"tool","tool_call_id":"call_a1","content":"2.1 m"}\n'
    )


VALID = (
    Example(
        _chat('[{"id":"call_a1","type":"function","function":{"name":"read_tide","arguments":"{}"}}]'),
        format="openai-chat",
    ),
    Example('{"role":"user","content":"Tide?"}\n{"role":"assistant","content":"2.1 m","tool_calls":null}\n'),
    Example(_chat('[{"id":"call_a1","type":"custom","custom":{"name":"shell","input":"ls"}}]'), format="openai-chat"),
)

INVALID = (
    Example(
        _chat('[{"id":"call_a1","name":"read_tide","args":{"pier":3}}]'),
        where=("/1/tool_calls/0",),
        format="openai-chat",
    ),
    Example(_chat('[{"id":"call_a1","type":"function"}]'), where=("/1/tool_calls/0",), format="openai-chat"),
    Example(
        _chat('[{"id":"call_a1","type":"function","function":null}]'),
        where=("/1/tool_calls/0",),
        format="openai-chat",
        target="openai-chat",
    ),
    Example(
        '{"messages":[{"role":"user","content":"Tide?"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1"}]},'
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"2.1 m"}]}]}\n',
        where=("/0/messages/1/content/0",),
        format="anthropic",
    ),
)
