"""One line for what nobody reads: media, and provider state such as encrypted reasoning."""

from lighter.excerpt import harmless
from lighter.media import MediaFacts, facts_of
from lighter.messages import MediaBlock, Opaque


def media_line(block: MediaBlock) -> str:
    """Tell a medium in a line: kind, type, size, pixel size, and its name or address."""
    facts = facts_of(block)
    told = [harmless(facts.media_type or block.kind)]
    if facts.media_type and not facts.media_type.startswith(block.kind):
        told.insert(0, block.kind)
    if facts.width and facts.height:
        told.append(f"{facts.width}×{facts.height}")
    if facts.byte_size is not None:
        told.append(byte_text(facts.byte_size))
    told += [harmless(text) for text in (block.name, _address(block)) if text]
    if block.detail:
        told.append(f"detail {harmless(block.detail)}")
    if _lies(facts):
        told.append(f"(declared {harmless(facts.declared or '')})")
    return "  ".join(told)


def _address(block: MediaBlock) -> str:
    if block.source not in ("url", "file_id") or block.data.startswith("data:"):
        return ""
    return block.data


def _lies(facts: MediaFacts) -> bool:
    return bool(facts.found and facts.declared and facts.declared.lower().replace("jpg", "jpeg") != facts.found)


def opaque_line(opaque: Opaque) -> str:
    """Tell provider state in a line: what it is and how long."""
    return f"{opaque.kind}, {harmless(opaque.provider)}, {len(opaque.data):,} characters"


def byte_text(size: int) -> str:
    """Tell a size in bytes, in units of 1000."""
    if size < 1000:
        return f"{size} B"
    amount, unit = (size / 1000, "kB") if size < 999_950 else (size / 1_000_000, "MB")
    return f"{amount:.1f} {unit}" if amount < 100 else f"{amount:.0f} {unit}"
