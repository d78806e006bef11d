"""Which tool must be called, as old chats and those of today say it, in every format that can say it."""

from typing import Any

import pytest
from openai.types.chat import ChatCompletionAllowedToolChoiceParam
from openai.types.responses import ToolChoiceAllowedParam
from pydantic import TypeAdapter

from lighter import convert

FUNCTION: dict[str, Any] = {"name": "f", "parameters": {"type": "object", "properties": {}}}
NAMED: dict[str, Any] = {"type": "function", "function": {"name": "f"}}

WRITTEN: dict[str, dict[str, Any]] = {
    "anthropic": {"auto": {"type": "auto"}, "none": {"type": "none"}, "f": {"type": "tool", "name": "f"}},
    "openai-responses": {"auto": "auto", "none": "none", "f": {"type": "function", "name": "f"}},
    "gemini": {"auto": {"mode": "AUTO"}, "none": {"mode": "NONE"}, "f": {"mode": "ANY", "allowedFunctionNames": ["f"]}},
    "gemini-interactions": {"auto": "auto", "none": "none", "f": {"allowed_tools": {"mode": "any", "tools": ["f"]}}},
    "mistral": {"auto": "auto", "none": "none", "f": NAMED},
    "bedrock": {"auto": {"auto": {}}, "none": None, "f": {"tool": {"name": "f"}}},
    "cohere": {"auto": None, "none": "NONE", "f": "REQUIRED"},
    "ollama": {"auto": None, "none": None, "f": None},
}
PLACES: dict[str, tuple[str, ...]] = {
    "gemini": ("toolConfig", "functionCallingConfig"),
    "gemini-interactions": ("generation_config", "tool_choice"),
    "bedrock": ("toolConfig", "toolChoice"),
}


def at(value: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        value = (value or {}).get(key)
    return value


@pytest.mark.parametrize("is_old", [True, False])
@pytest.mark.parametrize("choice", ["auto", "none", "f"])
@pytest.mark.parametrize("target", WRITTEN)
def test_a_choice_is_written_or_named(target: str, choice: str, is_old: bool) -> None:
    """Old chats have `function_call` and `functions`; Cohere can only be told to call some tool, which is enough for one."""
    body: dict[str, Any] = {"messages": [{"role": "user", "content": "q"}]}
    if is_old:
        body |= {"functions": [FUNCTION], "function_call": {"name": "f"} if choice == "f" else choice}
    else:
        body |= {
            "tools": [{"type": "function", "function": FUNCTION}],
            "tool_choice": NAMED if choice == "f" else choice,
        }
    done = convert(body, target, "openai-chat")
    assert at(done.value, PLACES.get(target, ("tool_choice",))) == WRITTEN[target][choice]
    named = [loss.action for loss in done.losses if loss.path in ("/function_call", "/tool_choice")]
    if WRITTEN[target][choice] is None:
        assert named == ["dropped"]
    else:
        assert named == (["rewritten"] if is_old or (target, choice) == ("cohere", "f") else [])


def test_cohere_cannot_be_told_which_of_several_tools_to_call() -> None:
    tools = [{"type": "function", "function": FUNCTION | {"name": name}} for name in "fg"]
    done = convert({"messages": [{"role": "user", "content": "q"}], "tools": tools, "tool_choice": NAMED}, "cohere", "openai-chat")  # fmt: skip
    assert "tool_choice" not in done.value
    assert ("/tool_choice", "dropped") in {(loss.path, loss.action) for loss in done.losses}


LOST: dict[str, Any] = {"type": "web_search_20250305", "name": "web_search"}
"""A tool of Anthropic's, which no other format holds."""
OWN: dict[str, Any] = {"name": "f", "input_schema": {"type": "object", "properties": {}}}


@pytest.mark.parametrize(
    ("tools", "choice", "is_kept"),
    [
        ([LOST], {"type": "tool", "name": "web_search"}, False),
        ([LOST], {"type": "any"}, False),
        ([LOST], {"type": "auto", "disable_parallel_tool_use": True}, False),
        ([LOST, OWN], {"type": "tool", "name": "web_search"}, False),
        ([LOST, OWN], {"type": "tool", "name": "f"}, True),
        ([LOST, OWN], {"type": "any"}, True),
    ],
)
@pytest.mark.parametrize("target", ["openai-chat", "openai-responses", "gemini", "mistral", "bedrock"])
def test_a_choice_goes_with_the_tools_that_it_is_about(
    target: str, tools: list[Any], choice: dict[str, Any], is_kept: bool
) -> None:
    body = {"max_tokens": 5, "messages": [{"role": "user", "content": "q"}], "tools": tools, "tool_choice": choice}
    done = convert(body, target, "anthropic")
    keys = PLACES.get(target, ("tool_choice",))
    assert (at(done.value, keys) is not None) == is_kept
    assert is_kept or "parallel_tool_calls" not in done.value
    dropped = {loss.path for loss in done.losses if loss.action == "dropped"}
    assert "/tools/0" in dropped
    assert ("/tool_choice" in dropped) == (not is_kept)
    assert [loss.path for loss in done.losses].count("/tool_choice") <= 1


def test_the_older_word_of_mistral_is_named_where_the_usual_one_takes_its_place() -> None:
    tools = [{"type": "function", "function": FUNCTION}]
    body = {"messages": [{"role": "user", "content": "q"}], "tools": tools, "tool_choice": "any"}
    done = convert(body, "openai-chat", "mistral")
    assert done.value["tool_choice"] == "required"
    assert [(loss.action, loss.path) for loss in done.losses] == [("rewritten", "/tool_choice")]
    assert convert(convert(body, "lighter", "mistral").value, "mistral", "lighter").value == body


@pytest.mark.parametrize("choice", ["auto", "required", NAMED])
@pytest.mark.parametrize("tools", [[], None])
def test_a_choice_among_no_tools_does_not_go_to_gemini(tools: list[Any] | None, choice: Any) -> None:
    body = {"messages": [{"role": "user", "content": "q"}], "tools": tools, "tool_choice": choice}
    done = convert(body, "gemini", "openai-chat")
    assert "toolConfig" not in done.value
    assert [loss.action for loss in done.losses if loss.path == "/tool_choice"] == ["dropped"]


def test_that_no_tool_is_to_be_called_goes_to_gemini_without_tools() -> None:
    done = convert({"messages": [{"role": "user", "content": "q"}], "tools": [], "tool_choice": "none"}, "gemini")
    assert at(done.value, PLACES["gemini"]) == {"mode": "NONE"}


def test_a_choice_of_some_tools_is_of_the_types_of_both_of_openai_s_apis() -> None:
    allowed = {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [NAMED]}}
    body = {"messages": [{"role": "user", "content": "q"}], "tools": [{"type": "function", "function": FUNCTION}], "tool_choice": allowed}  # fmt: skip
    TypeAdapter(ChatCompletionAllowedToolChoiceParam).validate_python(allowed)
    done = convert(body, "openai-responses", "openai-chat")
    written = TypeAdapter(ToolChoiceAllowedParam).validate_python(done.value["tool_choice"])
    assert written["mode"] == "required"
    assert [*written["tools"]] == [{"type": "function", "name": "f"}]
    assert convert(done.value, "openai-chat", "openai-responses").value["tool_choice"] == allowed
