"""What a provider says that minds something in the messages and does not tell what."""

from lighter.beyond import Beyond
from lighter.rule import Refusal

BEYOND = Beyond(
    "the provider does not say what is wrong with the messages",
    (
        Refusal(
            ("zai",),
            "The messages parameter is illegal. Please check the documentation.",
            "https://github.com/anomalyco/opencode/issues/2557",
        ),
        Refusal(("zai",), "messages 参数非法。请检查文档。", "https://github.com/langgenius/dify/issues/16337"),
    ),
    "Z.ai has one sentence for many faults: a history without a message of the user (`no-user-message`), an empty message (`empty-message`), a result without its call (`orphan-tool-result`).",
    "`lighter lint FILE --target zai` looks for all of them.",
)
