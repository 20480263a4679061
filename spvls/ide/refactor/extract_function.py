"""Extracting a function from a run of instructions, or from blocks with one way in and one way out.

The ids that come from outside become parameters, and the one that is used outside is returned. Where blocks return from the
function that they are extracted of, the new function returns also whether they did.
"""

from __future__ import annotations

from collections.abc import Iterator

from spvls.diagnostic import Edit
from spvls.grammar import spv
from spvls.grammar.enumerants import Decoration
from spvls.ide.refactor.early_returns import RETURNS
from spvls.ide.refactor.outcome import Outcome, outcome_of
from spvls.ide.refactor.refactoring import EXTRACT, Refactoring
from spvls.ide.refactor.region import Region, region_of
from spvls.ide.refactor.rewrite import Rewrite, leaves, written
from spvls.ide.refactor.site import Site
from spvls.module.decorations import is_grouped
from spvls.module.functions import Function
from spvls.module.module import Module
from spvls.module.sections import Section
from spvls.record import NamedTuple
from spvls.syntax.instruction import Instruction
from spvls.validate.checks.pointers import LOGICAL_MODELS
from spvls.validate.checks.simplification import is_value
from spvls.validate.engine.finding import InsertAfter
from spvls.validate.fixes.common import declared

_MEMORY_OBJECTS = (spv.OpVariable, spv.OpFunctionParameter)
"""What a pointer argument must be with logical addressing (SPIR-V 2.16.1)."""

_STAYING = frozenset(
    {
        spv.OpBeginInvocationInterlockEXT, spv.OpEndInvocationInterlockEXT, spv.OpSetMeshOutputsEXT, spv.OpControlBarrier,
    }
)  # fmt: skip
"""What may have to stay in the function of the entry point."""


class _Extract(NamedTuple):
    """What becomes a function: `inputs` are the ids from outside, `output` is the id that is used outside."""

    function: Function
    records: list[Instruction]
    inputs: tuple[str, ...]
    output: str | None
    region: Region | None = None


def extract_function(site: Site) -> Iterator[Refactoring]:
    """Of the selected instructions or blocks."""
    found = _extract(site)
    if found is not None:
        title = "Extract the selected blocks as a function" if found.region is not None else "Extract the selection as a function"
        yield Refactoring("extract-function", title, EXTRACT, lambda: _extracted(site, found))


def _extract(site: Site) -> _Extract | None:
    run = site.run
    region = region_of(site) if run is None else None
    if run is not None:
        function, moved = run.function, run.records
    elif region is not None:
        function, moved = region.function, [*region.records, *([region.phi] if region.phi is not None else [])]
    else:
        return None
    module = site.module
    if any(record.opcode.value in _STAYING or record.raw or _is_debug(record, module) for record in moved):
        return None
    inside = {id(record) for record in moved}
    own = {record.result for record in moved}
    labels = function.blocks
    inputs = tuple(dict.fromkeys(
        name for record in moved for name in record.uses() if name in function.names and name not in own and name not in labels
    ))
    made = [record.result for record in moved if record.result is not None and record.result not in labels]
    outputs = [name for name in made if leaves(name, inside, module)]
    if len(outputs) > 1 or not all(_is_passed(name, module) for name in inputs):
        return None
    output = outputs[0] if outputs else None
    if output is not None and not _is_returned(output, module):
        return None
    if region is not None and region.returns and not _may_return(function, module):
        return None
    if region is not None and region.exit is None and output is not None:
        return None
    return _Extract(function, region.records if region is not None else moved, inputs, output, region)


def _is_debug(record: Instruction, module: Module) -> bool:
    return record.opcode.value == spv.OpExtInst and module.is_non_semantic(record)


def _is_passed(name: str, module: Module) -> bool:
    """Whether an id can be an argument."""
    type_ = module.type_of(name)
    if type_ is None or not module.is_global(type_.id) or module.has_decoration(name, Decoration.NonUniform):
        return False
    if type_.is_pointer:
        is_object = module.opcode_of(name) in _MEMORY_OBJECTS
        return type_.kind == spv.OpTypePointer and (is_object or module.addressing_model not in LOGICAL_MODELS)
    return is_value(type_, module, pointers=module.addressing_model not in LOGICAL_MODELS)


def _is_returned(name: str, module: Module) -> bool:
    type_ = module.type_of(name)
    if type_ is None or not module.is_global(type_.id) or is_grouped(name, module):
        return False
    if not is_value(type_, module, pointers=module.addressing_model not in LOGICAL_MODELS):
        return False
    return all(found.value == Decoration.RelaxedPrecision for found in module.decorations(name))


def _may_return(function: Function, module: Module) -> bool:
    """Whether what a function returns can be returned by another one first."""
    result = module.type(function.result_type)
    return result is not None and (result.kind == spv.OpTypeVoid or is_value(result, module))


# Edits


def _extracted(site: Site, found: _Extract) -> list[Edit]:
    module, rewrite = site.module, Rewrite(site.source, site.chunk)
    name = rewrite.fresh("extracted")
    names = {given: rewrite.fresh(given) for given in found.inputs}
    outcome = outcome_of(rewrite, found.function, found.region, found.output)
    result_type = outcome.type if outcome is not None else _result_type(rewrite, found.output)
    lines = [
        f"%{name} = OpFunction %{result_type} None %{_function_type(rewrite, result_type, found.inputs)}",
        *[f"%{names[given]} = OpFunctionParameter %{module.value_type(given)}" for given in found.inputs],
    ]
    value = None
    if found.output is not None:
        value = names[found.output] = rewrite.fresh(found.output)
    entry = rewrite.fresh(f"{name}_entry")
    if found.region is None:
        body = [f"%{entry} = OpLabel", *_moved(rewrite, found.records, names), _returning(value)]
    else:
        body = _blocks(rewrite, found.region, entry, names, outcome, value)
    end = found.function.end
    assert end is not None
    if module.declarations.names:
        rewrite.name(name, name)
    result = found.output if outcome is None else None
    result = result or rewrite.fresh(f"{name}_call")
    call = " ".join([f"%{result} = OpFunctionCall %{result_type} %{name}", *[f"%{given}" for given in found.inputs]])
    instead = [call]
    if outcome is not None:
        instead += outcome.after_call(result)
    elif found.region is not None:
        instead.append(f"OpBranch %{found.region.exit}")
    rewrite.put(found.records, instead)
    rewrite.do(InsertAfter(end, "\n".join([*lines, *body, "OpFunctionEnd"])))
    return rewrite.edits()


def _returning(value: str | None) -> str:
    return f"OpReturnValue %{value}" if value is not None else "OpReturn"


def _result_type(rewrite: Rewrite, output: str | None) -> str:
    if output is not None:
        return rewrite.module.value_type(output) or ""
    void = declared(rewrite.module, spv.OpTypeVoid)
    if void is not None:
        return void.id
    name = rewrite.fresh("void")
    rewrite.declare(Section.TYPES, f"%{name} = OpTypeVoid")
    return name


def _function_type(rewrite: Rewrite, result_type: str, inputs: tuple[str, ...]) -> str:
    parts = [result_type, *[rewrite.module.value_type(given) or "" for given in inputs]]
    known = declared(rewrite.module, spv.OpTypeFunction, *parts)
    if known is not None:
        return known.id
    name = rewrite.fresh("extracted_type")
    rewrite.declare(Section.TYPES, " ".join([f"%{name} = OpTypeFunction", *[f"%{part}" for part in parts]]))
    return name


def _moved(rewrite: Rewrite, records: list[Instruction], names: dict[str, str], outcome: Outcome | None = None) -> list[str]:
    """The lines of instructions, in which an `outcome` stands for returns."""
    lines = [line.strip() for line in rewrite.lines(records, names).splitlines()]
    first = rewrite.line(records[0])
    for record in reversed(records) if outcome is not None else ():
        if outcome is not None and record.opcode.value in RETURNS:
            low, high = (line - first for line in rewrite.extent([record]))
            lines[low : high + 1] = outcome.returning(record, names)
    return lines


def _blocks(
    rewrite: Rewrite, region: Region, entry: str, names: dict[str, str], outcome: Outcome | None, value: str | None
) -> list[str]:
    """The blocks of a region as those of a function, which begins with the block `entry` and returns `value` from the last one."""
    module = rewrite.module
    lines = [f"%{entry} = OpLabel"]
    if region.is_loop:
        first = rewrite.fresh(region.first)
        lines += [f"OpBranch %{first}", f"%{first} = OpLabel"]
        names[region.first] = first
        if region.before is not None:
            names[region.before] = entry
    else:
        names[region.first] = entry
    if region.exit is None:
        return lines + _moved(rewrite, region.records, names)
    leaving = rewrite.fresh(f"{entry.removesuffix('_entry')}_exit")
    names[region.exit] = leaving
    lines += _moved(rewrite, region.records, names, outcome)
    lines.append(f"%{leaving} = OpLabel")
    if region.phi is not None:
        lines.append(written(region.phi, names))
        rewrite.remove(region.phi)
    elif region.last is not None:
        users = [use for _, use in module.ids.uses(region.last) if use.opcode.value == spv.OpPhi and id(use) not in region.inside]
        rewrite.rename(users, {region.last: region.first if outcome is None else outcome.going_on})
    return [*lines, *([_returning(value)] if outcome is None else outcome.staying(value))]
