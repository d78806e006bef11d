"""Converting: the tricky conversations against goldens, layouts, copies, broken input, ids that are rewritten."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from chat import SAID, USER, calls, jsonl, result, user

from lighter import (
    AssistantMessage,
    CannotHold,
    Conversation,
    SystemMessage,
    ToolCall,
    ToolMessage,
    UnknownFormat,
    UserMessage,
    convert,
    dump,
    jsontext,
    load,
    parse,
)
from lighter.conversion import ConvertOptions, convert_stream
from lighter.formats import writable
from lighter.linting import LintOptions, lint_stream

HERE = Path(__file__).parent
CASES = {
    case["id"]: case
    for case in map(json.loads, (HERE / "conversion_cases.jsonl").read_text(encoding="utf-8").splitlines())
}
GOLDENS = HERE / "goldens" / "convert"
OWN = {"openai": "openai-chat", "anthropic": "anthropic", "openai_responses": "openai-responses"}
PAIRS = [(name, target) for name, case in CASES.items() if case["format"] in OWN for target in writable()]


def body_of(name: str) -> dict[str, Any]:
    case = CASES[name]
    listed = "input" if case["format"] == "openai_responses" else "messages"
    return {**case.get("env", {}), listed: case["messages"]}


@pytest.mark.parametrize(("name", "target"), PAIRS)
def test_tricky_conversations_convert_as_agreed(name: str, target: str, is_updating: bool) -> None:
    done = convert(body_of(name), target, OWN[CASES[name]["format"]])
    losses = [[loss.action, loss.path, loss.feature, loss.detail] for loss in done.losses]
    found = {
        "value": json.loads(jsontext.encode(done.value)),
        "losses": losses,
        "refusals": [f"{r.name} {r.path}" for r in done.refusals],
    }
    golden = GOLDENS / f"{name}.{target}.json"
    if is_updating:
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert found == json.loads(golden.read_text(encoding="utf-8"))


def test_no_golden_is_left_over() -> None:
    assert {golden.name for golden in GOLDENS.iterdir()} <= {f"{name}.{target}.json" for name, target in PAIRS}


@pytest.mark.parametrize(("name", "target"), PAIRS)
def test_probes_of_tricky_conversations_arrive_or_are_named(name: str, target: str) -> None:
    done = convert(body_of(name), target, OWN[CASES[name]["format"]])
    text = json.dumps(json.loads(jsontext.encode(done.value)), ensure_ascii=False)
    source = body_of(name)
    for probe in CASES[name]["probes"]:
        if not probe.startswith("@") and probe not in text:
            named = (loss.path for loss in done.losses if loss.action != "synthesised")
            assert any(probe in held_at(source, path) for path in named), probe


def held_at(source: Any, path: str) -> str:
    try:
        return json.dumps(jsontext.value_at(source, path), ensure_ascii=False)
    except LookupError:  # the place of something that was absent
        return ""


LOG = b'{"role":"user","content":"hi"}\n{"role":"assistant","content":"hello"}\n'


def converted(data: bytes, to: str, **options: Any) -> list[bytes]:
    pieces = convert_stream(io.BytesIO(data), "x.jsonl", ConvertOptions(to, **options))
    return [record for piece in pieces for record in piece.records]


def test_a_log_stays_a_log_where_the_target_can_hold_it() -> None:
    assert converted(LOG, "lighter") == LOG.splitlines()
    assert converted(LOG, "anthropic") == [b'{"messages":[' + b",".join(LOG.splitlines()) + b"]}"]


def test_layouts_on_demand() -> None:
    assert converted(LOG, "anthropic", layout="messages") == LOG.splitlines()
    assert converted(LOG, "lighter", layout="conversations") == [b'{"messages":[' + b",".join(LOG.splitlines()) + b"]}"]
    with pytest.raises(CannotHold, match="system"):
        converted(b'{"role":"system","content":"s"}\n' + LOG, "anthropic", layout="messages")


@pytest.mark.parametrize("data", [
    b'{"role": "user",  "content": "hi", "n": [1e3, 1.10, -0, 123456789012345678901234567890]}\n',
    b'{"messages":[{"role":"user","content":"\\u00e9\\ud83d\\ude00"}],"x":{"a":1,"a":2}}\n',
    b'{"role":"user","content":"hi"}\n{"not":"understood"}\n[1,2]\n',
], ids=["numbers", "escapes and duplicate keys", "strangers"])  # fmt: skip
def test_same_format_copies_bytes(data: bytes) -> None:
    assert b"".join(record + b"\n" for record in converted(data, "openai-chat", format="openai-chat")) == data


def test_broken_records_are_lost_and_named() -> None:
    pieces = list(convert_stream(io.BytesIO(LOG + b"{broken\n{}\n"), "x.jsonl", ConvertOptions("anthropic")))
    lost = [loss for piece in pieces for loss in piece.losses if loss.path == ""]
    assert [piece.is_lost for piece in pieces if piece.losses] == [True, False]
    assert [(loss.filename, loss.row, loss.path, loss.action) for loss in lost] == [
        ("x.jsonl", 3, "", "dropped"),
        ("x.jsonl", 4, "", "dropped"),
    ]
    assert sum(len(piece.records) for piece in pieces) == 1


TWO = b'{"messages":[{"role":"user","content":"A"}]}\n{"messages":[{"role":"user","content":"B"}]}\n'


def test_conversations_never_run_into_each_other() -> None:
    for target in ("openai-chat", "anthropic", "lighter"):
        with pytest.raises(CannotHold, match="second conversation"):
            converted(TWO, target, layout="messages")
    log = jsonl(*(user(f"{n}", session_id=f"s{n % 3}") for n in range(6)))
    assert len(converted(log, "anthropic")) == len(converted(log, "lighter")) == 3
    one = b"".join(line + b"\n" for line in log.splitlines() if b'"s0"' in line)
    assert [json.loads(record).get("role") for record in converted(one, "openai-chat", format="lighter")] == [
        "user",
        "user",
    ]


def test_what_is_nested_too_deeply_costs_only_its_own_conversation() -> None:
    deep = calls("c", arguments='{"a":' * 950 + "1" + "}" * 950)
    data = TWO + jsonl({"messages": [deep]})
    pieces = list(convert_stream(io.BytesIO(data), "x.jsonl", ConvertOptions("anthropic")))
    assert sum(len(piece.records) for piece in pieces) == 2 + (not pieces[-1].is_lost)


def test_half_characters_are_refused() -> None:
    data = b'{"messages":[{"role":"user","content":"x \\ud83c y"}]}'
    (piece,) = convert_stream(io.BytesIO(data), "x.jsonl", ConvertOptions("anthropic", "openai-chat"))
    assert [refusal.name for refusal in piece.refusals] == ["lone-surrogate"]


def test_ids_are_rewritten_injectively_on_call_and_result_together() -> None:
    ids = ["a b", "a_b", "a/b", "x" * 80, "x" * 81]
    called = AssistantMessage("", tool_calls=tuple(ToolCall(call_id, "f", "{}") for call_id in ids))
    answers = (ToolMessage(call_id, "f", call_id) for call_id in ids)
    conversation = Conversation((UserMessage("u"), called, *answers))
    for target, key in (("anthropic", "tool_use_id"), ("openai-chat", "tool_call_id")):
        value = convert(conversation, target).value
        made = values_of(value, "id")
        assert len(set(made)) == len(ids)
        assert values_of(value, key) == made


def values_of(value: Any, key: str) -> list[str]:
    """List the texts under a key, wherever it occurs."""
    found: list[str] = []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in items:
        found += [item] if name == key and isinstance(item, str) else values_of(item, key)
    return found


def test_ids_used_again_later_are_told_apart_where_they_must_be_unique() -> None:
    done = convert([USER, calls("c"), result("c", "one"), calls("c"), result("c", "two")], "anthropic")
    called, answered = values_of(done.value, "id"), values_of(done.value, "tool_use_id")
    assert called == answered
    assert len(set(called)) == 2
    assert done.refusals == ()


def test_training_rows_without_ids_pair_by_order_and_name() -> None:
    def function(name: str) -> dict[str, Any]:
        return {"type": "function", "function": {"name": name, "arguments": {"x": 1.50}}}

    row = [
        {"role": "user", "content": "u"},
        {"role": "assistant", "tool_calls": [function("f"), function("g")]},
        {"role": "tool", "name": "g", "content": "of g"},
        {"role": "tool", "name": "f", "content": "of f"},
        {"role": "assistant", "content": "done"},
    ]
    done = convert(row, "anthropic", "openai-chat")
    names_of = {block["id"]: block["name"] for block in done.value["messages"][1]["content"]}
    answers = {block["tool_use_id"]: block["content"] for block in done.value["messages"][2]["content"]}
    assert {names_of[call_id]: text for call_id, text in answers.items()} == {"f": "of f", "g": "of g"}
    assert done.refusals == ()
    assert {loss.path for loss in done.losses if loss.action == "synthesised"} >= {"/1/tool_calls/0", "/2"}
    assert parse(convert(row, "lighter", "openai-chat").value, "lighter").messages[3].content == "of f"


def test_conversations_built_by_hand() -> None:
    built = [
        SystemMessage("You add."),
        UserMessage("Calculate 19 + 23."),
        AssistantMessage("", tool_calls=(ToolCall("call_add_1", "add", '{"a":19,"b":23}'),)),
        ToolMessage("call_add_1", "add", "42"),
        AssistantMessage("19 + 23 = 42."),
    ]
    done = convert(built, "anthropic")
    assert (done.losses, done.refusals) == ((), ())
    assert done.value["system"] == "You add."
    back = parse(done.value).messages
    assert back[:3] == tuple(built[:3])
    assert parse(convert(built, "lighter").value, "lighter").messages == tuple(built)


def test_dump_writes_whole_files(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    conversation = parse([USER, SAID])
    assert dump([conversation, conversation], path, "anthropic") == []
    assert path.read_bytes().count(b"\n") == 2
    assert [len(found.messages) for found in load(path)] == [2, 2]
    dump([conversation], path, "openai", layout="array")
    assert json.loads(path.read_bytes()) == [{"messages": [USER, SAID]}]
    with pytest.raises(UnknownFormat):
        dump([conversation], path, "klingon")
    assert json.loads(path.read_bytes()) == [{"messages": [USER, SAID]}]
    assert list(tmp_path.iterdir()) == [path]


def test_a_copy_is_judged_from_where_the_stream_stood() -> None:
    stream = io.BytesIO(b"{broken\n" + jsonl(USER, calls("c")))
    stream.readline()
    pieces = list(convert_stream(stream, "x.jsonl", ConvertOptions("openai-chat")))
    assert [found.name for piece in pieces for found in piece.refusals] == ["pending-tool-call"]


def test_no_refusal_is_told_of_what_is_not_in_a_copy() -> None:
    asked = b'{"messages": [{"role": "user", "content": "Tide?"}]}'
    lines = asked + b"\n" + asked[:-3] + b"\n" + asked + asked + b"\n" + asked[:-2] + b"\n"
    pieces = list(convert_stream(io.BytesIO(lines), "a.jsonl", ConvertOptions("openai-chat")))
    assert [record for piece in pieces for record in piece.records] == [asked] * 3
    assert [loss.feature for piece in pieces for loss in piece.losses] == ["invalid-json", "truncated-last-line"]
    assert [found.name for piece in pieces for found in piece.refusals] == []


@pytest.mark.parametrize("first", [0, 1], ids=["before", "behind"])
@pytest.mark.parametrize("target", ["anthropic", "langchain"])
def test_what_is_no_conversation_in_a_list_of_them_is_told(first: int, target: str) -> None:
    rows: list[Any] = [{"messages": [USER, SAID]}, {"answer": "the tide is out"}]
    stream = io.BytesIO(json.dumps(rows if first else rows[::-1]).encode())
    losses = [loss for piece in convert_stream(stream, "x.json", ConvertOptions(target)) for loss in piece.losses]
    assert [(loss.path, loss.feature, loss.action) for loss in losses] == [
        (f"/{first}", "not-a-conversation", "dropped")
    ]
    stream.seek(0)
    kept = list(convert_stream(stream, "x.json", ConvertOptions("lighter")))
    assert [loss for piece in kept for loss in piece.losses] == []
    assert b"the tide is out" in kept[0].records[0]


def test_what_is_no_conversation_in_a_list_of_them_is_counted() -> None:
    report = lint_stream(io.BytesIO(jsonl([{"messages": [USER]}, {"a": 1}, 2])), "x.json", LintOptions())
    assert (report.conversations, report.notes) == (1, ("2 records without a conversation passed over",))
