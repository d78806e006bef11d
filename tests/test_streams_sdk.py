"""The pieces of the tests are what the providers' SDKs take for pieces, and those that join pieces themselves get the same."""

import json
from typing import Any

import pytest
from streamed import STREAMS, Stream, assemble, without_nulls

from lighter import jsontext

SDK_ONLY = {"parsed", "parsed_arguments", "index"}
"""Keys that OpenAI's SDK adds, and `index` of calls, which it leaves in place."""


def of_format(name: str) -> pytest.MarkDecorator:
    found = [stream for stream in STREAMS if stream.format == name]
    return pytest.mark.parametrize("stream", found, ids=lambda stream: stream.name)


def plain(value: Any) -> Any:
    return json.loads(jsontext.encode(value))


def trimmed(value: Any) -> Any:
    match value:
        case dict():
            return {key: trimmed(item) for key, item in value.items() if item is not None and key not in SDK_ONLY}
        case list():
            return [trimmed(item) for item in value]
        case _:
            return value


@of_format("openai-chat")
def test_openai_chat(stream: Stream) -> None:
    chunk = pytest.importorskip("openai.types.chat").ChatCompletionChunk
    state = pytest.importorskip("openai.lib.streaming.chat").ChatCompletionStreamState()
    if "OpenRouter" in stream.name or "null" in stream.name or "index 0" in stream.name:
        for piece in plain(stream.chunks):
            chunk.construct(**piece)
        return
    for piece in plain(stream.chunks):
        state.handle_chunk(chunk.model_validate(piece))
    final = state.get_final_completion().model_dump(exclude_unset=True)
    assert trimmed(final) == trimmed(plain(assemble(stream.format, stream.chunks).value))


@of_format("anthropic")
def test_anthropic(stream: Stream) -> None:
    types = pytest.importorskip("anthropic.types")
    messages = pytest.importorskip("anthropic.lib.streaming._messages")
    adapter = pytest.importorskip("pydantic").TypeAdapter(types.RawMessageStreamEvent)
    snapshot, buffers = None, dict[int, bytes]()
    for piece in plain(stream.chunks):
        if piece["type"] != "ping":
            event = adapter.validate_python(piece)
            snapshot = messages.accumulate_event(event=event, current_snapshot=snapshot, json_bufs=buffers)
    assert snapshot is not None
    expected = without_nulls(snapshot.model_dump(exclude_unset=True))
    assert expected == without_nulls(plain(assemble(stream.format, stream.chunks).value))


@of_format("openai-responses")
def test_openai_responses(stream: Stream) -> None:
    adapter = pytest.importorskip("pydantic").TypeAdapter(
        pytest.importorskip("openai.types.responses").ResponseStreamEvent
    )
    for piece in plain(stream.chunks):
        adapter.validate_python(piece)


@of_format("openai-responses")
def test_openai_responses_that_break_off(stream: Stream) -> None:
    adapter = pytest.importorskip("pydantic").TypeAdapter(
        pytest.importorskip("openai.types.responses").ResponseStreamEvent
    )
    streaming = pytest.importorskip("openai.lib.streaming.responses._responses")
    state = streaming.ResponseStreamState(text_format=pytest.importorskip("openai").omit, input_tools=[])
    for number, piece in enumerate(plain(stream.chunks)[:-1], 1):
        state.handle_event(adapter.validate_python(piece))
        ours = assemble(stream.format, stream.chunks[:number]).value["output"]
        snapshot = getattr(state, f"_{type(state).__name__}__current_snapshot")
        theirs = snapshot.model_dump(exclude_unset=True, warnings=False)["output"]
        said = [(item.get("arguments"), [part.get("text") for part in item.get("content") or ()]) for item in theirs]
        got = [(item.get("arguments"), [part.get("text") for part in item.get("content") or ()]) for item in ours]
        assert got == said


@of_format("gemini")
def test_gemini(stream: Stream) -> None:
    response = pytest.importorskip("google.genai.types").GenerateContentResponse
    for piece in plain([*stream.chunks, stream.whole]):
        response.model_validate(piece)
    assert response.model_validate(plain(assemble(stream.format, stream.chunks).value)).text == "Let me look."


@of_format("bedrock")
def test_bedrock(stream: Stream) -> None:
    service = pytest.importorskip("botocore.session").get_session().get_service_model("bedrock-runtime")
    validator = pytest.importorskip("botocore.validate").ParamValidator()
    events = service.shape_for("ConverseStreamOutput")
    for piece in plain(stream.chunks):
        assert not validator.validate(piece, events).generate_report()
    whole = assemble(stream.format, stream.chunks).value
    assert not validator.validate(plain(whole), service.shape_for("ConverseResponse")).generate_report()


@of_format("cohere")
def test_cohere(stream: Stream) -> None:
    types = pytest.importorskip("cohere.v2.types")
    adapter = pytest.importorskip("pydantic").TypeAdapter(types.V2ChatStreamResponse)
    for piece in plain(stream.chunks):
        assert adapter.validate_python(piece).type == piece["type"]
    response = types.V2ChatResponse.model_validate(plain(assemble(stream.format, stream.chunks).value))
    assert response.message.content[0].text == "11 °C"


@of_format("ollama")
def test_ollama(stream: Stream) -> None:
    response = pytest.importorskip("ollama").ChatResponse
    for piece in plain(stream.chunks):
        response.model_validate(piece)
    assert response.model_validate(plain(assemble(stream.format, stream.chunks).value)).message.thinking == "Parks"
