"""Pages that set R beside Python: both sides are run when the site is built, and must agree.

A page writes R above a line of three dashes and Python below it::

    ```{beside}
    auc(radius)
    ---
    rs.auc(cancer, "mean_radius").value
    ```

The last line of each side is its answer, numbers or several numbers; what a block defines is there
in the next one. ``:silent:`` shows no answer, ``:within: 0.01`` allows for resampling (a relative
difference), and ``:differs: why`` is for answers that differ on purpose. The numbers that R gave
are kept in ``docs/coming_from/r_answers.json`` and stand in for R where there is none;
``python docs/_extensions/beside.py`` asks R again and writes them.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

DOCS = Path(__file__).parents[1]
KEPT = DOCS / "coming_from" / "r_answers.json"
EQUAL = 1e-9  # relative, of answers that are the same formula: sums in another order
TIME = 300  # seconds that R has for a page
BLOCK = re.compile(r"^```\{beside\}\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"^:(\w+):(.*)\n", re.MULTILINE)
SHOWN = 6  # numbers of an answer that are shown


@dataclass
class Pair:
    """One block: its two sides, its options, and what both gave."""

    r: str
    python: str
    options: dict[str, str]
    ours: list[float] = field(default_factory=list)
    theirs: list[float] | None = None

    @property
    def silent(self) -> bool:
        """Whether the block only prepares others."""
        return "silent" in self.options

    def verdict(self) -> str:
        """Return a sentence on both answers, or raise ValueError where they are not as promised."""
        ours, theirs = np.array(self.ours), self.theirs
        if theirs is None:
            return f"rocstats gives {numbers(self.ours)}; R was not asked."
        within = float(self.options.get("within", EQUAL))
        same = len(theirs) == len(ours) and np.allclose(ours, theirs, rtol=within, atol=0.0)
        if "differs" in self.options:
            if same:
                raise ValueError(f"answers are said to differ and are equal: {self.python}")
            return (
                f"R gives {numbers(theirs)}, rocstats {numbers(self.ours)}: "
                f"{self.options['differs']}."
            )
        if not same:
            raise ValueError(f"R gives {theirs}, rocstats {self.ours}: {self.python}")
        if "within" in self.options:
            return f"R gives {numbers(theirs)}, rocstats {numbers(self.ours)}."
        return f"Both give {numbers(self.ours)}."


def numbers(values: list[float]) -> str:
    """Return the first numbers of an answer as text."""
    shown = ", ".join(f"`{value:.6g}`" for value in values[:SHOWN])
    more = len(values) - SHOWN
    return shown if more <= 0 else f"{shown} and {more} more"


def pairs_of(text: str) -> list[Pair]:
    """Return the blocks of a page, not yet run."""
    found = []
    for body in BLOCK.findall(text):
        options = {name: value.strip() for name, value in OPTION.findall(body)}
        r, _, python = OPTION.sub("", body).partition("---\n")
        found.append(Pair(r.strip(), python.strip(), options))
    return found


def run(page: Path, *, ask: bool = True) -> list[Pair]:
    """Run both sides of a page; without R, or where it is not to be asked, its kept answers."""
    pairs = pairs_of(page.read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    for pair in pairs:
        pair.ours = _python(pair.python, names)
    answers = ask_r(pairs) if ask and r_is_there() else None
    kept = json.loads(KEPT.read_text(encoding="utf-8"))["answers"] if KEPT.is_file() else {}
    for number, pair in enumerate(pairs):
        if not pair.silent:
            pair.theirs = answers[number] if answers else kept.get(pair.r)
    return pairs


def _python(code: str, names: dict[str, Any]) -> list[float]:
    """Run a side and return its last expression as numbers; a side may have none."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "beside", "exec"), names)
    if last is None:
        return []
    value = eval(compile(ast.Expression(last.value), "beside", "eval"), names)
    try:
        return np.atleast_1d(np.asarray(value, dtype=float)).ravel().tolist()
    except (TypeError, ValueError):  # a drawing
        return []


def r_is_there() -> bool:
    """Say whether R has pROC and jsonlite."""
    if shutil.which("Rscript") is None:
        return False
    code = "quit(status = !(requireNamespace('pROC') && requireNamespace('jsonlite')))"
    return subprocess.run(["Rscript", "-e", code], capture_output=True).returncode == 0


def ask_r(pairs: list[Pair]) -> list[list[float]]:
    """Return the numbers that R gives for every block, in one session."""
    lines = ["suppressPackageStartupMessages(library(pROC))", "pdf(NULL)", "answers <- list()"]
    for pair in pairs:
        lines += [
            "answers <- c(answers, list(as.numeric(unlist({",
            pair.r,
            *(["NULL"] if pair.silent else []),
            "}))))",
        ]
    lines += ["cat('\\n', jsonlite::toJSON(answers, digits = NA), sep = '')"]
    done = subprocess.run(
        ["Rscript", "-"],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        timeout=TIME,
        cwd=DOCS.parent,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"R stopped on a page that sets it beside Python: {done.stderr}")
    said = json.loads(done.stdout.rpartition("\n")[2])
    return [[float(value) for value in (answer or [])] for answer in said]


def pages() -> list[Path]:
    """Return the pages that have such blocks."""
    return [
        path for path in sorted(DOCS.rglob("*.md")) if "\n```{beside}" in path.read_text("utf-8")
    ]


def main() -> None:
    """Ask R for every page and keep its answers."""
    code = "cat(R.version.string, 'and pROC', as.character(packageVersion('pROC')))"
    said = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True, check=True)
    answers = {}
    for page in pages():
        for pair in run(page):
            if pair.theirs is not None:
                pair.verdict()
                answers[pair.r] = pair.theirs
    text = json.dumps({"made_with": said.stdout, "answers": answers}, indent=1)
    KEPT.write_text(text + "\n", encoding="utf-8")


def setup(app: Any) -> dict[str, bool]:
    """Add the directive."""
    from docutils import nodes
    from docutils.parsers.rst import directives
    from sphinx.util import logging
    from sphinx.util.docutils import SphinxDirective

    done: dict[str, list[Pair]] = {}

    class Beside(SphinxDirective):
        """Both sides next to each other, and what they gave."""

        has_content = True
        option_spec = {  # noqa: RUF012 - as docutils has it
            "silent": directives.flag,
            "within": directives.unchanged,
            "differs": directives.unchanged,
        }

        def run(self) -> list[nodes.Node]:
            name = self.env.docname
            self.env.note_reread()  # what both sides give may change without the page
            if name not in done or self.env.temp_data.get("beside") is None:
                done[name] = run(Path(self.env.doc2path(name)))
                self.env.temp_data["beside"] = iter(done[name])
            pair = next(self.env.temp_data["beside"])
            body = ""
            if pair.r:
                body += f"::::{{grid-item}}\n```r\n{pair.r}\n```\n::::\n"
            body += f"::::{{grid-item}}\n```python\n{pair.python}\n```\n::::\n"
            text = f":::::{{grid}} 1 1 2 2\n:gutter: 2\n:class-container: beside\n{body}:::::\n"
            if not pair.silent and pair.ours:
                try:
                    text += f"\n{pair.verdict()}\n"
                except ValueError as problem:
                    logging.getLogger(__name__).warning(str(problem), location=self.get_location())
            return self.parse_text_to_nodes(text)

    app.add_directive("beside", Beside)
    return {"parallel_read_safe": True}


if __name__ == "__main__":
    main()
