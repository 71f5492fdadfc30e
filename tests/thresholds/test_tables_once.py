"""What a table of cells gives is worked out once."""

from __future__ import annotations

import rocstats as rs
from rocstats.thresholds.diagnostics import DIAGNOSTICS


def test_a_measure_of_a_table_is_worked_out_once() -> None:
    tables = rs.operating_points([1, 0, 1, 0, 1], [5.0, 4.0, 3.0, 2.0, 1.0]).tables()
    for measure in DIAGNOSTICS.values():
        assert tables.of(measure) is tables.of(measure)
