"""pROC's power and sample size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

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
from rocstats.tables import show_value, tidy_frame

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PowerAnalysis", "power_roc_test"]

_ALTERNATIVES = {"two-sided": "two.sided", "greater": "one.sided"}
_BINORMAL = ("A1", "B1", "A2", "B2", "rn", "ra", "delta", "FPR11", "FPR12", "FPR21", "FPR22")
_BROKEN_BOOTSTRAP = (1, 19)  # takes replicates for curves

_ANSWER = """
list(n_pos = t$ncases, n_neg = t$ncontrols, significance = t$sig.level, power = t$power,
     auc = as.numeric(if (is.null(t$auc)) t$auc1 else t$auc), other = as.numeric(t$auc2))
"""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PowerAnalysis:
    """Sizes, area, significance and power that go together, by pROC.

    Attributes
    ----------
    n_pos, n_neg : class sizes, not rounded
    auc, auc_other : the area, and the second one where two curves are compared; nan where unknown
    significance, power : of the test
    alternative : "two-sided" or "greater"
    method : which of pROC's calculations
    """

    n_pos: float
    n_neg: float
    auc: float
    auc_other: float
    significance: float
    power: float
    alternative: str
    method: str

    def to_dict(self) -> dict[str, Any]:
        """Return the row as built-in types."""
        return asdict(self)

    def to_frame(self) -> pd.DataFrame:
        """Return the row as a pandas data frame."""
        return tidy_frame([self.to_dict()])

    def __repr__(self) -> str:
        return (
            f"Power {show_value(self.power)} at significance {show_value(self.significance)}, "
            f"{self.alternative}: {self.n_pos:.4g} positives, {self.n_neg:.4g} negatives\n"
            f"{self.method}"
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
    sample, marker : a pilot; its area, sizes and class ratio are used
    markers : two markers of the pilot, whose areas are compared
    auc : without a pilot, the area (null value 1/2), or None to find it
    binormal : without a pilot, Obuchowski & McClish's parameters of two curves by pROC's names:
        A1, B1, A2, B2, rn, ra, delta and, for partial areas, FPR11, FPR12, FPR21, FPR22
    n_pos, n_neg : without a pilot, the sizes, or None to find them
    power, significance : None to find it
    ratio : negatives for every positive (pROC's ``kappa``); where None, the pilot's, or 1
    alternative : ``"two-sided"`` or ``"greater"``, where the (first) area must be the larger
    method, fpr, tpr, resampling : for `markers`: how (co)variances are found, and partial areas

    Notes
    -----
    R: ``pROC::power.roc.test(roc1, [roc2,] ncases = , ncontrols = , auc = , sig.level = , power = ,
    kappa = , alternative = , method = )``. It is not symmetric in two curves, finds an area by a
    search with tolerance 1e-4, and does not round sizes. ``method="bootstrap"`` is refused with
    pROC from 1.19, where it takes replicates for curves.
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
