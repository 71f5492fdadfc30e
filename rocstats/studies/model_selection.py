"""Model selection: which criterion chooses, on few rows, the model that tests best?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from rocstats.arrays import Bools, Floats
from rocstats.data.columns import label_column
from rocstats.data.row_indexes import check_same_rows
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    check_count,
    check_option,
    listed,
    named,
    shown,
    warn_user,
)
from rocstats.resampling.chunks import DEFAULT_SEED, Rng, as_seed, check_streams, plain_entropy
from rocstats.studies.model_criteria import (
    CRITERIA,
    ModelCriterion,
    check_candidate,
    find_criteria,
    model_outputs,
)
from rocstats.studies.running import InterruptedStudyWarning
from rocstats.studies.selection_result import ModelSelection
from rocstats.studies.splits import Part, check_shares, fold_parts, random_part
from rocstats.tables import counted
from rocstats.workers import progress, share_out

__all__ = ["select_model"]

_ALL = tuple(CRITERIA)

Result = tuple[Floats, Floats, tuple[int, int, int]]  # validated, tested, sizes of one split


def select_model(
    candidates: Mapping[str, Any],
    X: Any,
    y: Any,
    by: Sequence[Any] | Mapping[str, Any] = _ALL,
    *,
    test: Any = "auc",
    splits: Literal["random", "cv"] = "random",
    n_repeats: int | None = None,
    validation_size: float = 0.1,
    test_size: float = 0.4,
    n_folds: int = 10,
    pos_label: Any = None,
    rng: Rng = DEFAULT_SEED,
    n_jobs: int = 1,
) -> ModelSelection:
    """Choose among models on validation rows by several criteria, and test the choices.

    Parameters
    ----------
    candidates : mapping of str to classifier
        Classifiers of scikit-learn by name, or anything with ``fit``, ``predict``, ``classes_`` and
        ``predict_proba`` or ``decision_function``; each is copied before it is fitted.
    X : array, sparse matrix, data frame or list of texts
        The rows.
    y : array-like of shape (N,)
        Labels of two classes.
    by : sequence or mapping, default ("auc", "sauc", "smauc", "brier", "accuracy")
        Criteria that choose: those in the default, scikit-learn's scorers by name
        (``"neg_log_loss"``), scorers ``scorer(model, X, y)`` of which more is better, and measures
        (`Measure`, such as `partial_area`); a mapping gives them names.
    test : str, callable or Measure, default "auc"
        The criterion that judges the choices on test rows.
    splits : {"random", "cv"}, default "random"
        "random" is train, validate and test; with "cv" one fold tests, the next one validates, the
        others train; both within the classes.
    n_repeats : int, optional
        Random splits, 100 by default; or repetitions of cross-validation, 10 by default.
    validation_size : float, default 0.1
        Share of the rows that choose in a random split.
    test_size : float, default 0.4
        Share of the rows that test in a random split.
    n_folds : int, default 10
        Folds of cross-validation, at least 3.
    pos_label : label, optional
        The positive class; None takes the last in sorted order, as scikit-learn does.
    rng : int, SeedSequence, Generator or None, default 1
        A seed or a generator; None is a fresh stream.
    n_jobs : int, default 1
        Number of joblib workers; the answer does not depend on it.

    Returns
    -------
    ModelSelection
        What was chosen how often, how the choices tested, how often none tested better, and the
        criteria against one another by the Nadeau-Bengio corrected t test.

    See Also
    --------
    corrected_t_test : Test a mean difference over overlapping splits.
    compare_measures : Compare two measures over pairs of lists.

    Notes
    -----
    AUC, and a measure that looks at the order alone, is of ``decision_function`` where there is
    one, the others but accuracy of ``predict_proba``. A scorer gets the fitted model, rows and
    labels as they are, so its positive class is its own affair. A ``random_state`` of None is set
    from the split's own stream. Equal validation values share the choice (`ModelSelection`). An
    interrupted run (Ctrl-C) answers with the repetitions that are done.

    References
    ----------
    Wu, Flach & Ferri (2007), doi:10.1007/978-3-540-74958-5_44; Nadeau & Bengio (2003),
    doi:10.1023/A:1024068626366.

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.naive_bayes import GaussianNB
    >>> rng = np.random.default_rng(1)
    >>> X = rng.normal(size=(120, 3))
    >>> y = X[:, 0] + rng.normal(size=120) > 0
    >>> models = {"logistic": LogisticRegression(), "bayes": GaussianNB()}
    >>> found = rs.select_model(models, X, y, by=("auc", "sauc"), n_repeats=20, rng=1)
    >>> [row["by"] for row in found.rows()]
    ['auc', 'sauc']
    """
    chosen, (judge,) = _check(candidates, by, test)
    X = _table(X)
    positive, labels, label = _binary(X, y, pos_label)
    check_option("splits", splits, ("random", "cv"))
    if n_repeats is None:
        n_repeats = 100 if splits == "random" else 10
    check_count("n_repeats", n_repeats)
    check_streams(rng, n_jobs)
    seed = as_seed(rng)
    if splits == "random":
        shares = check_shares(validation_size, test_size)
        number = counted(n_repeats, "random split")
        design = f"{number}, {shares[0]:.0%} validate and {shares[1]:.0%} test"
        per_repeat = 1
    else:
        shares, per_repeat = None, check_count("n_folds", n_folds, least=3)
        design = f"{n_repeats} x {n_folds}-fold cross-validation, one fold validates, one tests"
    work = _Work(
        candidates=dict(candidates),
        X=X,
        labels=labels,
        positive=positive,
        pos_label=label,
        criteria=(*chosen, judge),
        shares=shares,
        n_folds=n_folds,
    )
    done = _run(work, n_repeats, seed, n_jobs)
    results = [split for index in sorted(done) for split in done[index]]
    sizes = np.array([result[2] for result in results], dtype=np.float64).mean(axis=0)
    return ModelSelection(
        candidates=tuple(candidates),
        by=tuple(criterion.name for criterion in chosen),
        test=judge.name,
        validated=np.stack([result[0] for result in results]),
        tested=np.stack([result[1] for result in results]),
        n_train=float(sizes[0]),
        n_validation=float(sizes[1]),
        n_test=float(sizes[2]),
        n_splits=n_repeats * per_repeat,
        design=design,
        entropy=plain_entropy(seed),
    )


def _check(
    candidates: Mapping[str, Any], by: Any, test: Any
) -> tuple[list[ModelCriterion], list[ModelCriterion]]:
    """Return the criteria, or refuse those that there are not and candidates they cannot judge."""
    if not isinstance(candidates, Mapping) or len(candidates) < 2:
        raise InvalidOptionError(
            f"{named('candidates')} must map two or more names to estimators, such as "
            "{'logistic': LogisticRegression(), 'bayes': GaussianNB()}."
        )
    if isinstance(by, str) or not isinstance(by, (Sequence, Mapping)) or not by:
        raise InvalidOptionError(
            f"{named('by')} must be a list of different criteria, got {shown(by)}"
            + (f"; of one, write {named('by=[...]')}." if by else ".")
        )
    chosen, judge = (list(find_criteria(*g).values()) for g in (("by", by), ("test", [test])))
    for name, model in candidates.items():
        check_candidate(str(name), model, [*chosen, *judge])
    return chosen, judge


def _table(X: Any) -> Any:
    """Return the rows as something that has a shape and gives rows by number."""
    if hasattr(X, "tocsr"):  # a sparse matrix, of which only some kinds give rows
        return X.tocsr()
    found = X if hasattr(X, "shape") else _as_array(X)
    if not found.shape:
        raise InvalidSampleError(f"X must have rows, got {X!r:.60}.")
    return found


def _as_array(X: Any) -> Any:
    try:
        return np.asarray(X)
    except ValueError:
        raise InvalidSampleError("X must have rows of the same length.") from None


def _binary(X: Any, y: Any, pos_label: Any) -> tuple[Bools, Any, Any]:
    """Return which rows are positive, all labels and the positive one."""
    check_same_rows([("X", X), ("y", y)])
    labels, missing = label_column(y, "y")
    n_rows = X.shape[0]
    if labels.size != n_rows:
        raise InvalidSampleError(
            f"y must have one label a row of X, {n_rows}, got shape {labels.shape}."
        )
    if missing is not None:
        raise InvalidSampleError("y has missing labels; leave those rows out.")
    known = set(labels.tolist())
    if len(known) != 2:
        raise InvalidSampleError(
            f"y must have two classes, got {len(known)}"
            + ("; group them, or take one class against the rest." if len(known) > 2 else ".")
        )
    if len({type(label) for label in known}) > 1:
        raise InvalidSampleError(f"y must have labels of one type, got {listed(known)}.")
    classes = sorted(known)
    label = classes[1] if pos_label is None else pos_label
    if label not in classes:
        raise InvalidOptionError(
            f"{named('pos_label')} {label!r} is not among the labels {classes}."
        )
    return labels == label, labels, label


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Work:
    """All that a repetition needs, as it is sent to workers."""

    candidates: dict[str, Any]
    X: Any
    labels: Any
    positive: Bools
    pos_label: Any
    criteria: tuple[ModelCriterion, ...]
    shares: tuple[float, float] | None
    n_folds: int

    def repeat(self, index: int, seed: np.random.SeedSequence) -> tuple[int, list[Result]]:
        """Return the splits of one repetition."""
        child = np.random.SeedSequence(
            seed.entropy, spawn_key=(*seed.spawn_key, index), pool_size=seed.pool_size
        )
        rng = np.random.default_rng(child)
        if self.shares is None:
            parts = fold_parts(self.positive, self.n_folds, rng)
        else:
            parts = [random_part(self.positive, *self.shares, rng)]
        return index, [self._split(part, rng) for part in parts]

    def _split(self, part: Part, rng: np.random.Generator) -> Result:
        *by, judge = self.criteria
        train, validation, test = part
        validated = np.empty((len(by), len(self.candidates)))
        tested = np.empty(len(self.candidates))
        for c, (name, candidate) in enumerate(self.candidates.items()):
            try:
                model = _seeded(candidate, rng).fit(_rows(self.X, train), self.labels[train])
                chosen = self._outputs(model, validation, {criterion.needs for criterion in by})
                judged = self._outputs(model, test, {judge.needs})
                validated[:, c] = [criterion.value(chosen) for criterion in by]
                tested[c] = judge.value(judged)
            except Exception as error:
                error.add_note(f"This happened with candidate {name}.")
                raise
        return validated, tested, (train.size, validation.size, test.size)

    def _outputs(self, model: Any, rows: Any, needs: set[str]) -> Any:
        return model_outputs(model, _rows(self.X, rows), self.labels[rows], self.pos_label, needs)


def _rows(X: Any, rows: Any) -> Any:
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def _seeded(candidate: Any, rng: np.random.Generator) -> Any:
    """Return an unfitted copy whose random states, where None, are set."""
    try:
        from sklearn.base import clone  # type: ignore[import-untyped]
    except ImportError:
        from copy import deepcopy as clone
    model = clone(candidate)
    if hasattr(model, "get_params"):
        free = [
            name
            for name, value in model.get_params(deep=True).items()
            if value is None and name.split("__")[-1] == "random_state"
        ]
        if free:
            model.set_params(**{name: int(rng.integers(2**31)) for name in sorted(free)})
    return model


def _run(
    work: _Work, n_repeats: int, seed: np.random.SeedSequence, n_jobs: int
) -> dict[int, list[Result]]:
    """Return the finished repetitions by number."""
    done: dict[int, list[Result]] = {}
    results = share_out(partial(work.repeat, seed=seed), range(n_repeats), n_jobs, ordered=False)
    try:
        with closing(results), progress(n_repeats, title="selection", unit="split") as advance:
            for index, splits in results:
                done[index] = splits
                advance(1)
    except KeyboardInterrupt:
        if not done:
            raise
        warn_user(
            f"The selection was interrupted after {len(done)} of {n_repeats} repetitions; the "
            "answer rests on those.",
            InterruptedStudyWarning,
        )
    return done
