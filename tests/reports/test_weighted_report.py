"""A report of rows that stand for others: the numbers of the page are those of each call."""

import re
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocstats as rs

rng = np.random.default_rng(8)
N = 120
TRUE = rng.random(N) < 0.4
FRAME = pd.DataFrame(
    {
        "ill": TRUE.astype(int),
        "crp": (rng.normal(size=N) + TRUE).round(1),
        "risk": (1 / (1 + np.exp(-rng.normal(size=N) - TRUE))).round(2),
        "w": np.append(0.0, rng.uniform(0.5, 3.0, N - 1)).round(3),
        "n": rng.integers(1, 4, N),
        "h": np.arange(N) // 40,
        "c": np.arange(N) // 4,
        "sex": np.where(np.arange(N) % 3 == 0, "f", "m"),
    }
)
CUTS = {"crp": [0.5], "risk": [0.5]}
DESIGNS: dict[str, dict[str, str]] = {
    "weights": {"weights": "w"},
    "clusters": {"weights": "w", "cluster": "c"},
    "strata": {"weights": "w", "strata": "h"},
    "units in strata": {"weights": "w", "strata": "h", "cluster": "c"},
    "strata alone": {"strata": "h"},
}


@cache
def page(**options: Any) -> rs.Report:
    return rs.report(
        FRAME,
        outcome="ill",
        markers=["crp", "risk"],
        prespecified=CUTS,
        subgroup="sex",
        scores="probability",
        n_resamples=100,
        r="no",
        **options,
    )


def sample(**options: Any) -> rs.ScoredSample:
    return rs.ScoredSample.from_frame(FRAME, "ill", ["crp", "risk"], **options)


def tied_share(given: rs.ScoredSample, row: int) -> float:
    """The share of the weight of all pairs that have one score, by the definition."""
    w = np.ones(given.positive.size) if given.weights is None else given.weights
    pos, neg = given.positive, ~given.positive
    ties = given.scores[row, pos][:, None] == given.scores[row, neg]
    return float(w[pos] @ ties @ w[neg] / (w[pos].sum() * w[neg].sum()))


def words(html: str) -> str:
    text = re.sub(r"<(script|style).*?</\1>", " ", html, flags=re.S)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


@pytest.mark.filterwarnings("ignore::rocstats.SmallSampleWarning")
@pytest.mark.parametrize("name", DESIGNS)
def test_the_page_has_the_numbers_of_each_call(name: str) -> None:
    design = DESIGNS[name]
    facts, given = page(**design).facts, sample(**design)
    for row, marker in enumerate(("crp", "risk")):
        found = facts["markers"][row]
        area = rs.auc(given, marker=marker)
        limits = area.confidence_interval()
        told = found["estimates"]["auc"]
        assert told["estimate"] == area.value
        assert told["std_error"] == area.std_error
        assert (told["conf_low"], told["conf_high"]) == (limits.low, limits.high)
        assert found["estimates"]["sauc"]["estimate"] == rs.sauc(given, marker=marker).value
        part = rs.partial_auc(given, marker=marker, fpr=(0, 0.1))
        assert found["estimates"]["pauc"]["raw"]["std_error"] == part.std_error
        points = rs.operating_points(given, marker=marker, thresholds=[0.5])
        (cut,) = found["cutpoints"]
        for measure in ("sensitivity", "specificity", "ppv", "lr_pos"):
            low, high = points.limits(measure)
            assert cut["measures"][measure]["estimate"] == points.values(measure)[0]
            assert cut["measures"][measure]["conf_low"] == low[0]
            assert cut["measures"][measure]["conf_high"] == high[0]
        assert cut["tp"] == np.count_nonzero(given.positive & (given.scores[row] >= 0.5))
        assert cut["tn"] == np.count_nonzero(~given.positive & (given.scores[row] < 0.5))
        own = next(at for at in cut["at_prevalence"] if at["own"])
        assert own["prevalence"] == pytest.approx(np.average(given.positive, weights=given.weights))
        assert found["quality"]["tied_share"] == pytest.approx(tied_share(given, row))
        times = np.unique(given.scores[row], return_counts=True)[1]
        assert found["quality"]["largest_tie"] == times.max()
        curve = rs.roc_curve(given, marker=marker)
        assert set(found["curve"]["fpr"]) <= set(curve.fpr.tolist())
        assert set(found["curve"]["tpr"]) <= set(curve.tpr.tolist())
    test = facts["comparisons"]["pairwise"][0]
    ours = rs.compare(given).pairwise().statement().tidy[0]
    assert (test["estimate"], test["p_value"]) == (ours["estimate"], ours["p_value"])
    assert facts["data"]["design"]["words"] == given.design


@pytest.mark.parametrize("name", DESIGNS)
def test_what_takes_no_weights_is_left_out_and_said_to_be(name: str) -> None:
    found = page(**DESIGNS[name])
    for marker in found.facts["markers"]:
        for part in ("band", "sroc", "smroc", "calibration", "decision", "explorer"):
            assert marker[part] is None
        assert marker["fixed_rates"] == []
        assert [cut["kind"] for cut in marker["cutpoints"]] == ["prespecified"]
        assert marker["distribution"]["wilcoxon"] is None
    assert found.facts["paired_tests"] is None
    assert bool(found.facts["subgroups"]) == ("strata" not in DESIGNS[name])
    tried = {row["analysis"] for row in found.facts["sensitivity_analyses"]}
    assert tried == {"bootstrap", "wald"}
    text = words(found.html)
    for left in ("thresholds chosen by the data", "bands of curves", "calibration and decision"):
        assert left in text
    assert "centred within sampling strata" in text or "strata" not in DESIGNS[name]
    assert "DeLong and colleagues" not in text
    assert found.facts["r"]["script"] is None


def test_rows_of_weight_0_are_counted_in_the_flow() -> None:
    flow = page(weights="w").facts["flow"]
    assert flow["steps"] == [{"why": "weight 0", "n": 1}]
    assert (flow["start"], flow["analysed"]) == (N, N - 1)


def test_equal_weights_change_nothing_but_the_record() -> None:
    plain = rs.report(FRAME.assign(w=2.5), outcome="ill", markers="crp", n_resamples=100, r="no")
    alike = rs.report(
        FRAME.assign(w=2.5), outcome="ill", markers="crp", weights="w", n_resamples=100, r="no"
    )
    assert plain.facts == alike.facts


def test_frequencies_are_still_repeated_rows() -> None:
    facts = page(weights="n", weight_kind="frequency").facts
    assert facts["data"]["n"] == int(FRAME["n"].sum())
    assert facts["data"]["design"] is None
    assert facts["markers"][0]["band"] is not None


def test_a_sample_with_weights_is_taken_and_others_refused() -> None:
    given = sample(weights="w", strata="h")
    area = rs.report(given, n_resamples=100, r="no").facts["markers"][0]["estimates"]["auc"]
    assert area["std_error"] == rs.auc(given, marker="crp").std_error
    partly = rs.ScoredSample.from_frame(
        FRAME.assign(v=np.arange(N) % 3 > 0), "ill", "crp", verified="v"
    )
    with pytest.raises(rs.InvalidOptionError, match="subjects that were not verified"):
        rs.report(partly, n_resamples=100, r="no")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"weights": "v"}, "no column 'v'"),
        ({"strata": "v"}, "no column 'v'"),
        ({"weights": "sex"}, "must be numbers"),
        ({"weights": "w", "strata": "c", "cluster": "h"}, "one cluster only"),
        ({"weight_kind": "frequency"}, "there are none"),
    ],
)
def test_what_is_refused(options: dict[str, str], sentence: str) -> None:
    with pytest.raises(rs.RocstatsError, match=sentence):
        page(**options)


def test_results_in_words_take_no_weights() -> None:
    frame = FRAME.assign(test=np.where(FRAME["crp"] > 0.5, "pos", "neg"))
    with pytest.raises(rs.InvalidOptionError, match="Results in words take no probability weights"):
        rs.report(frame, outcome="ill", markers="test", test_positive="pos", weights="w", r="no")
