"""One table of options: every place that names them lists those of the table, and no other."""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest
from conftest import load_study

import rocstats as rs
from rocstats.analysis.options import GROUPS, OPTIONS, PLANNED, STUDY, STUDY_TEXTS, Option
from rocstats.analysis.plan import StudyPlan
from rocstats.cli.report_options import add_arguments, call_text, given_options
from rocstats.data.sample import NanPolicy
from rocstats.inference.contrasts import ADJUSTMENTS

ROOT = Path(__file__).parents[2]
SPOKEN = [option for option in OPTIONS if option.flags]
OF_THE_COMMAND = {"title", "config", "init", "json", "quiet"}
OF_THE_CALL = {"data", "source", "call", "stage"}


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser()
    add_arguments(found)
    return found


def test_what_is_written_of_the_table_is_up_to_date() -> None:
    for path, text in load_study("report_options").written().items():
        assert path.read_text(encoding="utf-8") == text, (
            f"{path}: python docs/reference/report_options.py"
        )


def test_names_are_there_once() -> None:
    for names in (
        [option.name for option in OPTIONS],
        [option.keyword for option in OPTIONS if option.keyword],
        [flag for option in OPTIONS for flag in option.flags],
        [(option.group, option.key) for option in OPTIONS],
    ):
        assert len(set(names)) == len(names)
    assert {option.group for option in OPTIONS} == set(GROUPS)


def test_the_keywords_of_a_report_are_those_of_the_table() -> None:
    found = inspect.signature(rs.report).parameters
    defaults = {name: p.default for name, p in found.items() if name not in OF_THE_CALL}
    assert defaults == {o.keyword: o.default for o in OPTIONS if o.keyword}
    types = {name: p.annotation for name, p in found.items() if name not in OF_THE_CALL}
    assert types == {o.keyword: o.given for o in OPTIONS if o.keyword}


def test_a_plan_and_its_record_are_those_of_the_table() -> None:
    assert [field.name for field in dataclasses.fields(StudyPlan)] == [o.name for o in PLANNED]
    plan = StudyPlan()
    for option in PLANNED:
        assert getattr(plan, option.name) == option.take(option.default)
    assert [*plan.settings(), STUDY] == sorted(
        (o.name for o in PLANNED), key=lambda name: name == STUDY
    )
    assert plan == StudyPlan.of({o.keyword: o.default for o in PLANNED})


def test_the_command_line_is_that_of_the_table() -> None:
    actions = {action.dest: action for action in parser()._actions if action.dest != "help"}
    assert actions.keys() - OF_THE_COMMAND == {o.name for o in SPOKEN}
    for option in SPOKEN:
        assert option.about in str(actions[option.name].help)
        assert actions[option.name].default is None
    no_flag = [o.name for o in OPTIONS if not o.flags]
    assert no_flag == [STUDY]


def test_the_reference_is_that_of_the_table() -> None:
    page = (ROOT / "docs" / "reference" / "report_options.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith(("| **", "| `"))]
    assert [row.split("**")[1] for row in rows if "**" in row] == [
        o.name for group in GROUPS for o in OPTIONS if o.group == group != STUDY
    ]
    assert [row.split("`")[1] for row in rows if "**" not in row] == list(STUDY_TEXTS)


def test_choices_are_those_of_the_library_and_are_named() -> None:
    by_name = {option.name: option for option in OPTIONS}
    assert set(by_name["nan_policy"].kind.choices or ()) == set(get_args(NanPolicy))
    assert by_name["adjust"].default in ADJUSTMENTS
    for option in OPTIONS:
        for word in option.kind.choices or ():
            assert f'"{word}"' in option.about


@pytest.mark.parametrize("option", SPOKEN, ids=lambda option: option.name)
def test_an_example_is_read_checked_said_and_read_again(option: Option) -> None:
    example = option.default
    if option.example is not None:
        example = tomllib.loads(f"x = {option.example}")["x"]
    value = option.kind.read(list(example) if isinstance(example, tuple) else example)
    if option.planned:
        option.check(option.take(value))
    words = said(option, value)
    args = parser().parse_args(words)
    assert given_options(args) == ({} if words == [] else {option.name: value})
    if option.name not in ("output", "figures", "tables"):  # what is written, not what is said
        assert call_text(args) == shlex.join(["rocstats", "report", *words])


def said(option: Option, value: Any) -> list[str]:
    flag = option.flags[-1]
    if isinstance(value, bool):
        return [flag if value else flag.replace("--", "--no-")]
    if isinstance(value, dict):
        lists = {k: v if isinstance(v, list) else [v] for k, v in value.items()}
        value = [(name, item) for name, items in lists.items() for item in items]
    texts = option.kind.spell(value)
    return [word for text in texts for word in ([flag, text] if flag[0] == "-" else [text])]


TOY = """    Option(
        *("analysis", "toy_range", kinds.TWO_NUMBERS, "numbers to play with"),
        default=(0.25, 0.75),
        rules=(("be two numbers low < high from 0 to 1", _is_window),),
    ),
"""
TRY = """
import rocstats as rs
from rocstats.cli import main
frame = {"y": [0, 1] * 10, "m": list(range(20))}
usual = {"outcome": "y", "markers": "m", "n_resamples": 100, "r": "no"}
settings = lambda **given: rs.report(frame, **usual, **given).facts["settings"]
assert settings()["toy_range"] == [0.25, 0.75]
assert settings(toy_range=[0.5, 1])["toy_range"] == [0.5, 1.0]
try:
    print(settings(toy_range=(1, 0)))
except rs.InvalidOptionError as refused:
    print(refused)
open("s.csv", "w").write("y,m\\n" + "".join(f"{i % 2},{i}\\n" for i in range(20)))
open("s.toml", "w").write("[analysis]\\ntoy_range = [0.5, 1]\\n")
call = "report s.csv --outcome y --markers m --n-resamples 100 --r no --quiet --json".split()
main(["report", "s.csv", "--init"])
main([*call, "--config", "s.toml"])
main([*call, "--toy-range", "0,.5"])
help(rs.report)
main(["report", "--help-all"])
"""


def test_a_new_option_is_one_row(tmp_path: Path) -> None:
    """What the row cannot do by itself, the generator of the page writes."""
    for name in ("rocstats", "templates"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "docs" / "reference").mkdir(parents=True)
    shutil.copy(ROOT / "docs" / "reference" / "report_options.py", tmp_path / "docs" / "reference")
    table = tmp_path / "rocstats" / "analysis" / "options.py"
    row = '    Option(\n        *("analysis", "specificities"'
    text = table.read_text(encoding="utf-8")
    assert text.count(row) == 1
    table.write_text(text.replace(row, TOY + row), encoding="utf-8")

    def run(*argv: str) -> str:
        env = os.environ | {"PYTHONPATH": str(tmp_path), "COLUMNS": "200"}
        done = subprocess.run(
            [sys.executable, *argv], capture_output=True, text=True, cwd=tmp_path, env=env
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("docs/reference/report_options.py")
    assert "**toy_range**: numbers to play with." in (
        tmp_path / "docs" / "reference" / "report_options.md"
    ).read_text(encoding="utf-8")
    said = run("-c", TRY)
    for part in (
        "toy_range must be two numbers low < high from 0 to 1, got (1.0, 0.0).",
        "# numbers to play with\n# toy_range = [0.25, 0.75]",
        '"toy_range": [\n      0.5,\n      1.0\n    ]',
        '"toy_range": [\n      0.0,\n      0.5\n    ]',
        "toy_range : (float, float), default (0.25, 0.75)\n        Numbers to play with.",
        "--toy-range LOW,HIGH",
        "numbers to play with (default: 0.25,0.75)",
    ):
        assert part in said
