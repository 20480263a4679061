"""`python -m tests.corpora.specialized FOLDER…`: specialized modules beside those of `spirv-opt`.

Each valid module with specialization constants in the files of the folders, a text or a binary, is given other values than the defaults and
specialized in full, by `spvls specialize --full` and by `spirv-opt --set-spec-const-default-value … --freeze-spec-const
--fold-spec-const-op-composite`. Both must say the same beside their constants, where each constant counts as its value. `SPIRV_OPT` names another
tool than the one on the PATH. Printed are counts, and each module that differs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import spvls
from spvls.cli.modules import modules_of
from spvls.cli.search import Search, modules_at
from spvls.cli.source import is_binary
from spvls.diagnostic import Severity
from spvls.grammar import spv
from spvls.host.host_text import HostText
from spvls.host.languages import language_of
from spvls.ide.documentation.value_text import plain_value
from spvls.ide.source.source_module import SourceModule
from spvls.ide.transform.specialize import specialize
from spvls.module.constants import CONSTANT_OPCODES
from spvls.module.specialization import spec_constants, spec_id
from spvls.module.specialization_values import given_values
from spvls.module.types import Type
from spvls.text.edits import edited

REFUSED = "refused by spirv-opt"


def tool() -> str | None:
    """The optimizer of the reference."""
    return shutil.which(os.environ.get("SPIRV_OPT", "spirv-opt"))


def compare(binary: bytes) -> str:
    """What becomes of a module: "" where both say the same, `REFUSED`, or what differs."""
    listing = spvls.disassemble(binary, friendly_names=False)
    source = SourceModule(listing)
    values = _values(source)
    with TemporaryDirectory() as folder:
        before, after = Path(folder) / "before.spv", Path(folder) / "after.spv"
        before.write_bytes(binary)
        given = " ".join(f"{number}:{value}" for number, value in values.items())
        command = [str(tool()), *(["--set-spec-const-default-value", given] if values else [])]
        command += ["--freeze-spec-const", "--fold-spec-const-op-composite", str(before), "-o", str(after)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return REFUSED
        theirs = list(computed(after.read_bytes()))
    done = specialize(source, given_values(source.module, list(values.items())), full=True)
    ours = list(computed(spvls.assemble(edited(listing, done.edits))))
    if ours == theirs:
        return ""
    at = next((at for at, (own, other) in enumerate(zip(ours, theirs, strict=False)) if own != other), min(len(ours), len(theirs)))
    return f"instruction {at + 1}: {ours[at : at + 1]}, and theirs {theirs[at : at + 1]}"


def _values(source: SourceModule) -> dict[str, str]:
    """A value for each SpecId whose constants take the same one, in a form that both tools take."""
    module = source.module
    found: dict[str, set[str]] = {}
    for record in spec_constants(module):
        number, type_ = spec_id(module, record.result or ""), module.type(record.type)
        if number is not None and type_ is not None:
            found.setdefault(str(number), set()).add(_value(type_))
    return {number: next(iter(values)) for number, values in found.items() if len(values) == 1}


def _value(type_: Type) -> str:
    return "true" if type_.is_bool else "3" if type_.is_int else "1.5"


def computed(binary: bytes) -> Iterator[tuple[object, ...]]:
    """What a module says beside its constants, which are replaced by their values; ids are numbered as they come."""
    source = SourceModule(spvls.disassemble(binary, friendly_names=False))
    module = source.module
    numbers: dict[str, int] = {}

    def shown(operand: object) -> object:
        constant = module.constant(operand) if isinstance(operand, str) else None
        if constant is not None:
            return plain_value(constant.value, constant.type), module.spell(constant.type)
        return numbers.setdefault(operand, len(numbers)) if isinstance(operand, str) else operand

    for record in source.document.records():
        opcode = record.opcode.value
        if opcode not in CONSTANT_OPCODES and opcode not in (spv.OpName, spv.OpDecorate):
            yield record.opcode.name, shown(record.type), shown(record.result), *map(shown, module.resolved(record).operands)


def _binaries(folders: list[str], include: list[str]) -> Iterator[tuple[str, bytes]]:
    """The valid modules with specialization constants in the files of folders."""
    for path in modules_at(folders, [], Search(tuple(include), (), True)):
        data = Path(path).read_bytes()
        try:
            if is_binary(data):
                found = [(path, data)]
            else:
                host = HostText(data.decode("utf-8", "replace"), language_of(path))
                found = [(f"{path}#{at}", spvls.assemble(module.text)) for at, module in enumerate(modules_of(host), 1) if "OpSpec" in module.text]
            for name, binary in found:
                if "OpSpec" in spvls.disassemble(binary) and not any(said.severity is Severity.ERROR for said in spvls.validate(binary)):
                    yield name, binary
        except (spvls.AssembleError, spvls.DisassembleError):
            continue


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.corpora.specialized")
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--include", action="append", default=[], metavar="GLOB", help="further files, such as '*.amber'")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for name, binary in _binaries(options.folders, options.include):
        result = compare(binary)
        counts[result if result in ("", REFUSED) else "differ"] += 1
        if result not in ("", REFUSED):
            print(f"{name}: {result}", flush=True)
    print(f"{counts['']} modules are equal, {counts['differ']} differ, {counts[REFUSED]} are {REFUSED}")
    return int(counts["differ"] > 0)


if __name__ == "__main__":
    sys.exit(main())
