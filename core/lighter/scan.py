"""A JSON text read token by token: whether it is well formed, where it stops being so, and what is still open at its end.

The parsers say only that a text is broken. What to make of a broken line depends on how: cut, glued to the next, spread over
lines. The scanner takes a text in pieces, so that a value printed over many lines is read as its lines come.
"""

import re
from enum import Enum, auto

STRING_PATTERN = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
"""A string by its quotes alone, whatever it holds: raw control characters and escapes that JSON does not know included."""

_BODY_PATTERN = rb'[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+'
_BODY = re.compile(_BODY_PATTERN)
_TOKEN = re.compile(
    rb'[ \t\r\n]*+(?:("'
    + _BODY_PATTERN
    + rb'")|([{}\[\],:])|((?:-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][-+]?[0-9]++)?+|true|false|null|NaN|-?Infinity)(?![\w.+-])))'
)
_SPACE = re.compile(rb"[ \t\r\n]*+")
_CUT_ESCAPE = re.compile(rb"\\(?:u[0-9a-fA-F]{0,3})?\r?\n?\Z")
_CUT_SCALAR = re.compile(
    rb"(?:-|-?(?:0|[1-9][0-9]*)(?:\.|(?:\.[0-9]+)?[eE][-+]?)|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|Na?|-?I(?:n(?:f(?:i(?:n(?:it?)?)?)?)?)?)\r?\n?\Z"
)
_LINE_END = re.compile(rb"\r?\n?\Z")
_PYTHON = re.compile(rb"(?:True|False|None|undefined)\b")


class Expects(Enum):
    """What may come next."""

    VALUE = "a value"
    FIRST_ITEM = "a value or ]"
    FIRST_KEY = "a key in double quotes or }"
    KEY = "a key in double quotes"
    COLON = "a colon"
    NEXT = "a comma or the closing bracket"
    NOTHING = "the end"


class Outcome(Enum):
    """How the reading of a piece ended."""

    DONE = auto()
    """The value is whole."""
    OPEN = auto()
    """All is well so far, and more must come."""
    IN_STRING = auto()
    """The same, and the piece ended inside a string."""
    CUT = auto()
    """The piece ended inside a number, a word or an escape, which no next line can go on with."""
    BAD = auto()
    """This is no JSON."""


_VALUE = (Expects.VALUE, Expects.FIRST_ITEM)
_KEY = (Expects.KEY, Expects.FIRST_KEY)


class Byte:
    """The marks of JSON as bytes."""

    LEFT_BRACE, RIGHT_BRACE, LEFT_BRACKET, RIGHT_BRACKET, COMMA, COLON = b"{}[],:"


class Scanner:
    """The state of reading one value; `base` is where the piece that is fed next stands in the whole text.

    `open` holds the brackets that are open, `deepest` how many there were at most, `marks` by depth of an open array the end of
    its last whole item.
    """

    def __init__(self) -> None:
        self.expects = Expects.VALUE
        self.outcome = Outcome.OPEN
        self.open: list[int] = []
        self.deepest = 0
        self.base = 0
        self.marks: dict[int, int] = {}

    def feed(self, data: bytes, at: int = 0) -> int:
        """Read on from an offset of the next piece; return where the value ended, or where the reading stopped."""
        if self.outcome is Outcome.IN_STRING:
            at = end_of_body(data, at)
            if data[at : at + 1] != b'"':
                return self._stop_in_string(data, at)
            at += 1
            self._take_string(at)
        while self.expects is not Expects.NOTHING:
            token = _TOKEN.match(data, at)
            if token is None:
                return self._stop(data, at)
            at = token.end()
            kind = token.lastindex
            if kind == 1:
                is_good = self._take_string(at)
            elif kind == 2:
                is_good = self._take_mark(data[at - 1], at)
            else:
                is_good = self._take_scalar(at)
            if not is_good:
                self.outcome = Outcome.BAD
                return skip_space(data, token.start())
        self.outcome = Outcome.DONE
        return at

    def skip_item(self, size: int, *, has_comma: bool) -> bool:
        """Take a whole item of an array that another parser has read, if one may come here."""
        if self.expects not in _VALUE or self.open[-1:] != [Byte.LEFT_BRACKET]:
            return False
        self._end_value(size)
        if has_comma:
            self.expects = Expects.VALUE
        self.outcome = Outcome.OPEN
        return True

    def _take_string(self, at: int) -> bool:
        self.outcome = Outcome.OPEN
        if self.expects in _KEY:
            self.expects = Expects.COLON
            return True
        return self._take_scalar(at)

    def _take_scalar(self, at: int) -> bool:
        if self.expects not in _VALUE:
            return False
        self._end_value(at)
        return True

    def _take_mark(self, mark: int, at: int) -> bool:
        match mark:
            case Byte.LEFT_BRACE | Byte.LEFT_BRACKET:
                return self._open(mark)
            case Byte.RIGHT_BRACE | Byte.RIGHT_BRACKET:
                return self._close(mark, at)
            case Byte.COMMA if self.expects is Expects.NEXT:
                self.expects = Expects.KEY if self.open[-1] == Byte.LEFT_BRACE else Expects.VALUE
                return True
            case Byte.COLON if self.expects is Expects.COLON:
                self.expects = Expects.VALUE
                return True
            case _:
                return False

    def _open(self, bracket: int) -> bool:
        if self.expects not in _VALUE:
            return False
        self.open.append(bracket)
        self.deepest = max(self.deepest, len(self.open))
        self.marks.pop(len(self.open), None)
        self.expects = Expects.FIRST_KEY if bracket == Byte.LEFT_BRACE else Expects.FIRST_ITEM
        return True

    def _close(self, bracket: int, at: int) -> bool:
        is_empty = self.expects is (Expects.FIRST_KEY if bracket == Byte.RIGHT_BRACE else Expects.FIRST_ITEM)
        # Both closing brackets stand two places after their opening ones in ASCII.
        if not is_empty and (self.expects is not Expects.NEXT or self.open[-1] != bracket - 2):
            return False
        self.open.pop()
        self._end_value(at)
        return True

    def _end_value(self, at: int) -> None:
        depth = len(self.open)
        self.expects = Expects.NEXT if depth else Expects.NOTHING
        if depth and self.open[-1] == Byte.LEFT_BRACKET:
            self.marks[depth] = self.base + at

    def _stop(self, data: bytes, at: int) -> int:
        at = skip_space(data, at)
        if at == len(data):
            self.outcome = Outcome.OPEN
        elif data[at : at + 1] == b'"' and self.expects in (*_VALUE, *_KEY):
            return self._stop_in_string(data, end_of_body(data, at + 1))
        elif self.expects in _VALUE and _CUT_SCALAR.match(data, at):
            self.outcome = Outcome.CUT
        else:
            self.outcome = Outcome.BAD
        return at

    def _stop_in_string(self, data: bytes, at: int) -> int:
        if _LINE_END.match(data, at):
            self.outcome = Outcome.IN_STRING
        else:
            self.outcome = Outcome.CUT if _CUT_ESCAPE.match(data, at) else Outcome.BAD
        return at


def scan(data: bytes, at: int = 0) -> tuple[Scanner, int]:
    """Read the value that starts at an offset; give the scanner, and where it stopped."""
    scanner = Scanner()
    return scanner, scanner.feed(data, at)


def end_of_body(data: bytes, at: int) -> int:
    """Tell how far the characters at an offset are those of a string: its closing quote, or what may not stand in one."""
    body = _BODY.match(data, at)
    return body.end() if body else at


def skip_space(data: bytes, at: int) -> int:
    """Tell where the next token starts."""
    space = _SPACE.match(data, at)
    return space.end() if space else at


def length_of(data: bytes) -> int:
    """Count characters; an undecodable byte counts one."""
    return len(data) if data.isascii() else len(data.decode("utf-8", "surrogateescape"))


def why(scanner: Scanner, data: bytes, at: int) -> str:
    """Say in words what is wrong where a scanner stopped."""
    here = data[at : at + 1]
    expected = f"expected {scanner.expects.value}"
    if not here or here in b"\r\n":
        return f"{expected}, but the line ends"
    if here < b" ":
        return f"control character U+{here[0]:04X} is not escaped"
    if here == b"\\":
        return f"{_shown(data, at)}{_shown(data, at + 1)} is no escape of JSON"
    if here == b"'":
        return f"{expected}, found a single quote: a Python literal is no JSON"
    if word := _PYTHON.match(data, at):
        return f"{word[0].decode()} is no value of JSON"
    if here in b"}]" and data[:at].rstrip().endswith(b","):
        return f"a comma stands before {here.decode()}"
    found = "a backtick" if here == b"`" else _shown(data, at)
    return f"{expected}, found {f'`{found}`' if len(found) == 1 else found}"


def _shown(data: bytes, at: int) -> str:
    char = data[at : at + 4].decode("utf-8", "replace")[:1]
    return char if char.isprintable() else f"U+{ord(char):04X}"
