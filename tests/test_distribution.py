"""The wheel works from elsewhere: its data, its types and its command are in it."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_wheel_has_all_it_needs(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", str(tmp_path), str(ROOT)], check=True)
    (wheel,) = tmp_path.glob("rocstats-*.whl")
    place = tmp_path / "elsewhere"
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(place)
    assert "rocstats/py.typed" in names
    assert "rocstats/datasets/breast_cancer.csv" in names
    assert "rocstats/templates/validation.html.jinja" in names
    assert "rocstats/templates/report/report.html.jinja" in names
    assert "rocstats/validation/evidence/cases.toml" in names
    assert "rocstats/validation/evidence/__main__.py" not in names  # needs R and a checkout
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not any(name.startswith(("tests/", "docs/", "benchmarks/")) for name in names)
    run = subprocess.run(
        [sys.executable, "-m", "rocstats", "demo", "--json", "-o", "report.html"],
        cwd=place,
        env=os.environ | {"PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(json.loads(run.stdout)["analyses"]) == 3
    assert "STARD 2015" in (place / "report.html").read_text("utf-8")
    where = "import rocstats; print(rocstats.__file__)"
    found = subprocess.run(
        [sys.executable, "-c", where],
        cwd=place,
        env=os.environ | {"PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == str(place / "rocstats" / "__init__.py")
    page = place / "validation.html"
    run = subprocess.run(
        [sys.executable, "-m", "rocstats", "validate", "-o", str(page)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout  # files as released, numbers as R's
    assert "Executed by" in page.read_text("utf-8")
