"""Logs in which each line repeats the growing history of one session: a fault that is told once is not told again."""

from collections import deque
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import accumulate
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from lighter import jsontext
from lighter.diagnostics import Diagnostic, History
from lighter.passage import Passage
from lighter.traffic import role_in

FEW = 2
"""Of so few messages the last must be the same, too: a system prompt and the beginning of a question are anybody's."""

SIDE_BY_SIDE = 16
"""How many histories with the same fault are followed at a time."""


def history_of(passage: Passage | None, path: str) -> History | None:
    """Tell what a finding at `path` stands in, where the conversation is one record; None where it is spread over a log."""
    body = passage.body if passage else None
    if body is None or passage is None or body.messages_path is None or not body.messages:
        return None
    sums, asked, places = _sums(passage)
    steps = path.split("/")
    at = next((places[place] for end in range(len(steps), 0, -1) if (place := "/".join(steps[:end])) in places), -1)
    return History(sums, asked, at)


@lru_cache(maxsize=1)
def _sums(passage: Passage) -> tuple[tuple[int, ...], int, Mapping[str, int]]:
    """Give sums over the messages up to each one, how many of them are no answers, and the index of each by its place.

    A system prompt at the beginning counts as any other: it tells the time, or what is known by now.
    """
    messages = passage.body.messages if passage.body else ()
    has_prompt = bool(messages) and role_in(messages[0][1]) in ("system", "developer")
    texts = (b"" if has_prompt and not index else jsontext.encode(raw) for index, (_, raw, _) in enumerate(messages))
    sums = accumulate(texts, lambda last, data: crc32(data, last), initial=0)
    asked = sum(not is_answer for _, _, is_answer in messages)
    return tuple(sums)[1:], asked, {place: index for index, (place, _, _) in enumerate(messages)}


class _Told(Struct):
    """A finding that was told, where in the list it stands, and how many later lines repeat it."""

    index: int
    last: Diagnostic
    count: int = 0


def without_repetitions(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Tell each fault of a growing history at its first line alone, with how many later lines repeat it; `found` is sorted."""
    kept: list[Diagnostic] = []
    told: list[_Told] = []
    growing: dict[tuple[str, str, str, str], deque[_Told]] = {}
    for one in found:
        alike = growing.setdefault((one.filename, one.code, one.path, one.fingerprint), deque(maxlen=SIDE_BY_SIDE))
        earlier = next((each for each in reversed(alike) if _is_grown(each.last, one)), None)
        if earlier is not None:
            earlier.count, earlier.last = earlier.count + 1, one
        else:
            told.append(_Told(len(kept), one))
            alike.append(told[-1])
            kept.append(one)
    for each in told:
        if each.count:
            lines = "a later line" if each.count == 1 else f"{each.count} later lines"
            first = kept[each.index]
            kept[each.index] = replace(first, message=f"{first.message} (and again in {lines})")
    return kept


def _is_grown(earlier: Diagnostic, later: Diagnostic) -> bool:
    """Say whether a finding is an earlier one in a history that has grown.

    Lines of one session share what leads to the fault; what came after it may have been edited. Without a session's id they
    share all but the last of the messages that were sent, and there are more of them.
    """
    before, after = earlier.history, later.history
    if before is None or after is None or earlier.location.row == later.location.row:
        return False
    if earlier.conversation is not None and earlier.conversation == later.conversation:
        shared = before.at + 1
    elif earlier.conversation is None and later.conversation is None and before.asked < after.asked:
        shared = max(before.at + 1, before.asked if before.asked <= FEW else before.asked - 1)
    else:
        return False
    return not shared or (
        len(before.sums) >= shared <= len(after.sums) and before.sums[shared - 1] == after.sums[shared - 1]
    )
