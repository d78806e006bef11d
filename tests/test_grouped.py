"""What is lost of an answer's metadata is one loss where nothing of it arrives."""

from typing import Any

import pytest

from lighter import convert

TOLD = {"model_name": "gpt-x", "finish_reason": "stop", "logprobs": None, "model_provider": "openai", "id": "resp_1"}


def losses_of(metadata: dict[str, Any], to: str) -> list[tuple[str, str]]:
    """Convert an answer with metadata; gives path and action of each loss."""
    answer = {"type": "ai", "content": "Low.", "additional_kwargs": {}, "response_metadata": metadata}
    found = convert([{"type": "human", "content": "Tide?"}, answer], to=to, format="langchain-dump")
    return [(loss.path, loss.action) for loss in found.losses]


@pytest.mark.parametrize("to", ["openai-chat", "anthropic", "gemini", "bedrock", "mistral", "cohere", "ollama"])
def test_metadata_of_which_nothing_arrives_is_one_loss(to: str) -> None:
    assert losses_of(TOLD, to) == [("/1/response_metadata", "dropped")]


def test_one_lost_value_is_named_itself() -> None:
    assert losses_of({"model_name": "gpt-x"}, "anthropic") == [("/1/response_metadata/model_name", "dropped")]


@pytest.mark.parametrize("to", ["langchain", "langchain-stored", "lighter"])
def test_metadata_that_arrives_is_no_loss(to: str) -> None:
    assert losses_of(TOLD, to) == []


def test_keys_are_named_up_to_a_number() -> None:
    answer = {"type": "ai", "content": "Low.", "response_metadata": {f"key_{n}": n + 1 for n in range(20)}}
    (loss,) = convert([answer], to="anthropic", format="langchain-dump").losses
    assert loss.detail.endswith("key_6, key_7 …")
