"""What rocstats says for every number that MRMCaov, iMRMC and RJafroc were asked for.

Keys are those of the reference file, such as
``MRMCaov.<metric>.<covariance>.<mode>.<table>[row].<column>``.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from itertools import combinations
from typing import Any

from scipy.special import stdtr

import rocstats as rs
from rocstats.readers.pair_sums import apart

MODES = {
    "rrrc": {},
    "frrc": {"readers": "fixed"},
    "rrfc": {"cases": "fixed"},
}
COVARIANCES = {"DeLong": "influence", "jackknife": "jackknife", "unbiased": "unbiased"}
DESIGNS = {
    "factorial": 1.0,
    "cases nested in readers": 2.0,
    "cases nested in tests": 3.0,
    "readers nested in tests": 4.0,
}


def compared(study: rs.ReaderStudy, **options: Any) -> rs.ReaderComparison:
    return rs.compare_readers(study, **options)


def mrmcaov(study: rs.ReaderStudy, covariance: str, mode: str) -> dict[str, float]:
    found = compared(study, covariance=COVARIANCES[covariance], method="or", **MODES[mode])
    table, tests = found.table, study.tests
    numbers: dict[str, float] = {"design": DESIGNS[study.design.name]}
    for i, j in combinations(range(len(found.covariance)), 2):
        numbers[f"cov[{j + 1},{i + 1}]"] = found.covariance[j, i]
    for i in range(len(found.covariance)):
        numbers[f"cov[{i + 1},{i + 1}]"] = found.covariance[i, i]
    parts = found.components
    numbers |= {
        "vcov[Error].Estimate": parts["var"],
        "vcov[Cov1].Estimate": parts["cov1"],
        "vcov[Cov2].Estimate": parts["cov2"],
        "vcov[Cov3].Estimate": parts["cov3"],
    }
    if not table.nested:
        numbers |= {
            "vcov[reader].Estimate": parts["var_reader"],
            "vcov[treatment:reader].Estimate": parts["var_test_reader"],
        }
    for row in found.by_reader:
        numbers[f"auc[{row.test}/{row.reader}].auc"] = row.value
    omnibus, (below, _) = found.omnibus(), table.denominator(found.random)
    numbers |= {
        "global[1].MS(T)": table.ms_test,
        "global[1].MS[T]": table.ms_test,
        "global[1].MS(T:R)": table.ms_test_reader,
        "global[1].MS[R(T)]": table.ms_reader,
        "global[1].MS(R(T))": table.ms_reader,
        "global[1].Cov1": table.cov1,
        "global[1].Cov2": table.cov2,
        "global[1].Cov3": table.cov3,
        "global[1].Denominator": below,
        "global[1].F": omnibus.statistic,
        "global[1].X2": omnibus.statistic,
        "global[1].df": omnibus.df,
        "global[1].df1": omnibus.df,
        "global[1].df2": omnibus.df_denominator,
        "global[1].p-value": omnibus.pvalue,
    }
    tests_of = [("diff", test.contrast, test) for test in found.pairwise()]
    if not table.nested:
        tests_of += [
            ("reader_diff", test.contrast.replace(": ", " "), test)
            for test in found.reader_differences()
        ]
    for kind, name, test in tests_of:
        low, high = test.confidence_interval()
        letter = "z" if math.isinf(test.df) else "t"
        numbers |= {
            f"{kind}[{name}].Estimate": test.estimate,
            f"{kind}[{name}].StdErr": test.std_error,
            f"{kind}[{name}].df": test.df,
            f"{kind}[{name}].CI.Lower": low,
            f"{kind}[{name}].CI.Upper": high,
            f"{kind}[{name}].{letter}": test.statistic,
            f"{kind}[{name}].p-value": test.pvalue,
        }
    for i, row in enumerate(found.estimates):
        here = table.test == i
        own = found.covariance[here][:, here]
        size = len(own)
        low, high = row.confidence_interval(method="wald")
        numbers |= {
            f"mean[{tests[i]}].Estimate": row.estimate,
            f"mean[{tests[i]}].MS(R)": table.theta[here].var(ddof=1),
            f"mean[{tests[i]}].Var(Error)": own.diagonal().mean(),
            f"mean[{tests[i]}].Cov2": (own.sum() - own.trace()) / (size * (size - 1)),
            f"mean[{tests[i]}].StdErr": row.std_error,
            f"mean[{tests[i]}].df": row.df,
            f"mean[{tests[i]}].CI.Lower": max(low, 0.0),  # MRMCaov cuts them
            f"mean[{tests[i]}].CI.Upper": min(high, 1.0),
        }
    return {f"MRMCaov.empirical_auc.{covariance}.{mode}.{k}": v for k, v in numbers.items()}


def rjafroc(study: rs.ReaderStudy, mode: str) -> dict[str, float]:
    found = compared(study, covariance="jackknife", **MODES[mode.lower()])
    table, numbers = found.table, dict[str, float]()
    omnibus, (below, _) = found.omnibus(), table.denominator(found.random)
    first = "FTests[T]" if mode == "RRFC" else "FTests[Treatment]"
    rest = "FTests[TR]" if mode == "RRFC" else "FTests[Error]"
    numbers |= {
        f"{first}.DF": omnibus.df,
        f"{first}.MS": table.ms_test,
        f"{first}.FStat": omnibus.statistic,
        f"{first}.F": omnibus.statistic,
        f"{first}.Chisq": omnibus.statistic,
        f"{first}.p": omnibus.pvalue,
        f"{rest}.DF": omnibus.df_denominator,
        f"{rest}.MS": below,
    }
    (test,) = found.pairwise()
    low, high = test.confidence_interval()
    numbers |= {
        "diff.Estimate": test.estimate,
        "diff.StdErr": test.std_error,
        "diff.DF": test.df,
        "diff.t": test.statistic,
        "diff.z": test.statistic,
        "diff.PrGTt": test.pvalue,
        "diff.PrGTz": test.pvalue,
        "diff.CILower": low,
        "diff.CIUpper": high,
    }
    for i, row in enumerate(found.estimates):
        low, high = row.confidence_interval(method="wald")
        numbers |= {
            f"mean{i}.Estimate": row.estimate,
            f"mean{i}.StdErr": row.std_error,
            f"mean{i}.CILower": low,
            f"mean{i}.CIUpper": high,
        }
        if mode != "FRRC":  # where R says 113 and takes a normal distribution
            numbers[f"mean{i}.DF"] = row.df
    parts = found.components
    for name, key in (("Cov1", "cov1"), ("Cov2", "cov2"), ("Cov3", "cov3"), ("Var", "var")):
        numbers[f"VarCom[{name}].Estimates"] = parts[key]
        if name != "Var":
            numbers[f"VarCom[{name}].Rhos"] = parts[key] / parts["var"]
    if parts["cov2"] >= parts["cov3"]:  # RJafroc cuts the difference at 0 within its components
        numbers["VarCom[VarR].Estimates"] = parts["var_reader"]
        numbers["VarCom[VarTR].Estimates"] = parts["var_test_reader"]
    sizes = {"T": table.t - 1, "R": table.r - 1, "TR": (table.t - 1) * (table.r - 1)}
    for name, key in (("T", "ms_test"), ("R", "ms_reader"), ("TR", "ms_test_reader")):
        numbers |= {
            f"anova[{name}].SS": parts[key] * sizes[name],
            f"anova[{name}].DF": sizes[name],
            f"anova[{name}].MS": parts[key],
        }
    return {f"RJafroc.OR.jackknife.{mode}.{k}": v for k, v in numbers.items()}


def imrmc(study: rs.ReaderStudy) -> dict[str, float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.DegenerateVarianceWarning)
        found = compared(study, method="ustat")
        pairs = {test.contrast: test for test in found.pairwise()}
    moments, values = found.moments, found._values()
    assert moments is not None
    numbers: dict[str, float] = {}
    for a in range(len(study.tests)):
        for b in range(a, len(study.tests)):
            name = f"iMRMC.Ustat[{study.tests[a]}/{study.tests[b]}]"
            two = moments.two(a, b)
            own: dict[str, float] = {
                "AUC.1": values[a],
                "AUC.2": values[b],
                "covAUC": two.covariance,
                "covAUC.biased": two.covariance_v,
                "dfN": two.df("neg"),
                "dfD": two.df("pos"),
                "dfR": two.df("reader"),
            }
            for k in range(8):
                own |= {
                    f"M{k + 1}": two.moments[k],
                    f"M{k + 1}.b": two.moments_v[k],
                    f"M{k + 1}.coeff": two.coefficients[k],
                }
            scatter = moments.scatter(a, None if a == b else b)
            if a == b:
                own |= {"dfBDG": scatter.df, "dfBDG.biased": scatter.df_v}
            else:
                own |= {
                    "AUC1minusAUC2": values[a] - values[b],
                    "varAUC1minusAUC2": scatter.variance,
                    "varAUC1minusAUC2.biased": scatter.variance_v,
                    "dfBDG.diff": scatter.df,
                    "dfBDG.biased.diff": scatter.df_v,
                }
                if scatter.variance > 0.0:
                    test = pairs[f"{study.tests[a]} - {study.tests[b]}"]
                    whole = replace(test, df=float(math.floor(test.df)))  # as iMRMC has it here
                    low, high = whole.confidence_interval()
                    p = 2.0 * float(stdtr(whole.df, -abs(test.statistic)))
                    own |= {"botCIBDG": low, "topCIBDG": high, "pValueBDG": p}
            numbers |= {f"{name}.{k}": v for k, v in own.items()}
    return numbers


def exact_sums(study: rs.ReaderStudy) -> tuple[Any, Any]:
    moments = compared(study, method="ustat").moments
    assert moments is not None
    return apart(moments.pairs.sums), apart(moments.pairs.terms)
