"""What providers say when a tool without parameters is declared with an empty object of them."""

from lighter.beyond import Beyond
from lighter.rule import Refusal

BEYOND = Beyond(
    "a tool without parameters is declared with an empty object of them",
    (
        Refusal(
            ("gemini",),
            "* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties: should be non-empty for OBJECT type",
            "https://github.com/agno-agi/agno/issues/2112",
        ),
    ),
    "Older versions of Gemini's API minded it, newer ones take it.",
    "Leave `parameters` out where a tool takes nothing.",
)
