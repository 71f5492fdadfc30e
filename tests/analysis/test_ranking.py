"""Markers by their AUC: what is shown in full of many, and what keeps the order given."""

import numpy as np
import pandas as pd
import pytest

from rocstats.analysis.assembly import gather_facts
from rocstats.analysis.cohort import Cohort
from rocstats.analysis.plan import StudyPlan
from rocstats.analysis.ranking import MANY, by_area, in_full

N = 60
ILL = np.arange(N) % 3 == 0


def facts_of(k: int, **plan: object) -> dict:
    """Markers whose strength rises with their number, so that the ranking turns them round."""
    rng = np.random.default_rng(5)
    noise = rng.normal(size=(k, N))
    columns = {f"m{i}": noise[i] + 2.5 * i / k * ILL for i in range(k)}
    frame = pd.DataFrame(columns | {"ill": ILL.astype(int)})
    cohort = Cohort.of_frame(frame, outcome="ill", markers=list(columns))
    return gather_facts(cohort, StudyPlan(n_resamples=100, r="no", **plan))


@pytest.fixture(scope="module")
def many() -> dict:
    return facts_of(14, prespecified={"m2": (0.5,)})


def test_equal_and_unknown_areas_keep_their_order() -> None:
    assert by_area([0.5, float("nan"), 0.7, 0.5, None]) == [2, 0, 3, 1, 4]


def test_few_markers_stay_as_given() -> None:
    facts = facts_of(3)
    assert [m["name"] for m in facts["markers"]] == ["m0", "m1", "m2"]
    assert all(m["in_full"] for m in facts["markers"])
    areas = [m["estimates"]["auc"]["estimate"] for m in facts["markers"]]
    assert [areas[place] for place in facts["ranking"]] == sorted(areas, reverse=True)


def test_many_markers_stand_by_their_areas(many: dict) -> None:
    areas = [m["estimates"]["auc"]["estimate"] for m in many["markers"]]
    assert areas == sorted(areas, reverse=True)
    assert many["ranking"] == list(range(14))
    shown = {m["name"] for m in many["markers"] if m["in_full"]}
    assert len(shown) == 4
    assert many["markers"][0]["name"] in shown
    assert "m2" in shown  # its threshold was fixed in advance
    for marker in many["markers"]:
        assert (marker["explorer"] is not None) == marker["in_full"]
        assert marker["curve"]["fpr"]


def test_what_is_compared_with_what_is_as_given_not_as_found(many: dict) -> None:
    """A reference that the data chose would be no reference."""
    assert many["comparisons"]["versus"] == "m0"
    assert {row["second"] for row in many["comparisons"]["pairwise"]} == {"m0"}
    (alert,) = (a for a in many["alerts"] if a["kind"] == "assumed_reference")
    assert (alert["reference"], alert["compared"], alert["pairs"]) == ("m0", 13, 91)


def test_correlations_follow_the_order_of_the_page() -> None:
    facts = facts_of(MANY + 1)
    names = [m["name"] for m in facts["markers"]]
    assert names != [f"m{i}" for i in range(MANY + 1)]
    from rocstats.inference.comparison import compare

    rng = np.random.default_rng(5)
    noise = rng.normal(size=(MANY + 1, N))
    scores = {f"m{i}": noise[i] + 2.5 * i / (MANY + 1) * ILL for i in range(MANY + 1)}
    wanted = compare(ILL.astype(int), {name: scores[name] for name in names}).correlation
    assert np.allclose(facts["comparisons"]["correlation"], wanted, rtol=0, atol=1e-14)


def test_the_digest_is_of_the_rows_as_given(many: dict) -> None:
    again = facts_of(14, versus="m3")
    assert again["data"]["analysed_sha256"] == many["data"]["analysed_sha256"]


def test_named_markers_come_before_others() -> None:
    names = [f"m{i}" for i in range(20)]
    plan = StudyPlan(versus="m19", prespecified={"m7": (1.0,), "m8": (1.0,)})
    assert in_full(names, plan) == {"m0", "m7", "m8", "m19"}


def test_of_many_markers_no_page_has_a_script_or_all_correlations(many: dict) -> None:
    """Hundreds of pairs would be most of a page that is to stay light."""
    assert many["comparisons"]["correlation"] == []
    assert many["r"]["script"] is None
