"""Which of a rule's refusals are about the fault at hand: those whose text holds some words."""

from lighter.rule import Refusal, Rule


def said_with(rule: Rule, words: str) -> tuple[Refusal, ...]:
    """Give the refusals of a rule that hold some words; none for no words, when nobody was heard to refuse the fault."""
    return tuple(refusal for refusal in rule.refusals if words and words in refusal.text)
