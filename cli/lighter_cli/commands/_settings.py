"""What flags and configuration files say together: flags before files, files before defaults."""

import os
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from lighter.diagnostics import Unanswered
from lighter.discovery import find_config
from lighter.errors import LighterError, UnknownName
from lighter.inputs import Input
from lighter.lint_files import Job
from lighter.linting import LintOptions, options_of
from lighter_cli import output

if TYPE_CHECKING:
    from lighter.config import Config
    from lighter.excluding import Exclusion
    from lighter.fixing_plan import Fixing

_OF_RUN = ("output_format", "fail_on", "baseline", "skip_unrecognised", "jobs")
_OF_FIXES = ("fix", "unsafe_fixes", "unanswered")


class Settings:
    """The settings of a run, and of each file in it.

    `flags` are those that say something about files, None where they were not given; `search` those about what is passed over in
    folders, and `is_forced` whether that is also where it is named. What holds for the whole run is told by the configuration of
    the working directory, the rest by that of each file. `config` names the one file that holds instead; with `is_isolated` none
    does.
    """

    def __init__(
        self,
        flags: Mapping[str, Any],
        config: str | None = None,
        *,
        is_isolated: bool = False,
        search: Mapping[str, Any] | None = None,
        is_forced: bool | None = None,
    ) -> None:
        if config is not None and is_isolated:
            raise LighterError("--config names a configuration, and --isolated uses none")
        self._flags = flags
        self._search = search or {}
        self._is_forced = is_forced
        self._config = config
        self._is_isolated = is_isolated
        self._plain = cache(lambda: options_of(**{k: v for k, v in flags.items() if k not in _OF_FIXES}))
        self._configs: dict[str, str | None] = {}
        self._found: dict[str, str | None] = {}
        self._loaded: dict[str, Config] = {}
        self._options: dict[Any, LintOptions] = {}
        self._exclusions: dict[str | None, Exclusion] = {}

    def of_run(self) -> Mapping[str, Any]:
        """Give what the configuration says about the whole run; raises InvalidConfig, and LighterError for an unknown output format."""
        path = self._config_of(".")
        if path is None:
            return {}
        config = self._load(path)
        if config.output_format is not None and config.output_format not in output.names():
            raise LighterError(f"{path}: {UnknownName('output format', config.output_format, output.names())}")
        return {name: value for name in _OF_RUN if (value := getattr(config, name)) is not None}

    def of_file(self, item: Input) -> Job:
        """Say what is to be done with a file; raises InvalidConfig, and whatever is wrong with the options.

        What is piped in is fixed only where the flag says so: it comes out again where the findings are expected.
        """
        path = self._config_of(os.path.dirname(item.name) or ".")  # noqa: PTH120 - a name, perhaps of standard input
        if path is None:
            return Job(item, self._plain(), _fixing(**{name: self._flags[name] for name in _OF_FIXES}))
        from lighter.config import FileSettings, options_from, settings_for  # noqa: PLC0415 - only where a file holds

        said = {name: value for name, value in self._flags.items() if value is not None}
        settings = settings_for(self._load(path), path, item.name, FileSettings(**said))
        if settings not in self._options:
            self._options[settings] = options_from(settings)
        fix = settings.fix if item.path else self._flags["fix"]
        return Job(item, self._options[settings], _fixing(fix, settings.unsafe_fixes, settings.unanswered))

    def exclusion_of(self, folder: str) -> "Exclusion":
        """Say what is passed over in a folder; raises InvalidConfig, and LighterError for a pattern that is none."""
        path = self._config_of(folder)
        if path not in self._exclusions:
            from lighter.excluding import exclusion_of  # noqa: PLC0415 - only where a folder is searched

            settings = self._load(path) if path else None
            self._exclusions[path] = exclusion_of(settings, os.path.dirname(path or "."), **self._search)  # noqa: PTH120 - as above
        return self._exclusions[path]

    def forbids(self, item: Input) -> bool:
        """Say whether a file is excluded by force, even where it was named; raises InvalidConfig."""
        folder = os.path.dirname(item.name) or "."  # noqa: PTH120 - as below
        is_forced = self._is_forced
        if is_forced is None and (path := self._config_of(folder)):
            is_forced = self._load(path).force_exclude
        return bool(is_forced and item.path) and self.exclusion_of(folder).forbids(os.path.abspath(item.name))  # noqa: PTH100 - links stay

    def _config_of(self, folder: str) -> str | None:
        if self._config is not None or self._is_isolated:
            return self._config
        if folder not in self._configs:
            found = find_config(folder, self._found)
            near = found and os.path.relpath(found)
            self._configs[folder] = found if near is None or near.startswith("..") else near
        return self._configs[folder]

    def _load(self, path: str) -> "Config":
        if path not in self._loaded:
            from lighter.config import load_config  # noqa: PLC0415 - only where a file holds

            self._loaded[path] = load_config(path)
        return self._loaded[path]


def _fixing(fix: bool | None, unsafe_fixes: bool | None, unanswered: Unanswered | None) -> "Fixing | None":
    """Say what may be repaired in a file; None for nothing."""
    if not fix:
        return None
    from lighter.fixing_plan import Fixing  # noqa: PLC0415 - loaded only when something is to be fixed

    return Fixing(bool(unsafe_fixes), unanswered or "error", may_set_aside=True)
