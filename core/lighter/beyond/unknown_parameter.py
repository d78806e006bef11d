"""What providers say to a parameter of a request that they do not know."""

from lighter.beyond import Beyond
from lighter.rule import Refusal

BEYOND = Beyond(
    "the request has a parameter that is not known here",
    (
        Refusal(
            ("openai-chat", "azure-openai"),
            "Unrecognized request argument supplied: chat_template_kwargs",
            "https://github.com/TutteInstitute/toponymy/pull/148",
        ),
        Refusal(
            ("openai-responses",),
            "Unknown parameter: 'chat_template_kwargs'.",
            "https://platform.openai.com/docs/api-reference",
        ),
        Refusal(("groq",), "property 'chat_template_kwargs' is unsupported", "https://console.groq.com/docs/openai"),
        Refusal(
            ("anthropic",),
            "chat_template_kwargs: Extra inputs are not permitted",
            "https://platform.claude.com/docs/en/api/messages",
        ),
    ),
    "Beside the messages stands a parameter of another provider's API, or of another version of this one. Nothing is wrong with the"
    " messages.",
    "Leave the parameter out, or send it only to who knows it.",
    is_about_history=False,
)
