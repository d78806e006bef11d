"""What the rules about training rows make of a row: what kind it is, and where its messages stand."""

from collections.abc import Mapping, Sequence
from typing import Any

from lighter.providers import FORMAT_ROLES
from lighter.vendors import TRAINING_KEYS

OPENAI = ("openai-finetune", "azure-finetune")


ANSWERS = ("preferred_output", "non_preferred_output")
"""Keys of a row that holds a question with a better and a worse answer."""


def is_preference(row: Mapping[str, Any]) -> bool:
    """Say whether a row holds a question with a better and a worse answer."""
    return any(key in row for key in ANSWERS)


def messages_in(row: Any) -> Sequence[Any] | None:
    """Give the messages of a row that is a conversation, None when it is no such row."""
    messages = row.get("messages") if isinstance(row, dict) else None
    return messages if isinstance(messages, list) and messages else None


def is_supervised(row: Mapping[str, Any]) -> bool:
    """Say whether a model is trained on the answers in a row: one for reinforcement has keys of its own for the grader."""
    return row.keys() <= TRAINING_KEYS


def may_answer(message: Any) -> bool:
    """Say whether a message is the assistant's, or has a role that nobody knows, which `unknown-role` tells."""
    role = role_in(message)
    return role == "assistant" or (role is not None and role not in FORMAT_ROLES["openai-chat"])


def role_in(message: Any) -> str | None:
    """Give the role of a message, None when it has none that is text."""
    role = message.get("role") if isinstance(message, dict) else None
    return role if isinstance(role, str) else None
