"""What the tables about providers say, and that their rows are complete, ordered and of one mind with the SDKs."""

import re
import typing

import pytest

from lighter import providers
from lighter.errors import UnknownTarget
from lighter.providers import TARGETS, get_target
from lighter.rule import MODES


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
    assert [get_target(alias).name for alias in ("openai", "converse", "interactions")] == [
        "openai-chat",
        "bedrock",
        "gemini-interactions",
    ]
    assert get_target("openai-finetune").mode == "finetune"
    with pytest.raises(UnknownTarget, match="did you mean 'openai-chat'"):
        get_target("openai-chatt")
    with pytest.raises(UnknownTarget, match="lighter"):
        get_target("lighter")  # a format that no provider reads


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
