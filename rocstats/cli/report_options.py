"""The options of ``rocstats report`` on the command line: asked for, taken, and written again."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rocstats.cli.arguments import names
from rocstats.cli.config import OPTIONS

__all__ = ["add_arguments", "call_text", "given_options"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options; what is not given is None, so that a file may say it."""
    _add_data(parser.add_argument_group("the data"))
    _add_analysis(parser.add_argument_group("the analysis"))
    _add_page(parser.add_argument_group("the page"))


def _add_data(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("file", nargs="?", help="table with column names: CSV, TSV, Excel, SAS, SPSS, Stata, R ...")
    add("--outcome", metavar="COLUMN", help="column of the true class")
    add(
        "--positive",
        metavar="LABEL",
        help="label or code of the positive class (default: 1, where the other one is 0)",
    )
    quote = "quote a name that holds a comma or begins with a space"
    _add_names(add, "--markers", "A,B", f"columns of scores; {quote}")
    _add_names(add, "--lower-is-positive", "B", "markers whose low values speak for the positives")
    add("--subject", metavar="COLUMN", help="column of subject ids")
    add("--cluster", metavar="COLUMN", help="column of what dependent rows share, as a patient id")
    _add_names(add, "--baseline", "A,B", "columns that describe the subjects")
    add(
        "--indeterminate",
        action="append",
        metavar="TEXT",
        help="cell of a marker column that means an indeterminate result (repeatable)",
    )
    add(
        "--nan-policy",
        choices=("omit", "raise"),
        help="analyse complete rows and count the others (default), or refuse missing values",
    )
    add(
        "--scores",
        choices=("measured", "model", "fitted", "cross-validated"),
        help="measured (default); by a model of other data; fitted to these; cross-validated",
    )
    _add_pairs(add, "--label", "M=TEXT", _text_of, "printed name of a marker (repeatable)")
    _add_pairs(add, "--unit", "M=TEXT", _text_of, "unit of a marker (repeatable)")
    _add_pairs(add, "--bounds", "M=LOW,HIGH", _limits_of, "limits of a marker's scale (repeatable)")


def _add_analysis(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--reference", metavar="MARKER", help="marker to compare with (default: every pair)")
    _add_pairs(
        *(add, "--prespecified", "M=CUT", _cut_of),
        "threshold fixed before the data were seen (repeatable)",
    )
    _add_numbers(add, "--prevalence", "prevalence of intended use, for PPV and NPV")
    _add_names(add, "--subgroup", "COLUMN", "columns whose levels are analysed apart")
    add("--margin", type=float, metavar="D", help="difference of AUCs that is too much, as 0.05")
    add(
        "--aim",
        choices=("non-inferiority", "equivalence", "superiority"),
        help="what is to be shown with the margin (default: non-inferiority)",
    )
    add(
        "--adjust",
        metavar="METHOD",
        help="p-values of several comparisons: holm (default), bonferroni, fdr_bh, none ...",
    )
    add(
        "--comparator",
        action=argparse.BooleanOptionalAction,
        help="the outcome is no reference standard: agreement instead of accuracy",
    )
    add(
        "--fpr-range",
        type=_two(float),
        metavar="LOW,HIGH",
        help="of the partial AUC (default: 0,0.1)",
    )
    _add_numbers(add, "--specificities", "where the sensitivity is estimated (default: 0.9,0.95)")
    add(
        "--planned",
        type=_two(int),
        metavar="POS,NEG",
        help="planned numbers of positives and negatives",
    )
    add("--confidence-level", type=float, metavar="LEVEL", help="of every interval (default: 0.95)")
    add("--n-resamples", type=int, metavar="N", help="bootstrap resamples (default: 2000)")
    add("--seed", type=int, metavar="N", help="of the resampling (default: 1)")


def _add_page(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("--title", metavar="TEXT", help="title of the page; other texts stand in the TOML file")
    add("--templates", metavar="FOLDER", help="your templates, for those of the same name")
    add("--r", choices=("auto", "yes", "no"), help="check with R's pROC (default: auto)")
    add("--config", metavar="FILE", help="TOML file of options; those given here win over it")
    add("--init", action="store_true", help="write such a file from the data, and no page")
    add("--json", action="store_true", help="print every number as JSON")
    add("--quiet", action="store_true", help="do not show the progress")
    add("-o", "--output", metavar="FILE", help="the page to write, or with --init the TOML file")


def _add_names(add: Callable[..., Any], option: str, metavar: str, about: str) -> None:
    add(option, type=names, action="extend", metavar=metavar, help=about)


def _add_numbers(add: Callable[..., Any], option: str, about: str) -> None:
    add(option, type=_numbers, action="extend", metavar="X,Y", help=about)


def _add_pairs(
    add: Callable[..., Any],
    option: str,
    metavar: str,
    take: Callable[[str], tuple[str, Any]],
    about: str,
) -> None:
    add(option, type=take, action="append", metavar=metavar, help=about)


# ------------------------------------------------------------------------------------- the values


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"a number such as 0.1, or several as 0.1,0.2, was expected, got {text!r}"
        ) from None


def _two(kind: type[float] | type[int]) -> Callable[[str], tuple[Any, Any]]:
    def pair(text: str) -> tuple[Any, Any]:
        try:
            low, high = (kind(part) for part in text.split(","))
        except ValueError:
            raise argparse.ArgumentTypeError(
                f"two {words} with a comma between them were expected, got {text!r}"
            ) from None
        return low, high

    words = "numbers" if kind is float else "whole numbers"
    return pair


def _text_of(text: str) -> tuple[str, str]:
    marker, equals, value = text.partition("=")
    if not equals or not value:
        raise argparse.ArgumentTypeError(f"MARKER=TEXT was expected, got {text!r}")
    return marker.strip(), value


def _cut_of(text: str) -> tuple[str, float]:
    marker, _, value = text.rpartition("=")
    try:
        return marker.strip(), float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"MARKER=NUMBER was expected, got {text!r}") from None


def _limits_of(text: str) -> tuple[str, tuple[float, float]]:
    marker, _, value = text.rpartition("=")
    try:
        low, high = (float(part) for part in value.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"MARKER=LOW,HIGH was expected, got {text!r}") from None
    return marker.strip(), (low, high)


def given_options(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options of the command line that were given."""
    found = {
        option.name: value
        for option in OPTIONS
        if (value := getattr(args, option.name)) is not None and value != []
    }
    for name in ("label", "unit", "bounds"):
        if name in found:
            found[name] = dict(found[name])
    if "prespecified" in found:
        cuts: dict[str, list[float]] = {}
        for marker, cut in found["prespecified"]:
            cuts.setdefault(marker, []).append(cut)
        found["prespecified"] = cuts
    return found


def call_text(args: argparse.Namespace) -> str:
    """Return the command that gives the same page, wherever the files are."""
    words = ["rocstats", "report"]
    for option in OPTIONS:
        value = getattr(args, option.name)
        flag = f"--{option.name.replace('_', '-')}"
        if option.name == "file":
            words += [] if value is None else [Path(value).name]
        elif option.name == "templates":
            words += _written(flag, None if value is None else Path(value).name)
        elif option.name != "output":
            words += _written(flag, value)
    config = None if args.config is None else Path(args.config).name
    for flag, value in (("--title", args.title), ("--config", config)):
        words += _written(flag, value)
    return shlex.join(words)


def _written(flag: str, value: Any) -> list[str]:
    if value is None:
        return []
    if isinstance(value, bool):
        return [flag if value else flag.replace("--", "--no-", 1)]
    if isinstance(value, list):
        if value and isinstance(value[0], tuple):
            return [word for m, v in value for word in (flag, f"{m}={_joined(v, quoted=False)}")]
        if flag == "--indeterminate":
            return [word for text in value for word in (flag, text)]
        return [flag, _joined(value)]
    return [flag, _joined(value, quoted=False)]


def _joined(value: Any, *, quoted: bool = True) -> str:
    items = value if isinstance(value, (list, tuple)) else [value]
    return ",".join(_quoted(item) if quoted else f"{item}" for item in items)


def _quoted(item: Any) -> str:
    text = str(item)
    needs = any(mark in text for mark in ',"\n\r') or text != text.strip()
    return '"' + text.replace('"', '""') + '"' if needs else text
