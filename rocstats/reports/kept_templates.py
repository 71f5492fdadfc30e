"""Compiled templates, kept beside their sources as Python keeps modules: in ``__pycache__``.

To compile them takes longer than to analyse a small study. Templates of a user are compiled anew.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path
from pickle import UnpicklingError
from typing import TYPE_CHECKING

from rocstats.errors import RocstatsError
from rocstats.places import write_whole

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.bccache import Bucket

__all__ = ["KeptTemplates"]


class KeptTemplates:
    """The compiled templates of a folder, and of those below it, as jinja2 asks for them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get_bucket(
        self, environment: Environment, name: str, filename: str | None, source: str
    ) -> Bucket:
        """Return what is kept of a template, if that is of this source, jinja2 and Python."""
        from jinja2.bccache import Bucket

        checksum = sha256(source.encode()).hexdigest() + self._filters
        bucket = Bucket(environment, filename or name, checksum)
        place = self._place(bucket)
        with suppress(OSError, EOFError, UnpicklingError):
            if place is not None:
                with place.open("rb") as kept:
                    bucket.load_bytecode(kept)
        return bucket

    @cached_property
    def _filters(self) -> str:
        """What the filters are known by, which may have worked already on words of a template."""
        sources = sorted(Path(__file__).parent.glob("*.py"))
        return sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()

    def set_bucket(self, bucket: Bucket) -> None:
        """Keep what was compiled, where files may be written."""
        place = self._place(bucket)
        if place is None or sys.dont_write_bytecode:
            return
        with suppress(OSError, RocstatsError):
            place.parent.mkdir(parents=True, exist_ok=True)
            write_whole(place, bucket.bytecode_to_string())

    def _place(self, bucket: Bucket) -> Path | None:
        if not Path(bucket.key).is_relative_to(self._folder):
            return None
        kind = "facts" if bucket.environment.finalize else "plain"  # which is compiled in
        return Path(cache_from_source(bucket.key, optimization=kind))
