"""What a file is judged as: its format, the target and the mode, and the screen that fits them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from lighter.chat_screen import LONGEST_ID, ChatScreen
from lighter.envelope import PLAIN, open_value
from lighter.plainchats import are_plain_chats
from lighter.records import Record
from lighter.rule import Aim, Mode
from lighter.rules import RuleModule
from lighter.screen import CallChecker, Screen
from lighter.screened import LOOKED_FOR

if TYPE_CHECKING:
    from lighter.detection import Detection

SCREENED = {
    "openai-chat": (
        *("generic", "openai-chat", "azure-openai"),
        # What vLLM serves is judged by a chat template, which minds the order of roles: no screen looks at that.
        *("deepseek", "moonshot", "qwen", "groq", "xai", "minimax", "zai"),
        *("openai-finetune", "azure-finetune", "llamafactory"),
    ),
    "anthropic": ("generic", "anthropic"),
}
"""The formats that have a screen, and the targets that it is made for."""

_BOUND_TO_MODEL = frozenset({"deepseek", "moonshot"})
"""Targets of which some models mind what a screen does not look at."""

_OF_CHATS = "name"
"""A key that messages of OpenAI's chats may have, and those of no target's format else that takes a role and a text."""

_ALL_ROLES = frozenset({"system", "developer", "user", "assistant"})


def screen_for(
    aim: Aim,
    format_name: str,
    modules: Sequence[RuleModule],
    given_tools: CallChecker | None = None,
    *,
    only_errors: bool = False,
) -> Screen | None:
    """Give the screen that can vouch for messages, None when every message must go through the rules.

    `only_errors`: of what no more than a warning could be said, it may say that it is ordinary.
    """
    if aim.target not in SCREENED.get(format_name, ()) or (aim.mode == "finetune" and format_name != PLAIN):
        return None
    if not all(_is_screened(module, format_name) for module in modules):
        return None
    suspects, hints, needles = [], list[bytes](), list[bytes]()
    are_hinted = True
    for module in modules:
        found = getattr(module.module, "NEEDLES", ())
        if is_suspect := getattr(module.module, "is_suspect", None):
            suspects.append(is_suspect)
            hints += found
            are_hinted &= bool(found)
        else:
            needles += found
    is_generic = aim.target == "generic"
    if format_name == "anthropic":
        from lighter.block_screen import BlockScreen  # noqa: PLC0415 - most files are chats

        return BlockScreen(
            is_logged=is_generic,
            is_request=aim.mode == "request",
            only_errors=only_errors,
            suspects=suspects,
            hints=hints if are_hinted else None,
            needles=needles,
            given_tools=given_tools,
        )
    longest, roles = _limits_of(aim.target)
    return ChatScreen(
        is_logged=is_generic,
        longest_id=longest,
        roles=roles,
        is_bound_to_model=aim.target in _BOUND_TO_MODEL,
        wants_tools=aim.mode == "finetune",
        only_errors=only_errors,
        given_tools=None if aim.mode == "finetune" else given_tools,
        suspects=suspects,
        hints=hints if are_hinted else None,
        needles=needles,
        keys=[module.module.KEYS for module in modules if hasattr(module.module, "KEYS")],
    )


def _limits_of(target: str) -> tuple[int, frozenset[str]]:
    """Tell how long the ids of calls may be for a target, and which roles it takes."""
    if target == "generic":
        return LONGEST_ID, _ALL_ROLES
    from lighter.providers import get_target  # noqa: PLC0415 - only targets need it

    row = get_target(target)
    return row.call_id_max or LONGEST_ID, row.roles or _ALL_ROLES


def _is_screened(module: RuleModule, format_name: str) -> bool:
    """Say whether no ordinary message can have a rule's fault, or the rule says what makes a message worth a look."""
    if module.rule.name in LOOKED_FOR or (module.rule.formats is not None and format_name not in module.rule.formats):
        return True
    hints = ("NEEDLES", "is_suspect", "KEYS") if format_name == PLAIN else ("NEEDLES", "is_suspect")
    return any(hasattr(module.module, hint) for hint in hints)


class Look(Struct, frozen=True):
    """What the first records of a file tell: its format, and how it was told; None where plain chats need no detection."""

    format: str
    detection: "Detection | None" = None


def look_at(head: Sequence[Record], asked: str | None, target_format: str | None) -> Look:
    """Tell the format by the first records; `asked` names it instead, and `target_format` is what the target reads.

    Raises UnknownFormat.
    """
    if asked:
        return Look(format_named(asked))
    if target_format in (None, PLAIN) and are_plain_chats(head):
        return Look(PLAIN)
    detection = detected(head)
    return Look(format_of(detection, target_format), detection)


def format_named(name: str) -> str:
    """Give a format's own name for a name or an alias; raises UnknownFormat."""
    from lighter.formats import get  # noqa: PLC0415 - formats are loaded only when they are needed

    return get(name).NAME


def target_and_mode(target: str, mode: Mode | None) -> tuple[str | None, Mode]:
    """Give the format that the target reads (None: any) and the mode."""
    if target == "generic":
        return None, mode or "log"
    from lighter.providers import get_target  # noqa: PLC0415 - only targets need it

    row = get_target(target)
    return row.format, mode or row.mode


def rows_read_by(target: str) -> tuple[str, ...]:
    """Tell in which layouts that no format reads a target takes training rows."""
    if target == "generic":
        return ()
    from lighter.providers import get_target  # noqa: PLC0415 - as above

    return get_target(target).reads_rows


def count_rows(value: Any, layouts: Sequence[str]) -> int:
    """Count the training rows in one of these layouts that a value is, or holds as a list."""
    from lighter.formats._foreign import rows_of  # noqa: PLC0415 - loaded only for who takes such rows

    return len(rows_of(value, layouts))


def aim_at(target: str, mode: Mode, found: str) -> Aim:
    """Say what a history in a format is judged for."""
    if target == "generic":
        return Aim(target, mode, found)
    from lighter.providers import get_target  # noqa: PLC0415 - as above

    row = get_target(target)
    reads = found if row.format is None or found in row.also_reads else row.format
    return Aim(row.name, mode, reads, row.kin)


def detected(head: Sequence[Record]) -> "Detection":
    """Weigh what the first records speak for; chats that are plain but for a key that only chats have fit no other format."""
    from lighter.detection import detect_records  # noqa: PLC0415 - loaded only where the first records leave a doubt

    detection = detect_records(head)
    if detection.format == PLAIN and detection.is_plain and any(map(_has_chat_key, head)):
        return replace(detection, is_plain=False)
    return detection


def _has_chat_key(record: Record) -> bool:
    """Say whether a message of a record has a key that plain messages have in chats alone."""
    opened = open_value(record.value)
    is_message = opened.kind == "message"
    raws = [record.value] if is_message else [raw for body in opened.bodies for _, raw, _ in body.messages]
    return any(type(raw) is dict and _OF_CHATS in raw for raw in raws)


def format_of(detection: "Detection", target_format: str | None) -> str:
    """Choose the format to judge by: the one that was found, the target's own when the messages fit any."""
    if detection.format is not None and not (target_format and detection.is_plain):
        return detection.format
    from lighter.wires import has_plain_text  # noqa: PLC0415 - only messages of no certain format need it

    return target_format if target_format and has_plain_text(target_format) else detection.format or PLAIN


def reason_of(filename: str, detection: "Detection | None") -> str:
    """Say why nothing was recognised."""
    from lighter.reading import not_recognised  # noqa: PLC0415 - loaded only to say so

    if detection is None:
        return f"{filename}: no conversation recognised" if filename else "no conversation recognised in the object"
    return not_recognised(filename, detection)
