"""Messages of LangChain whose pieces stand among others, read as the one message that the pieces add up to."""

from msgspec.structs import replace

from lighter.conversation import BlockOrigin, Joined, Origin, WireMessage
from lighter.formats._langchain import content_key, unwrap
from lighter.formats._langchain_chunks import joined
from lighter.formats._streaming import Ledger
from lighter.losses import Loss, truncated
from lighter.pieces import place_in_pieces


def joined_message(pieces: tuple[WireMessage, ...]) -> tuple[WireMessage, Joined]:
    """Join the pieces of a message; gives it at the place of the first one, and what is to be told of the joining."""
    ledger, first = Ledger(is_exact=True), pieces[0]
    value, is_whole = joined([(index, piece.raw) for index, piece in enumerate(pieces)], ledger, "")
    losses = [
        Loss(pieces[lost.index].record.row, pieces[lost.index].path + lost.path, lost.feature, "dropped", lost.detail)
        for lost in ledger.told()
    ]
    if not is_whole:
        losses.append(truncated(pieces[-1].record.row, _end_of(pieces[-1])))
    return replace(first, raw=value), Joined(pieces, value, tuple(losses), ledger.homes)


def _end_of(piece: WireMessage) -> str:
    """Point at the content of the last piece that came."""
    last = unwrap(piece.raw)
    return piece.path + (last.content_at if last is not None and content_key(last.fields) in last.fields else "")


def origin_in_pieces(origin: Origin, told: Joined) -> Origin:
    """Give the origin of a joined message with places that are there: in the first of its pieces that has them.

    An origin has one row; what only a piece of another record has keeps its place in the message, from which losses are led there.
    """
    here = told.pieces[0].record.row

    def at(path: str) -> str:
        row, place = place_in_pieces(told, here, path)
        return place if row == here else path

    def block_at(block: BlockOrigin) -> BlockOrigin:
        return BlockOrigin(
            at(block.path), elsewhere={key: at(block.at(key)) for key in {**block.fields, **block.elsewhere}}
        )

    fields = {field: at(path) for field, path in origin.fields.items()}
    return replace(origin, fields=fields, blocks=tuple(map(block_at, origin.blocks)))
