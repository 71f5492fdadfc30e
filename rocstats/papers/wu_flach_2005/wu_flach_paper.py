"""Wu & Flach (2005), A scored AUC metric for classifier evaluation and selection."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.arrays import Floats
from rocstats.papers.adding_up import share_is_possible
from rocstats.papers.data_sets.benchmark_set import BenchSet
from rocstats.papers.learners.learners_by_name import require_backend
from rocstats.papers.learners.weka_machine import weka_versions
from rocstats.papers.paper import (
    Claim,
    PaperFigure,
    PaperResult,
    PaperTable,
    Settings,
    too_few,
    verdict_of,
)
from rocstats.papers.paper_sets import load_paper_data, size_rows
from rocstats.papers.wu_flach_2005.fold_selection import CANDIDATES, FoldRuns, run_folds
from rocstats.papers.wu_flach_2005.wu_flach_printed import AVERAGES, SETS, TABLE_4, TABLE_5
from rocstats.studies.corrected import t_of_differences

__all__ = ["run"]

_QUICK_SETS = (
    *("Monk1", "Monk2", "Monk3", "Tic-tac-toe", "Balance", "Hepatitis", "Breast Cancer"),
    *("Lymphography", "Solar-Flare", "Bridges"),
)
_BY_RULE = ("Monk1", "Monk2", "Monk3", "Tic-tac-toe", "Balance")
_ROWS = 150  # of Table 5
_SHARE = 1.0 / 9.0  # test rows for each row that trains or chooses, of the corrected test
_FEWEST = 10  # of the twenty sets, for a verdict on what the table shows

# Scores in hundredths: positives, negatives (Example 1), and what Example 2 prints.
_EXAMPLE = {"M1": ((95, 86, 84), (89, 15, 13, 10)), "M2": ((95, 20, 16), (89, 15, 13, 10))}
_WITHOUT_KSTAR = {
    "K*": "the fifth learner of the paper: it has no implementation in Python, and ours would be a "
    "guess at Weka's blending; four models compete instead of five. Weka's own competes with the "
    "back end weka."
}
_EXAMPLE_PRINTED = {"M1": (0.7417, 0.1692, 0.5725), "M2": (0.4067, 0.1692, 0.2375)}

Rows = list[dict[str, Any]]


def run(settings: Settings, *, runs: int | None = None) -> PaperResult:
    """Run the paper.

    Parameters
    ----------
    settings : what the user chose
    runs : of the ten folds; None is 10, or 3 if quick
    """
    start = time.perf_counter()
    require_backend(settings.backend)
    candidates = CANDIDATES[settings.backend]
    absent = "K*" not in candidates
    runs = (3 if settings.quick else 10) if runs is None else runs
    data = load_paper_data("wu-flach-2005", settings, only=_QUICK_SETS if settings.quick else None)
    whole = run_folds(data.sets, runs, settings, what="Table 4")
    small = run_folds(data.sets, runs, settings, rows=_ROWS, what="Table 5")
    example_claims, example_table = _examples()
    rows_4, rows_5 = _rows(TABLE_4, whole), _rows(TABLE_5, small)
    n_sets = len(data.sets)
    return PaperResult(
        name="wu-flach-2005",
        claims=(
            *example_claims,
            *_printed_claims(data.sets),
            *_claims("Table 4", rows_4, "6 significant wins of sAUC and 2 losses", n_sets, absent),
            *_claims("Table 5", rows_5, "9 significant wins of sAUC and no loss", n_sets, absent),
            _smaller(rows_4, rows_5, n_sets, absent),
        ),
        tables=(
            example_table,
            _table_3(data.sets),
            _table("table-4", "Table 4: all rows", rows_4),
            _table("table-5", f"Table 5: {_ROWS} random rows", rows_5),
            _chosen(candidates, whole, small),
        ),
        figures=(_figure("table-4", "Table 4", rows_4), _figure("table-5", "Table 5", rows_5)),
        protocol=(
            f"{runs} runs of ten folds: one fold tests, the next one chooses, eight train. Of "
            f"{len(candidates)} models ({', '.join(candidates)}) the one with the greatest AUC, or "
            "sAUC, on the fold that chooses is judged by its AUC on the fold that tests.",
            "The differences of the pairs are tested by the paired t-test, as in the paper, and by "
            "Nadeau and Bengio's corrected one, which allows for folds that share rows (n_test / "
            "n_train is 1/9: the fold that chooses is learned from).",
            f"Table 5 has {_ROWS} random rows of each set, drawn once; a set with no more rows has "
            "its results of Table 4, as in the paper.",
            _learners(settings.backend),
        ),
        data=data.uses,
        choices={
            "Folds": "stratified, so that every fold has both classes; the paper does not say.",
            "Validation fold": "the one after the test fold.",
            "Equal validation values": "the first model in the order of the paper; the columns "
            "*_ties_shared have the mean over equal models.",
            "Plus-minus": "the paper's is read as a standard error of the mean.",
            "Verdicts": "a table is reproduced with more significant wins than losses and at least "
            "half of the printed share of wins, by the paper's test; smaller sets suit sAUC if its "
            f"mean gain is positive on {_ROWS} rows and above that on all rows; undecided with "
            f"fewer than {_FEWEST} of the twenty sets.",
        },
        left_out={
            **(_WITHOUT_KSTAR if absent else {}),
            **data.left_out,
        },
        entropy=settings.rng,
        seconds=time.perf_counter() - start,
        backend=settings.backend,
    )


def _learners(backend: str) -> str:
    if backend == "weka":
        return (
            "Naive Bayes, logistic regression, the tree (J48 -U -A: unpruned, with Laplace's "
            f"correction) and K* are those of {weka_versions()}, with its defaults. It has no VFI "
            "any more: VFI is VFI1, without the weights that Weka gave it."
        )
    return (
        "The tree is CART by entropy with two rows in a leaf and Laplace's correction, which is "
        "not C4.5. VFI is VFI1 without Weka's weights."
    )


def _examples() -> tuple[list[Claim], PaperTable]:
    sample = rs.datasets.load_wu_flach()
    rows: Rows = []
    exact = True
    for model, (pos, neg) in _EXAMPLE.items():
        won = [(p, n) for p in pos for n in neg if p > n]
        plus, minus = (Fraction(sum(pair[i] for pair in won), 1200) for i in (0, 1))
        values = (plus, minus, plus - minus)
        found = rs.sauc(sample, marker=model).value
        exact &= abs(found - float(plus - minus)) < 1e-12
        exact &= all(
            f"{float(v):.4f}" == f"{p:.4f}"
            for v, p in zip(values, _EXAMPLE_PRINTED[model], strict=True)
        )
        row: dict[str, Any] = {"model": model, "auc": len(won) / 12}
        for name, value, printed in zip(
            ("r_plus", "r_minus", "sauc"), values, _EXAMPLE_PRINTED[model], strict=True
        ):
            row |= {f"{name}_printed": printed, name: float(value)}
        rows.append(row)
    same = rows[0]["auc"] == rows[1]["auc"]
    claims = [
        Claim(
            text="Example 1: both models have the same AUC",
            printed="the same",
            found=" and ".join(f"{row['auc']:.4f}" for row in rows),
            verdict=verdict_of(same),
        ),
        Claim(
            text="Example 2: R+, R- and sAUC of both models",
            printed="0.7417, 0.1692, 0.5725; 0.4067, 0.1692, 0.2375",
            found="; ".join(
                f"{row['r_plus']:.4f}, {row['r_minus']:.4f}, {row['sauc']:.4f}" for row in rows
            ),
            verdict=verdict_of(exact),
        ),
    ]
    table = PaperTable(name="examples", title="Examples 1 and 2", rows=tuple(rows))
    return claims, table


def _printed_claims(sets: Mapping[str, BenchSet]) -> list[Claim]:
    """Return whether averages, shares and repeated rows of the paper hold together."""
    claims = []
    for name, printed in (("table-4", TABLE_4), ("table-5", TABLE_5)):
        means = [float(np.mean([row[i] for row in printed.values()])) for i in (0, 2)]
        wrong = any(abs(m - p) > 0.0101 for m, p in zip(means, AVERAGES[name], strict=True))
        claims.append(
            Claim(
                text=f"{name.replace('table-', 'Table ')}: the averages in the last row",
                printed=", ".join(f"{value:.2f}" for value in AVERAGES[name]),
                found=", ".join(f"{value:.2f}" for value in means),
                verdict="misprint" if wrong else "reproduced",
                why="The mean of the twenty printed rows, which are rounded to 0.005 at most.",
            )
        )
    counted = _apart(sets, by_rule=False)
    impossible = [
        f"{title} ({share:.2f}% of {n})"
        for title, _, n, share in SETS.values()
        if not share_is_possible(share, n)
    ]
    claims.append(
        Claim(
            text="Table 3: sizes and shares of the majority class",
            printed="20 sets",
            found=f"impossible: {', '.join(impossible) or 'none'}; by the rules: "
            + (", ".join(_apart(sets, by_rule=True)) or "none")
            + (f"; counted in the data: {', '.join(counted)}" if counted else ""),
            verdict="misprint" if impossible or _apart(sets, by_rule=True) else "reproduced",
            why="No whole number of rows has that share, rounded or cut. 150 of 270 rows are "
            "55.56%, so Heart has 270 rows and not 227; 81 of 133 are 60.90%. Monk3 and "
            "Tic-tac-toe can be generated."
            + (" What is counted may be another copy of the data." if counted else ""),
        )
    )
    claims.append(
        Claim(
            text="Table 5: only sets marked with * have the results of Table 4",
            printed="Lymphography, Hayes-Roth, Bridges",
            found=", ".join(
                SETS[i][0] for i in TABLE_4 if TABLE_4[i] == TABLE_5[i] and SETS[i][2] > _ROWS
            )
            + " has them, too, with 155 rows and no mark",
            verdict="misprint",
            why="150 of 155 rows would not give the same two means and standard errors to the last "
            "digit: either the row was copied or all rows were used.",
        )
    )
    return claims


def _apart(sets: Mapping[str, BenchSet], *, by_rule: bool) -> list[str]:
    """Return possible shares that differ from those of a set of the same size here.

    Parameters
    ----------
    sets : those that are here, by title
    by_rule : whether the sets that follow from a rule are meant, or the others
    """
    return [
        f"{row['set']} {row['majority_printed']:.2f} for {row['majority']:.2f}"
        for row in size_rows(SETS.values(), sets)
        if (row["set"] in _BY_RULE) == by_rule
        and row["majority_is_possible"]
        and row["rows"] == row["rows_printed"]
        and abs(row["majority"] - row["majority_printed"]) > 0.0101
    ]


def _rows(printed: Mapping[int, tuple[Any, ...]], runs: Mapping[str, FoldRuns]) -> Rows:
    rows: Rows = []
    for number, (auc, auc_error, sauc, sauc_error, mark) in printed.items():
        title = SETS[number][0]
        found = runs.get(title)
        row: dict[str, Any] = {
            "set": title,
            "auc_printed": auc,
            "auc": None,
            "auc_std_error_printed": auc_error,
            "auc_std_error": None,
            "sauc_printed": sauc,
            "sauc": None,
            "sauc_std_error_printed": sauc_error,
            "sauc_std_error": None,
            "significant_printed": mark,
            "significant": None,
        }
        if found is not None:
            row |= _ours(found)
        rows.append(row)
    return rows


def _ours(found: FoldRuns) -> dict[str, Any]:
    auc, sauc = 100.0 * found.chosen("auc"), 100.0 * found.chosen("sauc")
    shared = 100.0 * (found.chosen("sauc", ties="shared") - found.chosen("auc", ties="shared"))
    gain = sauc - auc
    plain, corrected = _t_test(gain, 0.0), _t_test(gain, _SHARE)
    return {
        "auc": float(auc.mean()),
        "auc_std_error": float(auc.std(ddof=1) / math.sqrt(auc.size)),
        "sauc": float(sauc.mean()),
        "sauc_std_error": float(sauc.std(ddof=1) / math.sqrt(sauc.size)),
        "significant": _mark(float(gain.mean()), plain),
        "gain": float(gain.mean()),
        "p_value": plain,
        "p_corrected": corrected,
        "significant_corrected": _mark(float(gain.mean()), corrected),
        "gain_ties_shared": float(shared.mean()),
        "p_value_ties_shared": _t_test(shared, 0.0),
        "significant_ties_shared": _mark(float(shared.mean()), _t_test(shared, 0.0)),
        "tied_auc": found.tied("auc"),
        "tied_sauc": found.tied("sauc"),
        "pairs": int(auc.size),
    }


def _t_test(gain: Floats, share: float) -> float:
    """Return the p-value of the paired t-test; with a share, of the corrected one."""
    pvalue = t_of_differences(gain, extra=share).pvalue
    return 1.0 if math.isnan(pvalue) else pvalue


def _mark(gain: float, pvalue: float) -> str:
    return "" if pvalue > 0.05 else "win" if gain > 0.0 else "loss"


def _marks(rows: Rows, column: str) -> tuple[int, int]:
    marks = [row[column] for row in rows if row["gain"] is not None]
    return marks.count("win"), marks.count("loss")


def _claims(
    name: str, given: Rows, printed: str, n_sets: int, kstar_is_absent: bool
) -> list[Claim]:
    rows = [row for row in given if row["auc"] is not None]
    decided = n_sets >= _FEWEST
    plain = _marks(rows, "significant")
    corrected = _marks(rows, "significant_corrected")
    shared = _marks(rows, "significant_ties_shared")
    holds = plain[0] > plain[1] and plain[0] >= 0.5 * int(printed[0]) * n_sets / 20
    return [
        Claim(
            text=f"{name}: choosing by sAUC wins more often than it loses, by the paired t-test",
            printed=printed,
            found=f"it wins {plain[0]} and loses {plain[1]} of {len(rows)} sets; {shared[0]} and "
            f"{shared[1]} if equal models share; {corrected[0]} and {corrected[1]} by the "
            "corrected test",
            verdict=verdict_of(holds, decided=decided),
            why="Reproduced means more wins than losses, and at least half of the printed share of "
            "wins, by the paper's test. The pairs share training rows, so it rejects too often; "
            "the corrected one is Nadeau and Bengio's."
            + (
                " Four candidates compete here and five in the paper: K* is left out."
                if kstar_is_absent
                else ""
            )
            if decided
            else too_few(n_sets, of=len(SETS), fewest=_FEWEST),
        )
    ]


def _smaller(rows_4: Rows, rows_5: Rows, n_sets: int, kstar_is_absent: bool) -> Claim:
    gains = [
        float(np.mean([row["gain"] for row in rows if row["auc"] is not None] or [math.nan]))
        for rows in (rows_4, rows_5)
    ]
    decided = n_sets >= _FEWEST
    printed = [float(np.mean([row[2] - row[0] for row in t.values()])) for t in (TABLE_4, TABLE_5)]
    holds = gains[1] > gains[0] and gains[1] > 0.0
    return Claim(
        text="Section 4: sAUC is particularly suitable for smaller data sets",
        printed=f"mean gain {printed[0]:+.2f} points on all rows, {printed[1]:+.2f} on {_ROWS}",
        found=f"mean gain {gains[0]:+.2f} points on all rows, {gains[1]:+.2f} on {_ROWS}",
        verdict=verdict_of(holds, decided=decided),
        why="Mean over sets of the difference in test AUC"
        + ("; four candidates, without K*." if kstar_is_absent else ".")
        if decided
        else too_few(n_sets, of=len(SETS), fewest=_FEWEST),
    )


def _table(name: str, title: str, rows: Rows) -> PaperTable:
    ran = [row for row in rows if row["auc"] is not None]
    ours = {
        column: float(np.mean([row[column] for row in ran])) if ran else None
        for column in ("auc", "sauc")
    }
    printed = dict(zip(("auc_printed", "sauc_printed"), AVERAGES[name], strict=True))
    pairs = sum(row["pairs"] for row in ran)
    rows = [*rows, {"set": "average", **printed, **ours, "pairs": pairs}]
    return PaperTable(
        name=name,
        title=f"{title}: test AUC in percent of the model chosen by AUC and by sAUC",
        rows=tuple(rows),
        note="tied_auc and tied_sauc are the shares of folds in which several models had the "
        f"greatest validation value. The last row has the average that is printed for 20 sets, and "
        f"that of the {len(ran)} sets here.",
    )


def _chosen(
    candidates: tuple[str, ...], whole: Mapping[str, FoldRuns], small: Mapping[str, FoldRuns]
) -> PaperTable:
    """Return how often AUC and sAUC choose each candidate, and how good it is; mean over sets."""
    rows: Rows = []
    for c, name in enumerate(candidates):
        row: dict[str, Any] = {"candidate": name}
        for words, runs in (("all_rows", whole), (f"{_ROWS}_rows", small)):
            for by in ("auc", "sauc"):
                row[f"by_{by}_{words}"] = _mean([found.shares(by)[c] for found in runs.values()])
            row[f"test_auc_{words}"] = _mean(
                [100.0 * found.test_auc[:, c].mean() for found in runs.values()]
            )
        rows.append(row)
    return PaperTable(
        name="chosen",
        title="Share of folds in which each candidate is chosen, and its test AUC in percent",
        rows=tuple(rows),
        note="Means over the sets; candidates with the same validation value share a fold.",
    )


def _mean(values: list[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _table_3(sets: Mapping[str, BenchSet]) -> PaperTable:
    rows = size_rows(SETS.values(), sets)
    return PaperTable(name="table-3", title="Table 3: the data sets", rows=tuple(rows))


def _figure(name: str, title: str, given: Rows) -> PaperFigure:
    rows = [row for row in given if row["auc"] is not None]

    def draw(ax: Any) -> object:
        from rocstats.plots.series_plot import draw_marks

        series = {
            "printed": [row["sauc_printed"] - row["auc_printed"] for row in rows],
            "ours": [row["gain"] for row in rows],
        }
        return draw_marks(
            [row["set"] for row in rows],
            series,
            ax,
            y_label="Gain in test AUC by sAUC, points",
            level=0.0,
        )

    return PaperFigure(
        name=name,
        title=f"{title}: test AUC chosen by sAUC less that chosen by AUC",
        alt=f"For each data set the printed gain and ours; every number is in {name}.csv.",
        draw=draw,
        size=(7.2, 4.2),
    )
