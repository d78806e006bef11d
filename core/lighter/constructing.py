"""What constructors check: that fields hold text and tuples of the right parts; lists are frozen into tuples.

Checked is only what costs next to nothing, since every message that is read is constructed, too. JSON text stays unparsed.
"""

from typing import Any, NoReturn

from msgspec import Struct
from msgspec.structs import force_setattr

_OPTIONAL = (str, type(None))


def refuse(owner: Struct, field: str, expected: str) -> NoReturn:
    """Raise the TypeError for a field that holds something else than expected."""
    raise TypeError(f"{type(owner).__name__}.{field} must be {expected}, not {type(getattr(owner, field)).__name__}")


def check_texts(owner: Struct, *fields: str) -> None:
    """Refuse fields that are no text."""
    for field in fields:
        if not isinstance(getattr(owner, field), str):
            refuse(owner, field, "str")


def check_optional_texts(owner: Struct, *fields: str) -> None:
    """Refuse fields that are neither text nor None."""
    for field in fields:
        if not isinstance(getattr(owner, field), _OPTIONAL):
            refuse(owner, field, "str or None")


def freeze(owner: Struct, field: str, kinds: type | tuple[type, ...]) -> None:
    """Make a tuple of what a field holds, and refuse it when its parts are of other kinds."""
    held: Any = getattr(owner, field)
    names = " or ".join(kind.__name__ for kind in (kinds if isinstance(kinds, tuple) else (kinds,)))
    if type(held) is not tuple:
        if isinstance(held, str | bytes | Struct) or not hasattr(held, "__iter__"):
            refuse(owner, field, f"a tuple of {names}")
        held = tuple(held)
        force_setattr(owner, field, held)
    for item in held:
        if not isinstance(item, kinds):
            raise TypeError(
                f"{type(owner).__name__}.{field} must be a tuple of {names}, but holds {type(item).__name__}"
            )
