"""Rate rows: every subject's influence on the rates of every test."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rocstats.arrays import Bools
from rocstats.data.sample import ScoredSample
from rocstats.engine.influence import Influence

__all__ = ["likelihood_rows", "predictive_rows", "rate_rows"]


def rate_rows(
    sample: ScoredSample, called: Bools, rates: Sequence[str] = ("sensitivity", "specificity")
) -> Influence:
    """Return sensitivity and specificity of every test, test by test.

    A rate is the mean of an indicator within its class; a subject's influence is its indicator less
    that mean, and 0 for the other class.
    """
    estimate, values, rows, share = [], [], [], []
    for name, test in zip(sample.markers, called, strict=True):
        for rate in rates:
            within = sample.positive if rate == "sensitivity" else ~sample.positive
            hit = ~test if rate == "specificity" else test
            mean = float(np.count_nonzero(hit & within)) / float(np.count_nonzero(within))
            estimate.append(mean)
            values.append(np.where(within, hit - mean, 0.0))
            rows.append((name, rate))
            share.append([math.inf, 1.0] if rate == "sensitivity" else [1.0, math.inf])
    return Influence(
        estimate=np.array(estimate),
        values=np.array(values),
        stratum=sample.positive.astype(np.intp),
        rows=tuple(rows),
        subject=sample.subject,
        cluster=sample.cluster,
        share=np.array(share),
    )


def predictive_rows(sample: ScoredSample, called: Bools, *, name: str) -> Influence:
    """Return the PPV, or the NPV, of every test; nan for one without such a result.

    The share of class members among those a test called so is a ratio of two means over one sample
    of all subjects, which is therefore one stratum.
    """
    turned = name == "npv"
    truth, estimate, values = sample.positive != turned, [], []
    for test in called != turned:
        here = float(np.count_nonzero(test))
        value = float(np.count_nonzero(test & truth)) / here if here else math.nan
        estimate.append(value)
        values.append(np.where(test, truth - value, 0.0) * (truth.size / here if here else 0.0))
    return Influence(
        estimate=np.array(estimate),
        values=np.array(values),
        stratum=np.zeros(truth.size, dtype=np.intp),
        rows=tuple((test, name) for test in sample.markers),
        subject=sample.subject,
        cluster=sample.cluster,
    )


def likelihood_rows(sample: ScoredSample, called: Bools, *, name: str) -> Influence:
    """Return log LR+ or log LR- of every test; nan where a rate is 0.

    The logarithms of two rates, of positives and of negatives, that are called so.
    """
    estimate, values = [], []
    for test in called if name == "lr_pos" else ~called:
        logs, row = [], np.zeros(test.size)
        for within, sign in ((sample.positive, 1.0), (~sample.positive, -1.0)):
            rate = np.count_nonzero(test & within) / np.count_nonzero(within)
            logs.append(sign * math.log(rate) if rate else math.nan)
            row += np.where(within, sign * (test - rate), 0.0) / (rate or math.nan)
        estimate.append(sum(logs))
        values.append(row)
    return Influence(
        estimate=np.array(estimate),
        values=np.array(values),
        stratum=sample.positive.astype(np.intp),
        rows=tuple((test, f"log {name}") for test in sample.markers),
        subject=sample.subject,
        cluster=sample.cluster,
    )
