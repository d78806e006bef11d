"""What providers say to a request that has no list of messages at all."""

from lighter.beyond import Beyond
from lighter.rule import Refusal

BEYOND = Beyond(
    "the request has no list of messages",
    (
        Refusal(
            ("openai-chat", "azure-openai"),
            "Missing required parameter: 'messages'.",
            "https://platform.openai.com/docs/api-reference/chat/create",
        ),
        Refusal(("anthropic",), "messages: Field required", "https://platform.claude.com/docs/en/api/messages"),
        Refusal(
            ("deepseek",),
            "Failed to deserialize the JSON body into the target type: missing field `messages` at line 1 column 83",
            "https://github.com/fishjar/kiss-translator/issues/719",
        ),
        Refusal(
            ("openai-responses",),
            "Missing required parameter: 'input'.",
            "https://platform.openai.com/docs/api-reference/responses/create",
        ),
    ),
    "The history did not reach the provider: it stands under another name (`input`, `contents`, `prompt`), the body was not sent as"
    " JSON, or what was sent to one kind of API is meant for another.",
    "Send the history under the name that this API reads, in its own form: `lighter convert FILE --to FORMAT`.",
)
