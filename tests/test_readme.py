"""The README's Python and command line do what it says."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

import rocstats as rs
from rocstats.cli import main
from rocstats.papers.papers_by_name import PAPERS

README = Path(__file__).parents[1] / "README.md"
HOWTO = README.parent / "docs" / "howto"


def test_python_examples() -> None:
    assert doctest.testfile(str(README), module_relative=False).failed == 0


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command: str, *more: str) -> None:
    words = shlex.split(command.replace("\\\n", " "), comments=True)
    quick = ("--r", "no", "--quiet", *more) if words[1] == "report" else ()
    assert main([*words[1:], *quick]) == 0


def test_command_examples(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = re.findall(
        r"```sh\n(rocstats[^`]*)```\s+```text\n(.*?)```", README.read_text(), flags=re.DOTALL
    )
    ((commands, printed),) = found
    for command in re.split(r"(?<!\\)\n", commands.strip()):
        capsys.readouterr()
        run(command)
    assert capsys.readouterr().out == printed
    assert (folder / "report.html").is_file()


def test_the_first_screen_has_the_first_result() -> None:
    """What it is, how to install it, and numbers, in the lines that a screen shows."""
    screen = "\n".join(README.read_text().splitlines()[:31])
    for part in ("pip install", "rocstats demo -o", ">>> rs.auc(", "95% CI", "rs.sample_size_auc"):
        assert part in screen


def test_papers_run_again(folder: Path) -> None:
    text = (HOWTO / "rerun_papers.md").read_text()
    commands = re.findall(r"^rocstats study (?:list|run) ?.*$", text, re.M)
    assert len(commands) == 3
    for command in commands:
        name = re.search(r"study run (\S+)", command)
        if name:  # the paper that takes no time stands for the others
            assert name[1] in PAPERS
            command = command.replace(name[1], "fawcett-2006").replace("DIR", str(folder))
        run(command)
    assert (folder / "out" / "study.html").is_file()


def test_every_name_in_the_readme_is_there() -> None:
    text = README.read_text() + (HOWTO / "which_call.md").read_text()
    for name in set(re.findall(r"\brs\.(\w+)", text)):
        assert hasattr(rs, name), name


def test_every_link_leads_somewhere() -> None:  # that every page is in the site, sphinx sees to
    links = re.findall(r"\]\((?!http)([^)]+)\)", README.read_text())
    assert all((README.parent / link).is_file() for link in links)
