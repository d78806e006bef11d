"""The assistant's text holds a control token of a chat template.

## What
Text such as `<|im_end|>`, `<|eot_id|>`, `<start_of_turn>` or `[INST]` stands in what the model said, where a token is used and not
talked about: at an end of the text or of a line, or glued to the words. Code (fences and backticks) is left alone, and so is the
text of users and tools.

## Why it is refused
No provider refuses it. It is what is left when a server stops one token too late or a template does not fit the model. The next
turn reads it as the end of a message, some tokenizers refuse such text outright, and a model trained on it learns to write it.

## Example
Bad: `{"role": "assistant", "content": "It is 11.4 C.<|im_end|>"}`
Good: `{"role": "assistant", "content": "It is 11.4 C."}`

## Fix
Delete the token, and whatever follows it that belongs to the next turn.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from lighter.conversation import WireMessage
from lighter.messages import AssistantMessage, TextBlock, blocks_of
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules.unparsed_tool_call import unparsed_call
from lighter.wire import placed_blocks

RULE = Rule(
    code="H101",
    name="leaked-template-token",
    summary="the assistant's text holds a control token of a chat template",
    severity={"generic": "warning", "openai-chat": "warning", "azure-openai": "warning", "anthropic": "warning"},
    refusals=(
        Refusal(
            ("tiktoken",),
            "The text contains a special token that is not allowed: <|endoftext|>",
            "https://github.com/mastra-ai/mastra/issues/16301",
        ),
        Refusal(
            ("openai-finetune", "azure-finetune"),
            "Invalid file format. Example 6174 message contains an invalid token: <|fim_suffix|>.",
            "https://github.com/johny-b/llmcomp/issues/59",
        ),
        Refusal(
            ("llama.cpp",),
            "You have passed a message containing <|channel|> tags in the content field. Instead of doing this, you should pass analysis messages (the string between '<|message|>' and '<|end|>') in the 'thinking' field, and final messages (the string between '<|message|>' and '<|end|>') in the 'content' field.",
            "https://github.com/ggml-org/llama.cpp/issues/15242",
        ),
    ),
    source="https://github.com/mastra-ai/mastra/issues/16301",
)

TRIGGERS: tuple[str, ...] = ("|>", "INST]", "TOOL_CALLS]", "_of_turn>", "tool_call>", "｜>")
"""The assistant's text holds no token when none of these is in it; `is_suspect` says the same with less search."""

NEEDLES: tuple[bytes, ...] = (
    *(trigger.encode() for trigger in TRIGGERS),
    *(b"|\\u003", b"_of_turn\\u003", b"tool_call\\u003", "｜\\u003".encode(), b"uff5c", b"uFF5C"),
)
"""The same for the bytes of a record; the second row is what writers make of `>` and `｜` that escape them."""

LOOK_BACK = 40
"""How many characters before a token are looked at for words that talk about it."""

_WORDS = (
    "im_start|im_end|im_sep|endoftext|fim_prefix|fim_middle|fim_suffix|begin_of_text|end_of_text|start_header_id|end_header_id|eot_id|"
    "eom_id|python_tag|start|end|message|channel|constrain|call|return|assistant|user|system|observation|end_of_turn|start_of_role|"
    "end_of_role|tool_calls_section_begin|tool_calls_section_end|tool_call_begin|tool_call_end|tool_call_argument_begin|"
    "START_OF_TURN_TOKEN|END_OF_TURN_TOKEN|CHATBOT_TOKEN|USER_TOKEN|SYSTEM_TOKEN"
)
_DEEPSEEK = "begin▁of▁sentence|end▁of▁sentence|User|Assistant|tool▁calls▁begin|tool▁calls▁end|tool▁call▁begin|tool▁call▁end|tool▁sep"
_TOKEN = re.compile(
    rf"<\|(?:{_WORDS})\|>|<｜(?:{_DEEPSEEK})｜>|<(?:start|end)_of_turn>|\[/?INST\]|\[TOOL_CALLS\]|</?tool_call>"
)
_CODE = re.compile(r"(`{3,}|~{3,}).*?(?:\1|\Z)|(`+)[^`\n]*\2", re.DOTALL)
_ROLE_FOLLOWS = re.compile(
    r"\s?(?:assistant|user|system|tool|model|human|analysis|commentary|final)\s*(?:\n|<|\Z)", re.IGNORECASE
)
_OPENING, _CLOSING = " \t([{\"'“‘«„*/,", " \t)]}\"'”’»*/,;:.!?"


def is_suspect(text: str) -> bool:
    """Say cheaply whether text may hold a token: most text is cleared by looking for two characters."""
    if ">" in text and ("|>" in text or "_of_turn>" in text or "tool_call>" in text or "｜>" in text):
        return True
    return "]" in text and ("INST]" in text or "TOOL_CALLS]" in text)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Yield each text of the assistant in which a token stands, once per text."""
    if passage.format not in ("openai-chat", "openai-responses", "anthropic"):
        yield from _in_entries(passage, aim)
        return
    has_calls = False
    for message in passage.messages:
        if not isinstance(message.raw, dict) or message.raw.get("role") != "assistant":
            continue
        has_calls = has_calls or _has_calls(message.raw)
        for path, text in _texts(message):
            token = find_token(text, has_calls=has_calls) if is_suspect(text) else None
            if token and aim.mode != "finetune" and "TOOL_CALLS" in token and unparsed_call(text, passage):
                continue  # a call that was not parsed, which is the fault
            if token:
                yield _finding(message, path, token, aim)


def _in_entries(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Do the same for wires whose texts are found by what the reader made of them."""
    has_calls = False
    for entry in passage.entries:
        if not isinstance(entry.message, AssistantMessage):
            continue
        has_calls = has_calls or bool(entry.message.tool_calls)
        for block, origin in zip(blocks_of(entry.message), entry.origin.blocks, strict=False):
            text = block.text if isinstance(block, TextBlock) else ""
            token = find_token(text, has_calls=has_calls) if is_suspect(text) else None
            if token:
                yield _finding(entry.wire, origin.at("text"), token, aim)


def _finding(message: WireMessage, path: str, token: str, aim: Aim) -> Finding:
    return Finding(
        message.record,
        path,
        f"the text holds the template token `{token}`",
        help="delete the token, and what follows it if that belongs to the next turn",
        mentions=(Mention(message, token, "template token"),),
        severity="error" if aim.mode == "finetune" else None,
    )


def find_token(text: str, *, has_calls: bool) -> str | None:
    """Find the first token that is used and not talked about; `<tool_call>` counts where calls are structured."""
    code = [found.span() for found in _CODE.finditer(text)]
    for found in _TOKEN.finditer(text):
        if "tool_call>" in found[0] and not has_calls:
            continue
        if not _is_within(code, found.start()) and _is_used(text, found.start(), found.end()):
            return found[0]
    return None


def _is_within(spans: Sequence[tuple[int, int]], place: int) -> bool:
    """Say whether one of the spans, which are in order and apart, covers a place."""
    from bisect import bisect_right  # noqa: PLC0415 - few texts are suspect, and it costs start-up time

    nearest = bisect_right(spans, place, key=itemgetter(0)) - 1
    return nearest >= 0 and place < spans[nearest][1]


def _is_used(text: str, start: int, end: int) -> bool:
    """Tell a token at work from one in a sentence about tokens, which has space or quotes round it on its line."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if _ROLE_FOLLOWS.match(text, end) or _TOKEN.match(text, end):
        return True
    is_at_start, is_at_end = before in ("", "\n"), after in ("", "\n", "\r")
    if is_at_start and is_at_end:
        return True
    if is_at_end:
        words_before = text[max(start - LOOK_BACK, 0) : start].rstrip(" \t")
        return before not in tuple("\"'“‘«„([{") and not words_before.endswith((":", " the", " by", " with", " token"))
    if is_at_start:
        return after not in tuple(_CLOSING) or (text.startswith("[INST]", start) and "[/INST]" in text)
    return before not in tuple(_OPENING) and after not in tuple(_CLOSING)


def _has_calls(raw: Mapping[str, Any]) -> bool:
    if raw.get("tool_calls"):
        return True
    content = raw.get("content")
    return isinstance(content, list) and any(
        isinstance(block, dict) and block.get("type") == "tool_use" for block in content
    )


def _texts(message: WireMessage) -> Iterator[tuple[str, str]]:
    content = message.raw.get("content")
    if isinstance(content, str):
        yield f"{message.path}/content", content
    for path, block in placed_blocks(message):
        if isinstance(text := block.get("text"), str) and block.get("type", "text") in ("text", "output_text"):
            yield f"{path}/text", text


def _chat(text: str) -> str:
    return f'{{"role":"user","content":"How warm is it?"}}\n{{"role":"assistant","content":"{text}"}}\n'


VALID = (
    Example(_chat("ChatML ends a turn with `<|im_end|>`."), format="openai-chat"),
    Example(_chat("Like this:\\n```\\n<|im_start|>user\\nHi<|im_end|>\\n```\\nThat is all."), format="openai-chat"),
    Example(_chat("The token <|endoftext|> separates documents, and '<|im_end|>' ends a turn."), format="openai-chat"),
    Example(
        '{"role":"user","content":"Hi<|im_end|>"}\n{"role":"assistant","content":"Hello! What is that?"}\n',
        format="openai-chat",
    ),
)

INVALID = (
    Example(_chat("It is 11.4 C.<|im_end|>"), where=("/1/content",), format="openai-chat"),
    Example(_chat("[INST] How warm is it? [/INST] 11.4 C"), where=("/1/content",), format="openai-chat"),
    Example(_chat("11.4 C<end_of_turn>\\n<start_of_turn>user\\nThanks"), where=("/1/content",), format="openai-chat"),
    Example(_chat("11.4 C.<|endoftext|>Human: thanks"), where=("/1/content",), format="openai-chat", mode="finetune"),
    Example(
        '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"text","text":"Moin!<|eot_id|>"}]}],"system":"x"}\n',
        where=("/0/messages/1/content/0/text",),
        format="anthropic",
    ),
    Example(
        '[{"role":"user","content":"Hi"},{"role":"assistant","content":"Moin![INST]"}]',
        where=("/1/content",),
        format="mistral",
        target="mistral",
    ),
    Example(
        '{"model":"gemini-3-pro","input":[{"type":"user_input","content":[{"type":"text","text":"Hi"}]},{"type":"model_output",'
        '"content":[{"type":"text","text":"Moin!<end_of_turn>"}]}]}',
        where=("/input/1/content/0/text",),
        format="gemini-interactions",
    ),
    Example(
        '[{"type":"human","content":"Hi"},{"type":"ai","content":"Moin!<|im_end|>"}]',
        where=("/1/content",),
        format="langchain-dump",
    ),
)
