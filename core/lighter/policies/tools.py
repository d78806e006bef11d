"""What becomes of the definitions of tools: converted with the conversation, or left out."""

from msgspec.structs import replace

from lighter.conversation import Conversation
from lighter.formats import Format
from lighter.losses import Loss

CHOICES = ("convert", "drop")
HELP = "Definitions of tools: convert them as well, or drop them."


def apply(conversation: Conversation, _choice: str, _target: Format) -> tuple[Conversation, tuple[Loss, ...]]:
    """Leave out the tools that the request declares, and the choice among them."""
    row = conversation.row
    losses = [Loss(row, tool.path, "tool", "dropped", "left out, as asked") for tool in conversation.tools]
    choices = [param for param in conversation.params if param.name in ("tool_choice", "parallel_tool_calls")]
    losses += [
        Loss(row, param.path, "tool-choice", "dropped", "there are no tools to choose from") for param in choices
    ]
    params = tuple(param for param in conversation.params if param not in choices)
    return replace(conversation, tools=(), params=params), tuple(losses)
