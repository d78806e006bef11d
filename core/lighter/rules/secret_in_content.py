"""A message holds a credential.

## What
Text, arguments or a result hold an API key, an access token or a private key of a kind that can be told with certainty by its
form. The finding says which kind it is and where it stands, and never repeats it.

## Why it is refused
No provider refuses it. Transcripts are shared, stored for years and trained on, and whoever reads one can use the key.

## Example
Bad:
```
{"role": "user", "content": "Use ghp_… to push"}
```
Good:
```
{"role": "user", "content": "Use the token from the environment to push"}
```

## Fix
Revoke the credential first, then replace it in the file.
"""

import re
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

from msgspec import Struct

from lighter.diagnostics import Fix
from lighter.edits import Put, repair
from lighter.jsontext import step
from lighter.passage import Passage
from lighter.records import Record
from lighter.rule import Aim, Example, Finding, Rule
from lighter.rules.no_messages import SYSTEM_FIELDS

RULE = Rule(
    code="H102",
    name="secret-in-content",
    summary="a message holds a credential",
    severity={"generic": "warning", "openai-chat": "warning", "azure-openai": "warning", "anthropic": "warning"},
    source="https://github.com/gitleaks/gitleaks",
    fix=Fix("unsafe", "replace the credential by a placeholder"),
)


class _Kind(Struct, frozen=True):
    """A kind of credential: its name, the texts one of which stands in each of the kind, and its form as a regular expression.

    The form's group is the part that nobody could guess. `is_token`: it stands alone, and is no piece of a longer word.
    """

    name: str
    needles: tuple[str, ...]
    form: str
    is_token: bool = True


_KINDS = (
    _Kind("an Anthropic API key", ("sk-ant-",), r"sk-ant-[a-z]+\d\d-([A-Za-z0-9_-]{80,120})"),
    # T3BlbkFJ is "OpenAI" in base64 and stands in the middle of each of its keys.
    _Kind("an OpenAI API key", ("T3BlbkFJ",), r"sk-(?:[a-z]+-)?([A-Za-z0-9_-]{20,100}T3BlbkFJ[A-Za-z0-9_-]{20,100})"),
    # The same without that mark: long enough that nothing else looks so, and of mixed characters.
    _Kind(
        "an OpenAI API key",
        ("sk-proj-", "sk-svcacct-", "sk-admin-"),
        r"sk-(?:proj|svcacct|admin)-((?=\S*\d)(?=\S*[A-Z])(?=\S*[a-z])[A-Za-z0-9_-]{40,200})",
    ),
    _Kind("an OpenRouter API key", ("sk-or-v1-",), r"sk-or-v1-([0-9a-f]{64})"),
    _Kind("a Groq API key", ("gsk_",), r"gsk_([A-Za-z0-9]{52})"),
    _Kind("a Hugging Face token", ("hf_",), r"hf_([A-Za-z]{34})"),
    _Kind("an npm token", ("npm_",), r"npm_([A-Za-z0-9]{36})"),
    _Kind("a GitLab token", ("glpat-",), r"glpat-((?=\S*\d)[A-Za-z0-9_-]{20})"),
    _Kind("a Stripe restricted key", ("rk_live_",), r"rk_live_([A-Za-z0-9]{24,99})"),
    _Kind("a Stripe secret key", ("sk_live_",), r"sk_live_([A-Za-z0-9]{24,99})"),
    _Kind("an AWS access key id", ("AKIA",), r"AKIA([A-Z2-7]{16})"),
    _Kind("a GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_([A-Za-z0-9]{36})"),
    _Kind("a GitHub token", ("github_pat_",), r"github_pat_([A-Za-z0-9]{22}_[A-Za-z0-9]{59})"),
    _Kind("a Slack user token", ("xoxp-",), r"xoxp-((?:\d{9,14}-){3}[A-Za-z0-9]{28,40})"),
    _Kind("a Slack bot token", ("xoxb-",), r"xoxb-(\d{9,14}-\d{9,14}-[A-Za-z0-9]{20,40})"),
    _Kind("a Google API key", ("AIza",), r"AIza([A-Za-z0-9_-]{35})"),
    _Kind(
        "a private key",
        ("PRIVATE KEY-----",),
        r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?:\\r|\\n|\s)+((?:[A-Za-z0-9+/=:,-]+(?:\\r|\\n|\s)+){2,})",
        is_token=False,
    ),
)

NEEDLES = tuple(needle.encode() for kind in _KINDS for needle in kind.needles)
"""A record without any of these holds no secret that this rule knows."""

_OPAQUE_KEYS = frozenset({"data", "signature", "encrypted_content", "thought_signature", "file_data", "encrypted"})
"""Keys of base64, which holds every short word sooner or later."""

_PLACEHOLDERS = ("EXAMPLE", "XXXX", "1234567890", "ABCDEFGH")

_FEWEST_CHARACTERS = 10
"""A made-up key repeats itself: fewer distinct characters than this are no secret."""


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Yield each value in which a credential stands, once per kind."""
    for message in passage.messages:
        yield from _leaks(message.record, message.path, message.raw, "the text")
    for key in SYSTEM_FIELDS if passage.is_first else ():
        if key in passage.fields:
            yield from _leaks(passage.record, f"{passage.fields_path}/{key}", passage.fields[key], "the system prompt")


def _leaks(record: Record, path: str, value: Any, what: str) -> Iterator[Finding]:
    for place, text in _texts_of(value, path):
        for kind in _kinds_in(text):
            yield Finding(
                record,
                place,
                f"{what} holds what looks like {kind}",
                "revoke it, then replace it in the file",
                is_secret=True,
                repair=repair(Put(record, place, _redacted(text))),
            )


def _kinds_in(text: str) -> list[str]:
    """Name the kinds of credential in a text."""
    kinds = [
        kind.name
        for kind in _KINDS
        if any(needle in text for needle in kind.needles)
        and any(_is_real(found[1]) for found in _pattern_of(kind).finditer(text))
    ]
    return list(dict.fromkeys(kinds))


def _redacted(text: str) -> str:
    """Replace each credential in a text by a word that says what stood there."""
    for kind in _KINDS:
        if any(needle in text for needle in kind.needles):
            word = f"[{kind.name.split(' ', 1)[1]} removed]"
            text = _pattern_of(kind).sub(partial(_word_for, word), text)
    return text


def _word_for(word: str, found: re.Match[str]) -> str:
    return word if _is_real(found[1]) else found[0]


@cache
def _pattern_of(kind: _Kind) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9_-]){kind.form}(?![A-Za-z0-9_-])" if kind.is_token else kind.form)


def _is_real(secret: str) -> bool:
    """Tell a secret from the placeholder of a manual."""
    folded = secret.upper()
    return len(set(secret)) >= _FEWEST_CHARACTERS and not any(word in folded for word in _PLACEHOLDERS)


def _texts_of(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Walk the strings of a value with their places; base64 is left out."""
    waiting = [(path, value)]
    while waiting:
        here, item = waiting.pop()
        if isinstance(item, str):
            if not item.startswith("data:"):
                yield here, item
        elif isinstance(item, dict):
            waiting += [
                (here + step(key), inner) for key, inner in reversed(item.items()) if not _is_opaque(key, inner)
            ]
        elif isinstance(item, list):
            waiting += [(f"{here}/{index}", inner) for index, inner in reversed(list(enumerate(item)))]


def _is_opaque(key: str, value: Any) -> bool:
    """Say whether a value is base64; LangChain's stored messages have their fields under `data`."""
    return key in _OPAQUE_KEYS and isinstance(value, str)


# The examples are put together from halves, so that no scanner takes this file for a leak.
_GITHUB = "ghp" + "_" + "1A9bQ7xkL2mZ0pR4tVw6Yc8Ed3Fg5Hj1KnWs"
_AWS = "AKIA" + "Q3EGRT7YUZ5LMN2P"


def _chat(text: str) -> str:
    return f'{{"role":"user","content":"{text}"}}\n{{"role":"assistant","content":"Done."}}\n'


VALID = (
    Example(_chat("Set AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE as in the manual"), format="openai-chat"),
    Example(_chat("My key starts with sk-ant- and GitHub's with ghp_, is that right?"), format="openai-chat"),
    Example(_chat("ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"), format="openai-chat"),
)

INVALID = (
    Example(
        f'[{{"role": "user", "parts": [{{"text": "Push with {_GITHUB}"}}]}}]', ("/0/parts/0/text",), format="gemini"
    ),
    Example(
        f'{{"systemInstruction": {{"parts": [{{"text": "Your key is {_AWS}"}}]}}, "contents": [{{"role": "user", "parts": [{{"text": "Tide?"}}]}}]}}',
        ("/systemInstruction/parts/0/text",),
        format="gemini",
    ),
    Example(
        f'[{{"type": "human", "data": {{"type": "human", "content": "Push with {_GITHUB}"}}}}]',
        ("/0/data/content",),
        format="langchain-stored",
    ),
    Example(_chat(f"Push with {_GITHUB} please"), where=("/0/content",), format="openai-chat"),
    Example(
        '{"role":"user","content":"Deploy"}\n{"role":"assistant","content":null,"tool_calls":[{"id":"call_a1","type":"function",'
        f'"function":{{"name":"bash","arguments":"{{\\"env\\":\\"KEY={_AWS}\\"}}"}}}}]}}\n'
        '{"role":"tool","tool_call_id":"call_a1","content":"ok"}\n',
        where=("/1/tool_calls/0/function/arguments",),
        format="openai-chat",
    ),
    Example(
        f'{{"system":"Push with {_GITHUB}.","messages":[{{"role":"user","content":"Push"}}]}}\n',
        where=("/0/system",),
        format="anthropic",
    ),
)
