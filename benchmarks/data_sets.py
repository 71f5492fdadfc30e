"""Made data of known size, written as plain doubles that Python and R read alike."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

MARKERS = 10


@dataclass(frozen=True, slots=True)
class Setting:
    """How many subjects, whether scores tie, and how rare the positives are."""

    n: int
    scores: str = "continuous"  # or "tied": probabilities of three digits
    balance: str = "1:1"  # or "1:99"

    def __str__(self) -> str:
        return f"n = {self.n:,}, {self.scores}, {self.balance}"


@dataclass(frozen=True, slots=True)
class Data:
    """Labels, probabilities of one or more markers, and what `definitions` has found of them."""

    y: np.ndarray
    scores: list[np.ndarray]
    placed: dict[int, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict, repr=False)

    @property
    def pair(self) -> dict[str, np.ndarray]:
        return {"a": self.scores[0], "b": self.scores[1]}


def make(setting: Setting, markers: int) -> Data:
    rng = np.random.default_rng(setting.n)
    n = setting.n
    rare = n // 2 if setting.balance == "1:1" else max(n // 100, 2)
    y = np.zeros(n, dtype=np.int64)
    y[:rare] = 1
    rng.shuffle(y)
    common = rng.normal(size=n) + y
    scores = [1.0 / (1.0 + np.exp(-(common + rng.normal(size=n)))) for _ in range(markers)]
    if setting.scores == "tied":
        scores = [s.round(3) for s in scores]
    return Data(y, scores)


def write(data: Data, folder: Path) -> None:
    data.y.astype(np.float64).tofile(folder / "y.f64")  # for R
    data.y.tofile(folder / "y.i64")
    for k, score in enumerate(data.scores):
        score.tofile(folder / f"s{k}.f64")


def read(folder: Path) -> Data:
    """Return the data as arrays that lie in memory once for all processes."""

    def shared(file: Path, kind: str) -> np.ndarray:
        return np.asarray(np.memmap(file, dtype=kind, mode="c"))

    scores = [shared(file, "f8") for file in sorted(folder.glob("s*.f64"))]
    return Data(shared(folder / "y.i64", "i8"), scores)
