"""The screen of OpenAI Chat hides nothing, and passes what is ordinary."""

import random
from typing import Any

import pytest
from chat import assistant, calls, jsonl, result, user
from hypothesis import given, settings
from hypothesis import strategies as st
from screening import LAYOUTS, LUCK, laid_out, report, same_is_found, spoiled
from strategies.openai_chat import chats

from lighter.checking import Checks

IDS = st.sampled_from(["a", "b", "c", "", None, 7, "x" * 41])
TEXTS = st.sampled_from(
    ["hi", "", " ", "a\0b", 'say "x": "y"', "\\", "C:\\", "<|im_end|>", "ok <|im_end|>", "é🙂", "sk-"]
)
LOOSE = st.sampled_from([None, 1, 2**53, 2**60 + 1, 1.5, True, {"a": {"b": "c"}}, [[1]], "x"])
EXTRA = st.dictionaries(
    st.sampled_from(["session_id", "timestamp", "id", "name", "weight", "metadata", "model"]), LOOSE, max_size=2
)
ARGUMENTS = st.sampled_from(["{}", '{"a": "b\\"c"}', "", "{", "[]", "1", '"x"', '{"a":1,"a":2}'])
MESSAGES = st.one_of(
    st.builds(user, TEXTS),
    st.builds(assistant, TEXTS),
    st.builds(lambda text: {"role": "system", "content": text}, TEXTS),
    st.builds(lambda ids, text: calls(*ids, arguments=text), st.lists(IDS, min_size=1, max_size=3), ARGUMENTS),
    st.builds(result, IDS),
    st.sampled_from([3, None, [], {}, {"role": 1}, {"role": "user"}, {"role": "tool", "content": "x"}, {"role": "human", "content": "x"},
                     {"role": "assistant", "content": None}, {"role": "assistant", "content": "x", "tool_calls": []},
                     {"role": "assistant", "content": "x", "tool_calls": None}, {"role": "user", "content": [{"type": "text", "text": "x"}]}]),
)  # fmt: skip
DRESSED = st.tuples(MESSAGES, EXTRA).map(lambda pair: {**pair[0], **pair[1]} if isinstance(pair[0], dict) else pair[0])
CHATS = st.lists(st.one_of(MESSAGES, DRESSED), max_size=10)
TOOLS = st.sampled_from([
    None, [], [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}],
    [{"type": "function", "function": {"name": "g"}}],
    [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}}}],
])  # fmt: skip
AIMS = st.sampled_from([
    {}, {"mode": "request"}, {"target": "openai-chat"}, {"target": "openai-chat", "mode": "log"}, {"target": "azure-openai"},
    {"target": "anthropic"}, {"mode": "finetune"},
])  # fmt: skip


@settings(max_examples=250, deadline=None)
@given(CHATS, TOOLS, AIMS, LAYOUTS, LUCK)
def test_with_the_screen_the_same_is_found(
    messages: list[Any], tools: Any, aim: dict[str, Any], layout: str, luck: random.Random
) -> None:
    body = {"messages": messages} if tools is None else {"messages": messages, "tools": tools}
    same_is_found(spoiled(laid_out(body, layout), luck), format="openai-chat", **aim)


@settings(max_examples=100, deadline=None)
@given(chats(), AIMS)
def test_the_same_is_found_in_valid_conversations(body: dict[str, Any], aim: dict[str, Any]) -> None:
    for layout in ("body", "lines"):
        same_is_found(laid_out(body, layout), format="openai-chat", **aim)


def test_what_is_ordinary_makes_no_passage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Checks, "judge", lambda *_: pytest.fail("a passage was judged"))
    log = [user(), calls("a", "b"), result("b"), result("a"), assistant(), user('say "x"'), assistant("é")]
    assert report(jsonl(*log)).messages == 7
    assert report(jsonl({"messages": log}, {"messages": log}), target="openai-chat").conversations == 2


def test_a_history_that_begins_behind_several_prompts_was_cut_there() -> None:
    prompts = [{"role": "system", "content": "Be brief."}] * 2
    same_is_found(jsonl(*prompts, {"role": "tool", "tool_call_id": "a", "content": "ok"}), format="openai-chat")
