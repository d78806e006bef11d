"""Random damage to files and to what they hold: what is told of repairs holds, no record is lost, and nothing else is changed."""

import copy
import io
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fixed import fixed
from test_fixable import check_promises
from test_lint_cases import cases_of, data_of
from test_samples import BAD, GOOD

from lighter.errors import NotText
from lighter.linting import LintOptions, lint_stream
from lighter.providers import TARGETS
from lighter.records import Record
from lighter.rule import MODES
from lighter.source import read_records

LONGEST = 4000
OF_BYTES = ("F101", "F102", "F103", "F104", "F105", "F106", "F108", "F109", "F118")
"""Rules about the bytes of a file, whose repairs keep all records as they are."""
PIECES = (
    b"\0", b"\0\0\0\0", b"\xff", b"\xed\xa0\xbc", b"\xc3", b"\n", b"\r\n", b"\r", b"\xef\xbb\xbf", b"{", b"}", b"[", b"]", b'"', b",",
    b"\\", b"\\ud83c", b"\\u0000", b"NaN", b"\x01", b" ", b"\xe2\x80\xa8", b"null", b"data: ", b"\n\n", b'{"role":"user","cont',
    b'{"role":"user","content":"glued 7777"}', b"no json", b"5",
)  # fmt: skip
BEFORE = (b"\xef\xbb\xbf", b"\xef\xbb\xbf" * 2, b"\0" * 8, b",", b"data: ", b"x")
BEHIND = (b"\r", b" ", b"\0\0", b",", b"\xff", b"{", b" more words", b"}")
ODD: list[Any] = [None, 0, True, "", [], {}, "x", "{", [[]], {"type": 5}, [{"type": {}}], "\ud83c", "a\0b", 10**30]
HALF = re.compile(r"\\ud[89a-f][0-9a-f]{2}|\\ufffd|\N{REPLACEMENT CHARACTER}")
ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)")

Lines = list[bytes]


def sources() -> list[tuple[str, bytes, str]]:
    """Give short files of all kinds: name, bytes, target."""
    cases = [(f"{case['id']}.json{'' if 'input' in case else 'l'}", data_of(case), case["target"]) for case in CASES]
    samples = [(path.name, path.read_bytes(), "generic") for path in (*BAD, *GOOD)]
    return [source for source in (*cases, *samples) if len(source[1]) <= LONGEST]


CASES = [*cases_of("lint_cases.jsonl"), *cases_of("lint_cases_more.jsonl")]
SOURCES = sources()


def at_a_place(data: bytes, rng: random.Random) -> bytes:
    """Put something in, take something out, or cut the rest off."""
    at = rng.randrange(len(data) + 1)
    kept = rng.choice([at, at, at, at + 1, at + 20, len(data)])
    return data[:at] + (rng.choice(PIECES) if rng.random() < 0.7 else b"") + data[kept:]


def on_a_line(data: bytes, rng: random.Random) -> bytes:
    """Change where a line begins or ends, or what it is."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    rng.choice(BY_LINE)(lines, at, rng)
    return b"\n".join(lines)


def cut_short(lines: Lines, at: int, rng: random.Random) -> None:
    lines[at] = lines[at][: rng.randrange(len(lines[at]) + 1)]


def glue(lines: Lines, at: int, rng: random.Random) -> None:
    if rng.random() < 0.5:
        cut_short(lines, at, rng)
    lines[at : at + 2] = [b"".join(lines[at : at + 2])]


def add(lines: Lines, at: int, rng: random.Random) -> None:
    lines[at] = rng.choice((*BEFORE, b"")) + lines[at] + rng.choice((*BEHIND, b""))


def spread(lines: Lines, at: int, rng: random.Random) -> None:
    parts = lines[at].split(b" ")
    cut = rng.randrange(len(parts)) + 1
    lines[at] = b" ".join(parts[:cut]) + b"\n" + b" ".join(parts[cut:])


def repeat(lines: Lines, at: int, _: random.Random) -> None:
    lines.insert(at, lines[at])


BY_LINE: tuple[Callable[[Lines, int, random.Random], None], ...] = (cut_short, glue, add, spread, repeat)


def of_values(data: bytes, rng: random.Random) -> bytes:
    """Change values of the first record; what is no JSON stays as it is."""
    try:
        text = data.decode()
        first, end = json.JSONDecoder().raw_decode(text)
    except ValueError:
        return data
    for _ in range(rng.randrange(1, 4)):
        holders = [value for value in holders_in(first) if value]
        if holders:
            holder = rng.choice(holders)
            key = rng.choice([*holder] if isinstance(holder, dict) else range(len(holder)))
            holder[key] = copy.deepcopy(rng.choice([*ODD, *holders]))
    return (json.dumps(first) + text[end:]).encode()


def holders_in(value: Any) -> Iterator[Any]:
    """Give all objects and arrays of a value."""
    if isinstance(value, dict | list):
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from holders_in(item)


def mutant(seed: int) -> tuple[str, bytes, LintOptions, bool]:
    """Damage a file; say for whom it is linted, and whether anything may be set aside."""
    rng = random.Random(seed)  # noqa: S311 - the same on each run, no secret
    name, data, target = rng.choice(SOURCES)
    if rng.random() < 0.4:
        data = of_values(data, rng)
    for _ in range(rng.choice([0, 1, 1, 2, 3, 6])):
        data = rng.choice([at_a_place, on_a_line])(data, rng)
    options = LintOptions(rng.choice([target, "generic", *TARGETS]), rng.choice([None, *MODES]))
    return name, data, options, rng.random() < 0.8


def contents(data: bytes, name: str) -> list[str]:
    """Give what the records of a file say, half characters aside."""
    items = read_records(io.BytesIO(data), filename=name, decode=lambda text: json.loads(text.decode()))
    return [HALF.sub("?", json.dumps(item.value)) for item in items if isinstance(item, Record)]


def words(data: bytes) -> Counter[str]:
    """Count the words of a text, whichever way other characters are written."""
    text = data.replace(b"\0", b"").decode("utf-8", "replace")
    return Counter(re.findall(r"[A-Za-z]{3,}", ESCAPE.sub(" ", text)))


def check(seed: int) -> None:
    """Repair a damaged file in both ways, and by the rules about its bytes alone."""
    name, data, options, may_set_aside = mutant(seed)
    try:
        if not lint_stream(io.BytesIO(data), name, options).is_recognised:
            return
    except NotText:
        return
    check_promises(name, data, options, may_set_aside=may_set_aside)
    for is_unsafe in (False, True):
        done = fixed(data, options, is_unsafe=is_unsafe, may_set_aside=may_set_aside, name=name)
        again = fixed(done.data, options, is_unsafe=is_unsafe, may_set_aside=may_set_aside, name=name)
        assert (again.data, again.applied) == (done.data, [])
    of_bytes = LintOptions(options.target, options.mode, select=OF_BYTES)
    done = fixed(data, of_bytes, may_set_aside=may_set_aside, name=name)
    assert contents(done.data, name) == contents(data, name)
    assert may_set_aside or not done.aside
    if not any("but JSON is" in one.message for one in done.applied):
        assert not words(data) - words(done.data + b"\n" + done.aside)


@pytest.mark.parametrize("start", range(0, 120, 30))
def test_what_is_said_of_repairs_holds_for_damaged_files(start: int) -> None:
    for seed in range(start, start + 30):
        check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 5000, 500))
def test_what_is_said_of_repairs_holds_for_many_damaged_files(start: int) -> None:
    for seed in range(start, start + 500):
        check(seed)
