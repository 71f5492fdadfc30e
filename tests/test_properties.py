"""Laws that the measures obey, searched for counterexamples; and wrong measures that break them.

`REGISTRY` says which laws each measure obeys. `WRONG` holds measures with one deliberate fault each
and the law that must reject it: a check that cannot fail shows nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import rocstats as rs
from rocstats.engine.catalogue import AUC, SAUC
from rocstats.engine.evaluation import Plane
from rocstats.engine.kernels import RAMP, STEP

# Degenerate samples are drawn on purpose; their warnings have tests of their own.
pytestmark = pytest.mark.filterwarnings("ignore::rocstats.RocstatsWarning")

ROUNDING = 1e-13  # some dozens of roundings of numbers near 1; where a law is exact, == is asked
SECOND_ORDER = 2.0  # the jackknife of a smooth ratio is its influence but for terms of order 1 / n

Labels = np.ndarray
Scores = np.ndarray
Law = Callable[[rs.Measure, Labels, Scores], None]


@st.composite
def samples(draw: st.DrawFn, levels: tuple[int, ...] = (1, 4, 64, 1024)) -> tuple[Labels, Scores]:
    """Two to eight subjects a class with dyadic scores on [0, 1], many of them tied."""
    m, n = draw(st.integers(2, 8)), draw(st.integers(2, 8))
    y_true = draw(st.permutations([1] * m + [0] * n))
    k = draw(st.sampled_from(levels))
    scores = draw(st.lists(st.integers(0, k), min_size=m + n, max_size=m + n))
    return np.array(y_true), np.array(scores) / k


def estimate(measure: rs.Measure, y_true: Labels, y_score: Scores, **options: Any) -> rs.Estimate:
    return rs.estimate(y_true, y_score, measures=measure, **options).rows[0]


def value(measure: rs.Measure, y_true: Labels, y_score: Scores, **options: Any) -> float:
    return estimate(measure, y_true, y_score, **options).value


def influence(measure: rs.Measure, y_true: Labels, y_score: Scores) -> np.ndarray:
    return estimate(measure, y_true, y_score).influence.values[0]


def sum_of_squares(found: rs.Estimate, y_true: Labels) -> np.ndarray:
    """Over the negatives and over the positives."""
    squares = found.influence.values[0] ** 2
    return np.array([squares[y_true == 0].sum(), squares[y_true == 1].sum()])


def assert_close(got: Any, expected: Any, *, scale: float = 1.0) -> None:
    np.testing.assert_allclose(got, expected, rtol=ROUNDING, atol=ROUNDING * scale)


# --------------------------------------------------------------------------------------- laws


def order(measure, y_true, y_score):
    """The order in which the subjects are listed changes nothing, to the last bit."""
    kept = estimate(measure, y_true, y_score)
    for listed in (np.arange(y_true.size)[::-1], np.argsort(y_true, kind="stable")):
        found = estimate(measure, y_true[listed], y_score[listed])
        assert found.value == kept.value
        np.testing.assert_array_equal(found.influence.values, kept.influence.values[:, listed])


def centred(measure, y_true, y_score):
    """Influence averages to zero within each class."""
    phi = influence(measure, y_true, y_score)
    assert_close([phi[y_true == 1].mean(), phi[y_true == 0].mean()], 0.0)


def monotone(measure, y_true, y_score):
    """Only the order of the scores counts; the transformations are exact on dyadic scores."""
    kept = estimate(measure, y_true, y_score)
    ranks = np.unique(y_score, return_inverse=True)[1]
    for transformed in (y_score**3, np.exp2(1024 * y_score - 512), ranks, -1e300 + 1e299 * ranks):
        found = estimate(measure, y_true, transformed)
        assert found.value == kept.value
        np.testing.assert_array_equal(found.influence.values, kept.influence.values)


def shift(measure, y_true, y_score):
    """Adding a number to every score changes nothing (dyadic, so the sum is exact)."""
    kept = estimate(measure, y_true, y_score)
    for offset in (-0.5, 3.0, 2.0**30):
        found = estimate(measure, y_true, y_score + offset)
        assert found.value == kept.value
        np.testing.assert_array_equal(found.influence.values, kept.influence.values)


def scale(measure, y_true, y_score):
    """The value has the unit of the scores: exactly for powers of two, else to rounding."""
    kept = estimate(measure, y_true, y_score)
    for factor in (0.25, 2.0**40, 2.0**-600):
        found = estimate(measure, y_true, factor * y_score)
        assert found.value == factor * kept.value
        assert_close(found.std_error, factor * kept.std_error, scale=factor)
    assert_close(value(measure, y_true, 3.0 * y_score), 3.0 * kept.value)


def bounds(measure, y_true, y_score):
    """Bounds divide the value and its standard error by their distance."""
    kept = estimate(measure, y_true, y_score)
    found = estimate(replace(measure, score_bounds=(-1.0, 3.0)), y_true, y_score)
    assert_close([found.value, found.std_error], [kept.value / 4, kept.std_error / 4])


def complement(measure, y_true, y_score):
    """Calling the positives negative gives the rest of 1."""
    assert_close(value(measure, 1 - y_true, y_score), 1.0 - value(measure, y_true, y_score))


def mean_difference(measure, y_true, y_score):
    """What the positives win less what they lose is the difference of the class means."""
    ahead, behind = value(measure, y_true, y_score), value(measure, 1 - y_true, y_score)
    assert_close(ahead - behind, y_score[y_true == 1].mean() - y_score[y_true == 0].mean())


def mirror(measure, y_true, y_score):
    """Turning round both the labels and the scores changes nothing."""
    turned = 1.0 - y_score  # exact, and on [0, 1]
    assert_close(value(measure, 1 - y_true, turned), value(measure, y_true, y_score))
    assert_close(influence(measure, 1 - y_true, turned), influence(measure, y_true, y_score))


def orientation(measure, y_true, y_score):
    """`higher_is_positive=False` is the same as scores turned round: 1 - s, on [0, 1]."""
    found = estimate(measure, y_true, y_score, higher_is_positive=False)
    turned = estimate(measure, y_true, 1.0 - y_score)
    assert_close(found.value, turned.value)
    assert_close(found.influence.values, turned.influence.values)


def unit(measure, y_true, y_score):
    """On [0, 1] the value is there too."""
    assert 0.0 <= value(measure, y_true, y_score) <= 1.0 + ROUNDING


def between(measure, y_true, y_score):
    """M+ - M- <= sAUC <= AUC on [0, 1] (STATISTICS.md 3.2)."""
    low = y_score[y_true == 1].mean() - y_score[y_true == 0].mean()
    assert low - ROUNDING <= value(measure, y_true, y_score)
    assert value(measure, y_true, y_score) <= value(AUC, y_true, y_score) + ROUNDING


def twice_the_value(measure, y_true, y_score):
    """Listing every subject twice leaves the value."""
    doubled = value(measure, np.tile(y_true, 2), np.tile(y_score, 2))
    assert_close(doubled, value(measure, y_true, y_score))


def twice_the_variance(measure, y_true, y_score):
    """Listing every subject twice doubles the sums of squares: 2 SS / (2 m (2 m - 1)) a class."""
    squares = sum_of_squares(estimate(measure, y_true, y_score), y_true)
    size = np.array([(y_true == 0).sum(), (y_true == 1).sum()])
    once = estimate(measure, y_true, y_score).variance()
    twice = estimate(measure, np.tile(y_true, 2), np.tile(y_score, 2)).variance()
    assert_close(once, (squares / (size * (size - 1))).sum())
    assert_close(twice, (squares / (size * (2 * size - 1))).sum())


def pseudo_influence(measure, y_true, y_score):
    """Delete-one jackknife: (class size - 1) times what leaving a subject out takes away."""
    whole = value(measure, y_true, y_score)
    left_out = np.array(
        [value(measure, np.delete(y_true, i), np.delete(y_score, i)) for i in range(y_true.size)]
    )
    size = np.where(y_true == 1, (y_true == 1).sum(), (y_true == 0).sum())
    return (size - 1) * (whole - left_out)


def jackknife(measure, y_true, y_score):
    """For a mean over pairs the jackknife is the influence, exactly."""
    assert_close(
        pseudo_influence(measure, y_true, y_score), influence(measure, y_true, y_score), scale=10
    )


def binary_is_auc(measure, y_true, y_score):
    """Scores of 0 and 1 make every membership hard (midpoint in (0, 1])."""
    decided = (y_score >= 0.5).astype(float)
    assert_close(value(measure, y_true, decided), value(AUC, y_true, decided))
    assert_close(influence(measure, y_true, decided), influence(AUC, y_true, decided))


def balanced_chance(measure, y_true, y_score):
    """With balanced classes, scores that say nothing give one half."""
    assert_close(estimate(measure, y_true, y_score).details["chance"], 0.5)


def area(measure, y_true, y_score):
    """The area under the curve is the measure."""
    if measure.name == "smauc":
        midpoint = measure.membership.midpoint
        options = {"midpoint": getattr(midpoint, "name", midpoint)}
        curve = rs.smroc_curve(y_true, y_score, class_weight=measure.class_weight, **options)
        assert_close(np.trapezoid(curve.tpr, curve.fpr), curve.area())
    elif measure.name == "auc":
        curve = rs.roc_curve(y_true, y_score)
        assert_close(np.trapezoid(curve.tpr, curve.fpr), curve.area())
    else:
        curve = rs.sroc_curve(y_true, y_score)
        assert_close((curve.auc[:-1] * np.diff(curve.margin)).sum(), curve.area())
    assert_close(curve.area(), value(measure, y_true, y_score))


# ----------------------------------------------------------------------- who obeys which of them

ANY: tuple[Law, ...] = (order, centred, unit, orientation, area, twice_the_value)
PAIR_MEAN = (*ANY, twice_the_variance, mirror, shift, jackknife)
FIXED_MIDPOINT = (*ANY, twice_the_variance, binary_is_auc)

REGISTRY: dict[str, tuple[rs.Measure, tuple[Law, ...]]] = {
    "auc": (AUC, (*PAIR_MEAN, monotone, complement)),
    "sauc": (SAUC, (*PAIR_MEAN, scale, bounds, mean_difference, between)),
    "smauc 1/2": (rs.smooth_auc(), (*FIXED_MIDPOINT, mirror)),
    "smauc 1/4": (rs.smooth_auc(midpoint=0.25), FIXED_MIDPOINT),
    "smauc 1": (rs.smooth_auc(midpoint=1.0, class_weight=0.3), FIXED_MIDPOINT),
    "smauc balanced": (
        rs.smooth_auc(class_weight="balanced"),
        (*FIXED_MIDPOINT, mirror, balanced_chance),
    ),
    "smauc class_mean": (
        rs.smooth_auc(midpoint="class_mean", class_weight="balanced"),
        (*ANY, balanced_chance),
    ),
}


def search(measure: rs.Measure, law: Law, phases: tuple[Phase, ...] = tuple(Phase)) -> None:
    """Look for a sample on which the measure breaks the law."""

    @given(sample=samples())
    @settings(phases=phases, report_multiple_bugs=False)
    def on_every_sample(sample: tuple[Labels, Scores]) -> None:
        law(measure, *sample)

    on_every_sample()


OBEYED = [(name, law) for name, (_, laws) in REGISTRY.items() for law in laws]


@pytest.mark.parametrize(
    ("name", "law"), OBEYED, ids=[f"{name}-{law.__name__}" for name, law in OBEYED]
)
def test_law(name, law):
    search(REGISTRY[name][0], law)


@given(sample=samples())
def test_low_scores_for_the_positive_class_are_negated_scores(sample):
    y_true, y_score = sample
    for measure in (AUC, SAUC):
        found = estimate(measure, y_true, y_score, higher_is_positive=False)
        negated = estimate(measure, y_true, -y_score)
        assert (found.value, found.variance()) == (negated.value, negated.variance())


@pytest.mark.parametrize("weight", [None, "balanced", 0.3])
@pytest.mark.parametrize("midpoint", [0.25, 0.5, 1.0])
def test_jackknife_of_smauc_approaches_its_influence(midpoint, weight):
    """T is a smooth function of the weights for a fixed midpoint; what is left is of order 1/n."""
    rng = np.random.default_rng(11)
    y_true = np.repeat([1, 0], [60, 90])
    y_score = rng.integers(0, 64, y_true.size, endpoint=True) / 128 + 0.25 * (y_true + 1)
    measure = rs.smooth_auc(midpoint=midpoint, class_weight=weight)
    phi, pseudo = influence(measure, y_true, y_score), pseudo_influence(measure, y_true, y_score)
    for positive in (0, 1):
        left, right = pseudo[y_true == positive], phi[y_true == positive]
        np.testing.assert_allclose(
            left - left.mean(), right, rtol=0.0, atol=SECOND_ORDER / 60 * np.abs(phi).max()
        )


# ------------------------------------------------------------------------------- wrong measures


def of_kernel(kernel: Any, name: str = "wrong") -> rs.Measure:
    """A mean over pairs, of a function of two scores or of a kernel with a fault in its sums."""
    if not isinstance(kernel, rs.Kernel):
        kernel = rs.pairwise_kernel(name, kernel)
    return rs.Measure(name=name, label=name, kernel=kernel)


def of_theta(theta: Callable[[Scores, float], Any], midpoint: float = 0.5) -> rs.Measure:
    membership = rs.Membership(name="wrong", theta=theta, midpoint=midpoint)
    return replace(rs.smooth_auc(), name="wrong", membership=membership)


def margin(a: Scores, b: Scores) -> Scores:
    return np.maximum(a - b, 0.0)


def strictly_high(score: Scores, midpoint: float) -> tuple[Scores, Scores]:
    high = np.where(score > midpoint, score, 1.0 - score)
    return high, 1.0 - high


def same_for_all(blocks: Any, mass: Any) -> Any:
    """The mean of the sums that the negatives should each have."""
    return np.full_like(mass, (blocks.n_neg * RAMP.above(blocks, mass)).sum() / blocks.n_neg.sum())


def place_in_the_list(blocks: Any, mass: Any) -> Any:
    """Sums that see which of two tied subjects came first."""
    return STEP.above(blocks, mass) + blocks.label @ np.arange(blocks.label.size)


WRONG: dict[str, tuple[rs.Measure, Law]] = {
    "ties count as wins": (of_kernel(lambda a, b: 1.0 * (a >= b)), complement),
    "ties count as losses": (of_kernel(lambda a, b: 1.0 * (a > b)), complement),
    "ties count as wins, by curve": (of_kernel(lambda a, b: 1.0 * (a >= b), "auc"), area),
    "scores rounded before ties": (
        of_kernel(lambda a, b: 0.5 + 0.5 * np.sign(np.round(a) - np.round(b))),
        monotone,
    ),
    "margin weighed by the winner": (of_kernel(lambda a, b: a * margin(a, b)), mirror),
    "margin weighed by the loser": (of_kernel(lambda a, b: b * margin(a, b)), orientation),
    "margin as a ratio": (of_kernel(lambda a, b: margin(a, b) / (1.0 + b)), shift),
    "margin squared": (of_kernel(lambda a, b: margin(a, b) ** 2), scale),
    "margin squared, in bounds": (of_kernel(lambda a, b: margin(a, b) ** 2), bounds),
    "margin rooted": (of_kernel(lambda a, b: np.sqrt(margin(a, b))), mean_difference),
    "margin both ways": (of_kernel(lambda a, b: np.abs(a - b)), mean_difference),
    "margin of one half given": (of_kernel(lambda a, b: margin(a + 0.5, b)), between),
    "losses subtracted": (of_kernel(lambda a, b: a - b), unit),
    "ties in the value but not in the variance": (
        of_kernel(replace(STEP, above=lambda b, mass: STEP.above(b, mass) - 0.5 * mass)),
        centred,
    ),
    "negatives without influence": (of_kernel(replace(RAMP, above=same_for_all)), jackknife),
    "tied subjects told apart": (of_kernel(replace(STEP, above=place_in_the_list)), order),
    "value grows with the sample": (
        of_kernel(replace(STEP, below=lambda b, mass: STEP.below(b, mass) + 1.0)),
        twice_the_value,
    ),
    "influence shrinks with the sample": (
        of_kernel(
            replace(STEP, above=lambda b, mass: STEP.above(b, mass) * (1.0 + 1.0 / mass.sum()))
        ),
        twice_the_variance,
    ),
    "score at the midpoint is low": (of_theta(strictly_high, midpoint=1.0), binary_is_auc),
    "negatives as positives": (of_theta(lambda s, c: (s, s)), binary_is_auc),
    "midpoint for negatives only": (of_theta(lambda s, c: (s, np.minimum(s, 1.0 - s))), mirror),
    "classes not balanced": (rs.smooth_auc(), balanced_chance),
}
REFUSED = (
    "ties in the value but not in the variance",
    "tied subjects told apart",
    "value grows with the sample",
    "influence shrinks with the sample",
)


@pytest.mark.parametrize("name", WRONG)
def test_wrong_measure_is_rejected(name, monkeypatch):
    """By its law alone: what the engine itself refuses is let through here."""
    monkeypatch.setattr(Plane, "_check_sums", lambda *_: None)
    with pytest.raises(AssertionError):
        search(*WRONG[name], phases=(Phase.generate,))


@pytest.mark.parametrize("name", WRONG)
def test_the_engine_refuses_sums_of_other_pairs(name):
    y_true, y_score = [1, 0, 1, 1, 0, 0, 1], [0.5, 0.5, 0.75, 0.25, 0.25, 0.125, 1.0]
    if name not in REFUSED:
        estimate(WRONG[name][0], y_true, y_score)
        return
    with pytest.raises(rs.InvalidOptionError, match="not those of the same pairs"):
        estimate(WRONG[name][0], y_true, y_score)


def test_every_law_is_shown_able_to_fail():
    assert {law for _, law in OBEYED} == {law for _, law in WRONG.values()}
