"""Coverage near AUC 1 by simulation, judged in Monte-Carlo standard errors.

The study is `docs/evidence/edges.py`, which also makes the tables of the documentation; here it
runs on fewer designs with fewer replicates. Seeds are fixed, so a failure is a change of the code.
"""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from conftest import load_study

import rocstats as rs
from rocstats.engine.variances import influence_df

study = load_study("edges")

REPLICATES = 400
MC_ERRORS = 4.0  # fewer than one false alarm in 10 000 cells
ROUNDING = 1e-9  # bisection to 50 halvings against a root to 1e-15, and sums in another order
TWO = (12, 30)

# Designs at which the former default was worst: chosen, then held out.
DESIGNS = [
    ("smAUC", "zero-inflated", 0.95, (15, 15)),
    ("smAUC", "t3", 0.95, (15, 15)),
    ("smAUC", "gamma", 0.9, (8, 40)),
    ("average precision", "5 grades", 0.97, (300, 30)),
    ("average precision", "bimodal", 0.99, (300, 30)),
    ("average precision", "t3", 0.97, (300, 30)),
    ("several classes", "zero-inflated", 0.97, (200, 25, 25)),
    ("several classes", "t3", 0.99, (60, 60, 60)),
]


def error(share: float = study.LEVEL, replicates: int = REPLICATES) -> float:
    return MC_ERRORS * math.sqrt(share * (1.0 - share) / replicates)


def drawn(family: str, auc: float, *, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """One sample as a batch of one."""
    d, rng, source = study.shift(family, auc), np.random.default_rng(seed), study.FAMILIES[family]
    return tuple(source.draw(rng, (1, k), y, d) for k, y in zip(TWO, (True, False), strict=True))  # type: ignore[return-value]


@pytest.mark.parametrize("family", ["normal", "5 grades", "t3"])
@pytest.mark.parametrize("auc", [0.75, 0.95])
def test_the_study_has_the_numbers_of_the_package(family: str, auc: float) -> None:
    pos, neg = drawn(family, auc)
    y = np.repeat([1, 0], TWO)
    soft = study.spread_out(family, study.shift(family, auc), pos, neg)
    for estimate, batch, limits, scores in (
        (rs.smauc, study.smauc_batch, lambda b: study.soft_limits(b, TWO), soft),
        (
            rs.average_precision,
            study.ap_batch,
            lambda b: study.precision_limits(b, TWO),
            (pos, neg),
        ),
    ):
        ours, theirs = estimate(y, np.concatenate(scores, axis=1)[0]), batch(*scores)
        assert ours.value == pytest.approx(theirs.value[0], abs=ROUNDING)
        assert ours.scatter == pytest.approx((theirs.std_error[0], theirs.df[0]), rel=ROUNDING)
        found = [float(end[0]) for end in limits(theirs)]
        assert [*ours.confidence_interval()] == pytest.approx(found, abs=ROUNDING)


def test_the_study_has_the_numbers_of_several_classes_and_of_a_raw_sauc() -> None:
    rng = np.random.default_rng(2)
    sizes = (9, 14, 30)
    classes = [rng.normal(2.0 * k, size=(1, n)) for k, n in enumerate(sizes)]
    batch = study.hand_till_batch(*classes)
    ours = rs.multiclass_auc(np.repeat([0, 1, 2], sizes), np.concatenate(classes, axis=1)[0])
    assert ours.value == pytest.approx(batch.value[0], abs=ROUNDING)
    found = [float(end[0]) for end in study.soft_limits(batch, (9, 14), 2)]
    assert [*ours.confidence_interval()] == pytest.approx(found, abs=ROUNDING)
    assert ours.confidence_interval().method == "score_t"
    pos, neg = drawn("normal", 0.9)
    raw, batch = rs.sauc(np.repeat([1, 0], TWO), np.concatenate([pos, neg], axis=1)[0]), None
    batch = study.sauc_batch(pos, neg)
    assert [*raw.confidence_interval()] == pytest.approx(
        [float(end[0]) for end in study.log_limits(batch)], rel=ROUNDING
    )
    tails = influence_df(raw.influence.values[0], raw.influence.stratum)
    assert tails == pytest.approx(batch.tail_df[0], rel=ROUNDING)


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_limits_hold_near_the_end(design: tuple[str, str, float, tuple[int, ...]]) -> None:
    """At most two points below nominal, where the former default was 6 to 40 below."""
    cell = study.simulate(*design, REPLICATES)
    assert cell.now > study.LEVEL - 0.02 - error(), cell
    assert cell.now >= cell.before, cell


@pytest.mark.slow
def test_the_former_default_would_be_seen() -> None:
    cells = [study.simulate(*design, REPLICATES) for design in DESIGNS[3:6]]
    assert all(cell.before < study.LEVEL - 0.02 - error() for cell in cells), cells


@pytest.mark.slow
@pytest.mark.parametrize("held_out", [False, True])
def test_the_warning_of_a_raw_sauc_tells_designs_apart(held_out: bool) -> None:
    """Where at most a few are warned of, limits hold; where most are, they do not."""
    families = ("lognormal, sd 1.3", "exponential") if held_out else ("lognormal", "normal")
    bad, good = (
        [study.simulate("sAUC", family, 0.95, size, REPLICATES) for size in sizes]
        for family, sizes in zip(families, (((8, 40), (15, 15)), ((15, 15), (60, 60))), strict=True)
    )
    assert all(cell.warned > 0.5 for cell in bad), bad
    assert np.mean([cell.now for cell in bad]) < study.LEVEL - 0.02
    assert all(cell.warned < 0.5 for cell in good), good
    assert all(cell.now > study.LEVEL - 0.03 - error() for cell in good), good


def test_the_warning_of_a_raw_sauc_follows_its_rule() -> None:
    y = np.repeat([1, 0], [20, 20])
    near = np.concatenate([np.linspace(2.0, 4.0, 20), np.linspace(0.0, 2.5, 20)])
    rs.sauc(y, near).confidence_interval()
    far = near.copy()
    far[0] = 1000.0
    with pytest.warns(rs.SmallSampleWarning, match="take the scores on a log scale, or the AUC"):
        rs.sauc(y, far).confidence_interval()
    for quiet in (rs.sauc(y, far).confidence_interval(method="log_t"), rs.sauc(y, far).statement()):
        assert quiet is not None
    bounded = rs.sauc(y, far, bounds=(0.0, 1000.0))
    assert bounded.confidence_interval().method == "logit_t"


def test_limits_do_not_jump_as_losses_grow() -> None:
    """smAUC and average precision pass over to the former interval without a step."""
    rng = np.random.default_rng(5)
    y = np.repeat([1, 0], [150, 150])
    noise = rng.normal(size=300)
    for estimate in (
        rs.average_precision,
        lambda y, s: rs.smauc(y, 1.0 / (1.0 + np.exp(-6.0 * s))),
    ):
        ends = []
        for shift in np.linspace(0.4, 3.0, 400):
            found = estimate(y, noise + shift * (y - 0.5))
            new, old = (found.confidence_interval(method=m) for m in ("auto", "logit_t"))
            ends.append((new.low - old.low, new.high - old.high, found.std_error))
        steps = [max(abs(b[0] - a[0]), abs(b[1] - a[1])) / a[2] for a, b in pairwise(ends)]
        assert max(steps) < 0.2
        assert ends[0][:2] == (0.0, 0.0)  # many losses: the former interval itself
        assert ends[-1][0] < 0.0


def test_a_low_average_precision_of_rare_positives_keeps_its_interval() -> None:
    rng = np.random.default_rng(6)
    y = np.repeat([1, 0], [15, 1485])
    found = rs.average_precision(y, rng.normal(size=1500) + y)
    assert found.value < 0.3
    assert [*found.confidence_interval()] == [*found.confidence_interval(method="logit_t")]
    assert found.confidence_interval(method="score_t").method == "score_t"


def test_names_of_intervals_are_refused_as_before() -> None:
    y, s = [1, 1, 0, 0, 1, 0], [0.9, 0.8, 0.3, 0.2, 0.6, 0.7]
    with pytest.raises(rs.InvalidOptionError, match="method must be one of"):
        rs.brier_score(y, s).confidence_interval(method="score_t")
    with pytest.raises(rs.InvalidOptionError, match="for the AUC only, not sAUC"):
        rs.sauc(y, s).confidence_interval(method="score_t")


def test_the_page_has_every_measure() -> None:
    text = (Path(__file__).parents[1] / "docs" / "evidence" / "edges.md").read_text(
        encoding="utf-8"
    )
    for title in ("## smAUC", "## Average precision", "## sAUC", "## several classes"):
        assert title in text
    assert "## Decision curves" in text
