r"""The response of a function is no object.

## What
`functionResponse.response` is a text, a list, a number or a boolean.

## Why it is refused
Gemini's field is a Struct: an object, in which `output` (or `error`) holds what the function gave.

## Example
Bad:
```
{"functionResponse": {"name": "get_tide", "response": "2.1 m"}}
```
Good:
```
{"functionResponse": {"name": "get_tide", "response": {"output": "2.1 m"}}}
```

## Fix
Wrap it: `{"output": …}`.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Copied, Put, repair
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Rule
from lighter.toolwire import tool_results
from lighter.wire import type_name

RULE = Rule(
    code="A106",
    name="tool-result-not-object",
    summary="the response of a function is no object",
    severity={"generic:gemini": "error"},
    formats=("gemini",),
    source="google-genai 3.6.1 FunctionResponse.response (an object)",
    fix=Fix("safe", 'wrap it as `{"output": …}`'),
)

LOOKS_BEYOND_TEXT = True


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report each response of a wrong type, at the response."""
    for result in tool_results(passage):
        response = result.holder.get("response")
        if response is not None and not isinstance(response, dict):
            path = f"{result.holder_path}/response"
            yield Finding(
                result.message.record,
                path,
                f"this response is {type_name(response)}, not an object",
                help='wrap it: `{"output": …}`',
                mentions=(Mention(result.message, "", "the response must be an object"),),
                repair=repair(Put(result.message.record, path, {"output": Copied(result.message.record, path)})),
            )


def _contents(response: str) -> str:
    return (
        '{"contents":[{"role":"user","parts":[{"text":"Tide?"}]},{"role":"model","parts":[{"functionCall":{"name":"get_tide","args":{}}}]},'
        f'{{"role":"user","parts":[{{"functionResponse":{{"name":"get_tide","response":{response}}}}}]}}],"generationConfig":{{}}}}\n'
    )


VALID = (
    Example(_contents('{"output":["2.1 m","4 kn"]}'), target="gemini"),
    Example(_contents("{}"), target="gemini"),
)

INVALID = (
    Example(_contents('["2.1 m"]'), where=("/0/contents/2/parts/0/functionResponse/response",), target="gemini"),
    Example(_contents('"2.1 m"'), where=("/0/contents/2/parts/0/functionResponse/response",)),
    Example(
        _contents("3").replace("functionResponse", "function_response"),
        where=("/0/contents/2/parts/0/function_response/response",),
        target="gemini",
    ),
)
