"""Every option of every command changes what is said; and all of it is as it was recorded."""

from __future__ import annotations

import argparse
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import load_study
from recorded import hold, shortened

from rocstats.cli import main
from rocstats.cli.command_parser import command_parser

schemas = load_study("schemas")
CT = "datum.csv --outcome datum_y --positive datum_ill"
MESSY = "messy.csv"

# Command: a call, and what is added to it, one line at a time; each must change the answer.
ADDED: dict[str, list[tuple[str, list[str]]]] = {
    "auc": [
        (
            f"{CT} --markers datum_a,datum_c",
            [
                "--markers datum_b --nan-policy omit",
                "--subject datum_id",
                "--cluster datum_id",
                "--weights datum_c",
                "--strata datum_site",
                "--lower-is-positive datum_a",
                "--confidence-level 0.8",
                "--measures auc,sauc,smauc",
                "--measures smauc --midpoint 0.4",
                "--measures smauc --class-weight balanced",
                "--measures smauc --midpoints 0.3,0.6",
                "--measures sauc --bounds 0,2",
                "--interval wald",
                "--adjust-for datum_site",
                "--folds datum_site",
                "--exclude datum_well",
                "-o out.csv",
                "-o out.tex",
            ],
        )
    ],
    "compare": [
        (
            f"{CT} --markers datum_a,datum_b,datum_c --nan-policy omit",
            [
                "--cluster datum_id",
                "--weights datum_c",
                "--lower-is-positive datum_a",
                "--confidence-level 0.8",
                "--measure sauc",
                "--measure smauc --midpoint 0.3",
                "--measure smauc --class-weight balanced",
                "--measure sauc --bounds 0,2",
                "--adjust none",
                "--adjust bonferroni",
                "--intervals simultaneous",
                "--reference normal",
                "--method delong",
                "--method mover",
                "--versus datum_b",
                "--strata datum_site",
                "--adjust-for datum_site",
                "-o out.csv",
            ],
        ),
        (
            f"{CT} --markers datum_a,datum_c",
            ["--noninferiority 0.1", "--superiority 0.01", "--equivalence 0.1"],
        ),
    ],
    "tests": [
        (
            f"{schemas.TESTS} --nan-policy omit",
            [
                "--lower-is-positive datum_a",
                "--cluster datum_id",
                "--exploratory",
                "--design case-control",
                "--truth comparator",
                "--noninferiority both=0.1",
                "--noninferiority specificity=0.2",
                "--confidence-level 0.8",
                "--thresholds datum_a=0.6,datum_b=0.5",
                "-o out.csv",
            ],
        ),
        (
            f"{schemas.TESTS},datum_c=0.7 --tests datum_c --nan-policy omit",
            ["--adjust none"],
        ),
        (
            "--diseased 319,78,22,32 --healthy 31,53,22,155",
            ["--design case-control", "--truth comparator", "--confidence-level 0.8"],
        ),
    ],
    "readers": [
        (
            schemas.READINGS,
            [
                "--positive 0",
                "--lower-is-positive",
                "--measure sauc",
                "--measure sensitivity --threshold 3",
                "--readers fixed",
                "--cases fixed",
                "--covariance jackknife",
                "--method ustat",
                "--new datum_new --standard datum_old --margin 0.05",
                "--new datum_new --standard datum_old --equivalence 0.4",
                "--confidence-level 0.8",
                "-o out.html",
                "-o out.html --title Reading",
            ],
        ),
        (schemas.READINGS.replace("readings", "gaps"), ["--missing complete_cases"]),
        (schemas.READINGS.replace("readings", "machine") + " --ai datum_ai", ["--margin 0.2"]),
    ],
    "survival": [
        (
            f"{schemas.TIMES} --markers datum_a,datum_b --at 0.3,0.8",
            [
                "--at 0.5",
                "--concordance harrell",
                "--concordance uno",
                "--concordance uno --tau 0.6",
                "--thresholds datum_a=-0.5",
                "--band",
                "--margin 0.1 --new datum_a --standard datum_b",
                "--lower-is-positive datum_b",
                "--adjust none",
                "--confidence-level 0.8",
                "--censoring-strata datum_d2",
                "-o out.html",
                "-o out.html --title Waiting",
            ],
        ),
        (
            f"{schemas.TIMES.replace('datum_d', 'datum_e')} --markers datum_a --at 0.5",
            ["--controls survivors", "--event-code 2", "--censored none"],
        ),
    ],
    "thresholds": [
        (
            f"{CT} --markers datum_a",
            [
                "--threshold 0.4,0.6",
                "--criterion closest",
                "--criterion youden --cluster datum_id",
                "--min-specificity 0.8 --criterion sensitivity",
                "--min-sensitivity 0.8 --criterion specificity",
                "--at-sensitivity 0.9",
                "--at-specificity 0.9",
                "--prevalence 0.1",
                "--interval jeffreys",
                "--all",
                "--n-resamples 100 --at-sensitivity 0.9",
                "--seed 2 --at-sensitivity 0.9",
                "--lower-is-positive datum_a",
                "--confidence-level 0.8",
                "-o out.csv",
            ],
        )
    ],
    "twosample": [
        (
            "datum.csv --group datum_y --positive datum_ill --value datum_a",
            [
                "--positive datum_well",
                "--value datum_c",
                "--statistic auc",
                "--statistic auc --no-continuity",
                "--alternative less",
                "--alternative greater",
                "--method permutation --n-resamples 200",
                "--method permutation --n-resamples 200 --seed 2",
                "--confidence-level 0.8",
                "--value datum_b --nan-policy omit",
            ],
        )
    ],
    "sketch": [
        (
            f"{CT} --markers datum_a,datum_c -o out.json",
            ["--site leeds", "--least-count 5", "--cuts 0.2,0.5", "--lower-is-positive datum_a"],
        )
    ],
    "pool": [
        (
            "datum_1.json datum_2.json",
            [
                "--markers datum_b",
                "--weights inverse_variance",
                "--confidence-level 0.8",
                "--moments datum_m1.json,datum_m2.json",
                "-o out.json",
            ],
        )
    ],
    "monitor": [
        (
            "datum_1.json datum_2.json datum_pooled1.json --marker datum_a",
            [
                "--marker datum_b",
                "--baseline 2",
                "--baseline-file datum_k1.json",
                "--adjust none",
                "--n-planned 7",
                "--alternative less",
                "--alternative greater",
                "--significance 0.9",
                "--confidence-level 0.8",
            ],
        )
    ],
    "power": [
        (
            "--auc 0.8 --null 0.7 --n-pos 50",
            [
                "--auc 0.75",
                "--null 0.6",
                "--n-neg 90",
                "--ratio 3",
                "--prevalence 0.2",
                "--significance 0.01",
                "--alternative greater",
                "--model obuchowski",
                "--sd-ratio 2",
                "--simulate 20",
                "--simulate 20 --seed 2",
            ],
        ),
        (
            "--auc 0.85 --auc2 0.75 --correlation 0.5 --power 0.8",
            ["--correlation 0.3", "--power 0.9", "--n-pos 60", "--significance 0.01"],
        ),
        (
            "--auc 0.85 --auc2 0.75 --independent --power 0.8",
            ["--group-ratio 2"],
        ),
        (
            "--auc 0.85 --auc2 0.85 --auc-correlation 0.5 --margin 0.05 "
            "--aim non-inferiority --n-pos 90",
            ["--margin 0.1", "--aim equivalence", "--auc-correlation 0.3"],
        ),
        ("--n-pos 50 --power 0.8 --find auc", ["--power 0.9"]),
        ("--mean-difference 0.8 --n-pos 50", ["--sd-pos 2", "--sd-neg 2", "--mean-difference 0.5"]),
        (
            "--new 0.9 --standard 0.8 --discordant 0.2 --patients 100",
            ["--rate specificity", "--patients 200", "--prevalence 0.2", "--discordant 0.15"],
        ),
        ("--auc 0.8 --half-width 0.05", ["--half-width 0.08", "--prevalence 0.2"]),
    ],
    "measures": [
        (
            "auc accuracy --n-pos 5 --n-neg 5",
            [
                "--n-pos 6",
                "--n-neg 6",
                "--scores uniform --n-pairs 200",
                "--scores uniform --n-pairs 200 --seed 2",
            ],
        )
    ],
    "check": [
        (
            MESSY,
            [
                "--header-row 2",
                "--header-row 2 --separator semicolon --decimal comma",
                "--header-row 2 --separator semicolon --decimal point",
                "--separator comma",
                "--header-row 2 --below-detection half",
                "--header-row 2 --below-detection missing",
                "--header-row 2 --missing-codes 1,5",
                "--as-is",
                "-o out.csv",
            ],
        ),
        (
            "clinic.csv",
            [
                "--dates day-first",
                "--dates month-first",
                "--percent share",
                "--above-detection missing",
                "--missing-codes datum_p=12",
                "--encoding latin-1",
                "--as-is",
            ],
        ),
    ],
    "study list": [("", [])],
    "demo": [("", [])],
    "r-script": [
        (
            f"{CT} --markers datum_a,datum_c -o out.R",
            ["--lower-is-positive datum_a", "--confidence-level 0.8", "--cluster datum_id"],
        )
    ],
}
CALLS = {
    f"{command} {' '.join((base, more)).strip()}".strip(): (command, base, more)
    for command, lines in ADDED.items()
    for base, added in lines
    for more in ("", *added)
}
CLINIC = """\
datum_y,datum_when,datum_p,datum_top
1,01/02/2024,12%,>90
0,03/04/2024,0.5%,40
1,05/06/2024,30%,>90
0,07/08/2024,2%,35
1,09/10/2024,44%,70
0,11/12/2024,3%,é
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("commands")
    schemas.files(place)
    (place / "clinic.csv").write_text(CLINIC, encoding="utf-8")
    rows = (place / "times.csv").read_text("utf-8").splitlines()
    lines = [f"{rows[0]},datum_d2", *(f"{row},{k % 2}" for k, row in enumerate(rows[1:]))]
    (place / "times.csv").write_text("\n".join(lines) + "\n", "utf-8")
    third = json.loads((place / "datum_1.json").read_text("utf-8")) | {"site": "datum_3"}
    (place / "datum_pooled1.json").write_text(json.dumps(third), "utf-8")
    return place


GIVEN = [
    *(f"{name}.csv" for name in ["datum", "few", "times", "numbered", "words", "messy", "clinic"]),
    *(f"{name}.csv" for name in ["readings", "gaps", "machine"]),
    *(f"datum_{name}.json" for name in ["1", "2", "k1", "k2", "m1", "m2", "pooled", "pooled1"]),
]
Say = Callable[[str, str], dict[str, Any]]


@pytest.fixture
def say(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Say:
    """Return what a call prints and writes, where the made data lie."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")

    given = set(GIVEN)
    for path in folder.iterdir():
        if path.name not in given:
            path.unlink()  # of another test

    def run(command: str, words: str) -> dict[str, Any]:
        argv = [*command.split(), *shlex.split(words)]
        found: dict[str, Any] = {"code": main(argv)}
        out, err = capsys.readouterr()
        found |= {"said": tidy(out), "errors": tidy(err)}
        for path in sorted(folder.iterdir()):
            if path.name not in given:
                if path.suffix in (".csv", ".tex", ".json", ".R"):
                    found[path.name] = tidy(path.read_text("utf-8"))
                elif path.suffix == ".html":
                    found[path.name] = tidy(words_of(path.read_text("utf-8")))
                path.unlink()
        return found

    return run


def tidy(text: str) -> Any:
    """Return lines without what is not the same everywhere: the version."""
    lines = [shortened(line.rstrip()) for line in text.splitlines()]
    return lines if len(lines) < 400 else [*lines[:200], f"{len(lines)} lines", *lines[-100:]]


def words_of(page: str) -> str:
    """Return the text that a page shows, a line for each block."""
    from html import unescape

    page = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>", "", page)
    page = re.sub(r"</(p|h\d|li|tr|td|th|figcaption|dt|dd|summary|pre)>", "\n", page)
    text = unescape(re.sub(r"<[^>]+>", " ", page))
    return "\n".join(" ".join(line.split()) for line in text.splitlines() if line.strip())


@pytest.mark.parametrize("name", CALLS)
def test_an_option_changes_the_answer_which_is_as_recorded(name: str, say: Say) -> None:
    command, base, more = CALLS[name]
    found = say(command, f"{base} {more}")
    hold("cli", name, found)
    if more:
        assert found != say(command, base)


@pytest.mark.parametrize("command", [c for c in schemas.CALLS if c in ADDED])
def test_facts_are_as_recorded(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for words in schemas.CALLS[command]:
        found = schemas.answer(command, words)
        found.pop("version", None)
        hold("cli", f"{command} {words} --json", shortened(found))


def defaults() -> dict[str, Any]:
    """Return, by command, every option with its default, its choices and whether it is a list."""
    found: dict[str, Any] = {}

    def walk(parser: argparse.ArgumentParser, words: str) -> None:
        own = {}
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for name, inner in action.choices.items():
                    walk(inner, f"{words} {name}".strip())
            elif action.dest != "help":
                choices = list(map(str, action.choices)) if action.choices else None
                name = " ".join(action.option_strings) or action.dest
                own[name] = [str(action.default), str(action.nargs), choices, str(action.const)]
        if words:
            found[words] = own

    walk(command_parser(), "")
    return found


def test_every_default_of_the_command_line_is_as_recorded() -> None:
    hold("cli", "defaults", defaults())
