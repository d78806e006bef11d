"""Blocks in the content of LangChain messages as ChatBedrockConverse keeps them: Bedrock's own, in its spelling or with a type.

`_bedrock_to_lc` and `_lc_content_to_bedrock` in langchain_aws/chat_models/bedrock_converse.py; langchain-core reads them in
messages/block_translators/bedrock_converse.py.
"""

from collections.abc import Mapping
from typing import Any

from lighter.conversation import BlockOrigin
from lighter.formats._reading import extras, json_block
from lighter.formats.anthropic import NAME as CLAUDE
from lighter.formats.bedrock.blocks import read_block
from lighter.messages import Block, Opaque, ReasoningBlock, TextBlock

_BEDROCK = frozenset({"image", "document", "video", "audio", "cachePoint", "guardContent", "reasoningContent"})


def read_converse(part: Mapping[str, Any], path: str, mark: str) -> tuple[Block, BlockOrigin] | None:
    """Read such a block; None for any other. `mark` is the format name of what is kept of it."""
    match part:
        case {"type": "reasoning_content", "reasoning_content": {"text": str(text)} as said}:
            signature = said.get("signature")
            opaque = (Opaque(CLAUDE, "signature", signature),) if isinstance(signature, str) else ()
            known = {"text", *(("signature",) if opaque else ())}
            kept = extras(mark, said, known, "/reasoning_content")
            kept += extras(mark, part, {"type", "reasoning_content"})
            fields = {"text": "/reasoning_content/text", "opaque": "/reasoning_content/signature"}
            return ReasoningBlock(text, opaque, ext=kept), BlockOrigin(path, fields)
        # In results. None is written that was not there: the package spells the keys in its value anew (`_snake_to_camel_keys`).
        case {"json": held, **rest} if rest in ({}, {"type": "json"}):
            return json_block(held), BlockOrigin(path, {"text": "/json"})
        case {"text": str(text)} if len(part) == 1:
            return TextBlock(text), BlockOrigin(path, {"text": "/text"})
        case {**keys} if "type" not in keys and len(keys) == 1 and next(iter(keys)) in _BEDROCK:
            return read_block(part, path)
        case _:
            return None
