"""A message has a role that its format does not know.

## What
OpenAI chats know `system`, `developer`, `user`, `assistant`, `tool` and the old `function`; Anthropic knows `user`,
`assistant` and `system`. Others come from frameworks (`human`, `ai`), from other providers (`model`) or from spelling (`User`).
Where `human` stands for `user`, or `ai` for `assistant`, in all of a file, these are LangChain's messages, and faults only where
a provider is the target.

## Why it is refused
Roles are a closed list, and upper case counts. Gemini's models of 2026 refuse `function`, in which older ones took results.

## Example
Bad:
```
[{"role": "User", "content": "How high is the tide?"}]
```
Good:
```
[{"role": "user", "content": "How high is the tide?"}]
```

## Fix
Write the role that is meant. For Anthropic a tool's result stands in a user message, as a `tool_result` block.
"""

from collections.abc import Iterator, Mapping

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix, Severity
from lighter.edits import Put, repair, unsafe
from lighter.models import refuses_function_role
from lighter.passage import Passage
from lighter.providers import FORMAT_ROLES, get_target
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._quotes import said_with
from lighter.rules._telling import shown
from lighter.rules.mixed_formats import foreign_part
from lighter.wire import fields_of, type_name

RULE = Rule(
    code="M103",
    name="unknown-role",
    summary="a message has a role that its format does not know",
    severity={
        "generic": "error",
        "openai-chat": "error",
        "azure-openai": "error",
        "anthropic": "error",
        "generic:ollama": "warning",
    },
    formats=("openai-chat", "anthropic", "openai-responses", "gemini", "bedrock", "mistral", "cohere", "ollama"),
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "'systemm' is not one of ['system', 'assistant', 'user', 'function'] - 'messages.0.role'",
            "https://portkey.ai/error-library/invalid-role-error-10098",
        ),
        Refusal(
            ("azure-finetune",),
            "Validation of jsonl file failed: Role must be either 'user', 'assistant', or 'system'. Unexpected value encountered on line 0.",
            "https://github.com/MicrosoftDocs/azure-docs/issues/120001",
        ),
        Refusal(
            ("anthropic",),
            'messages: Unexpected role "tool". Allowed roles are "user" or "assistant".',
            "https://github.com/mark3labs/mcphost/issues/36",
        ),
        Refusal(
            ("gemini",),
            "Please use a valid role: user, model.",
            "google-genai 3.6.1 Content.role",
        ),
        Refusal(
            ("bedrock",),
            "Value 'tool' at 'messages.2.member.role' failed to satisfy constraint: Member must satisfy enum value set: [user, assistant]",
            "botocore 1.44.8 ConversationRole",
        ),
        Refusal(
            ("anthropic",),
            "messages.5.role: Input should be 'user' or 'assistant'",
            "anthropic 2.14.0 MessageParam.role",
        ),
        Refusal(
            ("cohere",),
            "invalid request: Invalid role in chat_history at index 2. Role must be one of the following: User, Chatbot, System, Tool",
            "https://docs.cohere.com/reference/errors",
        ),
        Refusal(
            ("gemini",),
            "Role 'function' is not supported. Please use a valid role: SYSTEM, USER, ASSISTANT, DEVELOPER, CONTEXT, USER_CONTEXT, MODEL…",
            "https://github.com/sashiko-dev/sashiko/pull/500",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid value: 'systemm'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
            "openai 3.57.0 ChatCompletionMessageParam.role",
        ),
    ),
    source="openai 3.57.0 ChatCompletionMessageParam; anthropic 2.14.0 MessageParam",
    # Which names it takes is set for each data set; what it makes of others is told by `ft-row-skipped`.
    spares=("llamafactory",),
    fix=Fix("unsafe", "write the role that is meant, such as `assistant` for `ai`"),
)

_OF_TRAINERS = frozenset({"tool_call", "tool_response"})
"""Roles of calls and results in data sets for ms-swift (https://github.com/modelscope/ms-swift/pull/2607), known to no provider."""

_OTHER_ROLES = frozenset().union(*FORMAT_ROLES.values())

_WHERE: Mapping[str, str] = {
    "openai-chat": "an OpenAI chat",
    "openai-responses": "OpenAI's Responses",
    "anthropic": "an Anthropic conversation",
    "gemini": "contents of Gemini",
    "bedrock": "Bedrock Converse",
    "mistral": "a Mistral chat",
    "cohere": "a Cohere chat",
    "ollama": "an Ollama chat",
}

_MEANT: Mapping[str, str] = {
    "human": "user",
    "ai": "assistant",
    "bot": "assistant",
    "gpt": "assistant",
    "model": "assistant",
    "chatbot": "assistant",
    "tool_result": "tool",
    "observation": "tool",
}


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find roles outside the format's list."""
    known = FORMAT_ROLES.get(passage.format)
    if known is None:
        return
    if aim.target != "generic" and get_target(aim.target).format == passage.format:
        known |= get_target(aim.target).roles or frozenset()
    is_mixed = any(foreign_part(message, passage.format) for message in passage.messages)
    for message in passage.messages:
        role = fields_of(message).get("role")
        if role == "function" and aim.target == "gemini" and refuses_function_role(passage.model) is not False:
            yield _outdated(message, passage.model)
            continue
        if role is None or (isinstance(role, str) and role in known):
            continue
        if is_mixed and isinstance(role, str) and role in _OTHER_ROLES:
            continue  # the whole conversation is in the other format, which is one fault
        said = f"role {shown(role)} is" if isinstance(role, str) else f"a role that is {type_name(role)} is"
        where = _WHERE.get(passage.format, "this format")
        path, meant = f"{message.path}/role", _meant(role, known)
        made = unsafe(f"write `{meant}`", Put(message.record, path, meant)) if meant else None
        is_of_rows = aim.target == "generic" and isinstance(role, str) and role in _OF_TRAINERS
        severity: Severity | None = "info" if is_of_rows else None
        advice = _advice(role, known)
        yield Finding(message.record, path, f"{said} not known in {where}", advice, severity=severity, repair=made)


def _outdated(message: WireMessage, model: str | None) -> Finding:
    """Tell of the role that results had at Gemini before version 3.5, of which reports differ."""
    is_certain = refuses_function_role(model)
    return Finding(
        message.record,
        f"{message.path}/role",
        f"{shown(model)} {'takes' if is_certain else 'may take'} no role `function`, which results had at older models",
        "write `user`",
        severity=None if is_certain else "warning",
        refusals=said_with(RULE, "Role 'function'"),
        repair=repair(Put(message.record, f"{message.path}/role", "user")),
    )


def _meant(role: object, known: frozenset[str]) -> str | None:
    """Tell which role of the format a word stands for, where there is one."""
    advice = _advice(role, known)
    return (
        advice.removeprefix("write `").removesuffix("`")
        if advice.startswith("write `") and advice.endswith("`")
        else None
    )


def _advice(role: object, known: frozenset[str]) -> str:
    plain = role.strip().lower() if isinstance(role, str) else ""
    meant = plain if plain in known else _MEANT.get(plain)
    if "model" in known:
        meant = "model" if plain in ("assistant", *_MEANT) and meant != "user" else meant
        if plain in ("system", "developer"):
            return "move the text to the request's own `systemInstruction`"
    if plain in ("tool", "function") and meant not in known:
        return "put the result into a user message, as a `tool_result` block"
    if plain == "developer":
        return "write `system`, or move the text to the request's own `system`"
    return f"write `{meant}`" if meant in known else f"use one of {', '.join(map(shown, sorted(known)))}"


VALID = (
    Example(
        '{"model": "gemini-2.5-flash", "contents": [{"role": "user", "parts": [{"text": "Tide?"}]}, {"role": "model", "parts":'
        ' [{"functionCall": {"name": "read_tide", "args": {}}}]}, {"role": "function", "parts": [{"functionResponse": {"name":'
        ' "read_tide", "response": {}}}]}]}',
        format="gemini",
        target="gemini",
    ),
    Example(
        '[{"role": "developer", "content": "You answer briefly."}, {"role": "user", "content": "Ahoy"}]',
        target="openai-chat",
    ),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": null, "function_call": {"name": "read_tide",'
        ' "arguments": "{}"}}, {"role": "function", "name": "read_tide", "content": "2.1 m"}]',
        target="openai-chat",
    ),
)

_AT_GEMINI = (
    '{"role": "user", "parts": [{"text": "Tide?"}]}, {"role": "model", "parts": [{"functionCall": {"name": "read_tide", "args": {}},'
    ' "thoughtSignature": "cw=="}]}, {"role": "function", "parts": [{"functionResponse": {"name": "read_tide", "response": {}}}]}'
)

INVALID = (
    Example(
        f'{{"model": "gemini-3.7-flash", "contents": [{_AT_GEMINI}]}}',
        ("/contents/2/role",),
        format="gemini",
        target="gemini",
    ),
    Example('[{"role": "human", "content": "Ahoy"}]', ("/0/role",), format="openai-chat", target="openai-chat"),
    Example(
        '{"role": "User", "content": "Ahoy"}\n{"role": "assistant", "content": "Ahoy!"}\n',
        ("/0/role",),
        format="openai-chat",
    ),
    Example(
        '[{"role": "user", "content": "Tide?"}, {"role": "tool", "content": "2.1 m"}]',
        ("/1/role",),
        format="anthropic",
        target="anthropic",
    ),
)
