"""What happens while it runs: a log grows, a reader leaves the pager, somebody presses Ctrl-C, a pipe is closed."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pexpect  # type: ignore[import-untyped]  # it has no types
import pytest
from command import LIGHTER

Start = Callable[..., Any]
TIMEOUT = 20


@pytest.fixture
def start(environment: Mapping[str, str], tmp_path: Path) -> Iterator[Start]:
    """Give a function that starts the command in a pseudo-terminal; what still runs is ended afterwards."""
    started = []

    def run(*words: str, **changes: str) -> Any:
        child = pexpect.spawn(
            LIGHTER[0],
            [*LIGHTER[1:], "show", *words],
            cwd=str(tmp_path),
            env={**environment, "NO_COLOR": "1", **changes},
            dimensions=(12, 80),
            encoding="utf-8",
            timeout=TIMEOUT,
        )
        started.append(child)
        return child

    yield run
    for child in started:
        child.close(force=True)


def line(role: str, content: str | None, **more: Any) -> str:
    return json.dumps({"role": role, "content": content, **more}) + "\n"


CALL = {"id": "call_1", "type": "function", "function": {"name": "clock", "arguments": "{}"}}


def add(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def test_a_growing_log_is_followed(start: Start, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(line("user", "What time is it?") + line("assistant", None, tool_calls=[CALL]), encoding="utf-8")
    child = start("-f", "log.jsonl")
    child.expect_exact("→ clock()")
    child.expect_exact("… no result yet")
    add(log, line("tool", "noon", tool_call_id="call_1"))
    child.expect("2  tool  clock  call_1  answers an earlier call")
    child.expect_exact("noon")
    add(log, '{"role": "assistant", "con')
    time.sleep(0.6)
    add(log, 'tent": "It is noon."}\n')
    child.expect("3  assistant\r\n +It is noon.")
    add(log, "{broken\n" + line("user", "Thanks").rstrip("\n"))
    child.expect("line 5: could not be read")
    child.expect("4  user\r\n +Thanks")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


def test_a_log_that_starts_anew_is_read_anew(start: Start, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(line("user", "a long first message, long enough to be longer"), encoding="utf-8")
    child = start("-f", "log.jsonl")
    child.expect_exact("a long first message")
    log.write_text(line("user", "anew"), encoding="utf-8")
    child.expect("0  user\r\n +anew")


def test_a_replaced_log_is_read_from_its_start(start: Start, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(line("user", "before"), encoding="utf-8")
    child = start("-f", "log.jsonl")
    child.expect_exact("before")
    log.rename(tmp_path / "log.jsonl.1")
    add(tmp_path / "log.jsonl.1", line("user", "still to the old file"))
    child.expect_exact("still to the old file")
    time.sleep(0.3)
    log.write_text(line("user", "a new file, no shorter than the one before it was") * 3, encoding="utf-8")
    child.expect("2  user\r\n +a new file")
    add(log, line("user", "and more"))
    child.expect("3  user\r\n +and more")


def test_a_whole_document_does_not_break_off(start: Start, tmp_path: Path) -> None:
    document = {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}
    (tmp_path / "request.json").write_text(json.dumps(document, indent=2), encoding="utf-8")
    child = start("-f", "request.json")
    child.expect("1  assistant\r\n +Hello")
    time.sleep(0.6)
    child.sendintr()
    child.expect(pexpect.EOF)
    assert "break" not in child.before


@pytest.fixture
def long_log(tmp_path: Path) -> str:
    """Give a log of more than any pipe or screen holds."""
    (tmp_path / "long.jsonl").write_text("".join(line("user", f"message {n}") for n in range(40_000)), encoding="utf-8")
    return "long.jsonl"


def test_a_pager_shows_the_first_screen_and_may_be_left(start: Start, long_log: str) -> None:
    child = start(long_log, LIGHTER_PAGER=f"{sys.executable} -c 'print(input()); print(input() or 1)'")
    child.expect_exact("conversation 1")
    child.expect(pexpect.EOF)
    child.close()
    assert (child.exitstatus, child.signalstatus) == (0, None)


def test_ctrl_c_leaves_the_pager_to_its_reader(start: Start, long_log: str) -> None:
    pager = "import signal,sys,time;signal.signal(2, 1);print(input(), flush=True);time.sleep(1);print('left')"
    child = start(long_log, LIGHTER_PAGER=f'{sys.executable} -c "{pager}"')
    child.expect_exact("conversation 1")
    child.sendintr()
    child.expect_exact("left")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


@pytest.mark.parametrize("pager", ["", "cat", "no-such-pager --at-all", "'unclosed"])
def test_without_a_pager_all_is_written(start: Start, tmp_path: Path, pager: str) -> None:
    (tmp_path / "short.jsonl").write_text(line("user", "short"), encoding="utf-8")
    child = start("short.jsonl", LIGHTER_PAGER=pager)
    child.expect("0  user\r\n +short")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_a_closed_pipe_ends_quietly(environment: Mapping[str, str], tmp_path: Path, long_log: str) -> None:
    for style in ("plain", "full", "compact"):
        command = [*LIGHTER, "show", str(tmp_path / long_log), "--style", style]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(environment)
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            assert b"conversation 1" in process.stdout.readline()
            process.stdout.close()
            assert process.stderr.read() == b""


def run(environment: Mapping[str, str], *words: str, given: bytes = b"") -> tuple[int, str, str]:
    command = [*LIGHTER, "show", *words]
    done = subprocess.run(command, capture_output=True, env=dict(environment), input=given, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_standard_input_is_shown(environment: Mapping[str, str]) -> None:
    status, out, err = run(environment, "-", given=line("user", "hi").encode())
    assert (status, out, err) == (0, "conversation 1 (openai-chat)\n\n0 user\n  hi\n\n", "")


@pytest.mark.parametrize(
    ("words", "given", "status", "told"),
    [
        (("missing.jsonl",), b"", 2, "missing.jsonl"),
        (("-", "--from", "antropic"), b"{}", 2, "anthropic"),
        (("-", "--turns", "x"), b"{}", 2, "--turns takes a range"),
        (("-", "--grep", "("), b"{}", 2, "no regular expression"),
        (("-", "--style", "nice"), b"{}", 2, "nice"),
        (("-",), b'{"a": 1}\n', 2, "no conversation"),
        (("-",), b'{"role": "user", "content"', 1, "no conversation could be read"),
        (("-", "--role", "nobody"), b'{"role": "user", "content": "x"}\n', 0, "nothing matches"),
    ],
)  # fmt: skip
def test_what_cannot_be_shown_is_told_in_a_line(
    environment: Mapping[str, str], words: tuple[str, ...], given: bytes, status: int, told: str
) -> None:
    found, _, err = run(environment, *words, given=given)
    assert found == status
    assert told in err
    assert "Traceback" not in err
    assert err.count("\n") == 1
