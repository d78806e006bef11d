"""What providers say when the history is longer than the model takes."""

from lighter.beyond import Beyond
from lighter.rule import Refusal

BEYOND = Beyond(
    "the history is longer than the model takes",
    (
        Refusal(
            ("openai-chat", "azure-openai"),
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 8227 tokens. Please reduce the length of the messages.",
            "https://github.com/crewAIInc/crewAI-examples/issues/121",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "This model's maximum context length is 4097 tokens. However, you requested 4203 tokens (3703 in the messages, 500 in the completion). Please reduce the length of the messages or completion.",
            "https://github.com/The-Vibe-Company/quivr/issues/505",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "Input tokens exceed the configured limit of 272000 tokens.",
            "https://github.com/BerriAI/litellm/issues/18927",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input). Please reduce the length of either one",
            "https://github.com/refly-ai/refly/issues/1177",
        ),
        Refusal(
            ("anthropic",),
            "prompt is too long: 208310 tokens > 200000 maximum",
            "https://github.com/anthropics/claude-code/issues/12186",
        ),
        Refusal(
            ("anthropic",),
            "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again",
            "https://github.com/anthropics/claude-code/issues/228",
        ),
        Refusal(
            ("gemini",),
            "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            "https://github.com/google-gemini/gemini-cli/issues/6678",
        ),
        Refusal(
            ("bedrock",),
            "Input is too long for requested model.",
            "https://github.com/aws-samples/bedrock-chat/issues/95",
        ),
        Refusal(
            ("llama.cpp",),
            "Requested tokens (2065) exceed context window of 1800",
            "https://github.com/run-llama/llama_index/issues/8046",
        ),
    ),
    "Nothing is wrong with the messages but their length, which depends on the model.",
    (
        "`lighter trim FILE --max-tokens N` removes the oldest turns and keeps each tool call with its results; "
        "messages that are cut off anywhere else lose one of the two, which is refused as well."
    ),
)
