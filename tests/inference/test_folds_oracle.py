"""Folds by their definitions: loops over all pairs, which share no code with the package."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

import rocstats as rs

ROUNDING = 1e-12  # sums of some hundred terms in another order


def wins(score, other, half=0.5):
    return 1.0 if score > other else half if score == other else 0.0


def parts_of(rows, half=0.5):
    """Return the area of one fold, and for each row what it adds to it: placement, less the area.

    ``rows`` are (class, score, patient); ties count ``half`` in the placements, 1/2 in the area.
    """
    pos = [s for y, s, _ in rows if y]
    neg = [s for y, s, _ in rows if not y]
    area = sum(wins(a, b) for a in pos for b in neg) / (len(pos) * len(neg))
    placed = []
    for y, s, _ in rows:
        if y:
            placed.append(sum(wins(s, b, half) for b in neg) / len(neg) - area)
        else:
            placed.append(sum(wins(a, s, half) for a in pos) / len(pos) - area)
    return area, placed, len(pos), len(neg)


def by_fold(frame, half=0.5):
    """Yield each fold's rows, and `parts_of` them."""
    for _, part in frame.groupby(["repeat", "fold"]):
        rows = list(zip(part.y, part.s, part.who, strict=True))
        yield rows, parts_of(rows, half)


def ledell(frame):
    """LeDell, Petersen & van der Laan (2015): the mean over folds of the mean square of the
    influence of their independent subjects, with the class shares of all rows; over subjects.

    A subject's influence is that of its rows summed, over the mean number of rows (STATISTICS.md
    19.3); a tie adds nothing to it, as in R's cvAUC.
    """
    n, share = len(frame), frame.y.mean()
    subjects = frame.who.nunique()
    means = []
    for rows, (_, placed, _, _) in by_fold(frame, half=0.0):
        total = {}
        for (y, _, who), d in zip(rows, placed, strict=True):
            ic = d / share if y else d / (1.0 - share)
            total[who] = total.get(who, 0.0) + ic * subjects / n
        means.append(sum(d * d for d in total.values()) / len(total))
    return math.sqrt(sum(means) / len(means) / subjects)


def shares_of(frame, weights):
    pairs = [m * n for _, (_, _, m, n) in by_fold(frame)]
    again = frame.repeat.nunique()
    worth = pairs if weights == "pairs" else [1.0] * len(pairs)
    each = len(worth) // again
    return [
        w / sum(worth[i // each * each : (i // each + 1) * each]) / again
        for i, w in enumerate(worth)
    ]


def patients(frame, weights="equal"):
    """The mean area, and its standard error over patients, whoever has rows of both classes."""
    value, total = 0.0, {}
    for a, (rows, (area, placed, m, n)) in zip(
        shares_of(frame, weights), by_fold(frame), strict=True
    ):
        value += a * area
        for (y, _, who), d in zip(rows, placed, strict=True):
            total[who] = total.get(who, 0.0) + a * d / (m if y else n)
    k = len(total)
    return value, math.sqrt(k / (k - 1) * sum(u * u for u in total.values()))


def spread(frame, weights="equal"):
    """The standard error of one division into folds, each with Obuchowski's (1997) variance."""
    variance, terms = 0.0, []
    for a, (rows, (_, placed, m, n)) in zip(shares_of(frame, weights), by_fold(frame), strict=True):
        pos, neg = {}, {}
        for (y, _, who), d in zip(rows, placed, strict=True):
            mine = pos if y else neg
            mine[who] = mine.get(who, 0.0) + a * d / (m if y else n)
        for mine in (neg, pos):
            k = len(mine)
            terms.append((k / (k - 1) * sum(u * u for u in mine.values()), k))
        k = len(set(pos) | set(neg))
        both = sum(u * neg[who] for who, u in pos.items() if who in neg)
        variance += terms[-1][0] + terms[-2][0] + 2.0 * k / (k - 1) * both
    again = frame.repeat.nunique()
    total = sum(term for term, _ in terms)
    df = total**2 / sum(term**2 / (k - 1) for term, k in terms) / again
    return math.sqrt(again * variance), df


def draw(seed, *, rows=(1, 2, 3, 4), mixed=True, repeats=1, sizes=(14, 17, 20)):
    """Patients with several rows, folds of unequal size, and many ties."""
    rng = np.random.default_rng(seed)
    of = np.repeat(np.arange(sum(sizes)), np.resize(rows, sum(sizes)))
    frames = []
    y = rng.random(of.size) < 0.4 if mixed else of % 3 == 0
    base = np.round(rng.normal(size=of.size) + y, 0)
    for repeat in range(repeats):
        fold = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
        score = base + rng.integers(0, 2, of.size)
        frames.append({"y": y.astype(int), "s": score, "who": of, "fold": fold[of]})
        frames[-1]["repeat"] = repeat
    return pd.concat([pd.DataFrame(f) for f in frames])


DESIGNS = {
    "patients with rows of both classes": {"mixed": True},
    "patients of one class": {"mixed": False},
    "a row each": {"rows": (1,)},
    "three repeats": {"rows": (1,), "repeats": 3, "mixed": False},
    "patients, three repeats": {"repeats": 3},
}


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("weights", ["equal", "pairs"])
@pytest.mark.parametrize("seed", [1, 2])
def test_interval_rests_on_the_folds_of_one_division(design, weights, seed):
    frame = draw(seed, **DESIGNS[design])
    repeats = frame.repeat if frame.repeat.nunique() > 1 else None
    found = rs.cv_auc(
        frame.y, frame.s, folds=frame.fold, cluster=frame.who, repeats=repeats, weights=weights
    )
    value, _ = patients(frame, weights)
    std_error, df = spread(frame, weights)
    centre = math.log(value / (1.0 - value))
    reach = t.ppf(0.975, df) * std_error / (value * (1.0 - value))
    wanted = [1.0 / (1.0 + math.exp(-centre - d)) for d in (-reach, reach)]
    assert found.value == pytest.approx(value, abs=ROUNDING)
    assert list(found.confidence_interval()) == pytest.approx(wanted, abs=1e-10)


@pytest.mark.parametrize("weights", ["equal", "pairs"])
@pytest.mark.parametrize("repeats", [1, 3])
@pytest.mark.parametrize("mixed", [True, False])
def test_standard_error_of_patients(weights, repeats, mixed):
    frame = draw(3, repeats=repeats, mixed=mixed)
    again = frame.repeat if repeats > 1 else None
    found = rs.cv_auc(
        frame.y, frame.s, folds=frame.fold, cluster=frame.who, repeats=again, weights=weights
    )
    assert (found.value, found.std_error) == pytest.approx(patients(frame, weights), rel=1e-10)


@pytest.mark.parametrize("rows", [(1,), (1, 2, 3, 4), (3,)])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_ledell_by_definition(rows, seed):
    frame = draw(seed, rows=rows)
    cluster = None if rows == (1,) else frame.who
    found = rs.cv_auc(frame.y, frame.s, folds=frame.fold, cluster=cluster, variance="ledell")
    assert found.std_error == pytest.approx(ledell(frame), rel=1e-12)
    value, se = found.value, found.std_error
    reach = 1.959963984540054 * se
    assert list(found.confidence_interval(method="wald")) == pytest.approx(
        [value - reach, value + reach]
    )


def test_without_ties_equal_folds_differ_from_ledell_by_the_divisors_alone():
    rng = np.random.default_rng(5)
    y, fold = np.tile([1, 0, 0, 0], 30), np.repeat([0, 1, 2], 40)
    score = rng.normal(size=120) + y
    ours = rs.cv_auc(y, score, folds=fold)
    terms = ours.influence.covariance_terms()[:-1, 0, 0]
    units = ours.influence.units()
    theirs = rs.cv_auc(y, score, folds=fold, variance="ledell").std_error
    assert theirs**2 == pytest.approx((terms * (units - 1) / units).sum(), rel=1e-12)


def test_clusters_of_one_row_and_folds_repeated_as_they_are_change_nothing():
    frame = draw(6, rows=(1,), mixed=False)
    plain = rs.cv_auc(frame.y, frame.s, folds=frame.fold)
    alone = rs.cv_auc(frame.y, frame.s, folds=frame.fold, cluster=frame.who)
    twice = pd.concat([frame, frame.assign(repeat=1)])
    again = rs.cv_auc(twice.y, twice.s, folds=twice.fold, repeats=twice.repeat, subject=twice.who)
    for other in (alone, again):
        assert other.std_error == pytest.approx(plain.std_error, rel=1e-12)
        assert list(other.confidence_interval()) == pytest.approx(
            list(plain.confidence_interval()), rel=1e-12
        )


def test_a_fold_with_one_patient_of_a_class_is_said():
    y, who = [1, 1, 0, 0, 1, 0, 1, 0, 0], [1, 1, 2, 3, 4, 5, 6, 7, 7]
    fold, score = [1, 1, 1, 1, 2, 2, 2, 2, 2], [5, 3, 4, 1, 7, 6, 9, 8, 2]
    with pytest.warns(rs.SmallSampleWarning, match="Fold 1 has positives of one cluster only"):
        found = rs.cv_auc(y, score, folds=fold, cluster=who)
    assert list(found.confidence_interval()) == list(found.confidence_interval(method="logit_t"))
