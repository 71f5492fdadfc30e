"""Workers change no bit of an answer, share the cores with BLAS, and are not there unasked."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import rocstats as rs
from rocstats.resampling import chunks
from rocstats.workers import share_out

RNG = np.random.default_rng(20)
Y = RNG.random(120) < 0.4
SCORES = {"a": RNG.normal(size=120) + Y, "b": (RNG.normal(size=120) + Y).round(1)}


def boot(n_jobs):
    return rs.Bootstrap(n_resamples=200, rng=7, n_jobs=n_jobs)


def perm(n_jobs):
    return rs.Permutation(n_resamples=200, rng=7, n_jobs=n_jobs)


CALLS = {
    "bootstrap": lambda n: rs.bootstrap(rs.auc(Y, SCORES["a"]), resampling=boot(n)).replicates,
    "bootstrap of a difference": lambda n: (
        rs.bootstrap(rs.compare(Y, SCORES), [1, -1], resampling=boot(n)).replicates
    ),
    "cutpoint": lambda n: rs.optimal_cutpoint(Y, SCORES["a"], resampling=boot(n)).replicates,
    "fixed rate": lambda n: (
        rs.sensitivity_at(Y, SCORES["b"], specificity=0.9, resampling=boot(n)).replicates
    ),
    "band": lambda n: rs.roc_band(Y, SCORES["a"], method="fixed-width", resampling=boot(n)).low,
    "permutation": lambda n: rs.permutation_test(rs.compare(Y, SCORES), resampling=perm(n)).pvalue,
    "venkatraman": lambda n: rs.venkatraman_test(rs.compare(Y, SCORES), resampling=perm(n)).pvalue,
    "two samples": lambda n: (
        rs.two_sample_test(
            SCORES["a"][Y], SCORES["a"][~Y], method="permutation", resampling=perm(n)
        ).pvalue
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_two_workers_give_the_bits_of_one(name):
    one, two = (np.asarray(CALLS[name](n)) for n in (1, 2))
    np.testing.assert_array_equal(one, two)


def threads_here(_):
    """Return how many threads the libraries of a worker may start, each beside the others."""
    from threadpoolctl import threadpool_info

    np.ones((8, 8)) @ np.ones((8, 8))  # BLAS is there
    return os.getpid(), [pool["num_threads"] for pool in threadpool_info()]


def test_workers_and_their_blas_do_not_ask_for_more_cores_than_there_are():
    pytest.importorskip("threadpoolctl")
    cores = os.cpu_count() or 1
    found = dict(share_out(threads_here, range(8), 2))
    assert os.getpid() not in found
    for pools in found.values():
        assert pools
        assert all(threads <= max(cores // 2, 1) for threads in pools)


@pytest.mark.parametrize(("seconds", "workers"), [(0.2, 1), (0.3, 2)])
def test_workers_are_started_where_the_first_chunk_says_they_are_worth_it(
    monkeypatch, seconds, workers
):
    now, asked = [0.0], []

    def task(size, rng):
        now[0] += seconds
        return rng.random(size)

    def alone(function, jobs, n_jobs, *, in_threads):
        asked.append(n_jobs)
        return map(function, jobs)

    monkeypatch.setattr(chunks, "_WORTH", 1.0)
    monkeypatch.setattr(chunks, "share_out", alone)
    monkeypatch.setattr(chunks, "time", SimpleNamespace(monotonic=lambda: now[0]))
    seed = np.random.SeedSequence(3)
    one, two = (chunks.run_chunks(task, 300, seed, n_jobs=n, title="") for n in (1, 2))
    np.testing.assert_array_equal(one, two)
    assert asked == [1, workers]
    assert now[0] == pytest.approx(10 * seconds)


def test_one_worker_is_this_process_and_loads_no_joblib():
    code = (
        "import sys, rocstats as rs; y = [0, 1, 0, 1, 1, 0]; s = [1, 3, 4, 5, 2, 0]\n"
        "rs.bootstrap(rs.auc(y, s)).confidence_interval(); rs.optimal_cutpoint(y, s)\n"
        "rs.two_sample_test(s, [2, 3, 4, 4], method='permutation')\n"
        "print({'joblib', 'multiprocessing.pool'} & set(sys.modules))"
    )
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "set()"


def test_a_sum_over_subjects_wakes_no_threads_of_blas():
    """A product of two vectors above 10^4 elements does, and costs more than it gains."""
    found = {
        (file.name, match.group())
        for file in Path(rs.__file__).parent.rglob("*.py")
        for match in re.finditer(r"\b(\w+) @ \1\b(?!\.T)|np\.dot\(", file.read_text("utf-8"))
    }
    of_integers = {("untied.py", "passed @ passed"), ("pair_counts.py", "before @ before")}
    assert found == of_integers | {("exact.py", "counts @ counts")}
