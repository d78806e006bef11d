"""The texts of a request body one by one: where they stand, the body with one of them changed, and which of them losses name."""

import copy
import json
from collections.abc import Iterator
from typing import Any

from lighter.losses import Loss


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the keys that lead to each text, but for those that only say what something is."""
    if isinstance(value, dict | list) and value:
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*path, key))
    elif isinstance(value, str) and path[-1] not in ("role", "type", "media_type", "format"):
        yield path


def changed(body: Any, path: tuple[Any, ...]) -> Any:
    """Change one text, and ids and names wherever they occur; base64 and URLs keep their form."""
    body = copy.deepcopy(body)
    holder = body
    for key in path[:-1]:
        holder = holder[key]
    old = holder[path[-1]]
    if path[-1] in ("id", "call_id", "tool_call_id", "tool_use_id", "name"):
        return json.loads(json.dumps(body).replace(json.dumps(old), json.dumps(old + "Q")))
    holder[path[-1]] = old + "Zq" if not old.endswith(("=", "CC")) else "QUJD" + old
    return body


def is_covered(path: str, losses: tuple[Loss, ...]) -> bool:
    """Say whether a loss names the place of a text, or one that it lies in."""
    return any(loss.action != "synthesised" and f"{path}/".startswith(f"{loss.path}/") for loss in losses)
