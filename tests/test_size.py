"""Type I error of the tests by simulation, judged in Monte-Carlo standard errors.

The study is `docs/evidence/size.py`, which also makes the table of the documentation; here it runs
on fewer settings with fewer replicates. Seeds are fixed, so a failure is a change of the code.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from conftest import load_study

import rocstats as rs

study = load_study("size")

pytestmark = pytest.mark.slow

REPLICATES = 600
MC_ERRORS = 4.0  # fewer than one false alarm in 10 000 cells

# STATISTICS.md 11.4, paired: positives, negatives, rho -> AUC, sAUC, smAUC as (normal, t).
PAPER_REPLICATES = 10_000
PAIRED = {
    (20, 20, 0.5): ((0.046, 0.039), (0.056, 0.048), (0.052, 0.044)),
    (20, 20, 0.9): ((0.033, 0.026), (0.054, 0.046), (0.046, 0.039)),
    (30, 150, 0.0): ((0.054, 0.048), (0.056, 0.049), (0.054, 0.051)),
    (30, 150, 0.9): ((0.050, 0.044), (0.056, 0.049), (0.054, 0.052)),
}
# STATISTICS.md 11.5, omnibus: K, positives, negatives -> AUC, sAUC, smAUC as (chi2, F).
PAPER_OMNIBUS_REPLICATES = 3000
OMNIBUS = {
    (3, 20, 20): ((0.045, 0.032), (0.066, 0.051), (0.056, 0.044)),
    (5, 15, 60): ((0.090, 0.031), (0.118, 0.049), (0.069, 0.027)),
}


@cache
def shares(job):
    return {(c.measure, c.reference): c.share for c in study.simulate(job, REPLICATES)}


def is_near(share, expected, paper_replicates=math.inf, settings=1):
    """Whether the (mean) share is the expected one but for Monte-Carlo error, theirs and ours."""
    errors = [study.share_error(settings * n, expected) for n in (REPLICATES, paper_replicates)]
    return abs(share - expected) <= MC_ERRORS * math.hypot(*errors)


def assert_all_near(found, table, references, paper_replicates):
    for measure, row in zip(study.MEASURES, table, strict=True):
        for reference, expected in zip(references, row, strict=True):
            share = found[measure, reference]
            assert is_near(share, expected, paper_replicates), (measure, reference, share, expected)


def paired_shares(setting):
    m, n, rho = setting
    return shares(study.Job(kind="paired", sizes=((m, n),), rho=rho))


@pytest.mark.parametrize("setting", PAIRED)
def test_paired(setting):
    assert_all_near(paired_shares(setting), PAIRED[setting], ("normal", "t"), PAPER_REPLICATES)


@pytest.mark.parametrize("measure", study.MEASURES)
def test_paired_on_average(measure):
    """The mean over the settings has half the Monte-Carlo error of each."""
    place, size = study.MEASURES.index(measure), len(PAIRED)
    for i, reference in enumerate(("normal", "t")):
        share = sum(paired_shares(setting)[measure, reference] for setting in PAIRED) / size
        expected = sum(row[place][i] for row in PAIRED.values()) / size
        assert is_near(share, expected, PAPER_REPLICATES, settings=size)
        # A standard error a fifth too small rejects 2 Phi(-.8 1.96) = .117, and would be seen.
        assert not is_near(0.117, expected, PAPER_REPLICATES, settings=size)


@pytest.mark.parametrize("setting", OMNIBUS)
def test_omnibus(setting):
    k, m, n = setting
    found = shares(study.Job(kind="omnibus", sizes=((m, n),), k=k))
    assert_all_near(found, OMNIBUS[setting], ("chi2", "F"), PAPER_OMNIBUS_REPLICATES)


def test_paired_with_ties():
    found = shares(study.Job(kind="paired", sizes=((50, 50),), rounded=True))
    assert all(is_near(share, study.SIGNIFICANCE) for share in found.values())


@pytest.mark.filterwarnings("ignore::rocstats.PrevalenceWarning")  # it is shown to be deserved
def test_unpaired():
    found = shares(study.Job(kind="unpaired", sizes=((12, 100), (50, 50))))
    ratio_free = {key: share for key, share in found.items() if key[0] != "smauc"}
    assert all(is_near(share, study.SIGNIFICANCE) for share in ratio_free.values())
    # Plain smAUC depends on the class ratio, so these two samples differ in truth.
    assert not is_near(found["smauc", "t"], study.SIGNIFICANCE)


@pytest.mark.parametrize("mixed", [False, True])
def test_clusters(mixed):
    """Told, the test keeps its level; untold it is liberal, or shy where clusters are mixed."""
    job = study.Job(kind="clustered", sizes=((100, 100),), members=4, icc=0.6, mixed=mixed)
    found = shares(job)
    for measure in study.MEASURES:
        assert is_near(found[measure, "clustered t"], study.SIGNIFICANCE)
    naive = found["sauc", "naive t"]
    assert not is_near(naive, study.SIGNIFICANCE)
    assert (naive > study.SIGNIFICANCE) != mixed


def test_the_bar_can_be_missed():
    """One setting alone tells the chi-square of small samples, and silence, from 5%."""
    assert not is_near(0.118, study.SIGNIFICANCE)
    assert not is_near(0.0, study.SIGNIFICANCE)


def test_the_page_has_every_setting():
    jobs = [next(job for job in study.JOBS if job.kind == kind) for kind in study.KINDS]
    page = study.page([cell for job in jobs for cell in study.simulate(job, 1)], 1)
    assert all(f"| {job.title} |" in page for job in jobs)


def test_few_clusters_that_hold_both_classes():
    """Ten clusters leave nine degrees of freedom, however many subjects they hold."""
    rng = np.random.default_rng(study.SEED)
    y_true, cluster = np.tile([1, 0], 20), np.repeat(np.arange(10), 4)
    rejected = {"t": 0, "F": 0}
    for _ in range(REPLICATES):
        own = rng.normal(size=(4, 10))[:, cluster] * (2 * y_true - 1)
        scores = rng.normal(size=(4, 40)) + y_true + own
        found = rs.compare(y_true, scores.T, cluster=cluster)
        rejected["F"] += found.omnibus().pvalue < study.SIGNIFICANCE
        rejected["t"] += found.contrast([1, -1, 0, 0]).tests[0].pvalue < study.SIGNIFICANCE
    shares = {name: count / REPLICATES for name, count in rejected.items()}
    assert all(is_near(share, study.SIGNIFICANCE) for share in shares.values()), shares
