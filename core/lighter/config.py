"""Configuration: what `lighter.toml`, or `[tool.lighter]` of a `pyproject.toml`, says about linting, and for which files."""

import os
import re
import tomllib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import fields, replace

from lighter import formats
from lighter.diagnostics import FailOn, Unanswered
from lighter.errors import InvalidConfig, LighterError, UnknownName, UnreadableInput
from lighter.excluding import NEVER_SEARCHED
from lighter.globs import faults, matches
from lighter.linting import LintOptions, options_of
from lighter.providers import TARGETS, get_target
from lighter.rule import MODES, Mode
from lighter.rules import ALL, rules, selected

Selectors = tuple[str, ...]
Keys = tuple[str | int, ...]
Settings = TypeVar("Settings", bound="FileSettings")


class FileSettings(Struct, frozen=True, kw_only=True, rename="kebab"):
    """How files are linted; None says nothing about it. `extend_select` and `extend_ignore` add to what holds otherwise."""

    target: Annotated[str | None, Meta(description="Who would receive the history, as --target.")] = None
    mode: Annotated[Mode | None, Meta(description="What the files are, as --mode.")] = None
    format: Annotated[str | None, Meta(description="The format of the files, as --from, instead of detecting it.")] = (
        msgspec.field(default=None, name="from")
    )
    select: Annotated[
        Annotated[Selectors, Meta(min_length=1)] | None, Meta(description="Check only these rules, as --select.")
    ] = None
    ignore: Annotated[Selectors | None, Meta(description="Leave these rules out, as --ignore.")] = None
    extend_select: Annotated[Selectors, Meta(description="Check these rules, too.")] = ()
    extend_ignore: Annotated[Selectors, Meta(description="Leave these rules out, too.")] = ()
    tools: Annotated[
        str | None,
        Meta(description="A file of tool definitions, as --tools; relative to the folder of this file."),
    ] = None
    fix: Annotated[
        bool | None,
        Meta(description="Repair what can be repaired safely, as --fix; standard input is fixed by the flag alone."),
    ] = None
    unsafe_fixes: Annotated[
        bool | None, Meta(description="Take repairs, too, that may not be what was meant, as --unsafe-fixes.")
    ] = None
    unanswered: Annotated[
        Unanswered | None, Meta(description="What unsafe repairs do with calls that have no result, as --unanswered.")
    ] = None


_OF_FIXES = ("fix", "unsafe_fixes", "unanswered")
"""The settings of files that say what is repaired in them; the others say what is found."""


class Override(FileSettings, frozen=True, kw_only=True):
    """Settings for some files."""

    files: Annotated[
        tuple[str, ...],
        Meta(
            min_length=1,
            description="Which files: patterns as in .gitignore, relative to the folder of this file. Later overrides win.",
        ),
    ]


class FolderSettings(FileSettings, frozen=True, kw_only=True):
    """How the files of a folder are linted, and which of them are not when it is searched."""

    exclude: Annotated[
        tuple[str, ...] | None,
        Meta(
            description="What is passed over in folders, as --exclude: patterns as in .gitignore, relative to the folder of this file."
            f" If nothing is said: {', '.join(NEVER_SEARCHED)}."
        ),
    ] = None
    extend_exclude: Annotated[
        tuple[str, ...], Meta(description="Pass over these, too, besides what is excluded otherwise.")
    ] = ()
    force_exclude: Annotated[
        bool | None, Meta(description="Pass over excluded files even where they are named, as --force-exclude.")
    ] = None
    respect_gitignore: Annotated[
        bool | None,
        Meta(description="Whether what .gitignore names is passed over in folders; true if nothing is said."),
    ] = None


class Config(FolderSettings, frozen=True, kw_only=True):
    """All that a configuration file may say: settings for every file and for some, of its folder, and of the whole run."""

    overrides: Annotated[tuple[Override, ...], Meta(description="Settings for some files.")] = ()
    output_format: Annotated[str | None, Meta(description="How to print findings, as --output-format.")] = None
    fail_on: Annotated[
        FailOn | None, Meta(description="The least severity that makes the exit status 1, as --fail-on.")
    ] = None
    baseline: Annotated[
        str | None,
        Meta(description="A report whose findings are known, as --baseline; relative to the folder of this file."),
    ] = None
    skip_unrecognised: Annotated[
        bool | None, Meta(description="Skip files that are no transcripts, as --skip-unrecognised.")
    ] = None
    jobs: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        Meta(description="Work with so many processes, as --jobs; 0: one for each processor."),
    ] = None


def load_config(path: str) -> Config:
    """Read a configuration file; paths in it are told from the folder that it stands in.

    Raises InvalidConfig, which names the row, for what is no TOML, for unknown keys, targets, formats and rules, and for values
    of a wrong type; UnreadableInput for a file that cannot be read.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UnreadableInput(path, (error.strerror or str(error)).lower()) from error
    table = table_of(path, data)
    if table is None:
        raise InvalidConfig(path, 1, "has no table [tool.lighter]")
    base: Keys = ("tool", "lighter") if Path(path).name == "pyproject.toml" else ()
    text = data.decode("utf-8")

    def refuse(keys: Keys, problem: str) -> InvalidConfig:
        return InvalidConfig(path, _row_of(text, (*base, *keys)), problem)

    _check_keys(table, Config, refuse)
    for index, override in enumerate(_tables(table.get("overrides"))):
        place: Keys = ("overrides", index)
        _check_keys(override, Override, refuse, place)
        _check_values(_converted(override, Override, refuse, place), refuse, place)
    config = _converted(table, Config, refuse, ())
    _check_values(config, refuse, ())
    return _located(config, Path(path).parent)


def table_of(path: str, data: bytes) -> dict[str, Any] | None:
    """Give the settings in a configuration file; None for a `pyproject.toml` that has none. Raises InvalidConfig."""
    try:
        found = tomllib.loads(data.removeprefix(BOM_UTF8).decode("utf-8"))
    except UnicodeDecodeError as error:
        raise InvalidConfig(path, data.count(b"\n", 0, error.start) + 1, "is not UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        where = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", str(error))
        row = int(where[1]) if where and where[1] else data.rstrip().count(b"\n") + 1
        problem = str(error)[: where.start()] if where else str(error)
        raise InvalidConfig(path, row, f"is no TOML: {problem[:1].lower()}{problem[1:]}") from error
    except RecursionError as error:
        raise InvalidConfig(path, 1, "is nested too deeply") from error
    if Path(path).name != "pyproject.toml":
        return found
    match found:
        case {"tool": {"lighter": dict(table)}}:
            return table
        case _:
            return None


def settings_for(config: Config, config_path: str, filename: str, flags: FileSettings) -> FileSettings:
    """Give what holds for a file: the general settings, over them each override that matches it, and `flags` above all."""
    name = os.path.relpath(filename, Path(config_path).parent).replace(os.sep, "/")
    fitting = [one for one in config.overrides if any(matches(name, pattern) for pattern in one.files)]
    said = {field: getattr(config, field) for field in FileSettings.__struct_fields__}
    settings = FileSettings(**said)
    for over in (*fitting, flags):
        settings = _merged(settings, over)
    return settings


def _merged(under: FileSettings, over: FileSettings) -> FileSettings:
    """Lay settings over others: what they say holds, and what they add is added."""
    said = {name: getattr(over, name) for name in FileSettings.__struct_fields__}
    # A new selection starts anew; what was added to the old one goes with it.
    said["extend_select"] = (*(() if over.select is not None else under.extend_select), *over.extend_select)
    said["extend_ignore"] = (*(() if over.ignore is not None else under.extend_ignore), *over.extend_ignore)
    return replace(under, **{name: value for name, value in said.items() if value is not None})


def options_from(settings: FileSettings) -> LintOptions:
    """Make lint options of settings; raises what `options_of` raises."""
    names = (name for name in FileSettings.__struct_fields__ if name not in _OF_FIXES)
    return options_of(**{name: getattr(settings, name) for name in names})


def json_schema(output_formats: Iterable[str]) -> dict[str, Any]:
    """Give the JSON Schema of `lighter.toml`, and so of `[tool.lighter]`; rules are named there as they are spelled, in one case."""
    schema = msgspec.json.schema(Config)
    for table in schema["$defs"].values():
        table["additionalProperties"] = False
        for key, setting in table["properties"].items():
            if "anyOf" in setting:  # of a type and null, which TOML does not have
                setting.update(setting.pop("anyOf")[0])
                del setting["default"]
            if name := _NAMED.get(key):
                named = setting.get("items", setting)
                del named["type"]
                named["$ref"] = f"#/$defs/{name}"
    known = {**_known(), "OutputFormat": output_formats}
    schema["$defs"] |= {name: {"enum": sorted(values)} for name, values in known.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "lighter.toml, or [tool.lighter] of pyproject.toml",
        **schema,
    }


_NAMED = {
    "target": "Target",
    "from": "Format",
    **dict.fromkeys(("select", "ignore", "extend-select", "extend-ignore"), "Selector"),
    "output-format": "OutputFormat",
}
"""The settings that name something of lighter's, and the definition in the schema of what there is."""


def _known() -> dict[str, set[str]]:
    """Give all targets, formats and selectors of rules, by the definitions in the schema."""
    known = {alias for name in formats.names() for alias in (name, *formats.get(name).ALIASES)}
    targets = {*TARGETS, *(name for name in known if formats.get(name).NAME in TARGETS)}
    codes = {module.rule.code: module.rule.name for module in rules()}
    starts = {code[:length] for code in codes for length in range(1, len(code) + 1)}
    return {"Target": targets, "Format": known, "Selector": {ALL, *starts, *codes.values()}}


Refusal = Callable[[Keys, str], InvalidConfig]


def _tables(value: Any) -> Iterator[dict[str, Any]]:
    yield from (item for item in value if isinstance(item, dict)) if isinstance(value, list) else ()


def _check_keys(table: Mapping[str, Any], kind: type[Struct], refuse: Refusal, place: Keys = ()) -> None:
    known = [field.encode_name for field in fields(kind)]
    for key in table:
        if key not in known:
            raise refuse((*place, key), str(UnknownName("key", key, known)))


_CHOICES: Mapping[str, Sequence[str]] = {
    "mode": MODES,
    "fail-on": get_args(FailOn),
    "unanswered": get_args(Unanswered),
}
_PLAIN_TYPES = {
    "array": "a list",
    "str": "a string",
    "object": "a table",
    "bool": "true or false",
    "int": "a number",
    "float": "a number",
}


def _converted(table: Any, kind: type[Settings], refuse: Refusal, place: Keys) -> Settings:
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        keys, problem = _told(str(error), table)
        raise refuse((*place, *keys), problem) from error


def _told(problem: str, table: Any) -> tuple[Keys, str]:
    """Say in the words of TOML what msgspec says of a value, and where it stands."""
    text, _, place = problem.partition(" - at `$")
    keys = tuple(int(index) if index else key for index, key in re.findall(r"\[(\d+)\]|\.([\w-]+)", place))
    text = re.sub(r"`(\w+)( \| null)?`", lambda found: _PLAIN_TYPES.get(found[1], f"`{found[1]}`"), text)
    name = ".".join(str(key) for key in keys if isinstance(key, str)) or "the table"
    if missing := re.match(r"Object missing required field `([\w-]+)`", problem):
        return keys, f"the key {missing[1]!r} is missing"
    if "of length >= 1" in problem:
        text = "the list is empty"
    elif name in _CHOICES:
        text = str(UnknownName("value", table[name], _CHOICES[name]))
    return keys, f"{name}: {text[:1].lower()}{text[1:]}"


def _check_values(settings: FileSettings, refuse: Refusal, place: Keys) -> None:
    """Refuse names that lighter does not know."""
    checks: dict[str, Callable[[], Any]] = {
        "target": lambda: settings.target in (None, "generic") or get_target(settings.target),
        "from": lambda: settings.format and formats.get(settings.format),
        "select": lambda: selected(settings.select or ()),
        "ignore": lambda: selected(ignore=settings.ignore or ()),
        "extend-select": lambda: selected(settings.extend_select),
        "extend-ignore": lambda: selected(ignore=settings.extend_ignore),
    }
    for key, check in checks.items():
        try:
            check()
        except LighterError as error:
            raise refuse((*place, key), str(error)) from error
    for key, patterns in _patterns_of(settings):
        for fault in faults(patterns):
            raise refuse((*place, key), f"{key}: {fault}")


def _patterns_of(settings: FileSettings) -> Iterator[tuple[str, Sequence[str]]]:
    match settings:
        case Override():
            yield "files", settings.files
        case FolderSettings():
            yield "exclude", settings.exclude or ()
            yield "extend-exclude", settings.extend_exclude
        case _:
            pass


def _located(config: Config, folder: Path) -> Config:
    """Let the paths in a configuration start from its own folder."""

    def located(name: str | None) -> str | None:
        return name and str(folder / name)

    overrides = tuple(replace(override, tools=located(override.tools)) for override in config.overrides)
    return replace(config, tools=located(config.tools), baseline=located(config.baseline), overrides=overrides)


_HEADER = re.compile(r"\s*(\[\[?)\s*([^]]+?)\s*\]")
_ENTRY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")


def _row_of(text: str, keys: Sequence[str | int]) -> int:
    """Find the row in which a key of a TOML text stands, or else that of what holds it; tomllib does not tell."""
    table: Keys = ()
    counts: dict[Keys, int] = {}
    row, depth = 1, 0
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = _dotted(header[2])
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            here = table
        elif entry := _ENTRY.match(line):
            here = (*table, *_dotted(entry[1]))
        else:
            continue
        if len(here) > depth and tuple(keys[: len(here)]) == here:
            row, depth = number, len(here)
    return row


def _dotted(text: str) -> Keys:
    return tuple(part.strip().strip("\"'") for part in text.split("."))
