"""Inputs and outputs that are arrays with an element for each vertex (Vulkan, Location and Component Assignment)."""

from __future__ import annotations

from collections.abc import Collection

from spvls.grammar.enumerants import Decoration, ExecutionMode, ExecutionModel, StorageClass
from spvls.module.declarations import EntryPoint
from spvls.module.module import Module

_INPUTS = frozenset({ExecutionModel.TessellationControl, ExecutionModel.TessellationEvaluation, ExecutionModel.Geometry})
_OUTPUTS = frozenset({ExecutionModel.TessellationControl, ExecutionModel.MeshNV, ExecutionModel.MeshEXT})
"""Execution models whose inputs and whose outputs have an element for each vertex."""

_SINGLE = {
    ExecutionModel.TessellationControl: Decoration.Patch,
    ExecutionModel.TessellationEvaluation: Decoration.Patch,
    ExecutionModel.MeshNV: Decoration.PerTaskNV,
}
"""By execution model: the decoration of variables that are not for each vertex."""

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


def is_per_vertex(model: int, storage: int, decorations: Collection[int] = ()) -> bool:
    """Whether a variable with such decorations has an element for each vertex."""
    if storage == StorageClass.Input and model == ExecutionModel.Fragment:
        return Decoration.PerVertexKHR in decorations
    models = _INPUTS if storage == StorageClass.Input else _OUTPUTS if storage == StorageClass.Output else frozenset[int]()
    return model in models and _SINGLE.get(model) not in decorations


def vertex_count(entry: EntryPoint, storage: int, module: Module) -> int | None:
    """The elements of such variables of an entry point; None where no execution mode says how many there are.

    Inputs of tessellation shaders are as long as the longest patch that any device takes: shorter patches leave the rest unset.
    """
    modes = module.execution_modes(entry.function)
    if storage == StorageClass.Input:
        if entry.model != ExecutionModel.Geometry:
            return _MOST_OF_A_PATCH
        return next((_PRIMITIVES[mode.value] for mode in modes if mode.value in _PRIMITIVES), None)
    counts = (mode.params[0] for mode in modes if mode.value == ExecutionMode.OutputVertices and mode.params)
    return next((count for count in counts if isinstance(count, int) and count > 0), None)
