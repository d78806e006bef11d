"""Live objects of LangChain as JSON values: messages, prompts, answers of models.

They are told by where their classes come from, so that nothing is imported to read them.
"""

from typing import Any

_HOME = "langchain_core"


def is_langchain(value: Any) -> bool:
    """Say whether an object is one of LangChain's: a message, a prompt, an answer of a model."""
    return any(owner.__module__.partition(".")[0] == _HOME for owner in type(value).__mro__)


def live_fields(value: Any) -> dict[str, Any]:
    """Give the fields of an object as they are: `model_dump` of what holds messages leaves out their calls."""
    return dict(value)


def not_implemented(value: Any, _path: str) -> dict[str, Any]:
    """Give what stands for an object that JSON cannot say, as `dumpd` of langchain-core does (load/serializable.py)."""
    owner = type(value)
    return {
        "lc": 1,
        "type": "not_implemented",
        "id": [*owner.__module__.split("."), owner.__name__],
        "repr": repr(value),
    }
