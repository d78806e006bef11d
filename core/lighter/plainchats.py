"""Chats that are plain at the first look, so that the detection of formats need not be loaded."""

from collections.abc import Sequence
from typing import Any

from lighter.chat_screen import LONGEST_ID, ChatScreen
from lighter.records import Record


def are_plain_chats(head: Sequence[Record]) -> bool:
    """Say whether the first records of a file are such that detection could say nothing else of them."""
    if not head:
        return False
    screen = ChatScreen(is_logged=True, longest_id=LONGEST_ID)
    for record in head:
        value = record.value
        messages = [value]
        if type(value) is dict and "messages" in value:
            messages = value["messages"]
            if not value.keys() <= {"messages", "tools"} or not _are_functions(value.get("tools", [])):
                return False
        if (
            type(messages) is not list
            or not messages
            or not all(_is_plain_chat(message, screen) for message in messages)
        ):
            return False
    return True


def _is_plain_chat(message: Any, screen: ChatScreen) -> bool:
    """Say whether a message is as most are, whatever stands before it, and names no model."""
    if type(message) is not dict or "model" in message or "usage" in message:
        return False
    call_id = message.get("tool_call_id")
    return screen.screen([message], {call_id} if type(call_id) is str else set(), []) >= 0


def _are_functions(tools: Any) -> bool:
    return type(tools) is list and all(type(tool) is dict and "function" in tool for tool in tools)
