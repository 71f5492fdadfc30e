"""The bridge to R: what crosses it, how it fails, and what it leaves alone."""

import gc
import math
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocstats as rs
from rocstats.rbridge import probe, session

ROOT = Path(rs.__file__).parent.parent
SAME = 1e-12  # one arithmetic against another


@pytest.fixture(scope="module")
def sample(asah: dict[str, Any]) -> rs.ScoredSample:
    markers = {"s100b": asah["s100b"], "ndka": asah["ndka"], "wfns": [*map(float, asah["wfns"])]}
    return rs.ScoredSample.from_arrays(asah["outcome"], markers, pos_label="Poor")


# --- Values across ------------------------------------------------------------------------------

FROM_R = {
    "NA_integer_": math.nan,
    "c(1L, NA)": [1.0, math.nan],
    "NA": math.nan,
    "c(TRUE, NA)": [True, math.nan],
    "NA_real_": math.nan,
    "NaN": math.nan,
    "c(-Inf, 0.1)": [-math.inf, 0.1],
    "'a'": "a",
    "c('a', NA)": ["a", None],
    "NULL": None,
    "numeric(0)": [],
    "TRUE": True,
    "2147483647L": 2147483647.0,
    "c(a = 1, b = 2)": {"a": 1.0, "b": 2.0},
    "c(a = 1, 2)": [1.0, 2.0],
    "c(a = 1, a = 2)": [1.0, 2.0],
    "list(a = 1, b = list('x', NULL))": {"a": 1.0, "b": ["x", None]},
    "list(1, 'b')": [1.0, "b"],
    "factor(c('u', NA, 'v'))": ["u", None, "v"],
    "factor('u')": ["u"],
    "data.frame(n = 1L, f = factor('u'))": {"n": [1.0], "f": ["u"]},
    "matrix(1:6, 2)": [[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]],
    "matrix(c('a', 'b'), 1)": [["a", "b"]],
    "matrix(numeric(0), 0, 3)": [],
    "quote(x + y)": "x + y",
    "outcome ~ marker": "outcome ~ marker",
    "structure(0.5, class = 'auc')": 0.5,
    "complex(real = 1, imaginary = 2)": 1 + 2j,
    "'é'": "é",
}


@pytest.mark.parametrize("code", FROM_R)
def test_values_from_r_are_built_in(r: Any, code: str) -> None:
    found, wanted = r.evaluate(code, packages=()), FROM_R[code]
    assert repr(found) == repr(wanted)  # nan and the type of every number included


def test_doubles_cross_bit_by_bit(r: Any) -> None:
    x = np.array([0.1, -0.0, np.nan, np.inf, 5e-324, 1.7976931348623157e308, np.nextafter(1, 2)])
    back = np.array(r.evaluate("x", {"x": x}, packages=()))
    assert back.tobytes() == x.tobytes()
    assert r.evaluate("is.nan(x) & !(is.na(x) & !is.nan(x))", {"x": x}, packages=())[2]


TO_R = [
    (3, "double", 3.0),
    (np.int64(3), "double", 3.0),
    (True, "logical", True),
    ("a", "character", "a"),
    ([1, 2.5], "double", [1.0, 2.5]),
    ([True, False], "logical", [True, False]),
    (["a", None], "character", ["a", None]),
    ([1.0, None], "double", [1.0, math.nan]),
    (np.array([1, 2]), "double", [1.0, 2.0]),
    (np.array([1, 2], dtype=np.float32), "double", [1.0, 2.0]),
    (np.array([True, False]), "logical", [True, False]),
    (np.array(["a", "b"]), "character", ["a", "b"]),
    (np.array(["a", np.nan], dtype=object), "character", ["a", None]),
    (np.arange(6.0).reshape(2, 3), "double", [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]),
    (np.arange(6.0)[::2], "double", [0.0, 2.0, 4.0]),
    (np.array([]), "double", []),
    ({"a": [1, 2], "b": {"c": "d"}}, "list", {"a": [1.0, 2.0], "b": {"c": "d"}}),
    ([[1, 2], "a"], "list", [[1.0, 2.0], "a"]),
    (None, "NULL", None),
]


@pytest.mark.parametrize(("value", "kind", "back"), TO_R, ids=[repr(v)[:30] for v, _, _ in TO_R])
def test_values_to_r(r: Any, value: Any, kind: str, back: Any) -> None:
    found = r.evaluate("list(kind = typeof(x), back = x)", {"x": value}, packages=())
    assert repr(found) == repr({"kind": kind, "back": back})


def test_pandas_crosses(r: Any) -> None:
    pd = pytest.importorskip("pandas")
    found = r.evaluate(
        "list(x, y)", {"x": pd.Series([1, 2]), "y": pd.Series(["a", None])}, packages=()
    )
    assert found == [[1.0, 2.0], ["a", None]]


@pytest.mark.parametrize("value", [2**53 + 1, np.array([2**60]), object(), np.zeros((2, 2, 2))])
def test_what_cannot_cross_is_refused(r: Any, value: Any) -> None:
    with pytest.raises(rs.RBridgeError, match=r"sent to R.*\.$"):
        r.evaluate("x", {"x": value}, packages=())


# --- The session --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("stop('no such\n  thing.')", r"^R stopped: no such thing\.$"),
        ("1 +", r"^R stopped: .*unexpected end of input.*\.$"),
        ("unknown_name", r"^R stopped: object 'unknown_name' not found\.$"),
        ("roc(c(0, 1), c(1, 2, 3), quiet = TRUE)", r"^R stopped: Response and predictor .*\.$"),
        ("function(x) x", r"^R returned an object of type clo, .*\.$"),
        ("set.seed('x')", r"^R stopped: .*\.$"),
    ],
)
@pytest.mark.filterwarnings("ignore::rocstats.RWarning")
def test_r_errors_are_one_sentence(r: Any, code: str, sentence: str) -> None:
    with pytest.raises(rs.RBridgeError, match=sentence):
        r.evaluate(code)
    assert r.evaluate("1 + 1") == 2.0


def test_r_warnings_are_ours(r: Any) -> None:
    with pytest.warns(rs.RWarning, match=r"^R warned: careful\.$") as caught:
        assert r.evaluate("warning('careful'); warning('careful'); 3") == 3.0
    assert len(caught) == 1
    assert caught[0].filename == __file__


@pytest.mark.filterwarnings("ignore::rocstats.RWarning")
def test_r_writes_nowhere(r: Any, capfd: pytest.CaptureFixture[str]) -> None:
    noise = "print('out'); cat('out'); message('err'); warning('warn'); write('err', stderr()); "
    assert r.evaluate(noise + "readline('?')") == ""
    with pytest.raises(rs.RBridgeError):
        r.evaluate(noise + "stop('end')")
    assert capfd.readouterr() == ("", "")


def test_nothing_is_left_behind(r: Any) -> None:
    state = "list(ls(globalenv(), all.names = TRUE), search(), RNGkind())"
    before = r.evaluate(state, packages=())
    r.evaluate("made_here <- auc(roc(c(0, 1), c(1, 2), quiet = TRUE)); x + made_here", {"x": 1})
    r.evaluate("runif(3)", seed=3)
    assert r.evaluate(state, packages=()) == before


def test_no_reference_to_none_is_lost(r: Any) -> None:
    """rpy2's memoryviews lose one each, and a Python without any left ends."""
    gc.collect()  # what other tests have left holds some, and lets go of them at any time
    before = sys.getrefcount(None)
    for _ in range(300):
        r.evaluate("list(a = c(1, 2), b = 3L, c = TRUE)", {"x": np.ones(3)})
    gc.collect()
    assert sys.getrefcount(None) > before - 100


def test_seed_holds_for_one_call(r: Any) -> None:
    draw = "c(runif(1), rnorm(1), sample(100, 1))"
    first, second = r.evaluate(draw, seed=4), r.evaluate(draw, seed=5)
    assert first == r.evaluate(draw, seed=4) != second
    assert first == r.evaluate(f"set.seed(4); {draw}", seed=1)
    free = r.evaluate("runif(1)", packages=())
    r.evaluate("runif(5)", seed=9)
    assert r.evaluate("runif(1)", packages=()) != free


def test_versions_and_source(r: Any, tmp_path: Path) -> None:
    found = r.versions(("pROC", "MASS"))
    assert {"R", "pROC", "MASS", "rpy2"} <= set(found)
    assert all(re.fullmatch(r"\d+(\.\d+)+([.-].+)?", text) for text in found.values())
    code = tmp_path / "code.R"
    code.write_text("b <- a + 1\nb * 2\n")
    assert r.source(code, {"a": 2}) == 6.0


def test_any_thread_may_call(r: Any, sample: rs.ScoredSample) -> None:
    wanted = {m: rs.auc(sample, marker=m).value for m in sample.markers}
    found: list[tuple[str, float]] = []

    def work(marker: str) -> None:
        found.extend((marker, r.auc(sample, marker=marker)) for _ in range(10))
        r.from_r(r.to_r(sample, marker=marker))

    threads = [threading.Thread(target=work, args=(m,)) for m in sample.markers * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 60
    assert all(value == pytest.approx(wanted[m], rel=SAME) for m, value in found)


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {k: v for k, v in os.environ.items() if k not in ("R_HOME", "PYTHONWARNINGS")}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=inherited | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_r_starts_in_another_thread_and_leaves_signals_alone(r: Any) -> None:
    code = """
import signal, threading, rocstats as rs
def mine(*_): pass
signal.signal(signal.SIGINT, mine)
found = []
def work(): found.append(rs.rbridge.evaluate("print(1); 1 + 1"))
thread = threading.Thread(target=work); thread.start(); thread.join()
assert found == [2.0], found
assert signal.getsignal(signal.SIGINT) is mine
"""
    run = run_python(code)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_r_leaves_the_process_alone_and_parity_is_honest(r: Any) -> None:
    """Handler and environment stay, nothing is written, and no estimator of ours is loaded."""
    code = """
import os, signal, sys, rocstats as rs
signal.signal(signal.SIGINT, signal.SIG_IGN)
before = dict(os.environ)
s = rs.ScoredSample.from_arrays([1, 0, 1, 0, 1], {"a": [3, 1, 2, 2, 5], "b": [2, 1, 3, 4, 4]})
b = rs.rbridge
b.auc(s, marker="a"); b.roc_test(s); b.roc(s, marker="a"); b.from_r(b.to_r(s))
b.coords(s, marker="a").to_frame()
assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
after = {k: v for k, v in os.environ.items() if not k.startswith(("R_", "PYTHON_SESSION"))}
assert after.items() <= before.items(), set(after.items()) - set(before.items())
print(*sorted({m.split(".")[1] for m in sys.modules if m.startswith("rocstats.")}))
"""
    run = run_python(code)
    assert (run.returncode, run.stderr) == (0, "")
    loaded = set(run.stdout.split())
    assert "rbridge" in loaded
    assert not loaded & {"estimators", "inference", "resampling", "multiclass", "thresholds"}


# --- No R ---------------------------------------------------------------------------------------


def refused(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(session, "_runner", None)
    assert rs.rbridge.available() is False
    with pytest.raises(rs.RUnavailableError) as caught:
        rs.rbridge.require()
    text = str(caught.value)
    assert text.endswith(".")
    assert "\n" not in text
    return text


def test_without_rpy2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rpy2", None)
    assert refused(monkeypatch) == 'rpy2 is not installed; run pip install "rocstats[r]".'


class FfiError(Exception):
    """What cffi raises is neither an ImportError nor an OSError."""


@pytest.mark.parametrize(
    ("error", "remedy"),
    [
        (FfiError("symbol 'R_getVar' not found in library 'libR.so'"), "rpy2-rinterface<3.6.6"),
        (ImportError("_api.abi3.so: undefined symbol: R_ParentEnv"), "rpy2-rinterface<3.6.6"),
        (ModuleNotFoundError("No module named '_cffi'", name="_cffi"), "rpy2-rinterface<3.6.6"),
        (ModuleNotFoundError("no", name="rpy2.rinterface"), 'pip install "rocstats[r]"'),
        (ImportError("libR.so: cannot open shared object file"), "apt install r-base-core"),
        (RuntimeError("Unable to determine R_HOME."), "apt install r-base-core r-base-dev"),
        (ValueError("r_home is None. Try python -m rpy2.situation"), "apt install r-base-core"),
        (FileNotFoundError(2, "No such file", "Rscript"), "apt install r-base-core"),
        (StopIteration(), "apt install r-base-core"),
    ],
    ids=repr,
)
def test_every_failure_names_its_remedy(
    monkeypatch: pytest.MonkeyPatch, error: Exception, remedy: str
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(probe, "_start", fail)
    assert remedy in refused(monkeypatch)


def test_a_missing_package_is_named(r: Any) -> None:
    sentence = r'no package noSuch; run install.packages\(c\("noSuch"\)\).*r-cran-nosuch\)\.$'
    with pytest.raises(rs.RUnavailableError, match=sentence):
        r.evaluate("1", packages=("pROC", "noSuch"))
    assert not r.available(("noSuch",))


@pytest.mark.parametrize("environment", [{"PATH": ""}, {"PATH": "", "R_HOME": "/nowhere"}])
def test_without_r_for_real(environment: dict[str, str]) -> None:
    pytest.importorskip("rpy2", reason="rpy2 is not installed")
    run = run_python("import rocstats as rs; rs.rbridge.evaluate('1')", **environment)
    assert run.returncode == 1
    assert run.stdout == ""
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith("rocstats.errors.RUnavailableError: R cannot be started (")
    assert last.endswith("apt install r-base-core r-base-dev), or set R_HOME to it.")
    code = "import rocstats as rs; print(rs.rbridge.available())"
    assert (run_python(code, **environment).stdout) == "False\n"


# --- Data both ways -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("negative", "positive"), [("Good", "Poor"), (0, 1), (2, 1), (False, True), (0.5, 1.5)]
)
def test_a_sample_comes_back_as_it_went(
    r: Any, sample: rs.ScoredSample, negative: Any, positive: Any
) -> None:
    labels = [positive if p else negative for p in sample.positive]
    scores = dict(zip(sample.markers, sample.scores, strict=True))
    there = rs.ScoredSample.from_arrays(
        labels, scores, pos_label=positive, higher_is_positive={"ndka": False}
    )
    back = r.from_r(r.to_r(there))
    np.testing.assert_array_equal(back.positive, there.positive)
    assert back.scores.tobytes() == there.scores.tobytes()
    assert back.markers == there.markers
    assert back.higher_is_positive == there.higher_is_positive
    assert (back.pos_label, back.neg_label) == (positive, negative)
    assert type(back.pos_label) is type(positive)
    assert back.dropped == there.dropped
    for marker in there.markers:
        curve = r.to_r(there, marker=marker)
        asked = r.evaluate("c(as.numeric(auc(curve)), var(curve))", {"curve": curve})
        ours = rs.auc(there, marker=marker)
        assert asked == pytest.approx([ours.value, ours.variance()], rel=SAME)
        one = r.from_r(curve, marker=marker)
        assert one.markers == (marker,)
        assert r.auc(one) == r.auc(there, marker=marker)


def test_curves_of_an_r_user(r: Any, sample: rs.ScoredSample, tmp_path: Path) -> None:
    formula = r.evaluate_object("roc(outcome ~ s100b + ndka, aSAH, quiet = TRUE)")
    both = r.from_r(formula)
    assert both.markers == ("s100b", "ndka")
    np.testing.assert_array_equal(both.scores, sample.scores[:2])
    assert (both.pos_label, both.neg_label) == ("Poor", "Good")

    path = tmp_path / "curve.rds"
    gaps = "x <- aSAH$s100b; x[c(3, 9)] <- NA; y <- aSAH$outcome; y[c(3, 5)] <- NA"
    r.evaluate(
        f"{gaps}; saveRDS(roc(y, x, quiet = TRUE, levels = c('Poor', 'Good')), path); TRUE",
        {"path": str(path)},
    )
    read = r.from_r(path, marker="s100b")
    assert (read.pos_label, read.higher_is_positive) == ("Good", (False,))
    assert read.dropped.n == 3
    assert read.dropped.missing == (("response", 2), ("s100b", 2))
    assert read.positive.size == 110

    third = r.evaluate_object("roc(aSAH$gos6, aSAH$wfns, levels = c('1', '5'), direction = '>')")
    with pytest.warns(rs.RWarning, match="19 subjects of other classes than '1' and '5'"):
        assert r.from_r(third).markers == ("score",)

    numeric = r.evaluate_object("roc(c(0, 1, 1), c(1, 2, 3), quiet = TRUE)")
    assert r.from_r(numeric).pos_label == 1


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("smooth(roc(aSAH$outcome, aSAH$s100b, quiet = TRUE))", "smooth.roc"),
        ("roc(aSAH$outcome, aSAH$s100b, quiet = TRUE)$auc", "auc/numeric"),
        ("aSAH", "data.frame"),
        ("list()", "list"),
        ("1", "numeric"),
        ("NULL", "NULL"),
    ],
)
def test_other_objects_are_refused(r: Any, code: str, kind: str) -> None:
    with pytest.raises(rs.RBridgeError, match=f"A roc object of pROC.* of class {kind}.$"):
        r.from_r(r.evaluate_object(code))


def test_exchange_refuses_in_a_sentence(r: Any, tmp_path: Path) -> None:
    with pytest.raises(rs.RBridgeError, match="There is no file"):
        r.from_r(tmp_path / "none.rds")
    strangers = r.evaluate_object(
        "list(a = roc(c(0, 1), 1:2, quiet = TRUE), b = roc(c(1, 0), 1:2, quiet = TRUE))"
    )
    with pytest.raises(rs.NotPairedError, match="one by one"):
        r.from_r(strangers)
    two = r.evaluate_object("roc(outcome ~ s100b + ndka, aSAH, quiet = TRUE)")
    with pytest.raises(rs.InvalidOptionError, match="holds several"):
        r.from_r(two, marker="a")


def test_the_documented_example_runs_from_r(r: Any, tmp_path: Path) -> None:
    if not r.available(("reticulate",)):
        pytest.skip("R has no package reticulate")
    text = (ROOT / "docs" / "howto" / "from_r.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```r\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    (printed,) = re.findall(r"^```text\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    script = tmp_path / "example.R"
    script.write_text(code, encoding="utf-8")
    home = r.evaluate("R.home('bin')", packages=())
    run = subprocess.run(
        [str(Path(home) / "Rscript"), str(script)],
        env=os.environ | {"RETICULATE_PYTHON": sys.executable, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == printed
