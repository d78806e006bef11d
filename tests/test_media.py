"""What a medium is, told from its first bytes: type, bytes, pixels; and from no bytes at all."""

import base64
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lighter.media import MediaFacts, base64_size, facts_of
from lighter.messages import MediaBlock

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + struct.pack(">II", 640, 480) + b"\x08\x02\x00\x00\x00"
GIF = b"GIF89a" + struct.pack("<HH", 7, 9) + b"\x00\x00\x00"
JPEG = (
    b"\xff\xd8"
     b"\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
     b"\xff\xdb\x00\x43" + bytes(65)
    + b"\xff\xc4\x00\x04\x00\x00"
    + b"\xff\xff\xc2\x00\x0b\x08" + struct.pack(">HH", 300, 400) + b"\x01\x11\x00"
)  # fmt: skip
WEBP_LOSSY = (
    b"RIFF\x00\x00\x00\x00WEBPVP8 " + bytes(4) + b"\x00\x00\x00\x9d\x01\x2a" + struct.pack("<HH", 0x4000 | 55, 66)
)
WEBP_LOSSLESS = b"RIFF\x00\x00\x00\x00WEBPVP8L" + bytes(4) + b"\x2f" + (122 | 44 << 14).to_bytes(4, "little") + bytes(8)
WEBP_EXTENDED = b"RIFF\x00\x00\x00\x00WEBPVP8X" + bytes(8) + (99).to_bytes(3, "little") + (49).to_bytes(3, "little")


@pytest.mark.parametrize(
    ("data", "media_type", "size"),
    [
        (PNG, "image/png", (640, 480)),
        (GIF, "image/gif", (7, 9)),
        (JPEG, "image/jpeg", (400, 300)),
        (WEBP_LOSSY, "image/webp", (55, 66)),
        (WEBP_LOSSLESS, "image/webp", (123, 45)),
        (WEBP_EXTENDED, "image/webp", (100, 50)),
        (b"%PDF-1.7\n", "application/pdf", (None, None)),
        (b"RIFF\x24\x00\x00\x00WAVEfmt ", "audio/wav", (None, None)),
        (b"ID3\x04\x00\x00\x00\x00\x00\x00", "audio/mpeg", (None, None)),
        (b"no medium at all", None, (None, None)),
        (PNG[:10], "image/png", (None, None)),
        (JPEG[:30], "image/jpeg", (None, None)),
    ],
)
def test_bytes_tell_type_and_pixels(data: bytes, media_type: str | None, size: tuple[int | None, int | None]) -> None:
    facts = facts_of(MediaBlock("image", "base64", base64.b64encode(data).decode()))
    assert (facts.found, (facts.width, facts.height), facts.byte_size) == (media_type, size, len(data))


def test_the_claimed_type_stands_beside_the_found_one() -> None:
    facts = facts_of(MediaBlock("image", "base64", base64.b64encode(PNG).decode(), "image/jpeg"))
    assert (facts.declared, facts.found, facts.media_type) == ("image/jpeg", "image/png", "image/png")


@pytest.mark.parametrize(
    ("block", "facts"),
    [
        (MediaBlock("image", "url", "https://example.org/a.png"), MediaFacts()),
        (MediaBlock("image", "file_id", "file-1", "image/png"), MediaFacts("image/png")),
        (MediaBlock("document", "text", "naïve"), MediaFacts(byte_size=6)),
        (MediaBlock("document", "url", "data:text/plain,hello"), MediaFacts("text/plain", byte_size=5)),
        (
            MediaBlock("image", "url", "data:image/gif;base64," + base64.b64encode(GIF).decode()),
            MediaFacts("image/gif", "image/gif", len(GIF), 7, 9),
        ),
    ],
)
def test_nothing_is_fetched(block: MediaBlock, facts: MediaFacts) -> None:
    assert facts_of(block) == facts


@given(st.binary(max_size=200), st.integers(1, 80))
def test_base64_is_counted_without_decoding(data: bytes, width: int) -> None:
    text = base64.b64encode(data).decode()
    assert base64_size(text) == len(data)
    assert base64_size("\n".join(text[at : at + width] for at in range(0, len(text), width))) == len(data)


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda data: base64.b64encode(JPEG[:20] + data).decode()))
def test_any_text_has_facts(text: str) -> None:
    facts = facts_of(MediaBlock("image", "base64", text))
    assert facts.byte_size is not None
    assert facts.byte_size >= 0
