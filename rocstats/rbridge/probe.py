"""Is R there? Start it once, and turn every way this can fail into one sentence."""

from __future__ import annotations

import logging
import os
import signal
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rocstats.errors import RUnavailableError, listed

__all__ = ["check_packages", "start"]

_OPTIONS = ("rpy2", "--quiet", "--no-save", "--no-restore")  # nobody's .RData is read


def start() -> Any:
    """Start R unless it runs already, and return rpy2's low-level interface to it."""
    rpy2_log = logging.getLogger("rpy2")
    level = rpy2_log.level
    rpy2_log.setLevel(logging.CRITICAL + 1)  # its failures are told by our sentence
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _start()
    except RUnavailableError:
        raise
    except Exception as error:
        raise _why_unavailable(error) from error
    finally:
        rpy2_log.setLevel(level)


def check_packages(packages: Sequence[str]) -> None:
    """Raise unless R, which must run, has the packages."""
    import rpy2.rinterface as ri

    there = ri.baseenv["requireNamespace"]
    quietly = ri.BoolSexpVector([True])
    missing = [p for p in packages if not there(ri.StrSexpVector([p]), quietly=quietly)[0]]
    if missing:
        quoted = ", ".join(f'"{name}"' for name in missing)
        debian = " ".join(f"r-cran-{name.lower()}" for name in missing)
        raise RUnavailableError(
            f"R has no package {listed(missing)}; run install.packages(c({quoted})) in R (Debian "
            f"and Ubuntu: apt install {debian})."
        )


def _start() -> Any:
    from rpy2 import situation

    home = situation.get_r_home()
    # Without its base library R does not fail but ends the process.
    if home is None or not Path(home, "library", "base").is_dir():
        raise _no_r(f"R_HOME is {home}" if home else "there is no R on the PATH")
    import rpy2.rinterface as ri
    from rpy2.rinterface_lib import embedded

    if not embedded.isinitialized():
        embedded.set_initoptions(_OPTIONS)
        with _process_kept():
            ri.initr()
    return ri


@contextmanager
def _process_kept() -> Iterator[None]:
    """Keep the program's signal handler, library path, pager and editor; rpy2 sets R's."""
    handler, environment = signal.getsignal(signal.SIGINT), dict(os.environ)
    yield
    if threading.current_thread() is threading.main_thread() and handler is not None:
        signal.signal(signal.SIGINT, handler)
    for name in [name for name in os.environ if not name.startswith(("R_", "PYTHON_"))]:
        if name not in environment:
            del os.environ[name]
        elif os.environ[name] != environment[name]:
            os.environ[name] = environment[name]


def _why_unavailable(error: Exception) -> RUnavailableError:
    """The sentence for whatever rpy2 raised when it was imported or when it started R."""
    what = " ".join(str(error).split()).rstrip(".") or type(error).__name__
    if isinstance(error, ModuleNotFoundError) and str(error.name).partition(".")[0] == "rpy2":
        return RUnavailableError('rpy2 is not installed; run pip install "rocstats[r]".')
    if "symbol" in what or (isinstance(error, ImportError) and "libR" not in what):
        return RUnavailableError(
            f"rpy2 does not fit the installed R ({what}); with R before 4.5 run pip install "
            '"rpy2-rinterface<3.6.6", else pip install --force-reinstall rpy2-rinterface.'
        )
    return _no_r(what)


def _no_r(what: str) -> RUnavailableError:
    return RUnavailableError(
        f"R cannot be started ({what}); install R and put it on the PATH (Debian and Ubuntu: "
        "apt install r-base-core r-base-dev), or set R_HOME to it."
    )
