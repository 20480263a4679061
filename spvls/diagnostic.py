"""Findings as every layer and every front end exchanges them."""

from __future__ import annotations

from spvls.record import Enum, NamedTuple


class Severity(Enum):
    """How grave a finding is; the values are the names used in settings and in JSON."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


SHOWN_IN_FULL = 10
"""So many findings of a rule are shown with all that belongs to them."""

RULE_FAILED = "internal/rule-failed"
"""The id of the finding that a rule has failed. Comments do not set it aside: without the rule, faults may be missed."""


class Position(NamedTuple):
    """A place in a text: 0-based line, 0-based column in code points."""

    line: int
    column: int


class Range(NamedTuple):
    """From `start` up to, and not including, `end`."""

    start: Position
    end: Position


class Edit(NamedTuple):
    """Put `text` in the place of `range`."""

    range: Range
    text: str


class Fix(NamedTuple):
    """A set of edits that removes a finding; `preferred` where it is the one sure answer."""

    title: str
    edits: tuple[Edit, ...]
    preferred: bool = True


class Related(NamedTuple):
    """Another place that a finding speaks of, and what is to be seen there."""

    range: Range
    message: str


class SourceLine(NamedTuple):
    """The line of a source that an instruction was compiled from, as the module names it.

    `line`, `column` and `end_column` count from 1; a column is 0 where it is not known. `text` is the line, None where the module
    does not carry it. It is row `row` of source `number`, both from 0.
    """

    file: str
    line: int
    column: int = 0
    end_column: int = 0
    text: str | None = None
    row: int = 0
    number: int = 0

    @property
    def place(self) -> str:
        """Where it is, as people write it: `add.cl:3:2`."""
        return f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"


class Diagnostic(NamedTuple):
    """One finding about a module.

    `rule` is the stable id of the rule (`control-flow/branch-requires-merge`). `range` is None for modules that were given as
    words. `instruction` counts from 1 in the module's order, and is None for a fault of the module as a whole. `vuid` is the
    Vulkan valid-usage id where the rule has one. `tags` holds "unnecessary" or "deprecated" where these apply. `source` is where
    the instruction comes from, if debug information says so.
    """

    rule: str
    severity: Severity
    message: str
    range: Range | None = None
    instruction: int | None = None
    vuid: str | None = None
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    tags: tuple[str, ...] = ()
    source: SourceLine | None = None
