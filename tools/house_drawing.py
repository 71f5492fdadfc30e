"""A drawing of rooms on floors, as SVG: those that carry below, those that rest on them above.

Rooms are put on floors by what they stand on and ordered so that few arrows cross; an arrow over
several floors passes each at a place of its own. The same rooms give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import combinations, pairwise
from random import Random
from textwrap import wrap

__all__ = ["drawing"]

BOX, TALL, GAP, RISE = 212.0, 82.0, 20.0, 38.0  # of a box, and between boxes and floors
PASSAGE = 12.0  # width of the place where an arrow passes a floor
EDGE = 24.0  # around the drawing
STARTS = 25  # orders to begin from
LETTERS = 30  # in a line of a sentence

Arrows = Mapping[str, Sequence[str]]
Node = tuple[str, ...]  # a room, or (from, to, floor): an arrow that passes
Floors = list[list[Node]]

STYLE = """
  svg { --back: #ffffff; --box: #f4f6f9; --line: #9aa5b4; --word: #1b2530; --small: #4d5a69;
    --ground: #e9e4da; --roof: #dbe7f6; font-family: system-ui, "Segoe UI", Helvetica, Arial,
    sans-serif; }
  @media (prefers-color-scheme: dark) { svg { --back: #12171d; --box: #1e2731; --line: #6d7b8b;
    --word: #eef2f6; --small: #b3bfcc; --ground: #332f28; --roof: #21354f; } }
  .back { fill: var(--back); }
  .room { fill: var(--box); stroke: var(--line); }
  .ground { fill: var(--ground); stroke: var(--line); }
  .roof { fill: var(--roof); stroke: var(--line); }
  .arrow { fill: none; stroke: var(--line); stroke-width: 1.6; }
  .head { fill: var(--line); }
  text { fill: var(--small); font-size: 11.5px; }
  .name { fill: var(--word); font-size: 15px; font-weight: 600; }
"""


def drawing(
    arrows: Arrows, *, ground: Sequence[str], roof: str, texts: Mapping[str, tuple[str, str, str]]
) -> str:
    """Return the drawing.

    Parameters
    ----------
    arrows : a room above the ground, and what it rests on
    ground : rooms that carry all the others, drawn without arrows
    roof : what stands for all rooms that are on no way down from it
    texts : of a room: its name, how large it is, what it is for
    """
    under = {room: needs for room, needs in arrows.items() if not _above(room, arrows, roof)}
    rest = arrows.keys() - under
    over = {room: [need for need in arrows[room] if need in rest] for room in sorted(rest)}
    upper, lower = _floors(over), _ordered(_floors(under), under)
    at: dict[Node, tuple[float, float]] = {}
    height = 0.0
    for floor in [*upper[::-1], [], *lower[::-1], [(room,) for room in sorted(ground)]]:
        at |= {node: (x, height) for node, x in _row(floor).items()}
        height += (TALL if floor else TALL / 2) + RISE
    bar = len(upper) * (TALL + RISE)
    width = 2 * max(abs(x) + _wide(node) / 2 for node, (x, _) in at.items())
    ways = [
        [(at[(room,)][0], bar)] if need == roof else [at[n] for n in _way(room, need, lower)]
        for room, needs in sorted(arrows.items())
        for need in needs
    ]
    starts = [_foot(at[(room,)]) for room, needs in sorted(arrows.items()) for _ in needs]
    parts = [_arrow([start, *way]) for start, way in zip(starts, ways, strict=True)]
    parts.append(_bar(bar, width, f"import {roof} as rs: the public names"))
    parts += [
        _box(texts[node[0]], *place, "ground" if node[0] in ground else "room")
        for node, place in at.items()
        if len(node) == 1
    ]
    start, height = -width / 2, height - RISE
    view = (start - EDGE, -EDGE, width + 2 * EDGE, height + 2 * EDGE)
    size = " ".join(f"{n:.0f}" for n in view)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" width="{view[2]:.0f}" '
            f'height="{view[3]:.0f}" role="img">',
            "<title>The rooms of the house and what each stands on</title>",
            f"<style>{STYLE}</style>",
            '<rect class="back" x="{:.0f}" y="{:.0f}" width="{:.0f}" height="{:.0f}"/>'.format(
                *view
            ),
            *parts,
            "</svg>\n",
        ]
    )


def _above(room: str, arrows: Arrows, roof: str) -> bool:
    return any(need == roof or _above(need, arrows, roof) for need in arrows.get(room, ()))


# ------------------------------------------------------------------------------ floors and order


def _floors(arrows: Arrows) -> Floors:
    """Return rooms from the lowest floor up, with the passages of arrows over several floors.

    A room stands right above what it needs; one that needs nothing, right below its first user.
    """
    floor: dict[str, int] = {}

    def stand(room: str) -> int:
        if room not in floor:
            floor[room] = 1 + max((stand(need) for need in arrows[room]), default=-1)
        return floor[room]

    for room in sorted(arrows):
        stand(room)
    for room in sorted(arrows):
        users = [floor[user] for user in arrows if room in arrows[user]]
        if not arrows[room] and users:
            floor[room] = min(users) - 1
    found: Floors = [[] for _ in range(1 + max(floor.values()))]
    for room in sorted(arrows):
        found[floor[room]].append((room,))
        for need in arrows[room]:
            for level in range(floor[need] + 1, floor[room]):
                found[level].append((room, need, str(level)))
    return found


def _passages(room: str, need: str, floors: Floors) -> list[Node]:
    """Return where an arrow passes floors, from above."""
    return [node for floor in reversed(floors) for node in floor if node[:-1] == (room, need)]


def _links(floors: Floors, arrows: Arrows) -> dict[Node, list[Node]]:
    """Return every node of the floors with those it is tied to on the floor below."""
    found: dict[Node, list[Node]] = {node: [] for floor in floors for node in floor}
    for room, needs in arrows.items():
        for need in needs:
            way = [(room,), *_passages(room, need, floors), (need,)]
            for one, other in pairwise(way):
                found[one].append(other)
    return found


def _ordered(floors: Floors, arrows: Arrows) -> Floors:
    """Return the floors in the order with the fewest crossings that swaps find."""
    down = _links(floors, arrows)
    chance = Random(1)
    found = []
    for _ in range(STARTS):
        order = [chance.sample(floor, len(floor)) for floor in floors]
        cost = _cost(order, down)
        better = True
        while better:
            better = False
            for floor in order:
                for i, j in combinations(range(len(floor)), 2):
                    floor[i], floor[j] = floor[j], floor[i]
                    swapped = _cost(order, down)
                    if swapped < cost:
                        cost, better = swapped, True
                    else:
                        floor[i], floor[j] = floor[j], floor[i]
        found.append((cost, order))
    return min(found)[1]


def _cost(floors: Floors, down: Mapping[Node, Sequence[Node]]) -> tuple[int, float]:
    """Return how many arrows cross, then how far they reach sideways."""
    crossings, reach = 0, 0.0
    rows = [_row(floor) for floor in floors]
    for below, here in pairwise(rows):
        ends = [(x, below[tie]) for node, x in here.items() for tie in down[node]]
        crossings += sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(ends, 2))
        reach += sum((a - b) ** 2 for a, b in ends)
    return crossings, round(reach, 3)


def _wide(node: Node) -> float:
    return BOX if len(node) == 1 else PASSAGE


def _row(floor: Sequence[Node]) -> dict[Node, float]:
    """Return where the middles of boxes are, side by side around 0."""
    total = sum(map(_wide, floor)) + GAP * (len(floor) - 1)
    found, x = {}, -total / 2
    for node in floor:
        found[node] = x + _wide(node) / 2
        x += _wide(node) + GAP
    return found


def _way(room: str, need: str, floors: Floors) -> list[Node]:
    return [*_passages(room, need, floors), (need,)]


# -------------------------------------------------------------------------------------- the marks


def _foot(at: tuple[float, float]) -> tuple[float, float]:
    return at[0], at[1] + TALL


def _arrow(points: Sequence[tuple[float, float]]) -> str:
    """Return a curve from a foot down past floors to the top of a box, and its head."""
    (x, y), *passages, (ex, ey) = points
    path = f"M{x:.1f},{y:.1f}"
    for nx, ny in passages:
        path += _bend(x, y, nx, ny) + f"V{ny + TALL:.1f}"
        x, y = nx, ny + TALL
    path += _bend(x, y, ex, ey - 7)
    head = f"M{ex - 4.5:.1f},{ey - 8:.1f}h9l-4.5,8z"
    return f'<path class="arrow" d="{path}"/><path class="head" d="{head}"/>'


def _bend(x: float, y: float, nx: float, ny: float) -> str:
    half = (y + ny) / 2
    return f"C{x:.1f},{half:.1f} {nx:.1f},{half:.1f} {nx:.1f},{ny:.1f}"


def _box(text: tuple[str, str, str], x: float, y: float, kind: str = "room") -> str:
    name, size, sentence = text
    left = x - BOX / 2
    lines = [
        f'<text x="{left + 12:.1f}" y="{y + 40 + 14 * i:.1f}">{escape(line)}</text>'
        for i, line in enumerate(wrap(sentence, LETTERS))
    ]
    return (
        f'<g><rect class="{kind}" x="{left:.1f}" y="{y:.1f}" width="{BOX:.0f}" '
        f'height="{TALL:.0f}" rx="7"/>'
        f'<text class="name" x="{left + 12:.1f}" y="{y + 21:.1f}">{escape(name)}</text>'
        f'<text x="{left + BOX - 12:.1f}" y="{y + 21:.1f}" text-anchor="end">{escape(size)}</text>'
        + "".join(lines)
        + "</g>"
    )


def _bar(y: float, width: float, text: str) -> str:
    x, tall = -width / 2, TALL / 2
    return (
        f'<g><rect class="roof" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{tall:.0f}" rx="7"/><text class="name" x="{x + width / 2:.1f}" '
        f'y="{y + tall / 2 + 5:.1f}" text-anchor="middle">{escape(text)}</text></g>'
    )
