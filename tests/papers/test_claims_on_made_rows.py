"""Claims of the papers judged on rows made for it: they hold where they should, and only there."""

from __future__ import annotations

import math
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rocstats.papers.huang_ling_2005 import (
    huang_ling_classes,
    huang_ling_lists,
    huang_ling_profit,
)
from rocstats.papers.klement_2011 import klement_figures, klement_paper
from rocstats.papers.paper import Settings
from rocstats.papers.paper_sets import PaperData
from rocstats.papers.streams import stream
from rocstats.papers.wu_flach_ferri_2007 import score_noise, wu_flach_ferri_paper
from rocstats.papers.wu_flach_ferri_2007.selection_runs import LEARNERS, Runs
from rocstats.papers.wu_flach_ferri_2007.wu_flach_ferri_printed import (
    SETS,
    TABLE_5,
    WINS_4,
    WINS_5,
)
from rocstats.papers.wu_flach_ferri_2007.wu_flach_ferri_sizes import VALIDATION
from rocstats.papers.wu_flach_ferri_2007.wu_flach_ferri_tables import table_5, table_rows, win_rows


def ozone(*gains: float) -> list[dict[str, Any]]:
    names = sorted(klement_paper._OZONE)
    return [
        {
            "method": "NB",
            "set": name,
            "auc_mean": 0.7,
            "smauc_mean": 0.7 + gain,
            "midpoint_mean": 1.5,
            "smauc_at_half_mean": 0.7 + gain / 2,
        }
        for name, gain in zip(names, gains, strict=True)
    ]


@pytest.mark.parametrize(
    ("gains", "first", "second"),
    [
        ((0.06, 0.2), "reproduced", "reproduced"),
        ((0.04, 0.2), "not reproduced", "reproduced"),
        ((0.06, -0.2), "not reproduced", "not reproduced"),
        ((-0.1, -0.2), "not reproduced", "not reproduced"),
    ],
)
def test_klement_ozone(gains: tuple[float, float], first: str, second: str) -> None:
    claims = klement_paper._ozone(ozone(*gains))
    assert [claim.verdict for claim in claims] == [first, second]


def gap(auc: float, smooth: float) -> dict[str, float]:
    row = {"auc_mean": auc, "smauc_mean": smooth, "smauc_at_half_mean": smooth}
    return row | {"auc_sd": 0.1, "smauc_sd": 0.05}


@pytest.mark.parametrize(
    ("apart", "verdict"), [(0.02, "reproduced"), (0.049, "reproduced"), (0.06, "not reproduced")]
)
def test_klement_differences_agree_where_they_are_less_than_half_as_far_apart(
    apart: float, verdict: str
) -> None:
    gaps = [gap(0.1, 0.2)] * 13 + [gap(-0.1, -0.1 - apart)] * 13
    claim = klement_paper._different(gaps, 26)[1]
    assert claim.verdict == verdict
    assert claim.found == (
        f"they are {apart:.3f} apart on 13 sets; 0.100 on the 13 where naive Bayes is better"
    )


def test_klement_differences_of_one_side_alone_decide_nothing() -> None:
    for gaps in ([gap(0.1, 0.2)] * 26, [gap(-0.1, -0.2)] * 26):
        claim = klement_paper._different(gaps, 26)[1]
        assert claim.verdict == "undecided"
        assert "nan apart" in claim.found or "; nan on" in claim.found


def test_huang_ling_buyers_given_an_accuracy_are_that_share_of_those_approached() -> None:
    """The mean over lists of one accuracy is free of how the positives are ranked above it."""
    profit = huang_ling_profit
    curves = {
        (top, given): profit._curve(top, given)
        for top in profit.DIFFERENCES
        for given in ("auc", "accuracy")
    }
    rows = profit._differences(curves)
    assert len(rows) == 8
    for row in rows:
        approached = 20 * row["top"]
        assert row["buyers_by_accuracy"] == pytest.approx(approached * row["value"] / 100)
        gain = row["buyers_by_auc"] - row["buyers_by_accuracy"]
        assert gain == pytest.approx(row["buyers_difference"])
        assert gain > 0.0


def test_validation_sets_double() -> None:
    assert VALIDATION[0] == 0.05
    assert [b / a for a, b in pairwise(VALIDATION)] == [2.0] * 4


def test_klement_says_by_what_it_judged_or_how_many_sets_are_wanting() -> None:
    gaps = [gap(0.1, 0.2)] * 13 + [gap(-0.1, -0.12)] * 13
    assert klement_paper._different(gaps, 26)[1].why.startswith("Better by the mean of both")
    assert klement_paper._different(gaps[12:14], 2)[1].why.startswith("At hand of the paper's")


@pytest.mark.parametrize("backend", ["python", "weka"])
@pytest.mark.parametrize(("quick", "runs"), [(True, 3), (False, 10)])
def test_klement_runs_ten_times_and_three_if_quick(
    monkeypatch: pytest.MonkeyPatch, quick: bool, runs: int, backend: str
) -> None:
    asked = []

    def pools(sets: object, runs: int, settings: object) -> None:
        asked.append(runs)
        raise KeyboardInterrupt  # that is all

    none = PaperData(sets={}, uses=(), left_out={})
    monkeypatch.setattr(klement_paper, "require_backend", lambda _: None)
    monkeypatch.setattr(klement_paper, "load_paper_data", lambda *_, **__: none)
    monkeypatch.setattr(klement_paper, "run_pools", pools)
    for given in (None, 7):
        with pytest.raises(KeyboardInterrupt):
            klement_paper.run(Settings(quick=quick, backend=backend), runs=given)
    assert asked == [runs, 7]


def test_wu_flach_ferri_runs_each_table_on_its_own_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, set[str]] = {}

    def selections(sets: dict[str, Any], plan: object, settings: object, title: str) -> Any:
        asked[title] = set(sets)
        return {}

    paper = wu_flach_ferri_paper
    sets = {title: None for title, *_ in paper.SETS.values()}
    every: Any = PaperData(sets=sets, uses=(), left_out={})  # type: ignore[arg-type]
    monkeypatch.setattr(paper, "load_paper_data", lambda *_, **__: every)
    monkeypatch.setattr(paper, "run_selections", selections)
    monkeypatch.setattr(paper, "_noise", lambda *_: ([], [], []))
    monkeypatch.setattr(paper, "printed_counts", lambda _: ([], [], []))
    monkeypatch.setattr(paper, "by_validation_size", lambda _: ([], [], []))
    paper.run(Settings(quick=False), large_repetitions=1)
    small, large = ({paper.SETS[i][0] for i in t} for t in (paper.TABLE_4, paper.TABLE_5))
    assert not small & large
    assert asked == {"Table 4": small, "validation sizes": small, "Table 5": large}


def test_wu_flach_ferri_rows_are_means_in_percent() -> None:
    number = next(iter(wu_flach_ferri_paper.TABLE_4))
    printed = {number: wu_flach_ferri_paper.TABLE_4[number]}
    title = wu_flach_ferri_paper.SETS[number][0]
    test = np.random.default_rng(1).uniform(0.6, 0.9, (7, len(LEARNERS), 1, 3))
    rows = table_rows(printed, {title: Runs(test=test, clouds=np.zeros((7, 1, 1, 3)))})
    for i, row in enumerate(rows):
        for j, measure in enumerate(("sauc", "auc", "brier")):
            assert row[measure] == pytest.approx(100.0 * test[:, i, 0, j].mean())
        gains = 100.0 * (test[:, i, 0, 0] - test[:, i, 0, 2])
        assert row["sauc_less_brier"] == pytest.approx(gains.mean())
        error = gains.std(ddof=1) / math.sqrt(7)
        assert row["sauc_less_brier_std_error"] == pytest.approx(error)
        assert row["repetitions"] == 7


def test_noise_is_drawn_in_batches_of_2500_runs() -> None:
    """The numbers of the full run hang on it: one stream, drawn a batch at a time."""
    rng = np.random.default_rng(stream(3, "noise", 0.4))
    parts = [score_noise._differences(rng, size, 0.4) for size in (2500, 200)]
    rows = {row["measure"]: row for row in score_noise.noise_rows(0.4, 2700, 3)}
    for measure in score_noise.MEASURED:
        before, after = (np.concatenate([part[i][measure] for part in parts]) for i in (0, 1))
        changed = np.sign(before) * np.sign(after) < 0
        assert rows[measure]["changed"] == pytest.approx(changed.mean(), abs=1e-15)


def test_huang_ling_counts_as_many_counts_as_it_prints() -> None:
    """A table of one degree has two counts and the degree in every row."""
    found = huang_ling_lists._compared(2, 2)
    printed = tuple(getattr(found.counts, name) for name in huang_ling_lists._PARTS)
    texts = tuple(f"{getattr(found, d.name):.3f}" for d in huang_ling_lists._DEGREES)
    for place, degree in enumerate(huang_ling_lists._DEGREES):
        cells: Any = {4: (found, printed + texts), 5: (found, printed + texts)}
        (held, *wrong), rows = huang_ling_lists._one_table("T", cells, degree, place)
        assert (wrong, len(rows)) == ([], 2)
        assert held.printed == "4 counts, 2 degrees"
        assert held.found.startswith("4 counts")


def test_wins_in_print_are_those_of_the_printed_rows_but_for_one() -> None:
    paper = wu_flach_ferri_paper
    for table, printed in ((paper.TABLE_4, WINS_4), (paper.TABLE_5, WINS_5)):
        for row in win_rows(table_rows(table, {}), printed):
            misprint = (row["wins_printed"], row["wins_in_printed_rows"]) == (3, 4)
            assert misprint or row["wins_printed"] == row["wins_in_printed_rows"]
            assert misprint <= (table is paper.TABLE_5 and row["learner"] == "J48")


@pytest.mark.parametrize("smooth", [True, False])
def test_klement_curves_are_drawn_on_axes_of_their_kind(smooth: bool) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    data: Any = SimpleNamespace(y=np.array([1, 1, 0, 0, 1, 0]))
    scores = {"NB": np.array([0.9, 0.6, 0.3, 0.2, 0.4, 0.5])}
    ax = pyplot.figure().gca()
    klement_figures.curves(data, scores, smooth).draw(ax)
    wanted = (
        ("Horizontal share", "Vertical share") if smooth else ("1 - specificity", "Sensitivity")
    )
    assert (ax.get_xlabel(), ax.get_ylabel()) == wanted


@pytest.mark.parametrize(
    ("least", "verdict"), [(2.0, "reproduced"), (1.0, "not reproduced"), (0.5, "not reproduced")]
)
def test_huang_ling_classes_need_a_discriminancy_above_1(
    monkeypatch: pytest.MonkeyPatch, least: float, verdict: str
) -> None:
    def cell(settings: object, classes: int, kind: str, n_pairs: int) -> dict[str, float]:
        values = {"consistency": 0.6 + 1.0 / classes**2, "discriminancy": least + classes - 3.0}
        row = {}
        for name, value in values.items():
            row |= {f"{name}_printed": value, f"{name}_{kind}": value}
            row |= {f"{name}_{kind}_std_error": 1e-4, f"{name}_{kind}_z": 0.0}
        return row

    monkeypatch.setattr(huang_ling_classes, "_cell", cell)
    claims, _, _ = huang_ling_classes.simulated_part(Settings(quick=True))
    assert claims[-1].text.startswith("Table XIII: with more classes C falls")
    assert claims[-1].verdict == verdict
    assert {claim.verdict for claim in claims[:-1]} == {"reproduced"}


@pytest.mark.parametrize(
    ("won", "verdict", "words"),
    [
        ((1, 1, 0, 0, 0, 0), "reproduced", "On 6 of 6 sets."),
        ((1, 1, 1, 1, 1, 1), "not reproduced", "On 6 of 6 sets. With J48 sAUC has 6 wins"),
        ((1, 1, 0, 0, 0), "reproduced", "4 is the most that can be reached"),
        ((1, 0, 0, 0, 0), "reproduced", "5 is the most that can be reached"),
        ((0, 0, 0, 0, 0), "undecided", "six could be reached"),
        ((1, 0), "reproduced", "5 is the most that can be reached"),
        ((1,), "undecided", "six could be reached"),
    ],
)
def test_table_5_is_decided_if_no_wanting_set_can_change_it(
    won: tuple[int, ...], verdict: str, words: str
) -> None:
    """Six wins or losses of six: with five sets, four and one can no more become six."""
    runs = {}
    for number, one in zip(TABLE_5, won, strict=False):
        test = np.full((3, len(LEARNERS), 1, 3), 0.7)
        test[..., 0] += 0.1 if one else -0.1  # sAUC is the first of those that choose
        runs[SETS[number][0]] = Runs(test=test, clouds=np.zeros((3, len(LEARNERS), 10, 3)))
    claim = table_5(runs)[0][0]
    assert claim.verdict == verdict
    assert words in claim.why
