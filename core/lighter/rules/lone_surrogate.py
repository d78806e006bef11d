r"""A string holds half of a character: one `\ud83c` without the other half.

## What
Characters beyond U+FFFF are two escapes in JSON, a high and a low surrogate. Text that was cut by its length in UTF-16 units, as
JavaScript counts, ends between the two. Arguments that are JSON text inside a string may spell a half without holding it: for a
target that takes arguments as objects they are looked into.

## Why it is refused
The half is no character and cannot be written as UTF-8. Some parsers take it and fail later, when the text is sent or stored; once it
is part of a history, every further request fails.

## Example
Bad:
```json
{"role": "assistant", "content": "Avatar \ud83c"}
```
Good: both halves, or the text that spells an escape.
```json
{"role": "assistant", "content": "Avatar \ud83c\udfa8, spelt \\ud83c\\udfa8"}
```

## Fix
Replace the half by U+FFFD, or delete it: what it was cannot be told.
"""

import re
from collections.abc import Iterator

from lighter.broken import leaves
from lighter.diagnostics import Fix
from lighter.passage import Passage
from lighter.providers import TARGETS
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.toolwire import tool_calls

RULE = Rule(
    code="F106",
    name="lone-surrogate",
    summary="a string holds half of a surrogate pair",
    severity=dict.fromkeys(TARGETS, "error"),
    refusals=(
        Refusal(
            ("anthropic",),
            "The request body is not valid JSON: no low surrogate in string",
            "https://github.com/anthropics/claude-code/issues/45982",
        ),
        Refusal(
            ("python",),
            "UnicodeEncodeError: 'utf-8' codec can't encode character '\\ud83c' in position 1379: surrogates not allowed",
            "https://github.com/MoonshotAI/kimi-cli/issues/994",
        ),
        Refusal(
            ("deepseek",),
            "Failed to parse the request body as JSON: messages[158].content: unexpected end of hex escape at line 1 column 350781",
            "https://github.com/esengine/DeepSeek-Reasonix/issues/1906",
        ),
        Refusal(
            ("deepseek",),
            "Failed to parse the request body as JSON: messages[21].content: lone leading surrogate in hex escape at line 1 column 157800",
            "https://github.com/Zoo-Code-Org/Zoo-Code/issues/461",
        ),
        Refusal(
            ("anthropic",),
            "The request body is not valid JSON: unexpected end of hex escape",
            "https://github.com/anthropics/claude-code/issues/66932",
        ),
    ),
    source="https://github.com/anthropics/claude-code/issues/45982",
    fix=Fix("safe", "replace it by U+FFFD"),
)

_HALF = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(
    rb"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)
"""Each escape of a text: both halves of a character (1), a half that stands alone (2), or any other."""


def mended(data: bytes) -> bytes:
    """Put U+FFFD in the place of each half that stands alone, in a record's text."""
    return _ESCAPE.sub(lambda found: b"\\ufffd" if found[2] else found[0], data)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find halves that only the text of arguments spelt, in a history that was written for a target whose arguments are objects.

    Where a record itself holds one, the reader has told it.
    """
    source = passage.source
    if source is None or b"\\ud" not in passage.record.data or not _has_arguments_in_text(source):
        return
    for call in tool_calls(passage):
        value = call.arguments.value if call.arguments.kind == "object" else None
        for path, leaf in leaves(value):
            if isinstance(leaf, str) and (found := _HALF.search(leaf)):
                said = f"\\u{ord(found[0]):04x} in the arguments is half of a character, and no text can hold it"
                yield Finding(call.message.record, call.arguments_path + path, said)
                break


def _has_arguments_in_text(passage: Passage) -> bool:
    """Say whether the arguments of some call are JSON text."""
    return any(isinstance(call.holder.get(call.keys.arguments), str) for call in tool_calls(passage))


VALID = (
    Example('{"role": "assistant", "content": "\\ud83c\\udfa8"}\n'),
    Example('{"role": "user", "content": "print \\\\u0000 and \\\\ud83c"}\n'),
    Example('{"role": "user", "content": "\U0001f3a8"}\n'),
)

INVALID = (
    # OpenAI takes any text for arguments; as an object they hold the half itself.
    Example(
        '[{"role":"user","content":"Draw."},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":'
        '{"name":"draw","arguments":"{\\"x\\": \\"\\\\ud83c\\"}"}}]},{"role":"tool","tool_call_id":"call_1","content":"ok"}]',
        ("/1/tool_calls/0/function/arguments/x",),
        target="anthropic",
    ),
    Example('{"role": "user", "content": "hi"}\n{"role":"assistant","content":"Avatar \\ud83c\\n"}\n', ("/1/content",)),
    Example('{"role":"user","content":"\\udff7 tag"}\n', ("/0/content",)),
    Example(
        '{"role":"user","content":[{"type":"text","text":"\\ud83c\\ud83c\\udfa8"},{"type":"text","text":"\\ud83c x"}]}\n',
        (
            "/0/content/0/text",
            "/0/content/1/text",
        ),
    ),
)
