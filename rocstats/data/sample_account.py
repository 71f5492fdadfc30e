"""What a sample owes its reader: which class is positive, and which rows were left out, and why."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from rocstats.arrays import Bools, Floats
from rocstats.errors import InvalidSampleError, counted, keyword

__all__ = ["NOBODY", "Account", "Dropped", "NanPolicy", "complete_rows", "joint_account"]

NanPolicy = Literal["raise", "omit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """Subjects left out by ``nan_policy="omit"``: how many, and how often each column lacked."""

    n: int = 0
    missing: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        if self.n == 0:
            return "no subject dropped"
        why = ", ".join(f"{column} missing in {count}" for column, count in self.missing)
        return f"{counted(self.n, 'subject')} dropped ({why})"

    def as_dict(self) -> dict[str, Any]:
        return {"n_dropped": self.n, "missing": dict(self.missing)}


NOBODY = Dropped()


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What every result of a sample owes its reader: which class is positive, and who is left out.

    Attributes
    ----------
    pos_label, neg_label : the labels as they were given
    dropped : what ``nan_policy="omit"`` left out
    design : what the subjects stand for, where they have weights or strata, in words
    """

    pos_label: Any
    neg_label: Any
    dropped: Dropped = NOBODY
    design: str = ""

    def __str__(self) -> str:
        classes = f"positive class {self.pos_label}, negative class {self.neg_label}"
        told = [classes, *([str(self.dropped)] if self.dropped.n else []), self.design]
        return "; ".join(part for part in told if part)

    def as_dict(self) -> dict[str, Any]:
        labels = {"pos_label": self.pos_label, "neg_label": self.neg_label}
        design = {"design": self.design} if self.design else {}
        return {**labels, **self.dropped.as_dict(), **design}


def joint_account(given: Iterable[Account | None]) -> Account | None:
    """Return the account of several samples with all they left out; None for different classes."""
    accounts = [account for account in given if account is not None]
    if len({(str(account.pos_label), str(account.neg_label)) for account in accounts}) != 1:
        return None
    missing: Counter[str] = Counter()
    for account in accounts:
        missing.update(dict(account.dropped.missing))
    n = sum(account.dropped.n for account in accounts)
    return replace(accounts[0], dropped=Dropped(n=n, missing=tuple(missing.items())))


def complete_rows(
    outcome: str,
    y_missing: Bools | None,
    markers: tuple[str, ...],
    scores: Floats,
    nan_policy: NanPolicy,
) -> tuple[Bools | None, Dropped]:
    """Return the rows without a missing value, None where that is all, and what the others lack."""
    if y_missing is None and not math.isnan(np.minimum.reduce(scores, axis=None)):
        return None, NOBODY
    absent = [*zip(markers, np.isnan(scores), strict=True)]
    if y_missing is not None:
        absent.insert(0, (outcome, y_missing))
    counts = tuple((name, int(np.count_nonzero(gone))) for name, gone in absent if gone.any())
    if nan_policy == "raise":
        what = ", ".join(f"{count} in {name}" for name, count in counts)
        raise InvalidSampleError(
            f"There are missing values ({what}); complete the data or pass "
            f"{keyword('nan_policy', 'omit')} to leave those subjects out."
        )
    kept: Bools = ~np.logical_or.reduce([gone for _, gone in absent])
    dropped = Dropped(n=kept.size - int(np.count_nonzero(kept)), missing=counts)
    if not kept.any():
        raise InvalidSampleError(f"No subject is left: {dropped}.")
    return kept, dropped
