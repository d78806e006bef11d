r"""A function call of Gemini follows neither a user's content nor function responses.

## What
A content with function calls comes first in the history, or right after another content of the model. Usual causes: the start of
the history was cut off, or what the model said before its call was stored as a content of its own.

## Why it is refused
Gemini takes function calls only right after the user's turn or after the responses to earlier calls.

## Example
Bad:
```
{"role": "user", "parts": [{"text": "How high is the tide?"}]}
{"role": "model", "parts": [{"text": "One moment."}]}
{"role": "model", "parts": [{"functionCall": {"name": "get_tide", "args": {}}}]}
```
Good:
```
{"role": "user", "parts": [{"text": "How high is the tide?"}]}
{"role": "model", "parts": [{"text": "One moment."}, {"functionCall": {"name": "get_tide", "args": {}}}]}
```

## Fix
Join consecutive contents of the model. Where the start of the history is lost, begin with a user's content.
"""

from collections.abc import Iterator

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Repair, unsafe
from lighter.edits_messages import OPENING, inserted, joined_messages, said_by
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.toolwire import tool_calls
from lighter.wire import role_of

RULE = Rule(
    code="P119",
    name="call-turn-order",
    summary="a function call follows neither a user's content nor function responses",
    severity={"generic:gemini": "error"},
    formats=("gemini",),
    refusals=(
        Refusal(
            ("gemini",),
            "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
            "https://github.com/google-gemini/gemini-cli/issues/11814",
        ),
    ),
    source="https://github.com/lbjlaq/Antigravity-Manager/issues/3396",
    fix=Fix("safe", "join consecutive contents of the model"),
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Report each content with calls that stands in a wrong place; a log without its beginning is none."""
    before = passage.before
    torn = passage.pairing.intruders
    calling = {call.message.index for call in tool_calls(passage)}
    for message in passage.messages:
        is_first = before is None and passage.is_first
        is_known = message.index not in passage.gaps  # else nobody knows what stood before it
        if is_known and message.index in calling and not message.is_response and message.index not in torn:
            if before is not None and role_of(before) == "model":
                said, help_ = "follows another content of the model", "join the two contents"
                mentions = (Mention(before, "", "this content of the model"),)
                yield _finding(message, said, help_, mentions, joined_messages(passage, before, message))
            elif is_first and (aim.target != "generic" or aim.mode == "request"):
                help_ = "begin with a content of the user"
                opening = inserted(passage, message, said_by(passage, "user", OPENING), is_after=False)
                made = opening and unsafe("begin with a content that says so", *opening.edits)
                yield _finding(message, "begins the conversation", help_, (), made)
        before = message


def _finding(
    message: WireMessage, said: str, help_: str, mentions: tuple[Mention, ...], repair: Repair | None
) -> Finding:
    label = Mention(message, "", "calls a function")
    return Finding(message.record, message.path, f"a function call {said}", help_, (label, *mentions), repair=repair)


_ASK = '{"role":"user","parts":[{"text":"How high is the tide?"}]}'
_SAY = '{"role":"model","parts":[{"text":"One moment."}]}'
_CALL = '{"role":"model","parts":[{"functionCall":{"name":"get_tide","args":{}}}]}'
_RESPONSE = '{"functionResponse":{"name":"get_tide","response":{"output":"2.1 m"}}}'
_ANSWER = f'{{"role":"user","parts":[{_RESPONSE}]}}'
_ANSWERS = f'{{"role":"user","parts":[{_RESPONSE},{_RESPONSE.replace("tide", "wind")}]}}'


def _contents(*contents: str) -> str:
    return f'{{"contents":[{",".join(contents)}],"generationConfig":{{}}}}\n'


VALID = (
    Example(_contents(_ASK, _CALL, _ANSWER, _CALL, _ANSWER), target="gemini"),
    Example(_contents(_ASK, _CALL.replace('"parts":[', '"parts":[{"text":"One moment."},'), _ANSWER), target="gemini"),
    # Roles need not alternate.
    Example(_contents(_SAY, _ASK, _ASK, _SAY, _SAY, _ASK), target="gemini"),
    # A log without its beginning.
    Example(_contents(_CALL, _ANSWER)),
    # Without a role it is the user's.
    Example(_contents('{"parts":[{"text":"How high is the tide?"}]}', _CALL, _ANSWER), target="gemini"),
)

INVALID = (
    Example(_contents(_CALL, _ANSWER), where=("/0/contents/0",), target="gemini"),
    Example(_contents(_ASK, _SAY, _CALL, _ANSWER), where=("/0/contents/2",), target="gemini"),
    Example(_contents(_ASK, _SAY, _CALL, _ANSWER), where=("/0/contents/2",)),
    # Two calls of one turn in two contents.
    Example(_contents(_ASK, _CALL, _CALL.replace("tide", "wind"), _ANSWERS), where=("/0/contents/2",), target="gemini"),
)
