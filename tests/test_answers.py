"""One way to answer: a result states rows, head and notes once, and every rendering follows.

A result type of a new room joins `ANSWERS` with a function that makes one.
"""

from __future__ import annotations

import html
import importlib
import inspect
import json
import math
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.papers.data_sets.benchmark_set import BenchSet
from rocstats.papers.paper import DataUse
from rocstats.tables import Answer, Later, PlainRows, Statement, plain, tidy_rows

ROOMS = (
    *("estimates", "inference", "resampling", "curves", "thresholds", "multiclass"),
    *("probabilities", "twosample", "planning", "consistency", "studies", "papers"),
    *("readers", "survival"),
)
RENDERINGS = ("to_dict", "to_docx", "to_frame", "to_latex", "__repr__", "_repr_html_")
FEW = rs.Bootstrap(n_resamples=100, rng=1)

SCORES = {
    "mixed": ([1, 1, 1, 1, 1, 0, 0, 0, 0, 0], [0.9, 0.8, 0.6, 0.6, 0.3, 0.7, 0.4, 0.3, 0.2, 0.1]),
    "perfect": ([1, 1, 1, 0, 0, 0, 0], [0.9, 0.8, 0.7, 0.4, 0.3, 0.2, 0.1]),
    "one positive": ([1, 0, 0, 0], [0.6, 0.7, 0.3, 0.2]),
}


def sample(name: str) -> rs.ScoredSample:
    """Return a sample whose marker has a name that HTML would take for a tag."""
    y, score = SCORES[name]
    return rs.ScoredSample.from_arrays(y, {"<b>": score})


def two_markers(name: str) -> rs.ScoredSample:
    y, score = SCORES[name]
    return rs.ScoredSample.from_arrays(y, {"<b>": score, "other": score[::-1]})


def cuts(name: str, **options: Any) -> Any:
    return rs.optimal_cutpoint(sample(name), resampling=FEW, **options)


def rates(name: str) -> Any:
    return rs.sensitivity_at(sample(name), specificity=[0.5, 0.75], resampling=FEW)


def binary(name: str) -> Any:
    return rs.compare_tests(two_markers(name), thresholds={"<b>": 0.5, "other": 0.5})


def hull(name: str) -> Any:
    return rs.roc_hull(two_markers(name))


def swap(name: str, **options: Any) -> Any:
    return rs.permutation_test(two_markers(name), **options)


def clustered() -> rs.ScoredSample:
    y, score = SCORES["mixed"]
    return rs.ScoredSample.from_arrays(y, {"<b>": score}, cluster=[0, 0, 1, 1, 2, 2, 3, 3, 4, 4])


CURVES: dict[str, Callable[[str], Any]] = {
    "RocCurve": lambda name: rs.roc_curve(sample(name)),
    "RocCurves": lambda name: rs.roc_curves(two_markers(name)),
    "CurvePoint": lambda name: rs.roc_curve(sample(name)).at(fpr=0.5),
    "CurvePoint, several": lambda name: rs.roc_curve(sample(name)).at(fpr=[0.25, 0.5]),
    "AverageCurve": lambda name: rs.average_curves([sample(name)] * 2),
    "AverageCurve, thresholds": lambda name: rs.average_curves([sample(name)], method="threshold"),
    "DetCurve": lambda name: rs.det_curve(sample(name)),
    "PrecisionRecallCurve": lambda name: rs.precision_recall_curve(sample(name)),
    "PrecisionRecallPoint": lambda name: rs.precision_recall_curve(sample(name)).at(threshold=2.0),
    "PrecisionRecallPoint, several": lambda name: rs.precision_recall_curve(sample(name)).at(
        threshold=[0.5, np.inf]
    ),
    "RocHull": hull,
    "HullVertex": lambda name: hull(name).vertices[0],
    "HullVertex, middle": lambda name: hull(name).vertices[1],
    "IsoPerformance": lambda name: hull(name).best(prevalence=0.5),
    "IsoPerformance, misses are free": lambda name: hull(name).best(prevalence=0.5, cost_fn=0),
    "MixedClassifier": lambda name: hull(name).mix(fpr=0.4),
    "MixedClassifier, population": lambda name: hull(name).mix(
        called=300, size=1000, prevalence=0.1
    ),
    "SmrocCurve": lambda name: rs.smroc_curve(sample(name)),
    "MidpointCurve": lambda name: rs.midpoint_curve(sample(name)),
    "SrocCurve": lambda name: rs.sroc_curve(sample(name)),
    "RocBand": lambda name: rs.roc_band(sample(name), method="kolmogorov-smirnov"),
    "Rectangles": lambda name: rs.roc_band(sample(name), method="kolmogorov-smirnov").rectangles,
}
SMOOTH: dict[str, Callable[[], Any]] = {
    "BinormalFit": lambda: rs.binormal_fit(sample("mixed")),
    "BinormalFit, least squares": lambda: rs.binormal_fit(sample("mixed"), method="least-squares"),
    "GoodnessOfFit": lambda: rs.binormal_fit(sample("mixed")).goodness_of_fit(),
    "KernelCurve": lambda: rs.kernel_curve(sample("mixed")),
}
RESAMPLING: dict[str, Callable[[str], Any]] = {
    "BootstrapResult": lambda name: rs.bootstrap(rs.auc(sample(name)), resampling=FEW),
    "BootstrapResult, contrast": lambda name: rs.bootstrap(
        rs.compare(two_markers(name)), [1, -1], resampling=FEW
    ),
    "PermutationResult": swap,
    "PermutationResult, curves": lambda name: rs.venkatraman_test(
        two_markers(name), resampling=rs.Permutation(n_resamples=50, rng=1)
    ),
}
THRESHOLDS: dict[str, Callable[[str], Any]] = {
    "OperatingPoints": lambda name: rs.operating_points(sample(name)),
    "OperatingPoints, one": lambda name: rs.operating_points(
        sample(name), thresholds=0.5, prevalence=0.1
    ),
    "OperatingPoints, beyond": lambda name: rs.operating_points(
        sample(name), thresholds=[2, np.inf]
    ),
    "Cutpoint": cuts,
    "Cutpoint, accuracy": lambda name: cuts(name, criterion="accuracy"),
    "Cutpoint, prespecified": lambda name: cuts(name, threshold=0.5),
    "FixedRate": rates,
}
PROBABILITIES: dict[str, Callable[[str], Any]] = {
    "DecisionCurve": lambda name: rs.decision_curve(sample(name)),
    "InterventionsAvoided": lambda name: rs.decision_curve(sample(name)).interventions_avoided(
        "<b>"
    ),
    "NetBenefit": lambda name: rs.decision_curve(sample(name)).curve("<b>"),
    "NetBenefit, difference": lambda name: rs.decision_curve(sample(name)).difference("<b>"),
    "Calibration": lambda name: rs.calibration(sample(name)),
    "CalibrationCurve": lambda name: rs.calibration_curve(sample(name), n_bins=3),
}
ESTIMATES: dict[str, Callable[[str], Any]] = {
    "Estimate": lambda name: rs.auc(sample(name)),
    "Estimate, part": lambda name: rs.partial_auc(sample(name), fpr=(0, 0.5), standardized=True),
    "Estimates": lambda name: rs.estimate(two_markers(name)),
    "Quantity": lambda name: rs.average_precision(sample(name)),
    "Gini": lambda name: rs.gini(sample(name)),
    "Quantities": lambda name: rs.compare(two_markers(name), measure="average_precision").estimates,
    "ConfidenceInterval": lambda name: rs.auc(sample(name)).confidence_interval(),
    "Comparison": lambda name: rs.compare(two_markers(name)),
    "Comparison, one marker": lambda name: rs.compare(sample(name), measure=("auc", "sauc")),
    "Contrasts": lambda name: rs.compare(two_markers(name)).pairwise(),
    "TestResult": lambda name: rs.compare(two_markers(name)).pairwise().tests[0],
    "OmnibusTest": lambda name: rs.compare(two_markers(name)).omnibus(reference="chi2"),
    "MarginTest": lambda name: rs.compare(two_markers(name)).noninferiority(0.1),
    "ComparedTests": binary,
    "ComparedTests, one": lambda name: rs.compare_tests(sample(name), thresholds={"<b>": 0.5}),
    "ComparedTests, screened": lambda name: rs.compare_counts(
        diseased=[[5, 2], [1, None]],
        healthy=[[1, 2], [3, None]],
        tests=("<b>", "other"),
        design="screen-positive",
    ),
    "ComparedTests, agreement": lambda name: rs.compare_tests(
        two_markers(name), thresholds={"<b>": 0.5, "other": 0.5}, truth="comparator"
    ),
    "PairedRates": lambda name: binary(name).sensitivity,
    "PairedPredictive": lambda name: binary(name).npv,
    "PairedLikelihood": lambda name: binary(name).lr_pos,
    "ChiSquareTest": lambda name: binary(name).specificity.mcnemar,
    "ChiSquareTest, predictive": lambda name: binary(name).ppv.test(),
    "CoprimaryTest": lambda name: binary(name).noninferiority("both", 0.1),
    "RatesByTest": lambda name: binary(name).rates(),
    "EquivocalBounds": lambda name: rs.compare_tests(
        [1, 1, 0, 0],
        {"<b>": ["p", "n", "n", "?"], "other": ["p", None, "p", "n"]},
        test_positive="p",
        test_negative="n",
        equivocal="both",
    ).bounds(),
}


def reader_study() -> Any:
    """Return a study of two tests, one with a name that HTML would take for a tag."""
    rng = np.random.default_rng(1)
    rows = [(m, w, k, int(k < 8)) for m in ("<b>", "u") for w in "pqr" for k in range(16)]
    columns = dict(zip(("m", "who", "id", "ill"), map(list, zip(*rows, strict=True)), strict=True))
    columns["s"] = (np.array(columns["ill"]) + rng.normal(size=len(rows))).tolist()
    return rs.ReaderStudy.from_frame(
        columns, test="m", reader="who", case="id", outcome="ill", rating="s"
    )


def readers() -> Any:
    return rs.compare_readers(reader_study())


PILOT = {
    "var": 2e-3,
    "cov1": 1e-3,
    "cov2": 1e-3,
    "cov3": 8e-4,
    "var_test_reader": 2e-4,
    "cases": 80,
}
READERS: dict[str, Callable[[], Any]] = {
    "ReaderStudy": reader_study,
    "ReaderComparison": readers,
    "ReaderComparison, fixed": lambda: rs.compare_readers(reader_study(), readers="fixed"),
    "ReaderComparison, any design": lambda: rs.compare_readers(reader_study(), method="ustat"),
    "ReaderEstimates": lambda: readers().estimates,
    "ReaderEstimate": lambda: readers().estimates[0],
    "CellEstimates": lambda: readers().by_reader,
    "CellEstimate": lambda: readers().by_reader[0],
    "ReaderComponents": lambda: readers().components,
    "AgainstReaders": lambda: rs.compare_to_readers(reader_study(), ai="p", test="u", margin=0.1),
    "ReaderPower": lambda: rs.power_readers(PILOT, difference=0.05, readers=5, cases=100),
    "ReaderPower, several": lambda: rs.power_readers(
        PILOT, difference=0.05, readers=[5, 9], cases=[100, 200]
    ),
}


def batches() -> list[tuple[Any, Any]]:
    """Return classes and scores, in three batches."""
    rng = np.random.default_rng(2)
    truths = rng.integers(0, 2, (3, 60))
    return [(y, y + rng.normal(size=60).round(1)) for y in truths]


def pooled() -> Any:
    """Return counts of three sites whose names HTML would take for tags."""
    return rs.pool([rs.sketch(*one, site=f"<b>{k}") for k, one in enumerate(batches())])


COUNTED: dict[str, Callable[[], Any]] = {
    "Monitoring": lambda: rs.monitor(batches()),
    "StratifiedAuc": lambda: rs.stratified_auc(pooled()),
    "StratifiedAuc, inverse": lambda: rs.stratified_auc(pooled(), weights="inverse_variance"),
}


def survival(name: str = "<b>") -> Any:
    """Return a survival sample with a marker whose name HTML would take for a tag."""
    rng = np.random.default_rng(1)
    score, noise = rng.normal(size=(2, 60))
    event, end = rng.exponential(size=60) * np.exp(-score), rng.exponential(size=60)
    frame = {"t": np.minimum(event, end), "d": (event <= end).astype(int)}
    frame |= {name: score, "other": score + noise}
    return rs.SurvivalSample.from_frame(frame, "t", "d", [name, "other"])


def grouped() -> Any:
    """Return labels, scores and a group, for areas by group."""
    y = np.arange(80) % 2
    return y, np.random.default_rng(1).normal(size=80) + y, np.arange(80) // 2 % 2


def homogeneity() -> Any:
    y, score, group = grouped()
    return rs.auc(y, score, adjust_for=group).homogeneity


GROUPS: dict[str, Callable[[], Any]] = {
    "GroupFairness": lambda: rs.group_fairness(*grouped()[:2], group=grouped()[2], threshold=0.5),
    "ScoreTest": lambda: rs.group_fairness(
        *grouped()[:2], group=grouped()[2], threshold=0.5
    ).gaps()[2],
    "Homogeneity": homogeneity,
    "StratumValue": lambda: homogeneity().strata[0],
}
SURVIVAL: dict[str, Callable[[], Any]] = {
    "EstimatesAt": lambda: rs.auc_at(survival(), times=[0.2, 0.5]),
    "EstimateAt": lambda: rs.auc_at(survival(), times=0.5)[0],
    "EstimatesAt, concordance": lambda: rs.concordance(survival()),
    "EstimatesAt, Uno": lambda: rs.concordance(survival(), "uno"),
    "EstimatesAt, rates": lambda: rs.operating_points_at(survival(), 0.5, {"<b>": [0.0, 1.0]}),
    "Comparison, at times": lambda: rs.compare_at(survival(), times=[0.2, 0.5]),
    "AucBand": lambda: rs.auc_at(survival(), times=[0.2, 0.5]).band(n_resamples=100),
    "RocCurveAt": lambda: rs.roc_curve_at(survival(), 0.5, marker="<b>"),
}


def classes() -> Any:
    """Return three classes, of which one has a name that HTML would take for a tag."""
    truth = np.array(["<b>", "u", "v"])[np.arange(12) % 3]
    chance = np.linspace(0.1, 0.9, 12)
    table = np.stack([chance, 1.0 - chance, np.full(12, 0.5)], axis=1)
    return rs.multiclass_auc(truth, table, labels=["<b>", "u", "v"])


def selection() -> Any:
    from sklearn.dummy import DummyClassifier

    inputs, truth = np.arange(40.0)[:, None], np.arange(40) % 2
    models = {
        "<b>": DummyClassifier(),
        "other": DummyClassifier(strategy="uniform", random_state=1),
    }
    return rs.select_model(models, inputs, truth, by=("auc", "sauc"), n_repeats=2, rng=1, n_jobs=1)


def power() -> Any:
    design = rs.two_sample_design("normal", effect=0.5, n_pos=10, n_neg=10)
    return rs.power_study(design, n_replicates=20, rng=1, n_jobs=1)


def paper() -> Any:
    from rocstats.papers.paper import Settings
    from rocstats.papers.papers_by_name import PAPERS

    return PAPERS["fawcett-2006"].run(Settings(quick=True))


OTHERS: dict[str, Callable[[], Any]] = {
    "MulticlassAuc": classes,
    "ClassPair": lambda: classes().pairs[0],
    "TwoSampleResult": lambda: rs.two_sample_test([1, 2, 3, 4.5], [0, 1, 2.5, 2]),
    "TwoSampleResult, no interval": lambda: rs.two_sample_test([1, 2], [0, 3], statistic="ks"),
    "PowerResult": lambda: rs.power_auc(auc=0.8, n_pos=20, n_neg=30),
    "PowerResult, precision": lambda: rs.sample_size_auc(auc=0.8, half_width=0.1),
    "SimulatedPower": lambda: rs.power_auc(auc=0.8, n_pos=20, n_neg=30).simulate(
        n_replicates=20, rng=1
    ),
    "PairedRatePlan": lambda: rs.power_tests(0.9, 0.8, n=100, discordant=0.2),
    "PairedRatePlan, margin": lambda: rs.sample_size_tests(
        0.9, 0.9, correlation=0.3, margin=0.1, aim="equivalence", prevalence=0.2
    ),
    "PowerResult, sAUC": lambda: rs.power_sauc(0.8, n_pos=20, n_neg=30),
    "BinormalSauc": lambda: rs.binormal_sauc(0.8, sd_pos=1.5),
    "BinormalSauc, no spread": lambda: rs.binormal_sauc(0.8, sd_pos=0, sd_neg=0),
    "MeasureComparison": lambda: rs.compare_measures("auc", "accuracy", n_pos=3, n_neg=3),
    "MeasureComparison, huge": lambda: rs.compare_measures("auc", "accuracy", n_pos=30, n_neg=30),
    "ModelSelection": selection,
    "CriteriaContrast": lambda: selection().compare("auc", "sauc"),
    "PowerStudy": power,
    "TwoSampleDesign": lambda: power().cells[0].design,
    "PaperResult": paper,
    "PaperTable": lambda: paper().tables[0],
    "Claim": lambda: paper().claims[0],
    "BenchSet": lambda: BenchSet(
        name="<b>",
        title="A set",
        columns=("x",),
        levels=(0,),
        X=np.array([[1.0], [2.0]]),
        target=np.array([0, 1]),
        classes=("no", "yes"),
        y=np.array([False, True]),
        grouping="yes against no",
        source="a rule",
        sha256="0",
    ),
    "DataUse": lambda: DataUse(name="<b>", n=3, n_pos=1, source="a rule", sha256="0"),
}


def _on_every_sample(makers: Mapping[str, Callable[[str], Any]]) -> dict[str, Callable[[], Any]]:
    return {
        f"{kind}: {name}": lambda make=make, name=name: make(name)
        for kind, make in makers.items()
        for name in SCORES
    }


ANSWERS: dict[str, Callable[[], Any]] = {
    **_on_every_sample(ESTIMATES),
    **OTHERS,
    **GROUPS,
    **_on_every_sample(CURVES),
    **SMOOTH,
    **_on_every_sample(RESAMPLING),
    **_on_every_sample(THRESHOLDS),
    **_on_every_sample(PROBABILITIES),
    "OperatingPoints: many": lambda: rs.operating_points([0, 1] * 20, np.arange(40) / 40),
    "OperatingPoints: clusters": lambda: rs.operating_points(clustered()),
    "BootstrapResult: clusters": lambda: rs.bootstrap(rs.auc(clustered()), resampling=FEW),
    **READERS,
    **COUNTED,
    **SURVIVAL,
}


# ---- tests


@cache
def answer(name: str) -> Any:
    """Return a result, made once; what it warns of is tested elsewhere."""
    return ANSWERS[name]()


def said(stated: Statement) -> Iterator[str]:
    """Return every line of head and notes, those of the parts too."""
    for part in stated.parts:
        yield from said(part)
    for text in (stated.head, *stated.notes):
        yield from text.splitlines()


def result_types() -> set[type]:
    """Return every class of the rooms that renders itself."""
    found = set()
    for room in ROOMS:
        package = importlib.import_module(f"rocstats.{room}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            members = vars(importlib.import_module(module.name)).values()
            found |= {
                member
                for member in members
                if inspect.isclass(member)
                and member.__module__ == module.name
                and hasattr(member, "to_dict")
            }
    return found


def test_every_result_type_of_the_rooms_is_an_answer_and_is_tried_here() -> None:
    types = result_types()
    assert [t.__name__ for t in types if not issubclass(t, Answer)] == []
    assert {t.__name__ for t in types} == {name.split(":")[0].split(",")[0] for name in ANSWERS}


pytestmark = pytest.mark.filterwarnings("ignore::rocstats.errors.RocstatsWarning")
each = pytest.mark.parametrize("name", ANSWERS)


@each
def test_a_result_type_renders_nothing_itself(name: str) -> None:
    kind = type(answer(name))
    assert issubclass(kind, Answer)
    assert kind.__name__ == name.split(":")[0].split(",")[0]
    assert [word for word in RENDERINGS if word in vars(kind)] == []


@each
def test_to_dict_is_valid_json(name: str) -> None:
    found = answer(name).to_dict()
    assert json.loads(json.dumps(found, allow_nan=False)) == found


@each
def test_the_notebook_says_what_the_text_says(name: str) -> None:
    found = answer(name)
    text, page = repr(found), found._repr_html_()
    lines = list(said(found._noted()))
    assert lines or "<table>" in page
    assert [line for line in lines if line not in text] == []
    assert [line for line in lines if line not in html.unescape(page)] == []
    assert ("<table>" in page) >= (len(text.splitlines()) > len(lines))  # a table of the text


@each
def test_html_is_escaped(name: str) -> None:
    page = answer(name)._repr_html_()
    assert "<b>" not in page
    assert ("<b>" in repr(answer(name))) <= ("&lt;b&gt;" in page)


@each
def test_to_frame_has_rows_with_the_names_of_the_statement(name: str) -> None:
    found = answer(name)
    frame, tidy = found.to_frame(), found.statement().tidy
    assert len(frame) == len(tidy) > 0
    assert list(frame.columns) == list(dict.fromkeys(name for row in tidy for name in row))


# ----------------------------------------------------------------------------------- what they say


def test_nan_and_infinity_are_kept_in_frames_and_none_in_json() -> None:
    curve = answer("RocCurve: mixed")
    assert math.isinf(curve.to_frame()["threshold"][0])
    assert curve.to_dict()["threshold"][0] is None
    assert curve.to_dict()["threshold"][1:] == curve.threshold[1:].tolist()
    corner = answer("HullVertex: mixed")
    assert (corner.to_dict()["threshold"], corner.to_dict()["slope_high"]) == ([None], None)
    assert math.isinf(corner.to_frame()["slope_high"][0])
    assert corner.to_frame()["owner"].tolist() == ["none"]


def test_a_small_value_reads_as_python_writes_it() -> None:
    assert repr(answer("CurvePoint: mixed")) == "CurvePoint(fpr=0.5, tpr=0.9)"
    assert answer("CurvePoint, several: mixed").to_frame()["fpr"].tolist() == [0.25, 0.5]
    point = answer("PrecisionRecallPoint: mixed")
    assert repr(point) == "PrecisionRecallPoint(recall=0.0, precision=nan, threshold=2.0)"
    assert point.to_dict() == {"recall": 0.0, "precision": None, "threshold": 2.0}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Cutpoint: mixed", "Exploratory cutpoint"),
        ("Cutpoint: mixed", "optimism: sensitivity"),
        ("BootstrapResult: mixed", "bootstrap of subjects within classes; 100 resamples"),
        ("PermutationResult: mixed", "null hypothesis: exchangeable scores"),
        ("OperatingPoints: clusters", "intervals that count 5 clusters"),
        ("OperatingPoints: many", "(29 points between are not shown)"),
        ("FixedRate: mixed", "the threshold is estimated"),
        ("Calibration: mixed", "Intercept 0 and slope 1, likelihood ratio"),
        ("BinormalFit", "maximum likelihood"),
    ],
)
def test_the_notebook_tells_counts_methods_and_warnings(name: str, words: str) -> None:
    assert words in html.unescape(answer(name)._repr_html_())


def test_no_points_are_a_head_line_and_an_empty_table() -> None:
    none = rs.operating_points(sample("mixed")).select([False] * 9)
    assert repr(none).startswith("0 operating points of <b>")
    assert none._repr_html_().startswith("<p>0 operating points of &lt;b&gt;")
    assert none.to_dict()["points"] == []
    assert none.to_frame().empty


# ----------------------------------------------------------------------------------- the mechanism


def test_what_is_costly_is_made_once_and_only_when_looked_at() -> None:
    made = []

    def make() -> dict[str, Any]:
        made.append(1)
        return {"a": np.array([1.0, math.nan])}

    rows = Later(make)
    stated = Statement(head="Head.", rows=rows, content=rows)
    assert stated.as_text() == "Head."
    assert not made
    assert stated.as_dict() == {"a": [1.0, None]}
    pd.testing.assert_frame_equal(stated.as_frame(), pd.DataFrame({"a": [1.0, math.nan]}))
    assert len(rows) == len(made) == 1


def test_a_look_at_many_operating_points_computes_few(monkeypatch: pytest.MonkeyPatch) -> None:
    points = answer("OperatingPoints: many")
    kind, sizes = type(points), []
    columns = kind.with_limits

    def spied(self: Any, measures: Any) -> Any:
        sizes.append(self.threshold.size)
        return columns(self, measures)

    monkeypatch.setattr(kind, "with_limits", spied)
    assert repr(points)
    assert points._repr_html_()
    assert max(sizes) <= 12 < points.threshold.size


def test_columns_are_shown_as_rows_are() -> None:
    columns = {"a": np.array([1, 2]), "b": ["x", "y"]}
    by_column = Statement(rows=columns, shown=("b", "a"))
    by_row = Statement(rows=tidy_rows(columns), shown=("b", "a"))
    assert by_column.as_text() == by_row.as_text() == "b  a\nx  1\ny  2"
    assert by_column.as_html() == by_row.as_html()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.array([1.0, -math.inf, math.nan]), [1.0, None, None]),
        (np.array([[1.0, math.inf], [2.0, 3.0]]), [[1.0, None], [2.0, 3.0]]),
        (np.array([1, 2], dtype=np.uint8), [1, 2]),
        (np.array([True, False]), [True, False]),
        (np.array([0.5, math.nan], dtype=np.float16), [0.5, None]),
        (np.array([0.5, math.nan], dtype=np.longdouble), [0.5, None]),
        (np.array(["a", None, 2.0, math.inf], dtype=object), ["a", None, 2.0, None]),
        (np.array(math.nan), None),
        (np.float64(0.25), 0.25),
        (np.array([]), []),
        ([1, 0.5, math.nan, "a", None, True, [math.inf]], [1, 0.5, None, "a", None, True, [None]]),
        ({1: (1.0, math.inf)}, {"1": [1.0, None]}),
        (pd.Series([1.0, math.nan]), [1.0, None]),
        (PlainRows({"a": np.array([1.0, math.nan])}), [{"a": 1.0}, {"a": None}]),
    ],
)
def test_plain_values_hold_finite_numbers_and_words_only(value: Any, expected: Any) -> None:
    found = plain(value)
    assert found == expected
    assert json.dumps(found, allow_nan=False) == json.dumps(expected)


def test_infinity_may_be_a_word() -> None:
    values = np.array([1.0, -math.inf, math.inf, math.nan])
    assert plain(values, infinity="Infinity") == [1.0, "-Infinity", "Infinity", None]


@each
def test_18_05_every_result_is_a_table_of_latex_whose_cells_are_text(name: str) -> None:
    found = answer(name)
    text = found.to_latex()
    assert text.count("\\toprule") == text.count("\\begin{tab") / 2 + text.count(
        "\\begin{longtable}"
    )
    assert "<b>" not in text
    for line in text.splitlines():
        if line.endswith(r" \\") and " & " in line:
            assert "nan" not in line.split(" & ")
