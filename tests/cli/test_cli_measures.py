"""``rocstats measures``: two or more measures, compared over all or over random lists."""

import json

import pytest
from conftest import Call

import rocstats as rs


def test_16_6_the_command_of_the_issue(call: Call) -> None:
    code, out, err = call("measures", "auc", "accuracy", "--n-pos", "50", "--n-neg", "50")
    assert (code, err) == (0, "")
    assert out.strip() == repr(rs.compare_measures("auc", "accuracy", n_pos=50, n_neg=50))


def test_16_6_json_has_every_pair(call: Call) -> None:
    words = "measures auc accuracy profit@0.25 --n-pos 5 --n-neg 5 --json"
    code, out, _ = call(*words.split())
    rows = json.loads(out)["comparisons"]
    assert code == 0
    assert [(row["f"], row["g"]) for row in rows] == [
        ("AUC", "accuracy"),
        ("AUC", "profit of the top 0.25"),
        ("accuracy", "profit of the top 0.25"),
    ]
    assert rows[0]["agree"] == 19742
    assert rows[0]["strictly_consistent"] is False
    assert rows[0]["f_is_better"] is True


def test_16_6_scored_lists_are_drawn(call: Call) -> None:
    words = "measures auc sauc --n-pos 5 --n-neg 6 --scores calibrated --n-pairs 200 --seed 3"
    code, out, _ = call(*words.split())
    lists = rs.random_lists(n_pos=5, n_neg=6, scores="calibrated")
    assert code == 0
    assert out.strip() == repr(rs.compare_measures("auc", "sauc", lists=lists, n_pairs=200, rng=3))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("auc --n-pos 5 --n-neg 5", "Two or more measures are compared, got auc alone"),
        ("auc acuracy --n-pos 5 --n-neg 5", "Did you mean 'accuracy'?"),
        ("auc sauc --n-pos 5 --n-neg 5", "draw scored lists with --scores."),
        ("auc accuracy --n-pos 0 --n-neg 5", "--n-pos must be a whole number of at least 1, got 0"),
        ("auc brier --n-pos 5 --n-neg 5 --scores odd", "must be one of 'uniform', 'calibrated'"),
        ("auc profit@9 --n-pos 5 --n-neg 5", "must be a share above 0"),
        ("auc accuracy --n-pos 5 --n-neg 5 --seed -1", "--seed must be a whole number from 0"),
    ],
)
def test_16_6_refusals_are_one_sentence(call: Call, words: str, message: str) -> None:
    code, out, err = call("measures", *words.split())
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
