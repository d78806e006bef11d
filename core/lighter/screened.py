"""The rules whose faults the screens look for, so that no ordinary message can have them.

A rule about passages that is not named here, and does not say by `KEYS`, `NEEDLES` or `is_suspect` what makes a message worth a
look, is asked about every message: that is always right, and slow. The screens are `lighter.chat_screen` and
`lighter.block_screen`; that they and this list agree is proven by linting with and without them.
"""

from lighter.envelope import PLAIN
from lighter.rule import Aim, severity_for
from lighter.rules import RuleModule, load, names

LOOKED_FOR = frozenset(
    {
        "arguments-empty",
        "arguments-invalid-json",
        "arguments-not-object",
        "arguments-not-string",
        "arguments-schema-mismatch",
        "consecutive-roles",
        "content-and-reasoning-with-calls",
        "content-part-type",
        "content-wrong-type",
        "duplicate-tool-call-id",
        "duplicate-tool-definition",
        "duplicate-tool-result",
        "empty-message",
        "empty-text-block",
        "empty-tool-calls",
        "empty-tools",
        "ft-bad-weight",
        "image-in-wrong-role",
        "image-media-type",
        "image-too-large",
        "interleaved-message",
        "invalid-data-url",
        "invalid-tool-schema",
        "lone-surrogate",
        "malformed-tool-call",
        "message-not-object",
        "messages-not-array",
        "missing-reasoning-content",
        "missing-role",
        "missing-tool-id",
        "missing-tool-name",
        "missing-tool-result",
        "mixed-formats",
        "must-start-with-user",
        "no-messages",
        "null-content",
        "null-padded-arguments",
        "orphan-tool-result",
        "participant-name-format",
        "pending-tool-call",
        "prefill-not-supported",
        "schema-array-without-items",
        "schema-without-properties",
        "server-tool-unpaired",
        "split-tool-results",
        "system-in-messages",
        "system-placement",
        "thinking-not-first",
        "thinking-signature-missing",
        "thinking-with-forced-tool",
        "too-many-cache-breakpoints",
        "tool-block-wrong-role",
        "tool-call-type",
        "tool-calls-wrong-role",
        "tool-choice-without-tools",
        "tool-definition-shape",
        "tool-id-format",
        "tool-name-format",
        "tool-result-not-first",
        "trailing-whitespace-prefill",
        "undeclared-tool",
        "undeclared-tool-choice",
        "unknown-role",
        "unsupported-field",
        "unsupported-role",
        "user-after-tool",
    }
)

UNCONCERNED = frozenset(
    {
        "big-integer",
        "call-turn-order",
        "completed-arguments",
        "deep-nesting",
        "document-needs-text",
        "duplicate-item-id",
        "duplicate-key",
        "duplicate-message-id",
        "empty-file",
        "empty-part",
        "empty-tool-result",
        "ends-with-assistant",
        "ephemeral-item-id",
        "ft-image-placeholder-mismatch",
        "ft-last-not-assistant",
        "ft-missing-messages",
        "ft-no-assistant",
        "ft-row-skipped",
        "glued-records",
        "invalid-json",
        "invalid-tool-calls",
        "invalid-utf8",
        "item-id-prefix",
        "item-without-reasoning",
        "json-array-file",
        "missing-thought-signature",
        "mixed-tool-turn",
        "no-user-message",
        "nonfinite-number",
        "not-an-object",
        "nul-bytes",
        "nul-character",
        "raw-newline-in-record",
        "reasoning-not-supported",
        "reasoning-without-item",
        "removal-of-unknown-message",
        "too-few-examples",
        "tool-result-mismatch",
        "tool-result-not-object",
        "tools-not-declared",
        "truncated-document",
        "truncated-last-line",
        "truncated-stream",
        "unknown-message-type",
        "unloadable-message",
        "unmerged-stream-chunks",
        "unserialized-object",
        "unsupported-parameter",
        "utf8-bom",
    }
)
"""The rules that have nothing to say of an ordinary conversation of chats in a log that is judged for nobody in particular.

Some read another format, or are for a target; others read what is odd about a record as JSON, or about its bytes, or take
streams that were logged in pieces. None of those that are named here or above is loaded before something unusual is met, which
is half the time that linting a small file takes; what is not named is loaded, and asked.
"""


def rules_for_ordinary(aim: Aim) -> list[RuleModule] | None:
    """Give the rules that must be loaded to tell what is ordinary; None where all must be, since the lists do not hold."""
    if aim != Aim("generic", "log", PLAIN):
        return None
    asking = [load(name) for name in names() if name not in LOOKED_FOR and name not in UNCONCERNED]
    if any(module.check_file or module.check_row or module.check_record for module in asking):
        return None
    return [module for module in asking if module.check and severity_for(module.rule, aim)]
