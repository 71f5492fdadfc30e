"""Methods and results of qualitative tests, whose results are words."""

from __future__ import annotations

from collections.abc import Iterator

from rocstats.reports.sentences.cutpoint_sentences import rates_sentences
from rocstats.reports.sentences.phrases import Part, fact, name, phrase
from rocstats.reports.sentences.result_sentences import predictions_found, rates_at
from rocstats.reports.sentences.sentence_words import Facts, Sentence, listed, say

__all__ = ["calls_found", "calls_sentences", "levels_sentences"]


def calls_sentences(facts: Facts) -> Iterator[Sentence]:
    """Yield what counted as positive, and how rates were computed."""
    words = listed(f"“{m['positive']}” of {m['label']}" for m in facts["markers"])
    yield say(f"The tests were qualitative: positive was the result {words}.")
    yield from rates_sentences(facts)
    if any(m["cutpoints"][0]["indeterminate"] for m in facts["markers"]):
        yield say(
            "Indeterminate results were not dropped without a trace: the rates are also given with "
            "all of them counted as positive, and as negative.",
            "fda2007",
        )
    yield say("No discrepant result was resolved by a further test in this analysis.", "fda2007")


def levels_sentences(facts: Facts) -> Iterator[Sentence]:
    """Yield that rates were estimated within levels."""
    names = [g["name"] for g in facts["subgroups"] if any(at["estimates"] for at in g["levels"])]
    if names:
        yield say(f"Rates were estimated by themselves within the levels of {listed(names)}.")


def calls_found(facts: Facts) -> Iterator[list[Part]]:
    """Yield the rates of every test, with predictive values at stated prevalences."""
    words = facts["words"]
    for m in facts["markers"]:
        point = m["cutpoints"][0]
        yield phrase("For {}, {}.", name(m["label"]), rates_at(facts, point))
        yield from predictions_found(facts, point)
        for other in point["indeterminate"]:
            yield phrase(
                f"With indeterminate results counted as {other['counted_as']}, "
                f"{words['sensitivity'].lower()} would be {{}} and "
                f"{words['specificity'].lower()} {{}}.",
                fact(other["sensitivity"]["estimate"], "pct"),
                fact(other["specificity"]["estimate"], "pct"),
            )
