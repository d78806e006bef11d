"""Content parts that chats of OpenAI's general shape have in common: images by their URL, both ways."""

from collections.abc import Iterable, Mapping
from typing import Any

from lighter.conversation import BlockOrigin
from lighter.formats import SPELLING
from lighter.formats._notes import Notes
from lighter.formats._noting import note_type_of_address
from lighter.formats._reading import extras, media_source
from lighter.media import head_bytes, media_type_of
from lighter.messages import Block, Extra, MediaBlock, MediaSource
from lighter.wire import is_base64

IMAGE_DETAILS: Mapping[str, frozenset[str]] = {
    "openai-chat": frozenset(
        {"auto", "low", "high", "original"}
    ),  # openai 3.57.0, chat_completion_content_part_image_param
    "openai-responses": frozenset({"auto", "low", "high", "original"}),  # the same, ImageDetail
    "mistral": frozenset({"auto", "low", "high"}),  # mistralai 3.7.0, ImageDetail
    "cohere": frozenset({"auto", "low", "high"}),  # cohere 7.3.1, ImageUrlDetail
}
"""The details that images have in each form."""

BARE = '"bare"'
"""How a file's base64 is spelled that no `data:` stands before: JSON text of a spelling extra."""

_CLOUDS = ("s3://", "gs://")

IMAGE_FIELDS = {"data": "/image_url/url", "detail": "/image_url/detail"}
"""Where the fields of an image stand, from its part on."""


def read_image(
    name: str, part: Mapping[str, Any], image: Mapping[str, Any], url: str, known: Iterable[str] = ("type",)
) -> MediaBlock:
    """Read an image whose `url` stands in the object `image`; `known` are the keys of the part that are read elsewhere."""
    source, data, media_type = media_source(url)
    detail = known_detail(name, image.get("detail"))
    inner = extras(name, image, {"url", "detail"} if detail is not None else {"url"}, "/image_url")
    kept = (*extras(name, part, {"image_url", *known}), *inner)
    return MediaBlock("image", source, data, media_type, detail=detail, ext=kept)


def known_detail(name: str, detail: Any) -> str | None:
    """Give a detail if it is one that images have in a form."""
    return detail if isinstance(detail, str) and detail in IMAGE_DETAILS.get(name, ()) else None


def is_detailed(name: str, block: MediaBlock) -> bool:
    """Say whether the detail of media is one that they have in a form; of files those of Responses alone have any, but no `original`."""
    is_taken = block.kind == "image" or (name == "openai-responses" and block.detail != "original")
    return is_taken and known_detail(name, block.detail) is not None


def note_detail(name: str, block: MediaBlock, origin: BlockOrigin, notes: Notes) -> None:
    """Note a detail that media do not have in a form."""
    if block.detail is not None and not is_detailed(name, block):
        why = "such a detail is not known here" if name in IMAGE_DETAILS else "images have no detail here"
        notes.dropped(origin.at("detail"), "image-detail", why)


def write_image(name: str, block: MediaBlock) -> dict[str, Any]:
    """Write an image as a part of the form `name`."""
    detail = known_detail(name, block.detail)
    image = {"url": url_of(block)} | ({"detail": detail} if detail is not None else {})
    return {"type": "image_url", "image_url": image}


def is_out_of_reach(block: Block) -> bool:
    """Say whether media lie in a cloud's store, from where only the services of that cloud can fetch them."""
    return isinstance(block, MediaBlock) and block.source == "url" and block.data.startswith(_CLOUDS)


def no_place(block: Block, name: str) -> str:
    """Say why a form has no place for a block."""
    if is_out_of_reach(block):
        return "an address in a cloud's store, which only that cloud's own services can fetch"
    return f"{name} cannot hold it here"


def read_file_data(name: str, text: str) -> tuple[MediaSource, str, str | None, tuple[Extra, ...]]:
    """Read what a file holds in the form `name`: a data URL, or base64 alone, whose first bytes tell its type.

    An extra of spelling remembers which of the two it was.
    """
    source, data, media_type = media_source(text)
    if source == "base64" or not (text and is_base64(text)):
        return source, data, media_type, ()
    return "base64", text, media_type_of(head_bytes(text)), (Extra(_spelled_data(name), "", BARE),)


def file_data_of(name: str, block: MediaBlock) -> str:
    """Write what a file holds in the form `name`, as it was read."""
    return block.data if _is_bare(name, block) else url_of(block)


def _is_bare(name: str, block: MediaBlock) -> bool:
    """Say whether base64 stood in the form `name` without the beginning of a data URL."""
    form = _spelled_data(name)
    return block.source == "base64" and any((extra.format, extra.json) == (form, BARE) for extra in block.ext)


def _spelled_data(name: str) -> str:
    return f"{name}-data-{SPELLING}"


def url_of(block: MediaBlock) -> str:
    """Give the URL of media, a data URL of those that are held as base64."""
    if block.source == "url":
        return block.data
    return f"data:{block.media_type or _type_of(block)};base64,{block.data}"


def _type_of(block: MediaBlock) -> str:
    """Tell the media type of base64 by its first bytes."""
    return media_type_of(head_bytes(block.data)) or "application/octet-stream"


def note_url(block: MediaBlock, origin: BlockOrigin, notes: Notes) -> None:
    """Note the media type of base64 that came without one, and must have one in a data URL; and one that stood beside an address."""
    note_type_of_address(block, origin, notes)
    if (
        block.source == "base64"
        and block.media_type is None
        and block.kind != "audio"
        and not _is_bare(notes.target, block)
    ):
        found = _type_of(block)
        why = "nothing tells it" if found == "application/octet-stream" else "its first bytes tell it"
        notes.synthesised(origin.path, "media-type", f"a data URL must tell its type; it is {found}, {why}")
