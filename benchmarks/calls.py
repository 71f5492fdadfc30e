"""How each package is asked: for every task a function of the data that returns what is timed."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.data_sets import Data
from benchmarks.definitions import RESAMPLES, THRESHOLD

Call = Callable[[], Any]


def rocstats_calls() -> dict[str, Callable[[Data], Call]]:
    import rocstats as rs

    def interval(estimate: Any) -> tuple[float, float]:
        estimate.confidence_interval()
        return estimate.value, estimate.std_error

    def paired(sample: Any) -> Iterator[float]:
        both = rs.compare(sample)
        both.pairwise(adjust="none")  # its default statistic leans on the variance at the null
        return delong(both)  # worked out when it is read, and so not timed

    def delong(both: Any) -> Iterator[float]:
        first, second = (row.value for row in both.rows)
        c = both.covariance
        yield float((first - second) / np.sqrt(c[0, 0] + c[1, 1] - 2 * c[0, 1]))

    def covariance(sample: Any) -> tuple[float, ...]:
        found = rs.compare(sample)
        return found.rows[0].value, found.covariance[0, 1], found.covariance[-1, -1]

    def sample_of(markers: int) -> Callable[[Data], Any]:
        return lambda d: rs.ScoredSample.from_arrays(
            d.y, dict(zip("abcdefghij"[:markers], d.scores, strict=False))
        )

    def decision(d: Data) -> tuple[float]:
        found = rs.decision_curve(d.y, d.scores[0], thresholds=[THRESHOLD])
        return (found.to_dict()["curves"][0]["net_benefit"][0],)

    def band(d: Data) -> tuple[float]:
        found = rs.roc_band(d.y, d.scores[0], method="bootstrap", resampling=rs.Bootstrap(rng=1))
        return (found.curve.area(),)

    def points(d: Data) -> tuple[float]:
        found = rs.operating_points(d.y, d.scores[0])
        for measure in found.measures:
            found.limits(measure)
        return (0.0,)

    def given(call: Callable[[Data], Any]) -> Callable[[Data], Call]:
        return lambda d: lambda: call(d)

    def after(first: Callable[[Data], Any], call: Callable[[Any], Any]) -> Callable[[Data], Call]:
        def ready(d: Data) -> Call:
            made = first(d)
            return lambda: call(made)

        return ready

    def halves(d: Data) -> list[Any]:
        parts = []
        for k in (0, 1):  # of each class every other one
            mine = np.concatenate([np.flatnonzero(d.y == c)[k::2] for c in (1, 0)])
            parts.append(rs.auc(d.y[mine], d.scores[0][mine]))
        return parts

    def drawn(estimate: Any) -> list[float]:
        return rs.bootstrap(estimate).std_error.tolist()

    return {
        "auc": given(lambda d: (rs.auc(d.y, d.scores[0]).value,)),
        "interval": given(lambda d: interval(rs.auc(d.y, d.scores[0]))),
        "sauc": given(lambda d: interval(rs.sauc(d.y, d.scores[0]))),
        "smauc": given(lambda d: interval(rs.smauc(d.y, d.scores[0]))),
        "partial": given(lambda d: interval(rs.partial_auc(d.y, d.scores[0], fpr=(0.0, 0.1)))),
        "paired": after(sample_of(2), paired),
        "covariance": after(sample_of(10), covariance),
        "bootstrap": after(lambda d: rs.auc(d.y, d.scores[0]), drawn),
        "bootstrap of smauc": after(lambda d: rs.smauc(d.y, d.scores[0]), drawn),
        "bootstrap of midpoint": after(
            lambda d: rs.smauc(d.y, d.scores[0], midpoint="class_mean"), drawn
        ),
        "bootstrap of partial": after(
            lambda d: rs.partial_auc(d.y, d.scores[0], fpr=(0.0, 0.1)), drawn
        ),
        "permutation": after(
            lambda d: rs.compare(d.y, d.pair), lambda both: (rs.permutation_test(both).pvalue,)
        ),
        "band": given(band),
        "cutpoint": given(lambda d: (float(rs.optimal_cutpoint(d.y, d.scores[0]).threshold[0]),)),
        "decision": given(decision),
        "brier": given(lambda d: (rs.brier_score(d.y, d.scores[0]).value,)),
        "precision": given(lambda d: (rs.average_precision(d.y, d.scores[0]).value,)),
        "scored curve": given(lambda d: (float(rs.sroc_curve(d.y, d.scores[0]).auc[0]),)),
        "points": given(points),
        "two samples": given(
            lambda d: (rs.two_sample_test(*(d.scores[0][d.y == k] for k in (1, 0))).pvalue,)
        ),
        "independent curves": after(
            halves, lambda pair: (rs.venkatraman_test_independent(*pair).pvalue,)
        ),
    }


def numpy_calls() -> dict[str, Callable[[Data], Call]]:
    return {"sort": lambda d: lambda: (float(np.sort(d.scores[0])[0]),)}


def sklearn_calls() -> dict[str, Callable[[Data], Call]]:
    from sklearn import metrics

    def by(measure: Callable[..., Any]) -> Callable[[Data], Call]:
        return lambda d: lambda: (float(measure(d.y, d.scores[0])),)

    return {
        "auc": by(metrics.roc_auc_score),
        "brier": by(metrics.brier_score_loss),
        "precision": by(metrics.average_precision_score),
    }


def scipy_calls() -> dict[str, Callable[[Data], Call]]:
    from scipy import stats

    def ranks(pos: np.ndarray, neg: np.ndarray) -> float:
        m = pos.size
        rank = stats.rankdata(np.concatenate([pos, neg]))
        return float((rank[:m].sum() - m * (m + 1) / 2) / (m * neg.size))

    def classes(d: Data) -> list[np.ndarray]:
        return [d.scores[0][d.y == k] for k in (1, 0)]

    def bootstrap(d: Data) -> tuple[float]:
        found = stats.bootstrap(
            classes(d), ranks, n_resamples=RESAMPLES, vectorized=False, method="percentile", rng=1
        )
        return (float(found.standard_error),)

    return {
        "auc": lambda d: lambda: (ranks(*classes(d)),),
        "bootstrap": lambda d: lambda: bootstrap(d),
    }


def statsmodels_calls() -> dict[str, Callable[[Data], Call]]:
    from statsmodels.stats.nonparametric import rank_compare_2indep

    def interval(d: Data) -> tuple[float, float]:
        found = rank_compare_2indep(*(d.scores[0][d.y == k] for k in (1, 0)))
        found.conf_int()
        return float(found.prob1), float(np.sqrt(found.var / found.nobs))

    return {"interval": lambda d: lambda: interval(d)}


def mlstatkit_calls() -> dict[str, Callable[[Data], Call]]:
    from MLstatkit import Delong_test

    def paired(d: Data) -> tuple[float]:
        return (-float(Delong_test(d.y, *d.scores[:2])[0]),)  # theirs is the second less the first

    return {"paired": lambda d: lambda: paired(d)}


def confidenceinterval_calls() -> dict[str, Callable[[Data], Call]]:
    from confidenceinterval import roc_auc_score
    from scipy.stats import norm

    def interval(d: Data) -> tuple[float, float]:
        value, (low, high) = roc_auc_score(d.y, d.scores[0])
        return float(value), float((high - low) / (2 * norm.ppf(0.975)))

    return {"interval": lambda d: lambda: interval(d)}


def pauc_calls() -> dict[str, Callable[[Data], Call]]:
    import pauc

    def interval(d: Data) -> tuple[float, float]:
        curve = pauc.ROC(d.y, d.scores[0])
        pauc.ci_auc(curve)
        return float(curve.auc), float(np.sqrt(pauc.var(curve)))

    return {"interval": lambda d: lambda: interval(d)}


def rocci_calls() -> dict[str, Callable[[Data], Call]]:
    import warnings

    import rocci

    warnings.simplefilter("ignore")

    def band(d: Data) -> Any:
        return rocci.roc_band(d.y, d.scores[0], n_boot=RESAMPLES, random_state=1, n_threads=1)

    def spread(d: Data) -> tuple[float]:
        low, high = band(d).auc_ci
        return ((high - low) / (2 * 1.959964),)

    return {
        "bootstrap": lambda d: lambda: spread(d),
        "band": lambda d: lambda: (float(band(d).auc),),
    }


def polars_ds_calls() -> dict[str, Callable[[Data], Call]]:
    import polars as pl
    import polars_ds as pds

    def auc(d: Data) -> Call:
        frame = pl.DataFrame({"y": d.y.astype(np.uint32), "s": d.scores[0]})
        return lambda: (float(frame.select(pds.query_roc_auc("y", "s")).item()),)

    return {"auc": auc}


def cnsplots_calls() -> dict[str, Callable[[Data], Call]]:
    from importlib.util import find_spec, module_from_spec, spec_from_file_location
    from pathlib import Path

    place = find_spec("cnsplots")  # its module alone: the package imports much that is not timed
    if place is None or place.origin is None:
        raise ImportError("cnsplots")
    file = Path(place.origin).parent / "helpers" / "_roc.py"
    spec = spec_from_file_location("cnsplots_roc", file)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)

    def paired(d: Data) -> tuple[float]:
        areas, found = module._delong_auc_covariance(d.y, np.stack(d.scores[:2]))
        return ((areas[0] - areas[1]) / np.sqrt(found[0, 0] + found[1, 1] - 2 * found[0, 1]),)

    def covariance(d: Data) -> tuple[float, ...]:
        areas, found = module._delong_auc_covariance(d.y, np.stack(d.scores))
        return areas[0], found[0, 1], found[-1, -1]

    return {"paired": lambda d: lambda: paired(d), "covariance": lambda d: lambda: covariance(d)}


def dcurves_calls() -> dict[str, Callable[[Data], Call]]:
    import pandas as pd
    from dcurves import dca

    def decision(d: Data) -> Call:
        frame = pd.DataFrame({"y": d.y, "m": d.scores[0]})

        def call() -> tuple[float]:
            found = dca(data=frame, outcome="y", modelnames=["m"], thresholds=[THRESHOLD])
            return (float(found.loc[found["model"] == "m", "net_benefit"].iloc[0]),)

        return call

    return {"decision": decision}


PEERS: dict[str, Callable[[], dict[str, Callable[[Data], Call]]]] = {
    "numpy": numpy_calls,
    "rocstats": rocstats_calls,
    "scikit-learn": sklearn_calls,
    "scipy": scipy_calls,
    "statsmodels": statsmodels_calls,
    "MLstatkit": mlstatkit_calls,
    "confidenceinterval": confidenceinterval_calls,
    "pauc": pauc_calls,
    "rocci": rocci_calls,
    "polars-ds": polars_ds_calls,
    "cnsplots": cnsplots_calls,
    "dcurves": dcurves_calls,
}
