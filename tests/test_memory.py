"""Every public call keeps within its bytes a row, and the page that states them has all."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FunctionType

import pytest

import rocstats as rs

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.every_call import BESIDE_ROWS, CALLS, Study  # noqa: E402
from benchmarks.memory import PAGE, SIZES, bytes_a_row  # noqa: E402


@pytest.fixture(scope="module")
def studies():
    return {n: Study(n=n) for n in SIZES}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_keeps_within_its_bytes_a_row(name, studies):
    call, most = CALLS[name]
    assert bytes_a_row(call, studies) <= most


def test_the_page_has_every_call_with_its_limit():
    rows = [line.split("|")[1:4] for line in PAGE.read_text(encoding="utf-8").splitlines()]
    told = {row[0].strip(): row[2].strip() for row in rows if len(row) == 3}
    assert {name: str(most) for name, (_, most) in CALLS.items()}.items() <= told.items()


def test_every_public_function_has_its_bytes_or_takes_no_rows():
    beside = {name for names in BESIDE_ROWS.values() for name in names.split()}
    called = {name.split()[0].strip(",") for name in CALLS}
    functions = {name for name in rs.__all__ if isinstance(getattr(rs, name), FunctionType)}
    assert functions - beside - called == set()
    assert (beside | called) <= {*rs.__all__}
    assert not beside & called
