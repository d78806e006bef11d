"""Repairs of calls and results: nothing is given to a call that is not its own, nothing that was said is lost, and the rest is clean.

Histories are damaged here, so that it is known which result belonged to which call.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from fixed import fixed, linted
from msgspec import Struct

import lighter
from lighter.linting import LintOptions

if TYPE_CHECKING:
    from lighter.diagnostics import Unanswered


class Part(Struct, frozen=True):
    """What somebody says (`text`), or the call or result number `text`, of an id."""

    kind: str
    text: str
    id: str = ""


def history(random: Random) -> list[Part]:
    """Make a sound history of a few turns with calls."""
    parts, number = [], 0
    for turn in range(random.randint(1, 3)):
        parts.append(Part("user", f"asked {turn}"))
        for step in range(random.randint(0, 2)):
            parts += [Part("say", f"said {turn} {step}")] if random.random() < 0.5 else []
            calls = [str(number + count) for count in range(random.randint(1, 3))]
            number += len(calls)
            parts += [Part("call", call, f"call.{call}x") for call in calls]
            parts += [Part("result", call, f"call.{call}x") for call in random.sample(calls, len(calls))]
        parts.append(Part("say", f"ended {turn}"))
    return [*parts, Part("user", "asked last")]


def damaged(random: Random, parts: list[Part]) -> list[Part]:
    """Drop, double, rename, respell, move or swap some calls and results."""
    for _ in range(random.randint(1, 3)):
        ends = [at for at, part in enumerate(parts) if part.id]
        if not ends:
            break
        at = random.choice(ends)
        part, before, behind = parts[at], parts[:at], parts[at + 1 :]
        match random.choice(["drop", "double", "rename", "respell", "move", "swap"]):
            case "drop":
                parts = [*before, *behind]
            case "double":
                place = random.choice([0, random.randint(0, len(behind))])
                parts = [*before, part, *behind[:place], part, *behind[place:]]
            case "rename":
                parts = [*before, Part(part.kind, part.text, f"new.{random.randint(100, 999)}y"), *behind]
            case "respell":
                parts = [*before, Part(part.kind, part.text, part.id.replace(".", "_")), *behind]
            case "move":
                left = [*before, *behind]
                place = random.choice([max(at - 1, 0), min(at + 1, len(left)), random.randint(0, len(left))])
                parts = [*left[:place], part, *left[place:]]
            case _:
                other = random.choice(ends)
                parts = [*parts]
                parts[at], parts[other] = parts[other], parts[at]
    return parts


def chat(parts: Sequence[Part]) -> list[Any]:
    """Write a history as OpenAI's chats have it."""
    messages: list[Any] = []
    for part in parts:
        function = {"name": f"tool_{part.text}", "arguments": json.dumps({"k": part.text})}
        match part.kind:
            case "user" | "say":
                messages.append({"role": "user" if part.kind == "user" else "assistant", "content": part.text})
            case "call":
                if not messages or messages[-1]["role"] != "assistant":
                    messages.append({"role": "assistant", "content": None})
                listed = messages[-1].setdefault("tool_calls", [])
                listed.append({"id": part.id, "type": "function", "function": function})
            case _:
                messages.append({"role": "tool", "tool_call_id": part.id, "content": f"result {part.text}"})
    return messages


def named(parts: Sequence[Part]) -> list[Any]:
    """Write the same with the tool's name in each result."""
    results = iter(part for part in parts if part.kind == "result")
    return [
        {**message, "name": f"tool_{next(results).text}"} if message["role"] == "tool" else message
        for message in chat(parts)
    ]


def ollama(parts: Sequence[Part]) -> list[Any]:
    """Write a history as Ollama has it, without ids."""
    messages = named(parts)
    for message in messages:
        message["content"] = message["content"] or ""
        if "name" in message:
            del message["tool_call_id"]
            message["tool_name"] = message.pop("name")
        for call in message.get("tool_calls", ()):
            function = call.pop("function")
            call.clear()
            call["function"] = {"name": function["name"], "arguments": json.loads(function["arguments"])}
    return messages


def in_blocks(write: Callable[[Part], Any], assistant: str = "assistant", key: str = "content") -> Any:
    """Give a writer of a format whose calls and results are blocks of messages."""

    def written(parts: Sequence[Part]) -> list[Any]:
        messages: list[Any] = []
        last = ""
        for part in parts:
            role = assistant if part.kind in ("say", "call") else "user"
            if not last or part.kind in ("user", "say") or messages[-1]["role"] != role or last == "user":
                messages.append({"role": role, key: []})
            messages[-1][key].append(write(part))
            last = part.kind
        return messages

    return written


def anthropic(part: Part) -> Any:
    """Write a block of Anthropic's."""
    match part.kind:
        case "call":
            return {"type": "tool_use", "id": part.id, "name": f"tool_{part.text}", "input": {"k": part.text}}
        case "result":
            return {"type": "tool_result", "tool_use_id": part.id, "content": f"result {part.text}"}
        case _:
            return {"type": "text", "text": part.text}


def bedrock(part: Part) -> Any:
    """Write a block of Bedrock's."""
    match part.kind:
        case "call":
            return {"toolUse": {"toolUseId": part.id, "name": f"tool_{part.text}", "input": {"k": part.text}}}
        case "result":
            return {"toolResult": {"toolUseId": part.id, "content": [{"text": f"result {part.text}"}]}}
        case _:
            return {"text": part.text}


def gemini(part: Part, **more: Any) -> Any:
    """Write a part of Gemini's."""
    match part.kind:
        case "call":
            return {"functionCall": {"name": f"tool_{part.text}", "args": {"k": part.text}, **more}}
        case "result":
            answer = {"output": f"result {part.text}"}
            return {"functionResponse": {"name": f"tool_{part.text}", "response": answer, **more}}
        case _:
            return {"text": part.text}


def responses(parts: Sequence[Part]) -> list[Any]:
    """Write a history as items of OpenAI's Responses."""
    items: list[Any] = []
    for part in parts:
        match part.kind:
            case "user":
                items.append({"role": "user", "content": [{"type": "input_text", "text": part.text}]})
            case "say":
                content = [{"type": "output_text", "text": part.text}]
                items.append({"type": "message", "role": "assistant", "content": content})
            case "call":
                arguments = json.dumps({"k": part.text})
                call = {"call_id": part.id, "name": f"tool_{part.text}", "arguments": arguments}
                items.append({"type": "function_call", **call})
            case _:
                items.append({"type": "function_call_output", "call_id": part.id, "output": f"result {part.text}"})
    return items


WRITERS: dict[str, tuple[str, Callable[[Sequence[Part]], list[Any]]]] = {
    "openai-chat": ("openai-chat", chat),
    "openai-chat with names": ("openai-chat", named),
    "mistral": ("mistral", named),
    "anthropic": ("anthropic", in_blocks(anthropic)),
    "bedrock": ("bedrock", in_blocks(bedrock)),
    "gemini": ("gemini", in_blocks(gemini, "model", "parts")),
    "gemini with ids": ("gemini", in_blocks(lambda part: gemini(part, id=part.id), "model", "parts")),
    "ollama": ("ollama", ollama),
    "openai-responses": ("openai-responses", responses),
}


class Read(Struct):
    """What a history says: its texts, its calls, its results, and the results that answer a call of another number."""

    texts: Counter[tuple[str, str]] = Counter()
    calls: Counter[str] = Counter()
    results: Counter[str] = Counter()
    wrong: set[tuple[str, str]] = set()


def read(value: Any, format_name: str) -> Read:
    """Read a history."""
    found, by_id = Read(Counter(), Counter(), Counter(), set()), dict[str, str]()
    for message in lighter.parse(value, format_name).messages:
        if isinstance(message, lighter.ToolMessage):
            number = message.tool_output.rpartition("result ")[2].rstrip('"}')
            if number.isdecimal():
                found.results[number] += 1
                if by_id.get(message.call_id, number) != number:
                    found.wrong.add((number, by_id[message.call_id]))
            continue
        for call in message.tool_calls if isinstance(message, lighter.AssistantMessage) else ():
            by_id[call.call_id] = json.loads(call.arguments)["k"]
            found.calls[by_id[call.call_id]] += 1
        # Messages that were joined are parted by a blank line.
        found.texts.update((message.role, text) for text in (message.content or "").split("\n\n") if text)
    return found


MASKED = {"M126"}
"""Faults of order that are told only when what else is wrong beside them is gone."""


def check(name: str, seed: int) -> None:
    """Damage a history and repair it in every way."""
    format_name, write = WRITERS[name]
    random = Random(seed)  # noqa: S311 - the same histories each time
    value = write(damaged(random, history(random)))
    is_log = random.random() < 0.5
    file = "a.jsonl" if is_log else "a.json"
    options = LintOptions(random.choice([format_name, "generic"]), random.choice(["request", "log"]), format_name)
    data = "".join(json.dumps(message) + "\n" for message in value) if is_log else json.dumps(value)
    before = read(value, format_name)
    told = {one.code for one in linted(data.encode(), options, file) if one.severity != "info"}
    choices: list[tuple[bool, Unanswered]] = [(False, "error"), (True, "error"), (True, "drop")]
    for is_unsafe, unanswered in choices:
        done = fixed(data, options, is_unsafe=is_unsafe, unanswered=unanswered, name=file)
        case = (name, seed, is_unsafe, unanswered, done.data.decode())
        lines = done.data.decode().splitlines()
        after = read([json.loads(line) for line in lines] if is_log else json.loads(done.data), format_name)
        left = {one.code for one in done.left if one.severity != "info"}
        assert before.texts <= after.texts, case
        assert after.wrong <= before.wrong, case
        assert unanswered == "drop" or set(after.calls) == set(before.calls), case
        assert unanswered == "error" or b"No result" not in done.data, case
        if is_unsafe:
            assert not [code for code in left if code.startswith("P")], case
        else:
            assert left <= told | MASKED, case
            assert set(after.results) == set(before.results), case
        assert fixed(done.data, options, is_unsafe=is_unsafe, unanswered=unanswered, name=file).applied == [], case


@pytest.mark.parametrize("name", WRITERS)
def test_results_stay_with_their_calls(name: str) -> None:
    for seed in range(8):
        check(name, seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
def test_results_of_many_histories_stay_with_their_calls(name: str) -> None:
    for seed in range(100, 140):
        check(name, seed)
