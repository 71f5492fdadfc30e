"""Where templates and evidence lie, checkout or installed; files written whole."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from rocstats.errors import InvalidOptionError, RocstatsError

__all__ = [
    "PACKAGE",
    "PAGES",
    "check_ending",
    "check_folder",
    "find_place",
    "made_folder",
    "write_whole",
]

PACKAGE = Path(__file__).parent
PAGES = (".html", ".htm")
_INSTALLED = {"templates": PACKAGE / "templates", "validation": PACKAGE / "validation" / "evidence"}


def find_place(name: str) -> Path:
    """Return the folder: the installed one, else the checkout's."""
    for folder in (_INSTALLED[name], PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise RocstatsError(f"The files of {name} are missing; install rocstats again.")


def check_ending(name: str | os.PathLike[str], made: tuple[str, ...] = PAGES) -> None:
    """Refuse a name whose ending stands for another kind of file; one without an ending may be."""
    if not isinstance(name, str | os.PathLike):
        raise InvalidOptionError(f"The name of a file was expected, got {name!r}.")
    ending = Path(name).suffix
    if ending and ending.lower() not in map(str.lower, made):
        said = [one for one in made if one not in (".htm", ".tif")]  # .html and .tiff are said
        known = " or ".join([", ".join(said[:-1]), said[-1]] if said[1:] else said)
        raise InvalidOptionError(
            f"{name} would not be what its name says, as {known} is written and not {ending}; "
            f"end the name in {known}."
        )


def check_folder(name: str | os.PathLike[str]) -> None:
    """Refuse a folder that could not be made, or written to."""
    path = Path(name).absolute()
    try:
        with suppress(FileNotFoundError):
            os.stat(path)
        there = next(place for place in (path, *path.parents) if os.path.lexists(place))
    except (OSError, ValueError) as reason:
        raise _not_made(name, reason) from None
    if not there.is_dir():
        raise _not_made(name, f"{there} is no folder")
    if not os.access(there, os.W_OK):
        raise InvalidOptionError(f"The folder {there} is not writable.")


def made_folder(name: str | os.PathLike[str]) -> Path:
    """Return a folder, made where it is not there; refuse one that cannot be written to."""
    check_folder(name)
    try:
        Path(name).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as reason:
        raise _not_made(name, reason) from None
    return Path(name)


def _not_made(name: str | os.PathLike[str], reason: object) -> InvalidOptionError:
    why = getattr(reason, "strerror", None) or reason
    return InvalidOptionError(f"The folder {name} cannot be made: {why}.")


def write_whole(name: Path, content: str | bytes) -> Path:
    """Write a file whole or not at all, with the rights that an old one had or a new one gets."""
    try:
        path = name.resolve()  # what a link points at is written, and the link stays
        if path.exists() and not path.is_file():  # a device or a pipe would be replaced
            raise InvalidOptionError(f"{name} is no ordinary file; name a file to write.")
        os.umask(mask := os.umask(0))
        rights = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~mask
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:80]}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content.encode() if isinstance(content, str) else content)
            os.chmod(temporary, rights)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except InvalidOptionError:
        raise
    except (OSError, RuntimeError, ValueError) as reason:  # a loop of links, a null character
        why = getattr(reason, "strerror", None) or reason
        raise InvalidOptionError(f"{name} could not be written: {why}.") from None
    return path
