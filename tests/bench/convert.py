"""Measure `convert` against the floor: the CPU time of `orjson.loads` for every line of the same file, in the same run.

    python tests/bench/convert.py FORMAT A.jsonl B.jsonl …

Each measurement runs in a forked child of its own, floor and conversion in turn; start-up is not counted. Prints the median
ratio of the rounds, their range, and the memory that converting took beyond the interpreter's.
"""

import os
import statistics
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2] / "core"), str(Path(__file__).parents[1])]

from bench.measuring import BUFFER, floor, measured  # noqa: E402 - runs from a bare clone

from lighter.conversion import ConvertOptions, convert_stream, write_pieces  # noqa: E402 - runs from a bare clone

ROUNDS = 5


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
    bare = measured(convert, str(small))
    sys.stdout.write(
        f"{'file':24} {'floor s':>8} {'conv. s':>8} {'ratio':>6} {'range':>12} {'MB more':>8} {'losses':>8}\n"
    )
    for path in sys.argv[2:]:
        rounds = [(measured(floor, path), measured(convert, path)) for _ in range(ROUNDS)]
        ratios = [one[0] / base[0] for base, one in rounds]
        more = max(one[1] for _, one in rounds) - bare[1]
        seconds = [statistics.median(times) for times in zip(*((b[0], o[0]) for b, o in rounds), strict=True)]
        sys.stdout.write(
            f"{Path(path).name:24} {seconds[0]:8.3f} {seconds[1]:8.3f} {statistics.median(ratios):6.2f} "
            f"{min(ratios):5.2f}-{max(ratios):5.2f} {more / 1024:8.1f} {rounds[0][1][2]:8}\n"
        )


if __name__ == "__main__":
    main()
