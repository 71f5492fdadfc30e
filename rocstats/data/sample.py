"""ScoredSample: labels, markers and subject ids, validated once; what was dropped, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.adjustment import Adjustment, make_adjustment
from rocstats.data.blocks import Blocks, sort_into_blocks
from rocstats.data.columns import (
    coded_ids,
    crossed_ids,
    frame_columns,
    id_column,
    label_column,
    named_columns,
    score_columns,
)
from rocstats.data.positive_class import check_one_is_positive
from rocstats.data.row_indexes import check_same_rows, with_names
from rocstats.data.score_shapes import adds_to_one, by_model
from rocstats.data.sorted_markers import SortedMarkers
from rocstats.data.subject_weights import Nuisance, WeightKind, kish_size, take_weights
from rocstats.data.verification import (
    model_columns,
    verified_column,
    warn_if_concentrated,
    weigh_verified,
)
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    Polite,
    PooledReadersWarning,
    RepeatedSubjectWarning,
    SingleClassError,
    check_option,
    did_you_mean,
    keyword,
    listed,
    named,
    shown,
    warn_user,
)

__all__ = [
    "DESIGNS",
    "Account",
    "Dropped",
    "ScoredSample",
    "as_sample",
    "classes_left",
    "complete_rows",
    "joint_account",
    "read_orientation",
    "refuse_design",
]

NanPolicy = Literal["raise", "omit"]
Orientation = bool | Mapping[str, bool] | Sequence[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """Subjects left out by ``nan_policy="omit"``: how many, and how often each column lacked."""

    n: int = 0
    missing: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        if self.n == 0:
            return "no subject dropped"
        why = ", ".join(f"{column} missing in {count}" for column, count in self.missing)
        return f"{self.n} {'subject' if self.n == 1 else 'subjects'} dropped ({why})"

    def as_dict(self) -> dict[str, Any]:
        return {"n_dropped": self.n, "missing": dict(self.missing)}


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
    dropped: Dropped = Dropped()
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoredSample(Polite):
    """Subjects with a true class and one or more marker scores.

    Build it with `from_arrays` or `from_frame`; both check everything, once.

    Attributes
    ----------
    positive : array of bool of shape (N,)
        The true class.
    scores : array of shape (K, N)
        One row a marker, as they were given.
    markers : tuple of str
        Names of the K markers.
    higher_is_positive : tuple of bool
        K flags; False where a low score speaks for the positive class.
    pos_label, neg_label : label
        The labels as they were given.
    subject : array of shape (N,) or None
        Ids of the subjects.
    cluster : array of int of shape (N,) or None
        Code of the cluster (patient, say) every subject (eye, lesion) is in.
    cluster_ids : tuple
        The clusters as they were given, by code.
    weights : array of shape (N,) or None
        What every subject stands for (probability weights); None where all stand for the same.
        Frequencies are not here: their rows are repeated.
    strata : array of int of shape (N,) or None
        Code of the sampling stratum every subject was drawn from.
    nuisance : Nuisance or None
        How the weights were estimated, where they were (partial verification).
    covariates : mapping of str to array
        Columns that an analysis can be adjusted for, by name.
    adjustment : Adjustment or None
        What like is compared with like by; see `adjusted_for`.
    weightless : int
        Rows of weight 0, which have no part.
    dropped : Dropped
        What ``nan_policy="omit"`` left out.
    kept : array of bool or None
        Of all rows that were given, those in the sample; None where none was dropped.

    See Also
    --------
    estimate : Estimate several measures of several markers at once.
    compare : Compare classifiers on the same subjects.
    report : Analyse a diagnostic study and return the report.
    """

    positive: Bools
    scores: Floats
    markers: tuple[str, ...]
    higher_is_positive: tuple[bool, ...]
    pos_label: Any
    neg_label: Any
    subject: NDArray[Any] | None = None
    cluster: NDArray[np.intp] | None = None
    cluster_ids: tuple[Any, ...] = ()
    weights: Floats | None = None
    strata: NDArray[np.intp] | None = None
    nuisance: Nuisance | None = None
    covariates: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    adjustment: Adjustment | None = None
    weightless: int = 0
    dropped: Dropped = Dropped()
    kept: Bools | None = None
    keeps_rows: ClassVar = True  # a table keeps counts alone
    _has_scores: ClassVar = True  # so that none follow it in a call
    _sorted: SortedMarkers | None = field(default=None, init=False, repr=False)  # not of a copy
    _clusters: tuple[int, int] | None = field(default=None, init=False, repr=False)  # on first use

    @classmethod
    def from_arrays(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        pos_label: Any = None,
        subject: Any = None,
        cluster: Any = None,
        weights: Any = None,
        weight_kind: WeightKind | None = None,
        strata: Any = None,
        verified: Any = None,
        verification_model: Any = None,
        covariates: Any = None,
        higher_is_positive: Orientation = True,
        nan_policy: NanPolicy = "raise",
    ) -> ScoredSample:
        """Build a sample of a label vector and one or more score vectors.

        Lists, numpy arrays and the series and frames of pandas, polars and pyarrow go in.

        Parameters
        ----------
        y_true : array-like of shape (N,)
            Labels of two classes: bool, int, float, str or categorical.
        y_score : array-like of shape (N,) or (N, K), list of vectors, mapping or data frame
            Scores of one marker, or of several; a mapping or a frame names them. Of two columns
            that add to 1, as ``predict_proba`` gives them, the one of the positive class is taken.
        pos_label : label, default 1 beside 0 or -1
            The label of the positive class.
        subject : array-like of shape (N,), optional
            Ids of the subjects; a warning is given where they repeat and no cluster is named.
        cluster : array-like of shape (N,), optional
            Ids of clusters of dependent subjects (the patient of an eye or a lesion, the primary
            unit of a survey); every variance and test then takes the cluster as the independent
            unit.
        weights : array-like of shape (N,), optional
            What every row counts, at least 0; a row of weight 0 has no part.
        weight_kind : {"probability", "frequency"}, default "probability"
            "probability": a row is one subject that stands for others (survey, two-phase sample),
            and variances are of so many subjects as there are rows. "frequency": a row is so many
            subjects that are alike (a table of ratings), exactly as if it were repeated.
        strata : array-like of shape (N,), optional
            The sampling stratum every subject was drawn from, independently of the others;
            clusters are within strata.
        verified : array-like of bool of shape (N,), optional
            Whose true class is known; those of the others is not looked at.
        verification_model : names, mapping or data frame, optional
            What verification depends on, by which the verified are weighted: names of markers, or
            columns by name; by default all markers.
        covariates : mapping or data frame, optional
            Columns that an analysis can be adjusted for.
        higher_is_positive : bool or mapping of str to bool, default True
            False, or False for a marker by name, where low scores speak for the positive class;
            nothing is ever turned round by looking at the data.
        nan_policy : {"raise", "omit"}, default "raise"
            "raise" refuses missing values; "omit" drops every subject with one, from all markers
            alike, and records it in `dropped`.

        Returns
        -------
        ScoredSample
            The sample, checked.

        See Also
        --------
        ScoredSample.from_frame : Build a sample of columns of a frame.

        Examples
        --------
        >>> import rocstats as rs
        >>> rs.ScoredSample.from_arrays([1, 1, 0, 0], {"a": [3, 2, 2, 1], "b": [1, 4, 0, 2]})
        ScoredSample: 2 positives (1), 2 negatives (0); markers a, b; no subject dropped
        """
        check_option("nan_policy", nan_policy, ("raise", "omit"))
        label = label_column(y_true, "y_true")
        y_score = by_model(y_score, label[0].size)
        columns = score_columns(y_score)
        ids = {"subject": subject, "cluster": cluster, "strata": strata}
        others = {"weights": weights, "verified": verified}
        beside = {} if covariates is None else dict(frame_columns(covariates) or {})
        if covariates is not None and not beside:
            raise InvalidSampleError(
                f"{named('covariates')} must be columns by name, got {type(covariates).__name__}."
            )
        check_same_rows(
            [
                ("y_true", y_true),
                *with_names(y_score, "y_score"),
                *ids.items(),
                *others.items(),
                *beside.items(),
            ]
        )
        design = _Design(
            weights=weights,
            weight_kind=weight_kind,
            verified=verified,
            model=None
            if verified is None
            else model_columns(verification_model, columns | beside, columns),
            covariates=beside,
        )
        _check_model(verified, verification_model)
        sample = _build(
            label, "y_true", columns, pos_label, ids, higher_is_positive, nan_policy, design
        )
        return _of_positive_class(sample, named=isinstance(y_score, Mapping))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        outcome: str,
        markers: str | Iterable[str],
        *,
        pos_label: Any = None,
        subject: str | None = None,
        cluster: str | None = None,
        weights: str | None = None,
        weight_kind: WeightKind | None = None,
        strata: str | None = None,
        verified: str | None = None,
        verification_model: str | Iterable[str] | None = None,
        covariates: str | Iterable[str] = (),
        higher_is_positive: Orientation = True,
        nan_policy: NanPolicy = "raise",
    ) -> ScoredSample:
        """Build a sample of named columns of a frame (pandas, polars, pyarrow, or a mapping).

        Parameters
        ----------
        frame : data frame or mapping
            The columns, of pandas, polars, pyarrow, or by name.
        outcome : str
            The column of the labels, of two classes.
        markers : str or iterable of str
            The columns of the scores.
        pos_label : label, default 1 beside 0 or -1
            The label of the positive class.
        subject : str, optional
            The column of subject ids; a warning is given where they repeat and no cluster is named.
        cluster : str, optional
            The column of clusters of dependent subjects (the patient of an eye or a lesion, the
            primary unit of a survey); every variance and test then takes the cluster as the
            independent unit.
        weights : str, optional
            The column of what every row counts, at least 0; a row of weight 0 has no part.
        weight_kind : {"probability", "frequency"}, default "probability"
            "probability": a row is one subject that stands for others (survey, two-phase sample),
            and variances are of so many subjects as there are rows. "frequency": a row is so many
            subjects that are alike (a table of ratings), exactly as if it were repeated.
        strata : str, optional
            The column of the sampling strata, drawn from independently; clusters are within them.
        verified : str, optional
            The column that tells whose true class is known; that of the others is not looked at.
        verification_model : str or iterable of str, optional
            The columns that verification depends on, by which the verified are weighted; by
            default the markers.
        covariates : str or iterable of str, default ()
            Columns to keep, that an analysis can be adjusted for.
        higher_is_positive : bool or mapping of str to bool, default True
            False, or False for a marker by name, where low scores speak for the positive class;
            nothing is ever turned round by looking at the data.
        nan_policy : {"raise", "omit"}, default "raise"
            "raise" refuses missing values; "omit" drops every subject with one, from all markers
            alike, and records it in `dropped`.

        Returns
        -------
        ScoredSample
            The sample, checked.

        See Also
        --------
        ScoredSample.from_arrays : Build a sample of vectors.

        Examples
        --------
        >>> import rocstats as rs
        >>> frame = {"ill": ["yes", "yes", "no", "no"], "a": [3, 2, 2, 1]}
        >>> rs.ScoredSample.from_frame(frame, outcome="ill", markers="a", pos_label="yes")
        ScoredSample: 2 positives (yes), 2 negatives (no); markers a; no subject dropped
        """
        check_option("nan_policy", nan_policy, ("raise", "omit"))
        several = isinstance(markers, Iterable) and not isinstance(markers, str)
        names = [str(name) for name in (markers if several else [markers])]
        outcome = str(outcome)
        if outcome in names:
            raise InvalidSampleError(
                f"The outcome {outcome!r} is also listed as a marker; it cannot predict itself."
            )
        columns = frame_columns(frame)
        if columns is None:
            raise InvalidSampleError(
                f"A data frame or a mapping of columns was expected, got {type(frame).__name__}."
            )
        model = [verification_model] if isinstance(verification_model, str) else verification_model
        model = None if model is None else [str(name) for name in model]
        beside = [covariates] if isinstance(covariates, str) else [str(c) for c in covariates]
        single = (subject, cluster, weights, strata, verified)
        used = [
            outcome,
            *names,
            *(name for name in single if name is not None),
            *(model or ()),
            *beside,
        ]
        _check_model(verified, verification_model)
        if outcome in (model or ()):
            raise InvalidOptionError(
                f"{named('verification_model')} names the outcome {outcome!r}, which is not known "
                "of those who are not verified."
            )
        for name in used:
            if name not in columns:
                raise InvalidSampleError(
                    f"The data have no column {name!r}; "
                    f"they have {listed(columns)}.{did_you_mean(name, columns)}"
                )
        scores = named_columns((name, columns[name]) for name in names)
        check_same_rows((name, columns[name]) for name in used)
        ids = {
            kind: None if name is None else columns[name]
            for kind, name in (("subject", subject), ("cluster", cluster), ("strata", strata))
        }
        design = _Design(
            weights=None if weights is None else columns[weights],
            weight_kind=weight_kind,
            verified=None if verified is None else columns[verified],
            model=None
            if verified is None
            else (scores if model is None else {name: columns[name] for name in model}),
            covariates={name: columns[name] for name in beside},
        )
        label = label_column(columns[outcome], outcome)
        if cluster is None:
            _warn_of_readers(columns, {outcome, *names}, subject)
        return _build(
            label, outcome, scores, pos_label, ids, higher_is_positive, nan_policy, design
        )

    @property
    def n_pos(self) -> int:
        return int(np.count_nonzero(self.positive))

    @property
    def n_neg(self) -> int:
        return self.positive.size - self.n_pos

    @property
    def account(self) -> Account:
        """Which class is positive, and who was left out."""
        return Account(
            pos_label=self.pos_label,
            neg_label=self.neg_label,
            dropped=self.dropped,
            design=self.design,
        )

    @property
    def design(self) -> str:
        """What the subjects stand for, in words; empty where each is one of a simple sample."""
        told = []
        if self.nuisance is not None:
            told.append(self.nuisance.words)
        elif self.weights is not None:
            (pos, neg), w = self.worth, self.weights
            told.append(
                f"probability weights {w.min():.4g} to {w.max():.4g}, worth {pos:.1f} positives "
                f"and {neg:.1f} negatives of equal weight"
            )
        if self.weightless:
            told.append(f"rows of weight 0, which have no part: {self.weightless}")
        if self.strata is not None:
            told.append(f"{int(self.strata.max()) + 1} sampling strata")
        if self.adjustment is not None:
            told.append(str(self.adjustment))
        return "; ".join(told)

    @property
    def is_clustered(self) -> bool:
        """Whether subjects are in clusters."""
        return self.cluster is not None

    @property
    def is_plain(self) -> bool:
        """Whether every subject is independent, drawn from all alike, and stands for itself."""
        special = (self.cluster, self.weights, self.strata, self.nuisance, self.adjustment)
        return all(one is None for one in special)

    @property
    def components(self) -> str:
        """What the influence of subjects of independent units is called, in the words of a test."""
        if self.adjustment is not None:
            return "structural components of like with like"
        if self.weights is None and self.strata is None:
            return "DeLong's components"
        return "weighted structural components"

    @property
    def worth(self) -> tuple[float, float]:
        """How many positives and negatives of equal weight these are worth (Kish 1965)."""
        if self.weights is None:
            return self.n_pos, self.n_neg
        return kish_size(self.weights, self.positive), kish_size(self.weights, ~self.positive)

    def marker(self, name: str | None = None) -> int:
        """Return the row of a marker; without a name, the only one there is.

        Parameters
        ----------
        name : str, optional
            Name of the marker.

        Returns
        -------
        int
            Its row in `scores`.
        """
        if name is None:
            if len(self.markers) == 1:
                return 0
            raise InvalidOptionError(
                f"The sample has {len(self.markers)} markers ({listed(self.markers)}); "
                f"name one with {keyword('marker')}."
            )
        if not isinstance(name, str) or name not in self.markers:
            raise InvalidOptionError(
                f"The sample has no marker {name!r}; it has {listed(self.markers)}."
                f"{did_you_mean(name, self.markers)}"
            )
        return self.markers.index(name)

    def subset(self, keep: Bools) -> ScoredSample:
        """Return some of the subjects, by a mask; refuses a part that lacks a class.

        Parameters
        ----------
        keep : array of bool of shape (N,)
            Which subjects stay.

        Returns
        -------
        ScoredSample
            Those subjects.
        """
        positive = self.positive[keep]
        if positive.size == 0 or positive.all() or not positive.any():
            raise SingleClassError(
                f"A part of the sample has {np.count_nonzero(positive)} positives and "
                f"{np.count_nonzero(~positive)} negatives; both are needed."
            )
        codes, kept = self.cluster, ()
        if codes is not None:
            there, codes = np.unique(codes[keep], return_inverse=True)
            kept = tuple(self.cluster_ids[code] for code in there.tolist())
        return replace(
            self,
            positive=positive,
            scores=self.scores[:, keep],
            subject=None if self.subject is None else self.subject[keep],
            cluster=codes,
            cluster_ids=kept,
            weights=None if self.weights is None else self.weights[keep],
            strata=None
            if self.strata is None
            else np.unique(self.strata[keep], return_inverse=True)[1],
            nuisance=None if self.nuisance is None else self.nuisance.only(np.asarray(keep)),
            covariates={name: column[keep] for name, column in self.covariates.items()},
            adjustment=None if self.adjustment is None else self.adjustment.only(keep),
            dropped=Dropped(),
            kept=None,
        )

    def adjusted_for(self, names: str | Iterable[str]) -> ScoredSample:
        """Return the sample whose areas compare like with like, by some of its covariates.

        Parameters
        ----------
        names : str or iterable of str
            Covariates of the sample: words, or numbers of at most 20 distinct values, make strata;
            others a linear model of the scores of the negatives.

        Returns
        -------
        ScoredSample
            The same subjects, less strata that lack a class.
        """
        wanted = [names] if isinstance(names, str) else list(names)
        for name in wanted:
            if name not in self.covariates:
                raise InvalidOptionError(
                    f"{named('adjust_for')} names {name!r}, which is no covariate of the sample "
                    f"({listed(self.covariates) if self.covariates else 'it has none'}); keep it "
                    f"with {keyword('covariates')} when the sample is built."
                    f"{did_you_mean(name, self.covariates)}"
                )
        if not wanted:
            raise InvalidOptionError(f"{named('adjust_for')} is empty; name a covariate.")
        refuse_design(self)
        chosen = {name: self.covariates[name] for name in wanted}
        adjustment, keep = make_adjustment(chosen, self.positive)
        part = self if keep.all() else replace(self.subset(keep), dropped=self.dropped)
        return replace(part, adjustment=adjustment)

    def only(self, markers: int | str | Sequence[int | str]) -> ScoredSample:
        """Return the sample with some of its markers, in the order given.

        Parameters
        ----------
        markers : str, int, or several
            Names of the markers, or their rows.

        Returns
        -------
        ScoredSample
            The same subjects, and these markers.

        Examples
        --------
        >>> import rocstats as rs
        >>> rs.datasets.load_breast_cancer().only(["worst_area", "mean_radius"]).markers
        ('worst_area', 'mean_radius')
        """
        wanted = [markers] if isinstance(markers, int | str) else list(markers)
        rows = [self.marker(name) if not isinstance(name, int) else name for name in wanted]
        if not rows or len(set(rows)) < len(rows):
            raise InvalidOptionError(
                f"{named('markers')} must name markers of the sample, each once, got {markers!r}."
            )
        some = replace(
            self,
            scores=self.scores[rows],
            markers=tuple(self.markers[row] for row in rows),
            higher_is_positive=tuple(self.higher_is_positive[row] for row in rows),
        )
        return some if self._sorted is None else some._keeping(self._sorted.only(rows))

    def sorted_once(self) -> ScoredSample:
        """Return the same sample with a memory: each marker is sorted when first asked for.

        For an analysis of many steps; a sample of other subjects or scores made of it has none.
        """
        return replace(self)._keeping(SortedMarkers(tuple(range(len(self.markers)))))

    def _keeping(self, markers: SortedMarkers) -> ScoredSample:
        object.__setattr__(self, "_sorted", markers)
        return self

    def is_flipped(self, row: int) -> bool:
        """Return whether low scores of a marker speak for the positive class.

        Parameters
        ----------
        row : int
            Row of the marker.

        Returns
        -------
        bool
            True where low scores do.
        """
        return not self.higher_is_positive[row]

    def oriented(self, row: int) -> Floats:
        """Return a marker's scores so that higher speaks for the positive class.

        Parameters
        ----------
        row : int
            Row of the marker.

        Returns
        -------
        array of shape (N,)
            The scores, with the sign changed where low is positive.
        """
        scores: Floats = self.scores[row]
        return -scores if self.is_flipped(row) else scores

    def clusters_by_class(self) -> tuple[int, int] | None:
        """Return the clusters with a positive and with a negative; None where each is of one."""
        if self.cluster is None or len(self.cluster_ids) == self.positive.size:
            return None
        if self._clusters is None:
            classes = self.cluster[self.positive], self.cluster[~self.positive]
            pos, neg = (int(np.count_nonzero(np.bincount(codes))) for codes in classes)
            object.__setattr__(self, "_clusters", (pos, neg))
        return self._clusters

    def blocks(self, row: int, *, ordered: bool = False) -> Blocks:
        """Return a marker's scores sorted and gathered at ties.

        Parameters
        ----------
        row : int
            Row of the marker.
        ordered : bool, default False
            Whether to keep the order of the subjects too.

        Returns
        -------
        Blocks
            Distinct scores with the counts of both classes.
        """
        if self._sorted is not None:
            return self._sorted.get(row, lambda: self._sort(row, ordered=True))
        return self._sort(row, ordered=ordered)

    def _sort(self, row: int, *, ordered: bool) -> Blocks:
        return sort_into_blocks(
            self.oriented(row), self.positive, ordered=ordered, weights=self.weights
        )

    def __repr__(self) -> str:
        names = ", ".join(
            m if up else f"{m} (low is positive)"
            for m, up in zip(self.markers, self.higher_is_positive, strict=True)
        )
        return (
            f"ScoredSample: {self.n_pos} positives ({self.pos_label}), "
            f"{self.n_neg} negatives ({self.neg_label}); markers {names}; {self.dropped}"
            + (f"; {self.design}" if self.design else "")
        )


_DESIGNS = {
    "weights": "weights",
    "strata": "sampling strata",
    "nuisance": "subjects that were not verified",
    "adjustment": "an adjustment for covariates",
}
DESIGNS = tuple(_DESIGNS)  # all that an analysis may take of how subjects were sampled


def refuse_design(sample: ScoredSample, takes: Sequence[str] = ()) -> None:
    """Refuse a sample with weights, strata or unverified subjects that an analysis does not take.

    Nothing of a sample is ignored unsaid.
    """
    for name, words in reversed(_DESIGNS.items()):
        if name not in takes and getattr(sample, name) is not None:
            raise InvalidOptionError(
                f"The sample has {words}, which this analysis does not take; it would answer as "
                "if they were not there. "
                + (
                    "Estimates, comparisons, ROC curves, operating points and the bootstrap take "
                    "weights; frequencies are taken everywhere "
                    f"({keyword('weight_kind', 'frequency')})."
                    if name == "weights"
                    else "Take the estimates and comparisons of areas, which do."
                )
            )


def as_sample(
    y_true: Any,
    y_score: Any,
    *,
    takes: Sequence[str] = (),
    adjust_for: Any = None,
    **options: Any,
) -> ScoredSample:
    """Return `y_true` if it is a sample already, else build one of the arrays.

    Options that are None were not given and keep the defaults of `from_arrays`. A sample with
    weights, strata or unverified subjects is refused, but for those that the analysis `takes`.
    `adjust_for` names covariates of a sample, or is a column, or columns by name.
    """
    if adjust_for is None or isinstance(y_true, ScoredSample):
        sample = _as_sample(y_true, y_score, **options)
        sample = sample if adjust_for is None else sample.adjusted_for(adjust_for)
    else:
        columns = frame_columns(adjust_for)
        beside = {"covariate": adjust_for} if columns is None else dict(columns)
        sample = _as_sample(y_true, y_score, covariates=beside, **options).adjusted_for(beside)
    refuse_design(sample, takes)
    return sample


def _as_sample(y_true: Any, y_score: Any, **options: Any) -> ScoredSample:
    given = {name: value for name, value in options.items() if value is not None}
    if not isinstance(y_true, ScoredSample):
        if y_score is None:
            raise InvalidSampleError(
                f"{named('y_score')} is missing: give y_true and y_score, or a ScoredSample."
            )
        return ScoredSample.from_arrays(y_true, y_score, **given)
    extra = [*(["y_score"] if y_score is not None else []), *given]
    if extra:
        raise InvalidOptionError(
            f"{', '.join(map(named, extra))} cannot be given with a ScoredSample, which has fixed "
            "it already."
        )
    return y_true


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Rows:
    """The columns of a sample that is being built, row by row."""

    y: NDArray[Any]
    missing: Bools | None
    scores: Floats
    subject: NDArray[Any] | None
    cluster: NDArray[Any] | None
    strata: NDArray[Any] | None
    weights: Floats | None
    verified: Bools | None
    covariates: Mapping[str, NDArray[Any]]
    model: Mapping[str, NDArray[Any]]

    def take(self, rows: NDArray[Any]) -> _Rows:
        """Return some of the rows, by a mask, or by number as often as each stands there."""
        found: dict[str, Any] = {"scores": self.scores[:, rows]}
        for name in ("y", "missing", "subject", "cluster", "strata", "weights", "verified"):
            column = getattr(self, name)
            found[name] = None if column is None else column[rows]
        for name in ("covariates", "model"):
            found[name] = {key: column[rows] for key, column in getattr(self, name).items()}
        return _Rows(**found)


def _build(
    label: tuple[NDArray[Any], Bools | None],
    outcome: str,
    columns: dict[str, Floats],
    pos_label: Any,
    ids: dict[str, Any],
    orientation: Orientation,
    nan_policy: NanPolicy,
    design: _Design,
) -> ScoredSample:
    rows, repeated = _gather(label, outcome, columns, ids, design)
    missing = rows.missing if rows.missing is not None and rows.missing.any() else None
    kept, dropped = complete_rows(outcome, missing, tuple(columns), rows.scores, nan_policy)
    weightless = 0
    if rows.weights is not None and not rows.weights.all():
        counts = rows.weights > 0.0
        weightless = int(np.count_nonzero(~counts))
        kept = counts if kept is None else kept & counts
    if kept is not None:
        rows = rows.take(kept)
    _check_pos_label(pos_label)
    weights, nuisance = rows.weights, None
    if rows.verified is not None and not rows.verified.all():
        everyone = None if rows.cluster is None else coded_ids(rows.cluster)[0]
        weights, nuisance = weigh_verified(rows.verified, rows.model, everyone)
        kept = _both(kept, rows.verified)
        rows = rows.take(rows.verified)
    positive, neg_label = classes_left(rows.y, outcome, pos_label, dropped)
    if rows.subject is not None and rows.cluster is None:
        _warn_of_repeats(rows.subject)
    codes, cluster_ids = (None, ()) if rows.cluster is None else coded_ids(rows.cluster)
    strata = None if rows.strata is None else _stratum_codes(rows.strata, codes)
    if weights is not None and nuisance is None and (weights == weights[0]).all():
        weights = None
    if weights is not None:
        warn_if_concentrated(weights, positive)
    for array in (positive, rows.scores, rows.subject, kept, weights):
        if array is not None:
            array.flags.writeable = False
    return ScoredSample(
        positive=positive,
        scores=rows.scores,
        markers=tuple(columns),
        higher_is_positive=read_orientation(orientation, tuple(columns)),
        pos_label=rows.y[positive.argmax() :][:1].tolist()[0],
        neg_label=neg_label,
        subject=rows.subject,
        cluster=codes,
        cluster_ids=cluster_ids,
        weights=weights,
        strata=strata,
        nuisance=nuisance,
        covariates=rows.covariates,
        weightless=weightless,
        dropped=dropped,
        kept=None if repeated else kept,
    )


def _gather(
    label: tuple[NDArray[Any], Bools | None],
    outcome: str,
    columns: dict[str, Floats],
    ids: dict[str, Any],
    design: _Design,
) -> tuple[_Rows, bool]:
    """Return all columns, each of as many rows, and whether rows were repeated."""
    y, missing = label
    _check_lengths(outcome, y.size, columns)
    subject, cluster, strata = (
        None if v is None else id_column(v, y.size, k) for k, v in ids.items()
    )
    if y.size == 0:
        raise InvalidSampleError("The sample is empty: there is no subject.")
    count, weights = take_weights(design.weights, design.weight_kind, y.size)
    verified = None if design.verified is None else verified_column(design.verified, y.size)
    if verified is not None and (weights is not None or strata is not None):
        raise InvalidOptionError(
            f"{named('verified')} cannot be given with probability {named('weights')} or "
            f"{named('strata')}; frequencies and clusters can."
        )
    rows = _Rows(
        y=y,
        missing=missing if verified is None or missing is None else missing & verified,
        scores=np.array([*columns.values()]),
        subject=subject,
        cluster=cluster if cluster is None or strata is None else _within_strata(cluster, strata),
        strata=strata,
        weights=weights,
        verified=verified,
        covariates={name: _beside(v, name, y.size) for name, v in design.covariates.items()},
        model={name: _beside(v, name, y.size) for name, v in (design.model or {}).items()},
    )
    if count is None:
        return rows, False
    if subject is not None and count.max() > 1:
        raise InvalidSampleError(
            f"A row of frequency {int(count.max())} is several subjects and cannot have one id; "
            f"leave out {named('subject')}."
        )
    return rows.take(np.repeat(np.arange(y.size), count)), True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Design:
    """What was given of how the subjects were sampled and verified, as it came."""

    weights: Any
    weight_kind: WeightKind | None
    verified: Any
    model: Mapping[str, Any] | None
    covariates: Mapping[str, Any]


def _check_model(verified: Any, model: Any) -> None:
    if verified is None and model is not None:
        raise InvalidOptionError(
            f"{named('verification_model')} says what verification depends on; say who was "
            f"verified with {keyword('verified')}."
        )


def _beside(values: Any, name: str, n: int) -> NDArray[Any]:
    """Return a column that stands beside the markers."""
    column = label_column(values, name)[0]
    if column.size != n:
        raise InvalidSampleError(
            f"There are {n} subjects but {column.size} values of {name}; they must be as many."
        )
    return column


def _within_strata(cluster: NDArray[Any], strata: NDArray[Any]) -> NDArray[Any]:
    """Return clusters of one name in two strata as two: each is drawn within its stratum."""
    codes, pairs = crossed_ids([strata, cluster])
    ids = np.empty(len(pairs), dtype=object)
    ids[:] = pairs
    return ids[codes]


def _stratum_codes(strata: NDArray[Any], cluster: NDArray[np.intp] | None) -> NDArray[np.intp]:
    """Return the codes of the strata; refuses one of a single unit, within which nothing varies."""
    stratum, ids = coded_ids(strata)
    units = stratum if cluster is None else np.unique(np.stack([stratum, cluster]), axis=1)[0]
    sizes = np.bincount(units, minlength=len(ids))
    if sizes.min() < 2:
        raise InvalidSampleError(
            f"The stratum {ids[int(sizes.argmin())]} has one "
            f"{'subject' if cluster is None else 'cluster'} only, so that its variance is not "
            f"known; merge it with another of {named('strata')}."
        )
    return stratum


def _both(kept: Bools | None, verified: Bools) -> Bools:
    """Return which rows of all are kept and verified."""
    if kept is None:
        return verified
    found = kept.copy()
    found[kept] = verified
    return found


def _of_positive_class(sample: ScoredSample, *, named: bool) -> ScoredSample:
    """Return one marker, P(positive), for a model's probabilities of both classes.

    Columns are in the order of the sorted labels, as those of ``predict_proba``. Two markers that
    were named are two, unless their names are the labels.
    """
    if named or not adds_to_one(sample.scores):
        return sample
    labels = (str(sample.neg_label), str(sample.pos_label))
    if {*sample.markers} == {*labels}:
        row = sample.markers.index(labels[1])
    elif sample.markers == ("score_1", "score_2"):
        row = int(_sorts_last(sample.pos_label, sample.neg_label))
    else:
        return sample
    return replace(sample.only(row), markers=(f"P({sample.pos_label})",))


def _sorts_last(label: Any, other: Any) -> bool:
    try:
        return bool(label > other)
    except TypeError:
        return str(label) > str(other)


def _check_lengths(outcome: str, n: int, columns: Mapping[str, Floats]) -> None:
    for name, column in columns.items():
        if column.size != n:
            raise InvalidSampleError(
                f"{outcome} has {n} values but {name} has {column.size}; they must be as many."
            )


def complete_rows(
    outcome: str,
    y_missing: Bools | None,
    markers: tuple[str, ...],
    scores: Floats,
    nan_policy: NanPolicy,
) -> tuple[Bools | None, Dropped]:
    """Return the rows without a missing value, None where that is all, and what the others lack."""
    if y_missing is None and not np.isnan(scores.min()):
        return None, Dropped()
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


def _check_pos_label(pos_label: Any) -> None:
    several = isinstance(pos_label, (list, tuple, set, dict))
    if several or (isinstance(pos_label, np.ndarray) and pos_label.ndim > 0):
        raise InvalidOptionError(f"{named('pos_label')} must be one label, got {shown(pos_label)}.")


def classes_left(
    y: NDArray[Any], outcome: str, pos_label: Any, dropped: Dropped
) -> tuple[Bools, Any]:
    """Return what `_classes` does; where a class is gone, say who was dropped."""
    try:
        return _classes(y, outcome, pos_label)
    except SingleClassError as reason:
        if not dropped.n:
            raise
        raise SingleClassError(
            f"{reason.sentence.marked.removesuffix('.')}, with {dropped}."
        ) from None


def _warn_of_repeats(subject: NDArray[Any]) -> None:
    repeats = subject.size - len(set(subject.tolist()))
    if repeats:
        warn_user(
            f"Subject ids repeat ({repeats} more rows than subjects), but rows are taken as "
            f"independent; name their clusters with {keyword('cluster')} if those of a subject "
            "depend.",
            RepeatedSubjectWarning,
        )


# Columns by whose names alone readers, and what they read, are known.
_READERS = frozenset(("reader", "reader_id", "rater", "rater_id", "radiologist", "observer"))
_READ = frozenset(("case", "case_id", "caseid", "patient", "patient_id", "subject", "image", "id"))


def _warn_of_readers(columns: Mapping[str, Any], used: set[str], subject: str | None) -> None:
    """Warn where several readers rated the same cases, and their ratings are taken as one marker's.

    Only columns that say so by their names are looked at: a reader, and a case that repeats.
    """
    named_so = [name for name in columns if name.casefold() in _READERS and name not in used]
    read = [name for name in columns if name == subject or name.casefold() in _READ]
    for reader in named_so:
        try:
            who = coded_ids(np.asarray(columns[reader]))[0]
            cases = [coded_ids(np.asarray(columns[name]))[0] for name in read if name not in used]
        except (TypeError, ValueError):
            return
        if who.size and who.max() > 0 and any(_is_shared(who, case) for case in cases):
            warn_user(
                f"The data have a column {reader!r} of {int(who.max()) + 1} readers who rated the "
                "same cases; pooled ratings are taken as independent, which they are not: analyse "
                "them with rs.ReaderStudy.from_frame and rs.compare_readers (rocstats readers).",
                PooledReadersWarning,
            )
            return


def _is_shared(reader: NDArray[np.intp], case: NDArray[np.intp]) -> bool:
    """Return whether some case has several readers."""
    if reader.size != case.size:
        return False
    pairs = np.unique(np.stack([case, reader]), axis=1)
    return bool(np.bincount(pairs[0]).max() > 1)


def _classes(y: NDArray[Any], outcome: str, pos_label: Any) -> tuple[Bools, Any]:
    """Return which subjects are positive, and the label of the others."""
    if pos_label is None:
        positive, other = _classes(y, outcome, 1)
        check_one_is_positive(outcome, [1, other])
        return positive, other
    if y.dtype.kind in "biuf":
        return _numeric_classes(y, outcome, pos_label)
    try:
        levels = set(y.tolist())
    except TypeError:
        raise InvalidSampleError(f"{outcome} holds labels that cannot be compared.") from None
    others = [level for level in levels if level != pos_label]
    _check_classes(sorted(levels, key=repr), len(others), outcome, pos_label)
    return np.asarray(y == pos_label, dtype=np.bool_), others[0]


def _numeric_classes(y: NDArray[Any], outcome: str, pos_label: Any) -> tuple[Bools, Any]:
    low, high = y.min(), y.max()
    known = isinstance(pos_label, (bool, int, float, np.number, np.bool_))
    exact = _in_kind(pos_label, y.dtype) if known else None
    known, pos_label = exact is not None, pos_label if exact is None else exact
    positive = np.asarray(y == pos_label) if known else np.zeros(y.size, dtype=np.bool_)
    other = low if known and high == pos_label else high
    if not (
        known
        and low != high
        and pos_label in (low, high)
        and np.count_nonzero(positive) + np.count_nonzero(y == other) == y.size
    ):
        levels = np.unique(y).tolist()
        others = [level for level in levels if not (known and level == pos_label)]
        _check_classes(levels, len(others), outcome, pos_label)
    return positive, other.item()


def _in_kind(label: Any, dtype: np.dtype[Any]) -> Any:
    """Return a label as such a number, or None if it is none: numpy would compare rounded ones."""
    if (dtype.kind == "f") == isinstance(label, (float, np.floating)):
        return label
    try:
        same = dtype.type(label)
    except (OverflowError, TypeError, ValueError):
        return None
    return same if same.item() == label else None


def _check_classes(levels: list[Any], others: int, outcome: str, pos_label: Any) -> None:
    if len(levels) > 2:
        raise InvalidSampleError(
            f"{outcome} must have two classes, got {len(levels)} ({listed(map(shown, levels))}); "
            f"keep two of them (or are {named('y_true')} and {named('y_score')} swapped?)."
        )
    if others == len(levels) and len(levels) == 2:
        raise InvalidSampleError(
            f"{named('pos_label')} {shown(pos_label)} is not among the labels of {outcome} "
            f"({listed(map(shown, levels))}); "
            f"name the positive class with {keyword('pos_label')}."
        )
    if len(levels) == 1:
        raise SingleClassError(
            f"{outcome} has one class only ({shown(levels[0])}); "
            "positives and negatives are needed."
        )


def read_orientation(orientation: Orientation | None, markers: tuple[str, ...]) -> tuple[bool, ...]:
    """Return for each marker whether high scores speak for the positive class."""
    if orientation is None:
        orientation = True
    if isinstance(orientation, (bool, np.bool_)):
        return (bool(orientation),) * len(markers)
    if isinstance(orientation, Mapping):
        for name in orientation:
            if name not in markers:
                raise InvalidOptionError(
                    f"{named('higher_is_positive')} names {name!r}, which is no marker of the "
                    f"sample ({listed(markers)}).{did_you_mean(name, markers)}"
                )
        flags: list[Any] = [orientation.get(name, True) for name in markers]
    else:
        flags = list(orientation) if isinstance(orientation, Iterable) else []
    if len(flags) != len(markers) or not all(isinstance(f, (bool, np.bool_)) for f in flags):
        raise InvalidOptionError(
            f"{named('higher_is_positive')} must be True, False, or one of them for each marker, "
            f"got {orientation!r}."
        )
    return tuple(bool(f) for f in flags)
