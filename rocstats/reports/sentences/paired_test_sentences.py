"""How tests at fixed thresholds were compared on the same patients."""

from __future__ import annotations

from collections.abc import Iterator

from rocstats.reports.facts import level_of
from rocstats.reports.markup import opening
from rocstats.reports.sentences.comparison_sentences import adjustment_sentences
from rocstats.reports.sentences.sentence_words import Facts, Sentence, labels_of, say, word_of

__all__ = ["paired_tests_sentences"]


def paired_tests_sentences(facts: Facts) -> Iterator[Sentence]:
    """Yield how rates, predictive values and likelihood ratios of tests were compared."""
    found = facts["paired_tests"]
    if not found:
        return
    standard = labels_of(facts)[found["standard"]]
    se, sp = word_of(facts, "sensitivity"), word_of(facts, "specificity")
    rows = [pair[rate] for pair in found["pairs"] for rate in ("sensitivity", "specificity")]
    at = "At the thresholds fixed in advance " if facts["kind"] == "scored" else ""
    what = (
        f"{at}{se if at else opening(se)} and {sp} were compared with those of {standard} "
        f"on the same {facts['words']['participants']}"
    )
    if rows[0]["clustered"]:
        yield say(
            f"{what} by Wald tests and intervals over clusters with t quantiles.",
            "obuchowski1998",
        )
    else:
        yield say(
            f"{what}: differences had Tango's {level_of(facts)} score intervals and McNemar's "
            "tests, which agree with them.",
            *("tango1998", "mcnemar1947"),
        )
        if any(row["discordant"] < found["few"] for row in rows):
            yield say(
                f"Where fewer than {found['few']} pairs were discordant, the mid-p value is given "
                "beside it.",
                "fagerland2013",
            )
        yield say(
            "Both rates together were tested by the sum of the two statistics.", "lachenbruch1998"
        )
    if "ppv" in found["pairs"][0]:
        yield say(
            "Predictive values, at the share of this sample, were compared by the weighted "
            "generalised score test, with intervals of their ratio on the log scale, and "
            "likelihood ratios by a Wald test of the log ratio.",
            *("kosinski2013", "moskowitz2006", "gu2009"),
        )
    yield from adjustment_sentences(found["adjust"], found["n_tests"], "these comparisons")
