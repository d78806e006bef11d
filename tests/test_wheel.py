"""What is installed: two packages and nothing else, and it runs with the run-time dependencies alone."""

import subprocess
import venv
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from lighter import __version__

ROOT = Path(__file__).parent.parent
CALCULATOR = ROOT / "sample_conversations" / "good" / "openai-chat" / "calculator.jsonl"
DEVELOPMENT = {"pytest", "hypothesis", "mypy", "ruff", "pyright", "openai", "anthropic", "pydantic", "zstandard"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(next(WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")))))


@pytest.fixture(scope="module")
def names(wheel: Path) -> list[str]:
    with ZipFile(wheel) as archive:
        return archive.namelist()


def sources() -> Iterator[str]:
    for source in ("core", "cli"):
        for path in (ROOT / source).rglob("*.py"):
            yield path.relative_to(ROOT / source).as_posix()


def test_wheel_holds_the_two_packages_only(names: list[str]) -> None:
    assert {name.split("/")[0] for name in names} == {
        "lighter",
        "lighter_cli",
        f"lighter_cli-{__version__}.dist-info",
    }


def test_wheel_holds_every_module_and_the_type_markers(names: list[str]) -> None:
    assert {name for name in names if name.endswith(".py")} == set(sources())
    assert {name for name in names if name.startswith("lighter") and name.endswith("py.typed")} == {
        "lighter/py.typed",
        "lighter_cli/py.typed",
    }


def test_wheel_carries_licence_and_readme(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        info = f"lighter_cli-{__version__}.dist-info"
        assert "MIT License" in archive.read(f"{info}/licenses/LICENSE").decode()
        metadata = archive.read(f"{info}/METADATA").decode()
        assert "lighter = lighter_cli.start:main" in archive.read(f"{info}/entry_points.txt").decode()
    assert "Requires-Python: >=3.11" in metadata
    assert "# lighter" in metadata


def test_sdist_holds_what_the_tests_need(tmp_path: Path) -> None:
    import tarfile

    with tarfile.open(next(SdistBuilder(str(ROOT)).build(directory=str(tmp_path)))) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert inside >= {"README.md", "LICENSE", "CONTRIBUTING.md", "docs/tour.md", "tests/test_wheel.py"}
    assert {name for name in inside if name.startswith("sample_conversations/bad/")}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wheel", "editable"])
def test_a_fresh_environment_runs_it(kind: str, wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"

    def run(*words: str | Path, status: int = 0) -> str:
        done = subprocess.run([python, *words], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stderr
        return done.stdout

    run("-m", "pip", "install", "-q", *([wheel] if kind == "wheel" else ["-e", ROOT]))
    installed = {line.partition("=")[0].lower() for line in run("-m", "pip", "list", "--format=freeze").splitlines()}
    assert "lighter-cli" in installed
    assert not installed & DEVELOPMENT
    assert run("-m", "lighter", "--version") == f"lighter {__version__}\n"
    assert "missing-tool-result" in run("-m", "lighter", "rule", "P101")
    run("-m", "lighter", "lint", CALCULATOR)
    assert "19 + 23" in run("-m", "lighter", "show", CALCULATOR)
    assert '"tool_use"' in run("-m", "lighter", "convert", CALCULATOR, "--to", "anthropic")
    run("-m", "lighter", "lint", ROOT / "sample_conversations" / "bad" / "missing-tool-result.jsonl", status=1)
    command = subprocess.run([python.with_name("lighter"), "--version"], capture_output=True, text=True, check=True)
    assert command.stdout == f"lighter {__version__}\n"
