"""Calls whose whole answers are recorded, room by room: every option once, and odd samples.

A line of `VARIED` is a call and, by option, what it is given in place of the default. The answer
must differ from that of the call alone: an option that is taken and then ignored is found so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import rocstats as rs

FEW = rs.Bootstrap(n_resamples=100, rng=1)
FEW_SWAPS = rs.Permutation(n_resamples=99, rng=1)


class Varied(NamedTuple):
    """A call and what its options are given, one at a time; some are told with others."""

    make: Callable[..., Any]
    options: Mapping[str, Any]


class Several(tuple[Any, ...]):
    """Several values of one option, one at a time."""

    __slots__ = ()


class Together(dict[str, Any]):
    """Options that go together."""


# ------------------------------------------------------------------------------- what is given

RNG = np.random.default_rng(20261119)
N = 60
Y = (np.arange(N) % 5 < 2).astype(int)
LATENT = RNG.normal(size=N)
A = np.round(1.1 * Y + 0.7 * LATENT + RNG.normal(size=N), 1)
B = np.round(0.5 * Y + 0.7 * LATENT + RNG.normal(size=N), 1)
C = np.round(1.5 * Y - 0.4 * LATENT + RNG.normal(size=N), 1)
CHANCE = np.round(1.0 / (1.0 + np.exp(-1.2 * A)), 2)
CLUSTER = np.arange(N) // 3
GROUP = np.array(["east", "north", "west"])[np.arange(N) // 5 % 3]
WEIGHTS = 1.0 + np.arange(N) % 4
FOLDS = np.arange(N) // 5 % 4
GAPS = np.where(np.arange(N) % 17 == 3, np.nan, A)
THREE = {"a": A, "b": B, "c": C}
TWO = {"a": A, "b": B}


LEVEL = np.array(["a", "b", "c", "a", "a", "b"])[np.arange(N) % 6]
_raw = np.stack([A, B, C], axis=1) + 1.2 * np.eye(3)[np.arange(N) % 3]
SHARES = np.exp(_raw) / np.exp(_raw).sum(axis=1, keepdims=True)
NORMAL = rs.two_sample_design("normal", effect=0.5, n_pos=10, n_neg=10)


def readings(t: int = 2, r: int = 4, n: int = 30, seed: int = 4) -> dict[str, list[Any]]:
    """Return ratings of 1 to 5 of tests by readers."""
    rng = np.random.default_rng(seed)
    ill = np.arange(n) % 5 < 2
    case = rng.normal(size=n) + 1.2 * ill
    rows: dict[str, list[Any]] = {k: [] for k in ("test", "reader", "case", "ill", "rating", "who")}
    for i in range(t):
        for j in range(r):
            seen = case + 0.5 * i * ill + 0.2 * j * ill + rng.normal(size=n)
            for k in range(n):
                value = float(np.clip(np.round(seen[k] + 2.5), 1, 5))
                line = (f"m{i}", f"r{j}", k, int(ill[k]), value, k // 2)
                for name, one in zip(rows, line, strict=True):
                    rows[name].append(one)
    return rows


def flat(other: float = 0.0) -> dict[str, list[Any]]:
    """Return ratings that all readers share; the second test may be perfect."""
    rows = readings(2, 3, 20)
    first = rows["rating"][:20]
    second = [5.0 * ill for ill in rows["ill"][:20]] if other else first
    return rows | {"rating": [*first * 3, *second * 3]}


def kept(rows: dict[str, list[Any]], keep: Callable[[int], bool]) -> dict[str, list[Any]]:
    return {name: [v for k, v in enumerate(column) if keep(k)] for name, column in rows.items()}


def study(rows: dict[str, list[Any]] | None = None, **options: Any) -> rs.ReaderStudy:
    names = {"test": "test", "reader": "reader", "case": "case", "outcome": "ill"}
    return rs.ReaderStudy.from_frame(rows or readings(), **names, rating="rating", **options)


def survival(n: int = 70, *, competing: bool = False, **options: Any) -> rs.SurvivalSample:
    rng = np.random.default_rng(8)
    x, z = rng.normal(size=(2, n))
    event, end = rng.exponential(size=n) * np.exp(-x) * 8.0, rng.exponential(size=n) * 12.0
    time, code = np.minimum(event, end), (event <= end).astype(int)
    if competing:
        other = rng.exponential(size=n) * 12.0
        code, time = np.where(other < time, 2, code), np.minimum(time, other)
    frame = {"t": np.ceil(time), "d": code, "x": np.round(x, 1), "z": np.round(z + 0.5 * x, 1)}
    frame["g"] = np.arange(n) % 2
    frame["k"] = np.arange(n) // 2
    return rs.SurvivalSample.from_frame(frame, "t", "d", ["x", "z"], **options)


def frame_of_survival(**changed: Any) -> rs.SurvivalSample:
    rows = {"t": [1.0, 2, 3, 4, 5, 6, 7, 8], "d": [1, 0, 1, 1, 0, 0, 1, 0]}
    rows |= {"x": [9.0, 4, 5, 6, 2, 1, 3, 2], "g": [0, 1] * 4, "k": [0, 0, 1, 1, 2, 2, 3, 3]}
    return rs.SurvivalSample.from_frame(rows | changed.pop("rows", {}), "t", "d", "x", **changed)


def days(k: int = 5, *, step: float = 0.35) -> list[tuple[Any, Any]]:
    rng = np.random.default_rng(3)
    found = []
    for i in range(k):
        y = rng.random(60) < 0.4
        found.append((y.astype(int), np.round((1.8 - step * i) * y + rng.normal(size=60), 1)))
    return found


def sites(**options: Any) -> list[Any]:
    return [rs.sketch(*day, site=f"s{i}", **options) for i, day in enumerate(days(3))]


def halves() -> list[rs.ScoredSample]:
    """Return the subjects of two sites."""
    both = rs.ScoredSample.from_arrays(Y, TWO)
    return [both.subset(np.arange(N) < 30), both.subset(np.arange(N) >= 30)]


def two_sites() -> list[Any]:
    return [rs.sketch(half, site=f"s{i}") for i, half in enumerate(halves())]


PILOT = {"var": 2e-3, "cov1": 1e-3, "cov2": 1e-3, "cov3": 8e-4, "var_test_reader": 2e-4}
PILOT |= {"cases": 80}


def tests_of(**options: Any) -> Any:
    cuts = {"thresholds": {"a": 0.6, "b": 0.4}} | options
    return rs.compare_tests(Y, TWO, **cuts)


def counts_of(**options: Any) -> Any:
    given = {"diseased": [[30, 8], [3, 4]], "healthy": [[4, 9], [5, 60]]} | options
    return rs.compare_counts(**given)


def fairness(**options: Any) -> Any:
    return rs.group_fairness(Y, A, **({"group": GROUP, "threshold": 0.6} | options))


def watched(stream: Any = None, **options: Any) -> Any:
    return rs.monitor(stream or days(), **options)


def with_nan(**options: Any) -> Any:
    return rs.auc(Y, GAPS, nan_policy="omit", **options)


VARIED: dict[str, dict[str, Varied]] = {
    "readers": {
        "study": Varied(
            study,
            {
                "cluster": "who",
                "pos_label": 0,
                "rows": Several(
                    (
                        kept(readings(), lambda k: k % 13 != 5),
                        readings(1, 3),
                        readings(3, 2),
                        readings(2, 1),
                        kept(readings(2, 4), lambda k: (k // 30 % 4 < 2) == (k < 120)),
                    )
                ),
            },
        ),
        "compare": Varied(
            lambda **o: rs.compare_readers(study(), **o),
            {
                "measure": Several(("sauc",)),
                "readers": "fixed",
                "cases": "fixed",
                "covariance": Several(("jackknife", "unbiased")),
                "method": "ustat",
                "sens": Together(measure="sensitivity", threshold=3),
                "spec": Together(measure="specificity", threshold=3, covariance="jackknife"),
                "unbiased sens": Together(
                    measure="sensitivity", threshold=4, covariance="unbiased", readers="fixed"
                ),
                "few resamples": Together(covariance="bootstrap", resampling=FEW),
                "fixed ustat": Together(method="ustat", readers="fixed"),
            },
        ),
        "low": Varied(lambda **o: rs.compare_readers(study(higher_is_positive=False), **o), {}),
        "clustered": Varied(
            lambda **o: rs.compare_readers(study(cluster="who"), **o),
            {"covariance": Together(covariance="bootstrap", resampling=FEW), "readers": "fixed"},
        ),
        "gaps": Varied(
            lambda **o: rs.compare_readers(study(kept(readings(), lambda k: k % 13 != 5)), **o),
            {"missing": "complete_cases", "readers": "fixed"},
        ),
        "nested": Varied(
            lambda **o: rs.compare_readers(
                study(kept(readings(2, 4), lambda k: (k // 30 % 4 < 2) == (k < 120))), **o
            ),
            {"readers": "fixed", "cases": "fixed", "method": "ustat"},
        ),
        "three": Varied(lambda **o: rs.compare_readers(study(readings(3, 3)), **o), {}),
        "one test": Varied(lambda **o: rs.compare_readers(study(readings(1, 3)), **o), {}),
        "pairwise": Varied(
            lambda adjust="holm", **o: rs.compare_readers(study(readings(3, 3))).pairwise(
                adjust, **o
            ),
            {
                "adjust": Several(("none", "bonferroni")),
                "versus": "m1",
                "alternative": Several(("less", "greater")),
                "confidence_level": 0.9,
            },
        ),
        "reader differences": Varied(
            lambda adjust="none", **o: rs.compare_readers(study(readings(3, 3))).reader_differences(
                adjust, **o
            ),
            {
                "adjust": "holm",
                "versus": "m1",
                "alternative": Several(("less", "greater")),
                "confidence_level": 0.9,
            },
        ),
        "omnibus": Varied(lambda: rs.compare_readers(study(readings(3, 3))).omnibus(), {}),
        "report": Varied(
            lambda **o: (
                rs.report_readers(
                    rs.compare_readers(study(readings(3, 3)), **o.pop("how", {})), **o
                ).facts
            ),
            {
                "margin": Together(margin=0.05, new="m0", standard="m1"),
                "equivalence": Together(equivalence=0.3, new="m0", standard="m1"),
                "adjust": "none",
                "confidence_level": 0.8,
                "fixed": Together(how={"readers": "fixed"}),
                "sensitivity": Together(how={"measure": "sensitivity", "threshold": 3}),
            },
        ),
        "report of a program": Varied(
            lambda **o: (
                rs.report_readers(
                    rs.compare_to_readers(study(), "r3", test="m1", **o.pop("how", {})), **o
                ).facts
            ),
            {
                "margin": Together(how={"margin": 0.1}),
                "wide": Together(how={"margin": 0.4}),
                "confidence_level": 0.8,
                "fixed": Together(how={"readers": "fixed"}),
            },
        ),
        "all say the same": Varied(
            lambda **o: rs.compare_readers(study(flat()), **o), {"readers": "fixed"}
        ),
        "all say the same, tested": Varied(
            lambda name="pairwise", **o: getattr(rs.compare_readers(study(flat())), name)(**o),
            {
                "name": Several(("omnibus", "reader_differences")),
                "margin": Together(name="noninferiority", margin=0.1),
                "equal": Together(name="equivalence", margin=0.1),
            },
        ),
        "one is perfect": Varied(
            lambda name="pairwise", **o: getattr(rs.compare_readers(study(flat(1.0))), name)(**o),
            {
                "name": Several(("omnibus", "reader_differences")),
                "margin": Together(name="noninferiority", margin=0.1),
            },
        ),
        "omnibus of any design": Varied(
            lambda **o: rs.compare_readers(study(readings(3, 3)), method="ustat", **o).omnibus(),
            {"readers": "fixed"},
        ),
        "omnibus of cases": Varied(
            lambda: rs.compare_readers(study(readings(3, 3)), readers="fixed").omnibus(), {}
        ),
        "noninferiority": Varied(
            lambda margin=0.05, **o: rs.compare_readers(study()).noninferiority(margin, **o),
            {
                "margin": 0.2,
                "significance": 0.1,
                "turned": Together(new="m1", standard="m0"),
            },
        ),
        "superiority": Varied(
            lambda margin=0.01, **o: rs.compare_readers(study()).superiority(margin, **o),
            {"margin": 0.2, "significance": 0.1, "turned": Together(new="m1", standard="m0")},
        ),
        "equivalence": Varied(
            lambda margin=0.05, **o: rs.compare_readers(study()).equivalence(margin, **o),
            {"margin": 0.4, "significance": 0.1, "turned": Together(new="m1", standard="m0")},
        ),
        "alone": Varied(
            lambda ai="r3", **o: rs.compare_to_readers(study(), ai, **({"test": "m1"} | o)),
            {
                "ai": "r0",
                "margin": 0.1,
                "wide": Together(margin=0.3),
                "measure": "sauc",
                "sens": Together(measure="sensitivity", threshold=3),
                "test": "m0",
                "readers": "fixed",
                "cases": "fixed",
                "covariance": Several(("jackknife", "unbiased")),
                "few resamples": Together(covariance="bootstrap", resampling=FEW),
                "alternative": Several(("less", "greater")),
            },
        ),
        "alone, margins": Varied(
            lambda margin=0.1, **o: rs.compare_to_readers(study(), "r3", test="m1").noninferiority(
                margin, **o
            ),
            {"margin": 0.3, "significance": 0.2},
        ),
        "alone, better": Varied(
            lambda margin=0.01, **o: rs.compare_to_readers(study(), "r3", test="m1").superiority(
                margin, **o
            ),
            {"margin": 0.3, "significance": 0.2},
        ),
        "alone, by reader": Varied(
            lambda adjust="none", **o: rs.compare_to_readers(
                study(), "r3", test="m1"
            ).reader_differences(adjust, **o),
            {
                "adjust": "holm",
                "alternative": Several(("less", "greater")),
                "confidence_level": 0.9,
            },
        ),
        "power": Varied(
            lambda **o: rs.power_readers(
                PILOT, **({"difference": 0.05, "readers": 5, "cases": 100} | o)
            ),
            {
                "difference": 0.03,
                "readers": Several((8, [5, 9])),
                "cases": Several((200, [100, 300])),
                "margin": 0.05,
                "significance": 0.01,
                "random": Several(("readers", "cases")),
                "pilot_cases": 60,
                "none": Together(difference=0.0, margin=0.04),
            },
        ),
        "size": Varied(
            lambda **o: rs.sample_size_readers(PILOT, **({"difference": 0.05, "readers": 8} | o)),
            {
                "difference": 0.06,
                "readers": 12,
                "cases": Together(readers=None, cases=200),
                "power": 0.9,
                "margin": 0.02,
                "significance": 0.1,
                "random": "cases",
                "pilot_cases": 60,
            },
        ),
    },
    "survival": {
        "sample": Varied(
            survival,
            {
                "competing": True,
                "cluster": "k",
                "censoring_strata": "g",
                "higher_is_positive": {"z": False},
            },
        ),
        "small": Varied(
            frame_of_survival,
            {
                "event_of_interest": Together(event_of_interest=0, censored=1),
                "censored": None,
                "nan_policy": Together(nan_policy="omit", rows={"x": [9, 4, None, 6, 2, 1, 3, 2]}),
                "all events": Together(rows={"d": [1] * 8}),
                "censoring_strata": "g",
                "cluster": "k",
            },
        ),
        "auc": Varied(
            lambda times=(2, 6), **o: rs.auc_at(survival(competing=True), times, **o),
            {"times": Several((4, (6,))), "controls": "survivors"},
        ),
        "auc, small": Varied(
            lambda times=(2, 3, 6), **o: rs.auc_at(frame_of_survival(**o), times),
            {"cluster": "k", "censoring_strata": "g", "higher_is_positive": False},
        ),
        "auc, clustered": Varied(
            lambda **o: rs.auc_at(survival(cluster="k", **o), (2, 6)), {"censoring_strata": "g"}
        ),
        "compared": Varied(
            lambda times=(2, 6), **o: rs.compare_at(survival(competing=True), times, **o),
            {"times": 4, "controls": "survivors"},
        ),
        "concordance": Varied(
            lambda method="harrell", **o: rs.concordance(survival(), method, **o),
            {
                "method": "uno",
                "tau": 6.0,
                "uno to 6": Together(method="uno", tau=6.0),
                "fixed": Together(method="uno", censoring="fixed"),
            },
        ),
        "concordance, compared": Varied(
            lambda method="harrell": rs.concordance(survival(), method).compare().pairwise(),
            {"method": "uno"},
        ),
        "rates": Varied(
            lambda times=4, thresholds=None, **o: rs.operating_points_at(
                survival(competing=True), times, thresholds or {"x": [0.0, 0.5]}, **o
            ),
            {
                "times": [2, 6],
                "thresholds": {"x": 0.3, "z": [0.1, 9.0]},
                "controls": "survivors",
            },
        ),
        "band": Varied(
            lambda **o: rs.auc_at(survival(), (2, 4, 6)).band(**({"n_resamples": 200} | o)),
            {"confidence_level": 0.8, "n_resamples": 300, "rng": 2},
        ),
        "curve": Varied(
            lambda time=4, marker="x", **o: rs.roc_curve_at(
                survival(competing=True), time, marker, **o
            ),
            {"time": 6, "marker": "z", "controls": "survivors"},
        ),
        "report": Varied(
            lambda times=(2, 6), **o: (
                rs.report_survival(survival(competing=o.pop("competing", False)), times, **o).facts
            ),
            {
                "times": (4,),
                "competing": True,
                "survivors": Together(competing=True, controls="survivors"),
                "thresholds": {"x": 0.3},
                "tau": 5.0,
                "margin": Together(margin=0.2, new="x", standard="z"),
                "adjust": "none",
                "confidence_level": 0.8,
            },
        ),
        "report of one marker": Varied(
            lambda **o: rs.report_survival(frame_of_survival(**o), (2, 6)).facts,
            {
                "turned": Together(rows={"x": [1.0, 2, 3, 4, 5, 6, 7, 8]}),
                "low": Together(higher_is_positive=False),
                "censoring_strata": "g",
                "cluster": "k",
                "few lost": Together(rows={"d": [1, 1, 1, 1, 1, 0, 1, 1]}),
            },
        ),
        "perfect and constant": Varied(
            lambda times=3, **o: rs.auc_at(frame_of_survival(rows=o), times),
            {
                "perfect": Together(x=[8.0, 7, 6, 5, 4, 3, 2, 1]),
                "turned": Together(x=[1.0, 2, 3, 4, 5, 6, 7, 8]),
                "constant": Together(x=[1.0] * 8),
            },
        ),
        "perfect concordance": Varied(
            lambda method="harrell": rs.concordance(
                frame_of_survival(rows={"x": [8.0, 7, 6, 5, 4, 3, 2, 1]}), method
            ),
            {"method": "uno"},
        ),
        "all called": Varied(
            lambda cut=0.0: rs.operating_points_at(frame_of_survival(), 3, {"x": cut}),
            {"cut": 99.0},
        ),
        "curve at": Varied(
            lambda **o: rs.roc_curve_at(survival(), 4, "x").at(**(o or {"fpr": 0.2})), {"tpr": 0.8}
        ),
        "interval": Varied(
            lambda level=0.95, **o: rs.auc_at(survival(), 4)[0].confidence_interval(level, **o),
            {"level": 0.8, "method": Several(("wald", "logit_t", "score"))},
        ),
        "intervals": Varied(
            lambda level=0.95, **o: [
                row.confidence_interval(level, **o).to_dict()
                for row in rs.auc_at(survival(), (2, 6))
            ],
            {"level": 0.8, "method": "wald"},
        ),
    },
    "data": {
        "sketch": Varied(
            lambda **o: rs.sketch(Y, TWO, **o),
            {
                "least_count": 5,
                "cuts": [0.0, 0.5, 1.0],
                "site": "leeds",
                "pos_label": 0,
                "higher_is_positive": {"a": False},
                "budget": 20,
            },
        ),
        "pool": Varied(lambda **o: rs.estimate(rs.pool(sites(**o))), {"least_count": 5}),
        "pool, repr": Varied(lambda **o: rs.pool(sites(**o)), {"least_count": 5}),
        "moments": Varied(
            lambda measure="auc": rs.compare(
                rs.pool(
                    two_sites(),
                    moments=[
                        rs.site_moments(both, rs.pool(two_sites()), site=f"s{i}", measure=measure)
                        for i, both in enumerate(halves())
                    ],
                ),
                measure=measure,
            ),
            {"measure": "sauc"},
        ),
        "table": Varied(
            lambda **o: rs.estimate(
                rs.ScoredTable.scan(
                    pd.DataFrame({"y": Y, "a": A, "b": B, "k": CLUSTER, "w": WEIGHTS}),
                    "y",
                    ["a", "b"],
                    **o,
                )
            ),
            {
                "pos_label": 0,
                "cluster": "k",
                "weights": Together(weights="w", weight_kind="frequency"),
                "higher_is_positive": {"a": False},
                "exact": Together(exact=False, budget=20),
            },
        ),
        "sample": Varied(
            lambda **o: rs.ScoredSample.from_arrays(Y, TWO, **o),
            {
                "pos_label": 0,
                "weights": WEIGHTS,
                "strata": np.arange(N) % 3,
                "verified": np.arange(N) % 4 > 0,
                "higher_is_positive": {"b": False},
            },
        ),
    },
    "estimates": {
        "auc": Varied(
            lambda **o: rs.auc(Y, A, **o),
            {
                "pos_label": 0,
                "higher_is_positive": False,
                "weights": WEIGHTS,
                "kind": Together(weights=WEIGHTS, weight_kind="frequency"),
                "cluster": CLUSTER,
                "strata": np.arange(N) % 3,
                "verified": np.arange(N) % 4 > 0,
                "adjust_for": GROUP,
            },
        ),
        "gaps": Varied(with_nan, {}),
        "sauc": Varied(lambda **o: rs.sauc(Y, CHANCE, **o), {"bounds": (-1.0, 2.0)}),
        "smauc": Varied(
            lambda **o: rs.smauc(Y, CHANCE, **o),
            {
                "midpoint": Several((0.3, "paper", "class_mean")),
                "class_weight": Several(("balanced", 0.2)),
                "bounds": (-1.0, 2.0),
            },
        ),
        "partial": Varied(
            lambda **o: rs.partial_auc(Y, A, **(o if "tpr" in o else {"fpr": (0.0, 0.3)} | o)),
            {"fpr": (0.1, 0.5), "tpr": (0.7, 1.0), "standardized": True, "weights": WEIGHTS},
        ),
        "interval": Varied(
            lambda level=0.95, **o: rs.auc(Y, A).confidence_interval(level, **o),
            {"level": 0.8, "method": Several(("wald", "logit", "probit"))},
        ),
        "test": Varied(
            lambda null_value=0.6, **o: rs.auc(Y, A).test(null_value, **o),
            {"null_value": 0.9, "alternative": Several(("less", "greater"))},
        ),
        "cv": Varied(
            lambda **o: rs.cv_auc(Y, A, FOLDS, **o),
            {"variance": "ledell", "cluster": FOLDS},
        ),
        "variance": Varied(
            lambda method="delong": rs.auc(Y, A).variance(method),
            {"method": Several(("wu", "unbiased"))},
        ),
    },
    "inference": {
        "fairness": Varied(
            fairness,
            {
                "threshold": Several((None, 0.2, 9.0)),
                "group": np.array(["x", "y"])[np.arange(N) // 3 % 2],
                "cluster": np.arange(N) // 2,
                "pos_label": 0,
                "higher_is_positive": False,
            },
        ),
        "gaps": Varied(
            lambda **o: fairness().gaps(**o),
            {
                "adjust": "holm",
                "confidence_level": 0.8,
                "reference": Several(("t", "normal")),
            },
        ),
        "equality": Varied(
            lambda measure="auc": fairness().equality(measure),
            {"measure": Several(("xauc", "sensitivity", "specificity"))},
        ),
        "monitor": Varied(
            watched,
            {
                "window": 50,
                "baseline": Several((2, rs.sketch(*days(1)[0]))),
                "pos_label": 0,
                "higher_is_positive": False,
                "adjust": Several(("none", "bonferroni")),
                "n_planned": 9,
                "alternative": Several(("less", "greater")),
                "significance": 0.9,
                "budget": 10,
                "stream": Several(
                    (
                        [*days(2), ([1, 1, 1], [1.0, 2.0, 3.0]), ([1, 0, 0], [1.0, 2.0, 3.0])],
                        [days(1)[0], days(1)[0]],
                        [days(1)[0], ([1, 0], [1.0, 2.0])],
                    )
                ),
                "omit": Together(stream=[(Y, GAPS), (Y, A)], nan_policy="omit"),
                "confined": Together(stream=[(Y, TWO), (Y, TWO)], marker="b"),
            },
        ),
        "tests": Varied(
            tests_of,
            {
                "thresholds": {"a": 1.1, "b": 0.4},
                "design": "case-control",
                "truth": "comparator",
                "prespecified": False,
                "cluster": CLUSTER,
                "pos_label": 0,
                "higher_is_positive": {"b": False},
            },
        ),
        "three tests": Varied(
            lambda **o: rs.compare_tests(Y, THREE, {"a": 0.6, "b": 0.4, "c": 0.8}, **o),
            {"cluster": CLUSTER, "prespecified": False},
        ),
        "three tests, pairs": Varied(
            lambda adjust="holm", **o: rs.compare_tests(
                Y, THREE, {"a": 0.6, "b": 0.4, "c": 0.8}
            ).pairwise(adjust, **o),
            {
                "adjust": "none",
                "measures": Several((("sensitivity",), ("specificity",), ("ppv", "lr_neg"))),
                "versus": "a",
                "confidence_level": 0.8,
            },
        ),
        "three tests, omnibus": Varied(
            lambda measure="sensitivity", **o: rs.compare_tests(
                Y, THREE, {"a": 0.6, "b": 0.4, "c": 0.8}
            ).omnibus(measure, **o),
            {"measure": "specificity", "reference": "chi2"},
        ),
        "counts": Varied(
            counts_of,
            {
                "diseased": [[30, 0], [0, 4]],
                "healthy": [[0, 9], [0, 60]],
                "tests": ("new", "old"),
                "truth": "comparator",
                "design": "case-control",
                "screened": Together(
                    design="screen-positive",
                    diseased=[[30, 8], [3, None]],
                    healthy=[[4, 9], [5, None]],
                ),
            },
        ),
        "the same twice": Varied(
            lambda **o: rs.compare(Y, {"a": A, "b": A.copy()} | o.pop("more", {}), **o),
            {"more": {"c": C}, "cluster": CLUSTER},
        ),
        "the same twice, tested": Varied(
            lambda name="pairwise", **o: getattr(rs.compare(Y, {"a": A, "b": A.copy()}), name)(**o),
            {
                "name": "omnibus",
                "margin": Together(name="noninferiority", margin=0.1),
                "better": Together(name="superiority", margin=0.1),
                "equal": Together(name="equivalence", margin=0.1),
            },
        ),
        "perfect": Varied(
            lambda name="pairwise", **o: getattr(rs.compare(Y, {"a": Y + 0.1 * A, "b": B}), name)(
                **o
            ),
            {
                "name": "omnibus",
                "margin": Together(name="noninferiority", margin=0.1),
                "equal": Together(name="equivalence", margin=0.1),
            },
        ),
        "two perfect": Varied(
            lambda name="pairwise", **o: getattr(
                rs.compare(Y, {"a": 9.0 * Y + A, "b": 9.0 * Y + B}), name
            )(**o),
            {"name": "omnibus", "margin": Together(name="noninferiority", margin=0.1)},
        ),
        "perfect in a group": Varied(
            lambda **o: rs.group_fairness(Y, A + 9.0 * Y * (GROUP == "east"), GROUP, **o),
            {"threshold": 4.0},
        ),
        "perfect tests": Varied(
            lambda: rs.compare_tests(Y, {"a": Y, "b": Y}, {"a": 1, "b": 1}), {}
        ),
        "one of the tests perfect": Varied(
            lambda **o: rs.compare_tests(Y, {"a": Y, "b": B}, {"a": 1, "b": 0.4}, **o),
            {"cluster": CLUSTER},
        ),
        "windows that are the same": Varied(
            lambda **o: rs.monitor([(Y, A)] * 3, **o), {"alternative": "less"}
        ),
        "perfect windows": Varied(
            lambda **o: rs.monitor([(Y, A), (Y, Y), (Y, 1 - Y)], **o), {"alternative": "greater"}
        ),
        "perfect, independent": Varied(
            lambda **o: rs.compare_independent(rs.auc(Y, Y), rs.auc(Y, B), **o),
            {"alternative": "greater"},
        ),
        "rates interval": Varied(
            lambda level=0.95, **o: [
                getattr(counts_of(), name).confidence_interval(level, **o)
                for name in ("sensitivity", "specificity")
            ],
            {"level": 0.8, "method": Several(("wald", "newcombe", "bonett-price", "agresti-min"))},
        ),
        "rates ratio": Varied(
            lambda level=0.95, **o: [
                getattr(counts_of(), name).ratio_interval(level, **o)
                for name in ("sensitivity", "specificity")
            ],
            {"level": 0.8, "method": "wald"},
        ),
        "predictive": Varied(
            lambda level=0.95: [
                (
                    getattr(counts_of(), name).confidence_interval(level),
                    getattr(counts_of(), name).ratio_interval(level),
                )
                for name in ("ppv", "npv")
            ],
            {"level": 0.8},
        ),
        "predictive test": Varied(
            lambda name="ppv", **o: getattr(counts_of(), name).test(**o),
            {"name": "npv", "method": Several(("wald", "gs"))},
        ),
        "likelihood": Varied(
            lambda name="lr_pos", **o: getattr(counts_of(), name).ratio_interval(**o),
            {"name": "lr_neg", "confidence_level": 0.8},
        ),
        "likelihood test": Varied(
            lambda name="lr_pos", **o: getattr(counts_of(), name).test(**o), {"name": "lr_neg"}
        ),
        "noninferior rates": Varied(
            lambda measure="sensitivity", margin=0.1, **o: counts_of().noninferiority(
                measure, margin, **o
            ),
            {
                "measure": Several(("specificity", "both")),
                "margin": 0.3,
                "significance": 0.1,
                "two": Together(measure="both", margin=(0.1, 0.2)),
            },
        ),
        "predictive values elsewhere": Varied(
            lambda name="lr_pos", prevalence=0.1: getattr(counts_of(), name).predictive(prevalence),
            {"name": "lr_neg", "prevalence": 0.4},
        ),
        "equivocal": Varied(
            lambda **o: rs.compare_tests(
                Y,
                {k: np.select([v > 0.8, v > 0.1], ["p", "?"], "n") for k, v in TWO.items()},
                test_positive="p",
                test_negative="n",
                **({"equivocal": "both"} | o),
            ).bounds(),
            {"pos_label": 0},
        ),
        "rates": Varied(lambda level=0.95: counts_of().rates(level), {"level": 0.8}),
        "compare": Varied(
            lambda measure="auc", **o: rs.compare(Y, THREE, measure, **o),
            {
                "measure": "average_precision",
                "folds": FOLDS,
                "pos_label": 0,
                "cluster": CLUSTER,
                "higher_is_positive": {"c": False},
                "weights": WEIGHTS,
                "strata": np.arange(N) % 3,
                "verified": np.arange(N) % 4 > 0,
                "adjust_for": GROUP,
            },
        ),
        "pairwise": Varied(
            lambda adjust="holm", **o: rs.compare(Y, THREE).pairwise(adjust, **o),
            {
                "adjust": Several(("none", "bonferroni", "fdr_bh")),
                "reference": "normal",
                "method": Several(("delong", "mover")),
                "alternative": Several(("less", "greater")),
                "versus": "b",
                "confidence_level": 0.8,
                "intervals": "simultaneous",
            },
        ),
        "omnibus": Varied(
            lambda reference="auto", **o: rs.compare(Y, THREE).omnibus(reference, **o),
            {"reference": "chi2", "method": "delong"},
        ),
        "contrast": Varied(
            lambda matrix=(1, -1, 0), **o: rs.compare(Y, THREE).contrast(matrix, **o),
            {
                "matrix": [[1, 0, -1], [0, 1, -1]],
                "names": ["gain"],
                "reference": "normal",
                "alternative": Several(("less", "greater")),
                "null_value": 0.05,
                "confidence_level": 0.8,
                "method": "delong",
            },
        ),
        "noninferiority": Varied(
            lambda margin=0.05, **o: rs.compare(Y, TWO).noninferiority(margin, **o),
            {
                "margin": 0.3,
                "turned": Together(new="b", standard="a"),
                "significance": 0.1,
                "reference": "normal",
            },
        ),
        "superiority": Varied(
            lambda margin=0.01, **o: rs.compare(Y, TWO).superiority(margin, **o),
            {"margin": 0.3, "turned": Together(new="b", standard="a"), "significance": 0.1},
        ),
        "equivalence": Varied(
            lambda margin=0.05, **o: rs.compare(Y, TWO).equivalence(margin, **o),
            {"margin": 0.4, "turned": Together(new="b", standard="a"), "significance": 0.1},
        ),
        "independent": Varied(
            lambda **o: rs.compare_independent(rs.auc(Y, A), rs.auc(Y[:40], B[:40]), **o),
            {
                "reference": Several(("normal", "proc")),
                "alternative": Several(("less", "greater")),
                "null_value": 0.05,
                "method": "delong",
            },
        ),
        "cv": Varied(
            lambda **o: rs.cv_compare(Y, THREE, FOLDS, **o),
            {"markers": ["c", "a"], "cluster": FOLDS},
        ),
    },
    "resampling": {
        "bootstrap": Varied(
            lambda contrast=None, **o: rs.bootstrap(
                rs.compare(Y, TWO) if contrast else rs.auc(Y, A),
                contrast,
                **({"resampling": FEW} | o),
            ),
            {"contrast": [1, -1], "resampling": rs.Bootstrap(n_resamples=110, rng=2)},
        ),
        "bootstrap, statement": Varied(
            lambda level=0.95, **o: rs.bootstrap(rs.auc(Y, A), resampling=FEW).confidence_interval(
                level, **o
            ),
            {
                "level": 0.8,
                "method": Several(("percentile", "bca", "studentized", "normal", "bca_t")),
            },
        ),
        "bootstrap, clusters": Varied(
            lambda **o: rs.bootstrap(rs.auc(Y, A, **({"cluster": CLUSTER} | o)), resampling=FEW), {}
        ),
        "permutation": Varied(
            lambda **o: rs.permutation_test(
                rs.ScoredSample.from_arrays(Y, TWO), **({"resampling": FEW_SWAPS} | o)
            ),
            {
                "studentized": True,
                "alternative": Several(("less", "greater")),
                "turned": Together(first="b", second="a"),
                "resampling": rs.Permutation(n_resamples=120, rng=2),
            },
        ),
        "permutation of the same": Varied(
            lambda **o: rs.permutation_test(
                rs.ScoredSample.from_arrays(Y, {"a": A, "b": A.copy()}), resampling=FEW_SWAPS, **o
            ),
            {"alternative": "greater"},
        ),
        "bootstrap of the perfect": Varied(
            lambda: rs.bootstrap(rs.auc(Y, 9.0 * Y + A), resampling=FEW), {}
        ),
        "bootstrap of clusters": Varied(
            lambda contrast=(1, -1): rs.bootstrap(
                rs.compare(Y, TWO, cluster=CLUSTER), contrast, resampling=FEW
            ),
            {"contrast": (1, 1)},
        ),
        "venkatraman": Varied(
            lambda **o: rs.venkatraman_test(
                rs.ScoredSample.from_arrays(Y, TWO), **({"resampling": FEW_SWAPS} | o)
            ),
            {"resampling": rs.Permutation(n_resamples=120, rng=2)},
        ),
        "venkatraman, independent": Varied(
            lambda **o: rs.venkatraman_test_independent(
                rs.auc(Y, A),
                rs.auc(Y[:40], B[:40]),
                **({"resampling": FEW_SWAPS} | o),
            ),
            {"resampling": rs.Permutation(n_resamples=120, rng=2)},
        ),
    },
    "thresholds": {
        "points": Varied(
            lambda **o: rs.operating_points(Y, A, **({"thresholds": [0.2, 0.6]} | o)),
            {
                "thresholds": Several((None, 0.6, [9.0, -9.0])),
                "prevalence": Several((0.1, (0.1, 0.4))),
                "interval": Several(("clopper-pearson", "jeffreys", "agresti-coull")),
                "confidence_level": 0.8,
                "pos_label": 0,
                "higher_is_positive": False,
                "weights": WEIGHTS,
                "verified": np.arange(N) % 4 > 0,
            },
        ),
        "points at": Varied(
            lambda **o: rs.operating_points(Y, A, **(o or {"fpr": 0.2})),
            {"tpr": 0.8, "specificity": [0.8, 0.9], "sensitivity": 0.8},
        ),
        "clustered points": Varied(
            lambda **o: rs.operating_points(
                rs.ScoredSample.from_arrays(Y, A, cluster=CLUSTER), thresholds=[0.2, 0.6], **o
            ),
            {"prevalence": 0.1, "confidence_level": 0.8},
        ),
        "cutpoint": Varied(
            lambda criterion="youden", **o: rs.optimal_cutpoint(
                Y, A, criterion, **({"resampling": FEW} | o)
            ),
            {
                "criterion": Several(
                    ("closest", "accuracy", "product", "minimum", "f1", "mcc", "kappa", "dor")
                ),
                "cost": 3.0,
                "prevalence": 0.1,
                "least": Together(criterion="sensitivity", min_specificity=0.7),
                "most": Together(criterion="specificity", min_sensitivity=0.7),
                "threshold": 0.5,
                "resampling": rs.Bootstrap(n_resamples=110, rng=2),
                "interval": "clopper-pearson",
                "confidence_level": 0.8,
                "pos_label": 0,
                "higher_is_positive": False,
            },
        ),
        "cutpoint of clusters": Varied(
            lambda criterion="youden": rs.optimal_cutpoint(
                rs.ScoredSample.from_arrays(Y, A, cluster=CLUSTER),
                criterion=criterion,
                resampling=FEW,
            ),
            {"criterion": "closest"},
        ),
        "cutpoint of the perfect": Varied(
            lambda **o: rs.optimal_cutpoint(Y, 9.0 * Y + A, resampling=FEW, **o),
            {"threshold": 4.0},
        ),
        "rates of clusters": Varied(
            lambda specificity=(0.8, 0.9): rs.sensitivity_at(
                rs.ScoredSample.from_arrays(Y, A, cluster=CLUSTER),
                specificity=specificity,
                resampling=FEW,
            ),
            {"specificity": (0.5,)},
        ),
        "rates of the perfect": Varied(
            lambda: rs.specificity_at(Y, 9.0 * Y + A, [0.8, 1.0], resampling=FEW), {}
        ),
        "points of the perfect": Varied(
            lambda: rs.operating_points(Y, 9.0 * Y + A, thresholds=[4.0], prevalence=0.1), {}
        ),
        "cutpoint interval": Varied(
            lambda level=0.95, **o: rs.optimal_cutpoint(Y, A, resampling=FEW).confidence_interval(
                level, **o
            ),
            {"level": 0.8},
        ),
        "sensitivity": Varied(
            lambda specificity=0.9, **o: rs.sensitivity_at(
                Y, A, specificity, **({"resampling": FEW} | o)
            ),
            {
                "specificity": [0.5, 0.8],
                "resampling": rs.Bootstrap(n_resamples=110, rng=2),
                "pos_label": 0,
                "higher_is_positive": False,
            },
        ),
        "specificity": Varied(
            lambda sensitivity=0.9, **o: rs.specificity_at(
                Y, A, sensitivity, **({"resampling": FEW} | o)
            ),
            {"sensitivity": [0.5, 0.8], "resampling": rs.Bootstrap(n_resamples=110, rng=2)},
        ),
    },
    "probabilities": {
        "calibration": Varied(lambda **o: rs.calibration(Y, CHANCE, **o), {"pos_label": 0}),
        "curve": Varied(
            lambda n_bins=5, **o: rs.calibration_curve(Y, CHANCE, n_bins, **o),
            {"n_bins": 3, "strategy": "uniform", "confidence_level": 0.8},
        ),
        "indices": Varied(
            lambda **o: rs.calibration_curve(Y, CHANCE, 5, **o).error_indices(),
            {"pos_label": 0},
        ),
        "curve of clusters": Varied(
            lambda n_bins=4, **o: rs.calibration_curve(
                rs.ScoredSample.from_arrays(Y, CHANCE, cluster=CLUSTER), n_bins=n_bins, **o
            ),
            {"strategy": "uniform", "confidence_level": 0.8},
        ),
        "clusters": Varied(
            lambda: rs.calibration(rs.ScoredSample.from_arrays(Y, CHANCE, cluster=CLUSTER)), {}
        ),
        "decision of clusters": Varied(
            lambda **o: rs.decision_curve(
                rs.ScoredSample.from_arrays(Y, CHANCE, cluster=CLUSTER),
                thresholds=(0.1, 0.5),
                **o,
            ),
            {"confidence_level": 0.8},
        ),
        "perfect": Varied(lambda: rs.calibration(Y, 0.1 + 0.8 * Y), {}),
        "perfect decision": Varied(lambda: rs.decision_curve(Y, 1.0 * Y, (0.1, 0.5, 0.9)), {}),
        "brier": Varied(
            lambda **o: rs.brier_score(Y, CHANCE, **o),
            {"scaled": True, "n_bins": 3, "strategy": "uniform", "pos_label": 0},
        ),
        "decision": Varied(
            lambda thresholds=(0.1, 0.3, 0.5), **o: rs.decision_curve(
                Y, {"p": CHANCE, "q": CHANCE**2}, thresholds, **o
            ),
            {
                "thresholds": Several((None, [0.2])),
                "prevalence": 0.2,
                "standardized": True,
                "confidence_level": 0.8,
                "markers": ["q"],
                "pos_label": 0,
            },
        ),
        "net benefit": Varied(
            lambda strategy="p", **o: rs.decision_curve(
                Y, {"p": CHANCE, "q": CHANCE**2}, (0.1, 0.3, 0.5)
            ).curve(strategy, **o),
            {"strategy": Several(("q", "treat all")), "method": "wald"},
        ),
        "gain": Varied(
            lambda strategy="p", **o: rs.decision_curve(
                Y, {"p": CHANCE, "q": CHANCE**2}, (0.1, 0.3, 0.5)
            ).difference(strategy, **o),
            {"strategy": "q", "versus": Several(("treat none", "q")), "method": "wald"},
        ),
        "useful": Varied(
            lambda strategy="p", **o: rs.decision_curve(
                Y, {"p": CHANCE, "q": CHANCE**2}
            ).useful_ranges(strategy, **o),
            {"strategy": "q", "supported": True},
        ),
        "avoided": Varied(
            lambda strategy="p": rs.decision_curve(
                Y, {"p": CHANCE, "q": CHANCE**2}, (0.1, 0.3, 0.5)
            ).interventions_avoided(strategy),
            {"strategy": "q"},
        ),
    },
    "planning": {
        "power": Varied(
            lambda auc=0.8, **o: rs.power_auc(auc, **({"n_pos": 30, "n_neg": 40} | o)),
            {
                "auc": 0.7,
                "null_value": 0.6,
                "n_pos": 50,
                "n_neg": Several((90, None)),
                "ratio": Together(n_neg=None, ratio=3.0),
                "prevalence": Together(n_neg=None, prevalence=0.2),
                "significance": 0.01,
                "alternative": "greater",
                "two": Together(auc2=0.7, correlation=0.5),
                "areas": Together(auc2=0.7, auc_correlation=0.4),
                "unpaired": Together(auc2=0.7, paired=False),
                "groups": Together(auc2=0.7, paired=False, group_ratio=2.0),
                "margin": Together(auc2=0.8, correlation=0.5, margin=0.1, aim="non-inferiority"),
                "equal": Together(auc2=0.8, correlation=0.5, margin=0.1, aim="equivalence"),
                "model": Several(("hanley-mcneil", "obuchowski")),
                "sd_ratio": 2.0,
                "find auc": Together(auc=None, find="auc", power=0.8),
                "find level": Together(find="significance", power=0.8),
            },
        ),
        "size": Varied(
            lambda auc=0.8, **o: rs.sample_size_auc(auc, **({"power": 0.8} | o)),
            {
                "null_value": 0.6,
                "power": 0.9,
                "half_width": Together(power=None, half_width=0.06),
                "n_pos": 30,
                "n_neg": 30,
                "ratio": 3.0,
                "prevalence": 0.2,
                "significance": 0.01,
                "alternative": "greater",
                "two": Together(auc2=0.7, correlation=0.5),
                "unpaired": Together(auc2=0.7, paired=False, group_ratio=2.0),
                "margin": Together(auc2=0.8, correlation=0.5, margin=0.1, aim="non-inferiority"),
            },
        ),
        "sauc power": Varied(
            lambda mean_difference=0.8, **o: rs.power_sauc(
                mean_difference, **({"n_pos": 30, "n_neg": 40} | o)
            ),
            {
                "sd_pos": 2.0,
                "sd_neg": 2.0,
                "null_value": 0.2,
                "n_pos": 50,
                "n_neg": Several((90, None)),
                "significance": 0.01,
                "alternative": "greater",
                "two": Together(mean_difference2=0.5, correlation=0.5),
                "find": Together(mean_difference=None, find="sauc", power=0.8),
            },
        ),
        "sauc size": Varied(
            lambda mean_difference=0.8, **o: rs.sample_size_sauc(
                mean_difference, **({"power": 0.8} | o)
            ),
            {
                "power": 0.9,
                "half_width": Together(power=None, half_width=0.1),
                "n_pos": 30,
                "ratio": 3.0,
                "prevalence": 0.2,
                "significance": 0.01,
                "alternative": "greater",
            },
        ),
        "tests": Varied(
            lambda new=0.9, standard=0.8, **o: rs.power_tests(
                new, standard, **({"n": 100, "discordant": 0.2} | o)
            ),
            {
                "new": 0.95,
                "standard": 0.75,
                "n": 300,
                "measure": "specificity",
                "discordant": 0.15,
                "correlation": Together(discordant=None, correlation=0.3),
                "significance": 0.01,
                "alternative": "greater",
                "margin": Together(standard=0.9, margin=0.1, aim="non-inferiority"),
                "equal": Together(standard=0.9, margin=0.1, aim="equivalence"),
                "prevalence": 0.2,
            },
        ),
        "tests size": Varied(
            lambda new=0.9, standard=0.8, **o: rs.sample_size_tests(
                new, standard, **({"discordant": 0.2} | o)
            ),
            {
                "power": 0.9,
                "measure": "specificity",
                "significance": 0.01,
                "alternative": "greater",
                "prevalence": 0.2,
                "margin": Together(standard=0.9, margin=0.1, aim="non-inferiority"),
            },
        ),
        "tests, simulated": Varied(
            lambda n_replicates=50, **o: rs.power_tests(0.9, 0.8, n=60, discordant=0.2).simulate(
                n_replicates, **o
            ),
            {"n_replicates": 60, "rng": 2},
        ),
        "simulated": Varied(
            lambda n_replicates=50, **o: rs.power_auc(0.8, null_value=0.7, n_pos=20).simulate(
                n_replicates, **o
            ),
            {"n_replicates": 60, "rng": 2},
        ),
        "pilot of two": Varied(
            lambda **o: rs.power_auc(pilot=rs.compare(Y, TWO), **({"n_pos": 40, "n_neg": 60} | o)),
            {
                "n_pos": 80,
                "effect": 0.2,
                "significance": 0.01,
                "alternative": "greater",
                "margin": Together(margin=0.2, aim="non-inferiority"),
                "equal": Together(margin=0.2, aim="equivalence"),
            },
        ),
        "pilot of one": Varied(
            lambda **o: rs.power_auc(pilot=rs.auc(Y, A), **({"n_pos": 40, "n_neg": 60} | o)),
            {"null_value": 0.7, "n_neg": 90, "effect": 0.1},
        ),
        "pilot, size": Varied(
            lambda **o: rs.sample_size_auc(
                **({"pilot": rs.compare(Y, TWO), "power": 0.8, "effect": 0.2} | o)
            ),
            {
                "power": 0.9,
                "ratio": 2.0,
                "prevalence": 0.2,
                "one": Together(pilot=rs.auc(Y, A), effect=None),
                "width": Together(pilot=rs.auc(Y, A), effect=None, power=None, half_width=0.05),
                "width of two": Together(effect=None, power=None, half_width=0.1),
            },
        ),
        "pilot, simulated": Varied(
            lambda: rs.power_auc(pilot=rs.compare(Y, TWO), n_pos=30, n_neg=40).simulate(
                n_replicates=30
            ),
            {},
        ),
        "pilot of sauc": Varied(
            lambda **o: rs.power_sauc(
                pilot=rs.compare(Y, TWO, "sauc"), **({"n_pos": 40, "n_neg": 60} | o)
            ),
            {"n_pos": 80, "effect": 0.1},
        ),
        "binormal": Varied(
            lambda mean_difference=0.8, **o: rs.binormal_sauc(mean_difference, **o),
            {"mean_difference": -0.3, "sd_pos": 2.0, "sd_neg": 0.5},
        ),
    },
    "multiclass": {
        "areas": Varied(
            lambda labels=None, **o: rs.multiclass_auc(LEVEL, SHARES, labels, **o),
            {
                "labels": ["c", "b", "a"],
                "method": "provost-domingos",
                "sampling": "cohort",
                "cluster": CLUSTER,
            },
        ),
        "interval": Varied(
            lambda level=0.95, **o: rs.multiclass_auc(LEVEL, SHARES).confidence_interval(
                level, **o
            ),
            {"level": 0.8, "method": "wald"},
        ),
        "compared": Varied(
            lambda labels=None, **o: rs.compare_multiclass(
                LEVEL, {"p": SHARES, "q": SHARES[:, [1, 0, 2]], "r": SHARES**2}, labels, **o
            ),
            {
                "labels": ["c", "b", "a"],
                "method": "provost-domingos",
                "sampling": "cohort",
                "cluster": CLUSTER,
                "adjust": "none",
                "reference": "normal",
                "alternative": Several(("less", "greater")),
                "confidence_level": 0.8,
            },
        ),
    },
    "consistency": {
        "measures": Varied(
            lambda f="auc", g="accuracy", **o: rs.compare_measures(
                f, g, **({"n_pos": 4, "n_neg": 4} | o)
            ),
            {
                "g": rs.f1_at(n_predicted=3),
                "n_pos": 5,
                "lists": Together(n_pos=None, n_neg=None, lists=rs.random_lists(5, 6), n_pairs=300),
                "rng": Together(
                    n_pos=None, n_neg=None, lists=rs.random_lists(5, 6), n_pairs=300, rng=2
                ),
                "lift": Together(g=rs.lift_at(0.25)),
                "profit": Together(g=rs.profit_at(0.25, revenue=3.0, cost=1.0)),
                "profit, cheap": Together(g=rs.profit_at(0.5)),
            },
        ),
        "means": Varied(
            lambda measure="auc", given="accuracy", **o: [
                rs.compare_measures(measure, given, **({"n_pos": 3, "n_neg": 4} | o)).to_dict()
            ],
            {"n_pos": 4, "n_neg": 5},
        ),
    },
    "studies": {
        "power": Varied(
            lambda tests=("auc", "sauc"), **o: rs.power_study(
                o.pop("design", NORMAL), tests, **({"n_replicates": 20, "n_jobs": 1} | o)
            ),
            {
                "tests": ("auc", "t", "welch"),
                "n_replicates": 30,
                "rng": 2,
                "alternative": "greater",
                "significance": 0.2,
                "versus": "sauc",
                "design": rs.two_sample_design("normal", effect=0.5, n_pos=12, n_neg=10),
            },
        ),
        "design": Varied(
            lambda family="normal", alternative="location", effect=0.5, **o: rs.two_sample_design(
                family, alternative, effect, **({"n_pos": 10, "n_neg": 10} | o)
            ),
            {"effect": 1.0, "n_pos": 20},
        ),
        "efficiency": Varied(
            lambda family="normal", **o: rs.pitman_efficiency(family, **o),
            {"versus": "t", "share_pos": 0.2},
        ),
        "corrected": Varied(
            lambda differences=(0.1, 0.05, 0.2, -0.02, 0.07), **o: rs.corrected_t_test(
                differences, **({"n_train": 90, "n_test": 10} | o)
            ),
            {
                "n_train": 50,
                "n_test": 50,
                "alternative": Several(("less", "greater")),
                "null_value": 0.05,
                "contrast": "a - b",
            },
        ),
    },
    "twosample": {
        "test": Varied(
            lambda statistic="sauc", **o: rs.two_sample_test(
                A[Y == 1], A[Y == 0], statistic, **({"resampling": FEW_SWAPS} | o)
            ),
            {
                "statistic": Several(("auc", "welch", "t", "brunner-munzel", "ks")),
                "alternative": Several(("less", "greater")),
                "method": "asymptotic",
                "plain": Together(statistic="auc", continuity=False),
                "less": Together(statistic="auc", alternative="less"),
                "greater": Together(statistic="welch", alternative="greater"),
            },
        ),
    },
    "curves": {
        "averaged": Varied(
            lambda method="vertical", **o: rs.average_curves(
                rs.ScoredSample.from_arrays(Y, A), method, **({"folds": FOLDS} | o)
            ),
            {
                "method": Several(("threshold",)),
                "at": [0.1, 0.5],
                "confidence_level": 0.8,
                "interval": "binomial",
            },
        ),
        "band": Varied(
            lambda method="envelope", **o: rs.roc_band(Y, A, method, **({"resampling": FEW} | o)),
            {
                "method": Several(("kolmogorov-smirnov", "fixed-width", "bootstrap", "binomial")),
                "confidence_level": 0.8,
                "resampling": rs.Bootstrap(n_resamples=110, rng=2),
            },
        ),
        "hull, best": Varied(
            lambda prevalence=0.3, **o: rs.roc_hull(Y, TWO).best(prevalence, **o),
            {"prevalence": 0.9, "cost_fp": 5, "cost_fn": 9},
        ),
        "hull, mixed": Varied(
            lambda **o: rs.roc_hull(Y, TWO).mix(**(o or {"fpr": 0.22})),
            {
                "tpr": 0.77,
                "called": Together(called=30, size=100, prevalence=0.1),
                "called, other": Together(called=30, size=100, prevalence=0.4),
            },
        ),
        "points of tests": Varied(
            lambda: rs.roc_hull(points={"a": (0.1, 0.6), "b": (0.3, 0.8), "c": (0.5, 0.7)}), {}
        ),
        "hull": Varied(lambda **o: rs.roc_hull(Y, TWO, **o), {"pos_label": 0}),
        "midpoints": Varied(
            lambda **o: rs.midpoint_curve(Y, CHANCE, **({"n_draws": 200} | o)),
            {
                "midpoints": [0.3, 0.6],
                "class_weight": "balanced",
                "confidence_level": 0.8,
                "rng": 2,
                "bounds": (-1.0, 2.0),
            },
        ),
        "precision": Varied(
            lambda **o: rs.average_precision(Y, A, **o),
            {"sampling": "cohort", "pos_label": 0, "higher_is_positive": False},
        ),
        "binormal": Varied(
            lambda method="ml", **o: rs.binormal_fit(Y, A, method, **o),
            {"method": "least-squares", "n_categories": 5},
        ),
        "kernel": Varied(
            lambda bandwidth="nrd0", **o: rs.kernel_curve(Y, A, bandwidth, **o), {"bandwidth": 0.5}
        ),
    },
}


def cases(room: str) -> dict[str, tuple[Callable[[], Any], str]]:
    """Return, by name, what makes each answer of a room, and which it must differ from."""
    found: dict[str, tuple[Callable[[], Any], str]] = {}
    for name, (make, options) in VARIED.get(room, {}).items():
        found[name] = (make, "")
        for option, value in options.items():
            if isinstance(value, Together):
                found[f"{name}: {option}"] = (lambda m=make, o=value: m(**o), name)
            elif isinstance(value, Several):
                for k, one in enumerate(value, 1):
                    given = {option: one}
                    found[f"{name}: {option} {k}"] = (lambda m=make, o=given: m(**o), name)
            else:
                given = {option: value}
                found[f"{name}: {option}"] = (lambda m=make, o=given: m(**o), name)
    return found


# ---------------------------------------------------------- every kind of result (test_answers.py)

ROOM_OF = {
    **dict.fromkeys(
        ("Estimate", "Estimates", "Quantity", "Gini", "ConfidenceInterval"), "estimates"
    ),
    **dict.fromkeys(("MulticlassAuc", "ClassPair"), "multiclass"),
    "TwoSampleResult": "twosample",
    **dict.fromkeys(
        ("PowerResult", "SimulatedPower", "PairedRatePlan", "BinormalSauc"), "planning"
    ),
    "MeasureComparison": "consistency",
    **dict.fromkeys(
        ("ModelSelection", "CriteriaContrast", "PowerStudy", "TwoSampleDesign"), "studies"
    ),
}


def answers_of(room: str) -> dict[str, Callable[[], Any]]:
    """Return what makes each result of a room that ``tests/test_answers.py`` knows."""
    import test_answers as known

    groups = {
        "curves": [known.CURVES, known.SMOOTH],
        "resampling": [known.RESAMPLING],
        "thresholds": [known.THRESHOLDS],
        "probabilities": [known.PROBABILITIES],
        "readers": [known.READERS],
        "survival": [known.SURVIVAL],
        "inference": [known.COUNTED, known.GROUPS, known.ESTIMATES],
    }
    kinds = {kind for group in groups.get(room, []) for kind in group}
    found = {}
    for name, make in known.ANSWERS.items():
        kind = name.split(": ")[0]
        own = ROOM_OF.get(kind.split(",")[0])
        if (own or room) == room and (own == room or kind in kinds):
            found[name] = make
    return found
