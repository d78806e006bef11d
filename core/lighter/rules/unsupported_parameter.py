r"""A request sets a parameter that the model does not take.

## What
The request names one of OpenAI's reasoning models and has `max_tokens` (chats only), or a `temperature` or `top_p` other than 1.
Later models than GPT-5 take the latter two where they are asked not to reason, so that they are minded only beside an effort. Of
models that the table does not know, nothing is said.

## Why it is refused
Reasoning is not sampled as answers are, and `max_completion_tokens` counts it, too. It happens when the model of a client is
replaced and its settings are not.

## Example
Bad:
```
{"model": "gpt-5", "messages": [{"role": "user", "content": "Tide?"}], "max_tokens": 400}
```
Good:
```
{"model": "gpt-5", "messages": [{"role": "user", "content": "Tide?"}], "max_completion_tokens": 400}
```

## Fix
Call `max_tokens` `max_completion_tokens`; drop `temperature` and `top_p`.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Drop, Put, Repair, repair, unsafe
from lighter.models import is_reasoning_openai, reasons_without_being_asked
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._requests import is_whole_request
from lighter.rules._telling import shown

_TARGETS = ("openai-chat", "azure-openai", "openai-responses")

RULE = Rule(
    code="M150",
    name="unsupported-parameter",
    summary="a request sets a parameter that the model does not take",
    severity=dict.fromkeys(_TARGETS, "error"),
    formats=("openai-chat", "openai-responses"),
    modes=("request",),
    refusals=(
        Refusal(
            _TARGETS[:2],
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            "https://github.com/teilomillet/gollm/issues/33",
        ),
        Refusal(
            _TARGETS,
            "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
            "https://github.com/tmc/langchaingo/issues/1355",
        ),
        Refusal(
            _TARGETS,
            "Unsupported parameter: 'temperature' is not supported with this model.",
            "https://github.com/livekit/agents/issues/1470",
        ),
        Refusal(
            _TARGETS,
            "Unsupported parameter: 'top_p' is not supported with this model.",
            "https://github.com/openai/openai-python/issues/2072",
        ),
    ),
    source="https://community.openai.com/t/why-was-max-tokens-changed-to-max-completion-tokens/938077",
    fix=Fix("safe", "call `max_tokens` `max_completion_tokens`"),
)

NEEDLES = (*(b'"gpt-' + digit for digit in (b"5", b"6", b"7", b"8", b"9")), b'"o1', b'"o3', b'"o4', b'"codex')
"""A record without any of these names no such model."""


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report the parameters of a whole request that its model refuses."""
    if not is_whole_request(passage) or not is_reasoning_openai(passage.model):
        return
    for key in ("max_tokens", "temperature", "top_p"):
        if not _is_refused(passage, key):
            continue
        yield Finding(
            passage.record,
            f"{passage.fields_path}/{key}",
            f"{shown(passage.model)} does not take `{key}`"
            + ("" if key == "max_tokens" else " other than 1, its default"),
            "say `max_completion_tokens`" if key == "max_tokens" else "drop it",
            repair=_repair(passage, key),
        )


def _is_refused(passage: Passage, key: str) -> bool:
    fields = passage.fields
    value = fields.get(key)
    if value is None:
        return False
    if key == "max_tokens":
        return passage.format == "openai-chat"
    if value == 1:
        return False
    reasoning = fields.get("reasoning")
    effort = fields.get("reasoning_effort") or (reasoning.get("effort") if isinstance(reasoning, dict) else None)
    return effort != "none" and (effort is not None or reasons_without_being_asked(passage.model))


def _repair(passage: Passage, key: str) -> Repair | None:
    """Rename the limit, unless the new name has a value already; what is dropped of the rest changes how answers are chosen."""
    drop = Drop(passage.record, f"{passage.fields_path}/{key}")
    if key != "max_tokens":
        return unsafe("drop the parameter", drop)
    new = "max_completion_tokens"
    if passage.fields.get(new) is not None:
        return None
    return repair(drop, Put(passage.record, f"{passage.fields_path}/{new}", passage.fields[key]))


def _chat(model: str, rest: str) -> str:
    return f'{{"model": "{model}", "messages": [{{"role": "user", "content": "Tide?"}}], {rest}}}'


VALID = (
    Example(_chat("gpt-4o", '"max_tokens": 9, "temperature": 0'), format="openai-chat", target="openai-chat"),
    Example(_chat("gpt-5", '"max_completion_tokens": 9, "temperature": 1'), format="openai-chat", target="openai-chat"),
    # It need not reason.
    Example(_chat("gpt-5.2", '"temperature": 0.2'), format="openai-chat", target="openai-chat"),
    Example(_chat("gpt-5-chat-latest", '"max_tokens": 9'), format="openai-chat", target="openai-chat"),
    # Somebody else's, and a deployment of any name.
    Example(_chat("deepseek-chat", '"max_tokens": 9'), format="openai-chat", target="openai-chat"),
    Example(_chat("our-harbour-model", '"max_tokens": 9'), format="openai-chat", target="azure-openai"),
)

INVALID = (
    Example(_chat("gpt-5", '"max_tokens": 9'), ("/max_tokens",), format="openai-chat", target="openai-chat"),
    Example(_chat("o3-mini", '"max_tokens": 9'), ("/max_tokens",), format="openai-chat", target="azure-openai"),
    Example(_chat("gpt-5-mini", '"temperature": 0'), ("/temperature",), format="openai-chat", target="openai-chat"),
    Example(
        _chat("gpt-5.2", '"temperature": 0.2, "reasoning_effort": "high"'),
        ("/temperature",),
        format="openai-chat",
        target="openai-chat",
    ),
    Example(
        '{"model": "o4-mini", "input": [{"role": "user", "content": "Tide?"}], "temperature": 0.7}',
        ("/temperature",),
        format="openai-responses",
        target="openai-responses",
    ),
)
