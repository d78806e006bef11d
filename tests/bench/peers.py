r"""Run the corpus over other checkers, and write what they say to tests/data/peers.json, from which docs/conformance.md is made.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install turnsafe tool-call-repair finelint convmerge toolcall-linter \
        parallelogram ftml-cli dropoutt prompt-portability
    python tests/bench/peers.py /tmp/peers && pytest -m slow --update-golden tests/test_conformance.py

Each checker gets each history alone (dropoutt each in a file of its own), in the form that it reads, and may say anything:
whatever it reports about a defect counts as caught, whether or not it names the fault. An error about a look-alike is a false
alarm, and so is a traceback. Checkers of requests are not asked about training rows. Those of training rows are given histories
that end with an answer and declare their tools, since a request need not: where the last message is not the assistant's, one is
added, and so are the tools that are called where none are declared. What a checker says of a plain chat as well (how few rows
there are) is not counted.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS.parent / "core"), str(TESTS)]

from conformance_corpus import Probe, probes  # noqa: E402 - runs from a bare clone
from msgspec import Struct  # noqa: E402 - as above

RESULT = TESTS / "data" / "peers.json"
DRIVER = Path(__file__).with_name("peer_driver.py")
PLAIN = [{"role": "user", "content": "Is the lock open?"}, {"role": "assistant", "content": "It is open until ten."}]
LETTERS = {"silent": ".", "warning": "w", "error": "e", "traceback": "t", "not read": "-"}
"""What the figures write for each outcome."""


class Peer(Struct, frozen=True):
    """A checker: what it claims to check, the families of rules that these claims touch, and the formats that it reads."""

    name: str
    claims: str
    families: str
    formats: tuple[str, ...] = ("openai-chat",)
    is_for_training: bool = False


BOTH = ("openai-chat", "anthropic")
PEERS = (
    Peer(
        "turnsafe",
        "tool-call rules of chat histories: pairing, order, empty content, the first message, system messages",
        "PM",
        BOTH,
    ),
    Peer("tool-call-repair", "pairing of tool calls and results", "P", BOTH),
    Peer("finelint", "training rows: chat schema, tools, duplicates, leakage", "PAMTSF", is_for_training=True),
    Peer("convmerge", "training rows (`validate`): what its converter would drop", "PMTF", is_for_training=True),
    Peer(
        "parallelogram",
        "training rows of text: schema, roles, empty content, context window, encoding",
        "MTF",
        is_for_training=True,
    ),
    Peer("ftml-cli", "training rows: required fields, roles, empty content", "MT", is_for_training=True),
    Peer(
        "dropoutt",
        "training data (`scan`): layouts, roles, turns, what is no text, encoding, duplicates, leakage",
        "MTFH",
        is_for_training=True,
    ),
    Peer("toolcall-linter", "tool calls against the schemas of a tools file", "AS"),
    Peer("prompt-portability", "one request: what some provider would not take", "MSH", BOTH),
)


def as_row(probe: Probe) -> tuple[Any, Any]:
    """Make a training row of a history: it ends with an answer, and declares the tools that it calls."""
    messages = probe.messages
    last = messages[-1] if isinstance(messages, list) and messages else None
    if isinstance(last, dict) and last.get("role") in ("user", "tool", "function"):
        messages = [*messages, {"role": "assistant", "content": "All right."}]
    return messages, probe.tools if probe.tools is not None else _called(messages) or None


def _called(messages: Any) -> list[dict[str, Any]]:
    calls = [
        call.get("function")
        for message in (messages if isinstance(messages, list) else ())
        if isinstance(message, dict) and isinstance(message.get("tool_calls"), list)
        for call in message["tool_calls"]
        if isinstance(call, dict)
    ]
    names = dict.fromkeys(
        call["name"] for call in calls if isinstance(call, dict) and isinstance(call.get("name"), str) and call["name"]
    )
    schema = {"type": "object", "properties": {}}
    return [
        {"type": "function", "function": {"name": name, "description": "A tool.", "parameters": schema}}
        for name in names
    ]


def figures(peer: Peer, python: Path, asked: Sequence[Probe]) -> dict[str, Any]:
    """Ask a checker about all histories, and give what came of it, a letter for each."""
    read = [probe for probe in asked if probe.format in peer.formats and (peer.is_for_training or not probe.is_row)]
    given = [[p.format, *(as_row(p) if peer.is_for_training else (p.messages, p.tools))] for p in read]
    request = json.dumps({"peer": peer.name, "probes": [["openai-chat", PLAIN, None], *given]})
    done = subprocess.run([python, DRIVER], input=request, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout[done.stdout.rindex('{"version"') :])
    plain, *told = answer["said"]
    ignored = {code for code, _ in plain or ()}
    outcomes = {probe.id: _outcome(said, ignored) for probe, said in zip(read, told, strict=True)}
    letters = "".join(LETTERS[outcomes.get(probe.id, "not read")] for probe in asked)
    print(peer.name, answer["version"], dict(Counter(letters)), flush=True)  # noqa: T201 - a script tells what it does
    return {
        "name": peer.name,
        "version": answer["version"],
        "claims": peer.claims,
        "families": peer.families,
        "outcomes": letters,
    }


def _outcome(said: list[list[str]] | None, ignored: set[str]) -> str:
    if said is None:
        return "traceback"
    levels = {level for code, level in said if code not in ignored}
    return "error" if "error" in levels else "warning" if levels else "silent"


def main() -> None:
    """Ask all checkers that stand in the environment which the command line names."""
    [venv] = sys.argv[1:]
    asked = probes()
    rows = [figures(peer, Path(venv).absolute() / "bin" / "python", asked) for peer in PEERS]
    ids = [f"{probe.format}/{probe.id}" for probe in asked]
    RESULT.write_text(json.dumps({"probes": ids, "peers": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
