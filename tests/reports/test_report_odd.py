"""Pages of odd studies: what could not be computed is not spoken of as if it had been."""

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocstats as rs

RNG = np.random.default_rng(11)
ILL = np.arange(60) % 3 == 0
MARKER = np.round(RNG.normal(ILL), 2)
STUDY = pd.DataFrame(
    {
        "y": ILL.astype(int),
        "m": MARKER,
        "z": np.round(RNG.normal(ILL), 2),
        "one": "a",
        "pure": np.where(ILL, "p", "n"),
        "rare": np.where(np.arange(60) == 0, "r", "c"),
    }
)
TWO = pd.DataFrame({"y": [1, 0], "m": [3, 1], "z": [1, 3]})
THREE = pd.DataFrame({"y": [0, 1, 0], "m": [0, 2, 4], "z": [0, 1, 2]})
ODD: dict[str, tuple[pd.DataFrame, dict[str, Any]]] = {
    "two patients": (TWO, {}),
    "two patients, two markers": (TWO, {"markers": ["m", "z"]}),
    "three patients": (THREE, {"markers": ["m", "z"]}),
    "one cluster": (STUDY, {"cluster": "one"}),
    "a cluster a class": (STUDY, {"cluster": "pure"}),
    "constant": (STUDY.assign(m=3.0), {}),
    "constant beside another": (STUDY.assign(m=3.0), {"markers": ["m", "z"]}),
    "the outcome again": (STUDY.assign(m=STUDY["y"]), {}),
    "two markers that are one": (STUDY.assign(z=STUDY["m"]), {"markers": ["m", "z"]}),
    "infinite": (STUDY.assign(m=np.where(ILL, np.inf, MARKER)), {}),
    "nothing but infinite": (STUDY.assign(m=np.where(MARKER > 0.5, np.inf, -np.inf)), {}),
    "subgroups without a choice": (STUDY, {"subgroup": ["pure", "one", "rare"]}),
    "no subgroup of two classes": (STUDY, {"subgroup": "pure"}),
    "a margin for one marker": (STUDY, {"margin": 0.05, "aim": "equivalence"}),
    "thresholds far off": (STUDY, {"prespecified": {"m": [-1e9, 1e9]}, "prevalence": 1e-12}),
}


@cache
def page_of(kind: str) -> rs.Report:
    frame, options = ODD[kind]
    asked: dict[str, Any] = {"outcome": "y", "markers": "m", "n_resamples": 100, "r": "no"}
    return rs.report(frame, **asked | options)


def text_of(page: rs.Report) -> str:
    body = re.sub(r"<(script|style|pre)\b.*?</\1>", " ", page.html, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def rows_of(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "conf_method" in value:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from rows_of(item)


@pytest.mark.parametrize("kind", ODD)
def test_an_interval_has_a_method_where_it_has_limits(kind: str) -> None:
    rows = list(rows_of(page_of(kind).facts))
    assert rows
    for row in rows:
        assert (row["conf_method"] is None) == (row["conf_low"] is None is row["conf_high"])


@pytest.mark.parametrize("kind", ODD)
def test_no_number_is_a_word_of_the_machine(kind: str) -> None:
    word = r"\b(nan|NaN|None|inf|Infinity|undefined)\b"
    assert not re.search(word, text_of(page_of(kind)))
    for drawing in re.findall(r"<svg.*?</svg>", page_of(kind).html, flags=re.S):
        assert not re.search(rf'="[^"]*{word}', drawing)


@pytest.mark.parametrize(
    "kind", ["two patients", "three patients", "one cluster", "a cluster a class"]
)
def test_a_class_of_one_has_neither_intervals_nor_a_choice(kind: str) -> None:
    page = page_of(kind)
    text, methods = text_of(page), page.facts["methods"]["plain"]
    assert "; intervals: " not in text
    assert "its interval is often too narrow" not in text
    assert "The estimated variance is zero" not in text
    assert "For m none was chosen, because one class has a single subject or cluster." in text
    assert page.facts["markers"][0]["cutpoints"] == []
    for method in ("variance by", "Precision was", "optimism", "Tests were two-sided"):
        assert method not in methods
    assert not re.search(r"\b1 (clusters|participants|observations)\b", text + methods)


def test_a_marker_that_does_no_good_has_another_reason() -> None:
    text = text_of(page_of("constant"))
    assert "For m none was chosen, because no threshold does better than calling everyone" in text


def test_subgroups_that_were_not_estimated_are_not_named() -> None:
    methods = page_of("subgroups without a choice").facts["methods"]["plain"]
    assert "within the levels of one and rare." in methods
    assert (
        "within the levels" not in page_of("no subgroup of two classes").facts["methods"]["plain"]
    )
    text = text_of(page_of("subgroups without a choice"))
    assert text.count("no test, for want of two levels with two participants or more") == 3


def test_markers_without_a_test_are_not_said_to_be_tested() -> None:
    for kind in ("two patients, two markers", "three patients", "two markers that are one"):
        methods = page_of(kind).facts["methods"]["plain"]
        assert "were estimated; none had a variance that a test could rest on." in methods
        assert "Tests were two-sided" not in methods


def test_a_p_of_one_without_a_variance_is_flagged() -> None:
    page = page_of("two markers that are one")
    assert page.facts["comparisons"]["pairwise"][0]["p_value"] == 1.0
    assert "1 difference between markers does not vary" in text_of(page)


def test_a_margin_without_a_second_marker_is_flagged() -> None:
    told = "Equivalence with margin 0.05 was not judged: there is no second marker."
    assert told in text_of(page_of("a margin for one marker"))


def test_a_threshold_beyond_every_value_is_flagged() -> None:
    assert "Check its unit" in text_of(page_of("thresholds far off"))
    assert "Check its unit" not in text_of(page_of("constant"))


def test_the_cutpoint_of_a_class_of_one_has_no_optimism() -> None:
    sample = rs.ScoredSample.from_frame(THREE, outcome="y", markers="m")
    found = rs.optimal_cutpoint(sample, resampling=rs.Bootstrap(n_resamples=20, rng=1))
    assert np.isnan(found.optimism).all()
    assert np.isnan(found.corrected_sensitivity).all()
    assert np.isnan(found.confidence_interval().low)
