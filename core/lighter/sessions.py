"""Conversations of a log with one message a line, cut into passages where no call is open; what is ordinary is let go unread.

A session keeps the messages since the last such point. While all of them are ordinary they are dropped at the next one; from
the first that is not, they are kept until the next point, and then judged together. Where a format lets a history take back
what was said earlier, all of it is kept.
"""

from collections import Counter
from collections.abc import Container, Iterator, Sequence

from lighter import jsontext
from lighter.conversation import WireMessage
from lighter.envelope import is_answer
from lighter.history import edits_itself
from lighter.passage import Passage
from lighter.records import Record
from lighter.screen import Screen
from lighter.traffic import role_in, traffic
from lighter.turns import WINDOW, joins_turns

LONGEST = 2 * WINDOW
"""A passage of more messages than this is cut before the oldest call that is still open."""

LIVE = 1024
"""How many sessions are followed at a time; those that were silent longest are taken to have ended."""


NEAR = 8
"""How many of the messages that were let go are remembered: a result that comes again mostly comes soon."""

NO_IDS = ("", "None", "function")
"""What `traffic` gives for calls and results without an id."""


class Session:
    """One conversation, and the messages that are kept of it from index `start` on; `past` are the last ones before these.

    `seen`: ids of the calls before the kept part. `turn`: ids of the calls in an ordinary kept part, `waiting` those of them
    that are open. `unusual`: how many kept messages there are up to the last that is not ordinary; 0 while all are. `gaps`:
    indices of the messages before which lines could not be read, as of the first `losses` of the file.
    """

    __slots__ = (
        "gaps",
        "kept",
        "key",
        "losses",
        "past",
        "seen",
        "start",
        "touched",
        "traffic",
        "turn",
        "unusual",
        "waiting",
    )

    def __init__(self, key: str | None) -> None:
        self.key = key
        self.kept: list[Record] = []
        self.start = 0
        self.past: list[Record] = []
        self.seen: set[str] = set()
        self.turn: Sequence[str] = ()
        self.waiting: set[str] = set()
        self.unusual = 0
        self.traffic: Traffic | None = None
        self.touched = 0
        self.gaps: list[int] = []
        self.losses = 0

    def lose_up_to(self, losses: int) -> None:
        """Take note that lines before the next message may have been messages of this session, when the file lost more so far."""
        if self.losses == losses:
            return
        self.losses = losses
        index = self.start + len(self.kept)
        self.gaps = [place for place in self.gaps if self.start - WINDOW <= place < index]
        self.gaps.append(index)

    def let_go(self, count: int) -> None:
        """Keep the first messages no longer."""
        self.past = [*self.past, *self.kept[:count]][-NEAR:]
        self.kept = self.kept[count:]
        self.start += count

    def clear(self) -> None:
        """Begin anew after all that was unusual has been judged."""
        self.unusual, self.traffic, self.turn, self.waiting = 0, None, (), set()


class OpenCalls:
    """The calls of a turn that are open, and at which message the latest of their results came."""

    def __init__(self, calls: Sequence[str], index: int) -> None:
        self.ids = Counter(calls)
        self.latest = index

    def answer(self, call_id: str, index: int) -> bool:
        """Take a result; say whether it was the last."""
        self.latest = index
        self.ids[call_id] -= 1
        if not self.ids[call_id]:
            del self.ids[call_id]
        return not self.ids


class Traffic:
    """Which calls are open, and where a passage may be cut, in the part of a session that is not ordinary.

    It errs on the side of "open": a passage that is longer than it need be is judged the same.
    """

    def __init__(self, start: int) -> None:
        self.count = start
        self.open: dict[int, OpenCalls] = {}
        self.latest = start
        self.is_stray = False
        self.ids: set[str] = set()
        self.role: str | None = None

    def _may_answer(self, turn: int, call_id: str) -> bool:
        """Say whether a call may have its result now; without an id only the latest turn's may."""
        return call_id not in NO_IDS or turn == self.latest

    def take(self, record: Record) -> None:
        """Take the next message."""
        calls, results = traffic(record.value)
        # A result may come before its call, with others between the two.
        self.is_stray = self.is_stray and bool(results)
        for call_id in results:
            turns = (
                turn for turn, held in self.open.items() if call_id in held.ids and self._may_answer(turn, call_id)
            )
            turn = next(turns, None)
            if turn is None:
                self.is_stray = True
            elif self.open[turn].answer(call_id, self.count):
                del self.open[turn]
        if calls:
            self.open[self.count] = OpenCalls(calls, self.count)
        self.latest = self.count if calls else self.latest
        self.ids.update(call_id for call_id in calls if call_id not in NO_IDS)
        self.count += 1
        for turn in [turn for turn, held in self.open.items() if self.count - held.latest > WINDOW]:
            del self.open[turn]
        self.role = role_in(record.value)

    def may_cut_before(self, record: Record, format_name: str) -> bool:
        """Say whether what was taken so far can be judged without the message that comes now."""
        role = role_in(record.value)
        if self.open or self.is_stray or self.role in ("system", "developer"):
            return False
        if role == self.role == "assistant" and joins_turns(format_name):
            return False
        return not traffic(record.value)[1]

    def must_cut_before(self, record: Record, length: int) -> bool:
        """Say whether so many messages were taken that the others are judged apart; results of open calls are few, and not torn from them."""
        if length <= 4 * LONGEST:
            return False
        results = traffic(record.value)[1]
        return not any(call_id in held.ids for held in self.open.values() for call_id in results)


class Sessions:
    """The sessions of a file. `screen` is None when nothing can be told ordinary, and everything is judged.

    `is_all`: the last passage of a session is judged even when it is ordinary. `begun`, where somebody sets it, gets the key of
    each session; `is_interleaved` then says that one went on after another had begun.
    """

    def __init__(self, format_name: str, screen: Screen | None, *, is_all: bool = True) -> None:
        self.format = format_name
        self.screen = screen
        self.is_all = is_all
        self.live: dict[str | None, Session] = {}
        self.started = 0
        self.clock = 0
        self.lost_ago = WINDOW
        self.losses = 0
        self.begun: set[str | None] | None = None
        self.is_interleaved = False
        self._latest: Session | None = None

    def lose(self) -> None:
        """Take a line that could not be read: whatever session it may have been of, its content is unknown."""
        self.lost_ago = 0
        self.losses += 1

    def add(self, key: str | None, records: Sequence[Record]) -> Iterator[Passage]:
        """Take consecutive messages of a session; give the passages that are to be judged."""
        session = self.live.get(key)
        if session is None:
            if len(self.live) >= LIVE:
                yield from self._end_silent()
            session = self.live[key] = Session(key)
            self.started += 1
            session.losses = self.losses - (self.lost_ago < WINDOW)
        if self.begun is not None and session is not self._latest:
            self.is_interleaved |= key in self.begun
            self.begun.add(key)
            self._latest = session
        session.lose_up_to(self.losses)
        self.lost_ago += len(records)
        self.clock += 1
        session.touched = self.clock
        yield from self._add(session, records)

    def _add(self, session: Session, records: Sequence[Record]) -> Iterator[Passage]:
        """Take messages together when all are ordinary; else halve them until the one that is not stands alone."""
        if self._take_ordinary(session, records):
            return
        if session.unusual:
            yield from self._add_after_unusual(session, records)
        elif len(records) == 1:
            self._turn_dirty(session, records[0])
        else:
            half = len(records) // 2
            yield from self._add(session, records[:half])
            yield from self._add(session, records[half:])

    def _add_after_unusual(self, session: Session, records: Sequence[Record]) -> Iterator[Passage]:
        """Take messages one by one until what is not ordinary has been judged, and the others together."""
        for number, record in enumerate(records, 1):
            yield from self._add_dirty(session, record)
            if not session.unusual:
                if number < len(records):
                    yield from self._add(session, records[number:])
                return

    def _take_ordinary(self, session: Session, records: Sequence[Record]) -> bool:
        """Take messages if all are ordinary, as is what the session keeps; let go of what is kept before a settled point."""
        if session.unusual or self.screen is None:
            return False
        waiting = set(session.waiting)
        if not self._are_ordinary(records, waiting, (session.seen, session.turn)):
            return False
        session.waiting = waiting
        answers = self.screen.answers
        last = next((at for at in range(len(records) - 1, -1, -1) if not answers(records[at].value)), None)
        if last is None:
            session.kept += records
            return True
        called = self.screen.called
        turn = self.screen.count_calls(records[last].value)
        session.seen.update(session.turn)
        session.seen.update(called[: len(called) - turn])
        session.turn = called[len(called) - turn :]
        held = len(session.kept)
        session.kept += records
        session.let_go(held + last)
        return True

    def _are_ordinary(self, records: Sequence[Record], waiting: set[str], seen: Sequence[Container[str]]) -> bool:
        if self.screen is None:
            return False
        strings: list[str] = []
        self.screen.called.clear()
        count = self.screen.screen([record.value for record in records], waiting, strings, seen=seen)
        if count < 0:
            return False
        return self.screen.is_clean(b"".join([record.data for record in records]), count, strings)

    def _turn_dirty(self, session: Session, record: Record) -> None:
        """Take the first message that is not ordinary; what is kept is let go where a passage may be cut before it."""
        held = Traffic(session.start)
        for kept in session.kept:
            held.take(kept)
        if session.kept and held.may_cut_before(record, self.format):
            session.seen.update(session.turn)
            session.let_go(len(session.kept))
            held = Traffic(session.start)
        session.kept.append(record)
        session.unusual = len(session.kept)
        session.waiting = set()
        session.traffic = held
        held.take(record)

    def _add_dirty(self, session: Session, record: Record) -> Iterator[Passage]:
        """Take a message after one that was not ordinary; what came before is judged once nothing of it is open."""
        held = session.traffic
        assert held is not None  # noqa: S101 - a session with an unusual message has its traffic
        is_whole = edits_itself(self.format)  # a later message may concern any earlier one
        if not is_whole and (
            held.may_cut_before(record, self.format) or held.must_cut_before(record, len(session.kept))
        ):
            yield from self._cut(session, len(session.kept))
            session.clear()
            if not self._take_ordinary(session, (record,)):
                self._turn_dirty(session, record)
            return
        if (
            not is_whole
            and len(session.kept) > LONGEST
            and held.open
            and (oldest := min(held.open) - session.start) > 0
        ):
            yield from self._cut(session, oldest)
        session.kept.append(record)
        if not self._are_ordinary((record,), session.waiting, (session.seen, held.ids)):
            session.waiting = set()
            session.unusual = len(session.kept)
        held.take(record)

    def _cut(self, session: Session, length: int) -> Iterator[Passage]:
        """Cut the first messages off, and give those up to the last unusual one as a passage: what follows is ordinary."""
        judged = min(_judged_length(session), length)
        passage = self._passage(session, judged, is_last=False)
        yield passage
        session.seen |= passage.pairing.call_ids
        if session.traffic:
            session.seen.update(call_id for kept in session.kept[judged:length] for call_id in traffic(kept.value)[0])
        session.let_go(length)
        session.unusual = max(1, session.unusual - length)

    def _passage(self, session: Session, length: int, *, is_last: bool) -> Passage:
        past = enumerate(session.past, session.start - len(session.past))
        messages = tuple(
            wire_of(exact(record), session.start + place) for place, record in enumerate(session.kept[:length])
        )
        return Passage(
            self.format,
            messages,
            messages[0].record,
            past=tuple(wire_of(record, index) for index, record in past),
            is_first=session.start == 0,
            is_last=is_last,
            earlier_ids=session.seen,
            conversation=session.key,
            gaps=tuple(place for place in session.gaps if session.start - WINDOW <= place <= session.start + length),
        )

    def finish(self, *, is_all: bool) -> Iterator[Passage]:
        """Give what is left to judge: the last passage of each session, of an ordinary one only when `is_all`."""
        for session in self.live.values():
            yield from self._end(session, is_all=is_all)

    def _end(self, session: Session, *, is_all: bool) -> Iterator[Passage]:
        session.lose_up_to(self.losses)
        if is_all and session.kept:
            yield self._passage(session, len(session.kept), is_last=True)
        elif session.unusual:
            length = _judged_length(session)
            yield self._passage(session, length, is_last=length == len(session.kept))

    def _end_silent(self) -> Iterator[Passage]:
        """End the half of the sessions that were silent longest, as if nothing more were to come."""
        by_age = sorted(self.live.values(), key=lambda session: session.touched)
        for session in by_age[: LIVE // 2]:
            del self.live[session.key]
            yield from self._end(session, is_all=self.is_all)


def _judged_length(session: Session) -> int:
    """Tell how many of the kept messages must be judged: those up to the last unusual one, and the turn after it as its sequel.

    All of them where no call or result among these has an id, since then the ids of what follows say whether they are missing.
    """
    kept, length = session.kept, session.unusual + 1
    while length < len(kept) and (role_in(kept[length].value) == "tool" or traffic(kept[length].value)[1]):
        length += 1
    return min(length, len(kept)) if any(map(_has_id, kept[:length])) else len(kept)


def _has_id(record: Record) -> bool:
    calls, results = traffic(record.value)
    return any(call_id not in NO_IDS for call_id in (*calls, *results))


def exact(record: Record) -> Record:
    """Read a record once more, with every number as it is written; as it was when only the fast parser takes it.

    One that was made of pieces, or of objects, is exact already.
    """
    if type(record) is not Record:
        return record
    try:
        return Record(record.row, record.data, jsontext.decode(record.data), record.column, record.filename)
    except (ValueError, RecursionError):
        return record


def wire_of(record: Record, index: int) -> WireMessage:
    """Give the message that is all of a record, at its place in a log."""
    value = record.value
    return WireMessage(record, "", value, index, isinstance(value, dict) and is_answer(value))
