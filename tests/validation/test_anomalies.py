"""``validation/known_anomalies.md`` is true: R and rocstats do what it says, to the letter."""

from __future__ import annotations

import ast
import doctest
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

import rocstats as rs

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "validation" / "known_anomalies.md"
CHANGES = ROOT / "validation" / "CHANGES_IN_RESULTS.md"
TEXT = PAGE.read_text("utf-8")
PACKAGE = Path(rs.__file__).parent

# Every block runs alone; what it prints, warns and dies of goes to the standard output.
DRIVER = r"""
suppressPackageStartupMessages(library(pROC))
for (file in commandArgs(trailingOnly = TRUE)) {
  cat("\u241e\n")
  withCallingHandlers(
    tryCatch(source(file, local = new.env(), print.eval = TRUE),
             error = function(e) cat("Error: ", conditionMessage(e), "\n", sep = "")),
    warning = function(w) {
      cat("Warning: ", conditionMessage(w), "\n", sep = "")
      invokeRestart("muffleWarning")
    },
    message = function(m) {
      cat("Message: ", conditionMessage(m), sep = "")
      invokeRestart("muffleMessage")
    }
  )
}
"""


def entries() -> dict[str, str]:
    """Every section with an id, by it."""
    parts = re.split(r"^### (?=(?:PROC|OURS)-)", TEXT, flags=re.MULTILINE)[1:]
    return {part.split(":")[0]: re.split(r"^##+ ", part, flags=re.MULTILINE)[0] for part in parts}


def fenced(section: str) -> list[tuple[str, str]]:
    return re.findall(r"^```(\w+)\n(.*?)^```$", section, flags=re.MULTILINE | re.DOTALL)


def proofs() -> dict[str, tuple[str, str]]:
    """The R code of each entry and what it is said to print."""
    found = {}
    for name, section in entries().items():
        blocks = [block for block in fenced(section) if block[0] in ("r", "text")]
        if blocks:
            (kind, code), (follows, output) = blocks
            assert (kind, follows) == ("r", "text"), name
            found[name] = (code, output)
    return found


def run_r(codes: list[str], place: Path) -> list[str]:
    """What each piece of R code prints, run alone but in one process."""
    files = []
    for i, code in enumerate(codes):
        files.append(place / f"block{i}.R")
        files[-1].write_text(code, "utf-8")
    driver = place / "driver.R"
    driver.write_text(DRIVER, "utf-8")
    call = ["Rscript", "--vanilla", str(driver), *map(str, files)]
    run = subprocess.run(call, capture_output=True, encoding="utf-8", check=True)
    return run.stdout.split("\u241e\n")[1:]


@cache
def proc_version() -> str | None:
    if shutil.which("Rscript") is None:
        return None
    show = "cat(format(packageVersion('pROC')))"
    run = subprocess.run(["Rscript", "-e", show], capture_output=True, text=True)
    return run.stdout or None


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    (stated,) = set(re.findall(r"\*\*pROC ([\d.]+)\*\*", TEXT))
    if proc_version() != stated:
        pytest.skip(f"the outputs are those of pROC {stated}; here is {proc_version()}")
    known = proofs()
    codes = [code for code, _ in known.values()]
    return dict(zip(known, run_r(codes, tmp_path_factory.mktemp("r")), strict=True))


@pytest.mark.parametrize("name", proofs())
def test_r_prints_this(name: str, printed: dict[str, str]) -> None:
    assert printed[name] == proofs()[name][1]


def test_rocstats_answers_this() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 40
    assert result.failed == 0


def test_every_entry_is_whole() -> None:
    known = list(entries())
    for kind in ("PROC", "OURS"):
        ids = [name for name in known if name.startswith(kind)]
        assert ids == [f"{kind}-{k}" for k in range(1, len(ids) + 1)]
    for name, section in entries().items():
        if name.startswith("PROC"):
            assert name in proofs(), f"{name} has no proof"
            assert re.search(r"Versions: 1\.18\.0", section), f"{name} names no version"
            assert proofs()[name][1].strip(), f"{name} prints nothing"
    for link in re.findall(r"\]\(([^)#]+)\)", TEXT + CHANGES.read_text("utf-8")):
        assert (PAGE.parent / link).exists(), link


def test_misprints_are_those_of_the_specification() -> None:
    specified = (ROOT / "docs" / "STATISTICS.md").read_text("utf-8")
    table = TEXT[TEXT.index("## 3.") : TEXT.index("## 4.")]
    listed = re.findall(r"\bE\d+\b", table)
    assert len(listed) > 8
    for name in listed:
        assert f"| {name} |" in specified


def test_every_release_has_its_entry_of_changes() -> None:
    assert f"\n## {rs.__version__}\n" in CHANGES.read_text("utf-8")


# ----------------------------------------------------------------------------------- security

BARRED_IMPORTS = {
    *("socket", "ssl", "http", "urllib", "ftplib", "smtplib", "asyncio", "requests", "httpx"),
    *("pickle", "marshal", "shelve", "dill", "cloudpickle"),
}
SENDS = {PACKAGE / "data" / "scan" / "cluster_rows.py"}  # to workers of the user's own cluster
LISTENS = {PACKAGE / "app" / "serving.py"}  # on this machine alone, as its tests show
BARRED_CALLS = {
    *("eval", "exec", "compile", "__import__", "os.system", "os.popen"),
    *("pd.read_pickle", "pd.eval", "joblib.load"),
}


@pytest.mark.parametrize(
    "path",
    sorted(PACKAGE.rglob("*.py")),
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_no_network_no_code_from_data_no_shell(path: Path) -> None:
    allowed = {"socket"} if path in LISTENS else {"pickle"} if path in SENDS else set()
    barred_imports = BARRED_IMPORTS - allowed
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            assert not {alias.name.split(".")[0] for alias in node.names} & barred_imports
        elif isinstance(node, ast.ImportFrom):
            harmless = node.module == "urllib.parse"  # it spells addresses and opens none
            assert harmless or str(node.module).split(".")[0] not in barred_imports
        elif isinstance(node, ast.Call):
            assert ast.unparse(node.func) not in BARRED_CALLS
            for word in node.keywords:
                barred = word.arg in ("shell", "allow_pickle")
                assert not (barred and getattr(word.value, "value", True)), ast.unparse(node)


def test_templates_escape_by_default() -> None:
    made = [
        ast.unparse(node)
        for path in (PACKAGE / "reports").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Environment")
    ]
    assert made
    assert all("autoescape=True" in call for call in made)
