"""What a finding is about, and why: the page of each rule, and of what readers find before rules are asked.

The first line of a rule's docstring says what it checks, the paragraphs after it say why; all else is gathered. Findings that
no rule makes have the same in `grammar/docs/findings.md`.
"""

from __future__ import annotations

from inspect import cleandoc

from spvls.diagnostic import Severity
from spvls.grammar import docs
from spvls.record import NamedTuple
from spvls.text.escaping import code_block
from spvls.validate.engine.aliases import current_id
from spvls.validate.engine.option_names import DESCRIPTIONS
from spvls.validate.engine.rule import Rule, find_rule
from spvls.validate.engine.rule_facts import FixFact, facts_of
from spvls.validate.engine.rule_index import RULES
from spvls.validate.engine.rule_references import Reference, references

SEVERITY_REASONS = {
    Severity.WARNING: "A warning, because spirv-val does not check this.",
    Severity.INFORMATION: "Information only, because SPIR-V permits it.",
    Severity.HINT: "A hint, because SPIR-V permits it.",
}
"""Why the findings of a rule are not errors, unless its author gives another reason: a paragraph that begins with the same words
up to the comma."""

_APIS = {"opencl": "OpenCL", "opengl": "OpenGL", "vulkan": "Vulkan"}
_FILE = "findings.md"
_WRITTEN = ("Bad:", "Good:")


class Option(NamedTuple):
    """An option of the validator that a rule reads: its long flag without the hyphens, and what it does."""

    flag: str
    description: str


class Explanation(NamedTuple):
    """The parts of a rule's page; texts are Markdown. `about` says in a few words how severe the findings are and which client
    APIs they are for. `title` is what the rule checks, in one sentence, and `why` has the paragraphs after it.
    `severity_reason` says why a finding is not an error, and is empty for errors. `example` shows what is wrong and `instead`
    what is right, `fixes` are the quick fixes, `options` those of the validator that the rule reads."""

    id: str
    about: str
    title: str
    why: tuple[str, ...]
    severity_reason: str
    example: str
    instead: str
    fixes: tuple[FixFact, ...]
    options: tuple[Option, ...]
    references: tuple[Reference, ...]


def explanation(id_: str) -> Explanation | None:
    """What there is to say of the findings with that id, or that had it before; None where there are none."""
    id_ = current_id(id_)
    rule = find_rule(id_)
    text = rule.documentation if rule is not None else docs.texts(_FILE).get(id_)
    if text is None:
        return None
    facts = facts_of(id_)
    title, *paragraphs = _paragraphs(text)
    return Explanation(
        id_,
        _about(rule) if rule is not None else "",
        title,
        tuple(part for part in paragraphs if not _is_reason(part) and not part.startswith(_WRITTEN)),
        _severity_reason(rule, paragraphs) if rule is not None else "",
        code_block(facts.example, "spirv") if facts.example else _written("Bad:", paragraphs),
        code_block(facts.instead, "spirv") if facts.instead else _written("Good:", paragraphs),
        facts.fixes,
        tuple(Option(name.replace("_", "-"), DESCRIPTIONS[name]) for name in facts.options),
        tuple(references(id_, facts)),
    )


def title_of(id_: str) -> str:
    """What the findings with that id are about, in one sentence; nothing where it is not known."""
    found = explanation(id_)
    return "" if found is None else found.title


def explained() -> list[str]:
    """The ids of all findings."""
    return sorted({*RULES, *docs.texts(_FILE)})


def _about(rule: Rule) -> str:
    parts = [rule.severity.value]
    if rule.apis:
        parts.append("for " + ", ".join(_APIS[api] for api in sorted(rule.apis)))
    if rule.excepted:
        parts.append("not for " + ", ".join(_APIS[api] for api in sorted(rule.excepted)))
    return "; ".join(parts)


def _paragraphs(text: str) -> list[str]:
    """The paragraphs of a docstring, each on one line; the examples of what no fixture can show begin with `Bad:` and `Good:`."""
    parts = cleandoc(text).strip().replace("\nGood:", "\n\nGood:").split("\n\n")
    return [" ".join(part.split()) for part in parts]


def _written(label: str, paragraphs: list[str]) -> str:
    return next((part.removeprefix(label).strip() for part in paragraphs if part.startswith(label)), "")


def _is_reason(paragraph: str) -> bool:
    return any(paragraph.startswith(reason.partition(",")[0] + ",") for reason in SEVERITY_REASONS.values())


def _severity_reason(rule: Rule, paragraphs: list[str]) -> str:
    own = " ".join(filter(_is_reason, paragraphs))
    return own or SEVERITY_REASONS.get(rule.severity, "")
