"""Every public call that takes rows of data, with a study of any size to give it.

`benchmarks.memory` counts the bytes a row of each, `benchmarks.growth` how its time grows; and
``tests/test_memory.py`` holds each to its bytes and the table to the public names.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

import rocstats as rs

__all__ = ["BESIDE_ROWS", "CALLS", "Call", "Study"]

FEW = rs.Permutation(n_resamples=100)
DRAWN = rs.Bootstrap(n_resamples=100)
HOURS = (0.5, 1.0)
CUTS = {"x": 0.0, "z": 0.0}


@dataclass(frozen=True, kw_only=True)
class Study:
    """Patients with ten markers, the first a probability, and whatever else calls are given."""

    n: int

    def gather(self) -> None:
        """Make all data, so that no call is charged for them."""
        for name, value in vars(type(self)).items():
            if isinstance(value, cached_property):
                getattr(self, name)

    @cached_property
    def ten(self) -> rs.ScoredSample:
        """All ten markers."""
        rng = np.random.default_rng(20)
        y = rng.random(self.n) < 0.4
        common = rng.normal(size=self.n) + y
        markers = {f"m{k}": rng.normal(size=self.n) + common for k in range(10)}
        markers["m0"] = 1.0 / (1.0 + np.exp(0.5 - markers["m0"]))
        return rs.ScoredSample.from_arrays(y, markers)

    @property
    def one(self) -> rs.ScoredSample:
        """The first marker, sorted by nobody yet."""
        return self.ten.only(0)

    @property
    def two(self) -> rs.ScoredSample:
        """The first two markers, sorted by nobody yet."""
        return self.ten.only([0, 1])

    @cached_property
    def site(self) -> np.ndarray:
        """One of five sites for each patient."""
        return np.arange(self.n) % 5

    @cached_property
    def weights(self) -> np.ndarray:
        """Probability weights."""
        return np.random.default_rng(21).uniform(0.5, 2.0, self.n)

    @property
    def halves(self) -> tuple[rs.Estimate, rs.Estimate]:
        """The areas of two groups of patients."""
        y, s = self.ten.positive, self.ten.scores[0]
        half = self.n // 2
        return rs.auc(y[:half], s[:half]), rs.auc(y[half:], s[half:])

    @cached_property
    def groups(self) -> tuple[np.ndarray, np.ndarray]:
        """Measurements of two groups."""
        rng = np.random.default_rng(22)
        return rng.normal(size=self.n // 2), rng.normal(0.01, size=self.n - self.n // 2)

    @cached_property
    def classes(self) -> tuple[np.ndarray, np.ndarray]:
        """One of three classes, and the probabilities of all three."""
        rng = np.random.default_rng(23)
        y = rng.integers(0, 3, self.n)
        raw = np.exp(rng.normal(size=(self.n, 3)) + np.eye(3)[y])
        return y, raw / raw.sum(axis=1, keepdims=True)

    @cached_property
    def survival(self) -> rs.SurvivalSample:
        """Times to an event, often censored, and two markers."""
        rng = np.random.default_rng(24)
        x = rng.normal(size=self.n)
        event = rng.exponential(size=self.n) * np.exp(-0.7 * x)
        end = 2.0 * rng.exponential(size=self.n)
        frame = {"time": np.minimum(event, end), "event": (event <= end).astype(int)}
        frame |= {"x": x, "z": x + rng.normal(size=self.n)}
        return rs.SurvivalSample.from_frame(frame, time="time", event="event", markers=["x", "z"])

    @cached_property
    def readings(self) -> rs.ReaderStudy:
        """Three readers and two tests: a row is a reading, six of a case."""
        rng = np.random.default_rng(25)
        cases = self.n // 6
        y = np.arange(cases) % 2
        base = y + rng.normal(size=cases)
        frame = {
            "test": np.repeat(["a", "b"], 3 * cases),
            "reader": np.tile(np.repeat(["r", "s", "t"], cases), 2),
            "case": np.tile(np.arange(cases), 6),
            "truth": np.tile(y, 6),
            "rating": np.concatenate([base + rng.normal(size=cases) for _ in range(6)]),
        }
        names = {name: name for name in ("test", "reader", "case", "rating")}
        return rs.ReaderStudy.from_frame(frame, outcome="truth", pos_label=1, **names)


Call = Callable[[Study], Any]

# What is done with a study, and the bytes a row that it may take beyond it.
CALLS: Mapping[str, tuple[Call, int]] = {
    "auc": (lambda s: rs.auc(s.one), 30),
    "auc, interval": (lambda s: rs.auc(s.one).confidence_interval(), 30),
    "auc, weights": (lambda s: rs.auc(s.ten.positive, s.ten.scores[0], weights=s.weights), 160),
    "sauc": (lambda s: rs.sauc(s.one), 60),
    "smauc": (lambda s: rs.smauc(s.one, midpoint="class_mean"), 60),
    "partial_auc": (lambda s: rs.partial_auc(s.one, fpr=(0.0, 0.1)), 30),
    "estimate": (lambda s: rs.estimate(s.one), 60),
    "gini": (lambda s: rs.gini(s.one), 30),
    "cv_auc": (lambda s: rs.cv_auc(s.ten.positive, s.ten.scores[0], folds=s.site), 100),
    "average_precision": (lambda s: rs.average_precision(s.one), 80),
    "brier_score": (lambda s: rs.brier_score(s.one), 70),
    "calibration": (lambda s: rs.calibration(s.one), 80),
    "calibration_curve": (lambda s: rs.calibration_curve(s.one), 40),
    "decision_curve": (lambda s: rs.decision_curve(s.one), 50),
    "roc_curve": (lambda s: rs.roc_curve(s.one), 80),
    "roc_curves": (lambda s: rs.roc_curves(s.two), 120),
    "roc_hull": (lambda s: rs.roc_hull(s.one), 100),
    "roc_band, envelope": (lambda s: rs.roc_band(s.one, resampling=DRAWN), 140),
    "roc_band, bootstrap": (
        lambda s: rs.roc_band(s.one, method="bootstrap", resampling=DRAWN),
        110,
    ),
    "roc_band, binomial": (lambda s: rs.roc_band(s.one, method="binomial"), 140),
    "det_curve": (lambda s: rs.det_curve(s.one), 80),
    "sroc_curve": (lambda s: rs.sroc_curve(s.one), 80),
    "smroc_curve": (lambda s: rs.smroc_curve(s.one), 100),
    "midpoint_curve": (lambda s: rs.midpoint_curve(s.one), 240),
    "precision_recall_curve": (lambda s: rs.precision_recall_curve(s.one), 70),
    "binormal_fit": (lambda s: rs.binormal_fit(s.one), 100),
    "kernel_curve": (lambda s: rs.kernel_curve(s.one), 30),
    "average_curves": (lambda s: rs.average_curves(s.one, folds=s.site), 130),
    "pooled_curve": (lambda s: rs.pooled_curve(s.one, folds=s.site), 100),
    "operating_points": (lambda s: rs.operating_points(s.one), 90),
    "optimal_cutpoint": (lambda s: rs.optimal_cutpoint(s.one, resampling=DRAWN), 100),
    "sensitivity_at": (
        lambda s: rs.sensitivity_at(s.one, specificity=0.9, resampling=DRAWN),
        70,
    ),
    "specificity_at": (
        lambda s: rs.specificity_at(s.one, sensitivity=0.9, resampling=DRAWN),
        90,
    ),
    "compare of 2, pairwise": (lambda s: rs.compare(s.two).pairwise(), 100),
    "compare of 10, pairwise": (lambda s: rs.compare(s.ten).pairwise(), 160),
    "compare_independent": (lambda s: rs.compare_independent(*s.halves), 150),
    "cv_compare": (
        lambda s: rs.cv_compare(
            s.ten.positive, dict(zip("ab", s.ten.scores[:2], strict=True)), folds=s.site
        ),
        120,
    ),
    "group_fairness": (
        lambda s: rs.group_fairness(s.ten.positive, s.ten.scores[0], group=s.site),
        300,
    ),
    "compare_tests": (
        lambda s: rs.compare_tests(s.two, thresholds={"m0": 0.5, "m1": 0.5}).to_dict(),
        140,
    ),
    "bootstrap of auc": (lambda s: rs.bootstrap(rs.auc(s.one), resampling=DRAWN), 120),
    "permutation_test": (lambda s: rs.permutation_test(s.two, resampling=FEW), 100),
    "venkatraman_test": (lambda s: rs.venkatraman_test(s.two, resampling=FEW), 150),
    "venkatraman_test_independent": (
        lambda s: rs.venkatraman_test_independent(*s.halves, resampling=FEW),
        70,
    ),
    "two_sample_test": (lambda s: rs.two_sample_test(*s.groups, resampling=FEW), 130),
    "two_sample_test, auc": (lambda s: rs.two_sample_test(*s.groups, statistic="auc"), 80),
    "multiclass_auc": (lambda s: rs.multiclass_auc(*s.classes), 130),
    "compare_multiclass": (
        lambda s: rs.compare_multiclass(
            s.classes[0], {"a": s.classes[1], "b": s.classes[1][:, ::-1]}
        ),
        180,
    ),
    "auc_at": (lambda s: rs.auc_at(s.survival, times=HOURS), 220),
    "compare_at": (lambda s: rs.compare_at(s.survival, times=HOURS), 220),
    "concordance": (lambda s: rs.concordance(s.survival), 260),
    "concordance, uno": (lambda s: rs.concordance(s.survival, "uno", tau=2.0), 260),
    "roc_curve_at": (lambda s: rs.roc_curve_at(s.survival, 1.0, marker="x"), 110),
    "operating_points_at": (lambda s: rs.operating_points_at(s.survival, HOURS, CUTS), 340),
    "compare_readers": (lambda s: rs.compare_readers(s.readings), 40),
    "compare_to_readers": (lambda s: rs.compare_to_readers(s.readings, ai="r", test="a"), 80),
}

# Public functions that take no rows of data, or whose work is by something else.
BESIDE_ROWS = {
    "objects and settings": "Criterion partial_area scored_auc smooth_auc pairwise_kernel "
    "two_sample_design mix_classifiers accuracy_at f1_at lift_at profit_at",
    "counts, or a few numbers": "compare_counts corrected_t_test pitman_efficiency binormal_sauc "
    "power_tests sample_size_tests power_auc sample_size_auc power_sauc sample_size_sauc "
    "power_readers sample_size_readers",
    "counts of scores, within their budget": "sketch pool site_moments stratified_auc monitor",
    "lists of their own": "random_class_lists random_lists means_given compare_measures",
    "simulations and learners": "select_model power_study",
    "files and pages, of which benchmarks.report tells": "check read report "
    "report_readers report_survival",
}
