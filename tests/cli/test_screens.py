"""Screens of a real pseudo-terminal, 80 and 120 columns wide, and narrow; `--update-golden` rewrites them."""

from collections.abc import Callable
from pathlib import Path

import pytest

SCREENS = Path(__file__).parent / "screens"

CASES: tuple[tuple[str, tuple[str, ...], int], ...] = (
    ("orphan", ("lint", "orphan.jsonl"), 80),
    ("orphan", ("lint", "orphan.jsonl"), 120),
    ("orphan", ("lint", "orphan.jsonl"), 48),
    ("many", ("lint", "many.jsonl"), 80),
    ("wide", ("lint", "wide.jsonl"), 80),
    ("wide", ("lint", "wide.jsonl"), 120),
    ("hostile", ("lint", "hostile.jsonl"), 80),
    ("requests", ("lint", "requests.jsonl", "--target", "anthropic"), 80),
    ("damaged", ("lint", "damaged.jsonl"), 80),
    ("damaged", ("lint", "damaged.jsonl"), 120),
    ("clean", ("lint", "good.jsonl"), 80),
    ("rule", ("rule", "P102"), 80),
    ("rule", ("rule", "P102"), 120),
)

HEIGHTS = {"many": 30}
"""Rows of screens of which the end is enough."""


@pytest.mark.parametrize(
    ("name", "words", "width"), CASES, ids=lambda value: str(value) if isinstance(value, int | str) else ""
)
def test_screen(
    name: str, words: tuple[str, ...], width: int, draw: Callable[..., list[str]], is_updating: bool
) -> None:
    golden = SCREENS / f"{name}.{width}.txt"
    actual = "\n".join(draw(*words, width=width, height=HEIGHTS.get(name, 200))) + "\n"
    assert "lighter itself failed" not in actual
    if is_updating:
        golden.write_text(actual, encoding="utf-8")
    assert actual == golden.read_text(encoding="utf-8")


def test_no_golden_is_left_over() -> None:
    assert {golden.name for golden in SCREENS.iterdir()} == {f"{name}.{width}.txt" for name, _, width in CASES}
