"""Urns of sampling designs: units drawn within strata, and models of verification fitted again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.data.sample import ScoredSample
from rocstats.data.subject_weights import Nuisance
from rocstats.data.verification import refit_probabilities
from rocstats.resampling.urn import Index, Urn, make_urn

__all__ = ["make_design_urn"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StratifiedUrn(Urn):
    """Clusters, or subjects each a cluster, that are drawn within their sampling strata.

    Of the n units of a stratum n - 1 are drawn, and each counts n / (n - 1) times, so that the
    variance of a sum is unbiased even where n is 2 (Rao & Wu 1988).

    Attributes
    ----------
    strata : the clusters of every stratum
    """

    strata: tuple[Index, ...]

    @property
    def scheme(self) -> str:
        """What is drawn, in words."""
        return "sampling units within their strata"

    def draw_units(self, rng: np.random.Generator, b: int) -> Ints:
        """Return how often each cluster is drawn in b resamples."""
        found = np.zeros((b, self.n_clusters), dtype=np.int64)
        for units in self.strata:
            size = units.size
            narrow: type[np.unsignedinteger] = np.uint16 if size <= 2**16 else np.uint32
            drawn = rng.integers(0, size, size=(b, size - 1), dtype=narrow)
            places = drawn + np.arange(0, b * size, size)[:, np.newaxis]
            found[:, units] = np.bincount(places.ravel(), minlength=b * size).reshape(b, size)
        return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RefittedUrn(Urn):
    """Everyone, verified or not, or their clusters; each resample fits the model of verification.

    Attributes
    ----------
    nuisance : how the weights of the verified were estimated
    units : the cluster of everyone
    members : who of the verified are the positives, and the negatives
    """

    nuisance: Nuisance
    units: Index
    members: tuple[Index, Index]

    @property
    def scheme(self) -> str:
        """What is drawn, in words."""
        what = "all subjects" if self.nuisance.cluster is None else "all clusters"
        return f"{what}, verified or not, with the model of verification fitted in each"

    def draw(self, rng: np.random.Generator, b: int) -> tuple[Any, Any]:
        """Return what the verified count in b resamples; nothing where a model has no answer."""
        drawn = self.draw_units(rng, b)[:, self.units]
        found: Floats = np.zeros((b, self.nuisance.place.size))
        for line, counts in zip(found, drawn, strict=True):
            p = refit_probabilities(self.nuisance, counts)
            if p is not None:
                line[:] = counts[self.nuisance.place] / p
        return found[:, self.members[0]], found[:, self.members[1]]


def make_design_urn(sample: ScoredSample, markers: list[int]) -> tuple[Urn, ScoredSample]:
    """Return the urn of a sample, and the sample with what a subject counts when it is drawn."""
    if sample.nuisance is not None:
        return _refitted(sample, sample.nuisance)
    if sample.strata is not None:
        return _stratified(sample, sample.strata)
    return make_urn(sample, markers), sample


def _refitted(sample: ScoredSample, nuisance: Nuisance) -> tuple[Urn, ScoredSample]:
    pos, neg = np.flatnonzero(sample.positive), np.flatnonzero(~sample.positive)
    units = np.arange(nuisance.size) if nuisance.cluster is None else nuisance.cluster
    mine = units[nuisance.place]
    urn = RefittedUrn(
        pos=pos,
        neg=neg,
        cluster=(mine[pos], mine[neg]),
        n_clusters=int(units.max()) + 1,
        nuisance=nuisance,
        units=units,
        members=(pos, neg),
    )
    given = nuisance.mass
    own = np.ones(sample.positive.size) if given is None else given[nuisance.place]
    return urn, replace(sample, weights=own, nuisance=None)


def _stratified(sample: ScoredSample, strata: Index) -> tuple[Urn, ScoredSample]:
    pos, neg = np.flatnonzero(sample.positive), np.flatnonzero(~sample.positive)
    cluster = np.arange(strata.size) if sample.cluster is None else sample.cluster
    of = np.empty(int(cluster.max()) + 1, dtype=np.intp)
    of[cluster] = strata
    number = np.bincount(of)
    urn = StratifiedUrn(
        pos=pos,
        neg=neg,
        cluster=(cluster[pos], cluster[neg]),
        n_clusters=of.size,
        strata=tuple(np.flatnonzero(of == h) for h in range(number.size)),
    )
    factor = (number / (number - 1.0))[strata]
    own = factor if sample.weights is None else sample.weights * factor
    return urn, replace(sample, weights=own)
