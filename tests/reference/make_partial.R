# Writes partial.json beside this file: partial areas by pROC, with the data they are of.
# Run from anywhere: Rscript tests/reference/make_partial.R
# Data are made here (fixed seed); none of pROC's own, which are GPL.

suppressPackageStartupMessages(library(pROC))
RNGversion("4.2.0")
set.seed(20250612)

# ------------------------------------------------------------------------------------------ samples

# Two markers of latent correlation 1/2; positives are shifted by the marker's `shift`.
draw <- function(m, n, shift, then = identity) {
  y <- rep(c(1, 0), c(m, n))
  common <- rnorm(m + n)
  markers <- lapply(shift, function(s) then(sqrt(0.5) * (common + rnorm(m + n)) + s * y))
  list(y = y, markers = setNames(markers, c("a", "b")))
}

samples <- list(
  continuous = draw(40, 60, c(1.2, 0.8)),
  even = draw(50, 100, c(1.6, 1.1)), # bounds fall on whole numbers of subjects
  heavy_ties = draw(50, 70, c(1.5, 0.7), then = round),
  ordinal = draw(45, 55, c(1.4, 0.5), then = function(s) pmin(pmax(round(s + 2.5), 1), 5)),
  below_chance = draw(30, 40, c(-0.9, 0.1)),
  near_perfect = draw(35, 45, c(3.2, 2.6)),
  yes_or_no = draw(40, 50, c(1.6, 1), then = function(s) as.numeric(s > 0.5))
)
ranges <- list(
  c(0, 0.1), c(0, 0.2), c(0.1, 0.3), c(0.25, 0.26), c(0.8, 1), c(0.5, 1), c(0, 1), c(0.05, 0.95)
)

# ------------------------------------------------------------------------------------------ records

curve <- function(sample, marker, ...) {
  roc(samples[[sample]]$y, samples[[sample]]$markers[[marker]],
    levels = c(0, 1), direction = "<", quiet = TRUE, ...
  )
}

# pROC takes specificities, or sensitivities with the other focus.
bounds <- function(axis, range) if (axis == "fpr") 1 - range else rev(range)
focus <- function(axis) if (axis == "fpr") "specificity" else "sensitivity"

area <- function(sample, marker, axis, range) {
  one <- function(correct) {
    as.numeric(auc(curve(sample, marker),
      partial.auc = bounds(axis, range), partial.auc.focus = focus(axis),
      partial.auc.correct = correct, allow.invalid.partial.auc.correct = TRUE
    ))
  }
  list(
    kind = "area", sample = sample, marker = marker, axis = axis, range = range,
    raw = one(FALSE), standardized = one(TRUE)
  )
}

resampled <- function(sample, axis, range, boot.n = 20000) {
  partial <- function(marker) {
    curve(sample, marker, partial.auc = bounds(axis, range), partial.auc.focus = focus(axis))
  }
  common <- list(method = "bootstrap", boot.n = boot.n, progress = "none")
  of <- function(f, ...) do.call(f, c(list(...), common))
  list(
    kind = "resampled", sample = sample, axis = axis, range = range, boot_n = boot.n,
    var_a = of(pROC::var, partial("a")), var_b = of(pROC::var, partial("b")),
    cov = of(pROC::cov, partial("a"), partial("b"))
  )
}

places <- expand.grid(
  range = seq_along(ranges), axis = c("fpr", "tpr"), marker = c("a", "b"), sample = names(samples),
  stringsAsFactors = FALSE
)
records <- c(
  lapply(seq_len(nrow(places)), function(i) {
    p <- places[i, ]
    area(p$sample, p$marker, p$axis, ranges[[p$range]])
  }),
  list(
    resampled("continuous", "fpr", c(0, 0.2)),
    resampled("even", "fpr", c(0, 0.1)),
    resampled("even", "fpr", c(0.1, 0.3)),
    resampled("even", "tpr", c(0.8, 1)),
    resampled("heavy_ties", "fpr", c(0, 0.2)),
    resampled("ordinal", "tpr", c(0.5, 1))
  )
)

# --------------------------------------------------------------------------------------------- JSON

json <- function(x) {
  if (is.list(x)) {
    inside <- vapply(x, json, "")
    if (is.null(names(x))) {
      return(paste0("[\n", paste(inside, collapse = ",\n"), "\n]"))
    }
    between <- if (any(vapply(x, is.list, NA))) ",\n" else ", "
    return(paste0("{", paste0('"', names(x), '": ', inside, collapse = between), "}"))
  }
  value <- if (is.character(x)) paste0('"', x, '"') else sprintf("%.17g", x)
  if (length(x) > 1) paste0("[", paste(value, collapse = ", "), "]") else value
}

script <- normalizePath(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
provenance <- list(
  script = "tests/reference/make_partial.R", R = as.character(getRversion()),
  pROC = as.character(packageVersion("pROC")), date = format(Sys.Date())
)
writeLines(
  json(list(provenance = provenance, samples = samples, records = records)),
  file.path(dirname(script), "partial.json")
)
