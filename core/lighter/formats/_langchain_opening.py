"""Where LangChain messages stand in what is logged: states and checkpoints of LangGraph, runs of LangSmith, streams, prompts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from lighter.envelope import Body, Opened, bare, open_value, shifted
from lighter.formats._langchain_sniffing import form_of, is_in_short, is_pair, is_shorthand
from lighter.jsontext import step

_STATES = ("values", "channel_values", "output", "outputs")
"""Keys that hold the state of a graph: in answers of its API, in checkpoints, in runs."""

_MODES = frozenset({"values", "messages", "updates", "custom", "debug", "checkpoints", "tasks"})
"""The modes of a graph's stream, each of which stands before what it streams."""


_SHORT = "langchain-dump"
"""The form that shorthand belongs to."""

_LENGTHS = (7, 8)
"""How long a StateSnapshot of LangGraph is, a named tuple that `dumps` writes as a list; the last, `interrupts`, came later."""


def open_record(name: str, value: Any) -> Opened | None:
    """Open a record that holds messages in one of LangChain's forms; None for anything else."""
    match value:
        case dict():
            if form_of(value) == name:
                return Opened("message")
            body = next((body for body in _bodies(value) if _form_in(body.messages) == name), None)
            return None if body is None else Opened("conversation", (body,))
        case [str(), _] if name == _SHORT and is_pair(value):
            return Opened("message")
        case [str(), *_] if name == _SHORT and all(isinstance(item, str) and item.strip() for item in value):
            return Opened("conversation", (replace(bare(list(value), ""), only_in=name),))
        case [str(mode), dict(payload)] if mode in _MODES and _form_in(_listed(payload.get("messages"), "")) == name:
            return Opened("conversation", (_state(value, payload, "/1", (("/0", mode),)),))
        case [state, [*_], {"configurable": dict()}, _, str() | None, _, [*_], *_] if len(value) in _LENGTHS:
            return _snapshot(name, value, state)
        case [[str(), _], *_] if all(map(_is_streamed, value)) and any(item[0] in _MODES for item in value):
            return _stream(name, list(value))
        case [_, *_] if name == _SHORT and any(isinstance(item, str | list) for item in value) and is_in_short(value):
            return Opened("conversation", (replace(bare(list(value), ""), format=name),))
        case [_, *_] if _form_in(_listed(value, "")) == name and all(map(_is_message, value)):
            return Opened("conversation", (bare(list(value), ""),))
        case _:
            return None


def open_batch(value: Any) -> Opened | None:
    """Open what is sent to LangSmith: runs that begin (`post`) and what came of them (`patch`), or what it lists (`runs`).

    Whatever format they hold.
    """
    match value:
        case {"runs": [*runs]} if runs and all(map(_is_run, runs)):
            return _open_runs(value, runs)
        case {"post": [*begun], "patch": list(ended)} if begun and all(map(_is_run, begun)):
            bodies = [body for index, run in enumerate(begun) for body in _joined(run, index, ended)]
            return Opened("conversation", tuple(bodies)) if bodies else None
        case _:
            return None


def _open_runs(value: Mapping[str, Any], runs: Sequence[Any]) -> Opened | None:
    """Open a list of runs; those without a conversation are kept beside the others, as is what stands around them."""
    bodies: list[Body] = []
    rest = list(_without(value, "", "runs"))
    for index, run in enumerate(runs):
        found = open_value(run).bodies
        bodies += [shifted(body, f"/runs/{index}") for body in found]
        rest += [] if found else [(f"/runs/{index}", run)]
    if not bodies:
        return None
    return Opened("conversation", (replace(bodies[0], rest=(*bodies[0].rest, *rest)), *bodies[1:]))


def _is_run(value: Any) -> bool:
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


def _is_message(value: Any) -> bool:
    """Say whether a value may stand among messages: one, or something like it of a type or a class that nobody knows there."""
    if form_of(value) is not None or is_shorthand(value):
        return True
    match value:
        case {"role": _} | {"type": str(), "content": _} | {"type": str(), "data": dict()}:
            return True
        case {"lc": _, "type": str(), "id": list()}:
            return True
        case _:
            return False


def _form_in(messages: Sequence[tuple[str, Any, bool]]) -> str | None:
    """Tell in which form messages are, by the first of them that tells it; shorthand is flat."""
    found = (form_of(raw) for _, raw, _ in messages)
    told = next((form for form in found if form is not None), None)
    if told is None and any(is_pair(raw) for _, raw, _ in messages):
        return "langchain-dump"
    return told


def _listed(value: Any, path: str, *, is_answer: bool = False) -> tuple[tuple[str, Any, bool], ...]:
    items = value if isinstance(value, list) else []
    return tuple((path + step(index), item, is_answer) for index, item in enumerate(items))


def _bodies(value: Mapping[str, Any]) -> Iterator[Body]:
    """Look where a record may hold messages."""
    match value:
        case {"run_type": str()} | {"inputs": dict(), "outputs": dict()}:
            yield from _run(value)
        case {"generations": [[{"message": dict()}, *_], *_]}:
            yield Body(_generated(value, ""), rest=tuple(_rest_of_generated(value, "")))
        case {"lc": _, "kwargs": {"messages": list()}}:
            yield _state(
                value, value["kwargs"], "/kwargs", tuple((step(k), v) for k, v in value.items() if k != "kwargs")
            )
        case {"checkpoint": {"channel_values": {"messages": list()}}}:
            inner = value["checkpoint"]
            rest = [("/checkpoint" + step(k), v) for k, v in inner.items() if k != "channel_values"]
            rest += [(step(k), v) for k, v in value.items() if k != "checkpoint"]
            yield _state(value, inner["channel_values"], "/checkpoint/channel_values", tuple(rest))
        case _:
            pass
    for key in _STATES:
        if isinstance(state := value.get(key), dict) and isinstance(state.get("messages"), list):
            yield _state(value, state, step(key), tuple((step(k), v) for k, v in value.items() if k != key))


def _snapshot(name: str, value: Sequence[Any], state: Any) -> Opened | None:
    """Open what `get_state` of a graph gives: its state comes first, and the tasks beside it hold no history."""
    messages = state.get("messages") if isinstance(state, dict) else None
    if not isinstance(messages, list) or not messages:
        return Opened("none")
    if _form_in(_listed(messages, "")) != name:
        return None
    rest = tuple((step(n), held) for n, held in enumerate(value) if n > 0)
    return Opened("conversation", (_state(value, state, "/0", rest),))


def _state(value: Any, state: Mapping[str, Any], path: str, rest: tuple[tuple[str, Any], ...]) -> Body:
    """Make the body of an object that lists messages somewhere in a record."""
    del value
    fields = {key: held for key, held in state.items() if key != "messages"}
    messages = _listed(state["messages"], f"{path}/messages")
    return Body(
        messages, path=path, fields=fields, messages_path=f"{path}/messages", listed=state["messages"], rest=rest
    )


def _run(value: Mapping[str, Any]) -> Iterator[Body]:
    """Read a run of LangSmith: that of a graph has its whole history among the outputs, that of a model its answer alone."""
    inputs, outputs = value.get("inputs"), value.get("outputs")
    asked: Any = inputs.get("messages") if isinstance(inputs, dict) else None
    path, more = "/inputs/messages", tuple[tuple[str, Any], ...]()
    match asked:
        case [[_, *_] as first, *others] if not is_pair(first):
            asked, path = first, "/inputs/messages/0"
            more = tuple((f"/inputs/messages{step(n)}", other) for n, other in enumerate(others, 1))
    rest = [(step(key), held) for key, held in value.items() if key not in ("inputs", "outputs")]
    beside = (
        [("/inputs" + step(k), v) for k, v in inputs.items() if k != "messages"] if isinstance(inputs, dict) else []
    )
    match outputs:
        case {"messages": [_, *_] as whole}:
            rest += _without(outputs, "/outputs", "messages")
            rest += [("/inputs", inputs)] if "inputs" in value else []
            yield Body(
                _listed(whole, "/outputs/messages"), messages_path="/outputs/messages", listed=whole, rest=tuple(rest)
            )
            return
        case {"generations": [[{"message": dict()}, *_], *_]}:
            answer = _generated(value["outputs"], "/outputs")
            rest += _rest_of_generated(value["outputs"], "/outputs")
        case {"output": dict(message)} if form_of(message) is not None:
            answer = (("/outputs/output", message, True),)
            rest += _without(outputs, "/outputs", "output")
        case dict() if form_of(outputs) is not None:
            answer = (("/outputs", outputs, True),)
        case _:
            answer = tuple[tuple[str, Any, bool], ...]()
            rest += [("/outputs", outputs)] if "outputs" in value else []
    if asked is None and isinstance(inputs, dict):
        asked = _history_in(inputs)
        path = "/inputs/chat_history" if asked else path
        question = inputs.get("input")
        is_told = isinstance(question, str) and bool(answer)
        answer = ((("/inputs/input", question, False),) if is_told else ()) + answer
        taken = ("/inputs/chat_history" if asked else "", "/inputs/input" if is_told else "")
        beside = [(place, held) for place, held in beside if place not in taken]
    messages = (*_listed(asked, path), *answer)
    yield Body(messages, messages_path=path, listed=asked, rest=(*rest, *beside, *more))


def _history_in(inputs: Mapping[str, Any]) -> list[Any] | None:
    """Give the messages before a question, as chains and the agents of old get them (`MessagesPlaceholder`); None without any."""
    history = inputs.get("chat_history")
    return history if isinstance(history, list) and history and all(map(_is_message, history)) else None


def _without(value: Any, path: str, key: str) -> Iterator[tuple[str, Any]]:
    """List what an object holds besides a key."""
    yield from ((path + step(k), held) for k, held in value.items() if k != key)


def _generated(outputs: Mapping[str, Any], path: str) -> tuple[tuple[str, Any, bool], ...]:
    return ((f"{path}/generations/0/0/message", outputs["generations"][0][0]["message"], True),)


def _rest_of_generated(outputs: Mapping[str, Any], path: str) -> Iterator[tuple[str, Any]]:
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


def _is_streamed(item: Any) -> bool:
    match item:
        case [str(), dict() | list() | None]:
            return True
        case _:
            return False


def _stream(name: str, items: list[Any]) -> Opened | None:
    """Read what a graph streamed: its last state is the conversation."""
    for index in range(len(items) - 1, -1, -1):
        match items[index]:
            case ["values", {"messages": [_, *_] as messages} as state] if _form_in(_listed(messages, "")) == name:
                place = step(index)
                rest = ((f"{place}/0", "values"), *((step(n), item) for n, item in enumerate(items) if n != index))
                return Opened("conversation", (_state(items, state, f"{place}/1", rest),))
            case _:
                pass
    return None
