"""The output formats, on findings made by hand."""

import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from lighter.diagnostics import Diagnostic, Fix, Location, Mark
from lighter.errors import LighterError
from lighter_cli import output
from lighter_cli.output import _statistics, concise, full, jsonl
from lighter_cli.output import json as json_output
from lighter_cli.output._products import Product, products_of
from lighter_cli.output._summary import Tally, summary
from lighter_cli.terminal import Screen

ORPHAN = Diagnostic(
    code="P102",
    name="orphan-tool-result",
    severity="error",
    message="tool result answers no earlier call",
    filename="convo.jsonl",
    location=Location(7, 1),
    path="/tool_call_id",
    targets=("openai-chat",),
    url="https://example.org/P102",
    fingerprint="f1",
    help="did you mean `call_a1`?",
    note="OpenAI refuses this: \"messages with role 'tool' must be a response to a preceeding message with 'tool_calls'\"",
    marks=(
        Mark(6, 'tool       answers call_b2   "12 °C"', "call_b2", "not among earlier calls", is_primary=True),
        Mark(5, 'assistant  calls   get_weather(city="Oslo")   id call_a1', "call_a1", "the only open call"),
    ),
)
HOSTILE = replace(
    ORPHAN,
    severity="warning",
    message="bad \x1b[31m \u202e \x9b \ud800",
    filename="x\x1b]0;title\x07.jsonl",
    path="/\x1b[2J",
    help="\x1b[2J",
    note="\x9b",
    conversation="\u2066id",
    marks=(Mark(0, "user       \x1b[2J", "\x1b[2J", "\x1b[2J", is_primary=True),),
)


def rendered(module: Any, *diagnostics: Diagnostic, screen: Screen | None = None) -> str:
    reports: list[Any] = [SimpleNamespace(filename="convo.jsonl", diagnostics=list(diagnostics))]
    return "".join(module.render(reports, screen or Screen()))


def test_full_shows_both_ends_of_the_relationship() -> None:
    assert rendered(full, ORPHAN) == (
        """\
P102 orphan-tool-result: tool result answers no earlier call
  --> convo.jsonl:7:1  /tool_call_id
   |
 5 | assistant  calls   get_weather(city="Oslo")   id call_a1
   |                                                  ------- the only open call
 6 | tool       answers call_b2   "12 °C"
   |                    ^^^^^^^ not among earlier calls
   |
help: did you mean `call_a1`?
note: OpenAI refuses this: "messages with role 'tool' must be a response to a
      preceeding message with 'tool_calls'"; see `lighter rule P102`

"""
    )


def test_full_says_severity_in_words_too() -> None:
    assert rendered(full, replace(ORPHAN, severity="warning")).startswith(
        "P102 orphan-tool-result [warning]: tool result"
    )


def test_full_counts_what_it_does_not_show() -> None:
    text = rendered(full, *[ORPHAN] * 150)
    assert text.count("tool result answers no earlier call") == 20
    assert text.count("note:") == 1
    assert text.endswith("… 130 more P102 (use --statistics)\n\n")


def test_full_leaves_a_gap_between_distant_messages() -> None:
    far = replace(ORPHAN, marks=(ORPHAN.marks[0], replace(ORPHAN.marks[1], index=2)))
    assert "\n...\n 6 | tool" in rendered(full, far)


def test_full_shows_one_message_with_two_marks_once() -> None:
    first, _ = ORPHAN.marks
    twice = replace(ORPHAN, marks=(first, replace(first, text="12 °C", label="this answer", is_primary=False)))
    lines = rendered(full, twice).split("\n")
    assert lines[3:6] == [
        ' 6 | tool       answers call_b2   "12 °C"',
        "   |                    ^^^^^^^ not among earlier calls",
        "   |                               ----- this answer",
    ]


def test_full_fits_the_screen() -> None:
    long = "漢字🎉" * 40
    wide = replace(
        ORPHAN,
        message=long[:6] + " and more words " * 10,
        marks=(
            Mark(
                12,
                f'user       "{long} here {long}"',
                "here",
                "a label that is itself rather long, and goes on",
                is_primary=True,
            ),
        ),
    )
    from rich.cells import cell_len

    for width in (40, 80, 120):
        lines = rendered(full, wide, screen=Screen(width=width)).split("\n")
        assert max(map(cell_len, lines)) <= width
        frame = [line for line in lines if " here " in line]
        assert len(frame) == 1
        caret = next(line for line in lines if "^" in line)
        assert cell_len(frame[0][: frame[0].index("here")]) == caret.index("^")


def test_full_tells_the_fix_where_there_is_no_other_help() -> None:
    assert "help: drop it\n" in rendered(full, replace(ORPHAN, help="", fix=Fix("unsafe", "drop it")))


SPANS: tuple[tuple[str, str, bool, str], ...] = (
    ("assistant  calls   a()   id edit:22   calls   b()   id edit:22", "edit:22", True, "edit:22"),
    (
        "assistant  calls   a()   id edit:22   calls   b()   id edit:22",
        "edit:22",
        False,
        "edit:22   calls   b()   id edit:22",
    ),
    (
        "assistant  calls   a()   id call_10   calls   b()   id call_1   calls   c()   id call_11",
        "call_1",
        True,
        "call_1   calls   c()",
    ),
    ('human      "I am human"', "human", True, 'human      "I am human"'),
    ('user       "cut"', "not in the line", True, 'user       "cut"'),
)


@pytest.mark.parametrize(("line", "text", "is_primary", "rest"), SPANS)
def test_full_underlines_the_right_occurrence(line: str, text: str, is_primary: bool, rest: str) -> None:
    found = replace(ORPHAN, marks=(Mark(0, line, text, "here", is_primary=is_primary),))
    lines = rendered(full, found, screen=Screen(width=120)).split("\n")
    under = lines[4]
    assert lines[3][under.index("^" if is_primary else "-") :].startswith(rest)


@pytest.mark.parametrize("name", output.names())
def test_nothing_reaches_the_terminal_raw(name: str) -> None:
    text = rendered(output.load(name), HOSTILE)
    assert all(char.isprintable() or char == "\n" for char in text)


def test_colour_is_only_added() -> None:
    import re

    for module in (full, concise):
        coloured = rendered(module, ORPHAN, screen=Screen(is_coloured=True))
        assert "\x1b[1;31m" in coloured
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == rendered(module, ORPHAN)


def test_concise() -> None:
    expected = "convo.jsonl:7:1: P102 [error] tool result answers no earlier call (/tool_call_id)\n"
    assert rendered(concise, ORPHAN) == expected
    assert rendered(concise, replace(ORPHAN, path="")).endswith("earlier call\n")


def test_json_has_the_agreed_keys_in_order() -> None:
    (found,) = json.loads(rendered(json_output, replace(ORPHAN, fix=Fix("safe", "rename"))))
    keys = [
        "code",
        "name",
        "severity",
        "message",
        "filename",
        "location",
        "path",
        "targets",
        "fix",
        "url",
        "fingerprint",
    ]
    assert list(found)[: len(keys)] == keys
    assert found["location"] == {"row": 7, "column": 1}
    assert found["fix"] == {"applicability": "safe", "message": "rename"}
    assert found["targets"] == ["openai-chat"]


def test_json_escapes_change_no_value() -> None:
    (found,) = json.loads(rendered(json_output, HOSTILE))
    assert (found["message"], found["filename"], found["path"]) == (HOSTILE.message, HOSTILE.filename, HOSTILE.path)


def test_json_of_nothing_is_an_empty_array() -> None:
    assert rendered(json_output) == "[]\n"
    assert rendered(jsonl) == ""


def test_jsonl_is_the_same_a_line() -> None:
    lines = rendered(jsonl, ORPHAN, HOSTILE).splitlines()
    assert [json.loads(line) for line in lines] == json.loads(rendered(json_output, ORPHAN, HOSTILE))


def test_statistics_count_rules() -> None:
    other = replace(ORPHAN, code="A103", name="arguments-invalid-json")
    reports: list[Any] = [SimpleNamespace(diagnostics=[ORPHAN] * 12), SimpleNamespace(diagnostics=[other])]
    table = "".join(_statistics.render(reports, Screen(), "concise"))
    assert table == "12  P102  orphan-tool-result\n 1  A103  arguments-invalid-json\n"
    counts = json.loads("".join(_statistics.render(reports, Screen(), "json")))
    assert counts[0] == {"count": 12, "code": "P102", "name": "orphan-tool-result"}
    assert len("".join(_statistics.render(reports, Screen(), "jsonl")).splitlines()) == 2


SUMMARIES: tuple[tuple[Tally, str], ...] = (
    (Tally(), ""),
    (Tally(files=2, conversations=12, messages=340), "All checks passed (12 conversations, 340 messages).\n"),
    (
        Tally(Counter(error=3, warning=1), files=4, files_with_findings=2, conversations=12, messages=340),
        "Found 3 errors, 1 warning in 2 files (12 conversations, 340 messages).\n",
    ),
    (
        Tally(Counter(info=1), files=1, files_with_findings=1, conversations=1, messages=1),
        "Found 1 note in 1 file (1 conversation, 1 message).\n",
    ),
    (
        Tally(files=1, conversations=1, messages=5, failed=1),
        "No findings in 1 file (1 conversation, 5 messages); 1 input could not be checked.\n",
    ),
    (Tally(files=1, rows=2), "All checks passed (2 rows).\n"),
    (Tally(files=1, conversations=1, messages=5, rows=1), "All checks passed (1 conversation, 5 messages, 1 row).\n"),
)


@pytest.mark.parametrize(("tally", "line"), SUMMARIES)
def test_summary(tally: Tally, line: str) -> None:
    assert summary(tally, Screen()) == line


def test_one_report_goes_to_the_reader_and_others_to_files() -> None:
    assert products_of([], None, "full") == [Product("full", None)]
    assert products_of(["json"], Path("out"), "full") == [Product("json", Path("out"))]
    assert products_of(["sarif=a=b.sarif", "github"], None, "full") == [
        Product("github", None),
        Product("sarif", Path("a=b.sarif")),
    ]


@pytest.mark.parametrize(
    ("words", "problem"), [(["github", "sarif"], "write --output-format sarif=FILE"), (["sarif="], "names no file")]
)
def test_two_reports_for_one_place_are_refused(words: list[str], problem: str) -> None:
    with pytest.raises(LighterError, match=problem):
        products_of(words, None, "full")
