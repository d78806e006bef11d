"""The core model: immutable, short where it can be, and one view of blocks for every message."""

import msgspec
import pytest

from lighter import (
    AssistantMessage,
    Block,
    MediaBlock,
    Message,
    OtherMessage,
    ReasoningBlock,
    SystemMessage,
    TextBlock,
    ToolCall,
    ToolMessage,
    UserMessage,
    blocks_of,
)
from lighter.messages import CacheMark, Extra, Opaque, with_blocks

CALL = ToolCall("call_add_1", "add", '{"a":19,"b":23}')
MESSAGES: list[Message] = [
    SystemMessage("Be brief."),
    UserMessage("Calculate 19 + 23."),
    AssistantMessage("", tool_calls=[CALL]),  # type: ignore[arg-type]  # a list is taken and frozen
    AssistantMessage("42.", reasoning="Add them."),
    ToolMessage("call_add_1", "add", "42"),
    OtherMessage("critic", "Good."),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_messages_cannot_change(message: msgspec.Struct) -> None:
    for name in message.__struct_fields__:
        with pytest.raises(AttributeError):
            setattr(message, name, None)
        held = getattr(message, name)
        assert not isinstance(held, list | dict | set), name
    assert hash(message) == hash(msgspec.structs.replace(message))


def test_a_list_given_to_a_constructor_does_not_leak_in() -> None:
    calls = [CALL]
    message = AssistantMessage("", tool_calls=calls)  # type: ignore[arg-type]  # as above
    calls.clear()
    assert message.tool_calls == (CALL,)


def test_roles_are_those_of_the_classes() -> None:
    assert [message.role for message in MESSAGES] == ["system", "user", "assistant", "assistant", "tool", "critic"]


def test_is_error_has_three_values() -> None:
    assert [ToolMessage("c", "t", "", flag).is_error for flag in (True, False, None)] == [True, False, None]
    assert ToolMessage("c", "t", "").is_error is False


def test_tool_messages_read_like_all_others() -> None:
    assert ToolMessage("c", "t", "42").content == "42"


def test_blocks_view_of_short_messages() -> None:
    message = AssistantMessage("It is 42.", reasoning="Add.", tool_calls=(CALL,))
    assert blocks_of(message) == (ReasoningBlock("Add."), TextBlock("It is 42."), CALL)
    assert blocks_of(UserMessage("")) == ()
    assert blocks_of(ToolMessage("c", "t", "42")) == (TextBlock("42"),)


SHORT: list[tuple[Block, ...]] = [
    (),
    (TextBlock("a"),),
    (ReasoningBlock("r"), TextBlock("a"), CALL),
    (CALL, CALL),
]
LONG: list[tuple[Block, ...]] = [
    (TextBlock("a"), TextBlock("b")),
    (CALL, TextBlock("after")),
    (TextBlock("a", cache=CacheMark()),),
    (ReasoningBlock("r", (Opaque("anthropic", "signature", "sig"),)), TextBlock("a")),
    (MediaBlock("image", "url", "https://example.com/a.png"),),
    (TextBlock("a", ext=(Extra("anthropic", "/x", "1"),)),),
]


@pytest.mark.parametrize("blocks", SHORT + LONG, ids=str)
def test_blocks_are_held_in_the_shortest_form(blocks: tuple[Block, ...]) -> None:
    message = with_blocks(AssistantMessage(""), blocks)
    assert blocks_of(message) == blocks
    assert bool(message.blocks) == (blocks in LONG)
    assert with_blocks(message, blocks_of(message)) == message


def test_short_fields_are_views_of_blocks() -> None:
    message = with_blocks(AssistantMessage(""), (TextBlock("first"), CALL, ReasoningBlock("why"), TextBlock("last")))
    assert (message.content, message.reasoning, message.tool_calls) == ("first\n\nlast", "why", (CALL,))
