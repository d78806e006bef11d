"""Refusals that several rules quote: a provider has one sentence for several faults of calls and their results."""

from lighter.rule import Refusal

GEMINI_COUNTS = Refusal(
    ("gemini",),
    "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    "https://github.com/google-gemini/gemini-cli/issues/16216",
)

GEMINI_ORDER = Refusal(
    ("gemini",),
    "Please ensure that function response turn comes immediately after a function call turn.",
    "https://github.com/langchain-ai/langchain/issues/27799",
)

BEDROCK_TOO_FEW = Refusal(
    ("bedrock",),
    "Expected toolResult blocks at messages.2.content for the following Ids: …",
    "https://github.com/camel-ai/camel/issues/3954",
)

BEDROCK_TOO_MANY = Refusal(
    ("bedrock",),
    "The number of toolResult blocks at messages.2.content exceeds the number of toolUse blocks of previous turn.",
    "https://github.com/strands-agents/harness-sdk/issues/1435",
)

UNANSWERED = (
    Refusal(
        ("anthropic",),
        "`tool_use` ids were found without `tool_result` blocks immediately after",
        "https://github.com/anthropics/claude-code/issues/1237",
    ),
    GEMINI_COUNTS,
    BEDROCK_TOO_FEW,
    Refusal(
        ("mistral",),
        "Not the same number of function calls and responses",
        "https://github.com/NousResearch/hermes-agent/issues/11722",
    ),
    Refusal(
        ("cohere",),
        "invalid request: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
        "https://github.com/oracle/langchain-oracle/issues/10",
    ),
    Refusal(
        ("openai-responses",),
        "No tool output found for function call call_….",
        "https://github.com/anomalyco/opencode/issues/16717",
    ),
    Refusal(
        ("openai-responses",),
        "No tool output found for custom tool call call_….",
        "https://github.com/diegosouzapw/OmniRoute/issues/8946",
    ),
    Refusal(
        ("openai-responses",),
        "No tool output found for local shell call call_….",
        "https://github.com/openai/openai-agents-python/pull/1855",
    ),
    Refusal(
        ("openai-responses",),
        "No tool output found for shell call call_….",
        "https://github.com/microsoft/agent-framework/issues/8663",
    ),
)
"""What is said of a call without a result, wherever in the history it stands."""
