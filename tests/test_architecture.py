"""The house plan: which room may import which, and what is imported when."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import rocstats as rs

PACKAGE = Path(rs.__file__).parent

# Room: the rooms it may import, lowest first. "rocstats" is the public API.
HOUSE = {
    "arrays": "",
    "errors": "",
    "tables": "",
    "workers": "errors",
    "data": "arrays errors",
    "places": "errors",
    "plots": "arrays errors",
    "datasets": "data errors",
    "engine": "arrays data errors",
    "estimates": "arrays data engine errors tables",
    "inference": "arrays data engine errors estimates tables",
    "planning": "arrays data engine errors estimates inference tables",
    "resampling": "arrays data engine errors estimates inference tables workers",
    "consistency": "arrays data engine errors resampling tables",
    "curves": "arrays data engine errors estimates plots resampling tables",
    "twosample": "arrays data errors estimates resampling tables",
    "multiclass": "arrays curves data engine errors estimates inference tables",
    "probabilities": "arrays curves data engine errors estimates inference plots tables",
    "rbridge": "arrays curves data errors estimates tables",
    "studies": "arrays data errors estimates plots resampling tables twosample workers rocstats",
    "thresholds": "arrays curves data engine errors estimates plots resampling tables",
    "analysis": "arrays curves data engine errors estimates inference planning probabilities "
    "rbridge resampling tables thresholds twosample rocstats",
    "papers": "arrays consistency data errors plots rbridge studies tables workers rocstats",
    "sklearn": "arrays data errors estimates probabilities",
    "validation": "places rbridge tables rocstats",
    "reports": "analysis data errors places",
}
HOUSE["cli"] = " ".join([*HOUSE, "rocstats"])
ROOMS = {room: {room, *names.split()} for room, names in HOUSE.items()}

# Library: the rooms that may import it, and whether at the top or only where it is used.
LIBRARIES = {
    "numpy": None,
    "scipy": {
        *("engine", "estimates", "inference", "resampling", "probabilities", "curves"),
        *("thresholds", "planning", "studies", "papers", "twosample", "analysis", "multiclass"),
    },
    "joblib": {"workers", "resampling"},
    "sklearn": {"studies", "papers", "sklearn"},
    "rpy2": {"rbridge"},
    "jinja2": {"reports"},
    "tqdm": {"workers"},
    "statsmodels": {"inference", "probabilities", "thresholds"},
    "pandas": {"tables", "curves", "data", "cli", "thresholds"},
    "narwhals": {"data"},
    "pyreadstat": {"data"},
    "rdata": {"data"},
    "matplotlib": {"plots"},
}


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> list[tuple[str, bool]]:
    """Names imported by a module, and whether at its top level (and not for type checking)."""
    tree = ast.parse(path.read_text())
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
            found += [(alias.name, id(node) in top) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import in {path}"
            whole = node.module == "rocstats"
            names = [f"rocstats.{a.name}" for a in node.names] if whole else [str(node.module)]
            found += [(name, id(node) in top) for name in names]
    return found


MODULES = sorted(p for p in PACKAGE.rglob("*.py") if p.parent != PACKAGE or room_of(p)[:2] != "__")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    room = room_of(path)
    assert room in ROOMS, f"{room} has no line in the house plan"
    for name, at_top in imports(path):
        library, _, rest = name.partition(".")
        if library == "rocstats":
            target = rest.split(".")[0]
            target = target if target in ROOMS else "rocstats"
            assert target in ROOMS[room], f"{room} may not import {target}"
        elif library in LIBRARIES:
            rooms = LIBRARIES[library]
            assert rooms is None or room in rooms, f"{room} may not import {library}"
            assert library == "numpy" or not at_top, (
                f"{path} must import {library} where it is used"
            )
        else:
            assert library in sys.stdlib_module_names, f"{room} imports {library}"


def loaded_after(code: str) -> set[str]:
    script = f"import sys; {code}; print(*(m for m in sys.modules if '.' not in m))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_what_is_imported_when() -> None:
    heavy = {"scipy", "pandas", "matplotlib", "narwhals", "polars", "pyarrow", "statsmodels"}
    assert not loaded_after("import rocstats") & {*heavy, "numpy"}
    assert not loaded_after("import rocstats; rocstats.auc([0, 1, 1], [1, 2, 3]).value") & heavy
    with_interval = (
        "import rocstats; rocstats.auc([0, 1, 0, 1], [1, 3, 4, 5]).confidence_interval()"
    )
    assert loaded_after(with_interval) & heavy <= {"scipy"}


def rooms_below(room: str) -> set[str]:
    """Return the rooms that a room rests on, itself among them."""
    below = ROOMS[room] - {room, "rocstats"}
    return {room}.union(*(rooms_below(other) for other in below))


@pytest.mark.parametrize("name", ["auc", "two_sample_test", "roc_curve", "sample_size_auc"])
def test_a_name_loads_the_rooms_it_rests_on_and_no_more(name: str) -> None:
    script = f"import sys, rocstats; rocstats.{name}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = [module for module in run.stdout.split() if module.startswith("rocstats.")]
    assert {module.split(".")[1] for module in loaded} <= rooms_below(
        rs._MODULES[name].split(".")[0]
    )
    assert len(loaded) <= 60  # of more than 200


def test_public_modules_resolve() -> None:
    script = "import rocstats as rs; print(rs.sklearn.__name__, rs.datasets.__name__)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["rocstats.sklearn", "rocstats.datasets"]


def test_type_checkers_see_the_names_of_the_map_and_no_others() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    blocks = {ast.unparse(node.test): node.body for node in tree.body if isinstance(node, ast.If)}
    seen: dict[str, str] = {}
    modules = set()
    for node in blocks["TYPE_CHECKING"]:
        assert isinstance(node, ast.ImportFrom)
        for alias in node.names:
            assert alias.asname == alias.name, f"{alias.name} is not exported"
            if node.module == "rocstats":
                modules.add(alias.name)
            else:
                seen[alias.name] = str(node.module).removeprefix("rocstats.")
    assert seen == rs._MODULES
    assert modules == set(rs._PUBLIC_MODULES)
    # Where a checker sees __getattr__, it takes any name for one of the package.
    (hidden,) = blocks["not TYPE_CHECKING"]
    assert isinstance(hidden, ast.FunctionDef)
    assert hidden.name == "__getattr__"
    assert "__getattr__" not in {getattr(node, "name", None) for node in tree.body}


def test_public_names_are_there_once() -> None:
    assert len(set(rs.__all__)) == len(rs.__all__)
    assert sorted(rs.__all__) == sorted(dir(rs))
    for name in rs.__all__:
        assert getattr(rs, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'roc'"):
        rs.roc  # noqa: B018


def test_no_module_is_named_like_a_public_function_and_no_drawers() -> None:
    names = {path.stem for path in MODULES if room_of(path) != "cli"}  # commands are named so
    functions = {name for name in rs.__all__ if callable(getattr(rs, name))}
    assert not names & functions
    assert not names & {"utils", "helpers", "common", "base"}
