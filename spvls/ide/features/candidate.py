"""What completion offers."""

from __future__ import annotations

from enum import Enum

from spvls.grammar.records import Entity, ExtendedSet
from spvls.ide.documentation.availability import is_deprecated
from spvls.ide.documentation.docs_markdown import key_of
from spvls.ide.features.requirements import Requirement
from spvls.module.module import Module
from spvls.record import NamedTuple


class CandidateKind(Enum):
    """What a candidate is."""

    OPCODE = "opcode"
    ENUMERANT = "enumerant"
    EXTENDED = "extended instruction"
    TYPE = "type"
    CONSTANT = "constant"
    VARIABLE = "variable"
    VALUE = "value"
    FUNCTION = "function"
    LABEL = "label"
    MODULE = "module"
    LITERAL = "literal"
    SKELETON = "skeleton"


class Candidate(NamedTuple):
    """One answer. `rank` sorts: 0 fits, higher ones less, REQUIRED is what the module lacks, and WHOLE a module. `key` is what
    `describe` wants to know it again.

    `snippet` is the text with `${1:…}` holes, where there are any; `continues` says that more is to be suggested once it is
    taken; `requirement` is what the module has to declare first.
    """

    label: str
    kind: CandidateKind
    detail: str
    text: str
    key: str
    rank: int = 0
    snippet: str | None = None
    requirement: Requirement | None = None
    deprecated: bool = False
    continues: bool = False


REQUIRED = -1
"""The rank of what the module lacks, and would have at that place."""
WHOLE = REQUIRED - 1
"""The rank of a whole module, where there is none yet."""


def entity_candidate(
    module: Module,
    entity: Entity,
    kind: CandidateKind,
    detail: str,
    needed: Requirement | None,
    *,
    snippet: str | None = None,
    known: ExtendedSet | None = None,
    name: str | None = None,
) -> Candidate:
    """An entry of the grammar as a candidate: what is not enabled comes later, and says what it needs."""
    rank = 0 if needed is None else 2 if entity.version is None else 1
    if needed is not None:
        detail = f"{detail} · needs {needed.phrase}" if detail else f"needs {needed.phrase}"
    label = name or entity.name
    key = key_of(entity, known)
    gone = entity.last_version is not None or is_deprecated(key, module)
    return Candidate(label, kind, detail, label, key, rank, snippet, needed, gone)
