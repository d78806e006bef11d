"""Error messages lead to the rule behind them, however they were pasted; what no rule is about leads nowhere."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mangling import WRAPPINGS, in_log, mangled

from lighter.beyond import Beyond, all_beyond
from lighter.explaining import beyond_rules, explain
from lighter.explaining_logs import LONG
from lighter.explaining_places import clues_of
from lighter.rules import RuleModule, rules

DATA = Path(__file__).parent / "data"
TEXTS = [json.loads(line) for line in (DATA / "provider_errors.jsonl").read_text(encoding="utf-8").splitlines()]
"""What providers were seen to say, mostly without beginning or end, each with the rule whose fault is the usual cause."""

PASTED = [json.loads(line) for line in (DATA / "pasted_errors.jsonl").read_text(encoding="utf-8").splitlines()]
"""What people pasted into reports; the rule is null where the error is about something else, of the kind `beyond` if any."""

LEAST = 0.95
"""The share of mangled texts that must lead to their rule first."""


def first_of(text: str) -> str | None:
    found = explain(text)
    return found[0].rule.name if found else None


def scores(seeds: range) -> tuple[Counter[str], Counter[str]]:
    """Count the texts that lead to their rule first, and all, by how they were wrapped."""
    right, total = Counter[str](), Counter[str]()
    for case in TEXTS:
        for seed in seeds:
            for wrapping, text in mangled(case["text"], seed):
                total[wrapping] += 1
                right[wrapping] += first_of(text) == case["rule"]
    return right, total


def check_scores(seeds: range) -> None:
    right, total = scores(seeds)
    shares = {wrapping: right[wrapping] / total[wrapping] for wrapping in WRAPPINGS}
    assert {wrapping: share for wrapping, share in shares.items() if share < LEAST} == {}


def test_texts_with_other_ids_names_and_numbers_lead_to_their_rule_first() -> None:
    assert len(TEXTS) > 100
    check_scores(range(1))


@pytest.mark.slow
def test_they_do_so_with_many_other_ids_names_and_numbers() -> None:
    check_scores(range(1, 6))


@pytest.mark.parametrize("case", PASTED, ids=lambda case: f"{case['rule']}-{case['text'][:30]}")
def test_pasted_errors_lead_to_their_rule_or_nowhere(case: dict[str, str | None]) -> None:
    assert first_of(case["text"] or "") == case["rule"]


def share_in_logs(cases: Sequence[Mapping[str, str]], seed: int) -> float:
    assert len(in_log(cases[0]["text"], seed)) > LONG
    return sum(first_of(in_log(case["text"], seed)) == case["rule"] for case in cases) / len(cases)


def test_an_error_is_found_wherever_it_stands_in_a_long_log() -> None:
    assert share_in_logs(TEXTS[::10], 0) >= LEAST


@pytest.mark.slow
def test_every_error_is_found_in_a_long_log() -> None:
    assert share_in_logs(TEXTS, 1) >= LEAST


SPEAKING = [module for module in rules() if module.rule.refusals]


@pytest.mark.parametrize("module", SPEAKING, ids=lambda module: module.rule.name)
def test_each_recorded_text_leads_to_its_rule(module: RuleModule) -> None:
    """First of all unless another rule records the same words as well."""
    for refusal in module.rule.refusals:
        _, text = next(mangled(refusal.text, 0))
        found = explain(text)
        assert module.rule.name in [told.rule.name for told in found], text
        sharers = {other.rule.name for other in SPEAKING if refusal.text in [r.text for r in other.rule.refusals]}
        assert found[0].rule.name in sharers or found[0].share >= 1.0, text


@pytest.mark.parametrize("entry", all_beyond(), ids=lambda entry: entry.title)
def test_what_no_rule_finds_is_explained_all_the_same(entry: Beyond) -> None:
    for refusal in entry.refusals:
        for _, text in mangled(refusal.text, 0):
            assert beyond_rules(text) == entry, text
            assert explain(text) == (), text


@pytest.mark.parametrize(
    "case", [case for case in PASTED if case["rule"] is None], ids=lambda case: (case["text"] or "")[:40]
)
def test_what_no_rule_is_about_is_told_by_its_kind_or_not_at_all(case: dict[str, str | None]) -> None:
    """Whose limits, keys and models are at fault is told; a stranger's error is nothing to speak of."""
    told = beyond_rules(case["text"] or "")
    assert (told.title if told else None) == case.get("beyond")


def test_the_usual_cause_comes_before_the_rarer_one() -> None:
    said = "Unexpected role 'tool' after role 'user'"
    assert [told.rule.name for told in explain(said)] == ["orphan-tool-result", "interleaved-message"]


def test_a_text_that_is_only_alike_is_not_told_as_sure() -> None:
    [told, *_] = explain("tool messages must be a response to a message with tool_calls")
    assert not told.is_sure
    assert told.rule.name == "orphan-tool-result"


@settings(max_examples=20)
@given(st.text(max_size=300))
def test_whatever_is_pasted_is_explained_or_not(text: str) -> None:
    assert explain(text) == explain(text)


@pytest.mark.parametrize("piece", ["a", "\\", " ", "\"'", "messages[1].content.", "_", "a:", "a-", "Error", "\x1b["])
def test_endless_repetition_takes_no_time(piece: str) -> None:
    """Quadratic work would take minutes."""
    text = piece * (60_000 // len(piece))
    assert [told for told in explain(text) if told.is_sure] == []
    assert clues_of(text).ids == ()


def test_a_long_log_is_searched_in_no_time() -> None:
    """Forty thousand words, among them the wire's own; quadratic work would take minutes."""
    noise = "role user tool_calls messages content block assistant message must be a type " * 3000
    found = explain(f"{noise} No tool output found for function call call_1a2b. {noise[:4000]}")
    assert "missing-tool-result" in [told.rule.name for told in found]
