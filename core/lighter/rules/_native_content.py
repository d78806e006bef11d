"""Contents of a wrong type in wires that take one type alone: text in Ollama's chats, a list of blocks or parts elsewhere."""

from collections.abc import Iterator
from typing import Any

from lighter.conversation import WireMessage
from lighter.edits import Put, Repair
from lighter.passage import Passage
from lighter.rule import Finding, Rule
from lighter.rules._quotes import said_with
from lighter.wire import Part, fields_of, list_parts, type_name

NATIVE = ("ollama", "bedrock", "gemini")
"""The formats of these wires."""

_RESULTS = ("toolResult", "functionResponse", "function_response")


def parts_of_wire(message: WireMessage) -> Iterator[Part]:
    """Walk the blocks of Bedrock with those that its tool results hold, or the parts of Gemini."""
    fields = fields_of(message)
    for key in ("content", "parts"):
        for part in list_parts(fields.get(key), f"{message.path}/{key}"):
            yield part
            result = part.fields.get("toolResult")
            if isinstance(result, dict):
                yield from list_parts(result.get("content"), f"{part.path}/toolResult/content", part)


def native(passage: Passage, rule: Rule) -> Iterator[Finding]:
    """Find contents of a wrong type, and texts that are none."""
    key = "parts" if passage.format == "gemini" else "content"
    for message in passage.messages:
        content, path = fields_of(message).get(key), f"{message.path}/{key}"
        match content:
            case None:
                continue
            case str() if passage.format == "ollama":
                continue
            case list() if passage.format != "ollama":
                for part in parts_of_wire(message):
                    yield from _in_part(message, part)
            case dict() if passage.format == "gemini":
                continue  # one part alone is taken for a list of one
            case _ if passage.format == "ollama":
                said, help_ = (
                    f"the content is {type_name(content)}, and Ollama takes text",
                    "join the texts of its parts",
                )
                made = _joined_texts(message, path, content)
                yield Finding(message.record, path, said, help_, refusals=said_with(rule, "Go struct"), repair=made)
            case _:
                said, help_ = f"the {key} is {type_name(content)}, not a list", 'write `[{"text": …}]`'
                made = _as_list(message, path, content)
                yield Finding(message.record, path, said, help_, refusals=said_with(rule, "valid types"), repair=made)


def _joined_texts(message: WireMessage, path: str, content: Any) -> Repair | None:
    texts = (
        [part.get("text") if isinstance(part, dict) else part for part in content] if isinstance(content, list) else []
    )
    told = [text for text in texts if isinstance(text, str)]
    return Repair((Put(message.record, path, "\n".join(told)),)) if told and len(told) == len(texts) else None


def _as_list(message: WireMessage, path: str, content: Any) -> Repair | None:
    return Repair((Put(message.record, path, [{"text": content}]),)) if isinstance(content, str) and content else None


def _in_part(message: WireMessage, part: Part) -> Iterator[Finding]:
    """Find text that is none, and the content of a result that is no list; an empty error has a rule of its own."""
    match part.fields:
        case {"text": text} if text is not None and not isinstance(text, str):
            said = f"the text of this part is {type_name(text)}"
            yield Finding(message.record, f"{part.path}/text", said, "write text", refusals=())
        case {"toolResult": result} | {"functionResponse": result} | {"function_response": result} if not (
            result is None or isinstance(result, dict)
        ):
            key = next(key for key in _RESULTS if part.fields.get(key) is result)
            said = f"this result is {type_name(result)}, not an object"
            yield Finding(message.record, f"{part.path}/{key}", said, "write the result as an object", refusals=())
        case {"toolResult": {"status": "error"} as result} if not result.get("content"):
            pass
        case {"toolResult": dict(result)} if not isinstance(result.get("content"), list):
            path = f"{part.path}/toolResult"
            if "content" not in result:
                yield Finding(message.record, path, "this result has no content", "write a list of blocks", refusals=())
            else:
                said = f"the content of this result is {type_name(result['content'])}, not a list"
                made = _as_list(message, f"{path}/content", result["content"])
                yield Finding(
                    message.record, f"{path}/content", said, 'write `[{"text": …}]`', refusals=(), repair=made
                )
        case _:
            pass
