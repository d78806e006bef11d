"""Names of tools that Bedrock takes, the same in definitions, choices and calls."""

import re
from collections.abc import Iterable

from lighter.conversation import Conversation
from lighter.formats._call_ids import digest
from lighter.messages import AssistantMessage

_LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,64}", re.ASCII)
"""`ToolName` of the service model."""


class ToolNames:
    """Gives each tool a name that Bedrock takes: its own where that is legal, else its legal characters and a hash of it."""

    def __init__(self, conversation: Conversation) -> None:
        self._taken = {name for name in _all_names(conversation) if _LEGAL.fullmatch(name)}
        self._made: dict[str, str] = {}

    def of(self, name: str) -> str:
        """Give the name to write for a tool's name."""
        if name in self._taken:
            return name
        if name not in self._made:
            self._made[name] = name if _LEGAL.fullmatch(name) else self._new(name)
        return self._made[name]

    def _new(self, name: str) -> str:
        stem = re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:51]
        for attempt in range(1000):
            ending = digest(attempt, name)[:12]
            made = f"{stem}_{ending}" if stem else f"t{ending}"
            if made not in self._taken and made not in self._made.values():
                return made
        raise AssertionError("a hash that meets a thousand others")


def _all_names(conversation: Conversation) -> Iterable[str]:
    yield from (tool.name for tool in conversation.tools)
    for message in conversation.messages:
        if isinstance(message, AssistantMessage):
            yield from (call.tool_name for call in message.tool_calls)
