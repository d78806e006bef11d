"""What a media block holds, told from its first bytes: media type, size in bytes, and size in pixels."""

import binascii
import re
import struct

from msgspec import Struct

from lighter.messages import MediaBlock
from lighter.wire import split_data_url

_HEAD = 512 * 1024
"""Base64 characters that are looked at: a JPEG tells its size only behind its metadata and thumbnail."""

_SPACE = re.compile(r"\s+")
_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"OggS", "audio/ogg"),
    (b"fLaC", "audio/flac"),
    (b"ID3", "audio/mpeg"),
)
_IN_RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav"}
_JPEG_SIZED = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""Start-of-frame markers (ITU T.81, table B.1): all of C0..CF except the Huffman, reserved and arithmetic ones."""
_JPEG_BARE = frozenset({0x01, 0xFF, *range(0xD0, 0xD9)})
"""Markers without a length: TEM, fill bytes, restarts and start of image."""


class MediaFacts(Struct, frozen=True):
    """What is known of a medium; None where the bytes do not tell (or are not here: a URL, a file id).

    `declared` is the media type that the log claims, `found` the one that the bytes show.
    """

    declared: str | None = None
    found: str | None = None
    byte_size: int | None = None
    width: int | None = None
    height: int | None = None

    @property
    def media_type(self) -> str | None:
        """The type that the bytes show, else the one that is claimed."""
        return self.found or self.declared


def facts_of(block: MediaBlock) -> MediaFacts:
    """Tell type, byte size and pixel size of a media block, never fetching anything."""
    declared, data = block.media_type, block.data
    if block.source == "url":
        url = split_data_url(data)
        if url is None:
            return MediaFacts(declared)
        declared, data = declared or url.media_type or None, url.data
        if not url.is_base64:
            return MediaFacts(declared, byte_size=len(data))
    elif block.source != "base64":
        size = len(data.encode("utf-8", "replace")) if block.source == "text" else None
        return MediaFacts(declared, byte_size=size)
    head = head_bytes(data)
    width, height = pixel_size(head) or (None, None)
    return MediaFacts(declared, media_type_of(head), base64_size(data), width, height)


def base64_size(data: str) -> int:
    """Count the bytes that base64 text stands for, without decoding it."""
    spaces = sum(map(data.count, " \t\r\n"))
    return (len(data) - spaces - data.count("=", -4)) * 3 // 4


def head_bytes(data: str) -> bytes:
    """Decode the beginning of base64 text (both alphabets); empty when it is no base64."""
    head = _SPACE.sub("", data[:_HEAD]).rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        return binascii.a2b_base64(head[: len(head) // 4 * 4])
    except (binascii.Error, ValueError):
        return b""


def media_type_of(head: bytes) -> str | None:
    """Recognise a media type by the magic bytes at its start."""
    if head[:4] == b"RIFF":
        return _IN_RIFF.get(head[8:12])
    return next((media_type for magic, media_type in _MAGIC if head.startswith(magic)), None)


def pixel_size(head: bytes) -> tuple[int, int] | None:
    """Read width and height of a PNG, GIF, WebP or JPEG from its header."""
    match media_type_of(head):
        case "image/png" if len(head) >= 24:
            return struct.unpack(">II", head[16:24])
        case "image/gif" if len(head) >= 10:
            return struct.unpack("<HH", head[6:10])
        case "image/webp" if len(head) >= 30:
            return _webp_size(head)
        case "image/jpeg":
            return _jpeg_size(head)
    return None


def _webp_size(head: bytes) -> tuple[int, int] | None:
    """Read the size as the WebP container specification lays out its three kinds of first chunk."""
    match head[12:16]:
        case b"VP8 ":
            width, height = struct.unpack("<HH", head[26:30])
            return width & 0x3FFF, height & 0x3FFF
        case b"VP8L":
            bits = int.from_bytes(head[21:25], "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            return int.from_bytes(head[24:27], "little") + 1, int.from_bytes(head[27:30], "little") + 1
    return None


def _jpeg_size(head: bytes) -> tuple[int, int] | None:
    """Walk the segments to the start of frame, which holds the size."""
    at = 2
    while at + 9 <= len(head) and head[at] == 0xFF:
        marker = head[at + 1]
        if marker in _JPEG_SIZED:
            height, width = struct.unpack(">HH", head[at + 5 : at + 9])
            return width, height
        at += 1 if marker == 0xFF else 2 if marker in _JPEG_BARE else 2 + int.from_bytes(head[at + 2 : at + 4], "big")
    return None
