"""OpenAI Chat Completions and the dialects spoken on its shape (DeepSeek, Kimi, Qwen, OpenRouter, vLLM, litellm …).

https://platform.openai.com/docs/api-reference/chat; shapes read off the openai SDK 3.57.0.
Cannot hold: the order of text and calls within a turn, reasoning (only what its dialects log beside the content goes
back), error flags and media of tool results, documents other than files, video, server tools, citations.
"""

from lighter.formats._chat_strays import strays_of
from lighter.formats.openai_chat.read import read_body, read_messages
from lighter.formats.openai_chat.shapes import NAME
from lighter.formats.openai_chat.sniff import sniff
from lighter.formats.openai_chat.write import write

TITLE = "OpenAI Chat Completions"
ALIASES = ("openai", "chat", "openai-finetune")
KEEPS_SYSTEM_IN_LIST = True
FIELDS = {
    "/id": "call_id",
    "/tool_call_id": "call_id",
    "/function/name": "tool_name",
    "/function/arguments": "arguments",
    "/custom/name": "tool_name",
    "/custom/input": "arguments",
    "/text": "text",
    "/image_url/url": "data",
    "/content": "content",
    "/role": "role",
}

__all__ = [
    "ALIASES",
    "FIELDS",
    "KEEPS_SYSTEM_IN_LIST",
    "NAME",
    "TITLE",
    "read_body",
    "read_messages",
    "sniff",
    "strays_of",
    "write",
]
