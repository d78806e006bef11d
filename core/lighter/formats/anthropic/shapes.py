"""The names of Anthropic Messages that its readers and writers share."""

NAME = "anthropic"
SPELLING = "anthropic-spelling"
TTLS = ("5m", "1h")
"""The cache lifetimes that Anthropic knows."""

ANSWER_KEYS = frozenset({"/id", "/type", "/model", "/stop_reason", "/stop_sequence", "/stop_details", "/usage", "/container",
                         "/context_management", "/diagnostics"})  # fmt: skip
"""Where an answer has keys that no message of a request may have (`Message` of anthropic SDK 2.14.0; "Extra inputs are not
permitted")."""
