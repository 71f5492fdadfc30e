"""Verdicts: expected beside observed, number by number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from rocstats.validation.cases import Case, Tolerance
from rocstats.validation.settings import Numbers

__all__ = ["CaseResult", "Number", "compare_numbers", "judge_case"]


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

    def to_dict(self) -> dict[str, Any]:
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

    ``reason`` says why nothing could be compared; only a case that is ``skipped`` may have none.
    """

    case: str
    quantity: str
    title: str
    dataset: str
    against: str
    tolerance: str
    numbers: tuple[Number, ...]
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

    def to_dict(self) -> dict[str, Any]:
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
            "worst": None if self.worst is None else self.worst.to_dict(),
            "numbers": [number.to_dict() for number in self.numbers],
        }


def compare_numbers(
    expected: Numbers, observed: Numbers, tolerance: Tolerance
) -> tuple[tuple[Number, ...], str]:
    """Return every number beside its fellow, and why some have none."""
    odd = sorted(expected.keys() ^ observed.keys())
    reason = f"only one side has {', '.join(odd)}" if odd else ""
    numbers: list[Number] = []
    for name in [name for name in expected if name in observed]:
        theirs, ours = _vector(expected[name]), _vector(observed[name])
        if len(theirs) != len(ours):
            reason = f"{name} has {len(theirs)} numbers expected and {len(ours)} observed"
            continue
        labels = [f"{name}[{i}]" for i in range(len(theirs))] if len(theirs) > 1 else [name]
        numbers += [
            Number(name=label, expected=e, observed=o, allowed=allowed)
            for label, e, o, allowed in zip(
                labels, theirs, ours, tolerance.allowed(theirs), strict=True
            )
        ]
    return tuple(numbers), reason


def _vector(value: Any) -> list[float]:
    return [float(v) for v in value] if isinstance(value, list) else [float(value)]


def judge_case(
    case: Case,
    against: str,
    expected: Numbers | None,
    observed: Numbers | None,
    *,
    reason: str = "",
    skipped: bool = False,
) -> CaseResult:
    """Return the verdict on a case."""
    numbers: tuple[Number, ...] = ()
    if expected is not None and observed is not None:
        numbers, reason = compare_numbers(expected, observed, case.quantity.tolerance)
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
