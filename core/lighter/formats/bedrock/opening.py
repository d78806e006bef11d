"""Where the messages stand in Converse answers and in Bedrock's invocation logs."""

from collections.abc import Mapping
from typing import Any

from lighter.envelope import Body, Opened, decoded, is_answer, looks_like_message
from lighter.formats.bedrock.shapes import NAME, is_event
from lighter.jsontext import step

_ANSWER_KEYS = frozenset({"stopReason", "metrics", "usage", "ResponseMetadata"})


def open_record(value: Any) -> Opened | None:
    """Open an answer (`output.message`), an entry of an invocation log, or one event of a stream; None for anything else."""
    if not isinstance(value, dict):
        return None
    if len(value) == 1 and is_event(value):
        return Opened("chunk")
    body = _logged(value) or _answer(value, "")
    return None if body is None else Opened("conversation", (body,))


def _answer(value: Any, path: str) -> Body | None:
    """Open an answer of Converse; what stands beside its message is the envelope."""
    match value:
        case {"output": {"message": dict(message)} as output} if (
            "messages" not in value and not _ANSWER_KEYS.isdisjoint(value) and looks_like_message(message)
        ):
            around = tuple((f"{path}/output{step(key)}", held) for key, held in output.items() if key != "message")
            rest = {key: held for key, held in value.items() if key != "output"}
            place = f"{path}/output/message"
            return Body(((place, message, True),), response=rest, response_path=path, rest=around, format=NAME)
        case _:
            return None


def _logged(value: Mapping[str, Any]) -> Body | None:
    """Open an entry of an invocation log, whose bodies are those of Converse or of a model's own API."""
    given, gave = value.get("input"), value.get("output")
    if not isinstance(given, dict) or "inputBodyJson" not in given:
        return None
    request = decoded(given["inputBodyJson"])
    if not isinstance(request, dict) or not isinstance(listed := decoded(request.get("messages")), list):
        return None
    path = "/input/inputBodyJson/messages"
    messages = tuple((path + step(index), decoded(item), False) for index, item in enumerate(listed))
    rest = [(step(key), held) for key, held in value.items() if key not in ("input", "output")]
    rest += [(f"/input{step(key)}", held) for key, held in given.items() if key != "inputBodyJson"]
    answer = _logged_answer(gave)
    if answer is None:
        rest += [("/output", gave)] if "output" in value else []
    elif isinstance(gave, dict):
        rest += [(f"/output{step(key)}", held) for key, held in gave.items() if key != "outputBodyJson"]
        messages += answer.messages
        rest += answer.rest
    return Body(
        messages,
        path="/input/inputBodyJson",
        fields={key: held for key, held in request.items() if key != "messages"},
        messages_path=path,
        listed=request["messages"],
        response=None if answer is None else answer.response,
        response_path="" if answer is None else answer.response_path,
        rest=tuple(rest),
        format=None if answer is None else answer.format,
    )


def _logged_answer(gave: Any) -> Body | None:
    """Open what a model gave: an answer of Converse, or one of Anthropic, which is a message itself."""
    body = decoded(gave.get("outputBodyJson")) if isinstance(gave, dict) else None
    path = "/output/outputBodyJson"
    if isinstance(body, dict) and is_answer(body):
        return Body(((path, body, True),), response={}, response_path=path)
    return _answer(body, path)
