"""What is proposed for an unknown name is the known one that is most like it."""

import pytest

from lighter.likeness import MOST, nearest


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("read_tides", {"read_tide", "read_wind"}, "read_tide"),
        ("call_12", ["call_21", "call_1", "call_13x"], "call_1"),
        ("xyz", {"read_tide"}, None),
        ("read_tide", (), None),
        ("c7", [f"c{number}" for number in range(MOST)], "c7"),
        ("c7", [f"c{number}" for number in range(MOST + 1)], None),
    ],
)
def test_the_nearest_of_not_too_many_is_proposed(name: str, known: list[str], meant: str | None) -> None:
    assert nearest(name, known) == meant
