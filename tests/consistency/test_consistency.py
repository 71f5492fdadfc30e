"""Two measures compared: brute force by the definitions, Huang & Ling's tables, and the limits."""

import itertools
import math
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import rocstats as rs
from rocstats.consistency import list_batches as batch
from rocstats.consistency.exact import means_given
from rocstats.consistency.histograms import joint_rows, pair_histogram
from rocstats.consistency.list_criteria import CRITERIA
from rocstats.consistency.long_lists import ahead_below, long_lists
from rocstats.consistency.pair_counts import PairCounts, count_rows

CLEAR = 4.0  # Monte-Carlo standard errors: one test in 16 000 is beyond by chance
ROUNDING = 1e-12

# ------------------------------------------------------------------- the definitions, written out


def ranked_lists(n_pos, n_neg):
    """Every list, best position first, 1 for a positive."""
    n = n_pos + n_neg
    for places in itertools.combinations(range(n), n_pos):
        yield tuple(int(i in places) for i in range(n))


def auc_of(ranked):
    """Equation 1: the ranks of the positives, counted from the end of the list."""
    n_pos, n = sum(ranked), len(ranked)
    ranks = sum(n - i for i, label in enumerate(ranked) if label)
    return Fraction(ranks - n_pos * (n_pos + 1) // 2, n_pos * (n - n_pos))


def accuracy_of(predicted=None):
    def accuracy(ranked):
        depth = sum(ranked) if predicted is None else predicted
        return Fraction(sum(label == (i < depth) for i, label in enumerate(ranked)), len(ranked))

    return accuracy


def f1_of(ranked):
    depth = n_pos = sum(ranked)
    found = sum(ranked[:depth])
    if found == 0:
        return Fraction(0)
    precision, recall = Fraction(found, depth), Fraction(found, n_pos)
    return 2 * precision * recall / (precision + recall)


def profit_of(depth):
    return lambda ranked: Fraction(3 * sum(ranked[:depth]) - depth)


def counted(f, g, domain):
    """Definitions 3 to 5, over ordered pairs as they are written."""
    values = [(f(a), g(a)) for a in domain]
    r = s = p = q = v = u = 0
    for (i, (fa, ga)), (j, (fb, gb)) in itertools.product(enumerate(values), repeat=2):
        r += fa > fb and ga > gb
        s += fa > fb and ga < gb
        p += fa > fb and ga == gb
        q += ga > gb and fa == fb
        v += i != j and fa == fb and ga == gb
        u += i != j
    assert v % 2 == u % 2 == 0
    return (r, s, p, q, v // 2, u // 2)


def all_counts(result):
    c = result.counts
    return (c.agree, c.disagree, c.f_only, c.g_only, c.neither, c.total)


SIZES = [(1, 1), (1, 4), (4, 1), (2, 3), (3, 3), (5, 2), (4, 4)]
PAIRS = {
    "auc-accuracy": ("auc", auc_of, "accuracy", accuracy_of()),
    "accuracy-auc": ("accuracy", accuracy_of(), "auc", auc_of),
    "auc-accuracy at 2": ("auc", auc_of, rs.accuracy_at(n_predicted=2), accuracy_of(2)),
    "auc-f1": ("auc", auc_of, "f1", f1_of),
    "f1-accuracy": ("f1", f1_of, "accuracy", accuracy_of()),
    "auc-auc": ("auc", auc_of, "auc", auc_of),
    "accuracy-accuracy at 2": (
        *("accuracy", accuracy_of()),
        *(rs.accuracy_at(n_predicted=2), accuracy_of(2)),
    ),
}


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("pair", PAIRS)
def test_exact_counts_are_those_of_all_pairs(pair, sizes):
    f, f_of, g, g_of = PAIRS[pair]
    found = rs.compare_measures(f, g, n_pos=sizes[0], n_neg=sizes[1])
    assert all_counts(found) == counted(f_of, g_of, list(ranked_lists(*sizes)))
    assert found.method == "exact"


@pytest.mark.parametrize("top", [0.2, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("sizes", [(2, 3), (4, 4), (3, 5)], ids=str)
def test_profit_and_lift_count_the_first_positions(top, sizes):
    n = sum(sizes)
    depth = max(1, math.floor(top * n + 0.5))
    profit = rs.profit_at(top, revenue=3.0, cost=1.0)
    options = {"n_pos": sizes[0], "n_neg": sizes[1]}
    domain = list(ranked_lists(*sizes))
    for f, f_of in (("auc", auc_of), ("accuracy", accuracy_of())):
        found = rs.compare_measures(f, profit, **options)
        assert all_counts(found) == counted(f_of, profit_of(depth), domain)
        assert all_counts(rs.compare_measures(f, rs.lift_at(top), **options)) == all_counts(found)
        turned = all_counts(rs.compare_measures(profit, f, **options))
        r, s, p, q, v, u = all_counts(found)
        assert turned == (r, s, q, p, v, u)


def test_the_brute_force_can_fail():
    """A histogram with two lists exchanged between rows is not that of the lists."""
    rows = [*joint_rows(3, 3, None, 3)]
    spoilt = [row._replace(counts=row.counts.copy()) for row in rows]
    spoilt[1].counts[0] -= 1
    spoilt[2].counts[0] += 1
    domain = list(ranked_lists(3, 3))
    expected = counted(auc_of, accuracy_of(), domain)[:5]
    as_tuple = [
        (c.agree, c.disagree, c.f_only, c.g_only, c.neither)
        for c in (count_rows(rows, 10), count_rows(spoilt, 10))
    ]
    assert as_tuple[0] == expected != as_tuple[1]


@pytest.mark.parametrize("depth", [1, 3, 5, 9])
def test_rows_hold_every_list_once(depth):
    n_pos, n_neg = 4, 6
    rows = list(joint_rows(n_pos, n_neg, None, depth))
    assert sum(int(row.counts.sum()) for row in rows) == math.comb(10, 4)
    whole = np.zeros(n_pos * n_neg + 1, dtype=object)
    for row in rows:
        whole[row.start : row.start + row.counts.size] += row.counts
        assert all(count > 0 for count in (row.counts[0], row.counts[-1]))
    assert whole.tolist() == pair_histogram(n_pos, n_neg).tolist()
    assert whole.tolist() == whole.tolist()[::-1]


# ------------------------------------------------------------------------------- printed tables

BALANCED = {  # Tables VI, VII, VIII: n, R, S, P, Q, V, U
    4: (9, 0, 5, 0, 1, 15),
    6: (113, 1, 62, 4, 10, 190),
    8: (1459, 34, 762, 52, 108, 2415),
    10: (19742, 766, 9416, 618, 1084, 31626),
    12: (273600, 13997, 120374, 7369, 11086, 426426),
    14: (3864673, 237303, 1578566, 89828, 117226, 5887596),
    16: (55370122, 3868959, 21161143, 1121120, 1290671, 82812015),
}
QUARTER = {  # Tables IX, X, XI
    4: (3, 0, 3, 0, 0, 6),
    8: (187, 10, 159, 10, 12, 378),
    12: (12716, 1225, 8986, 489, 629, 24090),
    16: (926884, 114074, 559751, 25969, 28612, 1655290),
}
BY_SHARE = {  # Table XII: C and D of ten examples
    **{1: ("1.0", "inf"), 2: ("0.926", "22.3"), 3: ("0.939", "15.5"), 4: ("0.956", "14.9")},
    5: ("0.963", "15.2"),
    **{6: ("0.956", "14.9"), 7: ("0.939", "15.5"), 8: ("0.926", "22.3"), 9: ("1.0", "inf")},
}


@pytest.mark.parametrize("n", BALANCED)
def test_balanced_tables_to_the_last_digit(n):
    found = rs.compare_measures("auc", "accuracy", n_pos=n // 2, n_neg=n // 2)
    assert all_counts(found) == BALANCED[n]


@pytest.mark.parametrize("n", QUARTER)
def test_quarter_tables_and_their_one_misprint(n):
    found = rs.compare_measures("auc", "accuracy", n_pos=n // 4, n_neg=n - n // 4)
    *parts, total = QUARTER[n]
    if n == 12:  # 12716 is 12761 with two digits exchanged: the printed counts do not add up
        assert total - sum(parts) == 45
        parts[0] += 45
    assert sum(parts) == total
    assert all_counts(found) == (*parts, total)


@pytest.mark.parametrize("n_pos", BY_SHARE)
def test_class_shares(n_pos):
    found = rs.compare_measures("auc", "accuracy", n_pos=n_pos, n_neg=10 - n_pos)
    c, d = BY_SHARE[n_pos]
    assert f"{found.consistency:.{len(c) - 2}f}" == c
    assert f"{found.discriminancy:.1f}" == d


# -------------------------------------------------------------------------------------- limits


def test_balanced_limits():
    limits = long_lists(0.5)
    assert limits.correlation == pytest.approx(math.sqrt(0.75), rel=ROUNDING)
    assert limits.consistency == pytest.approx(5.0 / 6.0, rel=ROUNDING)
    assert limits.discriminancy_rate == pytest.approx(1.0 / math.sqrt(3.0), rel=ROUNDING)


@pytest.mark.parametrize(("top", "share_pos"), [(0.5, 0.5), (0.25, 0.25), (0.25, 0.5), (0.1, 0.5)])
def test_long_lists_tend_to_their_limits(top, share_pos):
    """What is left of the way to each limit halves where the root of n doubles, or faster."""
    limits = long_lists(top, share_pos)
    away = []
    for n in (40, 160):
        n_pos = round(share_pos * n)
        cut = rs.accuracy_at(n_predicted=round(top * n))
        found = rs.compare_measures("auc", cut, n_pos=n_pos, n_neg=n - n_pos)
        away.append(
            (
                found.consistency - limits.consistency,
                found.discriminancy / n / limits.discriminancy_rate - 1.0,
                1.0 - found.indifferency * n**2 / limits.indifferency_rate,
            )
        )
    for early, late in zip(*away, strict=True):
        assert 0.0 < abs(late) < 0.6 * abs(early)


def test_the_printed_limits_are_passed():
    """The paper sees C approach 0.93 and D approach 19 at 16 examples."""
    found = rs.compare_measures("auc", "accuracy", n_pos=9, n_neg=9)
    assert found.consistency < 0.93
    assert found.discriminancy > 19.0


def test_correlation_is_that_of_all_lists():
    n_pos, n_neg, depth = 4, 6, 3
    lists = [np.array(ranked) for ranked in ranked_lists(n_pos, n_neg)]
    pairs = [float(auc_of(tuple(r.tolist()))) for r in lists]
    top = [r[:depth].sum() for r in lists]
    expected = math.sqrt(3 * depth * (10 - depth) / (10**2 - 1))
    assert np.corrcoef(pairs, top)[0, 1] == pytest.approx(expected, rel=ROUNDING)


def test_the_page_holds_what_the_package_gives():
    page = (Path(__file__).parents[2] / "docs" / "evidence" / "measures.md").read_text(
        encoding="utf-8"
    )
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    tables = {cells[0]: cells for cells in rows if cells[0].isdigit()}
    for n in (16, 18, 50, 100):
        found = rs.compare_measures("auc", "accuracy", n_pos=n // 2, n_neg=n // 2)
        assert tables[str(n)][1] == f"{found.consistency:.6f}"
        assert tables[str(n)][4] == f"{found.discriminancy:.3f}"
        assert tables[str(n)][7] == f"{found.indifferency * n**2:.4f}"
    ten = page.partition("### Other measures, all lists of 10")[2].partition("###")[0]
    rows = [line.strip("| ").split(" | ") for line in ten.splitlines() if line.startswith("| ")]
    pairs = {(cells[0], cells[1]): cells[2:5] for cells in rows}
    found = rs.compare_measures("auc", rs.profit_at(0.15), n_pos=10, n_neg=10)
    assert pairs[found.f, found.g][:2] == [f"{found.consistency:.4f}", f"{found.discriminancy:.4f}"]


def test_ties_give_discriminancy_exactly():
    """D = (tau - nu) / (ups - nu) of docs/evidence/measures.md, from the histograms."""
    lists = math.comb(12, 6)
    rows = list(joint_rows(6, 6, None, 6))
    tau = sum(Fraction(int(row.counts.sum()) ** 2, lists**2) for row in rows)
    nu = sum(Fraction(int(row.counts @ row.counts), lists**2) for row in rows)
    pairs = pair_histogram(6, 6)
    ups = Fraction(int(pairs @ pairs), lists**2)
    found = rs.compare_measures("auc", "accuracy", n_pos=6, n_neg=6)
    assert found.fractions()["discriminancy"] == (tau - nu) / (ups - nu)


@pytest.mark.parametrize("depth", [3, 6, 8])
def test_counts_are_symmetric_and_unimodal(depth):
    """What the proof in docs/evidence/measures.md rests on (Sylvester 1878)."""
    for row in joint_rows(6, 7, None, depth):
        counts = row.counts.tolist()
        assert counts == counts[::-1]
        half = counts[: (len(counts) + 1) // 2]
        assert half == sorted(half)


def test_two_cuts_tend_to_a_finite_discriminancy():
    c, d, n = 0.15, 0.5, 400
    f, g = (rs.accuracy_at(n_predicted=round(cut * n)) for cut in (c, d))
    found = rs.compare_measures(f, g, n_pos=n // 2, n_neg=n // 2)
    correlation = math.sqrt(c * (1 - d) / (d * (1 - c)))
    limits = (
        0.5 + math.asin(correlation) / math.pi,
        math.sqrt(c * (1 - c) / (d * (1 - d))),
    )
    # Both differ from their limits by about one over the root of n.
    assert found.consistency == pytest.approx(limits[0], abs=1.0 / math.sqrt(n))
    assert found.discriminancy == pytest.approx(limits[1], abs=1.0 / math.sqrt(n))


# -------------------------------------------------------------------------------- conditional means


@pytest.mark.parametrize(("measure", "given"), [("auc", "accuracy"), ("accuracy", "auc")])
def test_conditional_means_by_brute_force(measure, given):
    of = {"auc": auc_of, "accuracy": accuracy_of()}
    values = {}
    for ranked in ranked_lists(3, 4):
        values.setdefault(of[given](ranked), []).append(of[measure](ranked))
    found = means_given(measure, given, n_pos=3, n_neg=4)
    assert {row.given: row.mean for row in found} == {k: sum(v) / len(v) for k, v in values.items()}
    assert {row.given: row.n_lists for row in found} == {k: len(v) for k, v in values.items()}
    for row in found:
        spread = [(value - row.mean) ** 2 for value in values[row.given]]
        assert row.variance == sum(spread) / row.n_lists


def test_mean_auc_given_an_accuracy_is_the_accuracy():
    """Lemma 1 of the paper's reference 22, for balanced lists."""
    assert all(row.mean == row.given for row in means_given("auc", "accuracy", n_pos=6, n_neg=6))


@pytest.mark.parametrize("given", ["auc", "accuracy", rs.profit_at(0.3), rs.lift_at(0.9)])
@pytest.mark.parametrize(("n_pos", "n_neg", "depth"), [(4, 4, 3), (3, 5, 5), (5, 2, 1), (3, 3, 6)])
def test_16_1_mean_profits_by_all_lists(given, n_pos, n_neg, depth):
    profit = rs.profit_at(depth / (n_pos + n_neg), revenue=3.0, cost=0.5)
    by_name = {"auc": auc_of, "accuracy": accuracy_of()}
    size = n_pos + n_neg
    share = {"profit@0.3": 0.3, "lift@0.9": 0.9}
    values = {}
    for ranked in ranked_lists(n_pos, n_neg):
        if isinstance(given, str):
            key = by_name[given](ranked)
        else:
            first = max(1, math.floor(share[given.name] * size + 0.5))
            key = Fraction(sum(ranked[:first]))
            key *= Fraction(size, first * n_pos) if given.name.startswith("lift") else 1
        values.setdefault(key, []).append(3 * sum(ranked[:depth]) - Fraction(depth, 2))
    found = rs.means_given(profit, given, n_pos=n_pos, n_neg=n_neg)
    assert [row.given for row in found] == sorted(values)
    for row in found:
        mine = values[row.given]
        assert row.mean == Fraction(sum(mine), len(mine))
        assert row.variance == sum((value - row.mean) ** 2 for value in mine) / len(mine)
        assert row.n_lists == len(mine)


def test_16_1_means_given_refuses_what_has_no_formula():
    with pytest.raises(rs.InvalidOptionError, match="sAUC has no formula over ranked lists"):
        rs.means_given("sauc", "auc", n_pos=3, n_neg=3)
    with pytest.raises(rs.InvalidOptionError, match="n_pos must be a whole number"):
        rs.means_given("auc", "accuracy", n_pos=0, n_neg=3)
    with pytest.raises(rs.InvalidOptionError, match="given must be one of 'auc'"):
        rs.means_given("auc", "acuracy", n_pos=2, n_neg=3)


@pytest.mark.parametrize("slope", [1e-3, 0.3, 4.0, 60.0])
def test_16_1_the_boundary_of_long_lists_by_integration(slope):
    """The profile of long lists given their AUC, by plain sums over a million places."""
    place = (np.arange(1_000_000) + 0.5) / 1_000_000
    chance = 1.0 / (1.0 + np.exp(slope * (place - 0.5)))
    auc = 4.0 * (np.mean(chance * (1.0 - place)) - 0.125)
    top = ahead_below(float(auc))
    assert chance[: round(top * place.size)].mean() == pytest.approx(auc, abs=1e-6 * slope + 1e-9)


def test_16_1_the_boundary_rises_from_a_third_to_a_half():
    found = [ahead_below(auc) for auc in (0.5001, 0.6, 0.7, 0.8, 0.9, 0.99, 0.99999)]
    assert found[0] == pytest.approx(1 / 3, abs=1e-6)
    assert found == sorted(found)
    assert 0.49 < found[-1] < 0.5
    for auc in (0.5, 1.0, "x"):
        with pytest.raises(rs.InvalidOptionError, match="auc must lie strictly between"):
            ahead_below(auc)


# -------------------------------------------------------------------------------- batches of lists


@pytest.fixture(params=["continuous", "tied"])
def scored(request):
    rng = np.random.default_rng(5)
    labels = rng.permuted(np.tile([1, 1, 1, 0, 0, 0, 0], (40, 1)), axis=1)
    scores = rng.random(labels.shape)
    return labels, scores.round(1) if request.param == "tied" else scores


@pytest.mark.parametrize(
    ("many", "one"),
    [
        (batch.areas, rs.auc),
        (batch.scored_areas, rs.sauc),
        (batch.smooth_areas, rs.smauc),
        (batch.brier, rs.brier_score),
        (batch.average_precisions, rs.average_precision),
    ],
)
def test_batches_are_the_estimators(scored, many, one):
    expected = [one(label, score).value for label, score in zip(*scored, strict=True)]
    assert many(*scored) == pytest.approx(expected, rel=ROUNDING, abs=ROUNDING)


@pytest.mark.parametrize("decimals", [1, 9])
def test_class_areas_are_hand_and_till(decimals):
    rng = np.random.default_rng(6)
    labels = rng.permuted(np.tile([0, 0, 1, 1, 1, 2, 2, 2, 2], (20, 1)), axis=1)
    scores = rng.dirichlet([1.0, 1.0, 1.0], size=labels.shape).round(decimals)
    expected = [rs.multiclass_auc(y, p).value for y, p in zip(labels, scores, strict=True)]
    assert batch.class_areas(labels, scores) == pytest.approx(expected, rel=ROUNDING)
    loss = [np.sum((p - np.eye(3)[y]) ** 2) / 9 for y, p in zip(labels, scores, strict=True)]
    assert batch.class_brier(labels, scores) == pytest.approx(loss, rel=ROUNDING)


def test_cuts_of_scored_lists_by_hand():
    labels = np.array([[1, 1, 0, 0, 0]])
    scores = np.array([[0.9, 0.5, 0.5, 0.5, 0.1]])
    # Two are predicted positive: the first, and a third of each of three that tie.
    assert CRITERIA["accuracy"].scored(labels, scores) == pytest.approx([(2 * 4 / 3 + 1) / 5])
    assert CRITERIA["f1"].scored(labels, scores) == pytest.approx([2 * (4 / 3) / 4])
    assert rs.accuracy_at(threshold=0.5).scored(labels, scores) == pytest.approx([3 / 5])
    assert rs.f1_at(threshold=0.5).scored(labels, scores) == pytest.approx([4 / 6])
    assert rs.profit_at(0.2, revenue=5, cost=2).scored(labels, scores) == pytest.approx([3.0])
    assert rs.lift_at(0.2).scored(labels, scores) == pytest.approx([2.5])


def test_calibrated_scores_are_calibrated():
    labels, scores = rs.random_lists(n_pos=50, n_neg=50, scores="calibrated").draw(
        400, np.random.default_rng(8)
    )
    for low in (0.0, 0.25, 0.5, 0.75):
        inside = (scores >= low) & (scores < low + 0.25)
        share, error = labels[inside].mean(), 0.5 / math.sqrt(inside.sum())
        assert abs(share - scores[inside].mean()) < CLEAR * error


def test_class_lists_have_balanced_labels_and_winners():
    labels, scores = rs.random_class_lists(n_classes=4, n_per_class=3).draw(
        50, np.random.default_rng(9)
    )
    assert scores.shape == (50, 12, 4)
    assert scores.sum(axis=2) == pytest.approx(np.ones((50, 12)))
    winners = scores.argmax(axis=2)
    for c in range(4):
        assert (labels == c).sum(axis=1).tolist() == [3] * 50
        assert (winners == c).sum(axis=1).tolist() == [3] * 50


# -------------------------------------------------------------------------------------- simulation


@pytest.mark.parametrize(
    ("f", "g"), [("auc", "accuracy"), ("accuracy", "auc"), ("auc", rs.profit_at(0.3))]
)
def test_simulation_within_its_error_of_the_exact_answer(f, g):
    exact = rs.compare_measures(f, g, n_pos=4, n_neg=6)
    lists = rs.random_lists(n_pos=4, n_neg=6)
    drawn = rs.compare_measures(f, g, lists=lists, n_pairs=40_000, rng=3)
    # Independent lists are the same with a chance of 1 / 210, and no pair then.
    same = 1.0 / math.comb(10, 4)
    both = same + (1.0 - same) * exact.indifferency
    for found, error, expected in (
        (drawn.consistency, drawn.consistency_std_error, exact.consistency),
        (drawn.discriminancy, drawn.discriminancy_std_error, exact.discriminancy),
        (drawn.indifferency, drawn.indifferency_std_error, both),
    ):
        assert 0.0 < error < 0.3 * expected
        assert abs(found - expected) < CLEAR * error


def test_monte_carlo_errors_are_those_of_repeated_simulations():
    lists, repeats = rs.random_lists(n_pos=4, n_neg=4), 60
    found = [
        rs.compare_measures("auc", "accuracy", lists=lists, n_pairs=1500, rng=100 + i)
        for i in range(repeats)
    ]
    for name in ("consistency", "discriminancy", "indifferency"):
        spread = np.std([getattr(result, name) for result in found], ddof=1)
        error = np.mean([getattr(result, f"{name}_std_error") for result in found])
        assert abs(error / spread - 1.0) < CLEAR / math.sqrt(2.0 * repeats)


def test_two_of_several_classes_are_the_binary_case():
    """Two classes of two: the winners and the order of each list are those of ranked lists."""
    lists = rs.random_class_lists(n_classes=2, n_per_class=2)
    found = rs.compare_measures("auc", "accuracy", lists=lists, n_pairs=20_000, rng=4)
    assert found.consistency == 1.0
    assert found.counts.g_only == 0
    exact = rs.compare_measures("auc", "accuracy", n_pos=2, n_neg=2).counts
    # Of 36 ordered pairs of lists, two for each unordered pair.
    share, expected = found.counts.f_only / 20_000, exact.f_only * 2 / 36
    assert abs(share - expected) < CLEAR * math.sqrt(expected * (1 - expected) / 20_000)


def test_three_classes_by_an_independent_loop():
    rng = np.random.default_rng(10)
    signs = []
    for _ in range(1500):
        values = []
        for _ in range(2):
            winners = rng.permutation([0, 0, 1, 1, 2, 2])
            vectors = []
            for winner in winners:
                while True:  # by rejection, where the package exchanges
                    p = rng.dirichlet([1.0, 1.0, 1.0])
                    if p.argmax() == winner:
                        break
                vectors.append(p)
            y, p = np.repeat([0, 1, 2], 2), np.array(vectors)
            wins = [p[a, y[a]] > p[b, y[a]] for a in range(6) for b in range(6) if y[a] != y[b]]
            values.append((sum(wins), (p.argmax(axis=1) == y).sum()))
        signs.append(np.sign(np.subtract(*values)))
    f, g = np.array(signs).T
    agree, disagree = (f * g > 0).sum(), (f * g < 0).sum()
    slow = agree / (agree + disagree)
    lists = rs.random_class_lists(n_classes=3)
    fast = rs.compare_measures("auc", "accuracy", lists=lists, n_pairs=20_000, rng=5)
    error = math.hypot(
        fast.consistency_std_error, math.sqrt(slow * (1 - slow) / (f * g != 0).sum())
    )
    assert abs(fast.consistency - slow) < CLEAR * error


def test_any_number_of_workers_gives_the_same_answer():
    lists = rs.random_lists(n_pos=5, n_neg=5, scores="calibrated")
    alone, two = (
        rs.compare_measures("sauc", "brier", lists=lists, n_pairs=300, rng=7, n_jobs=jobs)
        for jobs in (1, 2)
    )
    assert alone == two
    again = rs.compare_measures(
        "sauc", "brier", lists=lists, n_pairs=300, rng=np.random.SeedSequence(alone.entropy)
    )
    assert again == alone
    other = rs.compare_measures("sauc", "brier", lists=lists, n_pairs=300, rng=8)
    assert other.counts != alone.counts


def test_functions_of_ones_own():
    lists = rs.random_lists(n_pos=4, n_neg=4)

    def wins(y_true, y_score):
        return np.mean(y_score[y_true == 1][:, None] > y_score[y_true == 0])

    own = rs.compare_measures(wins, rs.sauc, lists=lists, n_pairs=400, rng=1)
    named = rs.compare_measures("auc", "sauc", lists=lists, n_pairs=400, rng=1)
    assert own.counts == named.counts
    assert (own.f, own.g) == ("wins", "sauc")


def test_a_loss_is_turned_round():
    lists = rs.random_lists(n_pos=4, n_neg=4, scores="calibrated")
    loss = rs.Criterion(name="loss", label="loss", scored=batch.brier, higher_is_better=False)
    gain = rs.Criterion(name="gain", label="gain", scored=batch.brier)
    options = {"lists": lists, "n_pairs": 400, "rng": 1}
    assert rs.compare_measures("brier", loss, **options).consistency == 1.0
    assert rs.compare_measures("brier", gain, **options).consistency == 0.0


# ---------------------------------------------------------------------------------- user's results


def test_values_are_compared_in_all_pairs():
    rng = np.random.default_rng(11)
    f, g = rng.integers(0, 6, size=(2, 40)) / 10
    found = rs.compare_measures(f, g)
    table = dict(enumerate(zip(f, g, strict=True)))
    assert all_counts(found) == counted(lambda i: table[i][0], lambda i: table[i][1], range(40))
    assert math.isnan(found.consistency_std_error)


def test_values_by_set_are_compared_within_the_set():
    """Huang & Ling's Table XVIII: two models on every test set."""
    f = np.array([[0.9, 0.8], [0.7, 0.7], [0.6, 0.5], [0.5, 0.5]])
    g = np.array([[0.8, 0.7], [0.6, 0.5], [0.4, 0.4], [0.3, 0.3]])
    found = rs.compare_measures(f, g)
    assert all_counts(found) == (1, 0, 1, 1, 1, 4)
    wide = rs.compare_measures(np.tile(f, 2), np.tile(g, 2))
    assert wide.counts.total == 4 * 6


def test_rounding_is_a_tie_and_a_tolerance_can_be_chosen():
    f, g = [0.1 + 0.2, 0.3], [1.0, 0.0]
    assert rs.compare_measures(f, g).counts.g_only == 1
    assert rs.compare_measures(f, g, tolerance=0.0).counts.agree == 1
    assert rs.compare_measures([0.5, 0.54], g, tolerance=0.05).counts.g_only == 1


def test_the_same_infinity_is_a_tie():
    """A log loss may be infinite for several lists; nothing is said of which is worse."""
    found = rs.compare_measures([-np.inf, -np.inf, 0.3], [0.1, 0.2, 0.3])
    assert all_counts(found) == (2, 0, 0, 1, 0, 3)


def test_many_values_in_slabs(monkeypatch):
    from rocstats.consistency import pair_counts as counts

    rng = np.random.default_rng(12)
    f, g = rng.integers(0, 9, size=(2, 3, 30)) / 8
    whole = rs.compare_measures(f, g).counts
    monkeypatch.setattr(counts, "_ROOM", 50)
    assert rs.compare_measures(f, g).counts == whole


def test_lists_of_a_user():
    rng = np.random.default_rng(13)
    y = np.array([1, 1, 1, 0, 0, 0])
    lists = [(y, rng.random(6)) for _ in range(12)]
    found = rs.compare_measures("auc", "brier", lists=lists)
    values = [
        [rs.auc(*one).value for one in lists],
        [-rs.brier_score(*one).value for one in lists],
    ]
    assert found.counts == rs.compare_measures(*values).counts
    assert found.method == "empirical"
    three = [([0, 1, 2, 2], rng.dirichlet([1, 1, 1], size=4)) for _ in range(5)]
    assert rs.compare_measures("auc", "accuracy", lists=three).counts.total == 10


# -------------------------------------------------------------------------------------- the answer


def test_fractions_add_up_and_are_exact():
    found = rs.compare_measures("auc", "accuracy", n_pos=30, n_neg=30)
    counts = found.counts
    lists = math.comb(60, 30)
    assert counts.total == lists * (lists - 1) // 2
    parts = found.fractions()
    assert parts["consistency"] == Fraction(counts.agree, counts.agree + counts.disagree)
    assert parts["discriminancy"] == Fraction(counts.f_only, counts.g_only)
    assert float(parts["indifferency"]) == found.indifferency
    assert found.consistency_std_error == 0.0
    assert isinstance(counts.agree, int)


def test_counts_beyond_the_doubles():
    found = rs.compare_measures("accuracy", rs.profit_at(0.1), n_pos=300, n_neg=300)
    assert found.counts.total.bit_length() > 1024
    assert 0.5 < found.to_dict()["consistency"] < 1.0
    assert found.consistency_std_error == 0.0
    assert "exact: all ranked lists of 300 positives" in repr(found)


def test_undefined_degrees():
    alone = rs.compare_measures("auc", "accuracy", n_pos=2, n_neg=2)
    assert alone.discriminancy == math.inf
    assert alone.fractions()["discriminancy"] is None
    never = rs.compare_measures([0.5, 0.6], [1.0, 1.0])
    assert math.isnan(never.consistency)
    assert never.discriminancy == math.inf
    alike = rs.compare_measures("auc", "auc", n_pos=3, n_neg=3)
    assert math.isnan(alike.discriminancy)
    assert alike.consistency == 1.0
    assert not alike.f_is_better


def test_definition_six():
    assert rs.compare_measures("auc", "accuracy", n_pos=5, n_neg=5).f_is_better
    assert not rs.compare_measures("accuracy", "auc", n_pos=5, n_neg=5).f_is_better


def test_renderings():
    found = rs.compare_measures("auc", "accuracy", n_pos=8, n_neg=8)
    row = found.to_dict()
    assert row["agree"] == 55370122
    assert row["n_pairs"] == 82812015
    assert found.to_frame().loc[0, "discriminancy"] == found.discriminancy
    assert "C 0.9347, D 18.8750, E 0.0156" in repr(found)
    assert "<td>55370122</td>" in found._repr_html_()
    long = rs.compare_measures("auc", "accuracy", n_pos=50, n_neg=50)
    assert long.to_frame().loc[0, "agree"] == long.counts.agree  # beyond 64 bits
    drawn = rs.compare_measures(
        "auc", "brier", lists=rs.random_lists(n_pos=3, n_neg=3), n_pairs=50, rng=1
    )
    assert "(SE " in repr(drawn)
    assert "50 pairs of lists: uniform scores of 3 positives and 3 negatives" in repr(drawn)


# --------------------------------------------------------------------------------------- bad input

LISTS = rs.random_lists(n_pos=3, n_neg=3)


def not_a_number(y_true, y_score):
    return "good"


def bad_draw(shape, classes=2):
    def draw(size, rng):
        labels = np.tile([1, 0], (size, 2))
        return labels, np.zeros((size, *shape))

    return rs.RandomLists(name="bad", n_classes=classes, draw=draw)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: rs.compare_measures("auk", "auc", n_pos=3, n_neg=3), rs.InvalidOptionError,
         "f must be one of 'auc', .*Did you mean 'auc'"),
        (lambda: rs.compare_measures("auc", "sauc", n_pos=3, n_neg=3), rs.InvalidOptionError,
         "sAUC is no function of a ranked list"),
        (lambda: rs.compare_measures("auc", rs.sauc, n_pos=3, n_neg=3), rs.InvalidOptionError,
         "sauc is no function of a ranked list alone: other scores in the same order change"),
        (lambda: rs.compare_measures("auc", "accuracy"), rs.InvalidOptionError, "got neither"),
        (lambda: rs.compare_measures("auc", "accuracy", n_pos=3, lists=LISTS),
         rs.InvalidOptionError, "got both"),
        (lambda: rs.compare_measures("auc", "accuracy", n_pos=3), rs.InvalidOptionError,
         "n_neg must be a whole number of at least 1, got None"),
        (lambda: rs.compare_measures("auc", "accuracy", n_pos=0, n_neg=3), rs.InvalidOptionError,
         "n_pos must be a whole number"),
        (lambda: rs.compare_measures("auc", [0.5, 0.6]), rs.InvalidOptionError, "both be values"),
        (lambda: rs.compare_measures([0.1, 0.2], [0.5, 0.6], n_pos=3), rs.InvalidOptionError,
         "values already"),
        (lambda: rs.compare_measures([0.1], [0.5]), rs.InvalidSampleError, "two or more lists"),
        (lambda: rs.compare_measures([0.1, 0.2], [0.5, 0.6, 0.7]), rs.InvalidSampleError,
         r"the same lists, got shapes \(2,\) and \(3,\)"),
        (lambda: rs.compare_measures([0.1, math.nan], [0.5, 0.6]), rs.InvalidSampleError,
         "f holds nan"),
        (lambda: rs.compare_measures([0.1, 0.2], ["a", "b"]), rs.InvalidOptionError,
         "g must be a measure or the values"),
        (lambda: rs.compare_measures("auc", "f1", lists=rs.random_class_lists(n_classes=3)),
         rs.InvalidOptionError, "F1 is not there for lists of 3 classes"),
        (lambda: rs.compare_measures("auc", not_a_number, lists=LISTS, n_pairs=5),
         rs.InvalidOptionError, "not_a_number must return a number"),
        (lambda: rs.compare_measures("auc", "brier", lists=LISTS, n_pairs=0),
         rs.InvalidOptionError, "n_pairs must be a whole number"),
        (lambda: rs.compare_measures("auc", "brier", lists=LISTS, n_jobs=0),
         rs.InvalidOptionError, "n_jobs must be"),
        (lambda: rs.compare_measures("auc", "brier", lists=LISTS, rng=-1),
         rs.InvalidOptionError, "rng must be"),
        (lambda: rs.compare_measures([1, 2], [1, 2], tolerance=-1), rs.InvalidOptionError,
         "tolerance must be"),
        (lambda: rs.compare_measures("auc", "brier", lists=3), rs.InvalidOptionError,
         "lists must be random lists"),
        (lambda: rs.compare_measures("auc", "brier", lists=[([0, 1], [0.1, 0.2])]),
         rs.InvalidOptionError, "two or more"),
        (lambda: rs.compare_measures("auc", "brier", lists=[([0, 1], [0.1, 2.0])] * 2),
         rs.ScoreRangeError, "scores from 0 to 1, got 0.1 to 2"),
        (lambda: rs.compare_measures("auc", "auc", lists=[([1, 2], [0.1, 0.2])] * 2),
         rs.InvalidSampleError, "labels 0 to 1"),
        (lambda: rs.compare_measures("auc", "auc", lists=[(["n", "y"], [0.1, 0.2])] * 2),
         rs.InvalidSampleError, "got 'n', 'y'; code"),
        (lambda: rs.compare_measures("auc", "auc", lists=[([0, 1], [0.1, math.nan])] * 2),
         rs.InvalidSampleError, "List 1 holds a score that is nan"),
        (lambda: rs.compare_measures("auc", "auc", lists=[([0, 1], [0.1])] * 2),
         rs.InvalidSampleError, "a score, or a row of scores"),
        (lambda: rs.compare_measures("auc", "auc", lists=[([0, 1], [[0.1], [0.2, 0.3]])] * 2),
         rs.InvalidSampleError, "List 1 has rows of different lengths"),
        (lambda: rs.compare_measures("auc", "auc", lists=bad_draw((3,)), n_pairs=5),
         rs.InvalidSampleError, "must return labels of shape"),
        (lambda: rs.compare_measures("auc", "auc", lists=bad_draw((4, 3), 3), n_pairs=5),
         rs.InvalidSampleError, "every list must hold every class"),
        (lambda: rs.accuracy_at(n_predicted=0), rs.InvalidOptionError, "n_predicted must be"),
        (lambda: rs.accuracy_at(n_predicted=1, threshold=0.5), rs.InvalidOptionError, "not both"),
        (lambda: rs.accuracy_at(threshold="x"), rs.InvalidOptionError, "threshold must be"),
        (lambda: rs.compare_measures("auc", rs.accuracy_at(n_predicted=9), n_pos=3, n_neg=3),
         rs.InvalidOptionError, "a list has 6 positions"),
        (lambda: rs.compare_measures("auc", rs.accuracy_at(threshold=0.5), n_pos=3, n_neg=3),
         rs.InvalidOptionError, "accuracy at 0.5 is no function"),
        (lambda: rs.profit_at(0.0), rs.InvalidOptionError, "top must be a share"),
        (lambda: rs.profit_at(0.1, revenue=0), rs.InvalidOptionError, "revenue must be"),
        (lambda: rs.profit_at(0.1, cost=-1), rs.InvalidOptionError, "cost must be"),
        (lambda: rs.random_lists(n_pos=3, n_neg=3, scores="odd"), rs.InvalidOptionError,
         "scores must be one of 'uniform', 'calibrated'"),
        (lambda: rs.random_class_lists(n_classes=1), rs.InvalidOptionError,
         "n_classes must be a whole number of at least 2"),
        (lambda: long_lists(1.0), rs.InvalidOptionError, "top must lie strictly"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_one_sentence(call, error, message):
    with pytest.raises(error, match=message) as caught:
        call()
    assert re.fullmatch(r"[^\n]*[.?]", str(caught.value))


def test_counts_add_up():
    counts = PairCounts(agree=1, disagree=2, f_only=3, g_only=4, neither=5)
    assert counts.total == 15


def test_lists_may_come_one_by_one():
    items = [([0, 1, 1], [0.2, 0.1, 0.3]), ([0, 1, 1], [0.2, 0.4, 0.3]), ([0, 1, 1], [0.5] * 3)]
    once = rs.compare_measures("auc", "brier", lists=(item for item in items))
    assert once == rs.compare_measures("auc", "brier", lists=items)


def test_counts_beyond_the_doubles_are_shown_in_four_digits():
    found = rs.compare_measures(rs.lift_at(0.1), "accuracy", n_pos=700, n_neg=700)
    agree = str(found.counts.agree)
    assert len(agree) > 310
    shown = f"{agree[0]}.{agree[1:4]}e+{len(agree) - 1}"  # the fifth digit is below 5
    assert int(agree[4]) < 5
    assert shown in repr(found)
    assert shown in found._repr_html_()
    assert found.to_dict()["agree"] == found.counts.agree


# ------------------------------------------------------- issue 14, line 12: measures of one's own


def partial_of(ranked, limit):
    """The area under the steps of a list's curve up to a false positive rate, by its definition."""
    n_pos, n_neg = sum(ranked), len(ranked) - sum(ranked)
    height, left, total = Fraction(0), Fraction(0), Fraction(0)
    for label in ranked:
        if label:
            height += Fraction(1, n_pos)
        else:
            right = left + Fraction(1, n_neg)
            total += height * max(Fraction(0), min(right, limit) - left)
            left = right
    return total


def own_step():
    """A step kernel that does not say that it looks at the order alone."""
    kernel = rs.pairwise_kernel("step", lambda a, b: (a > b) + 0.5 * (a == b))
    return rs.Measure(name="own", label="own area", kernel=kernel)


@pytest.mark.parametrize("sizes", [(4, 4), (3, 5), (1, 6)])
def test_14_12_partial_areas_are_counted_exactly_over_all_lists(sizes):
    ranked = list(ranked_lists(*sizes))
    brute = Counter()
    half = Fraction(1, 2)
    for a, b in itertools.combinations(ranked, 2):
        f = partial_of(a, half) - partial_of(b, half)
        g = auc_of(a) - auc_of(b)
        brute[(f > 0) - (f < 0), (g > 0) - (g < 0)] += 1
    found = rs.compare_measures(
        rs.partial_area(fpr=(0, 0.5)), "auc", n_pos=sizes[0], n_neg=sizes[1]
    )
    counts = found.counts
    assert found.method == "exact"
    assert counts.agree == brute[1, 1] + brute[-1, -1]
    assert counts.disagree == brute[1, -1] + brute[-1, 1]
    assert counts.f_only == brute[1, 0] + brute[-1, 0]
    assert counts.g_only == brute[0, 1] + brute[0, -1]
    assert counts.neither == brute[0, 0]


@pytest.mark.parametrize("own", [own_step(), rs.auc, lambda y, s: rs.auc(y, s)])
def test_14_12_an_area_of_ones_own_is_the_area(own):
    mine = rs.compare_measures(own, "accuracy", n_pos=4, n_neg=4)
    assert mine.counts == rs.compare_measures("auc", "accuracy", n_pos=4, n_neg=4).counts
    turned = rs.compare_measures("accuracy", own, n_pos=4, n_neg=4)
    assert (turned.counts.f_only, turned.counts.g_only) == (mine.counts.g_only, mine.counts.f_only)


def test_14_12_more_lists_than_can_be_counted_are_drawn():
    exact = rs.compare_measures("auc", "accuracy", n_pos=12, n_neg=12)
    drawn = rs.compare_measures(own_step(), "accuracy", n_pos=12, n_neg=12, n_pairs=2000, rng=1)
    assert (exact.method, drawn.method) == ("exact", "simulated")
    assert drawn.domain == "2000 pairs of lists: ranked lists of 12 positives and 12 negatives"
    error = drawn.consistency_std_error
    assert abs(drawn.consistency - exact.consistency) < CLEAR * error


def gini_mean_margin(y, s):
    return float(s[y == 1].mean() - s[y == 0].mean())


@pytest.mark.parametrize(
    "needs_scores", ["brier", rs.scored_auc(), rs.smooth_auc(), gini_mean_margin,
                     rs.scored_auc(bounds=(10, 20))]
)  # fmt: skip
@pytest.mark.parametrize("sizes", [(4, 4), (12, 12)])
def test_14_12_what_needs_scores_is_told_so(needs_scores, sizes):
    with pytest.raises(rs.InvalidOptionError, match="other scores in the same order change") as e:
        rs.compare_measures("auc", needs_scores, n_pos=sizes[0], n_neg=sizes[1])
    assert "\n" not in str(e.value)


def test_14_12_measures_work_on_random_and_given_lists():
    lists = rs.random_lists(n_pos=5, n_neg=5, scores="calibrated")
    by_measure = rs.compare_measures(rs.scored_auc(), "auc", lists=lists, n_pairs=300, rng=2)
    by_name = rs.compare_measures("sauc", "auc", lists=lists, n_pairs=300, rng=2)
    assert by_measure.counts == by_name.counts
    given = [([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4]), ([0, 1, 0, 1], [0.1, 0.8, 0.3, 0.4])]
    assert rs.compare_measures(rs.partial_area(fpr=(0, 0.5)), "auc", lists=given).counts.agree == 1


def test_14_12_a_measure_beside_values_is_still_refused():
    with pytest.raises(rs.InvalidOptionError, match="both be measures, or both be values"):
        rs.compare_measures(rs.partial_area(fpr=(0, 0.5)), [0.1, 0.2])


# ----------------------------------------------------------- the paper's definitions, named (16.6)


def by_definition(f, g, values):
    """Definitions 1 and 2, word for word, over all ordered pairs of a domain."""
    pairs = list(itertools.permutations(values, 2))
    consistent = not any(f(a) > f(b) and g(a) < g(b) for a, b in pairs)
    some = any(f(a) != f(b) and g(a) == g(b) for a, b in pairs)
    none = not any(g(a) != g(b) and f(a) == f(b) for a, b in pairs)
    return consistent, some and none


MARKS = (  # numerical marks and letters, and measures that break one definition or the other
    (lambda v: v, lambda v: v // 10),
    (lambda v: v // 10, lambda v: v),
    (lambda v: v, lambda v: -v),
    (lambda v: v, lambda v: 2 * v),
    (lambda v: v % 7, lambda v: v // 9),
)


@pytest.mark.parametrize("which", range(len(MARKS)))
def test_16_6_strict_definitions_over_a_domain(which):
    f, g = MARKS[which]
    values = list(range(60, 101, 3))
    found = rs.compare_measures([f(v) for v in values], [g(v) for v in values])
    expected = by_definition(f, g, values)
    assert (found.strictly_consistent, found.strictly_more_discriminating) == expected
    assert found.to_dict()["strictly_consistent"] is expected[0]


@pytest.mark.parametrize(("f", "g"), [("auc", "accuracy"), ("accuracy", "auc"), ("f1", "accuracy")])
def test_16_6_strict_definitions_over_all_ranked_lists(f, g):
    of = {"auc": auc_of, "accuracy": accuracy_of(), "f1": f1_of}
    for sizes in ((2, 2), (3, 3), (2, 4)):
        found = rs.compare_measures(f, g, n_pos=sizes[0], n_neg=sizes[1])
        expected = by_definition(of[f], of[g], list(ranked_lists(*sizes)))
        assert (found.strictly_consistent, found.strictly_more_discriminating) == expected


def test_16_6_a_simulation_refutes_and_never_proves():
    lists = rs.random_lists(n_pos=10, n_neg=10)
    found = rs.compare_measures("auc", "accuracy", lists=lists, n_pairs=2000, rng=1)
    assert found.strictly_consistent is False
    assert found.strictly_more_discriminating is False
    alike = rs.compare_measures("sauc", "sauc", lists=lists, n_pairs=50, rng=1)
    assert alike.strictly_consistent is None
    assert alike.strictly_more_discriminating is None
    assert "They disagree on no pair that was drawn" in repr(alike)
    assert "Neither is the better measure" in repr(alike)


def test_16_6_who_is_better_is_said():
    assert "AUC is the better measure (C > 1/2, D > 1)." in repr(
        rs.compare_measures("auc", "accuracy", n_pos=5, n_neg=5)
    )
    turned = rs.compare_measures("accuracy", "auc", n_pos=5, n_neg=5)
    assert "AUC is the better measure (C > 1/2, D < 1)." in repr(turned)
    assert turned.statistically_consistent
    assert not turned.statistically_more_discriminating
    strict = rs.compare_measures([91, 93, 80], [9, 9, 8])
    assert "They are strictly consistent, and f is strictly more discriminating." in repr(strict)


@pytest.mark.parametrize(
    ("word", "made"),
    [
        ("profit@0.3", rs.profit_at(0.3)),
        ("lift@0.25", rs.lift_at(0.25)),
        ("accuracy@2", rs.accuracy_at(n_predicted=2)),
        ("f1@4", rs.f1_at(n_predicted=4)),
        ("partial_auc@0.5", rs.partial_area(fpr=(0, 0.5))),
    ],
)
def test_16_6_names_with_a_number(word, made):
    sizes = {"n_pos": 3, "n_neg": 4}
    assert rs.compare_measures("auc", word, **sizes) == rs.compare_measures("auc", made, **sizes)


def test_16_6_a_threshold_by_name_and_bad_numbers():
    lists = rs.random_lists(n_pos=3, n_neg=3)
    made = rs.accuracy_at(threshold=0.5)
    options = {"lists": lists, "n_pairs": 100, "rng": 1}
    assert rs.compare_measures("auc", "accuracy@0.5", **options) == rs.compare_measures(
        "auc", made, **options
    )
    for word, message in (
        ("profit@x", "must have a number after @, got 'x'"),
        ("accuracy@2.5", "a threshold below 1 or a whole number of positions"),
        ("lift@2", "top must be a share"),
        ("auk@2", "f must be one of"),
    ):
        with pytest.raises(rs.InvalidOptionError, match=message):
            rs.compare_measures(word, "auc", n_pos=3, n_neg=3)


def test_16_6_a_function_of_ones_own_is_counted_exactly_and_drawn_beyond():
    def first_error(y, s):
        """Positives before the first negative."""
        ranked = np.asarray(y)[np.argsort(-np.asarray(s))]
        return float(np.argmin(np.append(ranked, 0)))

    def of_list(ranked):
        return next((i for i, label in enumerate(ranked) if not label), len(ranked))

    found = rs.compare_measures("auc", first_error, n_pos=3, n_neg=4)
    assert found.method == "exact"
    assert all_counts(found) == counted(auc_of, of_list, list(ranked_lists(3, 4)))
    beyond = rs.compare_measures("auc", first_error, n_pos=12, n_neg=12, n_pairs=500, rng=1)
    assert beyond.method == "simulated"


def test_16_6_the_page_compares_every_shipped_measure_with_every_other():
    page = (Path(__file__).parents[2] / "docs" / "evidence" / "measures.md").read_text(
        encoding="utf-8"
    )
    parts = {part.partition("\n")[0]: part for part in page.split("### ")}

    def rows(start):
        (part,) = [part for head, part in parts.items() if head.startswith(start)]
        cells = [line.strip("| ").split(" | ") for line in part.splitlines() if line[:2] == "| "]
        return {(row[0], row[1]): row[2:] for row in cells[1:]}

    ranked, scored = rows("Every shipped measure of a ranking"), rows("Every shipped measure with")
    names = {name for pair in (*ranked, *scored) for name in pair}
    assert names >= {c.label for c in CRITERIA.values()}
    for table in (ranked, scored):
        labels = {name for pair in table for name in pair}
        assert len(table) == len(labels) * (len(labels) - 1) // 2
    for f, g in (("auc", "average_precision"), ("accuracy", "profit@0.25"), ("accuracy", "f1")):
        found = rs.compare_measures(f, g, n_pos=7, n_neg=7)
        cells = ranked[found.f, found.g]
        degrees = (found.consistency, found.discriminancy, found.indifferency)
        assert cells[:3] == [f"{value:.4f}" for value in degrees]
        assert cells[3] == ("yes" if found.strictly_consistent else "no")
    assert ("0.55", "6 of 20 (0.300)") in rows("Profit given AUC")
