"""How much each target minds a rule's fault, worked out for all of them at once."""

from collections.abc import Iterator, Mapping

from lighter.diagnostics import SEVERITIES, Severity
from lighter.providers import TARGETS, Target
from lighter.rule import Aim, Rule, severity_for


def severities(rule: Rule) -> Mapping[str, Severity]:
    """Tell for each target that minds a rule's fault how much, in the target's own mode where the rule applies to that.

    Without a target it may depend on the format of the file: then `generic:FORMAT` stands for each that counts, as in the rule.
    """
    return {name: severity for target in TARGETS.values() for name, severity in _severities(rule, target)}


def by_severity(rule: Rule) -> Mapping[Severity, tuple[str, ...]]:
    """Group the targets by how much they mind, those that mind most first."""
    told = severities(rule)
    grouped: dict[Severity, tuple[str, ...]] = {
        severity: tuple(name for name, own in told.items() if own == severity) for severity in SEVERITIES
    }
    return {severity: names for severity, names in grouped.items() if names}


def _severities(rule: Rule, target: Target) -> Iterator[tuple[str, Severity]]:
    if target.mode == "finetune" and "finetune" not in rule.modes:
        return
    mode = target.mode if target.mode in rule.modes else rule.modes[0]
    formats = (target.format, *target.also_reads) if target.format else rule.formats or _FORMATS
    found: list[tuple[str, Severity | None]] = [
        (name, severity_for(rule, Aim(target.name, mode, name, target.kin))) for name in formats
    ]
    is_split = target.format is None and len({severity for _, severity in found}) > 1
    for name, severity in found:
        if severity is not None:
            yield (f"{target.name}:{name}" if is_split else target.name), severity
            if not is_split:
                return


_FORMATS = tuple(dict.fromkeys(target.format for target in TARGETS.values() if target.format))
