"""What the properties of conversion compare: whole bodies, and their texts one by one."""

import copy
import json
from collections.abc import Iterable, Iterator
from typing import Any

from lighter import jsontext
from lighter.losses import Loss

TAGS = frozenset({"role", "type", "media_type", "mimeType", "mime_type", "format"})
"""Keys whose texts only say what something is."""


def exact(value: Any) -> Any:
    """Give a value as it would be read from a file: its numbers keep their literals."""
    return jsontext.decode(jsontext.encode(value))


def unified(value: Any) -> Any:
    """Take away the one freedom of spelling that a writer has: a text or a list of one plain text block."""
    match value:
        case [{"type": "text", "text": str(text), **rest}] if not rest:
            return text
        case list():
            return [unified(item) for item in value]
        case dict():
            return {key: unified(item) for key, item in value.items()}
        case _:
            return value


def named(losses: Iterable[Loss]) -> list[Loss]:
    """Give the losses that the writers of formats name; where entries of lists shifted by that, `displaced` says."""
    return [loss for loss in losses if loss.feature != "place"]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the keys that lead to each text, but for those that only say what something is."""
    if isinstance(value, dict | list) and value:
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*path, key))
    elif isinstance(value, str) and path[-1] not in TAGS:
        yield path


EVERYWHERE = ("id", "call_id", "tool_call_id", "tool_use_id", "name")
"""The keys whose values are changed wherever they occur."""


def changed(body: Any, path: tuple[Any, ...]) -> Any:
    """Change one text, and ids and names wherever they occur; base64 and URLs keep their form."""
    body = copy.deepcopy(body)
    holder = body
    for key in path[:-1]:
        holder = holder[key]
    old = holder[path[-1]]
    if path[-1] in EVERYWHERE:
        return json.loads(json.dumps(body).replace(json.dumps(old), json.dumps(old + "Q")))
    holder[path[-1]] = old + "Zq" if not old.endswith(("=", "CC")) else "QUJD" + old
    return body


def is_covered(path: str, losses: tuple[Loss, ...]) -> bool:
    """Say whether a loss names the place of a text, or one that it lies in."""
    return any(loss.action != "synthesised" and f"{path}/".startswith(f"{loss.path}/") for loss in losses)
