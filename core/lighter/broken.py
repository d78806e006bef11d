"""What is wrong with a piece of a file that no parser takes, and what of it can still be read; all of it without the file."""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from msgspec import Struct

from lighter.jsontext import Number, step
from lighter.scan import STRING_PATTERN, Outcome, Scanner, scan, skip_space, why

# The parsers of Go, Jackson, Python and .NET stop between 64 and 10,000 levels; orjson writes 253 and reads 1,024 of them.
MOST_LEVELS = 250
"""Levels of nesting that every parser takes."""
MOST_READABLE = 1000
"""Levels of nesting that lighter reads."""

_MAGIC = (
    b"\x89PNG", b"%PDF-", b"PK\x03\x04", b"GIF8", b"\x7fELF", b"\xff\xd8\xff", b"SQLite format 3\0", b"PAR1", b"BZh",
    b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"RIFF", b"OggS", b"ID3", b"\0asm", b"MZ", b"\x80\x04", b"\x80\x05", b"ARROW1",
)  # fmt: skip
# Each mark with what must follow it, for a JSON text begins with an ASCII character; then the same without a mark.
_ENCODINGS = (
    (re.compile(rb"\xff\xfe\0\0"), "utf-32-le"),
    (re.compile(rb"\0\0\xfe\xff"), "utf-32-be"),
    (re.compile(rb"\xff\xfe[^\0]\0"), "utf-16-le"),
    (re.compile(rb"\xfe\xff\0[^\0]"), "utf-16-be"),
    (re.compile(rb'[{\["]\0[^\0]\0'), "utf-16-le"),
    (re.compile(rb'\0[{\["]\0[^\0]'), "utf-16-be"),
)
MOST_TOLD = 100
"""Places in one record at which a fault of one kind is told; the others are counted, for nobody reads so many."""
CUT_AND_GLUED = "a record was cut, and another one stands on the same line"
_FIRST_KEY = re.compile(rb'\s*\{\s*("(?:role|messages|session_id|timestamp)"\s*:)')
_MOST_TRIES = 8
_STRING = re.compile(STRING_PATTERN, re.DOTALL)
_CONTROL = re.compile(rb"[\x00-\x1f]")
_BAD_BYTE = re.compile("[\udc80-\udcff]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# int() refuses more digits than 4300, https://docs.python.org/3/library/stdtypes.html#int-max-str-digits
_LONGEST_INTEGER = 4000


class Blemish(Struct, frozen=True):
    """A fault of a value or of a line: the rule's name, what is wrong, and where (a byte offset, or a pointer)."""

    kind: str
    message: str
    at: int = 0
    path: str = ""
    is_cut_character: bool = False


class Salvaged(Struct, frozen=True):
    """A whole value that stands somewhere on a broken line, and at which byte."""

    at: int
    data: bytes


class Broken(Struct, frozen=True):
    """What became of a broken line: its fault, the whole values on it, and whether something of it is lost."""

    fault: Blemish
    pieces: tuple[Salvaged, ...] = ()
    is_lost: bool = True


def encoding_of(start: bytes) -> str | None:
    """Recognise UTF-16 and UTF-32 by the first bytes of a file; None for all else."""
    return next((name for pattern, name in _ENCODINGS if pattern.match(start)), None)


def looks_binary(start: bytes) -> bool:
    """Say whether a file that starts like this is no text at all; NUL bytes alone do not make it so."""
    if start.startswith(_MAGIC):
        return True
    sample = start[:4096].replace(b"\0", b"")
    if sample.lstrip()[:1] in (b"{", b"[", b'"'):
        return False
    odd = len(_CONTROL.findall(sample.translate(None, b"\t\n\r\f\x1b")))
    odd += len(_BAD_BYTE.findall(sample.decode("utf-8", "surrogateescape")))
    return odd * 10 > len(sample)


def clean(line: bytes) -> tuple[bytes, Blemish | None]:
    """Take out what stands before all syntax, NUL bytes and bytes that are no UTF-8, and give the fault.

    NUL bytes go, each bad byte becomes one U+FFFD.
    """
    blemish = None
    if b"\0" in line:
        at, count = line.index(0), line.count(0)
        plural = "byte" if count == 1 else "bytes"
        blemish = Blemish("nul-bytes", f"{count} NUL {plural}, as a crashed append leaves behind", at)
        line = line.replace(b"\0", b"")
    try:
        if not line.isascii():
            line.decode("utf-8")
    except UnicodeDecodeError as error:
        text = line.decode("utf-8", "surrogateescape")
        if blemish is None:
            blemish = Blemish(
                "invalid-utf8",
                f"byte 0x{line[error.start]:02X} is no UTF-8",
                error.start,
                is_cut_character=_is_cut_character(text, line[error.start]),
            )
        line = _BAD_BYTE.sub("\ufffd", text).encode("utf-8")
    return line, blemish


def _is_cut_character(text: str, first: int) -> bool:
    places = [found.start() for found in _BAD_BYTE.finditer(text)]
    return first >= 0xC2 and len(places) <= 3 and places[-1] - places[0] == len(places) - 1


def judge(line: bytes) -> Broken:
    """Say what is wrong with a line that is not JSON by its syntax, and find the whole values on it."""
    scanner, at = scan(line)
    pieces, losses = _split(line, scanner, at)
    start = skip_space(line, 0)
    opens = line[start : start + 1] in (b"{", b"[")
    if not losses and len(pieces) > 1:
        return Broken(Blemish("glued-records", _count(len(pieces)), pieces[1].at), pieces, is_lost=False)
    is_whole = scanner.outcome is Outcome.DONE
    if is_whole:
        at = skip_space(line, at)
    follows = line[at : at + 1] if is_whole else b""
    is_cut = any(line[loss : loss + 1] in (b"{", b"[") for loss in losses)
    if opens and pieces and (is_cut or len(pieces) > 1) and (not is_whole or follows == b"{"):
        second = at if is_whole else pieces[0].at
        return Broken(Blemish("glued-records", CUT_AND_GLUED, second), pieces)
    if is_whole:
        what = "a comma follows the record" if follows == b"," else f"text follows the {_what(line[start : start + 1])}"
        return Broken(Blemish("invalid-json", f"not JSON: {what}", at), pieces, is_lost=not pieces)
    fault = Blemish("invalid-json", f"not JSON: {why(scanner, line, at)}", at)
    if not pieces and (escaped := with_escaped_controls(line)) is not None:
        return Broken(fault, (Salvaged(0, escaped),), is_lost=False)
    return Broken(fault, pieces, is_lost=opens or not pieces)


def whole_tail(line: bytes) -> Salvaged | None:
    """Find the whole record at the end of a line that breaks off: one that was cut where a value should come goes on in it.

    It looks like a value of the cut record, and is told by beginning with the same key, which no value of a record does.
    """
    first = _FIRST_KEY.match(line)
    tries = re.compile(rb"\{\s*" + first[1]).finditer(line, first.end()) if first else iter(())
    for found in islice(tries, _MOST_TRIES):
        scanner, stop = scan(line, found.start())
        if scanner.outcome is Outcome.DONE and skip_space(line, stop) == len(line):
            return Salvaged(found.start(), line[found.start() : stop])
    return None


def _what(first: bytes) -> str:
    return {b"{": "record", b"[": "array"}.get(first, "value")


def _count(number: int) -> str:
    return f"{'two' if number == 2 else number} records stand on one line"


def _split(line: bytes, scanner: Scanner, stop: int) -> tuple[tuple[Salvaged, ...], list[int]]:
    """Find the whole objects of a line and where each lost stretch starts; an array counts where nothing was lost before.

    The first value has been scanned already.
    """
    pieces: list[Salvaged] = []
    losses: list[int] = []
    at, is_lost = skip_space(line, 0), False
    while at < len(line):
        after = skip_space(line, stop)
        follows = line[after : after + 1]
        if (
            scanner.outcome is Outcome.DONE
            and _is_record(line, at, is_lost)
            and (follows in (b"", b"{") or not is_lost)
        ):
            pieces.append(Salvaged(at, line[at:stop]))
            at, is_lost = _behind_comma(line, after), False
        else:
            if not is_lost:
                losses.append(at)
            is_lost = True
            inner = line.rfind(b"{", at + 1, stop + 1)
            at = inner if inner != -1 and scanner.outcome is not Outcome.DONE else line.find(b"{", max(stop, at + 1))
            if at == -1:
                break
        scanner, stop = scan(line, at)
    return tuple(pieces), losses


def _behind_comma(line: bytes, at: int) -> int:
    """Pass by a comma between two records, which may have been items of an array."""
    behind = skip_space(line, at + 1) if line[at : at + 1] == b"," else at
    return behind if line[behind : behind + 1] == b"{" else at


def _is_record(line: bytes, at: int, is_lost: bool) -> bool:
    if line[at : at + 1] == b"{":
        inner = skip_space(line, at + 1)
        return not is_lost or line[inner : inner + 1] == b'"'
    return line[at : at + 1] == b"[" and not is_lost


def with_escaped_controls(line: bytes) -> bytes | None:
    """Escape the control characters inside strings; None when that does not make the line JSON."""
    text = line.rstrip(b"\r\n")
    escaped = _STRING.sub(lambda string: _CONTROL.sub(lambda char: b"\\u%04x" % char[0][0], string[0]), text)
    if escaped == text:
        return None
    scanner, stop = scan(escaped)
    is_whole = scanner.outcome is Outcome.DONE and skip_space(escaped, stop) == len(escaped)
    return escaped if is_whole else None


def rescue(data: bytes, marks: dict[int, int], brackets: list[int]) -> bytes | None:
    """Close a text that was cut after the last whole item of its outermost open array; None when there is no such item."""
    for depth in sorted(marks):
        if depth <= len(brackets) and brackets[depth - 1] == ord("["):
            closers = bytes(bracket + 2 for bracket in reversed(brackets[:depth]))
            return data[: marks[depth]] + closers
    return None


def read_value(data: bytes, decode: Callable[[bytes], Any], deepest: int) -> tuple[Any, list[Blemish], bool]:
    """Read a well-formed text, with what the strict parsers refuse: give the value, the faults of it, whether it was read.

    Lone surrogates and NaN are read; more nesting than a parser takes is not.
    """
    try:
        return decode(data), [], True
    except (ValueError, RecursionError):
        pass
    too_deep = Blemish("deep-nesting", f"{deepest} levels of nesting; parsers give up long before")
    if deepest > MOST_READABLE:
        return None, [too_deep], False
    try:
        value = json.loads(data.decode("utf-8", "surrogatepass"), parse_float=Number, parse_int=_integer)
    except RecursionError:
        return None, [too_deep], False
    except ValueError as error:
        return None, [Blemish("invalid-json", f"not JSON: {error}")], False
    return value, list(_blemishes(value)), True


def _integer(literal: str) -> int | Number:
    return Number(literal) if literal == "-0" or len(literal) > _LONGEST_INTEGER else int(literal)


def _blemishes(value: Any) -> Iterator[Blemish]:
    """Find the strings and numbers that no JSON can hold; of each kind the first ones, and in one more how many follow."""
    counts: Counter[str] = Counter()
    rest: dict[str, Blemish] = {}
    for blemish in _odd_leaves(value):
        counts[blemish.kind] += 1
        if counts[blemish.kind] <= MOST_TOLD:
            yield blemish
        else:
            rest.setdefault(blemish.kind, blemish)
    for kind, blemish in rest.items():
        more = counts[kind] - MOST_TOLD
        yield Blemish(kind, f"{blemish.message}{and_more(more)}", path=blemish.path)


def and_more(count: int) -> str:
    """Say that a finding stands for this many of its kind in a record, where it does for more than itself."""
    return f" (and {count - 1} more like it in this record)" if count > 1 else ""


def _odd_leaves(value: Any) -> Iterator[Blemish]:
    for path, leaf in leaves(value):
        if isinstance(leaf, str) and (found := _LONE_SURROGATE.search(leaf)):
            half = f"\\u{ord(found[0]):04x}"
            yield Blemish("lone-surrogate", f"{half} is half of a character, and no text can hold it", path=path)
        elif type(leaf) is float and not math.isfinite(leaf):
            name = "NaN" if math.isnan(leaf) else "Infinity" if leaf > 0 else "-Infinity"
            yield Blemish("nonfinite-number", f"{name} is no number of JSON", path=path)


def leaves(value: Any) -> Iterator[tuple[str, Any]]:
    """Give all strings, numbers and other leaves of a JSON value in order with their pointers; a key stands at its object.

    A key that holds a lone surrogate takes its part in no pointer, since no output could print it.
    """
    stack: list[tuple[str, Any]] = [("", value)]
    while stack:
        path, item = stack.pop()
        match item:
            case dict():
                stack.extend(reversed([pair for key, child in item.items() for pair in _entries(path, key, child)]))
            case list():
                stack.extend((path + step(index), item[index]) for index in range(len(item) - 1, -1, -1))
            case _:
                yield path, item


def _entries(path: str, key: str, child: Any) -> list[tuple[str, Any]]:
    if _LONE_SURROGATE.search(key):
        return [(path, key)]
    return [(path, key), (path + step(key), child)] if "\0" in key else [(path + step(key), child)]
