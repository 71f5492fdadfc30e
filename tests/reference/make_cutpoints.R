# Writes cutpoints.json beside this file: best cutpoints by cutpointr and OptimalCutpoints.
# Run from anywhere: Rscript tests/reference/make_cutpoints.R
# Data are made here (fixed seed).

suppressPackageStartupMessages({
  library(cutpointr)
  library(OptimalCutpoints)
  library(jsonlite)
})
RNGversion("4.2.0")
set.seed(20261118)

draw <- function(m, n, shift, then = identity) {
  y <- rep(c(1, 0), c(m, n))
  list(y = y, x = then(rnorm(m + n) + shift * y))
}
samples <- list(
  continuous = draw(40, 60, 1.2),
  rare = draw(15, 90, 1.6),
  common = draw(70, 25, 1.1),
  grades = draw(60, 70, 1, then = function(s) pmin(pmax(round(2 * s + 5), 1), 9))
)

# Our name: theirs. cutpointr leaves out infinite odds ratios, and OptimalCutpoints stops at
# MaxNPVPPV where nobody is called negative, so these stand in one column only or in none.
cutpointr_has <- list(
  product = "prod_sens_spec", equality = "abs_d_sens_spec", kappa = "cohens_kappa",
  chi_square = "p_chisquared", predictive_sum = "sum_ppv_npv", predictive_product = "prod_ppv_npv",
  predictive_equality = "abs_d_ppv_npv", youden = "youden", accuracy = "accuracy", f1 = "F1_score"
)
optimal_has <- list(
  dor = "MaxDOR", product = "MaxProdSpSe", equality = "SpEqualSe", minimum = "MaxSpSe",
  kappa = "MaxKappa", predictive_sum = "MaxSumNPVPPV", predictive_product = "MaxProdNPVPPV",
  predictive_equality = "NPVEqualPPV", predictive_closest = "PROC01", youden = "Youden",
  closest = "ROC01"
)
smallest <- c("equality", "chi_square", "predictive_equality")

record <- function(sample, criterion, package, cutpoint, value) {
  list(sample = unbox(sample), criterion = unbox(criterion), package = unbox(package),
    cutpoint = sort(unique(as.numeric(cutpoint)), decreasing = TRUE),
    value = unbox(as.numeric(value)[1]))
}
by_cutpointr <- function(sample, ours) {
  s <- samples[[sample]]
  name <- cutpointr_has[[ours]]
  best <- if (ours %in% smallest) minimize_metric else maximize_metric
  measure <- get(name, asNamespace("cutpointr"))
  found <- suppressWarnings(cutpointr(
    x = s$x, class = s$y, pos_class = 1, neg_class = 0, direction = ">=", silent = TRUE,
    method = best, metric = measure, break_ties = c, tol_metric = 1e-12
  ))
  record(sample, ours, "cutpointr", unlist(found$optimal_cutpoint), unlist(found[[name]]))
}
by_optimal <- function(sample, ours) {
  s <- samples[[sample]]
  name <- optimal_has[[ours]]
  found <- suppressWarnings(optimal.cutpoints(
    X = "x", status = "y", tag.healthy = 0, methods = name, data = data.frame(x = s$x, y = s$y)
  ))[[name]]$Global
  record(sample, ours, "OptimalCutpoints", found$optimal.cutoff$cutoff, found$optimal.criterion)
}
records <- c(
  unlist(lapply(names(samples), function(s) lapply(names(cutpointr_has), by_cutpointr, sample = s)), FALSE),
  unlist(lapply(names(samples), function(s) lapply(names(optimal_has), by_optimal, sample = s)), FALSE)
)

# ---------------------------------------------------------------------------------------------------

whole <- list(
  provenance = lapply(list(
    script = "tests/reference/make_cutpoints.R", R = paste(R.version$major, R.version$minor, sep = "."),
    cutpointr = as.character(packageVersion("cutpointr")),
    OptimalCutpoints = as.character(packageVersion("OptimalCutpoints")), date = format(Sys.Date())
  ), unbox),
  theirs = union(names(cutpointr_has), names(optimal_has)),
  samples = samples, records = records
)
given <- commandArgs(FALSE)
here <- dirname(normalizePath(sub("^--file=", "", grep("^--file=", given, value = TRUE))))
writeLines(toJSON(whole, digits = NA), file.path(here, "cutpoints.json"))
