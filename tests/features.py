"""A conversation for each thing that formats differ in, built by hand: what becomes of it is the loss matrix of the docs."""

from collections.abc import Mapping

from lighter.conversation import Conversation, Param, Tool
from lighter.messages import (
    AssistantMessage,
    Block,
    CacheMark,
    MediaBlock,
    Message,
    Opaque,
    ReasoningBlock,
    RefusalBlock,
    SystemMessage,
    TextBlock,
    ToolCall,
    ToolMessage,
    UserMessage,
    with_blocks,
)

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNg+M8AAAICAQB7CYF4AAAAAElFTkSuQmCC"
PDF = "JVBERi0xLjQKJSVFT0YK"
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
QUESTION, ANSWER = UserMessage("How deep is the harbour?"), AssistantMessage("Four metres.")
CALL = ToolCall("toolu1234", "sound", '{"pier":"north"}')
RESULT = ToolMessage("toolu1234", "sound", "4 m", None)


def asked(*blocks: Block) -> tuple[Message, ...]:
    """Let the user say these blocks, and the assistant answer."""
    return with_blocks(UserMessage(""), blocks), ANSWER


def said(*blocks: Block) -> tuple[Message, ...]:
    """Let the assistant say these blocks, and the user go on."""
    return QUESTION, with_blocks(AssistantMessage(""), blocks), UserMessage("And the channel?")


def called(*blocks: Block, call: ToolCall = CALL, is_error: bool | None = None) -> tuple[Message, ...]:
    """Let a call be answered with these blocks."""
    result = ToolMessage(call.call_id, call.tool_name, "4 m", is_error, kind=call.kind)
    return QUESTION, AssistantMessage("", tool_calls=(call,)), with_blocks(result, blocks) if blocks else result, ANSWER


def ended(name: str, messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Let a conversation end with the user, unless its feature is the end itself."""
    is_open = messages[-1].role != "user" and name not in OPEN_ENDED
    return (*messages, UserMessage("Thank you.")) if is_open else messages


TEXT = TextBlock("Look at this.")
SECOND = ToolCall("toolu5678", "sound", '{"pier":"south"}')

MESSAGES: Mapping[str, tuple[Message, ...]] = {
    "text": (QUESTION, ANSWER),
    "system prompt": (SystemMessage("Be brief."), QUESTION, ANSWER),
    "system prompt in several blocks": (
        with_blocks(SystemMessage(""), [TextBlock("Be brief."), TextBlock("Use metres.")]),
        QUESTION,
        ANSWER,
    ),
    "system message in mid-conversation": (QUESTION, ANSWER, SystemMessage("Use feet now."), UserMessage("And the channel?"), ANSWER),
    "developer role": (SystemMessage("Be brief.", is_developer=True), QUESTION, ANSWER),
    "name of a participant": (UserMessage("How deep is the harbour?", name="ada"), ANSWER),
    "id of a message": (UserMessage("How deep is the harbour?", id="msg_1"), ANSWER),
    "several texts in a message": asked(TextBlock("Look."), TextBlock("Here.")),
    "call and result": called(),
    "parallel calls, results in another order": (
        QUESTION,
        AssistantMessage("", tool_calls=(CALL, SECOND)),
        ToolMessage("toolu5678", "sound", "5 m", None),
        RESULT,
        ANSWER,
    ),
    "text before a call": (QUESTION, AssistantMessage("I look.", tool_calls=(CALL,)), RESULT, ANSWER),
    "text after a call": (
        QUESTION,
        with_blocks(AssistantMessage(""), [CALL, TextBlock("I am waiting.")]),
        RESULT,
        ANSWER,
    ),
    "long id of a call": called(call=ToolCall("call_" + "x" * 60, "sound", "{}")),
    "id used again in a later turn": (*called(), *called()),
    "call without a result": (QUESTION, AssistantMessage("", tool_calls=(CALL,)), UserMessage("Well?"), ANSWER),
    "arguments that are not JSON": called(call=ToolCall("toolu1234", "sound", '{"pier":')),
    "arguments that are no object": called(call=ToolCall("toolu1234", "sound", '["north"]')),
    "call with free text": called(call=ToolCall("toolu1234", "run", "print(4)", "custom")),
    "result that is an error": called(is_error=True),
    "several texts in a result": called(TextBlock("4 m"), TextBlock("at low tide")),
    "image in a result": called(TextBlock("4 m"), MediaBlock("image", "base64", PNG, "image/png")),
    "document in a result": called(TextBlock("4 m"), MediaBlock("document", "base64", PDF, "application/pdf", "chart.pdf")),
    "text of the user beside results": (
        QUESTION,
        AssistantMessage("", tool_calls=(CALL,)),
        ToolMessage("toolu1234", "sound", "4 m", None, group=2),
        UserMessage("In feet, please.", group=2),
        ANSWER,
    ),
    "reasoning": said(ReasoningBlock("The chart says four."), TextBlock("Four metres.")),
    "reasoning signed by Anthropic": said(
        ReasoningBlock("The chart says four.", (Opaque("anthropic", "signature", "c2lnbmVk"),)), TextBlock("Four metres.")
    ),
    "redacted reasoning": said(ReasoningBlock("", (Opaque("anthropic", "redacted", "cmVkYWN0ZWQ="),)), TextBlock("Four metres.")),
    "reasoning signed by Gemini": said(
        ReasoningBlock("The chart says four.", (Opaque("gemini", "signature", "c2lnbmVk"),)), TextBlock("Four metres.")
    ),
    "refusal": said(RefusalBlock("I cannot say.")),
    "image by data": asked(TEXT, MediaBlock("image", "base64", PNG, "image/png")),
    "image by URL": asked(TEXT, MediaBlock("image", "url", "https://example.com/harbour.png")),
    "detail of an image": asked(TEXT, MediaBlock("image", "base64", PNG, "image/png", detail="high")),
    "document by data": asked(TEXT, MediaBlock("document", "base64", PDF, "application/pdf", "chart.pdf")),
    "document of plain text": asked(TEXT, MediaBlock("document", "text", "Depth: 4 m", "text/plain", "chart.txt")),
    "audio": asked(TEXT, MediaBlock("audio", "base64", WAV, "audio/wav")),
    "video": asked(TEXT, MediaBlock("video", "base64", "AAAAIGZ0eXBpc29t", "video/mp4")),
    "cache mark": asked(TextBlock("A long chart.", cache=CacheMark()), TextBlock("How deep?")),
    "prefill": (QUESTION, AssistantMessage("It is")),
    "model, stop reason and usage of an answer": (
        QUESTION,
        AssistantMessage("Four metres.", model="a-model", stop="stop", usage='{"total_tokens":9}'),
    ),
}  # fmt: skip
"""The messages that show a feature."""

TOOL = Tool(
    name="sound", description="Sound the depth.", parameters='{"type":"object","properties":{"pier":{"type":"string"}}}'
)

OPEN_ENDED = ("prefill", "model, stop reason and usage of an answer")
"""Features of the last message; all other conversations end with the user, as every provider wants it."""

FEATURES: Mapping[str, Conversation] = {
    **{name: Conversation(ended(name, messages)) for name, messages in MESSAGES.items()},
    "definition of a tool": Conversation(ended("", called()), (TOOL,)),
    "tool held to its schema": Conversation(ended("", called()), (Tool(name="sound", description="Sound the depth.", parameters=TOOL.parameters, is_strict=True),)),
    "choice of a tool": Conversation(ended("", called()), (TOOL,), (Param("tool_choice", '{"type":"function","function":{"name":"sound"}}', "/params/tool_choice"),)),
    **{
        f"parameter {name}": Conversation((QUESTION,), params=(Param(name, json, f"/params/{name}"),))
        for name, json in (("max_tokens", "100"), ("temperature", "0.5"), ("top_p", "0.9"), ("stop", '["END"]'), ("seed", "7"))
    },
}  # fmt: skip
"""A conversation for each feature."""
