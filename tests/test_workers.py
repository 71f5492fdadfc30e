"""Work on several cores."""

import os
import signal

import pytest

from rocstats.workers import spread


def _square(job):
    return job, job * job, os.getpid()


def _hears_interrupts(job):
    return signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("n", [0, 1, 7])
def test_every_job_is_answered_once(n_jobs, ordered, n):
    answers = list(spread(_square, range(n), n_jobs, ordered=ordered))
    pairs = [answer[:2] for answer in answers]
    assert (pairs if ordered else sorted(pairs)) == [(i, i * i) for i in range(n)]
    assert (n_jobs == 2 and n > 1) or all(answer[2] == os.getpid() for answer in answers)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no masks of signals")
def test_workers_leave_ctrl_c_to_their_parent():
    """A worker that heard it could print a traceback beside the answer."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True)  # workers that other tests have started
    assert not any(spread(_hears_interrupts, range(4), 2))
    assert _hears_interrupts(0)
