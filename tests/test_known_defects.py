"""Defects that other converters were seen to have, and the right answer to each.

Measured with litellm and langchain-core on the same conversations; here each is a test of lighter's own.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from lighter import Conversion, convert, jsontext

CASES = {
    case["id"]: case
    for case in map(json.loads, (Path(__file__).parent / "conversion_cases.jsonl").read_text("utf-8").splitlines())
}
SOURCES = {"openai": "openai-chat", "openai_responses": "openai-responses"}
KEYS = {"openai_responses": "input", "gemini": "contents"}
OBJECT_TARGETS = ("anthropic", "bedrock", "gemini", "ollama")


def converted(name: str, target: str, **policies: str) -> Conversion:
    """Convert a conversation of the collection."""
    case = CASES[name]
    body = {**case.get("env", {}), KEYS.get(case["format"], "messages"): case["messages"]}
    return convert(body, target, SOURCES.get(case["format"], case["format"]), **policies)


def text_of(value: Any) -> str:
    return jsontext.encode_text(value)


def find(value: Any, key: str) -> list[Any]:
    """Give all values under a key, in order."""
    if isinstance(value, dict):
        here = [value[key]] if key in value else []
        return here + [found for item in value.values() for found in find(item, key)]
    return [found for item in value for found in find(item, key)] if isinstance(value, list) else []


def chat(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": "q"}, *messages]}


def calling(*calls: tuple[str, str, str]) -> dict[str, Any]:
    made = [{"id": one, "type": "function", "function": {"name": name, "arguments": text}} for one, name, text in calls]
    return {"role": "assistant", "content": None, "tool_calls": made}


def result(call_id: str, text: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": text}


REUSED = chat(
    calling(("c", "f", '{"n":1}')), result("c", "first"), {"role": "user", "content": "again"},
    calling(("c", "f", '{"n":2}')), result("c", "second"), {"role": "user", "content": "so?"},
)  # fmt: skip


@pytest.mark.parametrize(
    "target", ["gemini", "anthropic", "bedrock", "mistral", "cohere", "ollama", "openai-responses", "lighter"]
)
def test_a_reused_id_keeps_each_result_with_its_own_call(target: str) -> None:
    """Langchain gave the second call the first call's output."""
    written = text_of(convert(REUSED, target).value)
    assert written.count("first") == written.count("second") == 1
    places = [written.index(text) for text in ("first", "again", "second")]
    assert places == sorted(places)


@pytest.mark.parametrize("target", ["gemini", "anthropic", "bedrock", "ollama"])
def test_equal_parallel_calls_are_not_collapsed(target: str) -> None:
    """Litellm made one call of three, beside three results: refused by Gemini."""
    body = chat(
        calling(*((f"c{n}", "f", '{"x":1}') for n in range(3))),
        *(result(f"c{n}", f"OUT{n}") for n in range(3)),
        {"role": "user", "content": "so?"},
    )
    written = text_of(convert(body, target).value)
    assert written.count('{"x":1}') == 3
    assert [written.count(f"OUT{n}") for n in range(3)] == [1, 1, 1]


def test_gemini_calls_without_ids_get_ids_of_their_own() -> None:
    """Litellm made the id of the name, so that parallel calls shared one."""
    messages = converted("t08_gemini_parallel_noid", "openai-chat").value["messages"]
    for message in messages:
        ids = [call["id"] for call in message.get("tool_calls", ())]
        assert len(set(ids)) == len(ids)
    assert {call["id"] for message in messages for call in message.get("tool_calls", ())} >= {
        message["tool_call_id"] for message in messages if message["role"] == "tool"
    }


@pytest.mark.parametrize("target", ["openai-chat", "anthropic", "openai-responses"])
def test_thoughts_are_not_glued_into_the_answer(target: str) -> None:
    """Litellm put Gemini's thought text into the visible content."""
    written = converted("t08_gemini_parallel_noid", target)
    thoughts = [loss for loss in written.losses if loss.feature in ("reasoning", "signature")]
    assert not any(
        "THINK" in str(text)
        for text in find(written.value, "text") + find(written.value, "content")
        if isinstance(text, str)
    )
    assert thoughts or "THINK" in text_of(written.value)


@pytest.mark.parametrize("target", OBJECT_TARGETS)
def test_cut_off_arguments_do_not_become_an_empty_object(target: str) -> None:
    """Litellm wrote {} without a word."""
    done = converted("t04c_invalid_json_args", target)
    assert "_raw" in text_of(done.value)
    assert any(loss.feature == "arguments" and loss.action == "rewritten" for loss in done.losses)


@pytest.mark.parametrize("target", ["anthropic", "bedrock", "openai-responses", "ollama", "mistral"])
def test_legacy_calls_stay_paired_and_reproducible(target: str) -> None:
    """Litellm gave call and result different random ids, or raised, or dropped the calls."""
    one, two = converted("t05_legacy_and_mid_system", target), converted("t05_legacy_and_mid_system", target)
    assert jsontext.encode(one.value) == jsontext.encode(two.value)
    assert not [found for found in one.refusals if found.name in ("orphan-tool-result", "missing-tool-result")]


@pytest.mark.parametrize("target", ["anthropic", "bedrock", "gemini", "mistral", "cohere", "ollama"])
def test_custom_calls_are_kept_with_their_results(target: str) -> None:
    """Litellm dropped the call and kept its result, raised, or wrote `function: null`."""
    done = converted("t04e_custom_tool_only", target)
    assert any(loss.feature == "custom-call" for loss in done.losses)
    assert not [found for found in done.refusals if found.name == "orphan-tool-result"]


@pytest.mark.parametrize("name", ["t01_interleaved_parallel", "t13_image_result_simple"])
def test_text_beside_results_follows_them_in_a_chat(name: str) -> None:
    """Langchain wrote it before the tool messages, which a chat refuses."""
    roles = [message["role"] for message in converted(name, "openai-chat").value["messages"]]
    last = max(n for n, role in enumerate(roles) if role == "assistant" and "tool" in roles[n:])
    results = roles[last + 1 :]
    assert results[: results.count("tool")] == ["tool"] * results.count("tool")


def test_tool_blocks_of_anthropic_reach_responses() -> None:
    """In langchain they silently disappeared."""
    items = converted("t01_interleaved_parallel", "openai-responses").value["input"]
    kinds = [item.get("type") for item in items]
    assert kinds.count("function_call") == kinds.count("function_call_output") == 3


def test_interleaved_texts_keep_apart_and_are_named_where_they_move() -> None:
    """Litellm joined them without a separator."""
    done = converted("t01_interleaved_parallel", "openai-chat")
    assert "Paris.TXT_B" not in text_of(done.value)
    assert any(loss.feature == "interleaving" and loss.action == "moved" for loss in done.losses)


@pytest.mark.parametrize("target", OBJECT_TARGETS)
def test_numbers_keep_their_literals(target: str) -> None:
    """`1e3` became `1000.0`."""
    body = chat(
        calling(("c", "f", '{"a":1e3,"b":1.10,"c":123456789012345678901234567890}')),
        result("c", "ok"),
        {"role": "user", "content": "so?"},
    )
    assert '{"a":1e3,"b":1.10,"c":123456789012345678901234567890}' in text_of(convert(body, target).value)


@pytest.mark.parametrize("target", ["openai-chat", "mistral", "cohere", "ollama"])
def test_error_flags_are_kept_or_named(target: str) -> None:
    """Dropped silently by both."""
    done = converted("t01_interleaved_parallel", target)
    assert any(loss.feature == "is-error" and loss.action == "dropped" for loss in done.losses)


@pytest.mark.parametrize("target", ["bedrock", "gemini"])
def test_error_flags_reach_those_who_hold_them(target: str) -> None:
    """Litellm dropped them on the way to both."""
    written = text_of(converted("t01_interleaved_parallel", target).value)
    assert '"status":"error"' in written or '"error":' in written


PROBES = [
    (name, target)
    for name in ("t03_media_in_results", "t04_openai_odd", "t07_responses_items")
    for target in ("openai-chat", "anthropic", "bedrock", "gemini", "mistral")
]


@pytest.mark.parametrize(("name", "target"), PROBES)
def test_what_the_target_cannot_hold_is_named(name: str, target: str) -> None:
    """Documents, citations, refusals, names, search results, encrypted reasoning: gone without a word elsewhere."""
    done = converted(name, target)
    written, case = text_of(done.value), CASES[name]
    for probe in case["probes"]:
        if probe.startswith("@") or probe in written:
            continue
        places = _places(case["messages"], probe)
        root = KEYS.get(case["format"], "messages")
        assert all(any(f"/{root}{path}/".startswith(f"{loss.path}/") for loss in done.losses) for path in places), probe


def _places(value: Any, probe: str, path: str = "") -> list[str]:
    match value:
        case dict():
            return [found for key, item in value.items() for found in _places(item, probe, path + jsontext.step(key))]
        case list():
            return [found for n, item in enumerate(value) for found in _places(item, probe, f"{path}/{n}")]
        case str() if probe in value:
            return [path]
        case _:
            return []


def test_media_of_results_do_not_stay_where_a_chat_ignores_them() -> None:
    """Images stayed in `role: tool`, and a PDF became an image."""
    messages = converted("t03_media_in_results", "openai-chat").value["messages"]
    assert all(
        isinstance(m["content"], str) or {part["type"] for part in m["content"]} == {"text"}
        for m in messages
        if m["role"] == "tool"
    )
    assert "data:application/pdf" not in text_of(find(messages, "image_url"))


@pytest.mark.parametrize(
    "target", ["anthropic", "bedrock", "gemini", "mistral", "cohere", "ollama", "openai-responses"]
)
@pytest.mark.parametrize(
    "name", ["t04b_empty_args", "t04c_invalid_json_args", "t04d_non_object_args", "t04e_custom_tool_only"]
)
def test_legal_input_raises_nothing(name: str, target: str) -> None:
    """Empty, broken and non-object arguments and custom calls raised in both."""
    assert converted(name, target).value


@pytest.mark.parametrize(
    "message",
    [
        {
            "role": "assistant",
            "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
        },
        {"role": "assistant"},
    ],
)
def test_a_missing_content_is_no_error(message: dict[str, Any]) -> None:
    """Langchain raised a ValueError."""
    assert convert(chat(message), "anthropic").value["messages"]


def test_a_result_without_content_is_no_error() -> None:
    """Langchain raised a KeyError."""
    call = {"type": "tool_use", "id": "c", "name": "f", "input": {}}
    body = {
        "messages": [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": [call]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c"}]},
        ]
    }
    assert convert(body, "openai-chat", "anthropic").value["messages"][2] == {
        "role": "tool",
        "tool_call_id": "c",
        "content": "",
    }


def test_no_text_is_invented_for_blank_turns_and_system_messages() -> None:
    """Litellm wrote `[System: Empty message content …]` and `Operator note (not from the user)`."""
    body = chat(
        {"role": "assistant", "content": "a"},
        {"role": "user", "content": " "},
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "q2"},
    )
    done = convert(body, "anthropic")
    texts = [text for text in find(done.value["messages"], "content") if isinstance(text, str)]
    assert set(texts) <= {"q", "a", "Be brief.", "q2"}
    assert done.value.keys() == {"messages"}
