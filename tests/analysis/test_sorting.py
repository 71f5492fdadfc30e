"""A report sorts each marker of its sample once."""

import sys
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.analysis.assembly import gather_facts
from rocstats.analysis.cohort import Cohort
from rocstats.analysis.plan import StudyPlan
from rocstats.data import sample as sample_module
from rocstats.engine.compiled import is_there

N = 150


@pytest.fixture
def sorts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Whole columns of scores that are sorted, by the module that wanted it."""
    seen: Counter[str] = Counter()

    def count(where: Any, name: str) -> None:
        sort = getattr(where, name)

        def counted(values: Any, *given: Any, **options: Any) -> Any:
            frame = sys._getframe(1)
            while frame.f_globals["__name__"].startswith(
                ("numpy", "rocstats.data", "rocstats.errors")
            ):
                assert frame.f_back is not None
                frame = frame.f_back
            caller = frame.f_globals["__name__"]
            whole = np.size(values) == N and np.asarray(values).dtype == np.float64
            if whole and caller.startswith("rocstats"):
                seen[caller] += 1
            return sort(values, *given, **options)

        monkeypatch.setattr(where, name, counted)

    count(sample_module, "sort_into_blocks")
    for name in ("sort", "argsort", "unique", "lexsort"):
        count(np, name)
    return seen


def study(markers: str) -> pd.DataFrame:
    rng = np.random.default_rng(11)
    y = np.arange(N) % 3 == 0
    columns = {name: rng.normal(size=N) + y for name in markers}
    columns["b"] = columns["b"].round(1)
    return pd.DataFrame({"y": y.astype(int), **columns, "patient": np.arange(N) // 2})


def gather(markers: str, **options: Any) -> None:
    whole = Cohort.of_frame(study(markers), outcome="y", markers=list(markers), **options)
    gather_facts(whole, StudyPlan(n_resamples=100, r="no"))


@pytest.mark.parametrize("markers", ["ab", "abcd"])
def test_a_report_sorts_each_marker_once(sorts: Counter[str], markers: str) -> None:
    gather(markers, higher_is_positive={"b": False})
    once = sorts.pop("rocstats.analysis.distribution_facts")  # who asks first
    assert once == len(markers)
    # The rank test is of two lists of numbers, which it pools; its effect is the AUC of those.
    assert sorts.pop("rocstats.twosample.pooled_values") == len(markers)
    # The compiled kernel has an AUC without a sort.
    assert sorts.pop("rocstats.estimates.estimators", 0) == (0 if is_there() else len(markers))
    assert not sorts


def test_a_report_on_clusters_sorts_each_marker_twice(sorts: Counter[str]) -> None:
    gather("ab", cluster="patient")
    assert sorts.pop("rocstats.analysis.distribution_facts") == 2
    # Rows taken as independent are another sample, of which the AUC is all that is asked.
    assert sorts.pop("rocstats.estimates.estimators", 0) == (0 if is_there() else 2)
    assert not sorts


def test_the_memory_ends_with_the_facts() -> None:
    given = rs.ScoredSample.from_arrays(np.arange(N) % 2, np.arange(N) % 7)
    whole = Cohort.of_sample(given, groups={})
    gather_facts(whole, StudyPlan(n_resamples=100, r="no"))
    assert whole.sample._sorted is None
    assert given._sorted is None
