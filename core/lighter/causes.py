"""What in the source accounts for findings about the form that it was written in: converting leaves out what it cannot read.

A call without a name is no call in the written form, where its result is an orphan then. So the source's own rules are asked,
too, and what they find where converting changed something is told in place of what follows from it.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from lighter.diagnostics import Severity
from lighter.jsontext import upwards
from lighter.judging import Judged
from lighter.losses import Loss
from lighter.messages import AssistantMessage
from lighter.passage import Passage
from lighter.providers import TARGETS
from lighter.rule import Aim, Finding, Mode, severity_for
from lighter.rules import RuleModule, rules

UNREADABLE = frozenset(
    {
        *("message-not-object", "missing-role", "unknown-role", "content-wrong-type", "content-part-type"),
        *("malformed-tool-call", "missing-tool-name", "missing-tool-id", "arguments-not-object"),
        *("tool-calls-wrong-role", "tool-block-wrong-role", "tool-definition-shape"),
    }
)
"""Rules for values that no reader takes for what they were meant to be."""

_OF_ORDER = frozenset(
    {
        *("no-messages", "no-user-message", "must-start-with-user", "ends-with-assistant", "consecutive-roles"),
        *("user-after-tool", "call-turn-order", "prefill-not-supported", "trailing-whitespace-prefill"),
    }
)
"""Rules that a message may break only because one beside it is left out."""

_HIDDEN = frozenset({"completed-arguments"})
"""Rules for faults that nothing in the written form shows, which are told though they are warnings."""

_OF_DECLARING = frozenset({"undeclared-tool", "tools-not-declared"})
"""Rules that a call may break only because the definition of its tool is left out."""

_FAMILIES = frozenset("PAM")
"""The families of rules of which one finding may follow from another."""

_Group = tuple[str, int | None]
"""What may follow from causes, and the turn or the message that it may stand in."""


class Told(Struct, frozen=True):
    """A finding in the source, the rule that yields it, its severity there, and which of the source's messages it is about.

    `is_general`: it is none only for the provider whose format this is; others who read the format mind it, too.
    """

    module: RuleModule
    finding: Finding
    severity: Severity | None = None
    message: int | None = None
    is_general: bool = True

    @property
    def code(self) -> str:
        """The rule's code."""
        return self.module.rule.code

    @property
    def name(self) -> str:
        """The rule's name."""
        return self.module.rule.name


def settled(
    found: Iterable[tuple[RuleModule, Finding]], judged: Judged, mode: Mode
) -> tuple[list[tuple[RuleModule, Finding]], list[Told]]:
    """Part what was found in the written form, led back to the source, from what only follows: what stays, and the causes."""
    derived = list(found)
    if not judged.losses or not (derived or any(map(_leaves_out, judged.losses))):
        return derived, []
    kept, causes = _Settling(judged, mode).settle(derived)
    return [(told.module, told.finding) for told in kept], causes


def _leaves_out(loss: Loss) -> bool:
    """Say whether a loss tells of what does not arrive, or of another id than there was."""
    return loss.action == "dropped" or loss.feature == "call-id"


class _Changed:
    """Where converting changed something; whether a place is among them takes a look at the places above it only."""

    def __init__(self, losses: Iterable[Loss]) -> None:
        self.places = {(loss.row, loss.path) for loss in losses}
        self.holders = {(row, above) for row, path in self.places for above in upwards(path)}

    def touches(self, finding: Finding) -> bool:
        """Say whether what a finding is about was changed, or a part of it."""
        row, path = finding.record.row, finding.path
        return (row, path) in self.holders or any((row, above) in self.places for above in upwards(path))


class _Settling:
    """What the source's own rules find in a passage; `groups` has the causes by what may follow from them."""

    def __init__(self, judged: Judged, mode: Mode) -> None:
        self.source = source = judged.source
        self.messages = {(wire.record.row, wire.path): place for place, wire in enumerate(source.messages)}
        self.turns = tuple(_turns_of(source))
        self.left_out = _Changed(filter(_leaves_out, judged.losses))
        dropped = {(loss.row, loss.path) for loss in judged.losses if loss.action == "dropped"}
        self.gone = {place for key, place in self.messages.items() if key in dropped}
        self.left = [place for place in range(len(source.messages)) if place not in self.gone]
        native = [*self._natively(Aim("generic", mode, source.format))]
        if source.format in TARGETS:
            native += self._natively(Aim(source.format, mode, source.format))
        self.native = _by_kind(native)
        changed = _Changed(judged.losses)
        self.causes = [told for told in native if told.name in _HIDDEN or changed.touches(told.finding)]
        self.in_message: dict[int | None, list[Told]] = {}
        self.groups: dict[_Group, list[Told]] = {}
        for cause in self.causes:
            self.in_message.setdefault(cause.message, []).append(cause)
            for group in self._groups_from(cause):
                self.groups.setdefault(group, []).append(cause)

    def _natively(self, aim: Aim) -> Iterator[Told]:
        """Run the source's own rules; for the format's own provider, only those about what cannot be read."""
        is_general = aim.target == "generic"
        for module in rules():
            is_concerned = module.rule.name in UNREADABLE or (is_general and module.rule.code[0] in _FAMILIES)
            severity = severity_for(module.rule, aim)
            if module.check is None or severity is None or not is_concerned:
                continue
            for finding in module.check(self.source, aim):
                told = Told(module, finding, finding.severity or severity, self._message_of(finding), is_general)
                if told.severity != "info":
                    yield told

    def settle(self, derived: Sequence[tuple[RuleModule, Finding]]) -> tuple[list[Told], list[Told]]:
        """Give the findings that stay, and the causes that are told."""
        kept: list[Told] = []
        told = [cause for cause in self.causes if cause.is_general and self._is_grave(cause)]
        groups: dict[_Group, None] = {}
        for module, finding in derived:
            effect = Told(module, finding, message=self._message_of(finding))
            found = [] if _is_among(effect, self.native) else [*self._groups_to(effect)]
            met = [] if found or _is_among(effect, self.native) else self._met_by(effect)
            if not found and not met:
                met = self._emptied_beside(effect)
                kept += () if met else (effect,)
            told += met
            groups |= dict.fromkeys(found)
        told += [cause for group in groups for cause in _most_general(self.groups[group])]
        return kept, [*_distinct(told, kept)]

    def _groups_from(self, cause: Told) -> Iterator[_Group]:
        """Tell what may follow from a cause: faults of calls, faults of order, calls of unknown tools."""
        if cause.name == "tool-definition-shape":
            yield "tools", None
        if cause.message is None:
            return
        if cause.code[0] == "P" or cause.name in UNREADABLE:
            yield "turn", self.turns[cause.message]
        if cause.name in _HIDDEN:
            yield "cut", self.turns[cause.message]
        if cause.message in self.gone:
            yield from (("order", place) for place in dict.fromkeys(self._beside(cause.message)))

    def _groups_to(self, effect: Told) -> Iterator[_Group]:
        """Tell which of these groups a finding in the written form may follow from, those without a cause left out."""
        groups: list[_Group] = [("tools", None)] if effect.name in _OF_DECLARING else []
        if effect.code[0] == "P" and effect.message is not None:
            groups.append(("turn", self.turns[effect.message]))
        if effect.name == "arguments-invalid-json" and effect.message is not None:
            groups.append(("cut", self.turns[effect.message]))
        if effect.name in _OF_ORDER:
            groups.append(("order", effect.message))
        return (group for group in groups if group in self.groups)

    def _met_by(self, effect: Told) -> list[Told]:
        """Give the causes at the very place of a finding in the written form."""
        if effect.code[0] not in _FAMILIES or effect.message is None:
            return []
        here = self.in_message.get(effect.message, ())
        kin = (cause for cause in here if cause.code[0] == effect.code[0] or cause.name in UNREADABLE)
        return _most_general(cause for cause in kin if _meets(cause, effect))

    def _emptied_beside(self, effect: Told) -> list[Told]:
        """Give as the cause of a fault of order the message beside it that is left out because it holds nothing."""
        near = () if effect.name not in _OF_ORDER else sorted(self.gone)
        place = next((place for place in near if effect.message in self._beside(place)), None)
        if place is None:
            return []
        module = next(module for module in rules() if module.rule.name == "empty-message")
        wire = self.source.messages[place]
        said = f"this message is empty; without it {effect.finding.message}"
        finding = Finding(wire.record, wire.path, said, "write down what was said", severity="error")
        return [Told(module, finding, "error", place)]

    def _is_grave(self, cause: Told) -> bool:
        """Say whether a cause is told even where nothing follows: what it is about does not arrive, or not as it was meant."""
        if cause.severity != "error":
            return cause.name in _HIDDEN
        if cause.name == "duplicate-tool-call-id":
            # New ids keep the calls apart, but which of them a result was meant for is guessed.
            return (cause.finding.record.row, cause.finding.path) in self._twins
        return cause.name in UNREADABLE and self.left_out.touches(cause.finding)

    @cached_property
    def _twins(self) -> frozenset[tuple[int, str]]:
        """Where the ids stand that an earlier call of the same turn has."""
        twins = (twin.call for twin in self.source.pairing.repeated_calls if twin.is_same_turn)
        return frozenset((call.wire.record.row, call.id_path) for call in twins)

    def _beside(self, place: int) -> tuple[int | None, ...]:
        """Give a message that is left out, those next to it that are not, and None, which stands for the whole list."""
        at = bisect_left(self.left, place)
        return place, None, *self.left[max(at - 1, 0) : at + 1]

    def _message_of(self, finding: Finding) -> int | None:
        """Find the message that a finding is about; None for what stands beside the messages."""
        places = (self.messages.get((finding.record.row, above)) for above in upwards(finding.path))
        return next((place for place in places if place is not None), None)


def _turns_of(passage: Passage) -> Iterator[int]:
    """Tell which turn each message belongs to: one begins with what the assistant says after somebody else."""
    speakers = {id(entry.wire) for entry in passage.entries if isinstance(entry.message, AssistantMessage)}
    turn, was_assistant = 0, False
    for wire in passage.messages:
        is_assistant = id(wire) in speakers
        turn += is_assistant and not was_assistant
        was_assistant = is_assistant
        yield turn


def _most_general(causes: Iterable[Told]) -> list[Told]:
    """Leave out what only the format's own provider minds, where there is something else."""
    listed = list(causes)
    return [cause for cause in listed if cause.is_general] or listed


def _distinct(causes: Iterable[Told], kept: Sequence[Told]) -> Iterator[Told]:
    """Give each cause once, and none that is among the findings that stay."""
    known = _by_kind(kept)
    for cause in causes:
        if not _is_among(cause, known):
            known.setdefault((cause.code, cause.message), []).append(cause)
            yield cause


def _by_kind(found: Iterable[Told]) -> dict[tuple[str, int | None], list[Told]]:
    kinds: dict[tuple[str, int | None], list[Told]] = {}
    for told in found:
        kinds.setdefault((told.code, told.message), []).append(told)
    return kinds


def _is_among(told: Told, kinds: Mapping[tuple[str, int | None], Sequence[Told]]) -> bool:
    """Say whether there is a finding of the same rule about the same value, or a part of it."""
    return any(_meets(told, other) for other in kinds.get((told.code, told.message), ()))


def _meets(one: Told, other: Told) -> bool:
    """Say whether two findings are about one value, or one about a part of the other's."""
    path, others = one.finding.path, other.finding.path
    is_related = path == others or path.startswith(f"{others}/") or others.startswith(f"{path}/")
    return is_related and one.finding.record.row == other.finding.record.row
