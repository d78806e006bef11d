"""How much each target minds a rule's fault, worked out for all of them at once."""

from collections.abc import Mapping

from lighter.diagnostics import Severity
from lighter.providers import TARGETS, Target
from lighter.rule import Aim, Rule, severity_for


def severities(rule: Rule) -> Mapping[str, Severity]:
    """Tell for each target that minds a rule's fault how much, in the target's own mode where the rule applies to that."""
    return {name: severity for name, target in TARGETS.items() if (severity := _severity(rule, target)) is not None}


def _severity(rule: Rule, target: Target) -> Severity | None:
    if target.mode == "finetune" and "finetune" not in rule.modes:
        return None
    mode = target.mode if target.mode in rule.modes else rule.modes[0]
    formats = [target.format, *target.also_reads] if target.format else list(rule.formats or _FORMATS)
    for name in formats:
        severity = severity_for(rule, Aim(target.name, mode, name, target.kin))
        if severity is not None:
            return severity
    return None


_FORMATS = tuple(dict.fromkeys(target.format for target in TARGETS.values() if target.format))
