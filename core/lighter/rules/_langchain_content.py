"""Contents of a wrong type in LangChain's messages, which pydantic refuses in Python, and parts that say nothing of what they are.

Results of tools are spared of the former: `ToolMessage` makes text of whatever it is given (langchain-core 1.8.3,
messages/tool.py). Blocks of providers that tell themselves by a key stay as they are.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from lighter.conversation import WireMessage
from lighter.edits import Put, safe, unsafe
from lighter.jsontext import encode_text
from lighter.passage import Passage
from lighter.rule import Finding, Rule
from lighter.rules._langchain import all_unwrapped, unwrapped_in
from lighter.rules._langchain_faults import is_for_python
from lighter.rules._quotes import said_with
from lighter.wire import Part, list_parts, type_name

if TYPE_CHECKING:
    from lighter.formats._langchain import Unwrapped

_REFUSED = "content.str"
"""What tells the words of pydantic."""


def wrong_contents(passage: Passage, rule: Rule) -> Iterator[Finding]:
    """Find contents that are neither text nor a list; null is refused where it is not taken for an empty text."""
    for message, unwrapped in all_unwrapped(passage):
        content, path = _content(message, unwrapped)
        if isinstance(content, str | list) or unwrapped.kind in ("tool", "remove") or _is_note(content):
            continue
        if content is None and not (is_for_python(unwrapped) and "content" in unwrapped.fields):
            continue
        said = f"the content is {type_name(content)}, neither text nor a list of parts"
        text = "" if content is None else encode_text(content)
        write = safe if content is None and unwrapped.kind == "ai" else unsafe  # an answer of calls alone
        made = write("write it as text", Put(message.record, path, text))
        refusals = said_with(rule, _REFUSED)
        yield Finding(message.record, path, said, "write text", refusals=refusals, repair=made)


def parts_in(passage: Passage) -> Iterator[tuple[WireMessage, Part, bool]]:
    """Give the parts of all contents; says also whether a part that is no text and no object is refused there.

    Pieces of a message may lack what comes with the next.
    """
    for message, unwrapped in unwrapped_in(passage):
        if not unwrapped.is_chunk:
            content, path = _content(message, unwrapped)
            for part in list_parts(content, path):
                yield message, part, unwrapped.kind != "tool"


def untyped_parts(passage: Passage, rule: Rule) -> Iterator[Finding]:
    """Find parts that are no objects, and the first object of each message that tells its type by no key either."""
    told: set[str] = set()
    for message, part, is_strict in parts_in(passage):
        if not isinstance(part.raw, dict | str):
            if is_strict:
                said = f"this part is {type_name(part.raw)}, neither text nor an object"
                refusals = said_with(rule, _REFUSED)
                yield Finding(message.record, part.path, said, "write text, or a block with a type", refusals=refusals)
        elif isinstance(part.raw, dict) and message.path not in told and not _tells_itself(part.raw):
            told.add(message.path)
            help_ = "encode a raw value as JSON text, and give every part its type"
            yield Finding(
                message.record, part.path, "this part has no `type`", help_, refusals=said_with(rule, ".type'")
            )


def _tells_itself(part: dict[str, Any]) -> bool:
    """Say whether a part has a type, or one of the keys by which Bedrock and others tell their blocks."""
    if "type" in part or "text" in part:
        return True
    return any(isinstance(value, dict) for value in part.values()) and len(part) == 1


def _content(message: WireMessage, unwrapped: "Unwrapped") -> tuple[Any, str]:
    """Give the content of a message, and where it stands."""
    from lighter.formats._langchain import content_key  # noqa: PLC0415 - loaded only for LangChain's messages

    key = "text" if unwrapped.shape == "old" else content_key(unwrapped.fields)
    return unwrapped.fields.get(key), message.path + unwrapped.content_at


def _is_note(content: Any) -> bool:
    """Say whether LangChain's note of what it could not write stands there, which is told by another rule."""
    return isinstance(content, dict) and content.get("lc") == 1 and content.get("type") == "not_implemented"
