"""Compared tests: what two or more binary tests say of the same patients."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from rocstats.arrays import Bools
from rocstats.data.sample import Account, ScoredSample
from rocstats.engine.influence import Influence
from rocstats.engine.measures import Measure
from rocstats.errors import (
    InvalidOptionError,
    check_confidence_level,
    check_option,
    check_significance,
    did_you_mean,
    keyword,
    listed,
    named,
)
from rocstats.estimates.estimators import estimate_jointly
from rocstats.inference.binary.equivocal_results import EquivocalBounds, Unresolved, bound_rates
from rocstats.inference.binary.paired_cells import ClassCells, PairedCells, count_classes
from rocstats.inference.binary.paired_rates import PAIRED_COLUMNS, PairedRates
from rocstats.inference.binary.paired_ratios import PairedLikelihood, PairedPredictive
from rocstats.inference.binary.rate_margins import CoprimaryTest
from rocstats.inference.binary.rate_rows import likelihood_rows, predictive_rows, rate_rows
from rocstats.inference.binary.rates_by_test import RatesByTest, single_rates
from rocstats.inference.contrasts import Contrasts, adjust_pvalues, check_margin
from rocstats.inference.margins import MarginTest, judge_margin
from rocstats.inference.omnibus import OmnibusTest, judge_omnibus
from rocstats.tables import AnswerAtLevel, Row, Statement

__all__ = ["DESIGNS", "TRUTHS", "ComparedTests"]

DESIGNS = ("cohort", "case-control", "screen-positive")
TRUTHS = ("reference", "comparator")

_LABELS = {
    "sensitivity": "sensitivity",
    "specificity": "specificity",
    "fpr": "false-positive rate",
    "ppa": "positive percent agreement (PPA)",
    "npa": "negative percent agreement (NPA)",
    "ppv": "positive predictive value (PPV)",
    "npv": "negative predictive value (NPV)",
    "lr_pos": "positive likelihood ratio (LR+)",
    "lr_neg": "negative likelihood ratio (LR-)",
}
_AGREEMENT = {"sensitivity": "ppa", "specificity": "npa"}
_RATES = ("sensitivity", "specificity")
_ADJUSTED = (*_RATES, *_AGREEMENT.values())
_OF_RATES = "p adjusted: holm, over the differences of rates"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ComparedTests(AnswerAtLevel):
    """Binary tests on the same patients; everything is new against standard.

    With two tests the first is the standard and the second the new one. With more, `pairwise` tests
    every pair and `pair` takes two of them.

    Attributes
    ----------
    sample : ScoredSample
        The patients compared, with the results of the tests as 1 and 0.
    design : str
        "cohort"; "case-control", which has no predictive values; or "screen-positive", where only
        those positive on a test were verified and ratios alone are known.
    truth : str
        "reference" where the true state is known; "comparator" where it is another test, against
        which there is agreement (PPA, NPA) and no accuracy.
    exploratory : bool
        Whether cutoffs were chosen on these data: then no test has a p-value.
    rules : tuple of (str, str)
        When each test is positive, in words.
    scored : ScoredSample or None
        The same patients with the scores that were cut, for areas beside the rates.
    unresolved : Unresolved or None
        All patients with missing and equivocal results, and how those were counted.

    See Also
    --------
    compare_tests : Compare binary tests on the same patients.
    compare_counts : Compare two tests given as tables of counts.
    """

    sample: ScoredSample
    design: str = "cohort"
    truth: str = "reference"
    exploratory: bool = False
    rules: tuple[tuple[str, str], ...] = ()
    scored: ScoredSample | None = None
    unresolved: Unresolved | None = None

    @property
    def tests(self) -> tuple[str, ...]:
        """Names of the tests, the standard one first."""
        return self.sample.markers

    @property
    def account(self) -> Account:
        """Which class is positive, and who was left out."""
        return self.sample.account

    @property
    def sensitivity(self) -> PairedRates:
        """Sensitivity of two tests; PPA where the comparator is no reference."""
        return self._rate("sensitivity")

    @property
    def specificity(self) -> PairedRates:
        """Specificity of two tests; NPA where the comparator is no reference."""
        if self.design == "screen-positive":
            raise InvalidOptionError(
                "Where only patients positive on a test were verified, no specificity is known; "
                "take fpr, whose ratio is."
            )
        return self._rate("specificity")

    @property
    def fpr(self) -> PairedRates:
        """False-positive rates of two tests: positive results among negatives."""
        return self._rate("fpr")

    @property
    def ppv(self) -> PairedPredictive:
        """Positive predictive values of two tests, in a cohort."""
        return self._predictive("ppv")

    @property
    def npv(self) -> PairedPredictive:
        """Negative predictive values of two tests, in a cohort."""
        return self._predictive("npv")

    @property
    def lr_pos(self) -> PairedLikelihood:
        """Positive likelihood ratios of two tests."""
        return self._likelihood("lr_pos")

    @property
    def lr_neg(self) -> PairedLikelihood:
        """Negative likelihood ratios of two tests."""
        return self._likelihood("lr_neg")

    @property
    def influence(self) -> Influence:
        """Every subject's influence on sensitivity and specificity of every test."""
        self._refuse_screened("standard error of a rate")
        return rate_rows(self.sample, self._called)

    def influence_with(
        self, measures: str | Measure | Iterable[str | Measure] = "auc"
    ) -> Influence:
        """Return rates and areas of the same patients together, for co-primary endpoints.

        Parameters
        ----------
        measures : str, Measure or iterable of them, default "auc"
            Measures of the scores that the tests cut (of the results where there are no scores).

        Returns
        -------
        Influence
            Rows (test, "sensitivity"), (test, "specificity") and (test, measure); its `covariance`
            is joint, and its `contrast` takes any combination.
        """
        rates = self.influence
        _, areas = estimate_jointly(self.scored or self.sample, measures)
        return replace(
            rates,
            estimate=np.concatenate([rates.estimate, areas.estimate]),
            values=np.concatenate([rates.values, areas.values]),
            rows=rates.rows + areas.rows,
            share=np.concatenate([rates._shares(), areas._shares()]),
        )

    def pair(self, new: str, standard: str) -> ComparedTests:
        """Return the comparison of two of the tests.

        Parameters
        ----------
        new : str
            The test that is to be shown.
        standard : str
            The test it is held against.

        Returns
        -------
        ComparedTests
            The same patients, and two tests.
        """
        where = [self._find(standard), self._find(new)]
        if where[0] == where[1]:
            raise InvalidOptionError(f"Name two different tests of {listed(self.tests)}.")
        return replace(
            self,
            sample=_some(self.sample, where),
            rules=tuple(rule for rule in self.rules if rule[0] in (new, standard)),
            scored=None if self.scored is None else _some(self.scored, where),
            unresolved=None if self.unresolved is None else self.unresolved.only(where),
        )

    def joint(self) -> OmnibusTest:
        """Test whether two tests have the same sensitivity and the same specificity.

        Returns
        -------
        OmnibusTest
            The sum of McNemar's two chi-squares, with 2 degrees of freedom (Lachenbruch & Lynch
            1998); a class without a discordant pair adds 0 and keeps its degree. With clusters, the
            Wald test of both differences.
        """
        from scipy.special import chdtrc

        pair = self._two()
        if self.sample.cluster is not None:
            matrix = np.array([[-1.0, 0.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0]])
            found = pair.influence.contrast(matrix)
            test = judge_omnibus(found, np.full(2, 2.0))
        else:
            self._refuse_screened("test of specificity")
            chi2 = pair.sensitivity.mcnemar.statistic + pair.specificity.mcnemar.statistic
            test = OmnibusTest(
                method=f"Joint test of {' and '.join(_LABELS[m] for m in pair._measures[:2])}",
                statistic=chi2,
                df=2.0,
                pvalue=float(chdtrc(2.0, chi2)),
            )
        return replace(test, pvalue=math.nan) if self.exploratory else test

    def omnibus(self, measure: str = "sensitivity", *, reference: str = "auto") -> OmnibusTest:
        """Test whether all tests have the same sensitivity, or specificity.

        Parameters
        ----------
        measure : {"sensitivity", "specificity"}, default "sensitivity"
            The rate.
        reference : {"auto", "chi2", "F"}, default "auto"
            The distribution of the statistic, as for areas.

        Returns
        -------
        OmnibusTest
            The Wald test of all differences.
        """
        check_option("measure", measure, _RATES)
        if len(self.tests) < 2:
            self._two()
        self._refuse_screened("test of all rates")
        rates = rate_rows(self.sample, self._called, (measure,))
        k = len(self.tests)
        test = judge_omnibus(
            rates.contrast(np.eye(k)[1:] - np.eye(k)[:1]), np.full(k - 1, 2.0), reference=reference
        )
        return replace(test, pvalue=math.nan) if self.exploratory else test

    def pairwise(
        self,
        adjust: str = "holm",
        *,
        measures: str | Sequence[str] = _RATES,
        versus: str | None = None,
        confidence_level: float = 0.95,
    ) -> Contrasts:
        """Test the difference of every pair of tests, each against those before it.

        Parameters
        ----------
        adjust : str, default "holm"
            How to adjust p-values for their number, over all tests of the table: "none", or a
            method of statsmodels such as "bonferroni", "holm" or "fdr_bh".
        measures : str or sequence of str, default ("sensitivity", "specificity")
            "sensitivity", "specificity", "fpr", "ppv", "npv", "lr_pos" or "lr_neg".
        versus : str, optional
            Compare all others with this test instead of every pair.
        confidence_level : float, default 0.95
            Level of the intervals, each by itself.

        Returns
        -------
        Contrasts
            McNemar's tests with score intervals, or the tests of other measures.
        """
        level = check_confidence_level(confidence_level)
        wanted = [measures] if isinstance(measures, str) else list(measures)
        for measure in wanted:
            check_option("measures", measure, tuple(m for m in _LABELS if m not in ("ppa", "npa")))
        if len(self.tests) < 2:
            self._two()
        pairs = [(new, standard) for standard, new in combinations(self.tests, 2)]
        if versus is not None:
            self._find(versus)
            pairs = [(new, versus) for new in self.tests if new != versus]
        found = []
        for measure in wanted:
            for new, standard in pairs:
                pair = getattr(self.pair(new, standard), measure)
                test = pair.test()
                label = test.contrast if len(wanted) == 1 else f"{test.contrast} ({pair.name})"
                found.append(replace(test, contrast=label))
        return Contrasts(
            tests=tuple(found),
            adjust=adjust,
            adjusted=adjust_pvalues([test.pvalue for test in found], adjust),
            confidence_level=level,
            account=self.account,
        )

    def noninferiority(
        self, measure: str, margin: float | tuple[float, float], *, significance: float = 0.025
    ) -> MarginTest | CoprimaryTest:
        """Test that the new test is not worse than the standard by the margin.

        Parameters
        ----------
        measure : {"sensitivity", "specificity", "both"}
            The rate; "both" are co-primary endpoints, which must both hold.
        margin : float or (float, float)
            By how much worse it may be, above 0; for "both" also one for each.
        significance : float, default 0.025
            One-sided level.

        Returns
        -------
        MarginTest or CoprimaryTest
            The difference, its interval and the conclusion, by Tango's score (Wald's t with
            clusters); for "both", the two of them.
        """
        check_option("measure", measure, (*_RATES, "both"))
        check_significance(significance)
        if measure == "both":
            each = margin if isinstance(margin, (tuple, list)) else (margin, margin)
            if len(each) != 2:
                raise InvalidOptionError(
                    f"{named('margin')} must be one number or two, got {margin!r}."
                )
            return CoprimaryTest(
                parts=tuple(
                    self._margin(rate, one, significance)
                    for rate, one in zip(_RATES, each, strict=True)
                )
            )
        if isinstance(margin, (tuple, list)):
            raise InvalidOptionError(
                f"{named('margin')} must be one number for the {measure}, got {margin!r}."
            )
        return self._margin(measure, margin, significance)

    def _margin(self, measure: str, margin: float, significance: float) -> MarginTest:
        self._refuse_screened("difference of rates")
        if self.exploratory:
            raise InvalidOptionError(
                "The cutoffs were chosen on these data, so nothing can be shown by a margin; take "
                "cutoffs that were fixed before."
            )
        check_margin(margin, below=1.0)
        test = getattr(self, measure).test()
        found = judge_margin(test, "non-inferiority", margin, significance)
        way = "Tango's score test" if self.sample.cluster is None else test.method
        contrast = f"{test.contrast} ({getattr(self, measure).name})"
        return replace(found, contrast=contrast, method=way)

    def rates(self, confidence_level: float = 0.95) -> RatesByTest:
        """Return what each test is by itself, with intervals.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the intervals.

        Returns
        -------
        RatesByTest
            Sensitivity and specificity with Wilson's interval, predictive values (of a cohort) and
            likelihood ratios; PPA and NPA where the comparator is no reference.
        """
        self._refuse_screened("rate of a test")
        return single_rates(
            self.sample,
            self._called,
            [m for m in self._measures if m != "fpr"],
            check_confidence_level(confidence_level),
        )

    def bounds(self, confidence_level: float = 0.95) -> EquivocalBounds:
        """Return the differences with missing and equivocal results counted every way.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the intervals.

        Returns
        -------
        EquivocalBounds
            Without those patients; all counted as positive, and as negative; and as is best, and
            worst, for the new test.
        """
        pair = self._two()
        self._refuse_screened("difference of rates")
        if pair.sample.cluster is not None:
            raise InvalidOptionError(
                "Equivocal results counted every way are for independent patients, and these are "
                "in clusters."
            )
        level = check_confidence_level(confidence_level)
        return bound_rates(pair, pair.unresolved, level)

    @property
    def _measures(self) -> tuple[str, ...]:
        """What is known in this design, against this comparator."""
        if self.design == "screen-positive":
            return "sensitivity", "fpr"
        if self.truth == "comparator":
            return "ppa", "npa"
        if self.design == "case-control":
            return *_RATES, "lr_pos", "lr_neg"
        return *_RATES, "ppv", "npv", "lr_pos", "lr_neg"

    @property
    def _called(self) -> Bools:
        called: Bools = self.sample.scores == 1.0
        return called

    def _find(self, name: str) -> int:
        if name not in self.tests:
            raise InvalidOptionError(
                f"There is no test {name!r}; there are {listed(self.tests)}."
                f"{did_you_mean(name, self.tests)}"
            )
        return self.tests.index(name)

    def _two(self) -> ComparedTests:
        if len(self.tests) == 1:
            raise InvalidOptionError(
                f"There is one test only ({self.tests[0]}); rates() says what it is by itself."
            )
        if len(self.tests) > 2:
            raise InvalidOptionError(
                f"There are {len(self.tests)} tests ({listed(self.tests)}); take two of them with "
                "pair(new, standard), or all with pairwise()."
            )
        return self

    def _refuse_screened(self, what: str) -> None:
        if self.design == "screen-positive":
            raise InvalidOptionError(
                f"Where only patients positive on a test were verified, no {what} is known; take "
                "the ratios of sensitivity and fpr."
            )

    def _cells(self) -> ClassCells:
        self._two()
        standard, new = self._called
        return count_classes(self.sample.positive, standard, new)

    def _rate(self, name: str) -> PairedRates:
        cells: PairedCells = getattr(self._cells(), name)
        shown = name
        if self.truth == "comparator":
            shown = _AGREEMENT.get(name, name)
        standard, new = self.tests
        sizes: tuple[float, float, int | None, float] = (
            *(_plain_error(cells), math.inf, None, math.nan),
        )
        if self.sample.cluster is not None:
            sizes = _clustered(rate_rows(self.sample, self._called, (name,)), name)
        error, df, clusters, ratio_error = sizes
        screened = self.design == "screen-positive"
        return PairedRates(
            name=shown,
            label=_LABELS[shown],
            new=new,
            standard=standard,
            cells=cells,
            std_error=math.nan if screened else error,
            df=df,
            clusters=clusters,
            ratio_error=ratio_error,
            design=self.design,
            exploratory=self.exploratory,
            account=self.account,
        )

    def _predictive(self, name: str) -> PairedPredictive:
        cells = self._cells()
        if self.design == "case-control":
            raise InvalidOptionError(
                "Cases and controls were sampled apart, so these data have no predictive values; "
                f"take lr_pos.predictive({keyword('prevalence', '...')}), or lr_neg, at a stated "
                "prevalence."
            )
        self._refuse_screened("predictive value")
        self._refuse_agreement()
        standard, new = self.tests
        return PairedPredictive(
            name=name,
            label=_LABELS[name],
            new=new,
            standard=standard,
            cells=cells.turned if name == "npv" else cells,
            influence=predictive_rows(self.sample, self._called, name=name),
            exploratory=self.exploratory,
            account=self.account,
        )

    def _likelihood(self, name: str) -> PairedLikelihood:
        self._two()
        self._refuse_screened("likelihood ratio")
        self._refuse_agreement()
        standard, new = self.tests
        return PairedLikelihood(
            name=name,
            label=_LABELS[name],
            new=new,
            standard=standard,
            influence=likelihood_rows(self.sample, self._called, name=name),
            exploratory=self.exploratory,
            account=self.account,
        )

    def _refuse_agreement(self) -> None:
        if self.truth == "comparator":
            raise InvalidOptionError(
                "The comparator is no reference standard, so there is agreement (sensitivity is "
                "the PPA, specificity the NPA) and no predictive value or likelihood ratio."
            )

    def statement(self, *, confidence_level: float = 0.95) -> Statement:
        """Return every measure of every pair of tests, as tidy rows."""
        level = check_confidence_level(confidence_level)
        parts = [Statement(head=self._head())]
        content: dict[str, Any] = {
            "tests": list(self.tests),
            "rules": dict(self.rules),
            "design": self.design,
            "truth": self.truth,
            "exploratory": self.exploratory,
        }
        if self.design != "screen-positive":
            single = self.rates(level).statement()
            parts.append(single)
            content["rates"] = single.rows
        if len(self.tests) == 1:
            return Statement(rows=single.rows, parts=parts, content=content)
        names = {shown: name for name, shown in _AGREEMENT.items()}
        found = [
            getattr(self.pair(new, standard), names.get(measure, measure)).statement(
                confidence_level=level
            )
            for standard, new in combinations(self.tests, 2)
            for measure in self._measures
        ]
        rows: list[Row] = [stated.row for stated in found]
        if len(self.tests) > 2:
            rows = _adjusted(rows)
        notes = [note for stated in found for note in stated.notes[1:]]
        methods = dict.fromkeys(stated.notes[0] for stated in found)
        shown = PAIRED_COLUMNS if len(self.tests) == 2 else (*PAIRED_COLUMNS, "p_adjusted")
        intervals = "of rates score" if self.sample.cluster is None else "Wald's with t"
        if self.design == "screen-positive":
            intervals = "Wald's on the logarithm"
        parts.append(
            Statement(
                rows=rows,
                shown=shown,
                notes=[
                    f"New less standard, and new over standard; {level:.0%} intervals, {intervals}",
                    *([_OF_RATES] if len(self.tests) > 2 else []),
                    *methods,
                    *notes,
                ],
            )
        )
        content["comparisons"] = rows
        if len(self.tests) == 2 and self.design != "screen-positive":
            joint = self.joint().statement()
            parts.append(joint)
            content["joint"] = joint.as_dict()
        if self.unresolved is not None and self._has_bounds:
            bounds = self.bounds(level).statement()
            parts.append(bounds)
            content["bounds"] = bounds.rows
        return Statement(rows=rows, parts=parts, content=content)

    @property
    def _has_bounds(self) -> bool:
        plain = self.sample.cluster is None and self.design != "screen-positive"
        return plain and len(self.tests) == 2

    def _head(self) -> str:
        words = f"{' and '.join(self.tests)} on {self.sample.positive.size} patients"
        if len(self.tests) == 2:
            words = f"{self.tests[1]} (new) against {self.tests[0]} (standard) on "
            words += f"{self.sample.positive.size} patients"
        if self.sample.cluster is not None:
            words += f" in {int(self.sample.cluster.max()) + 1} clusters"
        words += f": {self.sample.n_pos} positive, {self.sample.n_neg} negative"
        if self.truth == "comparator":
            words += " by the comparator, which is no reference standard"
        lines = [words]
        if self.rules:
            lines.append("; ".join(f"{name} is positive if {rule}" for name, rule in self.rules))
        if self.exploratory:
            lines.append("Exploratory: the cutoffs were chosen on these data, so there is no p.")
        return "\n".join(lines)


def _some(sample: ScoredSample, where: Sequence[int]) -> ScoredSample:
    return replace(
        sample,
        scores=sample.scores[list(where)],
        markers=tuple(sample.markers[i] for i in where),
        higher_is_positive=tuple(sample.higher_is_positive[i] for i in where),
    )


def _adjusted(rows: Sequence[Row]) -> list[Row]:
    """Return the rows with the p-values of rates adjusted, as `pairwise` has them."""
    pvalues = [row["p_value"] if row["measure"] in _ADJUSTED else math.nan for row in rows]
    adjusted = adjust_pvalues(pvalues, "holm")
    return [{**row, "p_adjusted": p} for row, p in zip(rows, adjusted, strict=True)]


def _plain_error(cells: PairedCells) -> float:
    """Return the standard error of the difference by influence, for independent subjects."""
    n = cells.n
    if n < 2:
        return math.nan
    return math.sqrt(max(cells.discordant - (cells.b - cells.c) ** 2 / n, 0.0) / (n * (n - 1.0)))


def _clustered(rates: Influence, name: str) -> tuple[float, float, int, float]:
    """Return the error of the difference, its df, clusters, and the error of the log ratio."""
    clusters = int(rates.units()[int(name == "sensitivity")])
    if rates.units().min() < 2:
        return math.nan, math.nan, clusters, math.nan
    first, second = rates.estimate.tolist()
    lines = [[-1.0, 1.0]]
    if first > 0.0 and second > 0.0:
        lines.append([-1.0 / first, 1.0 / second])
    errors = np.sqrt(np.maximum(np.diag(rates.contrast(lines).covariance()), 0.0)).tolist()
    return errors[0], clusters - 1.0, clusters, errors[1] if len(errors) > 1 else math.nan
