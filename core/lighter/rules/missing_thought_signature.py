r"""A function call of a current Gemini model lacks its thought signature.

## What
From Gemini 3 on, the first function call of each step carries a `thoughtSignature` in its part. The steps of the current turn, those
after the last content in which the user says something, must be sent back with it. Older turns need none, nor do further
calls of one step, nor older models; where no model is named, nothing is said.

## Why it is refused
The signature is the model's own state, which it wants to continue with.

## Example
Bad:
```
{"role": "model", "parts": [{"functionCall": {"name": "get_tide", "args": {}}}]}
```
Good:
```
{"role": "model", "parts": [{"functionCall": {"name": "get_tide", "args": {}}, "thoughtSignature": "CiIB…"}]}
```

## Fix
Keep the part as the model gave it. Where the signature is lost, Google documents `skip_thought_signature_validator` as a stand-in.
"""

from collections.abc import Iterator

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Put, repair
from lighter.models import signs_calls
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._telling import mention_wire_call, shown
from lighter.toolwire import WireCall, tool_calls
from lighter.wire import key_of, placed_parts, role_of

RULE = Rule(
    code="R103",
    name="missing-thought-signature",
    summary="a function call of a current Gemini model lacks its thought signature",
    severity={"generic:gemini": "error"},
    formats=("gemini",),
    modes=("request",),
    refusals=(
        Refusal(
            ("gemini",),
            "Function call is missing a thought_signature in functionCall parts.",
            "https://github.com/octos-org/octos/issues/1897",
        ),
        Refusal(
            ("gemini",),
            "Unable to submit request because function call `Bash` in the 3. content block is missing a `thought_signature`.",
            "https://github.com/Wei-Shaw/claude-relay-service/pull/967",
        ),
    ),
    source="https://ai.google.dev/gemini-api/docs/thought-signatures",
    fix=Fix("unsafe", "set the documented stand-in `skip_thought_signature_validator`"),
)


_STAND_IN = "skip_thought_signature_validator"
"""Taken in the place of a signature (https://ai.google.dev/gemini-api/docs/thought-signatures)."""


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report the first call of each step of the current turn that is not signed."""
    model = passage.model
    if model is None or not signs_calls(model):
        return
    messages = passage.messages
    start = max((n for n, message in enumerate(messages) if _is_said_by_user(message)), default=-1)
    before: WireMessage | None = None
    first_calls: dict[int, WireCall] = {}
    for made in tool_calls(passage):
        first_calls.setdefault(made.message.index, made)
    for message in messages[start + 1 :]:
        call = first_calls.get(message.index)
        is_new_step = before is None or role_of(before) != "model"
        if call is not None and is_new_step and not message.is_response and not _is_signed(call):
            yield Finding(
                message.record,
                call.path,
                f"the call of {shown(call.name)} has no thought signature, which {shown(model)} wants back",
                help="keep the part as the model gave it, `thoughtSignature` included",
                mentions=(mention_wire_call(call, "not signed"),),
                repair=repair(Put(message.record, f"{call.path}/thoughtSignature", _STAND_IN)),
            )
        before = message


def _is_said_by_user(message: WireMessage) -> bool:
    """Say whether a content begins a turn: the user's, with something else than responses."""
    if role_of(message) not in (None, "user"):
        return False
    return any(key_of(part, "functionResponse", "function_response") is None for _, part in placed_parts(message))


def _is_signed(call: WireCall) -> bool:
    return bool(call.raw.get("thoughtSignature") or call.raw.get("thought_signature"))


_ASK = '{"role":"user","parts":[{"text":"Tide?"}]}'
_ANSWER = '{"role":"user","parts":[{"functionResponse":{"name":"get_tide","response":{"output":"2.1 m"}}}]}'
_SAY = '{"role":"model","parts":[{"text":"2.1 m"}]}'
_SIGNED, _UNSIGNED = (
    f'{{"role":"model","parts":[{{"functionCall":{{"name":"get_tide","args":{{}}}}{more}}}]}}'
    for more in (',"thoughtSignature":"CiIB"', "")
)


def _contents(*contents: str, model: str = "gemini-3.6-flash") -> str:
    return f'{{"model":"{model}","contents":[{",".join(contents)}]}}\n'


VALID = (
    Example(_contents(_ASK, _SIGNED, _ANSWER), target="gemini"),
    # Only the current turn counts.
    Example(_contents(_ASK, _UNSIGNED, _ANSWER, _SAY, _ASK), target="gemini"),
    Example(_contents(_ASK, _UNSIGNED, _ANSWER, model="gemini-2.5-pro"), target="gemini"),
    Example(_contents(_ASK, _UNSIGNED, _ANSWER, model="tuned-for-tides"), target="gemini"),
)

INVALID = (
    Example(_contents(_ASK, _UNSIGNED, _ANSWER), where=("/0/contents/1/parts/0",), target="gemini"),
    Example(
        _contents(_ASK, _SIGNED, _ANSWER, _UNSIGNED, _ANSWER, model="models/gemini-3-pro-preview"),
        where=("/0/contents/3/parts/0",),
        target="gemini",
    ),
)
