"""What providers say when thinking was changed since the model wrote it."""

from lighter.beyond import Beyond
from lighter.rule import Refusal

BEYOND = Beyond(
    "thinking was changed since the model wrote it",
    (
        Refusal(
            ("anthropic",),
            "messages.5.content.1: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
            "https://github.com/anthropics/claude-code/issues/63404",
        ),
        Refusal(
            ("gemini",),
            "Unable to submit request because Thought signature is not valid",
            "https://github.com/decolua/9router/issues/301",
        ),
        Refusal(("gemini",), "Corrupted thought signature.", "https://github.com/heyhuynhgiabuu/proxypal/issues/119"),
        Refusal(("gemini",), "Invalid thought signature.", "https://github.com/lbjlaq/Antigravity-Manager/pull/3342"),
    ),
    (
        "The thinking blocks of the last turn must be sent back as they came, signature included, in the same order "
        "and with nothing between them that was not there. Usual causes: an empty block was dropped, text was "
        "trimmed, two answers were merged, or the turn was continued with thinking switched off. The history alone "
        "cannot show it: it takes the answer as it came."
    ),
    (
        "Put the turn back as the provider sent it; where that is lost, remove the thinking blocks of that turn "
        "together with its tool calls and their results, or start from the user's message before it."
    ),
)
