"""A tool call as `name(key=value)`: the arguments as the model wrote them, in JSON, one line or one argument a line."""

from msgspec import Struct
from rich.cells import cell_len

from lighter.excerpt import harmless
from lighter.messages import ToolCall
from lighter_cli.showing.values import NOT_JSON, Pairs, is_object, parse, quoted, written, written_long


class Line(Struct, frozen=True):
    """A line of a call; `is_json` where it is JSON and may be coloured so, and not text from inside a string."""

    text: str
    is_json: bool = True


class CallText(Struct, frozen=True):
    """A call laid out; `is_broken` when its arguments ought to be JSON and are not."""

    lines: tuple[Line, ...]
    is_broken: bool = False


def lay_out(call: ToolCall, width: int) -> CallText:
    """Lay a call out in lines of about `width` cells, harmless.

    Strings of several lines are shown as such, since code and documents are what such arguments mostly are.
    """
    name = harmless(call.tool_name) or "(no name)"
    pairs = parse(call.arguments)
    if pairs is NOT_JSON or not isinstance(pairs, Pairs):
        text = harmless(call.arguments, is_multiline=True)
        is_broken = call.kind != "custom" and not is_object(call.arguments)
        if "\n" not in text:
            return CallText((Line(f"{name}({text})", is_json=False),), is_broken)
        lines = (Line(f"  {line}", is_json=False) for line in text.split("\n"))
        return CallText((Line(f"{name}("), *lines, Line(")")), is_broken)
    line = _joined(name, pairs)
    if cell_len(line) <= width and not any(isinstance(value, str) and "\n" in value for _, value in pairs):
        return CallText((Line(line),))
    arguments = (line for key, value in pairs for line in _argument(key, value, width))
    return CallText((Line(f"{name}("), *arguments, Line(")")))


def one_line(call: ToolCall) -> str:
    """Tell a call in one line, harmless, however long it is."""
    pairs = parse(call.arguments)
    name = harmless(call.tool_name) or "(no name)"
    return (
        _joined(name, pairs)
        if isinstance(pairs, Pairs) and pairs is not NOT_JSON
        else f"{name}({harmless(call.arguments)})"
    )


def _joined(name: str, pairs: Pairs) -> str:
    return f"{name}({', '.join(f'{_key(key)}={written(value)}' for key, value in pairs)})"


def _key(key: str) -> str:
    return key if key.isidentifier() else quoted(key)


def _argument(key: str, value: object, width: int) -> tuple[Line, ...]:
    start = f"  {_key(key)}="
    if isinstance(value, str) and "\n" in value:
        lines = harmless(value, is_multiline=True).split("\n")
        return (Line(start), *(Line(f"    {line}", is_json=False) for line in lines))
    return tuple(map(Line, (start + written_long(value, "  ", width - 2, cell_len(start))).split("\n")))
