"""What of a history fits a number of messages or tokens: which spans are removed so that the rest is still valid."""

from collections.abc import Sequence
from itertools import chain

from msgspec import Struct

from lighter.errors import CannotHold, LighterError
from lighter.spans import Span
from lighter.tokens import Counter, estimated


class TrimOptions(Struct, frozen=True):
    """How much of a history is kept, and what its format is (None: told from the file).

    `max_messages` counts messages as the format lists them, a system prompt among them included; `max_tokens` what `count` says
    of all messages, of a system prompt beside them, and of the tool definitions. Raises LighterError where neither is given, or
    one is below 1.
    """

    max_messages: int | None = None
    max_tokens: int | None = None
    count: Counter = estimated
    format: str | None = None

    def __post_init__(self) -> None:
        limits = [limit for limit in (self.max_messages, self.max_tokens) if limit is not None]
        if not limits:
            raise LighterError("nothing to trim to: give a number of messages or of tokens")
        if min(limits) < 1:
            raise LighterError(f"cannot trim to {min(limits)}: the least is 1")

    @property
    def limits(self) -> str:
        """The budget in words."""
        said = [(self.max_messages, "message"), (self.max_tokens, "token")]
        return " and ".join(f"{most} {noun}{'s' * (most != 1)}" for most, noun in said if most is not None)


class _Size(Struct, frozen=True):
    messages: int = 0
    tokens: int = 0

    def __add__(self, other: "_Size") -> "_Size":
        return _Size(self.messages + other.messages, self.tokens + other.tokens)

    def fits(self, options: TrimOptions) -> bool:
        """Say whether this much is within a budget."""
        most_messages, most_tokens = options.max_messages, options.max_tokens
        return (most_messages is None or self.messages <= most_messages) and (
            most_tokens is None or self.tokens <= most_tokens
        )


def removed(spans: Sequence[Span], beside: int, options: TrimOptions) -> list[int]:
    """Tell the indices of the spans to remove; `beside` are the tokens of what is sent with every message.

    The newest spans that fit stay, behind the system prompt that the history begins with. They start on a turn of the user, or
    with a message of the assistant behind the user's message that opened its turn.
    Raises CannotHold where no history like that fits.
    """
    from_here = _sums(spans)
    head = next((n for n, span in enumerate(spans) if span.kind != "system"), len(spans))
    always = _sum(spans[:head]) + _Size(0, beside)
    least = always + from_here[head]
    if least.fits(options):
        return []
    opening: int | None = None
    gone: tuple[range, ...]
    for start in range(head, len(spans)):
        span = spans[start]
        if span.may_open:
            opening = start
            least, gone = always + from_here[start], (range(head, start),)
        elif span.may_follow and opening is not None:
            least = always + _size(spans[opening]) + from_here[start]
            gone = (range(head, opening), range(opening + 1, start))
        else:
            continue
        if least.fits(options):
            edits = [number for number, other in enumerate(spans) if other.kind == "edit"]
            return _without_fixed(spans, sorted({*chain(*gone), *edits}))
    if opening is None:
        raise CannotHold(f"longer than {options.limits}, and there is no turn of the user to start on")
    raise CannotHold(f"no valid history fits {options.limits}: the shortest takes {_said(least, options)}")


def _said(size: _Size, options: TrimOptions) -> str:
    """Tell a size in the units of a budget."""
    messages, tokens = (None if most is None else has for most, has in (
        (options.max_messages, size.messages), (options.max_tokens, size.tokens)
    ))  # fmt: skip
    return TrimOptions(messages, tokens).limits


def _without_fixed(spans: Sequence[Span], found: list[int]) -> list[int]:
    if any(spans[n].is_fixed for n in found):
        raise CannotHold("a message that would have to go stands in no list, so that it cannot be taken out")
    return found


def _size(span: Span) -> _Size:
    return _Size(span.messages, span.tokens)


def _sum(spans: Sequence[Span]) -> _Size:
    return sum(map(_size, spans), _Size())


def _sums(spans: Sequence[Span]) -> list[_Size]:
    """Give the size of what stands from each span on to the end, and 0 for behind it."""
    sums = [_Size()]
    for span in reversed(spans):
        sums.append(sums[-1] + _size(span))
    return sums[::-1]
