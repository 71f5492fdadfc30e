"""The work of the calculators: results of the library, of what was filled in by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from rocstats.errors import InvalidOptionError, named

__all__ = ["paired_counts", "plan_areas", "plan_tests", "table_of_counts", "two_areas"]

_MOST = 10**7  # subjects of a table of counts


def plan_areas(given: Mapping[str, Any]) -> list[Any]:
    """Return the sizes, or the power, of a study of one AUC or two."""
    import rocstats as rs

    shared = {name: given[name] for name in _PLAN if given[name] is not None}
    if given["n_pos"] is not None and given["half_width"] is not None:
        raise InvalidOptionError(
            f"Give {named('n_pos')} to find the power, or {named('half_width')} to find sizes."
        )
    if given["n_pos"] is not None:
        return [rs.power_auc(**shared)]
    if given["power"] is None and given["half_width"] is None:
        raise InvalidOptionError(
            f"Give {named('power')} to find the sizes, or {named('n_pos')} to find the power."
        )
    return [rs.sample_size_auc(**shared)]


_PLAN = (
    *("auc", "null_value", "auc2", "correlation", "power", "half_width", "n_pos", "n_neg"),
    *("ratio", "prevalence", "significance", "margin", "aim"),
)


def plan_tests(given: Mapping[str, Any]) -> list[Any]:
    """Return the number of patients, or the power, of a study of two binary tests."""
    import rocstats as rs

    new, standard = given["new"], given["standard"]
    names = ("measure", "discordant", "correlation", "significance", "margin", "aim", "prevalence")
    shared = {name: given[name] for name in names if given[name] is not None}
    if given["n"] is None:
        if given["power"] is None:
            raise InvalidOptionError(f"Give {named('power')} to find {named('n')}, or the reverse.")
        return [rs.sample_size_tests(new, standard, power=given["power"], **shared)]
    if given["power"] is not None:
        raise InvalidOptionError(
            f"{named('n')} is what {named('power')} would find; give one of them."
        )
    return [rs.power_tests(new, standard, n=given["n"], **shared)]


def table_of_counts(given: Mapping[str, Any]) -> list[Any]:
    """Return every measure of a 2x2 table."""
    import numpy as np

    import rocstats as rs

    counts = [given[name] for name in ("tp", "fn", "fp", "tn")]
    for name, count in zip(("tp", "fn", "fp", "tn"), counts, strict=True):
        if not 0 <= count <= _MOST:
            raise InvalidOptionError(
                f"{named(name)} must be a whole number from 0 to {_MOST:,}, got {count}."
            )
    tp, fn, fp, tn = counts
    ill = np.repeat([1, 1, 0, 0], counts)
    called = np.repeat([1, 0, 1, 0], counts)
    if not tp + fn or not fp + tn:
        raise InvalidOptionError(
            f"There must be subjects with and without the condition, got {tp + fn} and {fp + tn}."
        )
    found = rs.operating_points(
        ill,
        {"test": called},
        thresholds=[1],
        prevalence=given["prevalence"] or (),
        interval=given["interval"],
        confidence_level=given["confidence_level"],
    )
    stated = found.statement()
    head = f"{tp + fn} subjects with the condition, {fp + tn} without; " + (
        f"{100 * given['confidence_level']:g}% intervals"
    )
    return [replace(stated, head=head, notes=())]


def two_areas(given: Mapping[str, Any]) -> list[Any]:
    """Return the test of two printed areas."""
    from rocstats.inference.published_areas import compare_published_areas, published_error

    rows = []
    level = given["confidence_level"]
    for i in ("1", "2"):
        limits, sizes = (
            _both(given, f"{a}{i}", f"{b}{i}") for a, b in (("low", "high"), ("n_pos", "n_neg"))
        )
        with _about(i):
            error = published_error(
                given[f"auc{i}"],
                std_error=given[f"std_error{i}"],
                limits=limits,
                sizes=sizes,
                confidence_level=level,
            )
        rows.append((given[f"auc{i}"], error))
    result = compare_published_areas(*rows, correlation=given["correlation"])
    return [result.statement(confidence_level=level)]


@contextmanager
def _about(which: str) -> Iterator[None]:
    """Name the fields of the first or the second area in a refusal."""
    try:
        yield
    except InvalidOptionError as error:
        raise InvalidOptionError(
            error.sentence.spoken(lambda mention: named(f"{mention.name}{which}"))
        ) from None


def _both(given: Mapping[str, Any], first: str, second: str) -> tuple[Any, Any] | None:
    pair = (given[first], given[second])
    if pair == (None, None):
        return None
    for name, value in zip((first, second), pair, strict=True):
        if value is None:
            raise InvalidOptionError(f"{named(name)} is needed beside the other one.")
    return pair


def paired_counts(given: Mapping[str, Any]) -> list[Any]:
    """Return the comparison of two tests on the same patients."""
    import rocstats as rs

    cells = {
        group: [[given[f"{group}_{x}{y}"] for y in "pn"] for x in "pn"]
        for group in ("diseased", "healthy")
    }
    names = (given["standard"], given["new"])
    found = rs.compare_counts(**cells, tests=names, design=given["design"], truth=given["truth"])
    return [found.statement(confidence_level=given["confidence_level"])]
