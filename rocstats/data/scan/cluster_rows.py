"""Rows on the workers of Dask, Spark or Ray: each worker reduces its own, and sends what is small.

A frame is in parts. `work` is called with the Arrow batches of a part, on the worker that has it,
and returns an answer; `join` makes one answer of several, on workers and at last here. Parts come
in any order. What is sent is pickled; a refusal is sent as an answer, so that it is told here as it
was said there.
"""

from __future__ import annotations

import pickle
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

from rocstats.data.scan.arrow_rows import BATCH, arrow_kind
from rocstats.errors import InvalidSampleError, LostWorkersError, RocstatsError

__all__ = ["ClusterRows", "DaskFrame", "RayDataset", "SparkFrame"]

Answer = TypeVar("Answer")
Work = Callable[[Iterator[Any]], Answer]
Join = Callable[[list[Answer]], Answer]
ByBatch = Callable[[Iterable[Any]], Iterator[Any]]
ByTable = Callable[[Any], Any]

_JOINED = 16  # answers that are joined at a time
_JOINERS = 4  # parts of Spark in which answers are joined, and then sent
_SENT = "rocstats_answer"


@dataclass(frozen=True, slots=True)
class _Sent:
    """What a worker does with the batches of a part: its answer, or refusal, as bytes."""

    work: Callable[[Iterator[Any]], Any]

    def __call__(self, batches: Iterable[Any]) -> bytes:
        try:
            return pickle.dumps((self.work(_regrouped(batches)), None))
        except RocstatsError as refusal:
            return pickle.dumps((None, refusal))


@dataclass(frozen=True, slots=True)
class _Joined:
    """What a worker does with the answers of several parts."""

    join: Callable[[list[Any]], Any]

    def __call__(self, sent: Iterable[bytes]) -> bytes:
        held: list[Any] = []
        try:
            for one in sent:
                held.append(_opened(one))
                if len(held) == _JOINED:
                    held = [self.join(held)]
            return pickle.dumps((self.join(held), None))
        except RocstatsError as refusal:
            return pickle.dumps((None, refusal))


def _opened(sent: bytes) -> Any:
    answer, refusal = pickle.loads(sent)
    if refusal is not None:
        raise refusal
    return answer


def _answer(sent: Iterable[bytes], work: Work[Answer], join: Join[Answer]) -> Answer:
    sent = list(sent)
    answer: Answer = _opened(_Joined(join)(sent)) if sent else work(iter(()))
    return answer


def _regrouped(batches: Iterable[Any]) -> Iterator[Any]:
    """Yield batches of about the size that is read elsewhere, of smaller ones."""
    import pyarrow as pa

    waiting: list[Any] = []
    held = 0
    for batch in batches:
        waiting.append(batch)
        held += batch.num_rows
        if held >= BATCH:
            yield from pa.Table.from_batches(waiting).combine_chunks().to_batches()
            waiting, held = [], 0
    if held:
        yield from pa.Table.from_batches(waiting).combine_chunks().to_batches()


@contextmanager
def _loss_in_one_sentence(engine: str) -> Iterator[None]:
    try:
        yield
    except RocstatsError:
        raise
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        said = (lines[0] if lines else type(error).__name__).rstrip(".:")
        raise LostWorkersError(
            f"{engine} did not finish the work, so there is no answer ({type(error).__name__}: "
            f"{said}); see that its workers run, have memory and have rocstats, and start again."
        ) from error


class ClusterRows:
    """Rows in parts, on the workers of an engine."""

    __slots__ = ()

    def counts(self, marker: str, outcome: str) -> Iterator[Any] | None:
        """Return None: workers count what they have judged."""
        return None

    def reduced(self, names: list[str], work: Work[Answer], join: Join[Answer]) -> Answer:
        """Return the joined answers of all parts to their batches of some columns."""
        raise NotImplementedError

    @property
    def has_workers(self) -> bool:
        """Whether rows can be brought together on workers."""
        return True

    def mapped(self, names: list[str], make: ByBatch, kinds: dict[str, str]) -> ClusterRows:
        """Return what is made of the batches of every part, with columns of such kinds."""
        raise NotImplementedError

    def brought_together(
        self, by: str, parts: int, make: ByTable, kinds: dict[str, str]
    ) -> ClusterRows:
        """Return what is made of parts that have all the rows of each number that they have."""
        raise NotImplementedError

    def kept(self) -> ClusterRows:
        """Return the same rows, held by the workers, so that they are worked out once."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, eq=False)
class DaskFrame(ClusterRows):
    """A data frame of Dask: its partitions are the parts."""

    frame: Any

    def kinds(self) -> dict[str, str]:
        import pyarrow as pa

        schema = pa.Schema.from_pandas(self.frame._meta_nonempty, preserve_index=False)
        return {field.name: arrow_kind(field.type) for field in schema}

    def batches(self, names: list[str]) -> Iterator[Any]:
        with _loss_in_one_sentence("Dask"):
            for part in self.frame[names].to_delayed():
                yield from _of_pandas(part.compute())

    def reduced(self, names: list[str], work: Work[Answer], join: Join[Answer]) -> Answer:
        from dask.base import compute
        from dask.delayed import delayed

        with _loss_in_one_sentence("Dask"), warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")  # what is looked up, once
            ask, together = delayed(_sent_of_pandas), delayed(_Joined(join))
            sent = delayed(_unpacked)(pickle.dumps(_Sent(work)))
            parts = [ask(sent, part) for part in self.frame[names].to_delayed()]
            while len(parts) > _JOINED:
                parts = [together(parts[i : i + _JOINED]) for i in range(0, len(parts), _JOINED)]
            found: list[bytes] = compute(*parts)  # type: ignore[no-untyped-call]
        return _answer(found, work, join)

    @property
    def has_workers(self) -> bool:
        """Whether a client is there; without one, all rows would be held by this machine."""
        try:
            from distributed import get_client

            get_client()
        except (ImportError, ValueError):
            return False
        return True

    def mapped(self, names: list[str], make: ByBatch, kinds: dict[str, str]) -> DaskFrame:
        return self._made(self.frame[names], _OfBatches(make, kinds), kinds)

    def brought_together(
        self, by: str, parts: int, make: ByTable, kinds: dict[str, str]
    ) -> DaskFrame:
        return self._made(self.frame.shuffle(on=by, npartitions=parts), make, kinds)

    def _made(self, frame: Any, make: ByTable, kinds: dict[str, str]) -> DaskFrame:
        from dask.delayed import delayed

        meta = _schema(kinds).empty_table().to_pandas()
        sent = delayed(_unpacked)(pickle.dumps(make))
        return DaskFrame(frame.map_partitions(_made_of_pandas, sent, meta=meta))

    def kept(self) -> DaskFrame:
        return DaskFrame(self.frame.persist())


def _schema(kinds: dict[str, str]) -> Any:
    import pyarrow as pa

    return pa.schema([(name, pa.type_for_alias(kind)) for name, kind in kinds.items()])


@dataclass(frozen=True, slots=True)
class _OfBatches:
    """A table of a table, by what makes batches of batches."""

    make: ByBatch
    kinds: dict[str, str]

    def __call__(self, table: Any) -> Any:
        import pyarrow as pa

        batches = table.combine_chunks().to_batches(max_chunksize=BATCH)
        return pa.Table.from_batches(self.make(batches), _schema(self.kinds))


def _made_of_pandas(frame: Any, make: ByTable) -> Any:
    return make(_arrow_of_pandas(frame)).to_pandas()


def _unpacked(sent: bytes) -> Any:
    """Return what is sent once to each worker, and not with each of its parts."""
    return pickle.loads(sent)


def _of_pandas(frame: Any) -> list[Any]:
    batches: list[Any] = _arrow_of_pandas(frame).combine_chunks().to_batches(max_chunksize=BATCH)
    return batches


def _arrow_of_pandas(frame: Any) -> Any:
    import pyarrow as pa

    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        raise InvalidSampleError(
            "A column of the frame holds numbers beside texts; make it of one kind."
        ) from None


def _sent_of_pandas(sent: _Sent, frame: Any) -> bytes:
    try:
        batches = _of_pandas(frame)
    except InvalidSampleError as refusal:
        return pickle.dumps((None, refusal))
    return sent(batches)


@dataclass(frozen=True, slots=True, eq=False)
class SparkFrame(ClusterRows):
    """A data frame of Spark: its partitions are the parts."""

    frame: Any

    def kinds(self) -> dict[str, str]:
        def kind(dtype: str) -> str:
            if dtype.startswith(("tinyint", "smallint", "int", "bigint", "float", "double")):
                return "number" if not dtype.startswith("interval") else "other"
            if dtype.startswith(("decimal", "boolean")):
                return "number"
            return "text" if dtype.startswith(("string", "varchar", "char")) else "other"

        return {name: kind(dtype) for name, dtype in self.frame.dtypes}

    def _columns(self, names: list[str]) -> Any:
        """Return some columns, numbered: Spark does not map a frame with a dot in a name."""
        quoted = ("`" + name.replace("`", "``") + "`" for name in names)
        return self.frame.select(*quoted).toDF(*(f"rocstats_{k}" for k in range(len(names))))

    def batches(self, names: list[str]) -> Iterator[Any]:
        import pyarrow as pa

        with _loss_in_one_sentence("Spark"):
            sent = self._columns(names).mapInArrow(_as_streams, f"{_SENT} binary")
            for row in sent.toLocalIterator(prefetchPartitions=True):
                for batch in pa.ipc.open_stream(bytes(row[0])):
                    yield batch.rename_columns(names)

    def reduced(self, names: list[str], work: Work[Answer], join: Join[Answer]) -> Answer:
        with _loss_in_one_sentence("Spark"):
            sent = self._columns(names).mapInArrow(_Parts(_Sent(work), names), f"{_SENT} binary")
            fewer = sent.repartition(_JOINERS).mapInArrow(
                _Answers(_Joined(join)), f"{_SENT} binary"
            )
            found = [bytes(row[0]) for row in fewer.collect()]
        return _answer(found, work, join)

    def mapped(self, names: list[str], make: ByBatch, kinds: dict[str, str]) -> SparkFrame:
        with _loss_in_one_sentence("Spark"):
            return SparkFrame(
                self._columns(names).mapInArrow(_Batches(make, names), _spark_schema(kinds))
            )

    def brought_together(
        self, by: str, parts: int, make: ByTable, kinds: dict[str, str]
    ) -> SparkFrame:
        with _loss_in_one_sentence("Spark"):
            whole = self.frame.repartition(parts, by)
            return SparkFrame(whole.mapInArrow(_OfWhole(make), _spark_schema(kinds)))

    def kept(self) -> SparkFrame:
        frame = self.frame.persist()
        weakref.finalize(frame, _let_go, frame._jdf).atexit = False
        return SparkFrame(frame)


def _let_go(held: Any) -> None:
    """Give back what a session holds, if it is still there."""
    with suppress(Exception):
        held.unpersist()


def _spark_schema(kinds: dict[str, str]) -> str:
    words = {"int64": "bigint", "bool": "boolean", "double": "double"}
    return ", ".join(f"{name} {words[kind]}" for name, kind in kinds.items())


@dataclass(frozen=True, slots=True)
class _Batches:
    """Batches of the batches of a part, as Spark asks for them."""

    make: ByBatch
    names: list[str]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        yield from self.make(
            batch.rename_columns(self.names) for batch in _regrouped(batches) if batch.num_rows
        )


@dataclass(frozen=True, slots=True)
class _OfWhole:
    """Batches of all the rows of a part."""

    make: ByTable

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        given = list(batches)
        if given:
            yield from self.make(pa.Table.from_batches(given)).to_batches(max_chunksize=BATCH)


@dataclass(frozen=True, slots=True)
class _Parts:
    """One answer for the batches of a part, as Spark asks for it."""

    sent: _Sent
    names: list[str]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        yield _batch(self.sent(batch.rename_columns(self.names) for batch in batches))


@dataclass(frozen=True, slots=True)
class _Answers:
    """One answer for several; none for none."""

    joined: _Joined

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        given = (one for batch in batches for one in batch.column(0).to_pylist())
        for first in given:
            yield _batch(self.joined(chain([first], given)))


def _as_streams(batches: Iterator[Any]) -> Iterator[Any]:
    import pyarrow as pa

    for batch in _regrouped(batches):
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as stream:
            stream.write_batch(batch)
        yield _batch(sink.getvalue().to_pybytes())


def _batch(sent: bytes) -> Any:
    import pyarrow as pa

    return pa.RecordBatch.from_arrays([pa.array([sent], pa.binary())], [_SENT])


@dataclass(frozen=True, slots=True, eq=False)
class RayDataset(ClusterRows):
    """A dataset of Ray: its blocks are the parts."""

    dataset: Any

    def kinds(self) -> dict[str, str]:
        with _loss_in_one_sentence("Ray"):
            schema = self.dataset.schema()
        if schema is None:
            raise InvalidSampleError("The sample is empty: there is no subject.")
        return {
            name: arrow_kind(kind) for name, kind in zip(schema.names, schema.types, strict=True)
        }

    def batches(self, names: list[str]) -> Iterator[Any]:
        with _loss_in_one_sentence("Ray"):
            rows = self.dataset.select_columns(names)
            for table in rows.iter_batches(batch_format="pyarrow", batch_size=BATCH):
                yield from table.combine_chunks().to_batches()

    def reduced(self, names: list[str], work: Work[Answer], join: Join[Answer]) -> Answer:
        arrow: dict[str, Any] = {"batch_format": "pyarrow"}
        with _loss_in_one_sentence("Ray"):
            sent = self.dataset.select_columns(names).map_batches(
                _block_answer, fn_args=(_Sent(work),), batch_size=None, **arrow
            )
            fewer = sent.map_batches(
                _joined_blocks, fn_args=(_Joined(join),), batch_size=_JOINED, **arrow
            )
            found = [row[_SENT] for row in fewer.iter_rows()]
        return _answer(found, work, join)

    def mapped(self, names: list[str], make: ByBatch, kinds: dict[str, str]) -> RayDataset:
        with _loss_in_one_sentence("Ray"):
            rows = self.dataset.select_columns(names).map_batches(
                _made_of_block,
                fn_args=(_OfBatches(make, kinds),),
                batch_size=None,
                batch_format="pyarrow",
            )
            return RayDataset(rows)

    def brought_together(
        self, by: str, parts: int, make: ByTable, kinds: dict[str, str]
    ) -> RayDataset:
        with _loss_in_one_sentence("Ray"):
            groups = self.dataset.groupby(by, num_partitions=parts)
            return RayDataset(
                groups.map_groups(_made_of_block, fn_args=(make,), batch_format="pyarrow")
            )

    def kept(self) -> RayDataset:
        with _loss_in_one_sentence("Ray"):
            return RayDataset(self.dataset.materialize())


def _made_of_block(block: Any, make: ByTable) -> Any:
    return make(block)


def _block_answer(block: Any, sent: _Sent) -> Any:
    return _table(sent(block.combine_chunks().to_batches()))


def _joined_blocks(answers: Any, joined: _Joined) -> Any:
    return _table(joined(answers.column(_SENT).to_pylist()))


def _table(sent: bytes) -> Any:
    import pyarrow as pa

    return pa.table({_SENT: pa.array([sent], pa.binary())})
