"""The flags of `lint` that say what is checked and known beforehand, what is repaired, and how many processes work."""

from pathlib import Path
from typing import Annotated, Literal

import typer

Select = Annotated[
    list[str] | None, typer.Option(metavar="RULE,…", help="Check only these rules (codes, prefixes or names).")
]
Ignore = Annotated[list[str] | None, typer.Option(metavar="RULE,…", help="Leave these rules out.")]
ExtendSelect = Annotated[
    list[str] | None, typer.Option(metavar="RULE,…", help="Check these rules, too, besides those of the configuration.")
]
ExtendIgnore = Annotated[
    list[str] | None,
    typer.Option(metavar="RULE,…", help="Leave these rules out, too, besides those of the configuration."),
]
Tools = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Check calls against these tool definitions where a record declares none."),
]
BaselineFile = Annotated[
    Path | None,
    typer.Option("--baseline", metavar="FILE", help="Leave out the findings of this earlier JSON report."),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Use this configuration instead of looking for lighter.toml."),
]
Isolated = Annotated[bool, typer.Option("--isolated", help="Use no configuration file.")]
Fix = Annotated[bool, typer.Option("--fix", help="Repair what can be repaired safely, in the files themselves.")]
UnsafeFixes = Annotated[bool, typer.Option("--unsafe-fixes", help="Take repairs, too, that may not be what was meant.")]
Diff = Annotated[bool, typer.Option("--diff", help="Show as a patch what --fix would change, and write nothing.")]
Unanswered = Annotated[
    Literal["error", "drop"],
    typer.Option(help="What unsafe fixes do with calls that have no result: give them an error result, or drop them."),
]
Jobs = Annotated[
    int,
    typer.Option("--jobs", "-j", min=0, metavar="N", help="Work with so many processes; 0: one for each processor."),
]
