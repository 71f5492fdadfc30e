"""``rocstats auc --folds``: the numbers of the library, and refusals in one sentence."""

import json
from pathlib import Path

import pytest

from rocstats.cli import main

FILE = Path(__file__).parents[1] / "reference" / "cv_admissions.csv"
COMMAND = ["auc", str(FILE), "--outcome", "label", "--positive", "1", "--markers", "score"]


def test_mean_of_the_folds(capsys):
    assert main([*COMMAND, "--folds", "fold", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["estimates"][0]
    assert row["estimate"] == pytest.approx(0.90257628218627239, abs=1e-12)
    assert row["std_error"] == pytest.approx(0.01997351378453898, abs=1e-10)
    assert row["folds"] == 10
    assert main([*COMMAND, "--folds", "fold"]) == 0
    assert "mean AUC of the 10 models" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (["--folds", "fould"], "no column 'fould'"),
        (["--repeats", "fold"], "goes with --folds"),
        (["--folds", "fold", "--measures", "sauc"], "--folds are for the AUC"),
        (["--folds", "fold", "--adjust-for", "fold"], "cannot be taken together"),
        (["--folds", "score"], "one class only"),
        (["--folds", "fold", "--repeats", "label"], "--subject|one class only"),
    ],
)
def test_refusals(capsys, extra, message):
    import re

    assert main([*COMMAND, *extra]) != 0
    said = capsys.readouterr().err
    assert re.search(message, said)
    assert "Traceback" not in said
