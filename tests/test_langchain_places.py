"""Where losses of LangChain's messages point: at the value concerned, not at a message, nor into another one."""

from typing import Any

import pytest

from lighter import convert

PLACED: list[tuple[list[Any], str]] = [
    ([["human", "q"], ["critic", [{"type": "tool_result", "tool_use_id": "t", "content": "r"}]]], "/1/0"),
    ([{"type": "human", "content_blocks": [{"type": "text", "text": "q"}]},
      {"type": "human", "name": "n", "content_blocks": [{"type": "tool_result", "tool_use_id": "t", "content": "r"}]}], "/1/name"),
    ([{"type": "human", "content": "q"}, {"type": "function", "content": "1"}], "/1/type"),
    ([{"type": "system", "content": "s", "additional_kwargs": {"__openai_role__": "developer"}}, {"type": "human", "content": "q"}],
     "/0/additional_kwargs/__openai_role__"),
]  # fmt: skip


@pytest.mark.parametrize(("messages", "path"), PLACED, ids=[path for _, path in PLACED])
def test_losses_name_the_value_itself(messages: list[Any], path: str) -> None:
    losses = convert(messages, "anthropic", "langchain-dump").losses
    paths = [loss.path for loss in losses if loss.action != "synthesised"]
    assert path in paths
    assert not {"", "/0", "/1"} & set(paths)
