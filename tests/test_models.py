"""What the tables about models say, and that their rows are ordered."""

import typing
from itertools import pairwise

import pytest

from lighter import models
from lighter.models import MODEL_ROWS, claude_version, supports

FEATURES = ("prefill", "system in messages", "several systems in a row")

MODELS = {
    "claude-sonnet-4-5": (4, 5),
    "claude-sonnet-4-5-20250929": (4, 5),
    "claude-opus-4-20250514": (4, 0),
    "claude-opus-4-8-20260528": (4, 8),
    "claude-fable-5": (5, 0),
    "claude-haiku-5-5": (5, 5),
    "claude-mythos-preview": (4, 7),
    "claude-3-5-sonnet-20241022": (3, 5),
    "claude-3-opus-20240229": (3, 0),
    "claude-2.1": (2, 1),
    "claude-instant-1.2": (1, 0),
    "anthropic/claude-opus-4.6": (4, 6),
    "us.anthropic.claude-opus-4-6-v1:0": (4, 6),
    "anthropic.claude-v2:1": (2, 0),
    "claude-sonnet-4@20250514": (4, 0),
    "claude-sonnet-4-6[1m]": (4, 6),
    "Claude-Opus-4-7": (4, 7),
}


@pytest.mark.parametrize(("model", "version"), MODELS.items())
def test_version_is_read_off_the_name(model: str, version: tuple[int, int]) -> None:
    assert claude_version(model) == version


@pytest.mark.parametrize("model", ["", "gpt-5", "claude", "claude-sonnet-latest", "my-claude-proxy", "gemini-3-pro"])
def test_other_names_have_no_version(model: str) -> None:
    assert claude_version(model) is None
    assert all(supports(model, feature) is None for feature in typing.get_args(models.ModelFeature))


@pytest.mark.parametrize(
    ("model", "prefill", "system"),
    [
        ("claude-3-5-haiku-20241022", True, False),
        ("claude-sonnet-4-5", True, False),
        ("claude-opus-4-6", False, False),
        ("claude-opus-4-7", False, False),
        ("claude-opus-4-8", False, True),
        ("claude-sonnet-5", False, True),
        ("claude-fable-5", False, True),
        (None, None, None),
    ],
)
def test_model_features(model: str | None, prefill: bool | None, system: bool | None) -> None:
    assert supports(model, "prefill") is prefill
    assert supports(model, "system in messages") is system


@pytest.mark.parametrize("feature", FEATURES)
def test_ranges_of_a_feature_meet_without_overlap(feature: str) -> None:
    rows = sorted((row for row in MODEL_ROWS if row.feature == feature), key=lambda row: row.since)
    assert rows
    assert all(row.since < row.until and row.source for row in rows)
    assert all(one.until == other.since for one, other in pairwise(rows))
    assert rows[-1].until > (90, 0)
