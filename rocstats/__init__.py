"""ROC analysis with honest inference: AUC, sAUC and smAUC on one influence engine.

Names are imported from their rooms on first use, so ``import rocstats`` costs almost nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocstats import datasets
    from rocstats.catalogue import scored_auc, smooth_auc
    from rocstats.curves.roc import RocCurve, roc_curve
    from rocstats.curves.smroc import SmrocCurve, smroc_curve
    from rocstats.curves.sroc import SrocCurve, sroc_curve
    from rocstats.data import ScoredSample
    from rocstats.errors import (
        DegenerateVarianceWarning,
        IncompletePairsWarning,
        InvalidOptionError,
        InvalidSampleError,
        MidOutOfRangeWarning,
        MissingDependencyError,
        NestedModelsError,
        NotPairedError,
        PooledFoldsWarning,
        PrevalenceWarning,
        RepeatedSubjectWarning,
        RocstatsError,
        RocstatsWarning,
        ScoreRangeError,
        SingleClassError,
        SmallSampleWarning,
    )
    from rocstats.estimators import auc, estimate, sauc, smauc
    from rocstats.inference.comparison import Comparison, compare
    from rocstats.inference.contrasts import Contrasts
    from rocstats.inference.independent import compare_independent
    from rocstats.inference.margins import MarginTest
    from rocstats.inference.omnibus import OmnibusTest
    from rocstats.influence import Influence
    from rocstats.kernels import RAMP, STEP, Kernel, pairwise_kernel
    from rocstats.measures import HARD, Measure, Membership, Midpoint
    from rocstats.resampling.bootstrapping import Bootstrap, BootstrapResult, bootstrap
    from rocstats.resampling.permutation import Permutation, PermutationResult, permutation_test
    from rocstats.resampling.venkatraman import venkatraman_test, venkatraman_test_independent
    from rocstats.results import ConfidenceInterval, Estimate, Estimates, TestResult

__version__ = "0.1.0"

__all__ = [
    "HARD",
    "RAMP",
    "STEP",
    "Bootstrap",
    "BootstrapResult",
    "Comparison",
    "ConfidenceInterval",
    "Contrasts",
    "DegenerateVarianceWarning",
    "Estimate",
    "Estimates",
    "IncompletePairsWarning",
    "Influence",
    "InvalidOptionError",
    "InvalidSampleError",
    "Kernel",
    "MarginTest",
    "Measure",
    "Membership",
    "MidOutOfRangeWarning",
    "Midpoint",
    "MissingDependencyError",
    "NestedModelsError",
    "NotPairedError",
    "OmnibusTest",
    "Permutation",
    "PermutationResult",
    "PooledFoldsWarning",
    "PrevalenceWarning",
    "RepeatedSubjectWarning",
    "RocCurve",
    "RocstatsError",
    "RocstatsWarning",
    "ScoreRangeError",
    "ScoredSample",
    "SingleClassError",
    "SmallSampleWarning",
    "SmrocCurve",
    "SrocCurve",
    "TestResult",
    "__version__",
    "auc",
    "bootstrap",
    "compare",
    "compare_independent",
    "datasets",
    "estimate",
    "pairwise_kernel",
    "permutation_test",
    "roc_curve",
    "sauc",
    "scored_auc",
    "smauc",
    "smooth_auc",
    "smroc_curve",
    "sroc_curve",
    "venkatraman_test",
    "venkatraman_test_independent",
]

# Searched in this order: the cheapest rooms first.
_ROOMS = (
    "errors",
    "data",
    "kernels",
    "measures",
    "catalogue",
    "influence",
    "results",
    "estimators",
    "inference.contrasts",
    "inference.margins",
    "inference.omnibus",
    "inference.comparison",
    "inference.independent",
    "resampling.bootstrapping",
    "resampling.permutation",
    "resampling.venkatraman",
    "curves.roc",
    "curves.sroc",
    "curves.smroc",
)


def __getattr__(name: str) -> Any:
    if name == "datasets":
        return import_module("rocstats.datasets")
    if name in __all__:
        for room in _ROOMS:
            module = import_module(f"rocstats.{room}")
            if name in module.__all__:
                value = globals()[name] = getattr(module, name)
                return value
    raise AttributeError(f"module 'rocstats' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
