"""The bundled data against what the papers and the UCI repository print."""

from __future__ import annotations

import csv

import numpy as np
import pytest

import rocstats as rs
from rocstats import datasets

LOADERS = {
    "breast_cancer": datasets.load_breast_cancer,
    "ct_ratings": datasets.load_ct_ratings,
    "fawcett": datasets.load_fawcett,
    "wu_flach": datasets.load_wu_flach,
    "wu_flach_ferri": datasets.load_wu_flach_ferri,
}
STUDIES = {
    "reader_study": datasets.load_reader_study,
    "breast_followup": datasets.load_breast_followup,
}


def test_every_name_has_a_loader_a_file_and_a_provenance() -> None:
    assert set(datasets.names()) == {*LOADERS, *STUDIES}
    readme = (datasets.path("fawcett").parent / "README.md").read_text(encoding="utf-8")
    for name in datasets.names():
        assert datasets.path(name).is_file()
        assert f"| `{name}.csv` |" in readme


def test_unknown_name_is_refused_with_a_hint() -> None:
    with pytest.raises(rs.InvalidOptionError, match=r"'fawcet'\. Did you mean 'fawcett'\?"):
        datasets.path("fawcet")


@pytest.mark.parametrize("name", LOADERS)
def test_sample_is_the_file(name: str) -> None:
    sample = LOADERS[name]()
    with datasets.path(name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == sample.n_pos + sample.n_neg
    assert sample.dropped.n == 0
    for marker, scores in zip(sample.markers, sample.scores, strict=True):
        assert scores.tolist() == [float(row[marker]) for row in rows]
    outcome = next(c for c in ("diagnosis", "status", "class") if c in rows[0])
    assert sample.positive.tolist() == [row[outcome] == sample.pos_label for row in rows]


def test_the_reader_study_is_the_file() -> None:
    study = datasets.load_reader_study()
    with datasets.path("reader_study").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    case = {name: k for k, name in enumerate(study.case.tolist())}
    assert len(rows) == study.ratings.size == 800
    for row in rows:
        at = study.tests.index(row["treatment"]), study.readers.index(row["reader"])
        assert study.ratings[(*at, case[row["case"]])] == float(row["rating"])
        assert study.positive[case[row["case"]]] == (row["truth"] == "1")


def test_the_followup_is_the_file_and_has_the_published_counts() -> None:
    sample = datasets.load_breast_followup()
    with datasets.path("breast_followup").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == sample.time.size == 686  # Schumacher et al. (1994)
    assert sample.n_events == 299
    assert sample.time.tolist() == [float(row["days"]) for row in rows]
    assert sample.event.tolist() == [row["status"] == "1" for row in rows]
    for marker, scores in zip(sample.markers, sample.scores, strict=True):
        assert scores.tolist() == [float(row[marker]) for row in rows]


def test_ct_ratings_are_the_printed_counts_and_area() -> None:
    sample = datasets.load_ct_ratings()
    counts = [
        [int(np.sum(sample.scores[0, sample.positive == c] == r)) for r in range(1, 6)]
        for c in (False, True)
    ]
    assert counts == [[33, 6, 6, 11, 2], [3, 2, 2, 11, 33]]
    assert round(rs.auc(sample).value, 3) == 0.893


def test_fawcett_curve_is_figure_3() -> None:
    curve = rs.roc_curve(datasets.load_fawcett())
    printed = [0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505]
    printed += [0.4, 0.39, 0.38, 0.37, 0.36, 0.35, 0.34, 0.33, 0.30, 0.1]
    assert curve.threshold.tolist() == [np.inf, *printed]
    classes = "ppnpppnnpnpnpnnnpnpn"  # read off the table beside the figure
    tp = np.cumsum([0, *(c == "p" for c in classes)])
    assert curve.tp.tolist() == tp.tolist()
    assert curve.fp.tolist() == (np.arange(21) - tp).tolist()
    # "lower the threshold to 0.9 ... (0, 0.1)"; best accuracy 70% at 0.54, the point (0.1, 0.5)
    for threshold, fpr, tpr in ((0.9, 0.0, 0.1), (0.54, 0.1, 0.5), (0.1, 1.0, 1.0)):
        point = curve.at(threshold=threshold)
        assert (point.fpr, point.tpr) == (fpr, tpr)
    accuracy = (curve.tp + curve.n_neg - curve.fp) / 20
    assert accuracy.max() == 0.7
    assert curve.threshold[accuracy.argmax()] == 0.54
    wins = sum(classes[i + 1 :].count("n") for i, c in enumerate(classes) if c == "p")
    assert rs.auc(datasets.load_fawcett()).value == curve.area() == wins / 100


@pytest.mark.parametrize(
    ("name", "marker", "auc", "r_plus", "r_minus", "sauc", "digits"),
    [
        ("wu_flach", "M1", 10 / 12, 0.7417, 0.1692, 0.5725, 4),
        ("wu_flach", "M2", 10 / 12, 0.4067, 0.1692, 0.2375, 4),
        ("wu_flach_ferri", "M1", 1.0, 0.77, 0.3, 0.47, 2),
        ("wu_flach_ferri", "M2", 8 / 9, 0.74, 0.2, 0.54, 2),
    ],
)
def test_models_have_the_printed_values(
    name: str, marker: str, auc: float, r_plus: float, r_minus: float, sauc: float, digits: int
) -> None:
    sample = LOADERS[name]()
    found = rs.sauc(sample, marker=marker)
    assert rs.auc(sample, marker=marker).value == auc
    printed = (found.details["r_plus"], found.details["r_minus"], found.value)
    # Half a unit of the last printed digit, and rounding of the doubles on top of it.
    assert printed == pytest.approx((r_plus, r_minus, sauc), abs=0.5001 * 10**-digits)


def test_models_of_2005_differ_where_the_paper_underlines() -> None:
    sample = datasets.load_wu_flach()
    assert sample.subject is not None
    differ = sample.scores[0] != sample.scores[1]
    assert sample.subject[differ].tolist() == [3, 4]
    assert sample.positive[differ].all()


def test_models_of_2007_have_the_printed_brier_score_and_claim_no_pairing() -> None:
    sample = datasets.load_wu_flach_ferri()
    errors = np.sum((sample.scores - sample.positive) ** 2, axis=1)
    assert errors == pytest.approx([0.66, 0.66])
    assert sample.subject is None


def test_breast_cancer_has_the_classes_and_ranges_uci_prints() -> None:
    sample = datasets.load_breast_cancer()
    assert (sample.n_pos, sample.n_neg) == (212, 357)
    assert (sample.pos_label, sample.neg_label) == ("malignant", "benign")
    ranges = {
        "mean_radius": (6.981, 28.11),
        "mean_texture": (9.71, 39.28),
        "mean_smoothness": (0.053, 0.163),
        "mean_concave_points": (0.0, 0.201),
        "worst_area": (185.2, 4254.0),
    }
    for marker, scores in zip(sample.markers, sample.scores, strict=True):
        assert (round(scores.min(), 3), round(scores.max(), 3)) == ranges[marker]


def test_breast_cancer_is_scikit_learns_copy() -> None:
    source = pytest.importorskip("sklearn.datasets").load_breast_cancer()
    sample = datasets.load_breast_cancer()
    assert sample.positive.tolist() == (source.target_names[source.target] == "malignant").tolist()
    columns = [list(source.feature_names).index(m.replace("_", " ")) for m in sample.markers]
    assert np.array_equal(sample.scores, source.data[:, columns].T)
