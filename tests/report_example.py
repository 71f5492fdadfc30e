"""The facts of an example study, small and quick, for tests of figures and pages."""

import math
from typing import Any

import numpy as np

import rocstats as rs
from rocstats.reports.facts import enough_digits, tenths

WORDS = {
    "sensitivity": "Sensitivity",
    "specificity": "Specificity",
    "se": "Se",
    "sp": "Sp",
    "ppv": "PPV",
    "npv": "NPV",
    "accuracy": "Accuracy",
    "standard": "reference standard",
    "ill": "with the condition",
    "well": "without",
}
AGREEMENT = {
    "sensitivity": "Positive percent agreement",
    "specificity": "Negative percent agreement",
    "se": "PPA",
    "sp": "NPA",
    "ppv": "Share of test positives that agree",
    "npv": "Share of test negatives that agree",
    "accuracy": "Overall percent agreement",
    "standard": "comparator",
    "ill": "positive by the comparator",
    "well": "negative by the comparator",
}
PREVALENCES = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5]


def example_facts(
    names: tuple[str, ...] = ("s100b", "ndka", "risk"), *, comparator: bool = False
) -> dict[str, Any]:
    rng = np.random.default_rng(7)
    n = 113
    y = (np.arange(n) % 11 < 4).astype(int)
    latent = rng.normal(size=n)
    columns: dict[str, Any] = {}
    for k, name in enumerate(names):
        effect = (1.0, 0.55, 1.2)[k % 3]
        x = effect * y + 0.6 * latent + 0.8 * rng.normal(size=n)
        columns[name] = (
            np.round(np.exp(0.8 * x - 1.6), 2)
            if k % 3 == 0
            else np.round(10 * np.exp(0.4 * x), 1)
            if k % 3 == 1
            else 1 / (1 + np.exp(-(1.3 * x - 1.4)))
        )
    sex = np.where(rng.random(n) < 0.6, "Female", "Male")
    markers = [_marker(y, name, x, k) for k, (name, x) in enumerate(columns.items())]
    n_pos, n_neg = int(y.sum()), int(n - y.sum())
    facts: dict[str, Any] = {
        "schema": "rocstats-report/1",
        "study": dict.fromkeys(STUDY)
        | {
            "title": "S100B and NDKA for the outcome of subarachnoid haemorrhage",
            "analyst": "A. N. Analyst",
            "status": "prespecified",
            "question": "How well do markers at admission tell poor from favourable outcome?",
            "index_test": "Serum markers at admission",
            "reference_standard": "Glasgow Outcome Scale at six months",
            "limitations": "One centre; the marker was measured once.",
        },
        "words": AGREEMENT if comparator else WORDS,
        "data": {
            "source": "study.csv",
            "format": "CSV",
            "sha256": "0f" * 32,
            "analysed_sha256": "a1" * 32,
            "outcome": "outcome",
            "pos_label": "Poor",
            "neg_label": "Good",
            "comparator": comparator,
            "n_rows": 118,
            "n": n,
            "n_pos": n_pos,
            "n_neg": n_neg,
            "prevalence": n_pos / n,
            "subject": "id",
            "cluster": None,
            "n_clusters": None,
        },
        "settings": {
            "confidence_level": 0.95,
            "n_resamples": 200,
            "seed": 1,
            "prevalence": [0.1],
            "margin": 0.05,
            "aim": "non-inferiority",
            "reference": names[0],
            "adjust": "holm",
            "scores": "measured",
        },
        "flow": {
            "start": 118,
            "steps": [{"why": "outcome missing", "n": 2}, {"why": f"{names[0]} missing", "n": 3}],
            "analysed": n,
            "n_pos": n_pos,
            "n_neg": n_neg,
            "markers": [
                {
                    "name": name,
                    "n_pos": n_pos,
                    "n_neg": n_neg,
                    "missing_pos": 1,
                    "missing_neg": 2,
                    "missing_unknown": 0,
                    "indeterminate_pos": 0,
                    "indeterminate_neg": 0,
                }
                for name in names
            ],
        },
        "baseline": _baseline(y, sex),
        "markers": markers,
        "explorer": {
            "prevalences": sorted([*PREVALENCES, n_pos / n]),
            "of": [1000] * (len(PREVALENCES) + 1),
            "start": sorted([*PREVALENCES, n_pos / n]).index(n_pos / n),
        },
        "comparisons": _comparisons(y, columns, names) if len(names) > 1 else None,
        "subgroups": [_subgroup(y, columns, sex)],
        "sensitivity_analyses": _witnesses(y, columns),
        "precision": [
            {
                "marker": name,
                "half_width": 0.09,
                "planned_n_pos": 50,
                "planned_n_neg": 80,
                "detectable": None if name == names[0] else 0.137,
                "versus": None if name == names[0] else names[0],
            }
            for name in names
        ],
        "alerts": [
            {"kind": "missing", "level": "warning", "marker": names[0], "share": 0.0254, "n": 3},
            {"kind": "exploratory_cutpoint", "level": "note", "marker": names[-1]},
            {
                "kind": "prevalence_far",
                "level": "note",
                "marker": None,
                "sample": n_pos / n,
                "stated": 0.1,
            },
            {"kind": "note", "level": "note", "marker": None, "text": "A free text."},
        ],
        "r": {
            "status": "live",
            "why": None,
            "versions": {"R": "4.2.2", "pROC": "1.18.0"},
            "rows": [
                {
                    "quantity": f"AUC of {marker['name']}",
                    "ours": marker["estimates"]["auc"]["estimate"],
                    "r": marker["estimates"]["auc"]["estimate"],
                    "difference": 0.0,
                }
                for marker in markers
            ],
            "script": "library(pROC)\nroc(outcome, s100b)\n",
        },
        "methods": {
            "paragraphs": [
                [
                    {
                        "text": "Areas under the ROC curve were compared by DeLong's method",
                        "cites": ["delong1988"],
                    },
                    {"text": "Intervals of proportions are Wilson's.", "cites": ["wilson1927"]},
                ]
            ]
        },
        "references": [
            {
                "key": "delong1988",
                "number": 1,
                "text": "DeLong ER, DeLong DM, Clarke-Pearson DL. "
                "Comparing the areas under two or more correlated ROC "
                "curves. Biometrics. 1988;44:837-845.",
                "doi": "10.2307/2531595",
            },
            {
                "key": "wilson1927",
                "number": 2,
                "text": "Wilson EB. Probable inference, the law of "
                "succession, and statistical inference. JASA. 1927;22:209-212.",
                "doi": "10.1080/01621459.1927.10502953",
            },
        ],
        "checklist": [
            {
                "item": "12a",
                "section": "Methods",
                "text": "Definition of and rationale for test positivity cut-offs",
                "where": "Thresholds",
                "status": "reported",
            },
            {
                "item": "13a",
                "section": "Methods",
                "text": "Whether clinical information was available to the readers",
                "where": "",
                "status": "supply",
            },
        ],
        "reproducibility": {
            "versions": {"rocstats": "0.1.0", "python": "3.11.7", "numpy": "2.4.6"},
            "platform": "Linux",
            "call": "rocstats report study.csv",
            "seed": 1,
            "n_resamples": 200,
        },
    }
    found: dict[str, Any] = _plain(facts)
    return found


STUDY = (
    *("title", "analyst", "protocol", "registration", "status", "question", "index_test"),
    *("reference_standard", "design", "eligibility", "setting", "dates", "sampling", "blinding"),
    *("index_test_rationale", "positivity_rationale", "indeterminate_handling"),
    *("missing_handling", "sample_size_rationale", "severity", "alternative_diagnoses"),
    *("interval_between_tests", "adverse_events", "limitations", "implications", "funding"),
)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        if math.isnan(value):
            return None
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
    return value


def _summary(x: Any) -> dict[str, Any]:
    q1, median, q3 = np.quantile(x, [0.25, 0.5, 0.75])
    inside = x[(x >= q1 - 1.5 * (q3 - q1)) & (x <= q3 + 1.5 * (q3 - q1))]
    return {
        "n": x.size,
        "mean": x.mean(),
        "sd": x.std(ddof=1),
        "min": x.min(),
        "q1": q1,
        "median": median,
        "q3": q3,
        "max": x.max(),
        "low_whisker": inside.min(),
        "high_whisker": inside.max(),
    }


def _area(estimate: Any, **more: Any) -> dict[str, Any]:
    found = estimate.to_dict()
    wald = estimate.confidence_interval(method="wald")
    keys = ("estimate", "std_error", "conf_low", "conf_high", "conf_method")
    return {key: found[key] for key in keys} | {"wald_low": wald.low, "wald_high": wald.high} | more


def _marker(y: Any, name: str, x: Any, k: int) -> dict[str, Any]:
    probability = bool(x.min() >= 0 and x.max() <= 1 and k % 3 == 2)
    pos, neg = x[y == 1], x[y == 0]
    sauc, band = rs.sauc(y, x), rs.roc_band(y, x, method="binomial")
    curve, scored = rs.roc_curve(y, x), rs.sroc_curve(y, x)
    edges = np.histogram_bin_edges(x, 20)
    points = rs.operating_points(y, x, prevalence=PREVALENCES)
    steps = np.linspace(0, scored.margin.size - 1, 60).astype(int)
    smauc = rs.smauc(y, x) if probability else None
    smooth = rs.smroc_curve(y, x) if probability else None
    return {
        "name": name,
        "label": name,
        "higher_is_positive": True,
        "unit": None if probability else "µg/L",
        "probability": probability,
        "quality": {
            "n_distinct": int(np.unique(x).size),
            "tied_share": float((pos[:, None] == neg).mean()),
            "largest_tie": int(np.unique(x, return_counts=True)[1].max()),
            "missing_share": 3 / 118,
            "outliers_pos": 1,
            "outliers_neg": 4,
            "n_infinite": 0,
        },
        "distribution": {
            "pos": _summary(pos),
            "neg": _summary(neg),
            "histogram": {
                "edges": edges,
                "pos": np.histogram(pos, edges)[0],
                "neg": np.histogram(neg, edges)[0],
            },
            "log_scale": False,
            "wilcoxon": {"statistic": 2000.0, "p_value": 3.2e-5, "method": "Wilcoxon-Mann-Whitney"},
        },
        "estimates": {
            "auc": _area(rs.auc(y, x)),
            "sauc": _area(sauc, unit_scale=probability, rsauc=sauc.to_dict()["rsauc"],
                          mean_difference=sauc.to_dict()["mean_difference"]),
            "smauc": None if smauc is None else _area(
                smauc, midpoint=0.5, chance=smauc.to_dict()["chance"], class_weight=None
            ),
            "pauc": {
                "fpr_low": 0.0,
                "fpr_high": 0.1,
                "raw": _area(rs.partial_auc(y, x, fpr=(0, 0.1))),
                "standardized": _area(rs.partial_auc(y, x, fpr=(0, 0.1), standardized=True)),
            },
        },
        "smauc_why": None if probability else "scores are not on [0, 1]",
        "curve": {"fpr": curve.fpr, "tpr": curve.tpr},
        "band": {"method": "binomial", "kind": band.kind, "fpr": band.fpr,
                 "low": band.low, "high": band.high},
        "sroc": {"tau": scored.margin[steps], "theta": scored.auc[steps]},
        "smroc": None if smooth is None else {"fpr": smooth.fpr, "tpr": smooth.tpr},
        "cutpoints": _cutpoints(y, name, x, points, k),
        "fixed_rates": [
            {"rate": "sensitivity", "at": "specificity", "level": level, "estimate": 0.41,
             "conf_low": 0.27, "conf_high": 0.55, "conf_method": "bootstrap percentile"}
            for level in (0.9, 0.95)
        ],
        "predictive_curve": None,
        "calibration": _calibration() if probability else None,
        "decision": {
            "threshold": [0.1, 0.2, 0.3, 0.4, 0.5], "model": [0.3, 0.25, 0.2, 0.16, 0.12],
            "all": [0.29, 0.2, 0.09, -0.06, -0.27], "none": [0.0] * 5,
        } if probability else None,
        "explorer": _explorer(x, points),
    }  # fmt: skip


def _measures(points: Any) -> dict[str, Any]:
    keys = ("label", "estimate", "conf_low", "conf_high", "conf_method")
    return {
        row["measure"]: {key: row[key] for key in keys}
        for row in points.table()
        if "_at_" not in row["measure"]
    }


def _at(points: Any, share: float, own: bool) -> dict[str, Any]:
    rows = {row["measure"]: row for row in points.table()}
    se, sp = rows["sensitivity"]["estimate"], rows["specificity"]["estimate"]
    ill = round(1000 * share)
    tp, tn = round(ill * se), round((1000 - ill) * sp)
    keys = ("estimate", "conf_low", "conf_high")
    of = {w: rows[w if own else f"{w}_at_{share!r}"] for w in ("ppv", "npv")}
    return {
        "prevalence": share,
        "own": own,
        "of": 1000,
        "ill": ill,
        "tp": tp,
        "fn": ill - tp,
        "well": 1000 - ill,
        "fp": 1000 - ill - tn,
        "tn": tn,
        **{w: {key: row[key] for key in keys} for w, row in of.items()},
    }


def _cutpoints(y: Any, name: str, x: Any, points: Any, k: int) -> list[dict[str, Any]]:
    found = []
    cuts = [("prespecified", float(np.median(x)), "fixed before the data were seen")][: k < 1]
    best = rs.optimal_cutpoint(y, x, resampling=rs.Bootstrap(n_resamples=200, rng=1))
    told = best.to_dict()
    cuts.append(("exploratory", told["optima"][0]["threshold"], told["criterion"]))
    for kind, cut, criterion in cuts:
        here = rs.operating_points(y, x, thresholds=[cut], prevalence=[0.1])
        ours = kind == "exploratory"
        one = told["optima"][0]
        found.append(
            {
                "kind": kind, "criterion": criterion, "threshold": cut,
                "called": here.called().replace("score", name),
                "tp": here.tp[0], "fp": here.fp[0], "fn": here.fn[0], "tn": here.tn[0],
                "n_optima": 1,
                "conf_low": told["cutpoint_conf_low"] if ours else None,
                "conf_high": told["cutpoint_conf_high"] if ours else None,
                "measures": _measures(here),
                "corrected": {
                    **{
                        rate: {
                            "estimate": one[f"corrected_{rate}"],
                            "conf_low": one[f"corrected_{rate}_conf_low"],
                            "conf_high": one[f"corrected_{rate}_conf_high"],
                        }
                        for rate in ("sensitivity", "specificity")
                    },
                    "optimism_sensitivity": told["optimism"]["sensitivity"],
                    "optimism_specificity": told["optimism"]["specificity"],
                    "n_resamples": 200,
                } if ours else None,
                "at_prevalence": [_at(here, float(y.mean()), True), _at(here, 0.1, False)],
            }
        )  # fmt: skip
    return found


def _calibration() -> dict[str, Any]:
    return {
        "intercept": {"estimate": -0.12, "conf_low": -0.5, "conf_high": 0.3},
        "slope": {"estimate": 0.94, "conf_low": 0.6, "conf_high": 1.3},
        "brier": {"estimate": 0.171, "conf_low": 0.14, "conf_high": 0.2},
        "scaled_brier": 0.25,
        "ici": 0.041,
        "curve": {"predicted": [0.1, 0.4, 0.8], "observed": [0.12, 0.37, 0.75],
                  "low": [0.05, 0.3, 0.6], "high": [0.2, 0.45, 0.9]},
        "groups": {"predicted": [0.1, 0.4, 0.8], "observed": [0.11, 0.4, 0.77],
                   "low": [0.03, 0.2, 0.5], "high": [0.25, 0.6, 0.93], "n": [40, 40, 33]},
        "histogram": {"edges": [0.0, 0.5, 1.0], "pos": [12, 29], "neg": [60, 12]},
    }  # fmt: skip


def _explorer(x: Any, points: Any) -> dict[str, Any]:
    values = points.threshold.tolist()
    scores = np.unique(x)

    def text(value: float) -> str:
        if math.isinf(value):
            return "∞" if value > 0 else "−∞"
        place = np.searchsorted(scores, value)
        return enough_digits(value, lambda shown: np.searchsorted(scores, shown) == place)

    share = float(points.n_pos / (points.n_pos + points.n_neg))
    shown = {}
    for rate in ("sensitivity", "specificity"):
        triple = (points.values(rate), *points.limits(rate))
        shown[rate] = [[tenths(float(v)) for v in row] for row in zip(*triple, strict=True)]
    predictive = []
    for prevalence in sorted([*PREVALENCES, share]):
        own = prevalence == share
        names = [w if own else f"{w}_at_{prevalence!r}" for w in ("ppv", "npv")]
        six = [c for w in names for c in (points.values(w), *points.limits(w))]
        ill = round(1000 * prevalence)
        tp = [round(ill * v) for v in points.values("sensitivity")]
        fp = [1000 - ill - round((1000 - ill) * v) for v in points.values("specificity")]
        predictive.append(
            [
                [*(tenths(float(v)) for v in row), a, b]
                for row, a, b in zip(zip(*six, strict=True), tp, fp, strict=True)
            ]
        )
    return {
        "threshold": [text(v) for v in values],
        "value": values,
        "x": (points.fp / points.n_neg).tolist(),
        "y": (points.tp / points.n_pos).tolist(),
        "start": len(values) // 3,
        "tp": points.tp, "fp": points.fp, "fn": points.fn, "tn": points.tn,
        "shown": shown,
        "predictive": predictive,
    }  # fmt: skip


def _baseline(y: Any, sex: Any) -> list[dict[str, Any]]:
    age = np.round(50 + 12 * np.sin(np.arange(y.size)), 0)

    def level(label: str, where: Any) -> dict[str, Any]:
        part = sex[where]
        return {"n": int((part == label).sum()), "share": float((part == label).mean())}

    def quartiles(where: Any) -> dict[str, Any]:
        q1, median, q3 = np.quantile(age[where], [0.25, 0.5, 0.75])
        return {"median": median, "q1": q1, "q3": q3}

    groups = {"pos": y == 1, "neg": y == 0, "all": y >= 0}
    return [
        {"name": "age", "kind": "numeric",
         "rows": [{"label": "age", **{g: quartiles(w) for g, w in groups.items()}}]},
        {"name": "sex", "kind": "categorical",
         "rows": [{"label": lab, **{g: level(lab, w) for g, w in groups.items()}}
                  for lab in ("Female", "Male")]},
    ]  # fmt: skip


def _comparisons(y: Any, columns: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    found = rs.compare(y, columns)
    rows = found.pairwise(versus=names[0]).to_dict()["contrasts"]
    others = [name for name in names if name != names[0]]
    for row, other in zip(rows, others, strict=True):
        row["first"], row["second"] = other, names[0]
    return {
        "measure": "auc",
        "pairwise": rows,
        "adjust": "holm",
        "method": rows[0]["method"],
        "versus": names[0],
        "omnibus": found.omnibus().to_dict() if len(names) > 2 else None,
        "correlation": found.correlation,
        "margins": [
            found.noninferiority(0.05, new=other, standard=names[0]).to_dict() for other in others
        ],
        "others": [],
        "refused": None,
    }


def _subgroup(y: Any, columns: dict[str, Any], sex: Any) -> dict[str, Any]:
    levels = []
    for label in ("Female", "Male"):
        where = sex == label
        rows = []
        for name, x in columns.items():
            told = rs.auc(y[where], x[where]).to_dict()
            keys = ("estimate", "std_error", "conf_low", "conf_high", "conf_method")
            rows.append({"marker": name} | {key: told[key] for key in keys})
        levels.append(
            {
                "label": label,
                "n_pos": int(y[where].sum()),
                "n_neg": int((1 - y[where]).sum()),
                "estimates": rows,
                "note": None,
            }
        )
    return {
        "name": "sex",
        "levels": levels,
        "interaction": [
            {"marker": name, "statistic": 0.41, "df": 1.0, "p_value": 0.52, "method": "Wald"}
            for name in columns
        ],
    }  # fmt: skip


def _witnesses(y: Any, columns: dict[str, Any]) -> list[dict[str, Any]]:
    rows = []
    for name, x in columns.items():
        area = rs.auc(y, x)
        wald = area.confidence_interval(method="wald")
        rows.append(
            {"marker": name, "analysis": "Wald interval", "what": "The interval without the logit.",
             "n_pos": area.n_pos, "n_neg": area.n_neg, "estimate": area.value,
             "conf_low": wald.low, "conf_high": wald.high, "conf_method": "wald",
             "difference": 0.0}
        )  # fmt: skip
    return rows
