"""What is given to constructors: lists are frozen, and what is of another type is refused by the name of its field."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import lighter
from lighter import (
    AssistantMessage,
    Conversation,
    Extra,
    MediaBlock,
    Opaque,
    OpaqueBlock,
    OtherMessage,
    Param,
    ReasoningBlock,
    RefusalBlock,
    SystemMessage,
    TextBlock,
    Tool,
    ToolCall,
    ToolMessage,
    ToolResultBlock,
    UnknownMode,
    UnknownName,
    UnknownTarget,
    UserMessage,
)
from lighter.conversation import Origin
from lighter.records import Record

HI = UserMessage("hi")
WRONG: dict[str, Callable[[Any], Any]] = {
    "ToolCall.arguments": lambda wrong: ToolCall("c", "t", wrong),
    "ToolCall.tool_name": lambda wrong: ToolCall("c", wrong, "{}"),
    "ToolCall.call_id": lambda wrong: ToolCall(wrong, "t", "{}"),
    "ToolCall.opaque": lambda wrong: ToolCall("c", "t", "{}", opaque=wrong),
    "ToolCall.ext": lambda wrong: ToolCall("c", "t", "{}", ext=wrong),
    "ToolCall.cache": lambda wrong: ToolCall("c", "t", "{}", cache=wrong),
    "UserMessage.content": UserMessage,
    "UserMessage.blocks": lambda wrong: UserMessage("hi", blocks=wrong),
    "UserMessage.name": lambda wrong: UserMessage("hi", name=wrong),
    "UserMessage.group": lambda wrong: UserMessage("hi", group=wrong),
    "SystemMessage.content": SystemMessage,
    "AssistantMessage.content": AssistantMessage,
    "AssistantMessage.tool_calls": lambda wrong: AssistantMessage("", tool_calls=wrong),
    "AssistantMessage.usage": lambda wrong: AssistantMessage("", usage=wrong),
    "ToolMessage.tool_output": lambda wrong: ToolMessage("c", "t", wrong),
    "ToolMessage.is_error": lambda wrong: ToolMessage("c", "t", "", wrong),
    "OtherMessage.role": lambda wrong: OtherMessage(wrong, ""),
    "TextBlock.text": TextBlock,
    "ReasoningBlock.text": ReasoningBlock,
    "ReasoningBlock.carrier": lambda wrong: ReasoningBlock("", carrier=wrong),
    "MediaBlock.data": lambda wrong: MediaBlock("image", "url", wrong),
    "RefusalBlock.text": RefusalBlock,
    "ToolResultBlock.json": lambda wrong: ToolResultBlock("c", "t", wrong),
    "OpaqueBlock.json": lambda wrong: OpaqueBlock("f", "t", wrong),
    "Extra.json": lambda wrong: Extra("f", "", wrong),
    "Opaque.data": lambda wrong: Opaque("p", "signature", wrong),
    "Tool.parameters": lambda wrong: Tool(name="t", parameters=wrong),
    "Param.json": lambda wrong: Param("stop", wrong),
    "Conversation.messages": Conversation,
    "Conversation.tools": lambda wrong: Conversation((HI,), wrong),
    "Conversation.id": lambda wrong: Conversation((HI,), id=wrong),
}


@pytest.mark.parametrize("field", WRONG)
@pytest.mark.parametrize("wrong", [3.5, {"a": 1}, [object()]], ids=["number", "object", "list"])
def test_wrong_types_are_refused_by_field(field: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match=f"^{field} must be "):
        WRONG[field](wrong)


def test_lists_are_frozen() -> None:
    def several(*items: Any) -> Any:
        return list(items)

    def lazily(*items: Any) -> Iterator[Any]:
        yield from items

    makers: Any = (several, lazily)
    for given in makers:
        conversation = Conversation(
            given(HI),
            given(Tool(name="t", ext=given(Extra("f", "", "1")))),
            given(Param("stop", "1")),
            given(Extra("f", "", "1")),
            origins=given(Origin(1, "")),
            records=given(Record(1, b"{}", {})),
        )
        for name in ("messages", "tools", "params", "ext", "origins", "records"):
            assert type(getattr(conversation, name)) is tuple, name
        assert type(conversation.tools[0].ext) is tuple
        assert conversation.messages == (HI,)
        message = AssistantMessage(
            "", blocks=given(TextBlock("a", ext=given(Extra("f", "", "1")))), ext=given(Extra("f", "", "1"))
        )
        assert [type(held) for held in (message.blocks, message.ext, message.blocks[0].ext)] == [tuple] * 3
        assert hash(message)
        assert hash(ReasoningBlock("r", opaque=given(Opaque("p", "signature", "s"))))


def test_text_of_a_kind_of_its_own_is_text() -> None:
    class Name(str):
        __slots__ = ()

    assert UserMessage(Name("hi")) == HI


def test_the_module_lists_its_public_names() -> None:
    assert dir(lighter) == sorted(lighter.__all__)
    assert all(hasattr(lighter, name) for name in dir(lighter))


MESSAGES: list[Any] = [{"role": "user", "content": "hi"}]


def test_unknown_modes_and_targets_are_refused() -> None:
    with pytest.raises(UnknownMode, match=r"^unknown mode 'requst'; did you mean 'request'"):
        lighter.lint(MESSAGES, mode="requst")  # type: ignore[arg-type]  # as users do
    with pytest.raises(UnknownTarget, match=r"^unknown target 'palantir'; known are generic, openai-chat, .*anthropic"):
        lighter.lint(MESSAGES, target="palantir")
    with pytest.raises(UnknownTarget, match="did you mean 'anthropic'"):
        lighter.lint(MESSAGES, target="antropic")
    assert issubclass(UnknownMode, UnknownName)
    assert issubclass(UnknownTarget, UnknownName)
