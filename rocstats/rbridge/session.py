"""The one R of this process: probe, versions, and R code with the console captured.

R is single-threaded. Any thread may call the functions of `rocstats.rbridge`, one at a time: a lock
is held while R works, and while values cross. Threads therefore do not make R faster; for parallel
work use processes (joblib's loky workers, say), each of which starts its own R.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Any

from rocstats.errors import RBridgeError, RUnavailableError, RWarning, warn_user
from rocstats.rbridge.convert import to_python, to_rvalue
from rocstats.rbridge.probe import check_packages, start

__all__ = ["available", "evaluate", "evaluate_object", "require", "source", "versions"]

_LOCK = threading.RLock()

# A fresh environment on top of the exports of the packages, which are not attached; every error,
# warning and message is caught; a seed is set for this call and the generator put back after it.
_RUNNER = """
function(code, variables, packages, seed) {
  value <- failed <- NULL
  warned <- character()
  old <- globalenv()$.Random.seed
  if (!is.null(seed)) on.exit(suppressWarnings(
    if (is.null(old)) rm(list = ".Random.seed", envir = globalenv())
    else assign(".Random.seed", old, envir = globalenv())))
  tryCatch(withCallingHandlers({
    exports <- new.env(parent = globalenv())
    for (name in packages) {
      home <- asNamespace(name)
      list2env(mget(getNamespaceExports(home), envir = home, inherits = TRUE), envir = exports)
      list2env(as.list(.getNamespaceInfo(home, "lazydata")), envir = exports)
    }
    scope <- list2env(variables, parent = exports)
    if (!is.null(seed)) set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
    value <- eval(parse(text = code, keep.source = FALSE, encoding = "UTF-8"), scope)
  }, warning = function(w) {
    warned <<- c(warned, conditionMessage(w))
    invokeRestart("muffleWarning")
  }, message = function(m) invokeRestart("muffleMessage")),
  error = function(e) failed <<- conditionMessage(e))
  list(value, warned, failed)
}
"""

_runner: Any = None  # the function above, once R runs


def evaluate(
    code: str,
    variables: Mapping[str, object] | None = None,
    *,
    packages: Sequence[str] = ("pROC",),
    seed: int | None = None,
) -> Any:
    """Run R code and return its last value as built-in Python.

    Parameters
    ----------
    code : str
        R code, one expression or many.
    variables : mapping, optional
        Names the code may use, with their values: numbers, strings, bools, lists and arrays of
        them, mappings (named lists), or rpy2 objects.
    packages : sequence of str, default ("pROC",)
        R packages whose exports and data the code may use by their names.
    seed : int, optional
        Where given, R's generator (Mersenne-Twister, inversion, rejection) starts there for this
        call and goes back to where it was.

    Returns
    -------
    float, bool, str, list or dict
        Lists where there are several, dicts where they are named
        (`rocstats.rbridge.convert.to_python`); numbers are always floats, and NA is nan.

    See Also
    --------
    evaluate_object : Run R code; an rpy2 object comes back.
    source : Run a file of R code.

    Notes
    -----
    The code runs in a fresh environment, a child of R's global one, and no package is attached:
    nothing is left behind unless the code assigns with ``<<-``. What R prints is swallowed;
    what it warns comes as an `RWarning`, an error as an `RBridgeError` of one sentence.

    Examples
    --------
    >>> from rocstats.rbridge import evaluate
    >>> evaluate("c(mean = mean(x), n = length(x))",
    ...          {"x": [1, 2, 6]}, packages=())  # doctest: +SKIP
    {'mean': 3.0, 'n': 3.0}
    """
    return _run(code, variables, packages, seed, to_python)


def evaluate_object(
    code: str,
    variables: Mapping[str, object] | None = None,
    *,
    packages: Sequence[str] = ("pROC",),
    seed: int | None = None,
) -> Any:
    """Run R code and return its last value as an rpy2 object.

    Use and drop it in one thread while no other calls R: even to drop it touches R.

    Parameters
    ----------
    code : str
        R code, one expression or many.
    variables : mapping, optional
        Names the code may use, with their values: numbers, strings, bools, lists and arrays of
        them, mappings (named lists), or rpy2 objects.
    packages : sequence of str, default ("pROC",)
        R packages whose exports and data the code may use by their names.
    seed : int, optional
        Where given, R's generator (Mersenne-Twister, inversion, rejection) starts there for this
        call and goes back to where it was.

    Returns
    -------
    rpy2 object
        The last value.

    See Also
    --------
    evaluate : Run R code; built-in Python comes back.
    from_r : The data in pROC's object.

    Examples
    --------
    >>> from rocstats.rbridge import evaluate_object
    >>> made = evaluate_object("x * 2", {"x": [1, 2]}, packages=())  # doctest: +SKIP
    >>> list(made)  # doctest: +SKIP
    [2.0, 4.0]
    """
    return _run(code, variables, packages, seed, _as_robject)


def source(
    path: str | os.PathLike[str],
    variables: Mapping[str, object] | None = None,
    *,
    packages: Sequence[str] = ("pROC",),
    seed: int | None = None,
) -> Any:
    """Run a file of R code and return its last value as built-in Python.

    Parameters
    ----------
    path : str or path
        The file.
    variables : mapping, optional
        Names the code may use, with their values: numbers, strings, bools, lists and arrays of
        them, mappings (named lists), or rpy2 objects.
    packages : sequence of str, default ("pROC",)
        R packages whose exports and data the code may use by their names.
    seed : int, optional
        Where given, R's generator (Mersenne-Twister, inversion, rejection) starts there for this
        call and goes back to where it was.

    Returns
    -------
    float, bool, str, list or dict
        The last value, in the types of `evaluate`.

    See Also
    --------
    evaluate : Run R code; built-in Python comes back.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from rocstats import rbridge
    >>> with TemporaryDirectory() as folder:  # doctest: +SKIP
    ...     script = Path(folder, "mean.R")
    ...     _ = script.write_text("mean(x)")
    ...     rbridge.source(script, {"x": [1, 2, 6]}, packages=())
    3.0
    """
    try:
        code = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as reason:
        raise RBridgeError(f"{path} could not be read: {reason}.") from None
    return evaluate(code, variables, packages=packages, seed=seed)


def available(packages: Sequence[str] = ("pROC",)) -> bool:
    """Return whether rpy2, R and the R packages can be used here.

    Parameters
    ----------
    packages : sequence of str, default ("pROC",)
        The R packages that are wanted.

    Returns
    -------
    bool
        True where all is there.

    See Also
    --------
    require : Raise unless all is there.
    versions : Versions of R, its packages and rpy2.

    Examples
    --------
    >>> from rocstats import rbridge
    >>> rbridge.available()  # doctest: +SKIP
    True
    """
    try:
        require(packages)
    except RUnavailableError:
        return False
    return True


def require(packages: Sequence[str] = ("pROC",)) -> None:
    """Raise an `RUnavailableError` that says what to install unless everything is there.

    Parameters
    ----------
    packages : sequence of str, default ("pROC",)
        The R packages that are wanted.

    See Also
    --------
    available : Whether all is there.

    Examples
    --------
    >>> from rocstats import rbridge
    >>> rbridge.require(["stats"])  # doctest: +SKIP
    """
    with _held(packages):
        pass


def versions(packages: Sequence[str] = ("pROC",)) -> dict[str, str]:
    """Return the versions of R, of R packages, and of rpy2 with its compiled interface.

    Parameters
    ----------
    packages : sequence of str, default ("pROC",)
        The R packages that are asked about.

    Returns
    -------
    dict of str to str
        The versions, by name.

    See Also
    --------
    available : Whether all is there.

    Examples
    --------
    >>> from rocstats import rbridge
    >>> list(rbridge.versions())[:2]  # doctest: +SKIP
    ['R', 'pROC']
    """
    found = evaluate(
        "names(names) <- names\n"
        "lapply(c(R = 'base', names), function(name) as.character(packageVersion(name)))",
        {"names": list(packages) or None},
        packages=(),
    )
    for name in ("rpy2", "rpy2-rinterface"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:  # before 3.6 rpy2 was one distribution
            continue
    return dict(found)


def _run(
    code: str, variables: Any, packages: Sequence[str], seed: Any, finish: Callable[[Any], Any]
) -> Any:
    """Ask R, let it go, and only then warn, raise or answer."""
    with _held(packages):
        arguments = (code, dict(variables or {}), list(packages), seed)
        value, warned, failed = _call(arguments, finish)
    for text in dict.fromkeys(warned):
        warn_user(f"R warned: {_sentence(text)}", RWarning)
    if failed:
        raise RBridgeError(failed)
    return value


def _call(arguments: tuple[Any, ...], finish: Callable[[Any], Any]) -> tuple[Any, list[str], str]:
    """Value, warnings and failure of the runner.

    No rpy2 object outlives this call, not even in a traceback: to drop one is to touch R.
    """
    try:
        value, warned, failed = _runner(*map(to_rvalue, arguments))
        texts, failure = [str(text) for text in warned], to_python(failed)
        if failure is not None:
            return None, texts, f"R stopped: {_sentence(failure)}"
        return finish(value), texts, ""
    except RBridgeError as error:
        return None, [], str(error)


def _sentence(text: str) -> str:
    return " ".join(text.split()).rstrip(". ") + "."


def _as_robject(value: Any) -> Any:
    from rpy2 import robjects
    from rpy2.robjects.conversion import localconverter

    with localconverter(robjects.default_converter) as rules:
        return rules.rpy2py(value)


@contextmanager
def _held(packages: Sequence[str]) -> Iterator[None]:
    """R for this thread alone, its console captured, with the packages there."""
    global _runner
    with _LOCK:
        if _runner is None:
            ri = start()
            _runner = ri.baseenv["eval"](ri.parse(_RUNNER))
        from rpy2.rinterface_lib import openrlib

        with openrlib.rlock, _console_captured():
            check_packages(packages)
            yield


@contextmanager
def _console_captured() -> Iterator[None]:
    from rpy2.rinterface_lib import callbacks

    silent = {
        "consolewrite_print": lambda text: None,
        "consolewrite_warnerror": lambda text: None,
        "showmessage": lambda text: None,
        "consoleread": lambda prompt: "",
    }
    before = {name: getattr(callbacks, name) for name in silent}
    try:
        for name, function in silent.items():
            setattr(callbacks, name, function)
        yield
    finally:
        for name, function in before.items():
            setattr(callbacks, name, function)
