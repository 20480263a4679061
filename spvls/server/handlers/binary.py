"""The server's own requests: the words of a document, its disassembly, and writing it to a file."""

from __future__ import annotations

import os
from typing import Any

from spvls.binary.words import little_endian
from spvls.server.binaries import gaps_reason
from spvls.server.binary_files import BinaryFiles, beside
from spvls.server.convert import Json
from spvls.server.disk import in_thread
from spvls.server.params import position_of, range_of, text_of, uri_of
from spvls.server.protocol import ContentModified, Raw, RequestFailed
from spvls.server.server import SpirvServer
from spvls.server.session import Session
from spvls.server.time_slicing import StaleError
from spvls.server.word_map import gaps_of

_OPTIONS = {
    "friendlyNames": "friendly_names",
    "indent": "indent",
    "header": "header",
    "offsets": "offsets",
    "comment": "comment",
    "nestedIndent": "nested_indent",
    "reorderBlocks": "reorder_blocks",
}
"""Options of a disassembly as clients write them."""


def register(server: SpirvServer) -> None:
    files = BinaryFiles()

    @server.feature("spvls/binary")
    async def binary(params: Any) -> Json | Raw:
        uri, given = uri_of(params), params.get("position")
        session = server.session_near(uri, position_of(given) if given is not None else None)
        try:
            words = await server.binaries.word_map(session)
        except StaleError:
            raise ContentModified from None
        wanted = params.get("range")
        if wanted is not None:
            return words.part_of(session.version, session.convert.range(range_of(wanted)))
        since = params.get("since")
        return Raw(words.answer(session.version, since if isinstance(since, int) else None))

    @server.feature("spvls/disassemble")
    async def disassembled(params: Any) -> Json:
        path = server.reach.path(text_of(params, "uri"))
        given = params.get("options")
        options = {_OPTIONS[name]: value for name, value in given.items() if name in _OPTIONS} if isinstance(given, dict) else {}
        try:
            data = await server.disk.access(files.read, path)
        except OSError as error:
            raise RequestFailed(f"{path} cannot be read: {error.strerror or error}") from None
        return await in_thread(listing, data, options)

    @server.feature("spvls/writeBinary")
    async def write_binary(params: Any) -> Json:
        session = server.session(uri_of(params))
        return await write(session, server.reach.path(text_of(params, "target")), force=params.get("force") is True)

    @server.command("spvls.server.assemble")
    async def assemble(uri: str, *target: str) -> Json:
        """Write the binary of a document, beside it unless another path is given; for clients that have commands alone."""
        session = server.session(uri)
        path = server.reach.path(text_of({"target": target[0]}, "target")) if target else beside(server.reach.path(uri))
        answer = await write(session, path, force=False)
        if not answer["written"]:
            server.show(f"{path} was not written: {answer['reason']}")
        return answer

    async def write(session: Session, path: str, *, force: bool) -> Json:
        try:
            encoding = await server.binaries.words(session)
        except StaleError:
            raise ContentModified from None
        gaps = gaps_of(encoding, session.source_module, session.convert)
        if gaps and not force:
            return _unwritten(gaps_reason(gaps))
        data = little_endian(encoding.all_words())
        limited = server.reach.is_limited
        try:
            # The path without links that was judged, so that a link made meanwhile leads nowhere else.
            obstacle = await server.disk.access(files.write, os.path.realpath(path), data, force=force, modules_only=limited)
        except OSError as error:
            return _unwritten(f"{path}: {error.strerror or error}")
        if obstacle is not None:
            return _unwritten(obstacle.reason, is_conflict=obstacle.is_conflict)
        return {"written": True, "reason": None, "bytes": len(data), "conflict": False}


def _unwritten(reason: str, *, is_conflict: bool = False) -> Json:
    """With `conflict` the file has changed since the client read it: the user is to decide, and `force` writes it then."""
    return {"written": False, "reason": reason, "bytes": None, "conflict": is_conflict}


def listing(data: bytes, options: dict[str, Any]) -> Json:
    """The text of a binary module, made such that it assembles to the same words again.

    Damaged parts are listed as words. `error` is there for data that is not a module at all.
    """
    from spvls.binary.disassemble import DisassembleError, disassemble
    from spvls.binary.recover import recover

    try:
        return {"text": disassemble(data, **{"friendly_names": False, "keep_ids": True, **options}), "error": None}
    except DisassembleError:
        pass
    try:
        return {"text": recover(data), "error": None}
    except DisassembleError as error:
        return {"text": "", "error": str(error)}
