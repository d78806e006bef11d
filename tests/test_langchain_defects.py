"""Defects of LangChain's own conversions, and the right answer to each.

What `convert_to_openai_messages` and `convert_to_messages` of langchain-core 1.8.3 do is run here, so that it shows when they are
mended.
"""

from collections.abc import Sequence
from typing import Any

import pytest

import lighter

messages = pytest.importorskip("langchain_core.messages")

from langchain_packages.conversations import CONVERSATIONS  # noqa: E402 - it needs the package

Objects = Sequence[Any]
theirs = messages.convert_to_openai_messages


def ours(objects: Objects) -> tuple[list[dict[str, Any]], set[str]]:
    """Convert message objects to OpenAI's chat; gives the messages and what is said of losses."""
    found = lighter.convert(list(objects), to="openai-chat")
    return found.value["messages"], {loss.feature for loss in found.losses}


def roles(listed: Objects) -> list[str]:
    return [message["role"] for message in listed]


def test_results_in_a_human_message_come_right_after_their_calls() -> None:
    objects = CONVERSATIONS["tool_result_in_human"]
    assert roles(theirs(list(objects))) == ["user", "assistant", "user", "tool"]
    written, said = ours(objects)
    assert roles(written) == ["user", "assistant", "tool", "user"]
    assert lighter.convert(list(objects), to="openai-chat").refusals == ()
    assert "is-error" in said


@pytest.mark.parametrize(
    ("name", "index", "path"),
    [
        ("parallel_error_artifact", 2, "/2/artifact"),
        ("parallel_error_artifact", 3, "/3/status"),
        ("invalid_tool_call", 1, "/1/invalid_tool_calls/0/error"),
        ("ids_names_usage", 2, "/2/usage_metadata"),
        ("ids_names_usage", 2, "/2/response_metadata"),
    ],
)
def test_what_is_left_out_is_named(name: str, index: int, path: str) -> None:
    objects = list(CONVERSATIONS[name])
    kept = theirs([objects[index]])
    assert not {"artifact", "status", "usage_metadata", "response_metadata", "invalid_tool_calls"} & kept[0].keys()
    losses = lighter.convert(objects, to="openai-chat").losses
    assert [loss.action for loss in losses if loss.path == path] == ["dropped"]


def test_a_call_that_did_not_parse_keeps_its_arguments() -> None:
    objects = CONVERSATIONS["invalid_tool_call"]
    assert [call["id"] for call in theirs(list(objects))[1]["tool_calls"]] == ["call_ok"]
    calls = ours(objects)[0][1]["tool_calls"]
    assert [(call["id"], call["function"]["arguments"]) for call in calls] == [
        ("call_ok", '{"q":"x"}'),
        ("call_bad", '{"q": "unterminated'),
    ]


def test_reasoning_beside_the_content_is_kept() -> None:
    objects = CONVERSATIONS["reasoning_and_refusal"]
    assert "reasoning_content" not in theirs(list(objects))[1]
    answer = ours(objects)[0][1]
    assert (answer["reasoning_content"], answer["refusal"]) == ("thinking…", "I can't.")


def test_a_legacy_call_is_kept() -> None:
    objects = CONVERSATIONS["function_chat_developer"]
    assert "function_call" not in theirs(list(objects))[2]
    assert ours(objects)[0][2]["function_call"] == {"name": "f", "arguments": "{}"}


def test_a_role_of_ones_own_is_no_role_of_openai() -> None:
    objects = CONVERSATIONS["function_chat_developer"]
    assert "critic" in roles(theirs(list(objects)))
    written, said = ours(objects)
    assert roles(written) == ["developer", "user", "assistant", "function", "user", "assistant"]
    assert "role" in said


MEDIA = [messages.HumanMessage([{"type": "media", "mime_type": "audio/wav", "data": "UklGRg=="}])]


@pytest.mark.parametrize(
    ("objects", "error"),
    [
        (CONVERSATIONS["removals_and_notes"][:4], "Unknown BaseMessage type"),
        (CONVERSATIONS["standard_blocks"], "Block of type text-plain is not supported"),
        (CONVERSATIONS["version_0_blocks"], "does not support file URLs"),
        (MEDIA, "can only support text and image data"),
    ],
)
def test_what_raises_there_is_converted(objects: Objects, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        theirs(list(objects))
    found = lighter.convert(list(objects), to="openai-chat")
    assert found.value["messages"]
    assert [refusal.name for refusal in found.refusals] == []


@pytest.mark.parametrize("block", ["thinking", "reasoning", "odd"])
def test_blocks_that_openai_refuses_do_not_pass(block: str) -> None:
    objects = [
        messages.HumanMessage("q"),
        messages.AIMessage([{"type": block, block: "x"}, {"type": "text", "text": "a"}]),
    ]
    objects.append(messages.HumanMessage("and?"))
    assert theirs(objects)[1]["content"][0]["type"] == block
    found = lighter.convert(objects, to="openai-chat")
    content = found.value["messages"][1]["content"]
    assert content == "a" or [part["type"] for part in content] == ["text"]
    assert found.refusals == ()
    assert {loss.path for loss in found.losses} & {"/1/content/0", f"/1/content/0/{block}"}


# Reading dumps again


def dumps(name: str) -> list[Any]:
    return [message.model_dump() for message in CONVERSATIONS[name]]


def test_usage_and_invalid_calls_stay_where_they_were() -> None:
    again = messages.convert_to_messages(dumps("ids_names_usage"))
    assert again[2].usage_metadata is None
    assert lighter.convert(dumps("ids_names_usage"), to="langchain-objects").value == list(
        CONVERSATIONS["ids_names_usage"]
    )
    again = messages.convert_to_messages(dumps("invalid_tool_call"))
    assert again[1].invalid_tool_calls == []
    assert lighter.convert(dumps("invalid_tool_call"), to="langchain-objects").value == list(
        CONVERSATIONS["invalid_tool_call"]
    )


@pytest.mark.parametrize(
    ("name", "error"),
    [("chunks_merged", "Unexpected message type"), ("function_chat_developer", "Unexpected message type")],
)
def test_dumps_that_raise_there_are_read(name: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        messages.convert_to_messages(dumps(name))
    assert lighter.convert(dumps(name), to="langchain-objects").value == list(CONVERSATIONS[name])


def test_escaped_values_are_what_they_were() -> None:
    from langchain_core.load import dumpd

    objects = CONVERSATIONS["lc_key_in_user_data"]
    envelopes = [dumpd(message) for message in objects]
    assert "__lc_escaped__" in messages.convert_to_messages(envelopes)[1].tool_calls[0]["args"]
    assert lighter.convert(envelopes, to="langchain-objects").value == list(objects)


def test_arguments_of_a_cut_stream_are_no_call_with_others() -> None:
    chunk = messages.AIMessageChunk(
        content="", tool_call_chunks=[{"name": "pay", "args": '{"to": "Ann", "amount": 1', "id": "c", "index": 0}]
    )
    assert chunk.tool_calls[0]["args"] == {"to": "Ann", "amount": 1}
    history = [messages.HumanMessage("Pay Ann 100"), chunk]
    for source, said in ((chunk, "truncated-stream"), (history, "completed-arguments")):
        *_, answer = lighter.parse(source).messages
        assert isinstance(answer, lighter.AssistantMessage)
        assert answer.tool_calls[0].arguments == '{"to": "Ann", "amount": 1'
        assert said in {finding.name for finding in lighter.lint(source)}


@pytest.mark.parametrize("metadata", [{"model_provider": "openai"}, {}])
def test_ids_of_items_that_langchain_openai_keeps_beside_them_are_those_of_the_items(metadata: dict[str, Any]) -> None:
    """What version 0 of an answer of Responses becomes is what `_construct_responses_api_input` of langchain-openai sends."""
    answer = {
        "type": "ai", "content": [{"type": "text", "text": "hi"}], "id": "msg_1", "response_metadata": metadata,
        "tool_calls": [{"name": "a", "args": {"x": 1}, "id": "call_1", "type": "tool_call"}],
        "additional_kwargs": {
            "reasoning": {"id": "rs_1", "summary": [{"text": "think", "type": "summary_text"}], "type": "reasoning"},
            "__openai_function_call_ids__": {"call_1": "fc_1"},
        },
    }  # fmt: skip
    found = lighter.convert([{"type": "human", "content": "q"}, answer], to="openai-responses")
    assert found.value["input"][1:] == [
        {"id": "rs_1", "summary": [{"text": "think", "type": "summary_text"}], "type": "reasoning"},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "hi", "annotations": []}],
            "id": "msg_1",
            "status": "completed",
        },
        {"type": "function_call", "name": "a", "arguments": '{"x":1}', "call_id": "call_1", "id": "fc_1"},
    ]
    assert {loss.feature for loss in found.losses} <= {"model-provider", "item-status"}
    back = lighter.convert([{"type": "human", "content": "q"}, answer], to="langchain")
    kept = back.value["messages"][1]["kwargs"]["additional_kwargs"]
    assert (kept, back.losses) == (answer["additional_kwargs"], ())


def test_ids_of_messages_of_others_are_no_ids_of_items() -> None:
    answer = {"type": "ai", "content": "hi", "id": "msg_1", "response_metadata": {"model_provider": "anthropic"}}
    found = lighter.convert([{"type": "human", "content": "q"}, answer], to="openai-responses")
    assert found.value["input"][1:] == [{"role": "assistant", "content": "hi"}]
