"""Observed: what computes each quantity of the protocol, by the public names of rocstats."""

from __future__ import annotations

from rocstats.validation.observed_areas import AREAS
from rocstats.validation.observed_binary import BINARY
from rocstats.validation.observed_comparisons import COMPARISONS
from rocstats.validation.observed_curves import CURVES
from rocstats.validation.observed_groups import GROUPS
from rocstats.validation.observed_intake import INTAKE
from rocstats.validation.observed_points import POINTS
from rocstats.validation.observed_readers import READERS
from rocstats.validation.observed_sites import SITES
from rocstats.validation.observed_studies import STUDIES
from rocstats.validation.observed_survival import SURVIVAL
from rocstats.validation.observed_tests import TESTS
from rocstats.validation.observed_weights import WEIGHTS

__all__ = ["OBSERVED"]

OBSERVED = {
    **AREAS,
    **COMPARISONS,
    **BINARY,
    **POINTS,
    **CURVES,
    **TESTS,
    **STUDIES,
    **READERS,
    **WEIGHTS,
    **SURVIVAL,
    **GROUPS,
    **SITES,
    **INTAKE,
}
