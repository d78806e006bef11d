r"""A part or block holds nothing at all.

## What
A part of a Gemini content is `{}`, or says only about itself (`thought`) and has no data; a block of Bedrock is `{}`. A part with a
thought signature alone is none of these: Gemini gives such parts itself, and wants them back.

## Why it is refused
A part is one of several kinds of data, and must be one of them.

## Example
Bad:
```
{"role": "model", "parts": [{}]}
```
Good:
```
{"role": "model", "parts": [{"text": "High tide is at noon."}]}
```

## Fix
Drop the part; where none is left, drop the message.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits_messages import dropping_part
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._native_content import parts_of_wire
from lighter.rules._quotes import said_with

RULE = Rule(
    code="M122",
    name="empty-part",
    summary="a part or block holds nothing at all",
    severity={"generic:gemini": "error", "generic:bedrock": "error"},
    formats=("gemini", "bedrock"),
    refusals=(
        Refusal(
            ("gemini",),
            "contents.parts: required oneof field 'data' must have one initialized field",
            "https://github.com/router-for-me/CLIProxyAPI/issues/1292",
        ),
        Refusal(
            ("bedrock",),
            "Must set one of the following keys for tagged union structure messages[0].content[0]: text, image, document, …",
            "botocore 1.44.8 ContentBlock",
        ),
    ),
    source="https://github.com/router-for-me/CLIProxyAPI/issues/1292",
    fix=Fix("safe", "drop the part"),
)

_ABOUT = frozenset({"thought", "mediaResolution", "media_resolution", "videoMetadata", "video_metadata"})
"""Keys of a part that say something about its data (google-genai 3.6.1 `Part`)."""


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report each empty part or block."""
    is_gemini = passage.format == "gemini"
    for message in passage.messages:
        if message.is_response:
            continue
        for part in parts_of_wire(message):
            held = {key for key, value in part.fields.items() if value is not None}
            if isinstance(part.raw, dict) and not held - (_ABOUT if is_gemini else frozenset()):
                said = "this part holds no data" if is_gemini else "this block is empty"
                words = "oneof" if is_gemini else "tagged union"
                yield Finding(
                    message.record,
                    part.path,
                    said,
                    "drop it",
                    refusals=said_with(RULE, words),
                    repair=dropping_part(passage, message, part),
                )


def _contents(part: str) -> str:
    return (
        f'{{"contents":[{{"role":"user","parts":[{{"text":"Tide?"}}]}},{{"role":"model","parts":[{part}]}},'
        '{"role":"user","parts":[{"text":"Again?"}]}],"generationConfig":{}}\n'
    )


VALID = (
    Example(_contents('{"text":"2.1 m"}'), target="gemini"),
    Example(_contents('{"text":"2.1 m"},{"thoughtSignature":"CiIB"}'), target="gemini"),
    Example(_contents('{"text":"Look it up.","thought":true},{"text":"2.1 m"}'), target="gemini"),
    Example(_contents('{"executableCode":{"language":"PYTHON","code":"1"}},{"somethingNew":{}}'), target="gemini"),
)

INVALID = (
    Example(_contents("{}"), where=("/0/contents/1/parts/0",), target="gemini"),
    Example(_contents('{"text":"2.1 m"},{"text":null,"thought":true}'), where=("/0/contents/1/parts/1",)),
    Example(
        '{"messages":[{"role":"user","content":[{"text":"Tide?"},{}]}],"inferenceConfig":{}}\n',
        where=("/0/messages/0/content/1",),
        format="bedrock",
        target="bedrock",
    ),
)
