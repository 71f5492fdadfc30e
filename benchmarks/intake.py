"""A file on its way in, beside pandas.read_csv: ``python -m benchmarks.intake``.

A clean file of a million rows is read as it stands. A messy one (title, semicolons, decimal commas,
limits of detection, total) is looked at cell by cell. No bar was fixed in advance, none is named.
"""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

import rocstats as rs
from benchmarks.resampling import best

SIZE, MESSY = 10**6, 10**5


def clean(n: int) -> pd.DataFrame:
    """Return a table of n patients."""
    rng = np.random.default_rng(2026)
    ill = rng.random(n) < 0.3
    return pd.DataFrame(
        {
            "id": np.arange(n),
            "y": np.where(ill, "yes", "no"),
            "crp": rng.gamma(2.0, 20.0 + 20.0 * ill).round(2),
            "pct": rng.gamma(1.0, 0.5 + ill).round(3),
        }
    )


def messy(frame: pd.DataFrame) -> str:
    """Return it as a ward keeps it."""
    cells = frame.assign(
        crp=[f"{x:.2f}".replace(".", ",") for x in frame["crp"]],
        pct=["<0,05" if x < 0.05 else f"{x:.3f}".replace(".", ",") for x in frame["pct"]],
        y=np.where(np.arange(len(frame)) % 3 == 0, frame["y"].str.upper(), frame["y"]),
    )
    text: str = cells.to_csv(index=False, sep=";", lineterminator="\n")
    return f"Sepsis 2023;;;\n;;;\n{text}Mean;;40,0;0,9\n"


def main() -> None:
    """Print the time of reading beside that of pandas."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "clean.csv")
        frame = clean(SIZE)
        frame.to_csv(path, index=False)
        unit = best(lambda: pd.read_csv(path), 3)
        seconds = best(lambda: rs.check(path), 3)
        print(f"clean CSV, {SIZE:,} rows: {seconds / unit:.1f} x pandas.read_csv ({seconds:.2f} s)")
        path = Path(folder, "messy.csv")
        path.write_text(messy(frame.head(MESSY)), encoding="utf-8")
        unit = best(lambda: pd.read_csv(path, sep=";", skiprows=2, decimal=","), 2)
        seconds = best(lambda: rs.check(path), 1)
        print(
            f"messy CSV, {MESSY:,} rows: {seconds / unit:.1f} x pandas.read_csv, which repairs "
            f"nothing ({seconds:.2f} s)"
        )


if __name__ == "__main__":
    main()
