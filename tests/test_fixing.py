"""What the library's `fix` gives, and what repairs do to whole conversations of every format."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fixed import fixed
from hypothesis import given
from hypothesis import strategies as st

import lighter
from lighter.linting import LintOptions

ASKED = {"role": "user", "content": "Tide?"}
SAID = {"role": "user", "content": "And now?"}
CALL = {"id": "c1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}
CALLS = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "2.1 m"}


def lc(name: str, **fields: Any) -> dict[str, Any]:
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", name], "kwargs": fields}


LANGCHAIN_CALL = {"name": "get_tide", "args": {}, "id": "c1", "type": "tool_call"}
UNANSWERED: dict[str, list[Any]] = {
    "openai-chat": [ASKED, CALLS, SAID],
    "anthropic": [
        ASKED,
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}]},
        {"role": "user", "content": [{"type": "text", "text": "And now?"}]},
    ],
    "openai-responses": [
        {"role": "user", "content": [{"type": "input_text", "text": "Tide?"}]},
        {"type": "function_call", "call_id": "c1", "name": "get_tide", "arguments": "{}"},
        {"role": "user", "content": [{"type": "input_text", "text": "And now?"}]},
    ],
    "gemini": [
        {"role": "user", "parts": [{"text": "Tide?"}]},
        {"role": "model", "parts": [{"functionCall": {"name": "get_tide", "args": {}}}]},
        {"role": "user", "parts": [{"text": "And now?"}]},
    ],
    "bedrock": [
        {"role": "user", "content": [{"text": "Tide?"}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t1", "name": "get_tide", "input": {}}}]},
        {"role": "user", "content": [{"text": "And now?"}]},
    ],
    "langchain": [
        lc("HumanMessage", content="Tide?"),
        lc("AIMessage", content="", tool_calls=[LANGCHAIN_CALL]),
        lc("HumanMessage", content="And now?"),
    ],
    "langchain-stored": [
        {"type": "human", "data": {"content": "Tide?"}},
        {"type": "ai", "data": {"content": "", "tool_calls": [LANGCHAIN_CALL]}},
        {"type": "human", "data": {"content": "And now?"}},
    ],
}


@pytest.mark.parametrize("name", UNANSWERED)
def test_a_call_gets_a_result_in_the_form_of_its_format(name: str) -> None:
    value = UNANSWERED[name]
    assert [finding.code for finding in lighter.lint(value, format=name) if finding.severity == "error"] == ["P101"]
    result = lighter.fix(value, unsafe=True, format=name)
    assert [finding.code for finding in result.applied] == ["P101"]
    assert [f for f in lighter.lint(result.value, format=name) if f.severity == "error"] == []
    messages = lighter.parse(result.value, name).messages
    answers = [message for message in messages if isinstance(message, lighter.ToolMessage)]
    assert [answer.tool_output for answer in answers] == ["No result: this tool call was not answered."]
    assert messages[-1].content == "And now?"


@pytest.mark.parametrize("target", [None, "qwen", "bedrock"])
@pytest.mark.parametrize("name", UNANSWERED)
def test_a_result_has_the_id_of_its_call_whether_or_not_that_is_legal(name: str, target: str | None) -> None:
    text = json.dumps(UNANSWERED[name])
    for known in ('"c1"', '"toolu_1"', '"t1"'):
        text = text.replace(known, f'"~{"x" * 90}"')
    done = lighter.fix(json.loads(text), unsafe=True, target=target, format=name, select="P101")
    assert [finding.code for finding in done.applied] == ["P101"]
    assert lighter.lint(done.value, target=target, format=name, select="P101") == []


@pytest.mark.parametrize("name", UNANSWERED)
def test_a_call_is_taken_away_with_what_held_nothing_else(name: str) -> None:
    result = lighter.fix(UNANSWERED[name], unsafe=True, format=name, select="P101", unanswered="drop")
    assert result.value == [UNANSWERED[name][0], UNANSWERED[name][2]]


def test_a_value_is_not_changed_in_its_place() -> None:
    value: list[dict[str, Any]] = [ASKED, {"role": "assistant", "content": "2 m", "tool_calls": []}]
    result = lighter.fix(value)
    assert result.value == [ASKED, {"role": "assistant", "content": "2 m"}]
    assert "tool_calls" in value[1]
    assert [finding.name for finding in result.applied] == ["empty-tool-calls"]


def test_a_file_is_read_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"role":"user","content":"hi"}\n{"role":"assistant","content":"a","tool_calls":[]}\n')
    before = path.read_bytes()
    assert lighter.fix(path).value == [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "a"}]
    assert path.read_bytes() == before


def test_what_is_no_conversation_is_an_error() -> None:
    with pytest.raises(lighter.NotRecognised):
        lighter.fix({"a": 1})


def test_safe_repairs_alone_are_made_unless_asked() -> None:
    assert lighter.fix([ASKED, CALLS, SAID]).applied == ()


def test_only_selected_rules_repair() -> None:
    value = [ASKED, {**CALLS, "tool_calls": [{**CALL, "function": {"name": "f", "arguments": ""}}]}, RESULT]
    assert lighter.fix(value, ignore="arguments-empty").applied == ()
    assert [f.code for f in lighter.fix(value, select="A").applied] == ["A104"]


def test_an_intruder_moves_behind_the_results_line_and_all() -> None:
    call = '{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}'
    lines = (
        '{"session_id":"a","role":"user","content":"Tide?"}\n',
        f'{{"session_id":"a","role":"assistant","content":null,"tool_calls":[{call}]}}\n',
        '{"session_id":"b",  "role":"user", "content":"other"}\n',
        '{"session_id":"a",  "role":"user","content":"wait", "x": 1.10}\n',
        '{"session_id":"a","role":"tool","tool_call_id":"c1","content":"2"}\n',
        '{"session_id":"b","role":"assistant","content":"yes"}',
    )
    done = fixed("".join(lines), is_unsafe=False)
    assert done.codes == ["P104"]
    assert done.data.decode() == "".join((*lines[:3], lines[4], lines[3], lines[5]))


def test_a_new_message_of_a_log_is_of_the_session_of_the_call() -> None:
    lines = (
        '{"session_id":"a","role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":'
        '{"name":"f","arguments":"{}"}}]}\n{"session_id":"b","role":"user","content":"x"}\n'
        '{"session_id":"a","role":"user","content":"y"}\n'
    )
    new = '{"session_id":"a","role":"tool","tool_call_id":"c1","content":"No result: this tool call was not answered."}'
    assert fixed(lines).data.decode().splitlines()[1] == new


def test_ids_stay_apart_and_are_the_same_at_both_ends() -> None:
    calls = [{**CALL, "id": f"functions.f:{n}", "function": {"name": "f", "arguments": "{}"}} for n in range(2)]
    value = [ASKED, {**CALLS, "tool_calls": calls}, *({**RESULT, "tool_call_id": call["id"]} for call in calls), SAID]
    done = lighter.fix(value, target="mistral", format="openai-chat").value
    ids = [call["id"] for call in done[1]["tool_calls"]]
    assert ids == [done[2]["tool_call_id"], done[3]["tool_call_id"]]
    assert len(set(ids)) == 2


TARGETS = ("openai-chat", "anthropic", "openai-responses", "gemini", "bedrock", "mistral", "cohere")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", UNANSWERED)
def test_what_another_target_refuses_is_repaired_in_the_form_of_the_file(name: str, target: str) -> None:
    value = UNANSWERED[name]
    done = lighter.fix(value, unsafe=True, target=target, format=name, select="P101")
    assert [finding.code for finding in done.applied] == ["P101"]
    assert done.value == lighter.fix(value, unsafe=True, format=name, select="P101").value
    assert lighter.lint(done.value, target=target, format=name, select="P101") == []


@pytest.mark.parametrize(
    ("messages", "codes"),
    [
        ([ASKED, RESULT, SAID], ["P102"]),
        ([ASKED, CALLS, RESULT, RESULT, SAID], ["P106"]),
        ([ASKED, {**CALLS, "tool_calls": [CALL, CALL]}, RESULT, RESULT, SAID], ["P105"]),
    ],
)
def test_a_chat_is_repaired_for_anthropic_as_the_chat_that_it_is(messages: list[Any], codes: list[str]) -> None:
    before = {found.code for found in lighter.lint(messages, target="anthropic", format="openai-chat")}
    assert set(codes[:1]) <= before
    done = lighter.fix(messages, unsafe=True, target="anthropic", format="openai-chat")
    assert [found.code for found in done.applied] == codes
    assert lighter.lint(done.value, target="anthropic", format="openai-chat") == []
    assert lighter.detect(done.value).format == "openai-chat"


FORMS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "langchain-dump": lambda fields: {"type": "AIMessageChunk", **fields},
    "langchain-js": lambda fields: lc("AIMessageChunk", **fields),
    "langchain-stored": lambda fields: {"type": "ai", "data": {**fields, "tool_call_chunks": []}},
}
ASKS: dict[str, Any] = {
    "langchain-dump": {"type": "human", "content": "Tide?"},
    "langchain-js": lc("HumanMessage", content="Tide?"),
    "langchain-stored": {"type": "human", "data": {"content": "Tide?"}},
}


@pytest.mark.parametrize("name", FORMS)
@given(
    texts=st.lists(st.text(max_size=6), min_size=2, max_size=6),
    ending=st.sampled_from([{}, {"chunk_position": "last"}]),
)
def test_pieces_of_a_message_are_joined_to_what_they_are_read_as(
    name: str, texts: list[str], ending: dict[str, str]
) -> None:
    pieces = [FORMS[name]({"content": text, "id": "run-1"}) for text in texts[:-1]]
    value = [ASKS[name], *pieces, FORMS[name]({"content": texts[-1], "id": "run-1", **ending}), ASKS[name]]
    done = lighter.fix(value, unsafe=True, format=name, select="F117")
    assert [found.code for found in done.applied] == ["F117"]
    assert len(done.value) == 3
    assert (done.value[0], done.value[2]) == (value[0], value[-1])
    joined, split = (lighter.convert(each, "openai-chat", format=name).value for each in (done.value, value))
    assert joined == split
    assert lighter.fix(done.value, unsafe=True, format=name, select="F117").applied == ()


def test_a_call_with_a_blank_id_gets_no_result() -> None:
    call = {"type": "tool_use", "id": " ", "name": "f", "input": {}}
    value = [ASKED, {"role": "assistant", "content": [{"type": "text", "text": "x"}, call]}, SAID]
    done = lighter.fix(value, unsafe=True, format="anthropic")
    assert lighter.fix(done.value, unsafe=True, format="anthropic").applied == ()


def test_numbers_keep_their_spelling() -> None:
    text = '[{"role":"user","content":"x"},{"role":"assistant","content":"a","tool_calls":[],"n":[1e3,1.10,-0,123456789012345678901]}]'
    assert fixed(text, LintOptions(), name="a.json").data.decode() == text.replace(',"tool_calls":[]', "")


def test_a_result_is_not_given_to_another_call() -> None:
    """What stands in between may have been cut out: the call of the result, and the result of the call."""
    other = {"role": "tool", "tool_call_id": "c9", "name": "get_weather", "content": "12 °C"}
    for between in ([], [SAID, {"role": "assistant", "content": "Yes."}]):
        value = [ASKED, CALLS, *between, other, SAID]
        kept, dropped = (lighter.fix(value, unsafe=True, unanswered=unanswered) for unanswered in ("error", "drop"))
        told = {**RESULT, "content": "No result: this tool call was not answered."}
        assert kept.value == [ASKED, CALLS, told, *between, SAID]
        assert dropped.value == [ASKED, *between, SAID]


def test_a_result_whose_id_is_spelled_otherwise_is_given_to_its_call() -> None:
    calls = {**CALLS, "tool_calls": [{**CALL, "id": "functions.tide:0"}]}
    value = [ASKED, calls, {**RESULT, "tool_call_id": "functions_tide_0"}, SAID]
    done = lighter.fix(value, unsafe=True)
    assert done.value == [ASKED, calls, {**RESULT, "tool_call_id": "functions.tide:0"}, SAID]
    assert [found.fix and found.fix.applicability for found in done.applied] == ["unsafe"]
    named = {**RESULT, "tool_call_id": "functions_tide_0", "name": "get_wind"}
    assert lighter.fix([ASKED, calls, named, SAID], unsafe=True).value[2]["content"].startswith("No result")


def test_a_call_of_the_responses_is_dropped_with_the_reasoning_that_led_to_it() -> None:
    asked, call, said = UNANSWERED["openai-responses"]
    thought = {"type": "reasoning", "id": "rs_1", "summary": []}
    other = {**call, "call_id": "c2"}
    answer = {"type": "function_call_output", "call_id": "c2", "output": "2 m"}
    for value, expected in (
        ([asked, thought, call, said], [asked, said]),
        ([asked, thought, call, other, said], [asked, said]),
        ([asked, thought, call, other, answer, said], [asked, thought, other, answer, said]),
    ):
        done = lighter.fix(value, unsafe=True, format="openai-responses", unanswered="drop")
        assert done.value == expected


def test_a_result_that_comes_again_later_in_a_log_is_dropped_if_it_is_the_same() -> None:
    call = {"type": "tool_use", "id": "t1", "name": "get_tide", "input": {}}
    answer = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "2.1 m"}]}
    other = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "2.2 m"}]}
    lines = [ASKED, {"role": "assistant", "content": [call]}, answer, SAID]
    for again, is_safe in ((answer, True), (other, False)):
        log = "".join(json.dumps(message) + "\n" for message in (*lines, again))
        done = fixed(log, LintOptions("anthropic"), is_unsafe=False)
        assert done.codes == ["P106"] * is_safe
        assert [json.loads(line) for line in done.data.splitlines()] == [*lines, *([] if is_safe else [again])]


def test_what_would_bring_another_fault_is_no_safe_repair() -> None:
    call = {"type": "tool_use", "id": "t1", "name": "get_tide", "input": {}}
    answer = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "2.1 m"}]}
    said = {"role": "assistant", "content": "Yes."}
    messages = [ASKED, {"role": "assistant", "content": [call]}, SAID, said, answer]
    for more, expected in (([], "unsafe"), ([said, SAID], "safe")):
        body = {"model": "claude-opus-4-6", "max_tokens": 9, "messages": [*messages, *more]}
        (found,) = lighter.lint(body, target="anthropic", format="anthropic")
        assert found.fix is not None
        assert (found.code, found.fix.applicability) == ("P104", expected)
        assert ("that leaves `prefill-not-supported`" in found.help) is (expected == "unsafe")
        assert bool(lighter.fix(body, target="anthropic", format="anthropic").applied) is (expected == "safe")
