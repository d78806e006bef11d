"""The names of Anthropic Messages that its readers and writers share."""

NAME = "anthropic"
TURN = "anthropic-turn"
"""Format name of extras that stand on the wire's user message, while the core message is one of the results in it."""

TTLS = ("5m", "1h")
"""The cache lifetimes that Anthropic knows."""
