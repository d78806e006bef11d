"""An image whose base64 is longer than Anthropic takes is told; such a text is too long for an example of the rule."""

import pytest

import lighter
from lighter.providers import MAX_IMAGE_BYTES


@pytest.mark.parametrize(("more", "is_told"), [(0, False), (4, True)])
def test_the_bytes_of_an_image_are_counted(more: int, *, is_told: bool) -> None:
    data = "iVBORw0KGgoAAAANSUhEUgAAAGQAAABkCAIAAAD/gAID".ljust(MAX_IMAGE_BYTES + more, "A")
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
    found = lighter.lint({"messages": [{"role": "user", "content": [image]}]}, target="anthropic", mode="request")
    assert [item.name for item in found] == ["image-too-large"] * is_told
