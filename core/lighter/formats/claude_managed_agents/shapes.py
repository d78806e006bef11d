"""The names of the events of Claude's managed agents that the readers share."""

from lighter.session_events import CALLS, CONFIRMATION, RESULTS

NAME = "claude-managed-agents"

SAID = frozenset({
    "user.message", "user.define_outcome", "user.interrupt", "system.message", "agent.message", "agent.thread_message_received",
    *CALLS, *RESULTS,
})  # fmt: skip
"""The events that are part of what was said; a denial is one, too, where no result tells of it."""

TOLD_AFTER = {"span.model_request_end": ("usage", "model_usage"), "session.status_idle": ("stop", "stop_reason")}
"""Events that tell of the message before them: which field of it, and under which key."""

OF_THREADS = CALLS | RESULTS.keys() | {CONFIRMATION}
"""Events that may be posted in the log of another thread than their own, which they name then."""
