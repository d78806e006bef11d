"""Answers whose pieces stand in one record: a list of them, or a request beside them, as objects or as text."""

import io
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from lighter import jsontext
from lighter.assembling import answer_bytes, assembled
from lighter.envelope import Opened, shifted
from lighter.errors import LighterError
from lighter.jsontext import step
from lighter.losses import Loss
from lighter.records import LineFault, Record
from lighter.session_events import is_of_session
from lighter.streams import HOLDERS, Streamed, are_pieces, is_event_text

_ANSWER_KEYS = frozenset({"response", "response_obj", "result", "output", "modelOutput"})
"""Keys of a record under which an answer is looked for; see `lighter.envelope`."""

_INNER_KEYS = frozenset({"body", "message", "response", "outputBodyJson"})
"""The same for keys inside of what stands there."""


def joined_within(record: Record) -> Record:
    """Join the answers whose pieces one record holds: a list of pieces, or a request with them, as objects or as text."""
    if is_of_session(record.value):
        (joined,) = assembled([record])
        return joined if isinstance(joined, Record) else record
    if isinstance(record.value, list):
        return _joined_list(record)
    found = _found(record.value, "", _ANSWER_KEYS)
    if found is None:
        return record
    value, place, first, answers, faults = found
    kept = answers[-1]
    losses = [replace(loss, row=record.row, path=first) for loss in kept.losses]
    losses += [Loss(record.row, first, "stream-value", "dropped", fault.message) for fault in faults]
    if len(answers) > 1:
        detail = f"one of {len(answers)} streamed answers; the last one stays"
        losses.insert(0, Loss(record.row, first, "stream-answer", "dropped", detail))
    return Streamed(
        record.row,
        record.data,
        value,
        record.column,
        record.filename,
        pieces=(record,),
        provider=kept.provider,
        cuts=(first,) if kept.cuts else (),
        is_within=True,
        folds=((place, first),),
        losses=tuple(losses),
    )


def _joined_list(record: Record) -> Record:
    """Join a list that holds pieces alone: to one answer, or to a list of several."""
    answers = _answers(record.value)
    if not answers:
        return record
    homes = [step(answer.row) for answer in answers]
    losses = [
        replace(loss, row=record.row, path=step(loss.row) + loss.path) for answer in answers for loss in answer.losses
    ]
    is_one = len(answers) == 1
    value = answers[0].value if is_one else [answer.value for answer in answers]
    places = [""] if is_one else list(map(step, range(len(answers))))
    bodies = tuple(
        shifted(body, place)
        for place, answer in zip(places, answers, strict=True)
        for body in (answer.opened.bodies if answer.opened else ())
    )
    return Streamed(
        record.row,
        answer_bytes(value),
        value,
        record.column,
        record.filename,
        pieces=(record,),
        provider=answers[0].provider,
        cuts=tuple(home for home, answer in zip(homes, answers, strict=True) if answer.cuts),
        folds=tuple(zip(places, homes, strict=True)),
        homes=tuple(
            (place + part, 0, step(answer.pieces[index].row) + home)
            for place, answer in zip(places, answers, strict=True)
            for part, index, home in answer.homes
        ),
        losses=tuple(losses),
        opened=Opened("conversation", bodies),
    )


def _answers(items: Sequence[Any]) -> list[Streamed]:
    """Join a list of pieces, which count as rows from 0; nothing when anything else, or a whole answer, is among them."""
    if not are_pieces(items):
        return []
    found = list(assembled(Record(index, b"", item) for index, item in enumerate(items)))
    answers = [item for item in found if isinstance(item, Streamed)]
    return answers if len(answers) == len(found) else []


def _found(
    value: dict[str, Any], path: str, kept_keys: frozenset[str]
) -> tuple[dict[str, Any], str, str, list[Streamed], Sequence[LineFault]] | None:
    """Find pieces under a key of an object, or deeper.

    Gives the object with the answer in their place, a pointer to it, one to the first piece, all answers, and what could not be
    read between them.
    """
    is_answered = not path and _is_answered(value)
    for key, item in value.items():
        if key not in HOLDERS or (is_answered and key not in kept_keys):
            continue
        listed, is_text, faults = _pieces_of(item)
        answers = _answers(listed)
        if answers:
            name = key if key in kept_keys else "body" if path else "response"
            if name != key and name in value:
                continue
            answer = answers[-1].value
            changed = {(name if k == key else k): (answer if k == key else v) for k, v in value.items()}
            first = path + step(key) + ("" if is_text else step(answers[-1].row))
            return changed, path + step(name), first, answers, faults
        if isinstance(item, dict) and path.count("/") < len(_INNER_KEYS):
            deeper = _found(item, path + step(key), _INNER_KEYS)
            if deeper is not None:
                inner, place, first, answers, faults = deeper
                return {**value, key: inner}, place, first, answers, faults
    return None


def _is_answered(value: dict[str, Any]) -> bool:
    """Say whether a record holds a whole answer already, of which further pieces would be a copy."""
    messages = value.get("messages")
    last = messages[-1] if isinstance(messages, list) and messages else None
    is_said = isinstance(last, dict) and last.get("role") == "assistant"
    return is_said or any(isinstance(value.get(key), dict) for key in _ANSWER_KEYS)


def _pieces_of(item: Any) -> tuple[Sequence[Any], bool, Sequence[LineFault]]:
    """List what may be pieces: a list's items, or what lines and events in a text hold.

    Says also whether it is such a text, and which of its lines could not be read.
    """
    if isinstance(item, list):
        return item, False, ()
    if not isinstance(item, str) or not is_event_text(item):
        return (), False, ()
    from lighter.source import read_records  # noqa: PLC0415 - few logs hold text of events

    stream = io.BytesIO(item.encode("utf-8", "surrogatepass"))
    found: list[Record | LineFault] = []
    with suppress(LighterError):
        found += read_records(stream, decode=jsontext.decode)
    faults = [item for item in found if isinstance(item, LineFault)]
    match [item.value for item in found if isinstance(item, Record)]:
        case [list(listed)]:
            return listed, False, faults
        case values:
            return values, True, faults
