"""The names of Anthropic Messages that its readers and writers share."""

NAME = "anthropic"
SPELLING = f"{NAME}-spelling"
TURN = f"{NAME}-turn"
"""The format name of extras that stand on the message that holds a result, while their owner is the result."""

TTLS = ("5m", "1h")
"""The cache lifetimes that Anthropic knows."""

ANSWER_KEYS = frozenset({"/id", "/type", "/model", "/stop_reason", "/stop_sequence", "/stop_details", "/usage", "/container",
                         "/context_management", "/diagnostics"})  # fmt: skip
"""Where an answer has keys that no message of a request may have (`Message` of anthropic SDK 2.14.0; "Extra inputs are not
permitted")."""
