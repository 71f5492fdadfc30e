"""The level near AUC 1 by simulation, judged in Monte-Carlo standard errors.

The study is `docs/evidence/near_one.py`, which also makes the tables of the documentation; here it
runs on a few of its cells, and its vectorised answers are held against those of the package. Seeds
are fixed, so a failure is a change of the code.
"""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from conftest import load_study
from scipy import stats

import rocstats as rs

study = load_study("near_one")
Cell = study.Cell
REPLICATES = 1000
MC_ERRORS = 4.0

PAIRED = Cell(
    kind="paired",
    families=("zero-inflated", "5 grades"),
    areas=(0.92, 0.97),
    sizes=((25, 200), (25, 200)),
    rho=0.5,
)
APART = Cell(
    kind="independent",
    families=("normal", "gamma"),
    areas=(0.9, 0.95),
    sizes=((15, 15), (60, 60)),
)


def drawn_scores(cell, replicates, rng):
    """The scores behind `study.draw`, which takes them in the same order."""
    groups = [[0], [1]] if cell.kind == "independent" else [[0, 1]]
    found = []
    for group in groups:
        m, n = cell.sizes[group[0]]
        latent = [study._latent(rng, cell.rho, len(group), replicates, size) for size in (m, n)]
        for j, i in enumerate(group):
            sides = [
                study.scores(cell.families[i], cell.areas[i], latent[side][j], side == 0)
                for side in (0, 1)
            ]
            found.append(np.concatenate(sides, axis=-1))
    return found


@pytest.mark.filterwarnings("ignore:A class of at most 30")
@pytest.mark.parametrize("cell", [PAIRED, APART], ids=["paired", "apart"])
def test_the_study_judges_as_the_package_does(cell, monkeypatch):
    monkeypatch.setattr(study, "STEPS", np.linspace(0.0, 1.0, 257))
    judged = study.judge(study.draw(cell, 12, np.random.default_rng(1)), np.array([1.0, -1.0]))
    scores = drawn_scores(cell, 12, np.random.default_rng(1))
    labels = [np.repeat([1, 0], size) for size in cell.sizes]
    for null in (0.0, -0.05):
        at_null, plain = judged.score(null), judged.wald(null)
        for r in range(12):
            for method, deviate in (("score", at_null[r]), ("delong", plain[r])):
                if cell.kind == "paired":
                    compared = rs.compare(labels[0], {"a": scores[0][r], "b": scores[1][r]})
                    test = compared.contrast("a", "b", null_value=null, method=method)
                else:
                    ends = [rs.auc(y, s[r]) for y, s in zip(labels, scores, strict=True)]
                    test = rs.compare_independent(*ends, null_value=null, method=method)
                expected = 2.0 * stats.norm.sf(abs(deviate))
                assert test.pvalue == pytest.approx(expected, rel=1e-9, abs=1e-14)


def test_the_limits_of_one_area_are_the_packages():
    cell = Cell(kind="one", families=("5 grades",), areas=(0.95,), sizes=((25, 40),))
    drawn = study.draw(cell, 40, np.random.default_rng(3))
    rng = np.random.default_rng(3)
    sides = [
        study.scores("5 grades", 0.95, study._latent(rng, 0.0, 1, 40, size)[0], size == 25)
        for size in (25, 40)
    ]
    labels, scores = np.repeat([1, 0], [25, 40]), np.concatenate(sides, axis=-1)
    limits = [rs.auc(labels, row).confidence_interval(method="score") for row in scores]
    missed = np.mean([0.95 not in found for found in limits])
    assert study.one(drawn, cell)["interval, score"] == missed


@pytest.mark.parametrize("family", study.FAMILIES)
@pytest.mark.parametrize("area", [0.75, 0.97])
def test_families_have_their_areas(family, area):
    rng = np.random.default_rng(2)
    sides = [study.scores(family, area, rng.random(200_000), side) for side in (True, False)]
    found = rs.auc(np.repeat([1, 0], 200_000), np.concatenate(sides))
    assert found.value == pytest.approx(area, abs=5.0 * found.std_error + 1e-4)


def above(share, nominal):
    """Whether a share is above the nominal one by more than Monte-Carlo error."""
    return share > nominal + MC_ERRORS * math.sqrt(nominal * (1.0 - nominal) / REPLICATES)


KEPT = [
    Cell(kind="paired", families=(f, g), areas=areas, sizes=(size, size), rho=rho)
    for f, g in (("normal", "normal"), ("bimodal", "11 levels"), ("t3", "7 grades"))
    for areas in ((0.92, 0.97), (0.94, 0.99))
    for size in ((15, 15), (60, 60))
    for rho in (0.5,)
]


@pytest.mark.slow
@pytest.mark.parametrize("cell", KEPT, ids=lambda cell: cell.title)
def test_the_level_is_kept_where_delongs_is_not(cell):
    found = study.simulate(cell, REPLICATES)
    assert not above(found["two-sided, score"], 0.05)
    assert not above(found["non-inferiority, score"], 0.025)
    assert not above(found["equivalence, score"], 0.05)
    assert found["non-inferiority, DeLong"] > found["non-inferiority, score"]


@pytest.mark.slow
def test_the_power_is_nearly_delongs_where_delongs_test_is_right():
    cell = Cell(
        kind="paired",
        families=("normal", "normal"),
        areas=(0.85, 0.9),
        sizes=((150, 150), (150, 150)),
        rho=0.5,
    )
    found = study.simulate(cell, REPLICATES)
    assert not above(found["two-sided, DeLong"], 0.05)
    power = [found[f"power two-sided, {way}"] for way in ("DeLong", "score")]
    assert power[0] - power[1] < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("k", [3, 6])
def test_the_omnibus_test_keeps_its_level(k):
    cell = Cell(
        kind="omnibus",
        families=("normal", "5 grades") * (k // 2) + ("normal",) * (k % 2),
        areas=(0.97,) * k,
        sizes=((60, 60),) * k,
        rho=0.5,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = study.simulate(cell, REPLICATES)
    assert not above(found["omnibus, score"], 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("area", [0.9, 0.97])
def test_the_interval_of_one_area_covers(area):
    cell = Cell(kind="one", families=("zero-inflated",), areas=(area,), sizes=((15, 15),))
    found = study.simulate(cell, REPLICATES)
    assert not above(found["interval, score"], 0.05)
    assert found["interval, DeLong"] > found["interval, score"]
