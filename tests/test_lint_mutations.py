"""Whatever stands where a history should have something else: linting never raises, and the screens change nothing."""

import copy
import io
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from test_lint_cases import cases_of

import lighter
from lighter.linting import LintOptions, report_on
from lighter.providers import TARGETS
from lighter.rule import MODES
from lighter.source import read_records

CASES = [case for case in cases_of("lint_cases_compatible.jsonl") if "input" in case]
ODD: list[Any] = [
    None,
    0,
    1.5,
    True,
    "",
    [],
    {},
    "x",
    "{",
    [None],
    [[]],
    {"type": 5},
    {"role": []},
    [{"type": {}}],
    {"text": 1},
]
GONE = object()


def paths_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Walk the places of all values within a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from paths_in(item, (*path, key))


def changed(value: Any, path: tuple[Any, ...], to: Any) -> Any:
    """Put something else at a place, or nothing."""
    value = copy.deepcopy(value)
    holder = value
    for key in path[:-1]:
        holder = holder[key]
    if to is GONE:
        del holder[path[-1]]
    else:
        holder[path[-1]] = copy.deepcopy(to)
    return value


@st.composite
def mutants(draw: st.DrawFn) -> tuple[bytes, LintOptions]:
    """Draw a history with up to three values changed, as one document or one message a line, and who judges it how."""
    case = draw(st.sampled_from(CASES))
    value = case["input"]
    for _ in range(draw(st.integers(0, 3))):
        places = list(paths_in(value))
        if places:
            value = changed(value, draw(st.sampled_from(places)), draw(st.sampled_from([GONE, *ODD])))
    is_log = isinstance(value, list) and all(isinstance(item, dict) for item in value) and draw(st.booleans())
    data = "".join(json.dumps(item) + "\n" for item in value) if is_log else json.dumps(value)
    target = draw(st.sampled_from([case["target"], *TARGETS]))
    format_name = draw(st.sampled_from([None, case["format"]])) if case["format"] != "jsonl" else None
    return data.encode(), LintOptions(target, draw(st.sampled_from([None, *MODES])), format_name)


def found(data: bytes, options: LintOptions, *, is_screened: bool) -> list[tuple[str, str, str, int]]:
    report = report_on(read_records(io.BytesIO(data), filename="a"), "a", options, is_screened=is_screened)
    return [(item.name, item.path, item.severity, item.location.row) for item in report.diagnostics]


@settings(max_examples=300, deadline=None)
@given(mutants())
def test_nothing_is_too_odd_to_be_judged_and_screens_change_nothing(drawn: tuple[bytes, LintOptions]) -> None:
    data, options = drawn
    assert found(data, options, is_screened=True) == found(data, options, is_screened=False)


def test_an_id_that_is_a_list_is_no_id_that_a_call_could_take() -> None:
    asked = {"role": "user", "content": "Count the boats"}
    call = {"type": "function_call", "name": "count_boats", "arguments": "{}"}
    body = [asked, call, {"type": "function_call_output", "call_id": [], "output": "7"}]
    found = lighter.lint(body, target="openai-responses", format="openai-responses")
    assert "missing-tool-id" in [one.name for one in found]
