"""The names of Cohere's chat API that its readers and writers share: the format's own, and those of a request's parameters."""

from lighter.formats._calls import CallForm

NAME = "cohere"
SPELLING = f"{NAME}-spelling"
"""The format name of extras that only say how something was spelled: when they are gone, nothing is lost."""

CALL = CallForm(name=NAME, spelling=SPELLING, arguments="json")

PLAN = "tool_plan"
"""The field beside the content in which the model tells what it wants to do with tools: "a chain-of-thought style reflection
and plan" (cohere SDK 7.3.1, `AssistantMessage.tool_plan`)."""

PARAMS = {
    "model": "model",
    "max_tokens": "max_tokens",
    "temperature": "temperature",
    "p": "top_p",
    "k": "top_k",
    "seed": "seed",
    "presence_penalty": "presence_penalty",
    "frequency_penalty": "frequency_penalty",
    "stop_sequences": "stop",
    "stream": "stream",
}
"""The parameters that OpenAI knows as well; the common name of each."""

MODELS = ("command", "c4ai-", "north-")
"""How the names of its models begin (https://docs.cohere.com/docs/models)."""

CHOICES = {"required": "REQUIRED", "none": "NONE"}
"""The choices of tools, by OpenAI's names."""

FIELDS = {"name": "/name", "content": "/content", "is_error": "/is_error", "call_id": "/tool_call_id", "role": "/role"}
"""Where the fields of a message stand, from the message on."""
