"""Reading Ollama's chat API: wire messages, request bodies and answers as core messages."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lighter.conversation import BlockOrigin, Conversation, Param, WireMessage
from lighter.envelope import Body
from lighter.formats._chat import ChatForm, chat_conversation, params_of, read_chat
from lighter.formats._entries import told_beside
from lighter.formats._reading import Placed, undivided
from lighter.formats.ollama.shapes import CALL, FIELDS, NAME, OPTIONS, PARAMS
from lighter.jsontext import encode_text, step
from lighter.media import head_bytes, media_type_of
from lighter.messages import Block, Extra, MediaBlock, OpaqueBlock, ReasoningBlock
from lighter.passage import Entry


def _content(content: Any, path: str) -> Placed:
    """Read the value of `content`, which is text; anything else is kept whole."""
    return undivided(NAME, content, path)


def _thinking(raw: Mapping[str, Any], path: str) -> tuple[Placed, set[str]]:
    """Read the reasoning beside the content, which comes before it."""
    text = raw.get("thinking")
    if raw.get("role") != "assistant" or not isinstance(text, str) or not text:
        return [], set()
    return [(ReasoningBlock(text), BlockOrigin(f"{path}/thinking"))], {"thinking"}


def _images(raw: Mapping[str, Any], path: str) -> tuple[Placed, set[str]]:
    """Read the images beside the content: base64, of which the first bytes tell what it is."""
    images = raw.get("images")
    if not isinstance(images, list) or not images:
        return [], set()
    return [(_image(image), BlockOrigin(f"{path}/images{step(n)}")) for n, image in enumerate(images)], {"images"}


def _image(image: Any) -> Block:
    if not isinstance(image, str):
        return OpaqueBlock(NAME, "image", encode_text(image))
    return MediaBlock("image", "base64", image, media_type_of(head_bytes(image)))


_FORM = ChatForm(
    name=NAME,
    call=CALL,
    content=_content,
    beside=_thinking,
    after=_images,
    result_name="tool_name",
    no_content='""',
    fields=FIELDS,
)


def read_messages(messages: Sequence[WireMessage]) -> Iterator[Entry]:
    """Read wire messages, in order; any JSON value gives a message."""
    return read_chat(_FORM, messages)


def read_body(body: Body, messages: Sequence[WireMessage]) -> Conversation:
    """Read a request, an answer or both as one conversation."""
    entries, body = told_beside(list(read_messages(messages)), body, {"done_reason": "stop", "model": "model"})
    params = params_of(body.fields, body.path, PARAMS)
    more, ext = _options(body)
    return chat_conversation(_FORM, body, entries, (*params, *more), ext)


def _options(body: Body) -> tuple[tuple[Param, ...], tuple[Extra, ...]]:
    """Read the options that others have as parameters, and keep the others."""
    options = body.fields.get("options")
    if not isinstance(options, dict):
        return (), ()
    path = f"{body.path}/options"
    params = params_of(options, path, OPTIONS)
    rest = ((key, value) for key, value in options.items() if key not in OPTIONS)
    kept = tuple(Extra(NAME, f"/options{step(key)}", encode_text(value)) for key, value in rest)
    return params, kept if params else ()
