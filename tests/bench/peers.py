r"""Run the corpus over other checkers, and write what they say to tests/data/peers.json, from which docs/conformance.md is made.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install turnsafe tool-call-repair finelint convmerge toolcall-linter \
        parallelogram ftml-cli prompt-portability
    python tests/bench/peers.py /tmp/peers

Each checker gets each history alone, in the form that it reads, and may say anything: whatever it reports about a defect counts
as caught, whether or not it names the fault. An error about a look-alike is a false alarm, and so is a traceback. Checkers of
training rows are given histories that end with an answer, since a request would not: where the last message is not the
assistant's, one is added. What a checker says of a plain chat as well (how few rows there are) is not counted.
"""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Literal

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS.parent / "core"), str(TESTS)]

from conformance_corpus import Probe, probes  # noqa: E402 - runs from a bare clone
from msgspec import Struct  # noqa: E402 - as above

RESULT = TESTS / "data" / "peers.json"
TIMEOUT = 60
"""Seconds that a checker has for one history."""

PLAIN = [{"role": "user", "content": "Is the lock open?"}, {"role": "assistant", "content": "It is open until ten."}]
LETTERS = {"silent": ".", "warning": "w", "error": "e", "traceback": "t", "not read": "-"}
"""What the figures write for each outcome."""

Level = Literal["error", "warning"]


class Saying(Struct, frozen=True):
    """Something that a checker reported: its own code, and whether it calls that an error."""

    code: str
    level: Level = "error"


class Peer(Struct, frozen=True):
    """A checker: what it claims to check, the formats that it reads, and how it is asked.

    `families` are the families of rules that its claims touch. `ask` gives what it says of a history, None for a traceback.
    """

    name: str
    claims: str
    formats: tuple[str, ...]
    families: str
    ask: Callable[[Path, Probe, Path], list[Saying] | None]
    is_for_training: bool = False


def run(words: Sequence[str | Path], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a checker's command."""
    return subprocess.run(
        [str(word) for word in words], cwd=folder, capture_output=True, text=True, timeout=TIMEOUT, check=False
    )


def in_library(code: str, venv: Path, probe: Probe, folder: Path) -> list[Saying] | None:
    """Ask a library; `code` prints a JSON list of [code, level] for `messages` and `format`."""
    script = f"import json,sys\nmessages,format=json.load(sys.stdin)\n{code}"
    done = subprocess.run(
        [venv / "bin" / "python", "-c", script],
        input=json.dumps([probe.messages, probe.format]),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    return [Saying(*item) for item in json.loads(done.stdout)] if done.returncode == 0 else None


TURNSAFE = """
import turnsafe
report = turnsafe.validate(messages, "openai" if format == "openai-chat" else "anthropic")
print(json.dumps([[found.code, "error" if found.severity == "error" else "warning"] for found in report.violations]))
"""
TOOL_CALL_REPAIR = """
import toolrepair
found = toolrepair.validate(messages, format="openai" if format == "openai-chat" else "anthropic")
print(json.dumps([[type(item).__name__, "error"] for item in found]))
"""


def row_file(probe: Probe, folder: Path) -> Path:
    """Write a history as a training row."""
    row = {"messages": probe.messages} | ({"tools": probe.tools} if probe.tools is not None else {})
    path = folder / "row.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return path


def finelint(venv: Path, probe: Probe, folder: Path) -> list[Saying] | None:
    """Ask finelint, which writes a report."""
    report = folder / "report.json"
    words = ("inspect", row_file(probe, folder), "--schema", "openai", "--report", report)
    done = run((venv / "bin/finelint", *words, "--affected-records", folder / "affected.json"), folder)
    if "Traceback" in done.stderr:
        return None
    if not report.exists():
        return [Saying(done.stderr.strip()[:40] or "refused")]
    found = json.loads(report.read_text(encoding="utf-8"))["findings"]
    return [Saying(item["code"], "error" if item["severity"] == "error" else "warning") for item in found]


def convmerge(venv: Path, probe: Probe, folder: Path) -> list[Saying] | None:
    """Ask convmerge, which tells reasons for rows that it would drop, and what would be lost."""
    done = run((venv / "bin/convmerge", "validate", "-i", row_file(probe, folder)), folder)
    if "Traceback" in done.stderr:
        return None
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return [Saying("refused")]
    dropped = [Saying(reason) for reason in report["drop_reasons"]]
    counted = [Saying(key) for key in ("invalid_json", "non_object", "no_example") if report[key]]
    return [*dropped, *counted, *(Saying(reason, "warning") for reason in report["lossy"])]


def parallelogram(venv: Path, probe: Probe, folder: Path) -> list[Saying] | None:
    """Ask parallelogram."""
    done = run((venv / "bin/parallelogram", "check", row_file(probe, folder), "--json"), folder)
    try:
        issues = json.loads(done.stdout)["issues"]
    except ValueError:
        return None
    return [Saying(item["rule"], item["severity"]) for item in issues if item["severity"] in ("error", "warning")]


def ftml(venv: Path, probe: Probe, folder: Path) -> list[Saying] | None:
    """Ask ftml, which names the checks that failed."""
    words = ("validate", row_file(probe, folder), "--format", "openai-chat")
    done = run((venv / "bin/ftml", *words), folder)
    if "Traceback" in done.stderr + done.stdout:
        return None
    failed = [line.split("│")[1].strip() for line in done.stdout.splitlines() if "✗ fail" in line]
    warned = [line.split("│")[1].strip() for line in done.stdout.splitlines() if "⚠" in line and "│" in line]
    told = [*map(Saying, failed), *(Saying(name, "warning") for name in warned)]
    return told or ([Saying("failed")] if done.returncode else [])


def toolcall_linter(venv: Path, probe: Probe, folder: Path) -> list[Saying] | None:
    """Ask toolcall-linter, which wants the tools in a file of their own."""
    transcript, tools = folder / "transcript.json", folder / "tools.json"
    transcript.write_text(json.dumps(probe.messages), encoding="utf-8")
    tools.write_text(json.dumps(probe.tools if probe.tools is not None else []), encoding="utf-8")
    if not probe.tools:
        return []  # without tools it has nothing to compare with
    done = run((venv / "bin/toolcall-linter", "--tools", tools, "--format", "json", transcript), folder)
    if "Traceback" in done.stderr:
        return None
    try:
        found = json.loads(done.stdout)["violations"]
    except ValueError:
        return [Saying("refused")]
    return [Saying(str(item.get("rule") or item.get("type") or "violation")) for item in found]


def prompt_portability(venv: Path, probe: Probe, folder: Path) -> list[Saying] | None:
    """Ask prompt-portability, which reads one request."""
    request = folder / "request.json"
    body = {"model": "gpt-4o" if probe.format == "openai-chat" else "claude-sonnet-4-5", "messages": probe.messages}
    request.write_text(json.dumps(body | ({"tools": probe.tools} if probe.tools is not None else {})), encoding="utf-8")
    done = run((venv / "bin/prompt-portability", "check", "--json", request), folder)
    try:
        found = json.loads(done.stdout)
    except ValueError:
        return None
    return [Saying(item["rule_id"], "error" if item["severity"] == "error" else "warning") for item in found]


PEERS = (
    Peer(
        "turnsafe",
        "tool-call rules of chat histories: pairing, order, empty content, the first message, system messages",
        ("openai-chat", "anthropic"),
        "PM",
        partial(in_library, TURNSAFE),
    ),
    Peer(
        "tool-call-repair",
        "pairing of tool calls and results",
        ("openai-chat", "anthropic"),
        "P",
        partial(in_library, TOOL_CALL_REPAIR),
    ),
    Peer(
        "finelint",
        "training rows: chat schema, tools, duplicates, leakage",
        ("openai-chat",),
        "PAMTSF",
        finelint,
        is_for_training=True,
    ),
    Peer(
        "convmerge",
        "training rows (`validate`): what its converter would drop",
        ("openai-chat",),
        "PMTF",
        convmerge,
        is_for_training=True,
    ),
    Peer(
        "parallelogram",
        "training rows of text: schema, roles, empty content, context window, encoding",
        ("openai-chat",),
        "MTF",
        parallelogram,
        is_for_training=True,
    ),
    Peer(
        "ftml-cli",
        "training rows: required fields, roles, empty content",
        ("openai-chat",),
        "MT",
        ftml,
        is_for_training=True,
    ),
    Peer("toolcall-linter", "tool calls against the schemas of a tools file", ("openai-chat",), "AS", toolcall_linter),
    Peer(
        "prompt-portability",
        "one request: what other providers would not take",
        ("openai-chat", "anthropic"),
        "MSH",
        prompt_portability,
    ),
)


def closed(probe: Probe) -> Probe:
    """End a history with an answer, as training rows do."""
    messages = probe.messages
    last = messages[-1] if isinstance(messages, list) and messages else None
    if not isinstance(last, dict) or last.get("role") not in ("user", "tool", "function"):
        return probe
    answered = [*messages, {"role": "assistant", "content": "All right."}]
    return Probe(probe.id, probe.format, answered, probe.tools, probe.rules)


def said_by(peer: Peer, venv: Path, probe: Probe) -> list[Saying] | None:
    """Ask a checker about a history."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return peer.ask(venv, closed(probe) if peer.is_for_training else probe, Path(folder))
        except subprocess.TimeoutExpired:
            return None


def outcome_of(peer: Peer, venv: Path, plain: set[str], probe: Probe) -> str:
    """Tell in a letter what a checker made of a history (`LETTERS`)."""
    if probe.format not in peer.formats:
        return LETTERS["not read"]
    said = said_by(peer, venv, probe)
    if said is None:
        return LETTERS["traceback"]
    levels = {saying.level for saying in said if saying.code not in plain}
    return LETTERS["error" if "error" in levels else "warning" if levels else "silent"]


def figures(peer: Peer, venv: Path, asked: Sequence[Probe]) -> dict[str, Any]:
    """Ask a checker about all histories, and give what came of it, a letter for each."""
    plain = {saying.code for saying in said_by(peer, venv, Probe("plain", "openai-chat", PLAIN, None, ())) or ()}
    with ThreadPoolExecutor(2) as pool:
        letters = "".join(pool.map(partial(outcome_of, peer, venv, plain), asked))
    print(peer.name, dict(Counter(letters)), flush=True)  # noqa: T201 - a script tells what it does
    return {
        "name": peer.name,
        "version": version_of(peer.name, venv),
        "claims": peer.claims,
        "families": peer.families,
        "outcomes": letters,
    }


def version_of(name: str, venv: Path) -> str:
    """Give the version of a package that is installed in an environment."""
    code = f"from importlib.metadata import version; print(version({name!r}))"
    return run((venv / "bin/python", "-c", code), venv).stdout.strip()


def main() -> None:
    """Ask all checkers, or those that the command line names after the environment."""
    venv, *names = sys.argv[1:]
    asked = probes()
    ids = [f"{probe.format}/{probe.id}" for probe in asked]
    known: dict[str, Any] = {}
    if RESULT.exists():
        stored = json.loads(RESULT.read_text(encoding="utf-8"))
        known = {row["name"]: row for row in stored["peers"]} if stored["probes"] == ids else {}
    wanted = [peer for peer in PEERS if not names or peer.name in names]
    for peer in wanted:
        known[peer.name] = figures(peer, Path(venv).absolute(), asked)
    rows = [known[peer.name] for peer in PEERS if peer.name in known]
    RESULT.write_text(json.dumps({"probes": ids, "peers": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
