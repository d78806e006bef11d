"""What providers say when a rate limit, a quota or a balance is used up."""

from lighter.beyond import Beyond
from lighter.rule import Refusal

BEYOND = Beyond(
    "a rate limit, a quota or a balance is used up",
    (
        Refusal(
            ("openai-chat", "azure-openai"),
            "Rate limit reached for gpt-4.1 in organization org-1 on tokens per min (TPM): Limit 30000, Used 18928, Requested 11159. Please try again in 174ms.",
            "https://github.com/continuedev/continue/issues/11472",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "You exceeded your current quota, please check your plan and billing details.",
            "https://github.com/google-gemini/gemini-cli/issues/8437",
        ),
        Refusal(
            ("anthropic",),
            "This request would exceed the rate limit for your organization (…) of 30,000 input tokens per minute.",
            "https://github.com/continuedev/continue/issues/9623",
        ),
        Refusal(
            ("anthropic",),
            "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
            "https://github.com/anthropics/claude-quickstarts/issues/229",
        ),
        Refusal(
            ("gemini",),
            "Resource has been exhausted (e.g. check quota).",
            "https://github.com/google-gemini/gemini-cli/issues/19976",
        ),
        Refusal(
            ("bedrock",),
            "Too many requests, please wait before trying again.",
            "https://github.com/2FastLabs/agent-squad/issues/47",
        ),
        Refusal(
            ("bedrock",),
            "Too many tokens, please wait before trying again.",
            "https://github.com/aws-samples/amazon-bedrock-client-for-mac/issues/99",
        ),
    ),
    "The account may not send more now. Nothing is wrong with the messages.",
    "Wait and try again, or raise the limit. Shorter histories use less of it: `lighter trim FILE --max-tokens N`.",
    is_about_history=False,
)
