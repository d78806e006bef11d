"""Measure `convert` against a plain pass, `orjson.loads`, `orjson.dumps` and a write for every line, in the same run.

    python tests/bench/convert.py FORMAT A.jsonl B.jsonl …

Each measurement runs in a forked child of its own, plain pass and conversion in turn; start-up is not counted. Prints the median
ratio of the rounds, their range, and the memory that converting took beyond the interpreter's.
"""

import sys
import tempfile
from pathlib import Path
from typing import BinaryIO, cast

sys.path[:0] = [str(Path(__file__).parents[2] / "core"), str(Path(__file__).parents[1])]

from bench.measuring import BUFFER, compare, copying  # noqa: E402 - runs from a bare clone

from lighter.conversion import ConvertOptions, convert_stream, write_pieces  # noqa: E402 - as above


def convert(path: str) -> int:
    """Convert a file as the command does; gives the number of losses."""
    losses = 0
    with open(path, "rb", buffering=BUFFER) as stream, tempfile.TemporaryFile("wb", BUFFER) as out:  # noqa: PTH123 - a plain path
        for piece in convert_stream(stream, path, ConvertOptions(sys.argv[1])):
            write_pieces([piece], cast("BinaryIO", out), None)
            losses += len(piece.losses)
    return losses


def main() -> None:
    """Measure the files that the command line names."""
    samples = Path(__file__).parents[2] / "sample_conversations"
    small = samples / "good" / "openai-chat" / "calculator.jsonl"
    for sample in (small, samples / "bad" / "missing-tool-result.jsonl"):
        convert(str(sample))  # loads what every run loads, the rules too
    compare(convert, sys.argv[2:], base=copying, rounds=7, bare=str(small), names=("conv. s", "losses"))


if __name__ == "__main__":
    main()
