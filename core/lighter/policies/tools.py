"""What becomes of the definitions of tools: converted with the conversation, or left out."""

from collections.abc import Sequence

from msgspec.structs import replace

from lighter.conversation import Conversation, Param, Tool
from lighter.formats import Format
from lighter.jsontext import decode
from lighter.losses import Loss
from lighter.toolwire import chosen_names

CHOICES = ("convert", "drop")
HELP = "Definitions of tools: convert them as well, or drop them."

_ABOUT_TOOLS = ("tool_choice", "function_call", "parallel_tool_calls")
"""Parameters that say nothing without tools."""


def apply(conversation: Conversation, _choice: str, _target: Format) -> tuple[Conversation, tuple[Loss, ...]]:
    """Leave out the tools that the request declares, and the choice among them."""
    row = conversation.row
    losses = [Loss(row, tool.path, "tool", "dropped", "left out, as asked") for tool in conversation.tools]
    choices = [param for param in conversation.params if param.name in _ABOUT_TOOLS]
    losses += [_unchosen(row, param, "there are no tools to choose from") for param in choices]
    params = tuple(param for param in conversation.params if param not in choices)
    return replace(conversation, tools=(), params=params), tuple(losses)


def without_lost_choice(conversation: Conversation, losses: Sequence[Loss]) -> tuple[Conversation, tuple[Loss, ...]]:
    """Leave out the choice of a tool that a writer left out, or any choice where it left all of them out; `losses` are the writer's.

    Providers refuse both: "'tool_choice' is only allowed when 'tools' are specified"
    (https://github.com/writer/writer-framework/pull/1013).
    """
    choices = [param for param in conversation.params if param.name in _ABOUT_TOOLS]
    if not choices or not losses:
        return conversation, ()
    dropped = {(loss.feature == "tool", loss.path) for loss in losses if loss.action == "dropped"}
    gone_tools = [tool for tool in conversation.tools if tool.native is not None and (True, tool.path) in dropped]
    lost = set(map(_name_of, gone_tools))
    kept = {_name_of(tool) for tool in conversation.tools if tool not in gone_tools}
    if not lost:
        return conversation, ()
    why = "the tool that it names is left out" if kept else "there are no tools to choose from"
    gone = [
        param
        for param in choices
        if (False, param.path) not in dropped
        and (not kept or chosen_names({"tool_choice": decode(param.json)}) & (lost - kept))
    ]
    params = tuple(param for param in conversation.params if param not in gone)
    return replace(conversation, params=params), tuple(_unchosen(conversation.row, param, why) for param in gone)


def _name_of(tool: Tool) -> str:
    """Give the name of a tool; those that only one format knows tell it in what was kept of them."""
    match decode(tool.native.json) if tool.native is not None else None:
        case {"name": str(name)} if not tool.name:
            return name
        case _:
            return tool.name


def _unchosen(row: int, param: Param, why: str) -> Loss:
    return Loss(row, param.path, "tool-choice", "dropped", why)
