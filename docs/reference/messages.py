"""Every error and warning, what it means and what to do: a page of the reference."""

from __future__ import annotations

from inspect import cleandoc

import rocstats as rs

TITLES = {rs.RocstatsError: "Errors", rs.RocstatsWarning: "Warnings"}


def page() -> str:
    """Return the page, made of the docstrings: what is the matter, and what to do."""
    lines = [
        "# Errors and warnings",
        "",
        "Bad input raises an error; data that are well formed but hard, as one with a single "
        "positive, are answered with a warning. A message is one sentence: what was expected, what "
        "came, what to do. On the command line an error is that sentence on stderr and exit code "
        "2, and it names options as they are typed there.",
        "",
        "`except rs.RocstatsError` catches all errors; "
        '`warnings.filterwarnings("error", category=rs.RocstatsWarning)` makes warnings errors.',
        "",
    ]
    for root, title in TITLES.items():
        found = {name: getattr(rs, name) for name in rs.__all__}
        kinds = {
            name: kind
            for name, kind in found.items()
            if isinstance(kind, type) and issubclass(kind, root)
        }
        lines += [f"## {title}", ""]
        for name, kind in sorted(kinds.items(), key=lambda pair: (pair[1] is not root, pair[0])):
            lines += [f"### `{name}`", "", *_paragraphs(name, kind), ""]
    return "\n".join(lines)


def _paragraphs(name: str, kind: type) -> list[str]:
    meaning, _, remedy = cleandoc(kind.__doc__ or "").partition("\n\n")
    if not remedy:
        raise ValueError(
            f"{name} ({kind.__module__}) says what is the matter, but not what to do: "
            "add a second paragraph to its docstring"
        )
    others = [base.__name__ for base in kind.__mro__[1:] if base.__name__ in rs.__all__]
    builtin = [base.__name__ for base in kind.__mro__[1:] if base.__module__ == "builtins"][:1]
    also = ", ".join(f"`{other}`" for other in [*others, *builtin])
    return [f"{meaning} *Also caught as* {also}.", "", remedy.replace("``", "`")]
