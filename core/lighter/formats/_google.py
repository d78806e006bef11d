"""What the two APIs of Gemini have in common: whose state and files are theirs, what thoughts hold, which media go by address."""

from lighter.conversation import BlockOrigin
from lighter.formats._notes import Notes
from lighter.formats._noting import note_carrier
from lighter.messages import MediaBlock, Opaque, ReasoningBlock

PROVIDER = "gemini"
"""Whose signatures and files these are: the models of both APIs are the same."""

USUAL_TYPES = {"image": "image/png", "audio": "audio/wav", "video": "video/mp4", "document": "application/pdf"}
"""The media types of data that tell none."""

_OWN_FILES = ("https://generativelanguage.googleapis.com/", "gs://")
"""Where the files lie that only this provider can read: its Files API, and Cloud Storage."""


def is_own_file(uri: str) -> bool:
    """Say whether an address is that of a file which only this provider can read."""
    return uri.startswith(_OWN_FILES) or "://" not in uri


def is_by_address(block: MediaBlock) -> bool:
    """Say whether media can be given by their address: one of the web, or of a file that the provider holds.

    Of the clouds' stores only Google's own is read (google-genai 3.6.1, `FileData.file_uri`).
    """
    if block.source == "url":
        return "://" in block.data and not block.data.startswith(("data:", "s3://"))
    return block.source == "file_id" and block.provider == PROVIDER


def signature_of(block: ReasoningBlock) -> Opaque | None:
    """Give the signature that Gemini put on reasoning; those of other providers cannot be checked by it."""
    return next((opaque for opaque in block.opaque if opaque.provider == PROVIDER), None)


def note_thought(block: ReasoningBlock, origin: BlockOrigin, notes: Notes, *, is_own: bool) -> None:
    """Note what a thought does not hold of reasoning; `is_own`: it was one of the same API."""
    signed = signature_of(block)
    for opaque in block.opaque:
        if opaque is not signed:
            notes.dropped(origin.at("opaque"), "signature", "only its own provider can read it")
    told = origin.fields.get("text", "")  # where other formats hold it in several pieces
    is_joined = block.text != "" and not is_own and any(extra.path == told for extra in block.ext)
    if is_joined:
        notes.moved(origin.at("text"), "reasoning", "the pieces of a thought became one")
    note_carrier(block, origin, notes)
    notes.extras(block.ext, origin.path, held=(told,) if is_joined else ())
