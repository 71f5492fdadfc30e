"""How markers were compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rocstats.reports.facts import level_of, show_cut, show_level
from rocstats.reports.sentences.sentence_words import (
    Facts,
    Sentence,
    distinct,
    is_clustered,
    is_endless,
    labels_of,
    listed,
    say,
)

__all__ = ["adjustment_sentences", "comparisons_sentences"]


def comparisons_sentences(facts: Facts) -> Iterator[Sentence]:
    """Yield how markers were compared, or why they were not."""
    found = facts["comparisons"]
    if not found:
        return
    if found["refused"]:
        yield say(
            "The AUCs were not compared by a test, because the scores were fitted to these "
            f"{facts['words']['participants']}: for nested models the difference is not normal "
            "then.",
            "demler2012",
        )
        return
    yield from _differences(facts)
    tested = _is_tested(found)
    if tested:
        yield from _omnibus(found)
    if tested or any(test["p_value"] is not None for test in found["margins"]):
        yield from _margins(found)
    others = distinct(
        _AREA_NAMES.get(o["measure"], o["measure"]) for o in found["others"] if _is_tested(o)
    )
    if others:
        way = "in the same way" if tested else "by the covariance of the structural components"
        yield say(
            f"Differences in {listed(others)} were estimated and tested {way}, as the scores of "
            "all markers were probabilities."
        )


def _is_tested(found: Mapping[str, Any]) -> bool:
    """Whether a difference varies or is not 0: one of neither has no test, though its p be 1."""
    return any(pair["std_error"] or pair["statistic"] for pair in found["pairwise"])


def _differences(facts: Facts) -> Iterator[Sentence]:
    found = facts["comparisons"]
    pairs = found["pairwise"]
    versus = labels_of(facts).get(found["versus"])
    each = "every two markers" if versus is None else f"each marker and {versus}"
    each += "" if versus is None or found["asked"] else ", the first one given,"
    which = each if len(pairs) > 1 else "the two markers"
    what = f"Differences in AUC between {which} on the same {facts['words']['participants']} were "
    if not _is_tested(found):
        yield say(f"{what}estimated; none had a variance that a test could rest on.")
        return
    cites = ["delong1988", *(["obuchowski1997"] if is_clustered(facts) else [])]
    yield say(
        f"{what}estimated with {level_of(facts)} confidence intervals, by the covariance of the "
        "structural components.",
        *cites,
    )
    if any("variance at the null" in pair["method"] for pair in pairs):
        yield _at_null(pairs)
    yield _reference(pairs)
    yield from adjustment_sentences(found["adjust"], len(pairs), f"the {len(pairs)} comparisons")


_AREA_NAMES = {"auc": "AUC", "sauc": "sAUC", "smauc": "smAUC", "pauc": "partial AUC"}


def _at_null(pairs: Sequence[Mapping[str, Any]]) -> Sentence:
    few = all("variance at the null" in pair["method"] for pair in pairs)
    where = "" if few else ", where an AUC was so near to 0 or 1 that fewer than 20 were lost,"
    also = "; DeLong's own test is given beside it where the two disagreed about significance"
    return say(
        f"Their variance was taken{where} at the null: where each hypothesis puts the AUCs, by "
        "Hanley and McNeil's formula with Newcombe's mean size on the scale of DeLong's variance"
        f"{also if any(pair['disagrees'] for pair in pairs) else ''}.",
        "hanley1982",
        "newcombe2006",
    )


def _reference(pairs: Sequence[Mapping[str, Any]]) -> Sentence:
    if all(is_endless(pair["df"]) for pair in pairs):
        return say("Tests were two-sided and referred to the normal distribution.")
    at_null = any("variance at the null" in pair["method"] for pair in pairs)
    fewer = "; at the null fewer, where a few subjects made most of DeLong's variance"
    return say(
        "Tests were two-sided and referred to t distributions with Satterthwaite's degrees of "
        f"freedom{fewer if at_null else ''}.",
        "satterthwaite1946",
    )


_ADJUSTMENTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "bonferroni": ("Bonferroni's method", ("dunn1961",)),
    "sidak": ("Šidák's method", ("sidak1967",)),
    "holm": ("Holm's step-down method", ("holm1979",)),
    "holm-sidak": ("Holm's step-down method with Šidák's levels", ("holm1979", "sidak1967")),
    "simes-hochberg": ("Hochberg's step-up method", ("hochberg1988",)),
    "hommel": ("Hommel's method", ("hommel1988",)),
    "fdr_bh": ("the false discovery rate of Benjamini and Hochberg", ("benjamini1995",)),
    "fdr_by": ("the false discovery rate of Benjamini and Yekutieli", ("benjamini2001",)),
}


def adjustment_sentences(adjust: str, size: int, which: str) -> Iterator[Sentence]:
    """Yield how the p-values of several comparisons were adjusted for their number."""
    if size < 2:
        return
    if adjust not in _ADJUSTMENTS:
        yield say(f"The p-values of {which} were not adjusted for their number.")
        return
    words, cites = _ADJUSTMENTS[adjust]
    yield say(
        f"The p-values of {which} were adjusted by {words}; the confidence "
        "intervals, and the p-values that are given beside them, were not adjusted.",
        *cites,
    )


def _omnibus(found: Mapping[str, Any]) -> Iterator[Sentence]:
    test = found["omnibus"]
    if not test:
        return
    by_f = not is_endless(test["df_denominator"])
    law = "an F distribution for small samples" if by_f else "a chi-square distribution"
    yield say(
        "That all AUCs are equal was tested at once by the quadratic form of the differences in "
        f"the inverse of their covariance, referred to {law}.",
        "delong1988",
    )


def _margins(found: Mapping[str, Any]) -> Iterator[Sentence]:
    for aim in distinct(test["aim"] for test in found["margins"]):
        tests = [test for test in found["margins"] if test["aim"] == aim]
        margin, size = show_cut(tests[0]["margin"]), show_cut(tests[0]["significance"])
        wide = show_level(1.0 - 2.0 * float(tests[0]["significance"]))
        if aim == "equivalence":
            yield say(
                f"Equivalence within a margin of {margin} in AUC was tested by two one-sided tests "
                f"at the level {size} each: whether the {wide} confidence interval lay within it"
                f"{_alone(tests)}.",
                "liu2006",
                "schuirmann1987",
            )
        else:
            bound = f"−{margin}" if aim == "non-inferiority" else margin
            yield say(
                f"{aim.capitalize()} with a margin of {margin} in AUC was tested one-sided at the "
                f"level {size}: the lower limit of the {wide} confidence interval of the "
                f"difference was compared with {bound}{_alone(tests)}.",
                "liu2006",
            )


def _alone(tests: Sequence[Mapping[str, Any]]) -> str:
    return f"; the {len(tests)} conclusions were not adjusted" if len(tests) > 1 else ""
