"""Made data of known size, written as plain doubles that Python and R read alike."""

from dataclasses import dataclass
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
    """Labels, and probabilities of one or more markers."""

    y: np.ndarray
    scores: list[np.ndarray]

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
    data.y.astype(np.float64).tofile(folder / "y.f64")
    for k, score in enumerate(data.scores):
        score.tofile(folder / f"s{k}.f64")


def read(folder: Path) -> Data:
    y = np.fromfile(folder / "y.f64").astype(np.int64)
    files = sorted(folder.glob("s*.f64"))
    return Data(y, [np.fromfile(file) for file in files])
