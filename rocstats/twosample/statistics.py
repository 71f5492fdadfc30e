"""Statistics of two samples as values in a table, each working on a batch of samples at once.

A statistic is read off a pool and its labels (`rocstats.twosample.pooled_values`), so one function
serves many samples and many relabelings of one sample alike.
"""

from __future__ import annotations

from collections.abc import Mapping

from rocstats.twosample.judging import Statistic
from rocstats.twosample.kolmogorov_smirnov import judge_step, prepare_step
from rocstats.twosample.scored_sums import judge_ramp, prepare_ramp
from rocstats.twosample.studentized import (
    judge_placements,
    judge_pooled,
    judge_welch,
    prepare_mean,
    prepare_placements,
    prepare_welch,
)
from rocstats.twosample.wilcoxon import judge_area, prepare_area

__all__ = ["STATISTICS"]

STATISTICS: Mapping[str, Statistic] = {
    statistic.name: statistic
    for statistic in (
        Statistic(
            name="auc",
            label="Wilcoxon-Mann-Whitney",
            effect="AUC",
            judge=judge_area,
            prepare=prepare_area,
            reference="normal approximation with tied ranks",
            is_rank=True,
        ),
        Statistic(
            name="sauc",
            label="sAUC",
            effect="sAUC",
            judge=judge_ramp,
            prepare=prepare_ramp,
            reference="normal approximation with exact permutation moments",
        ),
        Statistic(
            name="brunner-munzel",
            label="Brunner-Munzel",
            effect="AUC",
            judge=judge_placements,
            prepare=prepare_placements,
            reference="t distribution, with Satterthwaite degrees of freedom",
            hypothesis="AUC 1/2",
            is_rank=True,
            has_own_error=True,
        ),
        Statistic(
            name="welch",
            label="Welch",
            effect="mean difference",
            judge=judge_welch,
            prepare=prepare_welch,
            reference="t distribution, with Satterthwaite degrees of freedom",
            hypothesis="equal means",
            is_ordered=False,
            has_own_error=True,
        ),
        Statistic(
            name="t",
            label="pooled t",
            effect="mean difference",
            judge=judge_pooled,
            prepare=prepare_mean,
            reference="t distribution",
            hypothesis="equal means, with equal variances",
            is_ordered=False,
            has_own_error=True,
        ),
        Statistic(
            name="ks",
            label="Kolmogorov-Smirnov",
            effect="largest distance of the distribution functions",
            judge=judge_step,
            prepare=prepare_step,
            reference="Kolmogorov distribution",
            is_rank=True,
        ),
    )
}
