"""A message has a role that its format knows and the target does not take.

## What
OpenAI's chats know `developer` and the old `function`; several who speak the same format do not. The chat templates of Gemma's first
two generations, as vLLM, SGLang and llama.cpp apply them, take no `system`. Roles that the format itself does not know are reported
by `unknown-role`.

## Why it is refused
Roles are a closed list, and vendors copied it at different times. OpenAI made `developer` of `system` in 2024; applications that
write it by default fail elsewhere with their first request.

## Example
Bad, for DeepSeek:
```
[{"role": "developer", "content": "You answer briefly."}, {"role": "user", "content": "Ahoy"}]
```
Good:
```
[{"role": "system", "content": "You answer briefly."}, {"role": "user", "content": "Ahoy"}]
```

## Fix
Write `system` for `developer`, and `tool` with the id of a call for `function`. What a template does not take as a system message
goes to the beginning of the user's first one.
"""

from collections.abc import Iterator

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Put, Repair, repair
from lighter.models import NO_SYSTEM_TEMPLATES
from lighter.passage import Passage
from lighter.providers import FORMAT_ROLES, get_target
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules._quotes import said_with
from lighter.rules._telling import shown
from lighter.wire import role_of

RULE = Rule(
    code="M143",
    name="unsupported-role",
    summary="a message has a role that its format knows and the target does not take",
    severity=dict.fromkeys(("deepseek", "qwen", "zai", "mistral", "vllm", "together-finetune"), "error"),
    formats=("openai-chat",),
    refusals=(
        Refusal(
            ("deepseek",),
            "Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant `developer`, expected one"
            " of `system`, `user`, `assistant`, `tool`, `latest_reminder`",
            "https://github.com/num-scope/pix/issues/34",
        ),
        Refusal(
            ("qwen",),
            "developer is not one of ['system', 'assistant', 'user', 'tool', 'function']",
            "https://github.com/earendil-works/pi/issues/5117",
        ),
        Refusal(("zai",), "[1214] Incorrect role information", "https://github.com/vastsa/PI-Desktop/issues/30"),
        Refusal(
            ("qwen",),
            "developer is not one of ['system', 'assistant', 'user', 'tool', 'function'] - 'messages.[6].role'",
            "https://github.com/can1357/oh-my-pi/issues/843",
        ),
        Refusal(
            ("gateways",),
            "role 'developer' is not supported",
            "",
        ),
        Refusal(
            ("gateways",),
            "invalid parameter 'messages[0].role': invalid role 'developer', must be one of: system, user, assistant, tool",
            "https://github.com/QuantumNous/new-api/issues/5330",
        ),
        Refusal(
            ("vLLM",),
            "Unexpected message role.",
            "https://github.com/peonist-ai/halogen-server/issues/3",
        ),
        Refusal(
            ("qwen",),
            "developer is not one of ['system', …] - 'messages.[6].role'",
            "https://github.com/can1357/oh-my-pi/issues/843",
        ),
        Refusal(
            ("MiniMax",),
            "invalid params, chat content has invalid message role: system (2013)",
            "https://github.com/codexu/note-gen/issues/918",
        ),
        Refusal(
            ("vllm",),
            "System role not supported",
            "https://github.com/sgl-project/sglang/issues/1342",
        ),
    ),
    source="https://github.com/openclaw/openclaw/issues/23115",
    fix=Fix("safe", "write `system` for `developer`"),
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find roles of the format that are not among the target's, or not in the model's template."""
    if aim.target == "vllm":
        yield from _for_template(passage)
        return
    taken = get_target(aim.target).roles
    known = FORMAT_ROLES.get(passage.format)
    if taken is None or known is None:
        return
    for message in passage.messages:
        role = role_of(message)
        if role in known and role not in taken:
            help_ = "write `system`" if role == "developer" else f"use one of {', '.join(map(shown, sorted(taken)))}"
            yield Finding(
                message.record,
                f"{message.path}/role",
                f"{get_target(aim.target).provider} does not take messages of role {shown(role)}",
                help_,
                mentions=(Mention(message, role or "", "this role"),),
                repair=_repair(message, role, taken),
            )


def _for_template(passage: Passage) -> Iterator[Finding]:
    """Find the first system message for a model whose template raises an exception for it."""
    model = passage.model
    first = next((message for message in passage.messages if role_of(message) == "system"), None)
    if first is not None and model is not None and NO_SYSTEM_TEMPLATES.search(model):
        yield Finding(
            first.record,
            f"{first.path}/role",
            f"the chat template of {shown(model)} takes no messages of role `system`",
            "put its text at the beginning of the user's first message",
            mentions=(Mention(first, "system", "this role"),),
            refusals=said_with(RULE, "System role not supported"),
        )


def _repair(message: WireMessage, role: str | None, taken: frozenset[str]) -> Repair | None:
    is_developer = role == "developer" and "system" in taken
    return repair(Put(message.record, f"{message.path}/role", "system")) if is_developer else None


VALID = (
    Example(
        '[{"role": "system", "content": "You answer briefly."}, {"role": "user", "content": "Ahoy"}]', target="deepseek"
    ),
    Example(
        '[{"role": "developer", "content": "You answer briefly."}, {"role": "user", "content": "Ahoy"}]', target="groq"
    ),
    Example(
        '{"model": "google/gemma-3-27b-it", "messages": [{"role": "system", "content": "You joke."}, {"role": "user", "content": "Hi"}]}',
        target="vllm",
    ),
    # DeepSeek has a role of its own.
    Example('[{"role": "user", "content": "Ahoy"}, {"role": "latest_reminder", "content": "Noon"}]', target="deepseek"),
)

INVALID = (
    Example(
        '{"model": "google/gemma-2-9b-it", "messages": [{"role": "system", "content": "You joke."}, {"role": "user", "content": "Go on"}]}',
        ("/messages/0/role",),
        target="vllm",
    ),
    Example(
        '[{"role": "developer", "content": "You answer briefly."}, {"role": "user", "content": "Ahoy"}]',
        ("/0/role",),
        target="deepseek",
    ),
    Example(
        '{"role": "user", "content": "Ahoy"}\n{"role": "assistant", "content": "Ahoy!"}\n{"role": "developer", "content": "Now in'
        ' Dutch."}\n{"role": "user", "content": "Well?"}\n',
        ("/2/role",),
        format="openai-chat",
        target="qwen",
    ),
    Example(
        '{"model": "glm-5", "messages": [{"role": "developer", "content": "You answer briefly."}, {"role": "user", "content": "Hi"}]}',
        ("/messages/0/role",),
        target="zai",
    ),
)
