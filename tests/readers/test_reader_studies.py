"""Reader studies: designs, refusals, degenerate answers, margins, plans, command and page."""

from __future__ import annotations

import csv
import json
import math
import re
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocstats as rs
from rocstats.cli import main
from rocstats.readers.study_designs import find_design

COLUMNS = {"test": "m", "reader": "who", "case": "id", "outcome": "ill", "rating": "score"}


def frame(t: int = 2, r: int = 3, n: int = 12, *, seed: int = 1) -> dict[str, list[Any]]:
    rng = np.random.default_rng(seed)
    rows: dict[str, list[Any]] = {name: [] for name in COLUMNS.values()}
    for i, j, k in product(range(t), range(r), range(n)):
        positive = k < n // 2
        values = (f"m{i}", f"r{j}", k, int(positive), float(rng.normal() + 1.2 * positive))
        for name, value in zip(rows, values, strict=True):
            rows[name].append(value)
    return rows


def study(rows: dict[str, list[Any]] | None = None, **options: Any) -> rs.ReaderStudy:
    return rs.ReaderStudy.from_frame(rows or frame(), **COLUMNS | options)


def without(rows: dict[str, list[Any]], keep: Any) -> dict[str, list[Any]]:
    """Return the rows that are kept, by a function of test, reader and case."""
    chosen = [keep(*key) for key in zip(rows["m"], rows["who"], rows["id"], strict=True)]
    return {
        name: [v for v, there in zip(column, chosen, strict=True) if there]
        for name, column in rows.items()
    }


# ------------------------------------------------------------------------------------------ designs

DESIGNS = {
    "factorial": lambda m, who, k: True,
    "cases nested in readers": lambda m, who, k: k % 3 == int(who[1]),
    "cases nested in tests": lambda m, who, k: k % 2 == int(m[1]),
    "readers nested in tests": lambda m, who, k: (int(who[1]) < 2) == (m == "m0"),
    "readers and cases nested in tests": lambda m, who, k: (
        (int(who[1]) < 2) == (m == "m0") and k % 2 == int(m[1])
    ),
    "split plot": lambda m, who, k: k % 2 == int(who[1]) % 2,
    "missing readings": lambda m, who, k: (m, who, k) != ("m0", "r1", 3),
}


@pytest.mark.parametrize("name", DESIGNS)
def test_designs_are_recognised_and_printed_first(name: str) -> None:
    rows = frame(2, 4 if "readers and" in name or "readers nested" in name else 3, 12)
    made = study(without(rows, DESIGNS[name]))
    assert made.design.name == name
    assert repr(made).startswith(f"Reader study, {name}: {made.design.words}\n")
    assert repr(rs.compare_readers(made)).startswith(f"Reader study, {name}: ")
    order = np.random.default_rng(1).permutation(len(rows["m"]))
    mixed = {key: [column[k] for k in order] for key, column in rows.items()}
    assert study(without(mixed, DESIGNS[name])).design.name == name


def test_a_whole_cell_that_lacks_is_a_missing_reading() -> None:
    read = np.ones((3, 3, 5), dtype=bool)
    read[0, 0] = False
    assert find_design(read).name == "missing readings"
    made = study(without(frame(3, 3, 60), lambda m, who, k: (m, who) != ("m0", "r0")))
    found = rs.compare_readers(made)
    assert found.method == "ustat"
    assert math.isfinite(found.pairwise()[0].pvalue)
    assert math.isnan(found.components["ms_test"])


def test_zeros_of_nested_designs_need_no_code() -> None:
    made = study(without(frame(2, 3, 36), DESIGNS["cases nested in readers"]))
    parts = rs.compare_readers(made).components
    assert parts["cov2"] == parts["cov3"] == 0.0 < abs(parts["cov1"])
    made = study(without(frame(2, 3, 24), DESIGNS["cases nested in tests"]))
    parts = rs.compare_readers(made).components
    assert parts["cov1"] == parts["cov3"] == 0.0 < abs(parts["cov2"])


def test_blank_ratings_are_not_read_and_counted() -> None:
    rows = frame()
    rows["score"][3] = math.nan
    made = study(rows)
    assert made.n_blank == 1
    assert made.design.name == "missing readings"
    assert "1 row without a rating: not read" in repr(made)
    assert "1 of 72 readings are not there" in repr(made)
    whole = rs.compare_readers(made, missing="complete_cases")
    assert whole.method == "or"
    assert whole.study.positive.size == 11


# ----------------------------------------------------------------------------------------- refusals


def twice() -> dict[str, list[Any]]:
    rows = frame()
    return {name: [*column, column[0]] for name, column in rows.items()}


def two_truths() -> dict[str, list[Any]]:
    rows = frame()
    rows["ill"][20] = 1 - rows["ill"][20]
    return rows


def changed(name: str, value: Any, at: int = 4) -> dict[str, list[Any]]:
    rows = frame()
    rows[name] = [value if k == at else v for k, v in enumerate(rows[name])]
    return rows


REFUSED: dict[str, tuple[Any, str]] = {
    "twice": (lambda: study(twice()), "Reader r0 has case 0 in test m0 more than once"),
    "two truths": (lambda: study(two_truths()), r"Case 8 is positive in one row and negative"),
    "one class": (
        lambda: study(without(frame(), lambda m, who, k: who != "r1" or m != "m1" or k < 6)),
        "Reader r1 read no negative case in test m1",
    ),
    "no column": (lambda: study(test="modality"), "The data have no column 'modality' for test"),
    "one column for two": (lambda: study(reader="m"), "'m' is given both as test and as reader"),
    "no truth": (lambda: study(changed("ill", None)), "ill is missing in 1 row"),
    "no reader id": (lambda: study(changed("who", None)), "Some reader ids are missing"),
    "a word as a rating": (lambda: study(changed("score", "high")), "must be numbers, got 'high'"),
    "a third class": (lambda: study(changed("ill", 2)), "must have two classes, got 3"),
    "which is positive": (
        lambda: study({**frame(), "ill": [1 + v for v in frame()["ill"]]}),
        "ill is coded 1, 2; name the positive class with pos_label=",
    ),
    "a number and a word": (
        lambda: study({**frame(), "who": [1 if w == "r0" else "1" for w in frame()["who"]]}),
        "The reader 1 is there as a number and as a word",
    ),
    "no frame": (lambda: study([1, 2]), "A data frame or a mapping of columns was expected"),
    "two clusters": (
        lambda: study({**frame(), "p": [*range(72)]}, cluster="p"),
        "Case 0 is in the clusters 0 and 60",
    ),
    "one reader": (
        lambda: rs.compare_readers(study(frame(2, 1))),
        r'random readers need two; treat readers as fixed, with readers="fixed"',
    ),
    "nothing random": (
        lambda: rs.compare_readers(study(), readers="fixed", cases="fixed"),
        "leave nothing that varies",
    ),
    "covariance": (lambda: rs.compare_readers(study(), covariance="x"), "'influence', 'jackknife'"),
    "method": (lambda: rs.compare_readers(study(), method="dbm"), "must be one of 'auto', 'or'"),
    "or with holes": (
        lambda: rs.compare_readers(
            study(without(frame(), DESIGNS["missing readings"])), method="or"
        ),
        r'take method="ustat", or missing="complete_cases"',
    ),
    "ustat of sauc": (
        lambda: rs.compare_readers(study(), "sauc", method="ustat"),
        "U-statistics of readers and cases are for the AUC",
    ),
    "ustat by jackknife": (
        lambda: rs.compare_readers(study(), method="ustat", covariance="jackknife"),
        "has a covariance of its own",
    ),
    "unbiased sauc": (
        lambda: rs.compare_readers(study(), "sauc", covariance="unbiased"),
        "is for the AUC, sensitivity and specificity",
    ),
    "no threshold": (
        lambda: rs.compare_readers(study(), "sensitivity"),
        "Sensitivity needs the rating from which a case is called positive",
    ),
    "a threshold for the AUC": (
        lambda: rs.compare_readers(study(), threshold=1),
        r'threshold is for measure="sensitivity" and measure="specificity" only',
    ),
    "one test": (lambda: rs.compare_readers(study(frame(1))).pairwise(), "There is one test only"),
    "unknown test": (
        lambda: rs.compare_readers(study()).pairwise(versus="m2"),
        "The study has no test 'm2'; it has m0, m1",
    ),
    "margin of three": (
        lambda: rs.compare_readers(study(frame(3))).noninferiority(0.1),
        "There are 3 tests",
    ),
    "the same test": (
        lambda: rs.compare_readers(study()).noninferiority(0.1, new="m0", standard="m0"),
        r"new and standard are the same test \(m0\)",
    ),
    "margin": (lambda: rs.compare_readers(study()).noninferiority(-1), "must be a positive number"),
    "large": (lambda: rs.compare_readers(study()).noninferiority(2), "positive number below 1"),
    "no study": (lambda: rs.compare_readers({"a": 1}), "A ReaderStudy was expected"),
    "unknown ai": (
        lambda: rs.compare_to_readers(study(), ai="model"),
        "The study has no test or reader 'model' for ai",
    ),
    "an ai of many": (
        lambda: rs.compare_to_readers(study(), ai="m0"),
        "has 3 readers with different ratings, and a program has one",
    ),
    "readers in two tests": (
        lambda: rs.compare_to_readers(study(), ai="r0"),
        r"The readers read in 2 tests \(m0, m1\); name one with test=",
    ),
    "no margin": (
        lambda: rs.compare_to_readers(study(), ai="r0", test="m0").noninferiority(),
        "Say by how much, with margin=",
    ),
    "components": (lambda: rs.power_readers(3, difference=1, readers=3, cases=30), "or a mapping"),
    "lacking": (
        lambda: rs.power_readers({"var": 1}, difference=1, readers=3, cases=30),
        "lack cov1, cov2, cov3, var_test_reader",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_is_refused_in_a_sentence(name: str) -> None:
    make, words = REFUSED[name]
    with pytest.raises(rs.RocstatsError, match=words) as reason:
        make()
    assert str(reason.value).endswith((".", "?"))
    assert "\n" not in str(reason.value)


# -------------------------------------------------------------------------------------- degenerate


def flat(values: Any) -> rs.ReaderStudy:
    """Two tests of three readers whose AUCs are as given: shares of 10 pairs won."""
    rows: dict[str, list[Any]] = {name: [] for name in COLUMNS.values()}
    for (i, j), wins in np.ndenumerate(np.array(values)):
        scores = [1.0, 1.0, *[0.0] * (5 - wins), *[2.0] * wins]  # negatives first
        for k in range(7):
            for name, value in zip(rows, (f"m{i}", f"r{j}", k, int(k > 1), scores[k]), strict=True):
                rows[name].append(value)
    return study(rows)


def test_readers_who_all_say_the_same_leave_no_variance_to_test() -> None:
    same = rs.compare_readers(flat([[5, 5, 5], [5, 5, 5]]))
    with pytest.warns(rs.DegenerateVarianceWarning, match="nothing was tested"):
        (test,) = same.pairwise()
    assert (test.statistic, test.pvalue) == (0.0, 1.0)
    other = rs.compare_readers(flat([[5, 5, 5], [0, 0, 0]]))
    with pytest.warns(rs.DegenerateVarianceWarning, match="not to be trusted"):
        (test,) = other.pairwise()
    assert (test.statistic, test.pvalue) == (math.inf, 0.0)
    with pytest.warns(rs.DegenerateVarianceWarning):
        assert other.omnibus().pvalue == 0.0
    assert math.isnan(other.estimates[0].confidence_interval().low)


def test_equal_steps_of_all_readers_have_infinite_df() -> None:
    rows = frame(2, 3, 40)
    made = study(rows)
    found = rs.compare_readers(made)
    table = found.table
    table.ms_test_reader = 0.0
    below, df = table.denominator("both")
    assert below == table.r * table.excess
    assert math.isinf(df)


def test_cases_that_add_nothing_are_said() -> None:
    for seed in range(40):
        found = rs.compare_readers(study(frame(seed=seed)))
        if found.components["cov2"] <= found.components["cov3"]:
            fixed = rs.compare_readers(found.study, cases="fixed")
            assert found.pvalue == pytest.approx(fixed.pvalue)
            assert "the answer is that of fixed cases" in repr(found)
            return
    pytest.fail("no such study was drawn")


def test_a_negative_variance_is_reported_and_replaced() -> None:
    for seed in range(60):
        found = rs.compare_readers(study(frame(seed=seed)), method="ustat")
        assert found.moments is not None
        scatter = found.moments.scatter(0, 1)
        if scatter.variance <= 0.0:
            with pytest.warns(rs.DegenerateVarianceWarning, match="which no variance can be"):
                (test,) = found.pairwise()
            assert test.std_error == pytest.approx(math.sqrt(scatter.variance_v))
            return
    pytest.fail("no such study was drawn")


def test_intervals_of_a_mean_stay_within_its_bounds() -> None:
    estimate = rs.ReaderEstimate(
        test="a", measure="AUC", value=0.97, std_error=0.03, df=4.0, n_readers=5, bounds=(0.0, 1.0)
    )
    limits = estimate.confidence_interval()
    assert limits.method == "logit_t"
    assert 0.97 < limits.high < 1.0
    assert estimate.confidence_interval(method="wald").high > 1.0


# --------------------------------------------------------------------------------- what is answered


def test_pairs_margins_and_names() -> None:
    found = rs.compare_readers(study(frame(3, 4, 30)))
    assert [t.contrast for t in found.pairwise()] == ["m0 - m1", "m0 - m2", "m1 - m2"]
    assert [t.contrast for t in found.pairwise(versus="m0")] == ["m1 - m0", "m2 - m0"]
    one, other = found.pairwise("none")["m0", "m1"], found.pairwise(versus="m0")["m1 - m0"]
    assert (one.estimate, one.pvalue) == (-other.estimate, other.pvalue)
    test = found.noninferiority(0.2, new="m1", standard="m0")
    assert test.contrast == "m1 - m0"
    low = other.confidence_interval(0.95).low
    assert test.conf_low == pytest.approx(low)
    assert test.shown == (low > -0.2)
    assert found.equivalence(0.9, new="m1", standard="m0").shown
    assert found.estimates["m1"].value == found["m1"].value
    assert found.by_reader["m1", "r2"].reader == "r2"
    assert float(found["m1"]) == pytest.approx(np.mean([r.value for r in found.by_reader["m1"]]))
    columns = list(found.pairwise().to_frame().columns)
    assert columns[:7] == [
        *("contrast", "estimate", "std_error", "statistic", "df", "p_value", "p_adjusted"),
    ]
    assert {"test", "estimate", "std_error", "df", "conf_low", "conf_high"} <= {
        *found.estimates.to_frame().columns
    }
    assert dict(found.components)["var"] == found.components["var"]
    assert json.loads(json.dumps(found.to_dict()))["study"]["design"] == "factorial"


def test_fixed_readers_say_for_whom_they_speak() -> None:
    made = study(frame(2, 4, 30))
    assert "for these readers alone" in repr(rs.compare_readers(made, readers="fixed"))
    assert "on these cases alone" in repr(rs.compare_readers(made, cases="fixed"))
    assert "readers and cases like these" in repr(rs.compare_readers(made))


def test_the_answer_names_the_way_it_went() -> None:
    made, hillis = study(frame(2, 4, 30)), ", Hillis' df"
    gallas = rs.compare_readers(made, method="ustat")
    assert "U-statistics of readers and cases (Gallas), random readers" in repr(gallas)
    assert gallas.pairwise()[0].method == gallas.omnibus().method
    fixed = rs.compare_readers(made, method="ustat", readers="fixed")
    assert "Weighted mean of readers, fixed readers, random cases" in repr(fixed)
    rockette = rs.compare_readers(made)
    assert "Obuchowski-Rockette, random readers and cases" in repr(rockette)
    assert rockette.omnibus().method.endswith(hillis)
    assert hillis not in repr(gallas)


def test_a_reader_of_one_test_has_no_difference_and_leaves_those_of_the_others() -> None:
    rows = frame(2, 4, 30)
    for test in ("m0", "m1"):  # whichever of the two it is
        alone = study(without(rows, lambda m, who, k, test=test: who != "r1" or m == test))
        others = study(without(rows, lambda m, who, k: who != "r1"))
        found, plain = (rs.compare_readers(one).reader_differences() for one in (alone, others))
        assert [t.contrast for t in found] == [f"{r}: m0 - m1" for r in ("r0", "r2", "r3")]
        assert [(t.estimate, t.std_error) for t in found] == [
            pytest.approx((t.estimate, t.std_error), rel=1e-12) for t in plain
        ]


def test_one_reader_may_be_fixed() -> None:
    rows = frame(2, 1, 30)
    found = rs.compare_readers(study(rows), readers="fixed")
    y, a, b = rows["ill"][:30], rows["score"][:30], rows["score"][30:]
    plain = rs.compare(y, {"a": a, "b": b}).pairwise(reference="normal", method="delong")[0]
    assert found.pvalue == pytest.approx(plain.pvalue)


def test_a_program_as_a_test_or_as_a_reader_is_the_same() -> None:
    rows = without(frame(2, 4, 30), lambda m, who, k: m == "m0" or who == "r0")
    by_test = {**rows, "who": [w + m for m, w in zip(rows["m"], rows["who"], strict=True)]}
    by_reader = {**by_test, "m": ["m0"] * len(rows["m"])}
    a = rs.compare_to_readers(study(by_test), ai="m1", margin=0.3)
    b = rs.compare_to_readers(study(by_reader), ai="r0m1", margin=0.3)
    assert (a.estimate, a.std_error, a.df) == pytest.approx((b.estimate, b.std_error, b.df))
    assert a.ai.value - a.readers.value == pytest.approx(a.estimate)
    low = a.confidence_interval().low
    assert a.noninferiority().shown == (low > -0.3)
    assert a.superiority(0.01).shown == (low > 0.01)
    assert a.is_better() == (low > 0.0)
    fixed = rs.compare_to_readers(study(by_test), ai="m1", readers="fixed")
    assert math.isinf(fixed.df)


# ----------------------------------------------------------------------------------------- planning


def test_plans_are_monotone_and_the_least() -> None:
    pilot = rs.compare_readers(rs.datasets.load_reader_study()).components
    plan = rs.sample_size_readers(pilot, difference=0.06, readers=8, power=0.8)
    assert plan.power >= 0.8
    fewer = rs.power_readers(pilot, difference=0.06, readers=8, cases=plan.cases - 1)
    assert fewer.power < 0.8
    plan = rs.sample_size_readers(pilot, difference=0.06, cases=400, power=0.8)
    fewer = rs.power_readers(pilot, difference=0.06, readers=plan.readers - 1, cases=400)
    assert fewer.power < 0.8 <= plan.power
    grid = rs.power_readers(pilot, difference=0.06, readers=[4, 8], cases=[100, 200])
    assert [row["power"] for row in grid] == sorted(row["power"] for row in grid)[:1] + [
        row["power"] for row in list(grid)[1:]
    ]
    assert grid[8, 200]["power"] == max(row["power"] for row in grid)
    literature = dict(pilot)
    del literature["cases"], literature["n_pos"], literature["n_neg"]
    same = rs.power_readers(literature, difference=0.06, readers=8, cases=200, pilot_cases=80)
    assert same.power == grid[8, 200]["power"]


def test_noninferiority_is_a_shift_and_one_sided() -> None:
    pilot = rs.compare_readers(rs.datasets.load_reader_study()).components
    shifted = rs.power_readers(pilot, difference=0.0, margin=0.07, readers=10, cases=200)
    two = rs.power_readers(pilot, difference=0.07, readers=10, cases=200)
    assert shifted.significance == 0.025
    assert shifted.power == pytest.approx(two.power, abs=1e-4)  # but for the other tail


BAD_PLANS = {
    "both": ({"readers": 5, "cases": 100}, "Give one of readers= and cases="),
    "none": ({}, "Give one of readers= and cases="),
    "too few": ({"readers": 2, "difference": 0.001}, "at most, however many cases"),
    "few cases": ({"cases": 12}, "cases must be at least 20"),
    "power": ({"readers": 5, "power": 1.0}, "power must lie between the significance and 1"),
    "difference": ({"readers": 5, "difference": 0}, "must be a number other than 0"),
    "inferior": ({"readers": 5, "difference": -0.1, "margin": 0.05}, "must be above -0.05"),
    "random": ({"readers": 5, "random": "all"}, "'both', 'cases', 'readers'"),
}


@pytest.mark.parametrize("name", BAD_PLANS)
def test_plans_that_cannot_be_are_refused(name: str) -> None:
    options, words = BAD_PLANS[name]
    pilot = rs.compare_readers(rs.datasets.load_reader_study()).components
    with pytest.raises(rs.InvalidOptionError, match=re.escape(words)):
        rs.sample_size_readers(pilot, **{"difference": 0.05} | options)


# ------------------------------------------------------------------------ the command and the page

FILE = str(rs.datasets.path("reader_study"))
CALL = [
    *("--test", "treatment", "--reader", "reader", "--case", "case"),
    *("--outcome", "truth", "--rating", "rating"),
]


def test_the_command_prints_what_python_says(capsys: pytest.CaptureFixture[str]) -> None:
    margin = ["--new", "testB", "--standard", "testA", "--margin", "0.05"]
    assert main(["readers", FILE, *CALL, *margin, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    found = rs.compare_readers(rs.datasets.load_reader_study())
    assert answer["pairwise"][0]["p_value"] == pytest.approx(found.pvalue)
    assert answer["components"]["cov2"] == pytest.approx(found.components["cov2"])
    assert answer["noninferiority"]["shown"] is True
    assert main(["readers", FILE, *CALL, *margin]) == 0
    text = capsys.readouterr().out
    assert "Reader study, factorial" in text
    assert "Non-inferiority was shown: testB - testA" in text


def test_the_command_compares_a_program(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with open(FILE, encoding="utf-8", newline="") as file:
        rows = [r for r in csv.DictReader(file) if r["treatment"] == "testA"]
    place = tmp_path / "alone.csv"
    with place.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    assert main(["readers", str(place), *CALL, "--ai", "reader5", "--margin", ".2", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    whole = rs.datasets.load_reader_study()
    expected = rs.compare_to_readers(whole, ai="reader5", test="testA", margin=0.2)
    assert answer["difference"]["estimate"] == pytest.approx(expected.estimate)
    assert answer["noninferiority"]["shown"] == expected.noninferiority().shown


BAD_CALLS = {
    "column": ([FILE, *CALL[:-1], "score"], "no column 'score' for --rating"),
    "lacks": ([FILE, *CALL[:-2]], "the following arguments are required: --rating"),
    "effect": ([FILE, *CALL, "--readers", "some"], "--readers must be one of 'random', 'fixed'"),
    "new": ([FILE, *CALL, "--new", "testC"], "no test 'testC'"),
    "same": ([FILE, *CALL, "--new", "testA", "--standard", "testA"], "are the same test"),
    "page": ([FILE, *CALL, "-o", "page.txt"], "page.txt would not be what its name says"),
    "threshold": ([FILE, *CALL, "--measure", "sensitivity"], "give it with --threshold"),
    "ai": ([FILE, *CALL, "--ai", "x"], "no test or reader 'x' for --ai"),
    "file": (["nowhere.csv", *CALL], "nowhere.csv"),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_bad_calls_end_with_one_sentence_and_code_2(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words, said = BAD_CALLS[name]
    try:
        code = main(["readers", *words])
    except SystemExit as stop:
        code = int(str(stop.code))
    err = capsys.readouterr().err
    assert code == 2
    assert said in err
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_differences_are_of_the_new_test(capsys: pytest.CaptureFixture[str]) -> None:
    """With a standard one the new test comes first, whatever its name, with or without a margin."""
    for words in (["--new", "testB", "--standard", "testA"], ["--new", "testB"]):
        assert main(["readers", FILE, *CALL, *words, "--json"]) == 0
        (row,) = json.loads(capsys.readouterr().out)["pairwise"]
        assert row["contrast"] == "testB - testA"
        assert row["estimate"] == pytest.approx(0.07275)


def test_report_of_readers_takes_or_refuses_every_option(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call = ["report", FILE, "--readers", *CALL, "--json"]
    assert main([*call, "--lower-is-positive", "rating", "--covariance", "jackknife"]) == 0
    answer = json.loads(capsys.readouterr().out)
    turned = rs.compare_readers(rs.datasets.load_reader_study(), covariance="jackknife")
    assert answer["pairwise"][0]["estimate"] == pytest.approx(-turned.pairwise()[0].estimate)
    for words, said in (
        (["--subgroup", "reader", "--r", "no"], "--subgroup, --r have no part in a reader study"),
        (["--lower-is-positive", "case"], "is the column of --rating"),
        (["--config", "x.toml"], "--config has no part"),
    ):
        assert main([*call, *words]) == 2
        assert said in capsys.readouterr().err
    assert main(["report", FILE, "--outcome", "truth", "--markers", "rating", "--new", "x"]) == 2
    assert "add --readers, or leave out --new" in capsys.readouterr().err


def test_a_mean_that_does_not_vary_says_so() -> None:
    rows = frame()
    found = rs.compare_readers(study(rows | {"score": [float(y) for y in rows["ill"]]}))
    assert "varies neither over readers nor over cases, so that it has no interval" in str(found)


def test_report_of_readers_says_what_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", FILE, "--readers", "--test", "treatment"]) == 2
    assert "A reader study needs the reader" in capsys.readouterr().err
    assert main(["report", FILE, "--readers", *CALL]) == 2
    assert "Name the page to write with -o" in capsys.readouterr().err


def test_curves_of_readers_and_their_mean() -> None:
    made = rs.datasets.load_reader_study()
    curves = made.curves("testA")
    assert [c.classifier for c in curves] == list(made.readers)
    mean = made.mean_curve("testA")
    found = rs.compare_readers(made)
    assert mean.area() == pytest.approx(found["testA"].value, abs=1e-12)
    fits = [rs.binormal_fit(made.sample("testA", r)) for r in made.readers]
    a, b = np.mean([f.a for f in fits]), np.mean([f.b for f in fits])
    from scipy.special import ndtr, ndtri

    smooth = made.mean_curve("testA", method="binormal")
    assert smooth.tpr == pytest.approx(ndtr(a + b * ndtri(smooth.fpr)), abs=1e-9)
    with pytest.raises(rs.InvalidOptionError, match="strictly between 0 and 1"):
        rs.average_curves(list(curves), "binormal", at=[0.0, 0.5])


def test_drawings_are_drawn() -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    made = rs.datasets.load_reader_study()
    found = rs.compare_readers(made)
    ax = made.plot()
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert [name.partition(" (")[0] for name in names] == ["testA", "testB"]
    assert len(found.plot().get_yticks()) == 10
    plan = rs.power_readers(found, difference=0.05, readers=[5, 10], cases=[100, 200])
    assert len(plan.plot().get_lines()) == 2
    pyplot.close("all")


# ----------------------------------------------------------------------- a wrong analysis is caught


def test_pooled_ratings_are_pointed_here() -> None:
    rows = frame()
    pooled = {"reader": rows["who"], "case": rows["id"], "ill": rows["ill"], "s": rows["score"]}
    with pytest.warns(rs.PooledReadersWarning, match=r"3 readers .* rs\.compare_readers"):
        rs.auc(rs.ScoredSample.from_frame(pooled, "ill", "s"))
    with pytest.warns(rs.PooledReadersWarning):
        rs.ScoredSample.from_frame({**pooled, "t": pooled["s"][::-1]}, "ill", ["s", "t"])


def test_one_reader_a_case_or_clusters_are_nobodys_mistake() -> None:
    rows = frame(1, 1, 20)
    own = {"reader": ["a", "b"] * 10, "case": rows["id"], "ill": rows["ill"], "s": rows["score"]}
    rs.ScoredSample.from_frame(own, "ill", "s")  # each case read once: no warning
    rs.ScoredSample.from_frame({**own, "reader": ["a"] * 20}, "ill", "s")
    many = frame()
    named = {"reader": many["who"], "case": many["id"], "ill": many["ill"], "s": many["score"]}
    rs.ScoredSample.from_frame(named, "ill", "s", cluster="case")


def test_the_command_points_here_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["auc", FILE, "--outcome", "truth", "--markers", "rating"]) == 0
    assert "rocstats readers" in capsys.readouterr().err
