"""ReaderStudy: readings of cases by readers in tests, validated once; its design and counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocstats.data.columns import frame_columns, id_column
from rocstats.data.sample import Account, ScoredSample
from rocstats.errors import (
    InvalidOptionError,
    InvalidSampleError,
    SingleClassError,
    did_you_mean,
    listed,
    named,
)
from rocstats.readers.study_designs import Design, find_design
from rocstats.tables import Answer, Statement, by_number, counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocstats.arrays import Bools, Floats
    from rocstats.curves.averaging import AverageCurve
    from rocstats.curves.roc_set import RocCurves

__all__ = ["ReaderStudy"]

Codes = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ReaderStudy(Answer):
    """Cases with a true class, rated by several readers in one or more tests.

    Build it with `from_frame`, which checks everything, once.

    Attributes
    ----------
    tests : tuple of str
        Names of the t tests (modalities, treatments), sorted.
    readers : tuple of str
        Names of the r readers, sorted.
    case : array of shape (N,)
        Ids of the cases.
    positive : array of bool of shape (N,)
        The true class of every case.
    ratings : array of shape (t, r, N)
        The ratings as they were given; nan where the reader did not read the case in the test.
    higher_is_positive : bool
        False where low ratings speak for the positive class.
    pos_label, neg_label : label
        The labels as they were given.
    cluster : array of int of shape (N,) or None
        Code of the cluster (patient, say) every case (lesion) is in.
    n_blank : int
        Rows without a rating, which count as not read.

    See Also
    --------
    compare_readers : Compare the tests of a reader study.
    compare_to_readers : Compare a stand-alone AI with readers.
    """

    tests: tuple[str, ...]
    readers: tuple[str, ...]
    case: NDArray[Any]
    positive: Bools
    ratings: Floats
    higher_is_positive: bool = True
    pos_label: Any
    neg_label: Any
    cluster: Codes | None = None
    n_blank: int = 0

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        test: str,
        reader: str,
        case: str,
        outcome: str,
        rating: str,
        pos_label: Any = None,
        cluster: str | None = None,
        higher_is_positive: bool = True,
    ) -> ReaderStudy:
        """Build a study of long data, with one row for each reading.

        Parameters
        ----------
        frame : data frame or mapping
            The columns, of pandas, polars, pyarrow, or by name.
        test : str
            The column of the tests that are compared (modality, aided or not).
        reader : str
            The column of the readers; the same reader has the same id in every test.
        case : str
            The column of the cases; the same case has the same id wherever it was read.
        outcome : str
            The column of the truth, of two classes.
        rating : str
            The column of the ratings; a missing one is a case that was not read.
        pos_label : label, default 1 beside 0 or -1
            The label of the positive class.
        cluster : str, optional
            The column of clusters of dependent cases (the patient of a lesion).
        higher_is_positive : bool, default True
            False where low ratings speak for the positive class.

        Returns
        -------
        ReaderStudy
            The study, checked, with its design recognised.

        See Also
        --------
        compare_readers : Compare the tests of a reader study.

        Examples
        --------
        >>> import rocstats as rs
        >>> frame = {"m": ["a", "a", "a", "a"] * 2, "who": [1] * 4 + [2] * 4,
        ...          "id": [1, 2, 3, 4] * 2, "ill": [1, 1, 0, 0] * 2, "score": [4, 3, 3, 1] * 2}
        >>> rs.ReaderStudy.from_frame(
        ...     frame, test="m", reader="who", case="id", outcome="ill", rating="score")
        Reader study, factorial: every reader read every case in every test
        1 test (a), 2 readers, 4 cases (2 positive, 2 negative), 8 readings
        positive class 1, negative class 0
        """
        names = {"test": test, "reader": reader, "case": case, "outcome": outcome}
        names |= {"rating": rating} | ({} if cluster is None else {"cluster": cluster})
        columns = _columns(frame, names)
        sample = ScoredSample.from_frame(
            {name: columns[name] for name in (str(outcome), str(rating))},
            outcome=str(outcome),
            markers=str(rating),
            pos_label=pos_label,
            higher_is_positive=bool(higher_is_positive),
            nan_policy="omit",
        )
        blank = dict(sample.dropped.missing)
        if str(outcome) in blank:
            raise InvalidSampleError(
                f"{outcome} is missing in {counted(blank[str(outcome)], 'row')}; every case needs "
                "its true class."
            )
        size = sample.positive.size + sample.dropped.n
        kept = np.ones(size, dtype=np.bool_) if sample.kept is None else sample.kept
        tests, test_code = _named_levels(columns[str(test)], kept, "test")
        readers, reader_code = _named_levels(columns[str(reader)], kept, "reader")
        cases, case_code = _levels(columns[str(case)], kept, "case")
        positive = _truth(cases, case_code, sample.positive)
        ratings = np.full((len(tests), len(readers), len(cases)), np.nan)
        at = (test_code, reader_code, case_code)
        _check_once(tests, readers, cases, at, ratings.shape)
        ratings[at] = sample.scores[0]
        codes = None
        if cluster is not None:
            codes = _clusters(cases, case_code, columns[str(cluster)], kept)
        for array in (positive, ratings):
            array.flags.writeable = False
        study = cls(
            tests=tests,
            readers=readers,
            case=np.array(cases, dtype=object),
            positive=positive,
            ratings=ratings,
            higher_is_positive=sample.higher_is_positive[0],
            pos_label=sample.pos_label,
            neg_label=sample.neg_label,
            cluster=codes,
            n_blank=sample.dropped.n,
        )
        study._check_classes()
        return study

    @property
    def read(self) -> Bools:
        """Which test, reader and case has a reading, of shape (t, r, N)."""
        found: Bools = ~np.isnan(self.ratings)
        return found

    @property
    def cells(self) -> list[tuple[int, int]]:
        """The pairs of a test and a reader that have readings, test by test."""
        there = self.read.any(axis=2)
        return [(i, j) for i, j in zip(*np.nonzero(there), strict=True)]

    @property
    def design(self) -> Design:
        """How tests, readers and cases were put together."""
        return find_design(self.read)

    @property
    def n_pos(self) -> int:
        return int(np.count_nonzero(self.positive))

    @property
    def n_neg(self) -> int:
        return self.positive.size - self.n_pos

    @property
    def account(self) -> Account:
        """Which class is positive."""
        return Account(pos_label=self.pos_label, neg_label=self.neg_label)

    def sample(self, test: str, reader: str) -> ScoredSample:
        """Return what one reader read in one test, as a sample of its own.

        Parameters
        ----------
        test : str
            Name of the test.
        reader : str
            Name of the reader, which names the marker.

        Returns
        -------
        ScoredSample
            The cases that were read.
        """
        i, j = self.find(test, "test"), self.find(reader, "reader")
        there = self.read[i, j]
        if not there.any():
            raise InvalidOptionError(f"Reader {reader} read no case in test {test}.")
        return self._sample(there, {str(reader): self.ratings[i, j, there]})

    def _sample(self, there: Bools, scores: Mapping[str, Floats]) -> ScoredSample:
        return ScoredSample.from_arrays(
            self.positive[there],
            dict(scores),
            pos_label=True,
            subject=np.flatnonzero(there),
            cluster=None if self.cluster is None else self.cluster[there],
            higher_is_positive=self.higher_is_positive,
        )

    def find(self, name: Any, kind: str) -> int:
        """Return the place of a test or a reader among the others.

        Parameters
        ----------
        name : str
            Its name.
        kind : {"test", "reader"}
            What it is.

        Returns
        -------
        int
            Its place.
        """
        names = self.tests if kind == "test" else self.readers
        if str(name) not in names:
            raise InvalidOptionError(
                f"The study has no {kind} {name!r}; it has {listed(names)}."
                f"{did_you_mean(name, names)}"
            )
        return names.index(str(name))

    def part(self, tests: list[int], readers: list[int]) -> ReaderStudy:
        """Return some tests and readers of the study, by their places, with the cases they read.

        Parameters
        ----------
        tests, readers : list of int
            Those that are kept.

        Returns
        -------
        ReaderStudy
            That part.
        """
        ratings = self.ratings[np.ix_(tests, readers)]
        there: Bools = ~np.isnan(ratings).all(axis=(0, 1))  # type: ignore[assignment]
        return replace(
            self._of_cases(there),
            tests=tuple(self.tests[i] for i in tests),
            readers=tuple(self.readers[j] for j in readers),
            ratings=ratings[:, :, there],
        )

    def complete_cases(self) -> ReaderStudy:
        """Return the study on those cases that every reader read wherever that reader read.

        Returns
        -------
        ReaderStudy
            The study without the other cases.
        """
        there = self.read
        cells = there.any(axis=2)
        whole: Bools = there[cells].all(axis=0)  # type: ignore[assignment]
        if not whole.any() or len({*self.positive[whole].tolist()}) < 2:
            raise InvalidSampleError(
                "No positive and negative case was read by every reader in every test, so there "
                "are no complete cases of both classes."
            )
        return self._of_cases(whole)

    def _of_cases(self, there: Bools) -> ReaderStudy:
        codes = self.cluster
        if codes is not None:
            codes = np.unique(codes[there], return_inverse=True)[1]
        return replace(
            self,
            case=self.case[there],
            positive=self.positive[there],
            ratings=self.ratings[:, :, there],
            cluster=codes,
        )

    def statement(self) -> Statement:
        """Return the design, and a row for each test and reader with its counts."""
        rows = self.counts()
        design, read = self.design, self.read
        whole = len(self.tests) * len(self.readers) * self.positive.size
        n_read = int(np.count_nonzero(read))
        notes = [f"{counted(self.n_blank, 'row')} without a rating: not read"] * bool(self.n_blank)
        if design.name == "missing readings":
            notes.append(f"{whole - n_read} of {whole} readings are not there; counts by reader:")
        if self.cluster is not None:
            notes.append(f"{int(self.cluster.max()) + 1} clusters of cases")
        head = (
            f"Reader study, {design.name}: {design.words}\n"
            f"{counted(len(self.tests), 'test')} ({listed(self.tests)}), "
            f"{counted(len(self.readers), 'reader')}, {counted(self.positive.size, 'case')} "
            f"({self.n_pos} positive, {self.n_neg} negative), {counted(n_read, 'reading')}"
        )
        parts = []
        if design.name == "missing readings":
            parts = [Statement(rows=rows, shown=tuple(rows[0]))]
        return Statement(
            head=head,
            rows=rows,
            notes=notes,
            parts=parts,
            content={
                "design": design.name,
                "tests": self.tests,
                "readers": self.readers,
                "n_cases": self.positive.size,
                "n_pos": self.n_pos,
                "n_neg": self.n_neg,
                "n_readings": n_read,
                "n_blank": self.n_blank,
                "n_clusters": None if self.cluster is None else int(self.cluster.max()) + 1,
                "counts": rows,
            },
        )

    def counts(self) -> list[dict[str, Any]]:
        """Return how many cases each reader read in each test.

        Returns
        -------
        list of dict
            A row for each test and reader.
        """
        read = self.read
        return [
            {
                "test": self.tests[i],
                "reader": self.readers[j],
                "n_pos": int(np.count_nonzero(read[i, j] & self.positive)),
                "n_neg": int(np.count_nonzero(read[i, j] & ~self.positive)),
            }
            for i, j in self.cells
        ]

    def plot(self, ax: Axes | None = None, *, method: str = "vertical") -> Axes:
        """Draw every reader's ROC curve, thin, and the mean curve of each test.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Axes to draw on; by default those of a new figure of pyplot.
        method : {"vertical", "binormal"}, default "vertical"
            How the curves are averaged, as `mean_curve` has it.

        Returns
        -------
        matplotlib.axes.Axes
            The axes drawn on.
        """
        from rocstats.readers.reader_curves import draw_study

        return draw_study(self, ax, method)

    def curves(self, test: str) -> RocCurves:
        """Return every reader's ROC curve in one test.

        Parameters
        ----------
        test : str
            Name of the test.

        Returns
        -------
        RocCurves
            A curve for each reader who read in the test.
        """
        from rocstats.readers.reader_curves import reader_curves

        return reader_curves(self, test)

    def mean_curve(self, test: str, *, method: str = "vertical") -> AverageCurve:
        """Return the mean over readers of the ROC curves of one test.

        The intervals are over readers, with the cases as they are.

        Parameters
        ----------
        test : str
            Name of the test.
        method : {"vertical", "binormal"}, default "vertical"
            "vertical" is the mean sensitivity at every false positive rate; "binormal" the curve
            of the readers' mean binormal parameters.

        Returns
        -------
        AverageCurve
            The mean curve.
        """
        from rocstats.readers.reader_curves import mean_curve

        return mean_curve(self, test, method)

    def _check_classes(self) -> None:
        for row in self.counts():
            if not (row["n_pos"] and row["n_neg"]):
                lacks = "negative" if row["n_pos"] else "positive"
                raise SingleClassError(
                    f"Reader {row['reader']} read no {lacks} case in test {row['test']}; every "
                    "reader needs both classes in every test they read in."
                )


def _columns(frame: Any, names: Mapping[str, Any]) -> Mapping[str, Any]:
    columns = frame_columns(frame)
    if columns is None:
        raise InvalidSampleError(
            f"A data frame or a mapping of columns was expected, got {type(frame).__name__}."
        )
    for kind, name in names.items():
        if str(name) not in columns:
            raise InvalidSampleError(
                f"The data have no column {name!r} for {named(kind)}; "
                f"they have {listed(columns)}.{did_you_mean(name, columns)}"
            )
    seen: dict[str, str] = {}
    for kind, name in names.items():
        if str(name) in seen and {kind, seen[str(name)]} != {"case", "cluster"}:
            raise InvalidSampleError(
                f"The column {name!r} is given both as {named(seen[str(name)])} and as "
                f"{named(kind)}; they are different things."
            )
        seen[str(name)] = kind
    return columns


def _levels(values: Any, kept: Bools, kind: str) -> tuple[list[Any], Codes]:
    """Return the distinct ids as they come, and the code of every row."""
    ids = id_column(values, kept.size, kind)[kept].tolist()
    try:
        place = {one: code for code, one in enumerate(dict.fromkeys(ids))}
    except TypeError:
        raise InvalidSampleError(f"Some {kind} ids cannot be compared; make them words.") from None
    return list(place), np.fromiter((place[one] for one in ids), dtype=np.intp, count=len(ids))


def _named_levels(values: Any, kept: Bools, kind: str) -> tuple[tuple[str, ...], Codes]:
    levels, codes = _levels(values, kept, kind)
    names = [str(level) for level in levels]
    if len({*names}) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidSampleError(
            f"The {kind} {twice} is there as a number and as a word; make the ids of one kind."
        )
    order = sorted(range(len(names)), key=lambda k: by_number(names[k]))
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    return tuple(names[k] for k in order), place[codes]


def _truth(cases: list[Any], code: Codes, positive: Bools) -> Bools:
    """Return the true class of every case, or refuse one with two."""
    truth = np.zeros(len(cases), dtype=np.bool_)
    truth[code] = positive
    (clash,) = np.nonzero(truth[code] != positive)
    if clash.size:
        raise InvalidSampleError(
            f"Case {cases[code[clash[0]]]} is positive in one row and negative in another; a case "
            "must have one true class (or do different cases share an id?)."
        )
    return truth


def _clusters(cases: list[Any], code: Codes, values: Any, kept: Bools) -> Codes:
    ids, of_row = _levels(values, kept, "cluster")
    of_case = np.zeros(len(cases), dtype=np.intp)
    of_case[code] = of_row
    (clash,) = np.nonzero(of_case[code] != of_row)
    if clash.size:
        at = int(clash[0])
        raise InvalidSampleError(
            f"Case {cases[code[at]]} is in the clusters {ids[of_row[at]]} and "
            f"{ids[of_case[code[at]]]}; a case must be in one cluster."
        )
    return of_case


def _check_once(
    tests: tuple[str, ...],
    readers: tuple[str, ...],
    cases: list[Any],
    at: tuple[Codes, Codes, Codes],
    shape: tuple[int, ...],
) -> None:
    flat = np.ravel_multi_index(at, shape)
    order = np.argsort(flat, kind="stable")
    (again,) = np.nonzero(flat[order][1:] == flat[order][:-1])
    if again.size:
        row = order[again[0] + 1]
        i, j, k = (int(codes[row]) for codes in at)
        raise InvalidSampleError(
            f"Reader {readers[j]} has case {cases[k]} in test {tests[i]} more than once; keep one "
            "reading of it."
        )
