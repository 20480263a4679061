"""An open document: its text, its module, and what was found in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, groupby

from lsprotocol import types
from pygls.workspace import TextDocument

from spvls.diagnostic import Diagnostic, Range
from spvls.ide.source_module import SourceModule
from spvls.server.convert import Converter
from spvls.server.settings import Settings
from spvls.server.slices import Subject, in_slices
from spvls.text.encoding import ColumnCodec
from spvls.validate.config import Config
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.options import Options
from spvls.validate.engine.report import diagnostics

NO_CONFIG = Config()

LARGE = 5000
"""Lines of a document that is large."""


FEW = 4
"""Edits of one line in turn that are made one by one."""


def _line_of(change: types.TextDocumentContentChangePartial) -> int | None:
    """The line that a change stays in; None where it goes beyond, or has a line break."""
    line = change.range.start.line
    if line != change.range.end.line or line < 0 or "\n" in change.text or "\r" in change.text:
        return None
    return line


class Session(TextDocument, Subject):
    """A document that the client has open.

    `generation` counts whatever may change what is found: edits and settings. Positions are the client's outside, and
    code points in `source_module`; `convert` knows both.
    """

    def __init__(
        self,
        uri: str,
        text: str,
        version: int | None,
        language_id: str | None,
        codec: ColumnCodec,
        settings: Settings,
        config: Config = NO_CONFIG,
    ) -> None:
        super().__init__(uri, text, version, language_id)
        self._source = None
        self.settings = settings
        self.config = config
        self.source_module = SourceModule(text, settings.target_env, self.config.target_env)
        self.convert = Converter(codec, self.source_module.document.lines)
        self._found: list[Diagnostic] = []
        self._found_at = -1
        self._serial = 0
        self._check_anew()

    @property
    def source(self) -> str:
        return self.source_module.text

    @property
    def lines(self) -> Sequence[str]:
        return self.source_module.document.lines

    @property
    def is_large(self) -> bool:
        """Whether the text is so long that collecting garbage among what is known of it would be felt."""
        return len(self.lines) > LARGE

    # Changes

    def apply(
        self, changes: Sequence[types.TextDocumentContentChangeEvent], version: int | None
    ) -> None:
        """Follow the changes of one notification, in turn."""
        pending: list[types.TextDocumentContentChangePartial] = []
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                pending.append(change)
                continue
            pending.clear()  # what comes before a new text does not matter
            self.source_module.replace(change.text)
        if pending:
            self.source_module.edit(self._edits(pending))
        self.version = version
        self.generation += 1
        if self._checker.module is not self.source_module.module:
            self._check_anew()

    def _edits(self, changes: Sequence[types.TextDocumentContentChangePartial]) -> Iterator[tuple[Range, str]]:
        """Edits in code points; each is converted when those before it have been applied. Many of one line are made one."""
        for line, found in groupby(changes, key=_line_of):
            several = [(change.range, change.text) for change in found]
            if line is not None and len(several) > FEW and line < len(self.lines):
                yield self.convert.line_edit(line, several)
                continue
            for span, text in several:
                yield self.convert.range(span), text

    def configure(self, settings: Settings, config: Config) -> bool:
        """Take other settings, and those of the project as they are now; whether these change anything."""
        if settings == self.settings and config == self.config:
            return False
        self.settings, self.config = settings, config
        self.source_module.choose(settings.target_env, config.target_env)
        self.generation += 1
        self._check_anew()
        return True

    def _check_anew(self) -> None:
        options = Options.of({"advice": True, **self.config.options, **self.settings.options})
        self._rules = Config(rules={**self.config.rules, **self.settings.rules})
        self._checker = Checker(self.source_module.module, options)
        self.source_module.follow = self._checker.update

    # Findings

    async def check(self) -> None:
        """Bring the findings up to date, in slices. Raises StaleError when the document changes in between."""
        await in_slices(self, chain.from_iterable(map(self._checker.steps, self._checker.pending())))

    def findings(self) -> list[Diagnostic]:
        """What was found, in the order of the text; what is not yet checked is checked now."""
        if self._found_at != self.generation:
            found = self._rules.applied(diagnostics(self._checker, self.source_module.document))
            if found != self._found:
                self._found = found
                self._serial += 1
            self._found_at = self.generation
        return self._found

    def known_findings(self) -> list[Diagnostic]:
        """What was found, if that is known for the text as it is now."""
        return self._found if self._found_at == self.generation else []

    @property
    def result_id(self) -> str:
        """Names what `findings` gives: equal names, equal findings."""
        self.findings()
        return str(self._serial)
