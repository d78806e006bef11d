"""A fault for which a package of LangChain does not load a message, and how much it matters in each form."""

from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from lighter.diagnostics import Severity
from lighter.rules._langchain_mending import Mending, retyped
from lighter.wire import type_name

if TYPE_CHECKING:
    from lighter.formats._langchain import Unwrapped


class Fault(Struct, frozen=True):
    """What is wrong in a message, and at which place, counted from the message on.

    `python`: whether langchain-core refuses it. `javascript`: @langchain/core `refuses` it, `asks` for what is missing wherever it
    does not read envelopes, `minds` it by its types alone, or `takes` it. `words` tell the refusals to quote, each by some words of it.
    """

    place: str
    said: str
    help: str
    words: tuple[str, ...] = ()
    python: bool = True
    javascript: Literal["refuses", "asks", "minds", "takes"] = "minds"
    mending: Mending | None = None


def wrong(place: str, name: str, value: Any, wanted: str, *words: str, is_needed: bool = False) -> Fault:
    """Make the fault of a value that is of another type than is wanted; one that is needed cannot be dropped."""
    mending = retyped(place, value, wanted, is_needed=is_needed)
    help_ = f"write {wanted}" if is_needed else f"write {wanted}, or drop it"
    return Fault(place, f"`{name}` is {type_name(value)}, not {wanted}", help_, words, mending=mending)


def severity_in(unwrapped: "Unwrapped", fault: Fault) -> Severity | None:
    """Say how much a fault matters in a form: by the package that reads it; None where that does not mind.

    Flat messages are for both: what one refuses and the other takes is a warning.
    """
    if is_for_python(unwrapped):
        return "error" if fault.python else None
    is_refused = fault.javascript == "refuses" or (fault.javascript == "asks" and unwrapped.shape != "js")
    if unwrapped.shape == "js" or is_stored(unwrapped):
        return "error" if is_refused else None if fault.javascript == "takes" else "warning"
    if fault.python:
        return "warning" if fault.javascript == "takes" else "error"
    return "warning" if is_refused else None


def is_for_python(unwrapped: "Unwrapped") -> bool:
    """Say whether langchain-core alone reads the form; what it stores has a `type` beside the content, too."""
    return unwrapped.shape == "lc" or (is_stored(unwrapped) and "type" in unwrapped.fields)


def is_stored(unwrapped: "Unwrapped") -> bool:
    """Say whether a message is as stores keep it, with its fields in `data`."""
    from lighter.formats._langchain import STORED_SHAPES  # noqa: PLC0415 - loaded only for LangChain's messages

    return unwrapped.shape in STORED_SHAPES
