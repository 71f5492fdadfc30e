"""Wu, Flach & Ferri (2007): Examples 1 and 2, and the steps of Fig. 1."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.papers.paper import Claim, Found, PaperFigure, PaperTable, verdict_of

__all__ = ["examples"]

# Scores in tenths: positives, negatives.
_SCORES = {"M1": ((10, 7, 6), (5, 4, 0)), "M2": ((10, 9, 5), (6, 2, 0))}
_PRINTED_1 = {"M1": (Fraction(1), 0.66, 0.11, Fraction(6, 9)), "M2": (Fraction(8, 9), 0.66, 0.11)}
_PRINTED_2 = {"M1": (0.77, 0.30, 0.47), "M2": (0.74, 0.20, 0.54)}

Steps = dict[str, list[tuple[Fraction, Fraction]]]  # model: margin and AUC where a step starts


def examples() -> Found:
    """Return Examples 1 and 2 and Fig. 1, in fractions and by the package."""
    rows, steps = [_row(model) for model in _SCORES], _steps()
    agree = _package_agrees(rows)
    claims = [
        _example_1(*rows, agree=agree),
        _example_2(rows, agree=agree),
        _figure_1(steps),
        Claim(
            text="Theorem 6: both sums have (y_i - x_i)",
            printed="(y_i - x_i)",
            found="(y_i - x_j)",
            verdict="misprint",
            why="The inner sums are means over j of the terms of Theorem 1, whose mean over i and "
            "j is sAUC; x_i does not depend on j and does not exist for i > n.",
        ),
    ]
    return claims, [_table_of_examples(rows), _table_of_steps(steps)], [_figure(steps)]


def _example_1(first: dict[str, Any], second: dict[str, Any], *, agree: bool) -> Claim:
    is_example_1 = (
        (first["auc"], second["auc"]) == (Fraction(1), Fraction(8, 9))
        and first["squared_error"] == second["squared_error"] == Fraction(66, 100)
        and (first["auc_after"], second["auc_after"]) == (Fraction(6, 9), Fraction(8, 9))
    )
    return Claim(
        text="Example 1: AUC 1 and 8/9, equal Brier scores 0.11, and after taking 0.25 off the "
        "positives AUC 6/9 and 8/9",
        printed="1, 8/9; 0.66, 0.66; 6/9, 8/9",
        found=f"{first['auc']}, {second['auc']}; {float(first['squared_error'])}, "
        f"{float(second['squared_error'])}; {first['auc_after']}, {second['auc_after']}",
        verdict=verdict_of(is_example_1 and agree),
    )


def _example_2(rows: list[dict[str, Any]], *, agree: bool) -> Claim:
    is_example_2 = all(
        round(float(row[name]), 2) == printed
        for row in rows
        for name, printed in zip(
            ("r_plus", "r_minus", "sauc"), _PRINTED_2[str(row["model"])], strict=True
        )
    )
    return Claim(
        text="Example 2: R+, R- and sAUC of both models",
        printed="0.77, 0.3, 0.47; 0.74, 0.2, 0.54",
        found="; ".join(
            f"{float(row['r_plus']):.4f}, {float(row['r_minus']):.4f}, {float(row['sauc']):.4f}"
            for row in rows
        ),
        verdict=verdict_of(is_example_2 and agree),
    )


def _figure_1(steps: Steps) -> Claim:
    crossing = _crossing(steps)
    return Claim(
        text="Fig. 1: the AUC of M1 falls faster with the margin than that of M2, though it "
        "starts higher",
        printed="M1 deteriorates more rapidly",
        found="the curves do not cross so"
        if crossing is None
        else f"M1 is above up to the margin {float(crossing):g} and nowhere above beyond it",
        verdict="not reproduced" if crossing is None else "reproduced",
    )


def _table_of_examples(rows: list[dict[str, Any]]) -> PaperTable:
    shown = [
        {
            "model": row["model"],
            "auc_printed": float(_PRINTED_1[str(row["model"])][0]),
            "auc": float(row["auc"]),
            "brier_printed": 0.11,
            "brier": float(row["squared_error"]) / 6,
            "r_plus_printed": _PRINTED_2[str(row["model"])][0],
            "r_plus": float(row["r_plus"]),
            "r_minus_printed": _PRINTED_2[str(row["model"])][1],
            "r_minus": float(row["r_minus"]),
            "sauc_printed": _PRINTED_2[str(row["model"])][2],
            "sauc": float(row["sauc"]),
        }
        for row in rows
    ]
    return PaperTable(name="examples", title="Examples 1 and 2", rows=tuple(shown))


def _table_of_steps(steps: Steps) -> PaperTable:
    return PaperTable(
        name="figure-1",
        title="Fig. 1: the steps of both sROC curves",
        rows=tuple(
            {"model": model, "margin": float(margin), "auc": float(auc)}
            for model, points in steps.items()
            for margin, auc in points
        ),
        note="The AUC from this margin up to the next.",
    )


def _row(model: str) -> dict[str, Any]:
    pos, neg = _SCORES[model]
    pairs = [(p, n) for p in pos for n in neg]
    won = [(p, n) for p, n in pairs if p > n]
    r_plus, r_minus = (Fraction(sum(pair[i] for pair in won), 90) for i in (0, 1))
    error = sum((10 - p) ** 2 for p in pos) + sum(n**2 for n in neg)
    return {
        "model": model,
        "auc": Fraction(len(won), 9),
        "auc_after": Fraction(sum(Fraction(p) - Fraction(5, 2) > n for p, n in pairs), 9),
        "squared_error": Fraction(error, 100),
        "r_plus": r_plus,
        "r_minus": r_minus,
        "sauc": r_plus - r_minus,
    }


def _package_agrees(rows: list[dict[str, Any]]) -> bool:
    """Return whether auc() and sauc() give the same to rounding."""
    sample = rs.datasets.load_wu_flach_ferri()
    return all(
        abs(rs.auc(sample, marker=row["model"]).value - float(row["auc"])) < 1e-12
        and abs(rs.sauc(sample, marker=row["model"]).value - float(row["sauc"])) < 1e-12
        for row in rows
    )


def _steps() -> Steps:
    """Return margin and AUC at the start of each step."""
    found = {}
    for model, (pos, neg) in _SCORES.items():
        gaps = [p - n for p in pos for n in neg]
        margins = sorted({0, *(gap for gap in gaps if gap > 0)})
        found[model] = [
            (Fraction(m, 10), Fraction(sum(gap > m for gap in gaps), 9)) for m in margins
        ]
    return found


def _crossing(steps: Steps) -> Fraction | None:
    """Return the margin from which M1, first above, is nowhere above M2 but somewhere below."""
    margins = sorted({margin for points in steps.values() for margin, _ in points})

    def height(model: str, margin: Fraction) -> Fraction:
        return [auc for at, auc in steps[model] if at <= margin][-1]

    gaps = [height("M1", margin) - height("M2", margin) for margin in margins]
    end = next((i for i, gap in enumerate(gaps) if gap <= 0), 0)
    crosses = end > 0 and max(gaps[end:]) <= 0 and min(gaps[end:]) < 0
    return margins[end] if crosses else None


def _figure(steps: Steps) -> PaperFigure:
    def draw(ax: Any) -> object:
        from rocstats.plots.series_plot import draw_steps_down

        series = {
            model: (
                np.array([float(margin) for margin, _ in points]),
                np.array([float(auc) for _, auc in points]),
            )
            for model, points in steps.items()
        }
        return draw_steps_down(series, ax, x_label="Margin taken off the positives", y_label="AUC")

    return PaperFigure(
        name="figure-1",
        title="Fig. 1: sROC curves of the two models of Example 1",
        alt="Two falling step curves over the margin: M1 starts at 1 and falls early, M2 starts "
        "at 8/9 and lies above M1 for middle margins.",
        draw=draw,
    )
