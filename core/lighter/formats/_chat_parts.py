"""Content parts that chats of OpenAI's general shape have in common: images by their URL, both ways."""

from collections.abc import Iterable, Mapping
from typing import Any

from lighter.formats._reading import extras, media_source
from lighter.messages import MediaBlock

IMAGE_FIELDS = {"data": "/image_url/url", "detail": "/image_url/detail"}
"""Where the fields of an image stand, from its part on."""


def read_image(
    name: str, part: Mapping[str, Any], image: Mapping[str, Any], url: str, known: Iterable[str] = ("type",)
) -> MediaBlock:
    """Read an image whose `url` stands in the object `image`; `known` are the keys of the part that are read elsewhere."""
    source, data, media_type = media_source(url)
    detail = image["detail"] if isinstance(image.get("detail"), str) else None
    inner = extras(name, image, {"url", "detail"} if detail is not None else {"url"}, "/image_url")
    kept = (*extras(name, part, {"image_url", *known}), *inner)
    return MediaBlock("image", source, data, media_type, detail=detail, ext=kept)


def write_image(block: MediaBlock) -> dict[str, Any]:
    """Write an image as a part."""
    image = {"url": url_of(block)} | ({"detail": block.detail} if block.detail is not None else {})
    return {"type": "image_url", "image_url": image}


def url_of(block: MediaBlock) -> str:
    """Give the URL of media, a data URL of those that are held as base64."""
    if block.source == "url":
        return block.data
    return f"data:{block.media_type or 'application/octet-stream'};base64,{block.data}"
