"""lighter: read, lint, show and convert LLM conversation transcripts. This module is the whole public interface."""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from lighter.conversation import Conversation, Param, Tool
    from lighter.conversion import Conversion, convert, dump
    from lighter.detection import Detection
    from lighter.diagnostics import Diagnostic
    from lighter.errors import (
        CannotHold,
        LighterError,
        NotFixed,
        NotRecognised,
        NotText,
        UnknownFormat,
        UnknownMode,
        UnknownName,
        UnknownRule,
        UnknownTarget,
        UnreadableInput,
    )
    from lighter.explaining import Explanation, explain
    from lighter.fixing import FixResult, fix
    from lighter.lint_files import lint
    from lighter.losses import Loss
    from lighter.messages import (
        AssistantMessage,
        Block,
        CacheMark,
        Extra,
        MediaBlock,
        Message,
        Opaque,
        OpaqueBlock,
        OtherMessage,
        ReasoningBlock,
        RefusalBlock,
        SystemMessage,
        TextBlock,
        ToolCall,
        ToolMessage,
        ToolResultBlock,
        UserMessage,
        blocks_of,
    )
    from lighter.objects import detect, parse
    from lighter.reading import load
    from lighter.trimming import Trimmed, trim

_HOMES = {
    "conversation": ("Conversation", "Param", "Tool"),
    "conversion": ("Conversion", "convert", "dump"),
    "detection": ("Detection",),
    "diagnostics": ("Diagnostic",),
    "errors": (
        "CannotHold",
        "LighterError",
        "NotFixed",
        "NotRecognised",
        "NotText",
        "UnknownFormat",
        "UnknownMode",
        "UnknownName",
        "UnknownRule",
        "UnknownTarget",
        "UnreadableInput",
    ),
    "explaining": ("Explanation", "explain"),
    "fixing": ("FixResult", "fix"),
    "lint_files": ("lint",),
    "losses": ("Loss",),
    "messages": (
        "AssistantMessage",
        "Block",
        "CacheMark",
        "Extra",
        "MediaBlock",
        "Message",
        "Opaque",
        "OpaqueBlock",
        "OtherMessage",
        "ReasoningBlock",
        "RefusalBlock",
        "SystemMessage",
        "TextBlock",
        "ToolCall",
        "ToolMessage",
        "ToolResultBlock",
        "UserMessage",
        "blocks_of",
    ),
    "objects": ("detect", "parse"),
    "reading": ("load",),
    "trimming": ("Trimmed", "trim"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "AssistantMessage",
    "Block",
    "CacheMark",
    "CannotHold",
    "Conversation",
    "Conversion",
    "Detection",
    "Diagnostic",
    "Explanation",
    "Extra",
    "FixResult",
    "LighterError",
    "Loss",
    "MediaBlock",
    "Message",
    "NotFixed",
    "NotRecognised",
    "NotText",
    "Opaque",
    "OpaqueBlock",
    "OtherMessage",
    "Param",
    "ReasoningBlock",
    "RefusalBlock",
    "SystemMessage",
    "TextBlock",
    "Tool",
    "ToolCall",
    "ToolMessage",
    "ToolResultBlock",
    "Trimmed",
    "UnknownFormat",
    "UnknownMode",
    "UnknownName",
    "UnknownRule",
    "UnknownTarget",
    "UnreadableInput",
    "UserMessage",
    "__version__",
    "blocks_of",
    "convert",
    "detect",
    "dump",
    "explain",
    "fix",
    "lint",
    "load",
    "parse",
    "trim",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: the command line would pay for all of them at every start."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'lighter' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - as above

    value = getattr(import_module(f"lighter.{_HOME_OF[name]}"), name)
    globals()[name] = value  # also over the submodule of that name, which importing it has put here
    return value


def __dir__() -> list[str]:
    """List the public names, also those that are not imported yet."""
    return sorted(__all__)
