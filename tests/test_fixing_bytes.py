"""Damaged files: no record is lost by repairing them, whatever stands between, and what is no record is set aside."""

import io
import time

import pytest
from fixed import fixed
from hypothesis import given
from hypothesis import strategies as st

from lighter.fixing_bytes import flat
from lighter.linting import LintOptions
from lighter.records import Record
from lighter.source import read_records

numbers = st.integers(0, 999)
good = numbers.map(lambda n: b'{"role": "user",  "content":"%d", "x":1.0}' % n)
damage = st.one_of(
    st.sampled_from([b"", b"  ", b"\0\0\0\0", b"{bad}", b"no json", b'{"role":"user","content":"cut', b"5"]),
    numbers.map(lambda n: b'{"role":"user","content":"caf\xe9 %d"}' % n),
    numbers.map(lambda n: b'{"role":"user","content":"\\ud83c %d"}' % n),
    numbers.map(lambda n: b'{"role":"user","content":"\x01 %d"}' % n),
    numbers.map(lambda n: b'{"role":"user","content":"\0%d"}' % n),
    numbers.map(lambda n: b'{"role":"user","content":"%d","n":NaN}' % n),
    st.tuples(good, good).map(b"".join),
    st.tuples(st.just(b'{"role":"user","content":"cut'), good).map(b"".join),
    st.tuples(good, st.just(b",")).map(b"".join),
    st.tuples(good, st.just(b" and more")).map(b"".join),
)
files = st.tuples(
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
    st.lists(st.one_of(good, damage), min_size=1, max_size=7),
    st.sampled_from([b"\n", b"\r\n"]),
    st.booleans(),
).map(lambda parts: parts[0] + parts[2].join(parts[1]) + parts[2] * parts[3])


def contents(data: bytes) -> list[str]:
    """Read the digits of what the records of a file say."""
    records = (item.value for item in read_records(io.BytesIO(data), filename="a.jsonl") if isinstance(item, Record))
    return ["".join(filter(str.isdigit, value["content"])) for value in records if isinstance(value, dict)]


@given(files, st.booleans(), st.booleans())
def test_no_record_is_lost(data: bytes, is_unsafe: bool, may_set_aside: bool) -> None:
    done = fixed(data, is_unsafe=is_unsafe, may_set_aside=may_set_aside)
    assert contents(done.data) == contents(data)
    assert fixed(done.data, is_unsafe=is_unsafe, may_set_aside=may_set_aside).data == done.data
    whole = [line for line in data.split(b"\n") if line.endswith(b"1.0}") and line.startswith(b'{"role": ')]
    assert all(line in done.data for line in whole if line.count(b"{") == 1)
    kept = done.data + done.aside
    for word in (b"{bad}", b"no json", b"and more"):
        assert kept.count(word) == data.count(word)
    assert not done.aside or may_set_aside


@pytest.mark.parametrize(
    ("data", "expected", "aside"),
    [
        ('{"role":"user","content":"1\n2"}\n', b'{"role":"user","content":"1\\n2"}\n', b""),
        (
            '{"role":"user","content":"1"}\n{"role":"user",\n "content": "2" }\n{"role":"user","content":"3"}\n',
            b'{"role":"user","content":"1"}\n{"role":"user","content":"2"}\n{"role":"user","content":"3"}\n',
            b"",
        ),
        (
            '[{"role":"user","content":"caf\u00e9"}]'.encode("utf-16"),
            '[{"role":"user","content":"caf\u00e9"}]'.encode(),
            b"",
        ),
        (
            b'{"messages":[{"role":"user","content":"1"},\n{"role":"user","content":"2"},{"role":"us',
            b'{"messages":[{"role":"user","content":"1"},\n{"role":"user","content":"2"}]}',
            b',{"role":"us\n',
        ),
        (
            b'{"role":"user","content":"1"}\n{"role":"us\0\0{"role":"user","content":"2"}\n',
            b'{"role":"user","content":"1"}\n{"role":"user","content":"2"}\n',
            b'{"role":"us\0\0\n',
        ),
        # Each fault is repaired beside the others, whichever stand next to it.
        (b'{"role":"user","content":"1\n2"}\n,\n', b'{"role":"user","content":"1\\n2"}\n', b""),
        (
            b'{"role":"user","cont\n{"role":"user","content":"1\n2"}\n{"role":"user","content":"3"}\n',
            b'{"role":"user","content":"1\\n2"}\n{"role":"user","content":"3"}\n',
            b'{"role":"user","cont\n',
        ),
        (b'\xef\xbb\xbf\xef\xbb\xbf{"role":"user","content":"1"}\n', b'{"role":"user","content":"1"}\n', b""),
        # What is told as one fault may hide others, whose text is kept as well.
        (
            b'\0\0]{"role":"user","content":"1"}{"role":"user","content":"2"\n{"role":"user","content":"3"}\n',
            b'{"role":"user","content":"1"}\n{"role":"user","content":"3"}\n',
            b'\0\0]\n{"role":"user","content":"2"\n',
        ),
        (
            b'{"role":"us\xe9er"} and more\n{"role":"user","content":"3"}\n',
            '{"role":"us\N{REPLACEMENT CHARACTER}er"}\n{"role":"user","content":"3"}\n'.encode(),
            b" and more\n",
        ),
        # A line that breaks off and is no UTF-8 goes with the document that it breaks.
        (
            b'[{"role":"user","content":"1"},{"role":"user",\n"conte\xe6nt":{\n',
            b'[{"role":"user","content":"1"}]',
            b',{"role":"user",\n"conte\xe6nt":{\n',
        ),
        # A record that touches the next one is not flattened over it.
        (b'{"role":"user",\n"content":"1"}{"role":"user","content":"2"}\n', None, b""),
        # Pieces of a broken document stay as they are.
        (b'[{"role":"user",\n"content":"1"},le":"x"\n', None, b""),
    ],
)
def test_damage_is_repaired(data: bytes | str, expected: bytes | None, aside: bytes) -> None:
    done = fixed(data)
    assert done.data == data if expected is None else done.data.rstrip(b"\n") == expected.rstrip(b"\n")
    assert done.aside == aside


def test_a_file_in_another_encoding_is_left_alone_where_that_is_not_to_be_repaired() -> None:
    data = '{"role":"user","content":"1"}{"role":"user","content":"2"}\n'.encode("utf-16")
    assert fixed(data, LintOptions(select=("F103",))).data == data
    assert fixed(data, LintOptions(select=("F103", "F108"))).data.count(b"\n") == 2


def test_a_stream_of_events_is_left_alone() -> None:
    data = b'event: x\ndata: {"type":"message_start"}\n\ndata: {"a":\n\n'
    assert fixed(data).data == data


def test_a_spread_value_is_written_on_one_line_with_its_strings_as_they_are() -> None:
    assert flat(b'{\n  "a b": [1,\n 2],\t"c": "x  \\n y"\n}') == b'{"a b":[1,2],"c":"x  \\n y"}'


def test_records_that_are_all_printed_for_a_reader_are_written_a_line_each_for_one_finding() -> None:
    message = b'{\n  "role": "user",\n  "content": "a  b"\n}\n'
    done = fixed(b"\n" + message * 3)
    assert done.data == b"\n" + b'{"role":"user","content":"a  b"}\n' * 3
    assert done.codes == ["F104"]


@pytest.mark.slow
@pytest.mark.parametrize("mark", [b"", b"\xe9"])
def test_the_work_is_proportional_to_the_records_on_a_line(mark: bytes) -> None:
    took: list[float] = []
    for count in (2_000, 20_000):
        record = b'{"role":"user","content":"' + "caf\u00e9 ".encode() * 5 + mark + b'"}'
        start = time.process_time()
        assert fixed(record * count + b"\n").data.count(b"\n") == count
        took.append(time.process_time() - start)
    assert took[1] < 30 * took[0]
