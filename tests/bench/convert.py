"""Measure `convert` against the floor: the CPU time of `orjson.loads` for every line of the same file, in the same run.

    python tests/bench/convert.py FORMAT A.jsonl B.jsonl …

Each measurement runs in a forked child of its own, floor and conversion in turn; start-up is not counted. Prints the median
ratio of the rounds, their range, and the memory that converting took beyond the interpreter's.
"""

import os
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2] / "core"), str(Path(__file__).parents[1])]

from bench.measuring import BUFFER, compare  # noqa: E402 - runs from a bare clone

from lighter.conversion import ConvertOptions, convert_stream, write_pieces  # noqa: E402 - as above


def convert(path: str) -> int:
    """Convert a file as the command does, and throw the result away; gives the number of losses."""
    losses = 0
    with open(path, "rb", buffering=BUFFER) as stream, open(os.devnull, "wb") as out:  # noqa: PTH123 - as the floor is read
        for piece in convert_stream(stream, path, ConvertOptions(sys.argv[1])):
            write_pieces([piece], out, None)
            losses += len(piece.losses)
    return losses


def main() -> None:
    """Measure the files that the command line names."""
    small = Path(__file__).parents[2] / "sample_conversations" / "good" / "openai-chat" / "calculator.jsonl"
    convert(str(small))  # loads what every run loads
    compare(convert, sys.argv[2:], rounds=5, bare=str(small), names=("conv. s", "losses"))


if __name__ == "__main__":
    main()
