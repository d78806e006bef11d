"""What single models support or demand, told by their names, as dated data; `lighter.providers.AS_OF` is the date of these rows, too.

A history does not tell who will read it: where no model is named, or one that nobody knows, each function says what holds then.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, TypeGuard

from msgspec import Struct

from lighter.providers import ANTHROPIC_SDK

# ---------------------------------------------------------------------------------------------------------------- Claude
ModelFeature = Literal["prefill", "system in messages", "several systems in a row"]
Version = tuple[int, int]


class ModelRow(Struct, frozen=True):
    """Whether Claude models of a range of versions (`until` excluded) support a feature, and who says so."""

    feature: ModelFeature
    is_supported: bool
    since: Version
    until: Version
    source: str


_FIRST, _OPEN_END = (0, 0), (99, 0)
_DOCS = "https://platform.claude.com/docs/en"
_MID_SYSTEM = f"{_DOCS}/build-with-claude/mid-conversation-system-messages"

MODEL_ROWS: tuple[ModelRow, ...] = (
    ModelRow("prefill", True, _FIRST, (4, 6), f"{ANTHROPIC_SDK} MessageCreateParams; ericc-ch/copilot-api#261"),
    ModelRow(
        "prefill", False, (4, 6), _OPEN_END, f"{_DOCS}/api/errors#prefill-not-supported; vybestack/llxprt-code#3695"
    ),
    ModelRow("system in messages", False, _FIRST, (4, 8), "anthropics/claude-code#61412"),
    ModelRow(
        "system in messages",
        True,
        (4, 8),
        _OPEN_END,
        f"{_MID_SYSTEM}; simonw/llm-anthropic#73; langchain-ai/langchainjs#11922",
    ),
    ModelRow("several systems in a row", False, (4, 8), (5, 5), _MID_SYSTEM),
    ModelRow("several systems in a row", True, (5, 5), _OPEN_END, "answers of claude-opus-5-5, 2026-10-06"),
)

_UNNUMBERED: Mapping[str, Version] = {"claude-mythos-preview": (4, 7), "claude-instant": (1, 0)}
"""Models without a version in their name, and the numbered generation that they belong to."""

_FAMILIES = "opus|sonnet|haiku|fable|mythos"
_NEW_NAME = re.compile(rf"claude-(?:{_FAMILIES})-(\d{{1,2}})(?:[-.](\d{{1,2}}))?(?![\d.])")
_OLD_NAME = re.compile(rf"claude-v?(\d{{1,2}})(?:[-.](\d))?(?:-(?:{_FAMILIES}))?(?![\d.])")


def claude_version(model: str) -> Version | None:
    """Read the version off a Claude model's name, whoever hosts it (`us.anthropic.claude-…-v1:0`, `anthropic/claude-…`)."""
    name = model.lower()
    for known, generation in _UNNUMBERED.items():
        if known in name:
            return generation
    found = _NEW_NAME.search(name) or _OLD_NAME.search(name)
    return (int(found[1]), int(found[2] or 0)) if found else None


def is_unknown_claude(model: str | None) -> TypeGuard[str]:
    """Say whether a model is one of Anthropic's and of no known version, so that the table of models is silent about it."""
    return model is not None and "claude" in model.lower() and claude_version(model) is None


@lru_cache(maxsize=256)
def supports(model: str | None, feature: ModelFeature) -> bool | None:
    """Say whether a model supports a feature; None when the model is not named or not in the table."""
    version = claude_version(model) if model else None
    if version is None:
        return None
    for row in MODEL_ROWS:
        if row.feature == feature and row.since <= version < row.until:
            return row.is_supported
    return None


# ----------------------------------------------------------------------------------------- models on Bedrock, Gemini's
# Models on Bedrock whose turns hold tool blocks or others, not both: strands-agents/harness-sdk#1223 (Llama 4), BerriAI/litellm#6053
# and langchain-ai/langchain-aws#141 (Claude 3), read 2026-11-29.
_UNMIXED = re.compile(r"llama-?[34]|claude-3-(?:opus|sonnet|haiku)")


def takes_mixed_tool_turns(model: str) -> bool:
    """Say whether a model on Bedrock takes text beside tool calls and results in one turn; true for models of unknown habits."""
    return _UNMIXED.search(model.lower()) is None


_GEMINI_NAME = re.compile(r"gemini-(\d{1,2})(?:\.(\d{1,2}))?")


def signs_calls(model: str) -> bool:
    """Say whether a model of Gemini signs its function calls and wants the signatures back: from version 3 on (octos-org/octos#1897)."""
    found = _GEMINI_NAME.search(model.lower())
    return found is not None and int(found[1]) >= 3


def refuses_function_role(model: str | None) -> bool | None:
    """Say whether a model of Gemini refuses the old role of results; None where reports differ (sashiko-dev/sashiko#500)."""
    found = _GEMINI_NAME.search(model.lower()) if model else None
    if found is None:
        return False
    version = int(found[1]), int(found[2] or 0)
    return None if version == (3, 5) else version > (3, 5)


# ------------------------------------------------------------------------------------- models of OpenAI's and its likes
_PLAIN_OPENAI = re.compile(
    r"^(?:ft:)?(?:gpt-(?:3\.5|4(?!\d)|4o|4\.1|4\.5)|chatgpt-4o|gpt-5(?:\.\d+)?-chat)", re.IGNORECASE
)
_REASONING_OPENAI = re.compile(r"^(?:o[1-9]|gpt-(?:[5-9]|\d\d)(?!.*chat)|codex)", re.IGNORECASE)


def is_plain_openai(model: str | None) -> bool:
    """Say whether a model is one of OpenAI's that certainly does not reason (openai 3.57.0 ChatModel; openai/openai-agents-python#569)."""
    return model is not None and _PLAIN_OPENAI.match(model) is not None


def is_reasoning_openai(model: str | None) -> bool:
    """Say whether a model is one of OpenAI's that certainly reasons when it is asked to (openai 3.57.0 ChatModel)."""
    return model is not None and _REASONING_OPENAI.match(model) is not None


_ALWAYS_REASONING = re.compile(r"^(?:o[1-9]|gpt-5(?![\d.]))", re.IGNORECASE)


def reasons_without_being_asked(model: str | None) -> bool:
    """Say whether a model of OpenAI's reasons by default: later ones than GPT-5 need an effort (BeehiveInnovations/pal-mcp-server#78)."""
    return is_reasoning_openai(model) and _ALWAYS_REASONING.match(model or "") is not None


_THINKING_MODELS: Mapping[str, re.Pattern[str]] = {
    # experientiallabs/experiential#890, continuedev/continue#10193.
    "deepseek": re.compile(r"deepseek-(?:v(?:3\.[2-9]|[4-9])|chat|reasoner)|^(?!.*deepseek)", re.IGNORECASE),
    # MoonshotAI/kimi-cli#2141.
    "moonshot": re.compile(r"kimi-(?:k2\.[5-9]|k[3-9]|k2-thinking)|^(?!.*(?:kimi|moonshot-v1))", re.IGNORECASE),
}


def may_think(target: str, model: str | None) -> bool:
    """Say whether a target's model, as far as it is named, may be one that wants its reasoning back."""
    known = _THINKING_MODELS.get(target)
    return known is not None and (model is None or known.search(model) is not None)


_THINKING_UNASKED = re.compile(r"kimi-(?:k2\.[5-9]|k[3-9]|k2-thinking)", re.IGNORECASE)


def thinks_unasked(target: str, model: str | None) -> bool:
    """Say whether a model thinks where the request does not say (https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model)."""
    return target == "moonshot" and model is not None and _THINKING_UNASKED.search(model) is not None


_ALTERNATING: Mapping[str, tuple[re.Pattern[str], bool]] = {
    # Gemma's and Mistral's templates (vllm-project/vllm#6862); nobody can tell the template of a model that is not named.
    "vllm": (re.compile(r"mi[sx]tral|ministral|codestral|devstral|magistral|gemma", re.IGNORECASE), True),
    # DeepSeek's first reasoning models alone (deepseek-ai/DeepSeek-R1#21).
    "deepseek": (re.compile(r"deepseek-(?:r1|reasoner)", re.IGNORECASE), False),
}
"""For which models of a target roles must alternate, and whether that is to be expected of a model that is not named."""


def must_alternate(target: str, model: str | None) -> bool:
    """Say whether roles must alternate for a model of a target; true for targets that are not told apart by model."""
    pattern, is_expected = _ALTERNATING.get(target, (None, True))
    return is_expected if model is None or pattern is None else pattern.search(model) is not None


QWEN_TEMPLATES = re.compile(r"qwen-?(?:3\.[5-9]|[4-9])", re.IGNORECASE)
"""Models whose template wants a user's message, and a system message at the front alone (vllm-project/vllm#36432, #41114)."""

NO_SYSTEM_TEMPLATES = re.compile(r"gemma-?(?:1\.1|2|7b)(?!\d)", re.IGNORECASE)
"""Models whose template raises for a system message (sgl-project/sglang#1342); Gemma 3 takes one."""

HARMONY_MODELS = re.compile(r"gpt-?oss|harmony", re.IGNORECASE)
"""Models whose chat template is OpenAI's harmony (openclaw/openclaw#6514)."""
