"""Long logs: the stretches in which a recorded error text may stand, so that the rest need not be compared with any."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from lighter.explaining_words import Recorded

LONG = 60_000
"""Characters up to which a text is looked at as a whole."""

STEP = 800
"""Characters from the beginning of a stretch to that of the next."""

STRETCH = 2 * STEP
"""Characters of a stretch: a text on the border of two stands in a third."""

MOST_STRETCHES = 20
"""Stretches that are kept: those that hold the most of a recorded text."""

END = 8_000
"""Characters of the end, which is kept: there a traceback tells its error."""

LEAST_SHARE = 0.5
"""How much of the rarer words of a recorded text a stretch must hold."""

LEAST_WEIGHT = 1.5
"""What such a word counts; commoner ones stand everywhere."""

_WORD = re.compile(r"[^\W_]+")


def telling_part(text: str, table: Mapping[str, Recorded]) -> str:
    """Give the stretches of a long text that may hold a recorded one, and its end; a text that is not long as it is."""
    if len(text) <= LONG:
        return text
    places, totals = _index(table)
    valued = []
    before: AbstractSet[str] = frozenset()
    for start in range(0, len(text), STEP):
        words = places.keys() & _WORD.findall(text[start : start + STEP].replace("_", "").casefold())
        held: defaultdict[int, float] = defaultdict(float)
        for word in words | before:
            for at, weight in places[word]:
                held[at] += weight
        value = max((weight for at, weight in held.items() if weight >= LEAST_SHARE * totals[at]), default=0.0)
        if value:
            valued.append((value, max(start - STEP, 0)))
        before = words
    last = len(text) - END
    best = sorted(start for _, start in sorted(valued, reverse=True)[:MOST_STRETCHES] if start < last)
    return "\n".join(text[start:end] for start, end in _joined([*best, last], len(text)))


def _index(table: Mapping[str, Recorded]) -> tuple[Mapping[str, list[tuple[int, float]]], list[float]]:
    """Tell in which texts each rarer word stands, with what it counts there, and what those of each text count together."""
    places: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    totals = []
    for at, recorded in enumerate(table.values()):
        rarer = {
            word: weight
            for word, weight in zip(recorded.words, recorded.weights, strict=True)
            if weight >= LEAST_WEIGHT
        }
        for word, weight in rarer.items():
            places[word].append((at, weight))
        totals.append(sum(rarer.values()))
    return places, totals


def _joined(starts: list[int], length: int) -> Iterator[tuple[int, int]]:
    """Join stretches that overlap; the last one is the end of the text."""
    begin = end = starts[0]
    for start in starts:
        if start > end:
            yield begin, end
            begin = start
        end = start + STRETCH
    yield begin, length
