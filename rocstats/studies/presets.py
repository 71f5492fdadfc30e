"""Presets: studies with a name, whole and quick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rocstats.studies.designs import TwoSampleDesign, two_sample_design

__all__ = ["PRESETS", "PowerPreset"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerPreset:
    """A power study that has a name.

    Attributes
    ----------
    title, question : what it is and what it asks
    alternatives : arguments of `two_sample_design` but the sizes
    sizes, quick_sizes : pairs of n_pos and n_neg
    tests : names of the tests; `test` is judged against `versus`
    n_replicates, quick_replicates : replicates a design
    seed : of a run that names none
    """

    title: str
    question: str
    alternatives: tuple[dict[str, Any], ...]
    sizes: tuple[tuple[int, int], ...]
    quick_sizes: tuple[tuple[int, int], ...]
    tests: tuple[str, ...]
    test: str
    versus: str
    n_replicates: int
    quick_replicates: int
    seed: int = 20250611

    def designs(self, *, quick: bool = False) -> list[TwoSampleDesign]:
        """Return the designs: every alternative at every pair of sizes it can be had at."""
        return [
            two_sample_design(**arguments, n_pos=m, n_neg=n)
            for arguments, fewest in map(_split, self.alternatives)
            for m, n in (self.quick_sizes if quick else self.sizes)
            if min(m, n) >= fewest
        ]


def _split(arguments: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Return the arguments of a design, and the size from which its effect can be found."""
    rest = dict(arguments)
    return rest, rest.pop("fewest", 2)


def _shifts(families: Sequence[str]) -> list[dict[str, Any]]:
    return [{"family": family} for family in families]


_SAUC_VERSUS_WMW = PowerPreset(
    title="sAUC against Wilcoxon-Mann-Whitney",
    question="Where does the two-sample test by sAUC beat that by AUC (Wilcoxon-Mann-Whitney), "
    "where does it lose, and by how much?",
    alternatives=(
        *_shifts(["normal", "uniform", "logistic", "t5", "laplace", "t3", "contaminated"]),
        *_shifts(["exponential", "lognormal"]),
        {"family": "exponential", "alternative": "scale"},
        {"family": "gamma", "alternative": "scale"},
        {"family": "lognormal", "alternative": "scale"},
        {"family": "normal", "alternative": "scale", "effect": 2.0},
        {"family": "normal", "alternative": "location-scale", "scale": 1.5},
        {"family": "normal", "alternative": "location-scale", "scale": 0.67},
        {"family": "normal", "alternative": "mixture", "share": 0.4, "fewest": 15},
        {"family": "normal", "alternative": "lehmann"},
        {"family": "uniform", "alternative": "lehmann"},
        {"family": "beta", "alternative": "shape"},
        {"family": "beta", "alternative": "shape", "shape": (2.0, 5.0)},
        {"family": "logit-normal"},
        {"family": "logit-normal", "alternative": "location-scale", "scale": 1.5},
    ),
    sizes=(
        *((5, 5), (10, 10), (25, 25), (100, 100), (500, 500)),
        *((5, 15), (15, 45), (50, 150), (15, 5), (45, 15), (150, 50)),
    ),
    quick_sizes=((25, 25), (15, 45), (45, 15)),
    tests=("auc", "sauc", "sauc-permutation", "t", "welch", "brunner-munzel"),
    test="sauc",
    versus="auc",
    n_replicates=4000,
    quick_replicates=2000,
)

PRESETS = {"sauc-vs-wmw": _SAUC_VERSUS_WMW}
