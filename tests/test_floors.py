"""Lowest versions (issue 14, line 20): the second environment has those that are declared."""

import importlib.util
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def tool() -> Any:
    spec = importlib.util.spec_from_file_location("floors_tool", ROOT / "tools" / "floors.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_14_20_the_lowest_versions_are_those_of_the_project(tool: Any) -> None:
    assert tool.FILE.read_text("utf-8") == tool.constraints(), "run: python tools/floors.py"


def test_14_20_every_library_of_a_user_has_a_floor(tool: Any) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = tool.constraints().splitlines()
    for group in ("plot", "io", "ml"):
        for requirement in project["optional-dependencies"][group]:
            assert requirement.replace(">=", "==") in lines
    with pytest.raises(ValueError, match="must say its lowest version"):
        tool.floors(project | {"dependencies": ["numpy"]})


def test_14_20_ci_runs_them_and_no_test_waits_for_ever() -> None:
    assert "make floors" in (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    assert 0 < tools["pytest"]["ini_options"]["timeout"] <= 600
