"""System prompts of a wrong type beside the messages: under which key they stand, and what each API takes there."""

from collections.abc import Iterator
from typing import Any

from lighter.passage import Passage
from lighter.rule import Finding
from lighter.wire import list_parts, type_name

_PLACES = {
    "anthropic": ("system",),
    "bedrock": ("system",),
    "gemini": ("systemInstruction", "system_instruction"),
    "openai-responses": ("instructions",),
}
"""Where requests have their system prompt."""


def system_faults(passage: Passage) -> Iterator[Finding]:
    """Find a system prompt that is no text where text is wanted, and no list of blocks where such a list is.

    The types are those of anthropic 2.14.0 `MessageCreateParams`, botocore 1.44.8 `ConverseRequest`, google-genai 3.6.1
    `ContentUnion` and openai 3.57.0 `ResponseCreateParams`. An answer of Responses holds a list of items in its place.
    """
    for key in _PLACES.get(passage.format, ()) if passage.is_first else ():
        value, path = passage.fields.get(key), f"{passage.fields_path}/{key}"
        if value is not None:
            yield from _faults(passage, value, path)


def _faults(passage: Passage, value: Any, path: str) -> Iterator[Finding]:
    match passage.format, value:
        case (("anthropic" | "bedrock"), list()):
            yield from _in_blocks(passage, value, path)
        case "gemini", {"parts": list() as parts}:
            yield from _in_blocks(passage, parts, f"{path}/parts")
        case "gemini", {"parts": held} if held is not None and not isinstance(held, dict):
            yield _finding(passage, f"{path}/parts", held, 'write a list of parts: `[{"text": …}]`')
        case (("anthropic" | "gemini" | "openai-responses"), str()):
            pass
        case "openai-responses", list():
            pass
        case "gemini", dict() | list():
            pass
        case "openai-responses", _:
            yield _finding(passage, path, value, "write text")
        case "bedrock", _:
            yield _finding(passage, path, value, 'write a list of blocks: `[{"text": …}]`')
        case _:
            yield _finding(passage, path, value, 'write text, or a list of blocks: `[{"type": "text", "text": …}]`')


def _in_blocks(passage: Passage, blocks: list[Any], path: str) -> Iterator[Finding]:
    """Find what is no block, and the text of a block that is none."""
    for part in list_parts(blocks, path):
        if isinstance(part.raw, str) and passage.format == "gemini":
            continue  # the client makes a part of it
        if not isinstance(part.raw, dict):
            yield _finding(passage, part.path, part.raw, "write a block, such as one with `text`")
        elif not isinstance(part.raw.get("text", ""), str | None):
            yield _finding(passage, f"{part.path}/text", part.raw["text"], "write text")


def _finding(passage: Passage, path: str, value: Any, help_: str) -> Finding:
    return Finding(passage.record, path, f"this part of the system prompt is {type_name(value)}", help_, refusals=())
