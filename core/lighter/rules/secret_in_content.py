"""A message holds a credential.

## What
Text, arguments or a result hold an API key, an access token or a private key of a kind that can be told with certainty by its
form. The finding says which kind it is and where it stands, and never repeats it.

## Why it is refused
No provider refuses it. Transcripts are shared, stored for years and trained on, and whoever reads one can use the key.

## Example
Bad: `{"role": "user", "content": "Use ghp_… to push"}`
Good: `{"role": "user", "content": "Use the token from the environment to push"}`

## Fix
Revoke the credential first, then replace it in the file.
"""

import re
from collections.abc import Iterator
from typing import Any

from lighter.diagnostics import Fix
from lighter.jsontext import step
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Rule

RULE = Rule(
    code="H102",
    name="secret-in-content",
    summary="a message holds a credential",
    severity={"generic": "warning", "openai-chat": "warning", "azure-openai": "warning", "anthropic": "warning"},
    source="https://github.com/gitleaks/gitleaks",
    formats=("openai-chat", "anthropic"),
    fix=Fix("unsafe", "replace the credential by a placeholder"),
)

NEEDLES: tuple[bytes, ...] = (
    b"sk-",
    b"sk_live_",
    b"AKIA",
    b"rk_live_",
    *(b"gh%c_" % kind for kind in b"pousr"),
    b"github_pat_",
    b"glpat-",
    b"xoxb-",
    b"xoxp-",
    b"AIza",
    b"hf_",
    b"npm_",
    b"gsk_",
    b"PRIVATE KEY-----",
)
"""A record without any of these holds no secret that this rule knows."""

_END = r"(?![A-Za-z0-9_-])"
_START = r"(?<![A-Za-z0-9_-])"
KINDS: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    ("sk-ant-", "an Anthropic API key", re.compile(rf"{_START}sk-ant-[a-z]+\d\d-([A-Za-z0-9_-]{{80,120}}){_END}")),
    # T3BlbkFJ is "OpenAI" in base64 and stands in the middle of each of its keys.
    (
        "T3BlbkFJ",
        "an OpenAI API key",
        re.compile(rf"{_START}sk-(?:[a-z]+-)?([A-Za-z0-9_-]{{20,100}}T3BlbkFJ[A-Za-z0-9_-]{{20,100}}){_END}"),
    ),
    # The same without that mark: long enough that nothing else looks so, and of mixed characters.
    (
        "sk-",
        "an OpenAI API key",
        re.compile(
            rf"{_START}sk-(?:proj|svcacct|admin)-((?=\S*\d)(?=\S*[A-Z])(?=\S*[a-z])[A-Za-z0-9_-]{{40,200}}){_END}"
        ),
    ),
    ("sk-or-v1-", "an OpenRouter API key", re.compile(rf"{_START}sk-or-v1-([0-9a-f]{{64}}){_END}")),
    ("gsk_", "a Groq API key", re.compile(rf"{_START}gsk_([A-Za-z0-9]{{52}}){_END}")),
    ("hf_", "a Hugging Face token", re.compile(rf"{_START}hf_([A-Za-z]{{34}}){_END}")),
    ("npm_", "an npm token", re.compile(rf"{_START}npm_([A-Za-z0-9]{{36}}){_END}")),
    ("glpat-", "a GitLab token", re.compile(rf"{_START}glpat-((?=\S*\d)[A-Za-z0-9_-]{{20}}){_END}")),
    ("rk_live_", "a Stripe restricted key", re.compile(rf"{_START}rk_live_([A-Za-z0-9]{{24,99}}){_END}")),
    ("sk_live_", "a Stripe secret key", re.compile(rf"{_START}sk_live_([A-Za-z0-9]{{24,99}}){_END}")),
    ("AKIA", "an AWS access key id", re.compile(rf"{_START}AKIA([A-Z2-7]{{16}}){_END}")),
    ("gh", "a GitHub token", re.compile(rf"{_START}gh[pousr]_([A-Za-z0-9]{{36}}){_END}")),
    ("github_pat_", "a GitHub token", re.compile(rf"{_START}github_pat_([A-Za-z0-9]{{22}}_[A-Za-z0-9]{{59}}){_END}")),
    ("xoxp-", "a Slack user token", re.compile(rf"{_START}xoxp-((?:\d{{9,14}}-){{3}}[A-Za-z0-9]{{28,40}}){_END}")),
    ("xoxb-", "a Slack bot token", re.compile(rf"{_START}xoxb-(\d{{9,14}}-\d{{9,14}}-[A-Za-z0-9]{{20,40}}){_END}")),
    ("AIza", "a Google API key", re.compile(rf"{_START}AIza([A-Za-z0-9_-]{{35}}){_END}")),
    (
        "PRIVATE KEY-----",
        "a private key",
        re.compile(
            r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?:\\r|\\n|\s)+((?:[A-Za-z0-9+/=:,-]+(?:\\r|\\n|\s)+){2,})"
        ),
    ),
)
"""What to look for first, what it is, and its form; the group is the part that nobody could guess."""

OPAQUE_KEYS = frozenset({"data", "signature", "encrypted_content", "thought_signature", "file_data", "encrypted"})
"""Keys of base64, which holds every short word sooner or later."""

FEWEST_CHARACTERS = 10
"""A made-up key repeats itself: fewer distinct characters than this are no secret."""


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Yield each value in which a credential stands, once per kind."""
    for message in passage.messages:
        for path, text in texts_of(message.raw, message.path):
            for kind in kinds_in(text):
                yield Finding(
                    message.record,
                    path,
                    f"the text holds what looks like {kind}",
                    help="revoke it, then replace it in the file",
                    is_secret=True,
                )
    if passage.is_first and "system" in passage.fields:
        for path, text in texts_of(passage.fields["system"], f"{passage.fields_path}/system"):
            for kind in kinds_in(text):
                yield Finding(
                    passage.record,
                    path,
                    f"the system prompt holds what looks like {kind}",
                    help="revoke it, then replace it in the file",
                    is_secret=True,
                )


def kinds_in(text: str) -> list[str]:
    """Name the kinds of credential in a text."""
    kinds = [
        kind
        for needle, kind, form in KINDS
        if needle in text and any(_is_real(found[1]) for found in form.finditer(text))
    ]
    return list(dict.fromkeys(kinds))


def _is_real(secret: str) -> bool:
    """Tell a secret from the placeholder of a manual."""
    folded = secret.upper()
    if "EXAMPLE" in folded or "XXXX" in folded or "1234567890" in folded or "ABCDEFGH" in folded:
        return False
    return len(set(secret)) >= FEWEST_CHARACTERS


def texts_of(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Walk the strings of a value with their places; base64 is left out."""
    waiting = [(path, value)]
    while waiting:
        here, item = waiting.pop()
        if isinstance(item, str):
            if not item.startswith("data:"):
                yield here, item
        elif isinstance(item, dict):
            waiting.extend((here + step(key), inner) for key, inner in reversed(item.items()) if key not in OPAQUE_KEYS)
        elif isinstance(item, list):
            waiting.extend((f"{here}/{index}", inner) for index, inner in reversed(list(enumerate(item))))


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
    Example(_chat(f"Push with {_GITHUB} please"), where=("/0/content",), format="openai-chat"),
    Example(
        '{"role":"user","content":"Deploy"}\n{"role":"assistant","content":null,"tool_calls":[{"id":"call_a1","type":"function",'
        f'"function":{{"name":"bash","arguments":"{{\\"env\\":\\"KEY={_AWS}\\"}}"}}}}]}}\n'
        '{"role":"tool","tool_call_id":"call_a1","content":"ok"}\n',
        where=("/1/tool_calls/0/function/arguments",),
        format="openai-chat",
    ),
)
