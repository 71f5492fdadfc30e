"""What was done besides, and with which software."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rocstats.reports.facts import show_level
from rocstats.reports.sentences.sentence_words import (
    Facts,
    Sentence,
    is_clustered,
    say,
)

__all__ = ["checks_sentences", "software_sentences"]


def checks_sentences(facts: Facts) -> Iterator[Sentence]:
    """Yield the sensitivity analyses, and what precision means."""
    rows = facts["sensitivity_analyses"]
    others = [_ANALYSES[name] for name in _ANALYSES if any(r["analysis"] == name for r in rows)]
    if others:
        yield say(f"In sensitivity analyses, the AUC was estimated again {'; '.join(others)}.")
    yield from _drawn_sentences([r["conf_method"] for r in rows if r["analysis"] == "bootstrap"])
    precision = facts["precision"]
    if any(row["half_width"] is not None for row in precision):
        text = "Precision was expressed as half the width of the confidence interval"
        settings = facts["settings"]
        if any(row["detectable"] is not None for row in precision):
            size, power = (
                show_level(share)
                for share in (1.0 - float(settings["confidence_level"]), settings["power"])
            )
            text += (
                f", and as the difference in AUC that a two-sided test at the {size} level, with "
                f"the standard error reached, finds with a power of {power}; power at the "
                "observed difference was not computed"
            )
        if any(row["margin_power"] is not None for row in precision):
            text += (
                f". The power for the margin was that of showing {settings['aim']}, with the "
                "standard error reached, if the AUCs are equal"
            )
        yield say(f"{text}.")


def _drawn_sentences(methods: Sequence[str | None]) -> Iterator[Sentence]:
    """Yield how the intervals of the bootstrapped AUC were found."""
    told = [method for method in methods if method]
    if any("bca_t" in method for method in told):
        yield say(
            "As a check, intervals of the AUC were also computed from bootstrap replicates, "
            "corrected for bias and acceleration, with t quantiles.",
            *("efron1987", "hesterberg2015"),
        )
    if any(" and score" in method for method in told):
        yield say(
            "Where fewer than 20 of the smaller group were lost, resamples show too little, and "
            "these intervals reached at least as far as those by the variance at the null."
        )
    if any("bca" not in method and method != "percentile" for method in told):
        yield say("An AUC that was the same in every resample kept the interval of its estimate.")


# Name of a sensitivity analysis: what was done otherwise.
_ANALYSES = {
    "available": "from all rows with a result of the marker in question",
    "missing_worst": "with missing and indeterminate results placed so that it became as low as "
    "possible",
    "missing_best": "with missing and indeterminate results placed so that it became as high as "
    "possible",
    "indeterminate_positive": "with indeterminate results counted as positive",
    "indeterminate_negative": "with indeterminate results counted as negative",
    "outliers": "without outlying values (beyond three interquartile ranges of the quartiles)",
    "independent": "as if there were no clusters",
}


def software_sentences(facts: Facts) -> Iterator[Sentence]:
    """Yield resamples and seed, versions, the check by R, and the guideline."""
    if _resampled(facts):
        settings = facts["settings"]
        units = "whole clusters" if is_clustered(facts) else "participants within each group"
        yield say(
            f"Resampling drew {units}, {settings['n_resamples']} times, with the seed "
            f"{settings['seed']}."
        )
        if settings["levels"]:
            yield say(
                "For the bands and the bootstrapped AUC only, the scores of each marker were "
                f"grouped in at most {settings['levels']} levels of about equal size."
            )
    versions = facts["reproducibility"]["versions"]
    names = {"numpy": "NumPy", "scipy": "SciPy", "statsmodels": "statsmodels", "pandas": "pandas"}
    beside = [f"Python {versions['python']}"]
    beside += [f"{names[key]} {versions[key]}" for key in names]
    yield say(
        f"Analyses were done with rocstats {versions['rocstats']} ({', '.join(beside)}).",
        "rocstats",
    )
    if facts["r"]["status"] == "live":
        known = facts["r"]["versions"]
        tested = any(row["quantity"] == "p" for row in facts["r"]["rows"])
        what = "Areas, standard errors and tests" if tested else "Areas and standard errors"
        yield say(
            f"{what} were computed a second time with R {known['R']} and its package pROC "
            f"{known['pROC']}.",
            "rcore",
            "robin2011",
        )
    ai = facts["settings"]["scores"] not in ("measured", "probability")
    yield say(
        "The report included the checklist of STARD 2015"
        + (", with items in the manner of STARD-AI, and that of TRIPOD+AI" if ai else "")
        + "; its abstract followed STARD for Abstracts.",
        "bossuyt2015",
        *(["sounderajah2025", "collins2024"] if ai else []),
        "cohen2017",
    )


def _resampled(facts: Facts) -> bool:
    """Whether anything on the page rests on random numbers."""
    if facts["kind"] == "qualitative":
        return False
    markers = facts["markers"]
    cuts = [cut for m in markers for cut in m["cutpoints"]]
    rates = [row for m in markers for row in m["fixed_rates"]]
    return (
        any(m["band"] for m in markers)
        or any(cut["corrected"] for cut in cuts)
        or any(row["conf_method"] == "percentile" for row in rates)
        or any(row["analysis"] == "bootstrap" for row in facts["sensitivity_analyses"])
    )
