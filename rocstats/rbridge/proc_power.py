"""pROC's power and sample size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rocstats.data.sample import ScoredSample
from rocstats.errors import (
    InvalidOptionError,
    as_number,
    check_option,
    did_you_mean,
    keyword,
    named,
)
from rocstats.rbridge.proc_calls import (
    RESAMPLING,
    Range,
    Resampling,
    ask,
    band_of,
    check_independent,
    curve_of,
    curves_of,
)
from rocstats.rbridge.session import versions
from rocstats.tables import Answer, Statement, show_value

__all__ = ["PowerAnalysis", "power_roc_test"]

_ALTERNATIVES = {"two-sided": "two.sided", "greater": "one.sided"}
_BINORMAL = ("A1", "B1", "A2", "B2", "rn", "ra", "delta", "FPR11", "FPR12", "FPR21", "FPR22")
_BROKEN_BOOTSTRAP = (1, 19)  # takes replicates for curves

_ANSWER = """
list(n_pos = t$ncases, n_neg = t$ncontrols, significance = t$sig.level, power = t$power,
     auc = as.numeric(if (is.null(t$auc)) t$auc1 else t$auc), other = as.numeric(t$auc2))
"""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PowerAnalysis(Answer):
    """Sizes, area, significance and power that go together, by pROC.

    Attributes
    ----------
    n_pos, n_neg : float
        Class sizes, not rounded.
    auc, auc_other : float
        The area, and the second one where two curves are compared; nan where unknown.
    significance, power : float
        Level and power of the test.
    alternative : str
        "two-sided" or "greater".
    method : str
        Which of pROC's calculations.

    See Also
    --------
    power_roc_test : Power and sizes, as pROC has them.
    """

    n_pos: float
    n_neg: float
    auc: float
    auc_other: float
    significance: float
    power: float
    alternative: str
    method: str

    def statement(self) -> Statement:
        """Return the analysis as one row."""
        return Statement(
            head=f"Power {show_value(self.power)} at significance {show_value(self.significance)}, "
            f"{self.alternative}: {self.n_pos:.4g} positives, {self.n_neg:.4g} negatives",
            rows=[asdict(self)],
            shown=("n_pos", "n_neg", "auc", "auc_other", "significance", "power"),
            in_words=True,
            notes=[self.method],
        )


def power_roc_test(
    sample: ScoredSample | None = None,
    *,
    marker: str | None = None,
    markers: Sequence[str] | None = None,
    auc: float | None = None,
    binormal: Mapping[str, float] | None = None,
    n_pos: float | None = None,
    n_neg: float | None = None,
    power: float | None = None,
    significance: float | None = 0.05,
    ratio: float | None = None,
    alternative: str = "two-sided",
    method: str = "delong",
    fpr: Range | None = None,
    tpr: Range | None = None,
    resampling: Resampling = RESAMPLING,
) -> PowerAnalysis:
    """Return what pROC finds for the one of size, area, power and significance left out.

    Parameters
    ----------
    sample : ScoredSample, optional
        A pilot; its area, sizes and class ratio are used.
    marker : str, optional
        Which marker of the pilot.
    markers : sequence of str, optional
        Two markers of the pilot, whose areas are compared.
    auc : float, optional
        Without a pilot, the area (null value 1/2), or None to find it.
    binormal : mapping of str to float, optional
        Without a pilot, Obuchowski & McClish's parameters of two curves by pROC's names: A1, B1,
        A2, B2, rn, ra, delta and, for partial areas, FPR11, FPR12, FPR21, FPR22.
    n_pos : float, optional
        Without a pilot, the number of positives, or None to find it.
    n_neg : float, optional
        Without a pilot, the number of negatives, or None to find it.
    power : float, optional
        The power, or None to find it.
    significance : float, default 0.05
        The level, or None to find it.
    ratio : float, optional
        Negatives for every positive (pROC's ``kappa``); by default the pilot's, or 1.
    alternative : {"two-sided", "greater"}, default "two-sided"
        "greater" where the (first) area must be the larger.
    method : {"delong", "obuchowski", "bootstrap"}, default "delong"
        For `markers`: how (co)variances are found.
    fpr : (float, float), optional
        For `markers`: low and high, the part of the curves by false positive rate.
    tpr : (float, float), optional
        For `markers`: low and high, the part of the curves by true positive rate instead.
    resampling : Resampling, default Resampling()
        Resamples, strata and seed of a bootstrap.

    Returns
    -------
    PowerAnalysis
        Sizes, area, significance and power that go together.

    See Also
    --------
    rocstats.power_auc : The same in Python.
    rocstats.sample_size_auc : The same in Python.

    Notes
    -----
    R: ``pROC::power.roc.test(roc1, [roc2,] ncases = , ncontrols = , auc = , sig.level = , power = ,
    kappa = , alternative = , method = )``. It is not symmetric in two curves, finds an area by a
    search with tolerance 1e-4, and does not round sizes. ``method="bootstrap"`` is refused with
    pROC from 1.19, where it takes replicates for curves.

    Examples
    --------
    >>> from rocstats.rbridge import power_roc_test
    >>> plan = power_roc_test(auc=0.7, n_pos=20, n_neg=30)  # doctest: +SKIP
    >>> round(plan.power, 4)  # doctest: +SKIP
    0.6979
    """
    check_option("alternative", alternative, tuple(_ALTERNATIVES))
    check_option("method", method, ("delong", "bootstrap", "obuchowski"))
    numbers = {"auc": auc, "n_pos": n_pos, "n_neg": n_neg, "power": power}
    numbers |= {"significance": significance, "ratio": ratio}
    _check_numbers(numbers)
    variables: dict[str, Any] = numbers | {"alternative": _ALTERNATIVES[alternative]}
    common = "sig.level = significance, power = power, alternative = alternative"
    if sample is None:
        if marker is not None or markers is not None or fpr is not None or tpr is not None:
            raise InvalidOptionError("marker, markers, fpr and tpr are for a pilot sample.")
        call = _planned(variables, binormal, common)
        method = "pROC::power.roc.test, " + ("one area" if binormal is None else "binormal")
    else:
        check_independent(sample)
        if binormal is not None or not auc is n_pos is n_neg is None:
            raise InvalidOptionError(
                "auc, binormal, n_pos and n_neg are for a study without a pilot sample."
            )
        if power is significance is None:
            raise InvalidOptionError("Leave one of power and significance out, not both.")
        call, method = _piloted(variables, sample, marker, markers, method, (fpr, tpr), common)
    found = ask(f"t <- {call}\n{_ANSWER}", resampling=resampling, **variables)
    area, other = _or_nan(found["auc"]), _or_nan(found["other"])
    null = 0.5 if markers is None else other
    if area <= null and alternative == "greater":
        raise InvalidOptionError(
            f"The area is {area:.4g}, and pROC takes only its distance from {null:.4g}, which is "
            'wrong for the alternative "greater".'
        )
    return PowerAnalysis(
        n_pos=found["n_pos"],
        n_neg=found["n_neg"],
        auc=area,
        auc_other=other,
        significance=found["significance"],
        power=found["power"],
        alternative=alternative,
        method=method,
    )


def _planned(variables: dict[str, Any], binormal: Mapping[str, float] | None, common: str) -> str:
    """The call without a pilot; exactly one thing is left out."""
    sizes = [variables["n_pos"], variables["n_neg"]]
    if (sizes[0] is None) != (sizes[1] is None):
        raise InvalidOptionError("Give both n_pos and n_neg, or neither to find them.")
    asked = {"n_pos and n_neg": sizes[0], "power": variables["power"]}
    asked |= {"significance": variables["significance"]}
    if binormal is None:
        asked["auc"] = variables["auc"]
    elif variables["auc"] is not None:
        raise InvalidOptionError("Give one of auc and binormal.")
    left_out = [name for name, value in asked.items() if value is None]
    if len(left_out) != 1:
        raise InvalidOptionError(
            f"Leave exactly one of {', '.join(asked)} out, which pROC then finds; "
            f"{len(left_out)} are left out."
        )
    variables["ratio"] = 1.0 if variables["ratio"] is None else variables["ratio"]
    sized = f"ncases = n_pos, ncontrols = n_neg, kappa = ratio, {common})"
    if binormal is None:  # R looks at the first argument, which must not be NULL
        return f"power.roc.test({'' if variables['auc'] is None else 'auc = auc, '}{sized}"
    for name, value in binormal.items():
        if name not in _BINORMAL or math.isnan(as_number(value)):
            raise InvalidOptionError(
                f"binormal takes numbers named {', '.join(_BINORMAL)}, got {name!r}: {value!r}."
                f"{did_you_mean(name, _BINORMAL)}"
            )
    missing = [name for name in _BINORMAL[:7] if name not in binormal]
    if missing:
        raise InvalidOptionError(f"binormal lacks {', '.join(missing)}.")
    variables["binormal"] = {name: float(value) for name, value in binormal.items()}
    return f"power.roc.test(binormal, {sized}"


def _piloted(
    variables: dict[str, Any],
    sample: ScoredSample,
    marker: str | None,
    markers: Sequence[str] | None,
    method: str,
    part: tuple[Range | None, Range | None],
    common: str,
) -> tuple[str, str]:
    """The call with a pilot of one curve or two, and which it is."""
    if markers is None:
        if part != (None, None):
            raise InvalidOptionError(
                f"fpr and tpr are for two markers: name them with {keyword('markers')}."
            )
        variables["a"] = curve_of(sample, marker)
        return (
            f"power.roc.test(curve(a), kappa = ratio, {common})",
            "pROC::power.roc.test, one area",
        )
    if marker is not None:
        raise InvalidOptionError("Give marker for one curve or markers for two, not both.")
    version = tuple(int(part) for part in versions()["pROC"].split(".")[:2])
    if method == "bootstrap" and version >= _BROKEN_BOOTSTRAP:
        raise InvalidOptionError(
            "power.roc.test of two curves by the bootstrap is wrong in pROC 1.19, which takes "
            f"replicates for curves; take {keyword('method', 'delong')}."
        )
    band = band_of(*part)
    if band["band"] and method == "delong":
        raise InvalidOptionError(
            "pROC has no DeLong variance of a partial area; take "
            f"{keyword('method', 'obuchowski')}."
        )
    _, (variables["a"], variables["b"]) = curves_of(sample, markers, band)
    variables["method"] = method
    words = f"pROC::power.roc.test, two areas, {method}"
    return (
        f"power.roc.test(curve(a), curve(b), kappa = ratio, method = method, {common},"
        " boot.n = n, boot.stratified = stratified)",
        words,
    )


def _check_numbers(numbers: dict[str, float | None]) -> None:
    for name, value in numbers.items():
        if value is None:
            continue
        highest = math.inf if name in ("n_pos", "n_neg", "ratio") else 1.0
        if not 0.0 < as_number(value) < highest:
            where = "be positive" if highest > 1.0 else "lie strictly between 0 and 1"
            raise InvalidOptionError(f"{named(name)} must {where}, got {value!r}.")


def _or_nan(value: Any) -> float:
    return value if isinstance(value, float) else math.nan
