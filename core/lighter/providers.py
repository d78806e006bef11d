"""What providers accept, as dated data: their targets and limits, their block types and keys, and what each model supports.

Nothing here is behaviour of lighter: a row changes when a provider does. `AS_OF` is when the rows were last read off the
packages and reports that they name.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from lighter.errors import UnknownFormat, UnknownTarget
from lighter.rule import Mode
from lighter.vendors import AZURE_FINETUNE_ROW, COMPATIBLE_ROWS, OPENAI_FINETUNE_ROW, TRAINER_ROWS

AS_OF = "2026-11-29"
OPENAI_SDK = "openai 3.57.0"
ANTHROPIC_SDK = "anthropic 2.14.0"
GENAI_SDK = "google-genai 3.6.1"
BOTOCORE = "botocore 1.44.8"
MISTRAL_COMMON = "mistral_common 1.13.1"
COHERE_SDK = "cohere 7.3.1"
OLLAMA_SDK = "ollama 0.6.3"


# ---------------------------------------------------------------------------------------------------------------- targets
class Target(Struct, frozen=True, kw_only=True):
    """Who would receive a history, the wire format that it reads (None: whichever the file is in), and its limits.

    `title` names the API, `provider` is what a sentence calls who speaks it.
    Patterns are regular expressions for the whole text, lengths are in characters; None: no limit known. `tool_name_*` hold
    for calls in the history, `tool_definition_name_max` for the tools that a request declares. `call_ids_unique_in` is the
    stretch in which two calls must not share an id, `participant_name_*` are for `name` on messages.
    `kin`: who decides about a fault where a rule does not name this target (`lighter.rule.Rule.severity`). `also_reads`: wire
    formats that the target takes besides its own. `reads_rows`: layouts of training rows that it takes and no format reads, so that
    only rules about rows judge them.
    """

    name: str
    title: str
    provider: str
    format: str | None
    kin: str | None = None
    also_reads: tuple[str, ...] = ()
    reads_rows: tuple[str, ...] = ()
    mode: Mode = "request"
    roles: frozenset[str] | None = None
    call_id_pattern: str | None = None
    call_id_max: int | None = None
    call_ids_unique_in: Literal["turn", "request"] = "turn"
    tool_name_pattern: str | None = None
    tool_name_max: int | None = None
    tool_definition_name_max: int | None = None
    participant_name_pattern: str | None = None
    participant_name_max: int | None = None
    source: str = ""


_OPENAI = Target(
    name="openai-chat",
    title="OpenAI Chat Completions",
    provider="OpenAI",
    format="openai-chat",
    roles=frozenset({"developer", "system", "user", "assistant", "tool", "function"}),
    call_id_max=40,
    tool_name_pattern=r"[a-zA-Z0-9_-]+",
    tool_name_max=64,
    tool_definition_name_max=64,
    # Wider since 2025; the older `[a-zA-Z0-9_-]+` is what the report quotes.
    participant_name_pattern=r"[^\s<|\\/>]+",
    participant_name_max=64,
    source=f"{OPENAI_SDK} types; anomalyco/opencode#12653 (ids); FlowiseAI/Flowise#2948 (names)",
)
_AZURE = replace(
    _OPENAI,
    name="azure-openai",
    title="Azure OpenAI Chat Completions",
    provider="Azure OpenAI",
    also_reads=("openai-responses",),
)
_ANTHROPIC = Target(
    name="anthropic",
    title="Anthropic Messages",
    provider="Anthropic",
    format="anthropic",
    roles=frozenset({"user", "assistant", "system"}),
    call_id_pattern=r"[a-zA-Z0-9_-]+",
    call_ids_unique_in="request",
    tool_name_pattern=r"[a-zA-Z0-9_-]+",
    tool_name_max=200,
    tool_definition_name_max=128,
    source=f"{ANTHROPIC_SDK} types; AnswerDotAI/fastllm#45 (ids); anthropics/claude-code#23681 (names)",
)
_GENERIC = Target(
    name="generic",
    title="Nobody in particular: what all who speak the file's own format would refuse",
    provider="every provider",
    format=None,
    mode="log",
)

# Those with a wire format of their own. What all who speak a format refuse, they refuse, being the only ones who speak it.
_CHAT_ROLES = frozenset({"system", "user", "assistant", "tool"})
_GEMINI = Target(
    name="gemini",
    title="Gemini generateContent",
    provider="Gemini",
    format="gemini",
    kin="generic",
    # `function` is what older versions had for results.
    roles=frozenset({"user", "model", "function"}),
    tool_name_pattern=r"[a-zA-Z_][a-zA-Z0-9_.:-]*",
    tool_name_max=128,
    tool_definition_name_max=128,
    source=f"{GENAI_SDK} types (FunctionDeclaration.name, Content.role)",
)
_INTERACTIONS = Target(
    name="gemini-interactions",
    title="Gemini Interactions",
    provider="Gemini",
    format="gemini-interactions",
    kin="generic",
    source=f"{GENAI_SDK} types (FunctionResultStep.call_id); names and limits are not told there",
)
_BEDROCK = Target(
    name="bedrock",
    title="Bedrock Converse",
    provider="Bedrock",
    format="bedrock",
    kin="generic",
    roles=frozenset({"user", "assistant", "system"}),
    call_id_pattern=r"[a-zA-Z0-9_.:-]+",
    call_id_max=64,
    tool_name_pattern=r"[a-zA-Z0-9_-]+",
    tool_name_max=64,
    tool_definition_name_max=64,
    source=f"{BOTOCORE} bedrock-runtime (ToolUseId, ToolName, ConversationRole)",
)
_MISTRAL = Target(
    name="mistral",
    title="Mistral chat",
    provider="Mistral",
    format="mistral",
    kin="generic",
    also_reads=("openai-chat",),
    roles=_CHAT_ROLES,
    # Of tokenizers up to version 11; later ones take any id but `null` (MistralRequestValidatorV3, V13).
    call_id_pattern=r"[a-zA-Z0-9]{9}",
    call_id_max=9,
    tool_name_pattern=r"[a-zA-Z0-9_-]+",
    tool_name_max=64,
    tool_definition_name_max=64,
    source=f"{MISTRAL_COMMON} MistralRequestValidator; anomalyco/opencode#1680 (ids)",
)
_COHERE = Target(
    name="cohere",
    title="Cohere chat (v2)",
    provider="Cohere",
    format="cohere",
    kin="generic",
    roles=_CHAT_ROLES,
    source=f"{COHERE_SDK} ChatMessageV2; oracle/langchain-oracle#10",
)
_OLLAMA = Target(
    name="ollama",
    title="Ollama chat",
    provider="Ollama",
    format="ollama",
    kin="generic",
    roles=_CHAT_ROLES,
    source=f"{OLLAMA_SDK} Message; ollama/ollama#10255 (content)",
)

# OpenAI's other APIs, and those who speak its chats.
_RESPONSES = Target(
    name="openai-responses",
    title="OpenAI Responses",
    provider="OpenAI",
    format="openai-responses",
    kin="generic",
    roles=frozenset({"user", "assistant", "system", "developer"}),
    call_id_max=64,
    tool_name_pattern=_OPENAI.tool_name_pattern,
    tool_definition_name_max=64,
    source=f"{OPENAI_SDK} ResponseInputItemParam; maximhq/bifrost#5097 (ids)",
)
_COMPATIBLE = Target(name="", title="", provider="", format="openai-chat", kin="generic")
_VENDORS = tuple(replace(_COMPATIBLE, **row) for row in COMPATIBLE_ROWS)
_TRAINERS = (
    replace(_OPENAI, kin="openai-chat", mode="finetune", **OPENAI_FINETUNE_ROW),
    replace(_AZURE, kin="azure-openai", mode="finetune", also_reads=(), **AZURE_FINETUNE_ROW),
    *(replace(_COMPATIBLE, mode="finetune", **row) for row in TRAINER_ROWS),
)

TARGETS: Mapping[str, Target] = {
    target.name: target
    for target in (
        _GENERIC,
        _OPENAI,
        _AZURE,
        _ANTHROPIC,
        _GEMINI,
        _INTERACTIONS,
        _BEDROCK,
        _MISTRAL,
        _COHERE,
        _OLLAMA,
        _RESPONSES,
        *_VENDORS,
        *_TRAINERS,
    )
}


def get_target(name: str) -> Target:
    """Give a target by its name, or by an alias of the format that it has its name from; raises UnknownTarget."""
    if name in TARGETS:
        return TARGETS[name]
    from lighter.formats import get  # noqa: PLC0415 - formats are loaded only for names that are no target's

    try:
        return TARGETS[get(name).NAME]
    except (UnknownFormat, KeyError):
        raise UnknownTarget("target", name, TARGETS) from None


OPENAI_CHATS = frozenset(
    name for name, row in TARGETS.items() if row.format == "openai-chat" and row.provider in ("OpenAI", "Azure OpenAI")
)
"""The targets that are OpenAI's own chats, wherever they are hosted."""

FORMAT_ROLES: Mapping[str, frozenset[str]] = {
    target.name: target.roles for target in TARGETS.values() if target.name == target.format and target.roles
}
"""The roles that a wire format knows."""


# ------------------------------------------------------------------------------------------------ OpenAI content parts
OPENAI_PARTS: Mapping[str, frozenset[str]] = {
    "developer": frozenset({"text"}),
    "system": frozenset({"text"}),
    "user": frozenset({"text", "image_url", "input_audio", "file"}),
    "assistant": frozenset({"text", "refusal"}),
    "tool": frozenset({"text"}),
}
"""The content parts of each role (OPENAI_SDK, `ChatCompletionMessageParam`); role `function` takes a string only."""

RESPONSES_PARTS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(
        ("user", "system", "developer"), frozenset({"input_text", "input_image", "input_file", "input_audio"})
    ),
    "assistant": frozenset({"output_text", "refusal"}),
}
"""The same for the items of OpenAI's Responses; results hold the parts of a user (OPENAI_SDK, `ResponseInputItemParam`)."""

# ------------------------------------------------------------------------------------------------ Anthropic content blocks
_RESULT = frozenset({"type", "tool_use_id", "content", "cache_control"})
ANTHROPIC_BLOCKS: Mapping[str, frozenset[str]] = {
    "text": frozenset({"type", "text", "citations", "cache_control"}),
    "image": frozenset({"type", "source", "transformations", "cache_control"}),
    "document": frozenset({"type", "source", "title", "context", "citations", "cache_control"}),
    "search_result": frozenset({"type", "source", "title", "content", "citations", "cache_control"}),
    "thinking": frozenset({"type", "thinking", "signature"}),
    "redacted_thinking": frozenset({"type", "data"}),
    "tool_use": frozenset({"type", "id", "name", "input", "caller", "toolset_name", "cache_control"}),
    "tool_result": _RESULT | {"is_error", "toolset_name"},
    "server_tool_use": frozenset({"type", "id", "name", "input", "caller", "cache_control"}),
    "web_search_tool_result": _RESULT | {"caller"},
    "web_fetch_tool_result": _RESULT | {"caller"},
    "code_execution_tool_result": _RESULT,
    "bash_code_execution_tool_result": _RESULT,
    "text_editor_code_execution_tool_result": _RESULT,
    "tool_search_tool_result": _RESULT,
    "container_upload": frozenset({"type", "file_id", "cache_control"}),
    "tool_reference": frozenset({"type", "tool_name", "cache_control"}),
    "browser_state": frozenset({"type", "state_changes", "tabs", "cache_control"}),
    # Beta.
    "advisor_tool_result": _RESULT,
    "mcp_tool_use": frozenset({"type", "id", "name", "input", "server_name", "cache_control"}),
    "mcp_tool_result": _RESULT | {"is_error"},
    "mcp_tool_listing": frozenset({"type", "mcp_server_name", "tools"}),
    "compaction": frozenset({"type", "content", "encrypted_content", "signature", "tool_changes", "cache_control"}),
    "tool_addition": frozenset({"type", "tool", "cache_control"}),
    "tool_removal": frozenset({"type", "tool", "cache_control"}),
    "fallback": frozenset({"type", "from", "to", "trigger"}),
    "mid_conv_system": frozenset({"type", "content", "cache_control"}),
}
"""The request's block types and their keys (ANTHROPIC_SDK, `ContentBlockParam` and its beta; `mid_conv_system` was in 2.4)."""

ANTHROPIC_NESTED_ONLY = frozenset({"tool_reference", "browser_state"})
"""Block types that stand only inside a tool result."""

ANTHROPIC_IN_RESULT = frozenset({"text", "image", "document", "search_result", *ANTHROPIC_NESTED_ONLY})
"""Block types that a tool result may hold (ANTHROPIC_SDK, `ToolResultBlockParam`)."""

ANTHROPIC_IN_SYSTEM = frozenset({"text", "tool_addition", "tool_removal"})
"""Block types that a message of role `system` may hold (ANTHROPIC_SDK, `BetaSystemMessageParam`)."""

ANTHROPIC_MESSAGE_KEYS: Mapping[str, frozenset[str]] = {
    "user": frozenset({"role", "content"}),
    "assistant": frozenset({"role", "content"}),
    "system": frozenset({"role", "content", "clear_at", "output_config"}),
}
"""The keys of a request's messages by role (ANTHROPIC_SDK, `BetaMessageParam`)."""

MAX_CACHE_BREAKPOINTS = 4
"""Anthropic: `A maximum of 4 blocks with cache_control may be provided. Found 5.` (tghamm/Anthropic.SDK#50)."""

# ------------------------------------------------------------------------------------------------------------------ images
IMAGE_TYPES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
"""Image types that OpenAI and Anthropic read (ANTHROPIC_SDK, `Base64ImageSourceParam`)."""

MAX_IMAGE_SIDE = 8000
"""Longest side of an image in pixels at Anthropic (can1357/oh-my-pi#10633)."""

MAX_IMAGE_BYTES = 5 * 1024 * 1024
"""Longest base64 of an image at Anthropic (lobehub/lobehub#14711: not the image's own bytes are counted)."""

MANY_IMAGES = 20
"""More images than this in one Anthropic request, and each is held to MAX_IMAGE_SIDE_OF_MANY (charmbracelet/crush#3810)."""

MAX_IMAGE_SIDE_OF_MANY = 2000
"""Longest side in pixels of each of many images."""
