"""The lengths of inputs and outputs that are arrays with an element for each vertex (Vulkan, Location and Component Assignment)."""

from __future__ import annotations

from spvls.grammar.enumerants import ExecutionMode, ExecutionModel, StorageClass
from spvls.module.declarations import EntryPoint
from spvls.module.module import Module

_PRIMITIVES = {
    ExecutionMode.InputPoints: 1,
    ExecutionMode.InputLines: 2,
    ExecutionMode.Triangles: 3,
    ExecutionMode.InputLinesAdjacency: 4,
    ExecutionMode.InputTrianglesAdjacency: 6,
}
"""Vertices of the primitives that a geometry shader takes."""

_MOST_OF_A_PATCH = 32
"""Vertices of a patch that any device takes (Vulkan, the required maxTessellationPatchSize)."""


def vertex_count(entry: EntryPoint, storage: int, module: Module) -> int | None:
    """The elements of variables of an entry point that have one for each vertex; None where no execution mode says how many.

    Inputs of tessellation shaders are as long as the longest patch that any device takes: shorter patches leave the rest unset.
    """
    modes = module.execution_modes(entry.function)
    if storage == StorageClass.Input:
        if entry.model != ExecutionModel.Geometry:
            return _MOST_OF_A_PATCH
        return next((_PRIMITIVES[mode.value] for mode in modes if mode.value in _PRIMITIVES), None)
    counts = (mode.params[0] for mode in modes if mode.value == ExecutionMode.OutputVertices and mode.params)
    return next((count for count in counts if isinstance(count, int) and count > 0), None)
