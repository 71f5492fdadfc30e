"""The house as its imports tell it: rooms, what each stands on, how large it is, what it is for.

``python tools/house.py`` (``make house``) writes ``docs/architecture.md`` and its drawing, and the
map in ``CONTRIBUTING.md``; ``tests/test_architecture.py`` walks the imports with the functions
here and fails where those files are stale.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from house_drawing import drawing

__all__ = ["API", "House", "Import", "Room", "house", "imports", "modules", "pages", "room_of"]

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "rocstats"
API = "rocstats"  # the public names, which are no room


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """One import in a module; `at_top` where it runs as soon as the module is imported."""

    name: str
    at_top: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A folder of the package, or a module beside the folders."""

    name: str
    sentence: str
    lines: int
    is_folder: bool
    needs: frozenset[str]  # rooms it imports, without itself
    by_api: bool  # whether it speaks the public names


@dataclass(frozen=True, kw_only=True)
class House:
    """Every room by name."""

    rooms: Mapping[str, Room]

    @property
    def edges(self) -> list[tuple[str, str]]:
        """Pairs of a room and one that it imports."""
        return [(room.name, need) for room in self.rooms.values() for need in sorted(room.needs)]

    @cached_property
    def below(self) -> dict[str, frozenset[str]]:
        """Every room with all that it stands on, or an error that names a cycle."""
        found: dict[str, frozenset[str]] = {}

        def reach(name: str, path: tuple[str, ...]) -> frozenset[str]:
            if name in path:
                raise ValueError(f"A cycle: {' -> '.join([*path, name])}.")
            if name not in found:
                needs = self.rooms[name].needs
                found[name] = needs.union(*(reach(need, (*path, name)) for need in needs))
            return found[name]

        for name in self.rooms:
            reach(name, ())
        return found

    def arrows(self) -> dict[str, list[str]]:
        """What a room needs directly: an import that another one implies is left out."""
        return {
            name: sorted(
                need
                for need in room.needs
                if not any(need in self.below[other] for other in room.needs)
            )
            for name, room in self.rooms.items()
        }

    def depth(self) -> int:
        """Rooms on the longest way down."""
        height: dict[str, int] = {}
        for name in sorted(self.rooms, key=lambda name: len(self.below[name])):
            height[name] = 1 + max((height[need] for need in self.rooms[name].needs), default=0)
        return max(height.values())

    def upwards(self) -> list[str]:
        """Rooms in an order to read them in: each after all that it stands on."""
        return sorted(
            self.rooms, key=lambda name: (self.rooms[name].by_api, len(self.below[name]), name)
        )

    def ground(self) -> list[str]:
        """Modules beside the folders that need nothing but each other: all may stand on them."""
        found = {name for name, room in self.rooms.items() if not room.is_folder}
        found -= {name for name in found if self.rooms[name].by_api}
        return sorted(name for name in found if self.below[name] <= found)


def room_of(path: Path) -> str:
    """Return the room that a module of the package is in."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def modules() -> list[Path]:
    """Return every module that is in a room."""
    return sorted(path for path in PACKAGE.rglob("*.py") if not room_of(path).startswith("__"))


def imports(path: Path) -> list[Import]:
    """Return what a module imports, here or in a function, but not for type checking only."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in ast.walk(node)
    }
    top = {id(node) for node in tree.body}
    found = []
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                raise ValueError(f"{path} imports relatively.")
            whole = node.module == API
            names = [f"{API}.{a.name}" for a in node.names] if whole else [str(node.module)]
        else:
            continue
        found += [Import(name=name, at_top=id(node) in top) for name in names]
    return found


def target(name: str, rooms: set[str]) -> str | None:
    """Return the room of an imported name, `API` for public names, None for other libraries."""
    library, _, rest = name.partition(".")
    if library != API or rest == "__version__":
        return None
    first = rest.partition(".")[0]
    return first if first in rooms else API


def house() -> House:
    """Return the house as it stands."""
    inside: dict[str, list[Path]] = {}
    for path in modules():
        inside.setdefault(room_of(path), []).append(path)
    rooms = {}
    for name, paths in sorted(inside.items()):
        asked = {target(found.name, set(inside)) for path in paths for found in imports(path)}
        folder = (PACKAGE / name).is_dir()
        door = PACKAGE / name / "__init__.py" if folder else PACKAGE / f"{name}.py"
        rooms[name] = Room(
            name=name,
            sentence=sentence(door),
            lines=sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths),
            is_folder=folder,
            needs=frozenset(need for need in asked if need not in (None, API, name)),
            by_api=API in asked,
        )
    return House(rooms=rooms)


def sentence(path: Path) -> str:
    """Return the first line of a module's docstring."""
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return said.partition("\n")[0]


def rounded(lines: int) -> str:
    """Return a number of lines with two digits that count, so that an edit changes few pages."""
    unit = 10 ** max(len(str(lines)) - 2, 0)
    return f"{round(lines / unit) * unit:,}"


_PAGE = """# The house

Generated from the imports by `make house` (`tools/house.py`); do not edit.

![The rooms of rocstats and what each stands on](architecture.svg)

A room is a folder of `rocstats/`, or a module beside the folders. Imports point down, without a
cycle. An arrow goes from a room to one that it imports, unless another arrow implies it; the table
has them all. The rooms on the ground carry everything, so their arrows are left out. What stands
above the roof speaks the public names (`import rocstats as rs`, in the table `rs`), as any user
does.

{n} rooms, {edges} imports of one room by another, {depth} rooms on the longest way down,
{lines} lines of code (to two digits, here and below).

| room | what it is for | lines | imports |
|---|---|---|---|
{rows}
"""


def page(plan: House) -> str:
    """Return the page that holds the drawing."""
    order = plan.upwards()
    rows = []
    for name in order:
        room = plan.rooms[name]
        needs = sorted(room.needs, key=order.index) + (["`rs`"] if room.by_api else [])
        where = f"[`{name}`](../rocstats/{name}{'' if room.is_folder else '.py'})"
        rows.append(f"| {where} | {room.sentence} | {rounded(room.lines)} | {', '.join(needs)} |")
    return _PAGE.format(
        n=len(plan.rooms),
        edges=len(plan.edges),
        depth=plan.depth(),
        lines=rounded(sum(room.lines for room in plan.rooms.values())),
        rows="\n".join(rows),
    )


def picture(plan: House) -> str:
    """Return the drawing as SVG: the ground, the floors, the roof and what speaks through it."""
    ground = plan.ground()
    above = sorted(name for name, room in plan.rooms.items() if room.by_api)
    arrows = {
        name: [need for need in needs if need not in ground and name not in above]
        for name, needs in plan.arrows().items()
        if name not in ground
    }
    for name in above:
        arrows[name] = sorted(plan.rooms[name].needs & set(above)) or [API]
    texts = {
        name: (name, f"{rounded(room.lines)} lines", room.sentence)
        for name, room in plan.rooms.items()
    }
    return drawing(arrows, ground=ground, roof=API, texts=texts)


_START, _END = "<!-- rooms: made by make house -->", "<!-- end of the rooms -->"


def contributing(plan: House, text: str) -> str:
    """Return CONTRIBUTING.md with the map of rooms as it is now."""
    width = max(len(name) for name in plan.rooms) + 4
    tree = [
        f"  {name + ('/' if plan.rooms[name].is_folder else '.py'):{width}}"
        f"{plan.rooms[name].sentence}"
        for name in plan.upwards()
    ]
    before, _, rest = text.partition(_START)
    _, _, after = rest.partition(_END)
    return "\n".join([before + _START, "```", "rocstats/", *tree, "```", _END + after])


def pages() -> dict[Path, str]:
    """Return every file that is made from the house, with what it should hold."""
    plan = house()
    guide = ROOT / "CONTRIBUTING.md"
    return {
        ROOT / "docs" / "architecture.md": page(plan),
        ROOT / "docs" / "architecture.svg": picture(plan),
        guide: contributing(plan, guide.read_text(encoding="utf-8")),
    }


def main() -> int:
    """Write the files."""
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8", newline="\n")
        print(path.relative_to(ROOT), file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
