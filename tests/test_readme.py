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


def test_python_examples() -> None:
    assert doctest.testfile(str(README), module_relative=False).failed == 0


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the package in it, where a command may write."""
    (tmp_path / "rocstats").symlink_to(README.parent / "rocstats")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command: str, *more: str) -> None:
    words = shlex.split(command.replace("\\\n", " "), comments=True)
    quick = ("--r", "no", "--quiet", *more) if words[1] == "report" else ()
    assert main([*words[1:], *quick]) == 0


def test_command_examples(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = re.findall(
        r"```sh\n(rocstats[^`]*)```\s+```text\n(.*?)```", README.read_text(), flags=re.DOTALL
    )
    assert len(pairs) == 2
    for command, printed in pairs:
        run(command)
        assert capsys.readouterr().out == printed
    assert (checkout / "report.html").is_file()


def test_a_report_by_way_of_a_file_of_options(checkout: Path) -> None:
    init, config = re.findall(
        r"^rocstats report .*(?:--init|--config) .*$", README.read_text(), re.M
    )
    run(init)
    run(config, "--n-resamples", "100")
    assert {"study.toml", "study.html"} <= {path.name for path in checkout.iterdir()}


def test_papers_run_again(checkout: Path) -> None:
    commands = re.findall(r"^rocstats study .*$", README.read_text(), re.M)
    assert len(commands) == 3
    for command in commands:
        name = re.search(r"study run (\S+)", command)
        if name:  # the paper that takes no time stands for the others
            assert name[1] in PAPERS
            command = command.replace(name[1], "fawcett-2006").replace("DIR", str(checkout))
        run(command)
    assert (checkout / "out" / "study.html").is_file()


def test_every_name_in_the_readme_is_there() -> None:
    for name in set(re.findall(r"\brs\.(\w+)", README.read_text())):
        assert hasattr(rs, name), name


def test_every_link_leads_somewhere() -> None:  # that every page is in the site, sphinx sees to
    links = re.findall(r"\]\((?!http)([^)]+)\)", README.read_text())
    assert all((README.parent / link).is_file() for link in links)
