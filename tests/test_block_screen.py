"""The screen of Anthropic Messages hides nothing, and passes what is ordinary."""

import random
from typing import Any

import pytest
from chat import jsonl
from hypothesis import given, settings
from hypothesis import strategies as st
from screening import LAYOUTS, LUCK, laid_out, report, same_is_found, spoiled
from strategies.anthropic import claudes

from lighter.checking import Checks
from lighter.conversion import refusals_of

FORMAT = "anthropic"


def text(said: str, **keys: Any) -> dict[str, Any]:
    return {"type": "text", "text": said, **keys}


def call(call_id: Any = "a", **keys: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "f", "input": {"pier": 3}, **keys}


def result(call_id: Any = "a", **keys: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": "ok", **keys}


def user(*content: Any, **keys: Any) -> dict[str, Any]:
    return {
        "role": "user",
        "content": content[0] if len(content) == 1 and isinstance(content[0], str) else list(content),
        **keys,
    }


def assistant(*content: Any, **keys: Any) -> dict[str, Any]:
    return {**user(*content, **keys), "role": "assistant"}


THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
MARK = {"cache_control": {"type": "ephemeral"}}
IDS = st.sampled_from(["a", "b", "c", "d"]) | st.sampled_from(["", None, 7, "x" * 65, "a b"])
TEXTS = st.sampled_from(["hi", "ok ", 'say "x"', "\\", "é🙂"]) | st.sampled_from(
    ["", " ", "a\0b", "ok <|im_end|>", "[INST]", "sk-"]
)
TEXT = st.builds(text, TEXTS) | st.builds(lambda said: text(said, **MARK), TEXTS)
CALL = st.builds(call, IDS) | IDS.flatmap(
    lambda call_id: st.sampled_from([
        call(call_id, input={"pier": "three"}), call(call_id, input={"a": {"b": ['"', 1.5, None]}}), call(call_id, input=[]),
        call(call_id, input={"n": 2**60}), call(call_id, name="no name"), call(call_id, **MARK), {"type": "tool_use", "id": call_id},
    ])
)  # fmt: skip
RESULT = st.builds(result, IDS) | IDS.flatmap(
    lambda call_id: st.sampled_from([
        result(call_id, is_error=True), result(call_id, content=[text("ok")]), result(call_id, content=[]), result(call_id, content=""),
        result(call_id, content=None), result(call_id, content=[text(" ")]), result(call_id, is_error="no"), result(call_id, **MARK),
        {"type": "tool_result", "tool_use_id": call_id},
    ])
)  # fmt: skip
ODD: st.SearchStrategy[Any] = st.sampled_from([
    3, None, {}, {"type": "text"}, {"type": 1}, {"type": []}, {**THOUGHT, "signature": ""}, {"type": "thinking", "thinking": "hm"},
    {"type": "image_url", "image_url": {"url": "x"}}, {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
    {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}, {"type": "text", "text": "x", "x": 1},
])  # fmt: skip
BLOCK = st.one_of(TEXT, TEXT, CALL, RESULT, st.just(THOUGHT), ODD)
TURN = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f"]), min_size=1, max_size=3).map(
    lambda ids: [assistant(THOUGHT, text("let me look"), *map(call, ids)), user(*map(result, ids), text("and?"))]
)
MESSAGE = st.one_of(
    st.builds(user, TEXTS),
    st.builds(assistant, TEXTS),
    st.lists(BLOCK, max_size=4).map(lambda blocks: user(*blocks)),
    st.lists(BLOCK, max_size=4).map(lambda blocks: assistant(*blocks)),
    st.sampled_from([3, [], {"role": []}, {"role": "user"}, {"role": "system", "content": "x"}, {"role": "user", "content": None},
                     {"role": "assistant", "content": "x", "tool_calls": [{"id": "a"}]}, {"role": "assistant", "content": "x", "session_id": "s"},
                     {"role": "user", "content": "x", "metadata": {"a": 'b"'}}]),
)  # fmt: skip
CHAT = st.lists(TURN | MESSAGE.map(lambda message: [message]), max_size=8).map(
    lambda turns: [message for turn in turns for message in turn]
)
SCHEMA = {"type": "object", "properties": {"pier": {"type": "integer"}}, "required": ["pier"]}
BODY = st.fixed_dictionaries({"messages": CHAT}, optional={
    "system": TEXTS | st.lists(TEXT, max_size=2),
    "model": st.sampled_from(["claude-opus-4-8", "claude-3-haiku-20240307", 7]),
    "thinking": st.sampled_from([{"type": "enabled", "budget_tokens": 1024}, {"type": "disabled"}]),
    "tools": st.sampled_from([
        [], [{"name": "f", "input_schema": SCHEMA}], [{"name": "g", "input_schema": {"type": "object"}}],
        [{"name": "f", "input_schema": {"type": "array"}}], [{"type": "function", "function": {"name": "f", "parameters": SCHEMA}}],
        [{"name": "f", "input_schema": {"type": "object", "additionalProperties": False}, **MARK}],
    ]),
    "max_tokens": st.just(9),
    "x": st.just(1),
})  # fmt: skip
AIMS = st.sampled_from([
    {}, {"mode": "request"}, {"target": "anthropic"}, {"target": "anthropic", "mode": "log"}, {"mode": "finetune"},
])  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(BODY, AIMS, LAYOUTS, LUCK)
def test_with_the_screen_the_same_is_found(
    body: dict[str, Any], aim: dict[str, Any], layout: str, luck: random.Random
) -> None:
    same_is_found(spoiled(laid_out(body, layout), luck), has_frames=False, format=FORMAT, **aim)


@settings(max_examples=100, deadline=None)
@given(claudes(), AIMS)
def test_the_same_is_found_in_valid_conversations(body: dict[str, Any], aim: dict[str, Any]) -> None:
    for layout in ("body", "lines"):
        same_is_found(laid_out(body, layout), has_frames=False, format=FORMAT, **aim)


@settings(max_examples=200, deadline=None)
@given(BODY)
def test_all_that_would_be_refused_is_told_of_a_request(body: dict[str, Any]) -> None:
    data = jsonl(body)
    found = report(data, is_screened=False, format=FORMAT, target=FORMAT, mode="request").diagnostics
    expected = [(d.name, d.path) for d in found if d.severity == "error"]
    assert [(d.name, d.path) for d in refusals_of(body, data, FORMAT)] == expected


@pytest.mark.parametrize(
    ("last", "more", "refused"),
    [
        ("Title:", {}, []), ("Title: ", {}, ["trailing-whitespace-prefill"]),
        ("Title:", {"model": "claude-opus-4-8"}, ["prefill-not-supported"]),
        ("Title:", {"model": "claude-3-haiku-20240307"}, []),
    ],
)  # fmt: skip
def test_a_last_message_of_the_assistant_is_judged_where_it_may_be_refused(
    monkeypatch: pytest.MonkeyPatch, last: str, more: dict[str, Any], refused: list[str]
) -> None:
    if not refused and not more:
        monkeypatch.setattr(Checks, "judge", lambda *_: pytest.fail("a passage was judged"))
    for said in (assistant(last), assistant(text("Hm. "), text(last))):
        body = {"messages": [user("hi"), said], **more}
        assert [found.name for found in refusals_of(body, jsonl(body), FORMAT)] == refused


@pytest.mark.parametrize("count", [1, 2])
def test_breakpoints_of_tools_system_and_messages_count_together(count: int) -> None:
    marked = [text("x", **MARK)] * count
    body = {"system": marked, "tools": [{"name": "f", "input_schema": SCHEMA, **MARK}], "messages": [user(*marked)]}
    found = [d.name for d in report(jsonl(body), format=FORMAT, target="anthropic").diagnostics]
    assert found == ["too-many-cache-breakpoints"] * (count - 1)


def test_what_is_ordinary_makes_no_passage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Checks, "judge", lambda *_: pytest.fail("a passage was judged"))
    log = [
        user("hi"), assistant(THOUGHT, text("let me look"), call("a"), call("b", input={"pier": 4})),
        user(result("b", content=[text("ok")]), result("a", is_error=True), text("and?", **MARK)), assistant('say "x"'), user("é"),
    ]  # fmt: skip
    assert report(jsonl(*log), format=FORMAT).messages == 5
    body = {"system": [text("x")], "messages": log, "tools": [{"name": "f", "input_schema": SCHEMA}], "max_tokens": 9}
    assert report(jsonl(body, log), format=FORMAT, target="anthropic").conversations == 2
