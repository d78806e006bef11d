"""The command `convert`: its exit statuses, and the files that it writes whole or not at all."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from chat import SAID, USER, calls, jsonl, user

from lighter_cli import exits, main

LOG = jsonl(USER, SAID)
NAMED = jsonl(user(name="ann"))
REFUSED = jsonl(calls("c"), USER)
PENDING = jsonl(USER, calls("c"))
STRANGE = jsonl({"a": 1})

STATUSES: dict[str, tuple[bytes, list[str], int]] = {
    "plain": (LOG, [], exits.OK),
    "strict": (LOG, ["--strict"], exits.OK),
    "a name": (NAMED, [], exits.OK),
    "a name, strict": (NAMED, ["--strict"], exits.FINDINGS),
    "refused, strict": (REFUSED, ["--strict"], exits.FINDINGS),
    "broken": (LOG + b"{broken\n", [], exits.FINDINGS),
    "only broken": (b"{broken\n", [], exits.FAILED),
    "empty": (b"", [], exits.FAILED),
    "empty, copied": (b"", ["--to", "openai-chat"], exits.FAILED),
    "nothing": (STRANGE, [], exits.FAILED),
    "copied, and refused": (PENDING, ["--to", "openai-chat"], exits.OK),
    "copied, and refused, strict": (PENDING, ["--to", "openai-chat", "--strict"], exits.FINDINGS),
    "copied, strict": (LOG, ["--to", "openai-chat", "--strict"], exits.OK),
    "nothing, forced": (STRANGE, ["--from", "openai-chat"], exits.FAILED),
    "unknown target": (LOG, ["--to", "klingon"], exits.FAILED),
    "unknown source": (LOG, ["--from", "klingon"], exits.FAILED),
    "layout": (LOG, ["--layout", "diagonal"], exits.FAILED),
}

Convert = Callable[..., int]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Convert:
    """Give a function that converts bytes to Anthropic's format in a folder with nothing else in it; it gives the status."""
    source = tmp_path / "source.jsonl"
    folder = tmp_path / "empty"
    folder.mkdir()
    monkeypatch.chdir(folder)

    def convert(data: bytes, *words: str) -> int:
        source.write_bytes(data)
        return main.run(["convert", str(source), "--to", "anthropic", *words])

    return convert


@pytest.mark.parametrize(("data", "words", "status"), STATUSES.values(), ids=STATUSES)
def test_the_status_tells_what_became_of_it(
    data: bytes, words: list[str], status: int, run: Convert, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(data, *words) == status
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    if status == exits.FAILED:
        assert shown.out == ""
        assert shown.err.splitlines()[-1].startswith("error: ")
        assert shown.err.count("error: ") == 1


def test_output_files_appear_whole_or_not_at_all(run: Convert) -> None:
    words = ("-o", "out.jsonl", "--loss-report", "losses.jsonl")
    for data in (STRANGE, b"{broken\n", b""):
        assert run(data, *words) == exits.FAILED
        assert list(Path().iterdir()) == []
    assert run(NAMED, *words) == exits.OK
    assert json.loads(Path("out.jsonl").read_bytes()) == {"messages": [USER]}
    (loss,) = map(json.loads, Path("losses.jsonl").read_bytes().splitlines())
    assert list(loss) == ["filename", "row", "path", "feature", "action", "detail"]
    assert (loss["row"], loss["path"], loss["action"]) == (1, "/name", "dropped")


@pytest.mark.parametrize("place", ["out.jsonl", "-"])
def test_two_products_do_not_share_a_place(place: str, run: Convert, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(LOG, "-o", place, "--loss-report", place) == exits.FAILED
    assert capsys.readouterr().out == ""
    assert list(Path().iterdir()) == []


def test_a_dash_is_standard_output(run: Convert, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(LOG, "-o", "-") == exits.OK
    assert json.loads(capsys.readouterr().out) == {"messages": [USER, SAID]}
    assert list(Path().iterdir()) == []


TWO = jsonl({"messages": [USER, SAID]}, {"messages": [USER, SAID]})
BLOCKS = jsonl(
    {
        "messages": [
            {"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "https://e/a.png"}}]}
        ]
    }
)


@pytest.mark.parametrize(
    ("data", "words", "told"),
    [
        (TWO, ["--to", "anthropic"], "2 conversations written as anthropic"),
        (TWO, ["--to", "openai-chat"], "2 records copied as openai-chat"),
        (TWO + BLOCKS, ["--to", "openai-chat"], "written"),
    ],
    ids=["written at once", "copied", "of two formats"],
)
def test_the_summary_tells_writing_from_copying(
    data: bytes, words: list[str], told: str, run: Convert, capsys: pytest.CaptureFixture[str]
) -> None:
    run(data, *words)
    assert told in capsys.readouterr().err
