"""The public names of rocstats by task: the page of the reference that lists them.

Every name of ``rocstats.__all__`` stands in one group. To add a public name, add it to a line here.
"""

from __future__ import annotations

from types import ModuleType

import rocstats as rs

# Title: a sentence, and the names in the order of use.
GROUPS = {
    "Data": (
        "A file or columns become a sample, checked once.",
        "read check Intake ScoredSample ScoredTable",
    ),
    "Several sites, and streams": (
        "Counts leave a site and rows do not; a model in production is watched.",
        """sketch pool stratified_auc site_moments monitor SiteSketch PooledTable StratifiedAuc
        SiteMoments SharedMoments Monitoring""",
    ),
    "One marker, one number": (
        "AUC, sAUC and smAUC with standard error and interval; DeLong's variance is the default.",
        """auc sauc smauc partial_auc gini cv_auc estimate
        Estimate Estimates Gini ConfidenceInterval Quantity Homogeneity
        StratumValue""",
    ),
    "Curves": (
        "ROC curves and their relatives, with bands, hulls, averages and smooth fits.",
        """roc_curve roc_curves sroc_curve smroc_curve roc_band binormal_fit kernel_curve roc_hull
        mix_classifiers average_curves pooled_curve midpoint_curve det_curve
        RocCurve RocCurves SrocCurve SmrocCurve RocBand BinormalFit KernelCurve RocHull HullVertex
        IsoPerformance MixedClassifier AverageCurve MidpointCurve DetCurve""",
    ),
    "Comparisons": (
        "DeLong's test and what follows from the same covariance: margins, many markers, groups.",
        """compare compare_independent cv_compare group_fairness
        Comparison Quantities GroupFairness Contrasts MarginTest OmnibusTest TestResult""",
    ),
    "Binary tests on the same patients": (
        "Sensitivity, specificity, predictive values and likelihood ratios of two or more tests.",
        """compare_tests compare_counts power_tests sample_size_tests
        ComparedTests PairedRates RatesByTest PairedPredictive PairedLikelihood ChiSquareTest
        CoprimaryTest EquivocalBounds PairedRatePlan""",
    ),
    "Reader studies": (
        "Several readers read many cases, with one test and with another (MRMC).",
        """ReaderStudy compare_readers compare_to_readers power_readers sample_size_readers
        ReaderComparison ReaderEstimates ReaderEstimate CellEstimates CellEstimate
        ReaderComponents AgainstReaders ReaderPower""",
    ),
    "Resampling": (
        "Bootstrap and permutation, as a second witness.",
        """bootstrap permutation_test venkatraman_test venkatraman_test_independent
        Bootstrap BootstrapResult Permutation PermutationResult""",
    ),
    "Thresholds": (
        "Sensitivity, specificity and the rest at a cut-off, chosen by you or by the data.",
        """operating_points optimal_cutpoint sensitivity_at specificity_at
        OperatingPoints Cutpoint FixedRate""",
    ),
    "Precision, recall and probabilities": (
        "Rare outcomes, calibration and what a decision is worth.",
        """precision_recall_curve average_precision brier_score calibration calibration_curve
        decision_curve
        PrecisionRecallCurve PrecisionRecallPoint Calibration CalibrationCurve DecisionCurve
        NetBenefit InterventionsAvoided""",
    ),
    "More than two classes": (
        "Areas of pairs of classes, of each class against the rest, and their means.",
        "multiclass_auc compare_multiclass MulticlassAuc ClassPair",
    ),
    "Two groups": (
        "Do two groups differ? sAUC, Wilcoxon-Mann-Whitney and friends.",
        "two_sample_test TwoSampleResult",
    ),
    "Time to an event": (
        "Markers of what happens later, with subjects censored before: areas at times, order.",
        """SurvivalSample auc_at compare_at concordance roc_curve_at operating_points_at
        EstimateAt EstimatesAt AucBand RocCurveAt""",
    ),
    "Planning a study": (
        "Power, sample size, detectable difference and precision.",
        """power_auc sample_size_auc power_sauc sample_size_sauc binormal_sauc power_study
        two_sample_design pitman_efficiency
        PowerResult SimulatedPower BinormalSauc PowerStudy DesignPower TwoSampleDesign Law""",
    ),
    "Models chosen, measures compared": (
        "Which model to take, by which measure, and which measure decides more.",
        """select_model corrected_t_test compare_measures means_given random_lists
        random_class_lists accuracy_at f1_at lift_at profit_at
        ModelSelection CriteriaContrast MeasureComparison MeanGiven RandomLists Criterion""",
    ),
    "Reports": (
        "One self-contained page of a diagnostic study, of a reader study or of a survival study.",
        "report Report report_readers ReaderReport report_survival SurvivalReport",
    ),
    "Measures of your own": (
        "The engine: membership, kernel, influence. A measure made of them works everywhere.",
        """Measure Membership Midpoint Kernel pairwise_kernel partial_area scored_auc smooth_auc
        Influence STEP RAMP HARD""",
    ),
    "Data sets, R and scikit-learn": (
        "Modules of their own, imported when they are first used.",
        "datasets rbridge sklearn",
    ),
    "Errors and warnings": (
        "What each means and what to do stands on the page [](messages.md).",
        """RocstatsError InvalidSampleError SingleClassError NotPairedError ScoreRangeError
        NestedModelsError UnknownRowError InvalidOptionError InvalidCallError
        MissingDependencyError LostWorkersError RBridgeError RUnavailableError
        RocstatsWarning DegenerateVarianceWarning ExtremeWeightsWarning SmallSampleWarning
        DegenerateFitWarning IncompletePairsWarning MidOutOfRangeWarning NoCalibrationFitWarning
        PooledFoldsWarning PooledReadersWarning PrevalenceWarning RepairedFileWarning
        RepeatedSubjectWarning
        InterruptedStudyWarning RWarning""",
    ),
}
UNLISTED = {"__version__"}


def check() -> None:
    """Refuse a public name without a group, a group's name that is not public, a name twice."""
    listed = [name for _, names in GROUPS.values() for name in names.split()]
    public = set(rs.__all__) - UNLISTED
    for said, names in (
        ("public, but in no group", public - set(listed)),
        ("in a group, but not public", set(listed) - public),
        ("in several groups", {name for name in listed if listed.count(name) > 1}),
    ):
        if names:
            raise ValueError(
                f"{said}: {', '.join(sorted(names))}; mend GROUPS in docs/reference/public_names.py"
            )


def page() -> str:
    """Return the page of all names."""
    check()
    lines = ["# Public names", "", "`import rocstats as rs` gives all of them.", ""]
    for title, (sentence, names) in GROUPS.items():
        lines += [f"## {title}", "", sentence, ""]
        objects = {name: getattr(rs, name) for name in names.split()}
        modules = {name: it for name, it in objects.items() if isinstance(it, ModuleType)}
        lines += _summary([name for name in objects if name not in modules])
        for name, module in modules.items():
            lines += [f"### `rs.{name}`", "", str(module.__doc__).partition("\n\n")[0], ""]
            lines += _summary([f"{name}.{inner}" for inner in module.__all__])
    return "\n".join(lines)


def _summary(names: list[str]) -> list[str]:
    if not names:
        return []
    rows = [f"   {name}" for name in names]
    head = [
        ".. currentmodule:: rocstats",
        "",
        ".. autosummary::",
        "   :toctree: api",
        "   :nosignatures:",
        "",
    ]
    return ["```{eval-rst}", *head, *rows, "```", ""]


def file_names() -> dict[str, str]:
    """Return names of pages for classes that differ from a function by an upper-case letter only.

    Some file systems would put both into one file.
    """
    lower = [name.lower() for name in rs.__all__]
    return {
        f"rocstats.{name}": f"rocstats.{name}-class"
        for name in rs.__all__
        if name[0].isupper() and lower.count(name.lower()) > 1
    }
