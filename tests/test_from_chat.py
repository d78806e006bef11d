"""The short way from chats to Anthropic gives what the long way gives, and is taken where it should be."""

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lighter.conversion import Converted, ConvertOptions, convert_stream
from lighter.formats import anthropic
from lighter.formats.anthropic.from_chat import shortcut

SAMPLES = Path(__file__).parents[1] / "sample_conversations" / "good" / "openai-chat"

TEXTS = st.sampled_from(["hello", "Grüße, 你好 🙂", 'a "quoted" word', "back\\slash", "tab\tand\nline", "nul\0", "trailing \n", " ",
                         "", "\u2028", "\x7f", "-0 and 1.10", "\\u0022"])  # fmt: skip
ARGUMENTS = st.one_of(
    st.sampled_from(['{"city":"Oslo"}', '{"city": "Oslo", "days": 3}', "{}", '{"x":1.10}', '{"x":-0}', '{"x":1e400}', '{"a":1,"a":2}',
                     '{"n":9007199254740993}', '{"x":"v2.5"}', "[1]", "", "{", '{"a":{"b":[1,2.0,"c"]}}', '{"\\u0022":1}', '{"s":"\\u0022"}']),
    st.dictionaries(st.sampled_from(["city", "days", "x"]), st.integers() | st.floats(allow_nan=False) | TEXTS, max_size=2).map(json.dumps),
)  # fmt: skip
IDS = st.sampled_from(["call_1", "call_2", "call_3", "c" * 41, "c" * 65, "id with space", ""])
TOOLS = [
    {"type": "function", "function": {"name": "weather", "description": "d", "parameters": parameters}}
    for parameters in (
        {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        {"type": "object", "properties": {"x": {"type": "number", "minimum": 1.5}}},
        {"type": "object", "properties": {}},
    )
]


@st.composite
def chats(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a chat that is ordinary, or nearly."""
    messages: list[dict[str, Any]] = []
    if draw(st.booleans()):
        messages.append({"role": draw(st.sampled_from(["system", "system", "developer"])), "content": draw(TEXTS)})
    for _ in range(draw(st.integers(0, 4))):
        match draw(st.integers(0, 5)):
            case 0 | 1:
                messages.append({"role": "user", "content": draw(TEXTS)})
            case 2:
                messages.append({"role": "assistant", "content": draw(TEXTS)})
            case 3:
                messages.append({"content": "turned", "role": "user"})
            case _:
                messages += _calling(draw)
    chat: dict[str, Any] = {"messages": messages}
    if draw(st.booleans()):
        chat["tools"] = draw(st.lists(st.sampled_from(TOOLS), max_size=2))
    if draw(st.integers(0, 9)) == 0:
        chat["model"] = "gpt-5"
    return chat


def _calling(draw: st.DrawFn) -> Iterator[dict[str, Any]]:
    ids = draw(st.lists(IDS, min_size=1, max_size=2))
    calls = [
        {"id": one, "type": "function", "function": {"name": "weather", "arguments": draw(ARGUMENTS)}} for one in ids
    ]
    yield {"role": "assistant", "content": draw(st.none() | TEXTS), "tool_calls": calls}
    for one in draw(st.permutations(ids)):
        if draw(st.integers(0, 9)):
            yield {"role": "tool", "tool_call_id": one, "content": draw(TEXTS)}


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """Draw a chat as one line: compact or spaced, as UTF-8 or escaped, now and then with a key that comes twice."""
    chat = draw(chats())
    text = json.dumps(
        chat,
        ensure_ascii=draw(st.booleans()),
        separators=draw(st.sampled_from([(",", ":"), (", ", ": "), None])),
    )
    match draw(st.integers(0, 9)):
        case 0:
            text = text.replace('"content":', '"content":"gone","content":', 1)
        case 1:
            text = text.replace('"role":', '"r\\u006fle":', 1)
        case 3:
            if keys := list(re.finditer(r'"[a-z_]+": ?', text)):
                key = draw(st.sampled_from(keys))
                text = f'{text[: key.start()]}{key[0]}"\\u0022",{text[key.start() :]}'
        case 2:
            text = text.replace("/", "\\/")
        case _:
            pass
    return text.encode("utf-8", "surrogatepass")


def converted(data: bytes, *, is_short: bool) -> list[Converted]:
    """Convert a file by either way."""
    with pytest.MonkeyPatch.context() as patch:
        if not is_short:
            patch.setattr(anthropic, "shortcut", lambda _source: None)
        return list(convert_stream(io.BytesIO(data), "chats.jsonl", ConvertOptions("anthropic", "openai-chat")))


@given(st.lists(lines(), min_size=1, max_size=3))
def test_both_ways_give_the_same_bytes_and_losses(found: list[bytes]) -> None:
    """Whatever passes the short way comes out as the long way would write it."""
    data = b"".join(line + b"\n" for line in found)
    short, long = converted(data, is_short=True), converted(data, is_short=False)
    assert [piece.records for piece in short] == [piece.records for piece in long]
    assert [piece.losses for piece in short] == [piece.losses for piece in long]
    assert [piece.refusals for piece in short] == [piece.refusals for piece in long]


QUOTED = '"\\\\u0022\\\\u0022\\\\u0022\\\\u0022"'
HIDDEN = {
    "role": '{"messages":[{"role":"user","role":"user","content":"\\u0022\\u0022\\u0022\\u0022"}]}',
    "content": '{"messages":[{"role":"user","content":"\\u0022\\u0022","content":"\\u0022\\u0022\\u0022\\u0022"}]}',
    "frame": '{"messages":[],"messages":[{"role":"user","content":"\\u0022\\u0022"}]}',
    "arguments": '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1",'
    '"type":"function","function":{"name":"f","arguments":"{\\"q\\":1,\\"q\\":\\"\\\\u0022\\\\u0022\\"}"}}]},'
    '{"role":"tool","tool_call_id":"call_1","content":"3"}]}',
    "arguments spelled otherwise": '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":null,"tool_calls":'
    '[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{\\"q\\":1,\\"q\\":\\"\\u005cu0022\\u005cu0022\\"}"}}]},'
    '{"role":"tool","tool_call_id":"call_1","content":"3"}]}',
    "tools": '{"messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"f","name":"f",'
    '"description":"\\u0022\\u0022\\u0022\\u0022","parameters":{"type":"object","properties":{}}}}]}',
}
"""Lines in which a key hides another, with as many quotes as if it did not: others are spelled as escapes."""


@pytest.mark.parametrize("place", HIDDEN)
def test_no_spelling_of_quotes_hides_a_repeated_key(place: str) -> None:
    data = HIDDEN[place].encode() + b"\n"
    way = shortcut("openai-chat")
    assert way is not None
    assert way(data) is None
    losses = [loss for piece in converted(data, is_short=True) for loss in piece.losses]
    assert "repeated-key" in {loss.feature for loss in losses}


ORDINARY = {
    "text": {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}]},
    "system": {"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": 'Say "hi".'}]},
    "trailing-whitespace": {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello \n"}]},
    "calls": {
        "messages": [
            {"role": "user", "content": "Weather?"},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}}]},
            {"role": "tool", "tool_call_id": "call_1", "content": "3 °C"},
            {"role": "assistant", "content": "Cold."},
        ],
        "tools": TOOLS[:1],
    },
}  # fmt: skip


@pytest.mark.parametrize("name", ORDINARY)
@pytest.mark.parametrize("write", [orjson.dumps, lambda value: json.dumps(value).encode()], ids=["compact", "spaced"])
def test_ordinary_chats_take_the_short_way(name: str, write: Any) -> None:
    """It would be of no use else."""
    way = shortcut("openai-chat")
    assert way is not None
    straight = way(write(ORDINARY[name]) + b"\n")
    assert straight is not None
    assert len(straight.losses) == (name == "trailing-whitespace")


def test_other_formats_have_no_short_way() -> None:
    """Only chats are written at once."""
    assert shortcut("gemini") is None
