"""What a conversion could not carry unchanged, as values."""

from typing import Literal

from msgspec import Struct

Action = Literal["dropped", "moved", "rewritten", "synthesised"]


class Loss(Struct, frozen=True):
    """One thing that does not arrive as it was; `path` points into the source record at row `row` (1-based).

    dropped: it is not in the output. moved: it is, elsewhere. rewritten: it is, in another form (`is_reversible` when the
    way back can restore it). synthesised: the writer added something for which `path` names the need.
    """

    row: int
    path: str
    feature: str
    action: Action
    detail: str
    is_reversible: bool = False
    filename: str | None = None


def truncated(row: int, path: str) -> Loss:
    """Tell that an answer which came in pieces, the first of which stands there, is not whole."""
    detail = "the stream is not whole, and what came of the answer stands as if it were all of it"
    return Loss(row, path, "truncated-stream", "rewritten", detail)
