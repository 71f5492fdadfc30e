"""Which way a marker points: whether high or low scores speak for the positive class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rocstats.errors import InvalidOptionError, did_you_mean, listed, named

__all__ = ["Orientation", "read_orientation"]

Orientation = bool | Mapping[str, bool] | Sequence[bool]


def read_orientation(orientation: Orientation | None, markers: tuple[str, ...]) -> tuple[bool, ...]:
    """Return for each marker whether high scores speak for the positive class."""
    if orientation is None:
        orientation = True
    if isinstance(orientation, (bool, np.bool_)):
        return (bool(orientation),) * len(markers)
    if isinstance(orientation, Mapping):
        for name in orientation:
            if name not in markers:
                raise InvalidOptionError(
                    f"{named('higher_is_positive')} names {name!r}, which is no marker of the "
                    f"sample ({listed(markers)}).{did_you_mean(name, markers)}"
                )
        flags: list[Any] = [orientation.get(name, True) for name in markers]
    else:
        flags = list(orientation) if isinstance(orientation, Iterable) else []
    if len(flags) != len(markers) or not all(isinstance(f, (bool, np.bool_)) for f in flags):
        raise InvalidOptionError(
            f"{named('higher_is_positive')} must be True, False, or one of them for each marker, "
            f"got {orientation!r}."
        )
    return tuple(bool(f) for f in flags)
