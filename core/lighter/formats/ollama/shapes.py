"""The names of Ollama's chat API that its readers and writers share: the format's own, and those of a request's options."""

from typing import Any

from lighter.formats._calls import CallForm

NAME = "ollama"
SPELLING = f"{NAME}-spelling"
"""The format name of extras that only say how something was spelled: when they are gone, nothing is lost."""

CALL = CallForm(name=NAME, spelling=SPELLING, has_id=False, has_type=False, arguments="object")
"""Its calls have no ids (ollama SDK 0.6.3, `Message.ToolCall`); what servers send of them is put back for Ollama itself."""

PARAMS = {"model": "model", "stream": "stream"}
OPTIONS = {
    "num_predict": "max_tokens",
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
    "stop": "stop",
    "seed": "seed",
    "presence_penalty": "presence_penalty",
    "frequency_penalty": "frequency_penalty",
}
"""The parameters, and those under `options`, that OpenAI knows as well; the common name of each."""

FIELDS = {
    "content": "/content",
    "is_error": "/is_error",
    "call_id": "/tool_call_id",
    "tool_name": "/tool_name",
    "role": "/role",
}
"""Where the fields of a message stand, from the message on."""

ELSEWHERE = (
    "gpt-3",
    "gpt-4",
    "gpt-5",
    "o1",
    "o3",
    "o4",
    "chatgpt-",
    "claude",
    "gemini-",
    "command-a",
    "mistral-large-latest",
)
"""How the names of models begin that only other providers run."""


_SPEAKERS = ("user", "assistant", "system")
_BESIDE_TEXT = ("images", "tool_calls", "tool_call_id", "function_call")


def is_text_alone(raw: Any) -> bool:
    """Say whether a message is certain to be text."""
    match raw:
        case {"role": str(role), "content": str()} if role in _SPEAKERS:
            return all(key not in raw for key in _BESIDE_TEXT)
        case _:
            return False
