"""What providers say when the key is not accepted, or may not use this."""

from lighter.beyond import Beyond
from lighter.rule import Refusal

BEYOND = Beyond(
    "the key is not accepted, or may not use this",
    (
        Refusal(
            ("openai-chat", "azure-openai"),
            "Incorrect API key provided: sk-…. You can find your API key at https://platform.openai.com/account/api-keys.",
            "https://github.com/continuedev/continue/issues/9634",
        ),
        Refusal(
            ("anthropic",),
            "authentication_error: invalid x-api-key",
            "https://github.com/anthropics/claude-quickstarts/issues/193",
        ),
        Refusal(
            ("gemini",),
            "API key not valid. Please pass a valid API key.",
            "https://github.com/google-gemini/gemini-cli/issues/4690",
        ),
        Refusal(
            ("bedrock",),
            "You don't have access to the model with the specified model ID.",
            "https://github.com/strands-agents/harness-sdk/issues/38",
        ),
    ),
    (
        "Who sends the request is not known to the provider, or has no right to what is asked. Nothing is wrong with "
        "the messages."
    ),
    "Check the key, whose it is, and the address that it is sent to.",
    is_about_history=False,
)
