"""Media in chats: details that a form does not have, types that base64 came without, addresses that nobody there can fetch."""

from typing import Any

import pytest
from strategies.values import PNG

from lighter import convert

CHAT, RESPONSES = "openai-chat", "openai-responses"
NOISE = "aGVsbG8="
"""Base64 of no known kind of file."""


def chat(*images: dict[str, Any]) -> dict[str, Any]:
    parts = [{"type": "image_url", "image_url": image} for image in images]
    return {"messages": [{"role": "user", "content": [{"type": "text", "text": "q"}, *parts]}]}


def images_in(value: Any, *keys: str) -> list[Any]:
    """Give what stands under any of these keys, anywhere."""
    if isinstance(value, list):
        return [found for item in value for found in images_in(item, *keys)]
    if not isinstance(value, dict):
        return []
    own = [held for key, held in value.items() if key in keys]
    return own + [found for held in value.values() for found in images_in(held, *keys)]


DETAILS = [
    ("original", RESPONSES, ["original"], []),
    ("original", "mistral", [], ["dropped"]),
    ("original", "cohere", [], ["dropped"]),
    ("original", "gemini", [], ["synthesised", "dropped"]),
    ("ultra", RESPONSES, ["auto"], ["dropped", "synthesised"]),
    ("ultra", "cohere", [], ["dropped"]),
    *((detail, to, [detail], []) for detail in ("auto", "low", "high") for to in (RESPONSES, "mistral", "cohere")),
]


@pytest.mark.parametrize(("detail", "to", "written", "actions"), DETAILS)
def test_details_are_those_of_the_form(detail: str, to: str, written: list[str], actions: list[str]) -> None:
    value = chat({"url": "https://example.com/a.png", "detail": detail})
    done = convert(value, to, CHAT)
    assert images_in(done.value, "detail", "mediaResolution") == written
    assert [loss.action for loss in done.losses] == actions
    dropped = [loss.path for loss in done.losses if loss.action == "dropped"]
    assert dropped == ["/messages/0/content/1/image_url/detail"] * len(dropped)
    assert convert(value, CHAT, CHAT).value == value


def test_a_detail_of_a_file_is_no_detail_in_a_chat() -> None:
    part = {"type": "input_file", "file_data": "data:application/pdf;base64,JVBE", "detail": "high"}
    done = convert({"input": [{"role": "user", "content": [part]}]}, CHAT, RESPONSES)
    assert [(loss.action, loss.path) for loss in done.losses] == [("dropped", "/input/0/content/0/detail")]


@pytest.mark.parametrize("to", [CHAT, RESPONSES, "mistral", "cohere"])
@pytest.mark.parametrize(("data", "media_type"), [(NOISE, "application/octet-stream"), (PNG, "image/png")])
def test_a_type_that_base64_came_without_is_added(data: str, media_type: str, to: str) -> None:
    media = {"type": "media", "kind": "image", "source": "base64", "data": data}
    value = {"messages": [{"role": "user", "content": "", "blocks": [media]}]}
    done = convert(value, to, "lighter")
    (url,) = (
        found if isinstance(found, str) else found["url"] for found in images_in(done.value, "image_url") if found
    )
    assert url == f"data:{media_type};base64,{data}"
    told = [(loss.action, loss.path) for loss in done.losses if loss.feature == "media-type"]
    assert told == [("synthesised", "/messages/0/blocks/0")]


@pytest.mark.parametrize(("data", "is_told"), [(NOISE, True), (PNG, False)])
@pytest.mark.parametrize("to", [CHAT, RESPONSES, "mistral", "cohere", "anthropic", "gemini", "gemini-interactions"])
def test_images_of_ollama_that_tell_no_type_are_named(to: str, data: str, is_told: bool) -> None:
    done = convert({"messages": [{"role": "user", "content": "q", "images": [data]}]}, to, "ollama")
    told = [(loss.action, loss.path) for loss in done.losses if loss.feature == "media-type"]
    assert told == [("synthesised", "/messages/0/images/0")] * is_told


S3: list[tuple[str, dict[str, Any], str]] = [
    ("bedrock", {"messages": [{"role": "user", "content": [{"text": "q"}, {"document": {"format": "pdf", "name": "d", "source": {"s3Location": {"uri": "s3://b/k.pdf"}}}}]}]}, "/messages/0/content/1"),
    ("bedrock", {"messages": [{"role": "user", "content": [{"text": "q"}, {"image": {"format": "png", "source": {"s3Location": {"uri": "s3://b/k.png"}}}}]}]}, "/messages/0/content/1"),
    (CHAT, chat({"url": "s3://b/k.png"}), "/messages/0/content/1"),
]  # fmt: skip


@pytest.mark.parametrize("to", [CHAT, RESPONSES, "mistral", "cohere", "anthropic", "gemini", "gemini-interactions"])
@pytest.mark.parametrize(("source", "value", "path"), S3)
def test_addresses_in_a_cloud_are_of_no_use_elsewhere(source: str, value: dict[str, Any], path: str, to: str) -> None:
    done = convert(value, to, source)
    if to == source:
        assert done.value == value
        return
    assert "s3://" not in repr(done.value)
    assert [loss.path for loss in done.losses if loss.action == "dropped"] == [path]


def test_addresses_in_a_cloud_of_its_own_are_fetched() -> None:
    there = convert(chat({"url": "s3://b/k.png"}), "bedrock", CHAT)
    assert images_in(there.value, "uri") == ["s3://b/k.png"]
    own = convert(chat({"url": "gs://b/k.png"}), "gemini", CHAT)
    assert images_in(own.value, "fileUri") == ["gs://b/k.png"]


PDF = "JVBERi0xLjQKJeLjz9MK"
BARE: list[tuple[str, dict[str, Any]]] = [
    (CHAT, {"messages": [{"role": "user", "content": [{"type": "file", "file": {"filename": "r.pdf", "file_data": PDF}}, {"type": "text", "text": "q"}]}]}),
    (RESPONSES, {"input": [{"role": "user", "content": [{"type": "input_file", "filename": "r.pdf", "file_data": PDF}, {"type": "input_text", "text": "q"}]}]}),
]  # fmt: skip
URL = f"data:application/pdf;base64,{PDF}"


@pytest.mark.parametrize(
    ("to", "key", "written"),
    [
        ("mistral", "document_url", URL),
        ("anthropic", "data", PDF),
        ("gemini", "data", PDF),
        ("bedrock", "bytes", PDF),
        (CHAT, "file_data", URL),
        (RESPONSES, "file_data", URL),
        ("lighter", "data", PDF),
    ],
)
@pytest.mark.parametrize(("form", "value"), BARE)
def test_base64_of_a_file_needs_no_data_url(form: str, value: dict[str, Any], to: str, key: str, written: str) -> None:
    """Its first bytes tell the type; in its own form it comes back as it was, through lighter's form as well."""
    done = convert(value, to, form)
    assert images_in(done.value, key) == [PDF if to == form else written]
    assert not [loss for loss in done.losses if loss.action == "dropped"]
    if to == "lighter":
        assert convert(done.value, form, "lighter").value == value
