"""Hypothesis strategies for valid conversations of each format, with every feature it has; a format a module."""

from strategies.anthropic import claudes
from strategies.bedrock import converses
from strategies.cohere import coheres
from strategies.gemini import contents, interactions
from strategies.langchain import langchains
from strategies.mistral import mistrals
from strategies.ollama import ollamas
from strategies.openai_chat import chats
from strategies.openai_responses import responses

BODIES = {
    "openai-chat": chats(),
    "anthropic": claudes(),
    "openai-responses": responses(),
    "gemini": contents(),
    "gemini-interactions": interactions(),
    "bedrock": converses(),
    "cohere": coheres(),
    "mistral": mistrals(),
    "ollama": ollamas(),
    **{name: langchains(name) for name in ("langchain-dump", "langchain-js")},
}
"""Request bodies, by the name of their format."""
