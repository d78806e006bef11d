"""What the user may decide about a conversion: what each choice changes, what it says of it, and that the defaults change nothing."""

from typing import Any

import pytest
from comparing import named

import lighter
from lighter.errors import UnknownName
from lighter.policies import DEFAULTS, MODULES, Policies, policies_of

CHAT: dict[str, Any] = {
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "How deep is the harbour?"},
        {
            "role": "assistant",
            "content": None,
            "reasoning_content": "Two soundings.",
            "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "sound", "arguments": "{north"}},
                {"id": "b", "type": "function", "function": {"name": "sound", "arguments": '{"pier":"south"}'}},
            ],
        },
        {"role": "tool", "tool_call_id": "a", "content": "4 m"},
        {"role": "system", "content": "Answer in feet."},
        {"role": "user", "content": "Well?"},
    ],
    "tools": [{"type": "function", "function": {"name": "sound", "parameters": {"type": "object"}}}],
    "tool_choice": "auto",
}


def converted(**policies: str) -> tuple[dict[str, Any], set[tuple[str, str, str]]]:
    """Convert the chat to Anthropic; give the body, and the losses beyond those that the defaults have."""
    conversion = lighter.convert(CHAT, "anthropic", **policies)
    return conversion.value, told(conversion) - told(lighter.convert(CHAT, "anthropic"))


def told(conversion: lighter.Conversion) -> set[tuple[str, str, str]]:
    """Give place, feature and action of each loss."""
    return {(loss.path, loss.feature, str(loss.action)) for loss in named(conversion.losses)}


def blocks_of(body: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """Give the blocks of a type, in order."""
    contents = [message["content"] for message in body["messages"]]
    return [block for content in contents if isinstance(content, list) for block in content if block["type"] == kind]


def test_defaults_change_nothing() -> None:
    """All defaults named give what no word gives."""
    named = {name: module.CHOICES[0] for name, module in MODULES.items()}
    assert policies_of(named) == DEFAULTS
    assert lighter.convert(CHAT, "anthropic", **named) == lighter.convert(CHAT, "anthropic")


def test_reasoning_as_text_stands_before_the_calls() -> None:
    """It is visible then, and said so."""
    body, losses = converted(reasoning="text")
    assert blocks_of(body, "text") == [{"type": "text", "text": "<thinking>\nTwo soundings.\n</thinking>"}]
    assert losses == {("/messages/2/reasoning_content", "reasoning", "rewritten")}


def test_reasoning_that_the_target_takes_stays_reasoning() -> None:
    """Only what would be refused becomes text."""
    signed = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
    body = {
        "messages": [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": [signed, {"type": "text", "text": "a"}]},
        ]
    }
    assert lighter.convert(body, "anthropic", format="anthropic", reasoning="text").value == body
    chat = lighter.convert(body, "openai-chat", format="anthropic", reasoning="text")
    assert chat.value["messages"][1]["content"][0]["text"] == "<thinking>\nhm\n</thinking>"
    assert ("/messages/1/content/0/signature", "signature", "dropped") in told(chat)


def test_reasoning_can_be_dropped_everywhere() -> None:
    """Also where the target would take it back."""
    conversion = lighter.convert(CHAT, "openai-chat", reasoning="drop")
    assert "reasoning_content" not in conversion.value["messages"][2]
    assert [(loss.path, loss.action) for loss in conversion.losses] == [("/messages/2/reasoning_content", "dropped")]


REASONED: dict[str, Any] = {"type": "reasoning", "id": "rs_1", "summary": []}
CALLED: dict[str, Any] = {"type": "function_call", "id": "fc_1", "call_id": "c", "name": "f", "arguments": "{}"}
ANSWERED: dict[str, Any] = {"type": "function_call_output", "call_id": "c", "output": "4 m"}
SAID: dict[str, Any] = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": "4 m", "annotations": []}]}  # fmt: skip
ASKED: dict[str, Any] = {"role": "user", "content": "How deep is the harbour?"}


@pytest.mark.parametrize("through", [None, "lighter"])
@pytest.mark.parametrize(
    ("items", "ids"),
    [
        ([ASKED, REASONED, CALLED, ANSWERED, SAID], []),
        ([ASKED, REASONED, SAID, ASKED, CALLED, ANSWERED, SAID], ["fc_1", "msg_1"]),
        ([ASKED, CALLED, ANSWERED, SAID], ["fc_1", "msg_1"]),
    ],
)
def test_ids_of_items_go_with_the_reasoning_that_they_need(
    items: list[Any], ids: list[str], through: str | None
) -> None:
    """OpenAI refuses an item whose id tells it that reasoning belongs before it."""
    body: Any = {"model": "gpt-5", "input": items}
    held = lighter.convert(body, through, "openai-responses").value if through else body
    conversion = lighter.convert(held, "openai-responses", through or "openai-responses", reasoning="drop")
    assert [item["id"] for item in conversion.value["input"] if "id" in item] == ids
    assert len(conversion.value["input"]) == len(items) - (REASONED in items)
    told = [loss for loss in conversion.losses if loss.feature == "item-id" and loss.path.endswith("/id")]
    assert len(told) == sum("id" in item for item in items) - len(ids) - (REASONED in items)


@pytest.mark.parametrize(
    ("choice", "roles", "system", "losses"),
    [
        ("native", ["user", "assistant", "user", "system", "user"], "Be brief.", set()),
        ("user", ["user", "assistant", "user", "user", "user"], "Be brief.", set()),
        (
            "hoist",
            ["user", "assistant", "user", "user"],
            [{"type": "text", "text": "Be brief."}, {"type": "text", "text": "Answer in feet."}],
            {("/messages/4", "system-in-the-middle", "moved")},
        ),
    ],
)
def test_system_in_the_middle(choice: str, roles: list[str], system: Any, losses: set[tuple[str, str, str]]) -> None:
    """It keeps its role, becomes the user's, or joins the system prompt."""
    body, found = converted(system=choice)
    assert [message["role"] for message in body["messages"]] == roles
    assert body["system"] == system
    assert found == losses


def test_arguments_that_are_no_object_can_be_emptied() -> None:
    """The call stays, and what it was called with is named as lost."""
    body, losses = converted(arguments="empty")
    assert [call["input"] for call in blocks_of(body, "tool_use")] == [{}, {"pier": "south"}]
    assert losses == {("/messages/2/tool_calls/0/function/arguments", "arguments", "dropped")}


def test_a_call_with_broken_arguments_can_be_dropped_with_its_result() -> None:
    """Half of the pair would be refused."""
    body, losses = converted(arguments="drop")
    assert [call["id"] for call in blocks_of(body, "tool_use")] == ["b"]
    assert blocks_of(body, "tool_result") == []
    assert losses == {("/messages/2/tool_calls/0", "call", "dropped"), ("/messages/3", "result", "dropped")}


def test_chats_hold_any_arguments() -> None:
    """Where the target takes them as they are, there is nothing to decide."""
    assert lighter.convert(CHAT, "openai-chat", arguments="drop").value == CHAT


def test_missing_results_get_a_placeholder() -> None:
    """It stands behind the results of its turn, is an error, and makes the history acceptable."""
    body, losses = converted(missing_results="placeholder")
    results = blocks_of(body, "tool_result")
    assert [(result["tool_use_id"], result.get("is_error", False)) for result in results] == [("a", False), ("b", True)]
    assert losses == {("/messages/2/tool_calls/1", "missing-result", "synthesised")}
    assert lighter.convert(CHAT, "anthropic").refusals
    assert not lighter.convert(CHAT, "anthropic", missing_results="placeholder").refusals


def test_ids_can_be_numbered_anew() -> None:
    """A call and its result keep belonging together, and every change is named."""
    body, losses = converted(ids="rewrite")
    assert [call["id"] for call in blocks_of(body, "tool_use")] == ["call_1", "call_2"]
    assert [result["tool_use_id"] for result in blocks_of(body, "tool_result")] == ["call_1"]
    assert {path for path, _, _ in losses} == {
        "/messages/2/tool_calls/0/id",
        "/messages/2/tool_calls/1/id",
        "/messages/3/tool_call_id",
    }


def test_results_of_one_id_go_to_its_calls_in_order() -> None:
    """Two calls of a turn may share an id, as broken logs have it."""
    calls = [{"id": "a", "type": "function", "function": {"name": name, "arguments": "{}"}} for name in ("f", "g")]
    results = [{"role": "tool", "tool_call_id": "a", "content": text} for text in ("of f", "of g")]
    body = {"messages": [{"role": "assistant", "content": None, "tool_calls": calls}, *results]}
    written = lighter.convert(body, "openai-chat", ids="rewrite").value["messages"]
    assert [(result["tool_call_id"], result["content"]) for result in written[1:]] == [
        ("call_1", "of f"),
        ("call_2", "of g"),
    ]


def test_tools_can_be_dropped() -> None:
    """With them goes the choice among them."""
    body, losses = converted(tools="drop")
    assert body.keys() == {"system", "messages"}
    assert losses == {("/tools/0", "tool", "dropped"), ("/tool_choice", "tool-choice", "dropped")}


def test_conversations_built_by_hand_take_policies() -> None:
    """They have no places of their own."""
    built = lighter.Conversation(
        (lighter.UserMessage("q"), lighter.AssistantMessage("", tool_calls=(lighter.ToolCall("x", "f", "{}"),)))
    )
    conversion = lighter.convert(built, "openai-chat", missing_results="placeholder", ids="rewrite")
    assert conversion.value["messages"][2] == {
        "role": "tool",
        "tool_call_id": "call_1",
        "content": "No result: this tool call was not answered.",
    }


@pytest.mark.parametrize("bad", [{"ids": "shuffle"}, {"colour": "red"}])
def test_unknown_choices_are_refused(bad: dict[str, str]) -> None:
    """With the known ones named."""
    with pytest.raises(UnknownName):
        lighter.convert(CHAT, "anthropic", **bad)
    with pytest.raises(UnknownName, match="keep, rewrite"):
        Policies(ids="shuffle")
