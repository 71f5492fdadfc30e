r"""The R script that repeats our areas and paired tests with pROC: text for R, written without R.

What depends on the study stands at the top of the script as R values; the rest is the same in every
script and can be read once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocstats.data.sample import ScoredSample
from rocstats.errors import InvalidSampleError

__all__ = ["DataFile", "r_script", "r_string"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFile:
    """The table the sample was read from, and how R is to read it.

    Attributes
    ----------
    path : the name to open it by
    sha256, md5 : digests of its bytes; R's own packages know the second only
    separator : of the cells
    missing : cells that count as missing
    """

    path: str
    sha256: str
    md5: str
    separator: str
    missing: tuple[str, ...]


def r_string(text: str) -> str:
    r"""Return the text as an R string of ASCII characters, whatever it holds.

    Examples
    --------
    >>> print(r_string('5" \\ 100%'), r_string("caf\u00e9\n"))
    "5\" \\ 100%" "caf\u00e9\n"
    """
    return f'"{"".join(_escaped(character) for character in text)}"'


def _escaped(character: str) -> str:
    short = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
    code = ord(character)
    if character in short:
        return short[character]
    if code == 0 or character == "\r" or 0xD800 <= code <= 0xDFFF:
        raise InvalidSampleError(
            f"A name or label holds the character {character!r}, which R cannot read from a table; "
            "rename it."
        )
    if " " <= character <= "~":
        return character
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def r_script(
    sample: ScoredSample,
    file: DataFile,
    *,
    outcome: str,
    areas: Sequence[Sequence[float]],
    differences: Sequence[Sequence[float]],
    confidence_level: float,
    version: str,
) -> str:
    """Return the script that computes every number again and compares.

    Parameters
    ----------
    sample : the markers, labels and orientations, and how many subjects were dropped
    file : the table that R reads
    outcome : column of the true class
    areas : for each marker AUC, standard error, Wald limits (clipped), logit limits
    differences : for each pair of markers, the first with all others first, and of many markers no
        more than those: difference, covariance, z, p, limits; none where they are not compared
    confidence_level : of the limits
    version : of rocstats
    """
    infinite = [m for m, s in zip(sample.markers, sample.scores, strict=True) if np.isinf(s).any()]
    if infinite:
        raise InvalidSampleError(
            f"The scores of {infinite[0]} are not all finite, and pROC takes finite scores only; "
            "rank them first."
        )
    values = {
        "path": r_string(file.path),
        "md5": r_string(file.md5),
        "separator": r_string(file.separator),
        "missing": _vector(map(r_string, file.missing)),
        "outcome_name": r_string(outcome),
        "labels": _vector([_label(sample.neg_label), _label(sample.pos_label)]),
        "markers": _vector(map(r_string, sample.markers)),
        "directions": _vector('"<"' if up else '">"' for up in sample.higher_is_positive),
        "counts": _vector([str(sample.n_neg), str(sample.n_pos)]),
        "dropped": str(sample.dropped.n),
        "level": repr(confidence_level),
        "areas": _matrix(areas),
        "differences": _matrix(differences),
    }
    what = "areas and paired DeLong tests" if differences else "areas"
    lines = [
        f"# The {what} of rocstats {version}, computed again with pROC.",
        f"# Data: {r_string(file.path)}, SHA-256 {file.sha256}.",
        *_ABOUT,
        *(f"{name} <- {value}{_NOTES.get(name, '')}" for name, value in values.items()),
    ]
    return "\n".join(lines) + "\n\n" + _BODY


def _label(label: Any) -> str:
    if isinstance(label, bool):
        return "TRUE" if label else "FALSE"
    if isinstance(label, (int, float)):
        return repr(label).replace("inf", "Inf")
    return r_string(str(label))


def _number(value: float) -> str:
    return {"nan": "NaN", "inf": "Inf", "-inf": "-Inf"}.get(text := f"{value:.17g}", text)


def _vector(items: Iterable[str]) -> str:
    return f"c({', '.join(items)})"


def _matrix(rows: Sequence[Sequence[float]]) -> str:
    if not rows:
        return "NULL"
    lines = ",\n".join("  " + _vector(map(_number, row)) for row in rows)
    return f"rbind(\n{lines}\n)"


_NOTES = {
    "labels": "  # negative, positive",
    "counts": "  # negatives, positives",
    "areas": "  # a marker: AUC, standard error, Wald limits, logit limits",
    "differences": "  # a pair: difference, covariance, z, p, limits",
}

_ABOUT = """\
# Run:  Rscript THIS_SCRIPT [DATA_FILE]
# It prints a CSV table: each quantity, rocstats' number, R's number, their relative difference and
# the difference allowed. The exit status is 1 if one is larger than allowed or the data are not the
# same, else 0. Allowed is 1e-10, since both sides round at 1e-16 and none of the steps makes that
# 1e6 times worse; but where terms cancel (z of two markers that nearly agree), 100 times the
# rounding error of the terms.
""".splitlines()

_BODY = r"""suppressPackageStartupMessages(library(pROC))
fail <- function(...) stop(..., call. = FALSE)
if (packageVersion("pROC") < "1.18.0") fail("pROC 1.18.0 or newer is needed.")

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) > 0) path <- arguments[1]
if (!file.exists(path)) fail("There is no file ", path, "; name it after the script.")
if (tools::md5sum(path) != md5) fail(path, " is not the file that rocstats read.")

# Every cell is read as text, so that names, labels and missing values are as in the file.
lines <- readLines(path, encoding = "UTF-8", warn = FALSE)
lines[1] <- sub("^\ufeff", "", lines[1])
lines[!grepl("[^ ]", lines)] <- ""
cells <- read.table(
  text = lines, header = FALSE, sep = separator, quote = "\"", colClasses = "character",
  na.strings = character(), comment.char = "", fill = TRUE
)
column <- function(name) {
  found <- which(unlist(cells[1, ]) == name)
  if (length(found) != 1) fail("R finds no single column ", dQuote(name, FALSE), ".")
  text <- cells[-1, found]
  replace(text, text %in% missing, NA)
}
number <- function(text) {
  truth <- as.logical(text)  # TRUE, True, true...
  as.numeric(if (identical(is.na(truth), is.na(text))) truth else text)
}
outcome <- column(outcome_name)
if (!is.character(labels)) outcome <- number(outcome)
scores <- lapply(markers, function(name) number(column(name)))

complete <- Reduce(`&`, lapply(scores, Negate(is.na)), !is.na(outcome))
if (sum(!complete) != dropped) {
  fail("R finds ", sum(!complete), " incomplete rows, rocstats ", dropped, ".")
}
outcome <- factor(match(outcome[complete], labels), 1:2, c("negative", "positive"))
if (anyNA(outcome) || any(table(outcome) != counts)) {
  fail("R counts ", paste(table(outcome), collapse = " and "), " negatives and positives, ",
       "rocstats ", paste(counts, collapse = " and "), ".")
}

# pROC
curves <- Map(function(score, direction) {
  roc(outcome, score[complete], levels = c("negative", "positive"), direction = direction,
      quiet = TRUE)
}, scores, directions)
area <- vapply(curves, function(curve) as.numeric(auc(curve)), 0)
variance <- vapply(curves, pROC::var, 0, method = "delong")

quantile <- qnorm((1 - level) / 2, lower.tail = FALSE)
logit_limits <- function(area, se, counts) {
  # pROC has no such limits. At 0 and 1 they are the bound on the chance to see no lost pair.
  exact <- ((1 - level) / 2)^(1 / min(counts))
  if (is.na(se)) c(NaN, NaN)
  else if (area == 1) c(exact, 1)
  else if (area == 0) c(0, 1 - exact)
  else plogis(qlogis(area) + c(-1, 1) * quantile * se / (area * (1 - area)))
}

# `terms` is the size of what each number is made of, by which its rounding error is judged.
rows <- function(quantity, rocstats, R, terms) data.frame(quantity, rocstats, R, terms)
result <- NULL
for (i in seq_along(markers)) {
  se <- sqrt(variance[i])
  wald <- ci.auc(curves[[i]], conf.level = level, method = "delong")[c(1, 3)]
  result <- rbind(result, rows(
    paste0(markers[i], ": ", c("AUC", "standard error", "Wald low", "Wald high",
                               "logit low", "logit high")),
    areas[i, ], c(area[i], se, wald, logit_limits(area[i], se, counts)), 1
  ))
}
pairs <- if (is.null(differences)) NULL else combn(length(markers), 2)
for (k in seq_len(NROW(differences))) {  # of many markers, those of the first alone
  i <- pairs[1, k]
  j <- pairs[2, k]
  shared <- pROC::cov(curves[[i]], curves[[j]], method = "delong")
  parts <- variance[i] + variance[j]
  rest <- parts - 2 * shared
  # pROC warns of markers with different directions; here they are stated, not guessed.
  test <- suppressWarnings(roc.test(curves[[i]], curves[[j]], paired = TRUE, method = "delong",
                                    conf.level = level))
  z <- test$statistic[[1]]
  is_noise <- isTRUE(parts > 0 && abs(rest) < 1e-14 * parts)  # a variance of rounding errors
  # Without variance there is no interval; pROC's would have no width.
  limits <- if (is_noise || !isTRUE(rest > 0)) c(NaN, NaN) else test$conf.int
  loss <- parts / rest
  z_terms <- abs(z) * loss + 2 / sqrt(abs(rest))
  terms <- c(2, parts, z_terms, 2 * dnorm(z) * z_terms + 1e-300,
             rep(2 + quantile * sqrt(abs(rest)) * loss, 2))
  if (is_noise) terms[3:6] <- Inf
  result <- rbind(result, rows(
    paste0(markers[i], " - ", markers[j], ": ",
           c("difference", "covariance", "z", "p", "low", "high")),
    differences[k, ], c(area[i] - area[j], shared, z, test$p.value, limits), terms
  ))
}

result$R[is.na(result$R)] <- NaN
size <- pmax(abs(result$rocstats), abs(result$R))
same <- mapply(identical, result$rocstats + 0, result$R + 0)
result$difference <- ifelse(same, 0, abs(result$rocstats - result$R) / size)
result$difference[is.na(result$difference)] <- Inf
rounding <- ifelse(is.infinite(result$terms), Inf, result$terms / size)
result$allowed <- ifelse(same, 1e-10, pmax(1e-10, 1e-14 * rounding, na.rm = TRUE))
differs <- result$difference > result$allowed

shown <- c("rocstats", "R", "difference", "allowed")
table <- cbind(
  quantity = paste0("\"", gsub("\"", "\"\"", result$quantity, fixed = TRUE), "\""),
  sapply(result[shown], function(x) sprintf("%.17g", x))
)
lines <- c(paste(colnames(table), collapse = ","), apply(table, 1, paste, collapse = ","))
writeLines(enc2utf8(lines), useBytes = TRUE)
if (any(differs)) message(sum(differs), " of ", nrow(result), " numbers differ.")
if (!interactive()) quit(save = "no", status = as.integer(any(differs)))
"""
