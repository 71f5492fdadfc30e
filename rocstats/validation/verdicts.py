"""Verdicts: expected beside observed, number by number."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rocstats.validation.cases import Case, Tolerance
from rocstats.validation.settings import Numbers

__all__ = ["CaseResult", "Computed", "Number", "answer_of", "compare_numbers", "judge_case"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """The numbers of one side, or why there are none."""

    numbers: Numbers | None = None
    reason: str = ""


def answer_of(compute: Callable[[], Numbers]) -> Computed:
    """Return the numbers; whatever goes wrong is a failure of the case and not of the protocol."""
    try:
        return Computed(numbers={name: _vector(value) for name, value in compute().items()})
    except Exception as error:
        return Computed(reason=f"{type(error).__name__}: {error}")


def _vector(value: Any) -> list[float]:
    return [float(v) for v in value] if isinstance(value, list) else [float(value)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """One number of a case."""

    name: str
    expected: float
    observed: float
    allowed: float

    @property
    def difference(self) -> float:
        """Observed less expected; 0 where both are nan, or the same infinity."""
        if self.expected == self.observed or (
            math.isnan(self.expected) and math.isnan(self.observed)
        ):
            return 0.0
        return self.observed - self.expected

    @property
    def strain(self) -> float:
        """The difference as a share of what is allowed; inf where it is not even finite."""
        if not self.difference:
            return 0.0
        possible = math.isfinite(self.difference) and self.allowed > 0.0
        return abs(self.difference) / self.allowed if possible else math.inf

    @property
    def passed(self) -> bool:
        """Whether the difference is allowed."""
        return self.strain <= 1.0

    def row(self) -> dict[str, Any]:
        """Return the number as built-in types."""
        return {
            "name": self.name,
            "expected": self.expected,
            "observed": self.observed,
            "difference": self.difference,
            "tolerance": self.allowed,
            "verdict": "pass" if self.passed else "fail",
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """A case judged: against frozen references, against live R, or the one against the other.

    ``reason`` says what could not be compared, and why. A case that has one fails, unless it was
    ``skipped``.
    """

    case: str
    quantity: str
    title: str
    dataset: str
    against: str
    tolerance: str
    numbers: tuple[Number, ...] = ()
    reason: str = ""
    skipped: bool = False

    @property
    def verdict(self) -> str:
        """Return "pass", "fail" or "not run"."""
        if self.skipped:
            return "not run"
        passed = self.numbers and not self.reason and all(n.passed for n in self.numbers)
        return "pass" if passed else "fail"

    @property
    def worst(self) -> Number | None:
        """The number that comes closest to failing, or fails most."""
        return max(self.numbers, key=lambda n: n.strain, default=None)

    @property
    def fault(self) -> str:
        """What is wrong, in words; empty where nothing is."""
        if self.verdict != "fail":
            return ""
        parts = [self.reason] if self.reason else []
        worst = self.worst
        if worst is not None and not worst.passed:
            parts.append(
                f"{worst.name} expected {worst.expected:.17g}, observed {worst.observed:.17g}, "
                f"tolerance {worst.allowed:.2g}"
            )
        return f"{self.case} ({self.against}): {'; '.join(parts)}"

    def row(self) -> dict[str, Any]:
        """Return the case as built-in types."""
        return {
            "id": self.case,
            "title": self.title,
            "quantity": self.quantity,
            "dataset": self.dataset,
            "against": self.against,
            "tolerance": self.tolerance,
            "verdict": self.verdict,
            "reason": self.reason or None,
            "worst": None if self.worst is None else self.worst.row(),
            "numbers": [number.row() for number in self.numbers],
        }


def compare_numbers(
    expected: Numbers, observed: Numbers, tolerance: Tolerance
) -> tuple[tuple[Number, ...], str]:
    """Return every number beside its fellow, and why some have none."""
    odd = sorted(expected.keys() ^ observed.keys())
    reasons = [f"only one side has {', '.join(odd)}"] if odd else []
    numbers: list[Number] = []
    for name in [name for name in expected if name in observed]:
        theirs, ours = _vector(expected[name]), _vector(observed[name])
        if len(theirs) != len(ours) or not theirs:
            reasons.append(f"{name} has {len(theirs)} numbers expected and {len(ours)} observed")
            continue
        labels = [f"{name}[{i}]" for i in range(len(theirs))] if len(theirs) > 1 else [name]
        numbers += [
            Number(name=label, expected=e, observed=o, allowed=allowed)
            for label, e, o, allowed in zip(
                labels, theirs, ours, tolerance.allowed(theirs), strict=True
            )
        ]
    if not numbers and not reasons:
        reasons = ["there is nothing to compare"]
    return tuple(numbers), "; ".join(reasons)


def judge_case(
    case: Case, against: str, expected: Computed, observed: Computed, *, skipped: bool = False
) -> CaseResult:
    """Return the verdict on a case."""
    numbers: tuple[Number, ...] = ()
    reason = observed.reason or expected.reason
    if expected.numbers is not None and observed.numbers is not None:
        numbers, reason = compare_numbers(
            expected.numbers, observed.numbers, case.quantity.tolerance
        )
    return CaseResult(
        case=case.name,
        quantity=case.quantity.name,
        title=case.quantity.title,
        dataset=case.dataset.name,
        against=against,
        tolerance=case.quantity.tolerance.name,
        numbers=numbers,
        reason=reason,
        skipped=skipped,
    )
