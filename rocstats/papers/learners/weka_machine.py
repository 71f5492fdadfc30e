"""Weka in this process: its jars found, one Java machine started, and one sentence if not."""

from __future__ import annotations

import atexit
import re
import shutil
import subprocess
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rocstats.errors import MissingDependencyError

__all__ = ["java_class", "require_weka", "weka_versions"]

_PACKAGE = 'install it with: pip install "rocstats[weka]"'
_JARS = ("weka.jar", "mtj.jar", "core.jar", "arpack_combined.jar")
_LONGEST = 200  # characters of what a Java machine says that does not start
_WARNS = 22  # the version from which Java warns of libraries that call it
_PLAIN = ("ARPACK", "BLAS", "LAPACK")  # libraries that are looked for on the system, with noise
_OPTIONS = (
    "-Djava.awt.headless=true",
    "-Dweka.packageManager.loadPackages=false",
    "-Dweka.packageManager.offline=true",
    "-XX:+UseSerialGC",
    "-Xrs",
    *(f"-Dcom.github.fommil.netlib.{x}=com.github.fommil.netlib.F2j{x}" for x in _PLAIN),
)


def require_weka(what: str) -> None:
    """Start Weka, or raise a `MissingDependencyError` that says what is wanting.

    Parameters
    ----------
    what : what needs it, which begins the sentence

    Notes
    -----
    A process has one Java machine, which lasts until it ends; a machine that was started by
    someone else is used if it knows Weka. Workers are processes and start their own.
    """
    try:
        _start()
    except _WekaAbsentError as absent:
        raise MissingDependencyError(f"{what} needs Weka: {absent}.") from None


class _WekaAbsentError(Exception):
    """Why there is no Weka, as the end of a sentence."""


@cache
def java_class(name: str) -> Any:
    """Return a Java class of a running machine."""
    import jpype

    return jpype.JClass(name)


def weka_versions() -> str:
    """Return the versions of Weka and Java, in words."""
    require_weka("Its version")
    java = java_class("java.lang.System").getProperty("java.version")
    return f"Weka {java_class('weka.core.Version').VERSION} on Java {java}"


def _start() -> None:
    try:
        import jpype
    except ImportError:
        raise _WekaAbsentError(f"python-weka-wrapper3 is not installed; {_PACKAGE}") from None
    if not jpype.isJVMStarted():
        _start_machine(jpype, _jars())
    try:
        java_class("weka.core.Instances")
    except TypeError:
        raise _WekaAbsentError(
            "a Java machine is running in this process that does not know Weka; use a process in "
            "which none has been started"
        ) from None


def _jars() -> list[str]:
    """Return Weka's jars, which lie in the package; importing it would set up logging."""
    found = find_spec("weka")
    places = [] if found is None else list(found.submodule_search_locations or ())
    for place in places:
        jars = [Path(place) / "lib" / name for name in _JARS]
        if jars[0].is_file():
            return [str(jar) for jar in jars if jar.is_file()]
    raise _WekaAbsentError(f"python-weka-wrapper3 is not installed; {_PACKAGE}")


def _start_machine(jpype: Any, jars: list[str]) -> None:
    try:
        path = Path(jpype.getDefaultJVMPath())
    except (jpype.JVMNotFoundException, OSError):
        raise _WekaAbsentError(
            "there is no Java; install version 11 or newer (Debian: apt-get install "
            "openjdk-17-jre-headless), or set JAVA_HOME to where it is"
        ) from None
    # Weka makes a folder of its own in the user's home otherwise
    home = tempfile.mkdtemp(prefix="rocstats-weka-")
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    try:
        options = (*_OPTIONS, *_quiet(_version(path, home)), f"-DWEKA_HOME={home}")
        # Ctrl-C is for Python: it would end the machine, and leave the work without it
        jpype.startJVM(*(str(path), *options), classpath=jars, convertStrings=True, interrupt=False)
    except Exception as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise _WekaAbsentError(
            f"Java at {path} did not start ({said}); see whether java -version does, or set "
            "JAVA_HOME to another one"
        ) from error


def _version(path: Path, folder: str) -> int:
    """Return the version of Java, 0 if unknown, tried in a process of its own.

    A Java machine that cannot start, for want of memory say, ends the process that it is in.
    """
    places = [parent / "bin" / "java" for parent in path.parents]
    java = next((place for place in places if place.is_file()), None)
    if java is None:
        return 0
    tried = subprocess.run(
        [str(java), *_OPTIONS, "-version"], capture_output=True, text=True, cwd=folder, timeout=120
    )
    said = [line for line in tried.stdout.splitlines() + tried.stderr.splitlines() if line.strip()]
    if tried.returncode:
        told = [line.lstrip("# ") for line in said if not line.startswith("Picked up ")]
        raise OSError(" ".join([part for part in told if part][:2])[:_LONGEST])
    found = re.search(r'version "(\d+)', "\n".join(said))
    return 0 if found is None else int(found[1])


def _quiet(version: int) -> tuple[str, ...]:
    """Return the option by which newer versions do not warn of what JPype does."""
    return ("--enable-native-access=ALL-UNNAMED",) if version >= _WARNS else ()
