"""Any bytes whatsoever are read without a traceback, and good lines are read whatever stands around them."""

import contextlib
import io
import json
import random
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lighter import jsontext
from lighter.errors import UnreadableInput
from lighter.locate import locate
from lighter.records import LineFault, Record
from lighter.repeated import may_repeat_keys
from lighter.rules import rules
from lighter.source import read_records

FILE_RULES = {module.rule.name: module for module in rules() if module.rule.code.startswith("F")}
PIECES = [
    b"{", b"}", b"[", b"]", b'"', b":", b",", b"\n", b"\r\n", b"\\", b"\0", b"\0" * 9, b"\xff", b"\xc3", b"\xef\xbb\xbf", b"NaN", b"1e400",
    b'{"role": "user", "content": "hi"}', b'"a": ', b'"a": "b",\n', b"\\ud83c", b"\\u0000", b"tru", b"-", b"0", b" ", b"\t", b"data: ",
    b"[" * 300, b"]" * 300, b"12345678901234567890", b"\xff\xfe", b"\x1f\x8b", b"{'a': None}", b"\x7fELF", b'{"a": "', b'"}', b"\xe2\x80\xa8",
]  # fmt: skip
JUMBLES = st.lists(st.sampled_from(PIECES) | st.binary(max_size=4), max_size=30).map(b"".join)


def check(data: bytes, decode: Any = orjson.loads, name: str = "log.jsonl") -> list[Record | LineFault]:
    """Read bytes, and check what every reading must keep to."""
    found: list[Record | LineFault] = []
    with contextlib.suppress(UnreadableInput):
        found.extend(read_records(io.BytesIO(data), filename=name, decode=decode))
    is_wide = any(
        isinstance(item, LineFault) and "UTF-" in item.message and "the file is" in item.message for item in found
    )
    lines = data.split(b"\n")
    for item in found:
        assert item.row >= 1
        assert item.column >= 1
        if not is_wide:
            assert item.row <= len(lines)
            assert item.column <= len(lines[item.row - 1].decode("utf-8", "surrogateescape")) + 1
        if isinstance(item, LineFault):
            assert item.kind in FILE_RULES
            assert item.message.isprintable()
        else:
            locate(item, "/content/0")
            for module in FILE_RULES.values():
                if module.check_record is not None:
                    list(module.check_record(item, item.value))
    return found


@given(JUMBLES, st.sampled_from([orjson.loads, jsontext.decode]), st.sampled_from(["log.jsonl", "log.json"]))
def test_any_bytes_are_read(data: bytes, decode: Any, name: str) -> None:
    found = check(data, decode, name)
    if not data.strip(b" \t\r\n"):
        assert [item.kind for item in found if isinstance(item, LineFault)] == ["empty-file"]


@given(st.binary(max_size=200))
def test_any_noise_is_read(data: bytes) -> None:
    check(data)


MUTATED = "\n".join(
    [
        json.dumps({"role": "user", "content": "Wie hoch steht das Wasser? 🎨"}, ensure_ascii=False),
        json.dumps(
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c1", "function": {"arguments": '{"a": "b"}'}}],
            }
        ),
        json.dumps({"messages": [{"role": "user", "content": "hi\n"}]}, indent=2),
    ]
).encode()


@pytest.mark.parametrize("seed", range(20))
def test_mutants_are_read(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - repeatable, not secret
    for _ in range(40):
        data = bytearray(MUTATED)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(data))
            match chance.randrange(4):
                case 0:
                    data[at] = chance.randrange(256)
                case 1:
                    del data[at : at + chance.randint(1, 30)]
                case 2:
                    data[at:at] = chance.choice(PIECES)
                case _:
                    data[at:at] = data[at : at + chance.randint(1, 60)]
        check(bytes(data))


GOOD = st.builds(
    lambda role, content, extra: json.dumps({"role": role, "content": content, **extra}, ensure_ascii=False).encode(),
    st.sampled_from(["user", "assistant"]),
    st.text(st.characters(codec="utf-8"), max_size=12),
    st.dictionaries(
        st.text(st.characters(codec="utf-8"), max_size=3), st.integers(-9, 9) | st.lists(st.booleans()), max_size=2
    ),
)
BAD = st.sampled_from(
    [b"junk", b'{"role": "us', b'{"a":', b'{"a": 1,', b"[", b"{", b"[1,", b'{"a": [{"b": 1},', b'"', b"{'a': 1}", b"\0\0\0", b"}", b"]", b"tru",
     b'{"a": "\\', b"\xff\xfe\xfd", b'{"a": 1}}', b"1 2", b'{"a": "\xe9', b'"}', b'{"a": "b\x01', b"", b" ", b"{]"]
)  # fmt: skip


def objects_in(value: Any) -> Iterator[Any]:
    """Give all objects in a value: a good line between `[` and `]` is no record, but an item of one."""
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects_in(item)


@given(st.lists(st.tuples(st.booleans(), GOOD, BAD), max_size=8))
def test_good_lines_are_read_whatever_stands_around_them(choices: list[tuple[bool, bytes, bytes]]) -> None:
    lines = [good if is_good else bad for is_good, good, bad in choices]
    found = check(b"\n".join(lines))
    read = [value for item in found if isinstance(item, Record) for value in objects_in(item.value)]
    wanted = [orjson.loads(line) for (is_good, _, _), line in zip(choices, lines, strict=True) if is_good]
    assert [value for value in wanted if value not in read] == []


@given(st.lists(GOOD, max_size=6), st.sampled_from([b"\n", b"\r\n", b"\n\n"]), st.booleans())
def test_good_files_have_no_fault(lines: list[bytes], line_end: bytes, is_closed: bool) -> None:
    found = check(line_end.join(lines) + line_end * is_closed)
    assert [item for item in found if isinstance(item, LineFault)] == (
        [] if lines else [LineFault("empty-file", 1, 1, "the file is empty")]
    )
    assert [item.data.strip(b"\r\n") for item in found if isinstance(item, Record)] == lines


@given(GOOD, st.integers(0, 10_000))
def test_cut_anywhere_the_last_line_is_one_fault(line: bytes, place: int) -> None:
    cut = line[: 1 + place % (len(line) - 1)]
    found = check(line + b"\n" + cut)
    assert [(item.kind, item.row) for item in found if isinstance(item, LineFault)] == [("truncated-last-line", 2)]


@given(GOOD, GOOD, st.integers(0, 10_000))
def test_cut_anywhere_a_glued_head_leaves_the_tail(line: bytes, tail: bytes, place: int) -> None:
    cut = line[: 1 + place % (len(line) - 1)]
    found = check(cut + tail + b"\n" + line)
    kinds = [item.kind for item in found if isinstance(item, LineFault)]
    read = [item.data.strip() for item in found if isinstance(item, Record)]
    if kinds == ["glued-records"]:
        assert read == [tail, line]
    else:  # the head ended where a value may stand, so that both are one text which breaks off
        assert kinds == ["invalid-json"]
        assert read == [line]


PAIRS = st.lists(st.tuples(st.sampled_from(['"a"', '"b"', '"\\u0061"', '"a\\\\"', '":"', '""', '" :"']), st.sampled_from(["1", '":x"', '"\\":"', "{}", '" : "'])), max_size=4)  # fmt: skip


@given(PAIRS, st.sampled_from([":", " :", " : ", "\t:", "\n:"]), st.booleans())
def test_no_duplicate_key_passes_the_count(pairs: list[tuple[str, str]], colon: str, is_spaced_once: bool) -> None:
    members = [
        f"{key}{colon if not is_spaced_once or index == 0 else ':'}{value}" for index, (key, value) in enumerate(pairs)
    ]
    data = ("{" + ", ".join(members) + "}").encode()
    count = len(json.loads(data))
    assert may_repeat_keys(data, count) or len(pairs) == count
