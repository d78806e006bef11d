"""Where a finding about a declared tool points."""

from lighter.jsontext import child_of, keys_of, step, value_at
from lighter.passage import Passage
from lighter.toolwire import DeclaredTool


def place_in_body(passage: Passage, pointer: str) -> str:
    """Make a pointer into the body one into the record; what stands in JSON text is pointed at by the text, which ends all pointers."""
    key = pointer.split("/")[1]
    is_text = isinstance(passage.fields.get(key), str)
    return passage.fields_path + (f"/{key}" if is_text else pointer)


def place_in_schema(passage: Passage, tool: DeclaredTool, path: str = "") -> str:
    """Point at a part of a tool's schema, or at what holds it, by the keys of the file, which Gemini spells in ways of its own."""
    from lighter.formats.gemini.shapes import snake  # noqa: PLC0415 - only where something is found

    place = tool.schema_path
    try:
        here = value_at(passage.fields, place)
        for key in keys_of(path):
            names = (key, snake(key), key.removeprefix("$"))
            spelled = next((name for name in names if isinstance(here, dict) and name in here), key)
            here = child_of(here, spelled)
            place += step(spelled)
    except LookupError:
        pass
    return place_in_body(passage, place)
