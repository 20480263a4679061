"""The terms of the specification, and links to them."""

from __future__ import annotations

import re

import pytest

from spvls.grammar import docs, glossary, sections, tables
from spvls.grammar.keys import keys
from tests.grammar.test_docs import problems

NUMBERS = {section.number for section in vars(sections).values() if isinstance(section, sections.Section)}


def test_every_term_is_well_formed() -> None:
    found = []
    for name, known in glossary.terms().items():
        entry = docs.parse(name, known.markdown)
        found += [(name, problem) for problem in problems(entry, []) if "three sentences" not in problem]
    assert found == []
    assert [name for name, known in glossary.terms().items() if known.section not in NUMBERS | {"Vulkan"}] == []


def test_forms_are_in_lower_case_and_belong_to_one_term() -> None:
    forms = [form for known in glossary.terms().values() for form in known.forms]
    assert sorted(forms) == sorted(set(forms)) and all(form == form.lower() for form in forms)
    for name, known in glossary.terms().items():
        others = {form for other in glossary.terms().values() if other is not known for form in other.forms}
        assert name.lower() not in others


def test_what_terms_name_exists() -> None:
    known = {name for opcode in tables.opcodes() for name in (opcode.name, *opcode.aliases)}
    last = {key.rpartition(".")[2] for key in keys()}
    for name, text in ((name, known.markdown) for name, known in glossary.terms().items()):
        for word in re.findall(r"`(\w+)`", text):
            known_name = word in known | {"OpenCL"} if word.startswith("Op") else word in last | tables.extension_names()
            assert known_name or word in ("OpConstant", "OpSpec"), (name, word)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("structurally dominates", "Structurally dominate"),
        ("Structurally  Dominate", "Structurally dominate"),
        ("tangles", "Tangle"),
        ("tangled instruction", "Tangled instruction"),
        ("blocks", "Block"),
        ("code motion", "Code motion"),
    ],
)
def test_lookup(words: str, name: str) -> None:
    found = glossary.term(words)
    assert found is not None and found.name == name


@pytest.mark.parametrize("words", ["", "s", "OpPhi", "structurally"])
def test_lookup_of_nothing(words: str) -> None:
    assert glossary.term(words) is None


def test_the_first_use_of_a_term_is_a_link() -> None:
    given = ["A merge block and `merge block`.", "Another merge block; [a tangle](x) is not a tangle."]
    merge, tangle = (glossary.terms()[name].address for name in ("Merge block", "Tangle"))
    assert merge == glossary.PAGE + "#merge-block"
    assert glossary.linked(given) == [
        f"A [merge block]({merge}) and `merge block`.",
        f"Another merge block; [a tangle](x) is not a [tangle]({tangle}).",
    ]
    assert glossary.linked(given, besides=glossary.terms()["Merge block"])[0] == given[0]


def test_the_longest_form_wins() -> None:
    (text,) = glossary.linked(["It strictly structurally dominates back-edge blocks."])
    assert "[strictly structurally dominates]" in text and "[back-edge blocks]" in text


