"""The GitHub action: its steps are run as a runner would, with the environment that it gives them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from command import clean_environment

ACTION = Path(__file__).parent.parent / "action.yml"
CALL = '{"role":"tool","tool_call_id":"call_9","content":"2.1 m"}\n'
USER = '{"role":"user","content":"Tide?"}\n'

pytestmark = pytest.mark.skipif(
    not ACTION.is_file(), reason="the action is read from the repository, not from an archive"
)


@pytest.fixture
def steps() -> list[dict[str, Any]]:
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    return list(action["runs"]["steps"])


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """Give a folder with a workspace, a place for temporary files, and lighter as the first step would install it."""
    for name in ("workspace/logs", "temp/lighter/bin"):
        (tmp_path / name).mkdir(parents=True)
    command = tmp_path / "temp" / "lighter" / "bin" / "lighter"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lighter "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    (tmp_path / "workspace" / "logs" / "bad log.jsonl").write_text(CALL + USER, encoding="utf-8")
    (tmp_path / "workspace" / "logs" / "good.jsonl").write_text(USER, encoding="utf-8")
    return tmp_path


def run_step(step: dict[str, Any], job: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run a step: https://docs.github.com/actions/reference/workflow-syntax-for-github-actions#defaultsrunshell."""
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    given = {name: inputs.get(name, entry["default"]) for name, entry in action["inputs"].items()}
    assert set(inputs) <= set(given)
    own = {}
    for name, value in step["env"].items():
        source = value.removeprefix("${{ inputs.").removesuffix(" }}")
        assert source in given, value
        own[name] = given[source]
    assert "${{" not in step["run"]  # what users write must not become a part of the script
    script = job / "step.sh"
    script.write_text(step["run"], encoding="utf-8")
    environment = clean_environment(
        **own,
        GITHUB_ACTIONS="true",
        GITHUB_ACTION_PATH=str(ACTION.parent),
        GITHUB_WORKSPACE=str(job / "workspace"),
        GITHUB_STEP_SUMMARY=str(job / "summary.md"),
        RUNNER_TEMP=str(job / "temp"),
    )
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        cwd=job / "workspace",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_findings_become_annotations_a_summary_and_a_failed_step(steps: list[dict[str, Any]], job: Path) -> None:
    done = run_step(steps[1], job)
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error title=lighter P102 orphan-tool-result,file=logs/bad log.jsonl,line=1,")
    assert done.stdout.count("\n") == 1
    summary = (job / "summary.md").read_text(encoding="utf-8")
    assert summary.startswith("### lighter: 1 error in 2 files\n")
    assert "| 1 | P102 orphan\\-tool\\-result | error |" in summary


def test_inputs_are_words_and_no_script(steps: list[dict[str, Any]], job: Path) -> None:
    done = run_step(
        steps[1],
        job,
        paths="logs/bad log.jsonl\nlogs/good.jsonl\n",
        options="--ignore P102\n--mode log  --fail-on warning",
        sarif="out.sarif",
        summary="false",
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert json.loads((job / "workspace" / "out.sarif").read_text(encoding="utf-8"))["runs"][0]["results"] == []
    assert not (job / "summary.md").exists()
    done = run_step(steps[1], job, paths="$(touch broken)\n; touch broken", options="--ignore `touch broken`")
    assert done.returncode == 2
    assert not (job / "workspace" / "broken").exists()


def test_paths_are_paths_whatever_stands_in_them(steps: list[dict[str, Any]], job: Path) -> None:
    names = (
        "-o.jsonl",
        "--fix",
        'it\'s "quoted".jsonl',
        "a & b; `c` $(d).jsonl",
        "[1]*.jsonl",
        "  blanks  .jsonl",
        "back\\slash.jsonl",
    )
    for name in names:
        (job / "workspace" / name).write_text(CALL + USER, encoding="utf-8")
    done = run_step(steps[1], job, paths="\n".join(names), summary="maybe", options="--output-format\tjson=a=b.json")
    assert done.returncode == 1, done.stderr
    assert done.stdout.count("::error ") == len(names)
    reported = json.loads((job / "workspace" / "a=b.json").read_text(encoding="utf-8"))
    assert {finding["filename"] for finding in reported} == set(names)
    assert not (job / "summary.md").exists()


@pytest.mark.parametrize("paths", ["", "\n", "\r\n"])
def test_where_no_path_is_given_nothing_is_linted(steps: list[dict[str, Any]], job: Path, paths: str) -> None:
    done = run_step(steps[1], job, paths=paths)
    assert (done.returncode, done.stdout, done.stderr) == (0, "no paths to lint\n", "")


def test_lines_may_end_as_on_windows(steps: list[dict[str, Any]], job: Path) -> None:
    done = run_step(steps[1], job, paths="logs/good.jsonl\r\nlogs/bad log.jsonl\r\n")
    assert (done.returncode, done.stderr) == (1, "")


def test_an_old_python_is_told(steps: list[dict[str, Any]], job: Path) -> None:
    tools = job / "tools"
    tools.mkdir()
    for name in ("python", "python3"):
        (tools / name).write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        (tools / name).chmod(0o755)
    step = {**steps[0], "run": f"PATH={tools}:$PATH\n" + steps[0]["run"]}
    done = run_step(step, job)
    assert done.returncode == 2
    assert done.stdout.startswith("::error::lighter needs Python 3.11 or newer")


@pytest.mark.slow
def test_lighter_is_installed_from_the_action_itself(steps: list[dict[str, Any]], job: Path) -> None:
    (job / "temp" / "lighter" / "bin" / "lighter").unlink()
    step = {**steps[0], "run": "unset PYTHONPATH\n" + steps[0]["run"]}
    done = run_step(step, job)
    assert done.returncode == 0, done.stderr
    done = run_step({**steps[1], "run": "unset PYTHONPATH\n" + steps[1]["run"]}, job)
    assert done.returncode == 1
    assert "P102" in done.stdout
