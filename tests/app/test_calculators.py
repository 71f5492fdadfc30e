"""Calculators: the numbers of the library, in words, and a sentence beside the wrong field."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from html import unescape

import pytest
from app_client import TestClient, browser, running, said

import rocstats as rs
from rocstats.app.calculating import calculate
from rocstats.app.calculators import CALCULATORS
from rocstats.cli import main

COUNTS = {"tp": ["90"], "fn": ["10"], "fp": ["20"], "tn": ["180"], "interval": ["wilson"]}
PAIRS = {f"{g}_{x}{y}": [str(n)] for g, cells in (
    ("diseased", (319, 78, 22, 32)), ("healthy", (31, 53, 22, 155))
) for (x, y), n in zip(("pp", "pn", "np", "nn"), cells, strict=True)}  # fmt: skip
PAIRS |= {"design": ["cohort"], "truth": ["reference"]}
RIGHT: dict[str, tuple[str, dict[str, list[str]]]] = {
    "one area": ("power", {"auc": ["0.8"], "null_value": ["0.7"], "power": ["0.9"]}),
    "power of a size": ("power", {"auc": ["0.8"], "null_value": ["0.7"], "n_pos": ["60"]}),
    "a precision": ("power", {"auc": ["0.85"], "half_width": ["0.05"], "prevalence": ["0.2"]}),
    "two areas": (
        "power",
        {"auc": ["0.85"], "auc2": ["0.8"], "correlation": ["0.5"], "power": ["0.8"]},
    ),
    "two tests": (
        "power-tests",
        {"new": ["0.9"], "standard": ["0.8"], "discordant": ["0.2"], "power": ["0.9"],
         "measure": ["sensitivity"]},
    ),
    "patients": (
        "power-tests",
        {"new": ["0.9"], "standard": ["0.9"], "discordant": ["0.1"], "n": ["350"],
         "margin": ["0.05"], "aim": ["non-inferiority"], "measure": ["specificity"]},
    ),
    "counts": ("counts", COUNTS | {"prevalence": ["0.1, 0.02"]}),
    "summaries": ("areas", {"auc1": ["0.9"], "std_error1": ["0.02"], "auc2": ["0.8"],
                            "n_pos2": ["50"], "n_neg2": ["60"], "correlation": ["0.3"]}),
    "limits": ("areas", {"auc1": ["0.9"], "low1": ["0.85"], "high1": ["0.95"], "auc2": ["0.8"],
                         "std_error2": ["0.03"]}),
    "pairs": ("paired-counts", PAIRS),
}  # fmt: skip


@pytest.mark.parametrize("case", RIGHT)
def test_an_answer_is_given_in_words(case: str) -> None:
    name, draft = RIGHT[case]
    answer = calculate(name, draft)
    assert "problems" not in answer, answer
    assert "<table>" in answer["html"]
    assert not re.search(r">\w+_\w+<|>None<", answer["html"])  # no names of code


@pytest.mark.parametrize("case", [c for c in RIGHT if RIGHT[c][0].startswith("power")])
def test_the_command_says_the_same(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = calculate(*RIGHT[case])
    assert main(shlex.split(answer["command"])[1:]) == 0
    sentence = capsys.readouterr().out.strip()
    assert sentence in unescape(answer["html"])


def test_counts_give_the_measures_of_the_library() -> None:
    html = calculate("counts", COUNTS | {"prevalence": ["0.1"]})["html"]
    y, s = [1] * 100 + [0] * 200, [1] * 90 + [0] * 10 + [1] * 20 + [0] * 180
    frame = rs.operating_points(y, s, thresholds=[1], prevalence=0.1).to_frame()
    words = {"sensitivity": "sensitivity", "PPV": "ppv", "LR+": "lr_pos", "NPV": "npv",
             "PPV at prevalence 0.1": "ppv_at_0.1"}  # fmt: skip
    for word, name in words.items():
        cells = [frame[name + end][0] for end in ("", "_conf_low", "_conf_high")]
        shown = "".join(f"<td>{cell:.4f}</td>" for cell in cells)
        assert f"<td>{word}</td>{shown}" in html


def test_pairs_give_the_tests_of_the_library() -> None:
    html = calculate("paired-counts", PAIRS)["html"]
    found = rs.compare_counts(
        diseased=[[319, 78], [22, 32]], healthy=[[31, 53], [22, 155]], tests=("standard", "new")
    )
    text = str(found)
    assert text.splitlines()[0] in unescape(html)
    for number in re.findall(r"\d\.\d{4}", text):
        assert number in html


WRONG: dict[str, tuple[str, dict[str, list[str]], str, str]] = {
    "nothing": ("power", {}, "auc", "is needed"),
    "no goal": ("power", {"auc": ["0.8"]}, "power", "Give"),
    "words": ("power", {"auc": ["high"]}, "auc", "Expected a number, got 'high'"),
    "a comma": ("power", {"auc": ["0,8"]}, "auc", "with a point"),
    "an area of 2": ("power", {"auc": ["2"], "power": ["0.9"]}, "auc", "between 0 and 1"),
    "both": (
        "power", {"auc": ["0.8"], "n_pos": ["9"], "half_width": ["0.1"]}, "n_pos", "Give"),
    "two tests without a goal": (
        "power-tests", {"new": ["0.9"], "standard": ["0.8"], "discordant": ["0.2"]}, "power",
        "Give"),
    "two tests with both": (
        "power-tests",
        {"new": ["0.9"], "standard": ["0.8"], "discordant": ["0.2"], "power": ["0.9"],
         "n": ["300"]},
        "n", "give one of them"),
    "a choice that is none": (
        "power", {"auc": ["0.8"], "power": ["0.9"], "aim": ["x"]}, "aim", "choose one"),
    "a count below 0": ("counts", COUNTS | {"tp": ["-1"]}, "tp", "from 0"),
    "a huge count": ("counts", COUNTS | {"tp": ["9" * 30]}, "tp", "10,000,000"),
    "too many digits": ("counts", COUNTS | {"tp": ["9" * 5000]}, "tp", "whole number"),
    "half a count": ("counts", COUNTS | {"tp": ["1.5"]}, "tp", "whole number"),
    "no one ill": ("counts", COUNTS | {"tp": ["0"], "fn": ["0"]}, "", "with and without"),
    "a prevalence of 2": ("counts", COUNTS | {"prevalence": ["2"]}, "prevalence", "between 0"),
    "a level of 95": (
        "counts", COUNTS | {"confidence_level": ["95"]}, "confidence_level", "between 0 and 1"),
    "no error": ("areas", {"auc1": ["0.9"], "auc2": ["0.8"]}, "std_error1", "Give one of"),
    "two errors": (
        "areas",
        {"auc1": ["0.9"], "std_error1": ["0.1"], "n_pos1": ["5"], "n_neg1": ["5"], "auc2": ["0.8"]},
        "std_error1", "2 were given"),
    "half a pair": (
        "areas", {"auc1": ["0.9"], "low1": ["0.8"], "auc2": ["0.8"]}, "high1", "is needed"),
    "a correlation of 2": (
        "areas",
        {"auc1": ["0.9"], "std_error1": ["0.1"], "auc2": ["0.8"], "std_error2": ["0.1"],
         "correlation": ["2"]},
        "correlation", "between -1 and 1"),
    "a missing cell": ("paired-counts", {}, "diseased_pp", "is needed"),
    "a negative cell": (
        "paired-counts", PAIRS | {"diseased_pp": ["-4"]}, "diseased_pp", "whole number from 0"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_problem_is_said_beside_its_field(case: str) -> None:
    name, draft, field, sentence = WRONG[case]
    problems = calculate(name, draft)["problems"]
    place = field if field in {f.name for f in CALCULATORS[name].fields} else ""
    assert place in problems, problems
    assert sentence in problems[place]
    assert "\ufdd0" not in problems[place]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with running(tmp_path_factory.mktemp("app")) as app:
        yield browser(app)


@pytest.mark.parametrize("name", CALCULATORS)
def test_every_field_is_labelled_and_every_page_has_a_place_to_answer(
    client: TestClient, name: str
) -> None:
    text = client.get(f"/calculators/{name}").text
    for field in CALCULATORS[name].fields:
        assert f'name="{field.name}"' in text
        assert f'for="f-{field.name}"' in text
    assert 'class="answer"' not in text


def test_a_page_answers_and_a_refresh_asks_the_same(client: TestClient) -> None:
    address = "/calculators/counts?tp=90&fn=10&fp=20&tn=180&interval=wilson"
    for _ in range(2):
        answer = client.get(address)
        assert answer.status_code == 200
        assert "sensitivity 0.9000 0.8256 0.9448" in said(answer.text)
        assert 'name="tp" value="90"' in answer.text
    wrong = client.get("/calculators/counts?tp=<b>")
    assert wrong.status_code == 422
    assert "<b>" not in wrong.text
    assert client.get("/calculators/nothing").status_code == 404


def test_work_that_is_ended_is_said(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from rocstats.app import calculator_pages
    from rocstats.app.jobs import Bounds

    monkeypatch.setattr(calculator_pages, "_QUICK", Bounds(seconds=0.01))
    answer = client.get("/calculators/counts?tp=1")
    assert answer.status_code == 422
    assert "took longer" in said(answer.text)
