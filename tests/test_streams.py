"""Files of nothing but stream pieces: they are named, by every command alike, and never pass for clean transcripts."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import lighter
from lighter.errors import NotRecognised
from lighter.streams import stream_of
from lighter_cli import main

CHAT: list[dict[str, Any]] = [
    {"object": "chat.completion.chunk", "id": "c1", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "1"}}]},
    {"id": "c1", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
]  # fmt: skip
ANTHROPIC: list[dict[str, Any]] = [
    {"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "content": [], "usage": {}}},
    {"type": "ping"},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "11 °C"}},
    {"type": "message_stop"},
]  # fmt: skip


def lines(values: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def events(values: list[dict[str, Any]]) -> str:
    return "".join(f"event: {value.get('type', 'x')}\ndata: {json.dumps(value)}\n\n" for value in values)


FILES = {
    "chat.jsonl": (lines(CHAT), "openai-chat"),
    "long.jsonl": (lines(CHAT * 100), "openai-chat"),
    "chat.json": (json.dumps(CHAT), "openai-chat"),
    "chat.txt": ("".join(f"data: {json.dumps(value)}\n\n" for value in CHAT) + "data: [DONE]\n", "openai-chat"),
    "anthropic.jsonl": (lines(ANTHROPIC), "anthropic"),
    "anthropic.txt": (events(ANTHROPIC), "anthropic"),
    "broken.jsonl": (lines(CHAT) + "{broken\n", "openai-chat"),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("words", [["lint"], ["show"], ["convert", "--to", "lighter"]], ids=lambda words: words[0])
def test_every_command_names_a_stream(
    name: str, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, provider = FILES[name]
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert main.run([*words, str(path)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"{path}: is a stream of {provider} chunks, which lighter does not assemble yet" in shown.err
    assert shown.err.count("\n") == 1


def test_the_library_refuses_a_stream(tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl.gz"
    path.write_bytes(gzip.compress(lines(ANTHROPIC).encode()))
    for read in (lighter.lint, lambda path: list(lighter.load(path)), lambda path: lighter.convert(path, "lighter")):
        with pytest.raises(NotRecognised, match="a stream of anthropic chunks"):
            read(path)
    assert lighter.detect(path).stream == "anthropic"


def test_a_stream_among_messages_is_none() -> None:
    assert stream_of(CHAT) == "openai-chat"
    assert stream_of([CHAT, ANTHROPIC]) == "anthropic and openai-chat"
    for values in (
        [],
        [{"type": "ping"}],
        [*CHAT, {"role": "user", "content": "Hi"}],
        [3],
        [{"type": "error", "role": "x"}],
    ):
        assert stream_of(values) is None


def test_a_format_asked_for_does_not_hide_a_stream(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text(lines(CHAT), encoding="utf-8")
    for words in (["lint"], ["show"], ["convert", "--to", "lighter"]):
        assert main.run([*words, "--from", "openai-chat", str(path)]) == 2
        assert "is a stream of openai-chat chunks" in capsys.readouterr().err
    assert main.run(["formats", "--explain", str(path)]) == 0
    assert "a stream of openai-chat chunks" in capsys.readouterr().out


def test_messages_after_many_pieces_are_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(lines(CHAT * 100) + lines([{"role": "user", "content": "Hi"}]), encoding="utf-8")
    assert main.run(["lint", str(path)]) == 1
    assert ":1:1: F117" in capsys.readouterr().out
    assert main.run(["convert", "--to", "lighter", "--from", "openai-chat", str(path)]) == 1
    assert '"Hi"' in capsys.readouterr().out
