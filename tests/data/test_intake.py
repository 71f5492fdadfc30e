"""The intake: forty messy files and their pairs, the identity on clean ones, and odd cells."""

from __future__ import annotations

import io
import json
import math
import string
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocstats as rs
from rocstats.data.intake.intake_settings import IntakeSettings
from rocstats.data.intake.number_cells import read_cell
from rocstats.data.intake.taking_in import take_in
from rocstats.data.reading.files import read_table

sys.path.insert(0, str(Path(__file__).parent))
import messy_files  # noqa: E402

ALONE, PAIRS = list(messy_files.alone()), list(messy_files.in_pairs())


def ids(messy: messy_files.Messy) -> str:
    return f"{messy.name}{messy.suffix}"


def check_messy(messy: messy_files.Messy, folder: Path) -> None:
    found = rs.check(messy.write(folder), **messy.draft.options)
    assert {repair.step for repair in found.repairs} == messy.steps
    assert {question.step for question in found.questions} == messy.questions
    pd.testing.assert_frame_equal(found.frame, messy.draft.table, check_dtype=False)
    numbers = messy.draft.table.select_dtypes("number").columns
    assert all(found.frame[name].dtype.kind in "if" for name in numbers)
    for repair in found.repairs:
        assert repair.n > 0
        assert repair.sentence.endswith(".")
    json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize("messy", ALONE, ids=ids)
def test_one_defect(messy: messy_files.Messy, tmp_path: Path) -> None:
    check_messy(messy, tmp_path)


def test_there_are_forty_of_them() -> None:
    assert len(ALONE) >= 40
    assert len(PAIRS) >= 200


@pytest.mark.parametrize("messy", PAIRS, ids=ids)
def test_two_defects(messy: messy_files.Messy, tmp_path: Path) -> None:
    check_messy(messy, tmp_path)
