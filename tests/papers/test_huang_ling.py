"""Huang & Ling's ranked lists, run again: verdicts, misprints, and Fig. 2 by brute force."""

import itertools
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from rocstats.papers.huang_ling_2005 import huang_ling_classes, huang_ling_lists, huang_ling_profit
from rocstats.papers.huang_ling_2005 import huang_ling_paper as huang_ling
from rocstats.papers.huang_ling_2005.huang_ling_classes import TABLE_XIII
from rocstats.papers.huang_ling_2005.huang_ling_lists import BALANCED, QUARTER, exact_parts
from rocstats.papers.huang_ling_2005.huang_ling_profit import profit_part
from rocstats.papers.paper import Settings

ROUNDING = 1e-10


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
