"""The names of Anthropic Messages that its readers and writers share."""

NAME = "anthropic"
TTLS = ("5m", "1h")
"""The cache lifetimes that Anthropic knows."""
