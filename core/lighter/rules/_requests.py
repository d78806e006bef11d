"""What rules about a request's own parameters share: whether all of it is there, which tools it chooses, how a key is dropped."""

from collections.abc import Iterator, Mapping
from typing import Any

from lighter.edits import Drop, Repair, repair
from lighter.jsontext import step
from lighter.passage import Passage


def is_whole_request(passage: Passage) -> bool:
    """Say whether a passage is a whole request that nobody has answered yet; what stands beside a bare list cannot be told."""
    body = passage.body
    return body is not None and not body.is_bare and body.messages_path is not None and body.response is None


def without(passage: Passage, *keys: str) -> Repair:
    """Drop parameters of a request, as far as it has them."""
    there = (key for key in keys if key in passage.fields)
    return repair(*(Drop(passage.record, passage.fields_path + step(key)) for key in there))


def function_calling(fields: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]] | None:
    """Give Gemini's settings of function calling with their place, None where there are none; `config` is how its SDK logs them."""
    config = fields.get("config")
    for prefix, holder in (("", fields), ("/config", config if isinstance(config, dict) else {})):
        for key, inner in (("toolConfig", "functionCallingConfig"), ("tool_config", "function_calling_config")):
            outer = holder.get(key)
            if isinstance(outer, dict) and isinstance(found := outer.get(inner), dict):
                return f"{prefix}/{key}/{inner}", found
    return None


def chosen_by_name(passage: Passage) -> Iterator[tuple[str, str]]:
    """Yield the tools that a request wants called or allows, each with its place in the body."""
    fields = passage.fields
    match passage.format:
        case "gemini":
            path, settings = function_calling(fields) or ("", {})
            for key in ("allowedFunctionNames", "allowed_function_names"):
                names = settings.get(key)
                yield from (
                    (f"{path}/{key}/{index}", name)
                    for index, name in enumerate(names if isinstance(names, list) else ())
                    if isinstance(name, str)
                )
        case "bedrock":
            match fields.get("toolConfig"):
                case {"toolChoice": {"tool": {"name": str(name)}}}:
                    yield "/toolConfig/toolChoice/tool/name", name
                case _:
                    pass
        case _:
            yield from _named("/tool_choice", fields.get("tool_choice"))
            yield from _named("/function_call", fields.get("function_call"))


def _named(path: str, choice: Any) -> Iterator[tuple[str, str]]:
    """Read the choices of OpenAI's APIs and Anthropic's; of the tools that a provider or a server has, no name is told."""
    match choice:
        case {"type": "function" | "custom" as kind, **rest} if isinstance(inner := rest.get(kind), dict):
            yield from ((f"{path}/{kind}/name", name) for name in [inner.get("name")] if isinstance(name, str))
        case {"type": "function" | "custom" | "tool", "name": str(name)}:
            yield f"{path}/name", name
        case {"type": "allowed_tools", "allowed_tools": {"tools": list() as tools}}:
            for index, tool in enumerate(tools):
                yield from _named(f"{path}/allowed_tools/tools/{index}", tool)
        case {"type": "allowed_tools", "tools": list() as tools}:
            for index, tool in enumerate(tools):
                yield from _named(f"{path}/tools/{index}", tool)
        case {"name": str(name)} if "type" not in choice and path == "/function_call":
            yield f"{path}/name", name
        case _:
            pass
