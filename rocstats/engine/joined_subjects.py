"""Which subjects of several samples are one, by their ids; a joint influence stands on that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools
from rocstats.data.columns import coded_ids
from rocstats.errors import NotPairedError

__all__ = ["Strata", "Union", "check_shared", "unite_subjects"]

Codes = NDArray[np.intp]
Ids = NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Strata:
    """The strata of several samples, one after the other.

    Attributes
    ----------
    sample : (s,) the sample of every stratum; one that is joined already counts as those it is of
        that share no subject
    label : (s,) the class within the sample
    of : (N,) the stratum of every subject, sample after sample
    """

    sample: Codes
    label: Codes
    of: Codes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Union:
    """The subjects of several samples, each once.

    Attributes
    ----------
    place : (N,) where every subject of every sample stands in the union
    first : (M,) who of them stands there first
    stratum : (s,) the stratum in the union that every stratum of a sample goes to
    starts : the first stratum of every group of samples that hang together by their subjects
    shared : (s,) whether other samples are in its group
    """

    place: Codes
    first: Codes
    stratum: Codes
    starts: tuple[int, ...]
    shared: Bools


def unite_subjects(strata: Strata, subject: Ids | None, known: Bools) -> Union:
    """Return the union on the ids, of which some may not be `known`: those are nobody else's.

    Samples hang together where a chain of common subjects leads from one to the other. They then
    have their classes in common; samples that do not hang together keep their own.
    """
    here, size = strata.sample[strata.of], strata.of.size
    code = np.zeros(size, dtype=np.intp)
    if subject is not None:
        code[known] = coded_ids(subject[known])[0]
    group = _connected(here[known], code[known], int(strata.sample.max()) + 1)
    shared = np.bincount(group)[group] > 1
    # A sample that shares none keeps its rows as they are, be their ids repeated or not known.
    key = np.where(shared[here], code, np.arange(size)) + size * group[here]
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    inside = group[strata.sample]
    classes = np.zeros(int(group.max()) + 1, dtype=np.intp)
    np.maximum.at(classes, inside, strata.label + 1)
    starts = np.cumsum(classes) - classes
    return Union(
        place=place,
        first=first,
        stratum=starts[inside] + strata.label,
        starts=tuple(starts.tolist()),
        shared=shared[strata.sample],
    )


def check_shared(union: Union, strata: Strata, subject: Ids | None, clustered: Bools) -> None:
    """Refuse subjects that cannot be one; `clustered` are those with others in their cluster."""
    (who,) = np.nonzero(union.shared[strata.of])
    if subject is None or not who.size:
        return
    if clustered[who].any():
        raise NotPairedError("Clustered samples that share subjects cannot be joined.")
    here = strata.sample[strata.of][who] * union.first.size + union.place[who]
    if np.unique(here).size < who.size:
        raise NotPairedError("A subject id is there twice within one sample; ids must differ.")
    label = strata.label[strata.of]
    clash = who[label[who] != label[union.first[union.place[who]]]]
    if clash.size:
        raise NotPairedError(
            f"Subject {subject[clash[0]]} is positive in one sample and negative in the other; "
            "a subject must have one true class."
        )


def _connected(sample: Codes, code: Codes, samples: int) -> Codes:
    """Return the group of every sample, numbered as they come; equal codes tie samples."""
    root = list(range(samples))

    def find(one: int) -> int:
        while root[one] != one:
            one = root[one]
        return one

    order = np.argsort(code, kind="stable")
    ranked, owner = code[order], sample[order]
    same = (ranked[1:] == ranked[:-1]) & (owner[1:] != owner[:-1])
    ties = np.unique(np.stack([owner[:-1][same], owner[1:][same]]), axis=1)
    for one, other in ties.T.tolist():
        low, high = sorted((find(one), find(other)))
        root[high] = low
    return np.unique([find(one) for one in range(samples)], return_inverse=True)[1]
