"""Where a finding about a declared tool points."""

from lighter.passage import Passage


def place_in_body(passage: Passage, pointer: str) -> str:
    """Make a pointer into the body one into the record; what stands in JSON text is pointed at by the text, which ends all pointers."""
    key = pointer.split("/")[1]
    is_text = isinstance(passage.fields.get(key), str)
    return passage.fields_path + (f"/{key}" if is_text else pointer)
