"""The results in words: every number is a fact of the page, effect and interval before p."""

import copy
import re
from typing import Any

import numpy as np
import pytest
from report_example import example_facts, example_frame
from test_report_page import by_id, find, page_of, parse, words

import rocstats as rs
from rocstats.analysis.options import STUDY_TEXTS
from rocstats.reports.facts import FORMATS
from rocstats.reports.fda import FDA_ITEMS
from rocstats.reports.leaves import follow
from rocstats.reports.references import escape_markdown
from rocstats.reports.tripod import TRIPOD_ITEMS
from rocstats.reports.writing import written_up

CITING = ("methods", "checklist", "fda")  # which name what the page does not
NUMBER = re.compile(r"\d")


def qualitative(**options: Any) -> rs.Report:
    rng = np.random.default_rng(6)
    n = 120
    ill = np.arange(n) % 4 == 0
    frame = {"pcr": np.where(ill, "yes", "no"), "site": np.where(np.arange(n) % 3, "A", "B")}
    for name, se, sp in (("old", 0.8, 0.9), ("new", 0.9, 0.95)):
        hit = rng.random(n) < np.where(ill, se, 1 - sp)
        frame[name] = np.where(hit, "pos", "neg").astype(object)
    frame["new"][[3, 7, 8]] = ["invalid", "invalid", None]
    usual: dict[str, Any] = {
        "outcome": "pcr", "pos_label": "yes", "markers": ["old", "new"], "test_positive": ["pos"],
        "indeterminate": ["invalid"], "subgroup": "site", "prevalence": [0.05],
    }  # fmt: skip
    return rs.report(frame, **(usual | options))


def model() -> dict[str, Any]:
    return example_facts(scores="model", prespecified={"risk": (0.3,)})


VARIANTS = {
    "full": lambda: example_facts(),
    "one": lambda: example_facts(("risk",), prespecified={}, margin=None),
    "two tests": lambda: example_facts(prespecified={"s100b": (0.21,), "ndka": (12.0,)}),
    "model": model,
    "agreement": lambda: example_facts(comparator=True),
    "few": lambda: example_facts(frame=example_frame().iloc[[0, 1, 4, 6]].reset_index(drop=True)),
    "many": lambda: example_facts(tuple(f"m{i}" for i in range(9)), margin=None),
    "fitted": lambda: example_facts(scores="fitted"),
    "qualitative": lambda: qualitative().facts,
    "qualitative agreement": lambda: qualitative(comparator=True).facts,
}


@pytest.fixture(scope="module", params=VARIANTS)
def facts(request: pytest.FixtureRequest) -> dict[str, Any]:
    return written_up(VARIANTS[request.param]())


def texts(facts: dict[str, Any]) -> list[list[dict[str, str]]]:
    return [*facts["results"]["paragraphs"], *(s["parts"] for s in facts["abstract"]["sections"])]


def test_every_number_is_the_fact_it_names(facts: dict[str, Any]) -> None:
    seen = 0
    for part in (part for parts in texts(facts) for part in parts):
        if "path" in part:
            value = follow(facts, part["path"])
            if part["kind"] == "cut":
                told = follow(facts, f"{part['path']}_text").replace("-", "\u2212")
            else:
                told = FORMATS[part["kind"]](value)
            assert part["text"] == told, part
            seen += 1
        elif "name" not in part and "blank" not in part:
            assert not NUMBER.search(part["text"]), part
    assert seen > 10


def test_plain_and_markdown_are_the_same_words(facts: dict[str, Any]) -> None:
    for form in (facts["results"], facts["abstract"]):
        stated = form.get("paragraphs") or [s["parts"] for s in form["sections"]]
        for parts in stated:
            text = "".join(part["text"] for part in parts)
            assert text in form["plain"]
            assert escape_markdown(text) in form["markdown"]
            assert "  " not in text
            assert "None" not in text
            assert text.endswith((".", "?"))


def test_effect_and_interval_come_before_p(facts: dict[str, Any]) -> None:
    text = facts["results"]["plain"]
    for found in re.finditer(r"\bp [=<>]", text):
        before = text[: found.start()]
        assert (
            before.rfind("CI") > before.rfind(". ")
            or "for a difference" in text[found.start() :][:40]
        )


def test_the_page_holds_them_with_their_paths(facts: dict[str, Any]) -> None:
    root = parse(page_of(copy.deepcopy(facts)))
    section = by_id(root, "results")
    shown = [one.get("data-path") for one in find(section, "data")]
    assert shown == [part["path"] for parts in texts(facts) for part in parts if "path" in part]
    assert words(by_id(root, "results-plain")) == " ".join(facts["results"]["plain"].split())
    for name in ("results.md", "abstract.md"):
        assert by_id(root, name).get("href", "").startswith("data:text/markdown")


def test_the_abstract_asks_for_what_it_does_not_know() -> None:
    facts = written_up(example_facts())
    lacking = facts["abstract"]["lacks"]
    assert "design" in lacking
    assert "question" not in lacking
    status = {row["item"]: row["status"] for row in facts["checklist"]}
    assert status["2"] == "supply"
    facts["study"] |= dict.fromkeys(STUDY_TEXTS, "Told by the authors")
    whole = written_up(facts)
    assert whole["abstract"]["lacks"] == []
    assert "[" not in whole["abstract"]["plain"]
    assert {row["item"]: row["status"] for row in whole["checklist"]}["2"] == "reported"


# ------------------------------------------------------------------------------------ checklists


def test_tripod_has_every_item_once_and_only_of_models() -> None:
    items = [item.item for item in TRIPOD_ITEMS]
    assert len(set(items)) == len(items) == 52
    assert {int(re.match(r"\d+", item)[0]) for item in items} == set(range(1, 28))  # type: ignore[index]
    assert written_up(example_facts())["tripod"] == []
    assert len(written_up(example_facts(("risk",), scores="model"))["tripod"]) == 52


def test_all_study_texts_are_asked_for_by_a_checklist_or_printed() -> None:
    facts = model()
    facts["study"] |= dict.fromkeys(STUDY_TEXTS, "told")
    assert [r["item"] for r in written_up(facts)["tripod"] if r["status"] == "supply"] == []


@pytest.mark.parametrize("grouped", [True, False])
def test_fairness_is_reported_only_with_rates_of_subgroups(grouped: bool) -> None:
    facts = model()
    if not grouped:
        for level in facts["subgroups"][0]["levels"]:
            for row in level["estimates"]:
                row["rates"] = None
    told = written_up(facts)
    wanted = "reported" if grouped else "supply"
    assert {r["item"]: r["status"] for r in told["checklist"]}["AI 6"] == wanted
    assert {r["item"]: r["status"] for r in told["tripod"]}["14"] == wanted
    assert {r["item"]: r["status"] for r in told["tripod"]}["23a"] == wanted


# ------------------------------------------------------------------------------ qualitative tests


def test_a_qualitative_page_has_no_curve_and_every_number_is_a_fact() -> None:
    page = qualitative(comparator=True)
    root = parse(page.html)
    shown = [one for one in find(root, "section") if one.get("id") not in CITING]
    said = " ".join(map(words, shown[:-1]))
    assert not re.search(r"ROC|AUC|threshold", said)
    assert "Positive percent agreement" in said
    assert not re.search(r"\b(sensitivity|specificity)\b(?! analys)", said, re.IGNORECASE)
    for one in find(root, "data"):
        kind, path = one.get("data-as", ""), one.get("data-path", "")
        if kind != "cut":
            assert words(one) == FORMATS[kind](follow(page.facts, path)), path
    ids = [one.get("id") for one in find(root, "section")]
    assert ids == [
        *("key_results", "alerts", "participants", "quality", "thresholds", "paired_tests"),
        *("subgroups", "methods", "results", "checklist", "fda", "reproducibility", "appendix"),
    ]


def test_a_qualitative_test_is_counted_as_it_stands() -> None:
    facts = qualitative().facts
    new = facts["markers"][1]
    cut = new["cutpoints"][0]
    assert (cut["sign"], cut["threshold_text"], new["negative"]) == ("=", "pos", "neg")
    assert cut["tp"] + cut["fn"] == facts["data"]["n_pos"]
    assert facts["flow"]["start"] - facts["flow"]["analysed"] == 3
    ways = {row["counted_as"]: row for row in cut["indeterminate"]}
    assert ways["positive"]["fp"] == ways["negative"]["fp"] + 2
    assert facts["paired_tests"]["standard"] == "old"
    assert [row["item"] for row in facts["fda"]] == [item.item for item in FDA_ITEMS]
    level = facts["subgroups"][0]["levels"][0]["estimates"][1]["rates"][0]
    assert level["kind"] == "result"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test_positive": ["yes"]}, "No result of old is 'yes'"),
        ({"indeterminate": []}, "name those that are neither"),
        ({"prespecified": {"old": 1}}, "prespecified cannot be given with test_positive"),
        ({"margin": 0.05}, "margin cannot be given with test_positive"),
        ({"scores": "model"}, "scores cannot be given with test_positive"),
        ({"higher_is_positive": {"old": False}}, "higher_is_positive cannot be given"),
    ],
)
def test_what_words_cannot_do_is_refused_in_one_sentence(options: Any, message: str) -> None:
    with pytest.raises(rs.RocstatsError, match=message) as caught:
        qualitative(**options)
    assert "\n" not in str(caught.value)


def test_a_summary_has_the_same_numbers_and_no_dead_links() -> None:
    from rocstats.reports.render import render_report

    facts = written_up(example_facts())
    root = parse(render_report(facts, summary=True))
    ids = [one.get("id") for one in find(root, "section")]
    assert ids == ["key_results", "alerts", "results", "appendix"]
    known = {one.get("id") for one in root.iter()}
    for link in find(root, "a"):
        href = link.get("href") or ""
        assert not href.startswith("#") or href[1:] in known, href
