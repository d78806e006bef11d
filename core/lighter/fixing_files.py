"""Fixing files: the fixed content appears whole in the place of the old, and what cannot be read is set aside beside it."""

import contextlib
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import BinaryIO

from lighter.errors import NotFixed, UnreadableInput
from lighter.files import whole_file
from lighter.fixing import Fixed, fix_stream
from lighter.fixing_plan import Fixing
from lighter.inputs import Input, break_of, open_input, packing_of
from lighter.linting import LintOptions

REJECTED = ".rejected"
"""What is appended to a file's name for the lines of it that could not be read."""


def fixed_file(item: Input, options: LintOptions, fixing: Fixing) -> Fixed:
    """Say what fixing a file would come to; nothing is written. Raises what `fix_stream` raises."""
    path = item.path or Path()
    if path.exists() and not path.is_file():  # which can be read but once
        raise UnreadableInput(item.name, "is no regular file, and was not fixed; pipe it in instead")
    return fix_stream(_opener(item), item.name, options, fixing, folder=path.resolve().parent)


def fix_file(item: Input, options: LintOptions, fixing: Fixing) -> tuple[Fixed, Path | None]:
    """Fix a file in its place; give what came of it, and the file that unreadable lines were put into.

    The file keeps its mode, a link what it points at, a compressed file its packing; other names of it (hard links) keep the old
    content. Raises what `fix_stream` raises,
    UnreadableInput where it breaks off in its packing or cannot be written, and NotFixed where it has changed meanwhile: it is
    as it was then.
    """
    path = item.path or Path()
    before = _state(path)
    fixed = fixed_file(item, options, fixing)
    try:
        aside = _replace(item, path, before, fixed) if fixed.content is not None else None
    except BaseException:
        fixed.close()
        raise
    return fixed, aside


def _replace(item: Input, path: Path, before: tuple[int, int, int], fixed: Fixed) -> Path | None:
    """Write the new content in the place of the old, and what was set aside beside it."""
    if not os.access(path, os.W_OK) or not path.is_file():
        raise UnreadableInput(item.name, "cannot be written, and was not fixed")
    aside = _set_aside(path, fixed.set_aside) if fixed.set_aside else None
    try:
        with whole_file(path, packing=packing_of(path), is_synced=True) as out:
            if fixed.content is not None:
                fixed.content.seek(0)
                shutil.copyfileobj(fixed.content, out, 1 << 20)
            _check_unchanged(item, path, before)
    except BaseException as error:
        if aside is not None:
            aside.unlink()
        if isinstance(error, OSError):
            raise UnreadableInput(item.name, f"cannot be written: {error.strerror}; it was not fixed") from error
        raise
    _sync_folder(path)
    return aside


def _check_unchanged(item: Input, path: Path, before: tuple[int, int, int]) -> None:
    if _state(path) != before:
        raise NotFixed(f"{item.name}: changed while it was being fixed; it was left as it is")


def _state(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def _opener(item: Input) -> Callable[[], BinaryIO]:
    is_checked = False

    def opened() -> BinaryIO:
        nonlocal is_checked
        if not is_checked and item.path is not None and packing_of(item.path):
            with open_input(item) as stream:
                while stream.read(1 << 20):
                    pass
                if reason := break_of(stream):
                    raise UnreadableInput(item.name, f"{reason}; it was not fixed")
        is_checked = True
        return open_input(item)

    return opened


def _set_aside(path: Path, lines: BinaryIO) -> Path:
    """Write the lines that cannot be read to a file of their own; one that is there already stays as it is."""
    target = path.resolve() if path.is_symlink() else path
    mode = target.stat().st_mode & 0o777
    for number in range(1, 10_000):
        name = target.with_name(f"{target.name}{REJECTED}{f'.{number}' if number > 1 else ''}")
        try:
            with open(name, "xb", opener=partial(os.open, mode=mode)) as out:
                lines.seek(0)
                shutil.copyfileobj(lines, out)
                out.flush()
                os.fsync(out.fileno())
        except FileExistsError:
            continue
        except OSError as error:
            with contextlib.suppress(OSError):
                name.unlink(missing_ok=True)
            raise UnreadableInput(str(name), f"cannot be written: {error.strerror}") from error
        return name
    raise UnreadableInput(str(path), f"has too many {REJECTED} files beside it")


def _sync_folder(path: Path) -> None:
    """Have the new name of a file on the disk, where folders can be asked for that."""
    try:
        handle = os.open(os.path.dirname(os.path.realpath(path)), os.O_RDONLY)  # noqa: PTH120 - the folder of what a link points at
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
