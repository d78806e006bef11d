"""What stands in the content of LangChain's messages goes to providers and comes back: blocks of providers, empty text, strangers."""

from typing import Any

import pytest

from lighter import convert, detect, lint


def test_an_answer_without_text_that_has_a_name_is_no_null_in_a_chat() -> None:
    listed = [
        {"type": "human", "content": "q"},
        {"type": "ai", "content": "", "name": "kim"},
        {"type": "human", "content": "?"},
    ]
    found = convert(listed, "openai-chat")
    assert found.value["messages"][1] == {"role": "assistant", "content": "", "name": "kim"}
    assert (found.losses, found.refusals) == ((), ())


def test_an_object_of_another_class_among_messages_is_told_and_the_messages_are_read() -> None:
    document = {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "document", "Document"],
        "kwargs": {"page_content": "x"},
    }
    ids = ["langchain", "schema", "messages"]
    said = [
        {"lc": 1, "type": "constructor", "id": [*ids, name], "kwargs": {"content": "hi"}}
        for name in ("HumanMessage", "AIMessage")
    ]
    listed = [said[0], document, said[1]]
    assert [(d.name, d.path) for d in lint(listed)] == [("unknown-message-type", "/1/id/3")]
    found = convert(listed, "openai-chat")
    assert [message["role"] for message in found.value["messages"]] == ["user", "assistant"]
    assert [loss.path for loss in found.losses] == ["/1"]
    assert detect([document, document]).format is None


def test_blocks_of_converse_are_read() -> None:
    thought: dict[str, Any] = {"type": "reasoning_content", "reasoning_content": {"text": "hm", "signature": "SIG"}}
    listed: list[dict[str, Any]] = [
        {"type": "human", "content": [{"text": "see"}]},
        {"type": "ai", "content": [thought, {"type": "text", "text": "x"}]},
    ]
    found = convert([*listed, {"type": "human", "content": "z"}], "bedrock")
    own = {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "SIG"}}}
    assert [message["content"] for message in found.value["messages"]] == [
        [{"text": "see"}],
        [own, {"text": "x"}],
        [{"text": "z"}],
    ]
    assert found.losses == ()
    assert convert(listed, "anthropic").value["messages"][1]["content"][0] == {
        "type": "thinking",
        "thinking": "hm",
        "signature": "SIG",
    }
    back = convert(convert(listed, "lighter").value, "langchain-dump").value["messages"]
    assert [message["content"] for message in back] == [message["content"] for message in listed]


@pytest.mark.parametrize("block", [{"json": {"my_key": 1.50}}, {"type": "json", "json": [None, {"lc": 1}]}])
def test_json_in_results_of_converse_is_read(block: dict[str, Any]) -> None:
    listed: list[dict[str, Any]] = [
        {"type": "human", "content": "q"},
        {"type": "ai", "content": "", "tool_calls": [{"name": "f", "args": {}, "id": "c", "type": "tool_call"}]},
        {"type": "tool", "tool_call_id": "c", "content": [block, {"type": "text", "text": "x"}]},
    ]
    found = convert(listed, "bedrock")
    held = {"json": block["json"]}
    assert found.value["messages"][2]["content"][0]["toolResult"]["content"] == [held, {"text": "x"}]
    assert found.losses == ()
    [loss] = [loss for loss in convert(listed, "anthropic").losses if loss.path == "/2/content/0"]
    assert (loss.feature, loss.action) == ("json-result", "rewritten")
    for form in ("langchain-dump", "langchain-stored"):
        back = convert(convert(convert(listed, form).value, "lighter").value, "langchain-dump").value["messages"]
        assert back[2]["content"] == listed[2]["content"]


def test_what_openai_encrypted_goes_to_responses_from_a_block_of_version_1() -> None:
    thought = {"type": "reasoning", "reasoning": "S", "id": "rs_1", "extras": {"encrypted_content": "ENC", "more": 1}}
    metadata = {"output_version": "v1", "model_provider": "openai"}
    listed = [{"type": "human", "content": "q"}, {"type": "ai", "content": [thought], "response_metadata": metadata}]
    found = convert([*listed, {"type": "human", "content": "z"}], "openai-responses")
    assert found.value["input"][1]["encrypted_content"] == "ENC"
    assert [loss.path for loss in found.losses if "content/0" in loss.path] == ["/1/content/0/extras/more"]
    back = convert(convert(listed, "lighter").value, "langchain-dump").value["messages"]
    assert back[1]["content"] == [thought]


def test_items_of_responses_keep_their_ids_whether_or_not_a_provider_is_named() -> None:
    call = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}", "id": "fc_1"}
    content = [{"type": "reasoning", "id": "rs_1", "summary": []}, {"type": "text", "text": "t", "id": "msg_1"}, call]
    answer = {
        "type": "ai",
        "content": content,
        "tool_calls": [{"name": "f", "args": {}, "id": "c1", "type": "tool_call"}],
    }
    listed = [{"type": "human", "content": "q"}, answer, {"type": "tool", "content": "r", "tool_call_id": "c1"}]
    for metadata in ({}, {"response_metadata": {"model_provider": "openai"}}):
        found = convert([listed[0], answer | metadata, listed[2]], "openai-responses")
        assert [item.get("id") for item in found.value["input"]] == [None, "rs_1", "msg_1", "fc_1", None]
        assert found.refusals == ()
        assert not [loss for loss in found.losses if loss.path.endswith("/id")]
    assert "/1/content/2/id" in {loss.path for loss in convert(listed, "anthropic").losses}


def test_texts_of_one_item_of_responses_are_its_parts() -> None:
    texts = [{"type": "text", "text": text, "id": "msg_1"} for text in "abc"]
    call = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}", "id": "fc_1"}
    called = [{"name": "f", "args": {}, "id": "c1", "type": "tool_call"}]
    answer = {"type": "ai", "content": [*texts[:2], call, texts[2]], "tool_calls": called}
    metadata = {"response_metadata": {"model_provider": "openai"}}
    listed = [
        {"type": "human", "content": "q"},
        answer | metadata,
        {"type": "tool", "content": "r", "tool_call_id": "c1"},
    ]
    found = convert(listed, "openai-responses")
    said = [item for item in found.value["input"] if item.get("role") == "assistant"]
    assert [part["text"] for part in said[0]["content"]] == ["a", "b"]
    assert [item.get("id") for item in said] == ["msg_1", None]  # no two items may have one id
    assert [loss.path for loss in found.losses if loss.path.endswith("/id")] == ["/1/content/3/id"]
    back = convert(convert(listed, "lighter").value, "langchain-dump").value["messages"]
    assert back[1]["content"] == answer["content"]


@pytest.mark.parametrize("kind", ["web_search_call", "mcp_call", "code_interpreter_call"])
def test_calls_of_tools_that_openai_runs_come_back(kind: str) -> None:
    item = {"type": kind, "id": "x_1", "status": "completed"}
    asked = {"role": "user", "content": "Tide?"}
    there = convert([asked, item, {"role": "assistant", "content": "2 m"}], "langchain", "openai-responses")
    back = convert(there.value, "openai-responses", "langchain")
    assert item in back.value["input"]
    assert [loss for loss in (*there.losses, *back.losses) if loss.action == "dropped"] == []
