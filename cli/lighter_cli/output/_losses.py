"""The losses of a conversion: as lines of JSON, and summed up for a reader."""

from collections import Counter

import orjson

from lighter.conversion import Converted
from lighter.excerpt import harmless
from lighter.losses import Loss
from lighter_cli.output._summary import counted

MOST_REFUSALS = 10
ACTIONS = ("dropped", "rewritten", "moved", "synthesised")


def loss_line(loss: Loss) -> bytes:
    """Write one loss as a line of the loss report."""
    value = {name: getattr(loss, name) for name in ("filename", "row", "path", "feature", "action", "detail")}
    return orjson.dumps({key: _encodable(item) for key, item in value.items()}, option=orjson.OPT_APPEND_NEWLINE)


def _encodable(value: object) -> object:
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


class LossTally:
    """Counts what a conversion wrote, copied and lost: conversations, records, and records that gave nothing."""

    def __init__(self, filename: str, target: str) -> None:
        self.filename = filename
        self.target = target
        self.written = 0
        self.copied = 0
        self.lost = 0
        self.refusals: list[str] = []
        self._counts: Counter[tuple[str, str]] = Counter()
        self._firsts: dict[tuple[str, str], Loss] = {}
        self._is_strictly_refused = False

    @property
    def is_refused(self) -> bool:
        """Say whether a strict run refuses the result."""
        return self._is_strictly_refused or bool(self.refusals)

    @property
    def is_empty(self) -> bool:
        """Say whether nothing was written so far."""
        return not (self.written or self.copied)

    def add(self, piece: Converted) -> None:
        """Count one piece."""
        self.written += not piece.is_copy and (piece.value is not None or bool(piece.records))
        self.copied += piece.is_copy
        self.lost += piece.is_lost
        self.refusals += [
            f"{found.name}{f' at {found.path}' if found.path else ''}: {found.message}" for found in piece.refusals
        ]
        for loss in piece.losses:
            key = (loss.action, loss.feature)
            self._counts[key] += 1
            self._firsts.setdefault(key, loss)
            self._is_strictly_refused |= loss.action == "dropped" or (
                loss.action == "rewritten" and not loss.is_reversible
            )

    def summary(self) -> str:
        """Sum up the conversion: a line for the whole, one for each kind of loss, and what the target would refuse."""
        total = sum(self._counts.values())
        copied = f"{counted(self.copied, 'record')} copied" if self.copied else ""
        written = f"{counted(self.written, 'conversation')} written" if self.written or not copied else ""
        done = " and ".join(filter(None, (written, copied)))
        told = {0: "nothing lost", 1: "1 loss"}.get(total, f"{total} losses")
        lines = [f"{harmless(self.filename)}: {done} as {self.target}, {told}"]
        width = max((len(feature) for _, feature in self._counts), default=0)
        for (action, feature), count in sorted(
            self._counts.items(), key=lambda item: (ACTIONS.index(item[0][0]), item[0][1])
        ):
            first = self._firsts[action, feature]
            place = f"{first.row}:{first.path or 'the record'}"
            lines.append(
                f"  {action:<11} {harmless(feature):<{width}} {count:>4}×  first {harmless(place)}: {harmless(first.detail)}"
            )
        lines += [f"  {self.target} would refuse it: {harmless(refusal)}" for refusal in self.refusals[:MOST_REFUSALS]]
        if len(self.refusals) > MOST_REFUSALS:
            lines.append(f"  {self.target} would refuse {len(self.refusals) - MOST_REFUSALS} more (lint the output)")
        return "".join(line + "\n" for line in lines)
