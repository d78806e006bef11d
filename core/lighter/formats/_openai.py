"""What the two APIs of OpenAI spell alike: cache breakpoints on content parts."""

from collections.abc import Mapping
from typing import Any

from lighter.messages import CacheMark

CACHE_KEY = "prompt_cache_breakpoint"
TTLS = ("30m", "12h")
"""The cache lifetimes that OpenAI knows."""

CACHED = {"cache": f"/{CACHE_KEY}"}
"""Where a part's cache mark stands, from the part on."""


def read_cache(part: Mapping[str, Any]) -> CacheMark | None:
    """Read the cache mark of a content part; None when there is none, or one that says more."""
    match part.get(CACHE_KEY):
        case {"mode": "explicit", "ttl": str(ttl), **rest} if not rest:
            return CacheMark(ttl)
        case {"mode": "explicit", **rest} if not rest:
            return CacheMark()
        case _:
            return None


def with_cache(part: dict[str, Any], cache: CacheMark | None) -> dict[str, Any]:
    """Put a cache mark on a content part; lifetimes that OpenAI does not know are left out."""
    if cache is not None:
        part[CACHE_KEY] = {"mode": "explicit"} | ({"ttl": cache.ttl} if cache.ttl in TTLS else {})
    return part
