"""Work on several cores."""

import os
import signal
import sys
import time

import pytest

from rocstats.workers import share_out, watched


def _square(job):
    return job, job * job, os.getpid()


def _hears_interrupts(job):
    return signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("n", [0, 1, 7])
def test_every_job_is_answered_once(n_jobs, ordered, n):
    answers = list(share_out(_square, range(n), n_jobs, ordered=ordered))
    pairs = [answer[:2] for answer in answers]
    assert (pairs if ordered else sorted(pairs)) == [(i, i * i) for i in range(n)]
    assert (n_jobs == 2 and n > 1) or all(answer[2] == os.getpid() for answer in answers)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no masks of signals")
def test_workers_leave_ctrl_c_to_their_parent():
    """A worker that heard it could print a traceback beside the answer."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True)  # workers that other tests have started
    assert not any(share_out(_hears_interrupts, range(4), 2))
    assert _hears_interrupts(0)


def test_watched_jobs_are_shown_on_a_terminal_only(capsys, monkeypatch):
    assert list(watched([3, 1, 2], title="work", unit="job")) == [3, 1, 2]
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    for seconds in watched([1.1, 0.0], title="work", unit="job"):
        time.sleep(seconds)  # a bar waits for one
    out, err = capsys.readouterr()
    assert out == ""
    assert "work:  50%" in err
