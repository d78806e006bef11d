"""One fault of each kind in a sound history of each format: its repair loses nothing silently, and breaks it for nobody else."""

import json
import re
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from fixed import Outcome, fixed, linted
from test_fixing_pairs import WRITERS, Part, history

from lighter.linting import LintOptions
from lighter.providers import TARGETS

Damage = Callable[[Random, list[Any]], None]
"""What is done to messages, whatever their format."""

RESULT = re.compile(rb"result \d+")
SAID = re.compile(rb"asked (?:\d+|last)|said \d+ \d+|ended \d+")
"""What the user asked and the model said, which no repair of these faults takes away."""

DROPS = {"P102", "P106", "P120"}
"""Rules that say of a result that it is dropped."""


def ends(value: list[Any]) -> list[int]:
    """Find the messages that hold calls or results."""
    return [at for at, message in enumerate(value) if re.search(r"tool_|result \d", json.dumps(message))]


def drop(random: Random, value: list[Any]) -> None:
    del value[random.choice(ends(value))]


def double(random: Random, value: list[Any]) -> None:
    at = random.choice(ends(value))
    value.insert(random.choice([at + 1, len(value)]), value[at])


def move(random: Random, value: list[Any]) -> None:
    value.insert(random.randrange(len(value)), value.pop(random.choice(ends(value))))


def split(random: Random, value: list[Any]) -> None:
    for at in random.sample(ends(value), len(ends(value))):
        for key in ("content", "parts", "tool_calls"):
            if isinstance(held := value[at].get(key), list) and len(held) > 1:
                value[at : at + 1] = [{**value[at], key: held[:1]}, {**value[at], key: held[1:]}]
                return


def interleave(random: Random, value: list[Any]) -> None:
    value.insert(random.choice(ends(value)), value[-1])


def of_leaves(keys: tuple[str, ...], *new: Any) -> Damage:
    """Write another value under one of some keys, wherever that stands."""

    def changed(random: Random, value: list[Any]) -> None:
        holders = [holder for holder in holders_in(value) if any(key in holder for key in keys)]
        if holders:
            holder = random.choice(holders)
            key = random.choice([key for key in keys if key in holder])
            holder[key] = random.choice(new) if new else holder[key][:-1] if isinstance(holder[key], str) else "{"

    return changed


def holders_in(value: Any) -> list[dict[str, Any]]:
    """Give all objects in a value."""
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [*([value] if isinstance(value, dict) else []), *(held for item in items for held in holders_in(item))]


IDS = ("id", "call_id", "tool_call_id", "tool_use_id", "toolUseId")
DAMAGES: dict[str, Damage] = {
    "missing": drop,
    "twice": double,
    "moved": move,
    "split": split,
    "interleaved": interleave,
    "without an id": of_leaves(IDS, "", None),
    "of one id": of_leaves(IDS, "call00000"),
    "of a wrong role": of_leaves(("role",), "user", "assistant", "model", "tool", "nobody"),
    "without a name": of_leaves(("name", "tool_name"), "", None),
    "of broken arguments": of_leaves(("arguments", "input", "args")),
    "lone surrogates": of_leaves(("content", "text", "output"), "Ahoy \ud83c"),
}
BYTES: dict[str, Callable[[Random, list[bytes]], None]] = {
    "glued": lambda random, lines: lines.__setitem__(
        slice(at := random.randrange(len(lines) - 1), at + 2), [lines[at] + lines[at + 1]]
    ),
    "padded": lambda random, lines: lines.insert(random.randrange(len(lines)), b"\0" * 64),
    "cut": lambda random, lines: lines.__setitem__(-1, lines[-1][: random.randrange(2, len(lines[-1]))]),
}


def sound(random: Random, name: str) -> list[Any]:
    """Make a history with results, in which all ids suit all providers."""
    parts: list[Part] = []
    while not any(part.kind == "result" for part in parts):
        parts = history(random)
    parts = [Part(part.kind, part.text, part.id and f"call{int(part.text):05}") for part in parts]
    return [json.loads(json.dumps(message)) for message in WRITERS[name][1](parts)]


def written(value: list[Any]) -> list[bytes]:
    """Write messages a line each, otherwise than whoever writes them again."""
    return [json.dumps(message, separators=(" ,", " : ")).encode() for message in value]


def damaged(kind: str, seed: int, name: str) -> tuple[bytes, bytes] | None:
    """Write a log of a format, as it was and with one fault; None where the kind changes nothing in it."""
    random = Random(f"{kind} {seed}")  # noqa: S311 - the same histories each time
    value = sound(random, name)
    before = written(value)
    if kind in DAMAGES:
        DAMAGES[kind](random, value)
    lines = written(value)
    if kind in BYTES:
        BYTES[kind](random, lines)
    return None if lines == before else (b"\n".join([*before, b""]), b"\n".join([*lines, b""]))


def accepting(data: bytes, format_name: str) -> set[str]:
    """Name the targets of a format that find no error."""
    names = [target.name for target in TARGETS.values() if target.format == format_name]
    return {name for name in names if not errors(data, LintOptions(name, None, format_name))}


def errors(data: bytes, options: LintOptions) -> list[str]:
    """Name the rules that find errors."""
    return [one.code for one in linted(data, options) if one.severity == "error"]


def judge(data: bytes, done: Outcome, format_name: str, accepted: set[str], *, is_unsafe: bool) -> str:
    """Say what is wrong with a repair; empty when nothing is."""
    kept = done.data + done.aside
    if unsaid := Counter(SAID.findall(data)) - Counter(SAID.findall(kept)):
        return f"lost {[*unsaid]}"
    lost = Counter(RESULT.findall(data)) - Counter(RESULT.findall(kept))
    if lost.total() > sum(one.code in DROPS for one in done.applied):
        return f"lost {[*lost]}"
    if not is_unsafe and set(RESULT.findall(data)) - set(RESULT.findall(kept)):
        return f"lost safely {[*lost]}"
    before = {json.dumps(value): line for line in data.splitlines() if (value := parsed(line)) is not None}
    for line in done.data.splitlines():
        old = before.get(json.dumps(parsed(line)))
        if old is not None and old.strip(b"\0") != line:
            return f"rewritten {line!r}"
    may = ("safe", "unsafe") if is_unsafe else ("safe",)
    if left := [one.code for one in done.left if one.fix and one.fix.applicability in may]:
        return f"left {left}"
    for name in accepted:
        options = LintOptions(name, None, format_name)
        # Where the last message is lost, another one ends the history.
        if brought := set(errors(done.data, options)) - set(errors(data, options)) - {"M125"}:
            return f"{name} finds {brought}"
    return ""


def parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def check(name: str, kind: str, seed: int) -> str:
    """Repair a damaged log in every way, with and without a target; say what is wrong with that."""
    made, format_name = damaged(kind, seed, name), WRITERS[name][0]
    if made is None:
        return ""
    accepted, data = accepting(made[0], format_name), made[1]
    for target in ("generic", format_name):
        options = LintOptions(target, None, format_name)
        for is_unsafe in (False, True):
            done = fixed(data, options, is_unsafe=is_unsafe)
            again = fixed(done.data, options, is_unsafe=is_unsafe)
            # What was repaired for nobody in particular need not be what somebody takes.
            asked = accepted if target == format_name else set[str]()
            wrong = judge(data, done, format_name, asked, is_unsafe=is_unsafe)
            if wrong or (again.data, again.applied) != (done.data, []):
                told = f"{name}, {kind} {seed}, {target}, {is_unsafe}: {wrong or 'done again otherwise'}"
                return "\n".join([told, data.decode(), str(done.codes), done.data.decode()])
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("kind", [*DAMAGES, *BYTES])
def test_repairs_of_one_fault_lose_nothing_and_break_nothing(kind: str, name: str) -> None:
    for seed in range(2):
        assert check(name, kind, seed) == ""
