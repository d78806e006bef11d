"""Python objects are read as they would be on the wire: those of the providers' own SDKs, and others like them."""

import json
from typing import Any

import pytest
from chat import SAID, USER

import lighter
from lighter import CannotHold

CALL = {"id": "call_1", "type": "function", "function": {"name": "add", "arguments": '{"a":19,"b":23}'}}
CHAT = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1_790_000_000,
    "model": "gpt-5",
    "choices": [
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "logprobs": None,
            "message": {"role": "assistant", "content": None, "refusal": None, "tool_calls": [CALL]},
        }
    ],
    "usage": {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14},
}
CLAUDE = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-opus-4-8",
    "content": [
        {"type": "text", "text": "Adding."},
        {"type": "tool_use", "id": "toolu_1", "name": "add", "input": {"a": 19, "b": 23}},
    ],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {"input_tokens": 9, "output_tokens": 5},
}


@pytest.fixture
def completion() -> Any:
    from openai.types.chat import ChatCompletion

    return ChatCompletion.model_validate(CHAT)


@pytest.fixture
def reply() -> Any:
    from anthropic.types import Message

    return Message.model_validate(CLAUDE)


def test_a_completion_is_an_answer(completion: Any) -> None:
    (message,) = lighter.parse(completion).messages
    assert isinstance(message, lighter.AssistantMessage)
    assert [call.tool_name for call in message.tool_calls] == ["add"]
    assert (message.model, message.stop) == ("gpt-5", "tool_calls")
    assert message.usage is not None
    assert json.loads(message.usage)["total_tokens"] == 14


def test_a_reply_is_an_answer(reply: Any) -> None:
    conversation = lighter.parse(reply)
    assert conversation.format == "anthropic"
    (message,) = conversation.messages
    assert isinstance(message, lighter.AssistantMessage)
    assert (message.content, message.model, message.stop) == ("Adding.", "claude-opus-4-8", "tool_use")


def test_a_history_may_mix_dicts_and_sdk_messages(completion: Any) -> None:
    history = [{"role": "user", "content": "Calculate 19 + 23."}, completion.choices[0].message]
    assert [found.name for found in lighter.lint(history, target="openai-chat")] == ["pending-tool-call"]
    history.append({"role": "tool", "tool_call_id": "call_1", "content": "42"})
    assert lighter.lint(history, target="openai-chat") == []
    done = lighter.convert(history, to="anthropic")
    assert done.refusals == ()
    assert done.value["messages"][1]["content"] == [
        {"type": "tool_use", "id": "call_1", "name": "add", "input": {"a": 19, "b": 23}}
    ]


def test_content_blocks_of_a_reply_go_back_into_a_history(reply: Any) -> None:
    history = [
        {"role": "user", "content": "Calculate 19 + 23."},
        {"role": "assistant", "content": reply.content},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "42"}]},
    ]
    assert lighter.lint(history, target="anthropic") == []
    (turn,) = (
        message for message in lighter.convert(history, to="openai").value["messages"] if message["role"] == "tool"
    )
    assert turn == {"role": "tool", "tool_call_id": "toolu_1", "content": "42"}


def test_other_objects_are_read_by_their_own_methods() -> None:
    class Message:
        def model_dump(self, mode: str) -> dict[str, Any]:
            assert mode == "json"
            return USER

    class Answer:
        def to_dict(self) -> dict[str, Any]:
            return SAID

    assert [m.content for m in lighter.parse([Message(), Answer()]).messages] == ["hi", "hello"]
    with pytest.raises(CannotHold, match="object"):
        lighter.parse([object()])


@pytest.mark.parametrize(("value", "shown"), [(float("nan"), "NaN"), (float("-inf"), "-Infinity")])
def test_a_number_that_json_has_not_is_a_finding_and_can_be_mended(value: float, shown: str) -> None:
    history = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho", "score": [value]}]
    (finding,) = lighter.lint(history)
    assert (finding.name, finding.path) == ("nonfinite-number", "/1/score/0")
    assert finding.message.startswith(f"{shown} is no number")
    assert lighter.fix(history, unsafe=True).value[1]["score"] == [None]
    assert repr(lighter.fix(history).value) == repr(history)


def test_what_json_cannot_say_is_refused_at_its_place() -> None:
    bad = [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "c", "function": {"arguments": {"a/b": float("nan")}}}],
        }
    ]
    for read in (lighter.parse, lambda bad: lighter.convert(bad, "anthropic")):
        with pytest.raises(CannotHold, match=r"^/0/tool_calls/0/function/arguments/a~1b: nan is no JSON number$"):
            read(bad)
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(CannotHold, match="holds itself"):
        lighter.lint(endless)
    with pytest.raises(CannotHold, match=r"^/0/content: object is no JSON value"):
        lighter.lint([{"role": "user", "content": object()}])


def test_one_conversation_is_read_at_a_time() -> None:
    message = lighter.UserMessage("hi")
    conversation = lighter.Conversation((message,))
    assert lighter.parse(message) == lighter.parse([message]) == lighter.parse([conversation]) == conversation
    for several in ([conversation, conversation], [[USER], [USER, SAID]], [{"messages": [USER]}, {"messages": [SAID]}]):
        with pytest.raises(CannotHold, match=r"^2 conversations where one is wanted"):
            lighter.parse(several)
