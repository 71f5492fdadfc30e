"""Where one small change of the source makes another program, and a sample of such changes.

Points are found by ``ast`` and replaced in the source text, so that a mutant differs from its file
in one place. Docstrings, annotations, decorators, messages of errors, f-strings, tables of numbers
and the thickness of lines are left alone: a change there is no other program, or one that only a
copied value could notice.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

__all__ = ["Mutant", "mutants_of", "room_of", "sampled"]

_MANY_NUMBERS = 10  # a literal with more of them is data
_NO_PROGRAM = {"stacklevel", "strict", "zorder", "linewidth", "alpha", "fontsize", "markersize"}
_OPERATORS: dict[type, tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.Add: ("+", ("-",)),
    ast.Sub: ("-", ("+",)),
    ast.Mult: ("*", ("/",)),
    ast.Div: ("/", ("*",)),
    ast.FloorDiv: ("//", ("/",)),
    ast.Mod: ("%", ("*",)),
    ast.Pow: ("**", ("*",)),
    ast.BitAnd: ("&", ("|",)),
    ast.BitOr: ("|", ("&",)),
    ast.And: ("and", ("or",)),
    ast.Or: ("or", ("and",)),
}
_PAIRS = ("min max", "any all", "minimum maximum", "nanmin nanmax", "argmin argmax", "floor ceil")
_SWAPS = {a: b for pair in map(str.split, _PAIRS) for a, b in (pair, pair[::-1])}
_SIDES = {"'left'": "'right'", "'right'": "'left'"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One change of one file: what stands at ``start`` to ``stop`` (bytes) becomes ``after``."""

    path: str
    line: int
    function: str  # the function or method it is in; empty at the level of the module
    start: int
    stop: int
    after: str
    name: str  # the same as long as its line of the file is the same

    def applied(self, source: bytes) -> bytes:
        """Return the file with the change."""
        return source[: self.start] + self.after.encode() + source[self.stop :]

    def shown(self, source: bytes) -> str:
        """Return where it is, and the line before and after."""
        row = self.line - 1
        before, after = source.splitlines()[row], self.applied(source).splitlines()[row]
        if before == after:  # it is in a later line of the same statement
            before, after = source[self.start : self.stop].split(b"\n")[0], self.after.encode()
        return f"{self.path}:{self.line}: {before.decode().strip()}  ->  {after.decode().strip()}"


def room_of(path: str) -> str:
    """Return the room of a file: its folder, or the module itself."""
    return path.split("/")[1].removesuffix(".py")


def mutants_of(path: str, source: bytes) -> list[Mutant]:
    """Return every mutant of a file."""
    starts = [0]
    for line in source.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    lines, seen, found = source.split(b"\n"), {}, []
    for function, node_line, start, stop, after in _Finder(source, starts).found():
        text = lines[node_line - 1].strip().decode()
        here = f"{path}|{text}|{source[start:stop].decode()}|{after}"
        seen[here] = seen.get(here, 0) + 1
        name = hashlib.sha256(f"{here}|{seen[here]}".encode()).hexdigest()[:16]
        found.append(
            Mutant(
                path=path,
                line=node_line,
                function=function,
                start=start,
                stop=stop,
                after=after,
                name=name,
            )
        )
    return found


def sampled(root: Path, n: int, seed: int, rooms: tuple[str, ...] = ()) -> list[Mutant]:
    """Return ``n`` mutants, rooms in proportion to their lines, one a room and at most one a line.

    A mutant's place in the order hangs on the seed and its own line alone, so that a change
    elsewhere leaves the sample nearly as it was. A file may be named in place of a room.
    """
    by_room: dict[str, list[Mutant]] = {}
    for file in sorted((root / "rocstats").rglob("*.py")):
        path = file.relative_to(root).as_posix()
        if not rooms or {room_of(path), path} & {*rooms}:
            by_room.setdefault(room_of(path), []).extend(mutants_of(path, file.read_bytes()))
    sizes = {room: len({(m.path, m.line) for m in all_}) for room, all_ in by_room.items() if all_}
    share = {room: n * size / sum(sizes.values()) for room, size in sizes.items()}
    counts = {room: max(1, int(part)) for room, part in share.items()}
    for room in sorted(share, key=lambda room: counts[room] - share[room]):
        counts[room] += sum(counts.values()) < n
    return [one for room in counts for one in _first(by_room[room], counts[room], seed, root)]


def _first(mutants: list[Mutant], count: int, seed: int, root: Path) -> Iterator[Mutant]:
    lines: set[tuple[str, int]] = set()
    for one in sorted(mutants, key=lambda m: hashlib.sha256(f"{seed}|{m.name}".encode()).digest()):
        if len(lines) == count:
            return
        if (one.path, one.line) not in lines and _compiles(one, (root / one.path).read_bytes()):
            lines.add((one.path, one.line))
            yield one


def _compiles(mutant: Mutant, source: bytes) -> bool:
    try:
        return ast.dump(ast.parse(mutant.applied(source))) != ast.dump(ast.parse(source))
    except SyntaxError:
        return False


_Point = tuple[str, int, int, int, str]


class _Finder:
    """The points of one file: (function, line, start, stop, what comes there)."""

    def __init__(self, source: bytes, starts: list[int]) -> None:
        self.source, self.starts = source, starts

    def found(self) -> Iterator[_Point]:
        yield from self._inside(ast.parse(self.source), "")

    def _span(self, node: ast.AST) -> tuple[int, int]:
        begin = self.starts[node.lineno - 1] + node.col_offset
        return begin, self.starts[node.end_lineno - 1] + node.end_col_offset

    def _text(self, node: ast.AST) -> str:
        start, stop = self._span(node)
        return self.source[start:stop].decode()

    def _inside(self, node: ast.AST, scope: str) -> Iterator[_Point]:
        if _left_alone(node):
            return
        for target, start, stop, after in self._at(node):
            yield scope.split(".<locals>")[0], target.lineno, start, stop, after
        inner = scope
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = f"{scope}.{node.name}".lstrip(".")
        for child in _children(node):
            below = inner
            if isinstance(child, ast.ClassDef):
                below = f"{inner}.{child.name}".lstrip(".")
            elif inner != scope and isinstance(child, ast.FunctionDef):
                below = f"{inner}.<locals>"
            yield from self._inside(child, below)

    def _at(self, node: ast.AST) -> Iterator[tuple[ast.AST, int, int, str]]:
        def whole(target: ast.AST, *texts: str) -> Iterator[tuple[ast.AST, int, int, str]]:
            for text in texts:
                yield target, *self._span(target), text

        match node:
            case ast.Compare(left=left, ops=ops, comparators=others):
                for a, op, b in zip([left, *others], ops, others, strict=False):
                    yield from self._between(a, op, b)
            case ast.BinOp(left=a, op=op, right=b) | ast.AugAssign(target=a, op=op, value=b):
                yield from self._between(a, op, b)
                if isinstance(node, ast.AugAssign):
                    yield from whole(node, "pass")
            case ast.BoolOp(op=op, values=values):
                for a, b in pairwise(values):
                    yield from self._between(a, op, b)
            case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
                yield from whole(node, f"({self._text(operand)})")
            case ast.Constant(value=bool() as value):
                yield from whole(node, str(not value))
            case ast.Constant(value=int() | float() as value):
                yield from whole(node, f"({self._text(node)} + 1)", *(["0"] if value else []))
            case ast.keyword(arg="side", value=ast.Constant(value=str(side))):
                yield from whole(node.value, _SIDES.get(repr(side), "'left'"))
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _SWAPS:
                stop = self._span(node.func)[1]
                yield node.func, stop - len(name), stop, _SWAPS[name]
            case ast.Return(value=ast.Constant(value=bool() | None)):
                return  # a boolean is changed as a constant
            case ast.Return(value=ast.expr() as value):
                yield from whole(value, "None")
            case ast.If(test=test) | ast.IfExp(test=test):
                yield from whole(test, f"(not ({self._text(test)}))", "True", "False")
            case ast.While(test=test):
                yield from whole(test, "False")
            case ast.comprehension(ifs=tests):
                for test in tests:
                    yield from whole(test, "True")
            case ast.Expr() | ast.Raise() | ast.Continue() | ast.Break():
                yield from whole(node, "pass")

    def _between(
        self, a: ast.AST, op: ast.AST, b: ast.AST
    ) -> Iterator[tuple[ast.AST, int, int, str]]:
        start, stop = self._span(a)[1], self._span(b)[0]
        old, others = _OPERATORS.get(type(op), ("", ()))
        text = self.source[start:stop].decode()
        pattern = r"\b" + old.replace(" ", r"\s+") + r"\b" if old.isalpha() else re.escape(old)
        match = re.search(pattern, text) if old and "#" not in text else None
        if match:
            begin = start + len(text[: match.start()].encode())
            for other in others:
                yield a, begin, begin + len(match[0]), other


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may be changed below a node: no annotation, decorator or message of an error."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases"):
            continue
        if isinstance(node, ast.Raise):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child


def _left_alone(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.JoinedStr():
            return True
        case ast.keyword(arg=str(name)):
            return name in _NO_PROGRAM
        case ast.Assign(targets=[ast.Name(id="__all__" | "__version__")]):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return True
        case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
            numbers = [n for n in ast.walk(node) if isinstance(n, ast.Constant)]
            return sum(isinstance(n.value, int | float) for n in numbers) > _MANY_NUMBERS
    return False
