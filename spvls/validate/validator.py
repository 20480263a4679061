"""`validate`: all findings of a module that is at hand as a whole."""

from __future__ import annotations

from collections.abc import Mapping

from spvls.binary.gc_pause import paused_gc
from spvls.diagnostic import Diagnostic, Severity
from spvls.grammar.environments import DEFAULT, Environment, environment
from spvls.grammar.records import Version
from spvls.module.module import Module
from spvls.syntax.document import Document, chunks_of
from spvls.syntax.header import read_header
from spvls.typed import TYPE_CHECKING, Any
from spvls.validate.engine.checker import Checker
from spvls.validate.engine.options import Options
from spvls.validate.engine.report import diagnostics

if TYPE_CHECKING:
    from spvls.binary.decode import Binary


def validate(
    module: str | bytes, *, target_env: str | None = None, options: Mapping[str, Any] | None = None
) -> list[Diagnostic]:
    """All findings of a text or of a binary module, in the order of the module.

    `target_env` names the environment to check for; None means what a text's header says, for a binary its own version.
    `options` has the long flags of spirv-val, with underscores. Never raises on bad modules: what cannot be
    read is a finding. Raises ValueError for an environment or an option that does not exist.
    """
    return validate_for_list(module, None, target_env=target_env, options=options)


def validate_for_list(
    module: str | bytes, most: int | None, *, target_env: str | None = None, options: Mapping[str, Any] | None = None
) -> list[Diagnostic]:
    """As `validate`, for who lists no more than the first `most` findings of a rule: one of the last that there is a list of may
    stand for each further one, and fixes have no edits."""
    chosen = Options.of(options)
    if target_env is not None:
        environment(target_env)
    with paused_gc():
        if isinstance(module, str):
            return _validate_text(module, target_env, chosen, most)
        return _validate_binary(module, target_env, chosen)


def module_of_text(document: Document, target_env: str | None) -> Module:
    """What a text says, for the environment of that name, else for the one that it names itself."""
    header = read_header(document.lines)
    target = header.environment(target_env)
    module = Module(document.chunks, target, header.version_in(target))
    module.header = header
    return module


def module_of_binary(data: bytes, target_env: str | None) -> Module:
    """What a binary says, for the environment of that name, else for its own version. Raises DecodeError."""
    from spvls.binary.decode import decode

    return _module_of(decode(data), data, target_env)


def _module_of(binary: Binary, data: bytes, target_env: str | None) -> Module:
    from spvls.binary.string_padding import unpadded_strings

    version = binary.header.version >> 16 & 0xFF, binary.header.version >> 8 & 0xFF
    target = environment(target_env) if target_env is not None else _environment_of(version)
    module = Module(chunks_of(binary.instructions), target, version, binary.header.bound)
    module.schema = binary.header.schema
    module.unpadded_strings = unpadded_strings(binary, data)
    return module


def _validate_text(text: str, target_env: str | None, options: Options, most: int | None) -> list[Diagnostic]:
    document = Document(text)
    return diagnostics(Checker(module_of_text(document, target_env), options, edited=False), document, most)


def _validate_binary(data: bytes, target_env: str | None, options: Options) -> list[Diagnostic]:
    from spvls.binary.words import DecodeError

    try:
        module = module_of_binary(data, target_env)
    except DecodeError:
        return _validate_malformed(data, target_env, options)
    return diagnostics(Checker(module, options, edited=False), None)


def _validate_malformed(data: bytes, target_env: str | None, options: Options) -> list[Diagnostic]:
    """The findings of a binary that the decoder refuses: where it cannot be read to its end, only what is wrong with it as
    a binary."""
    from spvls.binary.partial import MALFORMED, decode_partly
    from spvls.binary.words import DecodeError

    try:
        binary, is_whole = decode_partly(data)
    except DecodeError as error:
        return [Diagnostic(MALFORMED, Severity.ERROR, str(error))]
    if is_whole:
        return diagnostics(Checker(_module_of(binary, data, target_env), options, edited=False), None)
    return [
        Diagnostic(fault.rule, Severity.ERROR, fault.message, instruction=number)
        for number, record in enumerate(binary.instructions, 1)
        for fault in record.faults
    ]


def _environment_of(version: Version) -> Environment:
    name = f"spv{version[0]}.{version[1]}"
    try:
        return environment(name)
    except ValueError:
        return environment(DEFAULT)
