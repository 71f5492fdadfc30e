"""Every word of a page, every fact behind it and the shape of every figure, as recorded.

Numbers on the page and facts are asked elsewhere whether they agree, and with the library; here a
sentence that is left out, another field in its place or a curve that moved is noticed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html import unescape
from typing import Any

import pytest
from recorded import hold
from report_example import example_facts
from test_report_odd import page_of
from test_report_page import page_of as page_of_facts

import rocstats as rs

SHOWN = (
    *("two patients, two markers", "one cluster", "constant beside another"),
    *("the outcome again", "two markers that are one", "infinite"),
    *("subgroups without a choice", "a margin for one marker", "thresholds far off"),
)
EXAMPLES: dict[str, dict[str, Any]] = {
    "usual": {},
    "other choices": {
        "names": ("s100b", "ndka"),
        "adjust": "none",
        "criterion": "closest",
        "fpr_range": (0.0, 0.3),
        "specificities": (0.8,),
        "confidence_level": 0.9,
        "aim": "equivalence",
        "margin": 0.2,
        "study": {},
    },
    "low and clustered": {
        "names": ("s100b", "risk"),
        "higher_is_positive": {"s100b": False},
        "cluster": "age",
        "scores": "probability",
        "decision_range": (0.1, 0.6),
        "prespecified": {},
        "prevalence": (),
        "margin": None,
        "planned": None,
    },
    "one marker": {"names": ("ndka",), "prespecified": {"ndka": (10.0, 14.0)}, "comparator": True},
}


@cache
def example(name: str) -> tuple[dict[str, Any], str]:
    options = dict(EXAMPLES[name])
    facts = example_facts(options.pop("names", ("s100b", "ndka", "risk")), **options)
    return facts, page_of_facts(facts)


def readers() -> rs.ReaderReport:
    found = rs.compare_readers(rs.datasets.load_reader_study())
    return rs.report_readers(found, margin=0.05, new="testB", standard="testA", title="Two tests")


def readers_alone() -> rs.ReaderReport:
    found = rs.compare_to_readers(
        rs.datasets.load_reader_study(), ai="reader5", test="testA", margin=0.2
    )
    return rs.report_readers(found)


def survival() -> rs.SurvivalReport:
    sample = rs.datasets.load_breast_followup()
    first, second = sample.markers[:2]
    return rs.report_survival(
        sample, (730.0, 1826.0), thresholds={first: 4}, margin=0.1, new=first, standard=second
    )


OTHERS: dict[str, Callable[[], Any]] = {
    "readers": readers,
    "readers and a program": readers_alone,
    "survival": survival,
}
MADE = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?( UTC|Z)?|rocstats \d+\.\d+\.\d+\S*")


def lines_of(page: str) -> list[str]:
    """Return what a page shows, a line for each block, without times and versions."""
    page = re.sub(r"(?s)<(script|style|svg|pre|textarea)\b.*?</\1>", "", page)
    page = re.sub(r"</(p|h\d|li|tr|figcaption|dt|dd|summary|caption|option|button)>", "\n", page)
    text = unescape(re.sub(r"<[^>]+>", " ", page))
    found = [" ".join(line.split()) for line in text.splitlines()]
    return [MADE.sub("MADE", line) for line in found if line and not of_the_machine(line)]


def of_the_machine(line: str) -> bool:
    """Say whether a line tells of this machine's programs."""
    words = r"numpy|scipy|pandas|statsmodels|narwhals|Python \d|joblib|sha-?256|kernel|platform"
    return bool(re.search(words, line, re.I))


def figures_of(page: str) -> list[Any]:
    """Return of each figure its words, what it is drawn of and where, by sums."""
    found = []
    for svg in re.findall(r"(?s)<svg\b.*?</svg>", page):
        tags: dict[str, int] = {}
        for name in re.findall(r"<([a-z]+)\b", svg):
            tags[name] = tags.get(name, 0) + 1
        numbers: dict[str, list[float]] = {}
        for name, value in re.findall(r'\b([a-z-]+\d?)="([^"#]*)"', svg, re.I):
            if name not in ("class", "id", "style", "aria-labelledby", "role"):
                there = [float(n) for n in re.findall(r"-?\d+\.?\d*", value)]
                numbers.setdefault(name, []).extend(there)
        words = [unescape(w) for w in re.findall(r">([^<>]*\S[^<>]*)<", svg)]
        where = {k: [len(v), round(sum(v)), round(sum(map(abs, v)))] for k, v in numbers.items()}
        found.append({"tags": tags, "words": words, "where": where})
    return found


@pytest.mark.parametrize("name", SHOWN)
def test_the_page_of_an_odd_study_is_as_recorded(name: str) -> None:
    hold("reports", name, lines_of(page_of(name).html))


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_page_of_the_example_is_as_recorded(name: str) -> None:
    _, page = example(name)
    hold("reports", f"example, {name}", lines_of(page))
    hold("reports", f"figures, {name}", figures_of(page))


@pytest.mark.parametrize("name", OTHERS)
def test_the_other_pages_are_as_recorded(name: str) -> None:
    page = OTHERS[name]().html
    hold("reports", name, lines_of(page))
    hold("reports", f"figures, {name}", figures_of(page))
