"""Calls and results among the items of Responses that no reader takes for such: those that lack a part, and those of other tools."""

from lighter import jsontext
from lighter.formats.openai_responses.shapes import CALLS, OPAQUE_ITEMS, OUTPUTS
from lighter.messages import OpaqueBlock, blocks_of
from lighter.passage import Entry
from lighter.strays import NONE, Strays, chat_strays, id_text, strays

_OF_OTHER_TOOLS = frozenset(kind for kind in OPAQUE_ITEMS if kind.endswith(("_call", "_call_output")))
"""Calls of tools with items of their own, and their results; Codex answers a `local_shell_call` with a `function_call_output`."""


def strays_of(entry: Entry) -> Strays:
    """List the broken calls and results of a turn, or what stands in a chat's form."""
    calls, results, nameless, blanks = set[str](), set[str](), list[tuple[str, str, str]](), 0
    for block, origin in zip(blocks_of(entry.message), entry.origin.blocks, strict=False):
        if not isinstance(block, OpaqueBlock) or block.native_type not in (*CALLS, *OUTPUTS, *_OF_OTHER_TOOLS):
            continue
        item = jsontext.decode(block.json)
        call_id, name = id_text(item.get("call_id")), item.get("name")
        if block.native_type in _OF_OTHER_TOOLS:
            if call_id:  # what a provider ran itself has none
                (calls if block.native_type.endswith("_call") else results).add(call_id)
        elif block.native_type in OUTPUTS:
            results.add(call_id)
        elif call_id:
            nameless.append((origin.path, call_id, name if isinstance(name, str) else ""))
        else:
            blanks += 1
    if calls or results or nameless or blanks:
        return strays(calls, results, blanks, tuple(nameless))
    return chat_strays(entry) if isinstance(entry.wire.raw, dict) else NONE
