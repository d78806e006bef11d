"""How the records of a file are laid out in lines, and which take several where each is to have one."""

from collections.abc import Iterator, Mapping, Sequence

from lighter.inputs import is_jsonl
from lighter.lines import Line
from lighter.records import LineFault, Stretch


def spread_records(
    filename: str | None, one_line: int, many_lines: Sequence[Line], stretches: Mapping[int, Stretch]
) -> Iterator[LineFault]:
    """Tell of records on several lines: each of those that stand among records on one, or all at once where the name is JSONL's.

    `many_lines` are their first lines, `one_line` counts the others. A single value is taken as what it is, printed for a reader.
    """
    rows = tuple(line.row for line in many_lines)
    is_all = not one_line and len(rows) > 1 and is_jsonl(filename)
    if is_all and stretches.keys().isdisjoint(rows):
        message = f"all {len(rows)} records are printed over several lines, in a file that is to have one record a line"
        yield _fault(many_lines[0], message, None, rows)
    elif is_all or (one_line >= len(rows) and one_line and not (filename or "").endswith(".json")):
        for line in many_lines:
            message = "a record is spread over several lines, in a file with one record a line"
            yield _fault(line, message, stretches.get(line.row), (line.row,))


def _fault(first: Line, message: str, stretch: Stretch | None, rows: tuple[int, ...]) -> LineFault:
    kind = "raw-newline-in-record"
    return LineFault(kind, first.row, first.column, message, data=first.data, stretch=stretch, spread=rows)
