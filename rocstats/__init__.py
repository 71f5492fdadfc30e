"""ROC analysis with honest inference: AUC, sAUC and smAUC on one influence engine.

Every public name stands in a map with the module it is imported from on first use, so
``import rocstats`` costs almost nothing and a name loads no room that it does not need.
"""

from importlib import import_module
from types import FunctionType

TYPE_CHECKING = False  # as in typing, which takes longer to import than all of this
if TYPE_CHECKING:  # what type checkers read; a test holds it against the map below
    from rocstats import datasets as datasets
    from rocstats import rbridge as rbridge
    from rocstats import sklearn as sklearn
    from rocstats.consistency.consistency_result import MeasureComparison as MeasureComparison
    from rocstats.consistency.draws import RandomLists as RandomLists
    from rocstats.consistency.draws import random_class_lists as random_class_lists
    from rocstats.consistency.draws import random_lists as random_lists
    from rocstats.consistency.exact import MeanGiven as MeanGiven
    from rocstats.consistency.exact import means_given as means_given
    from rocstats.consistency.list_criteria import Criterion as Criterion
    from rocstats.consistency.list_criteria import accuracy_at as accuracy_at
    from rocstats.consistency.list_criteria import f1_at as f1_at
    from rocstats.consistency.list_criteria import lift_at as lift_at
    from rocstats.consistency.list_criteria import profit_at as profit_at
    from rocstats.consistency.measure_pairs import compare_measures as compare_measures
    from rocstats.curves.averaging import AverageCurve as AverageCurve
    from rocstats.curves.averaging import average_curves as average_curves
    from rocstats.curves.bands import RocBand as RocBand
    from rocstats.curves.bands import roc_band as roc_band
    from rocstats.curves.binormal import BinormalFit as BinormalFit
    from rocstats.curves.binormal import DegenerateFitWarning as DegenerateFitWarning
    from rocstats.curves.binormal import binormal_fit as binormal_fit
    from rocstats.curves.detection_error import DetCurve as DetCurve
    from rocstats.curves.detection_error import det_curve as det_curve
    from rocstats.curves.hull import RocHull as RocHull
    from rocstats.curves.hull import roc_hull as roc_hull
    from rocstats.curves.midpoints import MidpointCurve as MidpointCurve
    from rocstats.curves.midpoints import midpoint_curve as midpoint_curve
    from rocstats.curves.mixture import MixedClassifier as MixedClassifier
    from rocstats.curves.mixture import mix_classifiers as mix_classifiers
    from rocstats.curves.pooling import pooled_curve as pooled_curve
    from rocstats.curves.precision_average import average_precision as average_precision
    from rocstats.curves.precision_recall import PrecisionRecallCurve as PrecisionRecallCurve
    from rocstats.curves.precision_recall import PrecisionRecallPoint as PrecisionRecallPoint
    from rocstats.curves.precision_recall import precision_recall_curve as precision_recall_curve
    from rocstats.curves.roc import RocCurve as RocCurve
    from rocstats.curves.roc import roc_curve as roc_curve
    from rocstats.curves.roc_set import RocCurves as RocCurves
    from rocstats.curves.roc_set import roc_curves as roc_curves
    from rocstats.curves.smoothing import KernelCurve as KernelCurve
    from rocstats.curves.smoothing import kernel_curve as kernel_curve
    from rocstats.curves.smroc import SmrocCurve as SmrocCurve
    from rocstats.curves.smroc import smroc_curve as smroc_curve
    from rocstats.curves.sroc import SrocCurve as SrocCurve
    from rocstats.curves.sroc import sroc_curve as sroc_curve
    from rocstats.curves.vertices import HullVertex as HullVertex
    from rocstats.curves.vertices import IsoPerformance as IsoPerformance
    from rocstats.data.intake.frames import check as check
    from rocstats.data.intake.frames import read as read
    from rocstats.data.intake.intake_result import Intake as Intake
    from rocstats.data.sample import ScoredSample as ScoredSample
    from rocstats.data.scan.pooled_table import PooledTable as PooledTable
    from rocstats.data.scan.pooled_table import pool as pool
    from rocstats.data.scan.scored_table import ScoredTable as ScoredTable
    from rocstats.data.scan.shared_moments import SharedMoments as SharedMoments
    from rocstats.data.scan.shared_moments import SiteMoments as SiteMoments
    from rocstats.data.scan.site_sketch import SiteSketch as SiteSketch
    from rocstats.data.scan.site_sketch import sketch as sketch
    from rocstats.engine.catalogue import partial_area as partial_area
    from rocstats.engine.catalogue import scored_auc as scored_auc
    from rocstats.engine.catalogue import smooth_auc as smooth_auc
    from rocstats.engine.influence import Influence as Influence
    from rocstats.engine.kernels import RAMP as RAMP
    from rocstats.engine.kernels import STEP as STEP
    from rocstats.engine.kernels import Kernel as Kernel
    from rocstats.engine.kernels import pairwise_kernel as pairwise_kernel
    from rocstats.engine.measures import HARD as HARD
    from rocstats.engine.measures import Measure as Measure
    from rocstats.engine.measures import Membership as Membership
    from rocstats.engine.measures import Midpoint as Midpoint
    from rocstats.engine.second_round import site_moments as site_moments
    from rocstats.errors import DegenerateVarianceWarning as DegenerateVarianceWarning
    from rocstats.errors import ExtremeWeightsWarning as ExtremeWeightsWarning
    from rocstats.errors import IncompletePairsWarning as IncompletePairsWarning
    from rocstats.errors import InvalidCallError as InvalidCallError
    from rocstats.errors import InvalidOptionError as InvalidOptionError
    from rocstats.errors import InvalidSampleError as InvalidSampleError
    from rocstats.errors import LostWorkersError as LostWorkersError
    from rocstats.errors import MidOutOfRangeWarning as MidOutOfRangeWarning
    from rocstats.errors import MissingDependencyError as MissingDependencyError
    from rocstats.errors import NestedModelsError as NestedModelsError
    from rocstats.errors import NotPairedError as NotPairedError
    from rocstats.errors import PooledFoldsWarning as PooledFoldsWarning
    from rocstats.errors import PooledReadersWarning as PooledReadersWarning
    from rocstats.errors import PrevalenceWarning as PrevalenceWarning
    from rocstats.errors import RBridgeError as RBridgeError
    from rocstats.errors import RepairedFileWarning as RepairedFileWarning
    from rocstats.errors import RepeatedSubjectWarning as RepeatedSubjectWarning
    from rocstats.errors import RocstatsError as RocstatsError
    from rocstats.errors import RocstatsWarning as RocstatsWarning
    from rocstats.errors import RUnavailableError as RUnavailableError
    from rocstats.errors import RWarning as RWarning
    from rocstats.errors import ScoreRangeError as ScoreRangeError
    from rocstats.errors import SingleClassError as SingleClassError
    from rocstats.errors import SmallSampleWarning as SmallSampleWarning
    from rocstats.errors import UnknownRowError as UnknownRowError
    from rocstats.estimates.cross_validated import cv_auc as cv_auc
    from rocstats.estimates.estimators import auc as auc
    from rocstats.estimates.estimators import estimate as estimate
    from rocstats.estimates.estimators import partial_auc as partial_auc
    from rocstats.estimates.estimators import sauc as sauc
    from rocstats.estimates.estimators import smauc as smauc
    from rocstats.estimates.gini_coefficient import Gini as Gini
    from rocstats.estimates.gini_coefficient import gini as gini
    from rocstats.estimates.quantities import Quantity as Quantity
    from rocstats.estimates.results import ConfidenceInterval as ConfidenceInterval
    from rocstats.estimates.results import Estimate as Estimate
    from rocstats.estimates.results import Estimates as Estimates
    from rocstats.estimates.results import TestResult as TestResult
    from rocstats.estimates.strata_of_covariates import Homogeneity as Homogeneity
    from rocstats.estimates.strata_of_covariates import StratumValue as StratumValue
    from rocstats.estimates.stratified_areas import StratifiedAuc as StratifiedAuc
    from rocstats.estimates.stratified_areas import stratified_auc as stratified_auc
    from rocstats.inference.binary.compared_tests import ComparedTests as ComparedTests
    from rocstats.inference.binary.comparing_tests import compare_counts as compare_counts
    from rocstats.inference.binary.comparing_tests import compare_tests as compare_tests
    from rocstats.inference.binary.equivocal_results import EquivocalBounds as EquivocalBounds
    from rocstats.inference.binary.paired_rates import PairedRates as PairedRates
    from rocstats.inference.binary.paired_ratios import PairedLikelihood as PairedLikelihood
    from rocstats.inference.binary.paired_ratios import PairedPredictive as PairedPredictive
    from rocstats.inference.binary.rate_margins import CoprimaryTest as CoprimaryTest
    from rocstats.inference.binary.rate_tests import ChiSquareTest as ChiSquareTest
    from rocstats.inference.binary.rates_by_test import RatesByTest as RatesByTest
    from rocstats.inference.compared_folds import cv_compare as cv_compare
    from rocstats.inference.compared_quantities import Quantities as Quantities
    from rocstats.inference.comparison import Comparison as Comparison
    from rocstats.inference.comparison import compare as compare
    from rocstats.inference.contrasts import Contrasts as Contrasts
    from rocstats.inference.fair_groups import GroupFairness as GroupFairness
    from rocstats.inference.fair_groups import group_fairness as group_fairness
    from rocstats.inference.independent import compare_independent as compare_independent
    from rocstats.inference.margins import MarginTest as MarginTest
    from rocstats.inference.model_monitoring import Monitoring as Monitoring
    from rocstats.inference.model_monitoring import monitor as monitor
    from rocstats.inference.omnibus import OmnibusTest as OmnibusTest
    from rocstats.multiclass.class_areas import MulticlassAuc as MulticlassAuc
    from rocstats.multiclass.class_areas import compare_multiclass as compare_multiclass
    from rocstats.multiclass.class_areas import multiclass_auc as multiclass_auc
    from rocstats.multiclass.class_pairs import ClassPair as ClassPair
    from rocstats.planning.normal_sauc import BinormalSauc as BinormalSauc
    from rocstats.planning.normal_sauc import binormal_sauc as binormal_sauc
    from rocstats.planning.paired_rate_plans import PairedRatePlan as PairedRatePlan
    from rocstats.planning.paired_rate_plans import power_tests as power_tests
    from rocstats.planning.paired_rate_plans import sample_size_tests as sample_size_tests
    from rocstats.planning.planners import power_auc as power_auc
    from rocstats.planning.planners import sample_size_auc as sample_size_auc
    from rocstats.planning.plans import PowerResult as PowerResult
    from rocstats.planning.plans import SimulatedPower as SimulatedPower
    from rocstats.planning.sauc_planners import power_sauc as power_sauc
    from rocstats.planning.sauc_planners import sample_size_sauc as sample_size_sauc
    from rocstats.probabilities.brier import brier_score as brier_score
    from rocstats.probabilities.interventions import InterventionsAvoided as InterventionsAvoided
    from rocstats.probabilities.net_benefit import DecisionCurve as DecisionCurve
    from rocstats.probabilities.net_benefit import NetBenefit as NetBenefit
    from rocstats.probabilities.net_benefit import decision_curve as decision_curve
    from rocstats.probabilities.recalibration import Calibration as Calibration
    from rocstats.probabilities.recalibration import (
        NoCalibrationFitWarning as NoCalibrationFitWarning,
    )
    from rocstats.probabilities.recalibration import calibration as calibration
    from rocstats.probabilities.reliability import CalibrationCurve as CalibrationCurve
    from rocstats.probabilities.reliability import calibration_curve as calibration_curve
    from rocstats.readers.reader_comparison import ReaderComparison as ReaderComparison
    from rocstats.readers.reader_comparison import compare_readers as compare_readers
    from rocstats.readers.reader_components import ReaderComponents as ReaderComponents
    from rocstats.readers.reader_estimates import CellEstimate as CellEstimate
    from rocstats.readers.reader_estimates import CellEstimates as CellEstimates
    from rocstats.readers.reader_estimates import ReaderEstimate as ReaderEstimate
    from rocstats.readers.reader_estimates import ReaderEstimates as ReaderEstimates
    from rocstats.readers.reader_planning import ReaderPower as ReaderPower
    from rocstats.readers.reader_planning import power_readers as power_readers
    from rocstats.readers.reader_planning import sample_size_readers as sample_size_readers
    from rocstats.readers.reader_study import ReaderStudy as ReaderStudy
    from rocstats.readers.stand_alone import AgainstReaders as AgainstReaders
    from rocstats.readers.stand_alone import compare_to_readers as compare_to_readers
    from rocstats.reports.diagnostic import Report as Report
    from rocstats.reports.diagnostic import report as report
    from rocstats.reports.reader_report import ReaderReport as ReaderReport
    from rocstats.reports.reader_report import report_readers as report_readers
    from rocstats.reports.survival_report import SurvivalReport as SurvivalReport
    from rocstats.reports.survival_report import report_survival as report_survival
    from rocstats.resampling.bootstrapping import Bootstrap as Bootstrap
    from rocstats.resampling.bootstrapping import BootstrapResult as BootstrapResult
    from rocstats.resampling.bootstrapping import bootstrap as bootstrap
    from rocstats.resampling.permutation import Permutation as Permutation
    from rocstats.resampling.permutation import PermutationResult as PermutationResult
    from rocstats.resampling.permutation import permutation_test as permutation_test
    from rocstats.resampling.venkatraman import venkatraman_test as venkatraman_test
    from rocstats.resampling.venkatraman import (
        venkatraman_test_independent as venkatraman_test_independent,
    )
    from rocstats.studies.corrected import corrected_t_test as corrected_t_test
    from rocstats.studies.designs import Law as Law
    from rocstats.studies.designs import TwoSampleDesign as TwoSampleDesign
    from rocstats.studies.designs import two_sample_design as two_sample_design
    from rocstats.studies.efficiency import pitman_efficiency as pitman_efficiency
    from rocstats.studies.model_selection import select_model as select_model
    from rocstats.studies.power_studies import DesignPower as DesignPower
    from rocstats.studies.power_studies import PowerStudy as PowerStudy
    from rocstats.studies.power_studies import power_study as power_study
    from rocstats.studies.running import InterruptedStudyWarning as InterruptedStudyWarning
    from rocstats.studies.selection_result import CriteriaContrast as CriteriaContrast
    from rocstats.studies.selection_result import ModelSelection as ModelSelection
    from rocstats.survival.area_estimators import auc_at as auc_at
    from rocstats.survival.area_estimators import compare_at as compare_at
    from rocstats.survival.bands_in_time import AucBand as AucBand
    from rocstats.survival.concordance_estimators import concordance as concordance
    from rocstats.survival.curves_in_time import RocCurveAt as RocCurveAt
    from rocstats.survival.curves_in_time import roc_curve_at as roc_curve_at
    from rocstats.survival.rate_estimators import operating_points_at as operating_points_at
    from rocstats.survival.survival_sample import SurvivalSample as SurvivalSample
    from rocstats.survival.time_estimates import EstimateAt as EstimateAt
    from rocstats.survival.time_estimates import EstimatesAt as EstimatesAt
    from rocstats.thresholds.chosen_thresholds import operating_points as operating_points
    from rocstats.thresholds.cutpoints import Cutpoint as Cutpoint
    from rocstats.thresholds.cutpoints import optimal_cutpoint as optimal_cutpoint
    from rocstats.thresholds.fixed_rate import FixedRate as FixedRate
    from rocstats.thresholds.fixed_rate import sensitivity_at as sensitivity_at
    from rocstats.thresholds.fixed_rate import specificity_at as specificity_at
    from rocstats.thresholds.points import OperatingPoints as OperatingPoints
    from rocstats.twosample.answer import TwoSampleResult as TwoSampleResult
    from rocstats.twosample.testing import two_sample_test as two_sample_test

__version__ = "0.1.0"

# Module: its public names.
_NAMES = {
    "errors": """
        DegenerateVarianceWarning ExtremeWeightsWarning IncompletePairsWarning InvalidCallError
        InvalidOptionError
        InvalidSampleError LostWorkersError MidOutOfRangeWarning MissingDependencyError
        NestedModelsError NotPairedError PooledFoldsWarning PooledReadersWarning PrevalenceWarning
        RBridgeError RUnavailableError RWarning RepairedFileWarning RepeatedSubjectWarning
        RocstatsError RocstatsWarning ScoreRangeError SingleClassError SmallSampleWarning
        UnknownRowError
    """,
    "data.intake.frames": "check read",
    "data.intake.intake_result": "Intake",
    "data.sample": "ScoredSample",
    "data.scan.pooled_table": "PooledTable pool",
    "data.scan.scored_table": "ScoredTable",
    "data.scan.shared_moments": "SharedMoments SiteMoments",
    "data.scan.site_sketch": "SiteSketch sketch",
    "engine.catalogue": "partial_area scored_auc smooth_auc",
    "engine.influence": "Influence",
    "engine.kernels": "Kernel RAMP STEP pairwise_kernel",
    "engine.measures": "HARD Measure Membership Midpoint",
    "engine.second_round": "site_moments",
    "estimates.cross_validated": "cv_auc",
    "estimates.estimators": "auc estimate partial_auc sauc smauc",
    "estimates.gini_coefficient": "Gini gini",
    "estimates.quantities": "Quantity",
    "estimates.results": "ConfidenceInterval Estimate Estimates TestResult",
    "estimates.strata_of_covariates": "Homogeneity StratumValue",
    "estimates.stratified_areas": "StratifiedAuc stratified_auc",
    "inference.binary.compared_tests": "ComparedTests",
    "inference.binary.comparing_tests": "compare_counts compare_tests",
    "inference.binary.equivocal_results": "EquivocalBounds",
    "inference.binary.paired_rates": "PairedRates",
    "inference.binary.paired_ratios": "PairedLikelihood PairedPredictive",
    "inference.binary.rate_margins": "CoprimaryTest",
    "inference.binary.rate_tests": "ChiSquareTest",
    "inference.binary.rates_by_test": "RatesByTest",
    "inference.compared_folds": "cv_compare",
    "inference.comparison": "Comparison compare",
    "inference.contrasts": "Contrasts",
    "inference.compared_quantities": "Quantities",
    "inference.fair_groups": "GroupFairness group_fairness",
    "inference.independent": "compare_independent",
    "inference.model_monitoring": "Monitoring monitor",
    "inference.margins": "MarginTest",
    "inference.omnibus": "OmnibusTest",
    "resampling.bootstrapping": "Bootstrap BootstrapResult bootstrap",
    "resampling.permutation": "Permutation PermutationResult permutation_test",
    "resampling.venkatraman": "venkatraman_test venkatraman_test_independent",
    "curves.averaging": "AverageCurve average_curves",
    "curves.bands": "RocBand roc_band",
    "curves.binormal": "BinormalFit DegenerateFitWarning binormal_fit",
    "curves.detection_error": "DetCurve det_curve",
    "curves.hull": "RocHull roc_hull",
    "curves.midpoints": "MidpointCurve midpoint_curve",
    "curves.mixture": "MixedClassifier mix_classifiers",
    "curves.pooling": "pooled_curve",
    "curves.precision_average": "average_precision",
    "curves.precision_recall": "PrecisionRecallCurve PrecisionRecallPoint precision_recall_curve",
    "curves.roc": "RocCurve roc_curve",
    "curves.roc_set": "RocCurves roc_curves",
    "curves.smoothing": "KernelCurve kernel_curve",
    "curves.smroc": "SmrocCurve smroc_curve",
    "curves.sroc": "SrocCurve sroc_curve",
    "curves.vertices": "HullVertex IsoPerformance",
    "thresholds.chosen_thresholds": "operating_points",
    "thresholds.cutpoints": "Cutpoint optimal_cutpoint",
    "thresholds.fixed_rate": "FixedRate sensitivity_at specificity_at",
    "thresholds.points": "OperatingPoints",
    "multiclass.class_areas": "MulticlassAuc compare_multiclass multiclass_auc",
    "multiclass.class_pairs": "ClassPair",
    "probabilities.brier": "brier_score",
    "probabilities.interventions": "InterventionsAvoided",
    "probabilities.net_benefit": "DecisionCurve NetBenefit decision_curve",
    "probabilities.recalibration": "Calibration NoCalibrationFitWarning calibration",
    "probabilities.reliability": "CalibrationCurve calibration_curve",
    "twosample.answer": "TwoSampleResult",
    "twosample.testing": "two_sample_test",
    "planning.paired_rate_plans": "PairedRatePlan power_tests sample_size_tests",
    "planning.planners": "power_auc sample_size_auc",
    "planning.plans": "PowerResult SimulatedPower",
    "planning.normal_sauc": "BinormalSauc binormal_sauc",
    "planning.sauc_planners": "power_sauc sample_size_sauc",
    "readers.reader_comparison": "ReaderComparison compare_readers",
    "readers.reader_components": "ReaderComponents",
    "readers.reader_estimates": "CellEstimate CellEstimates ReaderEstimate ReaderEstimates",
    "readers.reader_planning": "ReaderPower power_readers sample_size_readers",
    "readers.reader_study": "ReaderStudy",
    "readers.stand_alone": "AgainstReaders compare_to_readers",
    "consistency.consistency_result": "MeasureComparison",
    "consistency.draws": "RandomLists random_class_lists random_lists",
    "consistency.exact": "MeanGiven means_given",
    "consistency.list_criteria": "Criterion accuracy_at f1_at lift_at profit_at",
    "consistency.measure_pairs": "compare_measures",
    "studies.corrected": "corrected_t_test",
    "studies.designs": "Law TwoSampleDesign two_sample_design",
    "studies.efficiency": "pitman_efficiency",
    "studies.model_selection": "select_model",
    "studies.power_studies": "DesignPower PowerStudy power_study",
    "studies.running": "InterruptedStudyWarning",
    "studies.selection_result": "CriteriaContrast ModelSelection",
    "survival.area_estimators": "auc_at compare_at",
    "survival.bands_in_time": "AucBand",
    "survival.concordance_estimators": "concordance",
    "survival.curves_in_time": "RocCurveAt roc_curve_at",
    "survival.rate_estimators": "operating_points_at",
    "survival.survival_sample": "SurvivalSample",
    "survival.time_estimates": "EstimateAt EstimatesAt",
    "reports.diagnostic": "Report report",
    "reports.reader_report": "ReaderReport report_readers",
    "reports.survival_report": "SurvivalReport report_survival",
}
# What other programs call it: the name here.
_OTHER_WORDS = {
    **dict.fromkeys(("roc", "plot_roc", "ggroc"), "roc_curve"),
    **dict.fromkeys(("roc_auc_score", "roc_auc", "ci", "ci_auc", "auc_ci", "delong_ci"), "auc"),
    **dict.fromkeys(("roc_test", "delong", "delong_test", "delong_roc_test"), "compare"),
    **dict.fromkeys(("coords", "confusion_matrix", "ci_coords"), "operating_points"),
    **dict.fromkeys(("youden", "cutpointr", "cutpoint", "optimal_cutoff"), "optimal_cutpoint"),
    **dict.fromkeys(("ci_se", "sensitivity_at_specificity"), "sensitivity_at"),
    **dict.fromkeys(("ci_sp", "specificity_at_sensitivity"), "specificity_at"),
    **dict.fromkeys(("power_roc_test", "power"), "power_auc"),
    **dict.fromkeys(("sample_size",), "sample_size_auc"),
    **dict.fromkeys(("partial", "pauc"), "partial_auc"),
    **dict.fromkeys(("multiclass_roc", "hand_till"), "multiclass_auc"),
    **dict.fromkeys(("average_precision_score", "pr_auc"), "average_precision"),
    **dict.fromkeys(("brier_score_loss", "brier"), "brier_score"),
    **dict.fromkeys(("mann_whitney", "wilcoxon", "mannwhitneyu"), "two_sample_test"),
    **dict.fromkeys(("net_benefit", "dca"), "decision_curve"),
    **dict.fromkeys(("mcnemar", "mcnemar_test", "paired_tests"), "compare_tests"),
    **dict.fromkeys(("mrmc", "reader_study", "multi_reader"), "compare_readers"),
    **dict.fromkeys(("concordance_index", "c_index", "concordance_index_ipcw"), "concordance"),
    **dict.fromkeys(("timeroc", "time_roc", "cumulative_dynamic_auc"), "auc_at"),
    **dict.fromkeys(("roccurvedisplay", "plot_roc_curve"), "sklearn.RocDisplay"),
    **dict.fromkeys(("cross_val_score", "cross_val_auc"), "sklearn.cross_val_auc"),
    "smooth": "binormal_fit",
    "read_csv": "read",
}
_PUBLIC_MODULES = ("datasets", "rbridge", "sklearn")
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = ["__version__", *_MODULES, *_PUBLIC_MODULES]

if not TYPE_CHECKING:  # or a checker would take any name

    def __getattr__(name: str) -> object:
        if name in _PUBLIC_MODULES:
            return import_module(f"rocstats.{name}")
        if name not in _MODULES:
            raise AttributeError(f"module 'rocstats' has no attribute {name!r}{_hint(name)}")
        value = getattr(import_module(f"rocstats.{_MODULES[name]}"), name)
        globals()[name] = _politely(value)
        return globals()[name]


def _hint(name: str) -> str:
    """Return where to look instead of a name that is not there."""
    if name.startswith("_"):
        return ""
    if name.lower() in _OTHER_WORDS:
        return f"; here it is called rs.{_OTHER_WORDS[name.lower()]}"
    from rocstats.errors import did_you_mean

    return f".{found}" if (found := did_you_mean(name, __all__)) else ""


def _politely(value: object) -> object:
    """Return a public name that refuses a call which does not fit in a sentence."""
    from rocstats.errors import make_polite, polite

    if isinstance(value, type) and not issubclass(value, Exception):
        make_polite(value)
    elif isinstance(value, FunctionType):
        value = polite(value)
        value.__module__ = __name__  # where it is found again when it was pickled
    return value


def __dir__() -> list[str]:
    return __all__
