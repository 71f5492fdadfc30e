"""What a power study found, in sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from rocstats.studies.batch_tests import test_label
from rocstats.studies.power_studies import PowerStudy

__all__ = ["ALLOCATIONS", "Contest", "contests", "same_statistic", "tallies", "verdict"]

_CLEAR = 3.0  # Monte-Carlo standard errors that a difference must exceed to be told

ALLOCATIONS: dict[str, tuple[str, Callable[[Mapping[str, Any]], bool]]] = {
    "balanced": ("With equal sizes", lambda row: row["n_pos"] == row["n_neg"]),
    "fewer": ("With fewer positives", lambda row: row["n_pos"] < row["n_neg"]),
    "more": ("With more positives", lambda row: row["n_pos"] > row["n_neg"]),
}


class Contest(NamedTuple):
    """One alternative's mean difference in size-adjusted power over sizes, in points."""

    design: str
    points: float
    error: float
    low: float
    high: float

    @property
    def outcome(self) -> str:
        """``beats``, ``loses`` or ``undecided``."""
        if abs(self.points) <= _CLEAR * self.error:
            return "undecided"
        return "beats" if self.points > 0.0 else "loses"


def contests(rows: Sequence[Mapping[str, Any]], test: str) -> list[Contest]:
    """Return the contests of a test against the reference, best first."""
    found = []
    mine = [row for row in rows if row["test"] == test]
    for design in dict.fromkeys(str(row["design"]) for row in mine):
        parts = [row for row in mine if row["design"] == design]
        points = [100.0 * row["difference"] for row in parts]
        squares = sum((100.0 * row["difference_std_error"]) ** 2 for row in parts)
        count = len(parts)
        error = math.sqrt(squares) / count
        found.append(Contest(design, sum(points) / count, error, min(points), max(points)))
    return sorted(found, key=lambda contest: -contest.points)


def same_statistic(study: PowerStudy, test: str) -> tuple[str, ...]:
    """Return a test and those of the study by the same statistic, whose p-values differ."""
    other = _OTHER_NULL.get(test, "")
    return (test, other) if other in study.tests else (test,)


def tallies(rows: Sequence[Mapping[str, Any]], tests: Sequence[str]) -> list[dict[str, Any]]:
    """Return how many alternatives each test wins and loses, by kind of sizes.

    Parameters
    ----------
    rows : of a study
    tests : names of tests, each against the reference, in size-adjusted power

    Returns
    -------
    list of dict
        A row for each kind of sizes and test; the last rows are of all sizes together.
    """
    kinds = dict(ALLOCATIONS.values())
    kinds["Over all sizes"] = lambda _: True
    found = []
    for words, belongs in kinds.items():
        chosen = [row for row in rows if belongs(row)]
        for test in tests:
            outcomes = [contest.outcome for contest in contests(chosen, test)]
            if outcomes:
                found.append(
                    {
                        "sizes": words,
                        "test": test_label(test),
                        "alternatives": len(outcomes),
                        "won": outcomes.count("beats"),
                        "lost": outcomes.count("loses"),
                        "undecided": outcomes.count("undecided"),
                    }
                )
    return found


def verdict(study: PowerStudy, *, test: str = "sauc") -> list[str]:
    """Return where a test beats the reference, where it loses, and by how much.

    Parameters
    ----------
    study : the result of `power_study`
    test : the test that is judged

    Returns
    -------
    list of str
        Points are hundredths of power, size-adjusted, averaged over the sizes of a kind.

    Examples
    --------
    >>> import rocstats as rs
    >>> from rocstats.studies.power_words import verdict
    >>> design = rs.two_sample_design("lognormal", n_pos=25, n_neg=25)
    >>> study = rs.power_study(design, tests=["auc", "sauc"], n_replicates=500, rng=1)
    >>> verdict(study)[1].split(":")[0]
    'With equal sizes, sAUC (normal approximation) loses to WMW in 1 of 1 alternatives'
    """
    rows = study.rows()
    sentences = [_lead_sentence(study, rows, test), *_null_sentences(study, rows, test)]
    for words, belongs in ALLOCATIONS.values():
        chosen = [row for row in rows if belongs(row)]
        if chosen:
            sentences += _contest_sentences(study, contests(chosen, test), words, test)
    sentences += _twin_sentence(study, rows, test)
    sentences.append(_size_sentence(study, rows))
    return [*sentences, *_efficiency_sentence(study, rows, test)]


def _lead_sentence(study: PowerStudy, rows: Sequence[Mapping[str, Any]], test: str) -> str:
    name, other = test_label(test), test_label(study.versus)
    single = [
        (contests([row], test)[0], f"{row['design']} at {row['n_pos']}/{row['n_neg']}")
        for row in rows
        if row["test"] == test
    ]
    won, lost = (sum(c.outcome == o for c, _ in single) for o in ("beats", "loses"))
    best, worst = (choose(single, key=lambda pair: pair[0].points) for choose in (max, min))
    return (
        f"Of {len(single)} designs, {name} beats {other} in {won} and loses in {lost} by more than "
        f"{_CLEAR:g} Monte-Carlo standard errors of size-adjusted power; it does best for "
        f"{best[1]} ({best[0].points:+.1f} points) and worst for {worst[1]} "
        f"({worst[0].points:+.1f} points)."
    )


# Test: the same statistic with p-values from elsewhere.
_OTHER_NULL = {"sauc": "sauc-permutation", "sauc-permutation": "sauc"}


def _null_sentences(study: PowerStudy, rows: Sequence[Mapping[str, Any]], test: str) -> list[str]:
    """Return what changes where the same statistic has its p-values from elsewhere."""
    other = _OTHER_NULL.get(test, "")
    if other not in study.tests:
        return []
    single = {name: _single_outcomes(rows, name) for name in (test, other)}
    moved = sum(a != b for a, b in zip(*single.values(), strict=True))
    won, lost = (single[other].count(outcome) for outcome in ("beats", "loses"))
    found = {name: [row for row in rows if row["test"] == name] for name in (test, other)}

    def gaps(column: str) -> list[tuple[float, str]]:
        return [
            (
                100.0 * (mine[column] - theirs[column]),
                f"{mine['design']} at {mine['n_pos']}/{mine['n_neg']}",
            )
            for mine, theirs in zip(*found.values(), strict=True)
        ]

    said = []
    for column in ("adjusted_power", "size", "power"):
        pairs = gaps(column)
        far, where = max(pairs, key=lambda pair: abs(pair[0]))
        mean = sum(gap for gap, _ in pairs) / len(pairs)
        said.append(f"{mean:+.1f} points on average and {far:+.1f} at most ({where})")
    return [
        f"{test_label(other)}, the same statistic, beats {test_label(study.versus)} in {won} and "
        f"loses in {lost} of these designs; the outcome of {moved} changes. "
        f"{test_label(test)} less {test_label(other)}: size-adjusted power {said[0]}; size under "
        f"the null {said[1]}; power without adjustment {said[2]}."
    ]


def _single_outcomes(rows: Sequence[Mapping[str, Any]], test: str) -> list[str]:
    return [contests([row], test)[0].outcome for row in rows if row["test"] == test]


def _twin_sentence(study: PowerStudy, rows: Sequence[Mapping[str, Any]], test: str) -> list[str]:
    """Return how near a test is to Student's with equal sizes."""
    if "t" not in study.tests or test == "t":
        return []
    power = {
        (row["design"], row["n_pos"], row["test"]): row["adjusted_power"]
        for row in rows
        if row["n_pos"] == row["n_neg"]
    }
    gaps = [
        (100.0 * (value - power[design, size, "t"]), design, size)
        for (design, size, name), value in power.items()
        if name == test
    ]
    if not gaps:
        return []
    gap, design, size = max(gaps, key=lambda found: abs(found[0]))
    mean = sum(abs(found[0]) for found in gaps) / len(gaps)
    return [
        f"With equal sizes, {test_label(test)} is close to the t test: their size-adjusted powers "
        f"differ by {mean:.1f} points on average and by {abs(gap):.1f} at most ({design} at "
        f"{size}/{size})."
    ]


def _contest_sentences(
    study: PowerStudy, found: Sequence[Contest], words: str, test: str
) -> list[str]:
    name, other = test_label(test), test_label(study.versus)
    sentences = []
    for outcome, verb in (("beats", "beats"), ("loses", "loses to")):
        listed = [c for c in found if c.outcome == outcome]
        listed = listed if outcome == "beats" else listed[::-1]
        if listed:
            each = "; ".join(_contest_words(c) for c in listed)
            sentences.append(
                f"{words}, {name} {verb} {other} in {len(listed)} of {len(found)} alternatives: "
                f"{each}."
            )
    same = [c for c in found if c.outcome == "undecided"]
    if same:
        widest = max(_CLEAR * c.error for c in same)
        sentences.append(
            f"{words}, no difference beyond {_CLEAR:g} Monte-Carlo standard errors (at most "
            f"{widest:.1f} points) is seen for {', '.join(c.design for c in same)}."
        )
    return sentences


def _contest_words(contest: Contest) -> str:
    text = f"{contest.design} {contest.points:+.1f} points (standard error {contest.error:.1f}"
    if contest.high - contest.low > 0.05:
        text += f"; {contest.low:+.0f} to {contest.high:+.0f} by size"
    return f"{text})"


def _size_sentence(study: PowerStudy, rows: Sequence[Mapping[str, Any]]) -> str:
    parts = []
    for test in study.tests:
        mine = [row for row in rows if row["test"] == test]
        low, high = (choose(mine, key=lambda row: row["size"]) for choose in (min, max))
        parts.append(
            f"{test_label(test)} {low['size']:.3f} to {high['size']:.3f} (most at "
            f"{high['family']} {high['n_pos']}/{high['n_neg']})"
        )
    return (
        f"Size under the null at the nominal {study.significance:g}: {'; '.join(parts)}. The "
        "comparisons above are of size-adjusted power, so a liberal test gains nothing by it."
    )


def _efficiency_sentence(
    study: PowerStudy, rows: Sequence[Mapping[str, Any]], test: str
) -> list[str]:
    known = [
        row
        for row in rows
        if row["test"] == test
        and math.isfinite(row["asymptotic_efficiency"])
        and math.isfinite(row["efficiency"])
    ]
    if not known:
        return []
    largest = max(row["n_pos"] + row["n_neg"] for row in known)
    at = [row for row in known if row["n_pos"] + row["n_neg"] == largest]
    each = "; ".join(
        f"{row['design']} {row['efficiency']:.2f} ({row['asymptotic_efficiency']:.2f})"
        for row in sorted(at, key=lambda row: -row["asymptotic_efficiency"])
    )
    return [
        f"Subjects that {test_label(study.versus)} needs for each subject of "
        f"{test_label(test)}, at {largest} subjects and, in brackets, in the limit: {each}."
    ]
