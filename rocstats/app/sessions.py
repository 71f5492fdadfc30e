"""Who is at the page: sessions that do not see each other, and the studies of each."""

from __future__ import annotations

import hmac
import json
import secrets
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rocstats.app.jobs import Bounds, Job, start_job
from rocstats.app.offered_files import OFFERED
from rocstats.app.study_files import study_toml, toml_name
from rocstats.app.study_form import first_draft
from rocstats.places import write_whole

__all__ = ["Session", "Sessions", "Settings", "Study"]

_DRAFTS = "drafts.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the app was started.

    Attributes
    ----------
    host, port : where it listens
    bounds : what one analysis may take
    most_bytes : of an uploaded file
    """

    host: str = "127.0.0.1"
    port: int = 0
    bounds: Bounds = field(default_factory=Bounds)
    most_bytes: int = 200 * 2**20

    @property
    def hosts(self) -> frozenset[str]:
        """What a browser may call this server: its address, and no name of somebody else's."""
        loopback = ("127.0.0.1", "localhost", "[::1]")
        host = f"[{self.host}]" if ":" in self.host else self.host
        names = loopback if host in loopback else (host,)
        bare = {name for name in names if self.port == 80}
        return frozenset({f"{name}:{self.port}" for name in names} | bare)

    @property
    def address(self) -> str:
        """The address of the page, without its token."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/"


@dataclass(slots=True, kw_only=True, eq=False)
class Study:
    """One file of data, what was found in it, and what became of it.

    Attributes
    ----------
    key : what it is called in addresses
    folder : where its files lie
    data : the name of the file
    jobs : the work that was begun, by what it is for
    """

    key: str
    folder: Path
    data: str
    jobs: dict[str, Job] = field(default_factory=dict)
    _found: dict[str, Any] = field(default_factory=dict)

    @property
    def found(self) -> dict[str, Any] | None:
        """What the file offers, as `rocstats.app.uploads` found it; None before it is read."""
        job = self.jobs["read"]
        if not self._found and job.is_over and job.state == "done":
            self._found = json.loads(job.output)
        return self._found or None

    def read(self, bounds: Bounds, reading: Mapping[str, Any] | None = None) -> None:
        """Begin to read the file, or to read it again in another way."""
        told = [json.dumps(reading)] if reading else []
        self._found = {}
        self.begin("read", ["-m", "rocstats.app.uploads", self.data, *told], bounds)

    def begin(self, what: str, words: Sequence[str], bounds: Bounds) -> Job:
        """Begin a job of this study; one of the same kind is ended first."""
        if what in self.jobs:
            self.jobs[what].cancel()
        self.jobs[what] = start_job(words, self.folder, bounds=bounds)
        return self.jobs[what]

    def report(self, options: Mapping[str, Any], bounds: Bounds) -> Job:
        """Begin the report: the command that the page shows, with the options that it offers."""
        write_whole(self.folder / toml_name(self.data), study_toml(self.data, options))
        self.forget_files()
        words = ["-m", "rocstats", "report", "--config", toml_name(self.data), "-o", "report.html"]
        return self.begin("report", words, bounds)

    def forget_files(self) -> None:
        """Remove the files that were made of an earlier report."""
        for what in [what for what in self.jobs if what.startswith("file:")]:
            self.jobs.pop(what).cancel()
        for made in OFFERED:
            (self.folder / made).unlink(missing_ok=True)

    def draft(self, form: str) -> dict[str, list[str]]:
        """Return what was last filled into a form; at first what the table leaves no doubt of."""
        drafts = self._drafts()
        if form in drafts:
            return dict(drafts[form])
        found = self.found
        if form != "report" or found is None:
            return {}
        return first_draft(found["columns"], found["proposed"])

    def keep_draft(self, form: str, draft: Mapping[str, Sequence[str]]) -> None:
        """Keep what was filled in, so that neither a refresh nor a way back loses it."""
        drafts = self._drafts() | {form: {name: list(values) for name, values in draft.items()}}
        write_whole(self.folder / _DRAFTS, json.dumps(drafts))

    def _drafts(self) -> dict[str, dict[str, list[str]]]:
        place = self.folder / _DRAFTS
        return json.loads(place.read_text(encoding="utf-8")) if place.exists() else {}

    def end(self) -> None:
        """End its work and remove its files."""
        for job in self.jobs.values():
            job.cancel()
            job.wait(5.0)
        shutil.rmtree(self.folder, ignore_errors=True)


@dataclass(slots=True, kw_only=True, eq=False)
class Session:
    """One user: studies by their keys, in a folder that no other session is given."""

    folder: Path
    studies: dict[str, Study] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)

    def add_study(self, data: str) -> Study:
        """Return a new study with an empty folder for its file."""
        key = secrets.token_hex(8)
        folder = self.folder / key
        folder.mkdir(mode=0o700)
        self.studies[key] = Study(key=key, folder=folder, data=data)
        return self.studies[key]

    def remove(self, key: str) -> None:
        """End a study and remove its files."""
        self.studies.pop(key).end()


class Sessions:
    """The sessions of a running app, and the secrets that open one.

    The token opens any number of sessions, and is printed for the user alone. A ticket opens one:
    it is given to the browser, whose call others on this machine may see.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.token = secrets.token_urlsafe(32)
        self._tickets: set[str] = set()
        self._open: dict[str, Session] = {}

    def ticket(self) -> str:
        """Return a token that can be used once."""
        made = secrets.token_urlsafe(32)
        self._tickets.add(made)
        return made

    def admits(self, token: str) -> bool:
        """Return whether a token is right; a ticket is used up."""
        given = token.encode()
        for ticket in list(self._tickets):
            if hmac.compare_digest(ticket.encode(), given):
                self._tickets.discard(ticket)
                return True
        return hmac.compare_digest(self.token.encode(), given)

    def open(self) -> str:
        """Open a session and return its secret."""
        secret = secrets.token_urlsafe(32)
        folder = self.folder / secrets.token_hex(8)
        folder.mkdir(mode=0o700)
        self._open[secret] = Session(folder=folder)
        return secret

    def find(self, secret: str | None) -> Session | None:
        """Return the session of a secret, or None."""
        return self._open.get(secret or "")

    def end(self) -> None:
        """End all work."""
        for session in self._open.values():
            for job in session.jobs.values():
                job.cancel()
            for study in session.studies.values():
                study.end()
