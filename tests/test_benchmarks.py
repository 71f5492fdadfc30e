"""The benchmark: answers are checked before times, and a row behind its bar is named."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import __main__ as bench
from benchmarks import instructions, starts
from benchmarks.calls import rocstats_calls
from benchmarks.core_calls import CALLS
from benchmarks.data_sets import MARKERS, Setting, make, read, write
from benchmarks.definitions import DEFINITIONS
from benchmarks.race import Race, Result, _note, run
from benchmarks.speed_page import machine, table, with_summary

ROOT = Path(__file__).parents[1]


def test_data_are_read_as_they_were_written(tmp_path: Path) -> None:
    data = make(Setting(300, "tied", "1:99"), 3)
    assert data.y.sum() == 3
    write(data, tmp_path)
    again = read(tmp_path)
    np.testing.assert_array_equal(again.y, data.y)
    np.testing.assert_array_equal(again.scores, data.scores)


@pytest.mark.parametrize("scores", ["continuous", "tied"])
def test_our_own_answers_are_those_of_the_definitions(scores: str) -> None:
    data = make(Setting(400, scores), MARKERS)
    known = rocstats_calls()
    for task, (define, near) in DEFINITIONS.items():
        if define is not None and task in known:
            found = known[task](data)()
            assert list(found) == pytest.approx(list(define(data)), rel=max(near, 1e-12)), task
    assert set(CALLS) <= set(known)
    assert set(bench.TASKS) == set(known)


def test_a_wrong_answer_has_no_time() -> None:
    result = Result()
    _note(result, {"seconds": 1.0, "answer": [0.75]}, (0.75,), 1e-9)
    assert result.best == 1.0
    _note(result, {"seconds": 0.1, "answer": [0.7501]}, (0.75,), 1e-9)
    assert np.isnan(result.best)
    assert result.trouble == "wrong: 0.7501, not 0.75"
    _note(result, {"seconds": 0.1, "answer": [0.685241]}, (0.685243,), 1e-9)
    assert result.trouble == "wrong: 0.685241, not 0.685243"
    nothing = Result()
    _note(nothing, {"seconds": 0.1, "answer": [float("nan")]}, (0.75,), 1e-9)
    assert nothing.trouble.startswith("wrong")


def test_rows_behind_a_bar_or_a_peer_are_named() -> None:
    setting, rounds = Setting(10**6), [1.0, 1.0, 1.0]
    race = Race(versions={"numpy": "2", "rocstats": "0", "peer": "1"})
    race.results = {
        ("sort", setting, "numpy"): Result(rounds),
        ("interval", setting, "rocstats"): Result([1.3] * 3),
        ("interval", setting, "peer"): Result([9.0] * 3),
    }
    assert bench.falls_behind(race) == []
    race.results["interval", setting, "rocstats"] = Result([2.0] * 3)
    assert bench.falls_behind(race) == [
        "AUC with DeLong's interval, n = 1,000,000, continuous, 1:1: 2 sort, bar 1.3 sort."
    ]
    race.results["interval", setting, "peer"] = Result([1.5] * 3)
    assert len(bench.falls_behind(race)) == 2
    race.results["interval", setting, "peer"] = Result(trouble="wrong: 1, not 0.5")
    assert "wrong: 1, not 0.5" in table(race, "interval")
    assert "2 s (2)" in table(race, "interval")


def test_small_samples_and_whole_processes_have_bars() -> None:
    race, tied = Race(), Setting(100, "tied")
    race.results["auc", tied, "rocstats"] = Result([30e-6, 60e-6, 200e-6])
    race.results["sort", tied, "numpy"] = Result([1e-6] * 3)
    assert bench.judge_bars(race) == [
        ("AUC, n = 100, tied, 1:1", "3e-05 s", "4e-05 s", "met"),
    ]
    race.results["auc", tied, "rocstats"] = Result([90e-6] * 3)
    assert bench.falls_behind(race) == ["AUC, n = 100, tied, 1:1: 9e-05 s, bar 4e-05 s."]
    times = {name: Result([1.0] * 3) for name in ("nothing", "import pandas")}
    times["import rocstats"] = Result([1.5] * 3)
    times["rocstats auc of a small file"] = Result([2.2] * 3)
    times["report of 113 patients"] = Result([4.0] * 3)
    judged = bench.judge_starts(times)
    assert [row[1:] for row in judged] == [
        ("1.5 x nothing", "2 x nothing", "met"),
        ("2.2 x import pandas", "2 x import pandas", "met, within noise"),
        ("4 s", "1.5 s", "missed"),
    ]
    assert bench.behind_bars(judged) == [
        "report of 113 patients, the whole process: 4 s, bar 1.5 s."
    ]


def test_a_race_of_two_runs_from_the_command(tmp_path: Path) -> None:
    call = [sys.executable, "-m", "benchmarks", "--sizes", "200", "--few", "--rounds", "1"]
    call += ["--tasks", "auc,bootstrap", "--peers", "rocstats,scikit-learn"]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "rocstats" in done.stdout
    assert "scikit-learn" in done.stdout
    assert "wrong" not in done.stdout
    assert "No row falls behind its bar." in done.stdout


def test_a_race_that_is_stopped_keeps_what_it_has() -> None:
    seen = []

    def stop(race: Race) -> None:
        seen.append({setting.n for _, setting, _ in race.results})
        raise KeyboardInterrupt

    race = run({"auc": [Setting(100), Setting(200)]}, ["rocstats"], 1, after=stop)
    assert seen == [{100}]
    assert race.of("auc", Setting(100), "rocstats").best > 0.0
    assert race.of("auc", Setting(200), "rocstats").trouble == "not asked"


def test_instructions_are_kept_for_ten_calls() -> None:
    kept = json.loads(instructions.KEPT.read_text())
    assert set(kept["counts"]) == set(CALLS)
    assert len(CALLS) == 10
    assert set(kept["made by"]) == set(instructions.made_by())


def test_a_call_with_more_instructions_than_kept_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept = tmp_path / "instructions.json"
    here = instructions.made_by()
    kept.write_text(json.dumps({"made by": here, "counts": {"auc": 1000, "sauc": 1000}}))
    monkeypatch.setattr(instructions, "KEPT", kept)
    monkeypatch.setattr(instructions.shutil, "which", lambda _: "valgrind")
    monkeypatch.setattr(sys, "argv", ["instructions", "auc", "sauc"])
    monkeypatch.setattr(instructions, "count", lambda _: {"auc": 1049, "sauc": 900})
    assert instructions.main() == 0
    monkeypatch.setattr(instructions, "count", lambda _: {"auc": 1051, "sauc": 900})
    assert instructions.main() == 1
    assert (
        "More than 5% above the counts kept in instructions.json: auc." in capsys.readouterr().out
    )
    kept.write_text(json.dumps({"made by": here | {"numpy": "0"}, "counts": {"auc": 1}}))
    assert instructions.main() == 0
    assert "Not compared" in capsys.readouterr().out


@pytest.mark.slow
def test_core_calls_take_no_more_instructions_than_those_kept() -> None:
    call = [sys.executable, "-m", "benchmarks.instructions", "auc", "smauc"]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_sample_is_begun_after_the_minutes() -> None:
    tasks = {"auc": [Setting(100)]}
    assert not run(tasks, [], 1, minutes=0.0).results
    assert run(tasks, [], 1).results


def test_the_page_says_how_busy_the_machine_was_and_the_summary_what_came_out() -> None:
    race = run({"auc": [Setting(100)]}, [], 1)
    assert len(race.loads) == 1
    race.loads = [1.2, 3.4, 2.0]
    assert "load 1.2 to 3.4 on" in machine(race.loads, race.versions)
    index = "| fast | old | [](speed.md) |\n| slow | old | [](other.md) |\n"
    bars = [
        ("AUC with interval, n = 1,000,000", "1.34 sort", "1.3 sort", "met, within noise"),
        ("AUC, n = 100", "6e-05 s", "4e-05 s", "missed"),
    ]
    assert with_summary(index, "speed.md", bars) == (
        "| fast | AUC with interval 1.34 sorts; 1 of 2 bars are met; missed: AUC, n = 100 "
        "| [](speed.md) |\n| slow | old | [](other.md) |\n"
    )
    assert with_summary(index, "unknown.md", bars) == index


def test_what_an_answer_is_checked_by_is_worked_out_after_its_time() -> None:
    data = make(Setting(100), 2)
    answer = rocstats_calls()["paired"](data)()
    assert iter(answer) is answer


def test_whole_processes_are_timed_with_their_modules_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = []
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setattr(starts.subprocess, "run", lambda *_, env, **__: seen.append(env))
    times = starts.time_starts(2)
    assert {len(result.seconds) for result in times.values()} == {2}
    assert len(seen) == 3 * len(times)
    for env in seen:
        assert "PYTHONDONTWRITEBYTECODE" not in env
        assert not env["PYTHONPYCACHEPREFIX"].startswith(str(ROOT))
