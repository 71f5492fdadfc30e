# Writes proc.json beside this file: DeLong's variances and tests by pROC, with the data they are of.
# Run from anywhere: Rscript tests/reference/make_reference.R
# Data are made here (fixed seed or formula); none of pROC's own, which are GPL.

suppressPackageStartupMessages(library(pROC))
RNGversion("4.2.0")
set.seed(20250611)

# ------------------------------------------------------------------------------------------ samples

# `k` markers of latent correlation rho; positives are shifted by the marker's `shift`.
draw <- function(m, n, shift, rho = 0.5, then = identity) {
  y <- rep(c(1, 0), c(m, n))
  common <- rnorm(m + n)
  markers <- lapply(shift, function(s) {
    then(sqrt(rho) * common + sqrt(1 - rho) * rnorm(m + n) + s * y)
  })
  list(y = y, markers = setNames(markers, letters[seq_along(shift)]))
}

by_formula <- function(m, n) {
  i <- seq_len(m + n)
  y <- as.numeric(i %% ((m + n) / m) < 1)
  list(y = y, markers = list(a = (i * 37) %% 101 + 20 * y, b = (i * i) %% 53 + 9 * y))
}

samples <- list(
  continuous = draw(40, 60, c(1.2, 0.8)),
  heavy_ties = draw(50, 70, c(1.5, 0.7), then = round),
  ordinal = draw(45, 55, c(1.4, 1, 0.5), then = function(s) pmin(pmax(round(s + 2.5), 1), 5)),
  below_chance = draw(30, 40, c(-0.9, 0.4)),
  near_perfect = draw(35, 35, c(3.2, 2.6)),
  twelve_against_200 = draw(12, 200, c(1.1, 0.6)),
  negative_scores = draw(25, 30, c(1, 0.5), then = function(s) s - 50),
  tiny_scale = draw(30, 30, c(1, 0.6), then = function(s) 1e-8 * s),
  large_offset = draw(30, 45, c(0.9, 0.3), then = function(s) 1e9 + s),
  four_markers = draw(60, 50, c(1.5, 1.2, 0.9, 0), rho = 0.7),
  yes_or_no = draw(40, 50, c(1.6, 1), then = function(s) as.numeric(s > 0.5)),
  nearly_the_same = draw(50, 50, c(1, 1.05), rho = 0.995),
  uncorrelated = draw(20, 25, c(1, 1), rho = 0),
  three_against_four = list(
    y = c(1, 1, 1, 0, 0, 0, 0),
    markers = list(a = c(7, 5, 3, 6, 4, 2, 1), b = c(7, 2, 5, 6, 3, 4, 1))
  ),
  formula = by_formula(20, 40)
)

# ------------------------------------------------------------------------------------------ records

curve <- function(sample, marker) {
  roc(samples[[sample]]$y, samples[[sample]]$markers[[marker]],
    levels = c(0, 1), direction = "<", quiet = TRUE
  )
}

test <- function(first, second, paired, alternative) {
  roc.test(first, second, method = "delong", paired = paired, alternative = alternative)
}

area <- function(sample, marker) {
  r <- curve(sample, marker)
  limits <- as.numeric(ci.auc(r, method = "delong"))
  list(
    kind = "area", sample = sample, marker = marker,
    auc = as.numeric(auc(r)), var = var(r, method = "delong"), low = limits[1], high = limits[3]
  )
}

paired <- function(sample, pair) {
  a <- curve(sample, pair[1])
  b <- curve(sample, pair[2])
  both <- test(a, b, TRUE, "two.sided")
  list(
    kind = "paired", sample = sample, first = pair[1], second = pair[2],
    cov = cov(a, b, method = "delong"), statistic = unname(both$statistic), p = both$p.value,
    low = both$conf.int[1], high = both$conf.int[2],
    p_less = test(a, b, TRUE, "less")$p.value, p_greater = test(a, b, TRUE, "greater")$p.value
  )
}

unpaired <- function(sample, other) {
  a <- curve(sample, "a")
  b <- curve(other, "b")
  both <- test(a, b, FALSE, "two.sided")
  list(
    kind = "unpaired", sample = sample, other = other, first = "a", second = "b",
    statistic = unname(both$statistic), df = unname(both$parameter), p = both$p.value,
    p_less = test(a, b, FALSE, "less")$p.value, p_greater = test(a, b, FALSE, "greater")$p.value
  )
}

names_of <- names(samples)
records <- c(
  unlist(lapply(names_of, function(s) {
    lapply(names(samples[[s]]$markers), function(m) area(s, m))
  }), recursive = FALSE),
  unlist(lapply(names_of, function(s) {
    combn(names(samples[[s]]$markers), 2, function(pair) paired(s, pair), simplify = FALSE)
  }), recursive = FALSE),
  Map(unpaired, names_of, c(names_of[-1], names_of[1]), USE.NAMES = FALSE)
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
  script = "tests/reference/make_reference.R", R = as.character(getRversion()),
  pROC = as.character(packageVersion("pROC")), date = format(Sys.Date())
)
writeLines(
  json(list(provenance = provenance, samples = samples, records = records)),
  file.path(dirname(script), "proc.json")
)
