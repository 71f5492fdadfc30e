"""Margins: non-inferiority, superiority by a margin, and equivalence of two classifiers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocstats.estimates.results import Alternative, TestResult, say_dissent
from rocstats.inference.contrasts import check_margin, tail_probability
from rocstats.tables import Answer, Statement, show_p, show_value

__all__ = ["MarginTest", "first_bound", "judge_margin"]

_FEW_LOSSES = 1.0  # with fewer no test has power at the margins in use (6.8)
_TOO_FEW = (
    "; an AUC lost less than one subject of the smaller class, and so few losses cannot show it"
)

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
    method : str
        Test and reference distribution in words.
    dissent : str
        What DeLong's own test says, where it disagrees.
    p_delong : float
        Its p-value, where the answer has its variance at the null.
    losses : float
        Subjects of the smaller class that the AUC nearest to 0 or 1 has lost or won; nan for
        other measures.

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
    method: str
    dissent: str = ""
    p_delong: float = math.nan
    losses: float = math.nan

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
            f"(one-sided p {show_p(self.pvalue)}){_TOO_FEW if self.lacks_losses else ''}."
        )

    @property
    def lacks_losses(self) -> bool:
        """Whether the difference is on the right side of the margin and too few losses say so."""
        right = all(
            (self.estimate - sign * self.margin) * (1.0 if side == "greater" else -1.0) > 0.0
            for sign, side in _BOUNDS[self.aim]
        )
        return right and not self.shown and self.losses < _FEW_LOSSES

    def statement(self) -> Statement:
        """Return the conclusion, and the numbers behind it as one row."""
        names = (
            *("aim", "contrast", "margin", "estimate", "std_error", "statistic", "df"),
            *("conf_low", "conf_high", "significance", "shown", "method", "dissent", "conclusion"),
            *("p_delong", "losses"),
        )
        return Statement(
            head=self.conclusion,
            rows=[{name: getattr(self, name) for name in names} | {"p_value": self.pvalue}],
            shown=("aim", "contrast", "margin", "estimate", "conf_low", "conf_high", "p_value"),
            in_words=True,
            notes=[self.method, *filter(None, [self.dissent])],
        )


def _verb(shown: bool) -> str:
    return "above" if shown else "not above"


def first_bound(aim: str, margin: float) -> float:
    """Return the value of the difference that an aim is tested against first."""
    return _BOUNDS[aim][0][0] * check_margin(margin)


def _answer(test: TestResult, aim: str, margin: float) -> tuple[float, float, float]:
    """Return p-value, statistic and its df at the bound that is hardest to leave behind."""
    answers = []
    for sign, alternative in _BOUNDS[aim]:
        statistic, df = test.judge_at(sign * margin)
        answers.append((tail_probability(statistic, df, alternative), statistic, df))
    return max(answers)


def judge_margin(
    test: TestResult, aim: str, margin: float, significance: float, *, losses: float = math.nan
) -> MarginTest:
    """Judge a two-sided test's difference against a margin (STATISTICS.md 6.6; TOST)."""
    margin = check_margin(margin)
    pvalue, statistic, df = _answer(test, aim, margin)
    other = math.nan if test.pivot is None else _answer(test.wald, aim, margin)[0]
    shown = pvalue <= significance
    dissent = ""
    if not math.isnan(other) and shown != (other <= significance):
        dissent = say_dissent("DeLong's own test", f"one-sided p {show_p(other)}")
    limits = test.confidence_interval(confidence_level=1.0 - 2.0 * significance)
    return MarginTest(
        aim=aim,
        contrast=test.contrast,
        margin=margin,
        estimate=test.estimate,
        std_error=test.std_error,
        df=df,
        statistic=statistic,
        pvalue=pvalue,
        conf_low=limits.low,
        conf_high=limits.high,
        significance=significance,
        shown=shown,
        method=test.method,
        dissent=dissent,
        p_delong=other,
        losses=losses,
    )
