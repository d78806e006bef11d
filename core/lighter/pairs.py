"""What pairing finds: calls and results with their places, which belong together, and what is wrong between them."""

from typing import Literal

from msgspec import Struct

from lighter.conversation import WireMessage
from lighter.messages import CallKind

NO_RESULT = "No result: this tool call was not answered."
"""What a result says that stands in for one that is missing."""

MOST_OPEN = 32
"""Among more open calls than this none is looked for that a result was meant for."""


Kind = CallKind | Literal["native"]
"""What kind of call it is; one that is native has a form that only its provider knows, as has its result."""


class CallAt(Struct, frozen=True):
    """A tool call and where it stands: its path, and the path of its id (the call's own when it has none).

    `call_id` is empty when the wire has no id.
    """

    call_id: str
    tool_name: str
    path: str
    id_path: str
    wire: WireMessage
    kind: Kind = "function"


class ResultAt(Struct, frozen=True):
    """A tool result and where it stands: its path, and those of its id and its name (its own where it has none).

    `call_id` is empty when the wire has no id; a name that the wire does not tell is that of the call.
    """

    call_id: str
    tool_name: str
    path: str
    wire: WireMessage
    kind: Kind = "function"
    id_path: str = ""
    name_path: str = ""

    @property
    def told_name(self) -> str | None:
        """The name of the function that the wire tells, also where no reader asks for it, as beside a chat's `tool_call_id`."""
        raw = self.wire.raw
        name = raw.get("name") if self.path == self.wire.path and isinstance(raw, dict) else None
        if isinstance(name, str):
            return name
        return self.tool_name if self.name_path != self.path else None


class RepeatedCall(Struct, frozen=True):
    """A call whose id an earlier call has too; `first` is None when that one stands in an earlier passage."""

    call: CallAt
    first: CallAt | None
    is_same_turn: bool


class RepeatedResult(Struct, frozen=True):
    """A result for a call that was answered already; `first` is None when that happened in an earlier passage."""

    result: ResultAt
    first: ResultAt | None
    call: CallAt | None


class Intrusion(Struct, frozen=True):
    """A message between the calls of a turn and their results: the first such message, a call, and its late result."""

    message: WireMessage
    call: CallAt
    result: ResultAt


class Split(Struct, frozen=True):
    """A turn whose results stand in several messages of a format that wants them in one: the second of these messages."""

    message: WireMessage
    first: WireMessage
    call: CallAt


class Orphan(Struct, frozen=True):
    """A result that answers no call; `open_calls` are the first of the calls that were still unanswered when it came.

    `is_next`: nothing but results stands between it and these calls.
    """

    result: ResultAt
    open_calls: tuple[CallAt, ...]
    is_next: bool = False


class Pairing(Struct, frozen=True):
    """How the calls and results of a passage pair.

    `unanswered`: calls without a result though later turns exist. `pending`: calls of the last turn without one. `answers`:
    each result that came, beside its call. `call_ids`: ids of all calls but those that were given up. `halves`: rows and
    pointers of calls and results whose other ends may have stood in lines that could not be read.
    """

    answers: tuple[tuple[CallAt, ResultAt], ...] = ()
    unanswered: tuple[CallAt, ...] = ()
    pending: tuple[CallAt, ...] = ()
    orphans: tuple[Orphan, ...] = ()
    repeated_calls: tuple[RepeatedCall, ...] = ()
    repeated_results: tuple[RepeatedResult, ...] = ()
    intrusions: tuple[Intrusion, ...] = ()
    splits: tuple[Split, ...] = ()
    call_ids: frozenset[str] = frozenset()
    halves: frozenset[tuple[int, str]] = frozenset()

    @property
    def intruders(self) -> frozenset[int]:
        """The indices of the messages that tear a call from its result, which `interleaved-message` tells."""
        return frozenset(intrusion.message.index for intrusion in self.intrusions)
