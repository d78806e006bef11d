"""The taste of the project, held by tests: rules and commands are complete, files small, imports few and in one direction."""

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from statistics import median

import pytest
import typer
from typer.testing import CliRunner

import lighter
from lighter import formats
from lighter.providers import TARGETS
from lighter.rule import MODES
from lighter.rules import RuleModule, rules
from lighter_cli import commands
from lighter_cli.main import app

ROOT = Path(__file__).parent.parent
SOURCES = sorted([*(ROOT / "core").rglob("*.py"), *(ROOT / "cli").rglob("*.py")])
CODE = [*SOURCES, *sorted((ROOT / "tests").rglob("*.py"))]
RULES = rules()
FAMILIES = "FPAMRTSH"
HEADINGS = ("What", "Why it is refused", "Example", "Fix")

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60
MEDIAN_FILE_LINES = 120
MEDIAN_FUNCTION_LINES = 12
MAX_MODULES_BEYOND_TYPER = 50
"""Measured: 49, less the rules. Start-up time is noise on a busy machine, the number of modules is not."""

each_rule = pytest.mark.parametrize("module", RULES, ids=lambda module: module.rule.name)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def functions_of(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def length_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)}:{node.lineno}: relative import"
            yield node.module or ""


# Rules


def test_codes_and_names_are_unique() -> None:
    counts = Counter(word for module in RULES for word in (module.rule.code, module.rule.name))
    assert [word for word, count in counts.items() if count > 1] == []


@each_rule
def test_rule_is_well_named(module: RuleModule) -> None:
    rule = module.rule
    assert re.fullmatch(rf"[{FAMILIES}][1-9][0-9]{{2}}", rule.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", rule.name)
    assert not rule.name.startswith(("no-tool", "disallow-", "require-"))
    assert module.module.__name__ == f"lighter.rules.{rule.name.replace('-', '_')}"


@each_rule
def test_rule_is_documented(module: RuleModule) -> None:
    docs = module.page
    first, *_ = docs.splitlines()
    assert first.endswith(".")
    places = [re.search(rf"^(#+ )?{heading}\b", docs, re.MULTILINE) for heading in HEADINGS]
    assert [heading for heading, place in zip(HEADINGS, places, strict=True) if place is None] == []
    starts = [place.start() for place in places if place]
    assert starts == sorted(starts)
    assert module.rule.summary


@each_rule
def test_rule_names_its_authority(module: RuleModule) -> None:
    rule = module.rule
    assert rule.source or all(refusal.source for refusal in rule.refusals)
    assert rule.source or rule.refusals
    known = {*TARGETS, "generic", *(f"generic:{name}" for name in formats.names())}
    assert set(rule.severity) <= known
    assert rule.severity
    assert set(rule.modes) <= set(MODES)


@each_rule
def test_rule_has_examples_of_both_kinds(module: RuleModule) -> None:
    counts = len(module.valid), len(module.invalid)
    assert min(counts) >= 2, counts
    assert all(example.where for example in module.invalid)
    assert not any(example.where for example in module.valid)


@pytest.mark.parametrize(
    "module", [module for module in RULES if module.rule.code[0] != "F"], ids=lambda m: m.rule.name
)
def test_examples_are_json(module: RuleModule) -> None:
    for example in (*module.valid, *module.invalid):
        try:
            json.loads(example.text)
        except ValueError:
            for line in example.text.strip("\n").split("\n"):
                json.loads(line)


# Commands


@pytest.mark.parametrize("name", commands.names())
def test_command_has_help_and_is_in_the_readme(name: str) -> None:
    result = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "100"})
    assert result.exit_code == 0
    assert "Examples:" in result.output
    assert max(map(len, result.output.splitlines())) <= 100
    assert f"lighter {name}" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", commands.names())
def test_every_option_has_help(name: str) -> None:
    command = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]  # a group has commands
    helpless = [parameter.name for parameter in command.params if not getattr(parameter, "help", None)]
    assert helpless == []


# The library's face


def test_all_is_sorted_and_complete() -> None:
    face = ROOT / "core" / "lighter" / "__init__.py"
    [typed] = [node for node in tree_of(face).body if isinstance(node, ast.If)]
    imported = {alias.name for node in typed.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert list(lighter.__all__) == sorted(set(lighter.__all__))
    assert set(lighter.__all__) == {*imported, "__version__"}


@pytest.mark.parametrize("name", lighter.__all__)
def test_public_name_is_there(name: str) -> None:
    value = getattr(lighter, name)
    assert getattr(value, "__name__", name) == name
    assert name.startswith("_") or value.__doc__


# Sizes and directions


@pytest.mark.parametrize("path", CODE, ids=name_of)
def test_file_and_functions_are_small(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines <= MAX_FILE_LINES
    assert [node.name for node in functions_of(path) if length_of(node) > MAX_FUNCTION_LINES] == []


def test_most_files_and_functions_are_far_smaller() -> None:
    assert median(path.read_text(encoding="utf-8").count("\n") for path in SOURCES) <= MEDIAN_FILE_LINES
    assert median(length_of(node) for path in SOURCES for node in functions_of(path)) <= MEDIAN_FUNCTION_LINES


@pytest.mark.parametrize("path", CODE, ids=name_of)
def test_module_opens_with_a_sentence(path: Path) -> None:
    docs = ast.get_docstring(tree_of(path))
    assert docs
    assert docs[0].isupper() or docs.startswith(("`", "lighter"))
    assert docs.split("\n\n")[0].rstrip()[-1] in ".?"


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_public_functions_say_what_they_do(path: Path) -> None:
    in_classes = {
        inner for node in ast.walk(tree_of(path)) if isinstance(node, ast.ClassDef) for inner in ast.walk(node)
    }
    top = [node for node in functions_of(path) if node in tree_of(path).body and node not in in_classes]
    assert [node.name for node in top if not node.name.startswith("_") and not ast.get_docstring(node)] == []


@pytest.mark.parametrize("path", sorted((ROOT / "core").rglob("*.py")), ids=name_of)
def test_core_knows_no_terminal(path: Path) -> None:
    if path.name == "__main__.py":
        return
    forbidden = {"lighter_cli", "rich", "typer", "click", "argparse"}
    assert {name.split(".")[0] for name in imports_of(path)} & forbidden == set()
    names = {node.id for node in ast.walk(tree_of(path)) if isinstance(node, ast.Name)}
    members = {ast.unparse(node) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Attribute)}
    assert names & {"print", "exit", "quit", "input"} == set()
    assert members & {"sys.stdout", "sys.stderr", "sys.exit", "os._exit", "sys.argv"} == set()


def test_nothing_in_core_imports_upward() -> None:
    """The modules can be put in an order in which each imports only what stands before it; else CycleError names the ring."""
    core = ROOT / "core"
    modules = {
        path.relative_to(core).as_posix().removesuffix(".py").removesuffix("/__init__").replace("/", "."): path
        for path in core.rglob("*.py")
    }
    imported = {
        module: {
            full if (full := f"{node.module}.{alias.name}") in modules else node.module
            for node in tree_of(path).body
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        for module, path in modules.items()
    }
    assert set(TopologicalSorter(imported).static_order()) >= modules.keys()


def test_public_functions_of_the_library_have_names_of_their_own() -> None:
    modules = [path for path in (ROOT / "core" / "lighter").glob("*.py") if path.name != "__init__.py"]
    counts = Counter(
        node.name
        for path in modules
        for node in tree_of(path).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    )
    assert [name for name, count in counts.items() if count > 1] == []


# What a run needs

PROBE = """
import sys
sys.modules.update(dict.fromkeys({blocked!r}))  # None: importing it fails
import typer, lighter_cli.main
before = set(sys.modules)
status = lighter_cli.main.run({words!r})
loaded = sorted(set(sys.modules) - before)
print(); print(status, *loaded)
"""
DEVELOPMENT = ["pytest", "hypothesis", "pydantic", "openai", "anthropic", "zstandard", "pexpect", "pyte", "hatchling"]
CLEAN = "sample_conversations/good/openai-chat/calculator.jsonl"
NEEDLESS = {
    *("rich", "pydantic", "asyncio", "jsonschema_rs", "importlib.metadata", "pygments", "markdown_it", "unittest"),
    # What only a configuration, a baseline or given tools need.
    *("tomllib", "lighter.config", "lighter.baseline", "lighter.toolfile"),
}


def probe(*words: str) -> tuple[int, set[str]]:
    """Run a command in a bare interpreter; give its status and the modules that it loaded beyond Typer's own."""
    code = f"import sys; sys.path[:0] = ['core', 'cli']\n{PROBE.format(blocked=DEVELOPMENT, words=list(words))}"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    status, *loaded = done.stdout.splitlines()[-1].split()
    return int(status), set(loaded)


def test_lint_imports_little() -> None:
    status, loaded = probe("lint", CLEAN)
    assert status == 0
    needless = {name for name in loaded if name in NEEDLESS or name.split(".")[0] in NEEDLESS}
    assert needless == set()
    rule_modules = {name for name in loaded if name.startswith("lighter.rules.")}
    assert len(loaded - rule_modules) <= MAX_MODULES_BEYOND_TYPER, sorted(loaded - rule_modules)


ARGUMENTS = {
    "lint": [CLEAN],
    "show": [CLEAN],
    "convert": [CLEAN, "--to", "anthropic"],
    "trim": [CLEAN, "--max-tokens", "1000"],
    "rule": ["P101"],
    "explain": ["tools: Tool names must be unique"],
    "formats": ["--explain", CLEAN],
}


@pytest.mark.parametrize("name", commands.names())
def test_command_needs_no_development_package(name: str) -> None:
    status, _ = probe(name, *ARGUMENTS[name])
    assert status == 0


# Words


def test_the_project_speaks_of_itself_alone() -> None:
    forbidden = ["/" + word + "/" for word in ("work", "farm")]
    skipped = {".git", ".venv", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"}
    found = [
        f"{name_of(path)}: {word}"
        for path in ROOT.rglob("*")
        if path.is_file() and not skipped & set(path.relative_to(ROOT).parts)
        for word in forbidden
        if word.encode() in path.read_bytes()
    ]
    assert found == []


def test_the_changelog_knows_the_version() -> None:
    assert f"\n## [{lighter.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_no_unfinished_business() -> None:
    marks = [mark + mark_end for mark, mark_end in (("TO", "DO"), ("FIX", "ME"), ("XX", "X:"))]
    found = [f"{name_of(path)}: {mark}" for path in CODE for mark in marks if mark in path.read_text(encoding="utf-8")]
    assert found == []


@pytest.mark.parametrize("path", CODE, ids=name_of)
def test_every_exception_to_the_checks_has_a_reason(path: Path) -> None:
    bare = [
        f"{number}: {line.strip()}"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(r"#\s*(noqa|type: ignore|pyright: ignore)(?!.*( - | # ).*\w)", line)
    ]
    assert bare == []
