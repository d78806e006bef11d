"""Names of documents, which Bedrock wants: few characters, no two alike, and one for each."""

import re
from typing import Any

from lighter.conversation import BlockOrigin, Conversation
from lighter.formats._notes import Notes
from lighter.messages import MediaBlock, blocks_of

_LONGEST = 200
_ILLEGAL = re.compile(r"[^\w \-()\[\]]|_", re.ASCII)
"""All but "alphanumeric characters, whitespace characters (no more than one in a row), hyphens, parentheses, square brackets"
(`DocumentBlock.name` of the service model)."""


class DocumentNames:
    """Gives documents names; those that have one keep it as far as Bedrock takes it."""

    def __init__(self, conversation: Conversation) -> None:
        found = (block for message in conversation.messages for block in blocks_of(message))
        self._known = {block.name for block in found if isinstance(block, MediaBlock) and block.name is not None}
        self._given: set[str] = set()
        self._count = 0

    def put(
        self, document: dict[str, Any], block: MediaBlock, origin: BlockOrigin, notes: Notes, *, is_own: bool
    ) -> None:
        """Name a document that is being written."""
        name = block.name
        if is_own:
            document |= {"name": name} if name is not None else {}
            return
        new = self._distinct(_legal(name)) if name is not None else self._made()
        self._given.add(new)
        if name is None:
            notes.synthesised(origin.path, "document-name", f"a document without a name got {new!r}")
        elif new != name:
            notes.rewritten(origin.at("name"), "document-name", f"{name!r} is now {new!r}")
        document["name"] = new

    def _distinct(self, name: str) -> str:
        if not name:
            return self._made()
        new, count = name, 1
        while new in self._given:
            count += 1
            ending = f" ({count})"
            new = name[: _LONGEST - len(ending)] + ending
        return new

    def _made(self) -> str:
        while True:
            self._count += 1
            name = f"Document {self._count}"
            if name not in self._known and name not in self._given:
                return name


def _legal(name: str) -> str:
    """Give a name without what Bedrock refuses: other characters become hyphens, runs of spaces one."""
    return re.sub(r"\s+", " ", _ILLEGAL.sub("-", re.sub(r"\s+", " ", name))).strip()[:_LONGEST].strip()
