"""The exit statuses of the command, and what each of them means."""

OK = 0
"""Nothing to report at or above the asked severity."""

FINDINGS = 1
"""Findings, or what a strict run refuses."""

FAILED = 2
"""The job could not be done: usage, an unreadable or missing file, nothing recognised, an internal error."""

INTERRUPTED = 130
"""The user pressed Ctrl-C (128 + SIGINT, as shells count)."""
