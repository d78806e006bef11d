"""A fixed file is whole, has its mode, its packing and its other bytes, and what cannot be read is beside it."""

import contextlib
import gzip
import os
import random
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

import pytest
from command import LIGHTER, clean_environment

from lighter import fixing_files
from lighter.errors import NotFixed, UnreadableInput
from lighter.files import whole_file
from lighter.fixing_files import fix_file
from lighter.fixing_plan import Fixing
from lighter.inputs import Input
from lighter.linting import LintOptions

GOOD = b'{"role":"user",  "content":"caf\\u00e9", "x": 1.10 }\r\n\r\n'
BAD = b'{"role":"assistant","content":"hi", "tool_calls":[] }\r\n'
FIXED = b'{"role":"assistant","content":"hi" }\r\n'
CUT = b'{"role":"user","cont'
NOBODY = 65534


def fix(path: Path, *, is_unsafe: bool = False) -> Path | None:
    """Fix a file in its place, and give the file that was set aside."""
    fixed, aside = fix_file(Input(str(path), path), LintOptions(), Fixing(is_unsafe, may_set_aside=True))
    with fixed:
        return aside


def test_lines_that_are_not_repaired_keep_their_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(GOOD + BAD + GOOD)
    path.chmod(0o640)
    assert fix(path) is None
    assert path.read_bytes() == GOOD + FIXED + GOOD
    assert path.stat().st_mode & 0o777 == 0o640
    assert [found.name for found in tmp_path.iterdir()] == ["a.jsonl"]


def test_a_file_without_faults_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(GOOD)
    before = path.stat()
    fix(path, is_unsafe=True)
    after = path.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real, link = tmp_path / "real" / "b.jsonl", tmp_path / "a.jsonl"
    real.write_bytes(BAD)
    link.symlink_to(real)
    fix(link)
    assert link.is_symlink()
    assert real.read_bytes() == FIXED


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.jsonl"])
def test_a_compressed_file_stays_compressed_whatever_its_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(BAD))
    fix(path)
    assert gzip.decompress(path.read_bytes()) == FIXED


def test_zstd_stays_zstd(tmp_path: Path) -> None:
    import zstandard

    path = tmp_path / "a.jsonl.zst"
    path.write_bytes(zstandard.compress(BAD))
    fix(path)
    with zstandard.open(path, "rb") as stream:
        assert stream.read() == FIXED


def test_a_compressed_file_that_breaks_off_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    data = gzip.compress(BAD * 2000)[:-40]
    path.write_bytes(data)
    with pytest.raises(UnreadableInput, match="was not fixed"):
        fix(path)
    assert path.read_bytes() == data


def test_what_cannot_be_read_is_set_aside_and_nothing_there_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    (tmp_path / "a.jsonl.rejected").write_text("mine")
    path.write_bytes(GOOD + CUT)
    path.chmod(0o600)
    aside = fix(path)
    assert aside is not None
    assert aside == tmp_path / "a.jsonl.rejected.2"
    assert aside.read_bytes() == CUT + b"\n"
    assert aside.stat().st_mode & 0o777 == 0o600
    assert path.read_bytes() == GOOD
    assert (tmp_path / "a.jsonl.rejected").read_text() == "mine"


def test_a_file_of_which_nothing_can_be_read_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(CUT)
    assert fix(path, is_unsafe=True) is None
    assert path.read_bytes() == CUT


def test_a_file_that_changes_meanwhile_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(GOOD + BAD + CUT)

    def append_and_write(target: Path, *, packing: str, is_synced: bool) -> AbstractContextManager[BinaryIO]:
        with path.open("ab") as out:
            out.write(b"more\n")
        return whole_file(target, packing=packing, is_synced=is_synced)

    monkeypatch.setattr(fixing_files, "whole_file", append_and_write)
    with pytest.raises(NotFixed, match="changed while it was being fixed"):
        fix(path)
    assert path.read_bytes() == GOOD + BAD + CUT + b"more\n"
    assert [found.name for found in tmp_path.iterdir()] == ["a.jsonl"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_of_a_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(BAD)
    os.chown(path, 1234, 1235)
    fix(path)
    assert path.read_bytes() == FIXED
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 1235)


@contextlib.contextmanager
def as_nobody() -> Iterator[Path]:
    """Give a folder, and be somebody who may not write everything."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if os.geteuid() != 0:
            yield folder
            return
        os.chown(folder, NOBODY, NOBODY)
        os.setresgid(NOBODY, NOBODY, 0)
        os.setresuid(NOBODY, NOBODY, 0)
        try:
            yield folder
        finally:
            os.setresuid(0, 0, 0)
            os.setresgid(0, 0, 0)


@pytest.mark.parametrize(("mode_of_file", "mode_of_folder"), [(0o400, 0o700), (0o600, 0o500)])
def test_where_nothing_may_be_written_nothing_is(mode_of_file: int, mode_of_folder: int) -> None:
    with as_nobody() as folder:
        path = folder / "a.jsonl"
        path.write_bytes(BAD + CUT)
        path.chmod(mode_of_file)
        folder.chmod(mode_of_folder)
        with pytest.raises(UnreadableInput, match="cannot be written"):
            fix(path)
        folder.chmod(0o700)
        assert path.read_bytes() == BAD + CUT
        assert [found.name for found in folder.iterdir()] == ["a.jsonl"]


@pytest.mark.parametrize(("lines", "rest"), [(2000, CUT), (1, CUT + b"x" * 50_000)], ids=["content", "set-aside"])
def test_a_disk_that_is_full_leaves_the_old_file_and_nothing_else(tmp_path: Path, lines: int, rest: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(BAD * lines + rest)
    done = subprocess.run(
        [*LIGHTER, "lint", "--fix", str(path)],
        # Python itself would leave the compiled modules cut off.
        env={**clean_environment(), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
    )
    assert done.returncode == 2
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith(f"error: {path}")
    assert "cannot be written: File too large" in line
    assert path.read_bytes() == BAD * lines + rest
    assert [found.name for found in tmp_path.iterdir()] == ["a.jsonl"]


def test_other_names_of_a_file_keep_the_old_content(tmp_path: Path) -> None:
    path, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    path.write_bytes(BAD)
    other.hardlink_to(path)
    fix(path)
    assert (path.read_bytes(), other.read_bytes()) == (FIXED, BAD)


def test_a_file_that_is_removed_meanwhile_does_not_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(BAD + CUT)

    def remove_and_write(target: Path, *, packing: str, is_synced: bool) -> AbstractContextManager[BinaryIO]:
        path.unlink()
        return whole_file(target, packing=packing, is_synced=is_synced)

    monkeypatch.setattr(fixing_files, "whole_file", remove_and_write)
    with pytest.raises(UnreadableInput, match="was not fixed"):
        fix(path)
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    os.mkfifo(path)
    with pytest.raises(UnreadableInput, match="no regular file"):
        fix(path)


@pytest.mark.slow
@pytest.mark.parametrize(("count", "kills"), [(1, 100), (4, 25)])
def test_a_process_that_is_killed_leaves_the_old_file_or_the_new_one(tmp_path: Path, count: int, kills: int) -> None:
    """Also where several processes fix several files; what is set aside is so before the file is replaced."""
    old, new = (GOOD + BAD) * 500 + CUT, (GOOD + FIXED) * 500
    paths = [tmp_path / f"{number}.jsonl" for number in range(count)]
    command = [*LIGHTER, "lint", "--fix", "-q", "-j", "2" if count > 1 else "1", *map(str, paths)]

    def start() -> subprocess.Popen[bytes]:
        for left in tmp_path.iterdir():
            left.unlink()
        for path in paths:
            path.write_bytes(old)
        return subprocess.Popen(command, env=clean_environment(), stdout=subprocess.DEVNULL, start_new_session=True)

    begin = time.monotonic()
    start().wait()
    usual = time.monotonic() - begin
    assert [path.read_bytes() for path in paths] == [new] * count
    chance = random.Random(5)  # noqa: S311 - moments, not secrets
    seen = set()
    for _ in range(kills):
        running = start()
        time.sleep(chance.uniform(0.1, 1.1) * usual)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        for path in paths:
            found = path.read_bytes()
            assert found in (old, new)
            assert found == old or path.with_name(f"{path.name}.rejected").read_bytes() == CUT + b"\n"
            seen.add(found == new)
    assert seen == {True, False}
