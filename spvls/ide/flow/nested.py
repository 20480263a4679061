"""Drawings of graphs whose nodes lie in groups within groups: each group is laid out by itself, and is a box in its parent.

An edge runs straight down through the rows and bends between them, so that it meets no box. Edges to the same node share
their way where they pass by others. Edges that lead back up run along a lane on the right of the group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from spvls.ide.flow.layers import Item, Link, arrange, rank
from spvls.record import NamedTuple

PADDING = 14.0
TITLE = 22.0
_BOTTOM = 12.0
_GAP = 30.0
_LANE = 12.0
_LEAST_BEND = 8.0
_BEND = 7.0
_THIN = 8.0
_STEEPEST, _MOST_STRETCHED = 0.07, 60.0

Point = tuple[float, float]


class Box(NamedTuple):
    left: float
    top: float
    width: float
    height: float


class Node(NamedTuple):
    """`foot` is the room below the box for the beginnings of its edges; `group` is the innermost one that it lies in."""

    width: float
    height: float
    foot: float
    group: int | None


class Group(NamedTuple):
    """`header` is the node that the group begins with, `title` the width of what is written in its first line."""

    header: str
    title: float
    parent: int | None


class Edge(NamedTuple):
    """`room` is the width that its beginning takes up at the foot of the source."""

    source: str
    target: str
    room: float


class Drawing(NamedTuple):
    """`edges` are polylines that bend only between rows; where they do not, they go straight up, down or across."""

    width: float
    height: float
    nodes: dict[str, Box]
    groups: list[Box]
    edges: list[tuple[Point, ...]]


class _Port(NamedTuple):
    """Where edges to a node enter a group, or leave it."""

    target: str
    leaves: bool


_Key = str | int | _Port


class _Hop(NamedTuple):
    """The part of an edge that lies in one group; an edge of no drawing has the place -1."""

    edge: int
    target: str
    source_key: _Key
    target_key: _Key


_Lane = tuple[_Key, bool]
"""What the edges of a lane beside the rows have in common: that they lead back up to a node, or come from far above."""

_MOST_PASSED, _FAR = 10_000, 8
"""Rows that the edges of a group pass by in all, and the rows that one of them passes by at most where there are more."""


class _Level:
    """The inside of one group, or of the whole for None."""

    def __init__(self, plan: _Plan, group: int | None, members: list[_Key], hops: list[_Hop]) -> None:
        self._plan = plan
        self.group = group
        self._hops = hops
        ports = dict.fromkeys(key for hop in hops for key in (hop.source_key, hop.target_key) if isinstance(key, _Port))
        self.keys: list[_Key] = [*members, *ports]
        self._at = {key: at for at, key in enumerate(self.keys)}
        self._chain: dict[tuple[str, int], int] = {}
        self.items = [self._item(key) for key in self.keys]
        self._aside = self._rank()
        self._aside |= self._far()
        self._ports = self._first_ports()
        arrange(self.items, self._links())
        self._ports = self._sorted_ports()
        self._lanes = {lane: at for at, lane in enumerate(dict.fromkeys(self._aside.values()))}
        self._stack()

    def _item(self, key: _Key) -> Item:
        if isinstance(key, _Port):
            return Item(_THIN, 0.0, thin=True)
        if isinstance(key, int):
            box = self._plan.sizes[key]
            return Item(box[0], box[1])
        node = self._plan.nodes[key]
        return Item(node.width, node.height + node.foot)

    # Rows

    def _rank(self) -> dict[_Hop, _Lane]:
        """Give each item its row; the hops that lead back up, with their lanes: one for each node that they lead to."""
        inner = [hop for hop in self._hops if not isinstance(hop.target_key, _Port)]
        ways = [(self._at[hop.source_key], self._at[hop.target_key]) for hop in inner]
        # A group is entered at its header from above: what leads there from inside leads back up.
        rising = {way for way in ways if self.group is not None and way[1] == 0}
        rows, back = rank(len(self.keys), [way for way in ways if way not in rising])
        back |= rising
        last = max((rows[at] for key, at in self._at.items() if not isinstance(key, _Port)), default=0)
        for key, at in self._at.items():
            self.items[at].row = last + 1 if isinstance(key, _Port) and key.leaves else rows[at]
        return {hop: (hop.target, True) for hop, way in zip(inner, ways, strict=True) if way in back and hop.edge >= 0}

    def _far(self) -> dict[_Hop, _Lane]:
        """Where hops would pass by others in very many places, those that pass by many rows, with their lanes: one for each
        source."""
        lengths: dict[_Hop, int] = {}
        longest: dict[str, int] = {}
        for hop in self._forward():
            lengths[hop] = self._row(hop.target_key) - self._row(hop.source_key)
            longest[hop.target] = max(longest.get(hop.target, 0), lengths[hop])
        if sum(longest.values()) <= _MOST_PASSED:
            return {}
        return {
            hop: (hop.source_key, False)
            for hop, length in lengths.items()
            if length > _FAR and not isinstance(hop.target_key, _Port) and not isinstance(hop.source_key, _Port)
        }

    def _forward(self) -> Iterator[_Hop]:
        for hop in self._hops:
            if hop.edge >= 0 and hop not in self._aside and self._row(hop.source_key) < self._row(hop.target_key):
                yield hop

    def _row(self, key: _Key) -> int:
        return self.items[self._at[key]].row

    def _links(self) -> list[Link]:
        """The hops from row to row; those to the same node join where they pass by others."""
        links: dict[Link, None] = {}
        for hop in self._forward():
            source, out = self._at[hop.source_key], self.out(hop)
            for row in range(self._row(hop.source_key) + 1, self._row(hop.target_key)):
                passing = self._chain.get((hop.target, row))
                if passing is None:
                    passing = self._chain[hop.target, row] = len(self.items)
                    self.items.append(Item(_THIN, 0.0, thin=True, row=row))
                links[Link(source, out, passing, _THIN / 2)] = None
                source, out = passing, _THIN / 2
            links[Link(source, out, self._at[hop.target_key], self.into(hop.target_key, hop.target))] = None
        return list(links)

    # Where edges begin and end, from the left edge of an item

    def _first_ports(self) -> dict[int, float]:
        return self._spread([hop for hop in self._hops if isinstance(hop.source_key, str) and hop.edge >= 0])

    def _sorted_ports(self) -> dict[int, float]:
        found = [hop for hop in self._hops if isinstance(hop.source_key, str) and hop.edge >= 0]

        def ahead(hop: _Hop) -> float:
            if hop in self._aside:
                return float("inf")
            row = self._row(hop.source_key) + 1
            passing = self._chain.get((hop.target, row)) if row < self._row(hop.target_key) else None
            if passing is not None:
                return self.items[passing].left
            return self.items[self._at[hop.target_key]].left + self.into(hop.target_key, hop.target)

        return self._spread(sorted(found, key=ahead))

    def _spread(self, hops: list[_Hop]) -> dict[int, float]:
        by_source: dict[str, list[int]] = {}
        for hop in hops:
            by_source.setdefault(str(hop.source_key), []).append(hop.edge)
        found: dict[int, float] = {}
        for source, edges in by_source.items():
            rooms = [self._plan.edges[edge].room for edge in edges]
            spare = (self._plan.nodes[source].width - sum(rooms)) / len(edges)
            left = 0.0
            for edge, room in zip(edges, rooms, strict=True):
                found[edge] = left + (room + spare) / 2
                left += room + spare
        return found

    def out(self, hop: _Hop) -> float:
        """Where a hop begins."""
        if isinstance(hop.source_key, int):
            return self._plan.levels[hop.source_key].leaves_at(hop.target)
        if isinstance(hop.source_key, str) and hop.edge >= 0:
            return self._ports[hop.edge]
        return self.items[self._at[hop.source_key]].width / 2

    def into(self, key: _Key, target: str, *, backward: bool = False) -> float:
        """Where edges to a node enter an item of this group."""
        if isinstance(key, int):
            return self._plan.levels[key].entered_at(target, backward=backward)
        share = 0.5 if isinstance(key, _Port) or not backward else 0.8
        return self.items[self._at[key]].width * share

    def leaves_at(self, target: str) -> float:
        """Where edges to a node leave this group, from its left edge."""
        item = self.items[self._at[_Port(target, True)]]
        return self._plan.inset(self.group) + item.left + item.width / 2

    def entered_at(self, target: str, *, backward: bool) -> float:
        """Where edges to a node enter this group, from its left edge."""
        key = self._plan.entry(self.group, target)
        return self._plan.inset(self.group) + self.items[self._at[key]].left + self.into(key, target, backward=backward)

    # Heights

    def _stack(self) -> None:
        """Place the rows one below the other, with room for what bends between them."""
        count = max((item.row for item in self.items), default=-1) + 1
        heights, spans, rising, falling = [0.0] * count, [0.0] * count, [0] * count, [0] * count
        for item in self.items:
            heights[item.row] = max(heights[item.row], item.height)
        for hop in self._forward():
            for (_, x), (row, onward) in self._bends(hop):
                spans[row] = max(spans[row], abs(onward - x))
        for hop, lane in self._aside.items():
            falling[self._row(hop.source_key)] = max(falling[self._row(hop.source_key)], self._lanes[lane] + 1)
            rising[self._row(hop.target_key)] = max(rising[self._row(hop.target_key)], self._lanes[lane] + 1)
        self.tops: list[float] = []
        top = 0.0
        for row in range(count):
            lanes = rising[row] + (falling[row - 1] if row else 0)
            stretched = min(_MOST_STRETCHED, spans[row] * _STEEPEST)
            top += (_GAP if row else 0.0) + stretched + (_LEAST_BEND + _BEND * lanes if lanes else 0.0)
            self.tops.append(top)
            top += heights[row]
        self.bottoms = [top + height for top, height in zip(self.tops, heights, strict=True)]
        self.inner = max((item.left + item.width for item in self.items), default=0.0)
        self.width = self.inner + (_LANE * len(self._lanes) + _LANE / 2 if self._lanes else 0.0)
        last = falling[-1] if falling else 0
        self.height = top + (_LEAST_BEND + _BEND * last if last else 0.0)

    def _bends(self, hop: _Hop) -> Iterator[tuple[tuple[int, float], tuple[int, float]]]:
        """From where to where a forward hop bends: the row and the place across, above and below each bend."""
        row = self._row(hop.source_key)
        x = self.items[self._at[hop.source_key]].left + self.out(hop)
        for passed in range(row + 1, self._row(hop.target_key) + 1):
            if passed < self._row(hop.target_key):
                onward = self.items[self._chain[hop.target, passed]].left + _THIN / 2
            else:
                onward = self.items[self._at[hop.target_key]].left + self.into(hop.target_key, hop.target)
            yield (passed - 1, x), (passed, onward)
            x = onward

    def points(self, hop: _Hop) -> list[Point]:
        """The way of a hop, in the coordinates of this group."""
        if hop in self._aside:
            source, target = self._at[hop.source_key], self._at[hop.target_key]
            lane = self._lanes[self._aside[hop]]
            x = self.items[source].left + self.out(hop)
            onward = self.items[target].left + self.into(hop.target_key, hop.target, backward=True)
            aside = self.inner + _LANE * (lane + 1)
            bottom = self.bottoms[self.items[source].row] + _LEAST_BEND + _BEND * lane
            top = self.tops[self.items[target].row] - _LEAST_BEND - _BEND * lane
            return [(x, bottom), (aside, bottom), (aside, top), (onward, top), (onward, top + _LEAST_BEND + _BEND * lane)]
        found: list[Point] = []
        for (above, x), (below, onward) in self._bends(hop):
            found += [(x, self.bottoms[above]), (onward, self.tops[below])]
        return found

    def place(self, at: int) -> Box:
        """The box of a member, in the coordinates of this group."""
        item = self.items[at]
        return Box(item.left, self.tops[item.row], item.width, item.height)


class _Plan:
    """All groups, laid out from the inside to the outside."""

    def __init__(self, nodes: Mapping[str, Node], groups: Sequence[Group], edges: Sequence[Edge]) -> None:
        self.nodes = nodes
        self.groups = groups
        self.edges = edges
        self._order = {name: at for at, name in enumerate(nodes)}
        self._depths: list[int] = []
        for group in groups:
            self._depths.append(0 if group.parent is None else self._depths[group.parent] + 1)
        self.levels: dict[int | None, _Level] = {}
        self.sizes: dict[int, tuple[float, float]] = {}

    def lay_out(self, hints: Sequence[tuple[str, str]]) -> list[list[tuple[int | None, _Hop]]]:
        """Make the levels; the hops of each edge, with the groups that they lie in."""
        ways = [list(self._hops(at, edge.source, edge.target)) for at, edge in enumerate(self.edges)]
        hops: dict[int | None, list[_Hop]] = {}
        for way in ways:
            for group, hop in way:
                hops.setdefault(group, []).append(hop)
        for source, target in hints:
            common = self._common(source, target)
            if common == self.nodes[target].group:
                hops.setdefault(common, []).append(_Hop(-1, target, self._chain(source, common)[-1], target))
        members: dict[int | None, list[_Key]] = {}
        for name, node in self.nodes.items():
            members.setdefault(node.group, []).append(name)
        for at in reversed(range(len(self.groups))):
            around = self.groups[at]
            level = self.levels[at] = _Level(self, at, self._sorted(members.get(at, []), around.header), hops.get(at, []))
            width = max(level.width, around.title)
            self.sizes[at] = width + 2 * PADDING, level.height + TITLE + _BOTTOM
            members.setdefault(around.parent, []).append(at)
        self.levels[None] = _Level(self, None, self._sorted(members.get(None, []), None), hops.get(None, []))
        return ways

    def _sorted(self, members: list[_Key], header: str | None) -> list[_Key]:
        """The members of a group in the order of the nodes, but for the header, which stands first."""

        def place(key: _Key) -> tuple[bool, int]:
            name = self.groups[key].header if isinstance(key, int) else str(key)
            return name != header, self._order[name]

        return sorted(members, key=place)

    def inset(self, group: int | None) -> float:
        """How far within a group its content begins."""
        if group is None:
            return 0.0
        return (self.sizes[group][0] - self.levels[group].width) / 2

    def entry(self, group: int | None, target: str) -> _Key:
        """What of a group edges to a node enter by."""
        if group is not None and self.groups[group].header == target and self.nodes[target].group == group:
            return target
        return _Port(target, False)

    def _common(self, source: str, target: str) -> int | None:
        """The innermost group that holds two nodes; None for the whole."""
        one, other = self.nodes[source].group, self.nodes[target].group
        while one != other:
            if one is not None and (other is None or self._depths[one] >= self._depths[other]):
                one = self.groups[one].parent
            elif other is not None:
                other = self.groups[other].parent
        return one

    def _chain(self, name: str, around: int | None) -> list[_Key]:
        """A node, and the groups that it lies in inside of `around`, from the innermost."""
        found: list[_Key] = [name]
        group = self.nodes[name].group
        while group is not None and group != around:
            found.append(group)
            group = self.groups[group].parent
        return found

    def _hops(self, edge: int, source: str, target: str) -> Iterator[tuple[int | None, _Hop]]:
        common = self._common(source, target)
        outward, inward = self._chain(source, common), self._chain(target, common)
        for inner, group in pairwise(outward):
            assert isinstance(group, int)
            yield group, _Hop(edge, target, inner, _Port(target, True))
        yield common, _Hop(edge, target, outward[-1], inward[-1])
        for group, inner in pairwise(reversed(inward)):
            assert isinstance(group, int)
            way_in = self.entry(group, target)
            if way_in != target:
                yield group, _Hop(edge, target, way_in, inner)


def draw(
    nodes: Mapping[str, Node], groups: Sequence[Group], edges: Sequence[Edge], hints: Sequence[tuple[str, str]] = ()
) -> Drawing:
    """Lay out a graph from top to bottom. The first node stands first; a group stands after the one that it lies in.

    A hint names two nodes of which the second is to stand below, without an edge.
    """
    plan = _Plan(nodes, groups, edges)
    ways = plan.lay_out(hints)
    whole = plan.levels[None]
    origins: dict[int | None, Point] = {None: (0.0, 0.0)}
    boxes: dict[str, Box] = {}
    frames: list[Box] = [Box(0.0, 0.0, 0.0, 0.0)] * len(groups)
    for group in (None, *range(len(groups))):
        left, top = origins[group]
        level = plan.levels[group]
        for at, key in enumerate(level.keys):
            inner = level.place(at)
            box = Box(left + inner.left, top + inner.top, inner.width, inner.height)
            if isinstance(key, str):
                boxes[key] = box._replace(height=nodes[key].height)
            elif isinstance(key, int):
                frames[key] = box
                origins[key] = box.left + plan.inset(key), box.top + TITLE
    paths: list[tuple[Point, ...]] = []
    for edge, way in zip(edges, ways, strict=True):
        source, target = boxes[edge.source], boxes[edge.target]
        points: list[Point] = []
        for group, hop in way:
            left, top = origins[group]
            points.extend((left + x, top + y) for x, y in plan.levels[group].points(hop))
        paths.append(((points[0][0], source.top + source.height), *points, (points[-1][0], target.top)))
    return Drawing(whole.width, whole.height, {name: boxes[name] for name in nodes}, frames, paths)
