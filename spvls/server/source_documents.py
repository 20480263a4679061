"""The sources that modules carry, as documents that nobody can edit: `spvls-source:///a.frag?0.2.file%3A%2F%2F%2Fx%2Fa.spvasm`
is source 2 of module 0 of `file:///x/a.spvasm`."""

from __future__ import annotations

from urllib.parse import quote, unquote

from spvls.diagnostic import SourceLine
from spvls.record import NamedTuple
from spvls.server.convert import Json
from spvls.server.session import Session

SCHEME = "spvls-source"

_PARTS = 3


class SourceAddress(NamedTuple):
    """Source `number` of module `module` of the document at `document`; both count from 0."""

    document: str
    module: int
    number: int


def address_of_source(session: Session, line: SourceLine) -> str:
    """The address of the text that a line is of."""
    # The name is for people, and for the editor, which tells the language by it; so no more of it than that is there.
    name = line.file.replace("\\", "/").rpartition("/")[2].strip(". ") or "source"
    subject = quote(f"{session.index}.{line.number}.{session.uri}", safe="")
    return f"{SCHEME}:///{quote(name.encode('utf-8', 'replace'), safe='')}?{subject}"


def place_of_source(session: Session, line: SourceLine) -> Json:
    """The location of a line in the text of its source, which the module carries."""
    text, to_units = line.text or "", session.document.codec.to_units
    start = min(max(line.column - 1, 0), len(text))
    end = min(max(line.end_column - 1, start), len(text))
    first, last = ({"line": line.row, "character": to_units(text, at)} for at in (start, end))
    return {"uri": address_of_source(session, line), "range": {"start": first, "end": last}}


def parsed(uri: str) -> SourceAddress | None:
    """What such an address says; editors may have escaped more of it, or less. None for any other address."""
    scheme, _, rest = uri.partition(":")
    parts = unquote(rest.partition("?")[2]).split(".", _PARTS - 1)
    if scheme != SCHEME or len(parts) < _PARTS:
        return None
    numbers = [int(part) for part in parts[:2] if part.isascii() and part.isdecimal() and len(part) < 10]
    return SourceAddress(parts[2], *numbers) if len(numbers) == _PARTS - 1 else None
