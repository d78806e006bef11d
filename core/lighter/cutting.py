"""Taking items out of lists in Python objects; `lighter.edits_text` does it in the bytes of a JSON text."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from lighter import jsontext
from lighter.jsontext import keys_of
from lighter.objects import plain

_Paths = list[list[str]]


def without(value: Any, paths: Iterable[str]) -> Any:
    """Give a value of lists and dicts without the items of lists at some pointers; what is not touched is the same object."""
    return _without(value, [keys for path in paths if (keys := keys_of(path))])


def _by_first(paths: _Paths) -> tuple[set[str], dict[str, _Paths]]:
    """Tell which children are named themselves, and what is named inside others."""
    named = {keys[0] for keys in paths if len(keys) == 1}
    inner: dict[str, _Paths] = {}
    for keys in paths:
        if len(keys) > 1 and keys[0] not in named:
            inner.setdefault(keys[0], []).append(keys[1:])
    return named, inner


def _without(value: Any, paths: _Paths) -> Any:
    if not paths:
        return value
    named, inner = _by_first(paths)
    match value:
        case str():
            return jsontext.encode_text(_without(jsontext.decode(value), paths))
        case Mapping():
            return {key: _without(item, inner.get(str(key), [])) for key, item in value.items()}
        case Sequence() if not isinstance(value, bytes | bytearray):
            return _listed(value, named, inner)
        case _:
            return _without(plain(value), paths)


def _listed(items: Sequence[Any], named: Collection[str], inner: Mapping[str, _Paths]) -> Any:
    kept = [_without(item, inner.get(str(n), [])) for n, item in enumerate(items) if str(n) not in named]
    return tuple(kept) if isinstance(items, tuple) else kept
