"""A file that is carried in the message cannot be decoded.

## What
A `data:` URL or a base64 field that does not decode: a placeholder that a logger put in its place, base64 that was cut off in the
middle, a whole `data:` URL or an address where only base64 belongs, or, at OpenAI, the base64 of an image where the whole URL belongs.

## Why it is refused
Nobody can read the file. As the message is sent again with every request, every later request fails too.

## Example
Bad:
```
[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,[image omitted]"}}]}]
```
Good:
```
[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}]}]
```

## Fix
Put the file back, or put a text in its place that says what was there.
"""

import re
from collections.abc import Iterator

from lighter.conversation import WireMessage
from lighter.jsontext import step
from lighter.messages import MediaBlock, blocks_of
from lighter.passage import Passage
from lighter.providers import OPENAI_CHATS
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._quotes import said_with
from lighter.wire import Part, all_parts_of, fields_of, is_base64, split_data_url

RULE = Rule(
    code="M119",
    name="invalid-data-url",
    summary="a file that is carried in the message cannot be decoded",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    formats=("openai-chat", "openai-responses", "anthropic", "gemini", "bedrock", "mistral", "cohere", "ollama"),
    refusals=(
        Refusal(
            ("anthropic",),
            "messages.2.content.0.tool_result.content.0.image.source.base64: invalid base64 data",
            "https://github.com/anthropics/anthropic-sdk-typescript/issues/603",
        ),
        Refusal(
            ("anthropic",),
            "messages.118.content.4.image.source.base64: image cannot be empty",
            "https://github.com/anthropics/claude-code/issues/12750",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid base64 image_url.",
            "https://github.com/sipherxyz/comfyui-art-venture/pull/75",
        ),
        Refusal(
            ("anthropic",),
            "Could not process image",
            "https://github.com/anthropics/claude-code/issues/8646",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid image URL: 'messages[0].content[1].image_url.url'. Expected a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got a value without the 'data:' prefix.",
            "https://github.com/Alibaba-NLP/OmniSearch/issues/3",
        ),
        Refusal(
            ("ollama",),
            "illegal base64 data at input byte 4",
            "https://github.com/ollama/ollama-js/issues/68",
        ),
    ),
    source="https://github.com/Yeachan-Heo/gajae-code/issues/2813",
)

_EMPTY = "the file is empty"
_NO_PREFIX = "this is base64 without `data:` and its type before it, which is read as an address"
_IMAGES = ("iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR")
"""How the base64 of a PNG, JPEG, GIF and WebP begins."""
_WEB = ("http://", "https://")
_FILE_ENDS = re.compile(r"\.\w{2,5}\Z")
"""How paths end: Ollama's SDK sends what is in a file, if there is one of that name (ollama 0.6.3 Image.serialize_model)."""

LOOKS_BEYOND_TEXT = True


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find `data:` URLs and base64 fields that do not decode."""
    if passage.format in ("gemini", "bedrock"):
        yield from _read(passage)
        return
    for message in passage.messages:
        if passage.format == "ollama":
            yield from _in_ollama(message)
            continue
        for part in all_parts_of(message):
            found = _in_anthropic(part) if passage.format == "anthropic" else _in_chat(part, aim)
            if found:
                path, said = found
                yield _undecodable(message, part.path + path, said)


def _read(passage: Passage) -> Iterator[Finding]:
    """Find undecodable files among what the reader took for media."""
    for entry in passage.entries:
        for block, origin in zip(blocks_of(entry.message), entry.origin.blocks, strict=False):
            if isinstance(block, MediaBlock) and block.source == "base64" and not is_base64(block.data):
                help_ = "put the file back, or a text that says what was there"
                yield Finding(entry.wire.record, origin.at("data"), _fault_of(block.data), help_, refusals=())


def _in_ollama(message: WireMessage) -> Iterator[Finding]:
    """Find images beside the text that are no base64; a path is none yet, but is when the SDK has sent it."""
    images = fields_of(message).get("images")
    for index, image in enumerate(images if isinstance(images, list) else ()):
        is_path = isinstance(image, str) and not image.startswith(_WEB) and bool(_FILE_ENDS.search(image[-8:]))
        if isinstance(image, str) and not is_path and not is_base64(image):
            yield _undecodable(message, f"{message.path}/images{step(index)}", _fault_of(image))


def _in_anthropic(part: Part) -> tuple[str, str] | None:
    match part.fields:
        case {"source": {"type": "base64", "data": str(data)}}:
            return _in_base64(data, "/source/data")
        case _:
            return None


def _in_chat(part: Part, aim: Aim) -> tuple[str, str] | None:
    match part.fields:
        case {"type": "image_url", "image_url": {"url": str(url)}}:
            return _in_url(url, "/image_url/url", aim)
        case {"type": "image_url" | "input_image", "image_url": str(url)}:
            return _in_url(url, "/image_url", aim)
        case {"type": "input_audio", "input_audio": {"data": str(data)}}:
            return _in_base64(data, "/input_audio/data")
        case {"type": "input_audio", "input_audio": str(data)} if not data.startswith(_WEB):
            is_url = data[:5].lower() == "data:"
            return _in_url(data, "/input_audio", aim) if is_url else _in_base64(data, "/input_audio")
        case {"type": "document_url", "document_url": str(url)}:
            return _in_url(url, "/document_url", aim)
        case {"type": "input_file", "file_data": str(url)}:
            return _in_url(url, "/file_data", aim)
        case {"type": "file", "file": {"file_data": str(data)}}:
            is_url = data[:5].lower() == "data:"
            return _in_url(data, "/file/file_data", aim) if is_url else _in_base64(data, "/file/file_data")
        case _:
            return None


def _in_base64(data: str, path: str) -> tuple[str, str] | None:
    return None if is_base64(data) else (path, _fault_of(data))


def _in_url(url: str, path: str, aim: Aim) -> tuple[str, str] | None:
    if url[:5].lower() != "data:":
        # Z.ai's models take it so.
        is_asked = aim.target in (*OPENAI_CHATS, "openai-responses") and path.startswith("/image_url")
        return (path, _NO_PREFIX) if is_asked and url.startswith(_IMAGES) and is_base64(url) else None
    found = split_data_url(url)
    if found is None:
        return path, "this `data:` URL has no data"
    if found.is_base64:
        return _in_base64(found.data, path)
    # Percent-encoded data is good data, and OpenAI reads base64 only.
    is_openai = aim.target in OPENAI_CHATS
    return (path, "the data of this URL is not base64") if is_openai else None


def _fault_of(data: str) -> str:
    if not data.strip():
        return _EMPTY
    if data[:5].lower() == "data:":
        return "this is a whole `data:` URL, where only its base64 belongs"
    if data.startswith(_WEB):
        return "this is an address, where only base64 belongs"
    return "this is not base64"


def _undecodable(message: WireMessage, path: str, said: str) -> Finding:
    help_ = "put the file back, or a text that says what was there"
    if said == _NO_PREFIX:
        help_ = "write `data:image/png;base64,` before it, with the type of the image"
    words = {_EMPTY: "cannot be empty", _NO_PREFIX: "without the 'data:' prefix"}.get(said, "base64 ")
    return Finding(message.record, path, said, help_, refusals=said_with(RULE, words))


VALID = (
    Example(
        '[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}]}]',
        target="openai-chat",
    ),
    Example(
        '[{"role": "user", "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo"}}]}]',
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '[{"role": "user", "content": "data:image/png;base64,???"}, {"role": "user", "content": [{"type": "image_url", "image_url":'
        ' {"url": "https://example.com/data:image.png"}}]}]'
    ),
    Example(
        '[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "iVBORw0KGgoAAAANSUhEUg=="}}]}]',
        target="zai",
    ),
    Example(
        '[{"role": "user", "content": "Which pier?", "images": ["iVBORw0KGgoAAAANSUhEUg==", "./pier.PNG", "C:\\\\pier.gif"]}]',
        format="ollama",
        target="ollama",
    ),
    Example(
        '[{"role": "user", "content": [{"type": "image_url", "image_url": "https://example.com/a.png"}, {"type": "input_audio",'
        ' "input_audio": "UklGRgAAAABXQVZF"}, {"type": "document_url", "document_url": "data:application/pdf;base64,JVBERi0x\\nLjcK"}]}]',
        format="mistral",
        target="mistral",
    ),
    # Percent-encoded data, which OpenAI alone does not read.
    Example(
        '[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/svg+xml,%3Csvg/%3E"}}]}]'
    ),
)

INVALID = (
    Example(
        '[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "iVBORw0KGgoAAAANSUhEUg=="}}]}]',
        ("/0/content/0/image_url/url",),
        format="openai-chat",
        target="openai-chat",
    ),
    Example(
        '[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,[image omitted]"}}]}]',
        ("/0/content/0/image_url/url",),
    ),
    Example(
        '[{"role": "user", "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data":'
        ' "data:image/png;base64,iVBORw0KGgo="}}]}]',
        ("/0/content/0/source/data",),
        format="anthropic",
        target="anthropic",
    ),
    Example(
        '[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/svg+xml,%3Csvg/%3E"}}]}]',
        ("/0/content/0/image_url/url",),
        target="openai-chat",
    ),
    Example(
        '[{"role": "user", "content": [{"type": "input_audio", "input_audio": {"format": "wav", "data": "<blob>"}}]}]',
        ("/0/content/0/input_audio/data",),
        target="openai-chat",
    ),
    Example(
        '[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,[cut]"}}, {"type":'
        ' "image_url", "image_url": "data:image/png;base64,[cut]"}, {"type": "input_audio", "input_audio": "[cut]"}, {"type":'
        ' "document_url", "document_url": "data:application/pdf;base64,[cut]"}]}]',
        (
            "/0/content/0/image_url/url",
            "/0/content/1/image_url",
            "/0/content/2/input_audio",
            "/0/content/3/document_url",
        ),
        format="mistral",
        target="mistral",
    ),
    Example(
        '[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,[cut]"}}]}]',
        ("/0/content/0/image_url/url",),
        format="cohere",
        target="cohere",
    ),
    Example(
        '[{"role": "user", "content": "?", "images": ["[cut]", "data:image/png;base64,iVBORw0KGgo=", "https://example.com/a.png"]}]',
        ("/0/images/0", "/0/images/1", "/0/images/2"),
        format="ollama",
        target="ollama",
    ),
)
