"""The page of a rule as Markdown, for terminals, editors and reports alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spvls.grammar import glossary
from spvls.validate.engine.explanation import Explanation
from spvls.validate.engine.rule_references import Reference

MOST_VUIDS = 5
"""So many valid usages are listed where the page is shown beside a finding."""

OF_THE_ASSEMBLER = ("syntax/duplicate-definition", "syntax/too-long", "syntax/unavailable-opcode")
"""What only the assembler reports, whatever a project or a comment says."""

_NOT_CONFIGURED = ("config/", "internal/", "report/", *OF_THE_ASSEMBLER)
_OF_BINARIES = (
    "id/bound-is-within-limit", "id/is-below-bound", "module/reserved-header-word-is-zero", "module/version-fits-environment",
    "physical/",
)  # fmt: skip
_NOT_IGNORED = ("host/", "link/", "suppression/", "syntax/paper-notation", "text/", *_OF_BINARIES, *_NOT_CONFIGURED)


def page_markdown(found: Explanation) -> str:
    """The whole page: each part below a heading."""
    head = f"# {found.id}" + (f" ({found.about})" if found.about else "")
    return "\n\n".join(
        [head, "**What it checks**", found.title, *_parts(found), *_settings(found), *_references(found.references)]
    )


def hover_markdown(found: Explanation) -> str:
    """The page beside a finding: without settings, and with a few of the valid usages."""
    vuids = [reference for reference in found.references if reference.text.startswith("VUID-")]
    shown = [reference for reference in found.references if reference not in vuids[MOST_VUIDS:]]
    return "\n\n".join([f"**{found.id}**: {found.title}", *_parts(found), *_references(shown, len(found.references) - len(shown))])


def _parts(found: Explanation) -> Iterator[str]:
    if found.why or found.severity_reason:
        yield "**Why**"
        yield from glossary.linked(found.why)
    if found.severity_reason:
        yield found.severity_reason
    if found.example:
        yield "**Example**"
        yield found.example
    if found.instead:
        yield "**Use instead**"
        yield found.instead
    if found.fixes:
        yield "**Fix**"
        yield "\n".join(
            f"- {fix.title}" + ("" if fix.sure else " (a choice: `--fix` applies it only with `--unsafe-fixes`)")
            for fix in found.fixes
        )


def _settings(found: Explanation) -> Iterator[str]:
    lines = [f"- `--{option.flag}`: {option.description}" for option in found.options]
    if not found.id.startswith(_NOT_CONFIGURED):
        lines.append(f'- `"{found.id}" = "off"` in the table `[rules]` of `spvls.toml` turns the rule off')
    if not found.id.startswith(_NOT_IGNORED):
        comment = f"`; spvls: ignore[{found.id}]`"
        lines.append(f"- {comment} suppresses the findings on its line, or on the next one if the line has no instruction")
    if lines:
        yield "**Settings**"
        yield "\n".join(lines)


def _references(shown: Sequence[Reference], left_out: int = 0) -> Iterator[str]:
    if shown:
        yield "**References**"
        more = [f"- {left_out} more, which `spvls explain` lists"] if left_out else []
        yield "\n".join([*(f"- [{reference.text}]({reference.address})" for reference in shown), *more])
