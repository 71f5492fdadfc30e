"""Places: the folders that stand beside the package in a checkout and inside it once installed."""

from __future__ import annotations

from pathlib import Path

from rocstats.errors import RocstatsError

__all__ = ["PACKAGE", "find_place"]

PACKAGE = Path(__file__).parent
_INSTALLED = {"templates": PACKAGE / "templates", "validation": PACKAGE / "validation" / "evidence"}


def find_place(name: str) -> Path:
    """Return the folder: the installed one, else the checkout's."""
    for folder in (_INSTALLED[name], PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise RocstatsError(f"The files of {name} are missing; install rocstats again.")
