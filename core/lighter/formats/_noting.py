"""Notes that writers of several formats take of the same things, in the same words."""

from typing import Any

from lighter.conversation import BlockOrigin, Origin, Param, Tool
from lighter.formats._notes import Notes
from lighter.formats._writing import Item, arguments_object
from lighter.messages import (
    MediaBlock,
    OpaqueBlock,
    ReasoningBlock,
    RefusalBlock,
    SystemMessage,
    TextBlock,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from lighter.repeated import repeated_keys


def note_id_and_name(item: Item) -> None:
    """Note the id and the name of a message, for forms that have neither; results have the name of their call."""
    message = item.message
    is_told_by_call = isinstance(message, ToolMessage) and message.name == message.tool_name
    item.notes.unheld(message, item.origin, "id", *(() if is_told_by_call else ("name",)))


def role_or_user(item: Item) -> str:
    """Give the role of a message, where a format takes any; without one it is the user's, which is noted."""
    if not item.message.role:
        item.notes.synthesised(item.origin.path, "role", "a message without a role became the user's")
    return item.message.role or "user"


def note_type_of_address(block: MediaBlock, origin: BlockOrigin, notes: Notes) -> None:
    """Note the media type that was told of an address, for forms in which the server that it leads to tells it."""
    if block.source == "url" and block.media_type is not None and "media_type" in origin.fields:
        notes.dropped(origin.at("media_type"), "media-type", "an address stands there without a media type")


def is_all_left_out(item: Item) -> bool:
    """Say whether a message without any content had some that the target has no place for; no texts, which may be empty."""
    blocks = [block for block, _ in item.blocks]
    target = item.notes.target
    is_kept = (
        isinstance(block, TextBlock) or (isinstance(block, OpaqueBlock) and block.format == target) for block in blocks
    )
    return bool(blocks) and not any(is_kept)


def note_developer(item: Item) -> None:
    """Note a developer's message that becomes the system's."""
    if isinstance(item.message, SystemMessage) and item.message.is_developer:
        item.notes.rewritten(item.origin.at("role"), "developer-role", "developer became system")


def note_system_as_user(item: Item, message: SystemMessage) -> None:
    """Note a message of the system or a developer in mid-conversation that becomes the user's."""
    feature = "developer-role" if message.is_developer else "system-in-the-middle"
    item.notes.rewritten(item.origin.at("role"), feature, "became user text")


def note_beside_results(item: Item, group: int | None) -> None:
    """Note what the user said beside results, where those are messages of their own; `group` is that of the message before."""
    message = item.message
    if isinstance(message, UserMessage) and message.group is not None and message.group == group:
        for _, origin in item.blocks:
            item.notes.moved(origin.path, "beside-results", "what shared a turn with results follows them")


def note_joined(opening: Item | None, item: Item, feature: str, whole: str) -> None:
    """Note a message that is joined to those before it, the first of which is `opening` until that is noted as well."""
    if opening is not None and not isinstance(opening.message, ToolMessage):
        opening.notes.moved(opening.origin.path, feature, f"shares a {whole} with what stood behind it")
    item.notes.moved(item.origin.path, feature, f"joined to the {whole} of the same role before it")


def note_result_kind(message: ToolMessage, origin: Origin, notes: Notes, became: str) -> None:
    """Note the result of a function of old chats, or of a call with free text, which becomes that of an ordinary call."""
    if message.kind == "legacy":
        for field in sorted({"role", "tool_name"} & origin.fields.keys()):
            notes.rewritten(origin.at(field), "function-message", f"became {became}")
    elif message.kind == "custom" and "kind" in origin.fields:
        notes.rewritten(origin.at("kind"), "custom-result", f"became {became}")


def note_refusal(block: RefusalBlock, origin: BlockOrigin, item: Item) -> None:
    """Note a refusal that becomes text, in the content when it stood beside that."""
    item.notes.rewritten(origin.at("text"), "refusal", "a refusal became text")
    if block.carrier is not None:
        item.notes.rewritten(item.origin.at("content"), "refusal", "holds the refusal now")


def note_carrier(block: ReasoningBlock, origin: BlockOrigin, notes: Notes) -> None:
    """Note reasoning that a chat has in a field beside the content, for forms that have it among the content."""
    if block.carrier is not None:
        notes.moved(origin.path, "reasoning", f"what stood in {block.carrier} stands in the content now")


def note_text_document(block: MediaBlock, origin: BlockOrigin, notes: Notes) -> None:
    """Note a document of plain text that becomes text."""
    notes.rewritten(origin.path, "document", "a text document became text")
    notes.extras(block.ext, origin.path)
    if block.name is not None:
        notes.dropped(origin.at("name"), "media-name", "texts carry no title here")


def written_object(call: ToolCall, origin: BlockOrigin, item: Item, *, is_restored: bool = False) -> Any:
    """Write arguments as an object, and note what that changes; `is_restored`: what was no object is put back."""
    value, change = arguments_object(call)
    if change is None:
        note_repeated(call, value, origin, item.notes)
    if call.kind in ("custom", "legacy"):
        note_kind(call, origin, item, change)
    elif change is not None and not is_restored:
        item.notes.rewritten(origin.at("arguments"), "arguments", change)
    return value


def note_kind(call: ToolCall, origin: BlockOrigin, item: Item, change: str | None) -> None:
    """Note a call of a kind that the target does not have; `change`: what became of its arguments."""
    is_inside = origin.path.startswith(f"{item.origin.path}/")  # else the call is an item of its own
    place = origin.path if is_inside else origin.at("arguments")
    item.notes.rewritten(place, f"{call.kind}-call", change or "became an ordinary call")


def note_repeated(call: ToolCall, value: Any, origin: BlockOrigin, notes: Notes) -> None:
    """Note the values that an object cannot hold, since their key occurs again in the text."""
    for path in repeated_keys(call.arguments.encode("utf-8", "surrogatepass"), value):
        detail = "the key occurs again, and the last value counts"
        notes.dropped(origin.at("arguments") + path, "repeated-key", detail)


def note_number(call: ToolCall, origin: BlockOrigin, notes: Notes) -> tuple[str, ...]:
    """Note an id that was a number and becomes text; gives the pointers that are accounted for."""
    number = next((extra for extra in call.ext if extra.path == "/id" and extra.json == call.call_id), None)
    if number is None or number.format == notes.target:
        return ()
    notes.rewritten(origin.at("call_id"), "call-id", f"the number {call.call_id} became text")
    return ("/id",)


def note_tool(tool: Tool, notes: Notes) -> None:
    """Note what a definition does not hold of its tool: the cache mark, and foreign keys."""
    note_legacy_tool(tool, notes)
    if tool.cache is not None:
        notes.dropped(f"{tool.path}/cache_control", "cache-mark", "tools carry no cache mark here")
    notes.extras(tool.ext, tool.path)


def note_legacy_tool(tool: Tool, notes: Notes) -> None:
    """Note one of the functions of old chats, which becomes a tool."""
    if tool.is_legacy and notes.target != "openai-chat":
        notes.rewritten(tool.path, "legacy-function", "became a tool")


def note_old_choice(param: Param, notes: Notes) -> None:
    """Note the choice of a function of old chats, which becomes one of tools."""
    if param.name == "function_call":
        notes.rewritten(param.path, "tool-choice", "a choice of functions became one of tools")


def note_param(param: Param, notes: Notes) -> None:
    """Note a parameter that the target has none like, or a model that it does not run."""
    why = "a model of another provider" if param.name == "model" else f"{notes.target} has no parameter like it"
    notes.dropped(param.path, param.name.replace("_", "-"), why)
