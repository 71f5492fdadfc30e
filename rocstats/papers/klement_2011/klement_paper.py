"""Klement, Flach, Japkowicz & Matwin (2011), Smooth receiver operating characteristics curves."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocstats.papers.data_sets.benchmark_set import BenchSet
from rocstats.papers.data_sets.loading import load_set
from rocstats.papers.klement_2011.klement_equations import artefact, counts, equations, midpoints
from rocstats.papers.klement_2011.klement_figures import curves, figures
from rocstats.papers.klement_2011.klement_printed import SETS
from rocstats.papers.klement_2011.klement_tests import significant
from rocstats.papers.klement_2011.pooled_runs import METHODS, pooled_scores, run_pools
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
from rocstats.papers.paper_sets import load_paper_data, use_of
from rocstats.studies.corrected import sign_test_p
from rocstats.tables import show_p

__all__ = ["run"]

_QUICK_SETS = (
    *("echo", "hepa", "prks", "hart", "hrth", "hors", "habr", "jcrx", "blod", "mamo", "tic"),
    *("oz8h", "oz1h"),
)
_STAND_INS = ("monk1", "monk2", "monk3", "balance", "iris", "wine")  # where data are wanting
_FEWEST = 10  # of the paper's sets, for a verdict on what most sets show
_ENOUGH = 20  # sets that find a majority of four in five at .05 with a chance of 0.8
_OZONE = ("oz8h", "oz1h")

Rows = list[dict[str, Any]]


def run(settings: Settings, *, runs: int | None = None) -> PaperResult:
    """Run the paper.

    Parameters
    ----------
    settings : what the user chose
    runs : of the 10-fold cross-validation; None is 10, or 3 if quick
    """
    start = time.perf_counter()
    require_backend(settings.backend)
    runs = (3 if settings.quick else 10) if runs is None else runs
    data = load_paper_data("klement-2011", settings, only=_QUICK_SETS if settings.quick else None)
    stand_ins = {} if len(data.sets) >= _FEWEST else _stand_ins()
    single = run_pools({**data.sets, **stand_ins}, runs, settings)
    areas, gaps, n_sets = _areas(single), _differences(single), len(data.sets)
    falling = midpoints(settings.rng)
    curves_claims, curves_figures = _figure_6(data.sets, gaps, settings)
    return PaperResult(
        name="klement-2011",
        claims=(
            counts(),
            *equations(),
            *_similar(areas, "PET", "Fig. 4", n_sets),
            *_similar(areas, "NB", "Fig. 5", n_sets),
            *_ozone(areas),
            *curves_claims,
            *_different(gaps, n_sets),
            artefact(falling),
            *significant(areas, gaps, n_sets, fewest=_FEWEST),
        ),
        tables=_tables(data.sets, areas, gaps, falling, single),
        figures=figures(areas, gaps, curves_figures, with_stand_ins=bool(stand_ins)),
        protocol=(
            f"{runs} runs of stratified 10-fold cross-validation; in each run the scores of the "
            "ten test folds are pooled, and naive Bayes and PET have the same folds.",
            "smAUC is the area of Algorithm 2 with the midpoint of Eq. 1, sum(S) / (2 n+), of the "
            "pooled scores; ties between instances count one half.",
            _learners(settings.backend),
        ),
        data=(*data.uses, *(use_of(label, found) for label, found in stand_ins.items())),
        choices=_choices(stand_ins),
        left_out={
            **data.left_out,
            **(
                {"The other sets": "large ones, or from R, which a quick run does not ask."}
                if settings.quick
                else {}
            ),
        },
        entropy=settings.rng,
        seconds=time.perf_counter() - start,
        backend=settings.backend,
    )


def _learners(backend: str) -> str:
    if backend == "weka":
        return (
            "PET is J48 -U -A (unpruned, with Laplace's correction) and NB is NaiveBayes of "
            f"{weka_versions()}, with its defaults. The folds are those of the stand-ins."
        )
    return (
        "PET is a CART tree by entropy, unpruned, with two rows in a leaf and Laplace's "
        "correction on indicators of levels, which is not C4.5. Naive Bayes is normal for "
        "numbers and Laplace for levels."
    )


def _tables(
    sets: Mapping[str, BenchSet], areas: Rows, gaps: Rows, falling: Rows, single: Rows
) -> tuple[PaperTable, ...]:
    return (
        _table_1(sets),
        PaperTable(
            name="figures-4-5",
            title="Figs 4 and 5: mean and standard deviation of AUC and smAUC over runs",
            rows=tuple(areas),
            note="The figures have no numbers in print. A midpoint above 1 calls every score "
            "low; smauc_at_half has the midpoint 0.5.",
        ),
        PaperTable(
            name="figure-7",
            title="Fig. 7: difference between naive Bayes and PET, mean and standard deviation",
            rows=tuple(gaps),
        ),
        PaperTable(
            name="midpoints",
            title="The same scores at falling prevalence: smAUC follows the midpoint",
            rows=tuple(falling),
            note="Simulated scores expit(6 (z - 0.6)) whose AUC is the same throughout.",
        ),
        PaperTable(name="runs", title="Every run", rows=tuple(single)),
    )


def _choices(stand_ins: Mapping[str, BenchSet]) -> dict[str, str]:
    return {
        "Midpoint": "Eq. 1 as sum(S) / (2 n+), which needs c = n+/n- where the text has n+/n; "
        "smAUC about 0.5 is given beside it.",
        "Eq. 6": "1 - Theta(x_j) in place of the printed 1 - Theta(x_i); one half for ties.",
        "Claims about most sets": "reproduced if an exact two-sided sign test over the sets "
        f"has p <= .05 in the claimed direction; undecided with fewer than {_FEWEST} sets.",
        "Significant by the paired t-test": "two-sided, over sets, p <= .05: of the standard "
        "deviations, and of the absolute mean differences of naive Bayes and PET.",
        "Substantially, and agree": "by more than 0.05; and less than half as far apart as the "
        "other sets.",
        **(
            {
                "Stand-ins": f"the paper's sets are wanting, so {', '.join(stand_ins)} show "
                "what the measures do; they decide no claim."
            }
            if stand_ins
            else {}
        ),
    }


def _areas(single: Rows) -> Rows:
    """Return mean and standard deviation over runs for each set and method."""
    found: Rows = []
    for label in dict.fromkeys(row["set"] for row in single):
        for method in METHODS:
            mine = [row for row in single if row["set"] == label and row["method"] == method]
            found.append({"set": label, "method": method, **_moments(mine)})
    return found


def _moments(rows: Rows) -> dict[str, float]:
    moments: dict[str, float] = {}
    for name in ("auc", "smauc"):
        values = np.array([row[name] for row in rows])
        moments |= {f"{name}_mean": float(values.mean()), f"{name}_sd": float(values.std(ddof=1))}
    for name in ("midpoint", "smauc_at_half"):
        moments[f"{name}_mean"] = float(np.mean([row[name] for row in rows]))
    return moments


def _differences(single: Rows) -> Rows:
    """Return mean and standard deviation of naive Bayes less PET for each set."""
    found: Rows = []
    for label in dict.fromkeys(row["set"] for row in single):
        row: dict[str, Any] = {"set": label}
        for name in ("auc", "smauc", "smauc_at_half"):
            nb, pet = (
                np.array([r[name] for r in single if r["set"] == label and r["method"] == m])
                for m in METHODS
            )
            row |= {
                f"{name}_mean": float((nb - pet).mean()),
                f"{name}_sd": float((nb - pet).std(ddof=1)),
            }
        found.append(row)
    return found


def _stand_ins() -> dict[str, BenchSet]:
    """Return sets that need no file."""
    found = {name: load_set(name, r=False) for name in _STAND_INS}
    return {name: one for name, one in found.items() if isinstance(one, BenchSet)}


def _majority(
    text: str,
    printed: str,
    pairs: Sequence[tuple[float, float]],
    words: str,
    n_sets: int,
    why: str = "",
) -> Claim:
    """Return whether the first of each pair is less than the second in a clear majority."""
    less = sum(a < b for a, b in pairs)
    more = sum(a > b for a, b in pairs)
    pvalue = sign_test_p(less, more) if pairs else 1.0
    holds = less > more and pvalue <= 0.05
    enough = n_sets >= _FEWEST
    decided = enough and (holds or less < more or len(pairs) >= _ENOUGH)
    if enough and not decided:
        why = f"{why} Not denied with fewer than {_ENOUGH} sets unless most contradict.".strip()
    return Claim(
        text=text,
        printed=printed,
        found=f"{words} in {less} of {len(pairs)} sets (p {show_p(pvalue)})",
        verdict=verdict_of(holds, decided=decided),
        why=why if enough else _wanting(n_sets),
    )


def _wanting(n_sets: int) -> str:
    return too_few(n_sets, of=len(SETS), fewest=_FEWEST)


def _similar(areas: Rows, method: str, figure: str, n_sets: int) -> list[Claim]:
    mine = [row for row in areas if row["method"] == method]
    return [
        _majority(
            f"{figure}: the average smAUC of {method} is below the AUC, or the same",
            "consistently below" if method == "PET" else "on most sets",
            [(row["smauc_mean"], row["auc_mean"]) for row in mine],
            "it is below",
            n_sets,
        ),
        _majority(
            f"{figure}: the standard deviation over runs of {method}'s smAUC is below that of the "
            "AUC",
            "lower where it is high, else the same",
            [(row["smauc_sd"], row["auc_sd"]) for row in mine],
            "it is below",
            n_sets,
            "A standard deviation over runs measures how folds vary, not how well a measure "
            "generalises; a measure on a narrower scale has a smaller one.",
        ),
    ]


def _ozone(areas: Rows) -> list[Claim]:
    mine = [row for row in areas if row["method"] == "NB" and row["set"] in _OZONE]
    text = "Fig. 5: on oz1h and oz8h the average smAUC of NB is substantially above the AUC"
    if len(mine) < len(_OZONE):
        return [_without_ozone(text, "substantially higher")]
    above = all(row["smauc_mean"] - row["auc_mean"] > 0.05 for row in mine)
    shown = "; ".join(
        f"{row['set']}: AUC {row['auc_mean']:.3f}, smAUC {row['smauc_mean']:.3f} with midpoint "
        f"{row['midpoint_mean']:.2f}"
        for row in mine
    )
    half = "; ".join(
        f"{row['set']}: smAUC about 0.5 is {row['smauc_at_half_mean']:.3f}" for row in mine
    )
    above_half = all(row["smauc_at_half_mean"] > row["auc_mean"] for row in mine)
    return [
        Claim(
            text=text,
            printed="substantially higher",
            found=shown,
            verdict=verdict_of(above),
            why="By more than 0.05 on both.",
        ),
        Claim(
            text="Section 4.1: so score magnitudes with ranks separate the classes better there",
            printed="better class separation",
            found=half,
            verdict=verdict_of(above_half),
            why="The midpoint of Eq. 1 exceeds 1, so every score, even of sure positives, counts "
            "as low and its complement as its weight; about 0.5 the advantage is gone."
            if not above_half
            else "About the midpoint 0.5, which lies within the scores, it stays.",
        ),
    ]


def _without_ozone(text: str, printed: str) -> Claim:
    why = "The ozone sets are not here."
    return Claim(text=text, printed=printed, found="", verdict="undecided", why=why)


def _different(gaps: Rows, n_sets: int) -> list[Claim]:
    # by both measures together: sets chosen by one of them would speak for it
    for_nb = [row for row in gaps if row["auc_mean"] + row["smauc_mean"] > 0.0]
    for_pet = [row for row in gaps if row not in for_nb]
    at_half = [row for row in gaps if row["auc_mean"] + row["smauc_at_half_mean"] > 0.0]
    more = sum(row["smauc_at_half_mean"] > row["auc_mean"] for row in at_half)
    less = sum(row["smauc_at_half_mean"] < row["auc_mean"] for row in at_half)
    apart = [
        np.mean([abs(r["smauc_mean"] - r["auc_mean"]) for r in part] or [np.nan])
        for part in (for_nb, for_pet)
    ]
    decided = n_sets >= _FEWEST and bool(for_nb) and bool(for_pet)
    agree = decided and apart[1] < 0.5 * apart[0]
    return [
        _majority(
            "Fig. 7: where naive Bayes is better, smAUC measures a higher difference than AUC",
            "substantially higher",
            [(row["auc_mean"], row["smauc_mean"]) for row in for_nb],
            "it does",
            n_sets,
            "Better by the mean of both differences, so that the choice of sets favours neither. "
            f"About the midpoint 0.5 it does in {more} of {len(at_half)} sets (p "
            f"{show_p(sign_test_p(more, less))}).",
        ),
        Claim(
            text="Fig. 7: where PET is better, the differences in AUC and smAUC agree",
            printed="agree",
            found=f"they are {apart[1]:.3f} apart on {len(for_pet)} sets; {apart[0]:.3f} on the "
            f"{len(for_nb)} where naive Bayes is better",
            verdict=verdict_of(agree, decided=decided),
            why="Better by the mean of both; agree means less than half as far apart."
            if decided
            else _wanting(n_sets),
        ),
        _majority(
            "Fig. 7: the standard deviation of the difference is lower for smAUC",
            "lower",
            [(row["smauc_sd"], row["auc_sd"]) for row in gaps],
            "it is lower",
            n_sets,
        ),
    ]


def _figure_6(
    sets: Mapping[str, BenchSet], gaps: Rows, settings: Settings
) -> tuple[list[Claim], list[PaperFigure]]:
    text = "Fig. 6: on oz8h the difference between NB and PET is larger in smAUC than in AUC"
    row = next((row for row in gaps if row["set"] == "oz8h"), None)
    if row is None:
        return [_without_ozone(text, "larger")], []
    holds = abs(row["smauc_mean"]) > abs(row["auc_mean"])
    claim = Claim(
        text=text,
        printed="larger",
        found=f"smAUC {row['smauc_mean']:+.3f}, AUC {row['auc_mean']:+.3f}; about 0.5 "
        f"{row['smauc_at_half_mean']:+.3f}",
        verdict=verdict_of(holds),
    )
    data = sets["oz8h"]
    scores = pooled_scores(("oz8h", data, 0, settings.rng, settings.backend))
    return [claim], [curves(data, scores, smooth) for smooth in (False, True)]


def _table_1(sets: Mapping[str, BenchSet]) -> PaperTable:
    rows: Rows = []
    for label, (_, n, pos, neg, features, percent) in SETS.items():
        found = sets.get(label)
        rows.append(
            {
                "set": label,
                "rows_printed": n,
                "rows": None if found is None else found.n,
                "positives_printed": pos,
                "positives": None if found is None else found.n_pos,
                "negatives_printed": neg,
                "negatives": None if found is None else found.n - found.n_pos,
                "features_printed": features,
                "features": None if found is None else len(found.columns),
                "percent_positive_printed": percent,
                "percent_positive": None if found is None else round(100.0 * found.share_pos, 1),
                "adds_up": pos + neg == n,
            }
        )
    return PaperTable(name="table-1", title="Table 1: the data sets", rows=tuple(rows))
