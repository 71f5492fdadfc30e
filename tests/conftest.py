"""Named samples and the command line, for every test to ask for; how hypothesis searches."""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

# The same examples on every machine and in any order of the tests; slow machines may be slow.
settings.register_profile(
    "rocstats",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("rocstats")


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a run in the background; tests send Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)


class NamedSample(NamedTuple):
    """Labels (1 is positive) and scores."""

    y_true: np.ndarray
    y_score: np.ndarray

    @property
    def on_unit_scale(self) -> bool:
        return bool(self.y_score.min() >= 0.0 and self.y_score.max() <= 1.0)


def _sample(pos: object, neg: object) -> NamedSample:
    pos, neg = np.array(pos, dtype=float), np.array(neg, dtype=float)
    y_true = np.repeat([1, 0], [pos.size, neg.size])
    return NamedSample(y_true, np.concatenate([pos, neg]))


_UP, _DOWN = np.nextafter(0.5, 1.0), np.nextafter(0.5, 0.0)
_GRID = np.arange(40) / 64

SAMPLES: dict[str, NamedSample] = {
    "tied": _sample([0.75, 0.5, 0.5, 0.25], [0.75, 0.5, 0.25, 0.25, 0.0]),
    "near_tied": _sample([_UP, 0.5, _DOWN], [_UP, 0.5, _DOWN, _DOWN]),  # one ulp apart, at 1/2
    "perfect": _sample([0.875, 0.75, 0.625], [0.5, 0.25, 0.125, 0.0]),
    "inverted": _sample([0.0, 0.125, 0.25], [0.5, 0.75, 1.0]),
    "constant": _sample([0.5, 0.5, 0.5], [0.5, 0.5]),
    "tiny": _sample([0.75, 0.25], [0.5, 0.125]),
    "one_positive": _sample([0.625], [0.75, 0.5, 0.25]),
    "one_negative": _sample([0.75, 0.5, 0.25], [0.375]),
    "imbalanced": _sample([0.75, 0.5, 0.375], _GRID),
    "binary": _sample([1.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0]),
    "negative_scores": _sample([-0.25, -1.5, 2.0], [-2.0, -0.25, -3.5, 0.0]),
    "signed_zeros": _sample([0.0, -0.0, 1.0], [-0.0, 0.0, 0.5]),
}


@pytest.fixture
def samples() -> dict[str, NamedSample]:
    """Every named sample, to be picked from by name."""
    return SAMPLES


@pytest.fixture(params=SAMPLES)
def named_sample(request: pytest.FixtureRequest) -> NamedSample:
    """Each of the named samples in turn."""
    return SAMPLES[request.param]


@pytest.fixture(scope="module")
def r() -> Any:
    """The bridge, where there is an R to reach."""
    import rocstats as rs

    try:
        rs.rbridge.require(("pROC", "MASS"))
    except rs.RUnavailableError as error:
        pytest.skip(str(error))
    return rs.rbridge


@pytest.fixture(scope="module")
def asah(r: Any) -> dict[str, Any]:
    """pROC's patients after a haemorrhage, as columns."""
    return r.evaluate("lapply(aSAH, function(x) if (is.factor(x)) as.character(x) else x)")


def load_study(name: str) -> Any:
    """Return the module that makes a page of ``docs/``: tests judge a part of what it simulates."""
    docs = Path(__file__).parents[1] / "docs"
    places = (docs / room / f"{name}.py" for room in ("evidence", "reference"))
    (path,) = (path for path in places if path.is_file())
    spec = importlib.util.spec_from_file_location(f"{name}_study", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


class Answer(NamedTuple):
    """What a command gave: its exit code and both outputs."""

    code: int
    out: str
    err: str


Call = Callable[..., Answer]


@pytest.fixture
def call(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Call:
    """Run a command in an empty directory."""
    from rocstats.cli import main

    monkeypatch.chdir(tmp_path)

    def run(*argv: str) -> Answer:
        capsys.readouterr()
        code = main(argv)
        return Answer(code, *capsys.readouterr())

    return run


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With ROCSTATS_REQUIRE_ALL=1, as in CI, nothing may be skipped."""
    report = yield
    if report.skipped and os.environ.get("ROCSTATS_REQUIRE_ALL") == "1":
        report.outcome = "failed"
        report.longrepr = f"skipped, but ROCSTATS_REQUIRE_ALL=1: {report.longrepr}"
    return report


@pytest.fixture(autouse=True)
def _no_figure_stays_open() -> Generator[None, None, None]:
    """Close the figures that a test had pyplot make."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(autouse=True, scope="session")
def _workers_are_always_worth_it() -> Generator[None, None, None]:
    """Resampling that is given workers here uses them, however short it is."""
    from rocstats.resampling import chunks

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "_WORTH", 0.0)
        yield
