"""Chunks of LangChain add up to what the two packages make of them, but for calls that break off."""

import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lighter import jsontext
from lighter.formats import _langchain_merging as python
from lighter.formats import _langchain_merging_js as javascript
from lighter.formats._langchain import CLASSES, KINDS
from lighter.formats._langchain_merged import arguments_of
from lighter.formats._streaming import Ledger

messages = pytest.importorskip("langchain_core.messages")

JS_CHUNKS = (Path(__file__).parent / "data" / "langchain_js_chunks.jsonl").read_text("utf-8").splitlines()

TEXTS = st.text('ab"\\\n é', max_size=4)
WORDS = st.sampled_from(("a", "b", "ab"))
IDS = st.sampled_from((None, "", "call_1", "call_2"))
INDICES = st.sampled_from((None, 0, 1, "lc_0", "lc_1", "x"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from((0.5, 1.5)) | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=4,
)
KWARGS = st.dictionaries(
    st.sampled_from(("reasoning_content", "refusal", "id", "index", "created", "model_provider", "a", "tool_calls")),
    st.integers(0, 3) | TEXTS | st.none() | st.dictionaries(WORDS, TEXTS | st.integers(0, 3), max_size=2),
    max_size=3,
)
BLOCKS = st.one_of(
    TEXTS,
    st.fixed_dictionaries(
        {
            "type": st.sampled_from(
                ("text", "reasoning", "thinking", "non_standard", "tool_call_chunk", "server_tool_call")
            )
        },
        optional={
            "text": TEXTS,
            "reasoning": TEXTS,
            "thinking": TEXTS,
            "signature": TEXTS,
            "summary": st.lists(st.fixed_dictionaries({"text": TEXTS, "index": INDICES}), max_size=2),
            "id": IDS,
            "index": INDICES,
            "args": TEXTS,
            "extras": KWARGS,
            "value": st.dictionaries(st.sampled_from(("type", "a")), TEXTS, max_size=2),
            "annotations": st.lists(VALUES, max_size=2),
        },
    ),
)
ARGUMENTS = st.sampled_from(('{"city"', ': "Par', 'is"}', '"Oslo"}', "{}", "", '{"a": 1}', "1", '"', "{", "\n", None))
PIECES = st.builds(
    lambda name, args, call_id, index: {
        "name": name, "args": args, "id": call_id, "index": index, "type": "tool_call_chunk",
    },
    st.sampled_from((None, "get", "", "_weather")), ARGUMENTS, IDS, st.sampled_from((None, 0, 1)),
)  # fmt: skip
COUNTS = st.integers(0, 9)
USAGE = st.none() | st.fixed_dictionaries(
    {"input_tokens": COUNTS, "output_tokens": COUNTS, "total_tokens": COUNTS},
    optional={
        "input_token_details": st.dictionaries(st.sampled_from(("cache_read", "audio", "flex")), COUNTS, max_size=2),
        "output_token_details": st.dictionaries(st.sampled_from(("reasoning", "audio")), COUNTS, max_size=2),
    },
)
METADATA = st.fixed_dictionaries(
    {},
    optional={
        "model_name": WORDS, "model_provider": st.just("openai"), "finish_reason": st.sampled_from((None, "stop")),
        "output_version": st.sampled_from(("v1", "v0")), "created": COUNTS, "logprobs": st.none() | KWARGS,
    },
)  # fmt: skip
CONTENTS: st.SearchStrategy[Any] = TEXTS | st.just([]) | st.lists(BLOCKS, max_size=3)
CHUNKS = st.fixed_dictionaries(
    {
        "content": CONTENTS,
        "additional_kwargs": KWARGS,
        "response_metadata": METADATA,
        "tool_call_chunks": st.lists(PIECES, max_size=2),
        "usage_metadata": USAGE,
        "id": st.sampled_from(
            (None, "", "lc_1", "lc_2", "lc_run-1", "lc_run--1", "lc_run--2", "msg_1", "resp_1", "run--1")
        ),
        "name": st.sampled_from((None, None, "", "agent", "other")),
        "chunk_position": st.sampled_from((None, None, None, "last")),
    }
)


SAID: dict[str, dict[str, Any]] = {
    "tool": {
        "tool_call_id": st.just("call_1"), "artifact": VALUES, "status": st.sampled_from(("success", "success", "error")),
        "name": st.sampled_from((None, "get", "other")),
    },
    "function": {"name": st.just("get")},
    "chat": {"role": st.just("critic"), "name": st.sampled_from((None, "one", "other"))},
}  # fmt: skip
OTHERS = st.sampled_from(("human", "system", "chat", "function", "tool")).flatmap(
    lambda kind: st.tuples(
        st.just(kind),
        st.lists(
            st.fixed_dictionaries({
                "content": CONTENTS, "additional_kwargs": KWARGS, "response_metadata": METADATA,
                "id": st.sampled_from((None, "", "id_1", "id_2")), **SAID.get(kind, {"name": st.sampled_from((None, "me"))}),
            }),
            min_size=1,
            max_size=5,
        ),
    )
)  # fmt: skip
"""A kind, and chunks of one message of it."""


def as_json(value: Any) -> Any:
    return json.loads(jsontext.encode(value))


def chunk_of(kind: str, value: dict[str, Any]) -> Any:
    return getattr(messages, f"{CLASSES[kind]}Chunk")(**value)


def summed(values: list[dict[str, Any]], kind: str = "ai") -> Any:
    """Add chunks as langchain-core does; None where it refuses to."""
    first, *rest = [chunk_of(kind, value) for value in values]
    try:
        for chunk in rest:
            first += chunk
    except (TypeError, ValueError, AttributeError):
        return None
    return as_json(first.model_dump())


def added(
    module: Any, chunks: list[Any], ledger: Ledger | None = None, *, kind: str = "ai", is_complete: bool = True
) -> Any:
    """Add chunks as lighter does, read exactly as from a file."""
    pieces = list(enumerate(jsontext.decode(json.dumps(chunks))))
    return as_json(module.add_chunks(pieces, ledger or Ledger(), "", kind=kind, is_complete=is_complete))


def split(calls: list[Any]) -> tuple[list[Any], list[str]]:
    """Split calls: those whose arguments are JSON, and the arguments of those that break off."""
    whole = [call for call in calls if not (isinstance(call["args"], str) and is_cut(call["args"]))]
    return whole, [call["args"] for call in calls if call not in whole]


def is_cut(text: str | None) -> bool:
    return bool(text) and arguments_of(text) is None


def check(found: Any, expected: Any) -> None:
    """Compare what lighter makes of chunks with what a package makes of them."""
    cut = [piece["args"] for piece in expected.get("tool_call_chunks", ()) if is_cut(piece.get("args"))]
    if cut:
        whole, texts = split([*found.pop("tool_calls"), *found.pop("invalid_tool_calls")])
        assert sorted(texts) == sorted(cut)
        made = [*expected.pop("tool_calls"), *expected.pop("invalid_tool_calls")]
        assert all(call in made for call in whole)
        assert len(made) == len(whole) + len(texts)
        expected["content"] = found["content"]  # holds the calls once more in version 1
    assert found == expected


@given(st.lists(CHUNKS, min_size=1, max_size=5))
@settings(deadline=None, max_examples=150)
def test_chunks_add_up_as_in_langchain_core(values: list[dict[str, Any]]) -> None:
    # A stream has one version; of two, what the package makes depends on which pieces are added first.
    assume(len({value["response_metadata"].get("output_version") for value in values} - {None}) < 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # What the package dumps is what lighter reads.
        dumps = [as_json(messages.AIMessageChunk(**value).model_dump()) for value in values]
        expected = summed(dumps)
    ledger = Ledger()
    found = added(python, dumps, ledger)
    if expected is None:
        assert ledger.told()
    else:
        check(found, expected)


@given(OTHERS)
@settings(deadline=None, max_examples=150)
def test_chunks_of_other_kinds_add_up_as_in_langchain_core(case: tuple[str, list[dict[str, Any]]]) -> None:
    kind, values = case
    dumps = [as_json(chunk_of(kind, value).model_dump()) for value in values]
    expected = summed(dumps, kind)
    ledger = Ledger()
    found = added(python, dumps, ledger, kind=kind)
    assert found == expected if expected is not None else ledger.told()


@pytest.mark.parametrize("line", JS_CHUNKS, ids=range(len(JS_CHUNKS)))
def test_chunks_add_up_as_in_javascript(line: str) -> None:
    row = json.loads(line)
    kind = KINDS[row["merged"]["id"][-1]]
    found = added(javascript, [chunk["kwargs"] for chunk in row["chunks"]], kind=kind)
    check_grouped(found, row["merged"]["kwargs"])


def check_grouped(found: Any, expected: Any) -> None:
    """Compare with JavaScript, which groups pieces once more before it reads their arguments."""
    texts = [
        "".join(piece.get("args") or "" for piece in group)
        for group in javascript.grouped(expected.get("tool_call_chunks", []))
    ]
    if any(map(is_cut, texts)):
        invalid = [call["args"] for call in found.pop("invalid_tool_calls")]
        assert {text.strip() for text in texts if is_cut(text)} <= set(invalid)
        made = [*expected.pop("tool_calls"), *expected.pop("invalid_tool_calls")]
        assert all(call in made for call in found["tool_calls"])
        assert len(made) == len(found.pop("tool_calls")) + len(invalid)
    assert found == expected


CUT = [
    {"content": "", "tool_call_chunks": [{"name": "get", "args": '{"city": "Par', "id": "c", "index": 0}]},
    {"content": "", "tool_call_chunks": [{"name": None, "args": "is", "id": None, "index": 0}]},
]


@pytest.mark.parametrize(("module", "error"), [(python, None), (javascript, "Malformed args.")])
def test_arguments_that_break_off_stay_text(module: Any, error: str | None) -> None:
    found = added(module, CUT)
    assert found["tool_calls"] == []
    [call] = found["invalid_tool_calls"]
    assert (call["args"], call["error"]) == ('{"city": "Paris', error)


@pytest.mark.parametrize("module", [python, javascript])
@pytest.mark.parametrize("is_complete", [True, False])
def test_no_arguments_are_none_once_the_answer_has_ended(module: Any, *, is_complete: bool) -> None:
    begun = {"content": "", "tool_call_chunks": [{"name": "get", "args": "", "id": "c", "index": 0}]}
    found = added(module, [begun], is_complete=is_complete)
    assert [call["args"] for call in found["tool_calls"]] == ([{}] if is_complete else [])
    assert [call["args"] for call in found["invalid_tool_calls"]] == ([] if is_complete else [""])


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ([{"content": []}, {"content": "text"}], "/content"),
        ([{"content": ""}, {"content": "text", "name": "agent"}], "/name"),
    ],
)
def test_what_langchain_leaves_out_is_told(values: list[dict[str, Any]], path: str) -> None:
    ledger = Ledger()
    found, expected = added(python, values, ledger), summed(values)
    assert all(expected[key] == value for key, value in found.items())
    assert [(lost.index, lost.path) for lost in ledger.told()] == [(1, path)]


def test_what_cannot_be_added_is_told() -> None:
    ledger = Ledger()
    values = [{"content": "", "additional_kwargs": {"a": 1}}, {"content": "", "additional_kwargs": {"a": "one"}}]
    found = added(python, values, ledger)
    assert found["additional_kwargs"] == {"a": 1}
    assert [(lost.index, lost.path) for lost in ledger.told()] == [(1, "/additional_kwargs/a")]


def test_lists_that_are_none_are_told_and_passed_over() -> None:
    ledger = Ledger()
    found = added(javascript, [{"content": "a", "tool_call_chunks": 1.5}, {"content": "b", "tool_calls": "c"}], ledger)
    assert (found["content"], found["tool_call_chunks"], found["tool_calls"]) == ("ab", [], [])
    assert [lost.path for lost in ledger.told()] == ["/tool_call_chunks", "/tool_calls"]


def test_long_streams_take_time_in_proportion() -> None:
    values = [{"content": "word ", "tool_call_chunks": [{"args": "1234 ", "index": 0}]} for _ in range(20_000)]
    found = python.add_chunks(list(enumerate(values)), Ledger(), "", kind="ai", is_complete=True)
    assert len(found["content"]) == len(found["tool_call_chunks"][0]["args"]) == 100_000
