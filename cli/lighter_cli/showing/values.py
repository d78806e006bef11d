"""JSON for people: values in one line, or broken over lines only where they do not fit, every literal as it was."""

import json
from collections.abc import Iterator
from typing import Any, NoReturn

from rich.cells import cell_len

from lighter.excerpt import harmless
from lighter.jsontext import Number
from lighter.scan import Outcome, scan, skip_space

PRETTY_LIMIT = 400_000
"""Characters beyond which JSON is shown as it stands."""

DEEPEST = 100
"""Levels of nesting beyond which JSON is shown as it stands too."""


class Pairs(list[tuple[str, Any]]):
    """A JSON object: its keys in their order, doubled ones too."""


NOT_JSON = Pairs([("", NotImplemented)])


def parse(text: str) -> Any:
    """Read JSON text exactly, objects as `Pairs`; gives `NOT_JSON` for anything else, and for absurd nesting."""
    try:
        value = json.loads(text, object_pairs_hook=Pairs, parse_float=Number, parse_int=Number, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return NOT_JSON
    return NOT_JSON if _is_deep(value) else value


def is_object(text: str) -> bool:
    """Say whether text is a JSON object, however deep; `parse` gives deep ones up."""
    data = text.encode("utf-8", "surrogatepass")
    if not data.lstrip().startswith(b"{"):
        return False
    scanner, stop = scan(data)
    return scanner.outcome is Outcome.DONE and skip_space(data, stop) == len(data)


def _is_deep(value: Any) -> bool:
    level, depth = [value], 0
    while level and depth <= DEEPEST:
        level = [item for held in level if isinstance(held, list) for item in _items(held)]
        depth += 1
    return bool(level)


def _items(held: list[Any]) -> Iterator[Any]:
    return (item for _, item in held) if isinstance(held, Pairs) else iter(held)


def _refuse(literal: str) -> NoReturn:
    raise ValueError(literal)


def pretty(text: str, width: int) -> str | None:
    """Lay the JSON text of an object or a list out for people; None when it is something else, or too long for it."""
    start = text.lstrip()[:1]
    if start not in ("{", "[") or len(text) > PRETTY_LIMIT:
        return None
    value = parse(text)
    return None if value is NOT_JSON else written_long(value, "", width)


def written(value: Any) -> str:
    """Write a value in one line, harmless."""
    match value:
        case Pairs():
            return "{" + ", ".join(f"{quoted(key)}: {written(item)}" for key, item in value) + "}"
        case list():
            return "[" + ", ".join(map(written, value)) + "]"
        case str():
            return quoted(value)
        case Number():
            return value.literal
        case _:
            return json.dumps(value)


def written_long(value: Any, indent: str, width: int, used: int = 0) -> str:
    """Write a value, and break objects and lists that do not fit into `width` cells, of which some are used, over lines."""
    line = written(value)
    if not isinstance(value, list) or not value or cell_len(line) + used <= width:
        return line
    deeper = indent + "  "
    if isinstance(value, Pairs):
        keys = [f"{quoted(key)}: " for key, _ in value]
        items = (
            written_long(item, deeper, width - 2, cell_len(key)) for key, (_, item) in zip(keys, value, strict=True)
        )
        body = [deeper + key + item for key, item in zip(keys, items, strict=True)]
        return "{\n" + ",\n".join(body) + f"\n{indent}}}"
    return "[\n" + ",\n".join(deeper + written_long(item, deeper, width - 2) for item in value) + f"\n{indent}]"


def quoted(text: str) -> str:
    """Write a string as JSON, its letters as they are and whatever is harmful or unseen as an escape."""
    return harmless(json.dumps(text, ensure_ascii=False))
