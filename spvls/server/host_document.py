"""An open document: its text, and a session for each module in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from lsprotocol import types
from pygls.workspace import TextDocument

from spvls.diagnostic import Diagnostic, Position, Range
from spvls.host.findings import unclosed
from spvls.host.host_text import BORDER, HostText, Splice
from spvls.host.languages import language_by_id
from spvls.host.span import ModuleSpan, straight_lines
from spvls.ide.source.source_module import ReadModule
from spvls.module.ids import SymbolTable
from spvls.record import NamedTuple
from spvls.server.convert import ClientPosition, ClientRange, Converter
from spvls.server.session import Session
from spvls.server.settings import Settings
from spvls.server.time_slicing import Subject, in_time_slices
from spvls.steps import Steps
from spvls.syntax.document import Document
from spvls.text.encoding import ColumnCodec
from spvls.validate.config import Config

NO_CONFIG = Config()

LARGE = 5000
"""Lines of a document that is large."""


FEW = 4
"""Edits of one line in turn that are made one by one."""


def _line_of(change: types.TextDocumentContentChangeEvent) -> int | None:
    """The line that a change stays in; None where it goes beyond, has a line break, or is a whole text."""
    if not isinstance(change, types.TextDocumentContentChangePartial):
        return None
    line = change.range.start.line
    if line != change.range.end.line or line < 0 or "\n" in change.text or "\r" in change.text:
        return None
    return line


class ReadText(NamedTuple):
    """A text that is opened: it and its modules as they were read, before anything is asked of them."""

    text: str
    host: HostText
    modules: tuple[ReadModule, ...]

    @classmethod
    def steps(cls, uri: str, text: str, language_id: str | None) -> Steps[ReadText]:
        """Read a text in short steps."""
        host = yield from HostText.steps(text, language_by_id(language_id, uri))
        modules: list[ReadModule] = []
        for span in host.spans:
            document = yield from Document.steps(host.module_text(span))
            modules.append(ReadModule(document, (yield from SymbolTable.steps(document.chunks))))
        return cls(text, host, tuple(modules))


class HostDocument(TextDocument, Subject):
    """A document that the client has open.

    `generation` counts whatever may change what is found: edits and settings. `modules` are those of `host.spans`, in order.
    `convert` is for positions of the document itself.
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
        read: ReadText | None = None,
    ) -> None:
        """`read` is the text, where it has been read already."""
        super().__init__(uri, text, version, language_id)
        self._source = None
        self.codec = codec
        self.settings = settings
        self.config = config
        self.host = HostText(text, language_by_id(language_id, uri)) if read is None else read.host
        self.convert = Converter(codec, self.host.lines)
        modules = (None,) * len(self.host.spans) if read is None else read.modules
        self.modules = [Session(self, span, index, modules[index]) for index, span in enumerate(self.host.spans)]
        #: Modules whose findings may be others than when all were last checked.
        self._unchecked: dict[int, Session] = {id(session): session for session in self.modules}
        self._state: tuple[object, ...] | None = None
        self._serial = 0

    @property
    def source(self) -> str:
        return self.host.text

    @property
    def lines(self) -> Sequence[str]:
        return self.host.lines

    @property
    def is_large(self) -> bool:
        """Whether the text is so long that collecting garbage among what is known of it would be felt."""
        return len(self.lines) > LARGE

    # Modules

    def module_at(self, client: ClientPosition) -> Session | None:
        """The module that a position of the client is in, or at the end of."""
        position = self.convert.position(client)
        at = bisect_right(self.modules, position, key=lambda session: session.span.start)
        for session in reversed(self.modules[max(at - 2, 0) : at]):
            if session.is_whole or self.host.placement(session.span).to_module(position) is not None:
                return session
        return None

    def module_near(self, client: ClientPosition) -> Session | None:
        """The module at a position of the client, or else the last one that begins before it, or else the first one."""
        found = self.module_at(client)
        if found is None and self.modules:
            at = bisect_right(self.modules, self.convert.position(client), key=lambda session: session.span.start)
            found = self.modules[max(at - 1, 0)]
        return found

    def modules_in(self, client: ClientRange) -> Iterator[Session]:
        """The modules that share a line with a range of the client."""
        span = self.convert.range(client)
        for session in self.modules:
            if session.span.first <= span.end.line and session.span.end > span.start.line:
                yield session

    # Changes

    def apply(self, changes: Sequence[types.TextDocumentContentChangeEvent], version: int | None) -> None:
        """Follow the changes of one notification, in turn."""
        edits: dict[Session, list[tuple[Range, str]]] = {}
        is_recut = False
        #: Lines at the beginning and at the end of the text that no change has touched.
        head = tail = len(self.host.lines)
        before = len(self.host.lines)
        for edit in self._edits(changes):
            if isinstance(edit, str):
                self.host.replace(edit)
                edits.clear()
                is_recut, head, tail = True, 0, 0
                continue
            splice = self.host.edit(*edit)
            head = min(head, splice.first)
            tail = min(tail, len(self.host.lines) - splice.first - splice.new)
            if is_recut or splice.module == BORDER:
                is_recut = True
            else:
                self._follow(splice, edits)
        self.version = version
        self.generation += 1
        for session, own in edits.items():
            session.edit(own)
            self._unchecked[id(session)] = session
        if is_recut:
            self._recut(head, before - tail, len(self.host.lines) - before)
        for session in self.modules:
            session.generation = self.generation

    def _edits(self, changes: Sequence[types.TextDocumentContentChangeEvent]) -> Iterator[str | tuple[Range, str]]:
        """New texts, and edits in code points; each is converted when those before it have been applied. Many of one line are
        made one."""
        for line, found in groupby(changes, key=_line_of):
            several = list(found)
            partial = [one for one in several if isinstance(one, types.TextDocumentContentChangePartial)]
            if line is not None and len(partial) > FEW and line < len(self.lines):
                yield self.convert.line_edit(line, [(one.range, one.text) for one in partial])
                continue
            for one in several:
                if isinstance(one, types.TextDocumentContentChangePartial):
                    yield self.convert.range(one.range), one.text
                else:
                    yield one.text

    def _follow(self, splice: Splice, edits: dict[Session, list[tuple[Range, str]]]) -> None:
        """Take note of an edit that leaves all modules where they are, but for the lines that it moves."""
        if splice.is_recut:
            for index, (session, span) in enumerate(zip(self.modules, self.host.spans, strict=True)):
                if session.span is not span:
                    self._move(session, span, index)
        if splice.module < 0:
            return
        session = self.modules[splice.module]
        if session.span.quoted:
            self._move(session, self.host.spans[splice.module], splice.module)
            session.replace()
            self._unchecked[id(session)] = session
            return
        first = splice.first - session.span.first
        lines = straight_lines(session.span, self.host.lines, splice.first, splice.first + splice.new)
        gone = Range(Position(first, 0), Position(first + splice.old, 0))
        edits.setdefault(session, []).append((gone, "".join(lines)))

    def _move(self, session: Session, span: ModuleSpan, index: int) -> None:
        if session.move(span, index):
            self._unchecked[id(session)] = session

    def _recut(self, first: int, end: int, shift: int) -> None:
        """Take the modules that the text has now. Lines before `first` and from `end` on are as they were, but for `shift`."""
        old, spans = self.modules, self.host.spans
        shorter = min(len(old), len(spans))
        head = 0
        while head < shorter and old[head].span == spans[head] and spans[head].end < first:
            head += 1
        tail = 0
        while tail < shorter - head and old[-1 - tail].span.first > end and _is_moved(old[-1 - tail], spans[-1 - tail], shift):
            tail += 1
        kept = old[head : len(old) - tail]
        sessions = old[:head]
        for index in range(head, len(spans) - tail):
            if kept:
                session = kept.pop(0)
                session.move(spans[index], index)
                session.replace()
            else:
                session = Session(self, spans[index], index)
            sessions.append(session)
            self._unchecked[id(session)] = session
        sessions += old[len(old) - tail :]
        for index in range(len(spans) - tail, len(spans)):
            self._move(sessions[index], spans[index], index)
        self.modules = sessions
        alive = {id(session) for session in sessions}
        self._unchecked = {key: session for key, session in self._unchecked.items() if key in alive}

    def configure(self, settings: Settings, config: Config) -> bool:
        """Take other settings, and those of the project as they are now; whether these change anything."""
        if settings == self.settings and config == self.config:
            return False
        self.settings, self.config = settings, config
        self.generation += 1
        for session in self.modules:
            session.configure()
            session.generation = self.generation
            self._unchecked[id(session)] = session
        return True

    def preview(self, session: Session, values: Mapping[str, str] | None) -> None:
        """Show what a module is with values for its specialization constants, or as it is (None)."""
        self.generation += 1
        session.preview(values)
        self._unchecked[id(session)] = session
        for other in self.modules:
            other.generation = self.generation

    # Findings

    async def check(self) -> None:
        """Bring the findings up to date, in slices. Raises StaleError when the document changes in between."""
        waiting = list(self._unchecked.values())
        await in_time_slices(self, (step for session in waiting for step in session.check_steps()))
        for session in waiting:
            session.findings()
        self._unchecked.clear()

    def unclosed(self) -> list[Diagnostic]:
        """Findings about blocks of the host that are not closed, at places of the document."""
        return [unclosed(self.host, span) for span in self.host.spans if not span.is_closed]

    @property
    def result_id(self) -> str:
        """Names what is found: equal names, equal findings at equal places."""
        for session in self._unchecked.values():
            session.findings()
        modules = [(id(session), session.serial, session.moves, session.span.first) for session in self.modules]
        state = modules, self.unclosed(), self.settings.group_findings
        if state != self._state:
            self._state = state
            self._serial += 1
        return str(self._serial)


def _is_moved(session: Session, span: object, shift: int) -> bool:
    was = session.span
    return was._replace(first=was.first + shift, end=was.end + shift) == span
