"""Errors about a history that no rule can find in it: what they mean, and what to do all the same."""

from msgspec import Struct

from lighter.rule import Refusal


class Beyond(Struct, frozen=True):
    """Something that providers refuse and no rule finds: what they say, what it means, and what to do."""

    title: str
    refusals: tuple[Refusal, ...]
    meaning: str
    remedy: str


BEYOND = (
    Beyond(
        "thinking was changed since the model wrote it",
        (
            Refusal(
                ("anthropic",),
                "messages.5.content.1: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified."
                " These blocks must remain as they were in the original response.",
                "https://github.com/anthropics/claude-code/issues/63404",
            ),
        ),
        "The thinking blocks of the last turn must be sent back as they came, signature included, in the same order and with nothing"
        " between them that was not there. Usual causes: an empty block was dropped, text was trimmed, two answers were merged, or"
        " the turn was continued with thinking switched off. The history alone cannot show it: it takes the answer as it came.",
        "Put the turn back as the provider sent it; where that is lost, remove the thinking blocks of that turn together with its"
        " tool calls and their results, or start from the user's message before it.",
    ),
    Beyond(
        "the history is longer than the model takes",
        (
            Refusal(
                ("openai-chat", "azure-openai"),
                "This model's maximum context length is 8192 tokens. However, your messages resulted in 8227 tokens. Please reduce the"
                " length of the messages.",
                "https://github.com/crewAIInc/crewAI-examples/issues/121",
            ),
            Refusal(
                ("openai-chat", "azure-openai"),
                "This model's maximum context length is 4097 tokens. However, you requested 4203 tokens (3703 in the messages, 500 in"
                " the completion). Please reduce the length of the messages or completion.",
                "https://github.com/The-Vibe-Company/quivr/issues/505",
            ),
            Refusal(
                ("anthropic",),
                "prompt is too long: 208310 tokens > 200000 maximum",
                "https://github.com/anthropics/claude-code/issues/12186",
            ),
        ),
        "Nothing is wrong with the messages but their length, which depends on the model.",
        "`lighter trim FILE --max-tokens N` removes the oldest turns and keeps each tool call with its results; messages that are cut"
        " off anywhere else lose one of the two, which is refused as well.",
    ),
)
