"""Margins: non-inferiority, superiority by a margin, and equivalence of two classifiers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocstats.estimates.results import Alternative, TestResult
from rocstats.inference.contrasts import check_margin, tail_probability
from rocstats.tables import Answer, Statement, show_p, show_value

__all__ = ["MarginTest", "judge_margin"]

# Aim: the bounds, in margins, on whose far side the difference must be shown to lie.
_BOUNDS: dict[str, tuple[tuple[float, Alternative], ...]] = {
    "non-inferiority": ((-1.0, "greater"),),
    "superiority": ((1.0, "greater"),),
    "equivalence": ((-1.0, "greater"), (1.0, "less")),
}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MarginTest(Answer):
    """A difference against a margin.

    Attributes
    ----------
    aim : str
        "non-inferiority", "superiority" or "equivalence".
    contrast : str
        The difference, new less standard.
    margin : float
        What counts as too much, or as enough.
    estimate, std_error, df : float
        The difference.
    statistic, pvalue : float
        Those of the one-sided test; for equivalence the larger p of the two.
    conf_low, conf_high : float
        The interval at level 1 - 2 significance, to be read against the margin.
    significance : float
        One-sided level.
    shown : bool
        Whether the aim was shown.

    See Also
    --------
    Comparison.noninferiority : Test against a margin.
    """

    aim: str
    contrast: str
    margin: float
    estimate: float
    std_error: float
    df: float
    statistic: float
    pvalue: float
    conf_low: float
    conf_high: float
    significance: float
    shown: bool

    @property
    def conclusion(self) -> str:
        """The answer as a sentence."""
        bound = {
            "non-inferiority": f"the lower limit is {_verb(self.shown)} -{self.margin:g}",
            "superiority": f"the lower limit is {_verb(self.shown)} {self.margin:g}",
            "equivalence": f"the interval is {'' if self.shown else 'not '}within "
            f"(-{self.margin:g}, {self.margin:g})",
        }[self.aim]
        aim = self.aim.capitalize()
        if math.isnan(self.pvalue):
            return (
                f"{aim} could not be judged: {self.contrast} = {show_value(self.estimate)} has no "
                "usable standard error."
            )
        return (
            f"{aim} was {'' if self.shown else 'not '}shown: {self.contrast} = "
            f"{show_value(self.estimate)} ({100 * (1 - 2 * self.significance):g}% CI "
            f"{show_value(self.conf_low)} to {show_value(self.conf_high)}), and {bound} "
            f"(one-sided p {show_p(self.pvalue)})."
        )

    def statement(self) -> Statement:
        """Return the conclusion, and the numbers behind it as one row."""
        names = (
            *("aim", "contrast", "margin", "estimate", "std_error", "statistic", "df"),
            *("conf_low", "conf_high", "significance", "shown", "conclusion"),
        )
        return Statement(
            head=self.conclusion,
            rows=[{name: getattr(self, name) for name in names} | {"p_value": self.pvalue}],
            shown=("aim", "contrast", "margin", "estimate", "conf_low", "conf_high", "p_value"),
            in_words=True,
        )


def _verb(shown: bool) -> str:
    return "above" if shown else "not above"


def judge_margin(test: TestResult, aim: str, margin: float, significance: float) -> MarginTest:
    """Judge a two-sided test's difference against a margin (STATISTICS.md 6.6; TOST)."""
    margin = check_margin(margin)
    answers = []
    for sign, alternative in _BOUNDS[aim]:
        difference = test.estimate - sign * margin
        statistic = difference / test.std_error if test.std_error > 0.0 else math.nan
        answers.append((tail_probability(statistic, test.df, alternative), statistic))
    pvalue, statistic = max(answers)
    limits = test.confidence_interval(confidence_level=1.0 - 2.0 * significance)
    return MarginTest(
        aim=aim,
        contrast=test.contrast,
        margin=margin,
        estimate=test.estimate,
        std_error=test.std_error,
        df=test.df,
        statistic=statistic,
        pvalue=pvalue,
        conf_low=limits.low,
        conf_high=limits.high,
        significance=significance,
        shown=pvalue <= significance,
    )
