"""The names of OpenAI Chat that its readers and writers share: the format's own, and those of a request's parameters."""

from lighter.formats._calls import CallForm

NAME = "openai-chat"
SPELLING = f"{NAME}-spelling"
"""The format name of extras that only repeat what is held elsewhere, so that leaving them out is no loss."""

PARAMS = ("model", "max_tokens", "max_completion_tokens", "temperature", "top_p", "stop", "stream", "tool_choice",
          "parallel_tool_calls", "user", "function_call", "seed", "presence_penalty", "frequency_penalty", "n")  # fmt: skip

CALL = CallForm(name=NAME, spelling=NAME, keeps_spelling=False, has_signatures=True)
"""How its calls are read and written; arguments that are an object become text for good, as the API wants them."""
