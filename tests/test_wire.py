"""Raw messages of both wires are read with their places, and no JSON value whatever makes the reading fail."""

import base64
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from passages import passage_of

from lighter import wire
from lighter.conversation import WireMessage
from lighter.jsontext import value_at
from lighter.passage import Passage
from lighter.records import Record

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "content", "type", "text", "source", "messages", "a/b"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


def test_parts_are_walked_into_tool_results() -> None:
    image = {"type": "image", "source": {"type": "url", "url": "https://example.com/quay.png"}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": ["raw", image]}
    passage = passage_of([{"role": "user", "content": [result, {"type": "text", "text": "and?"}]}], "anthropic")
    parts = list(wire.all_parts_of(passage.messages[0]))
    places = ["/0/content/0", "/0/content/0/content/0", "/0/content/0/content/1", "/0/content/1"]
    assert [part.path for part in parts] == places
    assert [part.kind for part in parts] == ["tool_result", None, "image", "text"]
    assert parts[2].outer == parts[0]
    assert [part.path for part in wire.parts_of(passage.messages[0])] == ["/0/content/0", "/0/content/1"]


@given(message=JSON)
@settings(max_examples=200)
def test_any_message_can_be_read(message: Any) -> None:
    passage = passage_of([message], "anthropic")
    (read,) = passage.messages
    assert all(value_at([message], part.path) == part.raw for part in wire.all_parts_of(read))
    assert wire.role_of(read) is None or isinstance(wire.role_of(read), str)
    assert wire.prefill_of(passage) in (None, read)
    assert wire.list_of_messages(passage) == ("", [message])
    assert isinstance(wire.ends_in_server_tool(read), bool)
    assert wire.type_name(message)


@pytest.mark.parametrize(
    ("value", "path", "expected"),
    [
        ({"messages": "[]"}, "", ("/messages", "[]")),
        ({"request": {"messages": []}}, "/request", ("/request/messages", [])),
        ({"request": '{"messages": []}'}, "/request", ("/request/messages", [])),
        ([], "", ("", [])),
        ({"prompt": "Ahoy"}, "", None),
        ({"messages": []}, "/nowhere", None),
    ],
)
def test_list_of_messages_is_found(value: Any, path: str, expected: Any) -> None:
    assert wire.list_of_messages(Passage("openai-chat", (), Record(1, b"", value), fields_path=path)) == expected


def test_a_log_has_no_list_of_messages() -> None:
    record = Record(1, b"", {"role": "user", "content": "Ahoy"})
    passage = Passage("openai-chat", (WireMessage(record, "", record.value, 0),), record)
    assert wire.list_of_messages(passage) is None


CALL = {"type": "tool_use", "id": "toolu_1", "name": "read_tide", "input": {}}
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}


@pytest.mark.parametrize(
    ("content", "is_prefill"),
    [("title:", True), ([], True), ([{"type": "text", "text": "t"}], True), ([CALL], False), ([SEARCH], False)],
)
def test_prefill_is_what_asks_to_be_continued(content: Any, is_prefill: bool) -> None:
    talk = [{"role": "user", "content": "Title?"}, {"role": "assistant", "content": content}]
    passage = passage_of(talk, "anthropic")
    assert (wire.prefill_of(passage) is passage.messages[1]) is is_prefill
    assert wire.prefill_of(passage_of(talk, "anthropic", answers=1)) is None
    assert wire.prefill_of(passage_of(talk)) is None


def test_messages_are_given_for_their_own_wire_only() -> None:
    passage = passage_of([{"role": "user", "content": "Ahoy"}], "anthropic")
    assert wire.messages_of(passage, "anthropic") == passage.messages
    assert wire.messages_of(passage, "openai-chat") == ()


@given(data=st.binary(min_size=1, max_size=40))
def test_base64_of_either_alphabet_decodes(data: bytes) -> None:
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        text = encode(data).decode()
        assert wire.is_base64(text)
        assert wire.is_base64(text.rstrip("="))
        assert wire.is_base64("\r\n".join(text[at : at + 8] for at in range(0, len(text), 8)))


@pytest.mark.parametrize(
    "text", ["", " ", "A", "AAAAA", "AAA==", "====", "[omitted]", "data:image/png;base64,AAAA", "AAAÅ", "AA=A"]
)
def test_what_is_no_base64(text: str) -> None:
    assert not wire.is_base64(text)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("data:image/PNG;base64,AAAA", ("image/png", True, "AAAA")),
        ("DATA:;BASE64,", ("", True, "")),
        ("data:image/svg+xml;charset=utf-8,%3Csvg/%3E", ("image/svg+xml", False, "%3Csvg/%3E")),
        ("data:image/png;base64", None),
        ("https://example.com/?data:,", None),
    ],
)
def test_data_url_is_taken_apart(url: str, expected: tuple[str, bool, str] | None) -> None:
    found = wire.split_data_url(url)
    assert (found and (found.media_type, found.is_base64, found.data)) == expected
