r"""A function response of Gemini names another call than the one it answers.

## What
The counts of calls and responses are equal, but a response has another id than the call in its place, or another function's name.
Ids are optional: where only one side has one, nothing is compared but the names.

## Why it is refused
Gemini pairs responses with calls by id, and wants the name to be that of the function that was called.

## Example
Bad:
```
{"role": "model", "parts": [{"functionCall": {"name": "get_tide", "id": "c1", "args": {}}}]}
{"role": "user", "parts": [{"functionResponse": {"name": "get_tide", "id": "c9", "response": {"output": "2.1 m"}}}]}
```
Good:
```
{"role": "model", "parts": [{"functionCall": {"name": "get_tide", "id": "c1", "args": {}}}]}
{"role": "user", "parts": [{"functionResponse": {"name": "get_tide", "id": "c1", "response": {"output": "2.1 m"}}}]}
```

## Fix
Copy id and name from the call. Safe where the order leaves no doubt which call is answered.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Put, repair
from lighter.pairs import CallAt, ResultAt
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._quotes import said_with
from lighter.rules._telling import mention_call, mention_result, shown

RULE = Rule(
    code="P120",
    name="tool-result-mismatch",
    summary="a function response names another call than the one it answers",
    severity={"generic:gemini": "error"},
    formats=("gemini",),
    refusals=(
        Refusal(
            ("gemini",),
            "functionResponse.id does not match functionCall.id",
            "https://github.com/router-for-me/CLIProxyAPI/issues/5199",
        ),
    ),
    source="google-genai 3.6.1 FunctionResponse: `name` matches FunctionCall.name",
    fix=Fix("safe", "copy id and name from the call"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report each response at its id, or else at its name."""
    for call, result in passage.pairing.answers:
        if result.call_id and call.call_id and result.call_id != call.call_id:
            yield _finding(call, result, "id", result.call_id, call.call_id)
        elif result.tool_name and call.tool_name and result.tool_name != call.tool_name:
            yield _finding(call, result, "name", result.tool_name, call.tool_name)


def _finding(call: CallAt, result: ResultAt, field: str, found: str, wanted: str) -> Finding:
    return Finding(
        record=result.wire.record,
        path=result.id_path if field == "id" else result.name_path,
        message=f"this response has the {field} {shown(found)}, and the call that it answers {shown(wanted)}",
        help=f"write {shown(wanted)}",
        mentions=(mention_result(result, "this response"), mention_call(call, "answers this call")),
        refusals=said_with(RULE, "functionResponse.id" if field == "id" else ""),
        repair=repair(Put(result.wire.record, result.id_path if field == "id" else result.name_path, wanted)),
    )


def _contents(call: str, answer: str) -> str:
    return (
        '{"contents":[{"role":"user","parts":[{"text":"Tide?"}]},'
        f'{{"role":"model","parts":[{call}]}},{{"role":"user","parts":[{answer}]}}],"generationConfig":{{}}}}\n'
    )


def _call(name: str, more: str = "") -> str:
    return f'{{"functionCall":{{"name":"{name}"{more},"args":{{}}}}}}'


def _answer(name: str, more: str = "") -> str:
    return f'{{"functionResponse":{{"name":"{name}"{more},"response":{{"output":"2.1 m"}}}}}}'


_ID, _OTHER = ',"id":"c1"', ',"id":"c9"'

VALID = (
    Example(_contents(_call("get_tide"), _answer("get_tide")), target="gemini"),
    Example(_contents(_call("get_tide", _ID), _answer("get_tide", _ID)), target="gemini"),
    # Only one side has an id.
    Example(_contents(_call("get_tide", _ID), _answer("get_tide")), target="gemini"),
    Example(_contents(_call("get_tide"), _answer("get_tide", _ID)), target="gemini"),
    # Another order than that of the calls.
    Example(
        _contents(f"{_call('get_tide')},{_call('get_wind')}", f"{_answer('get_wind')},{_answer('get_tide')}"),
        target="gemini",
    ),
)

INVALID = (
    Example(
        _contents(_call("get_tide", _ID), _answer("get_tide", _OTHER)),
        where=("/0/contents/2/parts/0/functionResponse/id",),
        target="gemini",
    ),
    Example(
        _contents(_call("get_tide"), _answer("get_wind")),
        where=("/0/contents/2/parts/0/functionResponse/name",),
        target="gemini",
    ),
    Example(
        _contents(_call("get_tide", _ID), _answer("get_wind", _ID)),
        where=("/0/contents/2/parts/0/functionResponse/name",),
    ),
)
