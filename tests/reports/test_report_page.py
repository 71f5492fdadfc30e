"""The page of a report: every number is a fact, everything is escaped, nothing is loaded."""

import base64
import hashlib
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from report_example import example_facts, example_frame

import rocstats as rs
from rocstats.analysis.assembly import gather_facts
from rocstats.analysis.cohort import Cohort
from rocstats.analysis.plan import StudyPlan
from rocstats.errors import InvalidOptionError
from rocstats.reports.facts import FORMATS
from rocstats.reports.leaves import follow, json_text, wrap
from rocstats.reports.render import render_report
from rocstats.reports.writing import written_up

MADE = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
SECTIONS = (
    *("key_results", "alerts", "participants", "quality", "distributions", "curves", "areas"),
    *("comparisons", "thresholds", "explorer", "subgroups", "probabilities", "sensitivity"),
    *("precision", "methods", "results", "checklist", "crosscheck", "reproducibility", "appendix"),
)
Element = ElementTree.Element


def page_of(facts: dict[str, Any], **options: Any) -> str:
    facts |= written_up(facts)
    return render_report(facts, made=MADE, **options)


def parse(page: str) -> Element:
    html5lib = pytest.importorskip("html5lib")
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return parser.parse(page)


def tag(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def words(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def find(root: Element, name: str) -> list[Element]:
    return [one for one in root.iter() if tag(one) == name]


def by_id(root: Element, name: str) -> Element:
    (found,) = (one for one in root.iter() if one.get("id") == name)
    return found


def seen(text: str, kind: str) -> str:
    """Return a text of the facts as a reader sees it: that of a number has a true minus."""
    return text.replace("-", "\u2212") if kind == "minus" else text


def spoken(element: Element, skip: tuple[str, ...]) -> Iterator[str]:
    """Yield the texts of an element without those of some tags and ids."""
    if tag(element) not in skip and element.get("id") not in skip and element.tag != "!":
        yield element.text or ""
        for child in element:
            yield from spoken(child, skip)
            yield child.tail or ""


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    return example_facts()


@pytest.fixture(scope="module")
def page(facts: dict[str, Any]) -> str:
    return page_of(facts)


@pytest.fixture(scope="module")
def root(page: str) -> Element:
    return parse(page)


# ----------------------------------------------------------------------------------- the numbers


def test_a_seed_keeps_all_its_digits() -> None:
    seed = wrap({"seed": 2**128 - 1})["seed"]
    assert json_text(seed) == str(2**128 - 1)
    assert FORMATS["digits"](seed) == str(2**128 - 1)


def test_every_number_on_the_page_is_the_fact_it_names(facts: Any, root: Element) -> None:
    shown = [one for one in find(root, "data") if one.get("data-path")]
    assert len(shown) > 500
    for one in shown:
        path, kind = one.get("data-path", ""), one.get("data-as", "")
        value = follow(facts, path)
        assert one.get("value") == json_text(value), path
        expected = {FORMATS[kind](value)}
        if kind == "cut":
            text = follow(facts, path.removesuffix("threshold") + "threshold_text")
            expected = {seen(text, "minus")}
        assert words(one) in expected, path


def test_a_name_breaks_after_its_underscores(facts: Any) -> None:
    facts = deepcopy(facts)
    facts["markers"][0]["label"] = "mean_<b>_points"
    page = page_of(facts)
    assert "<bdi>mean_<wbr>&lt;b&gt;_<wbr>points</bdi>" in page
    assert "mean_<b>" not in page


def test_names_side_by_side_keep_their_order(facts: Any) -> None:
    """A name from right to left does not turn a difference or a list round, and labels are used."""
    facts = deepcopy(facts)
    first, second, *_ = names = [m["name"] for m in facts["markers"]]
    facts["markers"][0]["label"] = "סמן"
    row = {"quantity": "z", "of": [first, second], "ours": 1.0, "r": 1.0, "difference": 0.0}
    facts["r"] |= {"status": "live", "rows": [row], "versions": {"R": "4", "pROC": "1"}}
    facts["alerts"] = [
        {"level": "note", "kind": "outliers", "marker": None, "n": 3, "markers": names},
        {
            "level": "note", "kind": "small_subgroup", "marker": None,
            "subgroup": "sex", "levels": ["א", "b"], "fewer_than": 10,
        },
    ]  # fmt: skip
    root = parse(page_of(facts))
    (cell,) = (one for one in find(by_id(root, "crosscheck"), "td") if find(one, "bdi"))
    assert [words(one) for one in find(cell, "bdi")] == ["סמן", second]
    assert words(cell) == f"סמן − {second}"
    said = [words(one) for one in find(by_id(root, "alerts"), "bdi")]
    assert said == ["סמן", *names[1:], "sex", "א", "b"]


def test_every_word_of_the_explorer_is_the_fact_it_names(facts: Any, root: Element) -> None:
    texts = [one for one in find(root, "bdi") if one.get("data-as")]
    assert [one.get("data-as") for one in texts] == ["text", "text", "minus", "text"]
    for one in texts:
        fact = follow(facts, one.get("data-path", ""))
        assert words(one) == seen(fact, one.get("data-as", ""))


def test_labels_of_figures_agree_with_the_facts(facts: Any, root: Element) -> None:
    labels = [one for one in find(root, "tspan") if one.get("data-path")]
    assert len(labels) > 30
    for one in labels:
        value, kind = follow(facts, one.get("data-path", "")), one.get("data-as", "")
        assert words(one) == (seen(value, kind) if kind == "minus" else FORMATS[kind](value))


def test_a_negative_threshold_has_a_true_minus_wherever_it_is_seen() -> None:
    frame = example_frame().assign(risk=lambda f: f["risk"] - 1.0)
    facts = example_facts(("risk",), frame=frame, prespecified={"risk": (-0.75,)})
    assert facts["markers"][0]["cutpoints"][0]["threshold_text"] == "-0.75"
    root = parse(page_of(facts))
    told = [one.get("aria-label") or "" for one in root.iter()]
    seen_here = " ".join([*told, *spoken(find(root, "body")[0], ("script", "style", "textarea"))])
    assert "\u2265 -" not in seen_here
    assert "\u2265 \u22120.75, prespecified" in seen_here
    assert words(by_id(root, "explorer-state")).startswith("Called positive if risk \u2265 \u2212")
    test_labels_of_figures_agree_with_the_facts(facts, root)
    test_every_word_of_the_explorer_is_the_fact_it_names(facts, root)


def test_no_number_stands_outside_a_fact(root: Element) -> None:
    skip = ("data", "svg", "script", "style", "code", "pre", "textarea", "time", "title")
    body = find(root, "body")[0]
    for text in spoken(body, (*skip, "methods", "explorer-state")):
        assert not re.search(r"\d[.,]\d", text), text


def test_json_in_the_page_is_the_facts(facts: Any, root: Element) -> None:
    assert json.loads(by_id(root, "facts").text or "") == json.loads(json.dumps(facts))


def test_a_number_that_is_no_fact_is_refused(facts: Any, tmp_path: Path) -> None:
    for text, message in (("{{ 0.5 | est }}", "facts only"), ("{{ data.prevalence }}", "filters")):
        (tmp_path / "alerts.html.jinja").write_text(text)
        with pytest.raises(TypeError, match=message):
            page_of(dict(facts), templates=tmp_path)


@pytest.mark.parametrize("kind", FORMATS)
def test_what_is_not_estimable_is_a_dash(kind: str) -> None:
    assert FORMATS[kind](None) == "–"
    assert FORMATS[kind]("Infinity") == "∞"


def test_rounding_never_reaches_what_is_not_so() -> None:
    assert [FORMATS["est"](x) for x in (0.9996, 0.9994, 1.0, 0.0, 4e-4)] == [
        *("> 0.999", "0.999", "1.000", "0.000", "< 0.001")
    ]
    assert [FORMATS["pct"](x) for x in (0.99951, 1, 0.0004)] == ["> 99.9%", "100.0%", "< 0.1%"]
    assert [FORMATS["pval"](x) for x in (0.00099, 0.001, 0.04996, 0.05004, 0.9999)] == [
        *("< 0.001", "0.00100", "0.0500", "0.0500", "> 0.999")
    ]
    assert [FORMATS["pval"](x) for x in (0.0499, 0.0501)] == ["0.0499", "0.0501"]
    assert FORMATS["signed"](-1e-17) == "0.000"


def test_paths_lead_back() -> None:
    tree = {"a.b": [{"c~1": 2}], "d": "-Infinity", "e": True}
    leaves = wrap(tree)
    assert follow(tree, leaves["a.b"][0]["c~1"].path) == 2
    assert leaves["d"] < 0
    assert leaves["d"].path == "d"
    assert leaves["e"] is True


# --------------------------------------------------------------------------------- the structure


def test_sections_stand_in_order(root: Element) -> None:
    found = [one.get("id") for one in find(root, "section")]
    assert tuple(found) == SECTIONS
    for nav in find(root, "nav"):
        assert [link.get("href") for link in find(nav, "a")] == [f"#{name}" for name in SECTIONS]


def test_headings_step_down_one_at_a_time(root: Element) -> None:
    levels = [int(tag(one)[1]) for one in root.iter() if re.fullmatch("h[1-6]", tag(one))]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_ids_are_unique_and_references_lead_somewhere(root: Element) -> None:
    ids = Counter(one.get("id") for one in root.iter() if one.get("id"))
    assert not {name for name, count in ids.items() if count > 1}
    for one in root.iter():
        for attribute in ("for", "aria-labelledby", "aria-describedby", "data-copy"):
            for name in (one.get(attribute) or "").split():
                assert name in ids, name
        href = one.get("href") or ""
        assert not href.startswith("#") or href[1:] in ids, href


def test_tables_and_figures_say_what_they_are(root: Element) -> None:
    for table in find(root, "table"):
        assert words(find(table, "caption")[0])
        assert all(cell.get("scope") for cell in find(table, "th"))
        widths = {sum(int(c.get("colspan") or 1) for c in row) for row in find(table, "tr")[1:]}
        assert len(widths) == 1 or find(table, "caption")[0].text.startswith("Results available")
    for figure in find(root, "figure"):
        assert words(find(figure, "figcaption")[0])
        assert all(words(find(svg, "desc")[0]) for svg in find(figure, "svg"))


def test_nothing_is_loaded_and_nothing_runs_but_what_the_policy_names(root: Element) -> None:
    policy = next(m.get("content", "") for m in find(root, "meta") if m.get("http-equiv"))
    run = [one for one in find(root, "script") if one.get("type") is None]
    assert len(run) == 1
    assert len(find(root, "script")) == 2
    for one in (*run, *find(root, "style")):
        digest = base64.b64encode(hashlib.sha256((one.text or "").encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    for one in root.iter():
        assert not {"style", "src", "srcset"} & set(one.attrib), tag(one)
        assert not any(name.startswith("on") for name in one.attrib)
        href = one.get("href") or "#"
        assert href.startswith(("#", "data:text/", "data:application/", "https://doi.org/"))


def test_only_the_time_changes(facts: Any, page: str) -> None:
    later = render_report(facts, made=datetime(2027, 5, 6, 7, 8, tzinfo=UTC))
    times = re.compile("<time.*?</time>")
    assert len(times.findall(page)) == 1
    assert page != later
    assert times.sub("", page) == times.sub("", later)


def test_downloads_are_tidy_and_whole(facts: Any, root: Element) -> None:
    import csv
    from urllib.parse import unquote

    href = by_id(root, "estimates.csv").get("href", "")
    rows = list(csv.DictReader(unquote(href.partition(",")[2]).splitlines()))
    first = facts["markers"][0]
    assert rows[0]["marker"] == first["name"]
    assert rows[0]["measure"] == "auc"
    assert float(rows[0]["estimate"]) == first["estimates"]["auc"]["estimate"]
    assert unquote(by_id(root, "references.bib").get("href", "")).count("@") >= 5
    href = by_id(root, "thresholds.csv").get("href", "")
    found = {
        (row["marker"], row["kind"], row["measure"]): float(row["estimate"])
        for row in csv.DictReader(unquote(href.partition(",")[2]).splitlines())
    }
    fixed, chosen = first["cutpoints"]
    key = (first["name"], "exploratory", "corrected_specificity")
    assert found[key] == chosen["corrected"]["specificity"]["estimate"]
    key = (first["name"], "prespecified", "ppv_at_0.1")
    assert found[key] == fixed["at_prevalence"][1]["ppv"]["estimate"]
    assert (first["name"], "prespecified", "corrected_specificity") not in found
    href = by_id(root, "subgroups.csv").get("href", "")
    found = list(csv.DictReader(unquote(href.partition(",")[2]).splitlines()))
    group = facts["subgroups"][0]
    level = group["levels"][0]
    assert (found[0]["subgroup"], found[0]["level"]) == (group["name"], level["label"])
    assert int(found[0]["n_pos"]) == level["n_pos"]
    assert float(found[0]["estimate"]) == level["estimates"][0]["estimate"]
    href = by_id(root, "sensitivity_analyses.csv").get("href", "")
    found = list(csv.DictReader(unquote(href.partition(",")[2]).splitlines()))
    assert len(found) == len(facts["sensitivity_analyses"])
    assert float(found[0]["conf_low"]) == facts["sensitivity_analyses"][0]["conf_low"]


# ------------------------------------------------------------------------------ what users bring


HOSTILE = ("<script>alert(1)</script>", "a\"b'c & </title>", "م" * 200, "x.y:{{ 7*7 }}")


def test_hostile_names_are_only_text() -> None:
    facts = example_facts(HOSTILE)
    facts["study"]["title"] = "</title><img src=x onerror=alert(1)> </script> \u2028"
    found = page_of(facts)
    root = parse(found)
    assert len(find(root, "script")) == 2
    assert not find(root, "img")
    said = words(find(root, "main")[0])
    assert all(name in said for name in HOSTILE)
    assert words(find(root, "h1")[0]).startswith("</title><img")


@pytest.mark.parametrize("n", [2, 5, 12])
def test_few_patients(n: int) -> None:
    frame = example_frame(n=24).iloc[[0, 4, 1, 6, 2, 9, 3, 7, 11, 12, 17, 18][:n]]
    facts = example_facts(frame=frame.reset_index(drop=True), prespecified={})
    root = parse(page_of(facts))
    assert "nan" not in words(find(root, "main")[0]).lower().split()


def test_one_marker_has_no_comparisons() -> None:
    root = parse(page_of(example_facts(("risk",), prespecified={"risk": (0.5,)})))
    assert "comparisons" not in [one.get("id") for one in find(root, "section")]
    assert "difference" not in words(by_id(root, "precision"))


def test_a_figure_of_some_of_the_differences_says_so(facts: Any) -> None:
    facts = deepcopy(facts)
    found = facts["comparisons"]
    found |= {"pairwise": found["pairwise"][:1] * 41, "margins": []}
    root = parse(page_of(facts))
    captions = [words(one) for one in find(by_id(root, "comparisons"), "figcaption")]
    assert captions == ["The first 40 of 41 differences in AUC with confidence intervals."]
    assert "p is adjusted for 41 comparisons" in words(by_id(root, "key_results"))


def test_agreement_is_not_called_accuracy() -> None:
    root = parse(page_of(example_facts(comparator=True)))
    skip = ("svg", "script", "style", "textarea", "methods", "checklist")
    said = " ".join(spoken(find(root, "body")[0], skip))
    assert "Positive percent agreement" in said
    assert not re.search(r"specificity|\bsensitivity\b(?! analys)", said, re.IGNORECASE)
    assert not re.search("reference standard|with the condition", said)
    drawn = " ".join(words(one) for one in find(by_id(root, "thresholds"), "svg"))
    assert "Share confirmed" in drawn
    assert "redictive" not in drawn
    methods = " ".join(words(one) for one in find(by_id(root, "methods"), "p"))
    share = "the share of {} calls that the comparator confirms"
    both = f"{share.format('positive')} and {share.format('negative')}"
    assert f", {both} were computed from" in methods
    assert "redictive value" not in methods


def test_fitted_scores_are_not_compared() -> None:
    root = parse(page_of(example_facts(scores="fitted")))
    assert "Not answered" in words(by_id(root, "comparisons"))


def test_no_praise(root: Element) -> None:
    said = words(find(root, "main")[0]).lower()
    assert not re.search(r"\b(excellent|good|poor|fair|outstanding|acceptable) "
                         r"(discrimination|accuracy|auc|test|marker)", said)  # fmt: skip


def test_own_templates_replace_parts(facts: Any, tmp_path: Path) -> None:
    (tmp_path / "alerts.html.jinja").write_text("<p>Ours: {{ data.n }} patients.</p>\n")
    (tmp_path / "style.css").write_text("body { color: red; }")
    root = parse(page_of(dict(facts), templates=tmp_path))
    assert words(by_id(root, "alerts")) == "What to keep in mind Ours: 109 patients."
    assert (find(root, "style")[0].text or "").startswith("body { color: red; }")
    for folder in (tmp_path / "nowhere", ""):
        with pytest.raises(InvalidOptionError, match="templates must be a folder"):
            page_of(dict(facts), templates=folder)


def said_by(facts: dict[str, Any], section: str) -> str:
    return words(by_id(parse(page_of(facts)), section))


@pytest.mark.parametrize(("higher", "way"), [(True, "higher"), (False, "lower")])
def test_a_marker_below_chance_is_told_by_its_direction(higher: bool, way: str) -> None:
    turned = example_frame().assign(risk=lambda f: (0.5 - f["risk"]) * (1 if higher else -1))
    facts = example_facts(("risk",), frame=turned, higher_is_positive=higher)
    assert f"taken as {way} in the positive class" in said_by(facts, "alerts")


def test_where_no_threshold_is_chosen_the_page_says_so() -> None:
    apart = example_frame().assign(risk=lambda f: -1.0 * (f["outcome"] == "Poor"))
    facts = example_facts(("risk",), frame=apart, prespecified={})
    root = parse(page_of(facts))
    assert "none was chosen" in words(by_id(root, "thresholds"))
    assert "Those that the data chose" not in words(by_id(root, "key_results"))
    assert "No threshold was fixed in advance" in words(by_id(root, "alerts"))


def test_a_margin_is_judged_by_an_interval_whose_level_is_told() -> None:
    facts = example_facts(margin=0.1, aim="equivalence", confidence_level=0.99)
    for section in ("key_results", "comparisons"):
        assert "(90% CI " in said_by(dict(facts), section)
    assert "conclusions are not adjusted" in said_by(facts, "comparisons")


def test_copies_of_a_marker_are_judged_by_what_so_many_show() -> None:
    same = example_frame().assign(ndka=lambda f: f["s100b"])
    facts = example_facts(("s100b", "ndka"), frame=same, margin=0.1)
    said = said_by(facts, "key_results")
    assert "could not be judged" not in said
    assert facts["comparisons"]["margins"][0]["shown"]
    assert "– to –" not in said
    assert "nan" not in said


def test_exploratory_frequencies_are_called_apparent() -> None:
    said = said_by(example_facts(prespecified={}), "thresholds")
    assert "By the apparent rates, and so too favourable" in said
    assert "at its first threshold, by apparent rates" in said


def test_rows_of_clusters_are_observations() -> None:
    frame = example_frame().assign(person=lambda f: f.index // 2)
    root = parse(page_of(example_facts(frame=frame, cluster="person")))
    for section in ("key_results", "areas", "thresholds", "comparisons"):
        said = words(by_id(root, section))
        assert not re.search("participants|DeLong|– to –|no interval", said), section
    assert "design effect of the measure" in words(by_id(root, "methods"))
    assert "no test, as levels share clusters" in words(by_id(root, "subgroups"))


def test_one_reason_against_r_and_a_script_is_told_once(facts: Any) -> None:
    facts = deepcopy(facts)
    facts["r"] |= {"why": "It is so.", "script": None, "script_why": "It is so."}
    said = said_by(facts, "crosscheck")
    assert said.endswith("was made: It is so. There is no script either.")


def test_agreement_has_a_heading_of_its_own() -> None:
    facts = example_facts(comparator=True)
    facts["study"]["title"] = None
    head = words(find(parse(page_of(facts)), "header")[0])
    assert "Report of agreement" in head
    assert "accuracy" not in head


def test_measured_values_are_not_said_to_be_probabilities() -> None:
    for scores, there in (("measured", False), ("model", True)):
        root = parse(page_of(example_facts(scores=scores, bounds={})))
        assert ("probabilities" in [one.get("id") for one in root.iter()]) == there


def test_indeterminate_results_stand_both_ways_at_the_threshold() -> None:
    frame = example_frame().assign(s100b=lambda f: f["s100b"].astype(object))
    frame.loc[[0, 4], "s100b"] = "unclear"
    root = parse(page_of(example_facts(frame=frame, indeterminate=["unclear"])))
    for section in ("key_results", "thresholds"):
        assert re.search("indeterminate results counted", words(by_id(root, section)))
    assert "missing or indeterminate" in words(by_id(root, "alerts"))


def test_what_the_methods_text_says_of_calibration_and_margin_is_on_the_page(
    facts: dict[str, Any],
) -> None:
    """The methods text speaks of calibration indices and of power for the margin."""
    root = parse(page_of(facts))
    shown = {one.get("data-path") for one in root.iter()}
    (place,) = (i for i, marker in enumerate(facts["markers"]) if marker["calibration"])
    indices = facts["markers"][place]["calibration"]["indices"]
    assert {f"markers.{place}.calibration.indices.{name}" for name in indices} <= shown
    powers = [i for i, row in enumerate(facts["precision"]) if row["margin_power"] is not None]
    assert powers
    assert {f"precision.{i}.margin_power" for i in powers} <= shown


def test_what_depends_on_the_prevalence_is_said_to(facts: Any, root: Element) -> None:
    said = words(by_id(root, "thresholds"))
    assert "like accuracy, F1 and the Matthews correlation, hold only where" in said
    assert "calibration, Brier score and net benefit differ" in words(by_id(root, "probabilities"))


def test_bounds_are_promised_only_where_there_are_some() -> None:
    """A missing result of a marker is bounded, a missing outcome is not."""
    frame = example_frame(("s100b", "ndka")).assign(s100b=lambda f: f["ndka"] / 3.0)
    frame.loc[20:29, "outcome"] = None
    frame["outcome"] = frame["outcome"].where(frame.index > 9)
    names, promise = ("s100b", "ndka"), "show how far such values could move the AUC"
    root = parse(page_of(example_facts(names, frame=frame)))
    said = words(by_id(root, "alerts"))
    assert promise not in said
    assert "was not studied" in said
    assert "Bounds are" not in words(by_id(root, "sensitivity"))
    frame.loc[50:59, "s100b"] = float("nan")
    root = parse(page_of(example_facts(names, frame=frame)))
    said = words(by_id(root, "alerts"))
    assert f"{promise}, but for the 20 participants whose outcome is not known." in said
    assert "Bounds are of all rows whose outcome is known." in words(by_id(root, "sensitivity"))


def test_a_difference_without_variance_is_judged_by_what_so_many_show() -> None:
    apart = example_frame().assign(
        s100b=lambda f: (f["outcome"] == "Poor") * 1.0 + f["risk"] / 2, ndka=1.0
    )
    facts = example_facts(("s100b", "ndka", "risk"), frame=apart, prespecified={})
    (pair,) = (p for p in facts["comparisons"]["pairwise"] if p["first"] == "ndka")
    assert pair["estimate"] == -0.5
    assert (pair["std_error"], pair["p_delong"]) == (0.0, None)
    assert 0.0 < pair["p_value"] < pair["p_adjusted"] < 1.0
    assert pair["conf_low"] < -0.5 < pair["conf_high"] < 0.0
    assert 0.0 < facts["comparisons"]["omnibus"]["p_value"] < 1.0
    assert facts["comparisons"]["omnibus"]["p_delong"] is None
    said = said_by(facts, "alerts")
    assert "has no variance in this sample, though the AUCs differ" in said
    assert "A permutation test needs none" in said
    assert "a p of 1 there" not in said
    methods = said_by(facts, "methods")
    assert "by Newcombe's method 5 on the scale of DeLong's variance" in methods
    assert "at the null: where each hypothesis puts the AUCs" in methods


def test_a_margin_without_a_standard_says_which_marker_is_the_new_one(facts: Any) -> None:
    told = (
        "by the order of the markers s100b counts as the new marker and ndka as the standard, and "
        "so on in every pair. Name the standard with --versus."
    )
    assert told in said_by(example_facts(versus=None), "alerts")
    assert "no_reference" not in {alert["kind"] for alert in facts["alerts"]}
    turned = example_facts(versus=None, aim="equivalence")  # the same either way round
    assert "no_reference" not in {alert["kind"] for alert in turned["alerts"]}


def test_levels_that_do_not_vary_or_share_clusters_have_no_test() -> None:
    perfect = example_frame().assign(risk=lambda f: (f["outcome"] == "Poor") * 0.5 + f["risk"] / 3)
    facts = example_facts(("risk",), frame=perfect, prespecified={})
    (test,) = facts["subgroups"][0]["interaction"]
    assert (test["method"], test["p_value"]) == ("no level varies", None)
    assert "differed between levels" not in said_by(facts, "methods")
    frame = example_frame().assign(person=lambda f: f.index // 2)
    said = said_by(example_facts(frame=frame, cluster="person"), "subgroups")
    assert "no test, as levels share clusters" in said
    assert "p of the test" not in said


def test_two_thresholds_that_call_the_same_are_said_to(facts: Any) -> None:
    best = facts["markers"][0]["cutpoints"][1]["threshold"]
    found = example_facts(("s100b",), margin=None, prespecified={"s100b": (best - 1e-6,)})
    said = said_by(found, "thresholds")
    assert f"calls the same participants positive as \u2265 {best:g}, which has the largest" in said
    assert "would choose it too" not in said_by(facts, "thresholds")
    # Line 8 of issue 14: one cut is shown once, with one result.
    (only,) = found["markers"][0]["cutpoints"]
    assert (only["kind"], only["also"]["threshold"]) == ("prespecified", best)
    assert "Corrected for optimism" not in said
    same = example_facts(("s100b",), margin=None, prespecified={"s100b": (best,)})
    text = said_by(same, "thresholds")
    assert "These data would choose it too: it has the largest Youden's J in these data." in text


def test_exploratory_thresholds_are_chosen_by_the_criterion_asked_for() -> None:
    found = example_facts(("s100b",), margin=None, prespecified={}, criterion="closest")
    said = said_by(found, "thresholds")
    assert "Closest to sensitivity and specificity 1 in these data." in said
    methods = said_by(found, "methods")
    assert "on the same data: closest to sensitivity and specificity 1 in these data" in methods
    (cut,) = found["markers"][0]["cutpoints"]
    given = {"s100b": (cut["threshold"],)}
    same = example_facts(("s100b",), margin=None, prespecified=given, criterion="closest")
    assert "it is closest to sensitivity and specificity 1 in" in said_by(same, "thresholds")


def test_one_marker_has_no_detectable_difference() -> None:
    said = said_by(example_facts(("risk",), prespecified={}, margin=None), "precision")
    assert not re.search("between two markers|etectable|observed effect", said)


def test_a_zero_has_no_sign() -> None:
    for show in FORMATS.values():
        assert show(-0.0) == show(0.0)
    frame = example_frame().assign(risk=lambda f: (f["risk"] - 0.3).round(1))
    cut = example_facts(("risk",), frame=frame, prespecified={"risk": (-0.0,)})["markers"][0]
    assert cut["cutpoints"][0]["threshold_text"] == "0"
    assert "-0" not in cut["explorer"]["threshold"]


def test_what_a_sample_left_out_is_not_said_to_be_there() -> None:
    """A sample knows how many rows it dropped, not which."""
    y, score = [1, 0] * 20, [float(i % 7) for i in range(39)] + [float("nan")]
    sample = rs.ScoredSample.from_arrays(y, {"a": score}, nan_policy="omit")
    facts = gather_facts(Cohort.of_sample(sample, groups={}), StudyPlan(n_resamples=100, r="no"))
    assert facts["flow"]["steps"] == [{"why": "missing values (a in 1)", "n": 1}]
    assert facts["flow"]["markers"] == []
    assert facts["markers"][0]["quality"]["missing_share"] is None
    assert "does not know which results they lack" in said_by(facts, "quality")


def test_a_missing_outcome_is_no_missing_result_of_a_marker() -> None:
    quality = [m["quality"] for m in example_facts()["markers"]]
    assert [q["missing_share"] for q in quality] == pytest.approx([3 / 113, 0.0, 0.0])


ONE = ("s100b",)


def test_14_06_the_page_gives_usable_thresholds_before_an_interpolated_rate() -> None:
    """Issue 14, line 6, on the page and in the methods."""
    frame = example_frame(ONE).assign(s100b=lambda f: (f["s100b"] > 0.3) * 1.0)
    facts = example_facts(ONE, frame, prespecified={}, margin=None)
    root = parse(page_of(facts))
    text = words(by_id(root, "thresholds"))
    rate = facts["markers"][0]["fixed_rates"][0]
    assert rate["interpolated"]
    nobody, test = "No one called positive: 0.0%, 100.0%", "s100b ≥ 1: "
    assert text.index(nobody) < text.index(test) < text.index("interpolated", text.index(test))
    assert "and by linear interpolation where no threshold had that rate" in words(
        by_id(root, "methods")
    )


def test_14_11_numbers_that_stand_side_by_side_agree(facts: Any) -> None:
    """Issue 14, line 11: intervals and p-values that belong together, on the page."""
    assert [FORMATS["coef"](x) for x in (3e-9, -3e-5, 0.0016, None)] == [
        *("0.000", "0.000", "+0.002", "–")
    ]
    card = said_by(facts, "key_results")
    pair = facts["comparisons"]["pairwise"][0]
    p, adjusted = (FORMATS["psign"](pair[name]) for name in ("p_value", "p_adjusted"))
    assert f"p\u00a0{p}; adjusted\u00a0{adjusted} (Holm)".replace("\u00a0", " ") in card
    text = said_by(facts, "thresholds")
    assert "count it as estimated; those at a stated prevalence" in text
    assert "Ringed: these data, with the 95%" in text
    whole = example_facts(ONE, margin=None, prevalence=(facts["data"]["prevalence"], 0.1))
    for cut in whole["markers"][0]["cutpoints"]:
        own = whole["data"]["n_pos"] / (whole["data"]["n_pos"] + whole["data"]["n_neg"])
        shares = [at["prevalence"] for at in cut["at_prevalence"]]
        assert len(shares) == len(set(shares)) == 3 - (own == facts["data"]["prevalence"])


def disagreeing_frame() -> Any:
    """The first of some small studies in which DeLong's tests alone are significant."""
    for seed in range(300):
        rng = np.random.default_rng([15, seed])
        y = np.repeat([1, 0], 12)
        shared = rng.normal(size=24)
        a, b = (gap * y + 0.6 * shared + 0.8 * rng.normal(size=24) for gap in (2.6, 1.7))
        found = rs.compare(y, {"a": a, "b": b})
        if found.pairwise(method="delong").pvalue <= 0.05 < found.pairwise().pvalue:
            named = {"a": a, "b": b, "outcome": np.where(y == 1, "Poor", "Good")}
            return pd.DataFrame(named | {"sex": "Female", "age": 50.0})
    raise AssertionError


@pytest.mark.filterwarnings("ignore::rocstats.RocstatsWarning")
def test_the_page_shows_both_tests_once_where_they_disagree() -> None:
    frame = disagreeing_frame()
    facts = example_facts(("a", "b"), frame=frame, prespecified={}, planned=None, units={})
    (pair,) = facts["comparisons"]["pairwise"]
    assert pair["method"] == "t test, variance at the null"
    assert pair["disagrees"]
    assert pair["p_delong"] <= 0.05 < pair["p_value"]
    said = said_by(facts, "comparisons")
    assert said.count("own test of b − a disagrees") == 1
    assert "(t test, variance at the null)" in said
    methods = said_by(facts, "methods")
    assert "where the two disagreed about significance" in methods
    pair["disagrees"] = False
    assert "disagrees" not in said_by(facts, "comparisons")
    facts["comparisons"]["margins"][0] |= {"few_losses": True, "disagrees": True, "p_delong": 0.01}
    said = said_by(facts, "comparisons")
    assert "so few losses cannot show it" in said
    assert said.count("own test disagrees: one-sided p") == 1
