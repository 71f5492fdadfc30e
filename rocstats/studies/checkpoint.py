"""Checkpoints: finished chunks in a file of JSON lines, so that a stopped study goes on."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rocstats.arrays import Floats
from rocstats.errors import InvalidOptionError

__all__ = ["Checkpoint"]

Key = tuple[str, int]  # a design's digest and a chunk's number


class Checkpoint:
    """A file whose first line says what is asked; each further line is a finished chunk.

    A line is written by one call and counts once it ends, so a run that is killed leaves whole
    lines and at most one broken one, which is cut off when the file is opened again.

    Attributes
    ----------
    path : the file
    finished : (tests, replicates) p-values of the chunks it held when it was opened
    """

    def __init__(self, path: str | os.PathLike[str], request: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self.finished: dict[Key, Floats] = {}
        try:
            known = self.path.read_bytes() if self.path.exists() else b""
            whole = known[: known.rfind(b"\n") + 1]
            lines = whole.splitlines()
            if lines:
                self._check(_header(self.path, lines[0]), request)
                for line in lines[1:]:
                    self._read(line)
                if len(whole) < len(known):
                    os.truncate(self.path, len(whole))
            elif known:
                raise _not_ours(self.path)
            else:
                self._write(dict(request))
        except OSError as reason:
            raise InvalidOptionError(
                f"The checkpoint {path} cannot be used: {reason.strerror or reason}."
            ) from None

    def add(self, key: Key, pvalues: Floats) -> None:
        """Write a finished chunk."""
        data = base64.b64encode(np.ascontiguousarray(pvalues, dtype="<f8").tobytes()).decode()
        self._write({"design": key[0], "chunk": key[1], "tests": len(pvalues), "pvalues": data})

    @staticmethod
    def stored_entropy(path: str | os.PathLike[str]) -> int | list[int] | None:
        """Return the entropy of a file that is there, or None."""
        try:
            with open(path, "rb") as file:
                first = file.readline()
        except OSError:
            return None
        entropy: int | list[int] | None = (
            _header(Path(path), first).get("entropy") if first.endswith(b"\n") else None
        )
        return entropy

    def _write(self, content: Mapping[str, Any]) -> None:
        line = json.dumps(content, sort_keys=True) + "\n"
        with open(self.path, "ab", buffering=0) as file:
            file.write(line.encode())

    def _read(self, line: bytes) -> None:
        try:
            content = json.loads(line)
            values = np.frombuffer(base64.b64decode(content["pvalues"]), dtype="<f8")
            key = (str(content["design"]), int(content["chunk"]))
            self.finished[key] = values.reshape(int(content["tests"]), -1).astype(np.float64)
        except (ValueError, KeyError, TypeError):
            raise _not_ours(self.path) from None

    def _check(self, header: Mapping[str, Any], request: Mapping[str, Any]) -> None:
        wanted = json.loads(json.dumps(request))
        for name in dict.fromkeys([*wanted, *header]):
            if header.get(name) != wanted.get(name):
                raise InvalidOptionError(
                    f"The checkpoint {self.path} is of another study: its {name} is "
                    f"{header.get(name)!r}, asked is {wanted.get(name)!r}; name another file."
                )


def _header(path: Path, line: bytes) -> dict[str, Any]:
    try:
        content = json.loads(line)
    except ValueError:
        raise _not_ours(path) from None
    if not isinstance(content, dict) or content.get("study") != "two-sample power":
        raise _not_ours(path)
    return content


def _not_ours(path: Path) -> InvalidOptionError:
    return InvalidOptionError(f"{path} is not a checkpoint of a power study; name another file.")
