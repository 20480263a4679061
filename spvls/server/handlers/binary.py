"""The server's own requests: the words of a document, its disassembly, and writing it to a file."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from spvls.binary.disassemble import DisassembleError, disassemble
from spvls.binary.recover import recover
from spvls.binary.words import little_endian
from spvls.server.binaries import gaps_reason, reason_against, replace_file
from spvls.server.convert import Json
from spvls.server.params import local_path, range_of, text_of, uri_of
from spvls.server.protocol import ContentModified, Raw, RequestFailed
from spvls.server.server import SpirvServer
from spvls.server.session import Session
from spvls.server.slices import StaleError
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
    disk = ThreadPoolExecutor(max_workers=1, thread_name_prefix="spvls-disk")

    @server.feature("spvls/binary")
    async def binary(params: Any) -> Json | Raw:
        session = server.session(uri_of(params))
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
        path = local_path(text_of(params, "uri"))
        options = {_OPTIONS[name]: value for name, value in (params.get("options") or {}).items() if name in _OPTIONS}
        return await asyncio.get_running_loop().run_in_executor(disk, listing, path, options)

    @server.feature("spvls/writeBinary")
    async def write_binary(params: Any) -> Json:
        session = server.session(uri_of(params))
        return await write(session, local_path(text_of(params, "target")), force=params.get("force") is True)

    @server.command("spvls.server.assemble")
    async def assemble(uri: str, *target: str) -> Json:
        """Write the binary of a document, beside it unless told where; for clients that have commands alone."""
        session = server.session(uri)
        path = local_path(target[0]) if target else beside(local_path(uri))
        answer = await write(session, path, force=False)
        if not answer["written"]:
            server.show(f"{path} was not written: {answer['reason']}")
        return answer

    async def write(session: Session, path: str, *, force: bool) -> Json:
        try:
            encoding = await server.binaries.words(session)
        except StaleError:
            raise ContentModified from None
        gaps = gaps_of(encoding, session.assembly, session.convert)
        reason = None if force else gaps_reason(gaps) if gaps else reason_against(path)
        if reason is not None:
            return {"written": False, "reason": reason, "bytes": None}
        data = little_endian(encoding.all_words())
        try:
            await asyncio.get_running_loop().run_in_executor(disk, replace_file, path, data)
        except OSError as error:
            return {"written": False, "reason": f"{path}: {error.strerror or error}", "bytes": None}
        return {"written": True, "reason": None, "bytes": len(data)}


def beside(path: str) -> str:
    """Where the binary of a text belongs: `a.spv` for `a.spvasm`, `a.frag.spv` for `a.spvasm.frag`."""
    return re.sub(r"\.spvasm(?=(\.[^./\\]+)?$)", "", path) + ".spv"


def listing(path: str, options: dict[str, Any]) -> Json:
    """The text of a binary module, made such that it assembles to the same words again.

    Damaged parts are listed as words. `error` is there for a file that is no module at all.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise RequestFailed(f"{path} cannot be read: {error.strerror or error}") from None
    try:
        return {"text": disassemble(data, **{"friendly_names": False, "keep_ids": True, **options}), "error": None}
    except DisassembleError:
        pass
    try:
        return {"text": recover(data), "error": None}
    except DisassembleError as error:
        return {"text": "", "error": str(error)}
