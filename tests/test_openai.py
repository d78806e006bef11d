"""The two APIs of OpenAI: custom tools go over and come back, models of other providers do not arrive."""

from typing import Any

import pytest
from chat import USER

from lighter import convert

CHAT, RESPONSES = "openai-chat", "openai-responses"
TEXT: dict[str, Any] = {"type": "text"}
NESTED = {"type": "grammar", "grammar": {"definition": "start: /x/", "syntax": "lark"}}
FLAT = {"type": "grammar", "definition": "start: /x/", "syntax": "lark"}
FORMS: list[tuple[dict[str, Any], dict[str, Any]]] = [({}, {}), ({"format": TEXT}, {"format": TEXT}), ({"format": NESTED}, {"format": FLAT})]  # fmt: skip


def chat(**custom: Any) -> dict[str, Any]:
    return {"messages": [USER], "tools": [{"type": "custom", "custom": {"name": "run", **custom}}]}


def request(**custom: Any) -> dict[str, Any]:
    return {"input": [USER], "tools": [{"type": "custom", "name": "run", **custom}]}


@pytest.mark.parametrize(("nested", "flat"), FORMS, ids=str)
def test_custom_tools_go_over_and_come_back(nested: dict[str, Any], flat: dict[str, Any]) -> None:
    there = convert(chat(description="d", **nested), RESPONSES, CHAT)
    assert (there.value, there.losses) == (request(description="d", **flat), ())
    back = convert(there.value, CHAT, RESPONSES)
    assert (back.value, back.losses) == (chat(description="d", **nested), ())


UNHELD = [
    (request(defer_loading=True), RESPONSES, CHAT, ["/tools/0/defer_loading"]),
    (request(format={**FLAT, "more": 1}), RESPONSES, CHAT, ["/tools/0/format"]),
    (request(format=NESTED), RESPONSES, CHAT, ["/tools/0/format"]),
    (request(description=1), RESPONSES, CHAT, ["/tools/0/description"]),
    (chat(format=FLAT, strict=True), CHAT, RESPONSES, ["/tools/0/custom/format", "/tools/0/custom/strict"]),
    ({"messages": [USER], "tools": [{"type": "custom", "custom": {"name": "run"}, "more": 1}]}, CHAT, RESPONSES, ["/tools/0/more"]),
    (request(), RESPONSES, "anthropic", ["/tools/0"]),
]  # fmt: skip


@pytest.mark.parametrize(("value", "source", "to", "paths"), UNHELD)
def test_what_the_other_api_does_not_know_of_a_custom_tool_is_named(
    value: dict[str, Any], source: str, to: str, paths: list[str]
) -> None:
    done = convert(value, to, source)
    assert [(loss.action, loss.path) for loss in done.losses] == [("dropped", path) for path in paths]
    assert len(done.value.get("tools", [])) == (0 if to == "anthropic" else 1)


ELSEWHERE = ["claude-opus-4-8", "gemini-3-pro", "models/g", "command-r", "mistral-large-latest", "magistral-medium-2509",
             "us.anthropic.claude-opus-4-8-v1:0", "deepseek.r1-v1:0", "arn:aws:bedrock:us-east-1:1:inference-profile/x"]  # fmt: skip
ANYBODY = ["gpt-5", "deepseek-chat", "mistralai/Mistral-7B-Instruct", "llama3:8b", "my-model", "qwen3.5-plus"]


@pytest.mark.parametrize("to", [CHAT, RESPONSES])
@pytest.mark.parametrize("model", [*ELSEWHERE, *ANYBODY])
def test_models_of_other_providers_do_not_arrive(model: str, to: str) -> None:
    done = convert({"model": model, "messages": [USER]}, to, "ollama")
    told = [(loss.action, loss.path) for loss in done.losses]
    expected = (None, [("dropped", "/model")]) if model in ELSEWHERE else (model, [])
    assert (done.value.get("model"), told) == expected


@pytest.mark.parametrize("name", [CHAT, RESPONSES])
def test_a_request_of_its_own_keeps_its_model(name: str) -> None:
    value = {"model": "gemini-3-pro", ("messages" if name == CHAT else "input"): [USER]}
    assert convert(value, name, name).value == value


def test_an_id_that_a_later_turn_uses_again_becomes_another() -> None:
    turn = [
        {"role": "assistant", "content": None, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "a", "content": "x"},
        USER,
    ]  # fmt: skip
    done = convert({"messages": [USER, *turn, *turn]}, RESPONSES, CHAT)
    ids = [item["call_id"] for item in done.value["input"] if "call_id" in item]
    assert ids[0] == ids[1] == "a"
    assert ids[2] == ids[3] != "a"
    assert [(loss.action, loss.path, loss.is_reversible) for loss in done.losses] == [
        ("rewritten", "/messages/4/tool_calls/0/id", True),
        ("rewritten", "/messages/5/tool_call_id", True),
    ]
    assert done.refusals == ()


LIMITS = [("max_completion_tokens", []), ("max_tokens", ["/max_tokens"])]


@pytest.mark.parametrize(("limit", "named"), LIMITS)
def test_a_limit_of_responses_is_the_one_that_models_that_reason_take(limit: str, named: list[str]) -> None:
    there = convert({"model": "gpt-5", "messages": [USER], limit: 5}, "openai-responses")
    assert there.value["max_output_tokens"] == 5
    assert [loss.path for loss in there.losses] == named
    back = convert(there.value, "openai-chat", "openai-responses")
    assert back.value == {"model": "gpt-5", "messages": [USER], "max_completion_tokens": 5}
    assert back.losses == ()


ALLOWED = {
    "openai-chat": {
        "type": "allowed_tools",
        "allowed_tools": {"mode": "required", "tools": [{"type": "function", "function": {"name": "f"}}]},
    },
    "openai-responses": {"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "f"}]},
}


def test_a_choice_of_some_tools_goes_over_and_comes_back() -> None:
    tool = {
        "type": "function",
        "function": {"name": "f", "parameters": {"type": "object", "properties": {}}, "strict": False},
    }
    chat = {"messages": [USER], "tools": [tool], "tool_choice": ALLOWED["openai-chat"]}
    there = convert(chat, "openai-responses", "openai-chat")
    assert (there.value["tool_choice"], there.losses) == (ALLOWED["openai-responses"], ())
    assert convert(there.value, "openai-chat", "openai-responses").value == chat


PLACED: dict[str, tuple[dict[str, Any], list[str]]] = {
    "google": ({"extra_content": {"google": {"thought_signature": "U0lH"}}}, []),
    "litellm": ({"provider_specific_fields": {"thought_signature": "U0lH"}}, []),
    "beside others": ({"provider_specific_fields": {"thought_signature": "U0lH", "x": 1}}, ["/provider_specific_fields/x"]),
    "inside": ({"function": {"name": "f", "arguments": "{}", "provider_specific_fields": {"thought_signature": "U0lH"}}}, []),
    "twice": (
        {"extra_content": {"google": {"thought_signature": "U0lH"}}, "provider_specific_fields": {"thought_signature": "U0lH"}},
        [],
    ),
    "differing": (
        {"extra_content": {"google": {"thought_signature": "U0lH"}}, "provider_specific_fields": {"thought_signature": "b"}},
        ["/provider_specific_fields"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PLACED)
def test_the_signature_that_a_gateway_put_on_a_call_goes_to_gemini_and_comes_home(name: str) -> None:
    more, lost = PLACED[name]
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}} | more
    chat = {"messages": [USER, {"role": "assistant", "content": None, "tool_calls": [call]}]}
    there = convert(chat, "gemini", "openai-chat")
    assert there.value["contents"][1]["parts"][0]["thoughtSignature"] == "U0lH"
    assert [loss.path for loss in there.losses] == [f"/messages/1/tool_calls/0{path}" for path in lost]
    assert convert(convert(chat, "lighter", "openai-chat").value, "openai-chat", "lighter").value == chat


@pytest.mark.parametrize("said", [{"content": None}, {"content": ""}, {}], ids=["null", "empty", "absent"])
@pytest.mark.parametrize("beside", [{}, {"name": "ada"}, {"refusal": None}], ids="".join)
def test_an_answer_that_says_nothing_comes_home_as_it_was_spelled(said: dict[str, Any], beside: dict[str, Any]) -> None:
    chat = {"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", **said, **beside}]}
    there = convert(chat, "lighter", "openai-chat")
    back = convert(there.value, "openai-chat", "lighter")
    assert (back.value, there.losses, back.losses) == (chat, (), ())
