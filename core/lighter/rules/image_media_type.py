"""An image is of a type that the provider does not read, or not of the type that it is said to be.

## What
OpenAI and Anthropic read JPEG, PNG, GIF and WebP. Anthropic also compares the `media_type` of an image with its first bytes, and
does not know the alias `image/jpg`.

## Why it is refused
A screenshot that is called PNG and is a JPEG is enough. Browsers do not care, so that nobody notices before.

## Example
Bad:
```
[{"role": "user", "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "/9j/4AAQSkZJRgABAQ=="}}]}]
```
Good:
```
[{"role": "user", "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": "/9j/4AAQSkZJRgABAQ=="}}]}]
```

## Fix
Write the type that the bytes show; convert images of other types.
"""

from collections.abc import Iterator

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Put, repair
from lighter.media import head_bytes, media_type_of
from lighter.passage import Passage
from lighter.providers import IMAGE_TYPES
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._quotes import said_with
from lighter.rules._telling import shown
from lighter.wire import Part, all_parts_of, split_data_url

RULE = Rule(
    code="M116",
    name="image-media-type",
    summary="an image is of a type that is not read, or not of the type that it is said to be",
    severity={
        "generic:anthropic": "error",
        "anthropic": "error",
        "openai-chat": "error",
        "azure-openai": "error",
        "generic:bedrock": "error",
    },
    formats=("openai-chat", "anthropic", "bedrock"),
    refusals=(
        Refusal(
            ("anthropic",),
            "messages.6.content.5.image.source.base64.data: Image does not match the provided media type image/png",
            "https://github.com/anthropics/claude-code/issues/15746",
        ),
        Refusal(
            ("anthropic",),
            "messages.83.content.0.tool_result.content.1.image.source.base64: The image was specified using the image/jpeg media type, but the"
            " image appears to be a image/png image",
            "https://github.com/vybestack/llxprt-code/issues/2130",
        ),
        Refusal(
            ("anthropic",),
            "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
            "https://github.com/anthropics/claude-code/issues/8184",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
            "https://platform.openai.com/docs/guides/images-vision",
        ),
        Refusal(
            ("gateways",),
            "Unsupported image media type: image/heic",
            "",
        ),
    ),
    source="https://github.com/anthropics/claude-code/issues/15746",
    fix=Fix("safe", "write the type that the bytes show"),
)

_CONVERT = "convert the image to PNG, JPEG, GIF or WebP"

LOOKS_BEYOND_TEXT = True


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find images whose type is not read or not true."""
    for message in passage.messages:
        for part in all_parts_of(message):
            match part.fields:
                case {"type": "image", "source": {"type": "base64", "data": str(data), **source}} if (
                    passage.format == "anthropic"
                ):
                    yield from _declared(message, part, source.get("media_type"), data)
                case {"image": {"format": format, "source": {"bytes": str(data)}}} if passage.format == "bedrock":
                    yield from _of_bedrock(message, part, format, data)
                case {"type": "image_url", "image_url": {"url": str(url)}} if passage.format == "openai-chat":
                    yield from _in_url(message, part, url)


def _declared(message: WireMessage, part: Part, declared: object, data: str) -> Iterator[Finding]:
    real = media_type_of(head_bytes(data[:64]))
    help_ = _CONVERT
    if not declared:
        said, words, help_ = "the image has no media type", "", "set `media_type` to the type of the image"
    elif not (isinstance(declared, str) and declared in IMAGE_TYPES):
        said, words = f"images of type {shown(declared)} are not read", "media_type"
    elif real is not None and real != declared:
        said, words = f"the image is said to be {declared}, and its bytes are {real}", "does not match"
    else:
        return
    help_ = f"write `{real}`" if real in IMAGE_TYPES else help_
    made = repair(Put(message.record, f"{part.path}/source/media_type", real)) if real in IMAGE_TYPES else None
    yield Finding(message.record, f"{part.path}/source", said, help_, refusals=said_with(RULE, words), repair=made)


def _of_bedrock(message: WireMessage, part: Part, declared: object, data: str) -> Iterator[Finding]:
    real = media_type_of(head_bytes(data[:64]))
    if not isinstance(declared, str) or f"image/{declared}" not in IMAGE_TYPES:
        said, help_ = f"images of format {shown(declared)} are not read", _CONVERT
    elif real is not None and real != f"image/{declared}":
        said, help_ = (
            f"the image is said to be {declared}, and its bytes are {real}",
            f"write `{real.partition('/')[2]}`",
        )
    else:
        return
    form = (real or "").partition("/")[2]
    made = repair(Put(message.record, f"{part.path}/image/format", form)) if real in IMAGE_TYPES else None
    yield Finding(message.record, f"{part.path}/image", said, help_, refusals=(), repair=made)


def _in_url(message: WireMessage, part: Part, url: str) -> Iterator[Finding]:
    found = split_data_url(url)
    if found is None or not found.media_type or found.media_type in IMAGE_TYPES:
        return
    # OpenAI goes by the bytes, so that a wrong name alone does no harm.
    real = media_type_of(head_bytes(found.data[:64])) if found.is_base64 else None
    if real not in IMAGE_TYPES:
        said = f"images of type {shown(found.media_type)} are not read"
        yield Finding(message.record, f"{part.path}/image_url/url", said, _CONVERT)


VALID = (
    Example(
        '[{"role": "user", "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data":'
        ' "/9j/4AAQSkZJRgABAQ=="}}]}]',
        target="anthropic",
        format="anthropic",
    ),
    Example(
        '[{"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "https://example.com/plan.svg"}},'
        ' {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0xLjQ="}}]}]',
        target="anthropic",
        format="anthropic",
    ),
    Example(
        '[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/jpg;base64,/9j/4AAQSkZJRgABAQ=="}}]}]',
        target="openai-chat",
    ),
)

INVALID = (
    Example(
        '[{"role": "user", "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/svg+xml", "data":'
        ' "PHN2Zy8+"}}, {"type": "text", "text": "what?"}]}]',
        ("/0/content/0/source",),
        target="anthropic",
        format="anthropic",
    ),
    Example(
        '[{"role": "user", "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data":'
        ' "/9j/4AAQSkZJRgABAQ=="}}]}]',
        ("/0/content/0/source",),
        format="anthropic",
    ),
    Example(
        '[{"role": "user", "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data":'
        ' "JVBERi0xLjQ="}}]}]',
        ("/0/content/0/source",),
        target="anthropic",
        format="anthropic",
    ),
    Example(
        '[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/svg+xml;base64,PHN2Zy8+"}}]}]',
        ("/0/content/0/image_url/url",),
        target="openai-chat",
    ),
)
