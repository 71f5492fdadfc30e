"""What the file of a sketch says, and whether it adds up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocstats.arrays import Floats, Ints
from rocstats.data.sample_account import Dropped
from rocstats.data.scan.interval_bins import IntervalSketch, last_keys
from rocstats.data.scan.score_keys import to_keys
from rocstats.data.scan.sketches import Sketch
from rocstats.data.scan.versioned_json import VERSION, plain_label
from rocstats.errors import InvalidSampleError

if TYPE_CHECKING:
    from rocstats.data.scan.site_sketch import SiteSketch

__all__ = ["sketch_content", "sketch_parts"]

_MOST = 2**53  # subjects that a file may speak of


def sketch_content(site: SiteSketch) -> dict[str, Any]:
    """Return what is written of a sketch (docs/reference/sketch_file.md)."""
    return {
        "format": "rocstats sketch",
        "version": VERSION,
        "site": site.site,
        "pos_label": plain_label(site.pos_label),
        "neg_label": plain_label(site.neg_label),
        "n_pos": site.n_pos,
        "n_neg": site.n_neg,
        "n_dropped": site.dropped.n,
        "missing": dict(site.dropped.missing),
        "least_count": site.least_count,
        "markers": [
            {"name": name, "higher_is_positive": up, **_counts(one)}
            for name, up, one in zip(
                site.markers, site.higher_is_positive, site.sketches, strict=True
            )
        ],
    }


def _counts(sketch: Sketch) -> dict[str, Any]:
    scores = {"score": _written(sketch.least())}
    if sketch.shift:
        scores = {"from": _written(sketch.least()), "to": _written(sketch.largest())}
        if not isinstance(sketch, IntervalSketch):
            scores["bits_left_out"] = sketch.shift  # type: ignore[assignment]
    return {**scores, "n_pos": sketch.n_pos.tolist(), "n_neg": sketch.n_neg.tolist()}


def _written(scores: Floats) -> list[Any]:
    return [one if np.isfinite(one) else str(one) for one in scores.tolist()]


def sketch_parts(content: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Return the parts of a sketch, or refuse the file in a sentence."""
    try:
        return _parts(content)
    except _FileError as reason:
        raise InvalidSampleError(f"{path} does not add up: {reason}.") from None


class _FileError(Exception):
    """What is wrong with a file."""


def _parts(content: Mapping[str, Any]) -> dict[str, Any]:
    given = _item(content, "markers", list)
    if not given:
        raise _FileError("it has no markers")
    names = [_item(one, "name", str) for one in given if isinstance(one, dict)]
    if len(names) < len(given) or len(set(names)) < len(names):
        raise _FileError("its markers do not have a name each")
    labels = [content.get(name) for name in ("pos_label", "neg_label")]
    if not all(isinstance(one, str | int | float) for one in labels) or labels[0] == labels[1]:
        raise _FileError("it does not have two labels")
    site, least = content.get("site"), _count(content, "least_count")
    if not (site is None or isinstance(site, str)) or least < 1:
        raise _FileError("site must be a name or null, and least_count a number from 1")
    sizes = _count(content, "n_pos"), _count(content, "n_neg")
    sketches = []
    for name, one in zip(names, given, strict=True):
        found = _sketch(one, name)
        if found.sizes != sizes:
            raise _FileError(
                f"{name} counts {found.sizes[0]} positives and {found.sizes[1]} negatives, and "
                f"there are said to be {sizes[0]} and {sizes[1]}"
            )
        fewest = min(int(found.n_pos.min()), int(found.n_neg.min()))
        if least > 1 and fewest < least:
            raise _FileError(f"a bin of {name} has fewer than {least} subjects of a class")
        sketches.append(found)
    if min(sizes) < 1:
        raise _FileError("positives and negatives are needed")
    missing = content.get("missing", {})
    if not isinstance(missing, dict):
        raise _FileError("missing must be counts by column")
    return {
        "site": site,
        "least_count": least,
        "markers": tuple(names),
        "higher_is_positive": tuple(_item(one, "higher_is_positive", bool) for one in given),
        "pos_label": labels[0],
        "neg_label": labels[1],
        "dropped": Dropped(
            n=_count(content, "n_dropped"),
            missing=tuple((name, _count(missing, name)) for name in missing),
        ),
        "sketches": tuple(sketches),
    }


def _item(content: Mapping[str, Any], key: str, kind: type) -> Any:
    if not isinstance(content.get(key), kind):
        raise _FileError(f"{key} is missing, or not what it should be")
    return content[key]


def _count(content: Mapping[str, Any], key: str) -> int:
    value = content.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _MOST:
        raise _FileError(f"{key} must be a count, got {value!r}"[:120])
    return value


def _sketch(one: Mapping[str, Any], name: str) -> Sketch:
    n_pos, n_neg = (_array(one, key, name) for key in ("n_pos", "n_neg"))
    exact = "score" in one
    first = _keys(one, "score" if exact else "from", name)
    last = first if exact else _keys(one, "to", name, last_keys)
    if not n_pos.size == n_neg.size == first.size == last.size or not first.size:
        raise _FileError(f"the lists of {name} are empty, or not of one length")
    if (last < first).any() or (first[1:] <= last[:-1]).any():
        raise _FileError(f"the scores of {name} are not in increasing order")
    if (n_pos + n_neg).min() < 1:
        raise _FileError(f"a bin of {name} is empty")
    if exact:
        return Sketch(bins=first, n_pos=n_pos, n_neg=n_neg)
    if "bits_left_out" not in one:
        return IntervalSketch(bins=first, last=last, n_pos=n_pos, n_neg=n_neg)
    shift = _count(one, "bits_left_out")
    found = Sketch(bins=first >> min(shift, 63), n_pos=n_pos, n_neg=n_neg, shift=shift)
    if not 0 < shift < 64 or not (
        np.array_equal(to_keys(found.least()), first)
        and np.array_equal(last_keys(found.largest()), last)
    ):
        raise _FileError(f"the bins of {name} are not those of bits_left_out {shift}")
    return found


def _array(one: Mapping[str, Any], key: str, name: str) -> Ints:
    given = _item(one, key, list)
    if not all(type(value) is int and 0 <= value < _MOST for value in given):
        raise _FileError(f"{key} of {name} must be counts, none below 0")
    if sum(given) >= _MOST:
        raise _FileError(f"{key} of {name} has too many subjects")
    return np.array(given, dtype=np.int64)


def _keys(
    one: Mapping[str, Any], key: str, name: str, keyed: Callable[[Floats], Ints] = to_keys
) -> Ints:
    given = _item(one, key, list)
    told = {"inf": np.inf, "-inf": -np.inf}
    scores = [told.get(value, value) if isinstance(value, str) else value for value in given]
    if not all(isinstance(value, int | float) and not isinstance(value, bool) for value in scores):
        raise _FileError(f"{key} of {name} must be numbers")
    try:
        return keyed(np.array(scores, dtype=np.float64))
    except OverflowError:
        raise _FileError(f"{key} of {name} must be numbers") from None
