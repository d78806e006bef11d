"""Tools that are given from outside are read in every provider's shape, and calls are checked against them."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from screening import LAYOUTS, laid_out, report, same_is_found

import lighter
from lighter.errors import CannotHold, LighterError
from lighter.toolfile import check_of, tool_text

SCHEMA = {"type": "object", "properties": {"pier": {"type": "integer"}}, "required": ["pier"]}
GEMINI_SCHEMA = {"type": "OBJECT", "properties": {"pier": {"type": "INTEGER"}}, "required": ["pier"]}
SHAPES: dict[str, Any] = {
    "openai-chat": {"type": "function", "function": {"name": "read_tide", "parameters": SCHEMA}},
    "openai-responses": {"type": "function", "name": "read_tide", "parameters": SCHEMA},
    "functions": {"name": "read_tide", "parameters": SCHEMA},
    "anthropic": {"name": "read_tide", "input_schema": SCHEMA},
    "gemini": {"functionDeclarations": [{"name": "read_tide", "parametersJsonSchema": SCHEMA}]},
    "gemini-python": {"function_declarations": [{"name": "read_tide", "parameters": GEMINI_SCHEMA}]},
    "bedrock": {"toolSpec": {"name": "read_tide", "inputSchema": {"json": SCHEMA}}},
    "mcp": {"name": "read_tide", "title": "Tide", "inputSchema": SCHEMA, "outputSchema": {"type": "object"}},
    "lighter": {"name": "read_tide", "description": "Tide", "parameters": SCHEMA},
    "pydantic": {**SCHEMA, "title": "read_tide", "description": "Tide"},
}


def chat(arguments: str, name: str = "read_tide", **rest: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {
        "messages": [
            {"role": "user", "content": "Tide?"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "call_1", "type": "function", "function": function}],
            },
            {"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"},
        ],
        **rest,
    }


def blocks(arguments: Any, name: str = "read_tide", **rest: Any) -> dict[str, Any]:
    use = {"type": "tool_use", "id": "toolu_1", "name": name, "input": arguments}
    return {
        "messages": [
            {"role": "user", "content": "Tide?"},
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "2.1 m"}]},
        ],
        **rest,
    }


def names(found: list[lighter.Diagnostic]) -> list[str]:
    return [one.name for one in found]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_read(shape: str) -> None:
    tools = [SHAPES[shape]]
    for value in (tools, SHAPES[shape], {"model": "x", "tools": tools}, {"result": {"tools": tools}}):
        check = check_of(tool_text(value))
        assert check.names == {"read_tide"}
        assert check.is_valid("read_tide", {"pier": 3})
        assert not check.is_valid("read_tide", {"pier": "three"})


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("target", [None, "openai-chat", "anthropic", "gemini"])
def test_calls_are_checked_against_what_is_given(shape: str, target: str | None) -> None:
    tools = [SHAPES[shape]]

    def found(value: Any) -> list[str]:
        return names(lighter.lint(value, target=target, mode="log", tools=tools, select=["A", "S"]))

    assert found(chat('{"pier":3}')) == found(blocks({"pier": 3})) == []
    assert found(chat('{"pier":"three"}')) == found(blocks({"pier": "x"})) == ["arguments-schema-mismatch"]
    assert found(chat("{}", "read_wind")) == found(blocks({}, "read_wind")) == ["undeclared-tool"]
    assert found(chat("{}", "read_wind")["messages"]) == ["undeclared-tool"]


def test_a_log_with_a_message_a_line_is_checked(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    (tmp_path / "tools.json").write_text(json.dumps([SHAPES["anthropic"]]), encoding="utf-8")
    lines = [json.dumps(message) + "\n" for message in chat('{"pier":true}')["messages"]]
    log.write_text("".join(lines), encoding="utf-8")
    assert lighter.lint(log) == []
    [found] = lighter.lint(log, tools=tmp_path / "tools.json")
    assert (found.code, found.location.row) == ("A105", 2)


def test_what_a_record_declares_goes_before() -> None:
    own: dict[str, Any] = {
        "tools": [{"type": "function", "function": {"name": "read_wind", "parameters": {"type": "object"}}}]
    }
    tools = [SHAPES["openai-chat"]]
    assert lighter.lint(chat("{}", "read_wind", **own), tools=tools) == []
    assert names(lighter.lint(chat('{"pier":3}', **own), tools=tools)) == ["undeclared-tool"]


def test_given_tools_are_not_the_record_s_own() -> None:
    """A training row without tools is told as before, and nothing is said of definitions that do not stand in the record."""
    tools = [{**SHAPES["openai-chat"], "function": {"name": "read tide?"}}, SHAPES["anthropic"]]
    assert lighter.lint(chat('{"pier":3}'), tools=tools) == []
    row = chat('{"pier":3}')
    row["messages"].append({"role": "assistant", "content": "2.1 m"})
    rows = lighter.lint([row] * 10, target="openai-finetune", select=["S"])
    assert lighter.lint([row] * 10, target="openai-finetune", select=["S"], tools=[SHAPES["anthropic"]]) == [
        one for one in rows if one.name != "undeclared-tool"
    ]


def test_an_mcp_server_that_brings_tools_proves_nothing() -> None:
    tools = [SHAPES["anthropic"], {"type": "mcp", "server_label": "x", "server_url": "https://example.org"}]
    assert lighter.lint(chat("{}", "other_tool"), tools=tools, select=["S101"]) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[", "line 1: the document breaks off"),
        ('[{"name":"a",}]', "line 1: not JSON: a comma stands before"),
        ("", "no tool definitions in it; a list of them is wanted"),
        ("[]", "no tool definitions in it"),
        ("3", "no tool definitions in it"),
        ('[{"role":"user","content":"hi"}]', "no tool definitions in it"),
        ('[{"name":"a","input_schema":{"type":"objet"}}]', "the schema of 'a' is no JSON Schema"),
    ],
)
def test_what_is_no_list_of_tools_is_refused(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LighterError, match=problem):
        tool_text(path)


@pytest.mark.parametrize("start", ["", "\ufeff"], ids=["", "bom"])
def test_a_file_may_have_a_definition_a_line(start: str, tmp_path: Path) -> None:
    path = tmp_path / "tools.jsonl"
    wind = {"name": "read_wind", "input_schema": SCHEMA}
    path.write_text(f"{start}{json.dumps(SHAPES['pydantic'])}\n{json.dumps(wind)}\n", encoding="utf-8")
    assert check_of(tool_text(path)).names == {"read_tide", "read_wind"}


def test_objects_that_are_no_json_are_refused() -> None:
    with pytest.raises(CannotHold):
        tool_text([object()])


calls_of_tools = st.lists(
    st.tuples(st.sampled_from(["read_tide", "read_wind"]), st.sampled_from(['{"pier":3}', '{"pier":"x"}', "{}"])),
    min_size=1,
    max_size=3,
)


@given(
    calls_of_tools, st.booleans(), LAYOUTS, st.sampled_from(["generic", "openai-chat", "anthropic", "openai-finetune"])
)
@settings(max_examples=60)
def test_the_screens_change_nothing(made: list[tuple[str, str]], is_chat: bool, layout: str, target: str) -> None:
    """Ordinary messages go unread, also when calls are checked against tools."""
    bodies = [chat(text, name) if is_chat else blocks(json.loads(text), name) for name, text in made]
    for number, body in enumerate(bodies):
        body["messages"] = json.loads(
            json.dumps(body["messages"]).replace("call_1", f"c{number}").replace("toolu_1", f"t{number}")
        )
    body = {"messages": [message for body in bodies for message in body["messages"]]}
    same_is_found(laid_out(body, layout), target=target, tools=tool_text([SHAPES["mcp"]]), has_frames=layout != "lines")


def test_ordinary_calls_of_given_tools_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the screen vouches for costs no passage."""
    monkeypatch.setattr("lighter.checking.Checks.judge", lambda *_: pytest.fail("a passage was judged"))
    for body in (chat('{"pier":3}'), blocks({"pier": 3})):
        for layout in ("lines", "body"):
            assert report(laid_out(body, layout), tools=tool_text([SHAPES["mcp"]])).diagnostics == []


PADDED = chat('{"pier":3,"buoy":null}')
MARKED = {
    "messages": [
        {"role": "user", "content": "Tide?"},
        {
            "role": "assistant",
            "content": 'I look.\n<tool_call>\n{"name": "read_tide", "arguments": {}}\n</tool_call>',
        },
        {"role": "user", "content": "Well?"},
    ]
}


@pytest.mark.parametrize("layout", ["lines", "body"])
@pytest.mark.parametrize(("body", "rule"), [(PADDED, "null-padded-arguments"), (MARKED, "unparsed-tool-call")])
def test_what_is_given_tells_padding_and_markup_from_what_was_meant(
    body: dict[str, Any], rule: str, layout: str
) -> None:
    """Whose keys are padding, and which names in a text are those of tools."""
    wind = {"name": "read_wind", "input_schema": {"type": "object", "properties": {"buoy": {"type": "integer"}}}}
    data = laid_out(body, layout)
    assert names(report(data).diagnostics) == []
    assert names(report(data, tools=tool_text([SHAPES["mcp"], wind])).diagnostics) == [rule]
