"""LangChain's own message objects are read as they are, and given back as they were."""

import datetime as dt
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pydantic
import pytest

import lighter

messages = pytest.importorskip("langchain_core.messages")

from langchain_packages.conversations import CONVERSATIONS, but_ids, whole  # noqa: E402 - it needs the package

FORMS = ("langchain", "langchain-js", "langchain-stored", "langchain-dump", "lighter")
CALLED: Sequence[Any] = CONVERSATIONS["one_tool"]

KEPT = {name: objects for name, objects in CONVERSATIONS.items() if name != "removals_and_notes"}
each_conversation = pytest.mark.parametrize("objects", KEPT.values(), ids=KEPT)


@each_conversation
def test_objects_are_given_back(objects: Sequence[Any]) -> None:
    found = lighter.convert(list(objects), to="langchain-objects")
    assert found.value == whole(objects)
    assert [type(message) for message in found.value] == [type(message) for message in whole(objects)]
    assert but_ids(found.losses) == []


@each_conversation
@pytest.mark.parametrize("form", FORMS)
def test_objects_are_given_back_from_every_form(objects: Sequence[Any], form: str) -> None:
    written = lighter.convert(list(objects), to=form)
    assert but_ids(written.losses) == []
    back = lighter.convert(written.value, to="langchain-objects", format=form)
    assert back.value == whole(objects)
    assert but_ids(back.losses) == []


def test_objects_that_take_others_back_are_carried_out() -> None:
    first, second, removal, note, _ = CONVERSATIONS["removals_and_notes"]
    found = lighter.convert([first, second, removal, note], to="langchain-objects")
    assert found.value == [second, note]
    assert [loss.path for loss in found.losses if loss.action == "dropped"][:1] == ["/0"]
    assert {loss.path.split("/")[1] for loss in found.losses} == {"0", "2"}


@each_conversation
def test_objects_are_what_their_dumps_are(objects: Sequence[Any]) -> None:
    dumps = [message.model_dump() for message in objects]
    assert lighter.parse(list(objects)).messages == lighter.parse(dumps).messages
    assert [d.name for d in lighter.lint(list(objects))] == [d.name for d in lighter.lint(dumps)]
    assert lighter.detect(list(objects)).format == "langchain-dump"


@pytest.mark.parametrize(
    "mixed",
    [
        [*CALLED[:2], ("tool", "18C"), CALLED[3]],
        ["Weather in Paris?", ("ai", "18C"), messages.HumanMessage("Thanks")],
        [("system", "Be brief."), ("human", "Hi"), ("ai", "Hello!")],
        [messages.HumanMessage("Hi"), {"role": "assistant", "content": "Hello!"}, {"type": "human", "content": "Bye"}],
        (messages.HumanMessage("Hi"), messages.AIMessage("Hello!")),
    ],
)
def test_what_langchain_takes_for_messages_is_taken(mixed: Any) -> None:
    expected = [one.content if hasattr(one, "content") else one if isinstance(one, str) else None for one in mixed]
    found = [getattr(message, "content", None) for message in lighter.parse(mixed).messages]
    assert len(found) == len(mixed)
    assert all(one == other for one, other in zip(expected, found, strict=True) if one is not None)


def test_a_message_alone_is_a_conversation() -> None:
    assert lighter.parse(messages.HumanMessage("Hi")).messages == (lighter.UserMessage("Hi"),)


def test_states_prompts_and_answers_hold_messages() -> None:
    from langchain_core.outputs import ChatGeneration, LLMResult
    from langchain_core.prompt_values import ChatPromptValue

    expected = lighter.parse(list(CALLED)).messages
    assert lighter.parse({"messages": list(CALLED)}).messages == expected
    assert lighter.parse(ChatPromptValue(messages=list(CALLED))).messages == expected
    answer = LLMResult(generations=[[ChatGeneration(message=CALLED[1])]])
    assert lighter.parse(answer).messages == expected[1:2]


class Frame:
    """What a tool may give back besides its text."""

    def __repr__(self) -> str:
        return "Frame(3 rows)"


def test_artifacts_that_json_cannot_say_become_what_dumpd_writes() -> None:
    from langchain_core.load import dumpd

    artifact = {"frame": Frame(), "raw": b"\x00", "set": {1}, "fine": [1, {"a": None}]}
    result = messages.ToolMessage("3 rows", tool_call_id="call_1", artifact=artifact)
    (dumped,) = lighter.convert([*CALLED[:2], result], to="langchain").value["messages"][2:]
    assert dumped["kwargs"]["artifact"]["fine"] == artifact["fine"]
    for key in ("frame", "raw", "set"):
        kept = dumped["kwargs"]["artifact"][key]
        # An object with the key `lc` is escaped, so that no package takes it for one of its own.
        assert kept == {"__lc_escaped__": dumpd(result)["kwargs"]["artifact"][key]}


@pytest.mark.parametrize("artifact", [{}, [], "", 0, False])
@pytest.mark.parametrize("to", ["langchain", "langchain-js", "langchain-stored", "langchain-dump", "langchain-objects"])
def test_artifacts_that_hold_nothing_are_kept_as_they_are(artifact: Any, to: str) -> None:
    result = messages.ToolMessage("3 rows", tool_call_id="call_1", artifact=artifact)
    written = lighter.convert([*CALLED[:2], result], to=to)
    there = (written.value["messages"] if isinstance(written.value, dict) else written.value)[2]
    kept = there.artifact if to == "langchain-objects" else there.get("kwargs", there.get("data", there))["artifact"]
    assert (type(kept), kept) == (type(artifact), artifact)
    told = lighter.convert([*CALLED[:2], result], to="anthropic").losses
    assert any(loss.path.endswith("/artifact") for loss in told)


def test_not_a_number_in_an_artifact_is_no_error() -> None:
    result = messages.ToolMessage("x", tool_call_id="call_1", artifact={"mean": float("nan")})
    assert lighter.parse([*CALLED[:2], result]).messages[2].role == "tool"


@pytest.mark.parametrize("form", ["openai-chat", "anthropic", "gemini"])
def test_objects_go_to_providers_and_come_from_them(form: str) -> None:
    written = lighter.convert(list(CALLED[:3]), to=form)
    assert written.refusals == ()
    found = lighter.convert(written.value, to="langchain-objects", format=form).value
    assert [message.type for message in found] == ["human", "ai", "tool"]
    assert found[1].tool_calls == CALLED[1].tool_calls
    assert found[2].content == CALLED[2].content


def test_what_a_list_of_messages_cannot_hold_is_named() -> None:
    body = {
        "model": "gpt-5",
        "messages": [{"role": "user", "content": "Hi"}],
        "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}],
    }
    found = lighter.convert(body, to="langchain-objects")
    assert found.value == [messages.HumanMessage("Hi")]
    assert {loss.path for loss in found.losses if loss.action == "dropped"} == {"/tools/0", "/model"}


def test_several_conversations_are_lists() -> None:
    rows = [{"messages": [{"role": "user", "content": text}]} for text in ("a", "b")]
    assert lighter.convert(rows, to="langchain-objects").value == [[messages.HumanMessage(text)] for text in ("a", "b")]


def test_what_langchain_refuses_is_left_out() -> None:
    dumps: list[Any] = [
        {"type": "tool", "content": "x", "tool_call_id": "call_1", "additional_kwargs": {}, "status": "odd"}
    ]
    found = lighter.convert(dumps, to="langchain-objects")
    assert found.value == [messages.ToolMessage("x", tool_call_id="call_1")]
    assert [(loss.path, loss.action) for loss in found.losses] == [("/0/status", "dropped")]


@pytest.mark.parametrize("result", [("tool", "x"), {"type": "tool", "content": "x"}])
def test_a_result_without_the_id_of_its_call_gets_one(result: Any) -> None:
    found = lighter.convert([result], to="langchain-objects")
    assert found.value == [messages.ToolMessage("x", tool_call_id="call_0")]
    assert [(loss.path, loss.feature, loss.action) for loss in found.losses] == [("/0", "call-id", "synthesised")]


def test_lighter_does_without_langchain_until_objects_are_asked_for() -> None:
    script = """
import sys
sys.modules["langchain_core"] = None
import lighter
rows = [{"type": "human", "content": "Hi"}, {"type": "ai", "content": "Hello!"}]
assert len(lighter.parse(rows).messages) == 2
try:
    lighter.convert(rows, to="langchain-objects")
except lighter.LighterError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("pip install langchain-core")


# What JSON cannot say


class Reading(pydantic.BaseModel):
    """A value with a class of somebody's own."""

    level: int = 3


HELD: dict[str, Any] = {
    "datetime": dt.datetime(2026, 3, 1, tzinfo=dt.UTC),
    "model": Reading(),
    "bytes": b"\x00",
    "set": {1},
    "frame": Frame(),
    "tuple": (1, 2),
    "keys": {1: "a"},
    "nan": float("nan"),
    "type": Frame,
}
each_held = pytest.mark.parametrize("held", HELD.values(), ids=HELD)


def holders(held: Any) -> dict[str, list[Any]]:
    """Give conversations that hold a value, by where it stands."""
    asked, called, answered, _ = CALLED
    named = {**called.tool_calls[0], "args": {"x": held}}
    return {
        "/0/additional_kwargs/x": [messages.HumanMessage("Weather?", additional_kwargs={"x": held})],
        "/1/tool_calls/0/args/x": [asked, messages.AIMessage("", tool_calls=[named]), answered],
        "/2/artifact": [asked, called, answered.model_copy(update={"artifact": held})],
        "/1/response_metadata/x": [asked, messages.AIMessage("18C", response_metadata={"x": held})],
    }


@each_held
@pytest.mark.parametrize("form", [*FORMS, "openai-chat"])
def test_what_json_cannot_say_is_named(held: Any, form: str) -> None:
    for path, objects in holders(held).items():
        losses = lighter.convert(objects, to=form).losses
        told = {loss.path for loss in losses if loss.action in ("dropped", "rewritten") and not loss.is_reversible}
        assert [place for place in told if place == path or place.startswith(f"{path}/")], path


@each_held
def test_objects_come_back_as_the_same_objects(held: Any) -> None:
    for objects in holders(held).values():
        found = lighter.convert(objects, to="langchain-objects")
        assert all(one is other for one, other in zip(found.value, objects, strict=True))
        assert found.losses == ()


@each_held
def test_a_value_of_a_message_that_changed_is_the_same_object(held: Any) -> None:
    result = CALLED[2].model_copy(update={"artifact": {"x": held}, "name": 5})
    found = lighter.convert([*CALLED[:2], result], to="langchain-objects")
    assert found.value[2] is not result
    assert found.value[2].artifact["x"] is held
    assert [loss.path for loss in found.losses] == ["/2/name"]


@each_held
def test_an_object_in_memory_was_not_left_unsaved(held: Any) -> None:
    for objects in holders(held).values():
        assert [found.name for found in lighter.lint(objects) if found.name == "unserialized-object"] == []


def test_a_note_that_was_loaded_is_still_a_fault() -> None:
    note = {"lc": 1, "type": "not_implemented", "id": ["harbour", "Gauge"], "repr": "<harbour.Gauge>"}
    result = messages.ToolMessage("x", tool_call_id="call_1", artifact=[note, Frame()])
    found = lighter.lint([*CALLED[:2], result])
    assert [finding.path for finding in found if finding.name == "unserialized-object"] == ["/2/artifact/0"]


def test_plain_values_of_live_messages_are_no_loss() -> None:
    artifact = {"a": [1, 2.5, None, True], "b": {"c": "d"}}
    result = messages.ToolMessage("x", tool_call_id="call_1", artifact=artifact)
    for form in FORMS:
        assert lighter.convert([*CALLED[:2], result], to=form).losses == ()


def test_shorthand_is_no_loss() -> None:
    assert lighter.convert([("human", "Hi"), ("ai", "Hello!")], to="langchain").losses == ()
