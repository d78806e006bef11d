"""An assistant message lacks the reasoning that the model wants back.

## What
The request turns thinking on, or names a model of Moonshot's that thinks unless it is told not to (a warning), and an assistant
message has no `reasoning_content`. DeepSeek wants it on every assistant message
after the user's last one (empty text will do; older turns may lack it), Moonshot on every assistant message with tool calls. The
first such message is told.

## Why it is refused
The model goes on thinking between its calls, and the vendor does not keep what it thought. Usual causes: an SDK or a proxy that
drops keys that OpenAI does not know, a history that another model began.

## Example
Bad, for DeepSeek:
```
{"model": "deepseek-v4-flash", "thinking": {"type": "enabled"}, "messages": [{"role": "user", "content": "Time?"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "now", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "call_1", "content": "10:30"}]}
```
Good: the same with `"reasoning_content": ""` in the assistant message.

## Fix
Send back what the model thought. Where it is lost, DeepSeek takes `""`; for Moonshot turn thinking off.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Put, repair
from lighter.models import may_think, thinks_unasked
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._telling import shown
from lighter.wire import fields_of, messages_of, role_of

RULE = Rule(
    code="R123",
    name="missing-reasoning-content",
    summary="an assistant message lacks the reasoning that the model wants back",
    severity={"deepseek": "error", "moonshot": "error"},
    modes=("log", "request"),
    formats=("openai-chat",),
    refusals=(
        Refusal(
            ("deepseek",),
            "Missing `reasoning_content` field in the assistant message at message index 2.",
            "https://github.com/experientiallabs/experiential/issues/890",
        ),
        Refusal(
            ("deepseek",),
            "The `reasoning_content` in the thinking mode must be passed back to the API.",
            "https://github.com/continuedev/continue/issues/10193",
        ),
        Refusal(
            ("moonshot",),
            "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
            "https://github.com/MoonshotAI/kimi-cli/issues/2141",
        ),
    ),
    source="https://github.com/mastra-ai/mastra/issues/12592",
    fix=Fix("safe", "for DeepSeek add an empty `reasoning_content`"),
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find the first assistant message that should carry reasoning and does not."""
    asked = _asked(passage.fields)
    is_certain = asked == "enabled" and may_think(aim.target, passage.model)
    # That Moonshot's models think unasked is documented; reports of what its API does then differ.
    if not is_certain and (asked is not None or not thinks_unasked(aim.target, passage.model)):
        return
    messages = [message for message in messages_of(passage, "openai-chat") if not message.is_response]
    if aim.target == "deepseek":
        last_user = max((at for at, message in enumerate(messages) if role_of(message) == "user"), default=-1)
        messages = messages[last_user + 1 :]
    lacking = [message for message in messages if _lacks_reasoning(message)]
    empty = repair(*(Put(message.record, f"{message.path}/reasoning_content", "") for message in lacking))
    for message in messages:
        fields = fields_of(message)
        if not _lacks_reasoning(message):
            continue
        if aim.target == "moonshot" and not fields.get("tool_calls"):
            continue
        yield Finding(
            message.record,
            message.path,
            "this assistant message has no `reasoning_content`, and "
            + ("thinking is on" if is_certain else f"{shown(passage.model)} thinks unless it is told not to"),
            'add `"reasoning_content": ""`' if aim.target == "deepseek" else "send back what the model thought",
            mentions=(Mention(message, "", "what did it think?"),),
            severity=None if is_certain else "warning",
            repair=empty if aim.target == "deepseek" else None,
        )
        return


def _lacks_reasoning(message: WireMessage) -> bool:
    return role_of(message) == "assistant" and fields_of(message).get("reasoning_content") is None


def _asked(fields: Mapping[str, Any]) -> Any:
    """Tell what a request says of thinking, in the vendor's own words or in those of an SDK that wraps them; None for nothing."""
    for holder in (fields, fields.get("extra_body")):
        if isinstance(holder, dict) and isinstance(thinking := holder.get("thinking"), dict):
            return thinking.get("type")
    return None


def _body(model: str, thinking: str, reasoning: str, rest: str = "") -> str:
    return (
        f'{{"model": "{model}", "thinking": {{"type": "{thinking}"}}, "messages": [{{"role": "user", "content": "Time?"}},'
        f' {{"role": "assistant", "content": null, {reasoning}"tool_calls": [{{"id": "call_1", "type": "function", "function":'
        ' {"name": "now", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "call_1", "content": "10:30"}'
        f"{rest}]}}"
    )


def _unasked(model: str) -> str:
    return _body(model, "", "").replace('"thinking": {"type": ""}, ', "")


_LATER = ', {"role": "assistant", "content": "10:30"}, {"role": "user", "content": "And tomorrow?"}'

VALID = (
    Example(_body("deepseek-v4-flash", "enabled", '"reasoning_content": "", '), target="deepseek"),
    # An older turn.
    Example(_body("deepseek-v4-flash", "enabled", "", _LATER), target="deepseek"),
    Example(_body("deepseek-v4-flash", "disabled", ""), target="deepseek"),
    Example(_body("kimi-k2.5", "enabled", '"reasoning_content": "A clock.", ', _LATER), target="moonshot"),
    Example(_body("kimi-k2.5", "disabled", ""), target="moonshot"),
    Example(_unasked("kimi-k2-0905-preview"), target="moonshot"),
)

INVALID = (
    Example(_body("deepseek-v4-flash", "enabled", ""), ("/messages/1",), target="deepseek"),
    Example(_body("kimi-k2.5", "enabled", ""), ("/messages/1",), target="moonshot"),
    Example(_body("kimi-k2.5", "enabled", "", _LATER), ("/messages/1",), target="moonshot"),
    Example(_unasked("kimi-k2-thinking"), ("/messages/1",), target="moonshot"),
)
