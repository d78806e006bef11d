"""What providers say when the model is not there under this name."""

from lighter.beyond import Beyond
from lighter.rule import Refusal

BEYOND = Beyond(
    "the model is not there under this name",
    (
        Refusal(
            ("openai-chat", "azure-openai"),
            "The model `gpt-5` does not exist or you do not have access to it.",
            "https://github.com/skorokithakis/sysaidmin/issues/6",
        ),
        Refusal(
            ("bedrock",),
            "The provided model identifier is invalid.",
            "https://github.com/strands-agents/harness-sdk/issues/38",
        ),
        Refusal(
            ("bedrock",),
            "Invocation of model ID anthropic.claude-3-5-sonnet with on-demand throughput isn't supported. Retry your request with the ID or ARN of an inference profile that contains this model.",
            "https://github.com/terricain/aioboto3/issues/352",
        ),
        Refusal(
            ("ollama",),
            "model 'llama2' not found, try pulling it first",
            "https://github.com/ollama/ollama-python/issues/149",
        ),
    ),
    "The provider has no model of this name for this account or region. Nothing is wrong with the messages.",
    "Correct the name of the model, or have it made available.",
    is_about_history=False,
)
