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
Copy id and name from the call, if it is this call that was answered: safe where the two differ in spelling only, or the ids agree.
Where two responses have each other's names, exchange their ids. Else the call of the response, and the response of the call, are gone:
say so in a response in its place.
"""

from collections.abc import Iterator, Mapping, Sequence

from lighter.diagnostics import Fix
from lighter.edits import Put, Repair, unsafe
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
            yield _finding(call, result, "id", _new_id(passage, call, result))
        elif result.tool_name and call.tool_name and result.tool_name != call.tool_name:
            yield _finding(call, result, "name", _new_name(passage, call, result))


def _mismatched(passage: Passage) -> Mapping[tuple[str, str], Sequence[tuple[CallAt, ResultAt]]]:
    """Give the answers whose ids agree and whose names differ, by the names of the call and of the response."""
    found: dict[tuple[str, str], list[tuple[CallAt, ResultAt]]] = {}
    for call, result in passage.pairing.answers:
        if call.tool_name != result.tool_name and call.call_id == result.call_id:
            found.setdefault((call.tool_name, result.tool_name), []).append((call, result))
    return found


def _new_id(passage: Passage, call: CallAt, result: ResultAt) -> Repair | None:
    """Copy the id of the call of the same function that lacks its response; that is safe where the id is spelled anew."""
    from lighter.edits_ids import are_spellings_of_one  # noqa: PLC0415 - loaded only for what is at fault
    from lighter.edits_results import denied  # noqa: PLC0415 - as above

    edit = Put(result.wire.record, result.id_path, call.call_id)
    if call.tool_name != result.tool_name:
        return denied(passage, call, result)
    if are_spellings_of_one(call.call_id, result.call_id):
        return Repair((edit,))
    return unsafe("give it the id of the call in its place", edit)


def _new_name(passage: Passage, call: CallAt, result: ResultAt) -> Repair | None:
    """Copy the name of a call if an id, or the same name spelled anew, says that it is the one that was answered."""
    from lighter.edits_ids import are_spellings_of_one  # noqa: PLC0415 - loaded only for what is at fault
    from lighter.edits_results import denied  # noqa: PLC0415 - as above

    is_sure = bool(call.call_id and result.call_id) or are_spellings_of_one(call.tool_name, result.tool_name)
    if exchanged := _exchanged(passage, call, result):
        return exchanged
    if not is_sure:
        return denied(passage, call, result)
    return Repair((Put(result.wire.record, result.name_path, call.tool_name),))


def _exchanged(passage: Passage, call: CallAt, result: ResultAt) -> Repair | None:
    """Exchange the id of a response for that of the one whose name is this call's, if each of the two has the other's."""
    here = passage.once(_mismatched).get((call.tool_name, result.tool_name), ())
    there = passage.once(_mismatched).get((result.tool_name, call.tool_name), ())
    if len(here) != 1 or len(there) != 1 or not result.call_id or not there[0][1].call_id:
        return None
    other = there[0][1]
    return unsafe(
        "exchange its id for that of the other response, whose name is this call's",
        Put(result.wire.record, result.id_path, other.call_id),
        Put(other.wire.record, other.id_path, result.call_id),
    )


def _finding(call: CallAt, result: ResultAt, field: str, made: Repair | None) -> Finding:
    found, wanted = (result.call_id, call.call_id) if field == "id" else (result.tool_name, call.tool_name)
    return Finding(
        record=result.wire.record,
        path=result.id_path if field == "id" else result.name_path,
        message=f"this response has the {field} {shown(found)}, and the call that it answers {shown(wanted)}",
        help=f"write {shown(wanted)}, if this call is what it answers",
        mentions=(mention_result(result, "this response"), mention_call(call, "answers this call")),
        refusals=said_with(RULE, "functionResponse.id" if field == "id" else ""),
        repair=made,
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
        _contents(_call("get_tide"), _answer("get-tide")),
        where=("/0/contents/2/parts/0/functionResponse/name",),
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
