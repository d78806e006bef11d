"""A file linted in ranges gives what it gives in one go, wherever it is cut, or is not cut at all."""

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from chat import assistant, calls, jsonl, result, user
from hypothesis import given, settings
from hypothesis import strategies as st

from lighter import linting, ranges, sessions
from lighter.linting import LintOptions, Report, lint_stream
from lighter.ranges import lint_range, plan_of, ranges_of, report_of
from lighter.records import LineFault, Record
from lighter.source import sample

UNANSWERED = [user(), calls("a"), assistant()]
BODIES = [
    {"messages": [user(), assistant()]},
    {"messages": [user('say "x"'), calls("a"), result("a"), assistant()]},
    {"messages": UNANSWERED},
    {"messages": [user(), {"role": "robot", "content": "x"}]},
    {"messages": [user(), calls("a", arguments="{"), result("a")]},
    {"messages": [user(), assistant("<|im_end|>")], "tools": [{"type": "function", "function": {"name": "f"}}]},
]
SESSIONS = jsonl(*({**message, "session_id": f"s{number}"} for number in range(9) for message in UNANSWERED))
STRAYS: list[bytes] = [
    b"",
    b'{"messages":[{"role":"user","content":"a"},\n {"role":"assistant","content":"b"}]}',
    b'{"messages":[{"role":"user","content":"hi"}',
    b'{"messages":[{"role":"user","content":"hi"}]}{"messages":[{"role":"user","content":"hi"}]}',
    b'{"header":1}',
    b"[1]",
    b"3",
    json.dumps([user(), assistant()]).encode(),
    json.dumps(user(session_id="stray")).encode(),
    json.dumps({"role": "assistant", "content": [{"type": "text", "text": "x"}], "stop_reason": "end_turn", "session_id": "s"}).encode(),
    json.dumps({"id": "c", "object": "chat.completion.chunk", "choices": [{"delta": {"content": "a"}}]}).encode(),
    json.dumps({"messages": [{"role": "user", "content": "h\u00e9"}]}, ensure_ascii=False).encode("latin-1"),
]  # fmt: skip
SESSION = st.lists(
    st.sampled_from([[user()], [assistant()], [calls("a"), result("a")], [calls("b")], [result("zz")]]), min_size=1, max_size=4
).map(lambda parts: [message for part in parts for message in part])  # fmt: skip
AIMS = st.sampled_from([{}, {"target": "openai-chat"}, {"target": "anthropic"}, {"target": "openai-finetune"}, {"mode": "request"}])  # fmt: skip
LUCK = st.randoms(use_true_random=False)


@st.composite
def logs(draw: st.DrawFn) -> list[bytes]:
    """Draw a log of several sessions, one after the other, or now and then among each other."""
    drawn = draw(st.lists(SESSION, min_size=2, max_size=8))
    lines = [
        json.dumps({"session_id": f"s{number}", **message}).encode()
        for number, session in enumerate(drawn)
        for message in session
    ]
    if draw(st.integers(0, 3)) == 0:
        draw(LUCK).shuffle(lines)
    return lines


BODY_LINES = st.lists(st.sampled_from(BODIES).map(lambda body: json.dumps(body).encode()), min_size=1, max_size=12)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Draw a file of lines, now and then with one that is not like the others, or without an end."""
    lines = draw(logs() | BODY_LINES)
    if draw(st.booleans()):
        lines.insert(draw(st.integers(0, len(lines))), draw(st.sampled_from(STRAYS)))
    return b"\n".join(lines) + draw(st.sampled_from([b"\n", b"\n", b"", b"\r\n"]))


@pytest.fixture(autouse=True, scope="module")
def few_first_records() -> Iterator[None]:
    """Let a file be told by three records, so that small files have further ones."""

    def few(records: Iterator[Record | LineFault], most: int = 3) -> list[Record | LineFault]:
        return sample(records, most)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranges, "sample", few)
        patch.setattr(linting, "sample", few)
        yield


def in_ranges(path: Path, data: bytes, pieces: float, **options: Any) -> Report | None:
    """Lint a file in about so many ranges; None where it must not be cut."""
    path.write_bytes(data)
    length = int(len(data) / pieces) + 1
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"LARGE": 1, "SMALLEST": 1, "LARGEST": length, "PER_WORKER": 1}.items():
            patch.setattr(ranges, name, value)
        found = plan_of(str(path), "log.jsonl", LintOptions(**options))
        if found is None:
            return None
        plan, first = found
        parts = [lint_range(part) for part in ranges_of(plan, 1)]
    whole = [part for part in parts if part is not None]
    return report_of(plan, first, whole) if len(whole) == len(parts) else None


def in_one_go(data: bytes, **options: Any) -> Report:
    return lint_stream(BytesIO(data), "log.jsonl", LintOptions(**options))


@settings(max_examples=150)
@given(files(), AIMS, st.floats(1, 6), st.sampled_from([2, 4, 1024]))
def test_wherever_a_file_is_cut_the_same_is_found(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, aim: dict[str, Any], pieces: float, live: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "cut.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sessions, "LIVE", live)  # so that sessions are forgotten soon
        report = in_ranges(path, data, pieces, **aim)
        assert report is None or report == in_one_go(data, **aim)


@pytest.mark.parametrize(
    "data",
    [
        jsonl(*BODIES * 3),
        jsonl(*BODIES * 3).rstrip(),
        SESSIONS,
        jsonl(*BODIES, {"header": 1}, *BODIES),
    ],
    ids=["bodies", "no last line end", "sessions", "a header"],
)
def test_ordinary_files_are_cut(tmp_path: Path, data: bytes) -> None:
    """It would be of no use else."""
    report = in_ranges(tmp_path / "log.jsonl", data, 4)
    assert report == in_one_go(data)
    assert report is not None
    assert report.diagnostics


ENTANGLED = {
    "broken end": jsonl(*BODIES) + b'{"messages":',
    "broken line": jsonl(*BODIES) + b'{"messages":\n' + jsonl(*BODIES),
    "a message among bodies": jsonl(*BODIES, user(session_id="a"), *BODIES),
    "a message that ends bodies": jsonl(*BODIES, user(session_id="a")),
    "a body in a log": SESSIONS + jsonl(BODIES[0]),
    "a header in a log": SESSIONS + jsonl({"header": 1}),
    "a piece of a stream": jsonl(*BODIES) + STRAYS[-2] + b"\n" + jsonl(*BODIES),
    "many lines": jsonl(*BODIES) + STRAYS[1] + b"\n" + jsonl(*BODIES),
    "many lines at the end": jsonl(*BODIES) + STRAYS[1] + b"\n",
    "sessions among each other": jsonl(*(user(session_id=f"s{number % 5}") for number in range(20))),
    "a session that goes on": SESSIONS + jsonl(user(session_id="s1")),
    "no session": jsonl(user(), assistant(), user(), assistant()),
    "one session": jsonl(*(user(session_id="s") for _ in range(9))),
    "blank lines": jsonl(*BODIES).replace(b"\n", b"\n\n"),
    "empty": b"",
}


@pytest.mark.parametrize("kind", ENTANGLED)
def test_files_whose_lines_depend_on_each_other_are_not_cut(tmp_path: Path, kind: str) -> None:
    for pieces in (1, 2, 3, 7):
        report = in_ranges(tmp_path / "log.jsonl", ENTANGLED[kind], pieces)
        assert report is None or report == in_one_go(ENTANGLED[kind])
        assert (report is None) == (kind != "one session")


def test_a_session_that_may_have_been_forgotten_is_not_judged_by_a_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many sessions were alive before says when one is forgotten that falls silent."""
    monkeypatch.setattr(sessions, "LIVE", 4)
    before = [user("x" * 400, session_id=f"s{number}") for number in range(3)]
    silent = [calls("a", session_id="s4"), *(user(session_id=f"s{number}") for number in (5, 6, 7))]
    data = jsonl(*before, *silent, result("a", session_id="s4"))
    assert in_ranges(tmp_path / "log.jsonl", data, 1.5) is None
    assert [found.name for found in in_one_go(data).diagnostics] == ["orphan-tool-result"]
