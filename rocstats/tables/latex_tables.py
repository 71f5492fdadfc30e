"""Tables for LaTeX, ruled by booktabs; what LaTeX would obey is shown."""

from __future__ import annotations

from collections.abc import Sequence

from rocstats.tables.journal_tables import JournalTable

__all__ = ["latex_table", "latex_tables", "latex_text"]

_LONG = 40  # rows of a page; more take several
_SIGNS = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "\u2212": "$-$",
    "\u2013": "--",
    "\u2019": "'",
    "\u00a0": "~",
    "\u00b5": r"\textmu{}",
    "\u03bc": r"\textmu{}",
    "\u221e": r"$\infty$",
    "\u2264": r"$\leq$",
    "\u2265": r"$\geq$",
    "\u00d7": r"$\times$",
    "\u00b1": r"$\pm$",
}


def latex_text(text: str) -> str:
    r"""Return a text that LaTeX sets as it stands.

    Examples
    --------
    >>> print(latex_text("50% of s_1 & < 0.001"))
    50\% of s\_1 \& \textless{} 0.001
    """
    kept = (sign if sign.isprintable() or sign == "\u00a0" else " " for sign in text)
    return "".join(_SIGNS.get(sign, sign) for sign in kept)


def latex_tables(tables: Sequence[JournalTable]) -> str:
    """Return tables one after the other, with what the preamble needs as a comment."""
    packages = ["booktabs", *(["longtable"] if any(len(t.rows) > _LONG for t in tables) else [])]
    needs = "".join(f"\\usepackage{{{name}}}" for name in packages)
    return f"% needs {needs}\n" + "\n".join(map(latex_table, tables))


def latex_table(table: JournalTable) -> str:
    """Return one table: a float, or a longtable with its heads on every page."""
    columns = "".join("r" if number else "l" for number in table.numeric)
    caption = f"\\caption{{{latex_text(table.title)}}}" if table.title else ""
    heads = _line(table.heads)
    body = [_line(row) for row in table.rows]
    notes = [f"\\par\\smallskip\\footnotesize {latex_text(note)}" for note in table.notes]
    if len(body) > _LONG:
        lines = [
            f"\\begin{{longtable}}{{{columns}}}",
            *([f"{caption}\\\\"] if caption else []),
            *("\\toprule", heads, "\\midrule", "\\endhead", "\\bottomrule", "\\endfoot"),
            *body,
            "\\end{longtable}",
            *(f"{{{note}\\par}}" for note in notes),
        ]
    else:
        lines = [
            *("\\begin{table}[htbp]", "\\centering"),
            *([caption] if caption else []),
            f"\\begin{{tabular}}{{{columns}}}",
            *("\\toprule", heads, "\\midrule", *body, "\\bottomrule", "\\end{tabular}"),
            *notes,
            "\\end{table}",
        ]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return " & ".join(map(latex_text, cells)) + r" \\"
