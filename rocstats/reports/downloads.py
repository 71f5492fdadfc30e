"""Downloads: the facts as tables and texts that a page carries as addresses of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from rocstats.analysis.tidy import AREA, RATE, pick
from rocstats.tables.csv_tables import csv_table

__all__ = ["Download", "make_downloads"]

_CONTRAST = (
    *("first", "second", "estimate", "std_error", "statistic", "df", "p_value", "p_adjusted"),
    *("conf_low", "conf_high"),
)
_PAIRED = (
    *("estimate", "conf_low", "conf_high", "ratio", "ratio_low", "ratio_high", "statistic", "df"),
    *("p_value", "p_adjusted", "mid_p", "both", "new_only", "standard_only", "neither"),
)
_CELLS = ("tp", "fp", "fn", "tn")
_SAFE = "!$()*+,/:;=?@"  # what an address need not escape


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """One file: its name, what it holds in words, and its text as an address."""

    name: str
    about: str
    href: str


def make_downloads(facts: Mapping[str, Any]) -> dict[str, Download]:
    """Return the files of a report by their names."""
    tables = _tidy_rows(facts)
    abouts = {
        "estimates": "every area with its interval",
        "comparisons": "every difference with its interval",
        "thresholds": "every measure at every cutpoint",
        "subgroups": "AUC, rates and calibration at every level of every subgroup",
        "sensitivity_analyses": "the AUC of every sensitivity analysis",
        "paired_tests": "every difference of tests at their thresholds",
    }
    texts = {f"{name}.csv": (about, csv_table(tables[name])) for name, about in abouts.items()}
    texts |= {
        "methods.md": ("the methods text with its references", facts["methods"]["markdown"]),
        "results.md": ("the results in words", facts["results"]["markdown"]),
        "abstract.md": ("the abstract", facts["abstract"]["markdown"]),
        "references.bib": ("the references as BibTeX", facts["methods"]["bibtex"]),
    }
    return {
        name: Download(name=name, about=about, href=_address(name, text))
        for name, (about, text) in texts.items()
        if text
    }


def _tidy_rows(facts: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return estimates, comparisons and thresholds as tidy rows with full precision."""
    compared = facts["comparisons"]
    families = [] if compared is None or compared["refused"] else [compared, *compared["others"]]
    return {
        "estimates": []
        if facts["kind"] == "qualitative"
        else [
            {"marker": marker["name"], "measure": measure} | pick(row, AREA)
            for marker in facts["markers"]
            for measure, row in _areas(marker["estimates"])
        ],
        "comparisons": [
            {"measure": family["measure"]} | pick(row, _CONTRAST)
            for family in families
            for row in family["pairwise"]
        ],
        "thresholds": [
            {"marker": marker["name"], "kind": cut["kind"], "criterion": cut["criterion"]}
            | {"threshold": cut["threshold"]}
            | pick(cut, _CELLS)
            | {"measure": measure}
            | {name: row.get(name) for name in RATE}
            for marker in facts["markers"]
            for cut in marker["cutpoints"]
            for measure, row in _rates(cut)
        ],
        "subgroups": [
            {"subgroup": group["name"], "level": level["label"]}
            | pick(level, ("n_pos", "n_neg"))
            | {"marker": row["marker"]}
            | measured
            for group in facts["subgroups"]
            for level in group["levels"]
            for row in level["estimates"]
            for measured in _of_level(row)
        ],
        "sensitivity_analyses": facts["sensitivity_analyses"],
        "paired_tests": [
            {"new": pair["new"], "standard": pair["standard"], "measure": measure}
            | {name: pair[measure].get(name) for name in _PAIRED}
            for pair in (facts["paired_tests"] or {"pairs": ()})["pairs"]
            for measure in ("sensitivity", "specificity", "ppv", "npv", "lr_pos", "lr_neg")
            if measure in pair
        ],
    }


def _of_level(row: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """Yield the AUC of a level, its rates at thresholds and its calibration."""
    columns = ("threshold", "measure", *AREA)
    empty = dict.fromkeys(columns)
    if "estimate" in row:
        yield empty | {"measure": "auc"} | pick(row, AREA)
    for cut in row["rates"] or ():
        for rate in ("sensitivity", "specificity", "ppv", "npv"):
            yield empty | {"threshold": cut["threshold"], "measure": rate} | cut[rate]
    for name, found in (row["calibration"] or {}).items():
        limits = pick(found, ("estimate", "conf_low", "conf_high"))
        yield empty | {"measure": f"calibration_{name}"} | limits


def _rates(cut: Mapping[str, Any]) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """Yield every measure at a cutpoint; rates corrected for its choice have names of their own."""
    yield from cut["measures"].items()
    if cut["corrected"]:
        for rate in ("sensitivity", "specificity"):
            yield f"corrected_{rate}", cut["corrected"][rate]
    for at in cut["at_prevalence"]:
        if not at["own"]:
            for value in ("ppv", "npv"):
                yield f"{value}_at_{at['prevalence']:.10g}", at[value]


def _areas(estimates: Mapping[str, Any]) -> Iterable[tuple[str, Mapping[str, Any]]]:
    for measure in ("auc", "sauc", "smauc"):
        if estimates[measure] is not None:
            yield measure, estimates[measure]
    partial = estimates["pauc"]
    name = f"pauc_fpr_{partial['fpr_low']:g}_{partial['fpr_high']:g}"
    yield name, partial["raw"]
    yield f"{name}_standardized", partial["standardized"]


def _address(name: str, text: str) -> str:
    kinds = {"csv": "text/csv", "md": "text/markdown", "bib": "application/x-bibtex"}
    return f"data:{kinds[name.rpartition('.')[2]]};charset=utf-8,{quote(text, safe=_SAFE)}"
