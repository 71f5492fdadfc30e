"""A stand-alone program against readers: is the AI as good as the mean reader?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.data.sample import Account
from rocstats.engine.measures import Measure
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    check_confidence_level,
    check_option,
    check_significance,
    did_you_mean,
    keyword,
    listed,
    named,
)
from rocstats.estimates.estimators import estimate_jointly
from rocstats.estimates.results import Alternative, ConfidenceInterval, Estimate, TestResult
from rocstats.inference.contrasts import Contrasts, adjust_pvalues, check_margin
from rocstats.inference.margins import MarginTest, judge_margin
from rocstats.readers.case_covariances import COVARIANCES, case_covariance
from rocstats.readers.cell_influence import CellRows, cell_rows
from rocstats.readers.obuchowski_rockette import Scatter, mean_scatter
from rocstats.readers.reader_comparison import (
    GENERALISES,
    judge_difference,
    largest_difference,
    reader_measure,
)
from rocstats.readers.reader_estimates import (
    CellEstimate,
    CellEstimates,
    ReaderEstimate,
    cell_estimate,
)
from rocstats.readers.reader_study import ReaderStudy
from rocstats.resampling.bootstrapping import Bootstrap
from rocstats.tables import AnswerAtLevel, Statement, counted, show_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.arrays import Floats

__all__ = ["AgainstReaders", "compare_to_readers"]

_DEFAULT = Bootstrap()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class AgainstReaders(AnswerAtLevel):
    """One program against the mean of the readers, on the same cases.

    Attributes
    ----------
    ai : Estimate
        The program, with its own intervals.
    readers : ReaderEstimate
        The mean of the readers.
    difference : TestResult
        The program less the mean reader.
    margin : float or None
        By how much worse the program may be.
    random : str
        What varies: "both" readers and cases, "cases" alone, or "readers" alone.
    study : ReaderStudy
        The study, program and all.
    cells : CellRows
        The estimates of every test and reader, with their influence.
    covariance : array of shape (C, C)
        Their covariance over cases.
    covariance_name : str
        How it was found.
    own : int
        Which of the estimates is the program's.
    others : tuple of int
        Which are the readers'.

    See Also
    --------
    compare_to_readers : Compare a stand-alone AI with readers.
    """

    ai: Estimate
    readers: ReaderEstimate
    difference: TestResult
    margin: float | None
    random: str
    study: ReaderStudy
    cells: CellRows
    covariance: Floats
    covariance_name: str
    own: int
    others: tuple[int, ...]

    @property
    def account(self) -> Account:
        """Which class is positive."""
        return self.study.account

    @property
    def read_by_readers(self) -> ReaderStudy:
        """The part of the study that the readers read, without the program."""
        tests, readers = zip(*(self.study.cells[c] for c in self.others), strict=True)
        return self.study.part([tests[0]], list(readers))

    @property
    def by_reader(self) -> CellEstimates:
        """Every reader, each for that reader alone."""
        return CellEstimates(rows=tuple(self._cell(c) for c in self.others))

    @property
    def estimate(self) -> float:
        """The program less the mean reader."""
        return self.difference.estimate

    @property
    def std_error(self) -> float:
        """Standard error of the difference."""
        return self.difference.std_error

    @property
    def statistic(self) -> float:
        """Statistic of the difference against 0."""
        return self.difference.statistic

    @property
    def df(self) -> float:
        """Degrees of freedom of the difference."""
        return self.difference.df

    @property
    def pvalue(self) -> float:
        """P-value of the difference against 0, two-sided."""
        return self.difference.pvalue

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the interval of the difference.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Level of the interval.

        Returns
        -------
        ConfidenceInterval
            The limits.
        """
        return self.difference.confidence_interval(confidence_level)

    def noninferiority(
        self, margin: float | None = None, *, significance: float = 0.025
    ) -> MarginTest:
        """Test that the program is not worse than the mean reader by the margin.

        Parameters
        ----------
        margin : float, optional
            By how much worse it may be, above 0; by default that of the comparison.
        significance : float, default 0.025
            One-sided level.

        Returns
        -------
        MarginTest
            The difference, its interval and the conclusion.
        """
        return self._judge("non-inferiority", margin, significance)

    def superiority(
        self, margin: float | None = None, *, significance: float = 0.025
    ) -> MarginTest:
        """Test that the program is better than the mean reader by more than the margin.

        Parameters
        ----------
        margin : float, optional
            By how much better it must be, above 0; by default that of the comparison.
        significance : float, default 0.025
            One-sided level.

        Returns
        -------
        MarginTest
            The difference, its interval and the conclusion.
        """
        return self._judge("superiority", margin, significance)

    def is_better(self, *, significance: float = 0.025) -> bool:
        """Return whether the program was shown to be better than the mean reader at all.

        Parameters
        ----------
        significance : float, default 0.025
            One-sided level.

        Returns
        -------
        bool
            True where the lower limit of the difference is above 0.
        """
        low = self.confidence_interval(1.0 - 2.0 * check_significance(significance)).low
        return bool(low > 0.0)

    def reader_differences(
        self,
        adjust: str = "none",
        *,
        alternative: Alternative = "two-sided",
        confidence_level: float = 0.95,
    ) -> Contrasts:
        """Test the program against each reader, for that reader alone.

        Parameters
        ----------
        adjust : str, default "none"
            How to adjust p-values for their number.
        alternative : {"two-sided", "greater", "less"}, default "two-sided"
            What is held against equality, about the program less the reader.
        confidence_level : float, default 0.95
            Level of the intervals.

        Returns
        -------
        Contrasts
            A test for every reader, called "program - reader".
        """
        check_option("alternative", alternative, ("two-sided", "less", "greater"))
        spread, value, a = self.covariance, self.cells.estimate, self.own
        tests = [
            judge_difference(
                f"{self.ai.classifier} - {self.study.readers[self.study.cells[b][1]]}",
                float(value[a] - value[b]),
                Scatter(
                    std_error=math.sqrt(
                        max(float(spread[a, a] + spread[b, b] - 2.0 * spread[a, b]), 0.0)
                    ),
                    df=math.inf,
                ),
                alternative,
                f"z test of one reader, {COVARIANCES[self.covariance_name]}",
            )
            for b in self.others
        ]
        return Contrasts(
            tests=tuple(tests),
            adjust=adjust,
            adjusted=adjust_pvalues([test.pvalue for test in tests], adjust),
            confidence_level=check_confidence_level(confidence_level),
            account=self.account,
        )

    def again(self, *, readers: str = "random", cases: str = "random") -> AgainstReaders:
        """Compare again with other things taken as random.

        Parameters
        ----------
        readers : {"random", "fixed"}, default "random"
            Whether the answer is to hold for other readers, or for these alone.
        cases : {"random", "fixed"}, default "random"
            Whether the answer is to hold for other cases, or for these alone.

        Returns
        -------
        AgainstReaders
            The comparison.
        """
        return _judged(
            self.study,
            self.ai,
            self.cells,
            (self.own, self.others),
            margin=self.margin,
            random=_random(readers, cases, len(self.others), self.ai.classifier),
            spread=self.covariance,
            covariance=self.covariance_name,
        )

    def plot(self, ax: Axes | None = None, *, method: str = "vertical") -> Axes:
        """Draw the curve of the program, those of the readers, thin, and their mean.

        A reader with few ratings has a mark at each of them: one who said yes or no has one point.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; by default those of a new figure of pyplot.
        method : {"vertical", "binormal"}, default "vertical"
            How the readers' curves are averaged, as `ReaderStudy.mean_curve` has it.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from rocstats.readers.reader_curves import draw_program

        (i, j), (where, _) = self.study.cells[self.own], self.study.cells[self.others[0]]
        who = [self.study.readers[self.study.cells[c][1]] for c in self.others]
        own = self.study.sample(self.study.tests[i], self.study.readers[j])
        return draw_program(
            self.study, own, self.ai.classifier, self.study.tests[where], who, ax, method
        )

    def _cell(self, c: int) -> CellEstimate:
        i, j = self.study.cells[c]
        return cell_estimate(
            self.study, i, j, self.ai.measure, math.sqrt(max(float(self.covariance[c, c]), 0.0))
        )

    def _judge(self, aim: str, margin: float | None, significance: float) -> MarginTest:
        given = self.margin if margin is None else margin
        if given is None:
            raise InvalidOptionError(f"Say by how much, with {keyword('margin')}.")
        return judge_margin(self.difference, aim, given, check_significance(significance))

    def statement(self, *, confidence_level: float = 0.95) -> Statement:
        """Return program, readers and difference, and what was shown against the margin."""
        ai = self.ai.statement(confidence_level=confidence_level).row
        mean = self.readers.statement(confidence_level=confidence_level).row
        test = self.difference.statement(confidence_level=confidence_level).row
        columns = ("estimate", "std_error", "conf_low", "conf_high")
        rows: list[dict[str, Any]] = [
            {"what": self.ai.classifier, **{c: ai[c] for c in columns}, "df": math.nan},
            {
                "what": f"mean of {counted(self.readers.n_readers, 'reader')}",
                **{c: mean[c] for c in columns},
                "df": mean["df"],
            },
            {
                "what": "difference",
                **{c: test[c] for c in columns},
                "df": test["df"],
            },
        ]
        notes = [
            f"{test['contrast']}: p {show_value(test['p_value'])}; {self.difference.method}",
            GENERALISES[self.random],
        ]
        margin = None
        if self.margin is not None:
            margin = self.noninferiority()
            notes.append(margin.conclusion)
            if margin.shown:
                said = "was" if self.is_better() else "was not"
                notes.append(f"Superiority to the readers {said} shown.")
        return Statement(
            head=f"{self.ai.measure.label} of {self.ai.classifier} beside the readers:",
            rows=rows,
            shown=("what", "estimate", "std_error", "df", "conf_low", "conf_high"),
            notes=notes,
            content={
                "ai": ai,
                "readers": mean,
                "difference": test,
                "random": self.random,
                "noninferiority": None if margin is None else margin.to_dict(),
            },
        )


def compare_to_readers(
    study: ReaderStudy,
    ai: str,
    *,
    margin: float | None = None,
    measure: str | Measure = "auc",
    test: str | None = None,
    readers: str = "random",
    cases: str = "random",
    covariance: str = "influence",
    threshold: float | None = None,
    alternative: Alternative = "two-sided",
    resampling: Bootstrap = _DEFAULT,
) -> AgainstReaders:
    """Compare a stand-alone AI with the mean of the readers, on the same cases.

    Parameters
    ----------
    study : ReaderStudy
        The study, in which the program is a test with one reader, or a reader.
    ai : str
        The test, or else the reader, that is the program.
    margin : float, optional
        By how much worse than the mean reader the program may be.
    measure : str or Measure, default "auc"
        What is compared: "auc", "sauc", "smauc", "sensitivity" or "specificity" at a `threshold`,
        or a `Measure`.
    test : str, optional
        The test in which the readers read, where there are several.
    readers : {"random", "fixed"}, default "random"
        Whether the answer is to hold for other readers, or for these alone.
    cases : {"random", "fixed"}, default "random"
        Whether the answer is to hold for other cases, or for these alone.
    covariance : {"influence", "jackknife", "unbiased", "bootstrap"}, default "influence"
        The covariance over cases: structural components, DeLong's for the AUC; the jackknife;
        unbiased; or by the bootstrap.
    threshold : float, optional
        The rating from which a case is called positive, for sensitivity and specificity.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What is held against equality, about the program less the readers.
    resampling : Bootstrap, default Bootstrap()
        How to bootstrap, for ``covariance="bootstrap"``.

    Returns
    -------
    AgainstReaders
        The program, the mean reader, their difference, and tests against a margin.

    See Also
    --------
    compare_readers : Compare the tests of a reader study.
    sample_size_readers : Cases or readers that a reader study needs.

    Notes
    -----
    Every reader's difference from the program is a contrast of the joint influence; their mean is
    judged as that of one test is (Hillis 2007, 5.3): with r readers, mean square MS and mean
    covariance C of the differences, SE^2 = MS / r + max(C, 0).

    R equivalent: ``RJafroc::StCadVsRad(dataset, FOM = "Wilcoxon", method = "1T-RRRC")``.

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.datasets.load_reader_study()
    >>> alone = rs.compare_to_readers(study, ai="reader5", test="testA", margin=0.2)
    >>> round(alone.estimate, 4), round(alone.df, 1), alone.noninferiority().shown
    (-0.0098, 10.3, True)
    """
    if not isinstance(study, ReaderStudy):
        raise InvalidOptionError(
            "A ReaderStudy was expected; build one with rs.ReaderStudy.from_frame."
        )
    check_option("covariance", covariance, COVARIANCES)
    check_option("alternative", alternative, ("two-sided", "less", "greater"))
    what = reader_measure(measure, threshold, higher_is_positive=study.higher_is_positive)
    limit = None if margin is None else check_margin(margin, below=largest_difference(what))
    (i, j), where, who = _find_program(study, ai, test)
    random = _random(readers, cases, len(who), str(ai))
    rows = cell_rows(study, what)
    cells = [*zip(rows.test.tolist(), rows.reader.tolist(), strict=True)]
    own, others = cells.index((i, j)), [cells.index((where, k)) for k in who]
    if not (rows.read[others] == rows.read[own]).all():
        raise InvalidSampleError(
            f"The readers and {ai} did not read the same cases; keep those that all of them read."
        )
    spread = case_covariance(rows, covariance, resampling)
    program = estimate_jointly(study.sample(study.tests[i], study.readers[j]), what)[0].rows[0]
    return _judged(
        study,
        _renamed(program, str(ai)),
        rows,
        (own, tuple(others)),
        margin=limit,
        random=random,
        spread=spread,
        covariance=covariance,
        alternative=alternative,
    )


def _random(readers: str, cases: str, n_readers: int, name: str) -> str:
    """Return what varies, or refuse where nothing does, or readers are too few for it."""
    check_option("readers", readers, ("random", "fixed"))
    check_option("cases", cases, ("random", "fixed"))
    if readers == cases == "fixed":
        raise InvalidOptionError(
            f"{keyword('readers', 'fixed')} and {keyword('cases', 'fixed')} leave nothing that "
            "varies; one of them must be random."
        )
    random = "both" if readers == cases else ("cases" if readers == "fixed" else "readers")
    if n_readers < 2 and random != "cases":
        raise InvalidOptionError(
            f"There is {counted(n_readers, 'reader')} beside {name}, and random readers need two; "
            f"treat readers as fixed, with {keyword('readers', 'fixed')}."
        )
    return random


def _judged(
    study: ReaderStudy,
    program: Estimate,
    rows: CellRows,
    places: tuple[int, tuple[int, ...]],
    *,
    margin: float | None,
    random: str,
    spread: Floats,
    covariance: str,
    alternative: Alternative = "two-sided",
) -> AgainstReaders:
    """Return the comparison of the estimate at one place with those at the others."""
    own, others = places
    name, what = program.classifier, program.measure
    contrast = np.zeros((len(others), len(study.cells)))
    contrast[:, own] = 1.0
    contrast[np.arange(len(others)), others] = -1.0
    difference = contrast @ rows.estimate
    scatter = mean_scatter(difference, contrast @ spread @ contrast.T, random)
    mean = rows.estimate[list(others)]
    at_mean = mean_scatter(mean, spread[np.ix_(others, others)], random)
    return AgainstReaders(
        ai=program,
        readers=ReaderEstimate(
            test=study.tests[study.cells[others[0]][0]],
            measure=what.label,
            value=float(mean.mean()),
            std_error=at_mean.std_error,
            df=at_mean.df,
            n_readers=len(others),
            bounds=what.value_bounds,
        ),
        difference=judge_difference(
            f"{name} - mean reader",
            float(difference.mean()),
            scatter,
            alternative,
            "One program against readers (Hillis), " + _DRAWN[random],
        ),
        margin=margin,
        random=random,
        study=study,
        cells=rows,
        covariance=spread,
        covariance_name=covariance,
        own=own,
        others=others,
    )


_DRAWN = {
    "both": "random readers and cases",
    "cases": "fixed readers, random cases",
    "readers": "random readers, fixed cases",
}


def _renamed(program: Estimate, name: str) -> Estimate:
    from dataclasses import replace

    sample = replace(program.sample, markers=(name,))
    return replace(program, classifier=name, sample=sample)


def _find_program(
    study: ReaderStudy, ai: Any, test: str | None
) -> tuple[tuple[int, int], int, list[int]]:
    """Return the cell of the program, the test of the readers, and who they are."""
    name, cells = str(ai), study.cells
    if name in study.tests:
        i = study.tests.index(name)
        own = [j for k, j in cells if k == i]
        same = all(
            np.array_equal(study.ratings[i, j], study.ratings[i, own[0]], equal_nan=True)
            for j in own
        )
        if not same:
            raise InvalidSampleError(
                f"The test {name} has {len(own)} readers with different ratings, and a program "
                "has one; name the reader that is the program."
            )
        rest = [k for k in range(len(study.tests)) if k != i]
        where = _one_test(study, rest, test)
        return (i, own[0]), where, [j for k, j in cells if k == where]
    if name in study.readers:
        j = study.readers.index(name)
        own = [k for k, reader in cells if reader == j]
        others = sorted({k for k, reader in cells if reader != j})
        where = _one_test(study, others, test)
        at = where if where in own else own[0]
        if where not in own and len(own) > 1:
            raise InvalidOptionError(f"{name} rated in {len(own)} tests; keep one of them.")
        return (at, j), where, [k for i, k in cells if i == where and k != j]
    known = [*study.tests, *study.readers]
    raise InvalidOptionError(
        f"The study has no test or reader {ai!r} for {named('ai')}; it has the tests "
        f"{listed(study.tests)} and the readers {listed(study.readers)}.{did_you_mean(ai, known)}"
    )


def _one_test(study: ReaderStudy, tests: list[int], test: str | None) -> int:
    if test is not None:
        at = study.find(test, "test")
        if at not in tests:
            raise InvalidOptionError(f"{named('test')} is the program itself; name another.")
        return at
    if len(tests) != 1:
        raise InvalidOptionError(
            f"The readers read in {len(tests)} tests "
            f"({listed(study.tests[k] for k in tests)}); name one with {keyword('test')}."
            if tests
            else "There is no other test than the program's, so there are no readers."
        )
    return tests[0]
