"""Random lists: how labels and scores are drawn where lists cannot be counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.errors import check_count, check_option
from rocstats.tables import counted

__all__ = ["Draw", "RandomLists", "random_class_lists", "random_lists"]

Draw = Callable[[int, np.random.Generator], tuple[Ints, Floats]]
_Scores = Callable[[int, int, int, np.random.Generator], tuple[Ints, Floats]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomLists:
    """A distribution of scored lists.

    Parameters
    ----------
    name : str
        What is drawn, in words.
    n_classes : int
        Number of classes; scores of two are (B, n), of more (B, n, n_classes).
    draw : callable
        ``draw(B, rng)`` returns (B, n) labels from 0 to ``n_classes - 1`` and scores, of B lists.

    See Also
    --------
    random_lists : Scored lists of two classes.
    compare_measures : Compare two measures over pairs of lists.

    Examples
    --------
    >>> import numpy as np, rocstats as rs
    >>> def draw(size, rng):
    ...     labels = np.tile([1, 1, 1, 0, 0, 0], (size, 1))
    ...     return labels, rng.normal(size=labels.shape) + labels
    >>> shifted = rs.RandomLists(name="normal scores one apart", n_classes=2, draw=draw)
    >>> rs.compare_measures("auc", "sauc", lists=shifted, n_pairs=2000, rng=1).f_is_better
    False
    """

    name: str
    n_classes: int
    draw: Draw


def random_lists(n_pos: int, n_neg: int, *, scores: str = "uniform") -> RandomLists:
    """Return scored lists of two classes.

    Parameters
    ----------
    n_pos : int
        Number of positives.
    n_neg : int
        Number of negatives.
    scores : {"uniform", "calibrated"}, default "uniform"
        "uniform" is independent of the labels, so that all rankings are equally likely;
        "calibrated" are probabilities whose odds are as they say where the classes are equally
        large (Beta(2, 1) for positives, Beta(1, 2) for negatives: AUC 5/6).

    Returns
    -------
    RandomLists
        The distribution, for `compare_measures`.

    See Also
    --------
    random_class_lists : Lists with a probability for each of several classes.
    compare_measures : Compare two measures over pairs of lists.

    Examples
    --------
    >>> import rocstats as rs
    >>> lists = rs.random_lists(n_pos=5, n_neg=5, scores="calibrated")
    >>> result = rs.compare_measures("auc", "brier", lists=lists, n_pairs=1000, rng=1)
    >>> result.counts.total
    1000
    """
    check_option("scores", scores, _SCORES)
    pos, neg = check_count("n_pos", n_pos), check_count("n_neg", n_neg)

    def draw(size: int, rng: np.random.Generator) -> tuple[Ints, Floats]:
        return _SCORES[scores](size, pos, neg, rng)

    return RandomLists(
        name=f"{scores} scores of {counted(pos, 'positive')} and {counted(neg, 'negative')}",
        n_classes=2,
        draw=draw,
    )


def _uniform(size: int, n_pos: int, n_neg: int, rng: np.random.Generator) -> tuple[Ints, Floats]:
    labels = _labels(size, n_pos, n_neg)
    return labels, rng.random(labels.shape)


def _calibrated(size: int, n_pos: int, n_neg: int, rng: np.random.Generator) -> tuple[Ints, Floats]:
    labels = _labels(size, n_pos, n_neg)
    two = rng.random((2, *labels.shape))
    return labels, np.where(labels == 1, two.max(axis=0), two.min(axis=0))


def _labels(size: int, n_pos: int, n_neg: int) -> Ints:
    return np.tile(np.repeat(np.array([1, 0], dtype=np.int64), [n_pos, n_neg]), (size, 1))


_SCORES: Mapping[str, _Scores] = {"uniform": _uniform, "calibrated": _calibrated}


def _simplex(shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    return rng.exponential(size=shape)


def _normalised(shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    return rng.random(shape)


_VECTORS: Mapping[str, Callable[[tuple[int, ...], np.random.Generator], Floats]] = {
    "simplex": _simplex,
    "normalised": _normalised,
}


def random_class_lists(
    n_classes: int, *, n_per_class: int = 2, probabilities: str = "simplex"
) -> RandomLists:
    """Return lists with a probability for each of several classes, as Huang & Ling draw them.

    Parameters
    ----------
    n_classes : int
        Number of classes.
    n_per_class : int, default 2
        Examples of each class.
    probabilities : {"simplex", "normalised"}, default "simplex"
        Vectors uniform among all that add up to 1, or uniform numbers divided by their sum.

    Returns
    -------
    RandomLists
        The distribution, for `compare_measures`.

    See Also
    --------
    random_lists : Scored lists of two classes.
    compare_measures : Compare two measures over pairs of lists.

    Notes
    -----
    Every class is the most probable of `n_per_class` examples, whose labels are independent of
    that: with c classes all arrangements of the labels are equally likely. By symmetry a vector
    with a given largest place is one whose largest entry was exchanged into it.

    Examples
    --------
    >>> import rocstats as rs
    >>> lists = rs.random_class_lists(n_classes=3)
    >>> result = rs.compare_measures("auc", "accuracy", lists=lists, n_pairs=1000, rng=1)
    >>> result.consistency > 0.8
    True
    """
    check_option("probabilities", probabilities, _VECTORS)
    classes = check_count("n_classes", n_classes, least=2)
    each = check_count("n_per_class", n_per_class)

    def draw(size: int, rng: np.random.Generator) -> tuple[Ints, Floats]:
        labels = np.tile(np.repeat(np.arange(classes), each), (size, 1))
        vectors = _VECTORS[probabilities]((*labels.shape, classes), rng)
        vectors /= vectors.sum(axis=2, keepdims=True)
        wanted = rng.permuted(labels, axis=1)[:, :, np.newaxis]
        largest = vectors.argmax(axis=2)[:, :, np.newaxis]
        high, low = (np.take_along_axis(vectors, place, axis=2) for place in (largest, wanted))
        np.put_along_axis(vectors, largest, low, axis=2)
        np.put_along_axis(vectors, wanted, high, axis=2)
        return (labels, vectors) if classes > 2 else (labels, vectors[:, :, 1].copy())

    return RandomLists(
        name=f"{probabilities} probabilities of {classes} classes, {counted(each, 'example')} each",
        n_classes=classes,
        draw=draw,
    )
