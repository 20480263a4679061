"""Completes the examples of the documentation to modules.

An example shows the lines that matter. What these use and do not define is declared by its name: `%v4float` is a type,
`%uint_3` a constant, `%some_float` a value, `%var_Input_v4float` a variable; `example_names` says which names there are. Lines
go to their section, and capabilities, extensions, entry point and terminators are added.
"""

from __future__ import annotations

from spvls.grammar import spv
from spvls.grammar.docs import Example
from spvls.grammar.traits import MERGES, TERMINATORS
from spvls.ide.documentation.example_declarations import ORDER, Declarations, ExampleError, Function, is_variable, text_of
from spvls.ide.documentation.example_header import add_header
from spvls.module.sections import SOURCE_LINES, Section
from spvls.syntax.instruction import Instruction
from spvls.syntax.operand_decls import declared_operands
from spvls.syntax.scanner import scan
from spvls.text.lines import split_lines

_FUNCTIONS = {spv.OpFunction: spv.OpFunctionEnd, spv.OpGraphARM: spv.OpGraphEndARM}
"""What begins a function or a graph, and what ends it."""

_BRANCHES = MERGES | {spv.OpBranch, spv.OpBranchConditional, spv.OpSwitch}


def complete(example: Example) -> str:
    """The module that an example is a part of, for the environment that its first line names.

    ExampleError when the example uses names that say nothing.
    """
    records = [record for _, record in scan(split_lines(example.code))]
    for record in records:
        if record.faults:
            raise ExampleError(f"{text_of(record)}: {record.faults[0].message}")
    declared = Declarations(records, example.stage)
    outside, functions = _split(records, declared)
    body = [record for section, record in outside if section == Section.FUNCTIONS]
    if not declared.graph:
        declared.require_all(["void", "fn_void"])
    declared.add_outside(outside)
    if declared.graph and functions:
        declared.sections[Section.FUNCTIONS] += _lines(body, declared)
    for function in functions:
        _add_function(function, declared)
    if declared.graph:
        if not functions:
            _add_graph(body, declared)
    elif "main" not in declared.own:
        _add_main(body, declared)
    elif body:
        raise ExampleError(f"{text_of(body[0])} stands outside the functions")
    add_header(example, declared)
    lines = (line for section in ORDER for line in declared.sections[section])
    return "".join(f"{line}\n" for line in (f"; spvls: target-env={example.environment}", *lines))


def _split(records: list[Instruction], declared: Declarations) -> tuple[list[tuple[int, Instruction]], list[list[Instruction]]]:
    """The lines outside the example's own functions, each with its section, and these functions.

    FUNCTIONS is the section of lines that belong into the function that is added.
    """
    outside: list[tuple[int, Instruction]] = []
    functions: list[list[Instruction]] = []
    waiting: list[Instruction] = []
    end: int | None = None
    for record in records:
        opcode = record.opcode.value
        if opcode in _FUNCTIONS:
            end = _FUNCTIONS[opcode]
            functions.append([])
        if end is not None:
            functions[-1].append(record)
            end = end if opcode != end else None
        elif opcode in SOURCE_LINES:
            waiting.append(record)
        else:
            section = declared.section(record)
            outside += [(section, line) for line in [*waiting, record]]
            waiting = []
    outside += [(Section.FUNCTIONS, line) for line in waiting]
    return outside, functions


def _lines(records: list[Instruction], declared: Declarations) -> list[str]:
    """Lines as they stand, once what they use is declared."""
    for record in records:
        declared.require_all(record.uses())
    return [text_of(record) for record in records]


def _add_function(records: list[Instruction], declared: Declarations) -> None:
    """Adds a function of the example, its values after its variables."""
    label = next((at for at, record in enumerate(records) if record.opcode.value == spv.OpLabel), None)
    at = len(records) if label is None else label + 1
    function = declared.function = Function([text_of(record) for record in records[:at]])
    rest = records[at:]
    function.variables = [text_of(record) for record in rest if is_variable(record)]
    function.rest = [text_of(record) for record in rest if not is_variable(record)]
    _lines(records, declared)
    declared.sections[Section.FUNCTIONS] += function.lines()


def _add_main(body: list[Instruction], declared: Declarations) -> None:
    """Adds the function of the entry point, with the lines that belong into one."""
    main = declared.function = Function(["%main = OpFunction %void None %fn_void", "%main_entry = OpLabel"])
    missing = _missing_blocks(body, declared)
    for record in body:
        declared.require_all(name for name in record.uses() if name not in missing)
    main.variables += [text_of(record) for record in body if is_variable(record)]
    lines = [record for record in body if not is_variable(record)]
    if lines and lines[0].opcode.value == spv.OpLabel:
        main.rest.append(f"OpBranch %{lines[0].result}")
    main.rest += map(text_of, lines)
    if not lines or lines[-1].opcode.value not in TERMINATORS:
        main.rest.append("OpReturn")
    for name in missing:
        main.rest += [f"%{name} = OpLabel", "OpReturn"]
    main.rest.append("OpFunctionEnd")
    declared.sections[Section.FUNCTIONS] += main.lines()


def _missing_blocks(body: list[Instruction], declared: Declarations) -> list[str]:
    """The blocks that are branched to, or merged at, and not there."""
    found: dict[str, None] = {}
    for record in body:
        if record.opcode.value in _BRANCHES:
            for operand_of, operand in declared_operands(record):
                if isinstance(operand, str) and operand_of.name not in ("Condition", "Selector"):
                    found.update({operand: None} if operand not in declared.own else {})
    return list(found)


def _add_graph(body: list[Instruction], declared: Declarations) -> None:
    """Adds a graph with the lines that belong into one: its inputs are the tensors that they use, its output is what the
    last of them makes."""
    declared.function = Function([])
    lines = _lines(body, declared)
    inputs = declared.function.values
    types = [line.split()[3].removeprefix("%") for line in (*inputs, lines[-1])]
    tensors = [f"var_UniformConstant_{of}_{at}" for at, of in enumerate(types, 2)]
    declared.require_all([*tensors, "uint_0"])
    declared.declare("graph_type", " ".join((f"OpTypeGraphARM {len(inputs)}", *(f"%{of}" for of in types))))
    declared.sections[Section.FUNCTIONS] += [
        " ".join(('OpGraphEntryPointARM %graph "graph"', *(f"%{name}" for name in tensors))),
        "%graph = OpGraphARM %graph_type",
        *inputs,
        *lines,
        f"OpGraphSetOutputARM %{body[-1].result} %uint_0",
        "OpGraphEndARM",
    ]
