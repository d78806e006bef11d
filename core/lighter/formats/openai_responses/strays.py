"""Calls and results among the items of Responses that no reader takes for such: they lack a part, or have one of a wrong type."""

from lighter import jsontext
from lighter.formats.openai_responses.shapes import CALLS, OUTPUTS
from lighter.messages import OpaqueBlock, blocks_of
from lighter.passage import Entry
from lighter.strays import NONE, Strays, chat_strays, id_text, strays


def strays_of(entry: Entry) -> Strays:
    """List the broken calls and results of a turn, or what stands in a chat's form."""
    calls, results, nameless, blanks = set[str](), set[str](), list[tuple[str, str, str]](), 0
    for block, origin in zip(blocks_of(entry.message), entry.origin.blocks, strict=False):
        if not isinstance(block, OpaqueBlock) or block.native_type not in (*CALLS, *OUTPUTS):
            continue
        item = jsontext.decode(block.json)
        call_id, name = id_text(item.get("call_id")), item.get("name")
        if block.native_type in OUTPUTS:
            results.add(call_id)
        elif call_id:
            nameless.append((origin.path, call_id, name if isinstance(name, str) else ""))
        else:
            blanks += 1
    if results or nameless or blanks:
        return strays(calls, results, blanks, tuple(nameless))
    return chat_strays(entry) if isinstance(entry.wire.raw, dict) else NONE
