"""One fault has one finding: what nobody can read may have been a call or a result, and its other end is no second fault."""

import copy
from typing import Any

import pytest
from chat import calls, result, user

import lighter

SPEC = {"type": "object", "properties": {}}
CHAT: dict[str, Any] = {
    "messages": [
        user("Tide?"),
        calls("call_a1", "call_b2"),
        result("call_a1"),
        result("call_b2"),
        {"role": "assistant", "content": "2.1 m"},
        user("Thanks"),
    ],
}
HOLDERS = {"anthropic": ("messages", "content"), "bedrock": ("messages", "content"), "gemini": ("contents", "parts")}
"""Where a format has its messages, and where these have their blocks."""

TELLING = {
    "anthropic": ("type",),
    "bedrock": ("toolUse", "toolResult"),
    "gemini": ("functionCall", "functionResponse"),
}
"""The keys by which a call or a result is told."""

HELD = [(name, index, place) for name in HOLDERS for index in (1, 2) for place in (0, 1)]


def request(name: str) -> dict[str, Any]:
    return copy.deepcopy(lighter.convert(CHAT, name, format="openai-chat").value)


def names(value: Any, name: str) -> list[str]:
    found = lighter.lint(value, target=name, mode="log", format=name)
    return [item.name for item in found if item.severity != "info"]


@pytest.mark.parametrize("name", [*HOLDERS, "ollama", "openai-responses"])
def test_the_history_is_sound(name: str) -> None:
    assert names(request(name), name) == []


@pytest.mark.parametrize("change", ["null", "text", "nothing", "untold"])
@pytest.mark.parametrize(("name", "index", "place"), HELD)
def test_a_block_that_cannot_be_read_is_one_fault(name: str, index: int, place: int, change: str) -> None:
    body = request(name)
    messages, blocks = HOLDERS[name]
    held = body[messages][index][blocks]
    match change:
        case "null":
            held[place] = None
        case "text":
            held[place] = "tool"
        case "nothing":
            held[place] = {}
        case _:
            key = next(key for key in TELLING[name] if key in held[place])
            held[place][key] = None
    found = names(body, name)
    # That something else than a result stands first is another matter.
    assert len([one for one in found if one != "tool-result-not-first"]) == 1, found


@pytest.mark.parametrize("index", [1, 2])
@pytest.mark.parametrize("name", HOLDERS)
def test_content_that_is_missing_is_one_fault(name: str, index: int) -> None:
    body = request(name)
    messages, blocks = HOLDERS[name]
    body[messages][index][blocks] = None
    assert len(names(body, name)) == 1


@pytest.mark.parametrize("role", [None, "", 7, "robot"])
@pytest.mark.parametrize("index", [1, 2, 3])
def test_a_message_of_ollama_s_that_has_no_role_is_one_fault(index: int, role: Any) -> None:
    body = request("ollama")
    body["messages"][index]["role"] = role
    assert names(body, "ollama") in (["missing-role"], ["unknown-role"])


@pytest.mark.parametrize("index", [1, 2, 3, 4])
def test_an_item_without_a_type_is_one_fault(index: int) -> None:
    body = request("openai-responses")
    del body["input"][index]["type"]
    assert names(body, "openai-responses") == ["missing-role"]


@pytest.mark.parametrize("index", [1, 2])
def test_roles_follow_each_other_because_a_turn_is_gone(index: int) -> None:
    body = request("bedrock")
    del body["messages"][index]
    expected = {1: "orphan-tool-result", 2: "missing-tool-result"}[index]
    assert set(names(body, "bedrock")) == {expected}


def test_a_tool_whose_name_cannot_be_told_may_be_the_one_that_is_called() -> None:
    tools = [{"type": "function", "function": {"parameters": SPEC}}]
    assert names({**CHAT, "tools": tools}, "openai-chat") == ["tool-definition-shape"]


def test_a_name_that_no_tool_can_have_is_told_once() -> None:
    body = {
        "messages": [user(), calls("call_a1"), result("call_a1"), user()],
        "tools": [{"type": "function", "function": {"name": "read_tide", "parameters": SPEC}}],
    }
    body["messages"][1]["tool_calls"][0]["function"]["name"] = "read tide!"
    assert names(body, "openai-chat") == ["tool-name-format"]


def changed(body: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Put another value at a place; MISSING takes what is there away."""
    *above, last = path.split("/")
    holder: Any = body
    for key in above:
        holder = holder[int(key) if isinstance(holder, list) else key]
    if value is MISSING:
        del holder[int(last) if isinstance(holder, list) else last]
    else:
        holder[int(last) if isinstance(holder, list) else last] = value
    return body


MISSING = object()
EMPTY: tuple[Any, ...] = ([], "")
BLOCK = "messages/1/content"
AFTER = "messages/2/content"
TOOLS = [{"type": "function", "function": {"name": "f", "parameters": SPEC}}]
CAUSES: list[tuple[str, str, Any, str]] = [
    # A message that was emptied held the calls, or their results.
    *(("anthropic", place, empty, "empty-message") for place in (BLOCK, AFTER) for empty in EMPTY),
    *(("bedrock", place, [], "empty-message") for place in (BLOCK, AFTER)),
    *(("bedrock", place, '[{"toolUse": {}}]', "content-wrong-type") for place in (BLOCK, AFTER)),
    *(("gemini", f"contents/{index}/parts", [], "empty-message") for index in (1, 2)),
    ("openai-chat", "messages/1/tool_calls", [], "empty-tool-calls"),
    ("openai-chat", "messages/1", {"role": "assistant", "content": None}, "null-content"),
    *(("openai-chat", f"messages/{index}", {}, "missing-role") for index in (1, 2, 3)),
    *(("openai-responses", f"input/{index}", {}, "missing-role") for index in (1, 2, 3, 4)),
    ("mistral", "messages/1/tool_calls", {}, "malformed-tool-call"),
    # A block of which nobody knows what it is was one of them.
    *(("anthropic", f"{place}/{at}/type", "tool", "content-part-type") for place in (BLOCK, AFTER) for at in (0, 1)),
    *(("bedrock", f"{AFTER}/{at}", {}, "empty-part") for at in (0, 1)),
    ("bedrock", f"{AFTER}/0/toolResult", {}, "missing-tool-id"),
    # A role is wrong for all that its message holds.
    ("gemini", "contents/1/role", MISSING, "tool-block-wrong-role"),
    # A name that is refused: in the definition, and in a call whose result keeps the old one.
    *(("anthropic", "tools/0/name", name, "tool-definition-shape") for name in ("read tide!", "x" * 300)),
    *(("openai-chat", "tools/0/function/name", name, "tool-definition-shape") for name in ("read tide!", "x" * 300)),
    ("gemini", "contents/1/parts/0/functionCall/name", "read tide!", "tool-name-format"),
]
"""What becomes of a value in a sound request, and the one rule that tells it."""


@pytest.mark.parametrize(("name", "path", "value", "rule"), CAUSES)
def test_a_cause_is_told_without_its_consequences(name: str, path: str, value: Any, rule: str) -> None:
    chat = {**CHAT, "tools": TOOLS}
    body = copy.deepcopy(lighter.convert(chat, name, format="openai-chat").value)
    assert names(body, name) == []
    assert names(changed(body, path, value), name) == [rule]


@pytest.mark.parametrize("rule", ["empty-message", "content-part-type"])
def test_who_does_not_ask_about_a_cause_hears_what_follows_from_it(rule: str) -> None:
    value = [] if rule == "empty-message" else [{"type": "tool"}, {"type": "tool"}]
    body = changed(request("anthropic"), BLOCK, value)
    found = lighter.lint(body, target="anthropic", mode="log", format="anthropic", ignore=[rule])
    assert [item.name for item in found] == ["orphan-tool-result"] * 2


def test_a_name_that_is_refused_is_told_where_it_is_defined() -> None:
    body = changed(request("anthropic"), f"{BLOCK}/0/name", "read.tide")
    body["tools"] = [{"name": "read.tide", "input_schema": SPEC}, {"name": "get_tide", "input_schema": SPEC}]
    found = lighter.lint(body, target="anthropic", mode="log", format="anthropic")
    assert [item.path for item in found] == ["/tools/0/name"]


@pytest.mark.parametrize(
    ("name", "moved", "rule"),
    [
        ("gemini", [1, 0, 2, 3, 4], "interleaved-message"),
        ("bedrock", [1, 0, 2, 3, 4], "interleaved-message"),
        ("bedrock", [0, 1, 3, 2, 4], "interleaved-message"),
        ("gemini", [0, 1, 1, 2, 3, 4], "duplicate-tool-call-id"),
    ],
)
def test_turns_that_are_swapped_or_doubled_are_told_as_that_alone(name: str, moved: list[int], rule: str) -> None:
    body = request(name)
    key = "contents" if name == "gemini" else "messages"
    body[key] = [copy.deepcopy(body[key][index]) for index in moved]
    assert set(names(body, name)) == {rule}


@pytest.mark.parametrize("call_id", [7, "x" * 300, "robot x!"])
def test_an_id_that_is_not_the_call_s_is_told_of_the_call_and_of_the_result_alone(call_id: Any) -> None:
    for path in (f"{BLOCK}/0/id", f"{AFTER}/0/tool_use_id"):
        found = names(changed(request("anthropic"), path, call_id), "anthropic")
        assert sorted(found) == ["missing-tool-result", "orphan-tool-result"]


def test_faults_beside_each_other_are_told_each() -> None:
    body = changed(request("anthropic"), f"{AFTER}/0/tool_use_id", "toolu_9")
    body["messages"][3]["content"] = []
    assert sorted(names(body, "anthropic")) == ["empty-message", "missing-tool-result", "orphan-tool-result"]


def test_one_block_that_nobody_knows_stands_for_one_call() -> None:
    body = changed(request("anthropic"), f"{BLOCK}/0/type", "tool")
    body["messages"][1]["content"].pop()
    assert sorted(names(body, "anthropic")) == ["content-part-type", "orphan-tool-result"]


def test_plain_text_of_the_wrong_type_held_no_result() -> None:
    body = changed(request("bedrock"), AFTER, "Thanks")
    assert sorted(names(body, "bedrock")) == ["content-wrong-type", "missing-tool-result", "missing-tool-result"]


@pytest.mark.parametrize("target", ["anthropic", "gemini", "bedrock"])
def test_an_empty_message_is_told_where_no_other_is_left_for_a_target(target: str) -> None:
    found = lighter.lint([{"role": "system", "content": "Be brief."}, {"role": "user", "content": ""}], target=target)
    assert [(item.name, item.path) for item in found] == [("empty-message", "/1")]


def test_a_blank_message_is_told_where_the_one_behind_it_cannot_come_first() -> None:
    said = [
        {"role": "user", "content": "  "},
        {"role": "assistant", "content": "Tide?"},
        {"role": "user", "content": "Yes."},
    ]
    assert [(item.name, item.path) for item in lighter.lint(said, target="bedrock")] == [("empty-message", "/0")]


def test_what_is_no_block_takes_no_cache_mark_from_a_blank_one() -> None:
    blocks = [
        None,
        {"type": "text", "text": "", "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": "Tide?"},
    ]
    body = {"messages": [{"role": "user", "content": blocks}], "max_tokens": 64}
    assert sorted(names(body, "anthropic")) == ["content-part-type", "empty-text-block"]


OUTPUT = {"type": "function_call_output", "call_id": "call_1", "output": "2.1 m"}
NO_CALLS: list[dict[str, Any]] = [
    {"content": "Tide?"},
    {"role": "assistant", "content": [{"type": "input_text", "text": "Tide?"}]},
    {"role": "user", "content": 7},
]
"""Items of Responses with a fault of their own which can have been no call."""


@pytest.mark.parametrize("item", NO_CALLS)
def test_a_faulty_message_among_items_hides_no_lost_call(item: dict[str, Any]) -> None:
    body = {"input": [{"role": "user", "content": "Tide?"}, item, OUTPUT, {"role": "user", "content": "Well?"}]}
    found = lighter.lint(body, target="openai-responses", format="openai-responses", mode="log")
    assert len(found) == 2
    assert "orphan-tool-result" in [one.name for one in found]
