"""Power studies: how often tests reject, under the null and under an alternative."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocstats.arrays import Floats
from rocstats.errors import (
    InvalidOptionError,
    as_number,
    check_count,
    check_option,
    check_significance,
    named,
)
from rocstats.resampling.chunks import (
    DEFAULT_SEED,
    Rng,
    as_seed,
    check_kind,
    check_streams,
    plain_entropy,
)
from rocstats.studies.batch_tests import Test, null_of_test, test_label, test_name
from rocstats.studies.checkpoint import Checkpoint
from rocstats.studies.designs import TwoSampleDesign
from rocstats.studies.efficiency import design_efficiency, noncentrality
from rocstats.studies.running import run_designs
from rocstats.tables import Answer, Statement, TidyRows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["DesignPower", "PowerStudy", "power_study"]

_ROUNDING = 1e-9  # p-values whose ratio is closer to 1 than this are equal
_COLUMNS = (
    *("design", "n_pos", "n_neg", "test", "null_distribution", "n_replicates", "size", "power"),
    *(
        "adjusted_power",
        "adjusted_power_std_error",
        "difference",
        "difference_std_error",
        "efficiency",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DesignPower:
    """What the tests said about one design.

    Attributes
    ----------
    design : TwoSampleDesign
        What was drawn from.
    pvalues : array of shape (tests, replicates)
        P-values under the design.
    null_pvalues : array of shape (tests, replicates)
        P-values under its null counterpart.

    See Also
    --------
    PowerStudy : Size and power of tests over designs.
    """

    design: TwoSampleDesign
    pvalues: Floats
    null_pvalues: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PowerStudy(TidyRows, Answer):
    """Size and power of tests over designs.

    Attributes
    ----------
    cells : tuple of DesignPower
        The designs with their p-values.
    tests : tuple of str
        Names of the tests, in the order of the p-values.
    versus : str
        The test that the others are compared with.
    significance : float
        Level of all tests.
    alternative : str
        Direction of all tests.
    n_replicates : int
        Replicates asked for; an interrupted study has fewer.
    entropy : int, list of int or None
        What the random streams grew from: ``numpy.random.SeedSequence(entropy)`` as ``rng`` gives
        the same numbers.

    See Also
    --------
    power_study : Simulate the size and power of two-sample tests.
    """

    cells: tuple[DesignPower, ...]
    tests: tuple[str, ...]
    versus: str
    significance: float
    alternative: str
    n_replicates: int
    entropy: int | list[int] | None
    _named_by: ClassVar = ("design", "test")

    def rows(self) -> list[dict[str, Any]]:
        """Return one row for each design and test."""
        return [row for cell in self.cells for row in _cell_rows(self, cell)]

    def statement(self) -> Statement:
        """Return a row for each design and test."""
        rows = self.rows()
        return Statement(
            head=f"Power study: {len(self.cells)} designs, {self.alternative}, significance "
            f"{self.significance:g}",
            rows=rows,
            shown=_COLUMNS,
            content={
                "tests": self.tests,
                "versus": self.versus,
                "significance": self.significance,
                "alternative": self.alternative,
                "n_replicates": self.n_replicates,
                "entropy": self.entropy,
                "rows": rows,
            },
        )

    def plot(
        self, kind: str = "difference", *, test: str | None = None, ax: Axes | None = None
    ) -> Axes:
        """Draw the study with matplotlib.

        Parameters
        ----------
        kind : {"difference", "efficiency", "size", "power"}, default "difference"
            Size-adjusted power of `test` less that of `versus`; efficiency of `test`, simulated
            against asymptotic; size, or power, of all tests.
        test : str, optional
            The test that is drawn; None takes the first that is not `versus`.
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; new ones by default.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from rocstats.plots.power_plot import DRAWINGS

        check_option("kind", kind, DRAWINGS)
        others = [name for name in self.tests if name != self.versus] or [self.versus]
        check_option("test", others[0] if test is None else test, self.tests)
        labels = {name: test_label(name) for name in self.tests}
        return DRAWINGS[kind](
            self.rows(),
            ax,
            test=others[0] if test is None else test,
            reference=self.versus,
            significance=self.significance,
            labels=labels,
        )


def power_study(
    design: TwoSampleDesign | Sequence[TwoSampleDesign],
    tests: Sequence[Test] = ("auc", "sauc"),
    *,
    n_replicates: int = 2000,
    rng: Rng = DEFAULT_SEED,
    n_jobs: int | None = None,
    alternative: str = "two-sided",
    significance: float = 0.05,
    versus: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> PowerStudy:
    """Simulate the size and power of two-sample tests.

    Parameters
    ----------
    design : TwoSampleDesign or sequence of them
        One or more designs, as made by `two_sample_design`.
    tests : sequence of str or callable, default ("auc", "sauc")
        Names: ``auc`` is Wilcoxon-Mann-Whitney and ``sauc`` the test by sAUC, both by their normal
        approximation; ``sauc-permutation`` is sAUC by relabelings, as `two_sample_test` has it by
        default; ``t``, ``welch``, ``brunner-munzel``. Or functions of (B, n_pos) positives and
        (B, n_neg) negatives that return B p-values.
    n_replicates : int, default 2000
        Pairs of samples drawn from each design and from its null counterpart.
    rng : int, SeedSequence, Generator or None, default 1
        A seed or a generator; the same seed gives the same numbers for any number of workers.
    n_jobs : int, optional
        Number of joblib workers, -1 for all cores; None leaves it to ``joblib.parallel_config``.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What is held against equal distributions, about the positives.
    significance : float, default 0.05
        Level of the tests.
    versus : str, optional
        Test that the others are compared with; None takes the first.
    checkpoint : str or path, optional
        File that finished chunks are written to, and read from when it is there.

    Returns
    -------
    PowerStudy
        Size and power of every test; Ctrl-C gives what is finished, with an
        `InterruptedStudyWarning`.

    See Also
    --------
    two_sample_design : Describe two samples by family and alternative.
    pitman_efficiency : The asymptotic efficiency of a test against another.
    two_sample_test : Test whether two samples come from one distribution.

    Notes
    -----
    Size-adjusted power is the height, at the false positive rate `significance`, of the ROC curve
    of the p-values under the design against those under the null; where a p-value is tied at the
    limit, the test is randomised. Its standard error counts the replicates of both:
    ``var(hit) / R + slope**2 var(null hit) / R0``. Tests share their samples, so standard errors
    of differences are of pairs. The efficiency against `versus` is the squared ratio of the
    normal noncentralities of the two size-adjusted powers: the subjects that it needs
    for each subject of the test.

    Examples
    --------
    >>> import rocstats as rs
    >>> design = rs.two_sample_design("exponential", "scale", 2.0, n_pos=25, n_neg=25)
    >>> study = rs.power_study(design, tests=["auc", "t"], n_replicates=500, rng=1, n_jobs=1)
    >>> [row["test"] for row in study.rows()]
    ['auc', 't']
    """
    designs = list(design) if isinstance(design, Iterable) else [design]
    if not designs:
        raise InvalidOptionError("At least one design is needed.")
    for item in designs:
        check_kind("design", item, TwoSampleDesign)
    single = isinstance(tests, str) or not isinstance(tests, Iterable)
    chosen: list[Any] = [tests] if single else list(tests)
    names = tuple(test_name(test) for test in chosen)
    if not names or len(set(names)) < len(names):
        raise InvalidOptionError(
            f"{named('tests')} must hold different tests, at least one, got {names!r}."
        )
    check_option("alternative", alternative, ("two-sided", "greater", "less"))
    versus = names[0] if versus is None else versus
    check_option("versus", versus, names)
    check_significance(significance, most=1.0)
    _check_counts(n_replicates, n_jobs)
    if checkpoint is not None:
        check_kind("checkpoint", checkpoint, str, os.PathLike)
    check_streams(rng, 1)
    seed = as_seed(rng)
    if rng is None and checkpoint is not None:
        seed = np.random.SeedSequence(Checkpoint.stored_entropy(checkpoint) or seed.entropy)
    found = run_designs(
        [part for item in designs for part in (item.null, item)],
        chosen,
        alternative=alternative,
        n_replicates=int(n_replicates),
        seed=seed,
        n_jobs=n_jobs,
        checkpoint=checkpoint,
    )
    return PowerStudy(
        cells=tuple(
            DesignPower(design=item, pvalues=found[item], null_pvalues=found[item.null])
            for item in dict.fromkeys(designs)
            if item in found and item.null in found
        ),
        tests=names,
        versus=versus,
        significance=float(significance),
        alternative=alternative,
        n_replicates=int(n_replicates),
        entropy=plain_entropy(seed),
    )


def _check_counts(n_replicates: object, n_jobs: object) -> None:
    number, workers = as_number(n_replicates), as_number(n_jobs)
    if not (number >= 2.0 and number.is_integer()):
        raise InvalidOptionError(
            f"{named('n_replicates')} must be a whole number of at least 2, got {n_replicates!r}."
        )
    check_count("n_replicates", int(number), least=2)
    if n_jobs is not None and (abs(workers) > 1e6 or workers == 0.0 or not workers.is_integer()):
        raise InvalidOptionError(
            f"{named('n_jobs')} must be a number of workers, -1 for all cores, or None, got "
            f"{n_jobs!r}."
        )


# ----------------------------------------------------------------------------- numbers of a cell


def _cell_rows(study: PowerStudy, cell: DesignPower) -> list[dict[str, Any]]:
    level, two_sided = study.significance, study.alternative == "two-sided"
    power, covariance = adjusted_powers(cell.pvalues, cell.null_pvalues, level)
    away = noncentrality(power, level, two_sided=two_sided)
    base = study.tests.index(study.versus)
    slopes = _noncentrality_slope(away, level, two_sided=two_sided)
    design, rows = cell.design, []
    for i, test in enumerate(study.tests):
        contrast = np.zeros(len(study.tests))
        contrast[i] += 1.0
        contrast[base] -= 1.0
        relative = np.zeros(len(study.tests))
        relative[i] += 2.0 * slopes[i] / away[i]
        relative[base] -= 2.0 * slopes[base] / away[base]
        ratio = float((away[i] / away[base]) ** 2)
        rows.append(
            {
                "design": design.name or "null",
                "family": design.negatives.family,
                "effect": design.effect,
                "n_pos": design.n_pos,
                "n_neg": design.n_neg,
                "test": test,
                "null_distribution": null_of_test(test),
                "n_replicates": cell.pvalues.shape[1],
                **_share("size", cell.null_pvalues[i] <= level),
                **_share("power", cell.pvalues[i] <= level),
                "adjusted_power": float(power[i]),
                "adjusted_power_std_error": math.sqrt(covariance[i, i]),
                "difference": float(power[i] - power[base]),
                "difference_std_error": _error(contrast, covariance),
                "efficiency": ratio,
                "efficiency_std_error": ratio * _error(relative, covariance),
                "n_equal": ratio * (design.n_pos + design.n_neg),
                "asymptotic_efficiency": design_efficiency(
                    design, test, study.versus, alternative=study.alternative
                ),
            }
        )
    return rows


def _share(name: str, hits: Any) -> dict[str, float]:
    """Return a share and its Monte-Carlo standard error."""
    share = float(np.mean(hits))
    return {name: share, f"{name}_std_error": math.sqrt(share * (1.0 - share) / len(hits))}


def _error(contrast: Floats, covariance: Floats) -> float:
    return math.sqrt(max(float(np.einsum("i,ij,j->", contrast, covariance, contrast)), 0.0))


def adjusted_powers(pvalues: Floats, null: Floats, significance: float) -> tuple[Floats, Floats]:
    """Return size-adjusted powers and their covariance matrix."""
    hits, null_hits, slopes = [], [], []
    for p, p0 in zip(pvalues, null, strict=True):
        limit, chance = _limit(p0, significance)
        hits.append(_hits(p, limit, chance))
        null_hits.append(_hits(p0, limit, chance))
        sides = (0.5 * significance, min(1.5 * significance, 1.0))
        near = [float(_hits(p, *_limit(p0, side)).mean()) for side in sides]
        slopes.append((near[1] - near[0]) / (sides[1] - sides[0]))
    slope = np.array(slopes)
    covariance = np.atleast_2d(np.cov(np.array(hits))) / pvalues.shape[1]
    spread = np.atleast_2d(np.cov(np.array(null_hits))) / null.shape[1]
    return np.mean(hits, axis=1), covariance + slope[:, np.newaxis] * spread * slope


def _limit(null: Floats, significance: float) -> tuple[float, float]:
    """Return the p-value, and the chance to reject at it, that give the null that size exactly."""
    ordered = np.sort(null)
    limit = float(ordered[max(math.ceil(significance * ordered.size - 1e-9), 1) - 1])
    low, high = _same(limit)
    below = np.searchsorted(ordered, low, "left") / ordered.size
    share = np.searchsorted(ordered, high, "right") / ordered.size - below
    return limit, float((significance - below) / share)


def _hits(pvalues: Floats, limit: float, chance: float) -> Floats:
    low, high = _same(limit)
    hits: Floats = (pvalues < low) + chance * ((pvalues >= low) & (pvalues <= high))
    return hits


def _same(limit: float) -> tuple[float, float]:
    """Return the p-values that are this one but for rounding; those of ranks are often tied."""
    return limit * (1.0 - _ROUNDING), limit * (1.0 + _ROUNDING)


def _noncentrality_slope(away: Floats, significance: float, *, two_sided: bool) -> Floats:
    """Return the derivative of the noncentrality by the power."""
    from scipy.stats import norm

    if not two_sided:
        return np.asarray(1.0 / norm.pdf(away - norm.isf(significance)))
    bar = norm.isf(significance / 2.0)
    return np.asarray(1.0 / (norm.pdf(away - bar) - norm.pdf(away + bar)))
