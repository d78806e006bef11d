"""Errors that no rule can find in a history, most of them about the account or the provider: what they mean, and what to do."""

from msgspec import Struct

from lighter.rule import Refusal


class Beyond(Struct, frozen=True):
    """Something that providers refuse and no rule finds: what it is in a few words, what they say, what it means, what to do.

    `is_about_history`: another history would have been taken.
    """

    title: str
    refusals: tuple[Refusal, ...]
    meaning: str
    remedy: str
    is_about_history: bool = True


_CHATS = ("openai-chat", "azure-openai")


def _said(targets: tuple[str, ...], *texts: tuple[str, str]) -> tuple[Refusal, ...]:
    """List what the same providers say, each text with its source."""
    return tuple(Refusal(targets, text, f"https://github.com/{source}") for text, source in texts)


BEYOND = (
    Beyond(
        "thinking was changed since the model wrote it",
        _said(
            ("anthropic",),
            (
                (
                    "messages.5.content.1: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified."
                    " These blocks must remain as they were in the original response."
                ),
                "anthropics/claude-code/issues/63404",
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
            *_said(
                _CHATS,
                (
                    (
                        "This model's maximum context length is 8192 tokens. However, your messages resulted in 8227 tokens. Please reduce the"
                        " length of the messages."
                    ),
                    "crewAIInc/crewAI-examples/issues/121",
                ),
                (
                    (
                        "This model's maximum context length is 4097 tokens. However, you requested 4203 tokens (3703 in the messages, 500 in"
                        " the completion). Please reduce the length of the messages or completion."
                    ),
                    "The-Vibe-Company/quivr/issues/505",
                ),
                ("Input tokens exceed the configured limit of 272000 tokens.", "BerriAI/litellm/issues/18927"),
                (
                    (
                        "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text"
                        " input). Please reduce the length of either one"
                    ),
                    "refly-ai/refly/issues/1177",
                ),
            ),
            *_said(
                ("anthropic",),
                ("prompt is too long: 208310 tokens > 200000 maximum", "anthropics/claude-code/issues/12186"),
                (
                    (
                        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens`"
                        " and try again"
                    ),
                    "anthropics/claude-code/issues/228",
                ),
            ),
            *_said(
                ("gemini",),
                (
                    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
                    "google-gemini/gemini-cli/issues/6678",
                ),
            ),
            *_said(("bedrock",), ("Input is too long for requested model.", "aws-samples/bedrock-chat/issues/95")),
            *_said(
                ("llama.cpp",),
                ("Requested tokens (2065) exceed context window of 1800", "run-llama/llama_index/issues/8046"),
            ),
        ),
        "Nothing is wrong with the messages but their length, which depends on the model.",
        "`lighter trim FILE --max-tokens N` removes the oldest turns and keeps each tool call with its results; messages that are cut"
        " off anywhere else lose one of the two, which is refused as well.",
    ),
    Beyond(
        "a rate limit, a quota or a balance is used up",
        (
            *_said(
                _CHATS,
                (
                    (
                        "Rate limit reached for gpt-4.1 in organization org-1 on tokens per min (TPM): Limit 30000, Used 18928, Requested 11159."
                        " Please try again in 174ms."
                    ),
                    "continuedev/continue/issues/11472",
                ),
                (
                    "You exceeded your current quota, please check your plan and billing details.",
                    "google-gemini/gemini-cli/issues/8437",
                ),
            ),
            *_said(
                ("anthropic",),
                (
                    "This request would exceed the rate limit for your organization (…) of 30,000 input tokens per minute.",
                    "continuedev/continue/issues/9623",
                ),
                (
                    "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
                    "anthropics/claude-quickstarts/issues/229",
                ),
            ),
            *_said(
                ("gemini",),
                ("Resource has been exhausted (e.g. check quota).", "google-gemini/gemini-cli/issues/19976"),
            ),
            *_said(
                ("bedrock",),
                ("Too many requests, please wait before trying again.", "2FastLabs/agent-squad/issues/47"),
                (
                    "Too many tokens, please wait before trying again.",
                    "aws-samples/amazon-bedrock-client-for-mac/issues/99",
                ),
            ),
        ),
        "The account may not send more now. Nothing is wrong with the messages.",
        "Wait and try again, or raise the limit. Shorter histories use less of it: `lighter trim FILE --max-tokens N`.",
        is_about_history=False,
    ),
    Beyond(
        "the key is not accepted, or may not use this",
        (
            *_said(
                _CHATS,
                (
                    "Incorrect API key provided: sk-…. You can find your API key at https://platform.openai.com/account/api-keys.",
                    "continuedev/continue/issues/9634",
                ),
            ),
            *_said(
                ("anthropic",), ("authentication_error: invalid x-api-key", "anthropics/claude-quickstarts/issues/193")
            ),
            *_said(
                ("gemini",),
                ("API key not valid. Please pass a valid API key.", "google-gemini/gemini-cli/issues/4690"),
            ),
            *_said(
                ("bedrock",),
                (
                    "You don't have access to the model with the specified model ID.",
                    "strands-agents/harness-sdk/issues/38",
                ),
            ),
        ),
        "Who sends the request is not known to the provider, or has no right to what is asked. Nothing is wrong with the messages.",
        "Check the key, whose it is, and the address that it is sent to.",
        is_about_history=False,
    ),
    Beyond(
        "the model is not there under this name",
        (
            *_said(
                _CHATS,
                (
                    "The model `gpt-5` does not exist or you do not have access to it.",
                    "skorokithakis/sysaidmin/issues/6",
                ),
            ),
            *_said(
                ("bedrock",),
                ("The provided model identifier is invalid.", "strands-agents/harness-sdk/issues/38"),
                (
                    (
                        "Invocation of model ID anthropic.claude-3-5-sonnet with on-demand throughput isn't supported. Retry your request with"
                        " the ID or ARN of an inference profile that contains this model."
                    ),
                    "terricain/aioboto3/issues/352",
                ),
            ),
            *_said(("ollama",), ("model 'llama2' not found, try pulling it first", "ollama/ollama-python/issues/149")),
        ),
        "The provider has no model of this name for this account or region. Nothing is wrong with the messages.",
        "Correct the name of the model, or have it made available.",
        is_about_history=False,
    ),
    Beyond(
        "the provider has no capacity, or failed",
        (
            *_said(("anthropic",), ("overloaded_error: Overloaded", "anthropics/claude-code/issues/5184")),
            *_said(
                _CHATS,
                (
                    "The server had an error while processing your request. Sorry about that!",
                    "LlmKira/Openaibot/issues/125",
                ),
            ),
            *_said(
                ("gemini",),
                ("The model is overloaded. Please try again later.", "google-gemini/gemini-cli/issues/5191"),
            ),
        ),
        "The provider could not answer, whatever was sent.",
        "Wait and try again.",
        is_about_history=False,
    ),
    Beyond(
        "a content filter stopped the prompt or the answer",
        (
            *_said(
                ("azure-openai",),
                (
                    (
                        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your"
                        " prompt and retry."
                    ),
                    "openai/openai-python/issues/331",
                ),
            ),
            *_said(
                ("anthropic",), ("Output blocked by content filtering policy", "anthropics/claude-code/issues/6195")
            ),
            *_said(
                ("openai-responses",),
                (
                    (
                        "Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again with a different"
                        " prompt"
                    ),
                    "openai/codex/issues/7250",
                ),
            ),
        ),
        "The provider judged what the messages say, not how they are built.",
        "Find the message that is minded (often a tool's result), and take it out or put it otherwise.",
    ),
    Beyond(
        "a tool's description is too long",
        _said(
            _CHATS,
            (
                (
                    "Invalid 'tools[1].function.description': string too long. Expected a string with maximum length 1024, but got a string with"
                    " length 1103 instead."
                ),
                "BerriAI/litellm/issues/4735",
            ),
        ),
        "OpenAI's chats took 1024 characters when this was reported; who serves them may hold to another number.",
        "Shorten the description, and say the rest in the system prompt.",
    ),
    Beyond(
        "a tool without parameters is declared with an empty object of them",
        _said(
            ("gemini",),
            (
                "* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties: should be non-empty for OBJECT type",
                "agno-agi/agno/issues/2112",
            ),
        ),
        "Older versions of Gemini's API minded it, newer ones take it.",
        "Leave `parameters` out where a tool takes nothing.",
    ),
)
