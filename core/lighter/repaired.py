"""Examples of a rule with what becomes of them when it is repaired: what `lighter rule` and the pages about rules show."""

import io
from functools import partial

from msgspec import Struct

from lighter.diagnostics import Applicability
from lighter.excerpt import harmless
from lighter.fixing import fix_stream
from lighter.fixing_diff import patch
from lighter.fixing_plan import Fixing
from lighter.linting import LintOptions
from lighter.rule import Example
from lighter.rules import RuleModule


class Repaired(Struct, frozen=True):
    """An example and the text that the rule's repair makes of it: `--fix` does a safe one, `--unsafe-fixes` the others."""

    example: Example
    after: str
    applicability: Applicability


def repaired(module: RuleModule) -> tuple[Repaired, ...]:
    """Repair a rule's examples by that rule alone; those that must be mended by hand are left out."""
    found = (_repaired(module, example) for example in module.invalid) if module.rule.fix else ()
    return tuple(one for one in found if one is not None)


def _repaired(module: RuleModule, example: Example) -> Repaired | None:
    data = example.text.encode("utf-8", "surrogatepass")
    name = "example.jsonl" if data.endswith(b"\n") else "example.json"
    options = LintOptions(example.target, example.mode, example.format, (module.rule.code,))
    kinds: tuple[Applicability, ...] = ("safe", "unsafe")
    for applicability in kinds:
        fixing = Fixing(applicability == "unsafe", may_set_aside=True)
        with fix_stream(partial(io.BytesIO, data), name, options, fixing) as fixed:
            if fixed.content is not None:
                fixed.content.seek(0)
                return Repaired(example, fixed.content.read().decode("utf-8", "surrogatepass"), applicability)
    return None


def shortest(module: RuleModule) -> Repaired | None:
    """Give the shortest of a rule's examples that can be repaired; None where there is none."""
    return min(repaired(module), key=lambda one: len(one.example.text), default=None)


def change_of(one: Repaired) -> list[str]:
    """Write what is repaired in an example as lines that begin with a blank (kept), `-` (before) or `+` (after)."""
    old, new = (io.BytesIO(text.encode("utf-8", "surrogatepass")) for text in (one.example.text, one.after))
    lines = [line for line in patch(old, new, "") if line[:2] not in (b"--", b"++", b"@@") and line[:1] in b" -+"]
    # Behind a last line without an end stands a remark of the patch.
    return [harmless(line.split(b"\n")[0].decode("utf-8", "backslashreplace").rstrip("\r")) for line in lines]
