"""Cases: data set x quantity, as ``validation/cases.toml`` lists them."""

from __future__ import annotations

import csv
import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from rocstats.places import find_place

__all__ = [
    "Case",
    "Dataset",
    "Quantity",
    "Requirement",
    "Tolerance",
    "evidence",
    "read_cases",
    "read_datasets",
    "read_quantities",
    "read_requirements",
    "read_tolerances",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """How far observed may be from expected, set in advance, and why.

    ``largest`` says that the numbers of a vector are judged by the largest finite one of them.
    """

    name: str
    relative: float
    absolute: float
    why: str
    largest: bool = False

    def allowed(self, expected: Sequence[float]) -> list[float]:
        """Return the largest difference that passes, for every number of a vector."""
        sizes = [abs(value) for value in expected]
        if self.largest:
            sizes = [max(filter(math.isfinite, sizes), default=0.0)] * len(sizes)
        return [self.absolute + self.relative * size for size in sizes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A data set: a bundled file, or an R expression where the data may not be bundled."""

    name: str
    markers: tuple[str, ...]
    outcome: str = "y"
    positive: Any = 1
    low: tuple[str, ...] = ()
    cluster: str | None = None
    traits: frozenset[str] = frozenset()
    file: str | None = None
    package: str = ""
    expression: str = ""

    @property
    def bundled(self) -> bool:
        """Whether the data come with the package; others are read from R."""
        return self.file is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """Something both sides compute: by R code, and by a function of `rocstats.validation`."""

    name: str
    title: str
    each: str
    r: str
    tolerance: Tolerance
    needs: frozenset[str]
    avoids: frozenset[str]
    only: frozenset[str]
    never: frozenset[str]

    def concerns(self, dataset: Dataset) -> bool:
        """Whether the quantity is computed on the data set."""
        return (
            self.needs <= dataset.traits
            and not self.avoids & dataset.traits
            and (not self.only or dataset.name in self.only)
            and dataset.name not in self.never
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One quantity of one data set: of a marker, a pair of markers, or all of them."""

    quantity: Quantity
    dataset: Dataset
    markers: tuple[str, ...]

    @property
    def name(self) -> str:
        """Identifier, such as ``auc/heavy_ties/a``."""
        parts = [self.quantity.name, self.dataset.name, "-".join(self.markers)]
        return "/".join(part for part in parts if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One statistical claim, where it is from, its risk, and the quantities that test it."""

    name: str
    text: str
    source: str
    risk: str
    quantities: tuple[str, ...]


def evidence() -> Path:
    """Return the folder of cases, data sets, references and requirements."""
    return find_place("validation")


def read_datasets(folder: Path) -> dict[str, Dataset]:
    """Return the data sets by name: the bundled ones, then those that R brings."""
    found = {}
    for file in ("datasets.toml", "live.toml"):
        listed = tomllib.loads((folder / "datasets" / file).read_text("utf-8"))
        for name, entry in listed.items():
            found[name] = Dataset(
                name=name,
                markers=tuple(entry["markers"]),
                outcome=entry.get("outcome", "y"),
                positive=entry.get("positive", 1),
                low=tuple(entry.get("lower_is_positive", ())),
                cluster=entry.get("cluster"),
                traits=_traits(entry),
                file=entry.get("file"),
                package=entry.get("package", ""),
                expression=entry.get("expression", ""),
            )
    return found


def _traits(entry: Mapping[str, Any]) -> frozenset[str]:
    unit = ["unit"] if entry.get("unit") else []
    several = ["several"] if len(entry["markers"]) > 1 else []
    many = ["many"] if len(entry["markers"]) > 2 else []
    return frozenset([*entry.get("traits", ()), *unit, *several, *many])


def read_tolerances(folder: Path) -> dict[str, Tolerance]:
    """Return the tolerances by name."""
    return {
        name: Tolerance(
            name=name,
            relative=entry.get("relative", 0.0),
            absolute=entry.get("absolute", 0.0),
            why=entry["why"],
            largest=entry.get("largest", False),
        )
        for name, entry in _plan(folder)["tolerance"].items()
    }


def _plan(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "cases.toml").read_text("utf-8"))


def read_quantities(folder: Path) -> tuple[Quantity, ...]:
    """Return the quantities in their order."""
    tolerances = read_tolerances(folder)
    return tuple(
        Quantity(
            name=name,
            title=entry["title"],
            each=entry["each"],
            r=entry["r"],
            tolerance=tolerances[entry["tolerance"]],
            needs=frozenset(entry.get("with", ())),
            avoids=frozenset(entry.get("without", ())),
            only=frozenset(entry.get("only", ())),
            never=frozenset(entry.get("never", ())),
        )
        for name, entry in _plan(folder)["quantity"].items()
    )


def read_cases(folder: Path) -> list[Case]:
    """Return every case, data set by data set."""
    quantities = read_quantities(folder)
    return [
        Case(quantity=quantity, dataset=dataset, markers=markers)
        for dataset in read_datasets(folder).values()
        for quantity in quantities
        if quantity.concerns(dataset)
        for markers in _chosen(quantity.each, dataset.markers)
    ]


def _chosen(each: str, markers: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the markers of each case of a data set."""
    if each == "marker":
        yield from ((marker,) for marker in markers)
    elif each == "pair":
        yield from combinations(markers, 2)
    else:
        yield markers


def read_requirements(folder: Path) -> list[Requirement]:
    """Return the requirements in their order."""
    with (folder / "requirements.csv").open(encoding="utf-8", newline="") as file:
        return [
            Requirement(
                name=row["id"],
                text=row["text"],
                source=row["source"],
                risk=row["risk"],
                quantities=tuple(row["cases"].split()),
            )
            for row in csv.DictReader(file)
        ]
