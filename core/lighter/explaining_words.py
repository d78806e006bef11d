"""How alike two error texts are: their words without ids, numbers and quotes, aligned in order, rare words counting most."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import unescape
from math import log
from urllib.parse import unquote

from msgspec import Struct

from lighter.explaining_complaints import Complaint, complaints_in

ANYTHING = "…"
"""What stands for any words in a recorded text."""

MOST_WEIGHT = 4.0
"""What the rarest words count."""

STRANGE_WEIGHT = 2.5
"""What a word counts that stands in no recorded text."""

TELLING = frozenset({"str", "items", "temperature", "topp", "maxtokens"})
"""Names that a recorded text quotes and that are nobody's own: without them it is another error."""

SLOT_WEIGHT = 0.4
"""What a quoted name counts that only one recorded text has: somebody's tool, key or role."""

GAP = 0.2
"""What each word costs that stands between two words of a recorded text."""

MOST_WORDS = 8_000
"""Words of a pasted text that are looked at; of longer ones the end, where a traceback tells its error."""

MOST_PIECE_WORDS = 64
"""Words of a piece that can be a part of a recorded text."""

# Between the parts of JSON and `repr`, before an exception's text, and around the status that clients put before it.
_BREAK = re.compile(
    r"""[{}]|(?<![\s(\\])\\*["']\s*[:,]\s*\\*["']|\s-\s|(?:Error|Exception)\b(?:\s\w+)?:|\b[45]\d\d\b|\bBad Request\b"""
)
_COMMON = frozenset({"error", "request", "bad", "invalid"})
"""Words that clients put before any error."""

_WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")
_COMPOUND = re.compile(r"(?<![\w.:-])(?=[\w.:-]*\d)[\w.]+(?:[:-]\w+)+")
_NUMBERED = re.compile(r"[a-z]{4,}\d\d?")  # base64
_RECORDED = re.compile(rf"\w*{ANYTHING}\w*|{_WORD.pattern}")
_QUOTED = re.compile(r"""(?<!\w)(['"`])([^'"`]{1,60})\1(?!\w)""")
_ESCAPES = re.compile(r"(?<!\\)\\+(?:u([0-9a-fA-F]{4})|([nrt]))")
_PARAMETER = re.compile(r"[?&][\w-]+=")
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_MARKS = str.maketrans(dict.fromkeys("\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}", "'"))


class Recorded(Struct, frozen=True):
    """A recorded text, prepared: its words in order, what each counts, what they count together, and which must not be missing.

    `complaint`: what is wrong at which place, where its words are those of a validator.
    """

    words: tuple[str, ...]
    weights: tuple[float, ...]
    total: float
    vocabulary: frozenset[str]
    telling: frozenset[str]
    complaint: Complaint | None


class Likeness(Struct, frozen=True):
    """How much of a text stands in another (`share`, 0 to 1), and what the shared words count (`weight`)."""

    share: float
    weight: float


NOTHING = Likeness(0.0, 0.0)


def as_it_was_said(text: str) -> str:
    r"""Undo what JSON, `repr`, HTML, addresses and terminals did to a text: `\n`, `\u0027`, `&#39;`, `%20` become what they stand for."""

    def meant(found: re.Match[str]) -> str:
        return chr(int(found[1], 16)) if found[1] else "\n" if found[2] == "n" else " "

    if "%20" in text:
        text = unquote(_PARAMETER.sub("\n", text))
    return unescape(_ESCAPES.sub(meant, _COLOURS.sub("", text))).translate(_MARKS)


def words_of(text: str) -> list[str]:
    """List the words of a text in lower case; ids and numbers are left out, since no two requests share them."""
    return [_plain(word) for word in _WORD.findall(_COMPOUND.sub(" ", text)) if not _is_id(word)][-MOST_WORDS:]


def prepared(texts: Iterable[str]) -> Mapping[str, Recorded]:
    """Prepare recorded texts: what a word counts depends on how many of them have it."""
    listed = {text: _recorded_words(text) for text in dict.fromkeys(texts)}
    counts = Counter(word for words in listed.values() for word in set(words))
    return {text: _recorded(text, words, counts, len(listed)) for text, words in listed.items()}


def _recorded(text: str, words: Sequence[str], counts: Mapping[str, int], many: int) -> Recorded:
    names = {_plain(word) for found in _QUOTED.finditer(text) for word in _WORD.findall(found[2])}
    weights = tuple(
        0.0
        if word == ANYTHING
        else SLOT_WEIGHT
        if (word in names and counts[word] == 1) or word in _COMMON
        else min(MOST_WEIGHT, 0.5 + log(many / counts[word]))
        for word in words
    )
    return Recorded(
        tuple(words),
        weights,
        sum(weights),
        frozenset(words) - {ANYTHING},
        TELLING & names,
        next(iter(complaints_in(text)), None),
    )


def _recorded_words(text: str) -> list[str]:
    found = _RECORDED.findall(text)
    return [ANYTHING if ANYTHING in word else _plain(word) for word in found if not _is_id(word)]


def _is_id(word: str) -> bool:
    return any(char.isdigit() for char in word) and not _NUMBERED.fullmatch(word)


def _plain(word: str) -> str:
    return word.replace("_", "").casefold()


class Piece(Struct, frozen=True):
    """A piece of a pasted text: its words, and what they count together."""

    words: tuple[str, ...]
    total: float


class Pasted:
    """A pasted text, prepared: its words, where each of them stands, and the pieces that it may have been put together from.

    The text is `as_it_was_said`. `known` tells what each word of all recorded texts counts.
    """

    def __init__(self, text: str, known: Mapping[str, float]) -> None:
        self.known = known
        self.words = words_of(text)
        self.places: dict[str, list[int]] = {}
        for place, word in enumerate(self.words):
            self.places.setdefault(word, []).append(place)
        self.complaints = complaints_in(text)
        names = {_plain(found[2]) for found in _QUOTED.finditer(text) if _WORD.fullmatch(found[2])}
        parts = (words_of(part) for whole in (text, text.replace("\n", "{")) for part in _BREAK.split(whole))
        pieces = dict.fromkeys(tuple(part) for part in parts if 0 < len(part) <= MOST_PIECE_WORDS)
        self.pieces = [Piece(words, sum(self._count(word, names) for word in words)) for words in pieces]

    def _count(self, word: str, names: set[str]) -> float:
        """Tell what a word of a piece counts; a name in quotes is anybody's."""
        return self.known.get(word) or (SLOT_WEIGHT if word in names else STRANGE_WEIGHT)

    def share_of(self, recorded: Recorded, least: float) -> Likeness:
        """Tell how much of a recorded text stands here, where that may be `least` of it."""
        value, start, end = self._window(recorded)
        if value < least * recorded.total or not recorded.telling <= self.places.keys():
            return NOTHING
        weight = _aligned(recorded, self.words[start:end])
        return Likeness(weight / recorded.total, weight)

    def share_in(self, recorded: Recorded, least: float) -> Likeness:
        """Tell how much of a piece of this is words of a recorded text, of the best piece of which `least` may be."""
        best = NOTHING
        for piece in self.pieces:
            held = sum(self.known[word] for word in piece.words if word in recorded.vocabulary)
            if held > best.weight and held >= least * piece.total and recorded.telling.issubset(piece.words):
                weight = _aligned(recorded, piece.words)
                best = max(best, Likeness(min(weight / piece.total, 1.0), weight), key=_order)
        return best

    def _window(self, recorded: Recorded) -> tuple[float, int, int]:
        """Choose the stretch of words in which most of a recorded text may stand; the first number tells how much that is."""
        weights, wanted = dict(zip(recorded.words, recorded.weights, strict=True)), Counter(recorded.words)
        width = 2 * len(recorded.words) + 12
        hits = sorted((place, word) for word in weights for place in self.places.get(word, ()))
        inside: Counter[str] = Counter()
        best, best_at, value, first = 0.0, (0, 0), 0.0, 0
        for place, word in hits:
            inside[word] += 1
            value += weights[word] if inside[word] <= wanted[word] else 0.0
            while place - hits[first][0] >= width:
                left = hits[first][1]
                value -= weights[left] if inside[left] <= wanted[left] else 0.0
                inside[left] -= 1
                first += 1
            if value > best + 1e-9:
                best, best_at = value, (hits[first][0], place + 1)
        return best, *best_at


def _order(likeness: Likeness) -> float:
    return likeness.share * likeness.weight


def _aligned(recorded: Recorded, words: Sequence[str]) -> float:
    """Give what the words count that both have in the same order, less what stands between them."""
    row = [0.0] * (len(words) + 1)
    best = 0.0
    for wanted, weight in zip(recorded.words, recorded.weights, strict=True):
        is_any = wanted == ANYTHING
        above, row = row, [0.0]
        for at, word in enumerate(words):
            gapped = row[at] if is_any else row[at] - GAP
            matched = above[at] + weight if word == wanted else 0.0
            row.append(max(above[at + 1], gapped, matched, 0.0))
        best = max(best, *row)
    return best
