"""What happens to a provider's error text before somebody pastes it: other ids, names and numbers, other quotes, wrappings, cuts."""

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from shlex import quote
from urllib.parse import quote as urlquote

IDS = (
    "call_9zQm4TxLw2",
    "toolu_01Xk7fPq2Bz",
    "chatcmpl-tool-5f1e0c",
    "functions.search:12",
    "tooluse_Ab-9_x",
    "7d2K1m3Qz",
)
NAMES = ("render_pdf", "flightBooker", "sheet_writer", "observed_at", "mcp__jira__search", "priority")
ID = re.compile(r"\b(?:call|toolu|srvtoolu|rs|fc|msg|ctc|item)_(?=\w*\d)\w+|\b(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{9}\b")
NUMBER = re.compile(r"(?<![\w-])\d+(?![\w-])|(?<=\[)\d+(?=\])")
QUOTE = re.compile(r"['\"`]")
BRACKETED = re.compile(r"\[(\d+)\]")

NAMED = (
    "reasoning_content",
    "reasoning_details",
    "timestamp",
    "knowledge_books",
    "filesystem_read_multiple_files",
    "paths",
)
"""Names in recorded texts that are the user's own: somebody's tool, key or property."""

PROSE = (
    'File "/srv/app/agent.py", line 88, in step\n    reply = client.chat.completions.create(**body)\n',
    'File "/usr/lib/python3.12/site-packages/openai/_base_client.py", line 1047, in request\n    raise self._make_status_error_from_response(err.response) from None\n',
    'File "/srv/app/loop.py", line 12, in run\n    for item in messages: tools.append(item)\n',
)


def renewed(text: str, rng: random.Random) -> str:
    """Replace ids, names and numbers."""
    text = ID.sub(lambda _: rng.choice(IDS), text)
    for name in NAMED:
        text = text.replace(name, rng.choice(NAMES))
    return NUMBER.sub(lambda _: str(rng.randrange(300)), text)


def requoted(text: str, rng: random.Random) -> str:
    """Put other quotation marks, and other spellings of indices."""
    mark = rng.choice(["'", '"', "`", "\N{LEFT SINGLE QUOTATION MARK}"])
    return BRACKETED.sub(r".\1", QUOTE.sub(mark, text))


def in_json(text: str, _: random.Random) -> str:
    """Wrap as a provider's answer that a gateway has put into its own."""
    inner = json.dumps({"type": "error", "error": {"type": "invalid_request_error", "message": text}})
    return json.dumps({"error": {"message": f"Provider returned error: {inner}", "code": 400}})


def in_repr(text: str, _: random.Random) -> str:
    """Wrap as the openai package prints it."""
    body = {"error": {"message": text, "type": "invalid_request_error", "param": "messages.[4].role", "code": None}}
    return f"openai.BadRequestError: Error code: 400 - {body!r}"


def in_traceback(text: str, rng: random.Random) -> str:
    """Put a traceback before it and the tool's own words behind it."""
    frames = "  ".join(rng.choice(PROSE) for _ in range(30))
    return (
        f"Traceback (most recent call last):\n  {frames}litellm.BadRequestError: AnthropicException - {text}\n"
        "During handling of the above exception, another exception occurred: retrying in 2.0 seconds"
    )


def in_box(text: str, _: random.Random) -> str:
    """Break the lines and draw a frame round them, in colour."""
    words = text.split(" ")
    lines = [" ".join(words[at : at + 6]) for at in range(0, len(words), 6)]
    return "\n".join(f"\x1b[31m│\x1b[0m {line} │" for line in ["✖ API Error: 400", *lines])


def in_html(text: str, _: random.Random) -> str:
    """Escape as a web page does."""
    return text.replace("&", "&amp;").replace("'", "&#39;").replace('"', "&quot;").replace("`", "&#x60;")


def in_answer(text: str, _: random.Random) -> str:
    """Write the whole answer of the server as a client logs it, quoted for a shell."""
    body = json.dumps({"type": "error", "error": {"type": "invalid_request_error", "message": text}})
    head = (
        "< HTTP/2 400\r\n< content-type: application/json\r\n< x-should-retry: false\r\n< request-id: req_1A2b\r\n<\r\n"
    )
    return quote(head + body)


def in_address(text: str, _: random.Random) -> str:
    """Write it as a part of an address."""
    return f"https://errors.example/report?status=400&message={urlquote(text)}"


def cut(text: str, _: random.Random) -> str:
    """Leave the end out, where enough is left to tell it by."""
    words = text.split(" ")
    return " ".join(words[: max(len(words) * 3 // 4, 7)]) + "…"


WRAPPINGS: Mapping[str, Callable[[str, random.Random], str]] = {
    "plain": lambda text, _: text,
    "requoted": requoted,
    "json": in_json,
    "repr": in_repr,
    "traceback": in_traceback,
    "box": in_box,
    "html": in_html,
    "answer": in_answer,
    "address": in_address,
    "cut": cut,
}


def mangled(text: str, seed: int) -> Iterator[tuple[str, str]]:
    """Yield each wrapping of a text with other ids, names and numbers, and the wrapping's name."""
    rng = random.Random(f"{seed}{text}")  # noqa: S311 - the same on each run, no secret
    for name, wrap in WRAPPINGS.items():
        yield name, wrap(renewed(text, rng), rng)


def in_log(text: str, seed: int) -> str:
    """Put a text with other ids, names and numbers somewhere among the lines of a long log, as JSON in JSON."""
    rng = random.Random(f"{seed}{text}")  # noqa: S311 - as above
    lines = [f"2026-11-30 07:55:{at % 60:02} INFO {at} {rng.choice(PROSE)}" for at in range(900)]
    body = json.dumps({"status": 400, "body": json.dumps({"error": {"message": renewed(text, rng)}})})
    lines.insert(rng.randrange(len(lines)), f"2026-11-30 07:55:59 ERROR {body}")
    return "\n".join(lines)
