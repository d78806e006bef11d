r"""An assistant's text is a tool call in markup that nobody parsed.

## What
Models write their calls in markup (`<tool_call>`, `<function=…>`, `[TOOL_CALLS]`, `<minimax:tool_call>`), which the server turns into
structured calls. Here the markup is still text: the message has no structured calls, the markup closes, and it either stands
alone or names a tool that the record (or `--tools`) declares. Rows that do so on purpose (tools in `<tools>`, results in `<tool_response>`) are
not meant.

## Why it is refused
Nobody refuses it. But the tool was never run, and a model that sees such a turn in its history writes the next call the same way.
The usual cause is a server without the parser of the model's template, or thinking in which the call got lost.

## Example
Bad:
```
[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": "<tool_call>\n{\"name\": \"read_tide\", \"arguments\": {}}\n</tool_call>"}]
```
Good:
```
[{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "read_tide", "arguments": "{}"}}]}]
```

## Fix
Make a structured call of it, and turn on the parser of the server (vLLM: `--tool-call-parser`).
"""

import re
from collections.abc import Iterator
from typing import Any

from lighter import jsontext
from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Put, Repair, repair
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Rule
from lighter.toolcheck import checkers_of
from lighter.wire import fields_of, parts_of, role_of

RULE = Rule(
    code="M144",
    name="unparsed-tool-call",
    summary="an assistant's text is a tool call in markup that nobody parsed",
    severity=dict.fromkeys(("generic", "openai-chat", "azure-openai", "anthropic"), "warning"),
    modes=("log", "request"),
    formats=("openai-chat", "anthropic"),
    source="https://docs.vllm.ai/en/latest/features/tool_calling.html",
    fix=Fix("unsafe", "parse the markup into a structured call"),
)

_NAME = r"[\w.:/-]{1,128}"
_MARKUP = re.compile(
    rf"""<tool_call>\s*(?:\{{.*?"name"\s*:\s*"(?P<json>{_NAME})".*?\}}|<function=(?P<xml>{_NAME})>.*?</function>
        |(?P<glm>{_NAME})\s*(?:<arg_key>.*?</arg_value>\s*)*)\s*</tool_call>
    |<function=(?P<plain>{_NAME})>.*?</function>
    |<(?:minimax:tool_call|(?:antml:)?function_calls)>\s*<(?:antml:)?invoke\s+name="(?P<invoke>{_NAME})".*?</(?:minimax:tool_call|(?:antml:)?function_calls)>
    |\[TOOL_CALLS\]\s*(?:\[\s*\{{.*?"name"\s*:\s*"(?P<list>{_NAME})".*\}}\s*\]|(?P<args>{_NAME})\s*(?:\[ARGS\])?\s*\{{.*\}})""",
    re.DOTALL | re.VERBOSE,
)
_BY_DESIGN = ("<tools>", "<tool_response>", "<function_calls>", "<function_results>", "<functions>")
_THOUGHT = re.compile(r"\s*<think>.*?</think>", re.DOTALL)

NEEDLES = (
    *(b"tool_call>", b"function>", b"invoke name=", b"TOOL_CALLS]"),
    *(b"tool_call\\u003", b"function\\u003"),
)
"""A record without any of these holds no such markup; the second row is what writers make of `>` that escape it."""


def is_suspect(text: str) -> bool:
    """Say whether a text of the assistant may hold a call in markup; single characters are found fastest."""
    if "<" in text and ("</tool_call>" in text or "</function>" in text or "invoke name=" in text):
        return True
    return "]" in text and "[TOOL_CALLS]" in text


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find the texts of messages without structured calls that are, or name, a call."""
    if any(_is_by_design(message.raw) for message in passage.messages):
        return
    for message in passage.messages:
        fields = fields_of(message)
        if role_of(message) != "assistant" or fields.get("tool_calls") or fields.get("function_call"):
            continue
        if any(part.kind == "tool_use" for part in parts_of(message)):
            continue
        for path, text in _texts_of(fields.get("content"), f"{message.path}/content"):
            name = unparsed_call(text, passage) if is_suspect(text) else None
            if name is not None:
                yield Finding(
                    message.record,
                    path,
                    f"this text is a call of `{name}` that was not parsed",
                    "make a structured call of it",
                    mentions=(Mention(message, name, "a call in markup"),),
                    repair=_repair(message, path, text),
                )


_PARSEABLE = re.compile(r"<tool_call>\s*(\{.*?\})\s*</tool_call>|\[TOOL_CALLS\]\s*(\[.*\])", re.DOTALL)


def _repair(message: WireMessage, path: str, text: str) -> Repair | None:
    """Make calls of markup that holds JSON; the text around it stays."""
    if path != f"{message.path}/content":
        return None
    calls: list[dict[str, Any]] = []
    for found in _PARSEABLE.finditer(text):
        try:
            held = jsontext.decode(found[1] or found[2])
        except (ValueError, RecursionError):
            return None
        for call in held if isinstance(held, list) else [held]:
            match call:
                case {"name": str(name), "arguments": dict() | str() as arguments}:
                    written = arguments if isinstance(arguments, str) else jsontext.encode_text(arguments)
                    seed = f"{message.record.row} {message.path} {len(calls)} {name}"
                    function = {"name": name, "arguments": written}
                    calls.append({"id": _id_of(seed), "type": "function", "function": function})
                case _:
                    return None
    rest = _PARSEABLE.sub("", text).strip()
    if not calls or is_suspect(rest):
        return None
    return repair(Put(message.record, path, rest or None), Put(message.record, f"{message.path}/tool_calls", calls))


def _id_of(seed: str) -> str:
    from lighter.edits_ids import made_id  # noqa: PLC0415 - loaded only for what is at fault

    return made_id(seed, None)


def unparsed_call(text: str, passage: Passage) -> str | None:
    """Give the tool that a text calls in markup: one that the record declares, or any where the text is nothing else."""
    plain = _THOUGHT.sub("", text, count=1).strip()
    declared = frozenset[str]().union(*(checker.names for checker in checkers_of(passage)))
    rest, at, first = "", 0, ""
    for found in _MARKUP.finditer(plain):
        name: str = next(filter(None, found.groups()))
        if name in declared and not _is_quoted(plain, found.start()):
            return name
        rest, at = rest + plain[at : found.start()], found.end()
        first = first or name
    return None if (rest + plain[at:]).strip() or not first else first


def _is_quoted(text: str, at: int) -> bool:
    """Say whether a place in a text stands in code."""
    return text.count("```", 0, at) % 2 == 1 or text.count("`", text.rfind("\n", 0, at) + 1, at) % 2 == 1


def _texts_of(content: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(content, str):
        yield path, content
    for index, part in enumerate(content if isinstance(content, list) else ()):
        if isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str):
            yield f"{path}/{index}/text", part["text"]


def _is_by_design(raw: Any) -> bool:
    """Say whether somebody other than the assistant speaks the markup, too."""
    if not isinstance(raw, dict) or raw.get("role") == "assistant":
        return False
    return any(mark in text for _, text in _texts_of(raw.get("content"), "") for mark in _BY_DESIGN)


_TOOLS = '"tools": [{"type": "function", "function": {"name": "read_tide", "parameters": {"type": "object", "properties": {}}}}]'
_CALL = '<tool_call>\\n{\\"name\\": \\"read_tide\\", \\"arguments\\": {}}\\n</tool_call>'


def _chat(text: str, tools: str = "", system: str = "You answer briefly.") -> str:
    return (
        f'{{{tools}{", " if tools else ""}"messages": [{{"role": "system", "content": "{system}"}}, {{"role": "user", "content":'
        f' "Tide?"}}, {{"role": "assistant", "content": "{text}"}}, {{"role": "user", "content": "Well?"}}]}}'
    )


VALID = (
    # Talk about markup, also in code.
    Example(_chat("Models write `<tool_call>` and close it with `</tool_call>`."), format="openai-chat"),
    Example(_chat(f"An example:\\n```\\n{_CALL}\\n```", _TOOLS), format="openai-chat"),
    # Cut off: the markup does not close.
    Example(_chat('<tool_call>\\n{\\"name\\": \\"read_tide\\"'), format="openai-chat"),
    # Rows whose calls are meant to be text.
    Example(_chat(_CALL, system="Call with <tool_call>. <tools>[]</tools>"), format="openai-chat"),
    Example(
        _chat(
            '<function_calls>\\n<invoke name=\\"read_tide\\">\\n</invoke>\\n</function_calls>',
            system="Call with <function_calls>.",
        ),
        format="openai-chat",
    ),
)

INVALID = (
    Example(_chat(_CALL), ("/messages/2/content",), format="openai-chat"),
    Example(_chat(f"I look it up.\\n{_CALL}", _TOOLS), ("/messages/2/content",), format="openai-chat"),
    Example(
        _chat("<function=read_tide>\\n<parameter=pier>\\n3\\n</parameter>\\n</function>"),
        ("/messages/2/content",),
        format="openai-chat",
        target="vllm",
    ),
    Example(
        _chat('<minimax:tool_call>\\n<invoke name=\\"read_tide\\">\\n</invoke>\\n</minimax:tool_call>'),
        ("/messages/2/content",),
        format="openai-chat",
    ),
)
