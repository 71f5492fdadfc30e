"""Diagnostics: what a 2x2 table says, each measure with the interval that fits it.

A measure is a value in a table: how it follows from the four cells, and how its limits do. Values
are functions of real numbers, so that they can also be taken at the limits of the two rates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rocstats.arrays import Floats
from rocstats.estimates.proportion_limits import Limits
from rocstats.thresholds.clusters import Weights
from rocstats.thresholds.two_by_two import Cells, Diagnostic, Influence, MakeLimits, Tables, Value

__all__ = ["DIAGNOSTICS", "predictive"]


# -------------------------------------------------------------------------------------- the values


def _f1(c: Cells) -> Floats:
    return 2.0 * c.tp / (2.0 * c.tp + c.fp + c.fn)


def _mcc(c: Cells) -> Floats:
    called = c.tp + c.fp
    spread = np.sqrt(called * (c.fn + c.tn)) * np.sqrt(c.n_pos * c.n_neg)
    found: Floats = (c.tp * c.tn - c.fp * c.fn) / spread
    return found


def _lr_pos(c: Cells) -> Floats:
    return (c.tp * c.n_neg) / (c.fp * c.n_pos)


def _lr_neg(c: Cells) -> Floats:
    return (c.fn * c.n_neg) / (c.tn * c.n_pos)


def _dor(c: Cells) -> Floats:
    return (c.tp * c.tn) / (c.fp * c.fn)


# ----------------------------------------------------------------------------------- the influence


def _share_of(hits: Sequence[str], misses: Sequence[str]) -> Influence:
    """Return the influence on the share of some cells in these and others."""

    def influence(c: Cells) -> Weights:
        hit, miss = (sum(getattr(c, name) for name in names) for names in (hits, misses))
        return dict.fromkeys(hits, miss) | dict.fromkeys(misses, -hit)

    return influence


def _youden_influence(c: Cells) -> Weights:
    pos, neg = 1.0 / c.n_pos**2, 1.0 / c.n_neg**2
    return {"tp": c.fn * pos, "fn": -c.tp * pos, "tn": c.fp * neg, "fp": -c.tn * neg}


def _lr_pos_influence(c: Cells) -> Weights:
    pos, neg = 1.0 / c.n_pos, 1.0 / c.n_neg
    return {"tp": 1.0 / c.tp - pos, "fn": -pos, "tn": neg, "fp": neg - 1.0 / c.fp}


def _lr_neg_influence(c: Cells) -> Weights:
    pos, neg = 1.0 / c.n_pos, 1.0 / c.n_neg
    return {"tp": -pos, "fn": 1.0 / c.fn - pos, "tn": neg - 1.0 / c.tn, "fp": neg}


def _dor_influence(c: Cells) -> Weights:
    return {"tp": 1.0 / c.tp, "fn": -1.0 / c.fn, "tn": 1.0 / c.tn, "fp": -1.0 / c.fp}


def _mcc_influence(c: Cells) -> Weights:
    called, others = c.tp + c.fp, c.fn + c.tn
    spread = np.sqrt(called * others) * np.sqrt(c.n_pos * c.n_neg)
    half = 0.5 * _mcc(c)
    return {
        "tp": c.tn / spread - half / called - half / c.n_pos,
        "fp": -c.fn / spread - half / called - half / c.n_neg,
        "fn": -c.fp / spread - half / others - half / c.n_pos,
        "tn": c.tp / spread - half / others - half / c.n_neg,
    }


# -------------------------------------------------------------------------------------- the limits


def _log_limits(t: Tables, value: Floats, variance: Floats) -> Limits:
    factor = np.exp(t.quantile * np.sqrt(variance))
    return value / factor, value * factor


def _lr_pos_limits(t: Tables, value: Floats) -> Limits:
    c = t.inverse
    return _log_limits(t, value, c.tp + c.fp - (1.0 / c.n_pos + 1.0 / c.n_neg))


def _lr_neg_limits(t: Tables, value: Floats) -> Limits:
    c = t.inverse
    return _log_limits(t, value, c.fn + c.tn - (1.0 / c.n_pos + 1.0 / c.n_neg))


def _dor_limits(t: Tables, value: Floats) -> Limits:
    c = t.inverse
    return _log_limits(t, value, c.tp + c.fp + c.fn + c.tn)


def _f1_limits(t: Tables, value: Floats) -> Limits:
    """F1 = 2 q / (1 + q), q the share of true among all subjects diseased or called so."""
    c = t.cells
    low, high = t.share(c.tp, c.tp + c.fp + c.fn)
    return 2.0 * low / (1.0 + low), 2.0 * high / (1.0 + high)


def _mcc_limits(t: Tables, value: Floats) -> Limits:
    """Wald limits of Fisher's z with the multinomial delta variance of phi."""
    c = t.cells
    total = c.n_pos + c.n_neg
    called, sick = (c.tp + c.fp) / total, c.n_pos / total
    rows = (2.0 * called - 1.0) / np.sqrt(called * (1.0 - called))
    columns = (2.0 * sick - 1.0) / np.sqrt(sick * (1.0 - sick))
    square = value * value
    variance = (
        1.0
        - square
        + value * (1.0 + 0.5 * square) * (rows * columns)
        - 0.75 * square * (rows * rows + columns * columns)
    ) / total
    # tanh(atanh(a) + b) = (a + tanh(b)) / (1 + a tanh(b)).
    turn = np.tanh(t.quantile * np.sqrt(variance) / (1.0 - square))
    return (value - turn) / (1.0 - value * turn), (value + turn) / (1.0 + value * turn)


_SHARE, _NEWCOMBE, _LOG = "{}", "newcombe of {}", "log"

DIAGNOSTICS: dict[str, Diagnostic] = {
    "sensitivity": Diagnostic(
        label="Sensitivity",
        value=lambda c: c.tp / c.n_pos,
        limits=lambda t, value: t.sensitivity,
        method=_SHARE,
        influence=_share_of(["tp"], ["fn"]),
    ),
    "specificity": Diagnostic(
        label="Specificity",
        value=lambda c: c.tn / c.n_neg,
        limits=lambda t, value: t.specificity,
        method=_SHARE,
        influence=_share_of(["tn"], ["fp"]),
    ),
    "ppv": Diagnostic(
        label="PPV at the sample's prevalence",
        value=lambda c: c.tp / (c.tp + c.fp),
        limits=lambda t, value: t.share(t.cells.tp, t.cells.tp + t.cells.fp),
        method=_SHARE,
        influence=_share_of(["tp"], ["fp"]),
        domain="called",
    ),
    "npv": Diagnostic(
        label="NPV at the sample's prevalence",
        value=lambda c: c.tn / (c.tn + c.fn),
        limits=lambda t, value: t.share(t.cells.tn, t.cells.tn + t.cells.fn),
        method=_SHARE,
        influence=_share_of(["tn"], ["fn"]),
        domain="others",
    ),
    "lr_pos": Diagnostic(
        label="Positive likelihood ratio (LR+)",
        value=_lr_pos,
        limits=_lr_pos_limits,
        method=_LOG,
        influence=_lr_pos_influence,
        cornered=True,
    ),
    "lr_neg": Diagnostic(
        label="Negative likelihood ratio (LR−)",
        value=_lr_neg,
        limits=_lr_neg_limits,
        method=_LOG,
        influence=_lr_neg_influence,
        falling=True,
        cornered=True,
    ),
    "dor": Diagnostic(
        label="Diagnostic odds ratio",
        value=_dor,
        limits=_dor_limits,
        method=_LOG,
        influence=_dor_influence,
        cornered=True,
    ),
    "accuracy": Diagnostic(
        label="Accuracy",
        value=lambda c: (c.tp + c.tn) / (c.n_pos + c.n_neg),
        limits=lambda t, value: t.share(t.cells.tp + t.cells.tn, t.cells.n_pos + t.cells.n_neg),
        method=_SHARE,
        influence=_share_of(["tp", "tn"], ["fp", "fn"]),
        domain="all",
    ),
    "balanced_accuracy": Diagnostic(
        label="Balanced accuracy",
        value=lambda c: 0.5 * (c.youden + 1.0),
        limits=lambda t, value: (0.5 * (t.difference[0] + 1.0), 0.5 * (t.difference[1] + 1.0)),
        method=_NEWCOMBE,
        influence=_youden_influence,
    ),
    "youden": Diagnostic(
        label="Youden's J",
        value=lambda c: c.youden,
        limits=lambda t, value: t.difference,
        method=_NEWCOMBE,
        influence=_youden_influence,
    ),
    "f1": Diagnostic(
        label="F1",
        value=_f1,
        limits=_f1_limits,
        method="{} of tp / (tp + fp + fn)",
        influence=_share_of(["tp"], ["fp", "fn"]),
        domain="either",
    ),
    "mcc": Diagnostic(
        label="Matthews correlation (MCC)",
        value=_mcc,
        limits=_mcc_limits,
        method="delta, Fisher's z",
        influence=_mcc_influence,
        domain="all",
        cornered=True,
    ),
}


# --------------------------------------------------------- predictive values at a stated prevalence


def predictive(prevalence: float) -> dict[str, Diagnostic]:
    """Return PPV and NPV at a stated prevalence, by name.

    The odds of the PPV are LR+ times the odds of disease, so that the log limits of LR+ are the
    logit limits of Mercaldo, Lau & Zhou (2007); those of the NPV follow from LR- in the same way.
    """
    odds = prevalence / (1.0 - prevalence)

    def ppv(ratio: Floats) -> Floats:
        return 1.0 / (1.0 + 1.0 / (odds * ratio))

    def npv(ratio: Floats) -> Floats:
        return 1.0 / (1.0 + odds * ratio)

    def along(turn: Callable[[Floats], Floats], ratio: str) -> tuple[Value, MakeLimits]:
        known = DIAGNOSTICS[ratio]

        def value(c: Cells) -> Floats:
            return turn(known.value(c))

        def limits(t: Tables, value: Floats) -> Limits:
            low, high = (turn(limit) for limit in t.of(known)[1:])
            return (high, low) if known.falling else (low, high)

        return value, limits

    found = {}
    for name, turn, ratio in (("ppv", ppv, "lr_pos"), ("npv", npv, "lr_neg")):
        value, limits = along(turn, ratio)
        found[f"{name}_at_{prevalence!r}"] = Diagnostic(
            label=f"{name.upper()} at prevalence {prevalence:g}",
            value=value,
            limits=limits,
            method="logit",
            influence=DIAGNOSTICS[ratio].influence,
            cornered=True,
        )
    return found
