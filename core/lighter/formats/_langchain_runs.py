"""Runs of LangSmith: what was asked stands in their inputs, what came of it in their outputs, and runs within them in `child_runs`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from lighter.envelope import Body, Opened, decoded, open_value, shifted
from lighter.formats._langchain import KINDS, unwrap
from lighter.formats._langchain_sniffing import form_of, is_pair, is_shorthand
from lighter.jsontext import step

Placed = tuple[tuple[str, Any, bool], ...]
"""Messages with their places, and whether they are answers."""
_Rest = list[tuple[str, Any]]

_ANSWERING = ("ai", "tool")
"""The kinds of messages that answer."""


def open_batch(value: Any) -> Opened | None:
    """Open what LangSmith is sent (`post` and `patch`: runs that begin, and what came of them), what it lists (`runs`), or a trace.

    Whatever format they hold. Of a trace it is the runs within it (`child_runs`), where it has no conversation itself.
    """
    match value:
        case {"runs": [*runs]} if runs and all(map(_is_listed_run, runs)):
            return _open_runs(value, runs, "runs")
        case {"run_type": str(), "child_runs": [*runs]} if runs and all(map(_is_listed_run, runs)):
            alone = {key: held for key, held in value.items() if key != "child_runs"}
            return None if open_value(alone).bodies else _open_runs(value, runs, "child_runs")
        case {"post": [*begun], "patch": list(ended)} if begun and all(map(_is_listed_run, begun)):
            bodies = [body for index, run in enumerate(begun) for body in _joined(run, index, ended)]
            return Opened("conversation", tuple(bodies)) if bodies else None
        case _:
            return None


def _open_runs(value: Mapping[str, Any], runs: Sequence[Any], key: str) -> Opened | None:
    """Open a list of runs; those without a conversation are kept beside the others, as is what stands around them."""
    bodies: list[Body] = []
    rest = list(without(value, "", key))
    for index, run in enumerate(runs):
        found = open_value(run).bodies
        bodies += [shifted(body, f"/{key}/{index}") for body in found]
        rest += [] if found else [(f"/{key}/{index}", run)]
    if not bodies:
        return None
    return Opened("conversation", (replace(bodies[0], rest=(*bodies[0].rest, *rest)), *bodies[1:]))


def _is_listed_run(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("run_type"), str)


def _joined(run: dict[str, Any], index: int, ended: list[Any]) -> Iterator[Body]:
    """Open a run together with what came of it."""
    found = ((n, end) for n, end in enumerate(ended) if isinstance(end, dict) and end.get("id") == run.get("id"))
    number, end = next(found, (0, {}))
    is_ended = bool(end.get("outputs")) and not run.get("outputs")
    whole = {**run, "outputs": end["outputs"]} if is_ended else run

    def moved(path: str) -> str:
        is_outside = is_ended and path.startswith("/outputs")
        return f"/patch/{number}{path}" if is_outside else f"/post/{index}{path}"

    for body in open_value(whole).bodies:
        rest = [(moved(path), held) for path, held in body.rest]
        rest += [(f"/patch/{number}{step(k)}", v) for k, v in end.items() if not is_ended or k != "outputs"]
        yield replace(
            body,
            messages=tuple((moved(path), raw, answered) for path, raw, answered in body.messages),
            path=moved(body.path),
            messages_path=None if body.messages_path is None else moved(body.messages_path),
            response_path=moved(body.response_path),
            branches=tuple((moved(path), raw) for path, raw in body.branches),
            rest=tuple(rest),
            place=moved(body.place),
        )


def is_run(value: Mapping[str, Any]) -> bool:
    """Say whether an object is a run, or what is left of one."""
    match value:
        case {"run_type": str()} | {"inputs": dict(), "outputs": dict()}:
            return True
        case _:
            return False


def body_of_run(value: Mapping[str, Any]) -> Body | None:
    """Read a run: that of a graph has its whole history among the outputs, that of a model its answer alone, that of a tool none.

    Of a batch it is the first prompt.
    """
    return None if value.get("run_type") == "tool" else _own_body(value)


def _own_body(value: Mapping[str, Any]) -> Body:
    inputs, outputs = decoded(value.get("inputs")), decoded(value.get("outputs"))
    rest = [(step(key), held) for key, held in value.items() if key not in ("inputs", "outputs")]
    history, path = _whole_of(outputs)
    is_answer = history is not None and _is_answer_to(inputs, history)
    if history is not None and not is_answer:
        rest += [*_around(outputs, "/outputs", path)]
        rest += [("/inputs", value["inputs"])] if "inputs" in value else []
        return Body(listed(history, path), messages_path=path, listed=history, rest=tuple(rest))
    answers, beside = _answers_in(outputs)
    if is_answer:
        answers, beside = listed(history, path, is_answer=True), [*_around(outputs, "/outputs", path)]
    if "outputs" in value:
        rest += beside if answers else [("/outputs", value["outputs"])]
    asked, path, beside = _asked_in(inputs, is_answered=bool(answers))
    if "inputs" in value and not isinstance(inputs, dict):
        beside = [("/inputs", value["inputs"])]
    messages = tuple(item for item in asked if item[0].startswith(f"{path}/"))
    held = [raw for _, raw, _ in messages] if messages else None
    return Body((*asked, *answers), messages_path=path, listed=held, rest=(*rest, *beside))


def _is_answer_to(inputs: Any, history: Sequence[Any]) -> bool:
    """Say whether messages go on with those of the inputs: a node of a graph gives what is new, and was given what stands before."""
    asked, _, _ = _asked_in(inputs, is_answered=True)
    before, first = (unwrap(raw) for raw in (asked[0][1] if asked else None, history[0]))
    return before is not None and first is not None and before.kind not in _ANSWERING and first.kind in _ANSWERING


def _whole_of(outputs: Any) -> tuple[Sequence[Any] | None, str]:
    """Find the whole history that a graph ends with."""
    match outputs:
        case {"messages": [_, *_] as whole}:
            return whole, "/outputs/messages"
        case {"output": {"messages": [_, *_] as whole}}:
            return whole, "/outputs/output/messages"
        case _:
            return None, ""


def _asked_in(inputs: Any, *, is_answered: bool) -> tuple[Placed, str, _Rest]:
    """Find what was asked, where it is listed, and what stands beside it; a bare question is one where an answer follows."""
    if not isinstance(inputs, dict):
        return (), "/inputs/messages", []
    match inputs:
        case {"messages": [[_, *_] as first, *others]} if not is_pair(first):
            path = "/inputs/messages/0"
            beside = [(f"/inputs/messages{step(n)}", other) for n, other in enumerate(others, 1)]
            return listed(first, path), path, [*without(inputs, "/inputs", "messages"), *beside]
        case {"messages": dict(message)} if form_of(message) is not None:
            return (("/inputs/messages", message, False),), "/inputs", [*without(inputs, "/inputs", "messages")]
        case {"messages": asked}:
            return listed(asked, "/inputs/messages"), "/inputs/messages", [*without(inputs, "/inputs", "messages")]
        case {"input": [*_] as asked} if _are_messages(asked):
            return listed(asked, "/inputs/input"), "/inputs/input", [*without(inputs, "/inputs", "input")]
        case {"input": {"messages": [_, *_] as asked}} if _are_messages(asked):
            path = "/inputs/input/messages"
            return listed(asked, path), path, [*_around(inputs, "/inputs", path)]
        case _:
            return _asked_of_chain(inputs, is_answered=is_answered)


def _asked_of_chain(inputs: Mapping[str, Any], *, is_answered: bool) -> tuple[Placed, str, _Rest]:
    """Find the history and the question of a chain, as the agents of old get them (`MessagesPlaceholder`)."""
    history, question = inputs.get("chat_history"), inputs.get("input")
    path = "/inputs/chat_history"
    found = listed(history, path) if _are_messages(history) else ()
    taken = {path} if found else set[str]()
    if is_answered and (isinstance(question, str) or form_of(question) is not None):
        found = (*found, ("/inputs/input", question, False))
        taken.add("/inputs/input")
    beside = [(f"/inputs{step(k)}", held) for k, held in inputs.items() if f"/inputs{step(k)}" not in taken]
    return found, path, beside


def _answers_in(outputs: Any) -> tuple[Placed, _Rest]:
    """Find the answers of a model or a chain, and what stands beside them."""
    match outputs:
        case {"generations": [[{"message": dict()}, *_], *_]}:
            return generated(outputs, "/outputs"), [*rest_of_generated(outputs, "/outputs")]
        case {"generations": [{"message": dict(message)} as first, *others]}:
            path = "/outputs/generations"
            beside = [*without(outputs, "/outputs", "generations"), *without(first, f"{path}/0", "message")]
            beside += [(f"{path}{step(n)}", other) for n, other in enumerate(others, 1)]
            return ((f"{path}/0/message", message, True),), beside
        case {"output": [_, *_] as said} if _are_messages(said) and form_of(said[0]) is not None:
            return listed(said, "/outputs/output", is_answer=True), [*without(outputs, "/outputs", "output")]
        case dict() if form_of(outputs) is not None:
            return (("/outputs", outputs, True),), []
        case dict():
            key = next((key for key in ("output", "message") if form_of(outputs.get(key)) is not None), None)
            found = ((f"/outputs/{key}", outputs[key], True),) if key else ()
            return found, [*without(outputs, "/outputs", key or "")]
        case _:
            return (), []


def _are_messages(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(is_message, value))


def _around(value: Mapping[str, Any], path: str, inner: str) -> Iterator[tuple[str, Any]]:
    """List what stands around a list that lies deeper in an object, at `inner`."""
    for key in inner[len(path) :].split("/")[1:]:
        yield from without(value, path, key)
        value, path = value[key], path + step(key)


def is_message(value: Any) -> bool:
    """Say whether a value may stand among messages: one, or something like it of a type or a class that nobody knows there."""
    if form_of(value) is not None or is_shorthand(value):
        return True
    match value:
        case {"role": _} | {"content": _} | {"data": _} | {"kwargs": _} | {"lc": _}:
            return True
        case {"type": str(kind)}:
            return kind in KINDS
        case _:
            return False


def listed(value: Any, path: str, *, is_answer: bool = False) -> Placed:
    """List messages with their places; none where there is no list."""
    items = value if isinstance(value, list) else []
    return tuple((path + step(index), item, is_answer) for index, item in enumerate(items))


def without(value: Any, path: str, key: str) -> Iterator[tuple[str, Any]]:
    """List what an object holds besides a key."""
    yield from ((path + step(k), held) for k, held in value.items() if k != key)


def generated(outputs: Mapping[str, Any], path: str) -> Placed:
    """Give the first message of an answer of a model."""
    return ((f"{path}/generations/0/0/message", outputs["generations"][0][0]["message"], True),)


def rest_of_generated(outputs: Mapping[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    """List what an answer of a model holds besides its first message."""
    yield from ((path + step(key), held) for key, held in outputs.items() if key != "generations")
    for n, prompt in enumerate(outputs["generations"]):
        found: list[Any] = prompt if isinstance(prompt, list) else []
        for m, generation in enumerate(found):
            place = f"{path}/generations/{n}/{m}"
            if (n, m) == (0, 0):
                yield from ((place + step(key), held) for key, held in generation.items() if key != "message")
            else:
                yield place, generation
