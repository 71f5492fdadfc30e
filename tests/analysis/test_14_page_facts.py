"""Issue 14, lines 5, 10, 30 and 31: what the facts of a report say of odd markers."""

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.analysis.assembly import gather_facts
from rocstats.analysis.cohort import Cohort
from rocstats.analysis.comparison_facts import MOST_MARKERS
from rocstats.analysis.options import OPTIONS
from rocstats.analysis.plan import StudyPlan
from rocstats.errors import InvalidOptionError, ScoreRangeError
from rocstats.reports.facts import show_tenths
from rocstats.reports.render import render_report
from rocstats.reports.writing import written_up

N = 120
ILL = np.arange(N) % 3 == 0


def facts_of(markers: dict[str, Any], rows: dict[str, Any] | None = None, **plan: Any) -> Any:
    frame = pd.DataFrame(markers | {"ill": ILL.astype(int)})
    cohort = Cohort.of_frame(frame, outcome="ill", markers=list(markers), **(rows or {}))
    return gather_facts(cohort, StudyPlan(**({"n_resamples": 100, "r": "no"} | plan)))


def text_of(facts: Any) -> str:
    return re.sub(r"<[^>]+>", "", render_report(written_up(facts)))


def latent(seed: int = 1) -> Any:
    return np.random.default_rng(seed).normal(size=N) + ILL


def share(seed: int = 1) -> Any:
    return 1 / (1 + np.exp(-1.5 * latent(seed)))


# --- Line 5: a biomarker is no probability ------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "is_one", "is_smooth"),
    [
        ({}, False, False),
        ({"units": {"m": "g/g"}, "bounds": {"m": (0.0, 3.0)}}, False, True),
        ({"units": {"m": "g/g"}, "scores": "model"}, False, False),
        ({"bounds": {"m": (0.0, 3.0)}, "scores": "model"}, False, True),
        ({"bounds": {"m": (0.0, 1.0)}}, True, True),
        ({"bounds": {"m": (0.0, 1.0)}, "units": {"m": "risk"}}, True, True),
        *(
            ({"scores": scores}, True, True)
            for scores in ("model", "probability", "fitted", "cross-validated")
        ),
    ],
)
def test_14_05_only_who_says_so_has_probabilities(
    plan: dict[str, Any], is_one: bool, is_smooth: bool
) -> None:
    marker = facts_of({"m": share()}, **plan)["markers"][0]
    assert marker["probability"] is is_one
    assert (marker["calibration"] is not None) is (marker["decision"] is not None) is is_one
    assert (marker["estimates"]["smauc"] is not None) is (marker["smroc"] is not None) is is_smooth
    assert (marker["smauc_along"] is not None) is is_smooth
    assert marker["estimates"]["sauc"]["unit_scale"] is is_smooth


def test_14_05_a_measured_share_has_no_smooth_curve_and_says_why() -> None:
    marker = facts_of({"feature": 0.2 * share()})["markers"][0]
    assert marker["smroc"] is None
    assert marker["smauc_why"] == "the scores are not said to be probabilities"


def test_14_05_measured_shares_are_compared_by_auc_alone() -> None:
    markers = {"a": share(), "b": share(2)}
    assert facts_of(markers)["comparisons"]["others"] == []
    told = facts_of(markers, scores="probability")["comparisons"]["others"]
    assert [other["measure"] for other in told] == ["sauc", "smauc"]


# --- Line 10: with many markers the reference is said -------------------------------------------


def many(n: int) -> dict[str, Any]:
    return {f"m{i:02d}": latent(i) for i in range(n)}


def test_14_10_an_assumed_reference_raises_an_alert() -> None:
    facts = facts_of(many(13))
    (alert,) = (one for one in facts["alerts"] if one["kind"] == "assumed_reference")
    assert alert["level"] == "warning"
    assert (alert["reference"], alert["compared"], alert["pairs"]) == ("m00", 12, 78)
    text = text_of(facts)
    assert "all pairs" not in text
    assert "all 12 comparisons with m00, the first marker, of 78 pairs are in Comparisons" in text
    assert "each marker and m00, the first one given, on the same participants" in text


@pytest.mark.parametrize(("n", "plan"), [(12, {}), (13, {"versus": "m03"})])
def test_14_10_no_alert_where_all_or_the_named_one_is_compared(n: int, plan: Any) -> None:
    facts = facts_of(many(n), **plan)
    assert "assumed_reference" not in {alert["kind"] for alert in facts["alerts"]}
    text = text_of(facts)
    said = "all 66 pairs are" if n == 12 else "all 12 comparisons with m03 are"
    assert f"{said} in Comparisons" in text


def test_14_10_the_help_says_from_how_many_markers_on() -> None:
    (option,) = (option for option in OPTIONS if option.name == "versus")
    assert f"every pair of up to {MOST_MARKERS} markers" in option.about


# --- Line 31: zeros that look like a code, and the form of the bounds ---------------------------


def glucose() -> Any:
    return np.round(110 + 25 * latent())


ZEROS = {
    "glucose": (lambda: np.where(np.arange(N) % 40 == 0, 0, glucose()), 3),
    "one zero": (lambda: np.where(np.arange(N) == 5, 0, glucose()), 1),
    "BMI": (lambda: np.where(np.arange(N) % 2 == 0, 0, 28 + 4 * latent()), 60),
    "no zero": (glucose, None),
    "counts": (lambda: np.random.default_rng(3).poisson(4 + 2 * ILL), None),
    "a rating": (lambda: np.digitize(latent(), [-1, 0, 1, 2]) * 10, None),
    "a skewed one from 0 on": (lambda: np.round(np.exp(1.5 * latent()), 1), None),
    "both signs": (lambda: np.round(10 * latent()), None),
    "a constant": (lambda: np.zeros(N), None),
}


@pytest.mark.parametrize("kind", ZEROS)
def test_14_31_lonely_zeros_raise_an_alert(kind: str) -> None:
    make, n = ZEROS[kind]
    facts = facts_of({"m": make()})
    found = [alert for alert in facts["alerts"] if alert["kind"] == "zeros"]
    assert [alert["n"] for alert in found] == ([] if n is None else [n])
    if n:
        assert found[0]["next"] == min(v for v in make() if v > 0)
        assert "like a code for a missing value" in text_of(facts)


def test_14_31_limits_are_refused_in_the_form_of_the_report() -> None:
    form = r'give (them|their true limits) as bounds=\{"MARKER": \(low, high\)\}'
    with pytest.raises(InvalidOptionError, match="of m must be two finite") as refused:
        StudyPlan(bounds={"m": (3.0, 0.0)})
    assert re.search(form, str(refused.value))
    with pytest.raises(ScoreRangeError, match="The scores of m reach from") as refused:
        facts_of({"m": latent()}, bounds={"m": (0.0, 1.0)})
    assert re.search(form, str(refused.value))


def test_14_04_interventions_avoided_are_printed_as_they_are():
    """Of 100 participants 47.2 fewer were printed as "4.7%", and 25 more as "-3.5%"."""
    rng = np.random.default_rng(4)
    ill = np.arange(240) % 3 == 0
    data = {"ill": ill.astype(int), "risk": 1 / (1 + np.exp(1.5 - 2 * ill - rng.normal(size=240)))}
    page = rs.report(data, outcome="ill", markers="risk", scores="model", r="no", n_resamples=100)
    table = page.html.partition("Interventions avoided among 100")[2].partition("</table>")[0]
    shown = re.findall(r'data-as="subjects">([^<]+)</data>', table)
    called = data["risk"] >= 0.3
    tp, fp, n = np.sum(called & ill), np.sum(called & ~ill), len(ill)
    gain = (tp - fp * 3 / 7) / n - (ill.mean() - (1 - ill.mean()) * 3 / 7)
    assert f"{100 * gain / (3 / 7):.1f}" == shown[9]  # the fourth of the thresholds of the table
    assert "%" not in "".join(shown)
    assert shown[1].startswith("−")


def test_14_04_tenths_of_a_percent_are_whole():
    for wrong in (12.5, 1200, -25):
        with pytest.raises(ValueError, match="whole numbers"):
            show_tenths(wrong)


def test_14_30_gaps_between_levels_stand_in_natural_order():
    """The table of levels had 1, 2 and 10, and that of their gaps 1, 10 and 2."""
    rng = np.random.default_rng(30)
    site = np.resize(["site2", "site10", "site1"], N)[rng.permutation(N)]
    data = {"ill": ILL.astype(int), "crp": rng.normal(size=N) + ILL, "site": site}
    cohort = Cohort.of_frame(data, outcome="ill", markers=["crp"], groups=["site"])
    plan = StudyPlan(n_resamples=100, r="no", prespecified={"crp": (0.5,)})
    (found,) = gather_facts(cohort, plan)["subgroups"]
    gaps = {row["contrast"]: row for row in found["gaps"][0]}
    assert [row["label"] for row in found["levels"]] == ["site1", "site2", "site10"]
    assert list(gaps)[:3] == [f"site{a} - site{b} (auc)" for a, b in ((1, 2), (1, 10), (2, 10))]
    plain = rs.group_fairness(ILL.astype(int), data["crp"], group=site, threshold=0.5)
    known = {row["contrast"]: row for row in plain.gaps().statement().tidy}
    for measure in ("auc", "sensitivity", "specificity"):
        one, other = gaps[f"site2 - site10 ({measure})"], known[f"site10 - site2 ({measure})"]
        assert one["estimate"] == pytest.approx(-other["estimate"])
        assert one["conf_low"] == pytest.approx(-other["conf_high"])
        assert one["p_value"] == pytest.approx(other["p_value"])


def test_14_05_a_measurement_that_is_said_to_be_a_probability_is_told():
    """Values from 1 to 90 "were probabilities of the condition", and the section was dropped."""
    rng = np.random.default_rng(5)
    markers = {"crp": np.exp(rng.normal(2.0 + ILL, 1.0)), "risk": share()}
    said = "were probabilities of the condition"
    facts = facts_of(markers, scores="probability")
    (alert,) = [alert for alert in facts["alerts"] if alert["kind"] == "no_probability"]
    assert alert["marker"] == "crp"
    assert alert["high"] == markers["crp"].max()
    text = text_of(facts)
    assert f"Values of risk {said}" in text
    assert f"The scores {said}" not in text
    assert "no calibration and no decision curve were made of them" in text
    alone = facts_of({"crp": markers["crp"]}, scores="probability")
    assert said not in text_of(alone).replace("said to be probabilities", "")
    flipped = facts_of({"risk": 1 - share()}, {"higher_is_positive": False}, scores="probability")
    assert "are low where the condition is" in text_of(flipped)
    for plan in ({"units": {"crp": "mg/L"}}, {"bounds": {"crp": (0.0, 1e4)}}):
        kinds = {
            alert["kind"] for alert in facts_of(markers, scores="probability", **plan)["alerts"]
        }
        assert "no_probability" not in kinds
