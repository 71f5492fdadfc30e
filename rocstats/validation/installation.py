"""Installation: which software this is, and whether its files are those that were released."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import rocstats as rs
from rocstats.places import PACKAGE, find_place
from rocstats.tables import Record

__all__ = [
    "MANIFEST",
    "Check",
    "check_bytecode",
    "check_files",
    "describe_installation",
    "hash_files",
]

MANIFEST = "manifest.sha256"
COMPILED = {".so", ".pyd"}
LIBRARIES = ("numpy", "scipy", "pandas", "statsmodels", "narwhals", "joblib", "tqdm", "jinja2")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Check(Record):
    """Something looked at once: what was found, and whether it is as it should be."""

    name: str
    observed: str
    verdict: str


def describe_installation(r_versions: dict[str, str] | None = None) -> list[Check]:
    """Return the versions of everything that has a part in the numbers."""
    found = {
        "rocstats": rs.__version__,
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": platform.platform(),
        "compiled kernel": _compiled(),
        **{name: _version(name) for name in LIBRARIES},
        **(r_versions or {}),
    }
    return [Check(name=name, observed=value, verdict="recorded") for name, value in found.items()]


def _compiled() -> str:
    """Return the hash of what was compiled when this was installed."""
    found = [path for path in PACKAGE.rglob("_kernel.*") if path.suffix in COMPILED]
    hashes = [f"SHA-256 {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in found]
    return ", ".join(hashes) or "none; numpy computes the same"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def check_files(folder: Path) -> list[Check]:
    """Compare the files of the package with the manifest of their hashes."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        return [Check(name="files", observed=f"{MANIFEST} is missing", verdict="fail")]
    lines = manifest.read_text("utf-8").splitlines()
    released = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    here = hash_files(folder)
    wrong = [
        *(
            f"{name} was changed"
            for name in released
            if here.get(name, "") not in ("", released[name])
        ),
        *(f"{name} is missing" for name in released if name not in here),
        *(f"{name} was added" for name in here if name not in released),
    ]
    if not wrong:
        return [
            Check(name="files", observed=f"{len(here)} files as released", verdict="pass"),
        ]
    return [Check(name="files", observed=what, verdict="fail") for what in wrong]


def check_bytecode() -> list[Check]:
    """Compare the bytecode that Python runs, cached files included, with that of the source."""
    modules = sorted(PACKAGE.rglob("*.py"))
    wrong = [path for path in modules if not _runs_its_source(path)]
    if not wrong:
        whole = f"{len(modules)} modules run what their source says"
        return [Check(name="bytecode", observed=whole, verdict="pass")]
    return [
        Check(
            name="bytecode",
            observed=f"the cached bytecode of {_name_of(path)} is not that of its source; "
            "remove the __pycache__ folders",
            verdict="fail",
        )
        for path in wrong
    ]


class _Reader(SourceFileLoader):
    """Finds the code of a module as an import does, but leaves no file behind."""

    def set_data(self, path: str, data: object, *, _mode: int = 0o666) -> None:
        """Write nothing."""


def _runs_its_source(path: Path) -> bool:
    """Whether an import of the module runs what its source compiles to."""
    try:
        reader = _Reader(path.stem, str(path))
        return reader.get_code(path.stem) == reader.source_to_code(path.read_bytes(), str(path))
    except (EOFError, ImportError, SyntaxError, TypeError, ValueError):
        return False


def _name_of(path: Path) -> str:
    return f"rocstats/{path.relative_to(PACKAGE).as_posix()}"


def hash_files(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file that ships, named as in a checkout."""
    return {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in sorted(_shipped(folder))
    }


def _shipped(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield name and path of each file; those of a folder within the package are its own."""
    seen: set[Path] = set()
    for base in (folder, find_place("templates"), PACKAGE):
        name = {folder: "validation", PACKAGE: "rocstats"}.get(base, "templates")
        for path in base.rglob("*"):
            inner = path.relative_to(base)
            if path.is_file() and path not in seen and _ships(inner, name):
                yield f"{name}/{inner.as_posix()}", path
            seen.add(path)


def _ships(inner: Path, folder: str) -> bool:
    writer = folder == "validation" and inner.suffix == ".py"  # needs R and a checkout
    compiled = inner.suffix in COMPILED  # here, from a source that ships
    return not (writer or compiled) and "__pycache__" not in inner.parts and inner.name != MANIFEST
