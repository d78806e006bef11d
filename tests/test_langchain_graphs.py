"""What graphs and runs of LangChain stream, in every mode and serialised in the ways people do, is the conversation they had."""

import asyncio
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chat import jsonl

import lighter
from lighter.conversion import ConvertOptions, convert_stream
from lighter.formats._langchain_graph import form_in_event
from lighter.graph_events import graph_event
from lighter.linting import LintOptions, lint_stream

pytest.importorskip("langgraph")

from langchain_core.language_models import BaseChatModel
from langchain_core.load import dumpd, dumps
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, RemoveMessage, SystemMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, MessagesState, StateGraph

CALL: Any = {"name": "warm", "args": {"city": "Oslo"}, "id": "c1", "type": "tool_call"}
SAID = [("human", "Hi"), ("ai", ""), ("tool", "11"), ("ai", "It is 11."), ("human", "Thanks"), ("ai", "Welcome!")]
ANSWERS = [AIMessage("", tool_calls=[CALL]), AIMessage("It is 11."), AIMessage("Welcome!")]
FROM_NODES = [said for said in SAID if said[0] != "human"]


class Scripted(BaseChatModel):
    """A model that gives its answers one after the other, word by word where it is asked for a stream."""

    answers: list[AIMessage]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(self, *_: Any, **__: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self.answers.pop(0))])

    def _stream(self, *_: Any, **__: Any) -> Iterator[ChatGenerationChunk]:
        answer = self.answers.pop(0)
        for word in answer.text.split(" "):
            yield ChatGenerationChunk(message=AIMessageChunk(content=word + " " * (not answer.text.endswith(word))))
        for call in answer.tool_calls:
            for args in ('{"city": ', '"Oslo"}'):
                name, call_id = (call["name"], call["id"]) if args.startswith("{") else (None, None)
                piece: Any = {"name": name, "args": args, "id": call_id, "index": 0, "type": "tool_call_chunk"}
                yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[piece]))


def graph(checkpointer: Any = ...) -> Any:
    """Build an agent with a tool, whose two turns a checkpointer holds together."""
    model = Scripted(answers=list(ANSWERS))
    built: Any = StateGraph(MessagesState)
    built.add_node("route", lambda _: None)
    built.add_node("agent", lambda state: {"messages": [model.invoke([SystemMessage("Be kind."), *state["messages"]])]})
    built.add_node("tools", lambda _: {"messages": [ToolMessage("11", tool_call_id="c1", name="warm")]})
    built.add_edge(START, "agent")
    built.add_conditional_edges("agent", lambda s: "tools" if s["messages"][-1].tool_calls else "route")
    built.add_edge("tools", "agent")
    built.add_edge("route", END)
    return built.compile(checkpointer=InMemorySaver() if checkpointer is ... else checkpointer)


THREAD: Any = {"configurable": {"thread_id": "1"}}


def graph_around() -> Any:
    """Build a graph whose one node is the agent."""
    built: Any = StateGraph(MessagesState)
    built.add_node("agent", graph(checkpointer=None))
    built.add_edge(START, "agent")
    return built.compile(checkpointer=InMemorySaver())


def streamed(mode: Any, app: Any = None, **options: Any) -> list[Any]:
    app = app or graph()
    asked = ({"messages": [("human", text)]} for text in ("Hi", "Thanks"))
    return [event for question in asked for event in app.stream(question, THREAD, stream_mode=mode, **options)]


def told_by_runs() -> list[Any]:
    async def gather() -> list[Any]:
        app = graph()
        asked = ({"messages": [("human", text)]} for text in ("Hi", "Thanks"))
        return [event for question in asked async for event in app.astream_events(question, THREAD, version="v2")]

    return asyncio.run(gather())


def plain(value: Any) -> Any:
    match value:
        case BaseMessage():
            return value.model_dump()
        case dict():
            return {key: plain(held) for key, held in value.items()}
        case list() | tuple():
            return list(map(plain, value))
        case _:
            return value


WAYS: dict[str, Callable[[Any], Any]] = {
    "dumps": lambda event: json.loads(dumps(event)),
    "default dumpd": lambda event: json.loads(json.dumps(event, default=dumpd)),
    "model_dump": lambda event: json.loads(json.dumps(plain(event), default=str)),
}
LOGS: dict[str, tuple[Callable[[], list[Any]], list[tuple[str, str]]]] = {
    "updates": (lambda: streamed("updates"), FROM_NODES),
    "debug": (lambda: streamed("debug"), SAID),
    "only debug": (lambda: streamed(["debug"]), SAID),
    "updates and debug": (lambda: streamed(["updates", "debug"]), SAID),
    "updates and messages": (lambda: streamed(["updates", "messages"]), FROM_NODES),
    "tasks": (lambda: streamed("tasks"), SAID),
    "tasks and updates": (lambda: streamed(["tasks", "updates"]), SAID),
    "parts": (lambda: streamed(["values", "updates", "messages"], version="v2"), SAID),
    "parts of updates": (lambda: streamed("updates", version="v2"), FROM_NODES),
    "runs": (told_by_runs, SAID),
    "messages behind namespaces": (lambda: streamed("messages", subgraphs=True), FROM_NODES),
    "updates behind namespaces": (lambda: streamed("updates", subgraphs=True), FROM_NODES),
    "values behind namespaces": (lambda: streamed("values", subgraphs=True), SAID),
    "checkpoints behind namespaces": (lambda: streamed("checkpoints", subgraphs=True), SAID),
    "subgraph": (lambda: streamed("values", graph_around(), subgraphs=True), SAID),
    "messages of a subgraph": (lambda: streamed("messages", graph_around(), subgraphs=True), FROM_NODES),
}


def said_of(found: Any) -> list[tuple[str, str]]:
    roles: Any = {"user": "human", "assistant": "ai"}
    return [
        (roles.get(m.role, m.role), getattr(m, "tool_output", "") or getattr(m, "content", "")) for m in found.messages
    ]


def said_in(data: bytes) -> list[list[tuple[str, str]]]:
    return list(map(said_of, lighter.load(io.BytesIO(data))))


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("log", LOGS.values(), ids=LOGS)
def test_what_is_streamed_is_the_conversation(log: Any, way: Callable[[Any], Any]) -> None:
    gather, said = log
    events = list(map(way, gather()))
    data = jsonl(*events)
    assert said_in(data) == said_in(jsonl(events)) == [said]
    assert said_of(lighter.parse(gather())) == said
    report = lint_stream(io.BytesIO(data), "log.jsonl", LintOptions())
    assert (report.diagnostics, report.conversations, report.messages) == ([], 1, len(said))
    calls = [
        call
        for found in lighter.load(io.BytesIO(data))
        for m in found.messages
        for call in getattr(m, "tool_calls", ())
    ]
    assert [(call.tool_name, json.loads(call.arguments)) for call in calls] == [("warm", {"city": "Oslo"})]


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize(
    ("mode", "options"),
    [
        ("checkpoints", {"version": "v2"}),
        ("values", {"version": "v2"}),
        ("debug", {}),
        (["checkpoints"], {}),
        (["checkpoints"], {"subgraphs": True}),
        (["values"], {"subgraphs": True}),
        ("values", {"subgraphs": True}),
        ("checkpoints", {"subgraphs": True}),
    ],
)
def test_the_last_state_alone_is_the_conversation(mode: Any, options: Any, way: Callable[[Any], Any]) -> None:
    last = next(event for event in reversed(streamed(mode, **options)) if "task" not in str(event)[:99])
    assert said_in(json.dumps(way(last)).encode()) == [SAID]


@pytest.mark.parametrize("is_list", [False, True], ids=["a line each", "one list"])
def test_losses_point_at_the_event_that_a_message_came_with(is_list: bool) -> None:
    updates = [{"agent": {"messages": [plain(AIMessage(text, id=text))]}} for text in ("One.", "Two.")]
    stream = io.BytesIO(jsonl(updates) if is_list else jsonl(*updates))
    losses = [loss for piece in convert_stream(stream, "x", ConvertOptions("anthropic")) for loss in piece.losses]
    places = [(loss.row, loss.path) for loss in losses if loss.feature == "message-id"]
    expected = [(1, "/0/agent/messages/0/id"), (1, "/1/agent/messages/0/id")]
    assert places == (expected if is_list else [(n, path[2:]) for n, (_, path) in enumerate(expected, 1)])


def test_what_runs_told_before_they_broke_off_is_read() -> None:
    events = list(map(WAYS["model_dump"], told_by_runs()))
    ends = [n for n, event in enumerate(events) if event["event"] == "on_chain_end" and not event["parent_ids"]]
    (said,) = said_in(jsonl(*events[: ends[0]]))
    assert said[:2] == [("system", "Be kind."), ("human", "Hi")]
    assert said[2:] == SAID[1:4]


def test_events_of_a_model_alone_are_its_conversation() -> None:
    async def gather() -> list[Any]:
        model = Scripted(answers=[AIMessage("Hello there!")])
        return [event async for event in model.astream_events("Hi", version="v2")]

    for way in WAYS.values():
        assert said_in(jsonl(*map(way, asyncio.run(gather())))) == [[("human", "Hi"), ("ai", "Hello there!")]]


def test_threads_of_debug_events_are_conversations() -> None:
    events = [WAYS["dumps"](event) for event in streamed("debug")]
    other = json.loads(json.dumps(events).replace('"thread_id": "1"', '"thread_id": "2"'))
    assert said_in(jsonl(*events, *other)) == [SAID, SAID]


def test_removals_among_updates_are_carried_out() -> None:
    updates = [
        {"ask": {"messages": [plain(AIMessage("One.", id="a")), plain(AIMessage("Two.", id="b"))]}},
        {"route": None},
        {"forget": {"messages": plain(RemoveMessage(id="a"))}},
        {"__interrupt__": []},
        {"both": [{"messages": [plain(AIMessage("Three.", id="c"))]}, {"count": 1}]},
    ]
    assert said_in(jsonl(*updates)) == [[("ai", "Two."), ("ai", "Three.")]]


def test_a_state_that_only_waits_for_a_person_has_no_messages() -> None:
    state = {"__interrupt__": [{"id": "1", "value": {"actionRequests": [{"name": "f", "args": {}}]}}]}
    assert lighter.lint(state) == []
    assert said_of(lighter.parse(state)) == []
    assert lighter.convert(state, "langchain-dump").value == state
    done = lighter.convert(state, "anthropic")
    assert done.value == {"messages": []}
    assert [(loss.action, loss.path) for loss in done.losses] == [("dropped", "/__interrupt__")]


def test_what_came_after_the_last_state_before_a_stream_broke_off_is_read() -> None:
    live = streamed(["values", "messages"])[:10]
    events = list(map(WAYS["model_dump"], live))
    assert [event[0] for event in events[-3:]] == ["values", "messages", "messages"]
    said = [*SAID[:3], ("ai", "It is ")]
    for data in (jsonl(*events), jsonl(events)):
        assert said_in(data) == [said]
        assert [found.code for found in lint_stream(io.BytesIO(data), "log.json", LintOptions()).diagnostics] == [
            "F121"
        ]
    assert said_of(lighter.parse(live)) == said
    assert [found.code for found in lighter.lint(live)] == ["F121"]


@pytest.mark.parametrize("namespace", [[], ["agent:1"]], ids=["graph", "subgraph"])
@pytest.mark.parametrize("mode", ["messages", None])
def test_one_event_behind_a_namespace_is_read(namespace: list[str], mode: str | None) -> None:
    said = [{"type": "AIMessageChunk", "content": "Hel", "id": "lc_run--1"}, {"langgraph_node": "agent"}]
    event = [namespace, *([mode] if mode else []), said]
    for data in (jsonl(event), jsonl([event]), jsonl([namespace, {"route": None}], event)):
        assert said_in(data) == [[("ai", "Hel")]]
        assert [found.code for found in lint_stream(io.BytesIO(data), "log.json", LintOptions()).diagnostics] == [
            "F121"
        ]


HUMAN = {"type": "human", "content": "Hi"}
OTHERS: dict[str, Any] = {
    "request of OpenAI": {"request": {"messages": [{"role": "user", "content": "Hi"}]}},
    "node of another world": {"agent": {"messages": [{"role": "user", "content": "Hi"}]}},
    "state": {"values": {"messages": [HUMAN]}},
    "run": {"inputs": {"messages": [HUMAN]}, "outputs": {"messages": [HUMAN]}},
    "text beside": {"agent": {"messages": [HUMAN]}, "note": "text"},
    "event of somebody": {"event": "on_save", "data": {"messages": []}, "id": 1},
    "step of somebody": {"step": 1, "type": "task", "payload": "text"},
    "texts in a list": [["a", "b"], ["c", "d"]],
    "numbers": [1, 2],
    "list beside an object": [[], {"x": 1}],
    "messages of OpenAI beside an empty list": [[], {"messages": [{"role": "user", "content": "Hi"}]}],
    "pair of role and text": [["human", "Hi: there"], {"role": "ai", "content": "Hello!"}],
}


@pytest.mark.parametrize("value", OTHERS.values(), ids=OTHERS)
def test_what_looks_like_an_event_is_none(value: Any) -> None:
    assert lighter.detect(value).stream is None


@pytest.mark.parametrize(("lines", "said"), [
    (['["human", "Hi"]', '["ai", "Hello!"]'], [("human", "Hi"), ("ai", "Hello!")]),
    (['["system", "Be kind."]', '["user", [{"type": "text", "text": "Hi"}]]'], [("system", "Be kind."), ("human", "Hi")]),
    (['["human", "Hi"]', '{"role": "ai", "content": "Hello!"}'], [("human", "Hi"), ("ai", "Hello!")]),
    (['["human", "there"]'], [("human", "there")]),
])  # fmt: skip
def test_messages_in_short_may_stand_on_lines(lines: list[str], said: list[tuple[str, str]], tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines))
    assert lighter.detect(path).format == "langchain-dump"
    assert said_in(path.read_bytes()) == [said]
    assert not [found for found in lighter.lint(path) if found.severity == "error"]


@pytest.mark.parametrize("stranger", ['["a", "b"]', '[["a", "b"]]'])
def test_texts_among_messages_of_another_format_are_no_conversation(stranger: str) -> None:
    data = b"".join(line + b"\n" for line in (b'{"role": "user", "content": "Hi"}', stranger.encode()))
    report = lint_stream(io.BytesIO(data), "log.jsonl", LintOptions())
    assert (report.diagnostics, report.conversations, report.format) == ([], 1, "openai-chat")


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("log", [gather for gather, _ in LOGS.values()], ids=LOGS)
def test_each_event_that_holds_a_message_is_read_alone(
    log: Callable[[], list[Any]], way: Callable[[Any], Any], tmp_path: Path
) -> None:
    path = tmp_path / "event.jsonl"
    for event in {json.dumps(way(event)) for event in log()}:
        told = graph_event(json.loads(event))
        if told is None or form_in_event(told) is None:
            continue
        path.write_text(event + "\n")
        (found,) = lighter.load(path)
        assert found.messages
        assert not {"F116", "F121"} & {finding.code for finding in lighter.lint(path)} or "Chunk" in event
        if event.startswith("{"):
            assert lighter.convert(json.loads(event), to=found.format).value == json.loads(event)


SILENT: Any = [{"route": None}, {"plan": {"steps": ["look"]}}, {"check": None}]
GAVE: Any = {"agent": {"messages": [plain(AIMessage("Hi", id="a"))]}}


@pytest.mark.parametrize("count", [1, 2, 3])
def test_nodes_may_say_nothing_before_the_first_message(count: int) -> None:
    for data in (jsonl(*SILENT[:count], GAVE), jsonl([*SILENT[:count], GAVE, {"route": None}])):
        assert said_in(data) == [[("ai", "Hi")]]
        assert [found.code for found in lint_stream(io.BytesIO(data), "log.json", LintOptions()).diagnostics] == []


@pytest.mark.parametrize("first", [{"config": {"a": 1}}, {"request": None}, {"data": {"n": 1}}])
def test_objects_before_a_stream_of_others_belong_to_nobody(first: Any) -> None:
    piece = {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "Hi"}}]}
    assert lighter.detect([first, piece]).stream is None
    assert said_in(jsonl(first, {"messages": [HUMAN]})) == [[("human", "Hi")]]


WRITTEN: list[Any] = ["progress", 0.5, None, True, [1], {"done": 1}]


@pytest.mark.parametrize("options", [{}, {"subgraphs": True}, {"version": "v2"}], ids=str)
@pytest.mark.parametrize("mode", ["updates", "messages", "values"])
def test_nodes_may_write_any_value_into_a_stream(mode: str, options: dict[str, Any]) -> None:
    def speak(_: Any) -> Any:
        for value in WRITTEN:
            get_stream_writer()(value)
        return {"messages": [Scripted(answers=[AIMessage("Hello there!")]).invoke("Hi")]}

    built: Any = StateGraph(MessagesState)
    built.add_node("speak", speak)
    built.add_edge(START, "speak")
    asked: Any = {"messages": [("human", "Hi")]}
    events = [plain(event) for event in built.compile().stream(asked, stream_mode=[mode, "custom"], **options)]
    assert sum("custom" in str(event)[:40] for event in events) == len(WRITTEN)
    for data in (jsonl(*events), jsonl(events)):
        (said,) = said_in(data)
        assert said[-1] == ("ai", "Hello there!")
        assert lint_stream(io.BytesIO(data), "log.json", LintOptions()).diagnostics == []


@pytest.mark.parametrize("broken", [["updates", 5], ["messages", None], [["a:1"], "text"], [[], "updates", 5]], ids=str)
def test_an_event_that_says_nothing_does_not_part_its_stream(broken: Any) -> None:
    events = [["updates", {"agent": {"messages": [plain(AIMessage(text, id=text))]}}] for text in ("One.", "Two.")]
    for data in (jsonl(events[0], broken, events[1]), jsonl([events[0], broken, events[1]])):
        assert said_in(data) == [[("ai", "One."), ("ai", "Two.")]]
