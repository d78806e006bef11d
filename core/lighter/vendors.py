"""What those who speak OpenAI's wire formats refuse beyond OpenAI itself, and OpenAI's own training rows, as dated data.

Rows change when a vendor does; `lighter.providers` has the targets themselves, and `AS_OF` there is the date of these rows, too.
"""

from collections.abc import Mapping
from typing import Any

_PLAIN_ROLES = frozenset({"system", "user", "assistant", "tool"})
_FINETUNING = "https://platform.openai.com/docs/guides/supervised-fine-tuning"

COMPATIBLE_ROWS: tuple[Mapping[str, Any], ...] = (
    {
        "name": "deepseek",
        "title": "DeepSeek",
        "provider": "DeepSeek",
        "roles": _PLAIN_ROLES | {"latest_reminder"},
        "source": "num-scope/pix#34 (roles); experientiallabs/experiential#890 (reasoning)",
    },
    {
        "name": "moonshot",
        "title": "Moonshot AI (Kimi)",
        "provider": "Moonshot AI",
        "source": "MoonshotAI/kimi-code#1985; MoonshotAI/kimi-cli#2141",
    },
    {
        "name": "qwen",
        "title": "Qwen (DashScope, OpenAI-compatible)",
        "provider": "Qwen",
        "roles": _PLAIN_ROLES | {"function"},
        "source": "haru/redmine_ai_helper#242 (roles); smallmain/vscode-unify-chat-provider#65",
    },
    {
        "name": "groq",
        "title": "Groq",
        "provider": "Groq",
        "source": "groq 1.7.0 ChatCompletionMessageParam; janhq/jan#8136",
    },
    {
        "name": "vllm",
        "title": "vLLM, SGLang and llama.cpp, as the model's chat template decides",
        "provider": "vLLM",
        "source": "vllm-project/vllm#43995; vllm-project/vllm#6862; sgl-project/sglang#28035",
    },
    {"name": "xai", "title": "xAI", "provider": "xAI", "source": "AstrBotDevs/AstrBot#6551"},
    {
        "name": "minimax",
        "title": "MiniMax (OpenAI-compatible)",
        "provider": "MiniMax",
        "source": "earendil-works/pi#5468; QwenLM/qwen-code#11834",
    },
    {
        "name": "zai",
        "title": "Z.ai (GLM)",
        "provider": "Z.ai",
        "roles": _PLAIN_ROLES,
        "source": "openclaw/openclaw#23115; vastsa/PI-Desktop#30",
    },
)
"""What is known of vendors who speak OpenAI's chats, as fields of `lighter.providers.Target`."""

OPENAI_FINETUNE_ROW: Mapping[str, Any] = {
    "name": "openai-finetune",
    "title": "OpenAI fine-tuning",
    "source": f"openai 3.57.0 types; {_FINETUNING}",
}
AZURE_FINETUNE_ROW: Mapping[str, Any] = {
    "name": "azure-finetune",
    "title": "Azure OpenAI fine-tuning",
    "source": "openai 3.57.0 types; https://learn.microsoft.com/azure/ai-services/openai/how-to/fine-tuning-functions",
}
TRAINER_ROWS: tuple[Mapping[str, Any], ...] = (
    {
        "name": "together-finetune",
        "title": "Together AI fine-tuning",
        "provider": "Together AI",
        "roles": _PLAIN_ROLES,
        "source": "https://docs.together.ai/docs/fine-tuning-data-preparation; togethercomputer/together-python#262",
    },
    {
        "name": "llamafactory",
        "title": "LLaMA-Factory",
        "provider": "LLaMA-Factory",
        "reads_rows": ("sharegpt", "alpaca"),
        "source": "hiyouga/LlamaFactory src/llamafactory/data/converter.py at f816ae46",
    },
)
"""The same of who trains on rows of that shape."""

EMPTY_ANSWERS: Mapping[str, tuple[str | None, ...]] = {
    "deepseek": (None,),
    "moonshot": (None, ""),
    "minimax": (None, ""),
    "xai": (None, ""),
    "mistral": (None, ""),
}
"""Content that, besides an empty list, must not be all that an assistant's message holds (`empty-message` quotes who says so)."""

NEVER_EMPTY: Mapping[str, frozenset[str]] = {
    "moonshot": frozenset({"user"}),
    "xai": frozenset({"system", "user"}),
}
"""The other roles whose messages must not be empty text (`empty-message` quotes who says so)."""

_TRAINING_MESSAGE_KEYS = {
    **dict.fromkeys(("system", "developer", "user", "function"), frozenset({"role", "content", "name"})),
    "assistant": frozenset({"role", "content", "name", "tool_calls", "function_call", "refusal", "audio", "weight"}),
    "tool": frozenset({"role", "content", "tool_call_id", "name"}),
}

CHAT_MESSAGE_KEYS: Mapping[str, Mapping[str, frozenset[str]]] = {
    # groq 1.7.0 ChatCompletionMessageParam; `name` on results is in Groq's guide to tool use.
    "groq": {
        **dict.fromkeys(("system", "developer", "user", "function"), frozenset({"role", "content", "name"})),
        "assistant": frozenset({"role", "content", "name", "tool_calls", "function_call", "reasoning"}),
        "tool": frozenset({"role", "content", "tool_call_id", "name"}),
    },
    # mistral_common 1.13.1 ChatMessage, which forbids extras, and mistralai's models; BerriAI/litellm#30835 and #30882 have the refusals.
    "mistral": {
        **dict.fromkeys(("system", "user"), frozenset({"role", "content"})),
        "assistant": frozenset({"role", "content", "tool_calls", "prefix"}),
        "tool": frozenset({"role", "content", "tool_call_id", "name"}),
    },
    "openai-finetune": _TRAINING_MESSAGE_KEYS,
    "azure-finetune": _TRAINING_MESSAGE_KEYS,
}
"""The keys of messages by role, for targets that allow no others (openai 3.57.0 ChatCompletionMessageParam and `weight`)."""

MISPLACED_KEYS: Mapping[str, Mapping[str, frozenset[str]]] = {"minimax": {"tool": frozenset({"name"})}}
"""Keys that a target refuses on messages of some roles, while it ignores others that it does not know (temm1e-labs/temm1e#29)."""

TRAINING_KEYS = frozenset({"messages", "tools", "parallel_tool_calls", "functions", "input", "preferred_output",
                           "non_preferred_output"})  # fmt: skip
"""The keys of a training row at OpenAI; a row for reinforcement may have others beside them."""

MIN_EXAMPLES: Mapping[str, int] = {"openai-finetune": 10, "azure-finetune": 10}
"""The fewest rows of a training file at OpenAI and Azure (_FINETUNING)."""
