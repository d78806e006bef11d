"""The nearest configuration holds, up to the root of the repository."""

from pathlib import Path

import pytest

from lighter.discovery import find_config
from lighter.errors import InvalidConfig


def made(folder: Path, name: str, text: str = "") -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def test_the_nearest_file_holds(tmp_path: Path) -> None:
    top = made(tmp_path, "lighter.toml")
    below = made(tmp_path / "a" / "b", "lighter.toml")
    assert find_config(str(tmp_path / "a")) == top
    assert find_config(str(tmp_path / "a" / "b")) == below
    assert find_config(str(tmp_path / "a" / "b" / "missing")) == below
    hidden = made(tmp_path / "a" / "b", ".lighter.toml")
    assert find_config(str(tmp_path / "a" / "b")) == hidden


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("[tool.lighter]\n", True),
        ('[tool."lighter"]\ntarget = "anthropic"\n', True),
        ("[[tool.lighter.overrides]]\nfiles = ['a']\n", True),
        ("tool.lighter.mode = 'log'\n", True),
        ("[tool]\nlighter = {}\n", True),
        ("tool = {lighter = {}}\n", True),
        ("[project]\ndependencies = ['lighter-cli']\n", False),
        ("[tool.ruff]\n# not [tool.lighter]\n", False),
        ("[tool]\nruff = {}\n", False),
        ("tool = 3\n", False),
        ("[tool]\nlighter = 3\n", False),
        ("[tool.lighterage]\n", False),
        ("no TOML at all", False),
    ],
)
def test_a_project_counts_where_it_has_the_table(text: str, is_found: bool, tmp_path: Path) -> None:
    above = made(tmp_path, "lighter.toml")
    project = made(tmp_path / "project", "pyproject.toml", text)
    assert find_config(str(tmp_path / "project")) == (project if is_found else above)


def test_a_table_in_no_toml_is_an_error(tmp_path: Path) -> None:
    made(tmp_path, "pyproject.toml", "[tool.lighter]\ntarget = \n")
    with pytest.raises(InvalidConfig, match=r"pyproject\.toml:2: is no TOML"):
        find_config(str(tmp_path))


def test_the_root_of_a_repository_ends_the_search(tmp_path: Path) -> None:
    made(tmp_path, "lighter.toml")
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    (tmp_path / "repository" / "logs").mkdir()
    assert find_config(str(tmp_path / "repository" / "logs")) is None
    own = made(tmp_path / "repository", "lighter.toml")
    assert find_config(str(tmp_path / "repository" / "logs")) == own


def test_home_ends_the_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path, "lighter.toml")
    (tmp_path / "home" / "logs").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert find_config(str(tmp_path / "home" / "logs")) is None
