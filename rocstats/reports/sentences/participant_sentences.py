"""Who was analysed, and what the scores are."""

from __future__ import annotations

from collections.abc import Iterator

from rocstats.reports.sentences.sentence_words import Facts, Sentence, is_clustered, listed, say

__all__ = ["participants_sentences"]


def participants_sentences(facts: Facts) -> Iterator[Sentence]:
    """Yield who was analysed, what the scores are, and which way they point."""
    flow, standard = facts["flow"], facts["words"]["standard"]
    several = len(facts["markers"]) > 1
    complete = "a result of every marker" if several else "a result of the marker"
    steps = [step for step in flow["steps"] if step["n"]]
    if steps:
        reasons = listed(f"{step['n']} with {step['why']}" for step in steps)
        left = flow["start"] - flow["analysed"]
        yield say(
            f"The analysis was one of complete cases: {flow['analysed']} of {flow['start']} "
            f"{facts['words']['participants']} had a result of the {standard} and {complete}, and "
            f"{left} {'was' if left == 1 else 'were'} left out ({reasons})."
        )
    else:
        yield say(
            f"All {flow['analysed']} {facts['words']['participants']} had a result of the "
            f"{standard} and {complete}, and were analysed."
        )
    unclear = sum(m["indeterminate_pos"] + m["indeterminate_neg"] for m in flow["markers"])
    if unclear:
        markers = ", of all markers together," if several else ""
        yield say(
            f"Indeterminate results ({unclear}{markers} where the outcome was known) were left out "
            "of the main analysis."
        )
    if facts["kind"] == "scored":
        yield _direction(facts, several=several)
    yield from _origin(facts)
    if is_clustered(facts):
        units = facts["data"]["n_clusters"]
        yield say(
            "Observations were not independent: they came from "
            f"{units} {'cluster' if units == 1 else 'clusters'} "
            f"({facts['data']['cluster']})."
        )
    if facts["data"]["comparator"]:
        yield say(
            "The comparator was not a reference standard, so results are measures of agreement "
            "with it and not of diagnostic accuracy.",
            "fda2007",
        )


def _direction(facts: Facts, *, several: bool) -> Sentence:
    """Return which way scores point."""
    low = [m["label"] for m in facts["markers"] if not m["higher_is_positive"]]
    if len(low) == len(facts["markers"]):
        way = "Lower values of " + ("all markers" if several else "the marker")
    elif low:
        way = f"Lower values of {listed(low)}, and higher values of all others,"
    else:
        way = "Higher values of " + ("all markers" if several else "the marker")
    target = "a positive comparator" if facts["data"]["comparator"] else "the condition"
    return say(f"{way} were taken to point to {target}; this was not chosen by the data.")


def _origin(facts: Facts) -> tuple[Sentence, ...]:
    """Return what the scores are; of those that are said to be probabilities, those that are."""
    told = _ORIGINS[facts["settings"]["scores"]]
    if facts["settings"]["scores"] != "probability" or facts["kind"] != "scored":
        return told
    found = [m["label"] for m in facts["markers"] if m["probability"]]
    if len(found) == len(facts["markers"]):
        return told
    return (
        (say(f"Values of {listed(found)} were probabilities of the condition."),) if found else ()
    )


_ORIGINS: dict[str, tuple[Sentence, ...]] = {
    "measured": (),
    "model": (
        say("The scores were predictions of a model that was developed on other participants."),
    ),
    "probability": (say("The scores were probabilities of the condition."),),
    "fitted": (
        say(
            "The scores were predictions of a model for the participants it was fitted to; areas, "
            "rates and calibration are apparent ones and are not corrected for the optimism of "
            "that fit."
        ),
    ),
    "cross-validated": (
        say(
            "The scores were cross-validated predictions, pooled over the folds; standard errors "
            "take them as those of one fixed model, and so are likely to be too small.",
            "ledell2015",
        ),
    ),
}
