"""Every JSON form of the messages in `conversations`, as langchain-core writes them."""

import json
import re
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.load import dumpd
from langchain_core.messages import AIMessage, BaseMessage, ChatMessage, messages_to_dict
from langchain_core.outputs import ChatGeneration, LLMResult
from langchain_packages.conversations import CONVERSATIONS

_MADE_UP = re.compile("lc_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def forms(messages: Sequence[BaseMessage]) -> Iterator[tuple[str, Any]]:
    """Give a conversation in every form, with the name of each."""
    yield "lc", [dumpd(message) for message in messages]
    yield "stored", messages_to_dict(messages)
    yield "dump", [message.model_dump() for message in messages]
    yield "run", llm_run(messages)
    yield "tuples", [[role, message.content] for message in messages if (role := role_of(message))]
    yield "content_blocks", [{"type": message.type, "content_blocks": message.content_blocks} for message in messages]


def llm_run(messages: Sequence[BaseMessage]) -> dict[str, Any]:
    """Give a run of a model as LangSmith holds it: messages are `dumpd`, what is around them is a dump."""
    *asked, answer = messages
    outputs: dict[str, Any] | None = None
    if type(answer) is AIMessage:
        outputs = LLMResult(generations=[[ChatGeneration(message=answer)]]).model_dump()
        outputs["generations"][0][0]["message"] = dumpd(answer)
    return {"run_type": "llm", "inputs": {"messages": [[dumpd(message) for message in asked]]}, "outputs": outputs}


def role_of(message: BaseMessage) -> str | None:
    """Give the role of a message in the shorthand; None where there is none."""
    if isinstance(message, ChatMessage):
        return message.role
    return message.type if message.type in ("ai", "human", "system") else None


def lines() -> Iterator[str]:
    """Give one line of JSON for each conversation and form."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some forms are deprecated, and are read for that very reason
        for name, messages in CONVERSATIONS.items():
            for form, value in forms(messages):
                text = json.dumps({"name": name, "form": form, "value": value}, default=str)
                yield _MADE_UP.sub("lc_00000000-0000-4000-8000-000000000000", text)  # another one each time
