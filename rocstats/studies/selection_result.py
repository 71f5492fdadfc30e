"""What came of choosing models by several criteria."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rocstats.arrays import Bools, Floats
from rocstats.errors import check_option
from rocstats.estimates.results import TestResult
from rocstats.studies.corrected import (
    FEW_ROWS,
    NADEAU_BENGIO,
    few_rows_words,
    sign_test_p,
    t_of_differences,
    wins_and_losses,
)
from rocstats.studies.model_criteria import criterion_label, gain_of
from rocstats.tables import Answer, Row, Statement, TidyRows, show_p

__all__ = ["CriteriaContrast", "ModelSelection"]

_COLUMNS = ("by", "test_mean", "test_sd", "best", "regret", "favourite", "favourite_share")
_CONTRAST_COLUMNS = ("contrast", "estimate", "p_corrected", "p_plain", "wins", "losses", "p_sign")
_READING = "p_corrected allows for splits that share rows (Nadeau & Bengio); the others do not."
_ROUNDING = 1e-12  # values closer than this are equal


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CriteriaContrast(Answer):
    """Test performance of what one criterion chose, less that of what another chose.

    Attributes
    ----------
    corrected : TestResult
        The t test with Nadeau & Bengio's variance, which is the one to read.
    plain : TestResult
        The t test that takes the splits as independent; it rejects too often.
    wins, losses, ties : int
        Splits on which the first criterion's choice tested better, worse, the same.
    sign_pvalue : float
        Exact p of the sign test over wins and losses; it too takes splits as independent.

    See Also
    --------
    ModelSelection : Models chosen, and how the choices tested.
    corrected_t_test : Test a mean difference over overlapping splits.
    """

    corrected: TestResult
    plain: TestResult
    wins: int
    losses: int
    ties: int
    sign_pvalue: float

    def statement(self) -> Statement:
        """Return the corrected test, and beside it the plain one and the sign test, as one row."""
        corrected = self.corrected.statement()
        row = {name: v for name, v in corrected.row.items() if name not in ("p_value", "method")}
        row |= {
            "p_corrected": self.corrected.pvalue,
            "p_plain": self.plain.pvalue,
            "wins": self.wins,
            "losses": self.losses,
            "ties": self.ties,
            "p_sign": self.sign_pvalue,
        }
        return Statement(
            head=corrected.head,
            rows=[row],
            shown=_CONTRAST_COLUMNS,
            in_words=True,
            notes=[
                *corrected.notes,
                f"{self.wins} wins, {self.losses} losses, {self.ties} ties: "
                f"sign test p {show_p(self.sign_pvalue)}",
            ],
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ModelSelection(TidyRows, Answer):
    """Models chosen on validation rows by several criteria, and how the choices tested.

    Attributes
    ----------
    candidates : tuple of str
        Names of the models.
    by : tuple of str
        Criteria that chose.
    test : str
        Criterion that judged on test rows.
    validated : array of shape (splits, criteria, candidates)
        Values on validation rows.
    tested : array of shape (splits, candidates)
        Values on test rows.
    n_train, n_validation, n_test : float
        Rows in the parts of a split, on average.
    n_splits : int
        Splits asked for; an interrupted study has fewer.
    design : str
        How the rows were split, in words.
    entropy : int, list of int or None
        What the random streams grew from.

    See Also
    --------
    select_model : Choose among models on validation rows.

    Notes
    -----
    Where several candidates share the best validation value, the choice is taken to be any of them
    with equal chance: test values are averaged over them and counts are shared among them. A choice
    is the best where no candidate tested better.
    """

    candidates: tuple[str, ...]
    by: tuple[str, ...]
    test: str
    validated: Floats
    tested: Floats
    n_train: float
    n_validation: float
    n_test: float
    n_splits: int
    design: str
    entropy: int | list[int] | None
    _named_by: ClassVar = ("by",)
    _one: ClassVar = "criterion"

    @property
    def chosen(self) -> Floats:
        """(splits, criteria, candidates) share with which each was chosen; ties share 1."""
        gains = np.stack(
            [gain_of(name, self.validated[:, i]) for i, name in enumerate(self.by)], axis=1
        )
        return _shared(gains)

    @property
    def chosen_test(self) -> Floats:
        """(splits, criteria) test value of the choice."""
        return np.asarray(np.einsum("jbc,jc->jb", self.chosen, self.tested))

    def rows(self) -> list[dict[str, Any]]:
        """Return one row a criterion: what it chose, how that tested, and how often as the best."""
        gains = gain_of(self.test, self.tested)
        top = gains.max(axis=1)
        is_best = (gains >= top[:, None] - _ROUNDING).astype(np.float64)
        rows = []
        chosen, values = self.chosen, self.chosen_test
        for i, name in enumerate(self.by):
            shares = chosen[:, i].mean(axis=0)
            favourite = int(np.argmax(shares))
            regret = top - gain_of(self.test, values[:, i])
            rows.append(
                {
                    "by": name,
                    "test": self.test,
                    "test_mean": float(values[:, i].mean()),
                    "test_sd": _spread(values[:, i]),
                    "best": float(np.sum(chosen[:, i] * is_best, axis=1).mean()),
                    "regret": float(regret.mean()),
                    "favourite": self.candidates[favourite],
                    "favourite_share": float(shares[favourite]),
                    "n_splits": int(values.shape[0]),
                }
            )
        return rows

    def choices(self) -> list[dict[str, Any]]:
        """Return how often every criterion chose every candidate, and how that tested."""
        shares = self.chosen.mean(axis=0)
        return [
            {
                "by": name,
                "candidate": candidate,
                "share": float(shares[i, c]),
                "test_mean": float(self.tested[:, c].mean()),
            }
            for i, name in enumerate(self.by)
            for c, candidate in enumerate(self.candidates)
        ]

    def compare(self, first: str, second: str) -> CriteriaContrast:
        """Return the test performance by one criterion against that by another.

        The difference is of the values themselves: of a Brier score less is better, and wins are
        counted so. The corrected variance takes rows that train and validate as learned from.

        Parameters
        ----------
        first : str
            A criterion of `by`.
        second : str
            Another one, whose test values are taken off.

        Returns
        -------
        CriteriaContrast
            The tests of the mean difference.
        """
        for name in (first, second):
            check_option("criterion", name, self.by)
        values = self.chosen_test
        difference = values[:, self.by.index(first)] - values[:, self.by.index(second)]
        contrast = f"{first} - {second}"
        extra = self.n_test / (self.n_train + self.n_validation)
        wins, losses = wins_and_losses(gain_of(self.test, difference))
        return CriteriaContrast(
            corrected=t_of_differences(
                difference, extra=extra, method=NADEAU_BENGIO, contrast=contrast
            ),
            plain=t_of_differences(difference, contrast=contrast),
            wins=wins,
            losses=losses,
            ties=difference.size - wins - losses,
            sign_pvalue=sign_test_p(wins, losses),
        )

    def comparisons(self) -> tuple[CriteriaContrast, ...]:
        """Return every pair of criteria; p is nan where two always chose alike."""
        return tuple(
            self.compare(first, second)
            for i, first in enumerate(self.by)
            for second in self.by[i + 1 :]
        )

    def statement(self) -> Statement:
        """Return a row for each criterion, and the comparisons; the single splits are not told."""
        head = (
            f"{len(self.candidates)} candidates judged by test {criterion_label(self.test)}; "
            f"{self.design}"
        )
        if self.tested.shape[0] < self.n_splits:
            head += f" (stopped after {self.tested.shape[0]} of {self.n_splits})"
        rows, contrasts = self.rows(), self._contrast_rows()
        n_rows = self.n_train + self.n_validation + self.n_test
        few = [f"{few_rows_words(n_rows)}."] if n_rows < FEW_ROWS else []
        between = Statement(rows=contrasts, shown=_CONTRAST_COLUMNS, notes=[_READING, *few])
        return Statement(
            head=head,
            rows=rows,
            shown=_COLUMNS,
            parts=[between] if contrasts else [],
            content={
                "test": self.test,
                "design": self.design,
                "n_splits": int(self.tested.shape[0]),
                "n_train": self.n_train,
                "n_validation": self.n_validation,
                "n_test": self.n_test,
                "entropy": self.entropy,
                "criteria": rows,
                "choices": self.choices(),
                "comparisons": contrasts,
            },
        )

    def _contrast_rows(self) -> list[Row]:
        """Return the comparisons of criteria, if there are splits to compare them by."""
        if self.tested.shape[0] < 2:
            return []
        return [contrast.statement().row for contrast in self.comparisons()]


def _shared(gains: Floats) -> Floats:
    """Return 1 at the largest of the last axis, shared where several are equal."""
    top: Bools = gains >= gains.max(axis=-1, keepdims=True) - _ROUNDING
    return np.asarray(top / top.sum(axis=-1, keepdims=True))


def _spread(values: Floats) -> float:
    return float(values.std(ddof=1)) if values.size > 1 else float("nan")
