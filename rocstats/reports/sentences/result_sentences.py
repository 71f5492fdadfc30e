"""The results in words: what was found, effect and interval before p, every number a fact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rocstats.reports.leaves import number
from rocstats.reports.sentences.phrases import Part, cut, fact, joined, name, phrase, with_ci
from rocstats.reports.sentences.sentence_words import Facts, labels_of, word_of

__all__ = [
    "areas_found",
    "calibration_found",
    "differences_found",
    "paired_tests_found",
    "participants_found",
    "predictions_found",
    "rates_at",
    "robustness_found",
    "subgroups_found",
    "thresholds_found",
]

_MOST = 6  # markers, pairs or thresholds that a text names one by one

Phrases = Iterator[list[Part]]


def participants_found(facts: Facts) -> Phrases:
    """Yield who came, who was left out and who was analysed."""
    data, flow, words = facts["data"], facts["flow"], facts["words"]
    people = words["participants"]
    who = phrase(
        f"{{}} ({{}}) {words['ill']} and {{}} {words['well']}",
        fact(data["n_pos"], "count"),
        fact(data["prevalence"], "pct"),
        fact(data["n_neg"], "count"),
    )
    several = "cluster" if data["n_clusters"] == 1 else "clusters"
    clusters = phrase(f" of {{}} {several}", fact(data["n_clusters"], "count"))
    whose = clusters if data["cluster"] else ""
    if not flow["steps"]:
        pattern = f"The analysis was of {{}} {people}{{}}, {{}}."
        yield phrase(pattern, fact(data["n"], "count"), whose, who)
        return
    why = joined(
        phrase("{} in {}", name(step["why"]), fact(step["n"], "count")) for step in flow["steps"]
    )
    counts = (fact(flow[end], "count") for end in ("start", "analysed"))
    pattern = f"Of {{}} {people}, {{}}{{}} were analysed (left out: {{}}), {{}}."
    yield phrase(pattern, *counts, whose, why, who)


def areas_found(facts: Facts) -> Phrases:
    """Yield the AUC of the markers, the highest first."""
    ranked = [facts["markers"][place] for place in facts["ranking"]]
    level = facts["settings"]["confidence_level"]
    apparent = "apparent " if facts["settings"]["scores"] == "fitted" else ""
    areas = (
        phrase("{} for {}", with_ci(m["estimates"]["auc"], "est", level), name(m["label"]))
        for m in ranked[:_MOST]
    )
    more = len(ranked) > _MOST
    lowest = ranked[-1]
    rest = phrase(
        "; those of the other markers were lower, down to {} for {}",
        fact(lowest["estimates"]["auc"]["estimate"], "est"),
        name(lowest["label"]),
    )
    yield phrase(
        f"The {apparent}area under the ROC curve (AUC) was {{}}{{}}.",
        joined(areas),
        rest if more else "",
    )


def differences_found(facts: Facts) -> Phrases:
    """Yield how markers differed: difference, interval, p, and what became of the margin."""
    found, labels = facts["comparisons"], labels_of(facts)
    if not found or found["refused"]:
        return
    level = facts["settings"]["confidence_level"]
    several = len(found["pairwise"]) > 1 and found["adjust"] != "none"
    for row in found["pairwise"][:_MOST]:
        p = phrase("; p {}", fact(row["p_value"], "psign")) if row["p_value"] is not None else []
        if several and row["p_adjusted"] is not None:
            p += phrase(", adjusted {}", fact(row["p_adjusted"], "psign"))
        yield phrase(
            "The AUC of {} less that of {} was {}.",
            name(labels[row["first"]]),
            name(labels[row["second"]]),
            _before_bracket(with_ci(row, "signed", level), p),
        )
    if len(found["pairwise"]) > _MOST:
        yield phrase("The other differences are in the table of comparisons.")
    for test in found["margins"][:_MOST]:
        yield _verdict(test, labels)


def _before_bracket(parts: list[Part], more: list[Part]) -> list[Part]:
    """Return the parts with more within the bracket that ends them."""
    return [*parts[:-1], *more, parts[-1]]


def _verdict(test: Mapping[str, Any], labels: Mapping[str, str]) -> list[Part]:
    to = "superiority" if test["aim"] == "superiority" else test["aim"]
    against = {"equivalence": "with", "non-inferiority": "to", "superiority": "over"}[test["aim"]]
    became = "could not be judged"
    if test["p_value"] is not None:
        became = "was shown" if test["shown"] else "was not shown"
    limits = [fact(test[end], "signed") for end in ("conf_low", "conf_high")]
    return phrase(
        f"{to[:1].upper()}{to[1:]} of {{}} {against} {{}} with a margin of {{}} {became} "
        "({} CI {} to {}; one-sided p {}).",
        name(labels[test["first"]]),
        name(labels[test["second"]]),
        fact(test["margin"], "num"),
        fact(test["conf_level"], "level"),
        *limits,
        fact(test["p_value"], "psign"),
    )


def rates_at(facts: Facts, point: Mapping[str, Any]) -> list[Part]:
    """Return sensitivity and specificity of a threshold, with their counts and intervals."""
    level, data = facts["settings"]["confidence_level"], facts["data"]
    rates = []
    for key, hit, of in (("sensitivity", "tp", "n_pos"), ("specificity", "tn", "n_neg")):
        share = phrase("{} of {}", fact(point[hit], "count"), fact(data[of], "count"))
        rates.append(
            phrase(
                f"{word_of(facts, key)} was {{}}",
                with_ci(point["measures"][key], "pct", level, share),
            )
        )
    return joined(rates)


def thresholds_found(facts: Facts) -> Phrases:
    """Yield the rates at prespecified thresholds; the data's own only where there is none."""
    cuts = [(m, point) for m in facts["markers"] for point in m["cutpoints"]]
    fixed = [(m, point) for m, point in cuts if point["kind"] == "prespecified"]
    for m, point in fixed[:_MOST]:
        yield phrase(
            "At the prespecified threshold, {} {}, {}.",
            name(m["label"]),
            cut(point),
            rates_at(facts, point),
        )
        yield from predictions_found(facts, point)
    if fixed:
        return
    level = facts["settings"]["confidence_level"]
    best = facts["markers"][facts["ranking"][0]]
    for point in best["cutpoints"][:1]:
        chosen = point["corrected"]
        rates = [
            phrase(f"{word_of(facts, key)} of {{}}", with_ci(row, "pct", level))
            for key in ("sensitivity", "specificity")
            for row in [
                chosen[key] if chosen and not chosen[key]["noise"] else point["measures"][key]
            ]
        ]
        yield phrase(
            "No threshold was fixed in advance. The threshold that these data chose, {} {}, had a "
            "{}, corrected for that choice where it lowers them; it is exploratory.",
            name(best["label"]),
            cut(point),
            joined(rates, "and a"),
        )


def predictions_found(facts: Facts, point: Mapping[str, Any]) -> Phrases:
    """Yield predictive values at stated prevalences."""
    level = facts["settings"]["confidence_level"]
    for at in point["at_prevalence"]:
        if not at["own"] and at["ppv"]["estimate"] is not None:
            yield phrase(
                f"At a prevalence of {{}}, {word_of(facts, 'ppv')} would be {{}} and "
                f"{word_of(facts, 'npv')} {{}}.",
                fact(at["prevalence"], "level"),
                with_ci(at["ppv"], "pct", level),
                with_ci(at["npv"], "pct", level),
            )


def paired_tests_found(facts: Facts) -> Phrases:
    """Yield how tests differed at their thresholds, each against the standard."""
    found, labels = facts["paired_tests"], labels_of(facts)
    level = facts["settings"]["confidence_level"]
    for pair in found["pairs"][:_MOST] if found else ():
        rates = []
        for rate in ("sensitivity", "specificity"):
            row = pair[rate]
            p = phrase("; p {}", fact(row["p_value"], "psign"))
            limits = _before_bracket(with_ci(row, "points", level), p)
            pattern = (
                f"{word_of(facts, rate)} was {{}} against {{}}, a difference in percentage points "
                "of {}"
            )
            rates.append(
                phrase(pattern, fact(row["new"], "pct"), fact(row["standard"], "pct"), limits)
            )
        yield phrase(
            f"On the same {facts['words']['participants']} {{}} was compared with {{}}: {{}}.",
            name(labels[pair["new"]]),
            name(labels[pair["standard"]]),
            joined(rates),
        )


def calibration_found(facts: Facts) -> Phrases:
    """Yield how far probabilities were right."""
    level = facts["settings"]["confidence_level"]
    for m in facts["markers"][:_MOST]:
        found = m["calibration"]
        if found and found["slope"]["estimate"] is not None:
            yield phrase(
                "The calibration of {} had an intercept of {} and a slope of {}; the Brier score "
                "was {}.",
                name(m["label"]),
                with_ci(found["intercept"], "coef", level),
                with_ci(found["slope"], "ratio", level),
                with_ci(found["brier"], "est", level),
            )


def subgroups_found(facts: Facts) -> Phrases:
    """Yield the AUC of the best marker at every level of every subgroup column."""
    level, place = facts["settings"]["confidence_level"], facts["ranking"][0]
    best = facts["markers"][place]
    for group in facts["subgroups"]:
        levels = [at for at in group["levels"] if at["estimates"]]
        if not levels or len(levels) > _MOST:
            continue
        areas = joined(
            phrase("{} in {}", with_ci(at["estimates"][place], "est", level), name(at["label"]))
            for at in levels
        )
        p = group["interaction"][place]["p_value"]
        tested = phrase(" (p {} for a difference)", fact(p, "psign")) if p is not None else ""
        pattern = "By {}, the AUC of {} was {}{}."
        yield phrase(pattern, name(group["name"]), name(best["label"]), areas, tested)


def robustness_found(facts: Facts) -> Phrases:
    """Yield the sensitivity analysis that moved the best marker's AUC most."""
    best = facts["markers"][facts["ranking"][0]]
    rows = [row for row in facts["sensitivity_analyses"] if row["marker"] == best["name"]]
    moved = [row for row in rows if number(row["difference"])]
    if moved:
        most = max(moved, key=lambda row: abs(number(row["difference"])))
        yield phrase(
            "Of the sensitivity analyses, the one that moved the AUC of {} most changed it by {}, "
            "to {}.",
            name(best["label"]),
            fact(most["difference"], "signed"),
            with_ci(most, "est", facts["settings"]["confidence_level"]),
        )
