"""What providers say when the provider has no capacity, or failed."""

from lighter.beyond import Beyond
from lighter.rule import Refusal

BEYOND = Beyond(
    "the provider has no capacity, or failed",
    (
        Refusal(
            ("anthropic",), "overloaded_error: Overloaded", "https://github.com/anthropics/claude-code/issues/5184"
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "The server had an error while processing your request. Sorry about that!",
            "https://github.com/LlmKira/Openaibot/issues/125",
        ),
        Refusal(
            ("gemini",),
            "The model is overloaded. Please try again later.",
            "https://github.com/google-gemini/gemini-cli/issues/5191",
        ),
    ),
    "The provider could not answer, whatever was sent.",
    "Wait and try again.",
    is_about_history=False,
)
