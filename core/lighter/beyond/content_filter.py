"""What providers say when a content filter stopped the prompt or the answer."""

from lighter.beyond import Beyond
from lighter.rule import Refusal

BEYOND = Beyond(
    "a content filter stopped the prompt or the answer",
    (
        Refusal(
            ("azure-openai",),
            "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
            "https://github.com/openai/openai-python/issues/331",
        ),
        Refusal(
            ("anthropic",),
            "Output blocked by content filtering policy",
            "https://github.com/anthropics/claude-code/issues/6195",
        ),
        Refusal(
            ("openai-responses",),
            "Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again with a different prompt",
            "https://github.com/openai/codex/issues/7250",
        ),
    ),
    "The provider judged what the messages say, not how they are built.",
    "Find the message that is minded (often a tool's result), and take it out or put it otherwise.",
)
