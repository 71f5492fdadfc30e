"""The house plan: which room may import which, what is imported when, and what it is called."""

import ast
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

import house
import pytest

import rocstats as rs

TESTS = Path(__file__).parent
PLAN = house.house()
PAGES = house.pages()
MODULES = house.modules()

# Room: the rooms it imports. Nothing else may be imported, and nothing stands here unused.
ROOMS = {
    "arrays": "",
    "errors": "",
    "tables": "errors places plots",
    "workers": "errors",
    "data": "arrays errors places workers",
    "places": "errors",
    "plots": "errors",
    "datasets": "data errors readers survival",
    "engine": "arrays data errors",
    "estimates": "data engine errors tables",
    "inference": "arrays data engine errors estimates tables",
    "planning": "data engine errors estimates inference tables",
    "resampling": "arrays data engine errors estimates inference tables workers",
    "consistency": "arrays engine errors resampling tables",
    "curves": "arrays data engine errors estimates plots resampling tables",
    "readers": "curves data engine errors estimates inference planning plots resampling tables",
    "survival": "arrays curves data engine errors estimates inference plots resampling tables",
    "twosample": "arrays data errors estimates resampling tables",
    "multiclass": "curves data engine errors estimates inference tables",
    "probabilities": "arrays curves data engine errors estimates inference plots tables",
    "rbridge": "curves data errors estimates tables",
    "studies": "arrays data errors estimates plots resampling tables twosample workers",
    "thresholds": "arrays curves data engine errors estimates plots resampling tables",
    "analysis": "arrays curves data engine errors estimates inference planning probabilities "
    "rbridge readers resampling survival tables thresholds twosample",
    "reports": "analysis data errors estimates places tables",
    "sklearn": "data errors",
    "papers": "arrays consistency errors plots studies tables workers",
    "validation": "places rbridge tables",
    "app": "analysis data errors inference places reports tables",
    "cli": "analysis app data errors estimates papers places plots rbridge reports "
    "studies tables thresholds validation workers",
}
BY_PUBLIC_NAMES = {"app", "cli", "papers", "sklearn", "validation"}  # may `import rocstats as rs`
MOST_ROOMS, MOST_IMPORTS, MOST_ENTRIES = 30, 175, 30

# Library: the rooms that may import it; all but numpy only where it is used.
LIBRARIES = {
    "numpy": None,
    "scipy": {
        *("engine", "estimates", "inference", "resampling", "probabilities", "curves"),
        *("thresholds", "planning", "studies", "papers", "twosample", "analysis", "multiclass"),
        "readers",
    },
    "joblib": {"workers", "resampling"},
    "sklearn": {"studies", "papers", "sklearn"},
    "rpy2": {"rbridge"},
    "jpype": {"papers"},
    "jinja2": {"reports", "app"},
    "starlette": {"app"},
    "python_multipart": {"app"},
    "uvicorn": {"app"},
    "tqdm": {"workers"},
    "statsmodels": {"inference", "probabilities", "thresholds"},
    "pandas": {"tables", "curves", "data", "cli", "thresholds", "analysis"},
    "narwhals": {"data"},
    "pyarrow": {"data"},
    "dask": {"data"},
    "distributed": {"data"},
    "duckdb": {"data"},
    "polars": {"data"},
    "pyreadstat": {"data"},
    "rdata": {"data"},
    "xlrd": {"data"},
    "matplotlib": {"plots"},
    "docx": {"tables", "reports"},
    "lxml": {"reports"},
    "resvg_py": {"reports"},
    "weasyprint": {"reports"},
    "PIL": {"reports"},
    "argcomplete": {"cli"},
}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(house.PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    room = house.room_of(path)
    assert room in ROOMS, f"{room} has no line in the house plan"
    allowed = {room, *ROOMS[room].split()} | ({house.API} if room in BY_PUBLIC_NAMES else set())
    for found in house.imports(path):
        library = found.name.partition(".")[0]
        if library == house.API:
            target = house.target(found.name, set(ROOMS))
            assert target is None or target in allowed, f"{room} may not import {target}"
        elif library in LIBRARIES:
            rooms = LIBRARIES[library]
            assert rooms is None or room in rooms, f"{room} may not import {library}"
            assert library == "numpy" or not found.at_top, (
                f"{path} must import {library} where it is used"
            )
        else:
            assert library in sys.stdlib_module_names, f"{room} imports {library}"


def test_the_plan_is_the_house_without_a_cycle_and_small_enough_to_draw() -> None:
    assert {room: set(needs.split()) for room, needs in ROOMS.items()} == {
        name: set(room.needs) for name, room in PLAN.rooms.items()
    }
    assert {name for name, room in PLAN.rooms.items() if room.by_api} == BY_PUBLIC_NAMES
    assert PLAN.below["arrays"] == frozenset()  # finding this refuses a cycle
    assert len(PLAN.rooms) <= MOST_ROOMS
    assert len(PLAN.edges) <= MOST_IMPORTS
    # What a newcomer draws: neither the marks of Python (__init__, __main__) nor of type checkers.
    entries = [path for path in house.PACKAGE.iterdir() if not path.name.startswith(("__", "py."))]
    assert len(entries) <= MOST_ENTRIES


def test_a_cycle_is_refused_by_name() -> None:
    rooms = dict(PLAN.rooms)
    rooms["data"] = replace(rooms["data"], needs=frozenset({"engine"}))
    with pytest.raises(ValueError, match=r"A cycle: .*engine -> data|A cycle: .*data -> engine"):
        house.House(rooms=rooms).below  # noqa: B018


def test_no_room_under_the_public_names_calls_back_up_to_them() -> None:
    public = {module.partition(".")[0] for module in rs._MODULES.values()}
    for name in public:
        assert not PLAN.below[name] & BY_PUBLIC_NAMES, name
        assert name not in BY_PUBLIC_NAMES


def test_arrows_that_are_left_out_are_implied_by_those_drawn() -> None:
    arrows = PLAN.arrows()

    def reach(name: str) -> set[str]:
        return set(arrows[name]).union(*(reach(need) for need in arrows[name]))

    for name in PLAN.rooms:
        assert reach(name) == PLAN.below[name]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_made_from_the_house_are_fresh(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == PAGES[path], "stale: run make house"


@pytest.mark.parametrize("name", PLAN.rooms)
def test_every_room_says_in_one_sentence_what_it_is_for(name: str) -> None:
    sentence = PLAN.rooms[name].sentence
    assert sentence.endswith(".")
    assert 20 <= len(sentence) <= 80  # three lines in its box
    assert f">{name}</text>" in PAGES[house.ROOT / "docs" / "architecture.svg"]


def test_tests_stand_in_folders_named_like_rooms() -> None:
    folders = {path.name for path in TESTS.iterdir() if path.is_dir()}
    assert folders - {"__pycache__", "reference"} <= set(ROOMS)  # reference: R's frozen numbers


def test_a_file_name_leads_to_one_file() -> None:
    stems = Counter(
        path.stem for path in MODULES if house.room_of(path) != "cli" and path.stem != "__init__"
    )  # commands are named like what they run
    assert [stem for stem, times in stems.items() if times > 1] == []


def test_paths_that_are_written_down_lead_somewhere() -> None:
    named = re.compile(r"\b(?:rocstats|tests|docs|tools|benchmarks)/[\w/]+\.(?:py|md|svg|toml)\b")
    made = {"rocstats/validation/evidence/cases.toml", "rocstats/validation/evidence/__main__.py"}
    pages = [*house.ROOT.glob("*.md"), *(house.ROOT / "docs").glob("*.svg")]
    folders = ("rocstats", "tests", "tools", "benchmarks", "validation", "docs")
    for folder in folders:
        pages += [
            path for suffix in ("py", "md") for path in (house.ROOT / folder).rglob(f"*.{suffix}")
        ]
    lost = {
        f"{path.relative_to(house.ROOT)}: {name}"
        for path in pages
        for name in named.findall(path.read_text(encoding="utf-8"))
        if name not in made and not (house.ROOT / name).exists()
    }
    assert not lost


def loaded_after(code: str) -> set[str]:
    script = f"import sys; {code}; print(*(m for m in sys.modules if '.' not in m))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_what_is_imported_when() -> None:
    heavy = {"scipy", "pandas", "matplotlib", "narwhals", "polars", "pyarrow", "statsmodels"}
    assert not loaded_after("import rocstats") & {*heavy, "numpy"}
    assert not loaded_after("import rocstats.cli") & {*heavy, "numpy"}
    assert not loaded_after("import rocstats; rocstats.auc([0, 1, 1], [1, 2, 3]).value") & heavy
    with_interval = (
        "import rocstats; rocstats.auc([0, 1, 0, 1], [1, 3, 4, 5]).confidence_interval()"
    )
    assert loaded_after(with_interval) & heavy <= {"scipy"}


def rooms_below(room: str) -> set[str]:
    """Return the rooms that a room rests on, itself among them."""
    return {room}.union(*(rooms_below(other) for other in ROOMS[room].split()))


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
    tree = ast.parse((house.PACKAGE / "__init__.py").read_text())
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


def test_words_of_other_programs_lead_to_ours() -> None:
    for ours in rs._OTHER_WORDS.values():
        assert ours.partition(".")[0] in rs.__all__
        assert attrgetter(ours)(rs) is not None
    assert not set(rs._OTHER_WORDS) & set(rs.__all__)
    for name, hint in (
        ("roc_test", "; here it is called rs.compare"),
        ("DeLong_test", "; here it is called rs.compare"),
        ("RocCurveDisplay", "; here it is called rs.sklearn.RocDisplay"),
        ("optimal_cutpiont", ". Did you mean 'optimal_cutpoint'?"),
        ("_nothing", ""),
        ("qqqq", ""),
    ):
        with pytest.raises(AttributeError) as caught:
            getattr(rs, name)
        assert str(caught.value) == f"module 'rocstats' has no attribute {name!r}{hint}"


def test_no_module_is_named_like_a_public_function_and_no_drawers() -> None:
    names = {path.stem for path in MODULES if house.room_of(path) != "cli"}  # named like commands
    functions = {name for name in rs.__all__ if callable(getattr(rs, name))}
    assert not names & functions
    assert not names & {"utils", "helpers", "common", "base"}
