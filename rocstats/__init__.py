"""ROC analysis with honest inference: AUC, sAUC and smAUC on one influence engine.

Names are imported from their rooms on first use, so ``import rocstats`` costs almost nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rocstats import datasets, rbridge
    from rocstats.catalogue import partial_area, scored_auc, smooth_auc
    from rocstats.concordance import Gini, gini
    from rocstats.consistency.comparing import compare_measures
    from rocstats.consistency.comparison import MeasureComparison
    from rocstats.consistency.criteria import (
        Criterion,
        accuracy_at,
        f1_at,
        lift_at,
        profit_at,
    )
    from rocstats.consistency.draws import RandomLists, random_class_lists, random_lists
    from rocstats.curves.averaging import AverageCurve, average_curves
    from rocstats.curves.bands import RocBand, roc_band
    from rocstats.curves.binormal import BinormalFit, DegenerateFitWarning, binormal_fit
    from rocstats.curves.hull import RocHull, roc_hull
    from rocstats.curves.mixture import MixedClassifier, mix_classifiers
    from rocstats.curves.pooling import pooled_curve
    from rocstats.curves.precision_average import average_precision
    from rocstats.curves.precision_recall import (
        PrecisionRecallCurve,
        PrecisionRecallPoint,
        precision_recall_curve,
    )
    from rocstats.curves.roc import RocCurve, roc_curve
    from rocstats.curves.smoothing import KernelCurve, kernel_curve
    from rocstats.curves.smroc import SmrocCurve, smroc_curve
    from rocstats.curves.sroc import SrocCurve, sroc_curve
    from rocstats.curves.vertices import HullVertex, IsoPerformance
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
        RBridgeError,
        RepeatedSubjectWarning,
        RocstatsError,
        RocstatsWarning,
        RUnavailableError,
        RWarning,
        ScoreRangeError,
        SingleClassError,
        SmallSampleWarning,
    )
    from rocstats.estimators import auc, estimate, partial_auc, sauc, smauc
    from rocstats.inference.comparison import Comparison, compare
    from rocstats.inference.contrasts import Contrasts
    from rocstats.inference.independent import compare_independent
    from rocstats.inference.margins import MarginTest
    from rocstats.inference.omnibus import OmnibusTest
    from rocstats.influence import Influence
    from rocstats.kernels import RAMP, STEP, Kernel, pairwise_kernel
    from rocstats.measures import HARD, Measure, Membership, Midpoint
    from rocstats.multiclass import MulticlassAuc, compare_multiclass, multiclass_auc
    from rocstats.pairs import ClassPair
    from rocstats.planning.planners import power_auc, sample_size_auc
    from rocstats.planning.plans import PowerResult, SimulatedPower
    from rocstats.probabilities.brier import brier_score
    from rocstats.probabilities.net_benefit import DecisionCurve, NetBenefit, decision_curve
    from rocstats.probabilities.recalibration import (
        Calibration,
        NoCalibrationFitWarning,
        calibration,
    )
    from rocstats.probabilities.reliability import CalibrationCurve, calibration_curve
    from rocstats.quantities import Quantity
    from rocstats.reports.diagnostic import Report, report
    from rocstats.resampling.bootstrapping import Bootstrap, BootstrapResult, bootstrap
    from rocstats.resampling.permutation import Permutation, PermutationResult, permutation_test
    from rocstats.resampling.venkatraman import venkatraman_test, venkatraman_test_independent
    from rocstats.results import ConfidenceInterval, Estimate, Estimates, TestResult
    from rocstats.studies.corrected import corrected_t_test
    from rocstats.studies.designs import Law, TwoSampleDesign, two_sample_design
    from rocstats.studies.efficiency import pitman_efficiency
    from rocstats.studies.power import DesignPower, PowerStudy, power_study
    from rocstats.studies.running import InterruptedStudyWarning
    from rocstats.studies.selection import select_model
    from rocstats.studies.selection_result import CriteriaContrast, ModelSelection
    from rocstats.thresholds.cutpoints import Cutpoint, optimal_cutpoint
    from rocstats.thresholds.fixed_rate import FixedRate, sensitivity_at, specificity_at
    from rocstats.thresholds.points import OperatingPoints
    from rocstats.thresholds.selection import operating_points
    from rocstats.twosample.answer import TwoSampleResult
    from rocstats.twosample.testing import two_sample_test

__version__ = "0.1.0"

__all__ = [
    "HARD",
    "RAMP",
    "STEP",
    "AverageCurve",
    "BinormalFit",
    "Bootstrap",
    "BootstrapResult",
    "Calibration",
    "CalibrationCurve",
    "ClassPair",
    "Comparison",
    "ConfidenceInterval",
    "Contrasts",
    "CriteriaContrast",
    "Criterion",
    "Cutpoint",
    "DecisionCurve",
    "DegenerateFitWarning",
    "DegenerateVarianceWarning",
    "DesignPower",
    "Estimate",
    "Estimates",
    "FixedRate",
    "Gini",
    "HullVertex",
    "IncompletePairsWarning",
    "Influence",
    "InterruptedStudyWarning",
    "InvalidOptionError",
    "InvalidSampleError",
    "IsoPerformance",
    "Kernel",
    "KernelCurve",
    "Law",
    "MarginTest",
    "Measure",
    "MeasureComparison",
    "Membership",
    "MidOutOfRangeWarning",
    "Midpoint",
    "MissingDependencyError",
    "MixedClassifier",
    "ModelSelection",
    "MulticlassAuc",
    "NestedModelsError",
    "NetBenefit",
    "NoCalibrationFitWarning",
    "NotPairedError",
    "OmnibusTest",
    "OperatingPoints",
    "Permutation",
    "PermutationResult",
    "PooledFoldsWarning",
    "PowerResult",
    "PowerStudy",
    "PrecisionRecallCurve",
    "PrecisionRecallPoint",
    "PrevalenceWarning",
    "Quantity",
    "RBridgeError",
    "RUnavailableError",
    "RWarning",
    "RandomLists",
    "RepeatedSubjectWarning",
    "Report",
    "RocBand",
    "RocCurve",
    "RocHull",
    "RocstatsError",
    "RocstatsWarning",
    "ScoreRangeError",
    "ScoredSample",
    "SimulatedPower",
    "SingleClassError",
    "SmallSampleWarning",
    "SmrocCurve",
    "SrocCurve",
    "TestResult",
    "TwoSampleDesign",
    "TwoSampleResult",
    "__version__",
    "accuracy_at",
    "auc",
    "average_curves",
    "average_precision",
    "binormal_fit",
    "bootstrap",
    "brier_score",
    "calibration",
    "calibration_curve",
    "compare",
    "compare_independent",
    "compare_measures",
    "compare_multiclass",
    "corrected_t_test",
    "datasets",
    "decision_curve",
    "estimate",
    "f1_at",
    "gini",
    "kernel_curve",
    "lift_at",
    "mix_classifiers",
    "multiclass_auc",
    "operating_points",
    "optimal_cutpoint",
    "pairwise_kernel",
    "partial_area",
    "partial_auc",
    "permutation_test",
    "pitman_efficiency",
    "pooled_curve",
    "power_auc",
    "power_study",
    "precision_recall_curve",
    "profit_at",
    "random_class_lists",
    "random_lists",
    "rbridge",
    "report",
    "roc_band",
    "roc_curve",
    "roc_hull",
    "sample_size_auc",
    "sauc",
    "scored_auc",
    "select_model",
    "sensitivity_at",
    "smauc",
    "smooth_auc",
    "smroc_curve",
    "specificity_at",
    "sroc_curve",
    "two_sample_design",
    "two_sample_test",
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
    "curves.mixture",
    "curves.vertices",
    "curves.hull",
    "curves.averaging",
    "curves.pooling",
    "curves.smoothing",
    "curves.binormal",
    "curves.bands",
    "pairs",
    "multiclass",
    "concordance",
    "quantities",
    "curves.precision_recall",
    "curves.precision_average",
    "consistency.criteria",
    "consistency.draws",
    "consistency.comparison",
    "consistency.comparing",
    "planning.plans",
    "planning.planners",
    "probabilities.brier",
    "probabilities.reliability",
    "probabilities.recalibration",
    "probabilities.net_benefit",
    "studies.designs",
    "studies.efficiency",
    "studies.running",
    "studies.power",
    "studies.corrected",
    "studies.selection_result",
    "studies.selection",
    "thresholds.points",
    "thresholds.selection",
    "thresholds.cutpoints",
    "thresholds.fixed_rate",
    "twosample.answer",
    "twosample.testing",
    "reports.diagnostic",
)


def __getattr__(name: str) -> Any:
    if name in ("datasets", "rbridge"):
        return import_module(f"rocstats.{name}")
    if name in __all__:
        for room in _ROOMS:
            module = import_module(f"rocstats.{room}")
            if name in module.__all__:
                value = globals()[name] = getattr(module, name)
                return value
    raise AttributeError(f"module 'rocstats' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
