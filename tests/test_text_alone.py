"""Passages that are text alone: a format says so of no message in which something else stands, and no finding depends on it."""

import json
from pathlib import Path
from typing import Any

import pytest
from screening import report
from test_lint_cases import CASES, MORE_CASES, data_of

from lighter.errors import NotRecognised
from lighter.formats import names, trait
from lighter.messages import MediaBlock, ToolCall, ToolMessage, blocks_of
from lighter.passage import Passage
from lighter.reading import read_passages

SAMPLES = sorted((Path(__file__).parents[1] / "sample_conversations").rglob("*.json*"))
FORMATS = [name for name in names() if trait(name, "is_text_alone", otherwise=None)]

TEXT: dict[str, Any] = {
    "gemini": {"role": "model", "parts": [{"text": "2.1 m"}, {"text": "Hm.", "thought": True}]},
    "bedrock": {"role": "user", "content": [{"text": "Tide?"}, {"cachePoint": {"type": "default"}}]},
    "openai-responses": {"role": "assistant", "content": [{"type": "output_text", "text": "2.1 m"}]},
    "ollama": {"role": "assistant", "content": "2.1 m", "thinking": "Hm."},
    "gemini-interactions": {"type": "model_output", "content": [{"type": "text", "text": "2.1 m"}]},
    "langchain": {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "HumanMessage"], "kwargs": {"content": "Tide?"}},
    "langchain-js": {"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", "AIMessage"], "kwargs": {"content": "2.1 m", "tool_calls": []}},
    "langchain-stored": {"type": "ai", "data": {"content": "2.1 m", "tool_calls": [], "additional_kwargs": {}}},
    "langchain-dump": {"type": "ai", "content": "2.1 m", "tool_calls": [], "invalid_tool_calls": []},
}  # fmt: skip
"""A text in each of these formats."""

NO_MESSAGES: tuple[Any, ...] = (None, 1, [], {}, {"role": "user"})

MORE: list[tuple[str, Any]] = [
    ("gemini", {"role": "user", "parts": [{"text": "Tide?"}, {"inline_data": {"data": "iVBORw0KGgo="}}]}),
    ("gemini", {"role": "model", "parts": [{"function_call": {"name": "read_tide"}}]}),
    ("bedrock", {"role": "user", "content": [{"text": "Tide?"}, {"toolResult": {"toolUseId": "t"}}]}),
    ("bedrock", {"role": "assistant", "content": "2.1 m"}),
    ("openai-responses", {"type": "function_call", "call_id": "c", "name": "read_tide", "arguments": "{}"}),
    ("openai-responses", {"role": "tool", "content": "2.1 m", "tool_call_id": "c"}),
    ("openai-responses", {"role": "user", "content": [{"type": "input_image", "image_url": "data:,"}]}),
    ("ollama", {"role": "tool", "content": "2.1 m"}),
    ("ollama", {"role": "user", "content": "Which pier?", "images": ["iVBORw0KGgo="]}),
    ("gemini-interactions", {"type": "function_call", "id": "c", "name": "read_tide", "arguments": {}}),
    ("langchain-dump", {"type": "tool", "content": "2.1 m", "tool_call_id": "c"}),
    ("langchain-dump", {"type": "ai", "content": "", "additional_kwargs": {"function_call": {"name": "read_tide"}}}),
    ("langchain-dump", {"type": "ai", "content": "", "tool_calls": ""}),
    ("langchain-stored", {"type": "human", "data": {"content": [{"type": "text", "text": "Tide?"}]}}),
    *((name, value) for name in TEXT for value in NO_MESSAGES),
]


@pytest.mark.parametrize("name", FORMATS)
def test_texts_are_text(name: str) -> None:
    assert trait(name, "is_text_alone", otherwise=None)(TEXT[name])


@pytest.mark.parametrize(("name", "message"), MORE, ids=[f"{name}-{json.dumps(raw)[:60]}" for name, raw in MORE])
def test_all_else_may_be_more(name: str, message: Any) -> None:
    assert not trait(name, "is_text_alone", otherwise=None)(message)


def test_readers_find_nothing_but_text() -> None:
    count = 0
    for sample in SAMPLES:
        with sample.open("rb") as stream:
            try:
                passages = [piece for piece in read_passages(stream, sample.name) if isinstance(piece, Passage)]
            except NotRecognised:
                continue
        for passage in passages:
            if passage.is_text_alone:
                count += 1
                for message in (entry.message for entry in passage.entries):
                    assert not isinstance(message, ToolMessage), sample
                    assert not any(isinstance(block, ToolCall | MediaBlock) for block in blocks_of(message)), sample
    assert count > 10


def test_no_finding_depends_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    material: list[tuple[str, bytes, dict[str, Any]]] = [(sample.name, sample.read_bytes(), {}) for sample in SAMPLES]
    material += [
        (case["id"], data_of(case), {key: case[key] for key in ("target", "format", "mode") if case.get(key)})
        for case in (*CASES, *MORE_CASES)
        if case.get("format") in FORMATS
    ]
    found = [report(data, name, **options).diagnostics for name, data, options in material]
    monkeypatch.setattr(Passage, "is_text_alone", False)
    for (name, data, options), before in zip(material, found, strict=True):
        assert report(data, name, **options).diagnostics == before, name
