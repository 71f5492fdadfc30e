"""Whether this installation has a compiled kernel, and whether it is wanted; numpy is not asked.

``ROCSTATS_KERNEL=0`` leaves the kernel alone, ``1`` insists on it.
"""

from __future__ import annotations

import os
from functools import cache
from types import ModuleType

from rocstats.errors import MissingDependencyError

__all__ = ["describe", "kernel", "load"]

_VARIABLE = "ROCSTATS_KERNEL"
_EDITION = 5  # as in _kernel.c: one compiled of an older source is not used


def load() -> ModuleType | None:
    """Return the kernel, or None where numpy computes alone."""
    wish = os.environ.get(_VARIABLE, "")
    if wish == "0":
        return None
    try:
        from rocstats.data import _kernel

        if _kernel.edition() != _EDITION:
            raise ImportError("it was compiled for another version of rocstats")
    except ImportError as error:
        if wish == "1":
            raise MissingDependencyError(
                f"{_VARIABLE}=1 asks for the compiled kernel, which is not installed ({error}); "
                "install rocstats where there is a C compiler, or leave the variable out."
            ) from error
        return None
    return _kernel


@cache
def kernel() -> ModuleType | None:
    """Return what `load` returned when first asked."""
    return load()


def describe() -> str:
    """Return in words what computes here."""
    if os.environ.get(_VARIABLE, "") == "0":
        return f"numpy alone, as {_VARIABLE}=0 asks"
    return (
        "compiled kernel" if load() else "numpy alone, slower: no C kernel compiled when installed"
    )
