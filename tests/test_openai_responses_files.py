"""OpenAI Responses in files: where items are found, how the format is told, and how calls and results pair."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from chat import USER, jsonl
from response_items import ANSWER, CALL, REASONING, RESULT, SAID

from lighter import detect, jsontext, lint
from lighter.conversion import ConvertOptions, convert_stream
from lighter.detection import detect_values
from lighter.envelope import open_value
from lighter.linting import LintOptions, lint_stream

NAME = "openai-responses"
HERE = Path(__file__).parent

OPENED: dict[str, tuple[Any, list[str]]] = {
    "request": ({"model": "m", "input": [USER, CALL]}, ["/input/0", "/input/1"]),
    "request with text": ({"model": "m", "input": "hi"}, ["/input"]),
    "nothing but plain input": ({"input": [USER]}, ["/input/0"]),
    "items beside unknown keys": ({"input": [CALL], "x": 1}, ["/input/0"]),
    "request that goes on": ({"model": "m", "previous_response_id": "resp_0"}, []),
    "answer": (ANSWER, ["/output/0"]),
    "answer without output": ({**ANSWER, "output": []}, []),
    "request and answer in one": ({"model": "m", "input": [USER], "output": [SAID]}, ["/input/0", "/output/0"]),
    "pair": ({"request": {"model": "m", "input": [USER]}, "response": ANSWER}, ["/request/input/0", "/response/output/0"]),
    "pair of JSON texts": (
        {"request": json.dumps({"model": "m", "input": "hi"}), "response": json.dumps(ANSWER)},
        ["/request/input", "/response/output/0"],
    ),
    "answer beside nothing": ({"request": "", "response": ANSWER, "status": 200}, ["/response/output/0"]),
    "items and an answer": ({"input": [USER, CALL], "response": ANSWER}, ["/input/0", "/input/1", "/response/output/0"]),
    "batch in": (
        {"custom_id": "1", "method": "POST", "url": "/v1/responses", "body": {"model": "m", "input": "hi"}},
        ["/body/input"],
    ),
    "batch out": ({"custom_id": "1", "response": {"status_code": 200, "body": ANSWER}}, ["/response/body/output/0"]),
    "list of items": ({"object": "list", "data": [CALL, RESULT]}, ["/data/0", "/data/1"]),
    "array of items": ([REASONING, CALL], ["/0", "/1"]),
    "array of requests": ([{"model": "m", "input": "hi"}], ["/0/input"]),
    "last event of a stream": ({"type": "response.completed", "sequence_number": 9, "response": ANSWER}, ["/response/output/0"]),
}  # fmt: skip


@pytest.mark.parametrize(("value", "paths"), OPENED.values(), ids=OPENED)
def test_items_are_found_in_every_envelope(value: Any, paths: list[str]) -> None:
    opened = open_value(value)
    assert opened.kind == "conversation"
    found = [message for body in opened.bodies for message in body.messages]
    assert [path for path, _, _ in found] == paths
    assert all(jsontext.value_at(value, path) == raw for path, raw, _ in found)
    assert all(is_answer == ("/output/" in path) for path, _, is_answer in found)


@pytest.mark.parametrize("name", sorted(OPENED.keys() - {"last event of a stream"}))
def test_same_format_copies_every_envelope(name: str) -> None:
    """A file that is a stream becomes the answer that it holds."""
    value = OPENED[name]
    data = json.dumps(value[0]).encode()
    pieces = convert_stream(io.BytesIO(data), "x.jsonl", ConvertOptions(NAME, NAME))
    assert [record for piece in pieces for record in piece.records] == [data]


@pytest.mark.parametrize(
    "item", [CALL, RESULT, REASONING, {"type": "web_search_call", "id": "ws_1", "status": "completed"}], ids=str
)
def test_items_of_a_log_are_messages(item: Any) -> None:
    assert open_value(item).kind == "message"


@pytest.mark.parametrize("value", [
    {"input": "hi"}, {"input": "hi", "output": "there"}, {"model": "text-embedding-3-small", "input": "hi"}, {"instruction": "a", "input": "b", "output": "c"},
    {"type": "program", "id": "x"}, {"type": "compaction", "id": "x", "summary": "s"}, {"type": "function_call", "function": {"name": "f"}, "arguments": {}},
    {"type": "response.created", "sequence_number": 0, "response": {**ANSWER, "output": []}},
    {"type": "response.output_text.delta", "sequence_number": 1, "delta": "a"},
], ids=str)  # fmt: skip
def test_look_alikes_are_left_alone(value: Any) -> None:
    assert open_value(value).kind == "none"


@pytest.mark.parametrize("value", [
    {"model": "gpt-4o", "input": [{"role": "tool", "tool_call_id": "c", "content": "x"}]},
    {"input": [{"role": "user", "content": [{"type": "text", "text": "x"}]}], "output": {"role": "assistant", "content": "y"}},
], ids=["tool message", "text part"])  # fmt: skip
def test_chats_under_input_stay_chats(value: Any) -> None:
    assert detect(value).format == "openai-chat"


@pytest.mark.parametrize("value", [held for held, _ in OPENED.values()], ids=OPENED)
def test_format_is_told_from_its_shape(value: Any) -> None:
    found = detect(value)
    assert found.format == NAME
    assert found.evidence[0].reason


def test_the_majority_of_a_mixed_file_wins() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    chat = {"messages": [USER, {"role": "assistant", "content": None, "tool_calls": [call]}], "model": "gpt-5"}
    own = {"request": {"model": "gpt-5", "input": [USER]}, "response": ANSWER}
    for best, other in ((chat, own), (own, chat)):
        found = detect_values([best, other, best])
        names_found = ("openai-chat", NAME) if best is chat else (NAME, "openai-chat")
        assert (found.format, found.others) == (names_found[0], (names_found[1],))
        pieces = list(convert_stream(io.BytesIO(jsonl(best, other, best)), "x.jsonl", ConvertOptions("lighter")))
        calls = [json.loads(record)["messages"][-1].get("toolCalls") for piece in pieces for record in piece.records]
        assert [bool(found) for found in calls] == [value is chat for value in (best, other, best)]


VALID = [case for case in map(json.loads, (HERE / "lint_cases.jsonl").read_text(encoding="utf-8").splitlines())
         if case["format"] == NAME and case["expect"] == [] and "input" in case]  # fmt: skip


@pytest.mark.parametrize("case", VALID, ids=lambda case: case["id"])
def test_valid_histories_have_no_errors(case: dict[str, Any]) -> None:
    body = case["input"] if isinstance(case["input"], dict) else {"model": "gpt-5", "input": case["input"]}
    assert [found.name for found in lint(body) if found.severity != "info"] == []


@pytest.mark.parametrize("items", [
    [USER, CALL, USER, RESULT, SAID],
    [USER, CALL, {**CALL, "call_id": "b"}, {**RESULT, "call_id": "b"}, RESULT],
    [USER, REASONING, CALL],
    [{"type": "item_reference", "id": "fc_1"}, RESULT, USER],
    [{"type": "function_call_output", "name": "tick", "output": "x"}, USER],
], ids=["late result", "parallel", "pending", "referenced call", "named output"])  # fmt: skip
def test_results_pair_by_id_alone(items: list[Any]) -> None:
    assert lint({"model": "gpt-5", "input": items}) == []
    assert lint_stream(io.BytesIO(jsonl(*items)), "x.jsonl", LintOptions(format=NAME)).diagnostics == []


def test_a_call_without_a_result_is_still_found() -> None:
    (found,) = lint({"model": "gpt-5", "input": [USER, CALL, USER]})
    assert (found.name, found.path) == ("missing-tool-result", "/input/1")


def test_calls_of_an_earlier_response_are_no_orphans() -> None:
    assert [found.name for found in lint({"model": "gpt-5", "input": [RESULT, USER]})] == ["orphan-tool-result"]
    assert lint({"model": "gpt-5", "previous_response_id": "resp_0", "input": [RESULT, USER]}) == []
