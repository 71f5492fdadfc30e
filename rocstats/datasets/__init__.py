"""Small real and published data sets, with provenance and licence."""

from __future__ import annotations

import csv
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from rocstats.data.sample import ScoredSample
from rocstats.errors import check_option

if TYPE_CHECKING:
    from rocstats.readers.reader_study import ReaderStudy
    from rocstats.survival.survival_sample import SurvivalSample

__all__ = [
    "load_breast_cancer",
    "load_breast_followup",
    "load_ct_ratings",
    "load_fawcett",
    "load_reader_study",
    "load_wu_flach",
    "load_wu_flach_ferri",
    "names",
    "path",
]

_NAMES = (
    *("breast_cancer", "breast_followup", "ct_ratings", "fawcett", "reader_study"),
    *("wu_flach", "wu_flach_ferri"),
)


def names() -> tuple[str, ...]:
    """Return the names of the data sets.

    Returns
    -------
    tuple of str
        The names.

    See Also
    --------
    path : The CSV file of a data set.

    Examples
    --------
    >>> from rocstats import datasets
    >>> datasets.names()[:4]
    ('breast_cancer', 'breast_followup', 'ct_ratings', 'fawcett')
    """
    return _NAMES


def path(name: str) -> Path:
    """Return the CSV file of a data set, for other programs and the command line.

    Parameters
    ----------
    name : str
        A name of `names`.

    Returns
    -------
    pathlib.Path
        The file.

    See Also
    --------
    names : The names of the data sets.

    Examples
    --------
    >>> from rocstats import datasets
    >>> datasets.path("fawcett").name
    'fawcett.csv'
    """
    check_option("name", name, _NAMES)
    return Path(str(files(__name__) / f"{name}.csv"))


def load_breast_cancer() -> ScoredSample:
    """Load five nuclear features of 569 breast masses, 212 malignant and 357 benign.

    Markers are ``mean_radius``, ``mean_texture``, ``mean_smoothness``, ``mean_concave_points`` and
    ``worst_area``, each in its own units; the positive class is ``"malignant"``.

    Returns
    -------
    ScoredSample
        The sample.

    See Also
    --------
    names : The names of the data sets.
    load_ct_ratings : Ratings of 109 CT images.

    References
    ----------
    Wolberg, Mangasarian, Street & Street (1995), Breast Cancer Wisconsin (Diagnostic), UCI Machine
    Learning Repository, doi:10.24432/C5DW2B, CC BY 4.0; five of its thirty features.

    Examples
    --------
    >>> import rocstats as rs
    >>> from rocstats import datasets
    >>> round(rs.auc(datasets.load_breast_cancer(), marker="worst_area").value, 4)
    0.9698
    """
    markers = "mean_radius", "mean_texture", "mean_smoothness", "mean_concave_points", "worst_area"
    return _load("breast_cancer", outcome="diagnosis", markers=markers, pos_label="malignant")


def load_breast_followup() -> SurvivalSample:
    """Load 686 women with node-positive breast cancer, followed up to 7 years: 299 recurrences.

    Times are days to recurrence or death, event 1, or to the end of follow-up, event 0. Markers are
    the number of positive ``nodes``, the ``tumour_size`` in mm, the ``progesterone`` receptor in
    fmol/l, of which low values speak for an early event, and ``age`` in years.

    Returns
    -------
    SurvivalSample
        The sample.

    See Also
    --------
    names : The names of the data sets.

    References
    ----------
    Schumacher, Bastert, Bojar et al. for the German Breast Cancer Study Group (1994), Randomized
    2 x 2 trial evaluating hormonal treatment and the duration of chemotherapy in node-positive
    breast cancer patients, Journal of Clinical Oncology 12, 2086-2093,
    doi:10.1200/JCO.1994.12.10.2086; Sauerbrei & Royston (1999), doi:10.1111/1467-985X.00122.

    Examples
    --------
    >>> from rocstats import datasets
    >>> sample = datasets.load_breast_followup()
    >>> sample.n_events, sample.n_censored, sample.markers[0]
    (299, 387, 'nodes')
    """
    from rocstats.survival.survival_sample import SurvivalSample

    with path("breast_followup").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    markers = ("nodes", "tumour_size", "progesterone", "age")
    columns = {name: [float(row[name]) for row in rows] for name in ("days", *markers)}
    return SurvivalSample.from_frame(
        {**columns, "status": [int(row["status"]) for row in rows]},
        time="days",
        event="status",
        markers=markers,
        higher_is_positive={"progesterone": False},
    )


def load_ct_ratings() -> ScoredSample:
    """Load the CT images of 109 patients, rated 1 (definitely normal) to 5 (definitely abnormal).

    The paper prints counts: ratings 1 to 5 for 58 normal patients 33, 6, 6, 11, 2 and for 51
    abnormal patients 3, 2, 2, 11, 33; here one row is one patient. The positive class is
    ``"abnormal"``.

    Returns
    -------
    ScoredSample
        The sample.

    See Also
    --------
    names : The names of the data sets.
    load_breast_cancer : Five markers of 569 breast masses.

    References
    ----------
    Hanley & McNeil (1982), Table I, doi:10.1148/radiology.143.1.7063747.

    Examples
    --------
    >>> import rocstats as rs
    >>> from rocstats import datasets
    >>> round(rs.auc(datasets.load_ct_ratings()).value, 3)
    0.893
    """
    return _load("ct_ratings", outcome="status", markers=["rating"], pos_label="abnormal")


def load_fawcett() -> ScoredSample:
    """Load the 20 instances of Fawcett's Figure 3, with scores on [0, 1].

    The positive class is ``"p"``, and the subjects are the instance numbers.

    Returns
    -------
    ScoredSample
        The sample.

    See Also
    --------
    names : The names of the data sets.
    load_wu_flach : Two models that rank seven instances alike.

    References
    ----------
    Fawcett (2006), Fig. 3, doi:10.1016/j.patrec.2005.10.010.

    Examples
    --------
    >>> import rocstats as rs
    >>> from rocstats import datasets
    >>> rs.auc(datasets.load_fawcett()).value
    0.68
    """
    return _load("fawcett", outcome="class", markers=["score"], pos_label="p", subject="instance")


def load_reader_study() -> ReaderStudy:
    """Load a reader study: two tests, five readers, 40 cases of either class, all crossed.

    The ratings are simulated. Tests are ``testA`` and ``testB``; the positive class is 1.

    Returns
    -------
    ReaderStudy
        The study.

    See Also
    --------
    names : The names of the data sets.

    References
    ----------
    ``dfMRMC_example`` of iMRMC 2.1.2, Division of Imaging, Diagnostics, and Software Reliability,
    U.S. Food and Drug Administration, https://github.com/DIDSR/iMRMC, CC0.

    Examples
    --------
    >>> from rocstats import datasets
    >>> datasets.load_reader_study()
    Reader study, factorial: every reader read every case in every test
    2 tests (testA, testB), 5 readers, 80 cases (40 positive, 40 negative), 800 readings
    positive class 1, negative class 0
    """
    from rocstats.readers.reader_study import ReaderStudy

    with path("reader_study").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns: dict[str, list[str] | list[float] | list[int]] = {
        name: [row[name] for row in rows] for name in ("reader", "treatment", "case")
    }
    columns["truth"] = [int(row["truth"]) for row in rows]
    columns["rating"] = [float(row["rating"]) for row in rows]
    return ReaderStudy.from_frame(
        columns, test="treatment", reader="reader", case="case", outcome="truth", rating="rating"
    )


def load_wu_flach() -> ScoredSample:
    """Load two models that rank seven instances alike and score two of them apart.

    Markers are ``M1`` and ``M2``; the positive class is ``"positive"``. The models differ in the
    scores of instances 3 and 4 only.

    Returns
    -------
    ScoredSample
        The sample.

    See Also
    --------
    names : The names of the data sets.
    load_wu_flach_ferri : Two models with equal Brier score.

    References
    ----------
    Wu & Flach (2005), A scored AUC metric for classifier evaluation and selection, ICML workshop on
    ROC analysis in machine learning, Example 1; the values of its Example 2 follow.

    Examples
    --------
    >>> import rocstats as rs
    >>> from rocstats import datasets
    >>> sample = datasets.load_wu_flach()
    >>> [round(rs.sauc(sample, marker=m).value, 4) for m in sample.markers]
    [0.5725, 0.2375]
    """
    return _load(
        "wu_flach",
        outcome="class",
        markers=["M1", "M2"],
        pos_label="positive",
        subject="instance",
    )


def load_wu_flach_ferri() -> ScoredSample:
    """Load two models of six instances with equal Brier score: M1 ranks better, M2 by more.

    Markers are ``M1`` and ``M2``; the positive class is ``"positive"``.

    Returns
    -------
    ScoredSample
        The sample.

    See Also
    --------
    names : The names of the data sets.
    load_wu_flach : Two models that rank seven instances alike.

    Notes
    -----
    The paper prints each model's scores in falling order with their classes, and does not say which
    instance has which score. Here the k-th highest positive (and negative) of M1 is taken to be the
    k-th highest positive (negative) of M2. No value or standard error of one model depends on that;
    the covariance of M1 with M2, and so any paired comparison, does, and is not the paper's. The
    sample therefore carries no subject ids.

    References
    ----------
    Wu, Flach & Ferri (2007), Example 1, doi:10.1007/978-3-540-74958-5_44; the values of its
    Example 2 follow.

    Examples
    --------
    >>> import rocstats as rs
    >>> from rocstats import datasets
    >>> sample = datasets.load_wu_flach_ferri()
    >>> [round(rs.sauc(sample, marker=m).value, 2) for m in sample.markers]
    [0.47, 0.54]
    """
    return _load("wu_flach_ferri", outcome="class", markers=["M1", "M2"], pos_label="positive")


def _load(
    name: str,
    *,
    outcome: str,
    markers: list[str] | tuple[str, ...],
    pos_label: str,
    subject: str | None = None,
) -> ScoredSample:
    with path(name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns: dict[str, list[str] | list[float] | list[int]] = {
        outcome: [row[outcome] for row in rows]
    }
    columns |= {marker: [float(row[marker]) for row in rows] for marker in markers}
    if subject is not None:
        columns[subject] = [int(row[subject]) for row in rows]
    return ScoredSample.from_frame(
        columns, outcome=outcome, markers=markers, pos_label=pos_label, subject=subject
    )
