"""The data and the R oracle of the validation: files, declarations, and R's brute force numbers."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import rocstats as rs
from rocstats.estimates.interval_methods import METHODS

# Degenerate sets are wanted for their numbers; warnings have tests of their own.
pytestmark = pytest.mark.filterwarnings("ignore::rocstats.RocstatsWarning")

RELATIVE = 1e-12  # some hundred roundings of 1.1e-16 each, in either language
ABSOLUTE = 1e-14  # what cancellation leaves of terms of size 1: a few dozen ulps
LARGEST = 1_500_000  # bytes; the folder is copied with the source

VALIDATION = Path(__file__).parents[2] / "validation"
FOLDER = VALIDATION / "datasets"
BUNDLED: dict[str, Any] = tomllib.loads((FOLDER / "datasets.toml").read_text(encoding="utf-8"))
LIVE: dict[str, Any] = tomllib.loads((FOLDER / "live.toml").read_text(encoding="utf-8"))
README = (FOLDER / "README.md").read_text(encoding="utf-8")


class Table(NamedTuple):
    """A data set: labels, markers as they were given, and clusters."""

    positive: np.ndarray
    scores: dict[str, np.ndarray]
    low: list[str]
    cluster: list[str] | None = None

    def sample(self) -> rs.ScoredSample:
        return rs.ScoredSample.from_arrays(
            self.positive.astype(int),
            self.scores,
            cluster=self.cluster,
            higher_is_positive={name: name not in self.low for name in self.scores},
        )

    def part(self, chosen: slice) -> rs.ScoredSample:
        """Return some of the subjects, without clusters."""
        scores = {name: column[chosen] for name, column in self.scores.items()}
        return Table(self.positive[chosen], scores, self.low).sample()


def text_of(name: str) -> list[dict[str, str]]:
    with (FOLDER / BUNDLED[name]["file"]).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def table_of(name: str) -> Table:
    declared, rows = BUNDLED[name], text_of(name)
    scores = {m: np.array([float(row[m]) for row in rows]) for m in declared["markers"]}
    positive = np.array([row[declared["outcome"]] == str(declared["positive"]) for row in rows])
    cluster = [row[declared["cluster"]] for row in rows] if "cluster" in declared else None
    return Table(positive, scores, declared.get("lower_is_positive", []), cluster)


# ------------------------------------------------------------------------- files and declarations


def test_files_and_declarations_are_of_the_same_sets() -> None:
    assert {path.stem for path in FOLDER.glob("*.csv")} == set(BUNDLED)
    assert not set(BUNDLED) & set(LIVE)
    assert len(BUNDLED) >= 28
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < LARGEST


@pytest.mark.parametrize("name", BUNDLED)
def test_columns_and_labels_are_as_declared(name: str) -> None:
    declared, rows = BUNDLED[name], text_of(name)
    ids = [declared[key] for key in ("cluster", "subject") if key in declared]
    assert declared["file"] == f"{name}.csv"
    assert list(rows[0]) == [declared["outcome"], *declared["markers"], *ids]
    assert 1 <= len(declared["markers"]) <= 4
    labels = {row[declared["outcome"]] for row in rows}
    assert str(declared["positive"]) in labels
    assert labels in ({"0", "1"}, {"sick", "well"})
    assert len(rows) <= 2100
    table = table_of(name)
    scores = np.array(list(table.scores.values()))
    assert np.isfinite(scores).all()
    assert (scores.min() >= 0.0 and scores.max() <= 1.0) == declared.get("unit", False)
    assert set(table.low) <= set(table.scores)
    if "subject" in declared:
        subjects = [row[declared["subject"]] for row in rows]
        assert len(set(subjects)) == len(subjects)


def shown(declared: dict[str, Any]) -> str:
    low = declared.get("lower_is_positive", [])
    return ", ".join(f"{m} (low is positive)" if m in low else m for m in declared["markers"])


def readme_rows() -> Iterator[str]:
    for name, declared in BUNDLED.items():
        positive = table_of(name).positive
        n_pos = int(positive.sum())
        cells = [f"`{name}`", f"{positive.size} ({n_pos}/{positive.size - n_pos})", shown(declared)]
        cells += [declared[key] for key in ("why", "source", "licence", "citation")]
        yield f"| {' | '.join(cells)} |"
    for name, declared in LIVE.items():
        cells = [f"`{name}`", shown(declared)]
        cells += [declared[key] for key in ("source", "licence", "why")]
        yield f"| {' | '.join(cells)} |"


def test_readme_says_what_the_declarations_say() -> None:
    written = [line for line in README.splitlines() if line.startswith("| `")]
    assert written == list(readme_rows())


def test_real_sets_name_a_licence_and_a_source() -> None:
    for declared in BUNDLED.values():
        if "real" in declared["traits"]:
            assert declared["licence"].startswith("CC BY 4.0")
            assert re.search(r"doi:10\.24432/C5\w{4}$", declared["citation"])
        assert len({"made", "published", "real"} & set(declared["traits"])) == 1


def traits_of(table: Table) -> set[str]:
    """Return the traits that can be read off the data."""
    positive, columns = table.positive, [x + 0.0 for x in table.scores.values()]  # -0 becomes 0
    sample = table.sample()
    areas = [rs.auc(sample, marker=name) for name in table.scores]
    sizes = np.abs(np.concatenate(columns))
    raw = np.concatenate(list(table.scores.values()))
    zeros = np.signbit(raw[raw == 0.0])
    facts = {
        "continuous": all(np.unique(x).size == x.size for x in columns),
        "ties": any(np.intersect1d(x[positive], x[~positive]).size for x in columns),
        "near_ties": any(np.isin(np.nextafter(x, np.inf), x).any() for x in columns),
        "binary": all(np.unique(x).size == 2 for x in columns),
        "degenerate": any(not area.std_error > 0.0 for area in areas),
        "small": positive.size <= 10,
        "large": positive.size > 1000,
        "imbalanced": 10 * min(sample.n_pos, sample.n_neg) < positive.size,
        "extreme": bool((sizes > 1e200).any() or (sizes[sizes > 0.0] < 1e-200).any()),
        "clustered": table.cluster is not None,
        "below_chance": any(area.value < 0.4 for area in areas),
        "lower_is_positive": bool(table.low),
        "signed_zeros": np.unique(zeros).size == 2,
    }
    return {trait for trait, true in facts.items() if true}


def check_traits(table: Table, declared: dict[str, Any]) -> None:
    traits = set(declared["traits"])
    assert traits <= set(re.findall(r"\w+", README.partition("## Traits")[2]))
    if "ordinal" in traits:
        assert all(np.unique(x).size <= 10 for x in table.scores.values())
    by_word = {"made", "published", "real", "ordinal", "text"}
    by_word |= {"offset", "correlated", "skewed", "duplicates"}
    assert traits - by_word == traits_of(table)


@pytest.mark.parametrize("name", BUNDLED)
def test_traits_are_those_of_the_data(name: str) -> None:
    declared = BUNDLED[name]
    check_traits(table_of(name), declared)
    assert ("text" in declared["traits"]) == isinstance(declared["positive"], str)


def test_published_sets_are_the_packages_own() -> None:
    own = {
        "ct_ratings": rs.datasets.load_ct_ratings(),
        "fawcett": rs.datasets.load_fawcett(),
        "wu_flach": rs.datasets.load_wu_flach(),
        "wu_flach_ferri": rs.datasets.load_wu_flach_ferri(),
    }
    assert set(own) == {name for name, d in BUNDLED.items() if "published" in d["traits"]}
    for name, sample in own.items():
        assert np.array_equal(table_of(name).positive, sample.positive)
        assert np.array_equal(list(table_of(name).scores.values()), sample.scores)


# ----------------------------------------------------------------------------------------- with R


@cache
def missing_packages(packages: tuple[str, ...]) -> str:
    names = ", ".join(f'"{name}"' for name in packages)
    test = f"have <- vapply(c({names}), requireNamespace, TRUE, quietly = TRUE)"
    return run_r("-e", f"{test}; cat(names(have)[!have])")


def run_r(*arguments: str, packages: tuple[str, ...] = ()) -> str:
    if shutil.which("Rscript") is None:
        pytest.skip("needs Rscript, which is not on the path")
    if packages and (lacking := missing_packages(packages)):
        pytest.skip(f"needs the R packages {lacking}")
    run = subprocess.run(["Rscript", *arguments], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def numbers_of(lines: str) -> dict[str, np.ndarray]:
    """Read lines of a key and its numbers, in decimal or hexadecimal notation."""
    pairs = (line.split() for line in lines.splitlines())
    read = {True: float.fromhex, False: float}
    return {key: np.array([read["0x" in v](v) for v in values]) for key, *values in pairs}


def bits(column: np.ndarray) -> list[int]:
    return column.astype(np.float64).view(np.int64).tolist()


def test_the_script_writes_the_same_bytes(tmp_path: Path) -> None:
    script = str(VALIDATION / "make_datasets.R")
    run_r(script, str(tmp_path), packages=("mlbench", "kernlab"))
    written = {path.stem: path.read_bytes() for path in tmp_path.glob("*.csv")}
    assert set(written) == set(BUNDLED)
    for name, content in written.items():
        assert content == (FOLDER / f"{name}.csv").read_bytes(), name


def test_python_and_r_read_the_same_bits() -> None:
    lines = run_r(
        "-e",
        """
        for (file in commandArgs(trailingOnly = TRUE)) {
          x <- Filter(is.numeric, read.csv(file))
          for (name in names(x)) {
            cat(paste(basename(file), name, sep = "/"), sprintf("%a", as.numeric(x[[name]])), "\\n")
          }
        }
        """,
        *(str(FOLDER / declared["file"]) for declared in BUNDLED.values()),
    )
    read = numbers_of(lines)
    for name in BUNDLED:
        for marker, column in table_of(name).scores.items():
            assert bits(column) == bits(read[f"{name}.csv/{marker}"]), (name, marker)


@cache
def live_tables() -> dict[str, Table]:
    code = ["show <- function(key, x) cat(key, sprintf('%a', x), '\\n')"]
    for name, declared in LIVE.items():
        code += [
            f"set <- {declared['expression']}",
            "stopifnot(identical(names(set), c('y', 'markers')), is.numeric(set$y))",
            f"show('{name}/y', set$y)",
            f"for (k in names(set$markers)) show(paste0('{name}/', k), set$markers[[k]])",
        ]
    packages = tuple(sorted({declared["package"] for declared in LIVE.values()}))
    read = numbers_of(run_r("-e", "\n".join(code), packages=packages))
    tables = {}
    for name, declared in LIVE.items():
        columns = {k.partition("/")[2]: v for k, v in read.items() if k.startswith(f"{name}/")}
        assert set(np.unique(columns["y"])) == {0.0, 1.0}
        positive = columns.pop("y") == 1.0
        tables[name] = Table(positive, columns, declared.get("lower_is_positive", []))
    return tables


@pytest.mark.parametrize("name", LIVE)
def test_live_sets_are_as_declared(name: str) -> None:
    declared, table = LIVE[name], live_tables()[name]
    assert list(table.scores) == declared["markers"]
    assert all(np.isfinite(x).all() for x in table.scores.values())
    counted = re.search(r"(?:all|the) (\d+)", declared["source"])
    assert counted is None or int(counted[1]) == table.positive.size
    check_traits(table, declared)


# ------------------------------------------------------------------------------------- the oracle

SMOOTH: dict[str, dict[str, Any]] = {
    "smauc": {},
    "smauc_quarter": {"midpoint": 0.25},
    "smauc_paper": {"midpoint": "paper"},
    "smauc_class_mean": {"midpoint": "class_mean"},
    "smauc_balanced": {"class_weight": "balanced"},
    "smauc_paper_balanced": {"midpoint": "paper", "class_weight": "balanced"},
    "smauc_weighted": {"midpoint": "class_mean", "class_weight": 0.3},
}
INTERVALS = {
    "auc": (
        *("wald_t", "logit", "probit", "arcsine", "hanley-mcneil", "newcombe", "kl"),
        *("score", "score_t"),
    ),
    "sauc": ("wald", "log", "log_t"),
    "unit": ("wald", "logit_t", "probit", "arcsine"),
}
LEVEL = 0.9
DRIVER = """
given <- commandArgs(trailingOnly = TRUE)
source(given[1])
data <- read.csv(given[2])
markers <- strsplit(given[3], ",")[[1]]
unit <- given[4] == "unit"
level <- 0.9

say <- function(value, ...) cat(paste(..., sep = "."), sprintf("%.17g", unlist(value)), "\\n")
tell <- function(found, ...) for (name in names(found)) say(found[[name]], ..., name)

pos <- data[data$y == 1, ]
neg <- data[data$y == 0, ]
cluster <- if ("cluster" %in% names(data)) list(pos = pos$cluster, neg = neg$cluster)
smooth <- function(...) function(pos, neg) oracle_smauc(pos, neg, ...)
measures <- list(auc = oracle_auc, sauc = oracle_sauc)
if (unit) {
  measures <- c(measures, list(
    smauc = smooth(), smauc_quarter = smooth(0.25), smauc_paper = smooth("paper"),
    smauc_class_mean = smooth("class_mean"), smauc_balanced = smooth(balanced = TRUE),
    smauc_paper_balanced = smooth("paper", balanced = TRUE),
    smauc_weighted = smooth("class_mean", prevalence = 0.3)
  ))
}
intervals <- list(
  auc = c("wald_t", "logit", "probit", "arcsine", "hanley-mcneil", "newcombe", "kl", "score",
    "score_t"),
  sauc = c("wald", "log", "log_t"), unit = c("wald", "logit_t", "probit", "arcsine")
)

rows <- list()
for (marker in markers) {
  for (measure in names(measures)) {
    row <- measures[[measure]](pos[[marker]], neg[[marker]])
    rows[[paste(marker, measure)]] <- row
    within <- c("variance", "std_error", "cohort_variance") # not for clusters
    hidden <- c("midpoint_slope", if (!is.null(cluster)) within)
    tell(row[setdiff(names(row), hidden)], marker, measure)
    kind <- sub("_.*", "", measure)
    for (method in intervals[[if (unit && kind != "auc") "unit" else kind]]) {
      tell(oracle_interval(row, method, level, cluster), marker, measure, method)
    }
    auto <- oracle_auto_method(row, kind, unit, cluster)
    say(match(auto, c("score", "logit", "log_t", "logit_t", "kl")), marker, measure, "auto")
  }
  for (measure in c("auc", "sauc")) {
    if (is.null(cluster)) {
      for (method in c("delong", "wu", "unbiased", "quadruples")) {
        say(oracle_variance(pos[[marker]], neg[[marker]], measure, method), marker, measure, method)
      }
    }
  }
}

joint <- if (is.null(cluster)) oracle_covariance(rows) else oracle_cluster_covariance(rows, cluster)
tell(joint[c("covariance", "pos", "neg", "across", "units")], "joint")
df <- oracle_satterthwaite(c(joint$pos[1, 1], joint$neg[1, 1]), joint$units)
say(if (is.null(cluster)) df else min(df, joint$clusters - 1), "satterthwaite")

for (measure in names(measures)) {
  of <- rows[paste(markers, measure)]
  for (reference in c("t", "normal")) {
    tell(oracle_contrast(of, c(1, -1), cluster, reference), measure, reference)
  }
  tell(oracle_contrast(of, c(1, -0.5), cluster, alternative = "less", null_value = 0.25,
    level = level), measure, "less")
  tell(oracle_contrast(of, c(1, -1), cluster, alternative = "greater"), measure, "greater")
  tell(oracle_omnibus(of, cluster), measure, "chi2")
  tell(oracle_omnibus(of, cluster, reference = "F"), measure, "F")
}
of <- c(rows[paste(markers[1], c("auc", "sauc"))], rows[paste(markers[2], c("auc", "sauc"))])
tell(oracle_omnibus(of, cluster, cbind(diag(2), -diag(2)), "F"), "both")

odd <- seq_len(nrow(data)) %% 2 == 1
half <- function(marker, chosen, measure) {
  score <- data[[marker]][chosen]
  measure(score[data$y[chosen] == 1], score[data$y[chosen] == 0])
}
aucs <- rows[paste(markers, "auc")]
tell(oracle_at_null(aucs, cluster, level), "at_null")
if (length(markers) > 2) tell(oracle_omnibus_at_null(aucs), "omnibus_at_null")
tell(oracle_independent_at_null(half(markers[1], odd, oracle_auc), half(markers[2], !odd,
  oracle_auc), level), "halves_at_null")
for (measure in c("auc", "sauc")) {
  for (reference in c("t", "normal", "proc")) {
    first <- half(markers[1], odd, measures[[measure]])
    second <- half(markers[2], !odd, measures[[measure]])
    tell(oracle_independent(first, second, reference), "halves", measure, reference)
  }
}
"""
EXCHANGES = """
given <- commandArgs(trailingOnly = TRUE)
source(given[1])
data <- read.csv(given[2])
say <- function(value, ...) cat(paste(..., sep = "."), sprintf("%.17g", value), "\\n")
pos <- data[data$y == 1, ]
neg <- data[data$y == 0, ]
pairs <- (seq_len(nrow(data)) + 1) %/% 2
units <- list(alone = NULL, pairs = list(pos = pairs[data$y == 1], neg = pairs[data$y == 0]))
measures <- list(auc = oracle_auc, sauc = oracle_sauc, smauc = oracle_smauc)
for (unit in names(units)) {
  for (measure in names(measures)) {
    for (studentized in c(FALSE, TRUE)) {
      found <- oracle_permutation_bandos(pos[[2]], neg[[2]], pos[[3]], neg[[3]],
        measures[[measure]], units[[unit]], studentized)
      for (name in names(found)) say(found[[name]], unit, measure, as.integer(studentized), name)
    }
  }
}
"""


def test_every_oracle_function_is_compared() -> None:
    code = (VALIDATION / "oracle.R").read_text(encoding="utf-8")
    defined = set(re.findall(r"^(oracle_\w+) <- ", code, re.MULTILINE))
    by_name = set(re.findall(r"oracle_\w+", code.partition("\noracle_interval <- ")[2])) & defined
    by_name -= {"oracle_auto_method"}
    called = set(re.findall(r"oracle_\w+", DRIVER + EXCHANGES))
    assert called | by_name == defined
    named = {method for methods in INTERVALS.values() for method in methods}
    assert named | {"delong"} == set(METHODS)  # pROC's own, which is Wald's cut to [0, 1]


def measures_of(unit: bool) -> list[Any]:
    smooth = [rs.smooth_auc(name=name, **options) for name, options in SMOOTH.items()]
    return ["auc", rs.scored_auc(), *(smooth if unit else [])]


def of_estimate(e: rs.Estimate, components: np.ndarray, unit: bool) -> Iterator[tuple[str, Any]]:
    """Yield what the oracle says of one marker by one measure."""
    kind, positive = e.measure.name.partition("_")[0], e.sample.positive
    yield "value", e.value
    yield "v10", components[positive]
    yield "v01", components[~positive]
    for name, value in e.details.items():
        if name != "class_weight":
            yield name, value
    for method in INTERVALS["unit" if unit and kind != "auc" else kind]:
        limits = e.confidence_interval(confidence_level=LEVEL, method=method)
        yield f"{method}.low", limits.low
        yield f"{method}.high", limits.high
    chosen = e.confidence_interval().method
    chosen = "logit_t" if chosen == "score_t" else chosen  # of smAUC (7.11), by its old name in R
    yield "auto", ("score", "logit", "log_t", "logit_t", "kl").index(chosen) + 1
    if e.sample.cluster is None:
        yield "variance", e.variance()
        yield "std_error", e.std_error
        if kind == "smauc":
            plain = e.measure.has_fixed_midpoint and e.measure.class_weight is None
            yield "cohort_variance", e.variance(method="cohort") if plain else np.nan
        else:
            for name in ("delong", "wu", "unbiased"):
                yield name, e.variance(method=name)
            yield "quadruples", e.variance(method="unbiased")


def of_test(row: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in row.items():
        if isinstance(value, float) and name not in ("conf_level", "null_value", "p_delong"):
            yield name, value


def of_comparison(compared: rs.Comparison) -> Iterator[tuple[str, Any]]:
    def contrast(*weights: float, level: float = 0.95, **options: Any) -> dict[str, Any]:
        (test,) = compared.contrast(weights, method="delong", **options).tests
        return dict(test.statement(confidence_level=level).row)

    tests = {
        "t": contrast(1.0, -1.0, reference="t"),
        "normal": contrast(1.0, -1.0, reference="normal"),
        "less": contrast(1.0, -0.5, alternative="less", null_value=0.25, level=LEVEL),
        "greater": contrast(1.0, -1.0, alternative="greater"),
        "chi2": compared.omnibus(reference="chi2").statement().row,
        "F": compared.omnibus(reference="F", method="delong").statement().row,
    }
    for test, row in tests.items():
        for name, value in of_test(row):
            yield f"{test}.{name}", value


def at_null(given: Any) -> Iterator[tuple[str, float]]:
    """Yield what the oracle says of a difference of AUCs, of one sample or of two."""

    def judge(null: float = 0.0, side: Any = "two-sided") -> rs.TestResult:
        if isinstance(given, rs.Comparison):
            (test,) = given.contrast([1.0, -1.0], null_value=null, alternative=side).tests
            return test
        return given(null_value=null, alternative=side)

    test = judge()
    limits = test.confidence_interval(confidence_level=LEVEL)
    yield "statistic", test.statistic
    yield "df", test.df
    yield "p_value", test.pvalue
    yield "conf_low", limits.low
    yield "conf_high", limits.high
    above = judge(-0.1, "greater").pvalue
    yield "noninferiority", above
    yield "superiority", judge(0.1, "greater").pvalue
    yield "equivalence", max(above, judge(0.1, "less").pvalue)


def by_rocstats(name: str) -> dict[str, Any]:
    """Return what the driver prints, by rocstats."""
    unit, table = BUNDLED[name].get("unit", False), table_of(name)
    sample = table.sample()
    estimates = rs.estimate(sample, measures=measures_of(unit))
    influence = estimates.influence
    found: dict[str, Any] = {}
    for e, values in zip(estimates.rows, influence.values, strict=True):
        for key, value in of_estimate(e, e.value + values, unit):
            found[f"{e.classifier}.{e.measure.name}.{key}"] = value
    neg, pos, across = influence.covariance_terms()
    joint = {"covariance": influence.covariance(), "pos": pos, "neg": neg, "across": across}
    found |= {f"joint.{key}": matrix.ravel() for key, matrix in joint.items()}  # symmetric
    found["joint.units"] = influence.units()[::-1]
    found["satterthwaite"] = estimates.rows[0].scatter[1]
    for measure in measures_of(unit):
        compared = rs.compare(sample, measure=measure)
        for key, value in of_comparison(compared):
            found[f"{compared.rows[0].measure.name}.{key}"] = value
    both = rs.compare(sample, measure=("auc", "sauc")).omnibus(reference="F")
    found |= {f"both.{key}": value for key, value in of_test(both.statement().row)}
    halves = table.part(slice(None, None, 2)), table.part(slice(1, None, 2))
    for key, value in at_null(rs.compare(sample)):
        found[f"at_null.{key}"] = value
    pair = [rs.auc(h, marker=m) for h, m in zip(halves, sample.markers, strict=True)]
    for key, value in at_null(partial(rs.compare_independent, *pair)):
        found[f"halves_at_null.{key}"] = value
    for measure in (rs.auc, rs.sauc):
        pair = [measure(h, marker=m) for h, m in zip(halves, sample.markers, strict=True)]
        for reference in ("t", "normal", "proc"):
            test = rs.compare_independent(*pair, reference=reference, method="delong")
            for key, value in of_test(test.statement().row):
                found[f"halves.{measure.__name__}.{reference}.{key}"] = value
    return found


def assert_agree(ours: dict[str, Any], theirs: dict[str, np.ndarray]) -> None:
    assert set(ours) == set(theirs)
    for key, value in ours.items():
        got = np.atleast_1d(np.asarray(value, dtype=np.float64))
        np.testing.assert_allclose(got, theirs[key], rtol=RELATIVE, atol=ABSOLUTE, err_msg=key)


@pytest.mark.parametrize("name", ["heavy_ties", "prob_exact", "clustered_prob", "wu_flach_ferri"])
def test_oracle_and_rocstats_agree(name: str) -> None:
    declared = BUNDLED[name]
    unit = "unit" if declared.get("unit") else "free"
    markers = ",".join(declared["markers"])
    paths = str(VALIDATION / "oracle.R"), str(FOLDER / declared["file"])
    assert_agree(by_rocstats(name), numbers_of(run_r("-e", DRIVER, *paths, markers, unit)))


@pytest.mark.parametrize("name", ["two_against_three", "wu_flach"])  # with and without ties
def test_oracle_and_rocstats_agree_on_exchanges(name: str) -> None:
    table = table_of(name)
    pairs = [str(k // 2) for k in range(table.positive.size)]
    found: dict[str, Any] = {}
    for unit, cluster in (("alone", None), ("pairs", pairs)):
        sample = table._replace(cluster=cluster).sample()
        for measure in ("auc", "sauc", "smauc"):
            for studentized in (False, True):
                options = {"measure": measure, "studentized": studentized}
                result = rs.permutation_test(sample, **options)
                key = f"{unit}.{measure}.{int(studentized)}"
                for part in ("estimate", "std_error", "statistic"):
                    found[f"{key}.{part}"] = getattr(result, part)
                found[f"{key}.n_permutations"] = result.n_resamples
                for alternative in ("two-sided", "less", "greater"):
                    test = rs.permutation_test(sample, alternative=alternative, **options)
                    found[f"{key}.p_{alternative.replace('-', '_')}"] = test.pvalue
    paths = str(VALIDATION / "oracle.R"), str(FOLDER / f"{name}.csv")
    assert_agree(found, numbers_of(run_r("-e", EXCHANGES, *paths)))
