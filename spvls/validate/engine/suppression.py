"""Comments that set findings aside: `; spvls: ignore[rule, …]` on the line of a finding, or alone on the line above it.

A comment that names no rule that exists is a finding itself, and so is one that sets nothing aside of a rule that runs.
"""

from __future__ import annotations

from functools import cache

from spvls.diagnostic import RULE_FAILED, Diagnostic, Edit, Fix, Position, Range, Severity
from spvls.record import NamedTuple
from spvls.steps import PORTION, Steps
from spvls.syntax.document import Document
from spvls.text.pattern import pattern
from spvls.typed import TYPE_CHECKING
from spvls.validate.engine.aliases import current_id
from spvls.validate.engine.directives import misunderstood
from spvls.validate.engine.options import Options
from spvls.validate.engine.rule import is_for
from spvls.validate.engine.rule_index import RULES

if TYPE_CHECKING:
    from spvls.syntax.nearest import Spelling

_COMMENT = pattern(r";\s*spvls:\s*ignore\[([^\]\r\n]*)\]")
_NAME = pattern(r"[^\s,]+")
_OWN_LINE = pattern(r"\s*;")

_PORTION = 8 * PORTION
"""Findings that are gone through in one step."""

_SWITCHES = frozenset({"advice", "device", "simplifications"})
"""Options without which the rules that read them find nothing."""

#: Findings that no rule of the registry makes: those of the text itself.
_TEXT_RULES = ("syntax/", "comment/")


class _Ignored(NamedTuple):
    """One rule named in a comment, and how it is `written` there; `line` is the line that it speaks of."""

    rule: str
    written: str
    line: int
    where: Range


def settle(found: list[Diagnostic], document: Document, api: str, options: Options) -> Steps[list[Diagnostic]]:
    """`found`, for an API, without what the comments of a text set aside, and with what is wrong with the comments that address
    spvls; in short steps."""
    ignored: list[_Ignored] = []
    for at, number in enumerate(document.directives):
        if not at % PORTION:
            yield
        ignored.extend(_ignored(number, document.lines[number]))
    faults = yield from misunderstood(document)
    if not ignored:
        return (yield from merged(found, faults))
    wanted = {(entry.rule, entry.line) for entry in ignored}
    used: set[tuple[str, int]] = set()

    def is_kept(diagnostic: Diagnostic) -> bool:
        key = (diagnostic.rule, diagnostic.range.start.line if diagnostic.range is not None else -1)
        if key not in wanted or diagnostic.rule == RULE_FAILED:
            return True
        used.add(key)
        return False

    kept: list[Diagnostic] = []
    for start in range(0, len(found), _PORTION):
        yield
        kept += filter(is_kept, found[start : start + _PORTION])
    faults = [*filter(is_kept, faults)]
    for at, entry in enumerate(ignored):
        if not at % PORTION:
            yield
        fault = _fault(entry) if (entry.rule, entry.line) not in used and _runs(entry.rule, api, options) else None
        if fault is not None:
            faults.append(fault)
    return (yield from merged(kept, faults))


def merged(found: list[Diagnostic], faults: list[Diagnostic]) -> Steps[list[Diagnostic]]:
    """Findings in the order of the text and those of comments, all in that order, in short steps."""
    if not faults:
        return found
    from heapq import merge

    yield
    ordered: list[Diagnostic] = []
    for diagnostic in merge(found, sorted(faults, key=_place), key=_place):
        ordered.append(diagnostic)
        if not len(ordered) % PORTION:
            yield
    return ordered


def _place(diagnostic: Diagnostic) -> Range:
    return diagnostic.range or Range(Position(-1, 0), Position(-1, 0))


def _ignored(number: int, line: str) -> list[_Ignored]:
    target = number + 1 if _OWN_LINE.match(line) else number
    return [
        _Ignored(
            current_id(name.group()), name.group(), target, Range(Position(number, name.start()), Position(number, name.end()))
        )
        for comment in _COMMENT.finditer(line)
        for name in _NAME.finditer(line, comment.start(1), comment.end(1))
    ]


@cache
def _spelling() -> Spelling:
    from spvls.syntax.nearest import Spelling

    return Spelling(RULES)


@cache
def _ids_of_findings() -> frozenset[str]:
    from spvls.validate.engine.explanation import explained  # for few texts

    return frozenset(explained())


def _runs(rule: str, api: str, options: Options) -> bool:
    """Whether a rule that there is runs for an API, with the option that turns it on."""
    from spvls.validate.engine.rule_facts import facts_of

    apis = RULES[rule][2] if rule in RULES else ""
    needed = _SWITCHES.intersection(facts_of(rule).options)
    return not (apis and not is_for(api, apis)) and all(getattr(options, switch) for switch in needed)


def _fault(entry: _Ignored) -> Diagnostic:
    if entry.rule not in RULES and not entry.rule.startswith(_TEXT_RULES):
        if entry.rule in _ids_of_findings():
            message = f"a comment cannot ignore findings of {entry.rule}; remove this id"
            return Diagnostic("suppression/unknown-rule", Severity.WARNING, message, entry.where)
        near = _spelling().nearest(entry.rule)
        hint = f"; did you mean {near}?" if near else "; `spvls rules` lists all rules"
        fixes = (Fix(f"Change to {near}", (Edit(entry.where, near),)),) if near else ()
        message = f"there is no rule {entry.rule}{hint}"
        return Diagnostic("suppression/unknown-rule", Severity.WARNING, message, entry.where, fixes=fixes)
    message = f"line {entry.line + 1} has no findings of {entry.written}; remove this comment"
    return Diagnostic("suppression/unused", Severity.HINT, message, entry.where, tags=("unnecessary",))
