"""Reading the arguments of a call, one function for each thing that a wire may want; `lighter.toolwire.arguments_of` is for JSON text."""

from typing import Any

from msgspec import UnsetType

from lighter.toolwire import Arguments, arguments_of


def text_or_object(value: Any) -> Arguments:
    """Read arguments where the wire takes JSON text and objects alike, and nothing else."""
    match value:
        case dict():
            return Arguments("object", value)
        case str() | UnsetType():
            return arguments_of(value)
        case _:
            return Arguments("other", value)


def object_or_nothing(value: Any) -> Arguments:
    """Read arguments where the wire takes an object, or nothing."""
    match value:
        case dict():
            return Arguments("object", value)
        case None | UnsetType():
            return Arguments("object", {})
        case _:
            return Arguments("other", value)


def object_wanted(value: Any) -> Arguments:
    """Read arguments where the wire wants an object, which may be empty."""
    match value:
        case dict():
            return Arguments("object", value)
        case UnsetType():
            return Arguments("absent")
        case _:
            return Arguments("other", value)
