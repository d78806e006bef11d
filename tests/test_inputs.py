"""From words to open files: paths, directories, patterns, standard input, and compressed files."""

import gzip
import io
import os
import sys
import threading
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

import lighter
from lighter.errors import UnreadableInput
from lighter.inputs import Input, break_of, expand, open_input
from lighter.records import LineFault, Record
from lighter.source import read_records

HI = b'{"role": "user", "content": "hi"}'
HELLO = b'{"role": "assistant", "content": "hello"}'
PRETTY = b'{\n  "role": "user",\n  "content": [\n    "a"\n  ]\n}'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    names = ["b.jsonl", "a.JSONL", "c.json", "d.ndjson", "e.jsonl.gz", "f.jsonl.zst", "notes.txt", "deep/er/g.jsonl", ".h/h.jsonl",
             "node_modules/i.jsonl", ".j.jsonl", "empty/readme.md"]  # fmt: skip
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(HI)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names_of(*words: str) -> list[str]:
    found, errors = expand(words)
    assert errors == []
    return [item.name.replace(os.sep, "/") for item in found]


@pytest.mark.usefixtures("folder")
def test_directory_is_walked() -> None:
    found, errors = expand(["."])
    assert errors == []
    assert [item.name.replace(os.sep, "/") for item in found] == [
        "a.JSONL", "b.jsonl", "c.json", "d.ndjson", "e.jsonl.gz", "f.jsonl.zst", "deep/er/g.jsonl",
    ]  # fmt: skip
    assert all(item.is_walked for item in found)


@pytest.mark.usefixtures("folder")
def test_patterns_files_and_stdin_are_expanded_in_order() -> None:
    assert names_of("*.jsonl") == ["b.jsonl"]
    assert names_of("**/*.jsonl") == ["b.jsonl", "deep/er/g.jsonl", "node_modules/i.jsonl"]
    assert names_of("notes.txt", "-", "d*") == ["notes.txt", "<stdin>", "d.ndjson"]
    assert names_of("dee*") == ["deep/er/g.jsonl"]
    assert names_of("b.jsonl", "./b.jsonl", "b*") == ["b.jsonl"]
    assert expand(["-"], stdin_name="log.jsonl")[0] == [Input("log.jsonl", None)]
    assert not expand(["b.jsonl"])[0][0].is_walked


@pytest.mark.usefixtures("folder")
def test_file_named_like_a_pattern_is_a_file(folder: Path) -> None:
    (folder / "[1].jsonl").write_bytes(HI)
    assert names_of("[1].jsonl") == ["[1].jsonl"]


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("none.jsonl", "none.jsonl: no such file or directory"),
        ("x*.jsonl", "x*.jsonl: no file matches this pattern"),
        (
            "empty",
            "empty: no transcripts in this directory (looked for *.jsonl, *.jsonl.gz, *.jsonl.zst, *.ndjson and *.json,",
        ),
        ("a\0b", "a\\0b: no such file or directory"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_word_that_leads_nowhere_is_one_line(word: str, reason: str) -> None:
    found, errors = expand([word, "b.jsonl"])
    assert [item.name for item in found] == ["b.jsonl"]
    (error,) = errors
    assert isinstance(error, UnreadableInput)
    assert str(error).startswith(reason)
    assert "\n" not in str(error)


def content(path: Path) -> bytes:
    with open_input(Input(str(path), path)) as stream:
        return stream.read()


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.jsonl", "a"])
def test_gzip_is_known_by_its_content(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(HI + b"\n") + gzip.compress(HELLO))
    assert content(path) == HI + b"\n" + HELLO


def test_plain_file_named_gz_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(HI)
    assert content(path) == HI


def test_zstd_is_read(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    path = tmp_path / "a.jsonl.zst"
    data = (HI + b"\n") * 50_000
    path.write_bytes(zstandard.compress(data) + zstandard.compress(HELLO))
    with open_input(Input("a", path)) as stream:
        assert sum(isinstance(item, Record) for item in read_records(stream)) == 50_001


def test_zstd_without_its_package_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    path = tmp_path / "a.jsonl.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd1234")
    with pytest.raises(UnreadableInput, match=r"pip install 'lighter-cli\[zstd\]'"):
        content(path)


def _zstd(data: bytes) -> bytes:
    compressed: bytes = pytest.importorskip("zstandard").compress(data)
    return compressed


@pytest.mark.parametrize("pack", [gzip.compress, _zstd])
def test_cut_files_give_what_is_there_and_a_fault(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "a.jsonl.gz"
    lines = b"".join(b'{"n": %d, "x": "%s"}\n' % (number, os.urandom(50).hex().encode()) for number in range(3000))
    path.write_bytes(pack(lines)[:-5000])
    with open_input(Input("a.gz", path)) as stream:
        found = read_records(stream, filename="a.gz")
        count = sum(isinstance(item, Record) for item in islice(found, 2000))
        rest = list(found)
        assert break_of(stream) == "the compressed data break off"
    assert count == 2000
    assert [item.kind for item in rest if isinstance(item, LineFault)] == ["truncated-last-line"]
    with pytest.raises(UnreadableInput, match=r"a\.jsonl\.gz: the compressed data break off"):
        list(lighter.load(path, "openai-chat"))


def test_a_break_between_lines_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(HI + b"\n", mtime=0)[:-8])
    with open_input(Input("a.gz", path)) as stream:
        record, fault = read_records(stream, filename="a.gz")
    assert isinstance(record, Record)
    assert isinstance(fault, LineFault)
    assert (fault.kind, fault.message) == (
        "truncated-last-line",
        "the file breaks off here: the compressed data break off",
    )
    assert [found.code for found in lighter.lint(path)] == ["F102"]


@pytest.mark.parametrize("damage", [b"\x1f\x8b\x08\x00 nonsense", b"\x1f\x8b"])
def test_damaged_gzip_is_one_error(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(damage)
    with (
        open_input(Input("a.jsonl", path)) as stream,
        pytest.raises(UnreadableInput, match=r"a\.jsonl: cannot be read"),
    ):
        list(read_records(stream, filename="a.jsonl"))


def test_file_that_cannot_be_opened_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match=r"^gone: no such file or directory$"):
        open_input(Input("gone", tmp_path / "gone"))
    with pytest.raises(UnreadableInput, match=r"is a directory|permission denied"):
        open_input(Input("folder", tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipe_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(gzip.compress(PRETTY + b"\n" + PRETTY),))
    writer.start()
    with open_input(Input("pipe", path)) as stream:
        assert [item.row for item in read_records(stream)] == [1, 7]
    writer.join()


def test_stdin_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(HI))))
    with open_input(Input("<stdin>", None)) as stream:
        assert [item.row for item in read_records(stream)] == [1]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipes_met_by_the_way_are_never_opened(folder: Path) -> None:
    os.mkfifo(folder / "pipe.jsonl")
    assert "pipe.jsonl" not in names_of(".")
    assert names_of("*.jsonl") == ["b.jsonl"]
    assert names_of("pipe.jsonl") == ["pipe.jsonl"]


def test_patterns_do_not_follow_loops(folder: Path) -> None:
    for name in ("one", "two"):
        (folder / "deep" / name).symlink_to(folder)
    expected = ["b.jsonl", "deep/er/g.jsonl", "node_modules/i.jsonl"]
    assert names_of("**/*.jsonl") == expected
    assert names_of("./**/*.jsonl") == [f"./{name}" for name in expected]
    assert names_of(f"{folder}/**/*.jsonl") == [f"{folder}/{name}" for name in expected]
    assert names_of("deep/**/er/**/*.jsonl") == ["deep/er/g.jsonl"]
    assert names_of("deep/**") == ["deep/er/g.jsonl"]


def test_a_closed_standard_input_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(UnreadableInput, match=r"^<stdin>: standard input is closed$"):
        open_input(Input("<stdin>", None))


def test_text_streams_are_read_and_written() -> None:
    text = HI.decode() + "\n{broken\n" + '{"role": "assistant", "content": "你好"}\n'
    conversations = list(lighter.load(io.StringIO(text), "openai-chat"))  # type: ignore[arg-type]  # text is taken too
    assert [message.content for message in conversations[0].messages] == ["hi", "你好"]
    out = io.StringIO()
    assert lighter.dump(conversations, out) == []
    assert out.getvalue().startswith('{"')
    assert "你好" in out.getvalue()


def test_half_a_character_in_a_text_stream_is_one_in_its_message() -> None:
    text = io.StringIO('{"role": "user", "content": "a\ud83c"}\n')
    (conversation,) = lighter.load(text, "openai-chat")  # type: ignore[arg-type]  # as above
    assert conversation.messages[0].content == "a\ud83c"


def test_a_text_file_in_another_encoding_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(HI + b"\xff")
    with path.open(encoding="utf-8") as stream, pytest.raises(UnreadableInput, match="cannot be read"):
        list(read_records(stream))  # type: ignore[arg-type]  # as above


@pytest.mark.parametrize(("text", "shown"), [("\ud800", r"\ud800"), ("a\0b", r"a\x00b")], ids=["surrogate", "NUL"])
def test_a_text_that_no_system_takes_for_a_path_is_one_error(text: str, shown: str) -> None:
    uses: list[Callable[[str], object]] = [
        lighter.lint,
        lambda path: list(lighter.load(path)),
        lambda path: lighter.convert(path, "anthropic"),
    ]
    for use in uses:
        with pytest.raises(UnreadableInput) as caught:
            use(text)
        assert str(caught.value) == f"{shown}: no such file"
