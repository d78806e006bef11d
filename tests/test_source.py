"""Opening and reading files: what becomes of every kind of line, good and broken."""

import io
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import orjson
import pytest
from pace import at_most

from lighter import jsontext
from lighter.broken import MOST_TOLD
from lighter.errors import UnreadableInput
from lighter.records import LineFault, Record
from lighter.source import read_records

HI = b'{"role": "user", "content": "hi"}'
PIECE = b'{"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "hi"}}]}'
HELLO = b'{"role": "assistant", "content": "hello"}'
PRETTY = b'{\n  "role": "user",\n  "content": [\n    "a"\n  ]\n}'
ROWS = b"[\n" + HI + b",\n" + HELLO + b",\n" + HI + b"\n]\n"
DOCUMENT = b'{"model": "m",\n "messages": [\n  {"role": "user", "content": "hi"},\n  {"role": "assistant", "content": "hello"}\n ]}\n'

Place = tuple[str, int, int, str]
Result = tuple[list[Place], list[tuple[int, int, Any]]]


def read(data: bytes, name: str | None = "log.jsonl") -> Result:
    """Read bytes; give the faults and the records as short tuples."""
    found = list(read_records(io.BytesIO(data), filename=name))
    faults = [(f.kind, f.row, f.column, f.path) for f in found if isinstance(f, LineFault)]
    records = [(r.row, r.column, r.value) for r in found if isinstance(r, Record)]
    return faults, records


def rows(result: Result) -> list[int]:
    return [row for row, _, _ in result[1]]


# Good files

GOOD = {
    "lines": (HI + b"\n" + HELLO + b"\n", [1, 2]),
    "no-final-newline": (HI + b"\n" + HELLO, [1, 2]),
    "crlf": (HI + b"\r\n" + HELLO + b"\r\n", [1, 2]),
    "blank-lines": (b"\n  \n" + HI + b"\n\r\n\t\n" + HELLO + b"\n\n", [3, 6]),
    "line-separators": (
        '{"content": "a\u2028b\u2029c\u0085d\u000b"}\n'.replace("\u000b", "\x7f").encode() + HI,
        [1, 2],
    ),
    "indented-record": (b"   " + HI + b"  \n" + HI, [1, 2]),
    "pretty": (PRETTY, [1]),
    "pretty-after-blank": (b"\n\n" + PRETTY, [3]),
    "pretty-indent-0": (PRETTY.replace(b" ", b""), [1]),
    "pretty-crlf": (PRETTY.replace(b"\n", b"\r\n"), [1]),
    "document": (DOCUMENT, [1]),
    "escaped-newlines": (rb'{"content": "a\nb\\n"}' + b"\n", [1]),
    "looks-broken": (rb'{"content": "{\"a\": 1}{\"a\": ' + b'[}"}\n', [1]),
    "surrogate-pair": (rb'{"content": "\ud83c\udfa8 \\ud83c"}', [1]),
    "big-numbers": (b'{"a": 1e400, "b": ' + b"9" * 5000 + b"}\n", [1]),
    "event-stream": (b"event: x\ndata: " + HI + b"\n\n: ping\nid: 7\ndata: " + HELLO + b"\n\ndata: [DONE]\n", [2, 6]),
    "events-among-records": (HI + b"\nevent: ping\ndata: " + PIECE + b"\n\ndata: [DONE]\n" + HI + b"\n", [1, 3, 6]),
}


@pytest.mark.parametrize(("data", "expected"), GOOD.values(), ids=GOOD)
def test_good_file_has_no_fault(data: bytes, expected: list[int]) -> None:
    result = read(data)
    assert result[0] == []
    assert rows(result) == expected


def test_array_is_read_as_one_value() -> None:
    for name in ("log.json", None, "<stdin>"):
        assert read(ROWS, name)[0] == []
    assert rows(read(ROWS)) == [1]
    assert len(read(ROWS)[1][0][2]) == 3


@pytest.mark.parametrize("name", [None, "log.json", "log.txt"])
def test_printed_records_in_a_file_of_another_name_are_as_they_should_be(name: str | None) -> None:
    found = read(PRETTY + PRETTY, name)
    assert (found[0], rows(found)) == ([], [1, 6])


@pytest.mark.parametrize("name", ["log.jsonl", "log.ndjson", "log.jsonl.gz", "a/b.jsonl.zst"])
def test_array_in_a_jsonl_file_is_told(name: str) -> None:
    assert read(ROWS, name)[0] == [("json-array-file", 1, 1, "")]
    assert read(b"[]\n", name)[0] == [("json-array-file", 1, 1, "")]
    assert read(b"[]\n[]\n", name)[0] == []


def test_record_on_one_line_keeps_its_bytes() -> None:
    lines = [HI + b"\r\n", b" " + HELLO + b"\n", HI]
    assert [r.data for r in read_records(io.BytesIO(b"".join(lines))) if isinstance(r, Record)] == lines


def test_record_over_lines_keeps_its_bytes() -> None:
    assert [r.data for r in read_records(io.BytesIO(PRETTY + b"\n")) if isinstance(r, Record)] == [PRETTY + b"\n"]


def test_decoder_is_the_callers() -> None:
    data = b'{"a": 1.10}\n{\n "a": 1e3\n}\n{"a": "\\ud800", "b": 1.50}\n'
    found = list(read_records(io.BytesIO(data), decode=jsontext.decode))
    assert [jsontext.encode(r.value) for r in found if isinstance(r, Record)] == [
        b'{"a":1.10}', b'{"a":1e3}', b'{"a":"\\ud800","b":1.50}',
    ]  # fmt: skip


# Broken files
# Each: the bytes, the faults (kind, row, column, path), the rows of the records read.

BROKEN: dict[str, tuple[bytes, list[Place], list[int]]] = {
    "empty": (b"", [("empty-file", 1, 1, "")], []),
    "blank": (b"\n \n\t\r\n", [("empty-file", 1, 1, "")], []),
    "only-a-mark": (b"\xef\xbb\xbf\n", [("empty-file", 1, 1, "")], []),
    "mark": (b"\xef\xbb\xbf" + HI + b"\n" + HELLO, [("utf8-bom", 1, 1, "")], [1, 2]),
    "mark-pretty": (b"\xef\xbb\xbf" + PRETTY, [("utf8-bom", 1, 1, "")], [1]),
    "cut-last": (HI + b"\n" + HELLO[:25], [("truncated-last-line", 2, 26, "")], [1]),
    "cut-last-newline": (HI + b"\n" + HELLO[:25] + b"\n\n", [("truncated-last-line", 2, 26, "")], [1]),
    "cut-last-word": (HI + b'\n{"a": tr', [("truncated-last-line", 2, 9, "")], [1]),
    "cut-last-escape": (HI + b'\n{"a": "\\u00', [("truncated-last-line", 2, 12, "")], [1]),
    "cut-last-character": (HI + b'\n{"a": "\xc3', [("truncated-last-line", 2, 9, "")], [1]),
    "cut-only-line": (b'{"a": ["b",', [("truncated-last-line", 1, 12, "")], []),
    "cut-middle": (HI + b"\n" + HELLO[:25] + b"\n" + HI, [("invalid-json", 2, 26, "")], [1, 3]),
    "cut-middle-between-values": (b'{"a": 1,\n' + HI + b"\n" + HI, [("invalid-json", 1, 9, "")], [2, 3]),
    "cut-middle-fits": (b'{"a":\n' + HI + b"\n", [("invalid-json", 1, 6, "")], [2]),
    "cut-middle-word": (b'{"a": nul\n' + HI + b"\n", [("invalid-json", 1, 10, "")], [2]),
    "two-pretty": (PRETTY + b"\n" + PRETTY + b"\n", [("raw-newline-in-record", 1, 1, "")], [1, 7]),
    "two-pretty-touching": (PRETTY + PRETTY, [("raw-newline-in-record", row, col, "") for row, col in ((1, 1), (6, 2))], [1, 6]),
    "cut-pretty": (PRETTY[:20] + b"\n" + PRETTY, [("invalid-json", 2, 18, "")], [4]),
    "glued-whole": (HI + HELLO + b"\n" + HI, [("glued-records", 1, 34, "")], [1, 1, 2]),
    "glued-three": (HI + b"  " + HELLO + HI, [("glued-records", 1, 36, "")], [1, 1, 1]),
    "glued-carriage-returns": (HI + b"\r" + HELLO + b"\r", [("glued-records", 1, 35, "")], [1, 1]),
    "glued-cut-in-string": (HELLO[:34] + HELLO + b"\n" + HI, [("glued-records", 1, 35, "")], [1, 2]),
    "glued-cut-in-key": (b'{"role": "user", "con' + HELLO, [("glued-records", 1, 22, "")], [1]),
    "glued-cut-in-word": (b'{"a": tru' + HELLO, [("glued-records", 1, 10, "")], [1]),
    "glued-cut-in-escape": (b'{"a": "\\' + HELLO, [("glued-records", 1, 9, "")], [1]),
    "glued-cut-in-character": (b'{"a": "\xc3' + HELLO, [("glued-records", 1, 9, "")], [1]),
    "glued-cut-after-object": (b'{"a": {"b": 1}, "c": "d' + HELLO, [("glued-records", 1, 24, "")], [1]),
    "glued-twice-cut": (b'{"a":"x{"b":"y' + HI, [("glued-records", 1, 15, "")], [1]),
    "glued-whole-then-cut": (HI + HELLO[:20] + b"\n" + HI, [("glued-records", 1, 34, "")], [1, 2]),
    "raw-newline": (b'{"a": "b\nc"}\n' + HI, [("raw-newline-in-record", 1, 9, "")], [1, 3]),
    "raw-newlines": (b'{"a": "b\n\n\\"c\\" \r\nd", "e": "\n"}\n' + HI, [("raw-newline-in-record", 1, 9, "")], [1, 6]),
    "raw-newline-in-pretty": (PRETTY.replace(b"user", b"us\ner"), [("raw-newline-in-record", 2, 14, "")], [1]),
    "raw-newline-never-ends": (b'{"a": "b\nc', [("raw-newline-in-record", 1, 9, "")], []),
    "pretty-among-lines": (HI + b"\n" + PRETTY + b"\n" + HI, [("raw-newline-in-record", 2, 1, "")], [1, 2, 8]),
    "junk": (HI + b"\n{role: user}\n" + HELLO, [("invalid-json", 2, 2, "")], [1, 3]),
    "junk-words": (b"hello\n" + HI + b"\nworld\n", [("invalid-json", 1, 1, ""), ("invalid-json", 3, 1, "")], [2]),
    "junk-quotes": (b'"\n"\n' + HI, [("invalid-json", 1, 2, ""), ("invalid-json", 2, 2, "")], [3]),
    "junk-before": (b"INFO " + HI, [("invalid-json", 1, 1, "")], [1]),
    "junk-behind": (HI + b" ok\n" + HI, [("invalid-json", 1, 35, "")], [1, 2]),
    "comma-behind": (HI + b",\n" + HI, [("invalid-json", 1, 34, "")], [1, 2]),
    "quotes-not-escaped": (b'{"a": "he said "see {x}" ok"}\n', [("invalid-json", 1, 17, "")], []),
    "raw-tab": (b'{"a": "b\tc\x1b[0m"}\n', [("invalid-json", 1, 9, "")], [1]),
    "rows-with-a-bad-one": (ROWS.replace(b'"hello"', b"hello"), [("invalid-json", 3, 34, "")], [1, 4]),
    "document-broken": (DOCUMENT.replace(b"hello", b'h"e'), [("invalid-json", 4, 39, "")], [1]),
    "nul-line": (HI + b"\n" + b"\0" * 64 + b"\n" + HELLO, [("nul-bytes", 2, 1, "")], [1, 3]),
    "nul-tail": (HI + b"\n" + b"\0" * 64, [("nul-bytes", 2, 1, "")], [1]),
    "nul-before": (HI + b"\n\0\0" + HELLO, [("nul-bytes", 2, 1, "")], [1, 2]),
    "nul-inside": (b'{"a": "b\0\0c"}', [("nul-bytes", 1, 9, "")], [1]),
    "nul-between": (HELLO[:20] + b"\0\0" + HELLO, [("nul-bytes", 1, 21, "")], [1]),
    "nul-in-pretty": (PRETTY.replace(b"  ]", b"\0\0]"), [("nul-bytes", 5, 1, "")], [1]),
    "latin-1": (b'{"a": "caf\xe9 \xff"}\n' + HI, [("invalid-utf8", 1, 11, "")], [1, 2]),
    "latin-1-after-others": ('{"ä": "é'.encode() + b'\xe9"}', [("invalid-utf8", 1, 9, "")], [1]),
    "latin-1-in-pretty": (PRETTY.replace(b"user", b"us\xe9r"), [("invalid-utf8", 2, 14, "")], [1]),
    "lone-surrogates": (
        b'{"a": "\\ud83c", "b": ["\\ud83c\\udfa8", "x\\udfa8"]}',
        [("lone-surrogate", 1, 7, "/a"), ("lone-surrogate", 1, 39, "/b/1")],
        [1],
    ),
    "lone-surrogate-in-key": (b'{"a": {"\\ud83c": 1}}', [("lone-surrogate", 1, 7, "/a")], [1]),
    "lone-surrogate-in-pretty": (b'{\n  "a": "\\ud83c"\n}', [("lone-surrogate", 2, 8, "/a")], [1]),
    "nan": (b'{"a": {"b": NaN}, "c": [1, -Infinity]}', [("nonfinite-number", 1, 13, "/a/b"), ("nonfinite-number", 1, 28, "/c/1")], [1]),
    "nan-glued": (b'{"a": NaN}{"b": 1}', [("glued-records", 1, 11, ""), ("nonfinite-number", 1, 7, "/a")], [1, 1]),
    "deep": (b"[" * 5000 + b"]" * 5000 + b"\n" + HI, [("deep-nesting", 1, 1, "")], [2]),
    "document-cut": (DOCUMENT[:80], [("truncated-document", 4, 14, "")], [1]),
    "document-cut-early": (DOCUMENT[:30], [("truncated-document", 2, 15, "")], []),
    "rows-cut": (ROWS[:60], [("truncated-document", 3, 24, "")], [1]),
    "brackets": (b"[\n" * 3000, [("truncated-document", 3000, 2, "")], []),
}  # fmt: skip


@pytest.mark.parametrize(("data", "faults", "records"), BROKEN.values(), ids=BROKEN)
def test_broken_file(data: bytes, faults: list[Place], records: list[int]) -> None:
    result = read(data)
    assert result[0] == faults
    assert rows(result) == records


@pytest.mark.parametrize("name", BROKEN)
def test_rest_of_a_broken_file_has_its_place(name: str) -> None:
    """A whole record behind a broken one is read at its own row and column, with its own bytes."""
    data = BROKEN[name][0]
    for found in read_records(io.BytesIO(data), filename="log.jsonl"):
        if isinstance(found, Record) and found.data.strip() in (HI, HELLO):
            line = data.split(b"\n")[found.row - 1].removeprefix(b"data: ")
            assert line.decode("utf-8", "surrogateescape")[found.column - 1 :].startswith(found.data.rstrip().decode())


@pytest.mark.parametrize(
    ("data", "column"), [(b"\0\0" + HI, 3), (b" \0" + HI, 1), (HI[:10] + b"\0\0" + HI, 13), (HI + b"\0" + HELLO, 35)]
)
def test_nul_bytes_count_as_columns(data: bytes, column: int) -> None:
    assert read(data)[1][-1][1] == column


MENDED = [
    (b'{"a": "b\nc"}', {"a": "b\nc"}),
    (b'{"a": "b\0\0c"}', {"a": "bc"}),
    (b'{"a": "caf\xe9"}', {"a": "caf\ufffd"}),
    (b'{"a": "\xed\xa0\xbd"}', {"a": "\ufffd\ufffd\ufffd"}),
    (b'{"a": "b\tc\x1b[0m"}', {"a": "b\tc\x1b[0m"}),
    (DOCUMENT[:80], {"model": "m", "messages": [{"role": "user", "content": "hi"}]}),
    (ROWS[:60], [{"role": "user", "content": "hi"}]),
    (b'[\n [1],\n [2, {"a": [3, 4', [[1]]),
]


@pytest.mark.parametrize(("data", "value"), MENDED)
def test_what_can_be_saved_is_read(data: bytes, value: Any) -> None:
    (record,) = [found for found in read_records(io.BytesIO(data)) if isinstance(found, Record)]
    assert record.value == value
    assert orjson.loads(record.data) == value


UNREADABLE = {"cut-last", "cut-middle", "glued-cut-in-string", "glued-whole-then-cut", "junk", "deep", "document-cut"}
READABLE = {
    "glued-whole",
    "raw-newline",
    "nul-line",
    "nul-before",
    "latin-1",
    "nan",
    "mark",
    "comma-behind",
    "lone-surrogates",
}


@pytest.mark.parametrize("name", sorted(UNREADABLE | READABLE))
def test_fault_tells_whether_something_is_lost(name: str) -> None:
    faults = [f for f in read_records(io.BytesIO(BROKEN[name][0])) if isinstance(f, LineFault)]
    assert any(fault.is_unreadable for fault in faults) == (name in UNREADABLE)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_unicode_encodings_are_read(encoding: str) -> None:
    text = '{"a": "\U0001f3a8\u0a0a"}\n{"b": 1}'
    faults, records = read(text.encode(encoding))
    assert faults == [("invalid-utf8", 1, 1, "")]
    assert [value for _, _, value in records] == [{"a": "\U0001f3a8\u0a0a"}, {"b": 1}]


def test_bytes_like_a_mark_are_no_encoding() -> None:
    assert rows(read(b"\xff\xfe\xfd\n" + HI + b"\n" + HELLO)) == [2, 3]


def test_json_document_on_one_line_is_cut_as_a_document() -> None:
    data = b"[" + HI + b", " + HELLO[:10]
    assert read(data, "log.json") == ([("truncated-document", 1, 47, "")], [(1, 1, [orjson.loads(HI)])])
    assert read(data, "log.jsonl")[0] == [("truncated-last-line", 1, 47, "")]


WORDS = [
    (b"{'a': 1}", "a Python literal is no JSON"),
    (b'{"a": True}', "True is no value of JSON"),
    (b'{"a": 1,}', "a comma stands before }"),
    (b"[1, ]", "a comma stands before ]"),
    (b'{"a" 1}', "expected a colon, found `1`"),
    (b'{"a": "\\x"}', "\\x is no escape of JSON"),
    (b'{"a": "\x1b[0m}', "control character U+001B is not escaped"),
    (b'{"a": 01}', "expected a value, found `0`"),
    (b'{"a": \xe2\x80\xae1}', "found U+202E"),
    (b"{oops", "expected a key in double quotes or }, found `o`"),
    (b"{`a`: 1}", "or }, found a backtick"),
    (b'{"a": 1}}', "text follows the record"),
]


@pytest.mark.parametrize(("line", "words"), WORDS)
def test_fault_says_what_is_wrong(line: bytes, words: str) -> None:
    (fault,) = [found for found in read_records(io.BytesIO(line)) if isinstance(found, LineFault)]
    assert words in fault.message
    assert fault.message.isprintable()


# Binary, memory

BINARY = [
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    b"%PDF-1.7\n%\xe2\xe3\n",
    b"PK\x03\x04\x14\0",
    bytes(range(1, 256)) * 8,
    b"\xff\xd8\xff\xe0",
]


@pytest.mark.parametrize("data", BINARY, ids=lambda data: repr(data[:4]))
def test_binary_file_is_one_error(data: bytes) -> None:
    with pytest.raises(UnreadableInput, match=r"^log\.jsonl: is binary, not a transcript$"):
        list(read_records(io.BytesIO(data), filename="log.jsonl"))


def test_records_behind_binary_junk_are_read() -> None:
    assert rows(read(b"\x89PNG\r\n\x1a\n\xff\xfe\x01\n" + HI + b"\n")) == [4]


class Endless(io.RawIOBase):
    """A file without an end, that counts what is read of it."""

    def __init__(self, make: Callable[[int], bytes]) -> None:
        self._lines: Iterator[bytes] = (make(number) for number in itertools.count())
        self._rest = b""
        self.taken = 0

    def readable(self) -> bool:  # noqa: D102 - as in its base
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: D102 - as in its base
        while not self._rest:
            self._rest = next(self._lines)
        part = self._rest[: len(buffer)]
        self._rest = self._rest[len(part) :]
        buffer[: len(part)] = part
        self.taken += len(part)
        return len(part)


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"junk\n",
        b"[\n",
        HELLO[:25] + b"\n",
        b'{"messages": [\n',
        b'{"a":\n',
        b"\0\0\n",
        b"\xef\xbb\xbf\n",
        PRETTY + b"\n",
    ],
)
def test_reading_looks_ahead_no_further_than_it_must(start: bytes) -> None:
    raw = Endless(lambda number: start if number == 0 and start else HI + b"\n")
    found = read_records(io.BufferedReader(raw, 1000))
    assert sum(isinstance(item, Record) for item in itertools.islice(found, 200)) >= 190
    assert raw.taken < 20_000


@pytest.mark.parametrize(
    "line", [b"[\n", b'{"a": {}, "b":\n', b'["\n', b'{"a":\n', b'{"a": "\n', b'[{"a": 1}\n', b"{{{{\n"]
)
def test_work_is_proportional_to_bytes(line: bytes) -> None:
    """Twenty thousand lines that each could begin a value over lines are done in a moment."""
    with at_most(10):
        assert read(line * 20_000)[0]


def test_glued_openings_are_linear() -> None:
    with at_most(10):
        for data in (b'{"a{' * 20_000, b"{" * 50_000, b'{"a": "b"} x ' * 10_000):
            assert read(data)[0]


@pytest.mark.parametrize(("kind", "value"), [("nonfinite-number", b"NaN"), ("lone-surrogate", rb'"\ud83c"')])
@pytest.mark.parametrize("count", [1, MOST_TOLD, MOST_TOLD + 1, 50_000])
def test_many_odd_values_of_one_record_are_counted(kind: str, value: bytes, count: int) -> None:
    data = b'{"a": [' + b",".join([value] * count) + b"]}"
    with at_most(10):
        found = read(data)[0]
    faults = [item for item in read_records(io.BytesIO(data)) if isinstance(item, LineFault)]
    told = min(count, MOST_TOLD + 1)
    assert [path for *_, path in found] == [f"/a/{number}" for number in range(told)]
    assert {fault.kind for fault in faults} == {kind}
    more = f"(and {count - told} more like it in this record)"
    assert [fault.message.endswith(more) for fault in faults] == [False] * (told - 1) + [count > told]
