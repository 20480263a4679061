"""A control flow graph as a picture in SVG, for light and dark surroundings."""

from __future__ import annotations

from collections.abc import Sequence

from spvls.ide.flow.graph import FlowBlock, FlowConstruct, FlowEdge, FlowGraph
from spvls.ide.flow.nested import TITLE, Box, Drawing, Edge, Group, Node, Point, draw
from spvls.ide.flow.wording import construct_title, dominance, edge_label, graph_summary, instruction_count, roles, shortened
from spvls.record import NamedTuple
from spvls.text.escaping import visible, xml_text

MARGIN = 16.0
_LETTER, _SMALL_LETTER = 7.3, 6.7
_LINE = 17.0
_LONGEST = 44
_LONGEST_LABEL = 26
_FOOT = 19.0
_CORNER = 6.0
_HEADING, _HEADING_LETTER = 30.0, 8.7
_NARROWEST = 60.0
_STRAIGHT = 0.6

STYLE = """
.cfg{--ink:var(--vscode-editor-foreground,#1f2328);--dim:var(--vscode-descriptionForeground,#656d76);
--paper:var(--vscode-editor-background,#ffffff);--box:var(--vscode-editorWidget-background,#f6f8fa);
--frame:var(--vscode-editorWidget-border,#afb8c1);--line:#6e7781;--yes:#1a7f37;--no:#cf222e;--case:#0969da;--back:#9a6700;
--loop:#9a6700;--selection:#0969da;--switch:#8250df;--mark:var(--vscode-focusBorder,#0969da)}
.vscode-dark .cfg,.vscode-high-contrast:not(.vscode-high-contrast-light) .cfg{
--line:#8b949e;--yes:#3fb950;--no:#f85149;--case:#58a6ff;--back:#d29922;
--loop:#d29922;--selection:#58a6ff;--switch:#bc8cff}
@media (prefers-color-scheme:dark){.cfg.alone{--ink:#e6edf3;--dim:#8d96a0;--paper:#0d1117;--box:#161b22;--frame:#444c56;
--line:#8b949e;--yes:#3fb950;--no:#f85149;--case:#58a6ff;--back:#d29922;--loop:#d29922;--selection:#58a6ff;
--switch:#bc8cff;--mark:#58a6ff}}
.cfg text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--ink);white-space:pre}
.cfg .paper{fill:var(--paper)}
.cfg .heading{font-size:14px;font-weight:600}
.cfg .note,.cfg .exit,.cfg .does,.cfg .count{font-size:11px;fill:var(--dim)}
.cfg .role{font-size:11px;font-style:italic;fill:var(--dim)}
.cfg .block rect{fill:var(--box);stroke:var(--frame)}
.cfg .block text{text-anchor:middle}
.cfg .block .name{font-weight:600}
.cfg .block.unreachable rect{stroke-dasharray:4 3}
.cfg .block.unreachable .name{font-style:italic}
.cfg .block.current rect{stroke:var(--mark);stroke-width:2.5}
.cfg .construct rect{fill-opacity:.05;stroke-opacity:.55}
.cfg .construct text{font-size:11px}
.cfg .loop>rect{fill:var(--loop);stroke:var(--loop)}.cfg .loop>text{fill:var(--loop)}
.cfg .selection>rect{fill:var(--selection);stroke:var(--selection)}.cfg .selection>text{fill:var(--selection)}
.cfg .switch>rect{fill:var(--switch);stroke:var(--switch)}.cfg .switch>text{fill:var(--switch)}
.cfg .edge path{fill:none;stroke:var(--line);stroke-width:1.4}
.cfg .edge .arrow{fill:var(--line);stroke:none}
.cfg .edge text{font-size:11px;text-anchor:middle;fill:var(--line);paint-order:stroke;stroke:var(--paper);stroke-width:4px}
.cfg .true path{stroke:var(--yes)}.cfg .true .arrow,.cfg .true text{fill:var(--yes)}
.cfg .false path{stroke:var(--no)}.cfg .false .arrow,.cfg .false text{fill:var(--no)}
.cfg .case path{stroke:var(--case)}.cfg .case .arrow,.cfg .case text{fill:var(--case)}
.cfg .back path{stroke:var(--back);stroke-dasharray:5 3}.cfg .back .arrow{fill:var(--back);stroke:none}
"""


_Lines = dict[str, list[tuple[str, str]]]


class _Picture(NamedTuple):
    width: float
    height: float
    body: list[str]


def svg(graphs: Sequence[FlowGraph]) -> str:
    """A file with the pictures of functions, one below the other, each with its name above it."""
    pictures = [_picture(graph) for graph in graphs]
    headings = [f"{graph.name} · {graph_summary(graph)}" for graph in graphs]
    widths = [picture.width for picture in pictures] + [len(heading) * _HEADING_LETTER for heading in headings]
    width = max(widths, default=0.0) + 2 * MARGIN
    height = sum(picture.height + _HEADING + MARGIN for picture in pictures) + MARGIN
    out = [_opening(width, height, "cfg alone", "Control flow of " + ", ".join(graph.name for graph in graphs))]
    out.append('<rect class="paper" width="100%" height="100%"/>')
    top = MARGIN
    for picture, heading in zip(pictures, headings, strict=True):
        out.append(f'<text class="heading" x="{MARGIN:.0f}" y="{top + 10:.0f}">{xml_text(heading)}</text>')
        out.append(f'<g transform="translate({(width - picture.width) / 2:.1f} {top + _HEADING:.1f})">')
        out += [*picture.body, "</g>"]
        top += picture.height + _HEADING + MARGIN
    return "\n".join([*out, "</svg>", ""])


def svg_part(graph: FlowGraph) -> str:
    """The picture of a function for a page around it, which has the background and the name."""
    picture = _picture(graph)
    size = picture.width + 2 * MARGIN, picture.height + 2 * MARGIN
    opening = _opening(*size, "cfg", "Control flow of " + graph.name)
    return "\n".join([opening, f'<g transform="translate({MARGIN:.0f} {MARGIN:.0f})">', *picture.body, "</g>", "</svg>", ""])


def _opening(width: float, height: float, kind: str, label: str) -> str:
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    name = f'role="img" aria-label="{xml_text(label)}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" {size} {name}>\n<style>{STYLE}</style>'


def _picture(graph: FlowGraph) -> _Picture:
    lines = _lines(graph)
    drawing = _drawn(graph, lines)
    body = [_construct(construct, box) for construct, box in zip(graph.constructs, drawing.groups, strict=True)]
    body += [_edge(edge, points) for edge, points in zip(graph.edges, drawing.edges, strict=True)]
    body += [_block(block, lines[block.id], drawing.nodes[block.id]) for block in graph.blocks]
    return _Picture(drawing.width, drawing.height, body)


def _lines(graph: FlowGraph) -> _Lines:
    """What stands in each block, every line with its class."""
    parts = roles(graph)
    found: _Lines = {}
    for block in graph.blocks:
        lines = [("name", block.name), ("count", instruction_count(block))]
        lines += [*(("does", text) for text in block.accesses), ("exit", block.exit)]
        lines += [("role", role) for role in parts[block.id]]
        found[block.id] = [(kind, shortened(visible(text), _LONGEST)) for kind, text in lines if text]
    return found


def _drawn(graph: FlowGraph, lines: _Lines) -> Drawing:
    labeled = {edge.source for edge in graph.edges if edge.labels}
    room: dict[str, float] = {}
    edges = []
    for edge in graph.edges:
        edges.append(Edge(edge.source, edge.target, len(edge_label(edge.labels, _LONGEST_LABEL)) * _SMALL_LETTER + 14))
        room[edge.source] = room.get(edge.source, 0.0) + edges[-1].room
    nodes: dict[str, Node] = {}
    for block in graph.blocks:
        width = max(len(text) * (_LETTER if kind == "name" else _SMALL_LETTER) for kind, text in lines[block.id])
        height = len(lines[block.id]) * _LINE + 11
        foot = _FOOT if block.id in labeled else 0.0
        nodes[block.id] = Node(max(width + 24, room.get(block.id, 0.0), _NARROWEST), height, foot, block.construct)
    groups = [
        Group(construct.header, len(construct_title(construct)) * _SMALL_LETTER, construct.parent)
        for construct in graph.constructs
    ]
    hints = [(construct.header, construct.merge) for construct in graph.constructs if construct.merge in nodes]
    return draw(nodes, groups, edges, hints)


def _construct(construct: FlowConstruct, box: Box) -> str:
    title = f"{construct.kind} from %{construct.header} to %{construct.merge}"
    return (
        f'<g class="construct {construct.kind}" data-header="{xml_text(construct.header)}"><title>{xml_text(title)}</title>'
        f'<rect x="{box.left:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="6"/>'
        f'<text x="{box.left + 8:.1f}" y="{box.top + TITLE - 7:.1f}">{xml_text(construct_title(construct))}</text></g>'
    )


def _block(block: FlowBlock, lines: Sequence[tuple[str, str]], box: Box) -> str:
    kinds = "block" if block.reachable else "block unreachable"
    middle = box.left + box.width / 2
    written = "".join(
        f'<text class="{kind}" x="{middle:.1f}" y="{box.top + 17 + _LINE * at:.1f}">{xml_text(text)}</text>'
        for at, (kind, text) in enumerate(lines)
    )
    return (
        f'<g class="{kinds}" data-block="{xml_text(block.id)}"><title>{xml_text(dominance(block) or block.id)}</title>'
        f'<rect x="{box.left:.1f}" y="{box.top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="4"/>{written}</g>'
    )


def _edge(edge: FlowEdge, points: Sequence[Point]) -> str:
    (x, y), (to_x, to_y) = points[0], points[-1]
    ends = f'data-source="{xml_text(edge.source)}" data-target="{xml_text(edge.target)}"'
    label = ""
    if edge.labels:
        label = f'<text x="{x:.1f}" y="{y + 13:.1f}">{xml_text(edge_label(edge.labels, _LONGEST_LABEL))}</text>'
    title = f"%{edge.source} → %{edge.target}" + (f": {edge_label(edge.labels)}" if edge.labels else "")
    arrow = f"M{to_x - 4:.1f} {to_y - 8:.1f}L{to_x + 4:.1f} {to_y - 8:.1f}L{to_x:.1f} {to_y:.1f}Z"
    return (
        f'<g class="edge {edge.kind}{" back" if edge.back else ""}" {ends}><title>{xml_text(title)}</title>'
        f'<path d="{_path(points)}"/><path class="arrow" d="{arrow}"/>{label}</g>'
    )


def _path(points: Sequence[Point]) -> str:
    """A polyline, bent in curves where it goes aslant, and rounded at its corners."""
    way = _without_repeats(points)
    drawn = [f"M{way[0][0]:.1f} {way[0][1]:.1f}"]
    for at in range(1, len(way)):
        (x, y), (to_x, to_y) = way[at - 1], way[at]
        if x != to_x and y != to_y:
            middle = (y + to_y) / 2
            drawn.append(f"C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}")
        elif at + 1 < len(way) and _is_corner(way[at - 1], way[at], way[at + 1]):
            before, after = _towards(way[at], way[at - 1]), _towards(way[at], way[at + 1])
            drawn.append(f"L{before[0]:.1f} {before[1]:.1f}Q{to_x:.1f} {to_y:.1f} {after[0]:.1f} {after[1]:.1f}")
        else:
            drawn.append(f"L{to_x:.1f} {to_y:.1f}")
    return "".join(drawn)


def _without_repeats(points: Sequence[Point]) -> list[Point]:
    """The points, those left out that lie on the straight way between others; what is nearly straight becomes so."""
    found: list[Point] = []
    for x, y in points:
        if found and abs(x - found[-1][0]) < _STRAIGHT:
            x = found[-1][0]
        if found and (x, y) == found[-1]:
            continue
        if len(found) > 1 and found[-2][0] == found[-1][0] == x:
            found.pop()
        found.append((x, y))
    return found


def _is_corner(before: Point, at: Point, after: Point) -> bool:
    return (before[0] == at[0] and at[1] == after[1]) or (before[1] == at[1] and at[0] == after[0])


def _towards(at: Point, other: Point) -> Point:
    """The point where the rounding of a corner begins, on the way to the next one."""
    x, y = other[0] - at[0], other[1] - at[1]
    length = abs(x) + abs(y)
    share = min(_CORNER, length / 2) / length
    return at[0] + x * share, at[1] + y * share
