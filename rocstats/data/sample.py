"""ScoredSample: labels, markers and how the subjects were sampled, validated once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from rocstats.arrays import Bools, Floats
from rocstats.data.adjustment import Adjustment, make_adjustment
from rocstats.data.blocks import Blocks, sort_into_blocks
from rocstats.data.columns import frame_columns
from rocstats.data.marker_direction import Orientation, read_orientation
from rocstats.data.sample_account import (
    NOBODY,
    Account,
    Dropped,
    NanPolicy,
    complete_rows,
    joint_account,
)
from rocstats.data.sorted_markers import SortedMarkers
from rocstats.data.subject_weights import Nuisance, WeightKind, kish_size
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    Polite,
    SingleClassError,
    check_option,
    did_you_mean,
    keyword,
    listed,
    named,
    shown,
)

__all__ = [
    "DESIGNS",
    "Account",
    "Dropped",
    "NanPolicy",
    "Orientation",
    "ScoredSample",
    "as_sample",
    "complete_rows",
    "joint_account",
    "read_orientation",
    "refuse_design",
]


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
    dropped: Dropped = NOBODY
    kept: Bools | None = None
    keeps_rows: ClassVar = True  # a table keeps counts alone
    _has_scores: ClassVar = True  # so that none follow it in a call
    _sorted: SortedMarkers | None = field(default=None, init=False, repr=False)  # not of a copy
    _n_pos: int | None = field(default=None, init=False, repr=False)  # on first use
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
        given = _building().given_arrays(
            y_true,
            y_score,
            ids={"subject": subject, "cluster": cluster, "strata": strata},
            weights=weights,
            weight_kind=weight_kind,
            verified=verified,
            verification_model=verification_model,
            covariates=covariates,
        )
        return cls(**_building().checked_fields(given, pos_label, higher_is_positive, nan_policy))

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
        given = _building().given_frame(
            frame,
            outcome,
            markers,
            ids={"subject": subject, "cluster": cluster, "strata": strata},
            weights=weights,
            weight_kind=weight_kind,
            verified=verified,
            verification_model=verification_model,
            covariates=covariates,
        )
        return cls(**_building().checked_fields(given, pos_label, higher_is_positive, nan_policy))

    @property
    def n_pos(self) -> int:
        if self._n_pos is None:
            object.__setattr__(self, "_n_pos", int(np.count_nonzero(self.positive)))
        return cast("int", self._n_pos)

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
        alike = self.weights is None and self.nuisance is None and self.adjustment is None
        return alike and self.cluster is None and self.strata is None

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

    def covariate(self, name: str, option: str = "covariates") -> NDArray[Any]:
        """Return a covariate by its name, or refuse a name that is none.

        Parameters
        ----------
        name : str
            Name of the covariate.
        option : str, default "covariates"
            Which option of an analysis named it.

        Returns
        -------
        array of shape (N,)
            Its values.
        """
        if name not in self.covariates:
            raise InvalidOptionError(
                f"{named(option)} names {name!r}, which is no covariate of the sample "
                f"({listed(self.covariates) if self.covariates else 'it has none'}); keep it "
                f"with {keyword('covariates')} when the sample is built."
                f"{did_you_mean(name, self.covariates)}"
            )
        return self.covariates[name]

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
        chosen = {name: self.covariate(name, "adjust_for") for name in wanted}
        if not wanted:
            raise InvalidOptionError(f"{named('adjust_for')} is empty; name a covariate.")
        adjustment, keep = make_adjustment(chosen, self.positive)
        takes = ("weights",) if adjustment.design is None else ()
        for name, words in _DESIGNS.items():
            if name not in takes and getattr(self, name) is not None:
                raise InvalidOptionError(
                    f"{named('adjust_for')} takes probability weights with strata of a covariate, "
                    f"and nothing else that says how rows were drawn; the sample has {words}. "
                    "Leave out one of them, or adjust for groups of the covariate."
                )
        part = self if keep.all() else replace(self.subset(keep), dropped=self.dropped)
        return replace(part, adjustment=replace(adjustment, weights=part.weights))

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
        return self._oriented(row)

    def _oriented(self, row: int) -> Floats:
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

    def check_edges(self, row: int, thresholds: Floats) -> None:
        """Refuse a threshold within a bin of scores; a sample has none.

        Parameters
        ----------
        row : int
            Row of the marker.
        thresholds : array
            As they were given.
        """

    def bin_ends(self, row: int) -> Floats | None:
        """Return None: a sample counts every distinct score.

        Parameters
        ----------
        row : int
            Row of the marker.

        Returns
        -------
        None
            Only a table may count scores in bins.
        """
        return None

    def unsorted(self, row: int) -> Floats | None:
        """Return `oriented` scores, or None where the sample keeps them sorted, or counts alone.

        Parameters
        ----------
        row : int
            Row of the marker.

        Returns
        -------
        array of shape (N,) or None
            The scores, for whoever can do without a sort.
        """
        if not self.keeps_rows or self._sorted is not None:
            return None
        return self._oriented(row)

    def area_of(self, row: int) -> tuple[float, float, float] | None:
        """Return None: the AUC of rows in memory is worked out.

        Parameters
        ----------
        row : int
            Row of the marker.

        Returns
        -------
        None
            Only a table may know it of its workers.
        """
        return None

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


@cache
def _building() -> Any:
    """Return what builds a sample, which is loaded with the first one."""
    from rocstats.data import sample_fields

    return sample_fields


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
                    "Estimates, comparisons, ROC curves, operating points, the bootstrap and the "
                    "report take weights; frequencies are taken everywhere "
                    f"({keyword('weight_kind', 'frequency')})."
                    if name == "weights"
                    else "Take the estimates and comparisons of areas, which do."
                )
            )


def _no_data(y_true: Any, y_score: Any) -> InvalidSampleError:
    """Return the refusal of a result that was given where data are expected."""
    name, given = ("y_true", y_true) if isinstance(y_true, Polite) else ("y_score", y_score)
    both = isinstance(y_true, Polite) and isinstance(y_score, Polite)
    apart = "; estimates of different subjects go to rs.compare_independent" if both else ""
    return InvalidSampleError(
        f"{named(name)} must be data, got a result ({type(given).__name__}); give labels and "
        f"scores, of several markers by name, or a ScoredSample{apart}."
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
    given = {name: value for name, value in options.items() if value is not None}
    if isinstance(y_true, ScoredSample):
        extra = [*(["y_score"] if y_score is not None else []), *given]
        if extra:
            raise InvalidOptionError(
                f"{', '.join(map(named, extra))} cannot be given with a ScoredSample, which has "
                "fixed it already."
            )
        sample = y_true
    elif isinstance(y_true, Polite) or isinstance(y_score, Polite):
        raise _no_data(y_true, y_score)
    elif isinstance(y_score, str):
        raise InvalidSampleError(
            f"{named('y_score')} must be scores, got the text {shown(y_score)}; columns of a frame "
            "make a sample by their names: rs.ScoredSample.from_frame(frame, outcome, markers)."
        )
    elif y_score is None:
        raise InvalidSampleError(
            f"{named('y_score')} is missing: give y_true and y_score, or a ScoredSample."
        )
    else:
        if adjust_for is not None:
            columns = frame_columns(adjust_for)
            adjust_for = {"covariate": adjust_for} if columns is None else dict(columns)
            given["covariates"] = adjust_for
        sample = ScoredSample.from_arrays(y_true, y_score, **given)
    if adjust_for is not None:
        sample = sample.adjusted_for(adjust_for)
    refuse_design(sample, takes)
    return sample
