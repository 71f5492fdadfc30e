"""Jobs: each is a process of its own that is watched, can be cancelled, and ends in a sentence."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from rocstats.app.limited import bounded_words

__all__ = ["Bounds", "Job", "start_job"]

State = Literal["waiting", "running", "done", "refused", "failed", "cancelled"]

_SAID = "rocstats: "  # what a command says on stderr begins with it
_WARNING = "warning: "
_KEPT = 200  # lines of what is said
_WRONG = 2  # the exit code of a command that refuses
_PLACES = threading.BoundedSemaphore(max(1, (os.cpu_count() or 1)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What one analysis may take.

    Attributes
    ----------
    megabytes : of memory; None where that is not bounded
    seconds : from its start
    """

    megabytes: int | None = 8192
    seconds: float = 3600.0


@dataclass(slots=True, kw_only=True, eq=False)
class Job:
    """A process, what it has said, and how it ended.

    Attributes
    ----------
    words : what Python is called with
    folder : where it works
    bounds : what it may take
    state : where it is
    stages : what it has done, the last one is what it does
    warnings : sentences to mind about the answer
    sentence : why there is no answer, where there is none
    output : what it printed
    code : its exit code
    """

    words: Sequence[str]
    folder: Path
    bounds: Bounds
    state: State = "waiting"
    stages: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    sentence: str = ""
    output: str = ""
    code: int | None = None
    begun: float = field(default_factory=time.monotonic)
    ended: float | None = None
    process: subprocess.Popen[str] | None = None
    _over: threading.Event = field(default_factory=threading.Event)
    _cancelled: threading.Event = field(default_factory=threading.Event)

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self._over.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is over; return whether it is."""
        return self._over.wait(seconds)

    def progress(self) -> dict[str, Any]:
        """Return what a page says of it while it works."""
        end = time.monotonic() if self.ended is None else self.ended
        return {
            "state": self.state,
            "over": self.is_over,
            "stages": list(self.stages),
            "seconds": int(end - self.begun),
        }

    def cancel(self) -> None:
        """End it, and whatever it has started."""
        if not self.is_over:
            self._cancelled.set()
            self._kill()

    def _kill(self) -> None:
        process = self.process
        if process is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)  # its session has its number
            else:
                process.kill()

    # ------------------------------------------------------------------------------- its thread

    def _live(self, stdin: str | None) -> None:
        try:
            with _PLACES:
                self._run(stdin)
        except OSError as reason:
            self.state, self.sentence = "failed", f"The work could not be begun: {reason.strerror}."
        finally:
            self.ended = time.monotonic()
            self._over.set()

    def _run(self, stdin: str | None) -> None:
        if self._cancelled.is_set():  # while it waited
            self._judge(-signal.SIGTERM)
            return
        self.process = subprocess.Popen(
            bounded_words(self.words, self.bounds.megabytes),
            cwd=self.folder,
            env={**os.environ, "TMPDIR": str(self.folder)},  # what it leaves goes with the folder
            stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
        self.state = "running"
        if self._cancelled.is_set():  # while it was begun
            self._kill()
        late = threading.Timer(self.bounds.seconds, self._expire)
        late.daemon = True
        late.start()
        printed: list[str] = []
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        listening = threading.Thread(
            target=lambda out: printed.append(out.read()), args=(self.process.stdout,), daemon=True
        )
        listening.start()
        if stdin is not None and self.process.stdin is not None:
            with suppress(OSError), self.process.stdin as pipe:
                pipe.write(stdin)
        for line in self.process.stderr:
            self._hear(line.rstrip("\n"))
        code = self.process.wait()
        late.cancel()
        self._kill()  # what it started and left behind
        listening.join(5.0)
        self.process.stdout.close()
        self.process.stderr.close()
        self.output = "".join(printed)
        self._judge(code)

    def _hear(self, line: str) -> None:
        text = line.removeprefix(_SAID)
        if line.startswith(_SAID + _WARNING):
            self.warnings.append(text.removeprefix(_WARNING))
        elif text.strip():
            self.stages.append(text)
            del self.stages[:-_KEPT]

    def _expire(self) -> None:
        if not self.is_over:
            self.sentence = (
                f"The work took longer than the {self.bounds.seconds / 60:g} minutes it may take, "
                "and was ended. Ask for fewer markers or bootstrap resamples, or start the app "
                "with more time (--minutes)."
            )
            self._kill()

    def _judge(self, code: int) -> None:
        self.code = code
        crashed = any(line.startswith("Traceback") for line in self.stages)
        if self._cancelled.is_set():
            self.state = "cancelled"
            self.sentence = "The work was cancelled. What you filled in is still there."
        elif self.sentence:  # it took too long
            self.state = "failed"
        elif code == _WRONG and not crashed and not _lacks_memory(self.stages):
            self.state, self.sentence = "refused", self.stages.pop() if self.stages else ""
        elif code in (0, 1) and not crashed:  # 1: done, and the answer is no
            self.state = "done"
        else:
            self.state, self.sentence = "failed", _why(code, self.stages, self.bounds)


def _lacks_memory(said: Sequence[str]) -> bool:
    last = next((line for line in reversed(said) if line.strip()), "")
    return any(word in last for word in ("MemoryError", "Unable to allocate", "bad_alloc"))


def _why(code: int, said: Sequence[str], bounds: Bounds) -> str:
    """Return why a process ended that ended badly, and what to do."""
    last = next((line for line in reversed(said) if line.strip()), "")
    more = "Take fewer columns or rows, or start the app with more memory (--memory)."
    if _lacks_memory(said):
        room = f"{(bounds.megabytes or 0) / 1024:g} GB"
        return f"The work needs more than the {room} of memory it may take, and was ended. {more}"
    if code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        return (
            f"The work was ended from outside ({name}) before it was done, most often because the "
            f"memory of this machine did not suffice. {more} Nothing you filled in is lost."
        )
    kind = last.partition(":")[0][:80]
    return (
        f"The work failed in a way it should not ({kind or code}). Your data and what you filled "
        "in are still there; please tell the makers of rocstats what you did."
    )


def start_job(
    words: Sequence[str],
    folder: Path,
    *,
    bounds: Bounds,
    stdin: str | None = None,
) -> Job:
    """Begin ``python WORDS`` in a folder and return the job, which lives in a thread of its own.

    The thread waits for the process, as Linux ends a process with the thread that began it.
    """
    job = Job(words=words, folder=folder, bounds=bounds)
    threading.Thread(target=job._live, args=(stdin,), daemon=True).start()
    return job
