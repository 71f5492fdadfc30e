"""The README's Python and command line do what it says."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

import rocstats as rs
from rocstats.cli import main

README = Path(__file__).parents[1] / "README.md"


def test_python_examples() -> None:
    assert doctest.testfile(str(README), module_relative=False).failed == 0


def test_command_example(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(README.parent)
    pairs = re.findall(
        r"```sh\n(rocstats.*?)```\s+```text\n(.*?)```", README.read_text(), flags=re.DOTALL
    )
    ((command, printed),) = pairs
    assert main(shlex.split(command.replace("\\\n", " "))[1:]) == 0
    assert capsys.readouterr().out == printed


def test_every_name_in_the_readme_is_there() -> None:
    for name in set(re.findall(r"\brs\.(\w+)", README.read_text())):
        assert hasattr(rs, name), name
