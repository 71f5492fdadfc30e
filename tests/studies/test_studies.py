"""Power studies: the designs, the numbers against exact ones, and how a study runs."""

import csv
import functools
import itertools
import json
import math
import warnings
from pathlib import Path

import joblib
import numpy as np
import pytest
from scipy import integrate, stats

import rocstats as rs
from rocstats.studies.batch_tests import TESTS, batch_of_test
from rocstats.studies.efficiency import noncentrality
from rocstats.studies.families import FAMILIES
from rocstats.studies.power_studies import adjusted_powers
from rocstats.studies.power_words import contests, verdict
from rocstats.studies.presets import PRESETS

PRINTED = 0.5  # of the last digit printed in STATISTICS.md 5.4
VALID = 3.0  # Monte-Carlo standard errors that a valid test's size may be off
CLEAR = 4.0  # Monte-Carlo standard errors: one test in 16 000 is beyond by chance
SWITCHED = 0.001  # a few p-values of 4000 that rounding moves across the level on another machine
QUADRATURE = 1e-6  # of the grid, against adaptive quadrature


def normal_shift(n_pos=12, n_neg=12, effect=1.0):
    return rs.two_sample_design("normal", effect=effect, n_pos=n_pos, n_neg=n_neg)


# ------------------------------------------------------------------------------------- efficiencies


@pytest.mark.parametrize(
    ("family", "alternative", "printed"),
    [
        ("normal", "location", "1.047"),
        ("uniform", "location", "1.000"),
        ("logistic", "location", "0.912"),
        ("t5", "location", "0.806"),
        ("laplace", "location", "0.667"),
        ("t3", "location", "0.526"),
        ("exponential", "location", "0.333"),
        ("lognormal", "location", "0.136"),
        ("exponential", "scale", "1.333"),
        ("gamma", "scale", "1.19"),
    ],
)
def test_efficiencies_are_those_printed(family, alternative, printed):
    digit = 10.0 ** -len(printed.split(".")[1])
    found = rs.pitman_efficiency(family, alternative)
    assert abs(found - float(printed)) <= PRINTED * digit * 1.001
    assert rs.pitman_efficiency(family, alternative, test="t") == pytest.approx(found, rel=1e-12)


@pytest.mark.parametrize(
    ("family", "alternative", "printed"),
    [
        ("normal", "location", (1.01, 1.01)),
        ("uniform", "location", (0.98, 0.98)),
        ("logistic", "location", (0.87, 0.87)),
        ("laplace", "location", (0.62, 0.62)),
        ("exponential", "location", (0.21, 0.57)),
        ("exponential", "scale", (1.32, 1.29)),
        ("normal", "lehmann", (0.86, 1.25)),
    ],
)
def test_efficiencies_with_unequal_sizes(family, alternative, printed):
    found = [rs.pitman_efficiency(family, alternative, share_pos=s) for s in (0.25, 0.75)]
    assert found == pytest.approx(printed, abs=0.01 * PRINTED * 1.001)


def test_efficiency_against_adaptive_quadrature():
    """The normal law, a quarter positives, score by score."""
    normal = stats.norm

    def away(z):
        return z * (2.0 * normal.cdf(z) - 1.0) + 2.0 * normal.pdf(z)

    def mean(f):
        return integrate.quad(lambda z: f(z) * normal.pdf(z), -12, 12, epsabs=1e-12)[0]

    centre = mean(away)
    spread = mean(lambda z: (z + 0.5 * (away(z) - centre)) ** 2)
    change = mean(lambda z: 1.0 + 0.5 * (2.0 * normal.cdf(z) - 1.0))
    wanted = change**2 / spread / (12.0 * mean(normal.pdf) ** 2)
    assert rs.pitman_efficiency("normal", share_pos=0.25) == pytest.approx(wanted, abs=QUADRATURE)


def test_noncentrality_is_the_inverse_of_power():
    for two_sided in (True, False):
        away = np.array([0.3, 1.0, 2.2, 4.0])
        bar = stats.norm.isf(0.025 if two_sided else 0.05)
        power = stats.norm.sf(bar - away) + two_sided * stats.norm.cdf(-bar - away)
        assert noncentrality(power, 0.05, two_sided=two_sided) == pytest.approx(away, abs=1e-9)
    assert np.isnan(noncentrality(np.array([0.04, 1.0]), 0.05)).all()


# ------------------------------------------------------------------------------------------ designs


@pytest.mark.parametrize("family", FAMILIES)
def test_draws_follow_the_law(family):
    law = rs.Law(family=family, location=0.3, scale=1.5)
    rng = np.random.default_rng(7)
    values = law.draw(rng, (4000,))
    if FAMILIES[family].link is not None:
        assert ((values > 0.0) & (values < 1.0)).all()
        values = np.log(values / (1.0 - values))
    assert stats.kstest(values, lambda x: 1.0 - law.tail(x)).pvalue > 1e-4


@pytest.mark.parametrize("changes", [{"lehmann": 2.5}, {"location": 1.0, "share": 0.4}])
@pytest.mark.parametrize("family", ["normal", "contaminated", "beta"])
def test_raised_and_mixed_laws(family, changes):
    law = rs.Law(family=family, **changes)
    values = law.draw(np.random.default_rng(11), (4000,))
    assert stats.kstest(values, lambda x: 1.0 - law.tail(x)).pvalue > 1e-4


def test_area_of_a_design():
    assert normal_shift(effect=0.8).auc() == pytest.approx(
        stats.norm.cdf(0.8 / math.sqrt(2.0)), abs=QUADRATURE
    )
    raised = rs.two_sample_design("t3", "lehmann", 3.0, n_pos=5, n_neg=5)
    assert raised.auc() == pytest.approx(0.75, abs=QUADRATURE)  # k / (k + 1)
    scaled = rs.two_sample_design("exponential", "scale", 2.0, n_pos=5, n_neg=5)
    assert scaled.auc() == pytest.approx(2.0 / 3.0, abs=QUADRATURE)


def test_designs_are_values():
    one, two = normal_shift(), normal_shift()
    assert one == two
    assert hash(one) == hash(two)
    assert one.digest == two.digest != normal_shift(effect=1.1).digest
    assert one.null.positives == one.null.negatives == one.negatives
    assert json.loads(json.dumps(one.to_dict()))["n_pos"] == 12
    named = rs.TwoSampleDesign(
        positives=one.positives, negatives=one.negatives, n_pos=12, n_neg=12, name="mine"
    )
    assert named == one
    assert one.effect == "location 1"
    assert one.null.effect == "none"
    mixed = rs.two_sample_design("beta", "mixture", 0.5, n_pos=5, n_neg=5)
    assert mixed.effect == "location 0.5; share 0.4"
    assert named.digest == one.digest


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rs.Law(family="norml"), "Did you mean 'normal'"),
        (lambda: rs.Law(family="normal", scale=0.0), "scale must be a positive number"),
        (lambda: rs.Law(family="normal", location=math.nan), "location must be a finite number"),
        (lambda: rs.Law(family="normal", share=1.5), "share must lie"),
        (lambda: rs.Law(family="beta", shape=(1.0,)), "2 positive numbers"),
        (lambda: rs.two_sample_design("normal", n_pos=1, n_neg=5), "n_pos must be a whole"),
        (lambda: rs.two_sample_design("normal", "shape", n_pos=5, n_neg=5), "no shape"),
        (lambda: rs.two_sample_design("normal", "scale", n_pos=9, n_neg=9), "name an effect"),
        (lambda: rs.pitman_efficiency("normal", "mixture"), "vanishes with its effect"),
        (lambda: rs.power_study([]), "At least one design"),
        (lambda: rs.power_study("normal"), "design must be a TwoSampleDesign"),
        (lambda: rs.power_study(normal_shift(), tests=["wmw"]), "tests must be one of"),
        (lambda: rs.power_study(normal_shift(), tests=["t", "t"]), "different tests"),
        (lambda: rs.power_study(normal_shift(), n_replicates=1.5), "n_replicates must be"),
        (lambda: rs.power_study(normal_shift(), n_replicates=math.inf), "n_replicates must be"),
        (lambda: rs.power_study(normal_shift(), n_jobs=0), "n_jobs must be"),
        (lambda: rs.power_study(normal_shift(), n_jobs="all"), "n_jobs must be"),
        (lambda: rs.power_study(normal_shift(), n_jobs=math.inf), "n_jobs must be"),
        (lambda: rs.power_study(None), "design must be a TwoSampleDesign"),
        (lambda: rs.power_study(normal_shift(), tests=None), "tests must be one of"),
        (lambda: rs.power_study(normal_shift(), checkpoint=5.5), "checkpoint must be a str"),
        (
            lambda: rs.power_study(normal_shift(), tests=[lambda x, y: ["a"] * len(x)], n_jobs=1),
            "must return p-values",
        ),
        (lambda: rs.power_study(normal_shift(), rng="seed"), "rng must be"),
        (lambda: rs.power_study(normal_shift(), significance=5), "significance must lie"),
        (lambda: rs.power_study(normal_shift(), versus="t"), "versus must be one of"),
    ],
)
def test_what_cannot_be_meant_is_refused(call, words):
    with pytest.raises(rs.InvalidOptionError, match=words):
        call()


def test_any_significance_has_an_adjusted_power():
    null = np.linspace(0.01, 1.0, 100)[np.newaxis]
    power, covariance = adjusted_powers(null, null, 0.9)
    assert power == pytest.approx([0.9])
    assert covariance == pytest.approx(2.0 * np.var(null <= 0.9, ddof=1) / null.size)  # slope 1


# --------------------------------------------------------------------------- against exact numbers


def row_of(study, test):
    return next(row for row in study.rows() if row["test"] == test)


@pytest.mark.parametrize("sizes", [(12, 12), (8, 20)])
def test_power_of_student_against_the_noncentral_t(sizes):
    m, n = sizes
    study = rs.power_study(
        normal_shift(m, n), tests=["t", "welch"], n_replicates=4000, rng=3, n_jobs=1
    )
    df, away = m + n - 2, math.sqrt(m * n / (m + n))
    bar = stats.t.isf(0.025, df)
    wanted = stats.nct.sf(bar, df, away) + stats.nct.cdf(-bar, df, away)
    row = row_of(study, "t")
    assert abs(row["power"] - wanted) < CLEAR * row["power_std_error"]
    assert abs(row["adjusted_power"] - wanted) < CLEAR * row["adjusted_power_std_error"]
    assert abs(row["size"] - 0.05) < CLEAR * math.sqrt(0.05 * 0.95 / 4000)
    if m == n:  # Welch's test has nearly the power of Student's
        assert abs(row_of(study, "welch")["power"] - wanted) < 0.02


def lehmann_probability(labels, k):
    """Probability that ordered values have these labels, positives following F**k."""
    rates = [k if label else 1.0 for label in labels]
    chance = math.factorial(sum(labels)) * math.factorial(len(labels) - sum(labels))
    for rate, total in zip(rates, itertools.accumulate(rates), strict=True):
        chance *= rate / total
    return chance


def test_power_of_wmw_by_enumeration():
    """Five and five, all 252 orders, under Lehmann's alternative and under the null."""
    m = n = 5
    k = 4.0
    orders = [
        [i in chosen for i in range(m + n)] for chosen in itertools.combinations(range(m + n), m)
    ]
    x = np.array([[i for i, label in enumerate(o) if label] for o in orders], dtype=float)
    y = np.array([[i for i, label in enumerate(o) if not label] for o in orders], dtype=float)
    pvalues = batch_of_test("auc", x, y, alternative="two-sided", rng=np.random.default_rng(0))
    chances = np.array([lehmann_probability(order, k) for order in orders])
    assert chances.sum() == pytest.approx(1.0, abs=1e-12)
    design = rs.two_sample_design("logistic", "lehmann", k, n_pos=m, n_neg=n)
    study = rs.power_study(design, tests=["auc"], n_replicates=4000, rng=5, n_jobs=1)
    (row,) = study.rows()
    for name, wanted in (
        ("power", chances[pvalues <= 0.05].sum()),
        ("size", np.mean(pvalues <= 0.05)),
    ):
        assert abs(row[name] - wanted) < CLEAR * math.sqrt(wanted * (1.0 - wanted) / 4000)
    # the test that randomises where p is tied, so that its size is exact
    levels = np.unique(pvalues)
    reached = np.array([np.mean(pvalues <= level) for level in levels])
    limit = int(np.searchsorted(reached, 0.05 - 1e-12))
    below = reached[limit - 1] if limit else 0.0
    share = (0.05 - below) / (reached[limit] - below)
    exact = chances[pvalues < levels[limit]].sum() + share * chances[pvalues == levels[limit]].sum()
    assert abs(row["adjusted_power"] - exact) < CLEAR * row["adjusted_power_std_error"]


def test_permutation_of_relabelings_keeps_its_size():
    """With 3 and 3, all 20 relabelings are likely among 999, and p is near the exact one."""
    rng = np.random.default_rng(8)
    x, y = rng.exponential(size=(20, 3)), rng.exponential(size=(20, 3))
    found = batch_of_test("sauc-permutation", x, y, alternative="greater", rng=rng)

    def score(first, second):
        return np.maximum(np.subtract.outer(first, second), 0.0).mean()

    for p, first, second in zip(found, x, y, strict=True):
        pool = np.concatenate([first, second])
        scores = []
        for chosen in itertools.combinations(range(6), 3):
            inside = np.isin(np.arange(6), chosen)
            scores.append(score(pool[inside], pool[~inside]))
        exact = np.mean(np.array(scores) >= score(first, second) - 1e-12)
        # a binomial of 999, and the +1 of both counts
        assert abs(p - exact) < CLEAR * math.sqrt(exact * (1.0 - exact) / 999) + 0.0011


@pytest.mark.parametrize("test", ["auc", "t", "welch", "sauc-permutation"])
def test_size_where_a_test_is_valid(test):
    """Each keeps its level on 25 and 25 logistic values; asymptotic sAUC is somewhat liberal."""
    replicates = 500 if test == "sauc-permutation" else 4000
    design = rs.two_sample_design("logistic", effect=0.0, n_pos=25, n_neg=25)
    study = rs.power_study(design, tests=[test], n_replicates=replicates, rng=21, n_jobs=1)
    (row,) = study.rows()
    assert row["size"] == row["power"]  # a design without effect is its own null
    assert abs(row["size"] - 0.05) < VALID * math.sqrt(0.05 * 0.95 / replicates)


def test_size_adjusted_power_is_the_height_of_a_roc_curve():
    rng = np.random.default_rng(2)
    null, found = rng.random((2, 400)), rng.beta(0.3, 1.0, (2, 300))
    null[1], found[1] = np.round(null[1], 1), np.round(found[1], 1)
    power, covariance = adjusted_powers(found, null, 0.05)
    for i in range(2):
        truth = np.repeat([1, 0], [300, 400])
        curve = rs.roc_curve(truth, -np.concatenate([found[i], null[i]]))
        assert power[i] == pytest.approx(np.interp(0.05, curve.fpr, curve.tpr), abs=1e-12)
    assert covariance[0, 0] > power[0] * (1.0 - power[0]) / 300  # the null's share comes on top


@pytest.mark.slow
def test_standard_errors_are_those_of_repeated_studies():
    """The spread of 60 studies of 500 replicates, against the mean standard error."""
    design = rs.two_sample_design("exponential", "scale", n_pos=20, n_neg=20)
    rows = [
        rs.power_study(design, tests=["auc", "t"], n_replicates=500, rng=i, n_jobs=1).rows()[1]
        for i in range(60)
    ]
    for name in ("adjusted_power", "difference", "efficiency"):
        spread = np.std([row[name] for row in rows], ddof=1)
        claimed = math.sqrt(np.mean([row[f"{name}_std_error"] ** 2 for row in rows]))
        assert 0.7 < spread / claimed < 1.4  # chi-square with 59 df: 4 of its standard errors


@pytest.mark.slow
def test_subjects_for_equal_power():
    """WMW with the number of subjects named has the power that t has."""
    design = rs.two_sample_design("exponential", "scale", n_pos=40, n_neg=40)
    first = row_of(
        rs.power_study(design, tests=["auc", "t"], n_replicates=4000, rng=4, n_jobs=1), "t"
    )
    each = round(first["n_equal"] / 2.0)
    larger = rs.TwoSampleDesign(
        positives=design.positives, negatives=design.negatives, n_pos=each, n_neg=each
    )
    second = rs.power_study(larger, tests=["auc"], n_replicates=4000, rng=5, n_jobs=1).rows()[0]
    error = math.hypot(first["adjusted_power_std_error"], second["adjusted_power_std_error"])
    assert abs(first["adjusted_power"] - second["adjusted_power"]) < CLEAR * error + 0.01


@pytest.mark.slow
def test_simulation_has_the_order_of_the_theory():
    families = ["normal", "logistic", "laplace", "exponential", "lognormal"]
    designs = [rs.two_sample_design(f, n_pos=100, n_neg=100) for f in families]
    designs.append(rs.two_sample_design("exponential", "scale", n_pos=100, n_neg=100))
    study = rs.power_study(designs, tests=["auc", "sauc"], n_replicates=2000, rng=9, n_jobs=1)
    rows = [row for row in study.rows() if row["test"] == "sauc"]
    theory = [row["asymptotic_efficiency"] for row in rows]
    assert np.argsort([row["efficiency"] for row in rows]).tolist() == np.argsort(theory).tolist()
    won = {c.design: c.outcome for c in contests(study.rows(), "sauc")}
    assert won["exponential scale"] == "beats"
    assert {won[f"{f} shift"] for f in ("exponential", "lognormal")} == {"loses"}


# --------------------------------------------------------------------------------- how a study runs


DESIGNS = [normal_shift(6, 6), rs.two_sample_design("laplace", effect=1.0, n_pos=5, n_neg=9)]
ask = functools.partial(
    rs.power_study, DESIGNS, tests=["auc", "sauc-permutation"], n_replicates=600
)


def pvalues(study):
    return [part for cell in study.cells for part in (cell.pvalues, cell.null_pvalues)]


def same(one, two):
    pairs = list(zip(pvalues(one), pvalues(two), strict=True))
    return all(np.array_equal(a, b) for a, b in pairs) and len(pairs) > 0


def test_any_number_of_workers_gives_the_same_numbers():
    alone = ask(rng=1, n_jobs=1)
    assert same(alone, ask(rng=1, n_jobs=2))
    assert not same(alone, ask(rng=2, n_jobs=1))
    assert same(
        alone,
        rs.power_study(
            DESIGNS,
            tests=["auc", "sauc-permutation"],
            n_replicates=600,
            rng=alone.entropy,
            n_jobs=1,
        ),
    )


def test_other_designs_and_tests_change_nothing():
    alone = rs.power_study(DESIGNS[1], tests=["sauc-permutation"], n_replicates=600, rng=1)
    together = ask(rng=1)
    assert np.array_equal(alone.cells[0].pvalues[0], together.cells[1].pvalues[1])


def test_a_backend_of_the_users():
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert same(ask(rng=1), ask(rng=1, n_jobs=1))


@pytest.mark.parametrize("processes", [False, True])
def test_a_dask_cluster(processes):
    import distributed

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of dask's own
        with (
            distributed.LocalCluster(
                n_workers=1, threads_per_worker=2, processes=processes, dashboard_address=None
            ) as cluster,
            distributed.Client(cluster),
            joblib.parallel_config(backend="dask"),
        ):
            there = ask(rng=1, n_jobs=-1)
    assert same(there, ask(rng=1, n_jobs=1))


def test_checkpoint_and_resume(tmp_path):
    file = tmp_path / "study.jsonl"
    whole = ask(rng=1)
    assert same(whole, ask(rng=1, checkpoint=file))
    lines = file.read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + 4 * 3  # two designs, two nulls, three chunks
    file.write_bytes(b"".join(lines[:6]) + lines[6][:40])  # killed while it wrote
    assert same(whole, ask(rng=1, checkpoint=file))
    assert file.read_bytes().splitlines()[:6] == [line.rstrip() for line in lines[:6]]
    before = file.read_bytes()
    assert same(whole, ask(rng=None, checkpoint=file))  # the file knows its seed
    assert file.read_bytes() == before  # nothing was left to do


def test_checkpoint_of_more_replicates(tmp_path):
    file = tmp_path / "study.jsonl"
    few = functools.partial(rs.power_study, DESIGNS, tests=["auc"], rng=1, checkpoint=file)
    few(n_replicates=300)
    assert same(
        few(n_replicates=500), rs.power_study(DESIGNS, tests=["auc"], rng=1, n_replicates=500)
    )


def test_checkpoint_of_something_else(tmp_path):
    file = tmp_path / "study.jsonl"
    ask(rng=1, checkpoint=file)
    with pytest.raises(rs.InvalidOptionError, match="of another study: its entropy is 1"):
        ask(rng=2, checkpoint=file)
    with pytest.raises(rs.InvalidOptionError, match="its tests is"):
        rs.power_study(DESIGNS, tests=["auc"], rng=1, checkpoint=file)
    other = tmp_path / "notes.txt"
    for text in ("my notes\n", "my notes", "[1]\n"):
        other.write_text(text)
        with pytest.raises(rs.InvalidOptionError, match="not a checkpoint"):
            ask(rng=1, checkpoint=other)
        assert other.read_text() == text
    with pytest.raises(rs.InvalidOptionError, match="cannot be used"):
        ask(rng=1, checkpoint=tmp_path)


class Stopping:
    """A test that is interrupted at its n-th call."""

    __name__ = "stopping"

    def __init__(self, calls):
        self.calls = calls

    def __call__(self, x, y):
        self.calls -= 1
        if self.calls < 0:
            raise KeyboardInterrupt
        return stats.ttest_ind(x, y, axis=1).pvalue


def test_interruption_gives_what_is_finished(tmp_path):
    file = tmp_path / "study.jsonl"
    run = functools.partial(rs.power_study, DESIGNS, n_replicates=600, rng=1, checkpoint=file)
    with pytest.warns(rs.InterruptedStudyWarning, match=r"after 1500 of 2400 replicates.*keeps"):
        part = run(tests=[Stopping(6)], n_jobs=1)
    assert [row["n_replicates"] for row in part.rows()] == [500, 250]
    whole = run(tests=[Stopping(99)], n_jobs=1)
    assert np.array_equal(whole.cells[0].pvalues[:, :500], part.cells[0].pvalues)
    file.unlink()
    assert same(whole, run(tests=[Stopping(99)], n_jobs=1))
    with pytest.raises(KeyboardInterrupt):  # nothing finished: nothing to give
        rs.power_study(DESIGNS, tests=[Stopping(0)], n_replicates=600, rng=1, n_jobs=1)


def test_a_users_own_test_must_return_pvalues():
    with pytest.raises(rs.InvalidOptionError, match="must return a p-value"):
        rs.power_study(DESIGNS, tests=[lambda x, y: np.zeros(3)], n_replicates=5, rng=1, n_jobs=1)


# ------------------------------------------------------------------------------- words and pictures


@pytest.fixture(scope="module")
def study():
    designs = [
        rs.two_sample_design("lognormal", n_pos=25, n_neg=25),
        rs.two_sample_design("exponential", "scale", n_pos=15, n_neg=45),
        normal_shift(10, 10, 0.0),
    ]
    return rs.power_study(designs, tests=TESTS, n_replicates=500, rng=6, n_jobs=1)


def test_results_as_tables(study):
    frame = study.to_frame()
    assert len(frame) == 3 * len(TESTS)
    assert (frame.loc[frame["test"] == "auc", "efficiency"].dropna() == 1.0).all()
    assert {"size", "power", "adjusted_power", "n_equal"} < set(frame.columns)
    assert json.loads(json.dumps(study.to_dict()))["n_replicates"] == 500
    assert "lognormal shift" in repr(study)
    assert study._repr_html_().startswith("<p>Power study: 3 designs")
    assert study._repr_html_().count("<tr>") == 1 + 3 * len(TESTS)
    unequal = frame[(frame["n_pos"] == 15) & (frame["test"] == "sauc")]
    assert unequal["asymptotic_efficiency"].isna().all()


def test_verdict_in_words(study):
    text = " ".join(verdict(study))
    name = "sAUC (normal approximation)"
    assert (
        f"With equal sizes, {name} loses to WMW in 1 of 2 alternatives: lognormal shift -" in text
    )
    assert (
        f"With fewer positives, {name} beats WMW in 1 of 1 alternatives: exponential scale +"
        in text
    )
    assert "no difference beyond 3" in text
    assert "WMW 0.0" in text


def test_every_row_and_sentence_names_where_the_p_values_of_sauc_come_from(study):
    frame = study.to_frame()
    said = dict(zip(frame["test"], frame["null_distribution"], strict=True))
    assert said["sauc"] == "normal approximation"
    assert said["sauc-permutation"] == "permutation, 999 relabelings"
    assert "null_distribution" in repr(study)
    changes = verdict(study)[1]
    assert changes.startswith("sAUC (permutation), the same statistic, beats WMW in ")
    rows = {(row["design"], row["test"]): row for row in study.rows()}
    gaps = {
        column: [
            100 * (row[column] - rows[design, "sauc-permutation"][column])
            for (design, test), row in rows.items()
            if test == "sauc"
        ]
        for column in ("adjusted_power", "size", "power")
    }
    words = ("size-adjusted power", "size under the null", "power without adjustment")
    for name, values in zip(words, gaps.values(), strict=True):
        most = max(values, key=abs)
        assert f"{name} {np.mean(values):+.1f} points on average and {most:+.1f} at most" in changes
    assert verdict(study, test="sauc-permutation")[1].startswith("sAUC (normal approximation), the")
    assert "the same statistic" not in " ".join(verdict(study, test="t"))


def test_a_test_of_ones_own_has_a_null_distribution_of_its_own():
    study = rs.power_study(
        DESIGNS[:1], tests=[lambda x, y: np.full(len(x), 0.5)], n_replicates=5, rng=1, n_jobs=1
    )
    assert study.rows()[0]["null_distribution"] == "its own"


@pytest.mark.parametrize("kind", ["difference", "efficiency", "size", "power"])
def test_drawings(study, kind):
    ax = study.plot(kind)
    assert ax.get_legend() is not None
    assert study.plot(kind, test="t", ax=ax) is ax
    with pytest.raises(rs.InvalidOptionError, match="kind must be one of"):
        study.plot("pie")


def test_the_study_kept_in_the_docs_can_be_had_again():
    """A design has the same numbers alone as among 238."""
    path = Path(__file__).parents[2] / "docs" / "studies" / "sauc-vs-wmw" / "study.csv"
    with open(path, newline="") as file:
        kept = [row for row in csv.DictReader(file) if row["n_pos"] == row["n_neg"] == "10"]
    preset = PRESETS["sauc-vs-wmw"]
    design = rs.two_sample_design("laplace", n_pos=10, n_neg=10)
    wanted = {row["test"]: row for row in kept if row["design"] == design.name}
    assert set(wanted) == set(preset.tests)
    (count,) = {int(row["n_replicates"]) for row in kept}
    study = rs.power_study(
        design, tests=list(wanted), n_replicates=count, rng=preset.seed, n_jobs=1
    )
    for row in study.rows():
        for name in ("size", "power", "adjusted_power", "efficiency"):
            assert row[name] == pytest.approx(float(wanted[row["test"]][name]), abs=SWITCHED)


def test_presets_can_be_had():
    for preset in PRESETS.values():
        designs = preset.designs()
        assert len(set(designs)) == len(designs)
        assert {preset.test, preset.versus} <= set(preset.tests) <= set(TESTS)
        assert min(d.n_pos for d in designs) == 5
        assert max(d.n_pos for d in designs) == 500
        assert set(preset.designs(quick=True)) <= set(designs)
