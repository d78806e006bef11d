"""Sessions of Claude's managed agents, in events that the SDK itself takes: how they are read, judged, copied and converted."""

import io
import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, get_args

import pytest
from chat import jsonl
from hypothesis import given, settings
from hypothesis import strategies as st

import lighter
from lighter import AssistantMessage, CannotHold, NotRecognised, ToolMessage
from lighter.conversion import ConvertOptions, convert_stream
from lighter.linting import LintOptions, lint_stream
from lighter.session_events import is_event

sdk = pytest.importorskip("anthropic.types.beta.sessions")
pydantic = pytest.importorskip("pydantic")
EVENTS = sdk.BetaManagedAgentsStreamSessionEvents
ADAPTER = pydantic.TypeAdapter(EVENTS)
NOW = datetime(2026, 7, 6, tzinfo=UTC)
NAME = "claude-managed-agents"
USAGE = {"input_tokens": 2, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}


def event(kind: str, name: str, /, **fields: Any) -> dict[str, Any]:
    """Make an event that the SDK takes, as `model_dump` gives it."""
    value = {"type": kind, "id": f"sevt_{name}", "processed_at": NOW, **fields}
    made: dict[str, Any] = ADAPTER.validate_python(value).model_dump(mode="json")
    return made


def text(said: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": said}]


def asked(said: str = "What is here?", name: str = "q", **fields: Any) -> dict[str, Any]:
    return event("user.message", name, content=text(said), **fields)


def answer(said: str = "One file.", name: str = "a") -> dict[str, Any]:
    return event("agent.message", name, content=text(said))


def use(name: str = "c", kind: str = "agent.tool_use", **fields: Any) -> dict[str, Any]:
    return event(kind, name, name="bash", input={"command": "ls"}, **fields)


def mcp_use(name: str = "c", **fields: Any) -> dict[str, Any]:
    return use(name, "agent.mcp_tool_use", mcp_server_name="exa", **fields)


def result(call: str = "c", name: str = "r", **fields: Any) -> dict[str, Any]:
    return event("agent.tool_result", name, tool_use_id=f"sevt_{call}", **{"content": text("a.txt"), **fields})


def confirmation(verdict: str, call: str = "c", **fields: Any) -> dict[str, Any]:
    return event("user.tool_confirmation", f"y{call}", tool_use_id=f"sevt_{call}", result=verdict, **fields)


def idle(*waiting: str) -> dict[str, Any]:
    reason = {"type": "requires_action", "event_ids": list(waiting)} if waiting else {"type": "end_turn"}
    return event("session.status_idle", "i", stop_reason=reason)


INTERRUPT = event("user.interrupt", "x")
CUSTOM = "agent.custom_tool_use"
SESSION = {
    "type": "session", "id": "sesn_1", "status": "idle", "environment_id": "env_1",
    "agent": {"type": "agent", "id": "agent_1", "name": "Lister", "system": "Be brief.", "model": {"id": "claude-opus-5", "speed": "fast"},
              "tools": [{"type": "custom", "name": "bash", "description": "Runs.", "input_schema": {"type": "object"}},
                        {"type": "agent_toolset_20260401", "configs": []}]},
}  # fmt: skip


KINDS = get_args(get_args(EVENTS)[0])


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_event_of_the_sdk_is_known_for_one(kind: Any) -> None:
    (name,) = get_args(kind.model_fields["type"].annotation)
    made = kind.model_construct(type=name, id="sevt_1", event_id="sevt_1", delta={}, event={"id": "sevt_1"})
    assert is_event(made.model_dump(mode="json", warnings=False))


SILENT = {
    "answered": [asked(), use(), result(), answer()],
    "of an MCP server": [asked(), mcp_use(), event("agent.mcp_tool_result", "r", mcp_tool_use_id="sevt_c"), answer()],
    "by the client": [
        asked(), use(kind=CUSTOM), idle("sevt_c"), event("user.custom_tool_result", "r", custom_tool_use_id="sevt_c"), answer(),
    ],
    "by the client's sandbox": [asked(), use(), event("user.tool_result", "r", tool_use_id="sevt_c"), answer()],
    "waits for the client": [asked(), use(kind=CUSTOM), idle("sevt_c")],
    "waits for a confirmation": [asked(), use(evaluated_permission="ask"), idle("sevt_c")],
    "still runs": [asked(), use()],
    "denied": [asked(), use(), confirmation("deny", deny_message="No."), answer(), asked(name="q2"), answer(name="a2")],
    "denied without a word": [asked(), use(), confirmation("deny"), answer(), asked(name="q2")],
    "denied, and the server says so": [asked(), use(), confirmation("deny"), result(is_error=True), answer()],
    "denied, then interrupted": [asked(), use(), confirmation("deny"), answer(), use("c2"), INTERRUPT, asked(name="q2")],
    "refused by the server": [asked(), use(evaluated_permission="deny"), answer(), asked(name="q2"), answer(name="a2")],
    "refused by the server, which says so": [asked(), use(evaluated_permission="deny"), result(is_error=True), answer()],
    "interrupted": [asked(), use(), INTERRUPT, asked("Stop.", "q2"), answer()],
    "interrupted, and answered late": [asked(), use(), INTERRUPT, result(is_error=True), asked("Stop.", "q2"), answer()],
    "one of two interrupted": [asked(), use(), use("c2"), result(), INTERRUPT, asked("Stop.", "q2"), answer()],
    "of another thread": [asked(), use(session_thread_id="sthr_1"), confirmation("deny", session_thread_id="sthr_1"), answer(), asked(name="q2")],
    "results in another order": [asked(), use(), use("c2"), result("c2", "r2"), result(), answer()],
    "queued while a tool ran": [asked(), use(), asked("More.", "q2", processed_at=None), result(), asked("More.", "q2"), answer()],
    "still queued": [asked(), use(), asked("More.", "q2", processed_at=None), result()],
    "seen twice after a reconnect": [asked(), use(), result(), asked(), use(), result(), answer()],
}  # fmt: skip


@pytest.mark.parametrize("events", SILENT.values(), ids=SILENT)
def test_what_a_session_may_be_like_is_no_fault(events: list[dict[str, Any]]) -> None:
    for data in (jsonl(*events), jsonl(events), jsonl({"data": events, "next_page": None})):
        assert lint_stream(io.BytesIO(data), "log.json", LintOptions()).diagnostics == []


FAULTS = {
    "missing-tool-result": ([asked(), use(), answer(), asked(name="q2"), answer(name="a2")], 1),
    "orphan-tool-result": ([asked(), result("c9"), answer()], 1),
    "duplicate-tool-result": ([asked(), use(), result(), result(name="r2"), answer()], 3),
}


@pytest.mark.parametrize(("name", "case"), FAULTS.items(), ids=FAULTS)
def test_faults_are_told_at_their_event(name: str, case: tuple[list[dict[str, Any]], int]) -> None:
    events, index = case
    places = {
        jsonl(*events): (index + 1, ""),
        jsonl(events): (1, f"/{index}"),
        jsonl({"data": events}): (1, f"/data/{index}"),
    }
    for data, place in places.items():
        (found,) = lint_stream(io.BytesIO(data), "log.json", LintOptions()).diagnostics
        assert (found.name, (found.location.row, found.path)) == (name, place)


def test_an_interrupted_call_is_refused_by_those_who_would_get_it() -> None:
    found = lighter.lint(SILENT["interrupted"], target="anthropic", mode="log")
    assert [(item.name, item.path) for item in found] == [("missing-tool-result", "/1")]


RECORDED = [
    ["client.beta.sessions.create", SESSION],
    ["client.beta.sessions.events.send", ["sesn_1", {"events": [{"type": "user.message", "content": text("What is here?")}]}]],
    ["client.beta.sessions.events.stream", event("session.status_running", "s")],
    ["client.beta.sessions.events.stream", asked()],
    ["client.beta.sessions.events.stream", use()],
    ["client.beta.sessions.events.stream", event(
        "span.model_request_end", "e", model_request_start_id="sevt_s", model_usage=USAGE, is_error=False)],
    ["client.beta.sessions.events.stream", idle("sevt_c")],
    ["client.beta.sessions.events.send", ["sesn_1", {"events": [
        {"type": "user.tool_confirmation", "tool_use_id": "sevt_c", "result": "allow"}]}]],
    ["client.beta.sessions.events.stream", result(is_error=False)],
    ["client.beta.sessions.events.stream", answer()],
    ["client.beta.sessions.events.send", ["sesn_1", {"events": [{"type": "user.message", "content": text("Thanks.")}]}]],
]  # fmt: skip


def test_a_recording_is_one_conversation_without_echoes() -> None:
    (found,) = lighter.load(io.BytesIO(jsonl(*RECORDED)))
    assert [(message.role, message.content) for message in found.messages] == [
        ("system", "Be brief."), ("user", "What is here?"), ("assistant", ""), ("tool", "a.txt"), ("assistant", "One file."), ("user", "Thanks."),
    ]  # fmt: skip
    called, told = found.messages[2], found.messages[3]
    assert isinstance(called, AssistantMessage)
    assert called.stop == "requires_action"
    assert json.loads(called.usage or "") == {**USAGE, "speed": None}
    assert isinstance(told, ToolMessage)
    assert (told.tool_name, told.is_error) == ("bash", False)
    assert [(param.name, param.json) for param in found.params] == [("model", '"claude-opus-5"')]
    assert [tool.name for tool in found.tools] == ["bash", ""]


def test_losses_point_at_the_lines_that_they_are_in() -> None:
    pieces = list(convert_stream(io.BytesIO(jsonl(*RECORDED)), "", ConvertOptions("openai-chat")))
    places = {(loss.row, loss.path, loss.feature) for piece in pieces for loss in piece.losses}
    wanted = {
        (1, "/1/agent/name", "name"), (1, "/1/agent/tools/1", "tool"), (3, "/1", "stream-event"), (5, "/1/processed_at", "processed-at"),
        (6, "/1/model_usage", "usage"), (7, "/1/stop_reason/type", "stop"), (8, "/1/1/events/0", "stream-event"),
        (9, "/1/is_error", "is-error"), (10, "/1/id", "id"),
    }  # fmt: skip
    assert wanted <= places
    assert not {row for row, path, _ in places if path != "/0"} & {2, 11}


def test_pages_of_one_session_are_one_conversation_and_lists_are_several() -> None:
    first, second = [asked(), use()], [result(), answer()]
    pages = jsonl(
        {"data": first, "next_page": "p"}, {"data": second, "next_page": None}, {"data": first, "next_page": None}
    )
    assert [len(found.messages) for found in lighter.load(io.BytesIO(pages))] == [4, 2]
    assert [len(found.messages) for found in lighter.load(io.BytesIO(jsonl(first, second)))] == [2, 2]


EXCHANGE = [asked(), use(), result(), answer(), idle()]
SENT = {"type": "user.message", "content": text("What is here?")}
MORE = {"type": "user.message", "content": text("More.")}
BESIDE = {
    "an echo": (SENT, 1, False),
    "sent": (MORE, 2, False),
    "sent in a list": ({"events": [MORE, {"type": "user.interrupt"}]}, 2, False),
    "of a new domain": ({"type": "billing.charged", "id": "sevt_9"}, 1, True),
    "of a new domain, and with a new id": ({"type": "billing.charged", "id": "9", "processed_at": "t"}, 1, True),
    "strange": ({"note": 1}, 1, True),
}


@pytest.mark.parametrize("case", BESIDE.values(), ids=BESIDE)
@pytest.mark.parametrize(("place", "source"), [(0, None), (2, None), (5, None), (2, NAME)])
def test_an_odd_record_breaks_no_session(
    case: tuple[dict[str, Any], int, bool], place: int, source: str | None
) -> None:
    odd, asked_for, is_lost = case
    records = [*EXCHANGE[:place], odd, *EXCHANGE[place:]]
    logs = {jsonl(*records): (place + 1, "")}
    if "events" not in odd:
        logs |= {
            jsonl(records): (1, f"/{place}"),
            jsonl({"data": records}): (1, f"/data/{place}"),
            jsonl({"session": SESSION, "events": records}): (1, f"/events/{place}"),
        }
    for data, where in logs.items():
        assert lint_stream(io.BytesIO(data), "log.json", LintOptions(format=source)).diagnostics == []
        (found,) = lighter.load(io.BytesIO(data), source)
        assert [message.role for message in found.messages].count("user") == asked_for
        pieces = convert_stream(io.BytesIO(data), "", ConvertOptions("openai-chat", source))
        lost = {(loss.row, loss.path) for piece in pieces for loss in piece.losses if loss.feature == "stream-event"}
        assert (where in lost) is is_lost


def test_events_as_the_sdk_gives_them_are_read_as_those_of_a_file() -> None:
    live = [ADAPTER.validate_python(told) for told in EXCHANGE]
    assert lighter.lint(live, mode="log") == []
    assert lighter.parse(live).messages == lighter.parse(EXCHANGE).messages


def test_what_tells_of_another_conversation_is_no_part_of_a_session() -> None:
    said = {"messages": [{"role": "user", "content": "Hi."}]}
    found = list(lighter.load(io.BytesIO(jsonl(*EXCHANGE, said))))
    assert len(found) > 1
    with pytest.raises(NotRecognised):
        lighter.parse([{"type": "user.message", "data": {"content": "Hi."}, "id": "1", "timestamp": "t"}])


def test_a_session_that_begins_ends_the_one_before() -> None:
    other = {**SESSION, "id": "sesn_2"}
    data = jsonl(SESSION, asked(), answer(), other, asked("And there?", "q3"))
    assert [found.messages[1].content for found in lighter.load(io.BytesIO(data))] == ["What is here?", "And there?"]


def test_what_was_withheld_and_what_is_not_known_is_named() -> None:
    events = [event("user.message", "q", content=[{"type": "redacted"}, *text("Hi.")]), answer("Hello."),
              {"type": "agent.something_new", "id": "sevt_n", "processed_at": "t", "what": 1}]  # fmt: skip
    done = lighter.convert(events, "anthropic")
    assert done.value["messages"] == [
        {"role": "user", "content": text("Hi.")},
        {"role": "assistant", "content": "Hello."},
    ]
    assert {"/0/content/0", "/2"} <= {loss.path for loss in done.losses}


def test_what_lacks_what_it_should_tell_is_read_where_the_format_is_named() -> None:
    status = {"type": "session.status_idle", "id": "sevt_i", "processed_at": "t"}
    assert (
        lighter.parse({"messages": [status, asked(), {"type": ["odd"]}]}, NAME).messages[1].content == "What is here?"
    )


def test_its_own_form_is_a_copy_and_no_other_is_written_in_it() -> None:
    data = jsonl(*RECORDED)
    pieces = convert_stream(io.BytesIO(data), "", ConvertOptions(NAME))
    assert b"".join(record + b"\n" for piece in pieces for record in piece.records) == data
    with pytest.raises(CannotHold, match="only read"):
        list(convert_stream(io.BytesIO(b'{"role": "user", "content": "Hi."}\n'), "", ConvertOptions(NAME)))
    with pytest.raises(CannotHold, match="only read"):
        lighter.convert([{"role": "user", "content": "Hi."}], NAME)


ODD = st.sampled_from(
    [
        None,
        True,
        1.5,
        "",
        "deny",
        "sevt_c",
        "user.message",
        [],
        [None],
        {},
        {"type": "text"},
        [{"type": "image"}],
        {"id": 1},
    ]
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """List the places of all values in a value."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, held in children for place in places(held, (*path, key)))]


def put(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    """Give a copy with something odd at a place."""
    if not path:
        return odd
    copy = value.copy()
    copy[path[0]] = put(value[path[0]], path[1:], odd)
    return copy


@settings(max_examples=40, deadline=None)
@given(data=st.data(), events=st.sampled_from([*SILENT.values(), RECORDED]))
def test_odd_values_anywhere_raise_nothing(data: st.DataObject, events: list[Any]) -> None:
    for _ in range(2):
        events = put(events, data.draw(st.sampled_from(places(events)[1:])), data.draw(ODD))
    for made in (jsonl(*events), jsonl({"data": events})):
        with suppress(NotRecognised):
            lint_stream(io.BytesIO(made), "log.json", LintOptions())
            list(convert_stream(io.BytesIO(made), "", ConvertOptions("anthropic")))
