"""What a site tells in a second round: sums of products of influence, and no rows."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rocstats.arrays import Floats
from rocstats.data.scan.versioned_json import VERSION, read_json, write_json
from rocstats.errors import InvalidSampleError

__all__ = ["SharedMoments", "SiteMoments", "add_moments", "n_sums"]

_KIND = "rocstats moments"
_ORDERS = (2, 3, 4)
_ROUNDING = 1e-9  # sums of so many products are off by no more


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SharedMoments:
    """Sums over subjects of products of the influence of 2, 3 and 4 markers, by class.

    Attributes
    ----------
    measure : str
        The measure.
    markers : tuple of str
        The k markers.
    sums : tuple of array
        Of shape (2, k, k), (2, k, k, k) and (2, k, k, k, k): of negatives, of positives.

    See Also
    --------
    SiteMoments : The sums of one site.
    """

    measure: str
    markers: tuple[str, ...]
    sums: tuple[Floats, ...]

    def only(self, markers: Sequence[str]) -> SharedMoments | None:
        """Return those of some of the markers; None where one is not there.

        Parameters
        ----------
        markers : sequence of str
            Names of the markers.

        Returns
        -------
        SharedMoments or None
            The same sums.
        """
        if not set(markers) <= set(self.markers):
            return None
        rows = [self.markers.index(name) for name in markers]
        found = tuple(
            one[np.ix_([0, 1], *[rows] * order)]
            for order, one in zip(_ORDERS, self.sums, strict=True)
        )
        return SharedMoments(measure=self.measure, markers=tuple(markers), sums=found)

    def powers(self, weights: Floats) -> Floats:
        """Return (3, 2) sums of squares, cubes and fourth powers of a combination, by class.

        Parameters
        ----------
        weights : array of shape (k,)
            The combination.

        Returns
        -------
        array of shape (3, 2)
            Of negatives and of positives.
        """
        found = np.empty((3, 2))
        for line, one in zip(found, self.sums, strict=True):
            value = one
            while value.ndim > 1:
                value = value @ weights
            line[:] = value
        return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SiteMoments(SharedMoments):
    """The sums of one site, which it made with the pooled table.

    Attributes
    ----------
    measure : str
        The measure.
    markers : tuple of str
        The k markers.
    sums : tuple of array
        Of shape (2, k, k), (2, k, k, k) and (2, k, k, k, k): of negatives, of positives.
    site : str
        The name of the site, as in its sketch.
    pooled : str
        The fingerprint of the pooled table.
    n_pos, n_neg : int
        Class sizes of the site.

    See Also
    --------
    site_moments : Make them, from the rows of a site and the pooled table.
    pool : Put the sketches of several sites together.
    """

    site: str
    pooled: str
    n_pos: int
    n_neg: int

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the sums as JSON, whole or not at all, and return where.

        Parameters
        ----------
        path : str or path
            The file, ending in .json.

        Returns
        -------
        pathlib.Path
            Where it was written.
        """
        names = ("products", "triple_products", "quadruple_products")
        return write_json(
            path,
            {
                "format": _KIND,
                "version": VERSION,
                "site": self.site,
                "pooled": self.pooled,
                "measure": self.measure,
                "markers": list(self.markers),
                "n_pos": self.n_pos,
                "n_neg": self.n_neg,
                **{
                    name: {"negatives": one[0].tolist(), "positives": one[1].tolist()}
                    for name, one in zip(names, self.sums, strict=True)
                },
            },
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SiteMoments:
        """Read what was saved; anything that does not add up is refused.

        Parameters
        ----------
        path : str or path
            The file.

        Returns
        -------
        SiteMoments
            The sums.
        """
        content = read_json(path, _KIND)
        try:
            return _moments(content)
        except (KeyError, TypeError, ValueError, OverflowError):
            raise InvalidSampleError(
                f"{path} does not add up: a part is missing, or not what it should be."
            ) from None

    def __repr__(self) -> str:
        return (
            f"SiteMoments {self.site}: {self.measure} of {', '.join(self.markers)}; "
            f"{self.n_pos} positives, {self.n_neg} negatives"
        )


def _moments(content: Mapping[str, Any]) -> SiteMoments:
    markers = tuple(content["markers"])
    texts = (content["site"], content["pooled"], content["measure"], *markers)
    sizes = content["n_pos"], content["n_neg"]
    if not markers or not all(isinstance(one, str) for one in texts):
        raise ValueError(texts)
    if not all(type(one) is int and one > 1 for one in sizes):
        raise ValueError(sizes)
    sums = []
    for order, name in zip(
        _ORDERS, ("products", "triple_products", "quadruple_products"), strict=True
    ):
        both = np.array([content[name]["negatives"], content[name]["positives"]], dtype=np.float64)
        if both.shape != (2, *[len(markers)] * order) or not np.isfinite(both).all():
            raise ValueError(name)
        sums.append(both)
    for k, size in enumerate((sizes[1], sizes[0])):
        if not _are_sums(sums[0][k], sums[1][k], sums[2][k], size):
            raise ValueError("sums")
    return SiteMoments(
        site=content["site"],
        pooled=content["pooled"],
        measure=content["measure"],
        markers=markers,
        n_pos=sizes[0],
        n_neg=sizes[1],
        sums=tuple(sums),
    )


def _are_sums(second: Floats, third: Floats, fourth: Floats, size: int) -> bool:
    """Return whether there can be so many subjects with these sums of products."""
    own = second.diagonal()
    if own.min() < 0.0 or not all(_is_symmetric(one) for one in (second, third, fourth)):
        return False
    powers = np.einsum("iiii->i", fourth)
    room = 1.0 + _ROUNDING
    if (powers > room * own**2).any() or (room * powers * size < own**2).any():
        return False
    root, small = np.sqrt(own), powers**0.25  # by Cauchy and Schwarz, once and twice
    limits = (
        np.multiply.outer(root, root),
        np.multiply.outer(root, np.multiply.outer(small, small)),
        np.multiply.outer(np.multiply.outer(small, small), np.multiply.outer(small, small)),
    )
    pairs = zip((second, third, fourth), limits, strict=True)
    return all((np.abs(one) <= room * limit).all() for one, limit in pairs)


def _is_symmetric(sums: Floats) -> bool:
    """Return whether it is no matter in which order markers are named."""
    largest = np.abs(sums).max()
    turned = (np.swapaxes(sums, 0, axis) for axis in range(1, sums.ndim))
    return all((np.abs(sums - one) <= _ROUNDING * largest).all() for one in turned)


def add_moments(given: Sequence[SiteMoments]) -> SharedMoments:
    """Return the sums of all sites; refuses sites that told of other markers or measures."""
    first = given[0]
    for one in given:
        if (one.measure, set(one.markers)) != (first.measure, set(first.markers)):
            raise InvalidSampleError(
                f"{one.site} told of {one.measure} of {', '.join(one.markers)}, and {first.site} "
                f"of {first.measure} of {', '.join(first.markers)}; ask all for the same."
            )
    told = [one.only(first.markers) for one in given]
    sums = tuple(np.sum([one.sums[i] for one in told if one is not None], axis=0) for i in range(3))
    return SharedMoments(measure=first.measure, markers=first.markers, sums=sums)


def n_sums(k: int) -> int:
    """Return how many different sums k markers have in a class."""
    return sum(math.comb(k + order - 1, order) for order in _ORDERS)
