"""Passages made of the JSON value of a record, as reading a file would give them."""

import json
from typing import Any

from lighter.conversation import WireMessage
from lighter.jsontext import value_at
from lighter.passage import Passage
from lighter.records import Record


def passage_of(
    value: Any, wire_format: str = "openai-chat", *, fields_path: str = "", answers: int = 0, **facts: Any
) -> Passage:
    """Make the one passage of a record, which is a list of messages or a request that stands at `fields_path`.

    The last `answers` messages count as a response; further facts are those of `Passage`.
    """
    record = Record(1, json.dumps(value).encode(), value)
    body = value_at(value, fields_path)
    listed = body["messages"] if isinstance(body, dict) else body
    prefix = f"{fields_path}/messages" if isinstance(body, dict) else fields_path
    messages = tuple(
        WireMessage(record, f"{prefix}/{index}", raw, index, is_response=index >= len(listed) - answers)
        for index, raw in enumerate(listed)
    )
    fields = {key: item for key, item in body.items() if key != "messages"} if isinstance(body, dict) else {}
    return Passage(wire_format, messages, record, fields=fields, fields_path=fields_path, **facts)
