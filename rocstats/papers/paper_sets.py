"""The data sets of a paper: those that are here, how they differ, and those that are not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rocstats.errors import InvalidSampleError
from rocstats.papers.adding_up import share_is_possible
from rocstats.papers.data_sets.benchmark_set import BenchSet
from rocstats.papers.data_sets.loading import load_set, sets_of
from rocstats.papers.paper import DataUse, Settings

__all__ = ["PaperData", "load_paper_data", "size_rows", "use_of"]

_FEWEST = 10  # rows of each of two classes, so that each of ten folds has both


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PaperData:
    """What there is of a paper's data.

    Attributes
    ----------
    sets : by the name in the paper's table, in its order
    uses : a row for each of them
    left_out : the others, and why
    """

    sets: Mapping[str, BenchSet]
    uses: tuple[DataUse, ...]
    left_out: Mapping[str, str]


def load_paper_data(
    paper: str, settings: Settings, *, only: Collection[str] | None = None
) -> PaperData:
    """Return the sets of a paper that can be had; a quick run asks no R.

    Parameters
    ----------
    paper : its name in `PAPERS`
    settings : where sets may come from
    only : names in the paper's table; the others are left out, with no word about them

    Raises
    ------
    InvalidSampleError : for a file that is there and cannot be used, or has too few rows
    """
    sets: dict[str, BenchSet] = {}
    uses: list[DataUse] = []
    left_out: dict[str, str] = {}
    for name, printed in sets_of(paper).items():
        if only is not None and printed.label not in only:
            continue
        found = load_set(name, data=settings.data, r=not settings.quick, openml=settings.openml)
        if not isinstance(found, BenchSet):
            left_out[printed.label] = found.reason
            continue
        if min(found.n_pos, found.n - found.n_pos) < _FEWEST:
            raise InvalidSampleError(
                f"{found.title} from {found.source} has {found.n_pos} positive and "
                f"{found.n - found.n_pos} other rows; {_FEWEST} of each are needed."
            )
        sets[printed.label] = found
        uses.append(use_of(printed.label, found, paper))
    return PaperData(sets=sets, uses=tuple(uses), left_out=left_out)


def use_of(label: str, found: BenchSet, paper: str = "") -> DataUse:
    """Return what there is to say of a set, with its deviations from this paper."""
    return DataUse(
        name=label,
        n=found.n,
        n_pos=found.n_pos,
        source=found.source,
        sha256=found.sha256,
        deviations=tuple(said for said in found.deviations if _is_ours(said, paper)),
    )


def size_rows(
    printed: Iterable[tuple[str, int, int, float]], sets: Mapping[str, BenchSet]
) -> list[dict[str, Any]]:
    """Return the rows of Wu & Flach's tables of data sets, print beside ours.

    Parameters
    ----------
    printed : title, attributes, rows, and share of the majority class in percent
    sets : those that are here, by title
    """
    rows: list[dict[str, Any]] = []
    for title, attributes, n, share in printed:
        found = sets.get(title)
        majority = None if found is None else 100.0 * max(found.share_pos, 1.0 - found.share_pos)
        rows.append(
            {
                "set": title,
                "attributes_printed": attributes,
                "attributes": None if found is None else len(found.columns),
                "rows_printed": n,
                "rows": None if found is None else found.n,
                "majority_printed": share,
                "majority": None if majority is None else round(majority, 2),
                "majority_is_possible": share_is_possible(share, n),
            }
        )
    return rows


def _is_ours(sentence: str, paper: str) -> bool:
    """Return whether a deviation is from this paper, or from none in particular."""
    others = ("wu-flach-2005", "wu-flach-ferri-2007", "huang-ling-2005", "klement-2011")
    return not any(sentence.startswith(f"{name} (") for name in others if name != paper)
