"""Variances of contrasts, L C L', against the influence on every contrast."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from rocstats.engine.contrast_terms import contrast_terms
from rocstats.engine.influence import Influence

SAME = 1e-12  # one arithmetic against another


def drawn(*, clustered: bool = False, n: int = 60, unit: float = 1.0) -> Influence:
    rng = np.random.default_rng(4)
    y = np.arange(n) % 3 == 0
    common = rng.normal(size=n)
    scores = {f"m{k}": unit * (rng.normal(size=n) + common + y) for k in range(4)}
    scores["copy"] = scores["m0"].copy()
    scores["near"] = scores["m0"] + unit * 1e-5 * rng.normal(size=n)
    cluster = rng.integers(5, 30, size=n) if clustered else None
    return rs.compare(y, scores, "sauc", cluster=cluster).influence


@pytest.mark.parametrize("unit", [1.0, 1e-90, 1e90])
@pytest.mark.parametrize("clustered", [False, True])
def test_the_terms_are_those_of_the_influence_on_the_contrast(clustered: bool, unit: float) -> None:
    influence = drawn(clustered=clustered, unit=unit)
    first, second = np.triu_indices(6, 1)
    weights = np.eye(6)[first] - np.eye(6)[second]
    found = contrast_terms(influence, weights)
    plain, size = influence.contrast(weights).scaled()
    wanted = plain.covariance_terms().diagonal(axis1=1, axis2=2)
    np.testing.assert_allclose(found.terms * found.unit**2 / size**2, wanted, rtol=SAME)
    np.testing.assert_array_equal(found.support, plain.support())
    np.testing.assert_allclose(
        found.estimate, influence.contrast(weights).estimate, rtol=SAME, atol=SAME * unit
    )


def test_copies_of_a_marker_have_no_variance_at_all() -> None:
    influence = drawn()
    found = contrast_terms(influence, np.array([[1.0, 0.0, 0.0, 0.0, -1.0, 0.0]]))
    assert (found.terms == 0.0).all()


def test_units_are_the_clusters_of_a_stratum() -> None:
    influence = drawn(clustered=True)
    assert influence.cluster is not None
    pairs = set(zip(influence.stratum.tolist(), influence.cluster.tolist(), strict=True))
    assert influence.units().tolist() == [sum(s == k for s, _ in pairs) for k in (0, 1)]
    assert influence.n_clusters() == len(set(influence.cluster.tolist()))
