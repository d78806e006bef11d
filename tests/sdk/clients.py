"""How each provider's own client sends a request body, and how what it sends differs from the body it was given."""

import base64
import re
from collections.abc import Callable, Mapping
from typing import Any


def send_openai_chat(url: str, body: dict[str, Any]) -> None:
    """Send with `openai`."""
    import openai

    with openai.OpenAI(base_url=url, api_key="-", max_retries=0) as client:
        client.chat.completions.create(**{"model": "m", **body})


def send_openai_responses(url: str, body: dict[str, Any]) -> None:
    """Send with `openai`."""
    import openai

    with openai.OpenAI(base_url=url, api_key="-", max_retries=0) as client:
        client.responses.create(**{"model": "m", **body})


def send_anthropic(url: str, body: dict[str, Any]) -> None:
    """Send with `anthropic`."""
    import anthropic

    with anthropic.Anthropic(base_url=url, api_key="-", max_retries=0) as client:
        client.messages.create(**{"model": "m", "max_tokens": 1, **body})


def send_gemini(url: str, body: dict[str, Any]) -> None:
    """Send with `google-genai`, whose client takes contents and a config; it is given the SDK's own types, built from the wire."""
    from google import genai
    from google.genai import types

    client = genai.Client(api_key="-", http_options=types.HttpOptions(base_url=url))
    contents = [types.Content.model_validate(content) for content in body["contents"]]
    config: dict[str, Any] = dict(body.get("generationConfig", {}))
    if "systemInstruction" in body:
        config["systemInstruction"] = types.Content.model_validate(body["systemInstruction"])
    if "tools" in body:
        config["tools"] = [types.Tool.model_validate(tool) for tool in body["tools"]]
    if "toolConfig" in body:
        config["toolConfig"] = types.ToolConfig.model_validate(body["toolConfig"])
    client.models.generate_content(
        model="m", contents=list(contents), config=types.GenerateContentConfig.model_validate(config)
    )


def send_bedrock(url: str, body: dict[str, Any]) -> None:
    """Send with `boto3`, which takes bytes where the wire has base64."""
    import boto3  # type: ignore[import-untyped]  # it has no types
    from botocore.config import Config  # type: ignore[import-untyped]  # nor has this

    client = boto3.client(
        "bedrock-runtime",
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id="-",
        aws_secret_access_key="-",  # noqa: S106 - nobody looks at it
        config=Config(retries={"max_attempts": 0}),
    )
    client.converse(**{"modelId": "m", **_with_bytes(body)})


def _with_bytes(value: Any, key: str = "") -> Any:
    match value:
        case str() if key in ("bytes", "redactedContent"):
            return base64.b64decode(value)
        case dict():
            return {
                name: item if name in ("input", "json") else _with_bytes(item, name) for name, item in value.items()
            }
        case list():
            return [_with_bytes(item) for item in value]
        case _:
            return value


def send_mistral(url: str, body: dict[str, Any]) -> None:
    """Send with `mistralai`."""
    from mistralai.client import Mistral

    with Mistral(api_key="-", server_url=url) as client:
        client.chat.complete(**{"model": "m", **body})


def send_cohere(url: str, body: dict[str, Any]) -> None:
    """Send with `cohere`."""
    import cohere

    cohere.ClientV2("-", base_url=url).chat(**{"model": "m", **body})


def send_ollama(url: str, body: dict[str, Any]) -> None:
    """Send with `ollama`."""
    import ollama

    ollama.Client(url).chat(**{"model": "m", **body})


CLIENTS: Mapping[str, Callable[[str, dict[str, Any]], None]] = {
    "openai-chat": send_openai_chat,
    "openai-responses": send_openai_responses,
    "anthropic": send_anthropic,
    "gemini": send_gemini,
    "bedrock": send_bedrock,
    "mistral": send_mistral,
    "cohere": send_cohere,
    "ollama": send_ollama,
}

ADDED: Mapping[str, frozenset[str]] = {
    "anthropic": frozenset({"model", "max_tokens"}),
    "gemini": frozenset(),
    "bedrock": frozenset(),
}
"""What a client adds at the top of a body; the model is in the URL of some."""


def differences(sent: Any, given: Any, path: str = "") -> list[str]:
    """List where what was sent is not what was given.

    Values that say nothing (null, false, 0, empty) are alike: clients add and leave them out. So are the two spellings of keys
    and of base64 that Gemini takes.
    """
    match sent, given:
        case dict(), dict():
            one, other = _in_camel_case(sent), _in_camel_case(given)
            found = (
                differences(one.get(key), other.get(key), f"{path}/{key}") for key in sorted(one.keys() | other.keys())
            )
            return [line for lines in found for line in lines]
        case list(), list() if len(sent) == len(given):
            pairs = enumerate(zip(sent, given, strict=True))
            return [line for n, (one, other) in pairs for line in differences(one, other, f"{path}/{n}")]
        case str(), str() if path.endswith("/data"):
            return [] if _standard(sent) == _standard(given) else [f"{path}: other data"]
        case _:
            return [] if sent == given or not (sent or given) else [f"{path}: {sent!r:.80} was sent for {given!r:.80}"]


def _in_camel_case(value: dict[str, Any]) -> dict[str, Any]:
    return {re.sub(r"_([a-z])", lambda found: found[1].upper(), key): item for key, item in value.items()}


def _standard(data: str) -> str:
    return data.replace("-", "+").replace("_", "/").rstrip("=")
