"""What becomes of system messages that stand in mid-conversation, where not every provider takes them."""

from msgspec.structs import replace

from lighter.conversation import Conversation
from lighter.formats import Format, trait
from lighter.losses import Loss
from lighter.messages import SystemMessage, UserMessage
from lighter.policies._placed import Placed, placed_messages, rebuilt

CHOICES = ("auto", "native", "user", "hoist")
HELP = (
    "System messages in mid-conversation: as every model takes them, as some do, as user text, or moved to the front."
)


def apply(conversation: Conversation, choice: str, target: Format) -> tuple[Conversation, tuple[Loss, ...]]:
    """Apply the choice; system messages at the beginning are what every provider takes, and stay as they are.

    `auto` leaves it to the target's writer, which goes by what all its models take. `native` keeps the role where newer
    models of the target take it in mid-conversation. `user` makes them messages of the user, `hoist` moves them to the front.
    """
    placed = placed_messages(conversation)
    leading = next((n for n, (message, _) in enumerate(placed) if not isinstance(message, SystemMessage)), len(placed))
    losses: list[Loss] = []
    hoisted = placed[:leading]
    others: list[Placed] = []
    mark = trait(target.NAME, "NATIVE_SYSTEM", otherwise=None)
    for message, origin in placed[leading:]:
        match message:
            case SystemMessage() if choice == "hoist":
                losses.append(
                    Loss(origin.row, origin.path, "system-in-the-middle", "moved", "moved to the front, as asked")
                )
                hoisted.append((message, origin))
            case SystemMessage() if choice == "user":
                detail = "became a message of the user, as asked"
                losses.append(Loss(origin.row, origin.at("role"), "system-in-the-middle", "rewritten", detail))
                user = UserMessage(
                    message.content,
                    blocks=message.blocks,
                    name=message.name,
                    id=message.id,
                    group=message.group,
                    ext=message.ext,
                )
                others.append((user, origin))
            case SystemMessage() if mark is not None and mark not in message.ext:
                others.append((replace(message, ext=(*message.ext, mark)), origin))
            case _:
                others.append((message, origin))
    return rebuilt(conversation, [*hoisted, *others]), tuple(losses)
