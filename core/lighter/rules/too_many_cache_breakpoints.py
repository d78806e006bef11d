"""A request sets more than four cache breakpoints.

## What
`cache_control` on more than four blocks of an Anthropic request: tools, system prompt and messages count together, and so do
blocks inside tool results.

## Why it is refused
Four is the limit. Applications that mark the newest message with every turn, and never take the old marks away, reach it with the
fifth turn.

## Example
Bad: five blocks with `cache_control`.
```
{"system": [{"type": "text", "text": "You answer briefly.", "cache_control": {"type": "ephemeral"}}], "messages": ["… and four more"]}
```
Good: the four that stand last keep theirs.
```
{"system": "You answer briefly.", "messages": ["… and the four"]}
```

## Fix
Keep the last four: a breakpoint covers all that stands before it.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.edits import Drop, repair
from lighter.passage import Passage
from lighter.providers import MAX_CACHE_BREAKPOINTS
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.wire import all_parts_of, list_parts, messages_of, system_parts

RULE = Rule(
    code="M118",
    name="too-many-cache-breakpoints",
    summary="a request sets more than four cache breakpoints",
    severity={"generic:anthropic": "error", "anthropic": "error"},
    formats=("anthropic",),
    refusals=(
        Refusal(
            ("anthropic",),
            "A maximum of 4 blocks with cache_control may be provided. Found 5.",
            "https://github.com/tghamm/Anthropic.SDK/issues/50",
        ),
    ),
    source="https://github.com/tghamm/Anthropic.SDK/issues/50",
    fix=Fix("safe", "keep the last four"),
)


def check(passage: Passage, aim: Aim) -> Iterator[Finding]:
    """Find a request with too many breakpoints; a log with one message a line may hold the marks of several requests."""
    messages = messages_of(passage, "anthropic")
    if not messages or (aim.mode == "log" and any(message.path == "" for message in messages)):
        return
    before = [*list_parts(passage.fields.get("tools"), f"{passage.fields_path}/tools"), *system_parts(passage)]
    parts = [(passage.record, part) for part in before]
    for message in messages:
        if not message.is_response:
            parts += ((message.record, part) for part in all_parts_of(message))
    marked = [(record, part.path) for record, part in parts if part.fields.get("cache_control") is not None]
    count = len(marked)
    if count > MAX_CACHE_BREAKPOINTS:
        said = f"the request sets {count} cache breakpoints; {MAX_CACHE_BREAKPOINTS} are allowed"
        help_ = f"keep the last {MAX_CACHE_BREAKPOINTS}: each covers all that stands before it"
        drops = (Drop(record, f"{path}/cache_control") for record, path in marked[:-MAX_CACHE_BREAKPOINTS])
        yield Finding(passage.record, passage.fields_path, said, help_, repair=repair(*drops))


_MARKED = '{"type": "text", "text": "Ahoy", "cache_control": {"type": "ephemeral"}}'
_PLAIN = '{"type": "text", "text": "Ahoy", "cache_control": null}'

VALID = (
    Example(f'[{{"role": "user", "content": [{", ".join([_MARKED] * 4)}]}}]', format="anthropic", target="anthropic"),
    Example(
        f'[{{"role": "user", "content": [{", ".join([*[_MARKED] * 4, _PLAIN])}]}}]',
        format="anthropic",
        target="anthropic",
    ),
    Example(f'{{"role": "user", "content": [{_MARKED}]}}\n' * 5, format="anthropic"),
)

INVALID = (
    Example(
        f'[{{"role": "user", "content": [{", ".join([_MARKED] * 5)}]}}]', ("",), format="anthropic", target="anthropic"
    ),
    Example(
        '{"tools": [{"name": "read_tide", "input_schema": {"type": "object"}, "cache_control": {"type": "ephemeral"}}],'
        f' "system": [{_MARKED}], "messages": [{{"role": "user", "content": [{", ".join([_MARKED] * 3)}]}}]}}',
        ("",),
        format="anthropic",
    ),
)
