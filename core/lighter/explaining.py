"""Explaining a provider's error message: which rules find the fault behind it, by the texts that the rules' files record."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from msgspec import Struct

from lighter.beyond import Beyond, all_beyond
from lighter.explaining_exceptions import text_of_error
from lighter.explaining_logs import telling_part
from lighter.explaining_words import Pasted, Recorded, as_it_was_said, prepared
from lighter.providers import get_target
from lighter.rule import Refusal, Rule
from lighter.rules import RuleModule, rules

LEAST_SHARE = 0.78
"""How much of a recorded text must stand in the pasted one."""

LEAST_WEIGHT = 7.0
"""What the shared words must count: two rare words and a common one, say."""

LEAST_WEIGHT_WHOLE = 3.9
"""The same for a whole recorded text, which may be one rare word."""

LEAST_WEIGHT_ALONE = 5.0
"""The same where nothing but these words was pasted."""

ALONE_SHARE = 0.97
"""From which share on there is nothing else."""

LEAST_PIECE_SHARE = 0.84
"""How much of a piece of the pasted text must be words of a recorded one."""

PIECE_TRUST = 0.9
"""What a likeness is worth that is only to a part of a recorded text."""

ALIKE = 0.9
"""How near two recorded texts of one rule must come for their difference to mean nothing."""

RARER = 0.01
"""How far an unusual cause stands behind the usual one of the same words."""

PLACED_SHARE = 0.8
"""How like a recorded text one is taken to be that complains of the same at the same place, in whatever words."""

PLACED_VALUE = 5.0
"""What speaks for it; a text that has the words, too, comes first."""

SAME_PLACE_VALUE = 12.0
"""The same where the whole place is told, which says more than clauses that two texts have in common."""

SURE_SHARE = 0.85
"""From which share on the text is taken for the recorded one."""

SPEAKERS = 1.2
"""What the words of who sent the error are worth more than those of others."""

NEAR = 0.8
"""How near to the best another rule must come to be told as well."""


class Explanation(Struct, frozen=True):
    """A rule that finds the fault behind an error message, the recorded text that the message is like, and how like it is.

    `share` is the part of the recorded text that stands in the message, 0 to 1, rare words counting most. `is_sure`: the
    message is that text, but for ids, names and numbers.
    """

    module: RuleModule
    refusal: Refusal
    share: float
    is_sure: bool

    @property
    def rule(self) -> Rule:
        """The rule itself."""
        return self.module.rule


def explain(error: str | BaseException, *, target: str | None = None) -> tuple[Explanation, ...]:
    """Find the rules behind a provider's error, the likeliest first; none where no rule's text is like it.

    Its message may be wrapped in JSON, a `repr` or a traceback, cut short, and about other ids, names and numbers; or give the
    exception that was raised. Of rules that record the same text, the one comes first whose fault is its usual cause. `target` is
    who sent the error, where that is known: its own words count more.

    Raises UnknownTarget, and NotRecognised for what is no error.
    """
    speaker = get_target(target).name if target is not None else None
    likenesses = _likenesses(text_of_error(error))
    ranked = []
    for module in rules():
        found = [
            (
                value * (SPEAKERS if speaker in refusal.targets else 1.0) - (RARER if refusal.is_rarer else 0.0),
                share,
                refusal,
            )
            for refusal in module.rule.refusals
            for value, share in likenesses[refusal.text]
        ]
        if found:
            value = max(value for value, _, _ in found)
            # Of sentences that differ by a word the first is the one that its provider made up.
            share, refusal = next((share, refusal) for each, share, refusal in found if each >= ALIKE * value)
            ranked.append((value, Explanation(module, refusal, round(share, 3), share >= SURE_SHARE)))
    ranked.sort(key=lambda item: (-round(item[0], 6), item[1].module.rule.code))
    if ranked and _beyond(likenesses)[0] > ranked[0][0]:
        return ()
    return tuple(told for value, told in ranked if value >= NEAR * ranked[0][0])


@lru_cache(maxsize=4)
def as_it_tells(text: str) -> str:
    """Give an error message as it was said; of a long log the stretches that may hold one."""
    return telling_part(as_it_was_said(text), _recorded()[0])


def beyond_rules(text: str) -> Beyond | None:
    """Find what an error message means that is about a history but about nothing that a rule can find in it."""
    return _beyond(_likenesses(text))[1]


Likenesses = Mapping[str, Sequence[tuple[float, float]]]
"""For each recorded text how much speaks for it, and how like it the pasted one is."""


def _beyond(likenesses: Likenesses) -> tuple[float, Beyond | None]:
    found = [
        (value, entry) for entry in all_beyond() for refusal in entry.refusals for value, _ in likenesses[refusal.text]
    ]
    return max(found, key=lambda item: item[0], default=(0.0, None))


def _likenesses(text: str) -> Likenesses:
    table, known = _recorded()
    pasted = Pasted(as_it_tells(text), known)
    return {words: _likeness(pasted, recorded) for words, recorded in table.items()}


def _likeness(pasted: Pasted, recorded: Recorded) -> Sequence[tuple[float, float]]:
    """Tell how much speaks for a recorded text, and how like it the pasted one is; nothing where it is not like it.

    What complains of a place is not like what complains of another, or in another way, however many words they share.
    """
    complaint = recorded.complaint
    if complaint and pasted.complaints:
        if not any(map(complaint.is_like, pasted.complaints)):
            return ()
        if not complaint.place:
            return [(value, min(share, PLACED_SHARE)) for value, share in _worded(pasted, recorded)]
        placed = SAME_PLACE_VALUE if complaint in pasted.complaints else PLACED_VALUE
        return [(placed, PLACED_SHARE), *_worded(pasted, recorded)]
    return _worded(pasted, recorded)


def _worded(pasted: Pasted, recorded: Recorded) -> Sequence[tuple[float, float]]:
    """Do so by the words alone."""
    tried = (
        (pasted.share_of(recorded, LEAST_SHARE), LEAST_SHARE, LEAST_WEIGHT_WHOLE, 1.0),
        (pasted.share_in(recorded, LEAST_PIECE_SHARE), LEAST_PIECE_SHARE, LEAST_WEIGHT_ALONE, PIECE_TRUST),
    )
    return [
        (likeness.share * likeness.weight * trust, likeness.share * trust)
        for likeness, least, alone, trust in tried
        if likeness.share >= least and likeness.weight >= (LEAST_WEIGHT if likeness.share < ALONE_SHARE else alone)
    ]


def how_to_fix(rule: Rule) -> str:
    """Say in a sentence how lighter repairs a rule's fault; nothing where it does not."""
    if rule.fix is None:
        return ""
    flags = "--fix" if rule.fix.applicability == "safe" else "--fix --unsafe-fixes"
    return f"`lighter lint {flags}` does it: {rule.fix.message}."


@cache
def _recorded() -> tuple[dict[str, Recorded], dict[str, float]]:
    """Prepare all recorded texts, and tell what each word of them counts at most."""
    told = [refusal for module in rules() for refusal in module.rule.refusals]
    told += [refusal for entry in all_beyond() for refusal in entry.refusals]
    table = dict(prepared(refusal.text for refusal in told))
    known: dict[str, float] = {}
    for recorded in table.values():
        for word, weight in zip(recorded.words, recorded.weights, strict=True):
            known[word] = max(weight, known.get(word, 0.0))
    return table, known
