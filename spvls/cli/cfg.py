"""`spvls cfg`: the control flow of functions, as a listing, a picture, or in the languages of tools that draw."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence

from spvls.cli.console import say, say_data
from spvls.cli.failure import Failure
from spvls.cli.output import STDOUT, force_argument, write
from spvls.cli.source import shown
from spvls.cli.source_module import read_source_module, source_module_arguments
from spvls.cli.target import environment_argument
from spvls.ide.flow.dot import dot
from spvls.ide.flow.graph import FlowGraph, flow_graphs
from spvls.ide.flow.mermaid import mermaid
from spvls.ide.flow.svg import svg
from spvls.ide.flow.text import text
from spvls.ide.source.source_module import SourceModule
from spvls.ide.to_json import to_json
from spvls.text.escaping import json_text

FORMATS: dict[str, Callable[[Sequence[FlowGraph]], str]] = {
    "text": lambda graphs: "\n".join(map(text, graphs)),
    "dot": dot,
    "mermaid": mermaid,
    "svg": svg,
    "json": lambda graphs: json_text([to_json(graph) for graph in graphs], indent=1) + "\n",
}


def arguments(parser: ArgumentParser) -> None:
    source_module_arguments(parser)
    parser.add_argument(
        "--function", metavar="NAME", help="only this function: its id, what OpName calls it, or the name of its entry point"
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="what to make of it (default: text)")
    parser.add_argument("-o", dest="output", default=STDOUT, metavar="OUT", help="where to; - or none is the standard output")
    force_argument(parser)
    environment_argument(parser)


def run(options: Namespace) -> int:
    loaded = read_source_module(options, options.target_env)
    graphs = [graph for graph in flow_graphs(loaded.source_module) if graph.blocks]
    if options.function is not None:
        graphs = [graph for graph in graphs if options.function in _names(loaded.source_module, graph)]
        if not graphs:
            raise Failure(_unknown(loaded.source_module, options.path, options.function))
    drawn = FORMATS[options.format](graphs)
    if options.output != STDOUT:
        write(options.output, drawn.encode("utf-8", "replace"), force=options.force)
    elif drawn:
        (say if options.format == "text" else say_data)(drawn.removesuffix("\n"))
    return int(loaded.damaged)


def _names(source: SourceModule, graph: FlowGraph) -> set[str]:
    """All that a function is called by."""
    declared = source.module.declarations
    points = {point.name.decode("utf-8", "replace") for point in declared.entry_points if point.function == graph.id}
    return {graph.id, f"%{graph.id}", *points, *([declared.names[graph.id]] if graph.id in declared.names else [])}


def _unknown(source: SourceModule, path: str, name: str) -> str:
    known = [f"%{graph.id}" for graph in flow_graphs(source) if graph.blocks]
    choice = f"; there are {', '.join(known)}" if known else ", nor any other with a body"
    return f"{shown(path)}: there is no function {name}{choice}"
