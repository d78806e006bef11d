"""Which format is this? All evidence of the first records is weighed together, and the reasons are told."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from lighter.conversation import Layout
from lighter.envelope import PLAIN, SAMPLE, Body, decoded, open_value
from lighter.formats import Evidence, get, names, trait
from lighter.formats._foreign import are_strangers, foreign_evidence
from lighter.formats._langchain import FORMS as LANGCHAIN
from lighter.formats._langchain_sniffing import FAULTS_ELSEWHERE, is_of_no_provider
from lighter.records import Record
from lighter.streams import Streamed, are_alike

TELLING = 4
"""The weight from which a record speaks for a format, instead of merely fitting it."""

PROVEN = 10
"""The weight of a record's own shape."""

SPEAKING = 6
"""The weight that a dialect's own peculiarities need in one record, so that what it shares with its base counts for it."""

MOST_REPEATS = 4
"""How often a weak reason counts."""


class Detection(Struct, frozen=True):
    """What a file was taken for, and why.

    `format` is None when nothing was recognised; `foreign` then names a known format that lighter cannot read. `layout` is that
    of the first conversation, `evidence` has the reasons for `format` first. `others` are formats that some records speak for
    against the rest. `is_plain`: all that speaks for the format fits every chat format, or is a fault in one. `stream`
    names the format whose pieces of streamed answers these are when they are nothing else.
    """

    format: str | None
    layout: Layout | None
    evidence: tuple[Evidence, ...]
    foreign: str | None = None
    others: tuple[str, ...] = ()
    is_plain: bool = False
    stream: str | None = None


def detect_values(values: Sequence[Any], rows: Sequence[int] | None = None) -> Detection:
    """Weigh the evidence of some records' values; `rows` are their rows in the file."""
    evidence: list[Evidence] = []
    layout: Layout | None = None
    winners: list[str] = []
    bodies: list[Body] = []
    for index, value in enumerate(values[:SAMPLE]):
        row = rows[index] if rows else index + 1
        opened = open_value(value)
        if opened.only_in is not None:
            evidence += _of_foreigners(value, row)
            continue
        parts = [Body((("", value, False),))] if opened.kind == "message" else opened.bodies
        found = list(_of_value(value, parts, row))
        bodies += parts
        is_said = opened.kind == "message" and not are_strangers([value])
        if is_said or any(map(_is_list, opened.bodies)):
            layout = layout or ("messages" if is_said else _layout(value))
        winner = _heaviest(found)
        if winner and sum(e.weight for e in found if e.format == winner) >= TELLING:
            winners.append(winner)
        evidence += found
    together = list(_of_all(bodies, rows[0] if rows else 1))
    evidence += together
    best = _heaviest(evidence) or (PLAIN if layout else None)
    known = best if best in names() else None
    # What all messages say of a chat is no mixture of it with chats, which each of them looks like.
    kin = (best, PLAIN if best in {e.format for e in together} else _base_of(best))
    others = tuple(dict.fromkeys(name for name in winners if name not in kin))
    foreign = None if known else best
    ordered = tuple(sorted(_merged(evidence), key=lambda e: (e.format != best, -e.weight)))
    own = (e for e in evidence if e.format == known)
    is_plain = known is not None and all(e.weight <= 1 or e.reason in FAULTS_ELSEWHERE for e in own)
    return Detection(known, layout if known else None, ordered, foreign, others if known else (), is_plain)


def detect_records(records: Sequence[Record]) -> Detection:
    """Weigh the evidence of some records; that they hold pieces of streamed answers is evidence by itself."""
    found = detect_values([record.value for record in records], [record.row for record in records])
    joined = [record for record in records if isinstance(record, Streamed)]
    if not joined:
        return found
    first = joined[0]
    is_told = found.format is not None and (
        first.is_within or (first.provider == PLAIN and are_alike(found.format, PLAIN))
    )
    name = found.format if is_told else first.provider
    reason = Evidence(first.provider, PROVEN, "pieces of a streamed answer", first.row)
    providers = {record.provider for record in joined} if not any(record.is_within for record in joined) else set[str]()
    return Detection(
        name,
        found.layout or "conversations",
        (reason, *found.evidence),
        others=tuple(other for other in (*found.others, *sorted(providers - {first.provider})) if other != name),
        stream=" and ".join(sorted(providers)) or None,
    )


def _layout(value: Any) -> Layout:
    return "array" if isinstance(value, list) and value and not isinstance(value[0], dict) else "conversations"


def _of_value(value: Any, bodies: Sequence[Body], row: int) -> Iterator[Evidence]:
    yield from _of_foreigners(value, row)
    for body in bodies:
        if body.format is not None:
            yield Evidence(body.format, PROVEN, "messages where only this format has them", row)
        if maker := _maker_of_batch(body):
            yield Evidence(maker, PROVEN, "a request with `custom_id`, as its batches hold it", row)
        messages = [raw for _, raw, _ in body.messages]
        of_providers = [raw for raw in messages if not is_of_no_provider(raw)]
        is_chat = body.messages_path is not None and body.messages_path.endswith("/messages")
        # A bare list that one format alone has speaks for no other, whatever its messages look like.
        for name in [body.format] if body.is_bare and body.format is not None else names():
            told = messages if name in LANGCHAIN else of_providers
            if is_chat and _has_items(name):
                told = [raw for raw in told if _is_typed(raw)]
            seen = Counter[str]()  # a message with many images is no more a provider's than one with a single image
            for weight, reason in get(name).sniff(told, body.fields, body.response):
                seen[reason] += 1
                if seen[reason] <= max(len(told), 1):
                    yield Evidence(name, weight, reason, row)


def _of_foreigners(value: Any, row: int) -> Iterator[Evidence]:
    """Weigh what speaks for formats that are not read."""
    for name, weight, reason in foreign_evidence(value):
        if name not in names():
            yield Evidence(name, weight, reason, row)


def _maker_of_batch(body: Body) -> str | None:
    """Name the format whose batches hold a request under the key under which this one stands, beside `custom_id`."""
    key = body.path.rpartition("/")[2]
    is_named = any(path.endswith("/custom_id") for path, _ in body.rest)
    return (
        next((name for name in names() if trait(name, "BATCH_BODY", otherwise=None) == key), None) if is_named else None
    )


def _of_all(bodies: Sequence[Body], row: int) -> Iterator[Evidence]:
    """Weigh what only all messages together tell."""
    messages = [raw for body in bodies for _, raw, _ in body.messages]
    fields = {key for body in bodies for key in body.fields}
    for name in names():
        sniff_all = trait(name, "sniff_all", otherwise=None)
        for weight, reason in () if sniff_all is None else sniff_all(messages, fields):
            yield Evidence(name, weight, reason, row)


def _has_items(name: str) -> bool:
    """Say whether a format lists items; under `messages`, only those that tell their type speak for it."""
    return bool(trait(name, "HAS_ITEMS", otherwise=False))


def _is_typed(raw: Any) -> bool:
    return isinstance(raw, dict) and "type" in raw


def _is_list(body: Body) -> bool:
    """Say whether a body has messages, or at least a list of them, and not those of a world without roles.

    Texts alone in a list are messages only where the format is known: most such lists are of names.
    """
    if body.only_in is not None:
        return False
    if body.messages:
        return not are_strangers([raw for _, raw, _ in body.messages])
    return isinstance(decoded(body.listed), list)


def _heaviest(evidence: Sequence[Evidence]) -> str | None:
    """Give the format with the most weight; equal weights go to OpenAI Chat, whose plain messages fit everybody.

    A weak reason counts a few times only: what merely fits does not become proof by being repeated.
    """
    weights: dict[str, int] = {}
    seen: Counter[tuple[str, str]] = Counter()
    for item in evidence:
        seen[item.format, item.reason] += 1
        if item.weight > TELLING or seen[item.format, item.reason] <= MOST_REPEATS:
            weights[item.format] = weights.get(item.format, 0) + item.weight
    for name in [name for name in weights if _base_of(name)]:
        own = weights.pop(name)
        if _speaks(name, evidence):
            weights[name] = own + weights.get(_base_of(name) or "", 0)
    return max(weights, key=lambda name: (weights[name], name == PLAIN, name), default=None)


def _speaks(name: str, evidence: Sequence[Evidence]) -> bool:
    """Say whether some record has enough of a dialect's own, whatever it has several times counted once."""
    rows: dict[int, dict[str, int]] = {}
    for item in evidence:
        if item.format == name:
            rows.setdefault(item.row, {})[item.reason] = item.weight
    return any(sum(found.values()) >= SPEAKING for found in rows.values())


def _base_of(name: str | None) -> str | None:
    """Give the format that a format is a dialect of."""
    return trait(name, "DIALECT_OF", otherwise=None) if name in names() else None


def _merged(evidence: Sequence[Evidence]) -> Iterator[Evidence]:
    """Keep the first sighting of each reason."""
    seen: set[tuple[str, str]] = set()
    for item in evidence:
        if (item.format, item.reason) not in seen:
            seen.add((item.format, item.reason))
            yield item
