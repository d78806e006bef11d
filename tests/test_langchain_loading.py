"""What LangChain's packages refuse to load is reported, and what they load is no error: every field deleted and retyped in turn."""

import copy
import json
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import lighter

messages = pytest.importorskip("langchain_core.messages")

from langchain_packages import node  # noqa: E402 - it needs the package
from test_langchain_packages import load  # noqa: E402 - as above

DELETED = "(deleted)"
FEW: list[Any] = [DELETED, None, 5, "odd"]
ALL: list[Any] = [*FEW, [], {}, True, [5]]

SHAPES = {"unloadable-message", "unknown-message-type", "content-wrong-type", "content-part-type", "message-not-object"}
"""The rules that judge the shape of messages; others judge what they say together."""


def history() -> list[tuple[str, str, dict[str, Any]]]:
    """Give a history of all kinds: type, class, and fields."""
    call = {"name": "read_tide", "args": {"pier": 3}, "id": "c1", "type": "tool_call"}
    invalid = {"name": "read_tide", "args": '{"pier', "id": "c2", "error": "no JSON", "type": "invalid_tool_call"}
    usage = {
        "input_tokens": 1, "output_tokens": 2, "total_tokens": 3,
        "input_token_details": {"cache_read": 1}, "output_token_details": {"reasoning": 1},
    }  # fmt: skip
    maps: dict[str, Any] = {"additional_kwargs": {}, "response_metadata": {}}
    answer = {
        "content": "", "tool_calls": [call], "invalid_tool_calls": [invalid], "usage_metadata": usage, "id": "m2",
        "additional_kwargs": {}, "response_metadata": {"model_name": "m"},
    }  # fmt: skip
    return [
        ("system", "SystemMessage", {"content": "Be brief.", "id": "m0", **maps}),
        ("human", "HumanMessage", {"content": [{"type": "text", "text": "Tide?"}], "name": "ann", "id": "m1", **maps}),
        ("ai", "AIMessage", answer),
        ("tool", "ToolMessage", {"content": "2.1 m", "tool_call_id": "c1", "name": "read_tide", "status": "success"}),
        ("tool", "ToolMessage", {"content": "no JSON", "tool_call_id": "c2", "status": "error", "artifact": {"n": 1}}),
        ("ai", "AIMessage", {"content": "", "additional_kwargs": {"function_call": {"name": "f", "arguments": "{}"}}}),
        ("function", "FunctionMessage", {"content": "1", "name": "f"}),
        ("chat", "ChatMessage", {"content": "Hm.", "role": "critic"}),
        ("human", "HumanMessage", {"content": "Forget it", "id": "m9"}),
        ("remove", "RemoveMessage", {"content": "", "id": "m9"}),
        ("human", "HumanMessage", {"content": "Bye"}),
    ]


def enveloped(path: list[str], *, is_typed: bool) -> list[Any]:
    return [
        {
            "lc": 1,
            "type": "constructor",
            "id": [*path, name],
            "kwargs": {**({"type": kind} if is_typed else {}), **fields},
        }
        for kind, name, fields in history()
    ]


def is_for_classes(kind: str, fields: dict[str, Any]) -> bool:
    """Say whether a message is one that not both packages read without a wrapping, or the call that such a one answers."""
    return kind in ("chat", "function") or "function_call" in fields.get("additional_kwargs", ())


def shorthand() -> list[Any]:
    roles = {"human": "user", "ai": "assistant"}
    own = ("invalid_tool_calls", "usage_metadata")
    return [
        {"role": roles.get(kind, kind), **{key: held for key, held in fields.items() if key not in own}}
        for kind, _, fields in history()
        if not is_for_classes(kind, fields) and fields.get("tool_call_id") != "c2"
    ]


HISTORIES: dict[str, list[Any]] = {
    "langchain": enveloped(["langchain", "schema", "messages"], is_typed=True),
    "langchain-js": enveloped(["langchain_core", "messages"], is_typed=False),
    "langchain-stored": [{"type": kind, "data": {"type": kind, **fields}} for kind, _, fields in history()],
    "stored-js": [
        {"type": "generic" if kind == "chat" else kind, "data": fields}
        for kind, _, fields in history()
        if kind != "remove"
    ],
    "langchain-dump": [{"type": kind, **fields} for kind, _, fields in history() if not is_for_classes(kind, fields)],
    "shorthand": shorthand(),
}
"""The history in each form."""

FORMATS = {"stored-js": "langchain-stored", "shorthand": "langchain-dump"}
PYTHON: dict[str, Callable[[Any], Any]] = {
    "langchain": lambda value: load(value, allowed="core"),
    "langchain-stored": messages.messages_from_dict,
    "langchain-dump": messages.convert_to_messages,
    "shorthand": messages.convert_to_messages,
}
JAVASCRIPT = {
    "langchain-js": "load",
    "stored-js": "stored",
    "langchain-dump": "shorthand",
    "shorthand": "shorthand",
}
"""What reads each form."""


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """List the places inside of a value."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in members:
        yield (*path, key)
        yield from places(item, (*path, key))


def changed(body: list[Any], path: tuple[Any, ...], odd: Any) -> list[Any]:
    body = copy.deepcopy(body)
    holder: Any = body
    for key in path[:-1]:
        holder = holder[key]
    if odd == DELETED:
        del holder[path[-1]]
    else:
        holder[path[-1]] = copy.deepcopy(odd)
    return body


def rows(form: str, odds: list[Any]) -> list[tuple[tuple[Any, ...], Any, list[Any]]]:
    """List each place with each odd value: the place in its message, the value, and the history with it."""
    body = HISTORIES[form]
    return [(path, odd, changed(body, path, odd)) for path in places(body) if len(path) > 1 for odd in odds]


def error_in_python(form: str, body: list[Any]) -> str | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            PYTHON[form](copy.deepcopy(body))
        except Exception as error:  # noqa: BLE001 - whatever it raises
            return f"{type(error).__name__}: {error}"
    return None


def errors_in_javascript(form: str, bodies: list[list[Any]]) -> list[str | None]:
    lines = [{"name": "", "form": JAVASCRIPT[form], "value": body} for body in bodies]
    return [row.get("error") for row in node.run("read_javascript.mjs", lines=lines)]


def shape_findings(form: str, body: list[Any]) -> list[lighter.Diagnostic]:
    found = lighter.lint(body, format=FORMATS.get(form, form))
    return [finding for finding in found if finding.name in SHAPES and finding.severity != "info"]


def is_envelope(form: str, path: tuple[Any, ...]) -> bool:
    """Say whether it is no message any more, but an object that `load` hands on, or the class of somebody else.

    And what @langchain/core makes of fields that are no object.
    """
    is_foreign = path[1] == "id" and (path[2:] in ((), (0,), (2,)))
    is_no_message = path[1] in ("lc", "type", "id") and len(path) == 2
    return form in ("langchain", "langchain-js") and (is_foreign or is_no_message or (path[1:] == ("kwargs",)))


def is_known_difference(form: str, path: tuple[Any, ...], odd: Any) -> bool:
    """Say whether a refusal is not reported, or something reported that is taken, and should be so."""
    is_role = (
        form == "shorthand" and path[1] == "role" and isinstance(odd, str)
    )  # worth knowing only: `unknown-message-type`
    is_data = form == "stored-js" and path[1] == "data" and len(path) == 2
    is_taken_back = '"m9"' in json.dumps(HISTORIES[form][path[0]]) and path[-1] == "content"  # its parts are nobody's
    return is_role or is_data or is_taken_back or is_envelope(form, path)


def check(form: str, row: tuple[tuple[Any, ...], Any, list[Any]], refusals: list[str | None]) -> str | None:
    """Compare what packages say of a history with what is found; gives the difference in words."""
    path, odd, body = row
    found = shape_findings(form, body)
    refused = next((said for said in refusals if said is not None), None)
    what = f"{form} {path} {json.dumps(odd)}"
    if refused is not None and not found:
        return f"{what}: nothing found, but {refused[:120]}"
    if not any(refusals) and any(f.name == "unloadable-message" and f.severity == "error" for f in found):
        return f"{what}: {found[0].message}, but it is loaded"
    return None


def differences(form: str, odds: list[Any], *, in_javascript: bool) -> list[str]:
    """Sweep over a form."""
    swept = [row for row in rows(form, odds) if not is_known_difference(form, row[0], row[1])]
    js = errors_in_javascript(form, [row[2] for row in swept]) if in_javascript else [None] * len(swept)
    python = [error_in_python(form, row[2]) if form in PYTHON else None for row in swept]
    found = (check(form, row, [p, j]) for row, p, j in zip(swept, python, js, strict=True))
    return [said for said in found if said is not None]


@pytest.mark.parametrize("form", PYTHON)
def test_histories_are_valid_to_begin_with(form: str) -> None:
    assert error_in_python(form, HISTORIES[form]) is None
    assert [f for f in lighter.lint(HISTORIES[form], format=FORMATS.get(form, form)) if f.severity != "info"] == []


@pytest.mark.parametrize("form", ["langchain", "shorthand"])
def test_what_langchain_core_refuses_is_reported(form: str) -> None:
    assert differences(form, FEW, in_javascript=False) == []


SAID_OTHERWISE: list[tuple[str, Any]] = [
    ("tool_calls", None),
    ("tool_calls", json.dumps(history()[2][2]["tool_calls"])),
    ("tool_calls", history()[2][2]["tool_calls"][0]),
    ("tool_calls/0", json.dumps(history()[2][2]["tool_calls"][0])),
    ("tool_calls/0", {"id": "c1", "type": "function", "function": {"name": "read_tide", "arguments": '{"pier": 3}'}}),
    ("tool_calls/0", {"id": "c1", "type": "tool_use", "name": "read_tide", "input": {"pier": 3}}),
    ("tool_calls/0", {"name": "read_tide", "args": {"pier": 3}}),
    ("tool_calls/0/args", '{"pier": 3, "at": {"lc": 1}, "depth": 1.10}'),
    ("tool_calls/0/args", ""),
    ("tool_calls/0/id", 7),
    ("tool_calls/0/index", None),
    ("invalid_tool_calls", None),
    ("invalid_tool_calls/0/args", {"pier": 3}),
    ("usage_metadata", {"input_tokens": 1, "output_tokens": 2}),
    ("usage_metadata", {"input_tokens": None}),
    ("usage_metadata", '{"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}'),
    ("usage_metadata/output_token_details/reasoning", None),
    ("additional_kwargs", '{"thinking": "hm"}'),
    ("response_metadata", None),
    ("content", DELETED),
    ("content", None),
]
"""Fields of an answer with values that no package loads, and that leave no doubt of what is meant."""


def retold(form: str, path: str, odd: Any) -> list[Any]:
    """Give the history in a form with a value in its answer."""
    base = {"langchain": ("kwargs",), "langchain-stored": ("data",)}.get(form, ())
    keys = [int(key) if key.isdecimal() else key for key in path.split("/")]
    return changed(HISTORIES[form], (2, *base, *keys), odd)


@pytest.mark.parametrize("form", ["langchain", "langchain-stored", "langchain-dump"])
@pytest.mark.parametrize(("path", "odd"), SAID_OTHERWISE)
def test_what_leaves_no_doubt_is_repaired_and_loads_then(form: str, path: str, odd: Any) -> None:
    body = retold(form, path, odd)
    if not shape_findings(form, body):
        assert form == "langchain-dump"
        return
    made = lighter.fix(body, format=form)
    assert made.applied
    assert error_in_python(form, made.value) is None
    assert shape_findings(form, made.value) == []


@pytest.mark.parametrize("form", ["langchain", "langchain-dump"])
def test_a_repaired_call_says_what_it_said(form: str) -> None:
    for path, odd in [found for found in SAID_OTHERWISE if found[0] in ("tool_calls", "tool_calls/0")][1:6]:
        made = PYTHON[form](lighter.fix(retold(form, path, odd), format=form).value)
        assert made[2].tool_calls == [{"name": "read_tide", "args": {"pier": 3}, "id": "c1", "type": "tool_call"}]


OBJECTS: list[dict[str, Any]] = [
    {"lc": 1, "type": "secret", "id": ["PATH"]},
    {"lc": 1, "type": "not_implemented", "id": ["x"]},
    {"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", "HumanMessage"], "kwargs": {"content": "q"}},
    {"__lc_escaped__": {"a": 1}},
    {"deep": [{"lc": 1, "type": "secret", "id": ["PATH"]}]},
]
"""Arguments that look like objects of LangChain's own."""
CALLED: dict[str, Callable[[str], Any]] = {
    "args": lambda text: [{"name": "read_tide", "args": text, "id": "c1"}],
    "arguments": lambda text: [{"name": "read_tide", "arguments": text, "id": "c1"}],
    "function": lambda text: [{"function": {"name": "read_tide", "arguments": text}, "id": "c1", "type": "function"}],
    "list": lambda text: text.join(('[{"name": "read_tide", "id": "c1", "args": ', "}]")),
}
"""Calls that nobody loads, whose arguments stand in a text."""


@pytest.mark.parametrize("said", OBJECTS, ids=lambda said: str(said)[:40])
@pytest.mark.parametrize("call", CALLED)
@pytest.mark.parametrize("form", ["langchain", "langchain-js"])
def test_no_repair_makes_objects_of_arguments(form: str, call: str, said: dict[str, Any]) -> None:
    body = changed(HISTORIES[form], (2, "kwargs", "tool_calls"), CALLED[call](json.dumps(said)))
    made = lighter.fix(body, unsafe=True, format=form).value
    (written,) = made[2]["kwargs"]["tool_calls"]
    wrapped = {"deep": [{"__lc_escaped__": said["deep"][0]}]} if "deep" in said else {"__lc_escaped__": said}
    assert written["args"] == wrapped
    assert load(made[2]).tool_calls[0]["args"] == said


OBJECT = '{"lc": 1, "type": "secret", "id": ["PATH"]}'


@pytest.mark.parametrize("odd", [OBJECT, '{"content": {"lc": 1}}'])
def test_objects_are_not_made_where_nothing_tells_what_is_wrapped(odd: str) -> None:
    bodies = [
        changed(HISTORIES["langchain"], (2, "kwargs"), odd),
        changed(
            changed(HISTORIES["langchain"], (2, "kwargs", "response_metadata"), {"lc": 1}),
            (2, "kwargs", "additional_kwargs"),
            odd,
        ),
    ]
    bodies.append([*HISTORIES["langchain"][:2], OBJECT])
    for body in bodies:
        assert lighter.fix(body, unsafe=True).value[2] == body[2]


@pytest.mark.parametrize(
    ("path", "odd"),
    [("tool_calls", "bad"), ("tool_calls/0/args", '{"pier'), ("tool_calls/0/args", "[3]"), ("tool_calls/0/name", 5.5)],
)
def test_what_nobody_knows_is_not_repaired(path: str, odd: Any) -> None:
    body = retold("langchain", path, odd)
    assert lighter.fix(body, unsafe=True).value == body
    assert [found.name for found in lighter.lint(body) if found.severity == "error"] == ["unloadable-message"]


@pytest.mark.slow
@pytest.mark.parametrize("form", HISTORIES)
def test_what_a_repair_leaves_without_findings_loads(form: str) -> None:
    swept = [row for row in rows(form, [*ALL, "", "{}", "[]", 7, "null"]) if not is_known_difference(form, *row[:2])]
    repaired = [(row, lighter.fix(row[2], format=FORMATS.get(form, form))) for row in swept]
    sound = [(row[:2], made.value) for row, made in repaired if made.applied and not shape_findings(form, made.value)]
    assert sound
    refusals = errors_in_javascript(form, [body for _, body in sound]) if form in JAVASCRIPT else [None] * len(sound)
    if form in PYTHON:
        refusals = [error_in_python(form, body) or said for (_, body), said in zip(sound, refusals, strict=True)]
    assert [(what, said) for (what, _), said in zip(sound, refusals, strict=True) if said] == []


@pytest.mark.slow
@pytest.mark.parametrize("form", HISTORIES)
def test_what_a_package_refuses_is_reported(form: str) -> None:
    assert differences(form, ALL, in_javascript=form in JAVASCRIPT) == []


@pytest.mark.parametrize("stranger", [None, 5])
def test_what_is_no_message_does_not_hide_the_others(stranger: Any) -> None:
    listed = [HISTORIES["langchain-dump"][1], stranger, {"type": "ai", "content": "2.1 m"}]
    assert lighter.detect(listed).format == "langchain-dump"
    assert [(found.name, found.path) for found in lighter.lint(listed)] == [("message-not-object", "/1")]


def test_stored_messages_and_others_may_stand_in_one_file() -> None:
    stored, flat = [{"type": "human", "data": {"content": "q"}}], [{"type": "human", "content": "q"}]
    assert [found for found in lighter.lint([stored, flat]) if found.name == "unloadable-message"] == []
