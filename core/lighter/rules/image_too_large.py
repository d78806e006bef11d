"""An image is larger than Anthropic takes, in pixels or in bytes.

## What
No side of an image may be longer than 8000 pixels. Once a request holds more than 20 images, none may be longer than 2000; images
inside tool results count. Nor may its base64 be longer than 5 MB, which is an image of 3.75 MB. The size is read from the image's own header; images behind a URL are counted, but not measured.

## Why it is refused
The limit is checked before anything is scaled. Agents that take screenshots reach the 21st image in a long session, and then a
picture that was accepted twenty times is refused.

## Example
Bad: a PNG of 1440 × 8570 pixels.
```
[{"role": "user", "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgoAAAANSUhEUgAABaAAACF6CAIAAACvlVFZ"}}]}]
```
Good: one of 100 × 100.
```
[{"role": "user", "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgoAAAANSUhEUgAAAGQAAABkCAIAAAD/gAID"}}]}]
```

## Fix
Scale the image down, or drop older images from the history.
"""

from collections.abc import Iterator

from lighter.conversation import WireMessage
from lighter.media import head_bytes, pixel_size
from lighter.passage import Passage
from lighter.providers import MANY_IMAGES, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE, MAX_IMAGE_SIDE_OF_MANY
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._quotes import said_with
from lighter.wire import Part, all_parts_of, messages_of

RULE = Rule(
    code="M117",
    name="image-too-large",
    summary="an image is larger than Anthropic takes, in pixels or in bytes",
    severity={"generic:anthropic": "error", "anthropic": "error"},
    formats=("anthropic",),
    refusals=(
        Refusal(
            ("anthropic",),
            "messages.2.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
            "https://github.com/can1357/oh-my-pi/issues/10633",
        ),
        Refusal(
            ("anthropic",),
            "At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
            "https://github.com/charmbracelet/crush/issues/3810",
        ),
        Refusal(
            ("anthropic",),
            "messages.1.content.2.image.source.base64: image exceeds 5 MB maximum: 6275800 bytes > 5242880 bytes",
            "https://github.com/lobehub/lobehub/pull/14711",
        ),
    ),
    source="https://github.com/charmbracelet/crush/issues/3810",
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Find images with too many bytes, and those that are longer on a side than the number of images allows."""
    images = list(_images(passage))
    for message, part in images:
        data = _data_of(part)
        if len(data) > MAX_IMAGE_BYTES:
            said = f"the base64 of this image has {len(data)} bytes; Anthropic takes {MAX_IMAGE_BYTES}"
            yield Finding(message.record, part.path, said, "scale the image down", refusals=said_with(RULE, "5 MB"))
            continue
        size = pixel_size(head_bytes(data)) or (0, 0)
        if max(size) > MAX_IMAGE_SIDE:
            limit, why, help_ = MAX_IMAGE_SIDE, "", "scale the image down"
        elif max(size) > MAX_IMAGE_SIDE_OF_MANY and len(images) > MANY_IMAGES:
            why = f" when there are more than {MANY_IMAGES} images (here {len(images)})"
            limit, help_ = MAX_IMAGE_SIDE_OF_MANY, "scale the image down, or drop older images"
        else:
            continue
        said = f"this image is {size[0]} × {size[1]} pixels; no side may be longer than {limit}{why}"
        yield Finding(message.record, part.path, said, help_, refusals=said_with(RULE, f"{limit} pixels"))


def _images(passage: Passage) -> Iterator[tuple[WireMessage, Part]]:
    for message in messages_of(passage, "anthropic"):
        for part in all_parts_of(message):
            if part.kind == "image":
                yield message, part


def _data_of(part: Part) -> str:
    match part.fields:
        case {"source": {"type": "base64", "data": str(data)}}:
            return data
        case _:
            return ""


_SMALL = (
    '{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data":'
    ' "iVBORw0KGgoAAAANSUhEUgAAAGQAAABkCAIAAAD/gAID"}}'
)
_WIDE = _SMALL.replace("AAAGQAAABkCAIAAAD/gAID", "AACWAAAABkCAIAAACNJpz8")
_LONG = _SMALL.replace("AAAGQAAABkCAIAAAD/gAID", "AABaAAACF6CAIAAACvlVFZ")

VALID = (
    Example(
        f'[{{"role": "user", "content": [{_WIDE}, {{"type": "text", "text": "What is this?"}}]}}]',
        format="anthropic",
        target="anthropic",
    ),
    Example(f'[{{"role": "user", "content": [{", ".join([_SMALL] * 21)}]}}]', format="anthropic", target="anthropic"),
    Example(
        f'[{{"role": "user", "content": [{", ".join([*[_SMALL] * 19, _WIDE])}]}}]',
        format="anthropic",
        target="anthropic",
    ),
)

INVALID = (
    Example(f'[{{"role": "user", "content": [{_LONG}]}}]', ("/0/content/0",), format="anthropic", target="anthropic"),
    Example(
        f'[{{"role": "user", "content": [{", ".join([*[_SMALL] * 20, _WIDE])}]}}]',
        ("/0/content/20",),
        format="anthropic",
        target="anthropic",
    ),
)
