"""``rocstats twosample``: what a reader sees, what a program reads, and what is refused."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import Call

import rocstats as rs

rng = np.random.default_rng(9)
ARM = np.repeat(["treated", "control"], [23, 31])
FRAME = pd.DataFrame(
    {
        "arm": ARM,
        "crp": (rng.normal(size=54) + 0.5 * (ARM == "treated")).round(1),
        "holes": np.where(np.arange(54) % 9 == 0, np.nan, np.arange(54)),
    }
)
X, Y = (FRAME.crp[FRAME.arm == arm] for arm in ("treated", "control"))
BASIC = ("--group", "arm", "--positive", "treated", "--value", "crp")


@pytest.fixture
def call(call: Call) -> Call:
    """Run the command beside the file."""
    FRAME.to_csv("trial.csv", index=False)
    return partial(call, "twosample", "trial.csv")


@pytest.mark.parametrize("statistic", ["sauc", "auc", "brunner-munzel", "welch", "t", "ks"])
def test_json_is_the_answer_of_the_library(call: Call, statistic: str) -> None:
    options = ("--statistic", statistic, "--alternative", "greater")
    found = call(*BASIC, *options, "--n-resamples", "500", "--seed", "3", "--json")
    assert (found.code, found.err) == (0, "")
    content: dict[str, Any] = json.loads(found.out)
    wanted = rs.two_sample_test(
        *(X, Y),
        statistic=statistic,
        alternative="greater",
        resampling=rs.Permutation(n_resamples=500, rng=3),
    ).to_dict()
    assert (content["command"], content["statistic"], content["seed"]) == (
        *("twosample", statistic),
        3,
    )
    assert content["sample"]["n_pos"] == 23
    row = {k: v for k, v in wanted.items() if not isinstance(v, float) or np.isfinite(v)}
    assert {k: content["result"][k] for k in row} == row


def test_text_names_the_groups_and_the_method(call: Call) -> None:
    found = call(*BASIC, "--statistic", "auc", "--confidence-level", "0.9")
    first, *rest = found.out.splitlines()
    assert first == (
        "trial.csv: crp where arm = treated (x) against arm = control (y); no subject dropped."
    )
    wanted = rs.two_sample_test(X, Y, statistic="auc").summary(confidence_level=0.9)
    assert "\n".join(rest).strip() == wanted
    assert "90% CI" in wanted


def test_continuity_and_asymptotics(call: Call) -> None:
    near = (*BASIC, "--statistic", "auc", "--method", "asymptotic", "--json")
    with_step, without = (
        json.loads(call(*near, *more).out)["result"]["p_value"]
        for more in ((), ("--no-continuity",))
    )
    assert without < with_step
    found = call(*BASIC, "--method", "asymptotic")
    assert found.code == 0
    assert "liberal" in found.err
    assert found.err.rstrip().endswith("use --method permutation.")


def test_missing_values_are_refused_or_counted(call: Call) -> None:
    holes = ("--group", "arm", "--positive", "treated", "--value", "holes")
    refused = call(*holes)
    assert refused.code == 2
    assert "--nan-policy omit" in refused.err
    found = call(*holes, "--nan-policy", "omit")
    assert "6 subjects dropped (holes missing in 6)" in found.out
    assert "6 missing values left out" in found.out


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("--group", "arms", "--value", "crp"), "Did you mean 'arm'?"),
        (("--group", "arm", "--value", "crp"), "--positive '1' is not among the labels of arm"),
        ((*BASIC, "--statistic", "wilcoxon"), "--statistic must be one of 'auc', 'sauc'"),
        ((*BASIC, "--method", "exact"), "use --method permutation."),
        ((*BASIC, "--seed", "-1"), "--seed must be a whole number from 0, got -1."),
        ((*BASIC, "--n-resamples", "0"), "--n-resamples must be a whole number of at least 1"),
        (
            (*BASIC, "--confidence-level", "2"),
            "--confidence-level must lie strictly between 0 and 1",
        ),
    ],
)
def test_what_cannot_be_meant_is_one_sentence(call: Call, argv: tuple[str, ...], said: str) -> None:
    found = call(*argv)
    assert (found.code, found.out) == (2, "")
    assert said in found.err
    assert len(found.err.splitlines()) == 1
