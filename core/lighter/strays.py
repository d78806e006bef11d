"""Tool calls and results that stand where no reader looks for them: broken entries, wrong roles, another format's shapes.

Each of them is the fault of a rule of its own; pairing needs to know them so as not to report their other ends as well. What
strays look like in a format stands in its folder (`strays_of`); here is what they are made of.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct

from lighter.messages import ToolCall, blocks_of
from lighter.passage import Entry


class NativeCall(Struct, frozen=True):
    """A call of a tool with a form of its own, which the client runs; its results may name it by `own_id`, too."""

    path: str
    call_id: str
    own_id: str
    tool_name: str


class NativeResult(Struct, frozen=True):
    """The result of such a call; `is_vague`: what it names may be something else, so that it is nobody's orphan."""

    path: str
    call_id: str
    is_vague: bool = False


class Strays(Struct, frozen=True):
    """What a message holds besides its proper calls and results.

    `calls`: ids of calls whose results are nobody's orphans. `results`: ids of calls that are answered in the wrong place.
    `blanks`: how many calls have no id that could be told. `nameless`: pointers, ids and names of calls that lack only
    one of their parts, mostly the name. `native_calls` and `native_results` are whole, but no reader has a form for them.
    """

    calls: frozenset[str] = frozenset()
    results: frozenset[str] = frozenset()
    blanks: int = 0
    nameless: tuple[tuple[str, str, str], ...] = ()
    native_calls: tuple[NativeCall, ...] = ()
    native_results: tuple[NativeResult, ...] = ()


NONE = Strays()

COUNTLESS = 1_000_000
"""Stands for the number of calls when what should list them is no list at all."""


def id_text(value: Any) -> str:
    """Give an id as text; empty when there is none. Numbers pair with their text."""
    match value:
        case str():
            return value
        case int() if not isinstance(value, bool):
            return str(value)
        case _:
            return ""


def blocks_in(raw: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the content blocks of a wire message that are objects, with their indices."""
    content = raw.get("content") if isinstance(raw, dict) else None
    for index, block in enumerate(content if isinstance(content, list) else ()):
        if isinstance(block, dict):
            yield index, block


def results_without_a_role(raw: dict[str, Any]) -> set[str]:
    """Give the id of a call that a message answers in the form of an OpenAI tool message, whatever its role."""
    return {id_text(raw.get("tool_call_id"))}


def foreign_calls(raw: dict[str, Any]) -> set[str]:
    """Give the ids of calls in OpenAI's form, where none belong."""
    listed = raw.get("tool_calls")
    return {id_text(call.get("id")) for call in listed if isinstance(call, dict)} if isinstance(listed, list) else set()


def places_of_calls(entry: Entry) -> set[str]:
    """Give the places of what was read as calls."""
    blocks = zip(blocks_of(entry.message), entry.origin.blocks, strict=False)
    return {origin.path for block, origin in blocks if isinstance(block, ToolCall)}


def strays(
    calls: set[str], results: set[str], blanks: int = 0, nameless: tuple[tuple[str, str, str], ...] = ()
) -> Strays:
    """Put together what was found; empty ids name nothing."""
    if not (blanks or nameless or calls or results - {""}):
        return NONE
    return Strays(frozenset(calls - {""}), frozenset(results - {""}), blanks, nameless)


class StrayBlock(Struct, frozen=True):
    """What a content block is on the wire: a call or a result, and its fields, whatever they hold."""

    kind: Literal["call", "result"]
    fields: Mapping[str, Any]
    id_key: str


def block_strays(entry: Entry, look: Callable[[dict[str, Any]], StrayBlock | None]) -> Strays:
    """List the strays of a message whose calls and results are content blocks; `look` tells which of them a block is.

    Calls stand with the assistant, results with the user. The assistant's calls that were not read as such lack a name or an
    input, or have an odd id.
    """
    raw = entry.wire.raw
    if not isinstance(raw, dict):
        return NONE
    role, read, blanks = raw.get("role"), places_of_calls(entry), 0
    calls, results = foreign_calls(raw), results_without_a_role(raw)
    nameless: list[tuple[str, str, str]] = []
    for index, block in blocks_in(raw):
        match look(block):
            case StrayBlock("call", fields, key) if role != "assistant":
                calls.add(id_text(fields.get(key)))
            case StrayBlock("result", fields, key) if role != "user":
                results.add(id_text(fields.get(key)))
            case StrayBlock("call", fields, key) if (place := f"{entry.wire.path}/content/{index}") not in read:
                if "name" in fields or "input" in fields:
                    nameless.append((place, id_text(fields.get(key)), id_text(fields.get("name"))))
                else:
                    blanks += 1
            case _:
                pass
    return strays(calls, results, blanks, tuple(nameless))


def chat_strays(entry: Entry) -> Strays:
    """List calls and results in OpenAI's chat form, for a format that has neither."""
    raw = entry.wire.raw
    return strays(foreign_calls(raw), results_without_a_role(raw)) if isinstance(raw, dict) else NONE


def no_strays(_entry: Entry) -> Strays:
    """Say that there are none, for a format that tells nothing else."""
    return NONE
