"""Which tool result answers which tool call: a walk through a passage, made once, to the facts of `lighter.pairs`.

A call belongs to its turn: an id that is used again in a later turn is a new call there, so results are looked up turn by
turn, the nearest first, never in one table of ids. A turn stays open for `WINDOW` messages after its latest result; a call
that is not answered by then never will be, and a conversation without end is judged in bounded memory.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice, pairwise
from typing import Any

from lighter.conversation import WireMessage
from lighter.formats import read_entries, trait
from lighter.gaps import Gaps, may_hide, places_of_gaps
from lighter.history import pieces_in
from lighter.messages import AssistantMessage, ToolCall, ToolMessage, UserMessage, blocks_of
from lighter.pairs import MOST_OPEN, CallAt, Intrusion, Orphan, Pairing, RepeatedCall, RepeatedResult, ResultAt, Split
from lighter.passage import Entry, Passage
from lighter.positions import left_by_position
from lighter.strays import NONE, Strays, no_strays
from lighter.traffic import role_in
from lighter.turns import WINDOW, Slot, Turn, continues_turn, joins_turns
from lighter.wire import has_past
from lighter.wires import ids_are_optional, nameless_strays


def pair(passage: Passage) -> Pairing:
    """Pair the calls and results of a passage."""
    if passage.is_text_alone:
        return Pairing()
    pairer = _Pairer(passage)
    for entry, strays in _with_strays(passage):
        pairer.take(entry, strays)
    return pairer.finish()


def result_at(entry: Entry, message: ToolMessage) -> ResultAt:
    """Tell a core tool message as a result at a place: the message, or the block that holds it."""
    call_id = "" if message.is_id_synthetic else message.call_id
    origin, path = entry.origin, entry.origin.path
    if path == entry.wire.path and "result" not in origin.fields:
        path = origin.fields.get("call_id", "").rpartition("/")[0] or path
    id_path, name_path = (origin.fields.get(field, path) for field in ("call_id", "tool_name"))
    return ResultAt(call_id, message.tool_name, path, entry.wire, message.kind, id_path, name_path)


def calls_of(entry: Entry) -> Iterator[CallAt]:
    """Yield the calls of an assistant's message that somebody else must answer (server tools are the provider's own)."""
    for block, origin in zip(blocks_of(entry.message), entry.origin.blocks, strict=False):
        if isinstance(block, ToolCall) and block.kind != "server":
            call_id = "" if block.is_id_synthetic else block.call_id
            yield CallAt(call_id, block.tool_name, origin.path, origin.at("call_id"), entry.wire, block.kind)


def _with_strays(passage: Passage) -> Iterator[tuple[Entry, Strays]]:
    """Give each entry with the calls and results that its wire message holds in places where no reader looks for them."""
    seen: WireMessage | None = None
    strays_of = trait(passage.format, "strays_of", no_strays)
    for entry in passage.entries:
        yield entry, NONE if entry.wire is seen else strays_of(entry)
        seen = entry.wire


class _Pairer:
    """The walk through a passage: which turns are open, and what was found so far."""

    def __init__(self, passage: Passage) -> None:
        self.passage = passage
        self.merges = joins_turns(passage.format)
        self.joins = bool(trait(passage.format, "JOINS_TURNS", otherwise=False))
        self.may_lack_ids = ids_are_optional(passage.format)
        self.is_loose = bool(trait(passage.format, "PAIRS_BY_ID_ALONE", otherwise=False))
        self.has_past = self.is_loose and has_past(passage)
        self.turns: list[Turn] = []
        self.known: dict[str, CallAt | None] = {}
        self.answered: dict[str, tuple[CallAt, ResultAt]] = {}
        self.spare: Counter[str] = Counter()
        self.muted: set[str] = set(passage.streamed_ids)
        self.pieces = {wire.index for run in pieces_in(passage) for wire in run}
        self.gaps = Gaps(
            places_of_gaps(passage, calls=True),
            places_of_gaps(passage, calls=False),
            is_loose=self.is_loose,
            joins=self.joins or self.merges,
        )
        self.halves: set[tuple[int, str]] = set()
        self.excusable: set[tuple[int, str]] = set()
        self.early: set[str] = set()
        self.own_ids: dict[str, str] = {}
        self.answer_wires = {entry.wire.index for entry in passage.entries if isinstance(entry.message, ToolMessage)}
        self.last_speaker: WireMessage | None = None
        self.facts: dict[str, list[object]] = {}

    @cached_property
    def past(self) -> tuple[Entry, ...]:
        """What the last messages before the passage say."""
        return tuple(read_entries(self.passage.format, tuple(self.passage.past)))

    def note(self, kind: str, fact: object) -> None:
        """Keep a fact for the end."""
        self.facts.setdefault(kind, []).append(fact)

    def take(self, entry: Entry, strays: Strays) -> None:
        """Take the next core message."""
        self.close_old(entry.wire.index)
        self.gaps.pass_by(entry, is_answer=entry.wire.index in self.answer_wires)
        self.muted |= strays.calls
        match entry.message:
            case ToolMessage() as message:
                self.answer(result_at(entry, message))
                return
            case AssistantMessage() as message:
                is_answer = bool(strays.native_results) and len(strays.native_results) == len(blocks_of(message))
                if not is_answer:
                    self.speak(entry, strays)
                self.answer_natively(entry, strays)
                if is_answer:
                    return
            case _ if strays.results:
                pass
            case UserMessage(content="", blocks=()) if entry.wire.index in self.answer_wires:
                return
            case _:
                self.come_between(entry.wire)
                self.last_speaker = entry.wire
                if blanks := nameless_strays(self.passage.format, entry.wire)[0]:
                    self.turns.append(Turn(entry.wire.index, blanks, self.early))
        for call_id in strays.results:
            self.excuse(call_id)
        if entry.wire.index not in self.answer_wires:
            self.early = set()

    def close_old(self, index: int) -> None:
        """Give up the turns that are too far back."""
        for turn in [turn for turn in self.turns if index - turn.latest > WINDOW]:
            self.turns.remove(turn)
            self.close(turn, is_last=False)

    def come_between(self, wire: WireMessage) -> None:
        """Remember a message that is no result, in every open turn."""
        for turn in [turn for turn in self.turns if not turn.waiting()]:
            self.turns.remove(turn)
            self.close(turn, is_last=False)
        for turn in self.turns:
            turn.others.append(wire)

    def speak(self, entry: Entry, strays: Strays) -> None:
        """Open a turn with an assistant's calls, or continue the turn that the provider would join them to."""
        wire, before = entry.wire, self.last_speaker
        calls = [*calls_of(entry), *_unread(entry, strays)]
        self.own_ids |= {call.own_id: call.call_id for call in strays.native_calls if call.own_id}
        if wire.index in self.pieces:  # `unmerged-stream-chunks` tells that they stand there
            self.muted |= {call.call_id for call in calls} - {""}
            calls = []
        may_continue = self.joins or (self.merges and bool(calls))
        continues = (
            may_continue and bool(self.turns) and before is not None and continues_turn(before, wire, self.turns[-1])
        )
        self.last_speaker = wire
        if not continues:
            self.come_between(wire)
        elif not calls and not self.is_loose:
            self.turns[-1].spoken_on = wire.index
        if (calls or strays.blanks) and not continues:
            self.turns.append(Turn(wire.index, 0, self.early))
        if not self.turns:
            return
        turn = self.turns[-1]
        turn.blanks += strays.blanks
        for call in calls:
            self.open(turn, call)
        for slot in tuple(islice(turn.waiting(), nameless_strays(self.passage.format, wire)[1])):
            turn.excuse(slot)

    def answer_natively(self, entry: Entry, strays: Strays) -> None:
        """Take the results of calls of a provider's own forms, which stand among what the assistant says."""
        for result in strays.native_results:
            call_id = self.own_ids.get(result.call_id, result.call_id)
            if result.is_vague and not any(turn.named(call_id) for turn in self.turns):
                continue
            wire = self.wires.get((entry.wire.record.row, result.path), entry.wire)
            id_path = f"{result.path}/call_id"
            self.answer(ResultAt(call_id, "", result.path, wire, "native", id_path, result.path))

    @cached_property
    def wires(self) -> Mapping[tuple[int, str], WireMessage]:
        """The messages by where they stand: several of them may be one turn of the assistant."""
        return {(wire.record.row, wire.path): wire for wire in self.passage.messages}

    def open(self, turn: Turn, call: CallAt) -> None:
        """Add a call to its turn."""
        if call.call_id:
            twins = turn.named(call.call_id)
            if twins:
                self.note("repeated_calls", RepeatedCall(call, twins[0].call, is_same_turn=True))
            elif call.call_id in self.known or call.call_id in self.passage.earlier_ids:
                self.note("repeated_calls", RepeatedCall(call, self.known.get(call.call_id), is_same_turn=False))
            self.known.setdefault(call.call_id, call)
        slot = Slot(call)
        slot.is_excused = call.path in self.passage.halves
        turn.add(slot)

    def excuse(self, call_id: str) -> None:
        """Take a result that stands in a place of its own fault (another rule's): its call is not missing one."""
        for turn in reversed(self.turns):
            for slot in turn.named(call_id):
                turn.excuse(slot)
            if turn.named(call_id):
                return

    def answer(self, result: ResultAt) -> None:
        """Find the call of a result: in the nearest open turn that has its id, else by name, else later by position."""
        if result.path in self.passage.halves:
            return
        if found := self.slot_for(result):
            turn, slot = found
            turn.fill(slot, result)
            if result.call_id:
                self.answered[result.call_id] = slot.call, result
            return
        call_id = result.call_id
        if call_id in self.muted:
            return
        if call_id and not self.may_lack_ids and self.gaps.may_hold_call(result):
            self.halves.add(_place_of(result))
            return
        if self.spare[call_id]:
            self.spare[call_id] -= 1
        elif call_id in self.answered:
            call, first = self.answered[call_id]
            self.note("repeated_results", RepeatedResult(result, first, call))
        elif call_id and call_id in self.passage.earlier_ids:
            self.note("repeated_results", RepeatedResult(result, self.first_of(call_id), None))
        else:
            self.keep_loose(result)

    def first_of(self, call_id: str) -> ResultAt | None:
        """Find the result of a call of an earlier passage, if that is not long ago."""
        told = (result_at(entry, entry.message) for entry in self.past if isinstance(entry.message, ToolMessage))
        return next((result for result in told if result.call_id == call_id), None)

    def slot_for(self, result: ResultAt) -> tuple[Turn, Slot] | None:
        """Give the unanswered call that a result names, and its turn; of calls that share an id that of its function."""
        for turn in reversed(self.turns):
            if result.call_id and turn.named(result.call_id):
                slot = turn.free(result.call_id, result.told_name)
                return (turn, slot) if slot else None
            if result.kind == "legacy":
                free = [slot for slot in turn.waiting() if slot.call.kind == "legacy"]
                same = [slot for slot in free if slot.call.tool_name == result.tool_name]
                if same or free:
                    return turn, (same or free)[0]
        return None

    def keep_loose(self, result: ResultAt) -> None:
        """Set a result aside that names no call: position may pair it when its turn closes."""
        if self.has_past:
            return
        turn = self.turn_for(result)
        if self.gaps.may_hold_call(result):
            self.excusable.add(_place_of(result))
        if turn:
            open_calls = tuple(slot.call for slot in islice(turn.waiting(), MOST_OPEN + 1))
            turn.keep(Orphan(result, open_calls, not turn.others))
        else:
            self.tell_orphan(Orphan(result, ()))
        if result.call_id:
            self.early.add(result.call_id)

    def turn_for(self, result: ResultAt) -> Turn | None:
        """Give the turn that a result may be of by its position: the last; where names alone pair the two, an earlier one that waits for it."""
        if not self.turns:
            return None
        if self.may_lack_ids and not self.turns[-1].calls(result.tool_name):
            for turn in reversed(self.turns):
                if turn.lacks(result.tool_name):
                    return turn
        return self.turns[-1]

    def tell_orphan(self, orphan: Orphan) -> None:
        """Tell a result without a call, unless the call may have stood where nothing could be read."""
        place = _place_of(orphan.result)
        if place in self.excusable:
            self.halves.add(place)
        elif self.needs_call(orphan.result):
            self.note("orphans", orphan)

    def needs_call(self, result: ResultAt) -> bool:
        """Say whether a result that no call was found for is an orphan; without an id it lacks that in the first place."""
        return bool(result.call_id) or result.kind == "legacy" or self.may_lack_ids

    def close(self, turn: Turn, *, is_last: bool) -> None:
        """Settle a turn: pair by position what ids could not, then tell what is missing, orphaned or out of place."""
        self.pair_loose(turn)
        for slot in turn.slots:
            if slot.result:
                self.note("answers", (slot.call, slot.result))
        for slot in turn.slots:
            if not slot.result and not turn.is_waiting(slot) and slot.call.path not in self.passage.halves:
                self.spare[slot.call.call_id] += 1
        intruders = self.intruders(turn)
        for slot in turn.waiting():
            if self.gaps.may_hold_result(slot.call, intruders):
                self.halves.add(_place_of(slot.call))
                self.muted |= {slot.call.call_id} - {""}
                continue
            self.forget(slot.call)
            if slot.call.call_id not in turn.early:
                may_come = (
                    is_last and not turn.others and not self.is_complete(turn) and not self.is_passed(turn, slot.call)
                )
                self.note("pending" if may_come else "unanswered", slot.call)
        self.tell_places(turn)

    def is_complete(self, turn: Turn) -> bool:
        """Say whether the one message that has all results of a turn is there already."""
        return self.merges and not self.joins and any(slot.result for slot in turn.slots)

    def is_passed(self, turn: Turn, call: CallAt) -> bool:
        """Say whether the assistant spoke on in a later message without the result, though the provider joins the two."""
        return call.wire.index < turn.spoken_on or call.path in self.passage.unanswered_before

    def forget(self, call: CallAt) -> None:
        """Treat a call that was given up as if it had not been: what comes later cannot be about it."""
        if call.call_id and call.call_id not in self.answered:
            self.known.pop(call.call_id, None)

    def pair_loose(self, turn: Turn) -> None:
        """Pair results without an id with any call, and any result with calls without an id: by name, else in order.

        Where ids are optional, a result whose id is that of no call may be meant for one that is still open.
        """
        for orphan in left_by_position(turn, may_lack_ids=self.may_lack_ids):
            if turn.blanks:
                turn.blanks -= 1
            else:
                self.tell_orphan(orphan)

    def intruders(self, turn: Turn) -> list[WireMessage]:
        """Give the messages after a turn that hold no result; one that cannot be read, or does not say whose it is, has that fault alone."""
        told = (wire for wire in turn.others if wire.index not in self.answer_wires and _is_told(wire))
        return [wire for wire in told if not may_hide(wire.raw, self.passage.format)]

    def tell_places(self, turn: Turn) -> None:
        """Tell the first message that stands between a turn's calls and their last result, and results that are split for no such cause."""
        if self.is_loose:
            return
        answers = [(slot.call, slot.result) for slot in turn.slots if slot.result]
        intruders = self.intruders(turn)
        late = [(call, result) for call, result in answers if intruders and result.wire.index > intruders[0].index]
        if late:
            self.note("intrusions", Intrusion(intruders[0], *late[0]))
        between = [intruder.index for intruder in intruders]
        wires = sorted({result.wire.index for _, result in answers}) if self.merges else []
        for first, second in pairwise(wires):
            if bisect_right(between, first) == bisect_right(between, second):  # else the intruder tore them apart
                call, last = next(answer for answer in answers if answer[1].wire.index == second)
                begun = next(result for _, result in answers if result.wire.index == first)
                self.note("splits", Split(last.wire, begun.wire, call))
                return

    def finish(self) -> Pairing:
        """Close what is still open, and give the facts."""
        for turn in self.turns:
            self.close(turn, is_last=self.passage.is_last)
        facts: dict[str, Any] = {kind: tuple(found) for kind, found in self.facts.items()}
        return Pairing(**facts, call_ids=frozenset(self.known), halves=frozenset(self.halves))


def _place_of(end: CallAt | ResultAt) -> tuple[int, str]:
    """Give the row and the pointer at which a call or a result stands."""
    return end.wire.record.row, end.path


def _is_told(wire: WireMessage) -> bool:
    """Say whether a message says whose it is; Gemini takes one without a role for the user's."""
    raw = wire.raw
    return isinstance(raw, dict) and (raw.get("role") is not None or "parts" in raw or role_in(raw) is not None)


def _unread(entry: Entry, strays: Strays) -> Iterator[CallAt]:
    """Yield the calls that no reader takes for calls only because they lack a name, an input or a proper id, or have a form of their own."""
    for path, call_id, name in strays.nameless:
        yield CallAt(call_id, name, path, path + "/id", entry.wire)
    for call in strays.native_calls:
        yield CallAt(call.call_id, call.tool_name, call.path, f"{call.path}/call_id", entry.wire, "native")
