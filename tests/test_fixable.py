"""A finding that is told fixable is repaired by the flag that it names, here; whatever is not, says so."""

import gzip
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from fixed import fixed, linted
from test_lint_cases import cases_of, data_of
from test_samples import BAD, name_of, target_of

from lighter import formats, lint
from lighter.diagnostics import Diagnostic
from lighter.linting import LintOptions
from lighter.rule import Mode

FILES = sorted(path.name for path in Path(__file__).parent.glob("lint_cases*.jsonl"))
OF_BYTES = ("x-trunc", "x-glue", "x-nul", "x-sur", "x-bom", "x-combo", "fi-", "F1")
"""What the ids of cases about a file's bytes begin with."""
GOOD = '{"role":"user","content":"hi"}\n'
CUT = '{"role":"user","cont'
EMPTY_CALLS = '{"role":"assistant","content":"said","tool_calls":[]}\n'


def cases() -> Iterator[tuple[str, bytes, str, Mode | None, str | None]]:
    """Give all texts with faults that there are: name, bytes, target, mode, format."""
    for case in (case for name in FILES for case in cases_of(name)):
        if case["format"] in (*formats.names(), "jsonl"):
            suffix = ".json" if "input" in case else ".jsonl"
            own = None if case["format"] == "jsonl" else case["format"]
            yield case["id"] + suffix, data_of(case), case["target"], case["mode"], own
    for path in BAD:
        yield name_of(path), path.read_bytes(), target_of(path) or "generic", None, None


def identified(found: list[Diagnostic]) -> Counter[tuple[str, str]]:
    return Counter((one.code, one.fingerprint) for one in found)


def check_promises(name: str, data: bytes, options: LintOptions, *, may_set_aside: bool) -> None:
    """Fix a file in both ways, and see that what was told fixable is gone, and nothing is fixable any more."""
    found = linted(data, options, name, may_set_aside=may_set_aside)
    for is_unsafe in (False, True):
        kinds = ("safe", "unsafe") if is_unsafe else ("safe",)
        promised = identified([one for one in found if one.fix and one.fix.applicability in kinds])
        done = fixed(data, options, is_unsafe=is_unsafe, may_set_aside=may_set_aside, name=name)
        assert bool(done.applied) == bool(promised), (name, options, is_unsafe)
        # A repair of one may be that of others like it, and what is repaired on the way may come anew.
        kept = {key for key in promised if key in identified(done.left) and key not in identified(done.applied)}
        assert kept == set()
        assert [one.code for one in done.left if one.fix and one.fix.applicability in kinds] == []


QUICK = [case for case in cases() if case[0].startswith(OF_BYTES)]


@pytest.mark.parametrize("may_set_aside", [True, False])
@pytest.mark.parametrize("case", QUICK, ids=lambda case: case[0])
def test_what_is_said_of_broken_files_holds(
    case: tuple[str, bytes, str, Mode | None, str | None], *, may_set_aside: bool
) -> None:
    name, data, target, mode, format_name = case
    check_promises(name, data, LintOptions(target, mode, format_name), may_set_aside=may_set_aside)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["", "generic", "anthropic", "openai-chat", "gemini", "bedrock", "openai-responses"])
def test_what_is_said_of_every_case_holds(target: str) -> None:
    """Also where a history is judged for another target than its own, and repaired as it stands."""
    for name, data, own, mode, format_name in cases():
        check_promises(name, data, LintOptions(target or own, mode, format_name), may_set_aside=True)


@pytest.mark.slow
def test_a_safe_repair_of_any_case_brings_no_fault_of_another_rule() -> None:
    for name, data, target, mode, format_name in cases():
        options = LintOptions(target, mode, format_name)
        told = {one.code for one in linted(data, options, name) if one.severity != "info"}
        left = {one.code for one in fixed(data, options, is_unsafe=False, name=name).left if one.severity != "info"}
        assert left <= told, (name, target)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (GOOD + CUT, {"F102": "safe"}),
        (CUT, {"F102": None}),  # nothing would be left
        ("data: " + GOOD + "data: {nonsense\n\n", {"F101": None}),
    ],
)
def test_a_repair_is_as_safe_as_all_that_it_takes(data: str, expected: dict[str, str | None]) -> None:
    found = linted(data.encode(), LintOptions())
    assert {one.code: one.fix and one.fix.applicability for one in found if one.code in expected} == expected


@pytest.mark.parametrize(("may_set_aside", "expected"), [(True, "safe"), (False, None)])
def test_nothing_is_set_aside_where_there_is_no_place(*, may_set_aside: bool, expected: str | None) -> None:
    (found,) = linted((GOOD + CUT).encode(), LintOptions(), may_set_aside=may_set_aside)
    assert (found.fix and found.fix.applicability) == expected
    assert bool(fixed(GOOD + CUT, may_set_aside=may_set_aside).applied) == (expected is not None)


def test_what_breaks_off_in_its_packing_is_not_fixable(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(EMPTY_CALLS.encode() * 3)[:-9])
    assert {found.fix for found in lint(path)} == {None}


def test_a_record_is_repaired_only_with_its_line() -> None:
    """Where bytes of the line are lost, too, all that is repaired on it is as unsafe as that."""
    data = EMPTY_CALLS.encode() + EMPTY_CALLS.encode().replace(b"said", b"caf\xe9")
    found = {(one.location.row, one.code, one.fix and one.fix.applicability) for one in linted(data, LintOptions())}
    assert found == {(1, "P111", "safe"), (2, "P111", "unsafe"), (2, "F108", "unsafe")}
    check_promises("a.jsonl", data, LintOptions(), may_set_aside=True)
