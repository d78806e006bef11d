"""Asks one checker about many histories, in the checker's own environment; `tests/bench/peers.py` runs it and tells how it counts.

Reads from standard input `{"peer": NAME, "probes": [[format, messages, tools], …]}` and writes, for each history, the list of
`[code, level]` that the checker reported, or null for a traceback. Uses nothing but the standard library and the checker itself,
by its command's own entry point.
"""

import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib.metadata import distribution, version
from pathlib import Path
from typing import Any

Said = list[list[str]]


class Crashed(Exception):
    """The checker ended with a traceback."""


def command(package: str, *words: object) -> str:
    """Run a package's command in this process, and give what it printed, by whichever way."""
    [script] = [entry for entry in distribution(package).entry_points if entry.group == "console_scripts"]
    main = script.load()
    before, sys.argv = sys.argv, [script.name, *map(str, words)]
    sys.stdout.flush()
    terminal = os.dup(1)
    with tempfile.TemporaryFile() as out:
        os.dup2(out.fileno(), 1)
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                main()
        except SystemExit:
            pass
        except Exception as error:
            raise Crashed from error
        finally:
            sys.argv = before
            sys.stdout.flush()
            os.dup2(terminal, 1)
            os.close(terminal)
        out.seek(0)
        return out.read().decode("utf-8", "replace")


def json_of(text: str) -> Any:
    """Read what a command printed, from the first bracket on; a text that is none says that the file was refused."""
    start = min((text.index(char) for char in "[{" if char in text), default=len(text))
    try:
        return json.JSONDecoder().raw_decode(text, start)[0]
    except ValueError:
        return None


def row_file(messages: Any, tools: Any) -> str:
    """Write a history as a training row."""
    row = {"messages": messages} | ({"tools": tools} if tools is not None else {})
    Path("row.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    return "row.jsonl"


def turnsafe(form: str, messages: Any, _: Any) -> Said:
    """Ask turnsafe, a library."""
    from turnsafe import validate  # type: ignore[import-not-found]  # it is in the environment of the checkers

    try:
        report = validate(messages, "openai" if form == "openai-chat" else "anthropic")
    except (ValueError, TypeError) as error:
        if "must be" in str(error) or "Expected" in str(error):  # its way of saying that the shape is wrong
            return [["raised", "error"]]
        raise
    return [[found.code, found.severity] for found in report.violations]


def tool_call_repair(form: str, messages: Any, _: Any) -> Said:
    """Ask tool-call-repair, a library."""
    from toolrepair import (  # type: ignore[import-not-found]  # as above
        ToolRepairError,
        validate,
    )

    try:
        found = validate(messages, format="openai" if form == "openai-chat" else "anthropic")
    except ToolRepairError:
        return [["raised", "error"]]
    return [[type(item).__name__, "error"] for item in found]


def finelint(_: str, messages: Any, tools: Any) -> Said:
    """Ask finelint, which writes a report."""
    Path("report.json").unlink(missing_ok=True)
    options = ("--schema", "openai", "--report", "report.json", "--affected-records", "affected.json")
    command("finelint", "inspect", row_file(messages, tools), *options)
    if not Path("report.json").exists():
        return [["refused", "error"]]
    found = json.loads(Path("report.json").read_text(encoding="utf-8"))["findings"]
    return [[item["code"], item["severity"]] for item in found]


def convmerge(_: str, messages: Any, tools: Any) -> Said:
    """Ask convmerge, which tells reasons for rows that it would drop, and what would be lost."""
    report = json_of(command("convmerge", "validate", "-i", row_file(messages, tools)))
    if report is None:
        return [["refused", "error"]]
    counted = [key for key in ("invalid_json", "non_object", "no_example") if report[key]]
    dropped = [[reason, "error"] for reason in (*report["drop_reasons"], *counted)]
    return dropped + [[reason, "warning"] for reason in report["lossy"]]


def parallelogram(_: str, messages: Any, tools: Any) -> Said:
    """Ask parallelogram."""
    report = json_of(command("parallelogram", "check", row_file(messages, tools), "--json"))
    if report is None:
        return [["refused", "error"]]
    return [[item["rule"], item["severity"]] for item in report["issues"] if item["severity"] != "info"]


def ftml_cli(_: str, messages: Any, tools: Any) -> Said:
    """Ask ftml, which names the checks that failed in a table."""
    told = command("ftml-cli", "validate", row_file(messages, tools), "--format", "openai-chat")
    rows = [line.split("│") for line in told.splitlines() if line.count("│") >= 3]
    failed = [[cells[1].strip(), "error"] for cells in rows if "✗" in cells[2]]
    warned = [[cells[1].strip(), "warning"] for cells in rows if "⚠" in cells[2]]
    return failed + warned or ([] if "Validation passed" in told else [["refused", "error"]])


def toolcall_linter(_: str, messages: Any, tools: Any) -> Said:
    """Ask toolcall-linter, which wants the tools in a file of their own; without tools it has nothing to compare with."""
    if not tools:
        return []
    Path("transcript.json").write_text(json.dumps(messages), encoding="utf-8")
    Path("tools.json").write_text(json.dumps([in_mcp_form(tool) for tool in tools]), encoding="utf-8")
    report = json_of(command("toolcall-linter", "--tools", "tools.json", "--format", "json", "transcript.json"))
    if report is None:
        return [["refused", "error"]]
    return [["violation", item["severity"]] for item in report["violations"]]


def in_mcp_form(tool: Any) -> Any:
    """Write a function's definition as MCP does, which is the form that toolcall-linter reads."""
    function = tool.get("function") if isinstance(tool, dict) else None
    if not isinstance(function, dict):
        return tool
    return {"name": function.get("name"), "inputSchema": function.get("parameters", {})}


def prompt_portability(form: str, messages: Any, tools: Any) -> Said:
    """Ask prompt-portability, which reads one request."""
    body = {"model": "gpt-4o" if form == "openai-chat" else "claude-sonnet-4-5", "messages": messages}
    request = body | ({"tools": tools} if tools is not None else {})
    Path("request.json").write_text(json.dumps(request), encoding="utf-8")
    found = json_of(command("prompt-portability", "check", "--json", "request.json"))
    if found is None:
        return [["refused", "error"]]
    return [[item["rule_id"], item["severity"]] for item in found]


ASKED: dict[str, Callable[[str, Any, Any], Said]] = {
    "turnsafe": turnsafe,
    "tool-call-repair": tool_call_repair,
    "finelint": finelint,
    "convmerge": convmerge,
    "parallelogram": parallelogram,
    "ftml-cli": ftml_cli,
    "toolcall-linter": toolcall_linter,
    "prompt-portability": prompt_portability,
}


def dropoutt(probes: Sequence[Sequence[Any]]) -> list[Said | None]:
    """Ask dropoutt about a folder of files, a history in each, since it takes long to begin; it tells how often it says what of each.

    What it says of files that are like each other is not counted, nor are its notes on the make-up of the data.
    """
    Path("data").mkdir()
    for index, (_, messages, tools) in enumerate(probes):
        Path(row_file(messages, tools)).rename(Path("data", f"p{index}.jsonl"))
    quiet = ("--offline", "--no-html", "--no-open", "--quiet")
    command("dropoutt", "scan", "data", "--profile", "sft", "--workers", "1", "--out", "out", *quiet)
    found = [json.loads(line) for line in Path("out", "findings.jsonl").read_text(encoding="utf-8").splitlines()]
    levels = {"blocking": "error", "warning": "warning"}
    told = [item for item in found if item["severity"] in levels and not item["check_id"].startswith(AMONG_FILES)]
    return [
        [[item["check_id"], levels[item["severity"]]] for item in told if f"p{index}" in item["by_dataset"]]
        for index in range(len(probes))
    ]


AMONG_FILES = ("T0-DUP-", "T0-SCHEMA-002", "T1-DUP-", "T1-NDUP-", "T1-OVERLAP-")
"""The checks of dropoutt that compare records with each other."""


def said(ask: Callable[[str, Any, Any], Said], probe: Sequence[Any]) -> Said | None:
    """Ask about one history; None where the checker broke off."""
    try:
        return ask(*probe)
    except Exception:  # noqa: BLE001 - whatever a checker raises is its answer
        return None


def main() -> None:
    """Answer the request on standard input."""
    request = json.load(sys.stdin)
    name, probes = request["peer"], request["probes"]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        answers = dropoutt(probes) if name == "dropoutt" else [said(ASKED[name], probe) for probe in probes]
        os.chdir("/")
    json.dump({"version": version(name), "said": answers}, sys.stdout)


if __name__ == "__main__":
    main()
