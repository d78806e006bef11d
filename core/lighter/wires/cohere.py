"""Calls and results in Cohere's chats: arguments as JSON text (cohere 7.3.1 `ToolCallV2Function`)."""

from lighter.wires._chat import calls_in as calls_of
from lighter.wires._chat import results_in as results_of

__all__ = ["calls_of", "results_of"]
