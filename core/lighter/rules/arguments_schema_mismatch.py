r"""The arguments of a call break the schema that the record declares for the tool.

## What
A required parameter is missing, a value has the wrong type or is none of the allowed ones, or there is a key that the schema does
not allow. The place names the value inside the arguments.

## Why it is refused
No provider refuses it in a history, and a model may err: the tool may have said so. In a training row it teaches the model to
call the tool wrongly, and a `strict` tool promises that it cannot happen.

## Example
Bad: `{"name": "read_tide", "arguments": "{\"pier\": \"three\"}"}` where `pier` is an integer
Good: `{"name": "read_tide", "arguments": "{\"pier\": 3}"}`

## Fix
Correct the arguments or the schema. lighter does not guess values.
"""

from collections.abc import Iterator

from lighter.jsontext import pointer
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Rule
from lighter.rules._telling import shown
from lighter.toolcheck import Mismatch, ToolCheck, checkers_of
from lighter.toolwire import WireCall, tool_calls

RULE = Rule(
    code="A105",
    name="arguments-schema-mismatch",
    summary="the arguments of a call break the schema that the record declares for the tool",
    severity={"generic": "warning", "openai-chat": "warning", "azure-openai": "warning", "anthropic": "warning"},
    formats=(
        *("openai-chat", "openai-responses", "anthropic", "gemini", "gemini-interactions", "bedrock"),
        *("mistral", "cohere", "ollama"),
    ),
    source="https://json-schema.org/draft/2020-12",
)

MOST = 8
"""How many places of one call are told."""


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Yield each place at which a call's arguments do not fit."""
    calls = [call for call in tool_calls(passage) if isinstance(call.name, str) and _has_object(call)]
    if not calls or not (checks := checkers_of(passage)):
        return
    for call in calls:
        check_of_name = next((check for check in checks if call.name in check.names), None)
        if check_of_name and not check_of_name.is_valid(call.name, call.arguments.value):
            yield from _findings(call, check_of_name, aim)


def _has_object(call: WireCall) -> bool:
    return call.arguments.kind in ("object", "unserialised") and isinstance(call.arguments.value, dict)


def _findings(call: WireCall, check: ToolCheck, aim: Aim) -> Iterator[Finding]:
    is_error = aim.mode == "finetune" or call.name in check.strict_names
    for mismatch in _merged(check.mismatches(call.name, call.arguments.value))[:MOST]:
        where = f" at {shown(pointer(mismatch.keys))}" if mismatch.keys else ""
        yield Finding(
            call.message.record,
            call.arguments_path + pointer(mismatch.keys),
            f"the arguments of {shown(call.name)} do not fit its schema{where}: {mismatch.problem}",
            help="correct the arguments, or the schema of the tool",
            mentions=(Mention(call.message, call.name, "arguments of this call"),),
            severity="error" if is_error else None,
        )


def _merged(mismatches: list[Mismatch]) -> list[Mismatch]:
    """Join what is wrong with one value to one finding."""
    problems: dict[tuple[str | int, ...], list[Mismatch]] = {}
    for mismatch in _renamed(mismatches):
        problems.setdefault(mismatch.keys, []).append(mismatch)
    return [
        Mismatch(keys, found[0].keyword, "; ".join(one.problem for one in found)) for keys, found in problems.items()
    ]


def _renamed(mismatches: list[Mismatch]) -> Iterator[Mismatch]:
    """Put the one key that an object lacks beside the one that it has too many: it was meant for it."""
    lacking = [one for one in mismatches if one.keyword == "required"]
    excess = [one for one in mismatches if one.keyword == "additionalProperties"]
    meant: dict[tuple[str | int, ...], Mismatch] = {}
    for one in lacking:
        keys = [other.keys for other in excess if other.keys[:-1] == one.keys]
        if len(keys) == 1 and [other.keys for other in lacking].count(one.keys) == 1:
            meant[one.keys] = Mismatch(keys[0], one.keyword, one.problem)
    yield from (meant.get(one.keys, one) if one.keyword == "required" else one for one in mismatches)


_TOOLS = (
    '[{"type":"function","function":{"name":"read_tide","parameters":{"type":"object","properties":{"pier":{"type":"integer"},'
    '"unit":{"enum":["m","ft"]}},"required":["pier"],"additionalProperties":false}}}]'
)
_BLOCK_TOOLS = (
    '[{"name":"read_tide","input_schema":{"type":"object","properties":{"pier":{"type":"integer"}},"required":["pier"]}},'
    '{"type":"web_search_20250305","name":"web_search"}]'
)


def _chat(arguments: str, tools: str = f',"tools":{_TOOLS}') -> str:
    return (
        '{"messages":[{"role":"user","content":"Tide?"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_a1","type":"function",'
        f'"function":{{"name":"read_tide","arguments":"{arguments}"}}}}]}},'
        f'{{"role":"tool","tool_call_id":"call_a1","content":"2.1 m"}}]{tools}}}\n'
    )


def _blocks(arguments: str) -> str:
    return (
        '{"messages":[{"role":"user","content":"Tide?"},'
        f'{{"role":"assistant","content":[{{"type":"tool_use","id":"toolu_1","name":"read_tide","input":{arguments}}}]}},'
        f'{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"toolu_1","content":"2.1 m"}}]}}],"tools":{_BLOCK_TOOLS}}}\n'
    )


VALID = (
    Example(_chat('{\\"pier\\":3,\\"unit\\":\\"m\\"}'), format="openai-chat"),
    Example(_chat('{\\"pier\\":\\"three\\"}', tools=""), format="openai-chat"),
    Example(_blocks('{"pier":3,"note":"undeclared keys are fine here"}'), format="anthropic"),
    # A number that no float holds is a number all the same.
    Example(_blocks('{"pier":1e400}'), format="anthropic"),
    Example(_chat('{\\"pier\\":1e400}'), format="openai-chat"),
)

INVALID = (
    Example(
        _chat('{\\"pier\\":\\"three\\"}'),
        where=("/0/messages/1/tool_calls/0/function/arguments/pier",),
        format="openai-chat",
    ),
    Example(_chat("{}"), where=("/0/messages/1/tool_calls/0/function/arguments",), format="openai-chat"),
    Example(
        _chat('{\\"pier\\":3,\\"depth\\":1}'),
        where=("/0/messages/1/tool_calls/0/function/arguments/depth",),
        format="openai-chat",
        target="openai-chat",
    ),
    # A key of another name than the one that is wanted.
    Example(
        _chat('{\\"quay\\":3}'),
        where=("/0/messages/1/tool_calls/0/function/arguments/quay",),
        format="openai-chat",
    ),
    Example(
        '{"model":"gemini-3-pro","tools":[{"type":"function","name":"read_tide","parameters":{"type":"object","properties":{"pier":'
        '{"type":"integer"}}}}],"input":[{"type":"user_input","content":[{"type":"text","text":"Tide?"}]},{"type":"function_call",'
        '"id":"c1","name":"read_tide","arguments":{"pier":"three"}},{"type":"function_result","call_id":"c1","name":"read_tide",'
        '"result":"2.1 m"}]}',
        where=("/input/1/arguments/pier",),
        format="gemini-interactions",
    ),
    Example(
        _blocks('{"pier":null}'), where=("/0/messages/1/content/0/input/pier",), format="anthropic", target="anthropic"
    ),
)
