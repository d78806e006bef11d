"""Configuration files: what they say holds, what they may not say is refused with its row, and the schema says the same."""

import json
import re
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict

from lighter.config import (
    Config,
    FileSettings,
    FolderSettings,
    Override,
    json_schema,
    load_config,
    options_from,
    settings_for,
)
from lighter.errors import InvalidConfig, UnreadableInput
from lighter.formats import get
from lighter.linting import LintOptions
from lighter.providers import get_target
from lighter.rules import selected
from lighter_cli import output

SCHEMA = Path(__file__).parent.parent / "docs" / "lighter.schema.json"
PAGE = SCHEMA.with_name("configuration.md")

FULL = """
target = "anthropic"
mode = "log"
from = "openai-chat"
select = ["P", "missing-tool-result"]
ignore = ["P102"]
extend-select = ["F"]
extend-ignore = ["F101"]
output-format = "concise"
fail-on = "warning"
baseline = "known.json"
skip-unrecognised = true
fix = true
unsafe-fixes = false
unanswered = "drop"
exclude = ["archive/", "*.old.jsonl"]
extend-exclude = ["/drafts"]
force-exclude = true
respect-gitignore = false
jobs = 2

[[overrides]]
files = ["training/*.jsonl"]
target = "openai-finetune"

[[overrides]]
files = ["*.old.jsonl", "archive/"]
ignore = []
extend-ignore = ["H101"]
tools = "tools.json"
fix = false
"""

# A configuration, the row of what is wrong in it, and what is said about it.
MISTAKES: tuple[tuple[str, int, str], ...] = (
    ('slect = ["P"]\n', 1, "unknown key 'slect'; did you mean 'select'"),
    ('mode = "log"\n\n"extend-ingore" = ["P"]\n', 3, "unknown key 'extend-ingore'; did you mean 'extend-ignore'"),
    ('[[overrides]]\nfiles = ["a"]\n[[overrides]]\nfiles = ["b"]\ntagret = "x"\n', 5, "did you mean 'target'"),
    ('[[overrides]]\nfiles = ["a"]\nfail-on = "never"\n', 3, "unknown key 'fail-on'"),
    ("[[overrides]]\nfile = ['a']\n", 2, "unknown key 'file'; did you mean 'files'"),
    ("\n[[overrides]]\nmode = 'log'\n", 2, "the key 'files' is missing"),
    ("[[overrides]]\nfiles = []\n", 2, "files: the list is empty"),
    ("[[overrides]]\nfiles = ['[z-a].jsonl']\n", 2, "is no pattern"),
    ("mode = 'log'\nexclude = ['a', '[z-a]']\n", 2, "exclude: '[z-a]' is no pattern"),
    ("extend-exclude = ['[z-a]']\n", 1, "extend-exclude: '[z-a]' is no pattern"),
    ("exclude = 'venv'\n", 1, "exclude: expected a list, got a string"),
    ("force-exclude = 1\n", 1, "force-exclude: expected true or false, got a number"),
    ("respect-git-ignore = false\n", 1, "did you mean 'respect-gitignore'"),
    ("[[overrides]]\nfiles = ['a']\nexclude = ['b']\n", 3, "unknown key 'exclude'"),
    ("[overrides]\nfiles = ['a']\n", 1, "overrides: expected a list, got a table"),
    ("select = 'P'\n", 1, "select: expected a list, got a string"),
    ("# a\n# b\nselect = [\n  'P',\n  1,\n]\n", 3, "select: expected a string, got a number"),
    ("select = []\n", 1, "select: the list is empty"),
    ("ignore = ['missing-tool-resul']\n", 1, "did you mean 'missing-tool-result'"),
    ("extend-select = ['Z9']\n", 1, "unknown rule 'Z9'"),
    ("\ntarget = 'antropic'\n", 2, "unknown target 'antropic'; did you mean 'anthropic'?"),
    ("from = 'opnai'\n", 1, "unknown format 'opnai'"),
    ("mode = 'training'\n", 1, "mode: unknown value 'training'; known are log, request, finetune"),
    ("fail-on = 'warnings'\n", 1, "fail-on: unknown value 'warnings'; did you mean 'warning'"),
    ("skip-unrecognised = 'yes'\n", 1, "skip-unrecognised: expected true or false, got a string"),
    ("unsafe-fix = true\n", 1, "unknown key 'unsafe-fix'; did you mean 'unsafe-fixes'"),
    ("fix = 'safe'\n", 1, "fix: expected true or false, got a string"),
    ("unanswered = 'dropp'\n", 1, "unanswered: unknown value 'dropp'; did you mean 'drop'"),
    ("jobs = -1\n", 1, "jobs: expected a number >= 0"),
    ("jobs = true\n", 1, "jobs: expected a number, got true or false"),
    ("[[overrides]]\nfiles = ['a']\njobs = 2\n", 3, "unknown key 'jobs'"),
    ("mode = 'log\n", 1, "is no TOML: "),
    ("mode = 'log'\nmode = 'log'\n", 2, "is no TOML: cannot overwrite a value"),
    ("mode = 'log'\nselect = [\n", 2, "is no TOML: "),
)


def config_of(folder: Path, text: str, name: str = "lighter.toml") -> Config:
    (folder / name).write_text(text, encoding="utf-8")
    return load_config(str(folder / name))


@pytest.mark.parametrize(("text", "row", "problem"), MISTAKES)
def test_what_is_wrong_is_told_with_its_row(text: str, row: int, problem: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidConfig) as caught:
        config_of(tmp_path, text)
    assert caught.value.row == row
    assert str(caught.value).startswith(f"{tmp_path}/lighter.toml:{row}: ")
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)
    if "TOML" not in problem:
        table = f"[project]\nname = 'x'\n[tool.lighter]\n{text}".replace("[overrides]", "[tool.lighter.overrides]")
        with pytest.raises(InvalidConfig) as caught:
            config_of(tmp_path, table, "pyproject.toml")
        assert caught.value.row == row + 3


plain = st.one_of(
    st.booleans(), st.integers(-9, 9), st.text('aP1*[]\\/é"', max_size=4), st.sampled_from(["ALL", "log"])
)
values = st.recursive(plain, lambda inner: st.lists(inner, max_size=2), max_leaves=3)
keys = st.sampled_from([*Config.__struct_encode_fields__, *Override.__struct_encode_fields__, "x y"])
tables = st.dictionaries(keys, values, max_size=4)


@given(tables, st.lists(tables, max_size=2))
def test_whatever_stands_in_a_file_it_is_read_or_refused(
    general: dict[str, Any], overrides: list[dict[str, Any]]
) -> None:
    parts = [("", general), *(("[[overrides]]\n", table) for table in overrides)]
    text = "".join(
        head + "".join(f"{json.dumps(key)} = {json.dumps(value)}\n" for key, value in table.items())
        for head, table in parts
    )
    with TemporaryDirectory() as folder:
        try:
            told = len(config_of(Path(folder), text).overrides)
        except InvalidConfig as error:
            problem = str(error)
            told = 0 if "\n" not in problem and error.row <= text.count("\n") + 1 else -1
    assert told in (0, len(overrides))


def test_a_mark_of_the_encoding_does_no_harm(tmp_path: Path) -> None:
    assert config_of(tmp_path, "\ufeffmode = 'log'\r\n").mode == "log"
    with pytest.raises(InvalidConfig, match=r"lighter\.toml:2: unknown key"):
        config_of(tmp_path, "\ufeff\nmoed = 'log'\n")


def test_bytes_that_are_no_text_are_told(tmp_path: Path) -> None:
    (tmp_path / "lighter.toml").write_bytes(b"mode = 'log'\n# \xff\n")
    with pytest.raises(InvalidConfig, match=r"lighter\.toml:2: is not UTF-8"):
        load_config(str(tmp_path / "lighter.toml"))
    with pytest.raises(InvalidConfig, match="is nested too deeply"):
        config_of(tmp_path, f"select = {'[' * 9000}{']' * 9000}\n")
    with pytest.raises(UnreadableInput, match="no such file"):
        load_config(str(tmp_path / "missing.toml"))
    with pytest.raises(InvalidConfig, match=r"has no table \[tool.lighter\]"):
        config_of(tmp_path, "[project]\n", "pyproject.toml")


def options(config: Config, folder: Path, name: str, **flags: Any) -> LintOptions:
    (folder / "tools.json").write_text('[{"name":"a"}]', encoding="utf-8")
    found = settings_for(config, str(folder / "lighter.toml"), str(folder / name), FileSettings(**flags))
    return options_from(found)


def test_the_general_settings_hold_and_the_last_override_above_them(tmp_path: Path) -> None:
    config = config_of(tmp_path, FULL)
    assert (config.output_format, config.fail_on, config.skip_unrecognised) == ("concise", "warning", True)
    assert config.baseline == str(tmp_path / "known.json")
    selected = ("P", "missing-tool-result", "F")
    general = LintOptions("anthropic", "log", "openai-chat", selected, ("P102", "F101"))
    assert options(config, tmp_path, "logs/a.jsonl") == general
    assert options(config, tmp_path, "training/a.jsonl").target == "openai-finetune"
    assert options(config, tmp_path, "deep/training/a.jsonl").target == "anthropic"
    old = options(config, tmp_path, "training/a.old.jsonl")
    assert (old.target, old.ignore, old.select) == ("openai-finetune", ("H101",), selected)
    assert old.tools == b'[{"name":"a"}]'
    assert options(config, tmp_path, "deep/archive/b.jsonl").ignore == ("H101",)


def test_what_is_repaired_is_said_file_by_file(tmp_path: Path) -> None:
    config = config_of(tmp_path, FULL)
    assert config.jobs == 2
    for name, flags, expected in (
        ("a.jsonl", FileSettings(), (True, False, "drop")),
        ("archive/a.jsonl", FileSettings(), (False, False, "drop")),
        ("archive/a.jsonl", FileSettings(fix=True, unsafe_fixes=True, unanswered="error"), (True, True, "error")),
        ("a.jsonl", FileSettings(fix=False), (False, False, "drop")),
    ):
        said = settings_for(config, str(tmp_path / "lighter.toml"), str(tmp_path / name), flags)
        assert (said.fix, said.unsafe_fixes, said.unanswered) == expected


def test_flags_go_before_files(tmp_path: Path) -> None:
    config = config_of(tmp_path, FULL)
    asked = options(config, tmp_path, "training/a.jsonl", target="gemini", select=("H",), mode="request")
    assert (asked.target, asked.select, asked.mode, asked.format) == ("gemini", ("H",), "request", "openai-chat")
    added = options(config, tmp_path, "a.jsonl", extend_ignore=("P103",), extend_select=("A",))
    assert added.ignore == ("P102", "F101", "P103")
    assert added.select == ("P", "missing-tool-result", "F", "A")


def test_adding_to_all_rules_leaves_all_rules(tmp_path: Path) -> None:
    config = config_of(tmp_path, "ignore = ['P']\nextend-select = ['P101']\n")
    assert options(config, tmp_path, "a.jsonl").select == ("ALL", "P101")


def test_paths_count_from_the_folder_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = config_of(tmp_path, FULL)
    (tmp_path / "training").mkdir()
    monkeypatch.chdir(tmp_path / "training")
    found = settings_for(config, "../lighter.toml", "a.jsonl", FileSettings())
    assert found.target == "openai-finetune"


def test_no_configuration_says_nothing() -> None:
    assert set(asdict(Config()).values()) == {None, ()}


# The schema


def test_the_schema_is_published(is_updating: bool) -> None:
    text = json.dumps(json_schema(output.names()), indent=2) + "\n"
    if is_updating:
        SCHEMA.write_text(text, encoding="utf-8")
    assert SCHEMA.read_text(encoding="utf-8") == text


def test_the_schema_takes_what_lighter_takes() -> None:
    schema = jsonschema_rs.validator_for(json_schema(output.names()), validate_formats=True)
    schema.validate(tomllib.loads(FULL))
    assert not schema.is_valid({"output-format": "concis"})
    for text, _, problem in MISTAKES:
        if "TOML" not in problem and "is no pattern" not in problem:
            assert not schema.is_valid(tomllib.loads(text)), text


def test_lighter_takes_what_the_schema_names() -> None:
    known = {name: one["enum"] for name, one in json_schema(output.names())["$defs"].items() if "enum" in one}
    assert {"generic", "gemini", "google"} <= set(known["Target"])
    assert {"ALL", "P", "P1", "P101", "missing-tool-result"} <= set(known["Selector"])
    assert all(map(get_target, known["Target"]))
    assert all(map(get, known["Format"]))
    assert all(selected((selector,)) for selector in known["Selector"])


# The page


def rows() -> str:
    """Write a row of Markdown for each setting."""
    kinds = {FileSettings: "file", FolderSettings: "folder", Config: "run", Override: "override"}
    lines = ["| setting | for | what it says |", "|---|---|---|"]
    for kind, word in kinds.items():
        own = [
            name
            for name in kind.__struct_fields__
            if not any(name in other.__struct_fields__ for other in kind.__mro__[1:] if other in kinds)
        ]
        for name in own:
            info = json_schema(output.names())["$defs"][("Override" if kind is Override else "Config")]["properties"]
            key = kind.__struct_encode_fields__[kind.__struct_fields__.index(name)]
            lines.append(f"| `{key}` | {word} | {info[key]['description']} |")
    return "\n".join(lines) + "\n"


def test_every_setting_is_on_the_page(is_updating: bool) -> None:
    text = PAGE.read_text(encoding="utf-8")
    head, start, rest = text.partition("<!-- settings -->\n")
    _, end, tail = rest.partition("<!-- end of settings -->\n")
    renewed = head + start + rows() + end + tail
    if is_updating:
        PAGE.write_text(renewed, encoding="utf-8")
    assert renewed == text or is_updating


@pytest.mark.parametrize("page", [PAGE, PAGE.parent.parent / "README.md"], ids=lambda page: page.name)
def test_the_configurations_that_are_shown_are_valid(page: Path, tmp_path: Path) -> None:
    shown = re.findall(r"^```toml\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert shown
    for text in shown:
        config_of(tmp_path, text)
