"""Wu, Flach & Ferri's Fig. 2: how often noise in the scores reverses which model is better."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocstats.arrays import Floats
from rocstats.papers.row_areas import MEASURES
from rocstats.papers.streams import stream

__all__ = ["LEVELS", "MEASURED", "noise_rows"]

LEVELS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
MEASURED = ("accuracy", "auc", "brier", "sauc")
_SIZE = 100
_SWAPPED = (10, 11)  # labels swapped in data set A and in data set B
_BATCH = 2500  # runs at once: bounds the memory, and part of what the numbers depend on


def noise_rows(level: float, runs: int, seed: int) -> list[dict[str, Any]]:
    """Return for each measure how often noise reversed a strict preference.

    Parameters
    ----------
    level : the noise parameter k
    runs : pairs of data sets
    seed : of the random stream

    Notes
    -----
    A change is a strict reversal: one model is better without noise, the other with it. Runs in
    which the models tie, before or after, are counted apart.
    """
    rng = np.random.default_rng(stream(seed, "noise", level))
    parts: list[dict[str, Floats]] = []
    for size in [min(_BATCH, runs - i) for i in range(0, runs, _BATCH)]:
        without, noisy = _differences(rng, size, level)
        parts.append({m: np.array([np.sign(without[m]), np.sign(noisy[m])]) for m in MEASURED})
    signs = {m: np.concatenate([part[m] for part in parts], axis=1) for m in MEASURED}
    changed = {m: (signs[m].prod(axis=0) < 0).astype(np.float64) for m in MEASURED}
    return [
        {
            "k": level,
            "measure": measure,
            "runs": runs,
            "changed": float(changed[measure].mean()),
            "std_error": _std_error(changed[measure]),
            "more_than_sauc": float((changed[measure] - changed["sauc"]).mean()),
            "more_than_sauc_std_error": _std_error(changed[measure] - changed["sauc"]),
            "tied_before": float((signs[measure][0] == 0).mean()),
            "tied_after": float((signs[measure][1] == 0).mean()),
        }
        for measure in MEASURED
    ]


def _std_error(values: Floats) -> float:
    return float(values.std(ddof=1) / np.sqrt(values.size))


def _differences(
    rng: np.random.Generator, size: int, level: float
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """Return by how much model A is better than model B, without noise and with it."""
    found: list[list[dict[str, Floats]]] = []
    for swapped in _SWAPPED:
        p = rng.random((size, _SIZE))
        labels = p >= 0.5
        chosen = np.argpartition(rng.random((size, _SIZE)), swapped, axis=1)[:, :swapped]
        np.put_along_axis(labels, chosen, ~np.take_along_axis(labels, chosen, axis=1), axis=1)
        noisy = np.clip(p + level * rng.uniform(-0.5, 0.5, p.shape), 0.0, 1.0)
        truth = labels.astype(np.float64)
        found.append([{m: _rounded(MEASURES[m](s, truth)) for m in MEASURED} for s in (p, noisy)])
    a, b = found
    without, with_noise = ({m: a[i][m] - b[i][m] for m in MEASURED} for i in (0, 1))
    return without, with_noise


def _rounded(values: Floats) -> Floats:
    """Round away what the order of a sum leaves, so that equal is equal."""
    return np.round(values, 12)
