"""Repairs of what is found in the form of another target: those that the same rule knows for the source's own form."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from lighter.edits import Repair
from lighter.passage import Passage
from lighter.rule import Aim, Finding, severity_for
from lighter.rules import RuleModule


def repaired_in_source(
    found: Iterable[tuple[RuleModule, Finding]], source: Passage, aim: Aim
) -> Iterator[tuple[RuleModule, Finding]]:
    """Give findings that were led back to the source each with the repair that its rule has for the same place there."""
    known: dict[str, dict[tuple[int, str], Repair]] = {}
    own = Aim(aim.target, aim.mode, source.format, aim.kin)
    for module, finding in found:
        name = module.rule.name
        if module.rule.fix is not None and name not in known:
            known[name] = _repairs(module, source, own)
        repair = known.get(name, {}).get((finding.record.row, finding.path))
        yield module, replace(finding, repair=repair) if repair else finding


def _repairs(module: RuleModule, source: Passage, aim: Aim) -> dict[tuple[int, str], Repair]:
    """Give the repairs of a rule in the source, by row and pointer."""
    if module.check is None or severity_for(module.rule, aim) is None:
        return {}
    return {
        (finding.record.row, finding.path): finding.repair
        for finding in module.check(source, aim)
        if finding.repair is not None
    }
