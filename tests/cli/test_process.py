"""What the process does when it is interrupted, cut off, or fails itself."""

import contextlib
import gzip
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from command import LIGHTER

from lighter import formats
from lighter_cli import exits, main


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_closed_pipe_ends_quietly(files: Path, environment: Mapping[str, str]) -> None:
    command = [*LIGHTER, "lint", "many.jsonl", "--output-format", "full"]
    with subprocess.Popen(
        command, cwd=files, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) in (-signal.SIGPIPE, exits.FINDINGS)


def test_an_interrupt_gives_130(tmp_path: Path, environment: Mapping[str, str]) -> None:
    pipe = tmp_path / "endless.jsonl"
    os.mkfifo(pipe)
    command = [*LIGHTER, "lint", str(pipe)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        with pipe.open("wb") as stream:
            stream.write(b'{"role":"user","content":"Hello"}\n')
            stream.flush()
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=30)
        assert process.returncode == exits.INTERRUPTED
        assert b"Traceback" not in errors


CHAT = b'{"messages":[{"role":"user","content":"' + b"x" * 1000 + b'"},{"role":"assistant","content":"ok"}]}\n'
FAULTY = b'{"messages":[{"role":"user","content":"hi"},{"role":"robot","content":"ok"}]}\n'


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a file that is worth several processes."""
    path = tmp_path_factory.mktemp("large") / "large.jsonl"
    path.write_bytes((CHAT * 2000 + FAULTY) * 9)
    return path


def test_several_processes_print_the_same(large: Path, environment: Mapping[str, str]) -> None:
    command = [*LIGHTER, "lint", str(large), "sample_conversations/bad", "--output-format", "full", "-j"]
    root = Path(__file__).parents[2]
    alone, together = (
        subprocess.run([*command, jobs], cwd=root, env=environment, capture_output=True, check=False) for jobs in "12"
    )
    assert (alone.stdout, alone.stderr, alone.returncode) == (together.stdout, together.stderr, together.returncode)
    assert alone.stdout.count(b"unknown-role") >= 9


def test_an_interrupt_ends_all_processes(large: Path, tmp_path: Path, environment: Mapping[str, str]) -> None:
    pipe = tmp_path / "z.jsonl"
    os.mkfifo(pipe)
    command = [*LIGHTER, "lint", str(large), str(pipe), "-j", "2", "--output-format", "jsonl"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        _wait_for_reader(pipe)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert process.returncode == exits.INTERRUPTED
        assert errors == b""
        with pytest.raises(ProcessLookupError):
            os.killpg(process.pid, 0)


def _wait_for_reader(pipe: Path) -> None:
    """Wait until somebody has opened a pipe for reading."""
    for _ in range(1000):
        with contextlib.suppress(OSError):
            os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)  # stays open, so that the reader waits
            return
        time.sleep(0.02)


def test_an_interrupt_while_loading_is_quiet(environment: Mapping[str, str]) -> None:
    program = """
import sys
class Interrupt:
    def find_spec(self, name, *rest):
        if name == "typer":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
from lighter_cli.start import main
main()
"""
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (exits.INTERRUPTED, b"", b"")


def signalled_until_it_ends(process: subprocess.Popen[bytes], number: int) -> bytes:
    """Send a signal again and again, since one that comes just before a blocking read does not end that read."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=1)[1]
    raise TimeoutError


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_leaves_no_half_file(number: int, tmp_path: Path, environment: Mapping[str, str]) -> None:
    pipe = tmp_path / "endless.jsonl"
    os.mkfifo(pipe)
    command = [*LIGHTER, "lint", str(pipe), "-o", "out.json", "--output-format", "json"]
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE) as process:
        with pipe.open("wb") as stream:
            stream.write(b'{"role":"user","content":"Hello"}\n')
            stream.flush()
            deadline = time.monotonic() + 20
            while len(names_in(tmp_path)) < 2 and time.monotonic() < deadline:
                time.sleep(0.02)
            assert len(names_in(tmp_path)) == 2
            errors = signalled_until_it_ends(process, number)
        assert process.returncode == 128 + number
        assert b"Traceback" not in errors
    assert names_in(tmp_path) == ["endless.jsonl"]


def test_a_closed_standard_input_is_one_line(environment: Mapping[str, str]) -> None:
    for command in ("lint", "show"):
        words = ["sh", "-c", '"$0" -m lighter "$1" - <&-', sys.executable, command]
        done = subprocess.run(words, env=environment, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (exits.FAILED, b"error: <stdin>: standard input is closed\n")


def test_what_stands_before_a_break_is_linted_and_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "log.jsonl.gz"
    lines = b'{"role":"tool","tool_call_id":"x","content":"1"}\n' + b'{"role":"user","content":"hi"}\n' * 9
    path.write_bytes(gzip.compress(lines)[:-12])
    assert main.run(["lint", str(path)]) == exits.FAILED
    shown = capsys.readouterr()
    assert ":1:1: P102" in shown.out
    assert f"error: {path}: the compressed data break off; only what stands before was read\n" in shown.err
    assert main.run(["show", str(path)]) == exits.FAILED
    shown = capsys.readouterr()
    assert "answers no call" in shown.out
    assert f"error: {path}: the compressed data break off; only what stands before was read\n" in shown.err


def test_binary_files_met_by_the_way_are_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "good.jsonl").write_text('{"role":"user","content":"hi"}\n', encoding="utf-8")
    binary = tmp_path / "binary.jsonl"
    binary.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)))
    assert main.run(["lint", str(tmp_path)]) == exits.OK
    assert capsys.readouterr().err == f"note: skipped {binary}: is binary, not a transcript\n"
    assert main.run(["lint", "--skip-unrecognised", str(binary)]) == exits.OK
    assert "note: skipped" in capsys.readouterr().err
    assert main.run(["lint", str(binary)]) == exits.FAILED
    assert "error:" in capsys.readouterr().err


def test_a_dash_is_standard_output(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(files)
    before = names_in(files)
    assert main.run(["lint", "orphan.jsonl", "-o", "-"]) == exits.FINDINGS
    assert "P102" in capsys.readouterr().out
    assert names_in(files) == before


def test_the_same_input_gives_the_same_bytes(files: Path, environment: Mapping[str, str]) -> None:
    for words in (
        ["lint", "orphan.jsonl", "--output-format", "json"],
        ["convert", "orphan.jsonl", "--to", "anthropic"],
    ):
        command = [*LIGHTER, *words]
        seen = {
            subprocess.run(
                command, cwd=files, env={**environment, "PYTHONHASHSEED": seed}, capture_output=True, check=False
            ).stdout
            for seed in ("1", "2")
        }
        assert len(seen) == 1
        assert seen != {b""}


def test_a_fault_of_lighter_in_one_file_spares_the_others(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from lighter.linting import lint_stream

    def fail(stream: Any, name: str, *rest: Any, **more: Any) -> Any:
        if name == "good.jsonl":
            raise ZeroDivisionError("division by \x1b[31mzero")
        return lint_stream(stream, name, *rest, **more)

    monkeypatch.chdir(files)
    monkeypatch.setattr("lighter.lint_files.lint_stream", fail)
    assert main.run(["lint", "good.jsonl", "orphan.jsonl"]) == exits.FAILED
    shown = capsys.readouterr()
    assert "orphan.jsonl:4:1: P102" in shown.out
    assert shown.err.startswith(
        "error: good.jsonl: lighter itself failed (ZeroDivisionError: division by \\x1b[31mzero);"
    )
    assert "Traceback" not in shown.err
    monkeypatch.setenv("LIGHTER_TRACEBACK", "1")
    assert main.run(["lint", "good.jsonl"]) == exits.FAILED
    assert "Traceback" in capsys.readouterr().err


def test_a_fault_of_lighter_anywhere_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("lighter_cli.output.load", lambda name: {}[name])
    assert main.run(["lint", "whatever.jsonl"]) == exits.FAILED
    assert capsys.readouterr().err.count("\n") == 1


def test_no_arguments_print_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run([]) == exits.OK
    shown = capsys.readouterr().out
    assert "Commands:" in shown
    assert all(name in shown for name in ("lint", "rule", "formats"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("words", [["orphan.jsonl"], ["orphan.jsonl", "--diff", "--unsafe-fixes", "-q"]])
def test_a_full_disk_is_one_line(files: Path, environment: Mapping[str, str], words: Sequence[str]) -> None:
    command = [*LIGHTER, "lint", *words]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, cwd=files, env=environment, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == exits.FAILED
    assert done.stderr == b"error: output: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told_by_the_name_of_the_file(files: Path, environment: Mapping[str, str]) -> None:
    command = [*LIGHTER, "lint", "orphan.jsonl", "-o", "/dev/full"]
    done = subprocess.run(command, cwd=files, env=environment, capture_output=True, check=False)
    assert done.returncode == exits.FAILED
    assert done.stderr == b"error: /dev/full: cannot be written: No space left on device\n"


def test_writing_to_a_device_leaves_it_a_device(files: Path, environment: Mapping[str, str]) -> None:
    command = [*LIGHTER, "lint", "orphan.jsonl", "-o", os.devnull]
    assert subprocess.run(command, cwd=files, env=environment, check=False).returncode == exits.FINDINGS
    assert not Path(os.devnull).is_file()


def test_one_command_does_not_load_another(files: Path, environment: Mapping[str, str]) -> None:
    script = (
        "import sys; from lighter_cli.main import run; run(['lint', 'good.jsonl', '-q']); "
        "loaded = {name.split('.')[0] for name in sys.modules} | set(sys.modules); "
        "print(sorted(loaded & {'rich', 'lighter_cli.commands.show', 'lighter_cli.commands.convert', 'pydantic', 'asyncio'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=files, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "[]\n"


def test_all_formats_are_listed(environment: Mapping[str, str]) -> None:
    done = subprocess.run([*LIGHTER, "formats"], capture_output=True, text=True, check=True, env=environment)
    listed = {line.split()[0] for line in done.stdout.split("\n\n")[0].splitlines()}
    assert listed == set(formats.names())
