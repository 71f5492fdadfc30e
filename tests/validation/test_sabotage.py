"""Issue 14, line 14: whatever is spoilt under a requirement by a millionth, the validation sees it.

A table says for every requirement what is spoilt: a number that some code returns, changed by one
part in a million. Where the code draws at random, no reference is so sharp, and the table says
what the validation does see.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import marshal
import os
import py_compile
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, is_dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest

import rocstats as rs
from rocstats.data import installed_kernel
from rocstats.studies import efficiency
from rocstats.validation import cases, expected, installation, performance, protocol
from rocstats.validation.protocol import Validation, validate

FOLDER = cases.evidence()
ROOT = Path(rs.__file__).parents[1]
MILLIONTH = 1e-6

read_cases = cache(cases.read_cases)
read_references = cache(expected.read_references)
run_study = cache(protocol.run_study)


@dataclass(frozen=True, kw_only=True)
class Spoilt:
    """What is spoilt: ``module:name``, a part of what it gives, how much, and which case looks."""

    where: str
    seen_by: str
    part: str | int | None = None
    by: float = MILLIONTH


def chance(where: str, seen_by: str, *, by: float, part: str | int | None = None) -> Spoilt:
    """Spoil what only random draws or counts show: more than a millionth is needed."""
    return Spoilt(where=where, seen_by=seen_by, by=by, part=part)


INTERVALS = "rocstats.estimates.interval_methods:METHODS"
SABOTAGE: dict[str, Spoilt] = {
    "AUC-1": Spoilt(
        where="rocstats.estimates.estimators:summarise", part="value", seen_by="auc/fawcett"
    ),
    "AUC-2": Spoilt(
        where="rocstats.estimates.estimators:summarise", part="spread_pos", seen_by="auc/fawcett"
    ),
    "AUC-3": Spoilt(where="rocstats.estimates.results:wu_variance", seen_by="variances/heavy_ties"),
    "CURVE-1": Spoilt(where="rocstats.curves.roc:RocCurve.tpr", seen_by="curve/fawcett"),
    "CI-1": Spoilt(where=f"{INTERVALS}.wald", seen_by="interval-wald/fawcett"),
    "CI-2": Spoilt(where=f"{INTERVALS}.logit", seen_by="interval-logit/fawcett"),
    "CI-3": Spoilt(where=f"{INTERVALS}.probit", seen_by="interval-forms/fawcett"),
    "CI-4": Spoilt(where=f"{INTERVALS}.newcombe", seen_by="interval-solved/fawcett"),
    "CI-5": Spoilt(where=f"{INTERVALS}.logit_t", seen_by="interval-scored/fawcett"),
    "CI-6": Spoilt(where=f"{INTERVALS}.score", seen_by="interval-auto/heavy_ties"),
    "CI-8": Spoilt(where=f"{INTERVALS}.score_t", seen_by="interval-score/heavy_ties"),
    "CI-7": Spoilt(where=f"{INTERVALS}.log_t", seen_by="interval-raw/heavy_ties"),
    "SCALE-1": Spoilt(
        where="rocstats.data.scan.count_blocks:CountBlocks._sum", seen_by="counted/fawcett"
    ),
    "SCALE-2": Spoilt(
        where="rocstats.data.scan.interval_bins:sum_products", seen_by="least-count/normal_pair"
    ),
    "SITE-1": Spoilt(
        where="rocstats.engine.table_influence:_ToldPart._sums",
        seen_by="pooled-sites/normal_pair",
    ),
    "SITE-2": Spoilt(
        where="rocstats.estimates.stratified_areas:StratifiedAuc._mean",
        seen_by="within-sites/normal_pair",
    ),
    "MONITOR-1": Spoilt(
        where="rocstats.inference.model_monitoring:adjust_pvalues", seen_by="watched/normal_pair"
    ),
    "INTAKE-1": Spoilt(
        where="rocstats.data.intake.arranging:read_table",
        part="frame",
        seen_by="intake-clean/normal_pair",
    ),
    "INTAKE-2": Spoilt(
        where="rocstats.data.intake.column_cells:read_cell",
        part="value",
        seen_by="intake-repaired/normal_pair",
    ),
    "INTAKE-3": Spoilt(
        where="rocstats.data.intake.column_cells:read_cell",
        part="either",
        seen_by="intake-asked/normal_pair",
    ),
    "FOLDS-1": Spoilt(
        where="rocstats.engine.influence:adjusted_influence",
        part=0,
        seen_by="folds-auc/normal_pair",
    ),
    "FOLDS-2": Spoilt(
        where="rocstats.estimates.results:fold_spread",
        part=0,
        seen_by="folds-patients/normal_pair",
    ),
    "FAIR-1": Spoilt(
        where="rocstats.inference.fair_groups:ordered_influence",
        part=0,
        seen_by="groups/normal_pair",
    ),
    "FAIR-2": Spoilt(
        where="rocstats.inference.binary.unpaired_rates:UnpairedScore.limits",
        part=0,
        seen_by="groups/normal_pair",
    ),
    "CMP-1": Spoilt(
        where="rocstats.engine.precision_influence:precision_influence",
        part=1,
        seen_by="compared-precision/normal_pair",
    ),
    "CMP-2": Spoilt(
        where="rocstats.engine.forecasts:Forecasts.mean_influence",
        part="values",
        seen_by="compared-brier/prob_exact",
    ),
    "WEIGHT-1": Spoilt(
        where="rocstats.engine.influence:ordered_influence",
        part=0,
        seen_by="weighted-auc/normal_pair",
    ),
    "WEIGHT-2": Spoilt(
        where="rocstats.engine.influence:_with_nuisance",
        part="values",
        seen_by="verified-auc/normal_pair",
    ),
    "WEIGHT-4": Spoilt(
        where="rocstats.engine.influence:Influence._design_terms",
        seen_by="survey-auc/normal_pair",
    ),
    "WEIGHT-5": Spoilt(
        where="rocstats.engine.influence:_with_nuisance",
        part="values",
        seen_by="survey-verified/normal_pair",
    ),
    "WEIGHT-3": Spoilt(
        where="rocstats.engine.influence:adjusted_influence",
        part=0,
        seen_by="adjusted-auc/normal_pair",
    ),
    "SURV-1": Spoilt(
        where="rocstats.survival.area_estimators:area_at", seen_by="survival/four_markers"
    ),
    "SURV-2": Spoilt(
        where="rocstats.survival.concordance_estimators:concordance_of",
        part=0,
        seen_by="survival/four_markers",
    ),
    "SURV-3": Spoilt(
        where="rocstats.survival.rate_estimators:influence_of",
        part="estimate",
        seen_by="survival/four_markers",
    ),
    "COV-1": Spoilt(
        where="rocstats.engine.influence:Influence.covariance", seen_by="covariance/heavy_ties"
    ),
    "COV-2": Spoilt(
        where="rocstats.engine.influence:Influence.covariance", seen_by="joint/prob_exact"
    ),
    "COV-3": Spoilt(
        where="rocstats.engine.influence:Influence.covariance_terms",
        seen_by="clusters/clustered_lesions",
    ),
    "TEST-1": Spoilt(
        where="rocstats.inference.contrasts:tail_probability", seen_by="paired/heavy_ties"
    ),
    "TEST-2": Spoilt(
        where="rocstats.inference.contrasts:satterthwaite_df", seen_by="paired-t/heavy_ties"
    ),
    "TEST-3": Spoilt(
        where="rocstats.inference.independent:_proc_df", seen_by="unpaired/normal_pair"
    ),
    "TEST-4": Spoilt(
        where="rocstats.inference.omnibus:refer_quadratic",
        part="pvalue",
        seen_by="omnibus/four_markers",
    ),
    "TEST-5": Spoilt(
        where="rocstats.inference.comparison:adjust_pvalues", seen_by="multiplicity/four_markers"
    ),
    "TEST-6": Spoilt(
        where="rocstats.inference.margins:tail_probability", seen_by="margins/heavy_ties"
    ),
    "TEST-7": Spoilt(
        where="rocstats.resampling.permutation:_pvalue", seen_by="permutation/five_against_five"
    ),
    "TEST-8": chance(  # a whole number
        "rocstats.resampling.venkatraman:_errors_apart", "venkatraman/normal_pair", by=0.5
    ),
    "TEST-11": Spoilt(
        where="rocstats.engine.null_variance:NullVariance.variance_at", seen_by="at-null/heavy_ties"
    ),
    "TEST-12": Spoilt(
        where="rocstats.inference.comparison:judge_omnibus",
        part="statistic",
        seen_by="omnibus-at-null/four_markers",
    ),
    "TEST-9": Spoilt(
        where="rocstats.inference.contrasts:satterthwaite_df", seen_by="unpaired-t/normal_pair"
    ),
    "TEST-10": Spoilt(
        where="rocstats.inference.omnibus:refer_quadratic",
        part="statistic",
        seen_by="omnibus-f/four_markers",
    ),
    "BINARY-1": Spoilt(
        where="rocstats.inference.binary.paired_rates:mcnemar_statistic",
        seen_by="binary-rates/normal_pair",
    ),
    "BINARY-2": Spoilt(
        where="rocstats.inference.binary.rate_differences:restricted_deviation",
        seen_by="binary-limits/normal_pair",
    ),
    "BINARY-3": Spoilt(
        where="rocstats.inference.binary.predictive_scores:_over",
        seen_by="binary-values/normal_pair",
    ),
    "BINARY-4": Spoilt(
        where="rocstats.engine.influence:Influence.covariance", seen_by="binary-joint/normal_pair"
    ),
    "READ-1": Spoilt(
        where="rocstats.readers.obuchowski_rockette:_hillis", seen_by="readers/four_markers"
    ),
    "READ-2": Spoilt(where="rocstats.readers.pair_moments:_bandos", seen_by="readers/four_markers"),
    "READ-3": Spoilt(
        where="rocstats.readers.stand_alone:mean_scatter",
        part="std_error",
        seen_by="readers/four_markers",
    ),
    "BOOT-1": chance(
        "rocstats.resampling.bootstrapping:BootstrapResult._std_error",
        "bootstrap-spread/normal_pair",
        by=0.05,
    ),
    "BOOT-2": Spoilt(
        where="rocstats.resampling.bootstrapping:BootstrapResult._std_error",
        seen_by="bootstrap-limits/normal_pair",
    ),
    "SAUC-1": Spoilt(
        where="rocstats.estimates.estimators:summarise", part="value", seen_by="sauc/fawcett"
    ),
    "SMAUC-1": Spoilt(
        where="rocstats.engine.evaluation:Plane.components", part=0, seen_by="smauc/fawcett"
    ),
    "SMAUC-2": Spoilt(
        where="rocstats.engine.evaluation:Plane.chance", seen_by="smauc-balanced/fawcett"
    ),
    "SMAUC-3": Spoilt(
        where="rocstats.engine.evaluation:Plane.midpoint_slope",
        seen_by="smauc-class-mean/prob_near_half",
    ),
    "POINT-1": Spoilt(
        where="rocstats.thresholds.two_by_two:Diagnostic.evaluate", part=0, seen_by="points/fawcett"
    ),
    "POINT-2": Spoilt(
        where="rocstats.thresholds.two_by_two:proportion_limits",
        seen_by="point-intervals/normal_pair",
    ),
    "POINT-3": Spoilt(
        where="rocstats.thresholds.fixed_rate:heights", seen_by="fixed-rates/normal_pair"
    ),
    "POINT-4": Spoilt(
        where="rocstats.thresholds.two_by_two:Diagnostic.evaluate",
        part=0,
        seen_by="cutpoints/normal_pair",
    ),
    "POINT-5": Spoilt(
        where="rocstats.thresholds.diagnostics:_log_limits", seen_by="predictive/normal_pair"
    ),
    "POINT-6": Spoilt(
        where="rocstats.thresholds.cutpoints:_worth", seen_by="cutpoint-criteria/normal_pair"
    ),
    "PAUC-1": Spoilt(where="rocstats.engine.windows:Window.scale", seen_by="partial/heavy_ties"),
    "PAUC-2": Spoilt(
        where="rocstats.estimates.estimators:summarise",
        part="spread_neg",
        seen_by="partial-variance/heavy_ties",
    ),
    "SMOOTH-1": Spoilt(
        where="rocstats.curves.binormal:least_squares_line", seen_by="binormal/normal_pair"
    ),
    "SMOOTH-2": Spoilt(
        where="rocstats.curves.binormal_likelihood:information",
        seen_by="binormal-likelihood/ct_ratings",
    ),
    "SMOOTH-3": Spoilt(where="rocstats.curves.smoothing:nrd0", seen_by="kernel/normal_pair"),
    "MULTI-1": Spoilt(
        where="rocstats.multiclass.class_areas:class_areas",
        part="value",
        seen_by="multiclass/normal_pair",
    ),
    "MULTI-2": Spoilt(
        where="rocstats.multiclass.class_areas:scatter_of",
        seen_by="multiclass-variance/normal_pair",
    ),
    "MULTI-3": Spoilt(
        where="rocstats.multiclass.class_pairs:_pooled_entries",
        part=0,
        seen_by="multiclass-rest/four_markers",
    ),
    "PR-2": Spoilt(
        where="rocstats.curves.precision_recall:PrecisionRecallCurve.interpolated_area",
        seen_by="interpolated-precision/fawcett",
    ),
    "DET-1": Spoilt(where="rocstats.curves.detection_error:DetCurve.fnr", seen_by="det/fawcett"),
    "PROB-4": Spoilt(
        where="rocstats.probabilities.interventions:avoided", seen_by="interventions/prob_exact"
    ),
    "PR-1": Spoilt(
        where="rocstats.engine.precision_influence:precision_influence",
        part=0,
        seen_by="average-precision/fawcett",
    ),
    "PROB-1": Spoilt(
        where="rocstats.probabilities.recalibration:fit_line",
        part="coefficients",
        seen_by="calibration/prob_calibrated",
    ),
    "PROB-2": Spoilt(
        where="rocstats.estimates.quantities:Quantity.value", seen_by="brier/prob_exact"
    ),
    "WMW-1": Spoilt(
        where="rocstats.twosample.testing:exact_rank_pvalue", seen_by="rank-sum-exact/fawcett"
    ),
    "T-1": Spoilt(where="rocstats.twosample.studentized:tail", seen_by="t-tests/normal_pair"),
    "KS-1": Spoilt(
        where="rocstats.twosample.kolmogorov_smirnov:_largest_step",
        seen_by="other-two-sample/normal_pair",
    ),
    "SAUC-2": Spoilt(
        where="rocstats.twosample.scored_sums:Answers", part="pvalue", seen_by="sauc-test/fawcett"
    ),
    "SAUC-3": Spoilt(
        where="rocstats.twosample.testing:_NULLS.exact",
        part="pvalue",
        seen_by="sauc-test-exact/fawcett",
    ),
    "SAUC-4": Spoilt(
        where="rocstats.twosample.testing:_NULLS.permutation",
        part="pvalue",
        seen_by="sauc-test-count/normal_pair",
    ),
    "HULL-1": Spoilt(where="rocstats.curves.hull:RocHull.area", seen_by="hull/fawcett"),
    "MIX-1": Spoilt(
        where="rocstats.curves.mixture:MixedClassifier.fpr", seen_by="mixing/normal_pair"
    ),
    "AVG-1": Spoilt(
        where="rocstats.curves.averaging:AverageCurve.tpr_std_error",
        seen_by="averaging/normal_pair",
    ),
    "BAND-1": Spoilt(where="rocstats.curves.bands:kolmogorov_reach", seen_by="bands/fawcett"),
    "BAND-2": Spoilt(where="rocstats.curves.bands:displacements", seen_by="bands-fixed/"),
    "BAND-3": chance("rocstats.curves.bands:spacing_heights", "bands-drawn/", by=0.1),
    "MEAS-1": Spoilt(
        where="rocstats.consistency.consistency_result:_share", seen_by="measures/five"
    ),
    "MEAS-2": Spoilt(
        where="rocstats.consistency.list_criteria:Ranked.value", seen_by="measures-given/five"
    ),
    "SELECT-1": Spoilt(
        where="rocstats.studies.selection_result:sign_test_p", seen_by="selection/five"
    ),
    "POWER-1": Spoilt(
        where="rocstats.studies.power_studies:adjusted_powers", seen_by="power-study/five"
    ),
    "POWER-2": Spoilt(
        where="rocstats.studies.efficiency:quantile_grid", part="value", seen_by="efficiency/"
    ),
    "PLAN-1": Spoilt(
        where="rocstats.planning.plans:power_of", seen_by="planning-power/normal_pair"
    ),
    "PLAN-2": Spoilt(
        where="rocstats.planning.sauc_targets:ramp_mean", seen_by="planning-sauc/normal_pair"
    ),
    "SMAUC-4": Spoilt(
        where="rocstats.engine.influence:Influence.covariance",
        seen_by="midpoint-curve/prob_exact",
    ),
    "PROB-3": Spoilt(
        where="rocstats.probabilities.net_benefit_limits:square_and_add",
        part=0,
        seen_by="net-benefit-limits/prob_exact",
    ),
}
# What a process of its own computes is spoilt there, by a module that Python starts with.
STUDY: dict[str, str] = {
    "STUDY-1": """
import rocstats.estimates.estimators as here
real = here.summarise
def summarise(*given):
    found = real(*given)
    return found._replace(spread_pos=found.spread_pos * (1 + 1e-6))
here.summarise = summarise
""",
    "REPORT-1": """
import rocstats.reports.facts as here
real = here.json_text
here.json_text = lambda value: str(float(real(value)) * (1 + 1e-6))
""",
    "REPORT-1, as printed": """
import rocstats.reports.facts as here
real = here.FORMATS["est"]
here.FORMATS["est"] = lambda value: real(value + 0.001)
""",
}


def nudged(value: Any, part: str | int | None, by: float) -> Any:
    """Return the value, or a part of it, a little larger."""
    if isinstance(part, str) and hasattr(value, "_replace"):
        return value._replace(**{part: nudged(getattr(value, part), None, by)})
    if part is not None and is_dataclass(value):
        return replace(value, **{part: nudged(getattr(value, part), None, by)})
    if part is not None:
        return tuple(nudged(v, None, by) if i == part else v for i, v in enumerate(value))
    if isinstance(value, tuple):
        return tuple(nudged(v, None, by) for v in value)
    if isinstance(value, dict):
        return {k: nudged(v, None, by) for k, v in value.items()}
    return value if value is None or isinstance(value, (str, bool)) else value * (1.0 + by)


def spoil(monkeypatch: pytest.MonkeyPatch, spoilt: Spoilt) -> None:
    """Put something in the place of a function, method, property or entry of a table."""
    module, _, name = spoilt.where.partition(":")
    owner: Any = importlib.import_module(module)
    first, _, last = name.partition(".")
    if last:
        owner, first = getattr(owner, first), last
    real: Any = owner[first] if isinstance(owner, dict) else vars(owner)[first]
    names = ("fget", "func", "limits")
    call: Callable[..., Any] = next((getattr(real, n) for n in names if hasattr(real, n)), real)

    def instead(*given: Any, **options: Any) -> Any:
        return nudged(call(*given, **options), spoilt.part, spoilt.by)

    if is_dataclass(real) and not isinstance(real, type):  # an interval method
        monkeypatch.setitem(owner, first, replace(real, limits=instead))
    elif isinstance(owner, dict):
        monkeypatch.setitem(owner, first, instead)
    else:
        is_attribute = isinstance(real, (property, cached_property))
        monkeypatch.setattr(owner, first, property(instead) if is_attribute else instead)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at numbers only; what is read from files is read once."""
    monkeypatch.setattr(protocol, "read_cases", read_cases)
    monkeypatch.setattr(protocol, "read_references", read_references)
    monkeypatch.setattr(protocol, "run_study", run_study)
    monkeypatch.setattr(protocol, "check_files", lambda folder: [])
    monkeypatch.setattr(protocol, "check_bytecode", list)


def verdict_on(name: str, seen_by: str) -> tuple[Validation, list[str]]:
    """Return the answer, and the cases of the requirement in which a number was wrong."""
    (requirement,) = [r for r in cases.read_requirements(FOLDER) if r.name == name]
    result = validate(watch=lambda listed: [c for c in listed if c.name.startswith(seen_by)])
    wrong = [
        r.case
        for r in result.results
        if r.quantity in requirement.quantities and any(not n.passed for n in r.numbers)
    ]
    return result, wrong


def test_every_requirement_is_sabotaged() -> None:
    studies = {name.partition(",")[0] for name in STUDY}
    assert set(SABOTAGE) | studies == {r.name for r in cases.read_requirements(FOLDER)}
    blunt = {name for name, spoilt in SABOTAGE.items() if spoilt.by > MILLIONTH}
    assert blunt == {"TEST-8", "BOOT-1", "BAND-3"}


@pytest.fixture
def forget() -> Iterator[Callable[[], None]]:
    """Let nothing that was computed before stand for what is computed now."""
    clear = efficiency._efficacy.cache_clear
    clear()
    yield clear
    clear()


@pytest.mark.parametrize("name", SABOTAGE)
def test_sabotage_is_seen(
    name: str, monkeypatch: pytest.MonkeyPatch, forget: Callable[[], None]
) -> None:
    monkeypatch.setattr(installed_kernel, "kernel", lambda: None)  # what is spoilt is what computes
    spoilt = SABOTAGE[name]
    before, wrong = verdict_on(name, spoilt.seen_by)
    assert before.operation
    assert wrong == []
    forget()
    with monkeypatch.context() as patched:
        spoil(patched, spoilt)
        after, wrong = verdict_on(name, spoilt.seen_by)
    assert wrong, after.failures()


@pytest.mark.parametrize("name", STUDY)
def test_sabotage_of_the_study_is_seen(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(STUDY[name], encoding="utf-8")
    known = os.environ.get("PYTHONPATH")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(tmp_path), known])))
    monkeypatch.setattr(protocol, "run_study", performance.run_study)
    _, wrong = verdict_on(name.partition(",")[0], "nothing else")
    assert wrong == ["study/breast_cancer"]


def test_every_definition_in_r_is_asked_for() -> None:
    asked = (FOLDER / "cases.toml").read_text("utf-8")
    for file in ("oracle_curves.R", "oracle_tests.R"):
        code = (FOLDER / file).read_text("utf-8")
        defined = re.findall(r"^(\w+) <- function", code, re.MULTILINE)
        assert len(defined) > 5
        for name in defined:
            used = len(re.findall(rf"\b{name}\b", code)) > 1 or re.search(rf"\b{name}\b", asked)
            assert used, name


# ---------------------------------------------------------------------------------- cached bytecode

DOCTORED = "twosample/scored_sums.py"
LOOK = """
import json
from rocstats.validation import protocol
protocol.run_study = dict
found = protocol.validate(watch=lambda all: [c for c in all if c.name == "sauc-test/fawcett/score"])
print(json.dumps({
    "bytecode": [c.observed for c in found.installation if c.name == "bytecode"],
    "files": [c.observed for c in found.installation if c.name == "files"],
    "numbers": [r.verdict for r in found.operation],
}))
"""


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The package, its templates and its evidence, where its bytecode may be spoilt."""
    for name in ("rocstats", "templates", "validation"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def look(root: Path, *options: str) -> dict[str, list[str]]:
    """Validate that copy, in a process of its own."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(
        [sys.executable, "-P", *options, "-c", LOOK],
        env=environment | {"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
        cwd=root,
    )
    answer: dict[str, list[str]] = json.loads(done.stdout)
    return answer


def doctor(path: Path, mode: str) -> None:
    """Cache the bytecode of another source, so that Python takes it for that of this one."""
    source = path.read_text("utf-8")
    assert "pvalue = ndtr(-z)" in source
    other = source.replace("pvalue = ndtr(-z)", "pvalue = 1.000001 * ndtr(-z)")
    cached = Path(importlib.util.cache_from_source(path))
    cached.parent.mkdir(exist_ok=True)
    if mode == "unchecked":
        twin = path.with_name("twin.py")
        twin.write_text(other, encoding="utf-8")
        unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(str(twin), cfile=str(cached), doraise=True, invalidation_mode=unchecked)
        twin.unlink()
        return
    stat = path.stat()
    words = (0, int(stat.st_mtime), stat.st_size)
    header = importlib.util.MAGIC_NUMBER + b"".join(w.to_bytes(4, "little") for w in words)
    cached.write_bytes(header + marshal.dumps(compile(other, str(path), "exec")))


@pytest.mark.parametrize("mode", ["stamped", "unchecked"])
def test_doctored_bytecode_is_seen(copied: Path, mode: str) -> None:
    doctor(copied / "rocstats" / DOCTORED, mode)
    found = look(copied)
    assert found["numbers"] == ["fail"]  # it is what runs
    assert f"rocstats/{DOCTORED} was changed" not in found["files"]  # and no hash says so
    (sentence,) = found["bytecode"]
    assert sentence.startswith(f"the cached bytecode of rocstats/{DOCTORED} is not that of its sou")
    beside = look(copied, "-X", f"pycache_prefix={copied / 'elsewhere'}")
    assert beside["numbers"] == ["pass"]
    assert beside["bytecode"][0].endswith("modules run what their source says")


def test_bytecode_of_an_older_source_is_no_fault(copied: Path) -> None:
    """Python does not run it, so it is not held against the installation."""
    path = copied / "rocstats" / DOCTORED
    doctor(path, "stamped")
    os.utime(path, (1.0, 1.0))
    found = look(copied)
    assert found["numbers"] == ["pass"]
    assert found["bytecode"][0].endswith("modules run what their source says")


def test_looking_at_bytecode_leaves_no_file_behind(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installation, "PACKAGE", copied / "rocstats")
    assert [check.verdict for check in installation.check_bytecode()] == ["pass"]
    assert not list(copied.rglob("__pycache__"))
