"""The papers' experiments: exact results to the last digit, protocols against plain code."""

import ast
import csv
import math
import os
import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise, product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import binomtest, t

import rocstats as rs
from rocstats.errors import InvalidOptionError, InvalidSampleError, MissingDependencyError
from rocstats.papers import sauc_vs_wmw
from rocstats.papers.adding_up import (
    count_wins,
    critical_wins,
    share_is_possible,
)
from rocstats.papers.data_sets.loading import load_set, sets_of
from rocstats.papers.even_folds import stratified_folds
from rocstats.papers.fawcett_2006 import fawcett_paper as fawcett_2006
from rocstats.papers.fawcett_2006.fawcett_algorithms import (
    roc_area,
    sampled_thresholds,
    steps_of_line_4,
    threshold_average,
    vertical_average,
)
from rocstats.papers.huang_ling_2005 import huang_ling_models, huang_ling_printed
from rocstats.papers.huang_ling_2005.fold_areas import METHODS, hand_till, run_fold_areas
from rocstats.papers.huang_ling_2005.huang_ling_claims import printed_p
from rocstats.papers.klement_2011 import klement_paper as klement_2011
from rocstats.papers.klement_2011 import klement_printed
from rocstats.papers.klement_2011.klement_tests import significant
from rocstats.papers.klement_2011.pooled_runs import smooth_areas
from rocstats.papers.learners.voting_intervals import VotingIntervals
from rocstats.papers.paper import VERDICTS, Claim, PaperTable, Settings
from rocstats.papers.paper_sets import load_paper_data
from rocstats.papers.papers_by_name import PAPERS
from rocstats.papers.row_areas import accuracy_rows, auc_rows, brier_rows, sauc_rows
from rocstats.papers.streams import sha256_of, stream
from rocstats.papers.wu_flach_2005 import wu_flach_paper as wu_flach_2005
from rocstats.papers.wu_flach_2005 import wu_flach_printed
from rocstats.papers.wu_flach_2005.fold_selection import FoldRuns, run_folds
from rocstats.papers.wu_flach_ferri_2007 import (
    wu_flach_ferri_counts,
    wu_flach_ferri_examples,
    wu_flach_ferri_printed,
)
from rocstats.papers.wu_flach_ferri_2007 import wu_flach_ferri_paper as wu_flach_ferri_2007
from rocstats.papers.wu_flach_ferri_2007.score_noise import noise_rows
from rocstats.papers.wu_flach_ferri_2007.selection_runs import CHOSEN_BY, Plan, Runs, run_selections
from rocstats.papers.wu_flach_ferri_2007.wu_flach_ferri_counts import printed_counts
from rocstats.papers.wu_flach_ferri_2007.wu_flach_ferri_printed import SETS
from rocstats.papers.wu_flach_ferri_2007.wu_flach_ferri_sizes import VALIDATION, by_validation_size
from rocstats.papers.wu_flach_ferri_2007.wu_flach_ferri_tables import (
    figure_3,
    table_4,
    table_rows,
    win_rows,
)
from rocstats.studies.corrected import sign_test_p
from rocstats.studies.power_studies import adjusted_powers

DATA = Path(os.environ.get("ROCSTATS_DATA", Path(__file__).parents[3] / "shared" / "data"))
needs_data = pytest.mark.skipif(
    not (DATA / "hepatitis.arff").is_file(), reason="needs a folder of UCI's data, ROCSTATS_DATA"
)

ROUNDING = 1e-12  # what sums in another order differ by
MONTE_CARLO = 4.0  # standard errors between two independent simulations

QUICK = Settings(quick=True)


def claim(result, start):
    """The claim that starts with these words."""
    found = [c for c in result.claims if c.text.startswith(start)]
    assert len(found) == 1, start
    return found[0]


def table(result, name):
    return next(found for found in result.tables if found.name == name)


@pytest.fixture(scope="module")
def fawcett():
    return fawcett_2006.run(Settings())


@pytest.fixture(scope="module")
def selection():
    """Wu, Flach & Ferri with few repetitions and no data folder."""
    return wu_flach_ferri_2007.run(
        QUICK, noise_runs=300, repetitions=6, large_repetitions=0, size_repetitions=3
    )


# What a re-run is made of.


def test_catalogue_has_the_papers_and_their_sets():
    assert list(PAPERS) == [
        *("wu-flach-2005", "wu-flach-ferri-2007", "huang-ling-2005", "klement-2011"),
        *("fawcett-2006", "sauc-vs-wmw"),
    ]
    for name, paper in PAPERS.items():
        assert paper.name == name
        assert paper.question.endswith("?")


def test_printed_sets_are_those_of_the_bench():
    """Two people typed the tables."""
    labels = {
        "wu-flach-2005": {row[0]: row[1:] for row in wu_flach_printed.SETS.values()},
        "wu-flach-ferri-2007": {row[0]: row[1:] for row in wu_flach_ferri_printed.SETS.values()},
    }
    for paper, typed in labels.items():
        found = {p.label: (p.attributes, p.n, p.majority) for p in sets_of(paper).values()}
        assert found == typed
    found = {p.label: (p.n, p.n_pos, p.attributes) for p in sets_of("klement-2011").values()}
    assert found == {
        label: (n, pos, features)
        for label, (_, n, pos, _, features, _) in klement_printed.SETS.items()
    }


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_jobs": 0}, "n_jobs must be"),
        ({"rng": -1}, "The seed must be"),
        ({"data": Path("/nowhere/at/all")}, "There is no data folder"),
    ],
)
def test_settings_refuse(options, words):
    with pytest.raises(InvalidOptionError, match=words):
        Settings(**options)


def test_a_file_with_too_few_rows_is_refused(tmp_path):
    """Ten folds of them would not have both classes."""
    rows = ["1,a,LIVE"] * 30 + ["2,b,DIE"] * 9
    head = "@relation hepatitis\n@attribute AGE numeric\n@attribute SEX {a,b}\n"
    text = f"{head}@attribute Class {{DIE,LIVE}}\n@data\n"
    (tmp_path / "hepatitis.arff").write_text(text + "\n".join(rows) + "\n")
    settings = Settings(quick=True, data=tmp_path)
    words = "hepatitis.arff has 9 positive and 30 other rows; 10 of each are needed."
    with pytest.raises(InvalidSampleError, match=re.escape(words)):
        load_paper_data("wu-flach-2005", settings, only=["Hepatitis"])
    (tmp_path / "hepatitis.arff").write_text(text + "\n".join([*rows, "2,b,DIE"]) + "\n")
    found = load_paper_data("wu-flach-2005", settings, only=["Hepatitis"])
    assert found.sets["Hepatitis"].n == 40


def test_claims_have_one_of_four_verdicts():
    with pytest.raises(InvalidOptionError, match="verdict must be one of"):
        Claim(text="a", printed="b", found="c", verdict="perhaps")


def test_table_leaves_out_nothing():
    found = PaperTable(name="t", title="T", columns=("a", "b"), rows=({"a": 1}, {"a": 2, "b": 3}))
    assert found.to_dict()["rows"] == [{"a": 1, "b": None}, {"a": 2, "b": 3}]
    assert "<td>3</td>" in found._repr_html_()


def test_result_tells_itself(fawcett):
    content = fawcett.to_dict()
    assert sum(content["verdicts"].values()) == len(fawcett.claims) == len(fawcett.to_frame())
    assert set(content["verdicts"]) == set(VERDICTS)
    assert repr(fawcett).startswith("fawcett-2006\nverdict")
    assert "<table>" in fawcett._repr_html_()


def test_streams_depend_on_seed_and_words_alone():
    states = {
        tuple(stream(seed, *words).generate_state(2))
        for seed, words in product((1, 2), (("a",), ("b",), ("a", "b"), ("a", 1)))
    }
    assert len(states) == 8
    assert sha256_of(np.arange(3)) != sha256_of(np.arange(3.0))


# Numbers that others build on.


@pytest.mark.parametrize("levels", [3, 50])
def test_rows_of_areas_are_the_package_s(levels):
    rng = np.random.default_rng(levels)
    scores = rng.integers(0, levels, (20, 15)) / levels
    labels = (rng.random((20, 15)) < 0.4).astype(float)
    labels[:, 0], labels[:, 1] = 0.0, 1.0
    for row in range(20):
        y, s = labels[row].astype(int), scores[row]
        one = scores[[row]], labels[[row]]
        assert auc_rows(*one)[0] == pytest.approx(rs.auc(y, s).value, abs=ROUNDING)
        assert sauc_rows(*one)[0] == pytest.approx(rs.sauc(y, s).value, abs=ROUNDING)
        assert brier_rows(*one)[0] == pytest.approx(np.mean((s - y) ** 2), abs=ROUNDING)
        assert accuracy_rows(*one)[0] == pytest.approx(np.mean((s >= 0.5) == y), abs=ROUNDING)
    many = auc_rows(scores, labels)
    assert many.tolist() == [auc_rows(scores[[i]], labels[[i]])[0] for i in range(20)]
    common = auc_rows(scores, labels[:1])
    assert common.tolist() == [auc_rows(scores[[i]], labels[:1])[0] for i in range(20)]


def test_sign_test_is_exact():
    for wins, losses in product(range(8), range(8)):
        if wins + losses:
            p = binomtest(wins, wins + losses).pvalue
            assert sign_test_p(wins, losses) == pytest.approx(p, abs=ROUNDING)
    assert sign_test_p(9, 2) == 134 / 2048
    assert critical_wins(11, 0.05) == 10
    assert critical_wins(6, 0.10) == 6
    assert critical_wins(5, 0.05) is None
    assert count_wins([1, 2, 3], [0, 2, 4]) == (1, 1, 1)


def test_possible_shares():
    for n in (7, 148, 227, 270):
        possible = {count / n * 100 for count in range(n + 1)}
        printed = {f"{value:.2f}" for value in possible}
        printed |= {f"{math.floor(100 * value + 1e-9) / 100:.2f}" for value in possible}
        for percent in np.arange(50.0, 100.0, 0.01):
            assert share_is_possible(float(percent), n) == (f"{percent:.2f}" in printed)
    assert not share_is_possible(55.56, 227)
    assert share_is_possible(55.56, 270)
    assert share_is_possible(55.41, 554)  # 307 are 55.415%, cut
    assert not share_is_possible(60.91, 133)  # 81 are 60.902%


def test_folds_are_stratified():
    target = np.repeat([0, 1, 2], [40, 23, 7])
    fold = stratified_folds(np.random.default_rng(3), target, 10)
    assert np.bincount(fold).tolist() == [7] * 10
    for label in range(3):
        counts = np.bincount(fold[target == label], minlength=10)
        assert counts.max() - counts.min() <= 1


def test_hand_till_is_the_package_s():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 60)
    shares = rng.dirichlet(np.ones(3), 60)
    expected = rs.multiclass_auc(truth, shares, labels=[0, 1, 2]).value
    assert hand_till(shares, truth) == pytest.approx(expected, abs=ROUNDING)
    binary = truth > 0
    two = np.column_stack([1 - shares[:, 0], shares[:, 0]])
    expected = rs.auc(binary.astype(int), two[:, 1]).value
    assert hand_till(two, binary.astype(int)) == pytest.approx(expected, abs=ROUNDING)


def test_voting_intervals_by_hand():
    """Class 0 spans 1 to 3, class 1 spans 2 to 5: end points 1, 2, 3 and 5."""
    model = VotingIntervals(levels=[0, 2])
    X = [[1, 0], [2.5, 0], [3, 1], [2, 1], [4, 1], [5, 1]]
    model.fit(X, [0, 0, 0, 1, 1, 1])
    # between 2 and 3: class 0 has 1 and one half (at 3), class 1 has one half (at 2); sizes equal
    first = np.array([1.5, 0.5]) / 2.0
    level_0, level_1 = np.array([1.0, 0.0]), np.array([1 / 3, 1.0]) / (4 / 3)
    shares = model.predict_proba([[2.5, 0], [2.5, 1], [np.nan, 1], [np.nan, -1]])
    expected = [(first + level_0) / 2, (first + level_1) / 2, level_1, [0.5, 0.5]]
    np.testing.assert_allclose(shares, expected, atol=ROUNDING)


# Fawcett.


def test_fawcett_figure_3_to_the_last_digit(fawcett):
    rows = table(fawcett, "figure-3").rows
    classes = "ppnpppnnpnpnpnnnpnpn"
    tp, fp = np.cumsum([c == "p" for c in classes]), np.cumsum([c == "n" for c in classes])
    assert [row["tpr"] for row in rows] == [0.0, *(tp / 10)]
    assert [row["fpr"] for row in rows] == [0.0, *(fp / 10)]
    assert max(row["accuracy"] for row in rows) == 0.7
    assert [row["threshold"] for row in rows if row["accuracy"] == 0.7] == [0.54]


def test_fawcett_figure_10_exactly(fawcett):
    found = {row["what"]: row["value"] for row in table(fawcett, "figure-10").rows}
    k = Fraction(800 - 424, 1084 - 424)
    assert k == Fraction(94, 165)
    assert found["share k of B"] == float(k)
    assert found["fp rate of C"] == float(Fraction(1, 10) + k * Fraction(3, 20))
    assert found["tp rate of C"] == float(Fraction(1, 5) + k * Fraction(2, 5))
    assert found["clients called with k = 0.53"] == pytest.approx(773.8, abs=ROUNDING)
    assert claim(fawcett, "Fig. 10: C lies").verdict == "misprint"


def test_fawcett_verdicts(fawcett):
    assert fawcett.verdicts() == {
        "reproduced": 11,
        "not reproduced": 0,
        "misprint": 4,
        "undecided": 1,
    }


def test_fawcett_algorithms_word_for_word():
    rng = np.random.default_rng(2)
    for _ in range(20):
        n = int(rng.integers(4, 30))
        labels = rng.integers(0, 2, n)
        labels[:2] = 0, 1
        scores = rng.integers(0, 6, n) / 5
        area = rs.auc(labels, scores).value
        corrected = roc_area(labels.tolist(), scores.tolist(), as_printed=False)
        assert float(corrected) == pytest.approx(area, abs=ROUNDING)
        printed = roc_area(labels.tolist(), scores.tolist(), as_printed=True)
        assert (printed == corrected) == (
            labels.sum() * 2 == n or not _ends_in_negatives(labels, scores)
        )
    curve = [(0.0, 0.0, np.inf), (0.0, 0.5, 0.9), (0.5, 1.0, 0.4), (1.0, 1.0, 0.2)]
    assert vertical_average([curve], 4) == [0.5, 0.75, 1.0, 1.0, 1.0]
    assert threshold_average([curve], [0.5, 0.1], as_printed=False) == [(0.5, 1.0), (1.0, 1.0)]
    with pytest.raises(IndexError):
        threshold_average([curve], [0.1], as_printed=True)
    # By rank among the scores of all curves, the first of which calls no one.
    assert sampled_thresholds([curve, curve[:2]], 3) == [np.inf, 0.9, 0.4]


def test_fawcett_averages_at_the_thresholds_of_algorithm_4(fawcett):
    found = [row["threshold"] for row in table(fawcett, "figure-9d").rows]
    assert len(found) == 11
    assert found[0] == np.inf
    assert found == sorted(found, reverse=True)


def _ends_in_negatives(labels, scores):
    """Whether the last block of equal scores holds a negative, so that line 21 has a base."""
    return bool((labels[scores == scores.min()] == 0).any())


# Wu & Flach 2005.


@pytest.fixture(scope="module")
def wu_flach():
    return wu_flach_2005.run(QUICK, runs=1)


def test_wu_flach_examples_to_the_last_digit(wu_flach):
    rows = {row["model"]: row for row in table(wu_flach, "examples").rows}
    assert {name: rows["M1"][name] for name in ("r_plus", "r_minus", "sauc")} == {
        "r_plus": float(Fraction(890, 1200)),
        "r_minus": float(Fraction(203, 1200)),
        "sauc": float(Fraction(687, 1200)),
    }
    for row in rows.values():
        for name in ("r_plus", "r_minus", "sauc"):
            assert f"{row[name]:.4f}" == f"{row[f'{name}_printed']:.4f}"
    assert claim(wu_flach, "Example 2").verdict == "reproduced"


def test_wu_flach_averages_are_misprinted(wu_flach):
    for name, printed in (
        ("Table 4", wu_flach_printed.TABLE_4),
        ("Table 5", wu_flach_printed.TABLE_5),
    ):
        means = [np.mean([row[i] for row in printed.values()]) for i in (0, 2)]
        found = claim(wu_flach, f"{name}: the averages")
        assert found.verdict == "misprint"
        assert found.found == f"{means[0]:.2f}, {means[1]:.2f}"
    assert [sum(row[4] == "win" for row in t.values()) for t in _wf_tables()] == [6, 9]
    assert [sum(row[4] == "loss" for row in t.values()) for t in _wf_tables()] == [2, 0]
    assert claim(wu_flach, "Table 3").found == (
        "impossible: Heart (55.56% of 227), Lymphography (56.81% of 148), Hayes-Roth (60.91% of "
        "133); by the rules: Monk3 55.41 for 51.99, Tic-tac-toe 64.20 for 65.34"
    )


def _wf_tables():
    return wu_flach_printed.TABLE_4, wu_flach_printed.TABLE_5


def test_wu_flach_without_data(wu_flach):
    assert [use.name for use in wu_flach.data] == [
        "Monk1",
        "Monk2",
        "Monk3",
        "Tic-tac-toe",
        "Balance",
    ]
    assert {"K*", "Hepatitis", "Bridges"} <= set(wu_flach.left_out)
    assert claim(wu_flach, "Table 4: choosing").verdict == "undecided"
    rows = {row["set"]: row for row in table(wu_flach, "table-4").rows}
    assert rows["Sonar"]["auc"] is None
    assert rows["Monk1"]["pairs"] == 10
    assert rows["Monk1"]["gain"] == pytest.approx(rows["Monk1"]["sauc"] - rows["Monk1"]["auc"])
    ran = [row["auc"] for name, row in rows.items() if name != "average" and row["auc"] is not None]
    assert (rows["average"]["auc_printed"], rows["average"]["sauc_printed"]) == (93.05, 93.45)
    assert rows["average"]["auc"] == pytest.approx(np.mean(ran))


@needs_data
def test_wu_flach_sets_of_fewer_than_150_rows_have_the_results_of_table_4():
    settings = Settings(data=DATA, quick=True)
    sets = load_paper_data("wu-flach-2005", settings, only=["Bridges", "Hepatitis"]).sets
    whole, small = (run_folds(sets, 1, settings, rows=n, what="") for n in (None, 150))
    same = {name: np.array_equal(whole[name].test_auc, small[name].test_auc) for name in sets}
    assert same == {"Hepatitis": False, "Bridges": True}
    found = wu_flach_2005._apart(sets, by_rule=False)
    assert found == ["Hepatitis 78.71 for 79.35"]  # Bridges has another number of rows


def test_chosen_models_and_ties():
    runs = FoldRuns(
        validation_auc=np.array([[0.9, 0.9, 0.8], [0.7, 0.8, 0.6]]),
        validation_sauc=np.array([[0.1, 0.3, 0.2], [0.5, 0.4, 0.3]]),
        test_auc=np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]),
    )
    assert runs.chosen("auc").tolist() == [0.1, 0.5]
    assert runs.chosen("sauc").tolist() == [0.2, 0.4]
    assert runs.chosen("auc", ties="shared").tolist() == pytest.approx([0.15, 0.5])
    assert (runs.tied("auc"), runs.tied("sauc")) == (0.5, 0.0)


def test_t_tests_by_definition():
    gain = np.random.default_rng(1).normal(0.3, 1.0, 100)
    statistic = gain.mean() / np.sqrt(gain.var(ddof=1) * (1 / 100 + 1 / 8))
    assert wu_flach_2005._t_test(gain, 1 / 8) == pytest.approx(2 * t.sf(abs(statistic), 99))
    assert wu_flach_2005._t_test(np.zeros(5), 0.0) == 1.0


def test_the_corrected_test_is_the_package_s():
    """One fold of ten tests; the other nine train or choose."""
    rng = np.random.default_rng(2)
    runs = FoldRuns(
        validation_auc=rng.random((30, 3)),
        validation_sauc=rng.random((30, 3)),
        test_auc=rng.random((30, 3)),
    )
    gain = runs.chosen("sauc") - runs.chosen("auc")
    expected = rs.corrected_t_test(gain, n_train=90, n_test=10).pvalue
    assert wu_flach_2005._ours(runs)["p_corrected"] == pytest.approx(expected, rel=ROUNDING)


# Wu, Flach & Ferri 2007.


def test_examples_and_steps_exactly(selection):
    assert claim(selection, "Example 1").verdict == "reproduced"
    assert claim(selection, "Example 2").verdict == "reproduced"
    steps = [row for row in table(selection, "figure-1").rows if row["model"] == "M2"]
    area = sum((after["margin"] - row["margin"]) * row["auc"] for row, after in pairwise(steps))
    assert area == pytest.approx(49 / 90, abs=ROUNDING)  # the sAUC of M2
    assert claim(selection, "Fig. 1").verdict == "reproduced"
    both = wu_flach_ferri_examples._steps()
    assert wu_flach_ferri_examples._crossing(both) == Fraction(1, 10)
    turned = {"M1": both["M2"], "M2": both["M1"]}
    for wrong in (turned, dict.fromkeys(both, both["M1"])):
        assert wu_flach_ferri_examples._crossing(wrong) is None
    curve = rs.sroc_curve(rs.datasets.load_wu_flach_ferri(), marker="M2")
    for row in steps:  # within the step, where no margin is rounded
        assert curve.at(row["margin"] + 0.01) == pytest.approx(row["auc"], abs=ROUNDING)


def test_misprints_of_the_tables(selection):
    assert claim(selection, "Table 4: the number of wins").verdict == "reproduced"
    found = claim(selection, "Table 5: the number of wins")
    assert (found.verdict, found.found) == ("misprint", "2, 4, 1, 3, 2, 3")
    assert claim(selection, "Section 4: the critical value").found == "10"
    assert "more than two Monte-Carlo standard errors" in selection.choices["Verdicts"]
    assert "Monk3 55.41 for 51.99, Tic-tac-toe 64.20 for 65.34" in claim(selection, "Table 3").found


def test_without_data_claims_are_not_tried(selection):
    for start in (
        "Table 4: sAUC significantly",
        "Fig. 3: on Credit-a",
        "Fig. 3: a number of models",
        "Table 5: with more",
        "Table 5: logistic",
    ):
        assert claim(selection, start).verdict == "undecided"
    assert "Credit-a" in selection.left_out
    assert [use.name for use in selection.data] == ["Monk1", "Monk2", "Monk3", "Tic-tac-toe"]
    assert all(len(use.sha256) == 64 for use in selection.data)


def test_noise_against_a_plain_loop():
    """Other code, other seed: within Monte-Carlo error."""
    runs, level = 1500, 0.6
    rows = {row["measure"]: row for row in noise_rows(level, 4000, 1)}
    rng = np.random.default_rng(99)
    changed = {"accuracy": 0, "auc": 0, "brier": 0, "sauc": 0}
    for _ in range(runs):
        better = [{}, {}]
        for swapped in (10, 11):
            p = rng.random(100)
            y = p >= 0.5
            flip = rng.permutation(100)[:swapped]
            y[flip] = ~y[flip]
            noisy = np.clip(p + level * (rng.random(100) - 0.5), 0, 1)
            for i, s in enumerate((p, noisy)):
                margins = s[y][:, None] - s[~y]
                values = {
                    "accuracy": np.mean((s >= 0.5) == y),
                    "auc": np.mean((margins > 0) + 0.5 * (margins == 0)),
                    "brier": -np.mean((s - y) ** 2),
                    "sauc": np.mean(np.maximum(margins, 0)),
                }
                for name, value in values.items():
                    better[i][name] = np.round(value - better[i].get(name, 0), 12)
        for name in changed:
            changed[name] += better[0][name] * better[1][name] < 0
    for name, count in changed.items():
        share = count / runs
        error = np.hypot(rows[name]["std_error"], np.sqrt(share * (1 - share) / runs))
        assert abs(rows[name]["changed"] - share) < MONTE_CARLO * error, name


def test_selection_by_hand():
    """The chosen model is the best on the validation rows, and it is judged on the others."""
    data = {"Monk1": load_set("monk1")}
    runs = run_selections(data, Plan(repetitions=3, validation=(0.2, 0.5)), QUICK, "test")["Monk1"]
    assert runs.test.shape == (3, 3, 2, len(CHOSEN_BY))
    validation_auc, validation_sauc, test = np.moveaxis(runs.clouds, -1, 0)
    for r, i in product(range(3), range(3)):
        by_sauc = test[r, i, np.argmax(np.round(validation_sauc[r, i], 12))]
        by_auc = test[r, i, np.argmax(np.round(validation_auc[r, i], 12))]
        assert runs.test[r, i, 0, :2].tolist() == [by_sauc, by_auc]
        assert runs.test[r, i, 0].max() <= test[r, i].max()


def test_selection_against_plain_scikit_learn():
    """Other code, other seed: mean test AUC of the chosen models within Monte-Carlo error."""
    from sklearn.metrics import brier_score_loss, roc_auc_score
    from sklearn.naive_bayes import CategoricalNB

    data = load_set("monk3")
    plan = Plan(repetitions=200, learners=("Naive Bayes",))
    ours = run_selections({"Monk3": data}, plan, QUICK, "test")["Monk3"].test[:, 0, 0]
    X, y = data.X.astype(int), data.y.astype(int)
    rng = np.random.default_rng(7)
    found = []
    for _ in range(30):
        order = rng.permutation(data.n)
        train, validation, test = np.split(order, [data.n // 2, data.n // 2 + round(0.1 * data.n)])
        values = []
        for _ in range(10):
            keep = rng.permutation(6)[3:]
            model = CategoricalNB(min_categories=[data.levels[j] for j in keep])
            model.fit(X[train][:, keep], y[train])
            score = model.predict_proba(X[:, keep])[:, 1]
            values.append(
                (
                    rs.sauc(y[validation], score[validation]).value,
                    roc_auc_score(y[validation], score[validation]),
                    -brier_score_loss(y[validation], score[validation]),
                    roc_auc_score(y[test], score[test]),
                )
            )
        table = np.round(values, 12)
        found.append(table[table[:, :3].argmax(axis=0), 3])
    means = ours.mean(axis=0) - np.mean(found, axis=0)
    errors = np.hypot(ours.std(axis=0) / 200**0.5, np.std(found, axis=0) / 30**0.5)
    assert (np.abs(means) < MONTE_CARLO * errors).all()


def test_the_same_seed_gives_the_same_for_any_workers():
    data = {"monk1": load_set("monk1")}
    plan = Plan(repetitions=27, learners=("J48", "Naive Bayes"))
    one, two = (run_selections(data, plan, Settings(n_jobs=n), "test") for n in (1, 2))
    other = run_selections(data, plan, Settings(rng=1), "test")
    for name in data:
        assert np.array_equal(one[name].test, two[name].test)
        assert not np.array_equal(one[name].test, other[name].test)


@needs_data
def test_with_data_figure_3_and_six_sets():
    settings = Settings(quick=True, data=DATA)
    result = wu_flach_ferri_2007.run(
        settings, noise_runs=50, repetitions=4, large_repetitions=0, size_repetitions=2
    )
    assert len(result.data) == 6
    assert claim(result, "Table 4: sAUC significantly").verdict != "undecided"
    assert "J48: AUC 0." in claim(result, "Fig. 3: on Credit-a").found
    assert claim(result, "Fig. 3: a number of models").verdict != "undecided"
    assert table(result, "figure-3").rows[0]["models"] == 40


def test_gains_in_print_are_those_of_the_sets_at_hand():
    shape = (2, 3, 1, len(CHOSEN_BY))
    runs = {"Monk1": Runs(test=np.full(shape, 0.7), clouds=np.zeros((2, 3, 10, 3)))}
    printed = wu_flach_ferri_printed
    none, one = (
        win_rows(table_rows(printed.TABLE_4, given), printed.WINS_4) for given in ({}, runs)
    )
    assert none[0]["mean_gain_printed"] == pytest.approx(9.97 / 11)
    assert one[0]["mean_gain_printed"] == pytest.approx(86.34 - 83.76)
    six = [SETS[i][0] for i in (1, 2, 3, 5, 6, 10)]
    claims, _, _ = table_4(dict.fromkeys(six, runs["Monk1"]))
    assert claims[0].why == (
        "On 6 of 11 sets. The printed rows of these sets have p <= .05 in 0 of the six comparisons."
    )
    claims, _, _ = table_4({SETS[i][0]: runs["Monk1"] for i in printed.TABLE_4})
    assert claims[0].why == "On 11 of 11 sets."


def test_a_gain_is_denied_only_by_enough_repetitions():
    """The same mean gains, clear, coarse and none, with few repetitions and with many."""
    rng = np.random.default_rng(7)

    def verdict(gain, noise, repetitions):
        test = np.full((repetitions, 3, len(VALIDATION), len(CHOSEN_BY)), 0.7)
        spread = rng.normal(size=(repetitions, 3))
        test[:, :, 0, 0] += gain + noise * (spread - spread.mean(axis=0))
        runs = {"one": Runs(test=test, clouds=np.zeros((repetitions, 3, 10, 3)))}
        return by_validation_size(runs)[0][0].verdict

    assert verdict(0.01, 0.01, 50) == "reproduced"
    assert verdict(0.001, 0.02, 20) == "undecided"
    assert verdict(-0.001, 0.02, 2000) == "not reproduced"
    assert verdict(0.0, 0.02, 2000) == "not reproduced"


def test_shares_of_another_number_of_rows_are_no_misprint():
    found = load_set("tic-tac-toe")
    fewer = replace(found, X=found.X[:900], y=found.y[:900], target=found.target[:900])
    said = [printed_counts({"Tic-tac-toe": given})[0][0].found for given in (found, fewer)]
    assert said == [
        "impossible: Heart-statlog (59.50% of 270); by the rules: Tic-tac-toe 64.20 for 65.34",
        "impossible: Heart-statlog (59.50% of 270); by the rules: none",
    ]


def test_16_3_a_share_of_another_copy_is_told_apart_and_proves_nothing(monkeypatch):
    """German differs from today's copy: it is named, and alone it is no misprint."""
    found = load_set("tic-tac-toe")
    other = SimpleNamespace(n=1000, share_pos=0.3, columns=found.columns)
    claim = printed_counts({"German": other})[0][0]
    assert claim.found.endswith("; in the copies here: German 69.40 for 70.00")
    possible = {k: v for k, v in SETS.items() if v[0] == "German"}
    monkeypatch.setattr(wu_flach_ferri_counts, "SETS", possible)
    assert printed_counts({"German": other})[0][0].verdict == "reproduced"


# Klement et al. 2011.


@pytest.mark.parametrize(
    ("less", "more", "verdict"),
    [
        (10, 1, "reproduced"),
        (7, 4, "undecided"),
        (4, 7, "not reproduced"),
        (15, 5, "reproduced"),
        (12, 8, "not reproduced"),
    ],
)
def test_a_majority_is_denied_only_by_enough_sets(less, more, verdict):
    pairs = [(0.0, 1.0)] * less + [(1.0, 0.0)] * more
    found = klement_2011._majority("text", "printed", pairs, "it is", less + more, "Because.")
    assert found.verdict == verdict
    assert found.why.startswith("Because.")
    assert ("fewer than 20 sets" in found.why) == (verdict == "undecided")


@pytest.fixture(scope="module")
def klement():
    return klement_2011.run(QUICK, runs=2)


def test_klement_counts_must_add_up(klement):
    found = claim(klement, "Table 1")
    assert found.verdict == "misprint"
    assert found.found == (
        "echo: 132 instances, but 43 + 88 = 131; adlt: 32562 instances, but 7841 + 24720 = 32561"
    )


def test_klement_table_1_has_every_printed_column(klement):
    rows = {row["set"]: row for row in table(klement, "table-1").rows}
    for label, (_, *printed) in klement_printed.SETS.items():
        names = ("rows", "positives", "negatives", "features", "percent_positive")
        assert [rows[label][f"{name}_printed"] for name in names] == printed
    assert rows["tic"]["percent_positive"] == 65.3


def test_klement_equations(klement):
    assert claim(klement, "Eq. 6").verdict == "misprint"
    assert claim(klement, "Eq. 6").found.startswith("smAUC 0.5 with")
    assert "= 0.85" in claim(klement, "Eq. 1: c").found


def test_klement_without_data_has_stand_ins(klement):
    assert [use.name for use in klement.data] == [
        *("tic", "monk1", "monk2", "monk3", "balance", "iris", "wine")
    ]
    assert claim(klement, "Fig. 5: on oz1h").verdict == "undecided"
    assert claim(klement, "Fig. 4: the average").verdict == "undecided"
    rows = table(klement, "figures-4-5").rows
    assert all(row["midpoint_mean"] > 0 for row in rows)
    runs = [r for r in table(klement, "runs").rows if (r["set"], r["method"]) == ("tic", "PET")]
    mine = next(r for r in rows if (r["set"], r["method"]) == ("tic", "PET"))
    assert mine["auc_mean"] == pytest.approx(np.mean([r["auc"] for r in runs]))
    assert mine["smauc_sd"] == pytest.approx(np.std([r["smauc"] for r in runs], ddof=1))


def test_the_midpoint_leaves_the_scores_when_positives_are_rare(klement):
    rows = table(klement, "midpoints").rows
    assert [row["prevalence"] for row in rows] == [0.5, 0.2, 0.06, 0.03]
    assert rows[0]["midpoint"] < 1.0 < rows[2]["midpoint"] < rows[3]["midpoint"]
    assert rows[3]["smauc"] > rows[0]["smauc"] + 0.1
    assert rows[3]["smauc_at_half"] < rows[0]["smauc_at_half"] + 0.02
    # The midpoint of Eq. 1 may lie between the class means though the classes are not equal.
    y, s = np.array([True, True, False, False, False]), np.array([0.8, 0.8, 0.2, 0.2, 0.2])
    assert 0.2 < smooth_areas(y, s)["midpoint"] < 0.8
    assert "halfway between the class means only if" in claim(klement, "Section 3").why


def test_smooth_areas_by_definition():
    y, s = np.array([True, True, False, False]), np.array([0.9, 0.3, 0.6, 0.1])
    found = smooth_areas(y, s)
    midpoint = s.sum() / 4
    theta = np.where((s >= midpoint) == y, s, 1 - s)
    wins = (s[:, None] > s) + 0.5 * (s[:, None] == s)
    expected = (theta[:, None] * wins * (1 - theta)).sum() / (theta.sum() * (1 - theta).sum())
    assert found["midpoint"] == pytest.approx(midpoint, abs=ROUNDING)
    assert found["smauc"] == pytest.approx(expected, abs=ROUNDING)


# Huang & Ling 2005, the models.


def test_huang_ling_models_without_data():
    result = huang_ling_models.run(QUICK)
    assert [use.name for use in result.data] == ["iris", "wine"]
    assert claim(result, "Tables XV to XVII").verdict == "reproduced"
    assert claim(result, "Table XVIII: counts").verdict == "reproduced"
    assert claim(result, "Table XVI: naive Bayes has").verdict == "undecided"
    # The t-test over sets, on the printed rows, finds what the paper finds.
    assert [printed_p(*pair) for pair in combinations(METHODS, 2)] == [
        *("= 0.2896", "= 0.0254", "= 0.0002")
    ]
    assert "= 0.2896" in result.choices["t-test"]
    rows = {row["set"]: row for row in table(result, "table-15").rows}
    folds = [r for r in table(result, "folds").rows if (r["set"], r["method"]) == ("wine", "NB")]
    assert len(folds) == 10
    assert rows["wine"]["NB"] == pytest.approx(100 * np.mean([r["accuracy"] for r in folds]))
    assert rows["breast"]["NB"] is None
    assert (rows["breast"]["NB_printed"], rows["breast"]["NB_sd_printed"]) == (97.5, 2.9)
    assert rows["average as printed"]["C4.5_printed"] == 86.6
    assert rows["average as printed"]["C4.5"] is None
    here = rows["average of 2 sets here"]
    assert here["NB_printed"] == pytest.approx((95.3 + 98.9) / 2)
    assert set(here) == set(rows["wine"])
    machine = {row["set"]: row for row in table(result, "table-17").rows}
    assert machine["voting"]["auc_sd_printed"] == 0.7
    for number, printed in huang_ling_printed.PLUS_MINUS.items():
        of = getattr(huang_ling_printed, f"TABLE_{number}")
        assert [*printed, "average"] == list(of)
        assert all(len(printed[name]) == len(of[name]) for name in printed)
    counts = table(result, "table-18").rows[0]
    names = ("same", "other", "auc_only", "accuracy_only", "neither")
    assert sum(counts[name] for name in names) == counts["folds"] == 20


def test_cut_points_of_training_rows_are_another_run():
    iris = {"iris": load_set("iris")}
    first, second = (
        run_fold_areas(iris, QUICK, binary=(), svm=(), discretise=rows)
        for rows in ("all", "training")
    )
    assert len(first) == len(second) == 30
    assert first != second


@needs_data
def test_support_vectors_on_a_small_set():
    found = load_paper_data("huang-ling-2005", Settings(data=DATA, quick=True), only=["echocardio"])
    rows = run_fold_areas(
        found.sets, Settings(n_jobs=2), binary=("echocardio",), svm=("echocardio",)
    )
    mine = [row for row in rows if row["method"] == "SVM"]
    assert len(mine) == 10
    assert 0.5 < np.mean([row["accuracy"] for row in mine]) < 1.0


# sAUC against Wilcoxon-Mann-Whitney, and what is missing.


def test_sauc_vs_wmw_is_the_preset(monkeypatch):
    from dataclasses import replace

    from rocstats.studies.presets import PRESETS

    small = replace(
        PRESETS["sauc-vs-wmw"],
        alternatives=({"family": "normal"}, {"family": "t3"}),
        quick_replicates=60,
    )
    monkeypatch.setitem(PRESETS, "sauc-vs-wmw", small)
    result = sauc_vs_wmw.run(QUICK)
    study = rs.power_study(
        small.designs(quick=True), tests=small.tests, n_replicates=60, rng=QUICK.rng, n_jobs=1
    )
    ours = [row["power"] for row in table(result, "power").rows]
    assert ours == [row["power"] for row in study.rows()]
    assert len(result.figures) == 3


def test_size_adjusted_power_does_not_hang_on_rounding():
    """P-values of ranks are tied; what the order of a sum leaves must not untie them."""
    rng = np.random.default_rng(3)
    null, under = rng.integers(1, 60, (2, 1, 4000)) / 200.0
    exact = adjusted_powers(under**2, null**2, 0.05)
    for seed in range(3):
        noise = np.random.default_rng(seed)
        shaken = [p * (1.0 + 4e-16 * noise.integers(-8, 9, p.shape)) for p in (under**2, null**2)]
        found = adjusted_powers(*shaken, 0.05)
        assert found[0] == pytest.approx(exact[0], abs=ROUNDING)
        assert found[1] == pytest.approx(exact[1], rel=1e-9)


def test_without_scikit_learn(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "sklearn", None)
    for module in (wu_flach_2005, wu_flach_ferri_2007, klement_2011):
        with pytest.raises(MissingDependencyError, match=r"rocstats\[ml\]"):
            module.run(QUICK)
    result = huang_ling_models.run(QUICK)
    assert "scikit-learn" in result.left_out["Tables XIV to XVIII"]
    assert result.tables == ()


# The full runs that are kept.

KEPT = Path(__file__).parents[2] / "docs" / "studies"


@pytest.mark.parametrize("name", [name for name in PAPERS if name != "sauc-vs-wmw"])
def test_the_summary_of_the_full_runs_is_that_of_their_claims(name):
    with (KEPT / name / "claims.csv").open(newline="") as file:
        verdicts = [row["verdict"] for row in csv.DictReader(file)]
    line = next(
        line
        for line in (KEPT / "README.md").read_text().splitlines()
        if line.startswith(f"| [{name}]")
    )
    cells = [cell.strip() for cell in line.split("|")]
    assert [int(cell) for cell in cells[2:6]] == [verdicts.count(verdict) for verdict in VERDICTS]
    page = (KEPT / name / "study.html").read_text()
    assert page.count("<tr><td class=") >= len(verdicts)
    for file in (KEPT / name).iterdir():
        assert not re.search(r"--data /|file://|/(home|tmp|root|Users)/", file.read_text())


def test_fawcett_draws_every_figure_that_has_data(fawcett):
    names = {figure.name for figure in fawcett.figures}
    assert names >= {f"figure-{n}" for n in (3, 5, 6, 7, "9a", "9b", "9c", "9d", 10)}
    corners = {}
    for row in table(fawcett, "figure-6").rows:
        corners.setdefault(row["segment"], []).append((row["fpr"], row["tpr"]))
    assert corners == {
        "optimistic": [(0, 0), (0, 1), (1, 1)],
        "expected": [(0, 0), (1, 1)],
        "pessimistic": [(0, 0), (1, 0), (1, 1)],
    }
    for row in table(fawcett, "figure-5").rows:
        tp, fp = 10 * row["tpr"], 10 * row["fpr"] * int(row["classes"].partition(":")[2])
        assert row["precision"] == pytest.approx(tp / (tp + fp), abs=ROUNDING)
    areas = [row["auc"] for row in table(fawcett, "figure-9").rows]
    assert len(areas) == 6
    assert min(areas[:5]) < areas[5] < max(areas[:5])


def test_klement_sets_are_chosen_by_both_measures_together():
    """Exchanged, the measures must exchange their wins: no set is chosen by one of them."""
    rng = np.random.default_rng(4)
    names = ("auc", "smauc", "smauc_at_half")
    gaps = [
        {f"{name}_{what}": float(rng.normal()) for name in names for what in ("mean", "sd")}
        for _ in range(26)
    ]
    swapped = [
        {**row, "auc_mean": row["smauc_mean"], "smauc_mean": row["auc_mean"]} for row in gaps
    ]
    first, second = (klement_2011._different(rows, 26)[0].found for rows in (gaps, swapped))
    ours, theirs = (re.match(r"it does in (\d+) of (\d+) sets", text) for text in (first, second))
    assert ours[2] == theirs[2]
    assert int(ours[1]) + int(theirs[1]) == int(ours[2])


# ---------------------------------------------------- verdicts that were wanting, or changed (16.3)


def test_16_3_line_4_of_algorithm_4_does_not_end(fawcett):
    found = claim(fawcett, "Algorithm 4, line 4")
    assert found.verdict == "misprint"
    assert "19 scores give 19 points" in found.why
    assert steps_of_line_4(9, 10, most=1000) == 1000
    assert steps_of_line_4(10, 10, most=1000) == 10
    assert steps_of_line_4(20, 10, most=1000) == 10
    few = [[(0.0, 0.0, 0.9), (0.5, 1.0, 0.4), (1.0, 1.0, 0.1)]]
    assert sampled_thresholds(few, 10) == [0.9, 0.4, 0.1]


def clouds(signs, perfect=0):
    """Return runs of Credit-a in which sAUC follows the test AUC better, or worse, by learner."""
    rng = np.random.default_rng(2)
    test = rng.random((100, 3, 10))
    close, far = test + 0.1 * rng.random(test.shape), test + rng.random(test.shape)
    up = np.array(signs)[:, np.newaxis] > 0
    auc, sauc = np.where(up, far, close), np.where(up, close, far)
    auc[0, 0, :perfect] = 1.0
    return {"Credit-a": SimpleNamespace(clouds=np.stack([auc, sauc, test], axis=3))}


@pytest.mark.parametrize(
    ("signs", "verdict"),
    [
        ((1, 1, 1), "reproduced"),
        ((1, -1, 1), "undecided"),
        ((-1, -1, 1), "undecided"),
        ((-1, -1, -1), "not reproduced"),
    ],
)
def test_16_3_figure_3_shows_a_learner_that_it_does_not_name(signs, verdict):
    more, perfect = figure_3(clouds(signs))[0]
    assert more.verdict == verdict
    assert f"with {signs.count(1)} of 3" in more.why
    assert perfect.verdict == "not reproduced"
    assert figure_3(clouds(signs, perfect=2))[0][1].verdict == "reproduced"


def test_16_3_significance_by_the_paired_t_test():
    rng = np.random.default_rng(7)
    base = rng.random(12) / 10

    def rows(spread, gap):
        noise = rng.normal(scale=0.001, size=(2, 12))
        return [
            {"auc_sd": b, "smauc_sd": b + spread + e, "auc_mean": b, "smauc_mean": -(b + gap + f),
             "smauc_at_half_mean": b}
            for b, e, f in zip(base, *noise, strict=True)
        ]  # fmt: skip

    def verdicts(spread, gap, n_sets=12):
        gaps = rows(spread, gap)
        areas = [{**row, "method": m} for m in ("PET", "NB") for row in rows(spread, 0.0)]
        return [c.verdict for c in significant(areas, gaps, n_sets, fewest=10)]

    assert verdicts(-0.01, 0.02) == ["reproduced", "reproduced"]
    assert verdicts(0.01, -0.02) == ["not reproduced", "not reproduced"]
    assert verdicts(-0.01, 0.02, n_sets=9) == ["undecided", "undecided"]


# ------------------------------------------------------------------------- the length of functions

LONGEST = 80  # lines of a function, its docstring included


def test_a_function_of_a_paper_fits_two_screens() -> None:
    for path in sorted(Path(rs.__file__).with_name("papers").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                assert lines <= LONGEST, f"{node.name} in {path.name} has {lines} lines"
