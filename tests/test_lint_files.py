"""Files linted by several processes give what they give one after the other, each in its turn."""

import gzip
from pathlib import Path

import pytest
from chat import assistant, calls, jsonl, user

import lighter
from lighter import lint_files, ranges, side_by_side
from lighter.errors import NotText, UnreadableInput
from lighter.inputs import Input
from lighter.lint_files import Job, Linted, lint_all
from lighter.linting import LintOptions

FAULTY = {"messages": [user(), calls("a"), assistant()]}
PLAIN = {"messages": [user(), assistant()]}


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """Make files of every kind, and let even small ones be worth a process."""
    for module, name, value in ((lint_files, "WORTHWHILE", 1), (side_by_side, "BATCH_BYTES", 400), (side_by_side, "LARGE", 20_000), (ranges, "LARGE", 20_000), (ranges, "SMALLEST", 2000)):  # fmt: skip
        monkeypatch.setattr(module, name, value)
    contents = {
        **{f"a{number}.jsonl": jsonl(*[FAULTY] * number) for number in range(4)},
        "big.jsonl": jsonl(*[PLAIN, PLAIN, FAULTY] * 200),
        "big-broken.jsonl": jsonl(*[PLAIN, FAULTY] * 200) + b"{]\n" + jsonl(*[PLAIN] * 100),
        "binary.jsonl": b"\x7fELF\0\0\0\1\2\3" * 50,
        "log.jsonl": jsonl(*FAULTY["messages"]),
        "packed.jsonl.gz": gzip.compress(jsonl(FAULTY, *[PLAIN] * 1000)),
        "z.jsonl": jsonl(FAULTY),
    }
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    names = [*contents, "missing.jsonl"]
    return [Job(Input(name, tmp_path / name), LintOptions()) for name in names]


def told(results: list[Linted]) -> list[object]:
    return [linted.report or (type(linted.error), str(linted.error)) for linted in results]


@pytest.mark.parametrize("workers", [2, 3])
def test_several_processes_find_the_same_in_the_same_order(jobs: list[Job], workers: int) -> None:
    alone = told(list(lint_all(jobs, 1)))
    assert told(list(lint_all(jobs, workers))) == alone
    assert [item[0] for item in alone if isinstance(item, tuple)] == [NotText, UnreadableInput]


def test_progress_comes_to_the_end_of_a_large_file(jobs: list[Job]) -> None:
    [big] = [job for job in jobs if job.item.name == "big.jsonl"]
    told: list[tuple[str, int, int | None]] = []
    list(lint_all([big], 2, lambda *progress: told.append(progress)))
    assert big.item.path
    size = big.item.path.stat().st_size
    assert len(told) > 3
    assert told == sorted(told)
    assert told[-1] == ("big.jsonl", size, size)


def test_the_library_lints_with_several_processes(jobs: list[Job]) -> None:
    [big] = [job for job in jobs if job.item.name == "big.jsonl"]
    assert big.item.path
    found = lighter.lint(big.item.path, jobs=2)
    assert len(found) == 200
    assert found == lighter.lint(big.item.path)
