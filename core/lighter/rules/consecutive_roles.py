r"""Two messages of the same role follow each other, where roles must alternate.

## What
The second message of two that are both the user's, or both the assistant's. Results of one turn that are spread over several
messages are told by `split-tool-results`, and a message between a call and its result by `interleaved-message`.

## Why it is refused
Converse wants the roles to alternate, and so do the chat templates of some models (Gemma, Mistral), DeepSeek's first reasoning
models, and Together AI's training. Other providers join such messages.

## Example
Bad:
```
{"role": "user", "content": [{"text": "How high is the tide?"}]}
{"role": "user", "content": [{"text": "In metres."}]}
```
Good:
```
{"role": "user", "content": [{"text": "How high is the tide?"}, {"text": "In metres."}]}
```

## Fix
Join the messages into one.
"""

from collections.abc import Iterator

from lighter.conversation import WireMessage
from lighter.diagnostics import Fix
from lighter.edits import Repair
from lighter.edits_messages import joined_messages
from lighter.models import must_alternate
from lighter.pairs import Pairing
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Mention, Refusal, Rule
from lighter.rules import tool_block_wrong_role
from lighter.toolwire import tool_results
from lighter.wire import role_of

RULE = Rule(
    code="M123",
    name="consecutive-roles",
    summary="two messages of the same role follow each other, where roles must alternate",
    severity={"generic:bedrock": "error", "vllm": "warning", "deepseek": "warning", "together-finetune": "error"},
    formats=("bedrock", "openai-chat"),
    refusals=(
        Refusal(
            ("bedrock",),
            "A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.",
            "https://github.com/aws-samples/bedrock-access-gateway/issues/25",
        ),
        # Claude's own words, which the Messages API has given up (it joins them).
        Refusal(
            ("bedrock",),
            'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
            "https://github.com/modelcontextprotocol/quickstart-resources/issues/20",
        ),
        Refusal(
            ("vllm",),
            "Conversation roles must alternate user/assistant/user/assistant/...",
            "https://github.com/vllm-project/vllm/issues/6862",
        ),
        Refusal(
            ("deepseek",),
            "… does not support successive user or assistant messages (messages[1] and messages[2] in your input). You should interleave the user/assistant messages in the message sequence.",
            "https://github.com/deepseek-ai/DeepSeek-R1/issues/21",
        ),
        Refusal(
            ("together-finetune",),
            "Invalid role turns on line 1 of the input file. `user` and `assistant` roles must alternate user/assistant/user/assistant/...",
            "https://github.com/togethercomputer/together-python/blob/main/src/together/utils/files.py",
        ),
        Refusal(
            ("gateways",),
            "chat messages must alternate roles between 'user' and 'assistant'",
            "",
        ),
        Refusal(
            ("llama.cpp",),
            "After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
            "https://github.com/ggml-org/llama.cpp/issues/19851",
        ),
        Refusal(
            ("vllm",),
            "Cannot have 2 or more assistant messages at the end of the list.",
            "https://github.com/HKUDS/nanobot/issues/2376",
        ),
        Refusal(
            ("Perplexity",),
            "After the (optional) system message(s), user and assistant roles should be alternating.",
            "https://github.com/perplexityai/api-discussion/issues/265",
        ),
    ),
    source="https://github.com/aws-samples/bedrock-access-gateway/issues/25",
    fix=Fix("safe", "join the messages"),
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Report the second of each two, unless their order is another rule's fault."""
    if not must_alternate(aim.target, passage.model):
        return
    pairs = list(_pairs(passage))
    if not pairs:
        return
    results = {result.message.index for result in tool_results(passage)}
    told = _told_elsewhere(passage.pairing)
    if passage.format == "bedrock":
        told |= {found.mentions[0].message.index for found in tool_block_wrong_role.check(passage, aim)}
    for before, message in pairs:
        is_split = {before.index, message.index} <= results
        if not is_split and told.isdisjoint((before.index, message.index)):
            yield _finding(message, before, role_of(message) or "", joined_messages(passage, before, message))


def _pairs(passage: Passage) -> Iterator[tuple[WireMessage, WireMessage]]:
    """Give each two messages of one role that follow each other."""
    before = passage.before
    for message in passage.messages:
        role = role_of(message)
        if message.index in passage.gaps:
            before = None  # nobody knows what stood between the two
        if before is not None and role in ("user", "assistant") and role_of(before) == role and not message.is_response:
            yield before, message
        before = message


def _told_elsewhere(pairing: Pairing) -> frozenset[int]:
    """Give the messages that other rules say are misplaced, repeated, or lack the one that stood between."""
    misplaced = pairing.intruders | {split.message.index for split in pairing.splits}
    alone = {orphan.result.wire.index for orphan in pairing.orphans} | {call.wire.index for call in pairing.unanswered}
    again = {repeated.call.wire.index for repeated in pairing.repeated_calls}
    return misplaced | alone | again


def _finding(message: WireMessage, before: WireMessage, role: str, repair: Repair | None) -> Finding:
    return Finding(
        message.record,
        message.path,
        f"this {role} message follows another one",
        help="join the two messages",
        mentions=(Mention(message, "", f"role {role} again"), Mention(before, "", "follows this one")),
        repair=repair,
    )


_USER = '{"role":"user","content":[{"text":"Tide?"}]}'
_ASSISTANT = '{"role":"assistant","content":[{"text":"2.1 m"}]}'


def _body(*messages: str) -> str:
    return f'{{"messages":[{",".join(messages)}],"inferenceConfig":{{}}}}\n'


VALID = (
    Example(_body(_USER, _ASSISTANT, _USER), format="bedrock", target="bedrock"),
    Example(_body(_USER), format="bedrock"),
    # OpenAI takes it, and without a target nobody minds.
    Example('[{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]', target="openai-chat"),
    Example('[{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]', format="openai-chat"),
    Example(
        '{"model": "deepseek-chat", "messages": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]}',
        target="deepseek",
    ),
    Example(
        '{"model": "Qwen/Qwen3-32B", "messages": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]}',
        target="vllm",
    ),
)

INVALID = (
    Example(
        '{"model": "deepseek-reasoner", "messages": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]}',
        ("/messages/1",),
        target="deepseek",
    ),
    Example('[{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]', ("/1",), target="vllm"),
    Example(_body(_USER, _USER), where=("/0/messages/1",), format="bedrock", target="bedrock"),
    Example(_body(_USER, _ASSISTANT, _ASSISTANT, _USER), where=("/0/messages/2",), format="bedrock", target="bedrock"),
    Example(_body(_USER, _USER, _USER), where=("/0/messages/1", "/0/messages/2"), format="bedrock"),
)
