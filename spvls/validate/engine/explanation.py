"""What a finding is about, and why: the documentation of rules, and of what readers find before rules are asked."""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import NamedTuple

from spvls.grammar import docs
from spvls.validate.engine.aliases import current_id
from spvls.validate.engine.rule import rules

_FILE = "findings.md"
_GOOD = re.compile(r"\n(?=Good: )")


class Explanation(NamedTuple):
    """`about` says in a few words how grave the finding is, and where it is specified; `text` is Markdown."""

    id: str
    about: str
    text: str

    @property
    def markdown(self) -> str:
        """The same for who makes paragraphs of lines: the good example keeps a line of its own."""
        text = _GOOD.sub("  \n", self.text)
        return f"**{self.id}**: {text}"


def explanation(id_: str) -> Explanation | None:
    """What there is to say of the findings with that id, or that had it before; None where there are none."""
    id_ = current_id(id_)
    rule = rules().get(id_)
    if rule is None:
        text = docs.texts(_FILE).get(id_)
        return Explanation(id_, "", text.strip()) if text is not None else None
    about = [rule.severity.value, f"SPIR-V {rule.section.number}"]
    if rule.vuid is not None:
        about.append(rule.vuid)
    if rule.apis:
        about.append("for " + ", ".join(sorted(rule.apis)))
    if rule.excepted:
        about.append("not for " + ", ".join(sorted(rule.excepted)))
    return Explanation(id_, "; ".join(about), cleandoc(rule.documentation))


def title_of(id_: str) -> str:
    """What the findings with that id are about, in one sentence; nothing where it is not known."""
    found = explanation(id_)
    return "" if found is None else found.text.partition("\n")[0]


def explained() -> list[str]:
    """The ids of all findings."""
    return sorted({*rules(), *docs.texts(_FILE)})
