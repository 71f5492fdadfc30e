"""Coarse resamples choose what a look at every vertex chooses, and have the same law."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import rocstats as rs
from rocstats.thresholds import coarse_redraws
from rocstats.thresholds.coarse_redraws import CoarseRedraws
from rocstats.thresholds.cutpoint_criteria import CRITERIA, Floor, score_vertices
from rocstats.thresholds.fixed_rate_counts import facing, heights

RISING = sorted(name for name, criterion in CRITERIA.items() if criterion.rates is not None)
FLOORS = [Floor(), Floor(sensitivity=Fraction(3, 4)), Floor(specificity=Fraction(9, 10))]


def sample(seed, *, n=400, digits=9):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    return y, (rng.normal(size=n) + 0.8 * y).round(digits)


class Known(CoarseRedraws):
    """A resample that is known at every vertex; cells are drawn from what is known."""

    def _within(self, rng, drawn, cells):
        start, stop = self.ends[cells[0]], self.ends[cells[1]]
        return rng.path[:, start : stop + 1] - rng.path[:, start, np.newaxis]


class Script:
    """A stream that draws a given (2, V) path."""

    def __init__(self, path, ends):
        self.path, self.classes = path, iter(np.diff(path[:, ends], axis=1))

    def multinomial(self, n, share, size):
        return next(self.classes)[np.newaxis]


@pytest.mark.parametrize("floor", FLOORS, ids=str)
@pytest.mark.parametrize("digits", [9, 1, 0])
@pytest.mark.parametrize("criterion", RISING)
def test_the_choice_is_that_of_a_look_at_every_vertex(criterion, digits, floor):
    y, s = sample(1, digits=digits)
    curve = rs.roc_curve(y, s)
    rng = np.random.default_rng(2)
    paths = []
    for _ in range(40):  # the counts of a resample, at every vertex, by the drawn ranks
        pair = []
        for counts in (curve.tp, curve.fp):
            drawn = rng.integers(0, counts[-1], counts[-1])
            pair.append(np.searchsorted(np.sort(drawn), counts, side="left"))
        paths.append(pair)
    paths = np.array(paths)
    weight = Fraction(3, 2) if CRITERIA[criterion].weighted else Fraction(1)

    def score(tp, fp):
        return score_vertices(CRITERIA[criterion], tp, fp, weight, floor)

    whole = score(paths[:, 0], paths[:, 1])
    best = whole.argmax(axis=1)
    row, called = np.arange(best.size), paths.sum(axis=1)
    after = np.count_nonzero(called <= called[row, best][:, np.newaxis], axis=1)
    for cells in (1, 7, 40, 400):
        coarse = CoarseRedraws.of(curve, cells)
        known = Known(counts=coarse.counts, ends=coarse.ends)
        for path, known_best, known_after in zip(paths, best, after, strict=True):
            found = known.choose(Script(path, coarse.ends), 1, score)
            top = score(path[:1], path[1:]).max()
            assert found.score == top
            if top > -np.inf:  # where nothing is to be chosen, nothing is said
                assert (found.best, found.after) == (known_best, known_after)
                assert (found.tp, found.fp) == tuple(path[:, known_best])


def test_cells_are_drawn_with_the_law_of_subjects_with_replacement():
    y, s = sample(3, n=60, digits=1)
    curve = rs.roc_curve(y, s)
    coarse = CoarseRedraws.of(curve, 6)
    rng = np.random.default_rng(4)
    cells = np.diff(coarse.counts[:, coarse.ends])
    paths = np.array(
        [
            coarse._within(
                rng,
                np.array([rng.multinomial(n.sum(), n / n.sum()) for n in cells]),
                (0, len(cells[0])),
            )
            for _ in range(4000)
        ]
    )
    for which, counts in enumerate((curve.tp, curve.fp)):
        n = counts[-1]
        assert (paths[:, which, -1] == n).all()
        for vertex in range(1, counts.size - 1):  # binomial, one vertex after the other
            share = counts[vertex] / n
            drawn = paths[:, which, vertex]
            assert drawn.mean() == pytest.approx(n * share, abs=5 * np.sqrt(n * share / 4000))
            assert drawn.var() == pytest.approx(n * share * (1 - share), rel=0.15)


@pytest.mark.parametrize("criterion", ["youden", "closest"])
@pytest.mark.parametrize("digits", [9, 1])
def test_replicates_have_the_law_of_those_that_look_everywhere(criterion, digits, monkeypatch):
    y, s = sample(5, n=300, digits=digits)
    many = rs.Bootstrap(n_resamples=2000, rng=6)
    fine = rs.optimal_cutpoint(y, s, criterion, resampling=many).replicates
    monkeypatch.setattr(coarse_redraws, "_FINE", 2)
    found = rs.optimal_cutpoint(y, s, criterion, resampling=many)
    again = rs.optimal_cutpoint(
        y, s, criterion, resampling=rs.Bootstrap(n_resamples=2000, rng=6, n_jobs=2)
    )
    np.testing.assert_array_equal(found.replicates, again.replicates)
    for column in range(5):
        assert stats.ks_2samp(fine[:, column], found.replicates[:, column]).pvalue > 1e-3


def test_criteria_that_are_said_to_rise_do():
    rng = np.random.default_rng(7)
    n_pos, n_neg = 37, 53
    tp, fp = rng.integers(0, n_pos, 2000), rng.integers(1, n_neg + 1, 2000)
    for name in RISING:
        scores = []
        for up, down in ((0, 0), (1, 0), (0, 1)):
            ends = [np.append(tp + up, n_pos), np.append(fp - down, n_neg)]
            scores.append(score_vertices(CRITERIA[name], *ends, Fraction(1, 3), Floor())[:-1])
        assert (scores[1] >= scores[0]).all()
        assert (scores[2] >= scores[0]).all()


@pytest.mark.parametrize("digits", [9, 1, 0])
@pytest.mark.parametrize("upright", [True, False])
def test_rates_are_read_as_from_the_whole_path(upright, digits):
    y, s = sample(8, digits=digits)
    curve = rs.roc_curve(y, s)
    rng = np.random.default_rng(9)
    n = curve.n_neg if upright else curve.n_pos
    rates = [Fraction(k, 20) for k in range(21)] + [Fraction(1, n), 1 - Fraction(1, n)]
    for _ in range(20):
        path = np.array(
            [
                np.searchsorted(np.sort(rng.integers(0, counts[-1], counts[-1])), counts)
                for counts in (curve.tp, curve.fp)
            ]
        )
        whole = facing(*path, upright=upright)
        for cells in (1, 7, 60):
            coarse = CoarseRedraws.of(curve, cells)
            known = Known(counts=coarse.counts, ends=coarse.ends)
            for rate in rates:
                wide = n * rate // 1
                reached = [wide + 1] if upright else [n - wide]
                script = Script(path, coarse.ends)
                ((tp, fp),) = known.near(script, 1, int(upright), reached)
                part = heights(*facing(tp, fp, upright=upright), rate)
                np.testing.assert_array_equal(part, heights(*whole, rate))


@pytest.mark.parametrize("fixed", ["specificity", "sensitivity"])
def test_fixed_rates_of_coarse_resamples_have_the_same_law(fixed, monkeypatch):
    y, s = sample(10, n=300, digits=1)
    ask = rs.sensitivity_at if fixed == "specificity" else rs.specificity_at

    def replicates(n_jobs=1):
        many = rs.Bootstrap(n_resamples=2000, rng=11, n_jobs=n_jobs)
        return ask(y, s, **{fixed: [0.5, 0.9, 0.95]}, resampling=many).replicates

    fine = replicates()
    monkeypatch.setattr(coarse_redraws, "_FINE", 2)
    found = replicates()
    for column in range(3):
        assert stats.ks_2samp(fine[:, column], found[:, column]).pvalue > 1e-3
    difference = fine[:, 1] - fine[:, 0], found[:, 1] - found[:, 0]  # rates of one resample
    assert stats.ks_2samp(*difference).pvalue > 1e-3
