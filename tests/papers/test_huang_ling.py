"""Huang & Ling's ranked lists, run again: verdicts, misprints, and Fig. 2 by brute force."""

import csv
import itertools
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import rocstats as rs
from rocstats.papers.huang_ling_2005 import (
    huang_ling_claims,
    huang_ling_classes,
    huang_ling_cutoffs,
    huang_ling_examples,
    huang_ling_lists,
    huang_ling_models,
    huang_ling_profit,
)
from rocstats.papers.huang_ling_2005 import huang_ling_paper as huang_ling
from rocstats.papers.huang_ling_2005.huang_ling_classes import TABLE_XIII
from rocstats.papers.huang_ling_2005.huang_ling_lists import BALANCED, QUARTER, exact_parts
from rocstats.papers.huang_ling_2005.huang_ling_printed import TABLE_XVIII
from rocstats.papers.huang_ling_2005.huang_ling_profit import profit_part
from rocstats.papers.paper import Settings

ROUNDING = 1e-10
KEPT = Path(__file__).parents[2] / "docs" / "studies"


@pytest.fixture(scope="module")
def result():
    return huang_ling._lists(Settings(quick=True))


def verdict(result, start):
    (claim,) = [claim for claim in result.claims if claim.text.startswith(start)]
    return claim.verdict


def test_verdicts(result):
    for roman in ("VI", "VII", "VIII", "IX", "X", "XI"):
        assert verdict(result, f"Table {roman}: every count") == "reproduced"
    assert verdict(result, "Table IX: the count 'agree' for n = 12") == "misprint"
    assert verdict(result, "Section III-A: as n grows, C") == "not reproduced"
    assert verdict(result, "Section III-A: as n grows, D") == "not reproduced"
    assert verdict(result, "Theorems 1 and 2") == "reproduced"
    assert verdict(result, "Section V: for the top 15% the profit is largest") == "reproduced"


def test_every_table_has_its_file_name_and_print_beside(result):
    tables = {table.name: table for table in result.tables}
    names = [f"table-{number}" for number in range(6, 14)]
    assert set(names) <= set(tables)
    assert [row["n"] for row in tables["table-6"].rows] == list(BALANCED)
    assert [row["n_classes"] for row in tables["table-13"].rows] == list(TABLE_XIII)
    for table in (tables[name] for name in names):
        assert any(column.endswith("_printed") for column in table.columns)
        assert all(set(row) == set(table.columns) for row in table.rows)


def test_printed_counts_add_up_but_for_one_row():
    gaps = {
        (name, n): row[5] - sum(row[:5])
        for name, rows in (("balanced", BALANCED), ("quarter", QUARTER))
        for n, row in rows.items()
    }
    assert {key: gap for key, gap in gaps.items() if gap} == {("quarter", 12): 45}


def test_a_wrong_count_that_does_not_add_up_is_no_misprint(monkeypatch):
    """The verdict rests on the sum, not on the wish that print be wrong."""
    row = QUARTER[8]
    monkeypatch.setitem(huang_ling_lists.QUARTER, 8, (row[0] + 1, row[1] - 1, *row[2:]))
    claims = [claim for claims, _, _ in exact_parts(Settings(quick=True)) for claim in claims]
    found = [claim for claim in claims if claim.text.startswith("Table IX: the count")]
    assert [claim.verdict for claim in found] == ["not reproduced"] * 2 + ["misprint"]
    (whole,) = [claim for claim in claims if claim.text.startswith("Table IX: every")]
    assert whole.verdict == "not reproduced"


def test_profits_by_all_lists():
    """All 184756 lists of ten positives and ten negatives, one by one.

    A buyer is worth the same at both cut-offs: the printed differences are those of the numbers of
    buyers in one unit, within the error of a million lists.
    """
    tops = np.array([np.array(c) for c in itertools.combinations(range(20), 10)])
    label = np.zeros((len(tops), 20), dtype=int)
    np.put_along_axis(label, tops, 1, axis=1)
    # A positive at place i (from 0, the best) has 19 - i below it, positives among them.
    pairs = (19 - tops).sum(axis=1) - 45
    accuracy = 10 * label[:, :10].sum(axis=1)
    _, (curve, differences), _ = profit_part()
    for row in curve.rows:
        buyers = label[:, : round(20 * row["top"])].sum(axis=1)
        expected = buyers[pairs == row["value"]].mean()
        assert row["buyers_by_auc"] == pytest.approx(expected, rel=ROUNDING)
        if row["buyers_by_accuracy"] is not None:
            expected = buyers[accuracy == row["value"]].mean()
            assert row["buyers_by_accuracy"] == pytest.approx(expected, rel=ROUNDING)
    for row in differences.rows:
        buyers = label[:, : round(20 * row["top"])].sum(axis=1)
        parts = [buyers[by == row["value"]] for by in (pairs, accuracy)]
        error = np.sqrt(sum(part.var() * len(label) / part.size for part in parts) / 1e6)
        unit = row["difference"] / (parts[0].mean() - parts[1].mean())
        assert unit == pytest.approx(29.478, abs=0.001)
        assert row["paper_std_error"] == pytest.approx(unit * error, rel=ROUNDING)
        assert abs(row["z"]) < 1.6
    # A page shades what ends so as printed, and the errors are ours.
    assert [c for c in differences.columns if c.endswith("_printed")] == ["difference_printed"]


def test_verdicts_on_the_profit_can_come_out_either_way(monkeypatch, result):
    """Shares of the largest profit, of which the top 25% has 3/5 as much, do not fit."""
    start = "Section V: differences of mean profit"
    found = [claim.verdict for claim in result.claims if claim.text.startswith(start)]
    assert found == ["reproduced"] * 2
    assert verdict(result, "Section V: at 90% it is smaller") == "reproduced"
    assert verdict(result, "Section V: the slope of profit") == "not reproduced"
    shares = {v: 0.6 * d for v, d in huang_ling_profit.DIFFERENCES[0.25].items()}
    monkeypatch.setitem(huang_ling_profit.DIFFERENCES, 0.25, shares)
    found = [c.verdict for c in profit_part()[0] if c.text.startswith(start)]
    assert found == ["not reproduced"] * 2


# Section V at every cut-off (16.1).


@pytest.fixture(scope="module")
def all_lists():
    """Pairs, label and accuracy of all lists of ten and ten, one by one."""
    tops = np.array(list(itertools.combinations(range(20), 10)))
    label = np.zeros((len(tops), 20), dtype=int)
    np.put_along_axis(label, tops, 1, axis=1)
    return (19 - tops).sum(axis=1) - 45, label


def test_16_1_every_cutoff_by_all_184756_lists(all_lists, result):
    pairs, label = all_lists
    assert len(label) == 184756
    tables = {table.name: table for table in result.tables}
    rows = iter(tables["section-5-counts"].rows)
    lists = np.bincount(pairs, minlength=101)
    signs = {}
    for depth in range(1, 11):
        found = np.bincount(pairs, weights=label[:, :depth].sum(axis=1), minlength=101)
        for value in range(50, 101):
            row = next(rows)
            assert (row["customers"], row["lists"]) == (depth, lists[value])
            assert row["buyers_in_all_lists"] == found[value]
            ahead = np.sign(100 * int(found[value]) - depth * value * int(lists[value]))
            assert row["ahead"] == {1: "AUC", 0: "equal", -1: "accuracy"}[int(ahead)]
            if value > 50:
                signs.setdefault(depth, []).append(int(ahead))
    ahead = {depth: found.count(1) for depth, found in signs.items()}
    assert ahead == dict(zip(range(1, 11), (*[49] * 6, 12, 2, 1, 0), strict=True))
    assert all(found.count(0) == 1 for found in signs.values())
    cutoffs = [row for row in tables["section-5-cutoffs"].rows if row["examples"] == 20]
    assert [row["auc_ahead"] for row in cutoffs] == list(ahead.values())
    assert [row["accuracy_ahead"] for row in cutoffs] == [f.count(-1) for f in signs.values()]


def test_16_1_profit_given_an_accuracy_lies_on_a_line(all_lists):
    _, label = all_lists
    right = label[:, :10].sum(axis=1)
    for depth in range(1, 11):
        found = label[:, :depth].sum(axis=1)
        for value in range(11):
            mine = found[right == value]
            assert mine.sum() * 10 == depth * value * len(mine)


def test_16_1_above_one_half_the_differences_are_those_below(all_lists):
    pairs, label = all_lists
    right = label[:, :10].sum(axis=1)
    for depth in range(1, 10):
        gains = []
        for k in (depth, 20 - depth):
            found = label[:, :k].sum(axis=1)
            gains.append(
                [found[pairs == 10 * v].mean() - found[right == v].mean() for v in range(6, 10)]
            )
        assert gains[0] == pytest.approx(gains[1], abs=ROUNDING)


def test_16_1_verdicts_and_their_numbers(result):
    for start in ("conclusion 1", "conclusion 2", "conclusion 3", "conclusion 4"):
        assert verdict(result, f"Section V, {start}") == "not reproduced"
    assert verdict(result, "Section V: at a cut-off of 50%") == "not reproduced"
    (half,) = [c for c in result.claims if c.text.startswith("Section V: at a cut-off of 50%")]
    assert "49 of 50" in half.found
    assert "7.29 buyers by AUC, 8 by accuracy" in half.found


@pytest.mark.parametrize("half", [10, 20, 30])
def test_16_1_near_one_half_a_third_of_the_list_is_the_boundary(half):
    """A third itself is behind (20 of 60); what is less is ahead."""
    first = [huang_ling_cutoffs.signs_of_cut(huang_ling_cutoffs.count_cut((half, k)))[0]
             for k in range(1, half + 1)]  # fmt: skip
    assert first == [1 if 3 * k < 2 * half else -1 for k in range(1, half + 1)]


def test_16_1_a_conclusion_can_be_reproduced():
    """Cut at a quarter alone, the first conclusion holds; so the rule can say so."""
    cuts = {10: [huang_ling_cutoffs.count_cut((10, k)) for k in (3, 5, 10)]}
    rows = [huang_ling_cutoffs._row(cut) for cut in cuts[10]]
    assert huang_ling_cutoffs._always_greater(cuts, rows).verdict == "reproduced"
    assert huang_ling_cutoffs._equal_at_half(cuts, rows).verdict == "not reproduced"


def test_16_1_examples_have_their_printed_values():
    lists = {n: huang_ling_examples.lists_of(e) for n, e in huang_ling_examples.EXAMPLES.items()}
    assert lists[1] == ["----+-++++"]
    assert lists[2] == lists[4] == ["+----++++-"]
    assert lists[3] == ["---++--+++"]
    for number, example in huang_ling_examples.EXAMPLES.items():
        for signs in lists[number]:
            y = [int(sign == "+") for sign in signs]
            assert rs.auc(y, range(10)).value == pytest.approx(float(example.auc), rel=ROUNDING)
            assert sum(y[5:]) == 5 * example.accuracy
    wrong = huang_ling_examples.EXAMPLES[1]._replace(auc=Fraction(1, 25))
    assert huang_ling_examples.lists_of(wrong) == []


# Table XVIII, whose sizes and orders are judged apart from its direction (16.1).


def rows_18(**ours):
    """Return the rows of Table XVIII with our counts, by default the printed ones."""
    rows = []
    for pair, printed in TABLE_XVIII.items():
        counts = dict(zip(huang_ling_claims._COUNTS, printed[:5], strict=True))
        rows.append(huang_ling_models._consistency_row(pair, {**counts, **ours.get(pair, {})}))
    return rows


def verdicts_18(rows, n_sets=18):
    return [claim.verdict for claim in huang_ling_claims.consistency_claims(rows, n_sets)]


def test_16_1_the_printed_counts_reproduce_themselves():
    assert verdicts_18(rows_18()) == ["reproduced"] * 5
    assert verdicts_18(rows_18(), n_sets=8) == ["undecided"] * 5


def test_16_1_sizes_and_orders_are_judged_apart():
    few = {"C4.4 vs. NB": {"auc_only": 22, "accuracy_only": 10, "same": 109}}
    words = ["reproduced", "not reproduced", "reproduced", "reproduced", "reproduced"]
    assert verdicts_18(rows_18(**few)) == words
    ties = {"C4.4 vs. NB": {"neither": 30, "same": 64}}
    words = ["reproduced", "reproduced", "not reproduced", "reproduced", "not reproduced"]
    assert verdicts_18(rows_18(**ties)) == words


def test_16_1_the_kept_run_has_the_word():
    with (KEPT / "huang-ling-2005" / "claims.csv").open(newline="") as file:
        kept = {row["text"]: row for row in csv.DictReader(file)}
    (direction,) = [r for text, r in kept.items() if text.startswith("Table XVIII: on real data")]
    assert direction["verdict"] == "reproduced"
    assert "Reproduced in direction" in direction["why"]
    (size,) = [r for text, r in kept.items() if text.startswith("Table XVIII: the size of D")]
    assert size["verdict"] == "not reproduced"
    assert size["found"].startswith("2.2, 3.3, 11.0 ")
    (order,) = [r for text, r in kept.items() if text.startswith("Section IV-D: E is largest")]
    assert order["verdict"] == "not reproduced"


def test_the_figure_is_drawn(result):
    (figure,) = [figure for figure in result.figures if figure.name == "figure-2"]
    assert ET.fromstring(figure.svg()).tag.endswith("svg")


def test_a_seed_decides_for_any_number_of_workers(monkeypatch):
    monkeypatch.setattr(huang_ling_classes, "_QUICK", 1000)
    settings = [Settings(quick=True, n_jobs=jobs) for jobs in (1, 2)]
    alone, two = (huang_ling_classes.simulated_part(each)[1][0].rows for each in settings)
    assert alone == two
    other = huang_ling_classes.simulated_part(Settings(quick=True, rng=1))[1][0].rows
    assert other != alone
