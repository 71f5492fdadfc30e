"""Parts of a sample need both classes; texts and styles of a workbook have a bound."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rocstats as rs


@pytest.mark.parametrize("keep", [[0, 1], [2, 3, 4], []])
def test_a_part_with_one_class_is_refused(keep: list[int]) -> None:
    sample = rs.ScoredSample.from_arrays([1, 1, 0, 0, 0], [5.0, 4.0, 3.0, 2.0, 1.0])
    chosen = np.isin(np.arange(5), keep)
    pos, neg = sum(i < 2 for i in keep), sum(i >= 2 for i in keep)
    with pytest.raises(rs.SingleClassError, match=f"has {pos} positives and {neg} negatives"):
        sample.subset(chosen)


def test_a_workbook_with_more_texts_and_styles_than_128_mib_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "study.xlsx"
    pd.DataFrame({"y": [0, 1, 0, 1], "s": [1.0, 2.0, 3.0, 4.0]}).to_excel(path, index=False)
    assert len(rs.read(path)) == 4
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("xl/more.bin", bytes(2**27))
    with pytest.raises(rs.RocstatsError, match="more than the 128 MB"):
        rs.read(path)


def test_value_labels_are_of_the_columns_that_have_some(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    from rocstats.data.reading.files import read_table

    path = tmp_path / "study.sav"
    frame = pd.DataFrame({"y": [0.0, 1.0, 0.0], "s": [1.0, 2.0, 3.0]})
    pyreadstat.write_sav(frame, path, variable_value_labels={"y": {0.0: "no", 1.0: "yes"}})
    table = read_table(path)
    assert {name: sorted(known.values()) for name, known in table.labels.items()} == {
        "y": ["no", "yes"]
    }


def test_a_transport_file_describes_its_variables_in_136_or_140_bytes(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    path = tmp_path / "study.xpt"
    pyreadstat.write_xport(pd.DataFrame({"y": [0.0, 1.0, 0.0], "s": [1.0, 2.0, 3.0]}), path)
    assert len(rs.read(path)) == 3
    content = path.read_bytes()
    assert content.count(b"0140  ") == 1
    for size in (b"0139", b"0141", b"0200", b"0000"):
        path.write_bytes(content.replace(b"0140  ", size + b"  "))
        with pytest.raises(rs.RocstatsError, match="a header is broken"):
            rs.read(path)


def test_some_markers_by_name_keep_their_subjects_direction_and_order() -> None:
    sample = rs.ScoredSample.from_arrays(
        [1, 1, 0, 0, 0],
        {"a": [5, 4, 3, 2, 1], "b": [1, 2, 3, 4, 5], "c": [2, 9, 4, 7, 1]},
        higher_is_positive={"b": False},
        subject=list("pqrst"),
    )
    some = sample.only(["c", "b"])
    assert some.markers == ("c", "b")
    assert some.higher_is_positive == (True, False)
    assert some.scores.tolist() == [[2, 9, 4, 7, 1], [1, 2, 3, 4, 5]]
    assert rs.auc(some, "b").value == rs.auc(sample, "b").value == 1.0
    assert sample.only("c").markers == sample.only(2).markers == ("c",)
    kept = sample.sorted_once()
    assert kept.only(["c", "a"]).blocks(1) is kept.blocks(0)


@pytest.mark.parametrize("markers", [["a", "a"], [], ["a", "z"], "z", [1.5]])
def test_markers_that_are_not_there_or_twice_are_refused(markers: object) -> None:
    sample = rs.ScoredSample.from_arrays([1, 0], {"a": [2, 1], "b": [1, 2]})
    with pytest.raises(rs.InvalidOptionError, match=r"markers|no marker"):
        sample.only(markers)  # type: ignore[arg-type]
