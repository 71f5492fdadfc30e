"""Help: commands by task, each on a screen with an example that runs; and what TAB offers."""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import rocstats.cli
from rocstats.cli import main
from rocstats.cli.command_parser import MOST_LINES, CommandParser, command_parser, n_lines
from rocstats.cli.command_table import COMMANDS, GROUPS, OTHER_WORDS, overview
from rocstats.cli.completion import _COLUMNS

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
from workbook_files import write_book

SITES = ("leeds", "turin", "week1", "week2", "week3")  # whose files the examples name
NEVER_ENDING = {
    "rocstats study power",
    "rocstats validate",
    "rocstats app",
}  # examples that take minutes, or serve until they are ended


def parsers(parser: argparse.ArgumentParser) -> Iterator[CommandParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                assert isinstance(command, CommandParser)
                yield command
                yield from parsers(command)


PARSERS = list(parsers(command_parser()))
IDS = [parser.prog for parser in PARSERS]


@pytest.fixture(autouse=True)
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_the_overview_has_every_command_under_its_task() -> None:
    text = overview()
    assert n_lines(text) == text.count("\n") + 1 <= MOST_LINES
    for name, (group, about) in COMMANDS.items():
        part = text.partition(f"\n{GROUPS[group]}:\n")[2].partition("\n\n")[0]
        assert re.search(rf"^  {name} +{re.escape(about)}$", part, re.M)


def test_every_command_is_a_line_of_the_table() -> None:
    (action,) = command_parser()._subparsers._group_actions  # type: ignore[union-attr]
    assert list(action.choices) == list(COMMANDS)  # type: ignore[arg-type]
    assert action._choices_actions == []  # what a command does is said in the table alone


@pytest.mark.parametrize("words", [["help"], ["--help"], ["-h"], []])
def test_four_ways_to_the_overview(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    assert capsys.readouterr().out == f"{overview()}\n"


@pytest.mark.parametrize(
    ("words", "beginning", "code"),
    [
        (["help", "auc"], "usage: rocstats auc FILE --outcome", 0),
        (["help", "study", "run"], "usage: rocstats study run", 0),
        (["auc", "--help-all"], "usage: rocstats auc [-h] [--help-all] --outcome", 0),
        (["help", "acu"], "", 2),
        (["--help-all"], "usage: rocstats COMMAND", 0),
    ],
)
def test_help_of_a_command(
    words: list[str], beginning: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words)
    said = capsys.readouterr()
    assert (stop.value.code or 0) == code
    assert said.out.startswith(beginning)
    assert bool(said.err) == (code == 2)
    assert "Traceback" not in said.err


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (
            ["roc", "s.csv"],
            "there is no command 'roc'; see rocstats --help. You may want rocstats auc.",
        ),
        (["roc.test"], "You may want rocstats compare."),
        (["compre"], "Did you mean 'compare'?"),
        (
            ["study", "lst"],
            "there is no command 'lst'; see rocstats study --help. Did you mean 'list'",
        ),
        (["nothing-like-it"], "there is no command 'nothing-like-it'; see rocstats --help.\n"),
    ],
)
def test_a_word_of_others_leads_to_the_command(
    words: list[str], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    assert hint in capsys.readouterr().err
    assert set(OTHER_WORDS.values()) <= set(COMMANDS)
    assert not set(OTHER_WORDS) & set(COMMANDS)


def test_a_name_cut_at_its_comma_is_told_how_to_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("s.csv").write_text('ill,"Radius, mean",crp\n1,3,2\n0,1,1\n1,2,4\n0,2,0\n')
    call = ["auc", "s.csv", "--outcome", "ill", "--markers"]
    assert main([*call, "crp,Radius, mean"]) == 2
    said = capsys.readouterr().err
    assert """no column 'Radius', but 'Radius, mean': a name""" in said
    written = re.search(r"--markers '(.*)'\.$", said)
    assert written
    assert main([*call, written[1]]) == 0


@pytest.mark.parametrize("parser", PARSERS, ids=IDS)
def test_help_fits_a_screen_and_the_rest_is_behind_help_all(parser: CommandParser) -> None:
    short, whole = parser.short_help(), parser.format_help()
    assert n_lines(short) <= MOST_LINES
    known = {action.dest: action for action in parser._actions}
    for name in parser.everyday:  # none had to be left out for want of room
        flags = known[name].option_strings
        assert (flags[-1] if flags else f"  {name}") in short
    for action in parser._actions:
        assert all(flag in whole for flag in action.option_strings)
    if short != whole:
        assert f"more options: {parser.prog} --help-all" in short
        n_more = int(re.search(r"(\d+) more options", short)[1])  # type: ignore[index]
        shown = [a for a in parser._actions if any(f"  {f}" in short for f in a.option_strings)]
        positional = [a for a in parser._actions if not a.option_strings]
        assert n_more == len(parser._actions) - 2 - len(shown) - len(positional)


@pytest.mark.parametrize("parser", PARSERS, ids=IDS)
def test_every_help_has_an_example_that_runs(
    parser: CommandParser,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if parser.prog == "rocstats study list":
        return  # it takes nothing
    examples = re.findall(r"^  (rocstats .*)$", parser.short_help(), re.M)
    assert examples
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "--data"]) == 0
    counted = ["breast_cancer.csv", "--outcome", "diagnosis", "--positive", "malignant"]
    counted += ["--markers", "mean_radius"]
    for site in SITES if parser.prog in ("rocstats pool", "rocstats monitor") else ():
        assert main(["sketch", *counted, "--site", site, "-o", f"{site}.json"]) == 0
    for example in examples:
        words = shlex.split(example)[1:]
        if ">" in words:
            continue  # a line for a shell's own file
        if parser.prog in NEVER_ENDING:
            command_parser(words[0]).parse_args(words)
            continue
        if words[0] == "report":
            words += ["--r", "no", "--quiet", "--n-resamples", "100"]
        assert main(words) == 0, capsys.readouterr().err
        if "-o" in words:
            assert Path(words[words.index("-o") + 1]).exists()


@pytest.mark.parametrize("command", ["auc", "compare", "power", "r-script"])
def test_delong_is_found_by_his_name(command: str) -> None:
    assert "DeLong" in next(p for p in PARSERS if p.prog == f"rocstats {command}").short_help()


def test_the_list_of_commands_is_there_at_once() -> None:
    code = "import sys; from rocstats.cli import main; main(['--help']); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(Path(rocstats.cli.__file__).parents[2])},
    )
    loaded = done.stdout.splitlines()[-1].split()
    ours = {name for name in loaded if name.startswith("rocstats")}
    assert ours == {"rocstats", "rocstats.cli", "rocstats.cli.command_table"}
    assert not {"argparse", "typing", "dataclasses", "re", "json", "inspect"} & set(loaded)


def test_demo_writes_its_data_and_replaces_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "--data", "data"]) == main(["demo", "--data", "data"]) == 0
    assert {path.name for path in Path("data").iterdir()} > {"breast_cancer.csv", "fawcett.csv"}
    Path("data/fawcett.csv").write_text("mine")
    capsys.readouterr()
    assert main(["demo", "--data", "data"]) == 2
    assert "is there already, and differs; name another folder." in capsys.readouterr().err
    assert Path("data/fawcett.csv").read_text() == "mine"


# ------------------------------------------------------------------------------------- completion


def offered(line: str, folder: Path) -> list[str]:
    """Return what TAB offers at the end of a line, as a shell asks for it."""
    answer = folder / "answer"
    asked = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_STDOUT_FILENAME": str(answer), "IFS": "\n"}
    asked |= {"COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE_IFS": "\n"}
    asked |= {"PYTHONPATH": str(Path(rocstats.cli.__file__).parents[2])}
    code = "from rocstats.cli import main; main([])"
    subprocess.run([sys.executable, "-c", code], env=os.environ | asked, cwd=folder, check=False)
    return [word.strip() for word in answer.read_text().split("\n")]


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("rocstats ", {"report", "auc", "compare", "help"} - {"help"}),
        ("rocstats co", {"compare", "completion"}),
        ("rocstats auc --ma", {"--markers"}),
        ("rocstats study ", {"list", "run", "power"}),
        ("rocstats auc s.csv --outcome ", {"ill", "crp", "pct"}),
        ("rocstats auc s.csv --outcome ill --markers crp,p", {"crp,pct"}),
        ("rocstats auc s.csv --nan-policy ", {"raise", "omit"}),
        ("rocstats report t.csv --outcome ", {"Sepsis", "CRP"}),
        ("rocstats survival t.csv --time ", {"Sepsis", "CRP"}),
        ("rocstats report b.ods --outcome ", {"ill", "crp"}),
        ("rocstats report d.ods --outcome ", {""}),
    ],
)
def test_what_tab_offers(line: str, some: set[str], tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("ill,crp,pct\n1,2,3\n")
    titled = "Étude;;\n;;\nCRP;PCT;Sepsis\n" + "3,4;0,5;ja\n" * 4
    (tmp_path / "t.csv").write_bytes(titled.encode("cp1252"))
    write_book(tmp_path / "b.ods", {"Data": [["Study"], [], ["ill", "crp", "pct"], [1, 2, 3]]})
    (tmp_path / "d.ods").write_bytes(b"damaged")
    assert some <= set(offered(line, tmp_path))


def test_columns_are_offered_for_options_that_take_one() -> None:
    known = {action.dest for parser in PARSERS for action in parser._actions}
    assert set(_COLUMNS) <= known


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_lines_for_a_shell(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    text = capsys.readouterr().out
    assert "rocstats" in text
    assert "_ARGCOMPLETE" in text
    if shutil.which(shell):  # a shell that is there reads them without a word
        done = subprocess.run([shell, "-n"], input=text, text=True, capture_output=True)
        assert (done.returncode, done.stderr) == (0, "")


def test_without_argcomplete_completion_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "argcomplete", None)
    assert main(["completion", "bash"]) == 2
    assert 'pip install "rocstats[completion]"' in capsys.readouterr().err
    monkeypatch.setenv("_ARGCOMPLETE", "1")
    assert main([]) == 1
