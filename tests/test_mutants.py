"""Mutation testing (issue 14, line 21): the tool finds what tests notice and what they do not."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mutation_points import Mutant, mutants_of, sampled

ROOT = Path(__file__).parents[1]
FILE = "/".join(("rocstats", "tiny.py"))
TINY = '''"""A room of 1 module."""

__all__ = ["larger", "shifted"]

SHIFT = 3


def larger(a: int, b: int = 0) -> int:
    """Return the larger of 2, not the smaller."""
    if a < 0:
        raise ValueError(f"not below {0}, got {a}.")
    return max(a, b)


def shifted(n: int) -> int:
    """Return a number further on."""
    if n == 5:
        return 8
    return n + SHIFT
'''
CHECKS = "assert larger(2, 1) == larger(1, 2) == 2; assert shifted(4) == 7"
MORE = "assert larger(0) == 0; assert larger.__defaults__ == (0,)"


def as_test(checks: str) -> str:
    return f"from rocstats.tiny import larger, shifted\ndef test_tiny():\n    {checks}\n"


CHECKSUM = f"def test_checksum():\n    assert open('{FILE}').read()[-3:] == 'T\\n'\n"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A house of one room, after a first run."""
    root = tmp_path_factory.mktemp("house")
    (root / "rocstats").mkdir()
    (root / "tests" / "tiny").mkdir(parents=True)
    (root / "rocstats" / "__init__.py").touch()
    (root / "rocstats" / "tiny.py").write_text(TINY, "utf-8")
    (root / "tests" / "tiny" / "test_tiny.py").write_text(as_test(CHECKS) + CHECKSUM, "utf-8")
    (root / "pyproject.toml").write_text("[tool.pytest.ini_options]\n", "utf-8")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return root


def run(house: Path) -> tuple[int, str, list[dict[str, Any]]]:
    """Return the exit code, what was printed, and the verdicts so far."""
    command = [sys.executable, str(ROOT / "tools" / "mutants.py"), "--root", str(house)]
    command += ["--jobs", "1", "-n", "12"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert not done.stderr
    lines = (house / ".mutants" / "verdicts").read_text("utf-8").splitlines()
    return done.returncode, done.stdout, [json.loads(line) for line in lines]


def is_noticed(mutant: Mutant, checks: str) -> bool:
    names: dict[str, Any] = {}
    try:
        exec(mutant.applied(TINY.encode()), names)
        exec(checks, names)
    except Exception:
        return True
    return False


def test_14_21_the_tool_sees_what_tests_notice_and_asks_new_tests_about_survivors(
    house: Path,
) -> None:
    by_name = {one.name: one for one in mutants_of(FILE, TINY.encode())}

    code, said, first = run(house)
    assert {by_name[one["name"]].line for one in first} == {5, 8, 10, 11, 12, 17, 18, 19}
    for one in first:  # a test of the checksum would notice all of them: it is not asked
        noticed = is_noticed(by_name[one["name"]], CHECKS)
        assert one["verdict"] == ("killed" if noticed else "survived")
        assert noticed or by_name[one["name"]].shown(TINY.encode()) in said
    killed = sum(one["verdict"] == "killed" for one in first)
    assert 0 < killed < len(first)
    assert f"killed {killed} of {len(first)} decided" in said
    assert code == 1

    (house / "tests" / "tiny" / "test_more.py").write_text(as_test(MORE), "utf-8")
    _, _, second = run(house)
    assert second[: len(first)] == first
    again = [one["name"] for one in first if one["verdict"] == "survived"]
    assert sorted(one["name"] for one in second[len(first) :]) == sorted(again)
    for one in second[len(first) :]:
        noticed = is_noticed(by_name[one["name"]], MORE)
        assert one["verdict"] == ("killed" if noticed else "survived")
    assert any(one["verdict"] == "killed" for one in second[len(first) :])


def test_14_21_the_same_seed_gives_the_same_mutants_and_a_change_elsewhere_few_others(
    house: Path, tmp_path: Path
) -> None:
    names = [one.name for one in sampled(house, 4, 1)]
    assert names == [one.name for one in sampled(house, 4, 1)]
    assert set(names) != {one.name for one in sampled(house, 4, 2)}
    (tmp_path / "rocstats").mkdir()
    changed = TINY.replace("    if n == 5", "    n = n + 0\n    if n == 5")
    (tmp_path / "rocstats" / "tiny.py").write_text(changed, "utf-8")
    assert len(set(names) - {one.name for one in sampled(tmp_path, 4, 1)}) <= 1


def test_14_21_a_mutant_changes_one_place_of_the_program_and_no_words() -> None:
    source = TINY.encode()
    afters = {}
    for one in mutants_of(FILE, source):
        changed = one.applied(source)
        afters.setdefault(one.line, set()).add(changed.decode().splitlines()[one.line - 1].strip())
        assert changed[: one.start] == source[: one.start]
        assert changed.endswith(source[one.stop :])
        for before, after in zip(_words(source), _words(changed), strict=True):
            assert before == after
    assert afters[8] == {"def larger(a: int, b: int = (0 + 1)) -> int:"}
    assert afters[11] == {"pass"}
    assert afters[12] == {"return min(a, b)", "return None"}
    assert {"if a <= 0:", "if a >= 0:", "if True:", "if False:", "if (not (a < 0)):"} < afters[10]


def _words(source: bytes) -> list[str | None]:
    tree = ast.parse(source)
    found = [ast.get_docstring(tree), *(ast.unparse(one) for one in tree.body[1:2])]
    for one in tree.body[3:]:
        assert isinstance(one, ast.FunctionDef)
        found += [ast.get_docstring(one), *map(ast.unparse, one.args.args)]
    return found


def test_14_21_every_room_is_in_the_sample() -> None:
    rooms = {path.name.removesuffix(".py") for path in (ROOT / "rocstats").iterdir()}
    drawn = {one.path.split("/")[1].removesuffix(".py") for one in sampled(ROOT, 60, 1)}
    assert rooms - drawn <= {"__pycache__", "py.typed", "arrays"}  # without a line to change


def test_a_copy_has_the_compiled_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import mutants

    monkeypatch.setattr(mutants.signal, "signal", lambda *_: None)
    monkeypatch.setattr(mutants, "_tree", Path())
    root, kernel = tmp_path / "root", Path("rocstats", "engine", "_kernel.abi3.so")
    (root / kernel).parent.mkdir(parents=True)
    (root / kernel).write_bytes(b"compiled")
    (root / kernel.with_name("__init__.py")).touch()
    (root / ".gitignore").write_text("*.so\n", "utf-8")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    mutants.prepare(root, tmp_path)
    assert (mutants._tree / kernel).read_bytes() == b"compiled"
