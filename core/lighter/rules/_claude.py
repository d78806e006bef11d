"""What the rules make of a Claude model whose version nobody can tell."""

from typing import TypeGuard

from lighter.providers import claude_version


def is_unknown_claude(model: str | None) -> TypeGuard[str]:
    """Say whether a model is one of Anthropic's and of no known version, so that the table of models is silent about it."""
    return model is not None and "claude" in model.lower() and claude_version(model) is None
