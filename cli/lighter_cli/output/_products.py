"""What `lint` writes and where to: one report for the reader, and others into files."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from lighter.errors import LighterError
from lighter_cli import output
from lighter_cli.terminal import Screen

if TYPE_CHECKING:
    from lighter.linting import Report


class Product(Struct, frozen=True):
    """A report to write: its output format, and the file, None for standard output."""

    format: str
    file: Path | None


def products_of(words: Sequence[str], file: Path | None, usual: str) -> list[Product]:
    """Read the values of `--output-format`: first a format for the reader (`usual` when none is named), then each `FORMAT=FILE`.

    Raises LighterError for two formats that would go to one place.
    """
    told = [word for word in words if "=" not in word]
    if len(told) > 1:
        raise LighterError(f"{' and '.join(told)} would both go to one place; write --output-format {told[1]}=FILE")
    others = [Product(name, Path(place)) for name, _, place in (word.partition("=") for word in words if "=" in word)]
    if nameless := next((product for product in others if product.file == Path()), None):
        raise LighterError(f"--output-format {nameless.format}= names no file")
    return [Product(told[0] if told else usual, file), *others]


def kept(reports: "Iterable[Report]", store: "list[Report]") -> "Iterator[Report]":
    """Pass reports on, and keep them for products that are written afterwards."""
    for report in reports:
        store.append(report)
        yield report


def write_others(products: Sequence[Product], reports: "Sequence[Report]") -> None:
    """Write products into their files."""
    for product in products:
        layout = output.load(product.format)
        output.write(layout.render(reports, Screen()), product.file, is_machine=layout.IS_MACHINE)
