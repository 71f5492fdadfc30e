"""An interval method is a value: a row of one table is all that it takes."""

from __future__ import annotations

import math
from string import Formatter
from typing import Any

import pytest

import rocstats as rs
from rocstats.cli import main
from rocstats.estimates.interval_methods import METHODS, IntervalMethod, Situation
from rocstats.estimates.intervals import choose_method, interval, interval_names
from rocstats.reports.references import known_keys
from rocstats.reports.sentences.interval_sentences import (
    clusters_sentences,
    interval_sentence,
    window_sentences,
)

Y = [1, 1, 1, 1, 0, 0, 0, 0, 0]
S = [0.9, 0.8, 0.4, 0.6, 0.5, 0.3, 0.2, 0.7, 0.1]


def third(s: Situation, tail: float) -> tuple[float, float]:
    """A third of the way to either bound, whatever the tail."""
    return s.value * 2.0 / 3.0, s.value + (1.0 - s.value) / 3.0


THIRD = IntervalMethod(
    name="third",
    limits=third,
    words="at a third of the way to the bounds",
    cites=("wilson1927",),
    on_share=True,
    applies=lambda s: s.bounded,
    refusal="The {name} interval needs bounds, which {label} has not here.",
)


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> IntervalMethod:
    monkeypatch.setitem(METHODS, THIRD.name, THIRD)
    return THIRD


def test_an_added_interval_can_be_asked_for(added: IntervalMethod) -> None:
    estimate = rs.auc(Y, S)
    limits = estimate.confidence_interval(method="third")
    assert (limits.low, limits.high) == third_of(estimate.value)
    assert limits.method == "third"
    assert rs.estimate(Y, S, measures="auc").to_frame(method="third")["conf_low"][0] == limits.low
    gini = rs.gini(Y, S).confidence_interval(method="third")
    assert gini.low == 2.0 * limits.low - 1.0
    quantity = rs.average_precision(Y, S).confidence_interval(method="third")
    assert quantity.method == "third"
    part = rs.partial_auc(2 * Y, 2 * S, fpr=(0, 0.9)).confidence_interval(method="third")
    assert part.high < 0.9  # of a share, and back on the range
    with pytest.raises(rs.InvalidOptionError, match="third interval needs bounds, which sAUC has"):
        rs.sauc(Y, [10 * s for s in S]).confidence_interval(method="third")


def third_of(value: float) -> tuple[float, float]:
    return value * 2.0 / 3.0, value + (1.0 - value) / 3.0


def test_an_added_interval_is_known_on_the_command_line(
    added: IntervalMethod, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "study.csv"
    path.write_text("y,s\n" + "".join(f"{y},{s}\n" for y, s in zip(Y, S, strict=True)))
    call = ["auc", str(path), "--outcome", "y", "--markers", "s", "--positive", "1", "--interval"]
    assert main([*call, "third"]) == 0
    assert "third" in capsys.readouterr().out
    assert main([*call, "thirds"]) == 2
    assert "'third'" in capsys.readouterr().err


def test_an_added_interval_has_its_words_in_the_methods_text(added: IntervalMethod) -> None:
    told = interval_sentence(["third"], "the AUC", "95%")
    assert told["text"] == (
        "95% confidence intervals of the AUC were computed at a third of the way to the bounds."
    )
    assert told["cites"] == ["wilson1927"]
    both = interval_sentence(["newcombe", "third"], "the AUC", "95%")["text"]
    assert "to the bounds, or by Newcombe's method 5 where the area had no variance" in both
    either = interval_sentence(["score", "third"], "the AUC", "95%")["text"]
    assert "to the bounds, or where the area had no variance" in either
    assert "Newcombe's method 5 on the scale of DeLong's variance" in either
    assert clusters_sentences(["third"]) == window_sentences(["third"], {}) == []


def test_only_pairs_have_intervals_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    own = IntervalMethod(name="own", limits=third, words="somehow", of_pairs=True)
    monkeypatch.setitem(METHODS, "own", own)
    assert "own" in interval_names()
    assert "own" not in interval_names(of_pairs=False)
    with pytest.raises(rs.InvalidOptionError, match="method must be one of 'auto', 'wald'"):
        rs.average_precision(Y, S).confidence_interval(method="own")


@pytest.mark.parametrize("name", METHODS)
def test_every_row_is_complete(name: str) -> None:
    method = METHODS[name]
    assert method.name == name
    assert method.words
    assert not method.words.endswith(".")
    cites = {*method.cites, *(method.in_clusters[1] if method.in_clusters else ())}
    assert cites <= set(known_keys())
    fields = {field for _, field, _, _ in Formatter().parse(method.refusal) if field}
    assert fields <= {"name", "label", "bounds"}
    refuses = not all(method.applies(situation(**case)) for case in CASES)
    assert refuses == bool(method.refusal)


def situation(**options: Any) -> Situation:
    given: dict[str, Any] = {
        "value": 0.7,
        "std_error": 0.05,
        "df": 20.0,
        "n_pos": 30,
        "n_neg": 30,
        "label": "it",
        "bounds": (0.0, 1.0),
        "pair_mean": True,
        "is_auc": True,
        "is_area": True,
    }
    return Situation(**(given | options))


NEITHER = {"is_auc": False, "is_area": False}
CASES: list[dict[str, Any]] = [
    {},
    {"std_error": 0.0},
    {"value": 0.99},
    {"n_pos": 300, "n_neg": 200},
    {"clusters": (8, 9)},
    {"clusters": (100, 110), "n_pos": 300, "n_neg": 200},
    {"is_auc": False, "pair_mean": False},
    {**NEITHER},
    {**NEITHER, "std_error": 0.0},
    {**NEITHER, "pair_mean": False},
    {**NEITHER, "pair_mean": False, "std_error": 0.0},
    {**NEITHER, "bounds": (0.0, math.inf)},
    {**NEITHER, "bounds": (-math.inf, math.inf)},
]
CHOSEN = [
    *("score", "score", "score", "logit", "score", "logit_t", "logit_t"),
    *("logit_t", "kl", "logit_t", "logit_t", "log_t", "wald_t"),
]


@pytest.mark.parametrize(("case", "name"), list(zip(CASES, CHOSEN, strict=True)))
def test_the_recommended_method_applies(case: dict[str, Any], name: str) -> None:
    s = situation(**case)
    assert choose_method(s) == name
    assert METHODS[name].applies(s)
    low, high, used = interval(s, 0.95, "auto")
    assert used == name
    dishonest = s.std_error == 0.0 and not METHODS[name].without_spread
    assert math.isnan(low) == math.isnan(high) == dishonest
