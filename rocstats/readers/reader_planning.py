"""Power and size of a reader study that is yet to be done (Hillis, Obuchowski & Berbaum 2011)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rocstats.errors import (
    InvalidOptionError,
    as_number,
    check_count,
    check_option,
    check_significance,
    keyword,
    listed,
    named,
    several,
)
from rocstats.inference.contrasts import check_margin
from rocstats.planning.solving import least_size
from rocstats.tables import Answer, Statement, TidyRows, counted, show_value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ReaderPower", "power_readers", "sample_size_readers"]

_NEEDED = ("var", "cov1", "cov2", "cov3", "var_test_reader")
_FEWEST = 10  # cases of a class below which the approximation is not to be trusted
_MOST_CASES, _MOST_READERS = 10**7, 10**4


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pilot:
    """Components at a number of cases, and the share of positives among them."""

    var: float
    cov1: float
    cov2: float
    cov3: float
    var_test_reader: float
    cases: float
    positive: float | None

    def judge(self, readers: float, cases: float, effect: float, random: str) -> _Point:
        """Return denominator, degrees of freedom and noncentrality of the F of two tests."""
        scale = self.cases / cases
        excess = max(self.cov2 - self.cov3, 0.0)
        own = max(self.var_test_reader, 0.0)
        if random == "cases":
            below = scale * (self.var - self.cov1 + (readers - 1.0) * excess)
            df = math.inf
        elif random == "readers":
            below = own + scale * (self.var - self.cov1 - excess)
            df = readers - 1.0
        else:
            below = own + scale * (self.var - self.cov1 + (readers - 1.0) * excess)
            alone = own + scale * (self.var - self.cov1 - excess)
            df = below**2 / (alone**2 / (readers - 1.0)) if alone > 0.0 else math.inf
        size = effect * effect * readers / (2.0 * below) if below > 0.0 else math.inf
        return _Point(std_error=math.sqrt(2.0 * max(below, 0.0) / readers), df=df, size=size)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Point:
    std_error: float
    df: float
    size: float

    def power(self, effect: float, significance: float, *, one_sided: bool) -> float:
        """Return the power of F, or of a one-sided t, with this noncentrality."""
        import numpy as np
        from scipy.special import chdtri, ndtr, ndtri
        from scipy.stats import ncf, nct, ncx2

        if math.isinf(self.size):
            return 1.0
        if one_sided:
            shift = math.copysign(math.sqrt(self.size), effect)
            if math.isinf(self.df):
                return float(ndtr(shift + ndtri(significance)))
            with np.errstate(divide="ignore"):  # of scipy 1.13, though the number is right
                return float(nct.sf(_t_quantile(self.df, significance), self.df, shift))
        if math.isinf(self.df):
            return float(ncx2.sf(chdtri(1.0, significance), 1.0, self.size))
        bound = _t_quantile(self.df, significance / 2.0) ** 2
        with np.errstate(divide="ignore"):
            return float(ncf.sf(bound, 1.0, self.df, self.size))


def _t_quantile(df: float, tail: float) -> float:
    from rocstats.engine.t_quantiles import stdtrit

    return -float(stdtrit(df, tail))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ReaderPower(TidyRows, Answer):
    """Power of a planned reader study of two tests, for one or more sizes.

    Attributes
    ----------
    difference : float
        The difference of the tests that is to be found, or that is true.
    margin : float or None
        By how much worse the new test may be, for non-inferiority.
    significance : float
        Level: two-sided, or one-sided with a margin.
    random : str
        What varies: "both" readers and cases, "cases" alone, or "readers" alone.
    rows : tuple of dict
        Readers, cases, power, std_error, df and noncentrality of every size.
    positive_share : float or None
        Share of positives that is assumed, that of the pilot.
    goal : float or None
        The power that was asked for.

    See Also
    --------
    power_readers : Power of a planned reader study.
    sample_size_readers : Cases or readers that a reader study needs.
    """

    difference: float
    margin: float | None
    significance: float
    random: str
    rows: tuple[dict[str, Any], ...]
    positive_share: float | None
    goal: float | None = None

    _named_by: ClassVar = ("readers", "cases")

    @property
    def power(self) -> float:
        """Power of the only size there is."""
        return float(self._only["power"])

    @property
    def readers(self) -> int:
        """Readers of the only size there is."""
        return int(self._only["readers"])

    @property
    def cases(self) -> int:
        """Cases of the only size there is."""
        return int(self._only["cases"])

    @property
    def df(self) -> float:
        """Degrees of freedom of the only size there is."""
        return float(self._only["df"])

    @property
    def std_error(self) -> float:
        """Expected standard error of the difference, of the only size there is."""
        return float(self._only["std_error"])

    @property
    def _only(self) -> dict[str, Any]:
        if len(self.rows) == 1:
            return self.rows[0]
        raise InvalidOptionError(
            f"There are {len(self.rows)} sizes; take one, as in plan[10, 200], or to_frame()."
        )

    def statement(self) -> Statement:
        """Return a row for each size, and what is assumed."""
        shown = ("readers", "cases", "power", "std_error", "df")
        aim = f"a difference of {self.difference:g} between two tests"
        if self.margin is not None:
            aim = f"non-inferiority by {self.margin:g} where the difference is {self.difference:g}"
        head = f"Reader study to show {aim}, {_LEVELS[self.margin is None]} {self.significance:g}"
        if len(self.rows) == 1:
            row = self.rows[0]
            head += (
                f": {counted(row['readers'], 'reader')} and {counted(row['cases'], 'case')} have "
                f"power {show_value(row['power'])}"
            )
        mix = "the case mix of the pilot"
        if self.positive_share is not None:
            mix = f"{self.positive_share:.0%} positive cases, as in the pilot"
        return Statement(
            head=head,
            rows=list(self.rows),
            shown=shown,
            in_words=len(self.rows) == 1,
            notes=[
                f"{_RANDOM[self.random]}; assumes {mix}, and readers and cases like those of the "
                "pilot"
            ],
            content={
                "difference": self.difference,
                "margin": self.margin,
                "significance": self.significance,
                "random": self.random,
                "positive_share": self.positive_share,
                "goal": self.goal,
                "sizes": list(self.rows),
                **(self.rows[0] if len(self.rows) == 1 else {}),
            },
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw power against cases, a line for each number of readers.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; by default those of a new figure of pyplot.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from rocstats.plots.plane import new_axes
        from rocstats.plots.series_plot import draw_lines

        lines = {}
        for readers in dict.fromkeys(row["readers"] for row in self.rows):
            mine = [row for row in self.rows if row["readers"] == readers]
            lines[counted(readers, "reader")] = (
                [row["cases"] for row in mine],
                [row["power"] for row in mine],
            )
        return draw_lines(lines, new_axes(ax), x_label="Cases", y_label="Power", level=self.goal)


_LEVELS = {True: "two-sided level", False: "one-sided level"}
_RANDOM = {
    "both": "random readers and cases",
    "cases": "fixed readers, random cases",
    "readers": "random readers, fixed cases",
}


def power_readers(
    components: Mapping[str, Any],
    *,
    difference: float,
    readers: int | Sequence[int],
    cases: int | Sequence[int],
    margin: float | None = None,
    significance: float | None = None,
    random: str = "both",
    pilot_cases: int | None = None,
) -> ReaderPower:
    """Return the power of a planned reader study of two tests, all readers reading all cases.

    Parameters
    ----------
    components : ReaderComponents or mapping
        Those of a pilot study, or published ones: ``var``, ``cov1``, ``cov2``, ``cov3``,
        ``var_test_reader`` and ``cases``, the number of cases they are of.
    difference : float
        The true difference of the tests; new less standard with a margin.
    readers : int or sequence of int
        Number of readers, or several.
    cases : int or sequence of int
        Number of cases of both classes, or several.
    margin : float, optional
        By how much worse the new test may be; the power is then that of non-inferiority.
    significance : float, optional
        Level of the test: 0.05 two-sided, or 0.025 one-sided with a margin, by default.
    random : {"both", "cases", "readers"}, default "both"
        What the answer is to generalise over.
    pilot_cases : int, optional
        The number of cases that the components are of, where they do not say it.

    Returns
    -------
    ReaderPower
        Power, standard error and degrees of freedom of every size.

    See Also
    --------
    sample_size_readers : Cases or readers that a reader study needs.
    compare_readers : Compare the tests of a reader study, whose components these are.

    Notes
    -----
    With components of K* cases, J readers and K cases, both random,

        den = Var(TR) + (K*/K) (Var - Cov1 + (J - 1) max(Cov2 - Cov3, 0)),

    and F has noncentrality ``d**2 J / (2 den)``. A negative variance of readers by test counts
    as 0. R equivalent: ``RJafroc::SsPowerGivenJK``.

    References
    ----------
    Hillis, Obuchowski & Berbaum (2011), doi:10.1016/j.acra.2010.09.007.

    Examples
    --------
    >>> import rocstats as rs
    >>> pilot = rs.compare_readers(rs.datasets.load_reader_study()).components
    >>> plan = rs.power_readers(pilot, difference=0.07, readers=[5, 10], cases=[100, 200])
    >>> [round(row["power"], 3) for row in plan]
    [0.465, 0.682, 0.549, 0.805]
    """
    pilot = _as_pilot(components, pilot_cases)
    effect, limit, level, kind = _as_aim(difference, margin, significance, random)
    rows = []
    for j in _sizes("readers", readers, 2 if kind != "cases" else 1, _MOST_READERS):
        for k in _sizes("cases", cases, 2, _MOST_CASES):
            _check_classes(pilot, k)
            rows.append(_row(pilot, j, k, effect, limit, level, kind))
    return ReaderPower(
        difference=effect,
        margin=limit,
        significance=level,
        random=kind,
        rows=tuple(rows),
        positive_share=pilot.positive,
    )


def sample_size_readers(
    components: Mapping[str, Any],
    *,
    difference: float,
    readers: int | None = None,
    cases: int | None = None,
    power: float = 0.8,
    margin: float | None = None,
    significance: float | None = None,
    random: str = "both",
    pilot_cases: int | None = None,
) -> ReaderPower:
    """Return how many cases a reader study needs with so many readers, or the other way round.

    Parameters
    ----------
    components : ReaderComponents or mapping
        Those of a pilot study, or published ones, as in `power_readers`.
    difference : float
        The true difference of the tests; new less standard with a margin.
    readers : int, optional
        Number of readers, for which the least number of cases is sought.
    cases : int, optional
        Number of cases, for which the least number of readers is sought; give one of the two.
    power : float, default 0.8
        The power that is to be reached.
    margin : float, optional
        By how much worse the new test may be; the power is then that of non-inferiority.
    significance : float, optional
        Level of the test: 0.05 two-sided, or 0.025 one-sided with a margin, by default.
    random : {"both", "cases", "readers"}, default "both"
        What the answer is to generalise over.
    pilot_cases : int, optional
        The number of cases that the components are of, where they do not say it.

    Returns
    -------
    ReaderPower
        The least size, with its power.

    See Also
    --------
    power_readers : Power of a planned reader study.
    compare_readers : Compare the tests of a reader study, whose components these are.

    Notes
    -----
    R equivalent: ``RJafroc::SsSampleSizeKGivenJ``.

    References
    ----------
    Hillis, Obuchowski & Berbaum (2011), doi:10.1016/j.acra.2010.09.007.

    Examples
    --------
    >>> import rocstats as rs
    >>> pilot = rs.compare_readers(rs.datasets.load_reader_study()).components
    >>> rs.sample_size_readers(pilot, difference=0.07, readers=10).cases
    198
    """
    pilot = _as_pilot(components, pilot_cases)
    effect, limit, level, kind = _as_aim(difference, margin, significance, random)
    goal = as_number(power)
    if not level < goal < 1.0:
        raise InvalidOptionError(
            f"{named('power')} must lie between the significance and 1, got {power!r}."
        )
    if (readers is None) == (cases is None):
        raise InvalidOptionError(
            f"Give one of {keyword('readers')} and {keyword('cases')}, and the other is found."
        )
    least = 2 if kind != "cases" else 1
    if readers is not None:
        j = check_count("readers", readers, least=least, most=_MOST_READERS)
        start = _fewest_cases(pilot)

        def reaches(size: int) -> bool:
            at = max(size, start)
            return bool(_row(pilot, j, at, effect, limit, level, kind)["power"] >= goal)

        best = _row(pilot, j, _MOST_CASES, effect, limit, level, kind)["power"]
        if best < goal:
            raise InvalidOptionError(
                f"{counted(j, 'reader')} reach a power of {best:.3f} at most, however many cases "
                f"they read; take more readers, with {keyword('readers')}."
            )
        found = least_size(reaches)
        k = max(found or start, start)
    else:
        k = check_count("cases", cases, least=2, most=_MOST_CASES)
        _check_classes(pilot, k)
        best = _row(pilot, _MOST_READERS, k, effect, limit, level, kind)["power"]
        if best < goal:
            raise InvalidOptionError(
                f"{counted(k, 'case')} reach a power of {best:.3f} at most, however many readers "
                f"read them; take more cases, with {keyword('cases')}."
            )
        found = least_size(
            lambda size: bool(_row(pilot, size, k, effect, limit, level, kind)["power"] >= goal)
        )
        j = max(found or least, least)
    return ReaderPower(
        difference=effect,
        margin=limit,
        significance=level,
        random=kind,
        rows=(_row(pilot, j, k, effect, limit, level, kind),),
        positive_share=pilot.positive,
        goal=goal,
    )


def _row(
    pilot: _Pilot,
    readers: int,
    cases: int,
    difference: float,
    margin: float | None,
    level: float,
    random: str,
) -> dict[str, Any]:
    effect = difference + (margin or 0.0)
    point = pilot.judge(float(readers), float(cases), effect, random)
    return {
        "readers": readers,
        "cases": cases,
        "power": point.power(effect, level, one_sided=margin is not None),
        "std_error": point.std_error,
        "df": point.df,
        "noncentrality": point.size,
    }


def _as_pilot(components: Any, pilot_cases: int | None) -> _Pilot:
    if hasattr(components, "components"):
        components = components.components
    if not isinstance(components, Mapping):
        raise InvalidOptionError(
            f"{named('components')} must be those of a comparison, or a mapping of "
            f"{', '.join(_NEEDED)} and cases, got {type(components).__name__}."
        )
    lacking = [name for name in _NEEDED if name not in components]
    if lacking:
        raise InvalidOptionError(
            f"{named('components')} lack {listed(lacking)}; they need {', '.join(_NEEDED)} and "
            "cases."
        )
    values = {name: as_number(components[name]) for name in _NEEDED}
    wrong = [name for name, value in values.items() if not math.isfinite(value)]
    if wrong:
        raise InvalidOptionError(
            f"{listed(wrong)} of {named('components')} must be a number, got "
            f"{components[wrong[0]]!r}; a study with readers crossed with tests has them all."
        )
    if not values["var"] > 0.0:
        raise InvalidOptionError(
            f"var of {named('components')} must be above 0, got {values['var']!r}."
        )
    given = components.get("cases") if pilot_cases is None else pilot_cases
    if given is None:
        raise InvalidOptionError(
            "Say how many cases the components are of: as cases among them, or with "
            f"{keyword('pilot_cases')}."
        )
    size = check_count("pilot_cases", given, least=2, most=_MOST_CASES)
    n_pos, n_neg = (as_number(components.get(name)) for name in ("n_pos", "n_neg"))
    share = n_pos / (n_pos + n_neg) if n_pos > 0.0 and n_neg > 0.0 else None
    return _Pilot(**values, cases=float(size), positive=share)


def _as_aim(
    difference: float, margin: float | None, significance: float | None, random: str
) -> tuple[float, float | None, float, str]:
    check_option("random", random, ("both", "cases", "readers"))
    effect = as_number(difference)
    limit = None if margin is None else check_margin(margin)
    if not math.isfinite(effect) or (limit is None and effect == 0.0):
        raise InvalidOptionError(
            f"{named('difference')} must be a number other than 0, got {difference!r}."
        )
    if limit is not None and not effect > -limit:
        raise InvalidOptionError(
            f"{named('difference')} must be above -{limit:g}, or the new test is inferior by the "
            f"margin and nothing can be shown, got {difference!r}."
        )
    usual = 0.05 if limit is None else 0.025
    level = check_significance(usual if significance is None else significance)
    return effect, limit, level, random


def _sizes(name: str, given: Any, least: int, most: int) -> list[int]:
    values = list(given) if several(given) else [given]
    if not values:
        raise InvalidOptionError(f"{named(name)} is empty; give a number or several.")
    return [check_count(name, value, least=least, most=most) for value in values]


def _fewest_cases(pilot: _Pilot) -> int:
    """Return the least number of cases with enough of the rarer class."""
    if pilot.positive is None:
        return 2 * _FEWEST
    return math.ceil(_FEWEST / min(pilot.positive, 1.0 - pilot.positive) - 1e-9)


def _check_classes(pilot: _Pilot, cases: int) -> None:
    if cases < _fewest_cases(pilot):
        raise InvalidOptionError(
            f"{named('cases')} must be at least {_fewest_cases(pilot)}, so that both classes have "
            f"{_FEWEST} in the case mix of the pilot, got {cases}."
        )
