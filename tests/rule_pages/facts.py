"""`grammar/rule_facts.json`: what is gathered of each rule, one rule a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

from spvls.diagnostic import Diagnostic
from spvls.grammar import registry, tables
from spvls.grammar.keys import keys, resolve
from spvls.grammar.records import Entity, Enumerant, ExtendedSet, Opcode
from spvls.ide.documentation import links
from spvls.syntax.operand_decls import declared_operands, enumerants
from spvls.syntax.scanner import scan
from spvls.text.lines import split_lines
from spvls.validate.engine.explanation import explained
from spvls.validate.engine.options import Options
from spvls.validate.engine.rule import Rule, rules
from tests.corpus import ROOT, RULES, text_of
from tests.rule_pages.code import code_of
from tests.rule_pages.examples import examples
from tests.validate.cases import Mark, case_files, found_in, marks, read_cases, settings

PATH = ROOT / "grammar" / "rule_facts.json"
FORMER_IDS = Path(__file__).with_name("former_ids.tsv")
"""Each id that a finding had before, and the one that it has now, in the order of the former ones."""

_EXTENSION = re.compile(r"\bSPV_[A-Z]+_\w+")
_CONDITION = re.compile(r"\s*Op(?:(EntryPoint|ExecutionMode)|\w*Decorate|Capability|MemoryModel)|; spvls: (target-env)=open")
_SORTS = (
    (re.compile(r"Convert (%\S+) by (Op\w+)"), r"Convert \1 by an instruction such as \2"),
    (re.compile(r"Declare the capability (Int8|Int16|Float16)"), r"Declare the capability that the type requires, such as \1"),
    (re.compile(r"Declare (%\S+ = .+)"), r"Declare what is missing, such as \1"),
    (re.compile(r"Make it a pointer to (%\S+) in (\w+)"), r"Make it a pointer to \1 in the storage class that is required, such as \2"),
)
"""Fixes of one sort, which differ in what types or storage classes call for: their titles, and what a page says of all of them."""
OTHERS = ", for example"
"""What a page says after a title that is one of several of its form."""
_TITLE_ID = re.compile(r"%[\w.]+")
_TITLE_NAME = re.compile(r"((?:capability|extension|SPIR-V|Write|Add|by|before|after|\(|\b(?=\d))\s?)[\w.]+")
_VENDORS_WORD = re.compile(r"\b(?!SPV_)\w+(?:KHR|EXT|NV|AMD|ARM|QCOM|INTEL)\b")


def facts_text() -> str:
    """What the file has to hold."""
    lines = ((id_, {name: value for name, value in _facts(id_).items() if value}) for id_ in explained())
    return (
        "{\n" + ",\n".join(f"{json.dumps(id_)}: {json.dumps(entry, ensure_ascii=False)}" for id_, entry in lines if entry) + "\n}\n"
    )


@cache
def fixture_findings(id_: str) -> tuple[tuple[Mark, Diagnostic], ...]:
    """What is found in the fixture of a rule; nothing where it has none."""
    path = RULES / f"{id_}.spvasm"
    return tuple(found_in(text_of(path))) if path.exists() else ()


def _facts(id_: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    path, clean = RULES / f"{id_}.spvasm", RULES / f"{id_}.clean.spvasm"
    if path.exists():
        flags = _flags(text_of(path))
        faulty = text_of(path)
        shown = partial(examples, id_, faulty, text_of(clean), fixture_findings(id_), limited=bool(flags))
        example, instead = shown(conditions=_conditions(id_, faulty, shown()[0]))
        found |= {"example": flags + example, "instead": instead and flags + instead, "fixes": _fixes(id_)}
    rule = rules().get(id_)
    if rule is not None:
        code = code_of(rule)
        found |= {"options": sorted(code.options | _implying(code.options)), "vuids": sorted(code.vuids), "sources": _sources(rule)}
    return found | {"former": [former for former, current in former_ids() if current == id_]}


@cache
def former_ids() -> tuple[tuple[str, str], ...]:
    """The rows of `FORMER_IDS`."""
    rows = (line.partition("\t") for line in text_of(FORMER_IDS).splitlines())
    return tuple((former, current) for former, _, current in rows)


def _implying(read: frozenset[str]) -> set[str]:
    """The options that set others, some of which are `read`."""
    switches = [name for name, default in Options._field_defaults.items() if default is False]
    return {given for given in switches if any(getattr(Options.of({given: True}), name) is True for name in read.intersection(switches))}


def _fixes(id_: str) -> list[list[str | bool]]:
    """The titles of the quick fixes of a finding, each with whether it is sure: those of its fixture and, for rules, of the others
    that cases have one of each form, without ids."""
    own = (fix for _, finding in fixture_findings(id_) if finding.rule == id_ for fix in finding.fixes)
    shown = dict.fromkeys((fix.title, fix.preferred) for fix in own)
    forms = {(fix_form(title), sure) for title, sure in shown}
    of_cases = case_fixes().get(id_, {}) if id_ in rules() else {}
    others = {(min(titles), form[1]) for form, titles in of_cases.items() if form not in forms}
    found: dict[tuple[str, bool], str] = {}
    for title, sure in (*shown, *sorted(others)):
        said = fix_title(title)
        if said == title and len(of_cases.get((fix_form(title), sure), ())) > 1:
            said += OTHERS
        found.setdefault((title if said == title else fix_form(title), sure), said)
    return [[title, sure] for (_, sure), title in found.items()]


@cache
def case_fixes() -> dict[str, dict[tuple[str, bool], set[str]]]:
    """The titles of the quick fixes in all cases, without ids, by rule and by form."""
    found: dict[str, dict[tuple[str, bool], set[str]]] = {}
    for path in case_files():
        for case in read_cases(path):
            for _, finding in found_in(case.text) if marks(case.text) else ():
                for fix in finding.fixes:
                    form = fix_form(fix.title), fix.preferred
                    title = _TITLE_ID.sub("%…", fix.title).partition(": ")[0]
                    found.setdefault(finding.rule, {}).setdefault(form, set()).add(title)
    return found


def fix_title(title: str) -> str:
    """What a page says of a fix: its title, or what holds for all of its sort."""
    for pattern, said in _SORTS:
        if pattern.fullmatch(title):
            return pattern.sub(said, title)
    return title


def fix_form(title: str) -> str:
    """What a page says of a fix, without what differs from module to module."""
    said = _TITLE_ID.sub("%…", fix_title(title.removesuffix(OTHERS))).partition(": ")[0].partition(" such as ")[0]
    return _TITLE_NAME.sub(r"\1…", said)


def _conditions(id_: str, faulty: str, example: Iterable[str]) -> Iterator[int]:
    """The lines of a fixture that its example lacks, but that its findings depend on: entry points, execution modes, client APIs
    other than Vulkan, and capabilities and addressing models that the page names, without which the rule finds nothing; decorations
    and capabilities without which nothing is found."""
    shown = {" ".join(line.split()) for line in example}
    lines = faulty.split("\n")
    rule = rules().get(id_)
    words = {*re.findall(r"\w+", rule.documentation)} if rule is not None else set()
    for number, line in enumerate(lines):
        condition = _CONDITION.match(line)
        if condition is None or " ".join(line.split()) in shown:
            continue
        without = [diagnostic for _, diagnostic in found_in("\n".join([*lines[:number], f";{line}", *lines[number + 1 :]]))]
        named = condition[1] or condition[2] or words.intersection(line.split()[1:2])
        if not without or (named and all(diagnostic.rule != id_ for diagnostic in without)):
            yield number


def _flags(text: str) -> list[str]:
    """The limits and the device that a fixture is checked with, as flags in comments: without them nothing would be wrong."""
    return [f"; --{name.replace('_', '-')} {value}" for name, value in settings(text).options.items() if value is not True]


def _sources(rule: Rule) -> list[list[str]]:
    """The extensions that a rule names, and those that bring what its title names, all of its opcodes, or what its fixture has
    on a line that a finding is on; the extended sets of the instructions on these lines."""
    named = _EXTENSION.findall(rule.documentation)
    title = " ".join(rule.documentation.partition("\n\n")[0].split())
    titled = [entity for word in _VENDORS_WORD.findall(title) for entity in _entities().get(word, ())]
    named += [name for entity in titled for name in links.extensions_of(entity)]
    brought = [links.extensions_of(known) for value in rule.opcodes or () if (known := tables.opcode_by_value(value)) is not None]
    if brought and all(brought):
        named += [name for names in brought for name in names]
    declared = set(re.findall(r'OpExtension "(\w+)"', _fixture(rule.id)))
    named += [name for name in _on_marked_lines(rule.id) if name in declared]
    found = {name: links.of_extension(name) for name in named}
    found |= {known.name if known is not None else name: links.of_set(known, name) for name, known in _sets(rule.id)}
    return [
        [name] if (page := registry.page(name)) is not None and page.address == address else [name, address]
        for name, address in found.items()
        if address is not None
    ]


def _sets(id_: str) -> Iterator[tuple[str, ExtendedSet | None]]:
    """The extended sets whose instructions are on lines that a rule's findings are on."""
    marked = {mark.line for mark, _ in fixture_findings(id_) if mark.rule == id_}
    lines = _fixture(id_).split("\n")
    for result, name in re.findall(r'(%\w+) = OpExtInstImport "([^"]+)"', _fixture(id_)):
        if any(line is not None and re.search(rf"OpExtInst\w* %\w+ {result}\b", lines[line]) for line in marked):
            yield name, tables.extended_set(name)


@cache
def _entities() -> dict[str, list[Entity]]:
    """Opcodes and enumerants by their names without a kind."""
    found: dict[str, list[Entity]] = {}
    for key in keys():
        subject = resolve(key)
        if subject is not None and isinstance(subject.record, Opcode | Enumerant):
            found.setdefault(subject.record.name, []).append(subject.record)
    return found


def _fixture(id_: str) -> str:
    path = RULES / f"{id_}.spvasm"
    return text_of(path) if path.exists() else ""


def _on_marked_lines(id_: str) -> list[str]:
    """The extensions that bring the opcode or an enumerant of the lines that a rule's findings are on."""
    marked = {mark.line for mark, _ in fixture_findings(id_) if mark.rule == id_}
    found: list[str] = []
    for line, record in scan(split_lines(_fixture(id_))):
        if line in marked:
            entities: list[Entity] = [record.opcode]
            for declared, operand in declared_operands(record):
                entities += enumerants(declared.kind, operand) if isinstance(operand, int) else ()
            found += [name for entity in entities for name in links.extensions_of(entity)]
    return found
