"""Contents of a wrong type: what pydantic refuses is found in every form, and what the package loads is not, unless it says nothing."""

from typing import Any

import pytest

from lighter import lint

THEIRS: Any = pytest.importorskip("langchain_core.messages")

REFUSED: list[Any] = [5, {"a": 1}, True, {"lc": 1, "type": "secret", "id": ["KEY"]}, [5], [None], [["x"]]]
EMPTY: list[Any] = [[{"type": "text"}], [{"type": "text", "text": 5}], [{}], [{"site": "north", "level": 2.1}]]
FINE: list[Any] = [
    "x", [], ["x"], ["x", {"type": "text", "text": "y"}], [{"text": "see"}], [{"image": {"format": "png", "source": {}}}],
    [{"type": "image_url"}], [{"type": "weird"}], [{"cachePoint": {"type": "default"}}],
]  # fmt: skip
CLASSES = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage", "function": "FunctionMessage"}


def in_every_form(kind: str, content: Any) -> dict[str, Any]:
    """Give a message of a kind in each form."""
    keys = {"tool": {"tool_call_id": "c1"}, "function": {"name": "f"}}.get(kind, {})
    fields: dict[str, Any] = {"content": content, **keys}
    ids = ["langchain", "schema", "messages", CLASSES[kind]]
    return {
        "flat": {"type": kind, **fields},
        "stored": {"type": kind, "data": {**fields, "type": kind}},
        "envelope": {"lc": 1, "type": "constructor", "id": ids, "kwargs": fields},
    }


def found(message: Any) -> list[str]:
    """Give what is found about the content of a message."""
    return [d.name for d in lint([message]) if d.name in ("content-wrong-type", "content-part-type")]


def loads(message: Any) -> bool:
    """Say whether langchain-core loads a stored message."""
    try:
        THEIRS.messages_from_dict([message])
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize("content", REFUSED, ids=str)
def test_what_the_package_refuses_is_found(content: Any, kind: str) -> None:
    forms = in_every_form(kind, content)
    expected = 0 if loads(forms["stored"]) else 1
    assert expected == (kind != "tool")  # of whatever a result holds the package makes text
    assert {name: len(found(message)) for name, message in forms.items()} == dict.fromkeys(forms, expected)


@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize("content", EMPTY, ids=str)
def test_parts_that_say_nothing_are_found(content: Any, kind: str) -> None:
    for message in in_every_form(kind, content).values():
        assert len(found(message)) == 1


@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize("content", FINE, ids=str)
def test_what_the_package_loads_is_fine(content: Any, kind: str) -> None:
    forms = in_every_form(kind, content)
    assert loads(forms["stored"])
    assert [found(message) for message in forms.values()] == [[], [], []]


def test_null_is_refused_where_it_is_not_taken_for_empty_text() -> None:
    forms = in_every_form("human", None)
    assert found(forms["envelope"]) == ["content-wrong-type"]
    assert found(forms["flat"]) == []
    assert THEIRS.convert_to_messages([forms["flat"]])[0].content == ""


def test_a_piece_may_lack_what_the_next_one_brings() -> None:
    piece = {"type": "AIMessageChunk", "content": [{"type": "text", "index": 0}]}
    assert found(piece) == []
    assert found({"role": "remove", "id": "m", "content": 5}) == []
