"""The pages about formats say what the code does: the loss matrix, and one page for each format."""

import inspect
from pathlib import Path

import pytest
from features import FEATURES

from lighter import convert, formats
from lighter.losses import Loss

DOCS = Path(__file__).parents[1] / "docs" / "formats"
SIGNS = {"": "ok", "reversible": "ok", "moved": "~", "synthesised": "~", "rewritten": "~", "dropped": "X"}
LEGEND = (
    "`ok` arrives as it is, or in a form that says the same · `~` arrives in another form or place, or needs an "
    "addition, and is reported · `X` cannot be held, or not in full, and is reported as dropped · "
    "`!` the provider would refuse the result, and `convert` says so"
)


def losses_of(feature: str, target: str) -> tuple[Loss, ...]:
    """Give what a target's writer says of a feature."""
    return formats.get(target).write(FEATURES[feature]).losses


def is_refused(feature: str, target: str) -> bool:
    """Say whether lighter says that the provider would refuse what was written."""
    return bool(convert(FEATURES[feature], target).refusals)


def sign_of(feature: str, target: str) -> str:
    """Give the cell of the matrix."""
    actions = {loss.action for loss in losses_of(feature, target) if not loss.is_reversible}
    worst = next((action for action in ("dropped", "rewritten", "moved", "synthesised") if action in actions), "")
    return SIGNS[worst] + (" !" if is_refused(feature, target) else "")


def matrix() -> str:
    """Write the page of the loss matrix."""
    names = formats.writable()
    rows = [f"| {feature} | {' | '.join(sign_of(feature, name) for name in names)} |" for feature in FEATURES]
    head = f"| feature | {' | '.join(f'[{name}]({name}.md)' for name in names)} |"
    return "\n".join([
        "# What each format can hold",
        "",
        "Written by the tests from what the converters do. A conversation with the feature, in lighter's own form, is written in",
        "each format; the page of a format tells what is said of it.",
        "",
        LEGEND,
        "",
        head,
        "|---" * (len(names) + 1) + "|",
        *rows,
        "",
    ])  # fmt: skip


def page_of(name: str) -> str:
    """Write the page of a format."""
    module = formats.get(name)
    about = inspect.cleandoc(module.__doc__ or "")
    aliases = ", ".join(f"`{alias}`" for alias in module.ALIASES)
    also = [f"Also called {aliases}.", ""] if aliases else []
    if name not in formats.writable():
        return "\n".join([f"# `{name}`: {module.TITLE}", "", about, "", *also])
    told = [
        f"| {feature} | {sign_of(feature, name)} | {'; '.join(_say(loss) for loss in losses)} |"
        for feature in FEATURES
        if (losses := losses_of(feature, name)) or is_refused(feature, name)
    ]
    layout = "one message a line, or one request a line" if module.KEEPS_SYSTEM_IN_LIST else "one request a line"
    return "\n".join([
        f"# `{name}`: {module.TITLE}",
        "",
        about,
        "",
        *also,
        f"Written as {layout}, or as one array of requests (`--layout`).",
        "",
        "## What is said when it is written",
        "",
        "Everything else in the [list of features](matrix.md) arrives without a word.",
        "",
        LEGEND,
        "",
        "| feature | | what becomes of it |",
        "|---|---|---|",
        *told,
        "",
    ])  # fmt: skip


def _say(loss: Loss) -> str:
    detail = loss.detail.replace("|", "\\|")
    return f"{loss.action}: {detail}"


@pytest.mark.parametrize("name", ["matrix", *formats.names()])
def test_pages_say_what_the_code_does(name: str, request: pytest.FixtureRequest) -> None:
    """`--update-golden` writes them anew."""
    page = DOCS / f"{name}.md"
    text = matrix() if name == "matrix" else page_of(name)
    if request.config.getoption("--update-golden"):
        page.parent.mkdir(exist_ok=True)
        page.write_text(text, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == text


def test_no_page_is_left_over() -> None:
    """Each page is of a format that there is."""
    assert {page.stem for page in DOCS.glob("*.md")} == {"matrix", *formats.names()}
