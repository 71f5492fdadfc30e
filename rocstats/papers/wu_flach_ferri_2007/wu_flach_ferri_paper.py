"""Wu, Flach & Ferri (2007), An improved model selection heuristic for AUC."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from rocstats.papers.learners.learners_by_name import require_backend
from rocstats.papers.learners.weka_machine import weka_versions
from rocstats.papers.paper import (
    Claim,
    Found,
    PaperFigure,
    PaperResult,
    PaperTable,
    Settings,
    verdict_of,
)
from rocstats.papers.paper_sets import load_paper_data
from rocstats.papers.streams import run_jobs
from rocstats.papers.wu_flach_ferri_2007.score_noise import LEVELS, MEASURED, noise_rows
from rocstats.papers.wu_flach_ferri_2007.selection_runs import Plan, run_selections
from rocstats.papers.wu_flach_ferri_2007.wu_flach_ferri_counts import printed_counts
from rocstats.papers.wu_flach_ferri_2007.wu_flach_ferri_examples import examples
from rocstats.papers.wu_flach_ferri_2007.wu_flach_ferri_printed import (
    LEARNERS,
    SETS,
    TABLE_4,
    TABLE_5,
)
from rocstats.papers.wu_flach_ferri_2007.wu_flach_ferri_sizes import VALIDATION, by_validation_size
from rocstats.papers.wu_flach_ferri_2007.wu_flach_ferri_tables import figure_3, table_4, table_5

__all__ = ["run"]

_LABELS = {"accuracy": "accuracy", "auc": "AUC", "brier": "Brier score", "sauc": "sAUC"}
_QUICK_SETS = ("Monk1", "Monk2", "Monk3", "Tic-tac-toe", "Credit-a", "Breast Cancer")

_CHOICES = {
    "Splits": "plain random, as the paper says, not stratified; a split is drawn again "
    "where a part has one class only, because AUC needs both.",
    "Equal validation values": "the first of the equal models, which is a random one.",
    "Attributes removed": "three of the paper's attributes, with all their levels; the "
    "same ones for the three learners of a repetition.",
    "Ties in AUC": "count one half, as the paper says they can be; Eq. 1 counts none.",
    "Sign test": "exact and two-sided, ties left out.",
    "Verdicts": "Fig. 2: a measure changes more often than sAUC, on average over k, by "
    "more than two Monte-Carlo standard errors. Table 4: p <= .05 in each of the six "
    "comparisons; half of the printed gain or more with every learner. Fig. 3: with every "
    "learner, not with none, else undecided; one perfect ranking with some learner. "
    "Table 5: fewer than 6 wins and losses of 6 in each comparison, whatever sets that are "
    "wanting could show; Caravan "
    "within 5 points. Validation size: a gain above two Monte-Carlo standard errors at the "
    "least size, and a smaller one at the greatest, with every learner.",
    "Models in Fig. 3": "all models of the first hundred repetitions; the paper does not "
    "say which learner it shows, so all three are in the table and J48 is drawn.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Repeated:
    """How often each part is run."""

    noise: int
    table_4: int
    table_5: int
    sizes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Resting:
    """How often slow learners are trained at most, by name."""

    table_4: Mapping[str, int] = field(default_factory=dict)
    table_5: Mapping[str, int] = field(default_factory=dict)


_USUAL = {  # by back end and whether a run is quick; Weka takes many times as long
    ("python", False): _Repeated(noise=10_000, table_4=2000, table_5=100, sizes=400),
    ("python", True): _Repeated(noise=2000, table_4=100, table_5=0, sizes=50),
    ("weka", False): _Repeated(noise=10_000, table_4=400, table_5=10, sizes=0),
    ("weka", True): _Repeated(noise=2000, table_4=25, table_5=0, sizes=0),
}
_RESTS = {  # Weka's logistic regression is slow, and its stand-in is the same model
    "python": _Resting(),
    "weka": _Resting(table_4={"Logistic Regression": 100}, table_5={"Logistic Regression": 5}),
}


def run(
    settings: Settings,
    *,
    noise_runs: int | None = None,
    repetitions: int | None = None,
    large_repetitions: int | None = None,
    size_repetitions: int | None = None,
) -> PaperResult:
    """Run the paper.

    Parameters
    ----------
    settings : what the user chose
    noise_runs : of Fig. 2 for each k; None is 10,000, or 2000 if quick
    repetitions : of Table 4; None is 2000, or 100 if quick; with Weka 400 and 25
    large_repetitions : of Table 5; None is 100, and none if quick; with Weka 10 and none
    size_repetitions : for each size of the validation set; None is 400, or 50 if quick; with Weka
        none
    """
    start = time.perf_counter()
    require_backend(settings.backend)
    quick = settings.quick
    usual, rests = _USUAL[settings.backend, quick], _RESTS[settings.backend]
    repeated = _Repeated(
        noise=usual.noise if noise_runs is None else noise_runs,
        table_4=usual.table_4 if repetitions is None else repetitions,
        table_5=usual.table_5 if large_repetitions is None else large_repetitions,
        sizes=usual.sizes if size_repetitions is None else size_repetitions,
    )
    data = load_paper_data("wu-flach-ferri-2007", settings, only=_QUICK_SETS if quick else None)
    small_names = {SETS[i][0] for i in TABLE_4}
    large_names = {SETS[i][0] for i in TABLE_5}
    small = {name: found for name, found in data.sets.items() if name in small_names}
    bigger = {name: found for name, found in data.sets.items() if name in large_names}
    times: dict[str, float] = {}
    with _timed(times, "Fig. 2"):
        noise = _noise(settings, repeated.noise)
    with _timed(times, "Table 4"):
        plan = Plan(repetitions=repeated.table_4, at_most=rests.table_4)
        runs = run_selections(small, plan, settings, "Table 4")
    with _timed(times, "validation sizes"):
        plan = Plan(repetitions=repeated.sizes, validation=VALIDATION)
        by_size = (
            run_selections(small, plan, settings, "validation sizes") if repeated.sizes else {}
        )
    with _timed(times, "Table 5"):
        plan = Plan(repetitions=repeated.table_5, validation=(0.5,), at_most=rests.table_5)
        large_runs = run_selections(bigger, plan, settings, "Table 5") if repeated.table_5 else {}
    parts = [
        *(examples(), noise, printed_counts(data.sets), table_4(runs), figure_3(runs)),
        *((by_validation_size(by_size),) if by_size else ()),
        table_5(large_runs),
    ]
    return PaperResult(
        name="wu-flach-ferri-2007",
        claims=tuple(claim for part in parts for claim in part[0]),
        tables=tuple(table for part in parts for table in part[1]),
        figures=tuple(figure for part in parts for figure in part[2]),
        protocol=_protocol(repeated, times, len(small), settings.backend),
        data=data.uses,
        choices=dict(_CHOICES),
        left_out={
            **data.left_out,
            **(
                {} if repeated.table_5 else {"Table 5": "six larger sets, left out of a quick run."}
            ),
            **(
                {} if repeated.sizes else {"Validation sizes": "the run of the stand-ins has them."}
            ),
        },
        entropy=settings.rng,
        seconds=time.perf_counter() - start,
        backend=settings.backend,
    )


def _protocol(
    repeated: _Repeated, times: dict[str, float], n_sets: int, backend: str
) -> tuple[str, ...]:
    return (
        f"Fig. 2: {repeated.noise} runs for each k. Two sets of 100 with p uniform, label p >= .5, "
        "10 and 11 labels swapped, noise k U(-.5, .5) clipped to [0, 1]. A change is a strict "
        "reversal of which model is better; ties are counted apart.",
        f"Table 4: {repeated.table_4} random splits of each set into 50% training, 10% validation "
        "and 40% test; ten models of each learner, each without three random attributes; the "
        "model with the greatest validation sAUC, the greatest AUC or the least Brier score is "
        "judged by its test AUC.",
        f"Table 5: {repeated.table_5} splits into 50%, 25% and 25%."
        if repeated.table_5
        else "Table 5 is left out of a quick run.",
        f"Validation size: {repeated.sizes} other splits; 5% to 80% of the second half choose, and "
        "the rest of it tests."
        if repeated.sizes
        else "The validation size is that of the paper.",
        _learners(backend),
        "Time: "
        + ", ".join(f"{what} {seconds:.0f} s" for what, seconds in times.items())
        + f"; Table 4 has {_fits(repeated.table_4, _RESTS[backend].table_4) * n_sets:,} fits.",
    )


def _fits(repetitions: int, at_most: Mapping[str, int]) -> int:
    """Return how many models a data set has."""
    return sum(10 * min(repetitions, at_most.get(name, repetitions)) for name in LEARNERS)


def _learners(backend: str) -> str:
    if backend == "weka":
        return (
            "J48 -U -A (unpruned, with Laplace's correction), NaiveBayes and Logistic are those of "
            f"{weka_versions()}, with its defaults. Splits, subsets and seeds are those of the "
            "first repetitions of the stand-ins. Logistic is slow and its stand-in the same "
            "model, so it has at most 100 repetitions in Table 4 and 5 in Table 5; the column "
            "repetitions says how many a row has."
        )
    return (
        "J48 is a CART tree by entropy with two rows in a leaf and Laplace's correction on "
        "indicators of levels, which is not C4.5: splits are binary and there is no gain "
        "ratio. Naive Bayes is normal for numbers and Laplace for levels; logistic regression "
        "has standardised columns and a negligible ridge."
    )


@contextmanager
def _timed(times: dict[str, float], what: str) -> Iterator[None]:
    """Note how long a part takes."""
    start = time.perf_counter()
    yield
    times[what] = time.perf_counter() - start


def _noise(settings: Settings, runs: int) -> Found:
    """Return Fig. 2."""
    jobs = [(level, runs, settings.rng) for level in LEVELS]
    rows = [row for part in run_jobs(_noise_job, jobs, settings, "Fig. 2") for row in part]
    by = {m: [row for row in rows if row["measure"] == m] for m in MEASURED}
    rising = all(
        after["changed"] > before["changed"] - 2.0 * (before["std_error"] + after["std_error"])
        for m in MEASURED
        for before, after in zip(by[m][:-1], by[m][1:], strict=True)
    )
    gaps = {}
    for m in ("accuracy", "auc", "brier"):
        more = sum(row["more_than_sauc"] for row in by[m]) / len(by[m])
        error = sum(row["more_than_sauc_std_error"] ** 2 for row in by[m]) ** 0.5 / len(by[m])
        gaps[m] = (100.0 * more, 100.0 * error)
    clear = {m: more > 2.0 * error for m, (more, error) in gaps.items()}
    claims = [
        Claim(
            text="Fig. 2: the percentage of changes increases with noise for all four measures",
            printed="increases",
            found="it increases" if rising else "it does not always increase",
            verdict=verdict_of(rising),
            why="Each step is judged with two Monte-Carlo standard errors.",
        ),
        *(
            Claim(
                text=f"Fig. 2: sAUC is more robust to noise than {_LABELS[m]}",
                printed="sAUC changes least",
                found=f"{_LABELS[m]} changes {gaps[m][0]:+.2f} points more often (standard error "
                f"{gaps[m][1]:.2f}), on average over k",
                verdict=verdict_of(clear[m]),
                why="" if clear[m] else _not_clear(by[m]),
            )
            for m in gaps
        ),
    ]
    table = PaperTable(
        name="figure-2",
        title="Fig. 2: share of runs in which noise reverses which model is better",
        rows=tuple(rows),
        note="more_than_sauc compares the same runs, so its standard error is of pairs.",
    )

    def draw(ax: Any) -> object:
        from rocstats.plots.series_plot import draw_lines

        series = {
            _LABELS[m]: ([row["k"] for row in by[m]], [100.0 * row["changed"] for row in by[m]])
            for m in MEASURED
        }
        return draw_lines(
            series,
            ax,
            x_label="Noise k",
            y_label="Runs in which the better model changes, %",
        )

    figure = PaperFigure(
        name="figure-2",
        title="Fig. 2: the effect of noise on four measures",
        alt="Four rising curves over the noise k: accuracy changes most, then AUC; Brier score "
        "and sAUC lie lowest and almost on each other.",
        draw=draw,
    )
    return claims, [table], [figure]


def _not_clear(rows: list[dict[str, Any]]) -> str:
    """Return how often the measure changes more, and less, than sAUC."""
    more = sum(row["more_than_sauc"] > 0.0 for row in rows)
    return (
        f"It changes more often than sAUC at {more} of {len(rows)} noise levels and less often at "
        f"{sum(row['more_than_sauc'] < 0.0 for row in rows)}; the paper shows no standard errors."
    )


def _noise_job(job: tuple[float, int, int]) -> list[dict[str, Any]]:
    return noise_rows(*job)
