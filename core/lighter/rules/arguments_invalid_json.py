r"""The arguments of a call are no valid JSON.

## What
The text is cut off, holds raw quotes or control characters, is a Python literal, or two values stand one after another.

## Why it is refused
OpenAI does not look into it, so such a turn can be stored and sent again. vLLM, llama.cpp and SGLang parse the arguments of every
turn of a history and answer 400 from then on; every conversion to another format breaks too.

## Example
Bad: `{"name": "bash", "arguments": "{\"command\": \"echo hel"}`
Good: `{"name": "bash", "arguments": "{\"command\": \"echo hello\"}"}`

## Fix
A Python literal can be rewritten as JSON and a raw control character escaped. What was cut off cannot be guessed.
"""

import ast
import json
from collections.abc import Iterator
from math import isfinite
from typing import Any

from lighter import jsontext
from lighter.broken import with_escaped_controls
from lighter.diagnostics import Fix
from lighter.edits import Put, Repair, repair
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._quotes import said_with
from lighter.rules._telling import mention_wire_call, of_call
from lighter.toolwire import WireCall, tool_calls

RULE = Rule(
    code="A103",
    name="arguments-invalid-json",
    summary="the arguments of a call are no valid JSON",
    severity={
        "generic": "warning",
        "openai-chat": "warning",
        "azure-openai": "warning",
        "vllm": "error",
        "minimax": "error",
        "qwen": "error",
        "xai": "error",
    },
    formats=("openai-chat", "openai-responses", "mistral", "cohere"),
    refusals=(
        Refusal(
            ("vllm",),
            "Expecting ',' delimiter: line 1 column 54 (char 53)",
            "https://github.com/vllm-project/vllm/issues/43995",
        ),
        Refusal(
            ("vllm",),
            "Unterminated string starting at: line 1 column 14 (char 13)",
            "https://github.com/vllm-project/vllm/pull/48922",
        ),
        Refusal(
            ("minimax",),
            "invalid params, invalid function arguments json string, tool_call_id: call_function_… (2013)",
            "https://github.com/earendil-works/pi/issues/5468",
        ),
        Refusal(
            ("qwen",),
            '<400> InternalError.Algo.InvalidParameter: The "function.arguments" parameter of the code model must be in JSON format.',
            "https://github.com/HKUDS/nanobot/issues/1487",
        ),
        Refusal(
            ("xai",),
            "Invalid tool arguments JSON: trailing characters at line 1 column …",
            "https://github.com/superagent-ai/grok-cli/issues/65",
        ),
        Refusal(
            ("gateways",),
            "invalid_prompt: Invalid request: messages.70.tool_calls.0.function.arguments: arguments must be a valid JSON object string",
            "https://github.com/justrach/codegraff/issues/752",
        ),
        Refusal(
            ("llama.cpp",),
            "Failed to parse tool call arguments as JSON",
            "https://github.com/OpenHands/software-agent-sdk/issues/2887",
        ),
    ),
    source="https://github.com/vllm-project/vllm/issues/43995",
    fix=Fix(
        "safe", "rewrite a Python literal as JSON, escape a raw control character; never complete what was cut off"
    ),
)

LONGEST_LITERAL = 10_000
"""Longer text is not tried as a Python literal, since the parser's cost is not linear."""

CUT_OFF = "they are cut off"
WRITE_WITH_LIBRARY = "write the arguments with a JSON library, such as `json.dumps`"


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Yield each call whose arguments cannot be parsed."""
    for call in tool_calls(passage):
        if call.arguments.kind != "invalid":
            continue
        text: str = call.holder["arguments"]
        kind, remedy = _diagnose(text)
        yield Finding(
            call.message.record,
            call.arguments_path,
            f"the arguments{of_call(call)} are no valid JSON: {kind or call.arguments.problem}",
            help=remedy,
            mentions=(mention_wire_call(call, "arguments of this call"),),
            repair=_repair(call, text),
            refusals=(
                *said_with(RULE, "Unterminated" if kind == CUT_OFF else "delimiter"),
                *said_with(RULE, "(2013)"),
                *said_with(RULE, "JSON format"),
                *said_with(RULE, "Invalid tool arguments"),
            ),
        )


def _repair(call: WireCall, text: str) -> Repair | None:
    """Write a Python literal as JSON, and control characters as their escapes; nothing else can be told for certain."""
    if _is_literal(text):
        value = ast.literal_eval(text.strip())
        if not (isinstance(value, dict) and _is_json(value)):
            return None
        return repair(Put(call.message.record, call.arguments_path, jsontext.encode_text(value)))
    escaped = with_escaped_controls(text.encode("utf-8", "surrogatepass"))
    if escaped is None:
        return None
    return repair(Put(call.message.record, call.arguments_path, escaped.decode("utf-8", "surrogatepass")))


def _is_json(value: Any) -> bool:
    """Say whether a Python value has the same form in JSON."""
    match value:
        case dict():
            return all(isinstance(key, str) and _is_json(item) for key, item in value.items())
        case list():
            return all(map(_is_json, value))
        case float():
            return isfinite(value)
        case _:
            return value is None or isinstance(value, bool | int | str)


def _diagnose(text: str) -> tuple[str, str]:
    """Say what it is instead, where that can be told, and what would help; characters are counted from 1."""
    start = len(text) - len(text.lstrip())
    try:
        _, end = json.JSONDecoder().raw_decode(text, start)
    except json.JSONDecodeError as error:
        if _is_literal(text):
            return "they are a Python literal", WRITE_WITH_LIBRARY
        if error.msg.startswith("Unterminated string") or not text[error.pos :].strip():
            return CUT_OFF, "the rest of the arguments is lost: ask the model again"
        if error.msg.startswith("Invalid control character"):
            return f"a raw control character at character {error.pos + 1}", "escape it (a line break is `\\n` in JSON)"
        if error.msg.startswith("Expecting ',' delimiter"):
            return "", "put a backslash before each quote inside text"
        return "", WRITE_WITH_LIBRARY
    except (ValueError, RecursionError):
        return "", WRITE_WITH_LIBRARY
    rest = text[end:].strip()
    if rest.startswith("{"):
        return "two values stand one after another", "these are the arguments of two calls"
    return (f"something follows after character {end}", "remove what follows") if rest else ("", WRITE_WITH_LIBRARY)


def _is_literal(text: str) -> bool:
    if len(text) > LONGEST_LITERAL:
        return False
    try:
        return isinstance(ast.literal_eval(text.strip()), dict | list)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return False


def _chat(arguments: str) -> str:
    return (
        '{"role":"user","content":"Run it"}\n{"role":"assistant","content":null,"tool_calls":[{"id":"call_a1","type":"function",'
        f'"function":{{"name":"bash","arguments":"{arguments}"}}}}]}}\n'
        '{"role":"tool","tool_call_id":"call_a1","content":"ok"}\n'
    )


VALID = (
    Example(_chat('{\\"command\\":\\"echo \\\\\\"hi\\\\\\"\\"}'), format="openai-chat"),
    Example(
        '{"role":"user","content":"List"}\n{"role":"assistant","content":null,"tool_calls":[{"id":"call_a1","type":"custom",'
        '"custom":{"name":"shell","input":"{ls"}}]}\n{"role":"tool","tool_call_id":"call_a1","content":"ok"}\n',
        format="openai-chat",
    ),
    Example(_chat(""), format="openai-chat"),
)

INVALID = (
    Example(_chat('{\\"command\\":\\"echo hel'), where=("/1/tool_calls/0/function/arguments",), format="openai-chat"),
    Example(
        _chat("{'command': 'ls', 'live': True}"), where=("/1/tool_calls/0/function/arguments",), format="openai-chat"
    ),
    Example(
        _chat('{\\"command\\":\\"ls\\"}{\\"command\\":\\"pwd\\"}'),
        where=("/1/tool_calls/0/function/arguments",),
        format="openai-chat",
        target="openai-chat",
    ),
    Example(
        '{"role":"user","content":"Run it"}\n{"role":"assistant","content":null,"function_call":{"name":"bash","arguments":"{"}}\n'
        '{"role":"function","name":"bash","content":"ok"}\n',
        where=("/1/function_call/arguments",),
        format="openai-chat",
    ),
)
