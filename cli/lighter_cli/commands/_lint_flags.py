"""The flags of `lint`: what is read, what it is judged by, what is told and where to, what is repaired."""

from pathlib import Path
from typing import Annotated

import typer

from lighter.diagnostics import FailOn, Unanswered
from lighter.rule import Mode
from lighter_cli import output
from lighter_cli.terminal import Color

Paths = Annotated[
    list[str] | None, typer.Argument(metavar="PATH...", help="Files, folders or globs; - is standard input.")
]
SourceFormat = Annotated[
    str | None, typer.Option("--from", metavar="FORMAT", help="The format of the files, instead of detecting it.")
]
Target = Annotated[
    str | None,
    typer.Option(
        metavar="TARGET", show_default="generic", help="Who would receive the history: openai-chat, anthropic …"
    ),
]
AskedMode = Annotated[Mode | None, typer.Option(help="What the files are: a record, a request or training rows.")]
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
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATTERN,…", help="Pass over these in folders, instead of node_modules, .venv and their like."
    ),
]
ExtendExclude = Annotated[
    list[str] | None, typer.Option(metavar="PATTERN,…", help="Pass over these in folders, too.", show_default=False)
]
ForceExclude = Annotated[
    bool | None,
    typer.Option(
        "--force-exclude/--no-force-exclude",
        help="Pass over what is excluded even where it is named.",
        show_default=False,
    ),
]
RespectGitignore = Annotated[
    bool | None,
    typer.Option(
        "--respect-gitignore/--no-respect-gitignore",
        help="Pass over in folders what .gitignore names (as usual), or do not.",
        show_default=False,
    ),
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
Fix = Annotated[
    bool | None,
    typer.Option(
        "--fix/--no-fix", help="Repair what can be repaired safely, in the files themselves.", show_default=False
    ),
]
UnsafeFixes = Annotated[
    bool | None,
    typer.Option(
        "--unsafe-fixes/--no-unsafe-fixes",
        help="Take repairs, too, that may not be what was meant.",
        show_default=False,
    ),
]
Diff = Annotated[bool, typer.Option("--diff", help="Show as a patch what --fix would change, and write nothing.")]
AskedUnanswered = Annotated[
    Unanswered | None,
    typer.Option(
        show_default="error",
        help="What unsafe fixes do with calls that have no result: give them an error result, or drop them.",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        min=0,
        metavar="N",
        show_default="1",
        help="Work with so many processes; 0: one for each processor.",
    ),
]
OutputFormat = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FORMAT[=FILE]",
        envvar="LIGHTER_OUTPUT_FORMAT",
        show_envvar=True,
        help=f"How to print findings ({', '.join(output.names())}); full on a terminal, else concise. Further ones go to files.",
    ),
]
OutputFile = Annotated[
    Path | None,
    typer.Option(
        "--output-file", "-o", metavar="FILE", help="Write to a file, whole or not at all; - is standard output."
    ),
]
StdinFilename = Annotated[str, typer.Option(metavar="NAME", help="The name that findings give to standard input.")]
Statistics = Annotated[bool, typer.Option("--statistics", help="Count findings by rule instead of listing them.")]
LeastSeverity = Annotated[
    FailOn | None, typer.Option(show_default="error", help="The least severity that makes the exit status 1.")
]
SkipUnrecognised = Annotated[
    bool, typer.Option("--skip-unrecognised", help="Skip files that are no transcripts instead of failing.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print findings only.")]
ColorChoice = Annotated[Color, typer.Option(help="When to use colour.")]
