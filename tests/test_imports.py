"""What each call loads: nothing heavy that it does not need."""

import subprocess
import sys

import pytest

HEAVY = {
    *("scipy", "scipy.special", "scipy.stats", "scipy.optimize"),
    *("scipy.interpolate", "scipy.integrate", "statsmodels", "pandas", "narwhals", "polars"),
    *("pyarrow", "matplotlib", "sklearn", "jinja2", "joblib", "tqdm"),
}
SPECIAL = {"scipy", "scipy.special"}
DATA = "[0, 1, 0, 1, 1, 0, 0, 1], [.1, .3, .4, .5, .9, .2, .35, .8]"
THREE = "[0, 1, 0, 1, 1, 0], {k: [1, 3, 4, 5, 2, i] for i, k in enumerate('abc')}"
TESTS = "[0, 1, 0, 1], {'a': [1, 0, 1, 0], 'b': [0, 1, 0, 1]}, thresholds={'a': .5, 'b': .5}"

# Call: the heavy modules that it loads.
CALLS = {
    "": set(),
    f"rs.auc({DATA})": set(),
    f"rs.auc({DATA}).confidence_interval()": SPECIAL,
    f"rs.sauc({DATA}).confidence_interval()": SPECIAL,
    f"rs.compare({THREE})": set(),
    f"rs.compare({THREE}).pairwise()": SPECIAL,
    f"rs.roc_curve({DATA})": set(),
    f"rs.roc_hull({DATA})": set(),
    f"rs.precision_recall_curve({DATA})": set(),
    f"rs.average_precision({DATA})": set(),
    f"rs.brier_score({DATA})": set(),
    f"rs.calibration({DATA})": SPECIAL,
    f"rs.calibration_curve({DATA})": SPECIAL,
    f"rs.decision_curve({DATA})": SPECIAL,
    f"rs.operating_points({DATA}).to_dict()": SPECIAL,
    f"rs.optimal_cutpoint({DATA})": SPECIAL,
    f"rs.bootstrap(rs.auc({DATA})).confidence_interval()": SPECIAL,
    f"rs.binormal_fit({DATA})": SPECIAL,
    f"rs.compare_tests({TESTS}).to_dict()": SPECIAL,
    "rs.two_sample_test([0, 1, 3], [2, 3, 4])": SPECIAL,
    "rs.sample_size_auc(0.8)": SPECIAL,
}


@pytest.mark.parametrize("call", CALLS)
def test_a_call_loads_what_it_needs(call):
    code = f"import sys, rocstats as rs; {call or 'pass'}; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True
    )
    loaded = set(run.stdout.split())
    assert loaded & HEAVY <= CALLS[call]


def test_the_area_of_a_file_loads_no_statistics_library(tmp_path):
    path = tmp_path / "small.csv"
    path.write_text("y,s\n" + "\n".join(f"{i % 2},{i * 37 % 11}" for i in range(40)))
    code = (
        "import sys; from rocstats.cli import main\n"
        f"main(['auc', {str(path)!r}, '--outcome', 'y', '--markers', 's'])\n"
        "print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.splitlines()[-1].split())
    assert "pandas" in loaded
    assert not loaded & {"statsmodels", "scipy.stats", "scipy.optimize", "matplotlib", "jinja2"}
