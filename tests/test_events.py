"""Lines of server-sent events: their data, whole or on several lines, and what holds none."""

import io
import json

import pytest

from lighter.events import joined_data, start_of_data
from lighter.lines import Lines
from lighter.source import read_records


@pytest.mark.parametrize(
    ("line", "start"),
    [
        (b'data: {"a": 1}\n', 6),
        (b'data:{"a": 1}\n', 5),
        (b"data:\n", 5),
        (b"data: [DONE]\n", 13),
        (b"data: [DO", 9),
        (b"event: message_start\r\n", 22),
        (b": a comment\n", 12),
        (b"id: 7\n", 6),
        (b"retry: 3000\n", 12),
        (b"da", 2),
        (b"event", 5),
        (b'{"a": 1}\n', None),
        (b"dates\n", None),
    ],
)
def test_data_are_found(line: bytes, start: int | None) -> None:
    assert start_of_data(line, is_begun=True) == start
    if start is not None and len(line) > 5:
        assert start_of_data(line, is_begun=False) == start


def test_a_cut_name_is_one_only_after_events() -> None:
    assert start_of_data(b"da", is_begun=False) is None


def is_whole(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    ("rest", "expected", "left"),
    [
        (b'data: "a":\ndata: 1}\n\nmore\n', b'{\n "a":\n 1}\n', b"\n"),
        (b'data: "a":\n\n', b"{\n", b'data: "a":\n'),
        (b'data: {"b": 2}\n', b"{\n", b'data: {"b": 2}\n'),
        (b"", b"{\n", None),
    ],
)
def test_data_on_several_lines_are_joined(rest: bytes, expected: bytes, left: bytes | None) -> None:
    lines = Lines(io.BytesIO(rest))
    assert joined_data(b"{\n", lines, is_whole) == expected
    after = lines.take()
    assert (after and after.data) == left


def test_rows_are_those_of_the_first_line_of_data() -> None:
    data = b'event: a\ndata: {"n":\ndata: 1}\n\nevent: b\ndata: {"n": 2}\n'
    found = [(item.row, item.column, getattr(item, "value", None)) for item in read_records(io.BytesIO(data))]
    assert found == [(2, 7, {"n": 1}), (6, 7, {"n": 2})]


def test_many_broken_lines_of_data_cost_little() -> None:
    found = list(read_records(io.BytesIO(b'data: {"a": tru\n' * 2000)))
    assert len(found) >= 2000
