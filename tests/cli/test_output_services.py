"""The output formats for services hold what their readers expect, whatever stands in a finding.

SARIF is checked against its schema (tests/data/README.md), GitLab's report against what GitLab checks itself
(https://gitlab.com/gitlab-org/gitlab/-/blob/master/app/validators/json_schemas/codeclimate.json), JUnit XML is read by
junitparser, and GitHub's commands are read as its runner does
(https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs).
"""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import lighter
from lighter.diagnostics import Diagnostic, Fix, Location
from lighter.excerpt import harmless
from lighter_cli import output
from lighter_cli.output import sarif
from lighter_cli.terminal import Screen

ROOT = Path(__file__).parents[2]
BAD = sorted((ROOT / "sample_conversations" / "bad").glob("*.jsonl"))
GITHUB = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")

SARIF = jsonschema_rs.validator_for(
    json.loads((ROOT / "tests" / "data" / "sarif-2.1.0.schema.json").read_text(encoding="utf-8")), validate_formats=True
)
_PLACE = {"type": "object", "required": ["line"], "properties": {"line": {"type": "integer", "minimum": 1}}}
GITLAB = jsonschema_rs.validator_for(
    {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["description", "check_name", "fingerprint", "severity", "location"],
            "properties": {
                **{key: {"type": "string", "minLength": 1} for key in ("description", "check_name", "fingerprint")},
                "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
                "location": {
                    "type": "object",
                    "required": ["path", "positions"],
                    "properties": {
                        "path": {"type": "string", "not": {"pattern": "^\\./"}},
                        "positions": {"type": "object", "required": ["begin"], "properties": {"begin": _PLACE}},
                    },
                },
            },
        },
    }
)

texts = st.text(st.characters(codec=None), max_size=12)  # half characters and control characters among them
diagnostics = st.builds(
    Diagnostic,
    code=st.sampled_from(["P101", "H102", "F101"]),
    name=st.just("some-rule"),
    severity=st.sampled_from(["error", "warning", "info"]),
    message=texts,
    filename=st.one_of(st.just("logs/a:b,c%0A.jsonl"), texts.filter(lambda text: "\0" not in text and text != "")),
    location=st.builds(Location, st.integers(1, 9), st.integers(1, 9)),
    path=texts,
    fix=st.one_of(st.none(), st.builds(Fix, st.just("safe"), texts)),
    fingerprint=st.sampled_from(["0123456789abcdef", "fedcba9876543210"]),
    help=texts,
    note=texts,
)
several = st.lists(diagnostics, max_size=4)


@pytest.fixture(autouse=True)
def at_no_service(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in GITHUB:
        monkeypatch.delenv(name, raising=False)


def rendered(name: str, found: list[Diagnostic], filename: str = "log.jsonl") -> str:
    reports: list[Any] = [SimpleNamespace(filename=filename, diagnostics=found)]
    text = "".join(output.load(name).render(reports, Screen()))
    text.encode()
    assert [line for line in text.split("\n") if harmless(line) != line] == []
    return text


def sarif_of(found: list[Diagnostic]) -> Any:
    log = json.loads(rendered("sarif", found))
    SARIF.validate(log)
    return log["runs"][0]


def gitlab_of(found: list[Diagnostic]) -> Any:
    issues = json.loads(rendered("gitlab", found))
    GITLAB.validate(issues)
    return issues


def junit_of(found: list[Diagnostic], filename: str = "log.jsonl") -> Any:
    from junitparser import JUnitXml

    return JUnitXml.fromstring(rendered("junit", found, filename).encode())


def commands_of(found: list[Diagnostic]) -> list[tuple[str, dict[str, str], str]]:
    """Read workflow commands as the runner does: the first `::` ends the properties, commas part them, escapes are undone."""
    commands = []
    for line in rendered("github", found).splitlines():
        assert line.startswith("::")
        head, _, data = line.removeprefix("::").partition("::")
        name, _, listed = head.partition(" ")
        pairs = (pair.split("=", 1) for pair in listed.split(","))
        commands.append((name, {key: unescaped(value, is_property=True) for key, value in pairs}, unescaped(data)))
    return commands


def unescaped(text: str, *, is_property: bool = False) -> str:
    for char, escape in [("\r", "%0D"), ("\n", "%0A"), *([(":", "%3A"), (",", "%2C")] * is_property), ("%", "%25")]:
        text = text.replace(escape, char)
    return text


def findings_of(path: Path) -> list[Diagnostic]:
    return [replace(found, filename=f"bad/{path.name}") for found in lighter.lint(path)]


@pytest.fixture(scope="module")
def samples() -> list[Diagnostic]:
    return [found for path in BAD for found in findings_of(path)]


def test_findings_of_all_samples_are_told_to_every_service(samples: list[Diagnostic]) -> None:
    assert len({found.code for found in samples}) > 30
    run = sarif_of(samples)
    places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
    assert [place["region"]["startLine"] for place in places] == [found.location.row for found in samples]
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {found.code for found in samples}
    assert len(run["tool"]["driver"]["rules"]) == len({found.code for found in samples})
    issues = gitlab_of(samples)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) == len(samples)
    [suite] = junit_of(samples)
    assert suite.tests == len(list(suite)) == len(samples)
    assert suite.failures == sum(found.severity != "info" for found in samples)
    for found, (name, properties, text) in zip(samples, commands_of(samples), strict=True):
        assert name == {"error": "error", "warning": "warning", "info": "notice"}[found.severity]
        place = (str(found.location.row), str(found.location.column), found.filename)
        assert (properties["line"], properties["col"], properties["file"]) == place
        assert found.code in text.split("\n")[0]


@given(several)
@settings(max_examples=40)
def test_markdown_is_a_table_of_plain_text(found: list[Diagnostic]) -> None:
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(rendered("markdown", found))
    codes = {one.code for one in found}
    assert sum(token.type == "tr_open" for token in tokens) == (len(codes) + 1 if codes else 0)
    assert sum(token.type == "td_open" for token in tokens) == 4 * len(codes)
    inner = [child for token in tokens for child in token.children or ()]
    assert {child.type for child in inner} <= {"text", "text_special", "html_inline"}
    assert {child.content for child in inner if child.type == "html_inline"} <= {"<br>"}
    shown = ["".join(child.content for child in token.children or ()) for token in tokens if token.type == "inline"]
    for code in codes:
        first = next(one for one in found if one.code == code)
        assert any(" ".join(harmless(first.message).split()) in " ".join(text.split()) for text in shown)


@given(several)
@settings(max_examples=40)
def test_whatever_a_finding_says_can_be_read(found: list[Diagnostic]) -> None:
    assert len(sarif_of(found)["results"]) == len(found)
    issues = gitlab_of(found)
    assert len({issue["fingerprint"] for issue in issues}) == len(found)
    for suite in junit_of(found):
        assert len(list(suite)) == max(len(found), 1)
    for one, (_, properties, text) in zip(found, commands_of(found), strict=True):
        assert properties.keys() == {"title", "file", "line", "col"}
        assert properties["title"] == f"lighter {one.code} some-rule"
        assert text.count("\n") <= 2


def finding(**changes: Any) -> Diagnostic:
    fields: dict[str, Any] = {
        "code": "P102",
        "name": "orphan-tool-result",
        "severity": "error",
        "message": "100% wrong: a, b",
        "filename": "logs/a.jsonl",
        "location": Location(3, 5),
        "path": "/tool_call_id",
        "fingerprint": "0123456789abcdef",
    }
    return Diagnostic(**fields | changes)


def test_github_escapes_what_ends_a_property_or_a_line() -> None:
    assert rendered("github", [finding(filename="a,b:c.jsonl", help="drop it")]) == (
        "::error title=lighter P102 orphan-tool-result,file=a%2Cb%3Ac.jsonl,line=3,col=5::"
        "a,b:c.jsonl:3:5: P102 100%25 wrong: a, b (/tool_call_id)%0Ahelp: drop it\n"
    )


def test_a_clean_file_is_a_passed_test() -> None:
    [suite] = junit_of([], "good & clean.jsonl")
    [case] = suite
    assert (suite.name, suite.failures, case.is_passed) == ("good & clean.jsonl", 0, True)


def test_what_is_worth_knowing_fails_no_test() -> None:
    [suite] = junit_of([finding(severity="info"), finding(severity="warning"), finding()])
    assert [case.is_passed for case in suite] == [True, False, False]
    assert len({case.name for case in suite}) == 3
    assert next(iter(suite)).system_out == "logs/a.jsonl:3:5: P102 100% wrong: a, b (/tool_call_id)"


def test_moved_lines_keep_their_fingerprints() -> None:
    here, there = finding(), finding(location=Location(90, 1))
    assert gitlab_of([here])[0]["fingerprint"] == gitlab_of([there])[0]["fingerprint"]
    one, other = (sarif_of([found])["results"][0]["partialFingerprints"] for found in (here, there))
    assert one == other == {"lighter/v1": "0123456789abcdef", "primaryLocationLineHash": "0123456789abcdef:1"}
    assert [case.name for case in next(iter(junit_of([here])))] == [case.name for case in next(iter(junit_of([there])))]


def test_equal_findings_are_told_apart() -> None:
    twice = [finding(), finding(location=Location(4, 5))]
    prints = [result["partialFingerprints"]["primaryLocationLineHash"] for result in sarif_of(twice)["results"]]
    assert prints == ["0123456789abcdef:1", "0123456789abcdef:2"]


def test_paths_count_from_the_root_of_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "service").mkdir()
    monkeypatch.chdir(tmp_path / "service")
    for name in GITHUB:
        monkeypatch.setenv(name, str(tmp_path))
    found = [finding(filename=name) for name in ("./logs/a.jsonl", str(tmp_path / "b.jsonl"), "/elsewhere/c.jsonl")]
    assert [issue["location"]["path"] for issue in gitlab_of(found)] == [
        "service/logs/a.jsonl",
        "b.jsonl",
        "/elsewhere/c.jsonl",
    ]
    assert [properties["file"] for _, properties, _ in commands_of(found)] == [
        "service/logs/a.jsonl",
        "b.jsonl",
        "/elsewhere/c.jsonl",
    ]
    artifacts = [
        result["locations"][0]["physicalLocation"]["artifactLocation"] for result in sarif_of(found)["results"]
    ]
    assert [artifact["uri"] for artifact in artifacts] == [
        "service/logs/a.jsonl",
        "b.jsonl",
        "file:///elsewhere/c.jsonl",
    ]
    assert [artifact.get("uriBaseId") for artifact in artifacts] == ["%SRCROOT%", "%SRCROOT%", None]


def test_sarif_holds_no_more_than_github_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sum(sarif.MOST.values()) == 25_000
    monkeypatch.setattr(sarif, "MOST", {"error": 2, "warning": 1, "info": 0})
    run = sarif_of([finding(severity="info"), *[finding()] * 3, finding(severity="warning")])
    assert [result["level"] for result in run["results"]] == ["error", "error", "warning"]
    [invocation] = run["invocations"]
    [notification] = invocation["toolExecutionNotifications"]
    assert notification["message"]["text"].startswith("2 further findings left out")
    assert "invocations" not in sarif_of([finding()])


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("日誌 1#.jsonl", "%E6%97%A5%E8%AA%8C%201%23.jsonl"),
        ("a\nb%0A.jsonl", "a%0Ab%250A.jsonl"),
        ("no\udcff.jsonl", "no%FF.jsonl"),  # a name that is no UTF-8, as Python tells it
        ("half\ud800.jsonl", "half%ED%A0%80.jsonl"),
    ],
)
def test_sarif_writes_names_as_uris(name: str, uri: str) -> None:
    [result] = sarif_of([finding(filename=name)])["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri
