"""The names of Mistral's API that its readers and writers share: the format's own, and those of a request's parameters."""

from lighter.formats._calls import CallForm
from lighter.formats._notes import INSIDE, OLDER

NAME = "mistral"
SPELLING = f"{NAME}-spelling"
"""The format name of extras that only say how something was spelled: when they are gone, nothing is lost."""

NESTED = f"{NAME}{INSIDE}"
"""The format name of an extra that tells which of several parts of one thinking chunk a block was, from the second on."""

OLD_WORD = f"{NAME}{OLDER}"
"""The format name of an extra that holds `any`, the older of Mistral's two words for a tool that must be called."""

MARK = f"{NAME}-form-spelling"
"""The format name of extras that tell which of two forms a value had (`AS_OBJECT`, `AS_TEXT`)."""

ENTRY = "mistral-entry"
"""The format name of extras that only entries of the Conversations API have, not messages."""

NO_ID = "null"
"""What the API itself writes where a call has no id (mistralai SDK 3.7.0: `ToolCall.id` is "null" by default)."""

CALL = CallForm(name=NAME, spelling=SPELLING, arguments="json", no_ids=frozenset({NO_ID}))

PARAMS = {
    "model": "model",
    "max_tokens": "max_tokens",
    "temperature": "temperature",
    "top_p": "top_p",
    "stop": "stop",
    "stream": "stream",
    "parallel_tool_calls": "parallel_tool_calls",
    "random_seed": "seed",
    "presence_penalty": "presence_penalty",
    "frequency_penalty": "frequency_penalty",
    "n": "n",
}
"""The parameters that OpenAI knows as well; the common name of each."""

MODELS = (
    "mistral", "magistral", "ministral", "codestral", "devstral", "pixtral", "voxtral", "mixtral", "open-mi", "labs-",
)  # fmt: skip
"""How the names of its models begin (https://docs.mistral.ai/getting-started/models)."""

FIELDS = {
    "name": "/name",
    "content": "/content",
    "is_error": "/is_error",
    "call_id": "/tool_call_id",
    "tool_name": "/name",
    "role": "/role",
}
"""Where the fields of a message stand, from the message on."""
