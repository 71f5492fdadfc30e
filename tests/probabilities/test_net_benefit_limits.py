"""Limits of net benefit: their definition, laws, exact enumeration, coverage by simulation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import rocstats as rs
from rocstats.probabilities.net_benefit_limits import Calls, count_limits, pair_limits

ROUNDING = 1e-12  # a few hundred additions of doubles
MC_ERRORS = 4.0  # Monte-Carlo standard errors: one false alarm in 16 000
LEVEL = 0.95
Z = float(stats.norm.ppf(0.975))


def logistic_study(n: int, seed: int = 1) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Two models of one outcome: calibrated, and overconfident with noise of its own."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(size=n)
    y = (rng.random(n) < 1.0 / (1.0 + np.exp(1.0 - 1.5 * latent))).astype(int)
    good, noisy = 1.5 * latent - 1.0, 2.5 * latent - 1.0 + rng.normal(size=n)
    return y, {"a": 1.0 / (1.0 + np.exp(-good)), "b": 1.0 / (1.0 + np.exp(-noisy))}


def calls_of(
    cells: np.ndarray, odds: float, *, prevalence: float | None = None, standardized: bool = False
) -> Calls:
    """Return one model's calls in many studies, in place of thresholds: tp, fn, fp, tn in rows."""
    tp, fn, fp, tn = np.atleast_2d(cells).T.astype(float)
    zero = np.zeros_like(tp)
    joint = np.stack(
        [
            np.stack([[part, part, zero], [part, whole, zero], [zero, zero, zero]])
            for part, whole in ((tp, tp + fn), (fp, fp + tn))
        ]
    ).transpose(0, 3, 1, 2)
    return Calls(
        joint=joint,
        odds=np.full(tp.size, odds),
        prevalence=prevalence,
        standardized=standardized,
        clusters=None,
        alone=np.zeros((tp.size, 3, 3)),
    )


def limits_beside(calls: Calls, versus: str) -> tuple[np.ndarray, np.ndarray]:
    place = {"all": 1, "none": 2}[versus]
    low, high, name = pair_limits(calls, 0, place, np.ones(calls.joint.shape[1]), LEVEL)
    assert name == "mover"
    return low, high


# Definitions.


@pytest.mark.parametrize("size", [8, 50, 51, 400])
def test_counts_have_wilson_limits_but_for_the_least(size: int) -> None:
    count = np.arange(size + 1.0)
    low, high = count_limits(count, np.full(size + 1, float(size)), LEVEL)
    for k, below, above in zip(range(size + 1), low, high, strict=True):
        wilson = proportion_confint(k, size, method="wilson")
        few = {1: -math.log(0.95), 2: 0.35536151, 3: 0.81769145}.get(k)  # qchisq(.05, 2 k) / 2
        expected = max(wilson[0], 0.0) if few is None else min(few / size, wilson[0])
        assert below == pytest.approx(0.0 if k == 0 else expected, abs=1e-9)
        assert above == pytest.approx(1.0 - low[size - k], abs=ROUNDING)  # the other class
    assert (np.diff(low) > 0.0).all()


def test_square_and_add_by_hand() -> None:
    """Of 60 subjects 4 events are missed and 31 healthy ones are spared, at t = .2."""
    curve = rs.decision_curve(
        np.repeat([1, 1, 0, 0], [16, 4, 9, 31]),
        np.repeat([0.9, 0.1, 0.9, 0.1], [16, 4, 9, 31]),
        thresholds=[0.2],
    )
    w = 0.25
    for versus, (up, gain), (down, loss) in (
        ("treat all", (31, w), (4, 1.0)),
        ("treat none", (16, 1.0), (9, w)),
    ):
        p, q = up / 60, down / 60
        (l1, u1), (l2, u2) = (proportion_confint(k, 60, method="wilson") for k in (up, down))
        r = -math.sqrt(p * q / ((1 - p) * (1 - q)))
        d = gain * p - loss * q

        def reach(a: float, b: float, r: float = r) -> float:
            return math.sqrt(a * a + b * b - 2 * r * a * b)

        found = curve.difference("score", versus)
        assert found.method == "mover"
        assert found.value[0] == pytest.approx(d, abs=ROUNDING)
        low = d - reach(gain * (p - l1), loss * (u2 - q))
        high = d + reach(gain * (u1 - p), loss * (q - l2))
        assert (found.conf_low[0], found.conf_high[0]) == pytest.approx((low, high), abs=ROUNDING)
    alone = curve.curve("score")  # treating none gains nothing: the same limits
    assert (alone.conf_low[0], alone.conf_high[0]) == pytest.approx((low, high), abs=ROUNDING)


def test_two_models_have_half_added_to_every_discordant_cell() -> None:
    y, models = logistic_study(80)
    curve = rs.decision_curve(y, models, thresholds=[0.1, 0.3])
    found = curve.difference("a", "b")
    assert found.method == "agresti-min"
    for j, t in enumerate((0.1, 0.3)):
        w = t / (1 - t)
        a, b = models["a"] >= t, models["b"] >= t
        weight = np.where(y == 1, 1.0, -w) * (a.astype(float) - b)
        # Two more subjects: half a one in each of the four cells.
        values = np.concatenate([weight, [1.0, -1.0, w, -w]])
        share = np.concatenate([np.ones(80), np.full(4, 0.5)])
        mean = (share * values).sum() / 82
        variance = (share * (values - mean) ** 2).sum() / (82 * 81)
        reach = Z * math.sqrt(variance)
        # The mean of the squares is taken about 0 for the 80 - concordant ones too.
        assert found.conf_low[j] == pytest.approx(mean - reach, abs=1e-9)
        assert found.conf_high[j] == pytest.approx(mean + reach, abs=1e-9)
        assert found.value[j] == pytest.approx(weight.mean(), abs=ROUNDING)


# Laws.


OPTIONS: list[dict[str, Any]] = [
    {"prevalence": prevalence, "standardized": standardized}
    for prevalence in (None, 0.1)
    for standardized in (False, True)
]


@pytest.mark.parametrize("options", OPTIONS)
def test_limits_become_walds_as_counts_grow(options: dict[str, Any]) -> None:
    y, models = logistic_study(400_000)
    curve = rs.decision_curve(y, models, thresholds=[0.1, 0.3, 0.6], **options)
    last = len(curve.strategies) - 1
    for a in range(last):
        for b in range(last + 1):
            if a == b:
                continue
            pair = curve.strategies[a], curve.strategies[b]
            found, wald = (curve.difference(*pair, method=m) for m in ("auto", "wald"))
            assert wald.method == "wald"
            width = np.maximum(wald.conf_high - wald.conf_low, ROUNDING)
            for ours, theirs in (
                (found.conf_low, wald.conf_low),
                (found.conf_high, wald.conf_high),
            ):
                assert np.abs((ours - theirs) / width).max() < 0.01, pair


@pytest.mark.parametrize("options", OPTIONS)
def test_a_difference_turned_round_has_its_limits_turned_round(options: dict[str, Any]) -> None:
    y, models = logistic_study(70)
    curve = rs.decision_curve(y, models, **options)
    for a in curve.strategies:
        for b in curve.strategies:
            there, back = curve.difference(a, b), curve.difference(b, a)
            np.testing.assert_allclose(there.conf_low, -back.conf_high, rtol=0.0, atol=ROUNDING)
            assert there.method == back.method
            assert (there.conf_low <= there.value + ROUNDING).all()
            assert (there.conf_high >= there.value - ROUNDING).all()
    assert curve.difference("a", "a").conf_high.max() == 0.0


def test_treating_all_has_the_limits_of_the_prevalence() -> None:
    y, models = logistic_study(90)
    p, (low, high) = y.mean(), proportion_confint(y.sum(), 90, method="wilson")
    odds = np.array([0.25, 1.0])
    plain = rs.decision_curve(y, models, thresholds=[0.2, 0.5]).curve("treat all")
    ends = plain.conf_low, plain.conf_high
    for end, share in zip(ends, (low, high), strict=True):
        np.testing.assert_allclose(end, share - odds * (1 - share), atol=ROUNDING)
    ratio = rs.decision_curve(y, models, thresholds=[0.2, 0.5], standardized=True)
    found = ratio.curve("treat all")
    for end, share in zip((found.conf_low, found.conf_high), (low, high), strict=True):
        np.testing.assert_allclose(end, 1.0 - odds * (1 - share) / share, atol=ROUNDING)
    given = rs.decision_curve(y, models, thresholds=[0.2, 0.5], prevalence=float(p))
    for found in (given.curve("treat all"), given.curve("treat none")):
        np.testing.assert_allclose(found.conf_low, found.value, atol=ROUNDING)
        np.testing.assert_allclose(found.conf_high, found.value, atol=ROUNDING)


@pytest.mark.parametrize("options", OPTIONS)
def test_clusters_of_one_leave_the_limits_and_copies_do_not_narrow_them(
    options: dict[str, Any],
) -> None:
    y, models = logistic_study(120)
    sample = rs.ScoredSample.from_arrays(y, models, cluster=np.arange(120))
    four = rs.ScoredSample.from_arrays(
        np.repeat(y, 4),
        {name: np.repeat(p, 4) for name, p in models.items()},
        cluster=np.repeat(np.arange(120), 4),
    )
    cuts = [0.1, 0.3, 0.5]
    alone, ones, copies = (
        rs.decision_curve(*data, thresholds=cuts, **options)
        for data in ((y, models), (sample,), (four,))
    )
    for pair in (("a", "treat all"), ("a", "treat none"), ("a", "b")):
        single, one, copied = (curve.difference(*pair) for curve in (alone, ones, copies))
        np.testing.assert_allclose(one.conf_low, single.conf_low, rtol=0.0, atol=1e-9)
        np.testing.assert_allclose(one.conf_high, single.conf_high, rtol=0.0, atol=1e-9)
        ratio = (copied.conf_high - copied.conf_low) / (single.conf_high - single.conf_low)
        assert (ratio > 0.97).all(), pair
        assert (ratio < 1.1).all(), pair


def test_where_nothing_is_seen_the_limits_say_what_could_be() -> None:
    """No event is missed among 30: the rule of three, near enough."""
    y, p = np.repeat([1, 0], [10, 20]), np.repeat([0.9, 0.01], [10, 20])
    curve = rs.decision_curve(y, p, thresholds=[0.05, 0.5])
    with pytest.warns(rs.SmallSampleWarning, match=r"missed fewer than 3 events of 30 subjects"):
        found = curve.difference("score")
    assert found.value[0] > 0.0
    assert found.conf_low[0] < 0.0  # 20 spared at odds 1/19 are soon outweighed
    assert found.conf_high[0] > found.value[0]
    assert np.isfinite([found.conf_low, found.conf_high]).all()


def test_the_sentences_follow_the_limits() -> None:
    y, p = np.repeat([1, 0], [10, 20]), np.repeat([0.9, 0.01], [10, 20])
    curve = rs.decision_curve(y, p, thresholds=[0.05, 0.5])
    assert curve.useful_ranges("score") == ((0.05, 0.5),)
    assert curve.useful_ranges("score", supported=True) == ((0.5, 0.5),)
    assert curve.useful_ranges("score", supported=True, method="wald") == ((0.05, 0.5),)
    said = "support this at 0.5 (few missed events from 0.05 to 0.5)"
    assert said in repr(curve)
    assert curve.to_dict()["useful"]["score"]["few_missed"] == [[0.05, 0.5]]


def test_the_warning_follows_its_rule() -> None:
    def few(events: int, healthy: int, missed: int) -> tuple[tuple[float, float], ...]:
        p = np.full(events + healthy, 0.9)
        p[:missed] = p[events : events + 5] = 0.1
        y = np.repeat([1, 0], [events, healthy])
        return rs.decision_curve(y, p, thresholds=[0.05, 0.5]).few_missed("score")

    assert few(10, 40, 2) == ((0.5, 0.5),)  # at .05 everyone is treated
    assert few(10, 41, 2) == ()
    assert few(10, 40, 3) == ()


def test_an_interval_without_a_name_here_is_refused() -> None:
    curve = rs.decision_curve(*logistic_study(60))
    with pytest.raises(rs.InvalidOptionError, match="method must be one of 'auto', 'wald'"):
        curve.difference("a", "b", method="score")  # type: ignore[arg-type]


# Coverage.


def exact_cover(shares: tuple[float, float, float], size: int, odds: float, versus: str) -> float:
    """Return the chance that the limits hold the truth, over every table of `size` subjects.

    `shares` are those of the two cells that count, and of the rest.
    """
    i, j = (k.ravel() for k in np.meshgrid(np.arange(size + 1), np.arange(size + 1)))
    i, j = i[i + j <= size], j[i + j <= size]
    rest = size - i - j
    chance = stats.multinomial.pmf(np.stack([i, j, rest], axis=-1), size, shares)
    zero = np.zeros_like(i)
    if versus == "all":  # i missed, j spared; who is treated is of no account
        cells, truth = np.stack([rest, i, zero, j], axis=-1), odds * shares[1] - shares[0]
    else:
        cells, truth = np.stack([i, rest, j, zero], axis=-1), shares[0] - odds * shares[1]
    low, high = limits_beside(calls_of(cells, odds), versus)
    held = (low <= truth + ROUNDING) & (truth - ROUNDING <= high)
    return float(chance[held].sum())


@pytest.mark.parametrize("versus", ["all", "none"])
def test_exact_coverage_of_forty_subjects(versus: str) -> None:
    """Over every table; Wilson's own limits fall to .85 beside treating all."""
    covers = [
        exact_cover((event, other, 1.0 - event - other), 40, threshold / (1 - threshold), versus)
        for threshold in (0.02, 0.05, 0.1, 0.3)
        for event in (0.004, 0.01, 0.02, 0.05, 0.1, 0.2)
        for other in (0.1, 0.3, 0.5, 0.7)
    ]
    assert min(covers) > 0.93
    assert 0.95 < np.mean(covers) < 0.98


REPLICATES = 4000


def binormal_cells(auc: float, prevalence: float, threshold: float, slope: float) -> np.ndarray:
    """Return the chances of tp, fn, fp and tn; with slope 1 the model is calibrated."""
    d = math.sqrt(2.0) * float(stats.norm.ppf(auc))
    odds = threshold / (1 - threshold) * (1 - prevalence) / prevalence
    cut = slope * math.log(odds) / d + d / 2
    tpr, fpr = stats.norm.sf(cut - d), stats.norm.sf(cut)
    return np.array(
        [
            prevalence * tpr,
            prevalence * (1 - tpr),
            (1 - prevalence) * fpr,
            (1 - prevalence) * (1 - fpr),
        ]
    )


# Chosen designs, on which up to how many events Poisson's limit is taken was settled; and others.
CHOSEN = [(50, 0.5, 0.75, 0.02, 0.5), (100, 0.05, 0.97, 0.1, 0.5), (200, 0.3, 0.9, 0.05, 1.0)]
HELD_OUT = [(50, 0.4, 0.97, 0.05, 2.0), (80, 0.2, 0.95, 0.1, 2.0), (500, 0.08, 0.99, 0.05, 2.0)]


@pytest.mark.slow
@pytest.mark.parametrize("design", [*CHOSEN, *HELD_OUT])
@pytest.mark.parametrize("options", OPTIONS)
def test_coverage_and_false_claims(
    design: tuple[int, float, float, float, float], options: dict[str, Any]
) -> None:
    size, prevalence, auc, threshold, slope = design
    cells, odds = binormal_cells(auc, prevalence, threshold, slope), threshold / (1 - threshold)
    rng = np.random.default_rng(20261118)
    if options["prevalence"] is None:
        drawn = rng.multinomial(size, cells, REPLICATES)
        drawn = drawn[drawn[:, :2].sum(axis=1) > 0]
    else:  # the classes are sampled apart, half and half
        half = size // 2
        pos = rng.binomial(half, cells[0] / prevalence, REPLICATES)
        neg = rng.binomial(half, cells[2] / (1 - prevalence), REPLICATES)
        drawn = np.stack([pos, half - pos, neg, half - neg], axis=-1)
        options = options | {"prevalence": prevalence}
    below = prevalence if options["standardized"] else 1.0
    error = MC_ERRORS * math.sqrt(0.05 * 0.95 / len(drawn))
    for versus, gain in (
        ("all", odds * cells[3] - cells[1]),
        ("none", cells[0] - odds * cells[2]),
    ):
        low, high = limits_beside(calls_of(drawn, odds, **options), versus)
        truth = gain / below
        cover = np.mean((low <= truth + ROUNDING) & (truth - ROUNDING <= high))
        assert cover > 0.95 - 0.01 - error, (versus, cover)
        claimed = np.mean(low > truth + ROUNDING)
        assert claimed < 0.025 + 0.015 + error, (versus, claimed)
