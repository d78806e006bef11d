"""What providers say when a tool's description is too long."""

from lighter.beyond import Beyond
from lighter.rule import Refusal

BEYOND = Beyond(
    "a tool's description is too long",
    (
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid 'tools[1].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 1103 instead.",
            "https://github.com/BerriAI/litellm/issues/4735",
        ),
    ),
    "OpenAI's chats took 1024 characters when this was reported; who serves them may hold to another number.",
    "Shorten the description, and say the rest in the system prompt.",
)
