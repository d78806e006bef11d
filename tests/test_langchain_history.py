"""Histories that take back their own messages: reduced as langgraph does, told everywhere, copied unreduced, trimmed whole."""

import io
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from chat import jsonl
from hypothesis import given
from hypothesis import strategies as st

from lighter import CannotHold, convert, lint, parse, trim
from lighter.conversation import WireMessage
from lighter.envelope import open_value
from lighter.formats._langchain_history import history_of
from lighter.linting import LintOptions, lint_stream
from lighter.objects import parse_all
from lighter.records import Record
from lighter_cli import exits, main

DATA = Path(__file__).parent / "data" / "langchain"
EDITED = sorted(
    path for path in DATA.rglob("11_remove*") if path.parent.name != "tuples" and "view" not in path.parent.name
)
ALL = "__remove_all__"
IDS = ("a", "b", "c")


def human(own: str | None, text: str = "hi", **keys: Any) -> dict[str, Any]:
    """Make a human message as `model_dump` gives it."""
    return {
        "type": "human",
        "content": text,
        "additional_kwargs": {},
        "response_metadata": {},
        "id": own,
        "name": None,
        **keys,
    }


def ai(own: str | None, text: str = "ok", *, kind: str = "ai") -> dict[str, Any]:
    """Make a message of the model, or a piece of one."""
    return human(own, text, type=kind, tool_calls=[], invalid_tool_calls=[], usage_metadata=None)


def remove(own: str) -> dict[str, Any]:
    """Make a removal."""
    return human(own, "", type="remove")


messages = st.one_of(
    st.builds(human, st.sampled_from([*IDS, None])),
    st.builds(ai, st.sampled_from([*IDS, None])),
    st.builds(remove, st.sampled_from([*IDS, ALL])),
)
histories = st.lists(messages, max_size=9).map(
    lambda listed: [{**raw, "content": raw["content"] and str(n)} for n, raw in enumerate(listed)]
)


def texts(value: Any) -> list[str]:
    """List what is said in what lighter reads."""
    return [message.content for message in parse(value, "langchain-dump").messages]


def unknown(value: Any) -> int:
    """Count the removals that name no message before them."""
    return sum("names no message" in loss.detail for loss in parse(value, "langchain-dump").undone)


def reduced_by_langgraph(history: list[dict[str, Any]]) -> list[str] | None:
    """Give what `add_messages` leaves of a history, None where it raises.

    What follows a removal of all it leaves as it is, with the edits in it (langchain-ai/langgraph#8423), so it is asked until
    nothing changes.
    """
    from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, RemoveMessage
    from langgraph.graph.message import add_messages

    classes = {"human": HumanMessage, "ai": AIMessage, "remove": RemoveMessage}

    def message_of(raw: dict[str, Any]) -> BaseMessage:
        content = {} if raw["type"] == "remove" else {"content": raw["content"]}
        return classes[raw["type"]](id=raw["id"], **content)  # type: ignore[no-any-return]  # a message of one of these

    left: Any = list(map(message_of, history))
    try:
        while (after := add_messages([], left)) != left:
            left = after
    except ValueError:
        return None
    return [message.content for message in left]


@given(history=histories)
def test_histories_are_reduced_as_langgraph_reduces_them(history: list[dict[str, Any]]) -> None:
    pytest.importorskip("langgraph")
    found = parse({"messages": history}, "langchain-dump")
    said = [message.content for message in found.messages]
    wanted = reduced_by_langgraph(history)
    assert (wanted is None) == bool(unknown({"messages": history}))
    assert wanted is None or said == wanted
    undone = [loss for loss in found.undone if loss.feature != "removal"]
    removals = sum(raw["type"] == "remove" for raw in history)
    assert len(said) + len(undone) == len(history) - removals + unknown({"messages": history})


@given(history=histories)
def test_what_is_taken_back_is_one_loss_each_and_nothing_else(history: list[dict[str, Any]]) -> None:
    body = {"messages": history}
    conversion = convert(body, "lighter", "langchain-dump")
    told = Counter(loss.path for loss in conversion.losses if loss.path.count("/") == 2)
    assert set(told.values()) <= {1}
    dropped = [loss for loss in conversion.losses if loss.feature in ("removed-message", "replaced-message")]
    removals = sum(raw["type"] == "remove" for raw in history)
    assert len(conversion.value["messages"]) == len(history) - removals - len(dropped)
    assert {loss.action for loss in dropped} <= {"dropped"}
    assert convert(body, "langchain-dump", "langchain-dump").value == body


@given(history=histories, most=st.integers(1, 6))
def test_trimmed_histories_say_the_newest_of_what_the_whole_says(history: list[dict[str, Any]], most: int) -> None:
    try:
        trimmed = trim({"messages": history}, most, format="langchain-dump").value
    except CannotHold:
        return
    before, after = texts({"messages": history}), texts(trimmed)
    assert len(after) <= most
    rest = iter(before)
    assert all(any(text == other for other in rest) for text in after)
    assert after[-1:] == before[-1:]
    assert unknown(trimmed) <= unknown({"messages": history})


def test_whole_message_takes_the_place_of_its_pieces() -> None:
    pieces = [ai("r", "Hel", kind="AIMessageChunk"), ai("r", "lo", kind="AIMessageChunk")]
    assert texts([human("h"), *pieces]) == ["hi", "Hello"]
    assert texts([human("h"), *pieces, human(None, "x"), ai("r", "Hello")]) == ["hi", "Hello", "x"]
    assert texts([human("h"), *pieces, human(None, "x"), remove("r")]) == ["hi", "x"]


@pytest.mark.parametrize("wrapped", [lambda raw: raw, lambda raw: {"type": "ai", "data": raw}], ids=["flat", "stored"])
def test_pieces_of_javascript_are_no_edits_of_each_other(wrapped: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    pieces = [wrapped(ai("r", text) | {"tool_call_chunks": []}) for text in ("Hel", "lo")]
    body = {"messages": pieces}
    assert [message.content for message in parse(body).messages] == ["Hello"]
    assert parse(body).undone == ()
    assert [finding.name for finding in lint(body)] == ["unmerged-stream-chunks"]


def test_pieces_of_a_message_and_the_results_of_its_calls_are_cut_off_together() -> None:
    begun = {"name": "f", "args": "{}", "id": "c", "index": 0, "type": "tool_call_chunk"}
    pieces = [
        ai("r", "", kind="AIMessageChunk")
        | {"tool_call_chunks": [begun], "tool_calls": [{"name": "f", "args": {}, "id": "c"}]}
    ]
    pieces += [ai("r", "ok", kind="AIMessageChunk")]
    history = [human("h"), *pieces, human("t", "1", type="tool", tool_call_id="c"), ai("x"), ai("y")]
    assert [finding.name for finding in lint(history)] == ["unmerged-stream-chunks"]
    assert trim(history, 5).value == [history[0], *history[4:]]
    with pytest.raises(CannotHold):
        trim(history[:4], 3)


def test_ids_are_found_in_every_form() -> None:
    def lc(kind: str, own: str) -> dict[str, Any]:
        return {
            "lc": 1,
            "type": "constructor",
            "id": ["langchain", "schema", "messages", kind],
            "kwargs": {"content": "", "id": own},
        }

    listed: list[Any] = [
        lc("HumanMessage", "a"), {"type": "ai", "data": {"content": "", "id": "b"}}, {"role": "user", "content": "", "id": 3}, "text",
        ["human", "text"], lc("RemoveMessage", "b"), {"type": "remove", "data": {"content": "", "id": "3"}}, {"role": "remove", "id": "a"},
    ]  # fmt: skip
    record = Record(1, b"", listed)
    history = history_of([WireMessage(record, f"/{index}", raw, index) for index, raw in enumerate(listed)])
    assert [wire.index for wire in history.left] == [3, 4]
    assert [edit.fate for edit in history.edits] == ["removed"] * 3 + ["carried-out"] * 3
    assert history.undone == 3


@pytest.mark.parametrize("path", EDITED, ids=lambda path: "/".join(path.parts[-3:]))
def test_lint_show_and_convert_agree(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.jsonl"
    assert main.run(["convert", str(path), "--to", "lighter", "-o", str(out)]) == exits.OK
    taken = capsys.readouterr().err.split("removed-message")[1].split("×")[0].strip()
    note = f"passed over {taken} message{'s' * (taken != '1')} that the history itself takes back"
    assert main.run(["lint", str(path)]) == exits.OK
    assert note in capsys.readouterr().err
    assert main.run(["show", str(path)]) == exits.OK
    shown = capsys.readouterr()
    assert note in shown.err
    assert len(shown.out.strip()) == 0 or open_value(json.loads(out.read_text())).bodies[0].messages
    assert main.run(["convert", str(path), "--to", _form_of(path), "-o", str(out)]) == exits.OK
    assert out.read_bytes().split() == path.read_bytes().split()


def _form_of(path: Path) -> str:
    names = {"lc_dumpd": "langchain", "langsmith_llm_run": "langchain", "lc_json_stringify": "langchain-js"}
    return names.get(path.parent.name) or (
        "langchain-stored" if path.parent.name.startswith("stored") else "langchain-dump"
    )


def test_removal_reaches_any_earlier_line_of_a_log() -> None:
    lines = [human(str(n), f"line {n}") for n in range(300)]
    report = lint_stream(io.BytesIO(jsonl(*lines, remove("0"))), "log.jsonl", LintOptions())
    assert report.notes == ("passed over 1 message that the history itself takes back",)
    assert report.diagnostics == []
    assert lint([*lines, remove("0")]) == []


def test_snapshots_of_a_graph_hold_its_state() -> None:
    pytest.importorskip("langgraph")
    from langchain_core.load import dumps
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import START, MessagesState, StateGraph

    graph: Any = StateGraph(MessagesState)
    graph.add_node("answer", lambda _: {"messages": [("ai", "Hello!")]})
    graph.add_edge(START, "answer")
    app = graph.compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "1"}}
    for text in ("Hi", "Bye"):
        app.invoke({"messages": [("human", text)]}, thread)
    snapshots = list(app.get_state_history(thread))
    said = [[message.content for message in snapshot.values["messages"]] for snapshot in snapshots]
    log = "".join(dumps(snapshot) + "\n" for snapshot in snapshots).encode()
    report = lint_stream(io.BytesIO(log), "log.jsonl", LintOptions())
    assert (report.diagnostics, report.conversations) == ([], sum(map(bool, said)))
    for value in (json.loads(dumps(snapshots)), snapshots):
        found = [[getattr(message, "content", "") for message in one.messages] for one in parse_all(value)]
        assert found == [texts for texts in said if texts]
    copied = convert(json.loads(dumps(snapshots[0])), "langchain")
    assert (copied.value, copied.losses) == (json.loads(dumps(snapshots[0])), ())
