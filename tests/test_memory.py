"""Every call keeps within its bytes a row, and the page that states them has all of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.memory import CALLS, PAGE, SIZES, bytes_a_row, drawn  # noqa: E402


@pytest.fixture(scope="module")
def samples():
    return {n: drawn(n) for n in SIZES}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_keeps_within_its_bytes_a_row(name, samples):
    call, most = CALLS[name]
    assert bytes_a_row(call, samples) <= most


def test_the_page_has_every_call_with_its_limit():
    rows = [line.split("|")[1:4] for line in PAGE.read_text(encoding="utf-8").splitlines()]
    told = {row[0].strip(): row[2].strip() for row in rows if len(row) == 3}
    assert {name: str(most) for name, (_, most) in CALLS.items()}.items() <= told.items()
