"""What the proofs of the screens share: one history in every layout, its text spoiled, linted with the screen and without."""

import io
import random
from typing import Any

from chat import assistant, jsonl, user
from hypothesis import strategies as st
from msgspec.structs import replace

from lighter.linting import LintOptions, Report, report_on
from lighter.source import read_records

LAYOUTS = st.sampled_from(["lines", "body", "array", "bodies"])
LUCK = st.randoms(use_true_random=False)


def report(data: bytes, name: str = "log.jsonl", *, is_screened: bool = True, **options: Any) -> Report:
    """Lint the bytes of a file; `options` are those of `LintOptions`."""
    return report_on(
        read_records(io.BytesIO(data), filename=name), name, LintOptions(**options), is_screened=is_screened
    )


def laid_out(body: dict[str, Any], layout: str) -> bytes:
    """Write a request as a log, as itself, as an array of its messages, or as the first and last of three."""
    match layout:
        case "lines":
            return jsonl(*body["messages"])
        case "body":
            return jsonl(body)
        case "bodies":
            return jsonl(body, {"messages": [user(), assistant()]}, body)
        case _:
            return jsonl(body["messages"])


def spoiled(data: bytes, luck: random.Random) -> bytes:
    """Write a text otherwise, or with a key twice, at a place that chance chooses."""
    places = [place for place in range(len(data)) if data.startswith(b'": ', place)]
    match luck.randrange(5):
        case 0 if places:
            start = data.rindex(b'"', 0, place := luck.choice(places))
            return data[:start] + data[start:place] + b'" : 1, ' + data[start:]
        case 1 if places:
            place = luck.choice(places)
            return data[:place] + b'" :' + data[place + 2 :]
        case 2:
            return data.replace(b'\\"', b"\\u0022")
        case _:
            return data


def same_is_found(data: bytes, *, has_frames: bool = True, **options: Any) -> None:
    """Compare linting with the screen and without; frames show of an earlier call only what was held until the later one."""
    fast, slow = report(data, **options), report(data, is_screened=False, **options)
    if has_frames:
        assert fast.diagnostics == slow.diagnostics
    else:
        assert [replace(d, marks=()) for d in fast.diagnostics] == [replace(d, marks=()) for d in slow.diagnostics]
    assert (fast.messages, fast.conversations) == (slow.messages, slow.conversations)
    assert fast.is_recognised == slow.is_recognised
