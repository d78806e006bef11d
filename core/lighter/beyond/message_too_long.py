"""What providers say when the text of one message is too long."""

from lighter.beyond import Beyond
from lighter.rule import Refusal

BEYOND = Beyond(
    "the text of one message is too long",
    (
        Refusal(
            ("openai-chat", "azure-openai"),
            "Invalid 'messages[17].content': string too long. Expected a string with maximum length 1048576, but got a string with length 1744259 instead.",
            "https://github.com/gptscript-ai/clio/issues/41",
        ),
        Refusal(
            ("openai-responses",),
            "Invalid 'input[0].content': string too long. Expected a string with maximum length 10485760, but got a string with length 62114761 instead.",
            "https://github.com/VectorlyApp/bluebox/issues/31",
        ),
    ),
    "No text may have more characters than that, whatever the model takes; mostly it is a file or a tool's result that was put into"
    " the message as a whole.",
    "Shorten the text, or send only the part of the file that matters. `lighter trim` removes whole turns, and helps where the message"
    " is an old one.",
)
