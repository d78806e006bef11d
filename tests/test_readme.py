"""The README tells the truth: its commands print what it shows, its Python runs, its links lead somewhere.

With `--update-golden` the output shown in the README is written anew.
"""

import doctest
import fcntl
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lighter import formats
from lighter_cli import main

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "sample_conversations").rglob("*.md")])
CONSOLE = re.compile(r"^```console\n(?P<session>.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```pycon\n(?P<session>.*?)^```$", re.MULTILINE | re.DOTALL)
YAML = re.compile(r"^```yaml\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?P<target>[^)#]+)[^)]*\)")
WIDTH = 96
HEIGHT = 500


def on_screen(command: str, folder: Path) -> str:
    """Run a command of the README in a folder and give what a terminal shows, stdout and stderr together."""
    words = shlex.split(command)
    assert words[0] == "lighter"
    source_roots = os.pathsep.join(str(ROOT / name) for name in ("core", "cli"))
    environment = {**os.environ, "PYTHONPATH": source_roots, "NO_COLOR": "1", "TERM": "dumb", "LIGHTER_PAGER": "cat"}
    for name in ("COLUMNS", "LINES", "FORCE_COLOR", "LIGHTER_OUTPUT_FORMAT"):
        environment.pop(name, None)
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    with subprocess.Popen(
        [sys.executable, "-m", "lighter", *words[1:]],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
    ):
        os.close(terminal)
        shown = b"".join(iter(lambda: read_from(screen), b""))
    os.close(screen)
    return shown.decode().replace("\r\n", "\n")


def read_from(screen: int) -> bytes:
    try:
        return os.read(screen, 65536)
    except OSError:  # Linux says EIO when the last writer has closed the terminal
        return b""


def rerun(session: str, folder: Path) -> str:
    commands = [line.removeprefix("$ ") for line in session.splitlines() if line.startswith("$ ")]
    return "".join(f"$ {command}\n{on_screen(command, folder)}" for command in commands)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What a reader of the README has before them, less what writing there could spoil."""
    (tmp_path / "sample_conversations").symlink_to(ROOT / "sample_conversations")
    return tmp_path


def test_commands_print_what_the_readme_shows(clone: Path, is_updating: bool) -> None:
    text = README.read_text(encoding="utf-8")
    renewed = CONSOLE.sub(lambda found: f"```console\n{rerun(found['session'], clone)}```", text)
    if is_updating:
        README.write_text(renewed, encoding="utf-8")
    else:
        assert renewed == text


def test_python_of_the_readme_runs(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(clone)
    text = README.read_text(encoding="utf-8")
    sessions = "\n".join(found["session"] for found in PYTHON.finditer(text))
    example = doctest.DocTestParser().get_doctest(sessions, {}, "README", str(README), 0)
    assert example.examples
    report: list[str] = []
    doctest.DocTestRunner().run(example, out=report.append)
    assert not report, "".join(report)


def steps_of(value: Any) -> Iterator[Any]:
    """Yield what stands anywhere in a YAML document."""
    yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from steps_of(inner)


def test_workflows_of_the_readme_use_what_is_there(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hooks and inputs that they name exist, and their commands run."""
    import yaml

    (clone / "logs").mkdir()
    (clone / "logs" / "log.jsonl").write_text('{"role":"user","content":"Hello"}\n', encoding="utf-8")
    monkeypatch.chdir(clone)
    hooks, action = (
        yaml.safe_load((ROOT / name).read_text("utf-8")) for name in (".pre-commit-hooks.yaml", "action.yml")
    )
    documents = [yaml.safe_load(found["text"]) for found in YAML.finditer(README.read_text(encoding="utf-8"))]
    found = [item for document in documents for item in steps_of(document)]
    assert {item["id"] for item in found if isinstance(item, dict) and "id" in item} == {hook["id"] for hook in hooks}
    [inputs] = [item["with"] for item in found if isinstance(item, dict) and "lighter" in item.get("uses", "")]
    assert set(inputs) <= set(action["inputs"])
    commands = [item for item in found if isinstance(item, str) and item.startswith("lighter ")]
    assert commands
    assert [main.run(shlex.split(command)[1:]) for command in commands] == [0] * len(commands)
    assert (clone / "quality.json").read_text(encoding="utf-8") == "[]\n"


def test_the_test_of_an_agent_tells_what_the_readme_shows() -> None:
    text = README.read_text(encoding="utf-8")
    [source] = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    [report] = re.findall(r"^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    use = {"type": "tool_use", "id": "toolu_1", "name": "read_tide", "input": {"pier": 3}}
    history = [{"role": "user", "content": "Tide?"}, {"role": "assistant", "content": [use]}]
    more = [{"role": "user", "content": "Hello?"}]
    space: dict[str, Any] = {"run_agent": lambda _: history[:1]}
    exec(source, space)  # noqa: S102 - the README's own code
    space["test_the_agent_leaves_a_history_that_can_be_sent"]()
    space["run_agent"] = lambda _: [*history, *more]
    with pytest.raises(AssertionError) as caught:
        space["test_the_agent_leaves_a_history_that_can_be_sent"]()
    assert str(caught.value).startswith(report)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    targets = [found["target"] for found in LINK.finditer(page.read_text(encoding="utf-8"))]
    missing = [target for target in targets if "://" not in target and not (page.parent / target).exists()]
    assert missing == []


def test_every_format_is_named() -> None:
    text = README.read_text(encoding="utf-8")
    assert [name for name in formats.names() if f"| `{name}`" not in text] == []
