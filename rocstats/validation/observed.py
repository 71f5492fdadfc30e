"""Observed: what computes each quantity of the protocol, by the public names of rocstats."""

from __future__ import annotations

from rocstats.validation.observed_areas import AREAS
from rocstats.validation.observed_comparisons import COMPARISONS
from rocstats.validation.observed_points import POINTS

__all__ = ["OBSERVED"]

OBSERVED = {**AREAS, **COMPARISONS, **POINTS}
