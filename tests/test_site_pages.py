"""Every cell of every page of the site runs, in the order of its page."""

import re
import shlex
import warnings
from pathlib import Path
from typing import Any

import notebooks
import pytest

from rocstats.cli import main

DOCS = Path(__file__).parents[1] / "docs"
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PAGES = {
    str(path.relative_to(DOCS)): path
    for path in sorted(DOCS.rglob("*.md"))
    if CELL.search(path.read_text(encoding="utf-8"))
}


def cells(text: str) -> list[tuple[str, bool]]:
    """Return the code of a page, cell by cell, and whether each is to be refused."""
    found = []
    for code in CELL.findall(text):
        options = "".join(line for line in code.splitlines() if line.startswith(":"))
        lines = [line for line in code.splitlines() if not line.startswith(":")]
        found.append(("\n".join(lines), "raises-exception" in options))
    return found


def run(code: str, names: dict[str, Any]) -> None:
    """Run a cell: Python, and lines that begin with an exclamation mark for the shell."""
    shell = [line[1:] for line in code.splitlines() if line.startswith("!")]
    for line in shell:
        words = shlex.split(line)
        assert words[0] == "rocstats", line
        assert main(words[1:]) == 0, line
    python = "\n".join(line for line in code.splitlines() if not line.startswith("!"))
    exec(compile(python, "cell", "exec"), names)


SLOW = {"tutorials/validating.md"}  # it runs the whole validation


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW else []) for n in PAGES]
)
def test_the_cells_of_a_page_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import matplotlib as mpl

    monkeypatch.setattr(mpl, "rcParams", mpl.rcParams.copy())
    mpl.use("Agg", force=True)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # a notebook shows a warning and goes on
        for code, refused in cells(PAGES[name].read_text(encoding="utf-8")):
            if refused:
                with pytest.raises(Exception, match=r"."):
                    run(code, names)
            else:
                run(code, names)
    import matplotlib.pyplot as plt

    plt.close("all")


@pytest.mark.parametrize(
    "path", sorted((DOCS / "pictures").glob("*.py")), ids=lambda path: str(path.stem)
)
def test_drawings_are_drawn(path: Path) -> None:
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    mpl.use("Agg", force=True)
    plt.close("all")
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), {"__name__": "__main__"})
    assert len(plt.get_fignums()) == 1
    assert plt.gca().has_data()
    plt.close("all")


def test_all_kinds_of_pages_are_run() -> None:
    assert {name.split("/")[0] for name in PAGES} >= {"tutorials", "howto", "explanation"}


def test_notebooks_are_those_of_the_tutorials() -> None:
    made = notebooks.notebooks()
    assert len(made) >= 4
    assert set(made) == set((DOCS / "notebooks").glob("*.ipynb"))
    for path, text in made.items():
        assert path.read_text(encoding="utf-8") == text, "stale: python tools/notebooks.py"


def test_a_notebook_shows_tables_drawings_and_reports_in_jupyter(tmp_path: Path) -> None:
    """A real kernel runs it, with nothing said to it about drawing."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    read = nbformat.read(DOCS / "notebooks" / "two_models.ipynb", as_version=4)
    nbformat.validate(read)
    nbclient.NotebookClient(
        read, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    shown = {
        cell.source.strip(): [out.get("data", {}) for out in cell.outputs]
        for cell in read.cells
        if cell.cell_type == "code"
    }
    for source, outputs in shown.items():
        if source.endswith(".plot();"):
            assert any("image/png" in data for data in outputs), source
        if source.startswith(("rs.estimate", "rs.calibration(", "comparison.pairwise")):
            assert any("<table" in data.get("text/html", "") for data in outputs), source
        if source.startswith("rs.report("):
            assert any("<iframe" in data.get("text/html", "") for data in outputs), source
