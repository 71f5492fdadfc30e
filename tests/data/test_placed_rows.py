"""Too many distinct scores on a cluster: rows placed range by range, by parts of this process."""

import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from rows_made import MARKERS, assert_same, draw

import rocstats as rs
from rocstats.data.scan import scored_table
from rocstats.data.scan.arrow_rows import arrow_kind
from rocstats.data.scan.cluster_rows import ClusterRows


@dataclass(frozen=True, eq=False)
class Parts(ClusterRows):
    """An engine of one process: what is sent is pickled, and parts come in any order."""

    parts: list[Any]
    lose: Any = None  # what becomes of the rows of a range that were brought together

    def kinds(self) -> dict[str, str]:
        return {field.name: arrow_kind(field.type) for field in self.parts[0].schema}

    def batches(self, names: list[str]) -> Iterator[Any]:
        for part in self.parts:
            yield from part.select(names).to_batches(max_chunksize=300)

    def reduced(self, names: list[str], work: Any, join: Any) -> Any:
        work = pickle.loads(pickle.dumps(work))
        return join([work(iter(part.select(names).to_batches())) for part in self.parts])

    def mapped(self, names: list[str], make: Any, kinds: dict[str, str]) -> "Parts":
        make = pickle.loads(pickle.dumps(make))
        schema = pa.schema([(name, pa.type_for_alias(kind)) for name, kind in kinds.items()])
        made = [make(part.select(names).to_batches(max_chunksize=300)) for part in self.parts]
        return Parts([pa.Table.from_batches(one, schema) for one in made], self.lose)

    def brought_together(self, by: str, parts: int, make: Any, kinds: dict[str, str]) -> "Parts":
        make = pickle.loads(pickle.dumps(make))
        whole = pa.concat_tables(self.parts)
        whole = whole.take(np.random.default_rng(3).permutation(whole.num_rows))
        number = whole.column(by).to_numpy()
        assert ((number >= 0) & (number < parts)).all()
        places = [np.flatnonzero(number % 3 == k) for k in range(3)]  # some ranges in each
        given = [whole.take(place) for place in places]
        if self.lose is not None:
            given = [self.lose(one) for one in given]
        return Parts([make(one) for one in given], self.lose)

    def kept(self) -> "Parts":
        return self


def in_parts(columns: Any, n: int = 4, lose: Any = None) -> Parts:
    table = pa.table(columns)
    size = -(-table.num_rows // n)
    return Parts([table.slice(k * size, size) for k in range(n)], lose)


@pytest.fixture(autouse=True)
def engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scored_table, "find_source", lambda source, *given, **options: source)


DESIGNS: tuple[dict[str, Any], ...] = (
    {},
    {"cluster": "cluster"},
    {"weights": "w", "weight_kind": "frequency"},
    {"cluster": "cluster", "weights": "w", "weight_kind": "frequency"},
)


@pytest.mark.parametrize("design", DESIGNS, ids=lambda d: "+".join(d) or "plain")
@pytest.mark.parametrize("budget", [50, 700])
def test_placed_rows_give_the_aucs_in_memory(design: dict[str, Any], budget: int) -> None:
    columns = draw(3000, tied=False)
    columns["b"] = -columns["b"]
    columns["b"][::3] = -0.25  # many ties beside distinct scores, within one range
    columns["c"][:9] = [np.inf, -np.inf, 0.0, -0.0, 5e-324, -5e-324, np.inf, 0.0, -0.0]
    columns["few"], columns["w"] = np.round(columns["a"], 1), np.arange(3000) % 4
    markers = ["few", "b", "a", "c"]
    given = {"higher_is_positive": {name: name != "b" for name in markers}, **design}
    sample = rs.ScoredSample.from_frame(columns, "y", markers, **given)
    table = rs.ScoredTable.scan(in_parts(columns), "y", markers, budget=budget, **given)
    assert repr(table).endswith("scores placed on the workers")
    assert table.is_exact
    assert table.design == ""
    assert_same(table, sample, "auc")
    assert_same(table.only(["c", "b"]), sample.only(["c", "b"]), "auc")
    assert rs.auc(table, "b").details == rs.auc(sample, "b").details
    assert rs.estimate(table, measures="auc").covariance_bound is None
    ours, theirs = (rs.compare(one).pairwise() for one in (table, sample))
    for one, other in zip(ours, theirs, strict=True):
        assert one.pvalue == pytest.approx(other.pvalue, rel=1e-9)
    ours, theirs = (
        rs.compare(one).noninferiority(new="a", standard="b", margin=0.05)
        for one in (table, sample)
    )
    assert str(ours) == str(theirs)
    assert rs.sauc(table, "few").value == pytest.approx(rs.sauc(sample, "few").value, rel=1e-13)


def test_independent_tables_are_compared_by_placed_rows() -> None:
    both = [draw(2000, tied=False, seed=seed) for seed in (1, 2)]
    tables = [rs.ScoredTable.scan(in_parts(one), "y", "a", budget=100) for one in both]
    samples = [rs.ScoredSample.from_frame(one, "y", "a") for one in both]
    ours, theirs = (
        rs.compare_independent(*(rs.auc(one) for one in some)) for some in (tables, samples)
    )
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-9)


def test_other_answers_name_the_ways_out() -> None:
    source = in_parts(draw(2000, tied=False))
    table = rs.ScoredTable.scan(source, "y", MARKERS, budget=100)
    for ask in (
        rs.roc_curve,
        rs.sauc,
        rs.optimal_cutpoint,
        lambda table, marker: rs.operating_points(table, [0.5], marker=marker),
        lambda table, marker: rs.partial_auc(table, marker=marker, fpr=(0, 0.2)),
        lambda table, marker: rs.bootstrap(rs.auc(table, marker)),
        lambda table, marker: rs.decision_curve(table.only(marker)),
        lambda table, marker: rs.estimate(table),
        lambda table, marker: rs.sketch(table),
    ):
        with pytest.raises(rs.InvalidOptionError, match="workers tell its AUC alone") as caught:
            ask(table, marker="a")
        for way in ("budget=", "exact=False", "spill="):
            assert way in str(caught.value)


@pytest.mark.parametrize(
    "lose",
    [
        lambda one: one.slice(1),
        lambda one: pa.concat_tables([one, one.slice(0, 1)]),
        lambda one: one.set_column(
            1, one.column_names[1], pa.array(~one.column(1).to_numpy(zero_copy_only=False))
        ),
    ],
    ids=["a row is lost", "a row is there twice", "classes are turned round"],
)
def test_rows_that_do_not_all_arrive_give_no_answer(lose: Any) -> None:
    source = in_parts(draw(2000, tied=False), lose=lose)
    with pytest.raises(rs.InvalidSampleError, match="other rows the second time"):
        rs.ScoredTable.scan(source, "y", MARKERS, budget=100)


def test_without_workers_many_scores_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Parts, "has_workers", False)
    with pytest.raises(rs.InvalidSampleError, match="a has more than 100 distinct scores; give a"):
        rs.ScoredTable.scan(in_parts(draw(2000, tied=False)), "y", MARKERS, budget=100)
