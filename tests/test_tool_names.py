"""Names of tools that a provider refuses: rewritten alike in definitions, calls, results and choices, and told at each place."""

import re
from typing import Any

import pytest

from lighter import convert
from lighter.formats import names
from lighter.providers import TARGETS

LIMITED = [name for name in names() if name in TARGETS and TARGETS[name].tool_name_pattern]
FREE = [name for name in names() if name in TARGETS and name not in LIMITED]
BAD = ["my.tool/name", "тool", "9" * 300, " ", "a b", "-", "fetch:v2!"]


def talk(*called: str, choice: Any = None) -> dict[str, Any]:
    calls = [{"type": "tool_use", "id": f"c{n}", "name": name, "input": {}} for n, name in enumerate(called)]
    results = [{"type": "tool_result", "tool_use_id": f"c{n}", "content": "o"} for n in range(len(called))]
    tools = [{"name": name, "input_schema": {"type": "object", "properties": {}}} for name in called]
    messages = [{"role": "user", "content": "q"}, {"role": "assistant", "content": calls}, {"role": "user", "content": results}]  # fmt: skip
    return {"messages": messages, "tools": tools, "tool_choice": choice or {"type": "tool", "name": called[0]}}


def found(value: Any, key: str = "") -> set[str]:
    """Give all texts that a written request has for names."""
    if isinstance(value, dict):
        return set().union(*(found(item, name) for name, item in value.items()))
    if isinstance(value, list):
        return set().union(*(found(item, key) for item in value))
    return {value} if key in ("name", "allowedFunctionNames") and isinstance(value, str) else set()


@pytest.mark.parametrize("target", [name for name in LIMITED if name != "anthropic"])
@pytest.mark.parametrize("name", BAD)
def test_a_name_is_rewritten_wherever_it_stands(name: str, target: str) -> None:
    done = convert(talk(name, "fine"), target, "anthropic")
    limits = TARGETS[target]
    written = found(done.value) - {"fine"}
    assert all(re.fullmatch(limits.tool_name_pattern or "", new, re.ASCII) for new in written)
    assert (len(written), done.refusals) == (1, ())
    assert {loss.path for loss in done.losses if loss.feature == "tool-name"} == (
        set() if written == {name} else {"/messages/1/content/0/name", "/tools/0/name", "/tool_choice"}
    )


@pytest.mark.parametrize("target", FREE)
def test_a_provider_without_known_limits_gets_names_as_they_are(target: str) -> None:
    done = convert(talk("my.tool/name"), target, "anthropic")
    assert "my.tool/name" in found(done.value) | {"my.tool/name" if target == "lighter" else ""}
    assert not [loss for loss in done.losses if loss.feature == "tool-name"]


@pytest.mark.parametrize("target", [name for name in LIMITED if name != "anthropic"])
def test_different_names_stay_different(target: str) -> None:
    """Also where their legal characters are the same, and one is what another would become."""
    (made,) = found(convert(talk("a/b"), target, "anthropic").value)
    called = ["a.b", "a/b", "a b", made]
    assert len(found(convert(talk(*called), target, "anthropic").value)) == len(called)


def test_a_name_may_be_longer_where_it_is_not_declared() -> None:
    """Anthropic takes 200 characters in a history, and 128 of a tool that a request declares."""
    name = "r" * 150
    function = {"name": name, "arguments": "{}"}
    messages = [{"role": "user", "content": "q"}, {"role": "assistant", "content": None, "tool_calls": [{"id": "a", "type": "function", "function": function}]},
                {"role": "tool", "tool_call_id": "a", "content": "o"}]  # fmt: skip
    assert found(convert({"messages": messages}, "anthropic", "openai-chat").value) == {name}
    tools = [{"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": {}}}}]
    (declared,) = found(convert({"messages": messages, "tools": tools}, "anthropic", "openai-chat").value)
    assert len(declared) == 128


def test_what_a_result_calls_its_tool_is_told_where_it_does() -> None:
    part = {"functionResponse": {"name": "a.b", "id": "x", "response": {"result": "o"}}}
    call = {"functionCall": {"name": "a.b", "id": "x", "args": {}}}
    contents = [{"role": "user", "parts": [{"text": "q"}]}, {"role": "model", "parts": [call]}, {"role": "user", "parts": [part]}]  # fmt: skip
    told = [
        loss.path for loss in convert({"contents": contents}, "mistral", "gemini").losses if loss.feature == "tool-name"
    ]
    assert told == ["/contents/1/parts/0/functionCall/name", "/contents/2/parts/0/functionResponse/name"]
