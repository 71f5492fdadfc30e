"""The methods text, its references and the STARD checklist: exactly what the facts hold."""

import copy
import json
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocstats as rs
from rocstats.analysis.assembly import gather_facts
from rocstats.analysis.cohort import Cohort
from rocstats.analysis.options import STUDY_TEXTS
from rocstats.analysis.plan import StudyPlan
from rocstats.estimates import interval_methods
from rocstats.reports.checklist import ITEMS, checklist_facts
from rocstats.reports.methods import methods_text
from rocstats.reports.references import bibtex, escape_markdown, find_reference, known_keys

SOURCES = Path(rs.__file__).parent / "reports" / "sentences"


def study(n: int = 90, *, seed: int = 4) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 3 == 0).astype(int)
    columns = {name: np.round(rng.normal(size=n) + 0.9 * y, 1) for name in ("a", "b", "c")}
    probability = 1.0 / (1.0 + np.exp(-(columns["a"] - 0.7)))
    return {
        "outcome": y,
        **columns,
        "risk": probability,
        "chance": np.round(np.sqrt(probability), 3),
        "site": np.where(np.arange(n) % 2, "north", "south"),
        "family": np.arange(n) // 2,
    }


def gather(
    markers: tuple[str, ...] = ("a", "b", "c"), *, columns: Any = None, **options: Any
) -> dict[str, Any]:
    shape = ("cluster", "groups", "baseline", "indeterminate", "higher_is_positive")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cohort = Cohort.of_frame(
            study() if columns is None else columns,
            outcome="outcome",
            markers=markers,
            **{name: options.pop(name) for name in shape if name in options},
        )
        return gather_facts(cohort, StudyPlan(n_resamples=100, r="no", **options))


def with_gaps() -> dict[str, Any]:
    columns = study()
    columns["b"] = [None, "unclear", *map(str, columns["b"][2:])]
    columns["a"][5] = np.nan
    return columns


def without_thresholds() -> dict[str, Any]:
    facts = gather(("a",), specificities=(), prevalence=[0.1])
    facts["markers"][0] |= {"cutpoints": [], "band": None, "predictive_curve": None}
    facts["sensitivity_analyses"] = []
    return facts


VARIANTS: dict[str, Callable[[], dict[str, Any]]] = {
    "plain": gather,
    "one marker": lambda: gather(("a",)),
    "two markers": lambda: gather(("a", "b")),
    "versus": lambda: gather(versus="b", adjust="fdr_bh"),
    "not adjusted": lambda: gather(adjust="none"),
    "non-inferiority": lambda: gather(margin=0.05),
    "equivalence": lambda: gather(margin=0.1, aim="equivalence", confidence_level=0.9),
    "superiority": lambda: gather(("a", "b"), margin=0.01, aim="superiority"),
    "prespecified": lambda: gather(prespecified={"a": [0.5]}, prevalence=[0.1, 0.02]),
    "two tests": lambda: gather(prespecified={"a": [0.5], "b": [0.4]}, adjust="none"),
    "clustered tests": lambda: gather(
        cluster="family", prespecified={"a": [0.5], "b": [0.4]}, adjust="none"
    ),
    "low": lambda: gather(higher_is_positive=False),
    "mixed": lambda: gather(higher_is_positive={"a": False, "b": True, "c": True}),
    "subgroups": lambda: gather(groups=("site",), baseline=("a",)),
    "clusters": lambda: gather(cluster="family"),
    "clusters across levels": lambda: gather(cluster="family", groups=("site",)),
    "gaps": lambda: gather(columns=with_gaps(), indeterminate=("unclear",)),
    "probabilities": lambda: gather(("risk", "chance")),
    "probability and marker": lambda: gather(("risk", "a"), scores="model"),
    "fitted": lambda: gather(("risk", "chance"), scores="fitted"),
    "cross-validated": lambda: gather(("risk",), scores="cross-validated", groups=("site",)),
    "comparator": lambda: gather(comparator=True, prevalence=[0.2]),
    "no thresholds": without_thresholds,
    "no fixed rates": lambda: gather(specificities=()),
    "tiny": lambda: gather(("a",), columns={"outcome": [1, 0, 0], "a": [2.0, 1.0, 3.0]}),
    "perfect": lambda: gather(("a",), columns={"outcome": [1, 1, 0, 0], "a": [4.0, 3.0, 1.0, 2.0]}),
    "infinite": lambda: gather(("a",), columns=study() | {"a": [np.inf, *study()["a"][1:]]}),
    "many markers": lambda: gather(
        tuple(f"m{i}" for i in range(9)),
        columns={"outcome": study()["outcome"]} | {f"m{i}": study(seed=i)["a"] for i in range(9)},
    ),
}


@pytest.fixture(scope="module")
def facts_of() -> Callable[[str], dict[str, Any]]:
    made: dict[str, dict[str, Any]] = {}

    def give(name: str) -> dict[str, Any]:
        if name not in made:
            made[name] = VARIANTS[name]()
        return copy.deepcopy(made[name])

    return give


@pytest.fixture(params=VARIANTS)
def facts(request: pytest.FixtureRequest, facts_of: Any) -> dict[str, Any]:
    """The facts of every variant in turn."""
    return facts_of(request.param)


def prose(facts: dict[str, Any]) -> str:
    paragraphs = methods_text(facts)["methods"]["paragraphs"]
    return "\n".join(" ".join(s["text"] for s in p) for p in paragraphs)


# --- The structure ------------------------------------------------------------------------------


def test_references_are_those_cited_in_order_of_first_citation(facts: dict[str, Any]) -> None:
    told = methods_text(facts)
    sentences = [s for p in told["methods"]["paragraphs"] for s in p]
    cited = list(dict.fromkeys(key for s in sentences for key in s["cites"]))
    assert [work["key"] for work in told["references"]] == cited
    assert [work["number"] for work in told["references"]] == list(range(1, len(cited) + 1))
    assert set(cited) <= set(known_keys())
    for sentence in sentences:
        assert sentence["numbers"] == sorted(cited.index(key) + 1 for key in sentence["cites"])
        assert re.fullmatch(r"[A-Z0-9].*\.", sentence["text"]), sentence["text"]
        assert "  " not in sentence["text"]
        assert "None" not in sentence["text"]
    assert all(told["methods"]["paragraphs"])
    json.dumps(told["methods"], allow_nan=False)
    json.dumps(told["references"], allow_nan=False)


def test_the_facts_are_left_alone(facts_of: Any) -> None:
    facts = facts_of("plain")
    before = copy.deepcopy(facts)
    told = methods_text(facts)
    assert facts == before
    assert {k: v for k, v in told.items() if k not in ("methods", "references")} == before


def test_every_form_says_the_same(facts: dict[str, Any]) -> None:
    told = methods_text(facts)
    methods, works = told["methods"], told["references"]
    plain, markdown = methods["plain"], methods["markdown"]
    for sentence in (s for p in methods["paragraphs"] for s in p):
        stem = sentence["text"].removesuffix(".")
        assert stem in plain
        assert escape_markdown(stem) in markdown
        if sentence["cites"]:
            assert f"{stem} [{', '.join(map(str, sentence['numbers']))}]." in plain
    for work in works:
        assert f"\n{work['number']}. {work['text']}" in plain
        assert escape_markdown(work["text"]) in markdown
        assert (work["doi"] is None) or f"doi:{work['doi']}" in plain
    assert set(re.findall(r"@(\w+)[;\]]", markdown)) == {work["key"] for work in works}
    assert re.findall(r"^@\w+\{(\w+),$", methods["bibtex"], re.M) == [w["key"] for w in works]


def test_names_of_markers_do_not_become_markdown() -> None:
    name = "<b>[x](y) *a_b*</b>"
    columns = study()
    told = methods_text(
        gather((name, "b"), columns=columns | {name: columns["a"]}, prespecified={name: [0.5]})
    )
    assert name in told["methods"]["plain"]
    assert name not in told["methods"]["markdown"]
    assert r"\<b\>\[x\](y) \*a\_b\*\</b\>" in told["methods"]["markdown"]


# --- What is said, and what is not --------------------------------------------------------------

Holds = Callable[[dict[str, Any]], bool]


def any_marker(test: Holds) -> Holds:
    return lambda facts: any(test(marker) for marker in facts["markers"])


def pairs(facts: dict[str, Any]) -> list[Any]:
    return (facts["comparisons"] or {}).get("pairwise", [])


def cuts(facts: dict[str, Any], kind: str) -> list[Any]:
    return [cut for m in facts["markers"] for cut in m["cutpoints"] if cut["kind"] == kind]


def adjusted(name: str) -> Holds:
    return lambda f: len(pairs(f)) > 1 and f["comparisons"]["adjust"] == name


def aims(name: str) -> Holds:
    return lambda f: any(
        test["aim"] == name for test in (f["comparisons"] or {}).get("margins", [])
    )


def analysis(name: str) -> Holds:
    return lambda f: any(row["analysis"] == name for row in f["sensitivity_analyses"])


# A phrase stands in the text exactly where the facts hold what it is about.
PHRASES: dict[str, Holds] = {
    "complete cases": lambda f: bool(f["flow"]["steps"]),
    "Indeterminate results": lambda f: any(m["indeterminate_neg"] for m in f["flow"]["markers"]),
    "fitted to; areas": lambda f: f["settings"]["scores"] == "fitted",
    "developed on other": lambda f: f["settings"]["scores"] == "model",
    "pooled over the folds": lambda f: f["settings"]["scores"] == "cross-validated",
    "STARD-AI": lambda f: f["settings"]["scores"] != "measured",
    "agreement": lambda f: f["data"]["comparator"],
    "reference standard and": lambda f: not f["data"]["comparator"],
    "clusters": lambda f: f["data"]["cluster"] is not None,
    "DeLong and colleagues": lambda f: (
        f["data"]["cluster"] is None
        and f["markers"][0]["estimates"]["auc"]["std_error"] is not None
    ),
    "scored AUC": any_marker(lambda m: m["estimates"]["sauc"] is not None),
    "smooth AUC": any_marker(lambda m: m["estimates"]["smauc"] is not None),
    "Along the midpoint": any_marker(lambda m: m["smauc_along"] is not None),
    "rank envelopes": any_marker(lambda m: m["band"] and m["band"]["method"] == "envelope"),
    "of fixed width": any_marker(lambda m: m["band"] and m["band"]["method"] == "fixed-width"),
    "Wilcoxon": any_marker(lambda m: m["distribution"]["wilcoxon"] is not None),
    "Differences in AUC": lambda f: bool(pairs(f)),
    "each marker and": lambda f: len(pairs(f)) > 1 and f["comparisons"]["versus"] is not None,
    "not compared by a test": lambda f: bool((f["comparisons"] or {}).get("refused")),
    "Holm": adjusted("holm"),
    "Benjamini": adjusted("fdr_bh"),
    "were not adjusted for their number.": lambda f: (
        adjusted("none")(f) or PHRASES["an F distribution with Satterthwaite"](f)
    ),
    "quadratic form": lambda f: bool((f["comparisons"] or {}).get("omnibus")),
    "Non-inferiority": aims("non-inferiority"),
    "Equivalence within": aims("equivalence"),
    "Superiority": aims("superiority"),
    "McNemar's tests": lambda f: (
        bool(f["paired_tests"]) and not f["paired_tests"]["pairs"][0]["sensitivity"]["clustered"]
    ),
    "Wald tests and intervals over clusters": lambda f: (
        bool(f["paired_tests"]) and f["paired_tests"]["pairs"][0]["sensitivity"]["clustered"]
    ),
    "weighted generalised score": lambda f: bool(f["paired_tests"]),
    "TRIPOD+AI": lambda f: f["settings"]["scores"] != "measured",
    "prespecified threshold of": lambda f: len(cuts(f, "prespecified")) == 1,
    "prespecified thresholds of": lambda f: len(cuts(f, "prespecified")) > 1,
    "Exploratory thresholds": lambda f: bool(cuts(f, "exploratory")),
    "corrected for optimism:": lambda f: bool(cuts(f, "exploratory")),
    "Bayes' theorem": any_marker(lambda m: m["predictive_curve"] is not None),
    "At the stated prevalence": lambda f: (
        bool(f["settings"]["prevalence"]) and bool(cuts(f, "exploratory"))
    ),
    "fixed specificity": lambda f: (
        not f["data"]["comparator"] and bool(f["settings"]["specificities"])
    ),
    "negative percent agreement of": lambda f: (
        f["data"]["comparator"] and bool(f["settings"]["specificities"])
    ),
    "within the levels of": lambda f: bool(f["subgroups"]),
    "no two observations were of one cluster": lambda f: (
        f["data"]["cluster"] is not None and bool(f["subgroups"])
    ),
    "which share clusters": lambda f: any(
        test["method"] == "levels share clusters"
        for group in f["subgroups"]
        for test in group["interaction"]
    ),
    "recalibration": any_marker(lambda m: m["calibration"] is not None),
    "Brier": any_marker(lambda m: m["calibration"] is not None),
    "net benefit": any_marker(lambda m: m["decision"] is not None),
    "without outlying values": analysis("outliers"),
    "counted as positive": analysis("indeterminate_positive"),
    "as low as possible": analysis("missing_worst"),
    "as if there were no clusters": analysis("independent"),
    "counted as positive, and as negative": lambda f: any(
        cut["indeterminate"] for m in f["markers"] for cut in m["cutpoints"]
    ),
    "participants": lambda f: f["data"]["cluster"] is None,
    "conclusions were not adjusted": lambda f: len((f["comparisons"] or {}).get("margins", [])) > 1,
    "an F distribution with Satterthwaite": lambda f: any(
        test["p_value"] is not None for group in f["subgroups"] for test in group["interaction"]
    ),
    "power for the margin": lambda f: any(r["margin_power"] is not None for r in f["precision"]),
    "the model's standard errors": lambda f: (
        f["data"]["cluster"] is None and any(m["calibration"] for m in f["markers"])
    ),
    "with a power of 80%": lambda f: any(row["detectable"] for row in f["precision"]),
    "pROC": lambda f: f["r"]["status"] == "live",
    "90% confidence": lambda f: f["settings"]["confidence_level"] == 0.9 or aims("equivalence")(f),
    "100 times, with the seed 1": lambda f: bool(f["sensitivity_analyses"]),
}


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_phrase_is_there_exactly_where_it_holds(phrase: str, facts_of: Any) -> None:
    seen = set()
    for name in VARIANTS:
        facts = facts_of(name)
        holds = bool(PHRASES[phrase](facts))
        seen.add(holds)
        assert (phrase in prose(facts)) == holds, (phrase, name, prose(facts))
    if phrase != "pROC":
        assert seen == {True, False}, "no variant decides this phrase"


def test_two_prespecified_thresholds_are_thresholds(facts_of: Any) -> None:
    facts = facts_of("prespecified")
    assert "The prespecified threshold of a was fixed" in prose(facts)
    facts["markers"][0]["cutpoints"] += cuts(facts, "prespecified")
    assert "The prespecified thresholds of a were fixed" in prose(facts)


def test_agreement_has_its_own_words(facts_of: Any) -> None:
    text = prose(facts_of("comparator"))
    assert "positive percent agreement" in text
    assert not re.search("sensitivity(?! analyses)|specificity|condition|PPV|NPV", text)
    assert text.count("reference standard") == 1  # which the comparator is not


def test_levels_of_a_large_study_are_told(facts_of: Any) -> None:
    facts = facts_of("plain")
    assert "levels of about equal size" not in prose(facts)
    facts["settings"]["levels"] = 1024
    assert "grouped in at most 1024 levels of about equal size" in prose(facts)


def test_clusters_take_the_place_of_observations_in_newcombes_method(facts_of: Any) -> None:
    facts = facts_of("clusters")
    assert ("in place of the numbers of observations" in prose(facts)) == (
        "score" in {m["estimates"]["auc"]["conf_method"] for m in facts["markers"]}
    )
    for method in ("newcombe", "score"):
        facts["markers"][0]["estimates"]["auc"]["conf_method"] = method
        assert "in place of the numbers of observations" in prose(facts)


def test_indeterminate_results_are_counted_by_result_and_not_said_to_be_in_the_flow() -> None:
    """A row that lacks two results is once in the flow, at the first of them."""
    columns = with_gaps()
    columns["a"] = [*map(str, columns["a"][:1]), "unclear", *map(str, columns["a"][2:])]
    facts = gather(columns=columns, indeterminate=("unclear",))
    assert {"why": "b indeterminate", "n": 1} not in facts["flow"]["steps"]
    said = "(2, of all markers together, where the outcome was known) were left out of the main"
    assert said in prose(facts)


@pytest.mark.parametrize("certain", [False, True])
def test_recalibration_is_named_where_a_line_was_fitted(certain: bool) -> None:
    """A probability of exactly 0 has no logit."""
    columns = study()
    if certain:
        columns["risk"][1] = 0.0
    facts = gather(("risk",), columns=columns, scores="model")
    assert ("recalibration" in prose(facts)) == (not certain)
    assert "lowess" in prose(facts)


def test_r_is_named_where_it_was_asked(facts_of: Any) -> None:
    facts = facts_of("plain")
    facts["r"] |= {"status": "live", "versions": {"R": "4.5.1", "pROC": "1.19.0.1"}}
    told = methods_text(facts)
    assert "R 4.5.1 and its package pROC 1.19.0.1" in prose(facts)
    assert "Areas and standard errors were computed a second time" in prose(facts)
    facts["r"]["rows"] = [{"quantity": "p"}]
    assert "Areas, standard errors and tests were computed a second time" in prose(facts)
    assert {"rcore", "robin2011"} <= {work["key"] for work in told["references"]}


INTERVALS = {
    "logit": "on the logit scale with normal quantiles",
    "newcombe": "Newcombe's method 5.",
    "score": "Newcombe's method 5 on the scale of DeLong's variance",
    "wald_t": "symmetrically about the estimate with t quantiles",
    "kl": "Hoeffding",
    "logit_t": "on the logit scale with t quantiles",
    "log_t": "on the log scale with t quantiles",
}


@pytest.mark.parametrize("method", INTERVALS)
def test_an_interval_is_named_by_its_method(method: str, facts_of: Any) -> None:
    facts = facts_of("one marker")
    facts["markers"][0]["estimates"]["auc"]["conf_method"] = method
    facts["sensitivity_analyses"] = []
    text = prose(facts)
    told = re.search("intervals of the AUC were computed ([^.]*.)", text)
    assert told is not None
    assert [name for name, words in INTERVALS.items() if words in told[1]] == [method]


def test_proportions_are_named_by_their_method(facts_of: Any) -> None:
    facts = facts_of("no fixed rates")
    keys = {work["key"] for work in methods_text(facts)["references"]}
    assert "Wilson's score method" in prose(facts)
    assert "wilson1927" in keys


ADJUSTED = {
    "bonferroni": "dunn1961",
    "sidak": "sidak1967",
    "holm": "holm1979",
    "holm-sidak": "sidak1967",
    "simes-hochberg": "hochberg1988",
    "hommel": "hommel1988",
    "fdr_bh": "benjamini1995",
    "fdr_by": "benjamini2001",
}


@pytest.mark.parametrize("adjust", ADJUSTED)
def test_adjustments_are_cited(adjust: str, facts_of: Any) -> None:
    facts = facts_of("plain")
    facts["comparisons"]["adjust"] = adjust
    keys = {work["key"] for work in methods_text(facts)["references"]}
    wanted = {ADJUSTED[adjust], *(["holm1979"] if adjust == "holm-sidak" else [])}
    assert keys & set(ADJUSTED.values()) == wanted


# --- The references -----------------------------------------------------------------------------


def test_every_reference_is_cited_somewhere() -> None:
    methods = Path(interval_methods.__file__)
    code = "".join(path.read_text() for path in (methods, *SOURCES.glob("*.py")))
    assert all(f'"{key}"' in code for key in known_keys())


def balanced(text: str) -> bool:
    depth = 0
    for sign in re.sub(r"\\.", "", text):
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            return False
    return depth == 0


def test_bibtex_can_be_read() -> None:
    text = bibtex(known_keys())
    entries = re.findall(r"^@(\w+)\{(\w+),\n(.*?)\n\}$", text, re.M | re.S)
    assert [key for _, key, _ in entries] == list(known_keys())
    assert balanced(text)
    for kind, key, body in entries:
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},?$", body, re.M))
        assert len(fields) == body.count("\n") + 1, key
        assert {"author", "title"} <= set(fields), key
        assert kind != "article" or {"journal", "year", "volume", "pages"} <= set(fields), key
        assert all(balanced(value) for value in fields.values()), key
        assert not re.search(r"(?<!\\)[&%#$]", "".join(v for k, v in fields.items() if k != "doi"))


def test_references_are_written_as_journals_do() -> None:
    work = find_reference("delong1988")
    assert work.text == (
        "DeLong ER, DeLong DM, Clarke-Pearson DL. Comparing the areas under two or more correlated "
        "receiver operating characteristic curves: a nonparametric approach. Biometrics. "
        "1988;44:837–845."
    )
    assert "author = {DeLong, E. R. and DeLong, D. M. and Clarke-Pearson, D. L.}" in work.bibtex
    assert "van der Laan, M." in find_reference("ledell2015").bibtex
    for key in known_keys():
        doi = find_reference(key).doi
        assert doi is None or re.fullmatch(r"10\.\d{4,5}/\S+", doi), key


# --- The checklist ------------------------------------------------------------------------------

STARD = [
    *map(str, range(1, 10)),
    *("10a", "10b", "11", "12a", "12b", "13a", "13b"),
    *map(str, range(14, 21)),
    *("21a", "21b"),
    *map(str, range(22, 31)),
]


def test_the_checklist_has_every_item_once() -> None:
    assert [item.item for item in ITEMS] == STARD
    assert len(STARD) == 34


def test_every_row_says_where_or_what(facts: dict[str, Any]) -> None:
    rows = checklist_facts(methods_text(facts))
    model = facts["settings"]["scores"] != "measured"
    assert [row["item"] for row in rows if not row["item"].startswith("AI")] == STARD
    assert any(row["item"].startswith("AI") for row in rows) == model
    for row in rows:
        assert row["status"] in ("reported", "supply")
        assert (row["anchor"] is None) == (row["status"] == "supply")
        assert row["where"].endswith(".") == (row["status"] == "supply")  # no study texts here
        assert "{" not in row["text"] + row["where"]
        assert "reference standard" not in row["text"] or not facts["data"]["comparator"]


def statuses(facts: dict[str, Any]) -> dict[str, str]:
    return {row["item"]: row["status"] for row in checklist_facts(facts)}


def test_what_the_data_answer_is_reported(facts_of: Any) -> None:
    plain = statuses(facts_of("plain"))
    assert {item for item, status in plain.items() if status == "reported"} == {
        *("12a", "14", "16", "19", "23", "24")
    }
    grouped = statuses(facts_of("subgroups"))
    assert grouped["17"] == grouped["20"] == "reported"
    assert statuses(facts_of("gaps"))["15"] == "reported"
    assert statuses(facts_of("tiny"))["24"] == "supply"
    assert statuses(facts_of("prespecified"))["12a"] == "supply"


TEXTS = {
    "title": {"1"},
    "question": {"4"},
    "design": {"5"},
    "eligibility": {"6"},
    "identification": {"7"},
    "sampling": {"9"},
    "index_test": {"10a"},
    "reference_standard": {"10b"},
    "blinding": {"13a"},
    "reference_blinding": {"13b"},
    "indeterminate_handling": {"15"},
    "sample_size_rationale": {"18"},
    "severity": {"21a"},
    "alternative_diagnoses": {"21b"},
    "interval_between_tests": {"22"},
    "adverse_events": {"25"},
    "limitations": {"26"},
    "implications": {"27"},
    "registration": {"28"},
    "protocol": {"29"},
    "funding": {"30"},
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_of_the_authors_fill_their_items(name: str, facts_of: Any) -> None:
    facts = facts_of("plain")
    before = statuses(facts)
    facts["study"][name] = " "
    assert statuses(facts) == before
    facts["study"][name] = "What the authors say."
    changed = {item for item, status in statuses(facts).items() if status != before[item]}
    assert changed == TEXTS[name]
    rows = [row for row in checklist_facts(facts) if row["item"] in changed]
    assert all(row["where"] == "What the authors say." for row in rows)


def test_all_texts_leave_nothing_to_supply(facts_of: Any) -> None:
    facts = facts_of("subgroups")
    texts = {name for item in ITEMS for name in item.names}
    facts["study"] |= dict.fromkeys({*STUDY_TEXTS, *texts}, "told")
    assert [item for item, status in statuses(facts).items() if status == "supply"] == []
