"""Products: whole or not at all, through links, compressed by name, never two to one place."""

import gzip
import io
import sys
from pathlib import Path

import pytest

from lighter.errors import UnreadableInput
from lighter.files import STANDARD, product, same_file, whole_file

TEXT = b'{"role":"user","content":"hi"}\n' * 10


def write(path: Path) -> None:
    with whole_file(path) as stream:
        stream.writelines(TEXT.splitlines(keepends=True))
        stream.flush()


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_link_stays_one_and_its_file_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "file.jsonl", tmp_path / "link.jsonl"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    write(link)
    assert link.is_symlink()
    assert target.read_bytes() == TEXT
    assert target.stat().st_mode & 0o777 == 0o640
    assert names_in(tmp_path) == ["far", "link.jsonl"]


def test_a_link_to_nothing_makes_what_it_points_at(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("target")
    write(tmp_path / "link")
    assert (tmp_path / "target").read_bytes() == TEXT


def test_names_say_how_to_compress(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    write(tmp_path / "a.jsonl.gz")
    write(tmp_path / "b.jsonl.gz")
    write(tmp_path / "a.jsonl.zst")
    assert gzip.decompress((tmp_path / "a.jsonl.gz").read_bytes()) == TEXT
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()
    with (tmp_path / "a.jsonl.zst").open("rb") as stream:
        assert zstandard.ZstdDecompressor().stream_reader(stream).read() == TEXT


def test_a_missing_package_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(UnreadableInput, match="zstd"):
        write(tmp_path / "a.jsonl.zst")
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, ValueError])
def test_what_was_not_finished_is_gone(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(b"old")
    with pytest.raises(error), whole_file(path) as stream:  # noqa: PT012 - it must fail in the middle
        stream.write(TEXT)
        raise error
    assert path.read_bytes() == b"old"
    assert names_in(tmp_path) == ["a.jsonl.gz"]


def test_a_product_goes_where_it_is_told(tmp_path: Path) -> None:
    standard = io.BytesIO()
    for path in (None, STANDARD, tmp_path / "file"):
        with product(path, standard) as stream:
            stream.write(b"x")
    assert standard.getvalue() == b"xx"
    assert (tmp_path / "file").read_bytes() == b"x"


def test_one_place_under_two_names(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    (tmp_path / "link").symlink_to("a")
    assert same_file(tmp_path / "a", tmp_path / "link")
    assert same_file(tmp_path / "new", tmp_path / "." / "new")
    assert same_file(None, STANDARD)
    assert not same_file(None, tmp_path / "a")
    assert not same_file(tmp_path / "new", tmp_path / "a")
    assert not same_file(Path("-"), tmp_path / "a")
