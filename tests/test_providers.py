"""What the tables about providers say, and that their rows are complete, ordered and of one mind with the SDKs."""

import re
import typing
from itertools import pairwise

import pytest

from lighter import providers
from lighter.errors import UnknownTarget
from lighter.providers import MODEL_ROWS, TARGETS, claude_version, get_target, supports
from lighter.rule import MODES

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
    assert all(supports(model, feature) is None for feature in typing.get_args(providers.ModelFeature))


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


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda target: target.name)
def test_target_is_complete(target: providers.Target) -> None:
    assert TARGETS[target.name] is target
    assert target.mode in MODES
    assert target.title
    assert (target.source != "") == (target.format is not None)
    for pattern in (target.call_id_pattern, target.tool_name_pattern, target.participant_name_pattern):
        if pattern is not None:
            assert re.fullmatch(pattern, "harbour01")
            assert not re.fullmatch(pattern, "harbour log")


def test_targets_are_found_by_name() -> None:
    assert get_target("anthropic").format == "anthropic"
    assert get_target("azure-openai").call_id_max == 40
    assert get_target("generic").mode == "log"
    with pytest.raises(UnknownTarget, match="did you mean 'openai-chat'"):
        get_target("openai-chatt")


def block_types(union: object) -> dict[str, frozenset[str]]:
    if typing.is_typeddict(union) or hasattr(union, "__required_keys__"):
        keys = typing.get_type_hints(union)
        return {typing.get_args(keys["type"])[0]: frozenset(keys)}
    return {name: keys for member in typing.get_args(union) for name, keys in block_types(member).items()}


def test_anthropic_blocks_are_those_of_the_sdk() -> None:
    types = pytest.importorskip("anthropic.types")
    beta = pytest.importorskip("anthropic.types.beta")
    for union in (types.ContentBlockParam, beta.BetaContentBlockParam):
        for name, keys in block_types(union).items():
            if name in providers.ANTHROPIC_BLOCKS:
                assert keys - providers.ANTHROPIC_BLOCKS[name] <= {"from"}, name
            else:
                assert name == "mid_conv_system", f"{name} is missing from the table"


def test_openai_parts_are_those_of_the_sdk() -> None:
    chat = pytest.importorskip("openai.types.chat")
    for union in typing.get_args(chat.ChatCompletionMessageParam):
        keys = typing.get_type_hints(union)
        role = typing.get_args(keys["role"])[0]
        if role in providers.OPENAI_PARTS:
            parts = {name for member in _lists_in(keys["content"]) for name in block_types(member)}
            assert parts == providers.OPENAI_PARTS[role]


def _lists_in(content: object) -> list[object]:
    members = typing.get_args(content)
    return [typing.get_args(member)[0] for member in members if typing.get_args(member)] if members else []
