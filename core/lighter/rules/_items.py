"""What the rules about OpenAI's Responses make of an item: its type, and whether the model or somebody else made it."""

from collections.abc import Mapping, Sequence
from typing import Any

from lighter.conversation import WireMessage
from lighter.passage import Passage
from lighter.wire import fields_of, messages_of, role_of

TARGETS = ("openai-responses", "azure-openai")
"""Who reads items."""

ID_PREFIXES: Mapping[str, str] = {"function_call": "fc", "custom_tool_call": "ctc", "reasoning": "rs", "message": "msg"}
"""How the ids of some types of items begin; of the others no refusal was seen."""

_NOT_OF_MODEL = frozenset(
    {"additional_tools", "compaction_trigger", "configuration_update", "mcp_approval_response", "reasoning"}
)


def items_of(passage: Passage) -> Sequence[WireMessage]:
    """Give the items that a request sends; those of its answer are the provider's own."""
    return [item for item in messages_of(passage, "openai-responses") if not item.is_response]


def kind_of(item: WireMessage) -> str:
    """Give an item's type; messages may leave it out."""
    kind = fields_of(item).get("type", "message")
    return kind if isinstance(kind, str) else ""


def id_of(item: WireMessage) -> str | None:
    """Give an item's own id, None when it has none that is text."""
    own: Any = fields_of(item).get("id")
    return own if isinstance(own, str) else None


def is_of_model(item: WireMessage) -> bool:
    """Say whether the model made an item: its message, a call, or the whole of a tool that the provider runs."""
    kind = kind_of(item)
    if kind == "message":
        return role_of(item) == "assistant"
    return kind not in _NOT_OF_MODEL and not kind.endswith("_output")
