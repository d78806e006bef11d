"""A patch is one that `patch` takes, whatever was changed, and however little is looked at at a time."""

import io
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lighter import fixing_diff
from lighter.fixing_diff import patch

line = st.sampled_from([b"a\n", b"b\n", b"c\r\n", b"\n", b"d\n", b"e\n"])
text = st.lists(line, max_size=30).flatmap(
    lambda lines: st.sampled_from([b"".join(lines), b"".join(lines).rstrip(b"\n")])
)


@pytest.mark.skipif(shutil.which("patch") is None, reason="no patch")
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text, text, st.sampled_from([2, 5, 1000]))
def test_patch_makes_the_new_file_of_the_old(tmp_path: Path, old: bytes, new: bytes, window: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(fixing_diff, "WINDOW", window)
        told = b"".join(patch(io.BytesIO(old), io.BytesIO(new), "f"))
    assert bool(told) == (old != new)
    if not told:
        return
    target = tmp_path / "f"
    target.write_bytes(old)
    subprocess.run(["patch", "--binary", "-s", "-p0", "f"], cwd=tmp_path, input=told, check=True, capture_output=True)
    assert (target.read_bytes() if target.exists() else b"") == new


def test_only_what_changed_is_shown_with_three_lines_around() -> None:
    old = b"".join(b"%d\n" % number for number in range(1, 30))
    new = old.replace(b"9\n", b"nine\n", 1)
    assert b"".join(patch(io.BytesIO(old), io.BytesIO(new), "a.jsonl")).decode().splitlines() == [
        "--- a.jsonl", "+++ a.jsonl", "@@ -6,7 +6,7 @@", " 6", " 7", " 8", "-9", "+nine", " 10", " 11", " 12",
    ]  # fmt: skip


@pytest.mark.skipif(shutil.which("patch") is None, reason="no patch")
@pytest.mark.parametrize(
    "name", [b"a b", b'q"\\x', b"C:x", "ü.jsonl".encode(), b"a\n+++ b\r", b"\xff\x1b[31m", "\u202eb".encode(), b"tab\t"]
)
def test_names_of_any_kind_are_those_of_the_files(tmp_path: Path, name: bytes) -> None:
    target = tmp_path / os.fsdecode(name)
    target.write_bytes(b"a\n")
    told = b"".join(patch(io.BytesIO(b"a\n"), io.BytesIO(b"b\n"), os.fsdecode(name)))
    assert told.count(b"\n") == 5
    assert b"\x1b" not in told
    subprocess.run(["patch", "-s", "-p0"], cwd=tmp_path, input=told, check=True, capture_output=True)
    assert target.read_bytes() == b"b\n"
