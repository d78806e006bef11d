"""`assert_valid` passes what a provider takes, and fails with what is wrong with the rest."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import clean_environment

import lighter
from lighter.errors import UnknownName, UnreadableInput
from lighter.testing import assert_valid

ROOT = Path(__file__).parent.parent
CALL = {"id": "call_1", "type": "function", "function": {"name": "read_tide", "arguments": '{"pier":3}'}}
GOOD: list[dict[str, Any]] = [
    {"role": "user", "content": "Tide?"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"},
    {"role": "assistant", "content": "2.1 m."},
]
BROKEN = [*GOOD[:2], {"role": "user", "content": "\x1b[2JHello?"}]


def told(history: Any, **options: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        assert_valid(history, **options)
    return str(caught.value)


def test_a_good_history_passes(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(message) + "\n" for message in GOOD), encoding="utf-8")
    for history in (GOOD, {"model": "gpt-4o", "messages": GOOD}, [GOOD, GOOD], path, str(path)):
        assert_valid(history)
        assert_valid(history, target="openai-chat", fail_on="warning")
    assert_valid(lighter.parse(GOOD), target="anthropic")


def test_a_misspelt_severity_is_told_of_a_good_history_too() -> None:
    with pytest.raises(UnknownName, match="did you mean 'error'"):
        assert_valid(GOOD, fail_on="eror")  # type: ignore[arg-type]  # as somebody may write without a type checker


def test_the_report_tells_the_fault_the_place_and_the_help() -> None:
    assert told(BROKEN, target="openai-chat") == (
        """\
1 fault in the history for openai-chat

P101 missing-tool-result [error]: call of `read_tide` (`call_1`) is never answered
  --> /1/tool_calls/0
    1 | assistant  calls   read_tide(pier=3)   id call_1   <-- no result answers this call
    2 | user       "\\x1b[2JHello?"   <-- the conversation goes on
  help: insert a result for `call_1` right after the call (an error result if it is lost), or remove the call
  note: OpenAI refuses this: "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'\""""
    )


def test_a_file_is_told_with_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(message) + "\n" for message in BROKEN), encoding="utf-8")
    assert f"--> {path}:2:" in told(path)


def test_warnings_count_when_they_are_asked_for() -> None:
    tools = [{"name": "read_tide", "parameters": {"type": "object", "properties": {"pier": {"type": "string"}}}}]
    assert_valid(GOOD, tools=tools)
    assert "A105" in told(GOOD, tools=tools, fail_on="warning")
    assert_valid(GOOD, tools=tools, fail_on="warning", ignore=["A105"])
    assert_valid(BROKEN, baseline=lighter.lint(BROKEN))


def test_objects_of_sdks_are_taken() -> None:
    from openai.types.chat import ChatCompletionMessage

    answer = ChatCompletionMessage.model_validate(GOOD[1])
    assert "P101" in told([GOOD[0], answer, BROKEN[2]])
    assert_valid([GOOD[0], answer, *GOOD[2:]], target="openai-chat")


def test_what_is_no_conversation_fails() -> None:
    for history in ({"temperature": 21.5}, [{"temperature": 21.5}], None):
        assert told(history) == "no conversation recognised in the object; `format` names its format"
    row = {"instruction": "Read the tide.", "input": "", "output": "2.1 m"}
    assert told([row]).startswith("the object looks like ")


def test_a_file_that_is_missing_is_an_error_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput):
        assert_valid(tmp_path / "missing.jsonl")


def test_text_is_told_from_a_path() -> None:
    with pytest.raises(UnreadableInput, match="parse JSON first") as caught:
        assert_valid(json.dumps(GOOD) + "\n")
    assert len(str(caught.value)) < 150
    assert "\n" not in str(caught.value)


def test_very_many_faults_are_counted() -> None:
    text = told([BROKEN] * 25)
    assert text.count("P101") == 20
    assert text.endswith("… and 5 more")


def test_a_failing_test_points_at_itself(tmp_path: Path) -> None:
    """As pytest shows it: the report, and no frame of lighter."""
    (tmp_path / "test_agent.py").write_text(
        f"from lighter.testing import assert_valid\n\ndef test_agent():\n    assert_valid({BROKEN!r}, target='anthropic')\n\n"
        "def test_missing():\n    assert_valid('missing.jsonl')\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_agent.py"],
        cwd=tmp_path,
        env=clean_environment(NO_COLOR="1"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "E       AssertionError: 1 fault in the history for anthropic" in done.stdout
    assert "E       P101 missing-tool-result [error]" in done.stdout
    assert "E       lighter.errors.UnreadableInput: missing.jsonl: no such file or directory" in done.stdout
    assert "core/lighter" not in done.stdout
