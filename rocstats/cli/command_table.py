"""Every command in a line: its group and what it does. Nothing else is needed to list them."""

from __future__ import annotations

__all__ = ["COMMANDS", "GROUPS", "OTHER_WORDS", "overview"]

# Command: its group, and what it does. The module has its name, with _ for -.
COMMANDS = {
    "report": ("study", "write the report of a diagnostic study: page, Word file or PDF"),
    "check": ("study", "how a file is read: its columns, what is repaired, what is open"),
    "auc": ("study", "AUC, sAUC and smAUC of markers, with DeLong standard errors"),
    "compare": ("study", "compare markers on the same subjects: DeLong's test, margins"),
    "tests": ("study", "compare binary tests on the same patients: McNemar's test"),
    "readers": ("study", "compare tests read by several readers: reader studies (MRMC)"),
    "survival": ("study", "markers of a time to an event: AUC at times, concordance"),
    "thresholds": ("study", "2x2 tables, predictive values and cutpoints of one marker"),
    "twosample": ("study", "do two groups differ? sAUC, Wilcoxon, Brunner-Munzel, Welch"),
    "plot": ("study", "draw a curve, band, forest or distribution to a file"),
    "sketch": ("sites", "count scores by class: counts leave a site, and rows do not"),
    "pool": ("sites", "several sites' counts together: AUC of all pairs and within sites"),
    "monitor": ("sites", "watch a model in production: AUC by window, against a baseline"),
    "power": ("plan", "sample size, power, detectable AUC and precision of a study"),
    "measures": ("methods", "do two measures agree, and which one tells more apart?"),
    "study": ("methods", "run a paper's experiments again, or simulate how tests do"),
    "validate": ("evidence", "compare this installation with R's numbers"),
    "r-script": ("evidence", "write an R script that repeats an analysis with pROC"),
    "app": ("start", "a page in the browser that asks for a file and makes the report"),
    "demo": ("start", "analyse bundled data, or copy them here to try things with"),
    "completion": ("start", "let TAB complete commands, options and columns"),
}

# What others call it: the command that is meant.
OTHER_WORDS = {
    **dict.fromkeys(("roc", "ci", "ci.auc", "sauc", "smauc", "partial-auc"), "auc"),
    **dict.fromkeys(("roc.test", "roc-test", "delong", "test", "noninferiority"), "compare"),
    **dict.fromkeys(("coords", "cutpoint", "cutpoints", "cutoff", "youden", "ppv"), "thresholds"),
    **dict.fromkeys(("power.roc.test", "samplesize", "sample-size", "size"), "power"),
    **dict.fromkeys(("mcnemar", "sensitivity", "specificity", "compare-tests"), "tests"),
    **dict.fromkeys(("mrmc", "reader", "compare-readers", "reader-study"), "readers"),
    **dict.fromkeys(("draw", "figure", "curve", "forest", "ggroc"), "plot"),
    **dict.fromkeys(("concordance", "c-index", "timeroc", "coxph"), "survival"),
    **dict.fromkeys(("wilcoxon", "mann-whitney", "wilcox.test"), "twosample"),
    **dict.fromkeys(("datasets", "data", "example", "examples"), "demo"),
    **dict.fromkeys(("federated", "meta", "merge", "sites"), "pool"),
    **dict.fromkeys(("watch", "drift"), "monitor"),
    **dict.fromkeys(("gui", "serve", "web", "browser", "ui"), "app"),
}

GROUPS = {
    "study": "Analyse a study",
    "sites": "Several sites, and streams",
    "plan": "Plan a study",
    "methods": "Study the methods",
    "evidence": "Check the numbers",
    "start": "Get started",
}


def overview() -> str:
    """Return the commands by what they are for."""
    lines = ["usage: rocstats COMMAND ...", ""]
    lines += ["ROC analysis with honest inference: AUC, sAUC and smAUC."]
    for group, title in GROUPS.items():
        rows = [(name, about) for name, (of, about) in COMMANDS.items() if of == group]
        lines += ["", f"{title}:"] if rows else []
        lines += [f"  {name:<12}{about}" for name, about in rows]
    return "\n".join([*lines, "", _END])


_END = """\
rocstats help COMMAND tells more, with an example; demo --data writes its data.
Files: CSV, Excel, Parquet, SAS, SPSS, Stata and R; --json prints JSON.
Exit codes: 0 done, 1 the answer is no, 2 the input or the call is wrong."""
