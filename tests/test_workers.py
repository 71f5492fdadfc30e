"""Work on several cores."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from contextlib import ExitStack
from multiprocessing.pool import ThreadPool

import joblib
import numpy as np
import pytest
from joblib.externals.loky import get_reusable_executor
from joblib.externals.loky.process_executor import _ExecutorManagerThread
from joblib.parallel import MultiprocessingBackend, ParallelBackendBase, ThreadingBackend

import rocstats as rs
from rocstats import workers
from rocstats.errors import LostWorkersError
from rocstats.resampling.bootstrapping import bootstrap
from rocstats.workers import progress, share_out, watched, without_progress


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
    get_reusable_executor().shutdown(wait=True)  # workers that other tests have started
    assert not any(share_out(_hears_interrupts, range(4), 2))
    assert _hears_interrupts(0)


# ------------------------------------------------------------------- workers that go (line 16)


def _killed(job):
    if job == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.01)
    return job


def test_14_16_replaced_workers_are_no_warning_that_anyone_dies_of():
    """Idle workers end just as jobs come: loky's manager thread warned, and died of -W error."""
    code = """
        import functools, random, time
        from joblib.parallel import LokyBackend
        from rocstats.workers import share_out

        short = functools.partialmethod(LokyBackend.configure, idle_worker_timeout=0.3)
        LokyBackend.configure = short  # joblib 1.4 has no other way

        def wait(job):
            time.sleep(0.01)
            return job

        random.seed(1)
        end = time.monotonic() + 6
        while time.monotonic() < end:
            assert list(share_out(wait, range(6), 2)) == list(range(6))
            time.sleep(random.uniform(0.2, 0.4))
    """
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_14_16_only_that_warning_is_hushed():
    from joblib.externals.loky import process_executor

    list(share_out(abs, range(4), 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        process_executor.warnings.warn(f"{workers._REPLACED}. This can be caused by a leak.")
        with pytest.raises(UserWarning, match="another"):
            process_executor.warnings.warn("another", UserWarning)


@pytest.mark.parametrize("ordered", [True, False])
def test_14_16_a_killed_worker_is_one_sentence(ordered):
    with pytest.raises(LostWorkersError, match=r"^A worker ended before [^.\n]*n_jobs=1\.$"):
        list(share_out(_killed, range(8), 2, ordered=ordered))
    assert list(share_out(abs, range(4), 2)) == [0, 1, 2, 3]  # others are there for the next


def test_14_16_a_killed_worker_of_multiprocessing_is_noticed_too():
    with joblib.parallel_config(backend="multiprocessing"):
        with pytest.raises(LostWorkersError):
            list(share_out(_killed, range(8), 2))
        assert list(share_out(abs, range(4), 2)) == [0, 1, 2, 3]


@pytest.mark.parametrize("ordered", [True, False])
def test_14_16_nobody_waits_when_the_thread_that_hears_of_workers_dies(monkeypatch, ordered):
    """Whatever it dies of, and whoever has started it."""

    def die(self, item):
        raise RuntimeError("dead")

    get_reusable_executor().shutdown(wait=True)
    monkeypatch.setattr(_ExecutorManagerThread, "process_result_item", die)
    monkeypatch.setattr(threading, "excepthook", lambda *args: None)
    with pytest.raises(LostWorkersError):
        list(share_out(_square, range(8), 2, ordered=ordered))
    monkeypatch.undo()
    assert len(list(share_out(_square, range(8), 2, ordered=ordered))) == 8


def test_14_16_a_study_says_where_its_replicates_are_kept(tmp_path, monkeypatch):
    from rocstats.studies import running

    def lose(function, jobs, n_jobs, *, ordered):
        yield function(jobs[0])
        raise LostWorkersError("A worker ended before its work was done.")

    monkeypatch.setattr(running, "share_out", lose)
    file = tmp_path / "study.jsonl"
    design = rs.two_sample_design("laplace", effect=1.0, n_pos=5, n_neg=9)
    with pytest.raises(
        LostWorkersError, match=r"done; .*study\.jsonl keeps the replicates that are finished\.$"
    ):
        rs.power_study(design, tests=["auc"], n_replicates=500, rng=1, checkpoint=file)
    assert len(file.read_bytes().splitlines()) == 2


def test_a_generator_that_is_closed_says_nothing():
    answers = share_out(_square, range(50), 2, ordered=False)
    next(answers)
    answers.close()  # joblib would warn of jobs that are given up


# ------------------------------------------------------------------- backends (line 17)


class _LikeRay(MultiprocessingBackend):
    """As Ray's: a kind of multiprocessing whose pool is another."""

    supports_return_generator = False
    _pool = None
    configure = ThreadingBackend.configure
    _get_pool = ThreadingBackend._get_pool
    terminate = ThreadingBackend.terminate


class _LikeSpark(ParallelBackendBase):
    """As joblibspark's: it hands over results when it is asked for them, and not before."""

    def effective_n_jobs(self, n_jobs):
        return n_jobs

    def configure(self, n_jobs=1, parallel=None, **options):
        self.parallel, self.pool = parallel, ThreadPool(n_jobs)
        return n_jobs

    def submit(self, func, callback=None):
        return self.pool.apply_async(func, callback=callback)

    apply_async = submit

    def terminate(self):
        self.pool.terminate()

    def abort_everything(self, ensure_ready=True):
        assert not ensure_ready  # joblibspark fails there, and hides what went wrong


def _enter(stack, name):
    """Enter a backend by its name, and its cluster where it needs one."""
    if name == "dask":
        import distributed

        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")  # of dask's own
        cluster = distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        )
        stack.enter_context(distributed.Client(stack.enter_context(cluster)))
    if name in ("like ray", "like spark"):
        kind = _LikeRay if name == "like ray" else _LikeSpark
        joblib.register_parallel_backend(name, kind)
        assert not kind().supports_return_generator
    stack.enter_context(joblib.parallel_config(backend=name))


BACKENDS = ["loky", "threading", "multiprocessing", "sequential", "dask", "like ray", "like spark"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_14_17_any_backend_gives_the_same_bits(backend):
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], 20)
    estimate = rs.auc(y, y + rng.normal(size=40))
    design = rs.two_sample_design("laplace", effect=1.0, n_pos=5, n_neg=9)

    def ask(n_jobs):
        resampled = bootstrap(
            estimate, resampling=rs.Bootstrap(n_resamples=700, rng=1, n_jobs=n_jobs)
        )
        study = rs.power_study(design, tests=["auc"], n_replicates=1000, rng=1, n_jobs=n_jobs)
        return resampled.replicates.tobytes(), study.cells[0].pvalues.tobytes()

    alone = ask(1)
    with ExitStack() as stack:
        _enter(stack, backend)
        assert ask(2) == alone


@pytest.mark.parametrize("backend", ["like ray", "like spark"])
@pytest.mark.parametrize("ordered", [True, False])
def test_14_17_rounds_hand_over_answers_before_the_end(backend, ordered):
    """A study that is stopped keeps the rounds that were finished."""
    seen = []

    def note(job):
        seen.append(job)
        return job

    with ExitStack() as stack:
        _enter(stack, backend)
        answers = share_out(note, range(40), 2, ordered=ordered)
        first = next(answers)
        assert first == 0
        assert len(seen) < 40
        assert [first, *answers] == list(range(40))


def _refuse(job):
    raise rs.InvalidOptionError("no such job")


@pytest.mark.parametrize("backend", ["like ray", "like spark"])
def test_14_17_an_error_of_the_work_is_told_as_it_is(backend):
    with ExitStack() as stack:
        _enter(stack, backend)
        with pytest.raises(rs.InvalidOptionError, match="no such job"):
            list(share_out(_refuse, range(4), 2))


# ------------------------------------------------------------------- progress (line 31)


class _Clock:
    """A clock that is set by hand."""

    now = 0.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = _Clock()
    monkeypatch.setattr(workers, "time", clock)
    return clock


def _work(clock, seconds, jobs=10, **more):
    with progress(jobs, title="study", unit="replicate", **more) as advance:
        for _ in range(jobs - more.get("finished", 0)):
            clock.now += seconds
            advance(1)


def test_14_31_long_work_writes_a_line_now_and_then_to_a_log(capsys, clock):
    _work(clock, 10.0)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "rocstats: study, 3 of 10 replicates after 0:30, about 1:10 to go",
        "rocstats: study, 6 of 10 replicates after 1:00, about 0:40 to go",
        "rocstats: study, 9 of 10 replicates after 1:30, about 0:10 to go",
    ]


def test_14_31_what_was_finished_before_does_not_count_as_speed(capsys, clock):
    _work(clock, 3600.0, finished=8)
    assert capsys.readouterr().err.splitlines() == [
        "rocstats: study, 9 of 10 replicates after 1:00:00, about 1:00:00 to go"
    ]


def test_work_of_unknown_length_says_how_far_it_is(capsys, clock):
    for _ in watched([2, 3, 4], size=int, title="work", unit="row"):
        clock.now += 20.0
    for _ in watched(iter([2, 3, 4]), size=int, title="counting", unit="row"):
        clock.now += 20.0
    assert capsys.readouterr().err.splitlines() == [
        "rocstats: work, 5 of 9 rows after 0:40, about 0:32 to go",
        "rocstats: counting, 5 rows after 0:40",
    ]


def test_14_31_short_work_and_quiet_work_write_nothing(capsys, clock):
    _work(clock, 2.9)
    with without_progress():
        _work(clock, 100.0)
    assert capsys.readouterr() == ("", "")


def test_14_31_a_log_that_cannot_be_written_stops_no_work(clock, monkeypatch):
    class Full:
        def isatty(self):
            return False

        def write(self, text):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys, "stderr", Full())
    _work(clock, 100.0)


def _is_shown(job):
    return workers._shown.get()


@pytest.mark.parametrize("backend", ["loky", "threading", "like spark"])
def test_14_31_workers_leave_progress_to_their_parent(backend):
    with ExitStack() as stack:
        _enter(stack, backend)
        assert not any(share_out(_is_shown, range(4), 2))
    assert _is_shown(0)


def test_watched_jobs_are_shown_on_a_terminal_only(capsys, monkeypatch):
    assert list(watched([3, 1, 2], title="work", unit="job")) == [3, 1, 2]
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    for seconds in watched([1.1, 0.0], title="work", unit="job"):
        time.sleep(seconds)  # a bar waits for one
    out, err = capsys.readouterr()
    assert out == ""
    assert "work:  50%" in err
