# Writes the data sets of the validation: one CSV a set, as datasets.toml and README.md describe.
# Run from anywhere: Rscript validation/make_datasets.R [folder]
# Needs mlbench and kernlab for the real sets. Made sets have a seed each, so none moves another.

RNGversion("4.2.0")

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
home <- dirname(normalizePath(script))
given <- commandArgs(trailingOnly = TRUE)
folder <- if (length(given) > 0) given[1] else file.path(home, "datasets")

# ------------------------------------------------------------------------------------------ writing

# 17 digits name one double. R's own reader can miss it by one ulp, so the text is read back.
digits <- function(column) {
  if (is.character(column)) {
    return(column)
  }
  text <- sprintf("%.17g", column)
  stopifnot(all(is.finite(column)), identical(as.numeric(text), as.numeric(column), num.eq = FALSE))
  text
}

write_set <- function(name, columns) {
  stopifnot(names(columns)[1] == "y", length(unique(lengths(columns))) == 1)
  text <- vapply(columns, digits, character(length(columns$y)))
  lines <- c(paste(names(columns), collapse = ","), apply(text, 1, paste, collapse = ","))
  file <- file(file.path(folder, paste0(name, ".csv")), "wb")
  on.exit(close(file))
  writeLines(lines, file, sep = "\n")
}

# ------------------------------------------------------------------------------------------ drawing

# Multiples of 2^-bits: a last digit in which two mathematical libraries differ is rounded away.
# Those that R does not read back as they are printed go one step up.
on_grid <- function(x, bits = 30) readable(whole(x * 2^bits) / 2^bits, 2^-bits)

whole <- function(x) round(x) + 0 # no -0

readable <- function(x, step) {
  repeat {
    missed <- as.numeric(sprintf("%.17g", x)) != x
    if (!any(missed)) {
      return(x)
    }
    x[missed] <- x[missed] + step
  }
}

labels <- function(m, n) sample(rep(c(1, 0), c(m, n)))

# Normal markers of latent correlation rho; positives are shifted by the marker's own number.
normals <- function(y, shift, rho = 0.5) {
  common <- rnorm(length(y))
  lapply(shift, function(s) sqrt(rho) * common + sqrt(1 - rho) * rnorm(length(y)) + s * y)
}

# A made set: labels, correlated normals, and what becomes of every marker.
draw <- function(seed, m, n, shift, rho = 0.5, then = on_grid) {
  set.seed(seed)
  y <- labels(m, n)
  c(list(y = y), lapply(normals(y, shift, rho), then))
}

rating <- function(z) pmin(pmax(whole(z + 2.5), 1), 5)

# -------------------------------------------------------------------------------------- made: order

pair <- c(strong = 1.2, weak = 0.8)

write_set("normal_pair", draw(1, 40, 60, pair))
write_set("heavy_ties", draw(2, 50, 70, c(strong = 1.5, weak = 0.7), then = whole))
write_set(
  "ordinal_ratings",
  draw(3, 45, 55, c(reader_a = 1.4, reader_b = 1, reader_c = 0.5), then = rating)
)
write_set("below_chance", draw(4, 30, 40, c(reversed = -0.9, weak = 0.4)))
write_set("near_perfect", draw(5, 35, 35, c(excellent = 3.2, good = 2.6)))
write_set("nearly_identical", draw(6, 50, 50, c(assay = 1, assay_again = 1.05), rho = 0.995))
write_set("uncorrelated", draw(7, 20, 25, c(first = 1, second = 1), rho = 0))
write_set("negative_scores", draw(8, 25, 30, pair, then = function(z) on_grid(z - 50)))
write_set("large_offset", draw(9, 30, 45, pair, then = function(z) on_grid(1e9 + z, bits = 20)))
write_set(
  "tiny_scale",
  draw(10, 30, 30, pair, then = function(z) readable(on_grid(z) * 2^-997, 2^-1027))
)
write_set(
  "huge_scale",
  draw(11, 30, 30, pair, then = function(z) readable(on_grid(z) * 2^996, 2^966))
)
write_set("lognormal", draw(12, 60, 90, pair, then = function(z) on_grid(exp(1.5 * z))))
write_set("binary_scores", draw(13, 40, 50, c(test_a = 1.6, test_b = 1), then = function(z) {
  as.numeric(z > 0.5)
}))
write_set("one_positive", draw(14, 1, 40, pair))
write_set("one_negative", draw(15, 40, 1, pair))
write_set("twelve_against_2000", draw(16, 12, 2000, pair))

four <- draw(17, 60, 50, c(best = 1.5, good = 1.2, fair = 0.9, useless = 0), rho = 0.7)
write_set("four_markers", c(four, list(subject = 1000 + seq_along(four$y))))

low <- draw(18, 45, 35, c(low_marker = 1.1, high_marker = 0.9))
low$low_marker <- 100 - low$low_marker
write_set("low_is_positive", low)

sick <- draw(19, 35, 45, pair)
sick$y <- ifelse(sick$y == 1, "sick", "well")
write_set("text_labels", sick)

set.seed(20)
y <- labels(60, 60)
responds <- y * (runif(120) < 0.4)
write_set("mixture", list(
  y = y,
  responders = on_grid(rnorm(120) + 3 * responds),
  two_scales = on_grid(rnorm(120) * ifelse(runif(120) < 0.2, 10, 1) + y)
))

few <- draw(21, 12, 18, c(strong = 1.5, weak = 0.5), then = function(z) on_grid(z, bits = 4))
again <- rep(seq_len(30), 1 + seq_len(30) %% 4)
write_set("duplicated_rows", lapply(few, function(column) column[again]))

# ------------------------------------------------------------------------------- made: by a formula

i <- 1:130
y <- as.numeric(i %% 13 < 7)
write_set("integers", list(y = y, count = (i * 37) %% 101 + 20 * y, square = (i * i) %% 53 + 9 * y))

i <- 1:60
y <- i %% 2
ulps <- (i * 11) %% 5 + 2 * y - 3 # doubles are 2^-53 apart just above 1/2, half that below
write_set("near_ties", list(
  y = y,
  one_ulp = 0.5 + 2^-53 * ((i * 7) %% 5 + y),
  around_half = 0.5 + ulps * ifelse(ulps < 0, 2^-54, 2^-53),
  spread = ((i * 29) %% 64 + 12 * y) / 128
))

i <- 1:50
y <- i %% 2
write_set("perfect", list(
  y = y,
  perfect = (40 * y + (i * 7) %% 31) / 128,
  inverted = (100 - 40 * y - (i * 11) %% 37) / 128,
  imperfect = (9 * y + (i * 13) %% 23) / 32
))
write_set("constant_marker", list(
  y = y, constant = rep(0.5, 50), informative = (5 * y + i %% 11) / 16
))

i <- 1:40
y <- as.numeric(i %% 5 < 2)
zero <- ifelse(i %% 4 < 2, -0, 0)
level <- ((i * i) %% 7 - 3 + 2 * y) / 2
write_set("signed_zeros", list(
  y = y,
  zeros = ifelse(level == 0, zero, level),
  zero_or_more = ifelse(level <= 0, zero, level),
  zero_or_less = ifelse(level >= 0, zero, level)
))

write_set("two_against_three", list(
  y = c(1, 0, 1, 0, 0), first = c(0.875, 0.5, 0.375, 0.25, 0.125), second = c(3, 3, 5, 4, 1) / 8
))
write_set("five_against_five", list(
  y = c(1, 1, 1, 1, 1, 0, 0, 0, 0, 0),
  first = c(15, 13, 12, 9, 5, 11, 9, 6, 3, 1) / 16,
  second = c(14, 7, 10, 9, 2, 11, 8, 12, 4, 1) / 16
))

# ------------------------------------------------------------------------------ made: probabilities

set.seed(31)
logit <- 1.6 * rnorm(200) - 0.4
y <- as.numeric(runif(200) < plogis(logit))
write_set("prob_calibrated", list(
  y = y,
  true_risk = on_grid(plogis(logit)),
  noisy_risk = on_grid(plogis(0.6 * logit + 0.8 * rnorm(200)))
))
x <- draw(32, 60, 60, c(sharp = 1.2, sharper = 1.1), then = identity)
write_set("prob_overconfident", list(
  y = x$y, sharp = on_grid(plogis(3 * x$sharp - 2)), sharper = on_grid(plogis(8 * x$sharper - 5))
))
write_set("prob_near_half", draw(33, 50, 50, c(model_a = 1, model_b = 0.6), then = function(z) {
  on_grid(0.5 + 0.01 * (z - 0.4))
}))
write_set("prob_exact", draw(34, 40, 40, c(model_a = 1.4, model_b = 0.8), then = function(z) {
  pmin(pmax(whole(2 * z + 3), 0), 8) / 8
}))
write_set("prob_rare", draw(35, 15, 285, c(model_a = 1.5, model_b = 1), then = function(z) {
  on_grid(plogis(2 * z - 1))
}))

# ----------------------------------------------------------------------------------- made: clusters

# Patients with 1 to 4 lesions of either class; what a patient adds is common to his lesions.
lesions <- function(seed, patients) {
  set.seed(seed)
  cluster <- rep(seq_len(patients), sample(1:4, patients, replace = TRUE))
  size <- length(cluster)
  y <- as.numeric(runif(size) < plogis(rnorm(patients)[cluster] - 0.2))
  patient <- rnorm(patients)[cluster]
  reader <- function(shift) 0.7 * patient + 0.7 * rnorm(size) + shift * y
  list(y = y, cluster = cluster, a = reader(1.3), b = reader(0.8))
}

x <- lesions(41, 40)
write_set("clustered_lesions", list(
  y = x$y, reader_a = whole(50 + 15 * x$a), reader_b = on_grid(x$b), cluster = 100 + x$cluster
))
x <- lesions(42, 30)
write_set("clustered_prob", list(
  y = x$y,
  model_a = on_grid(plogis(2 * (x$a - 0.5))),
  model_b = on_grid(plogis(2 * (x$b - 0.5))),
  cluster = 500 + x$cluster
))

# ---------------------------------------------------------------------------------------- published

published <- function(name) {
  read.csv(file.path(home, "..", "rocstats", "datasets", paste0(name, ".csv")))
}

x <- published("ct_ratings")
write_set("ct_ratings", list(y = as.numeric(x$status == "abnormal"), rating = x$rating))
x <- published("fawcett")
write_set("fawcett", list(y = as.numeric(x$class == "p"), score = x$score))
for (name in c("wu_flach", "wu_flach_ferri")) {
  x <- published(name)
  write_set(name, list(y = as.numeric(x$class == "positive"), M1 = x$M1, M2 = x$M2))
}

# --------------------------------------------------------------------------------------------- real

data("BreastCancer", "Ionosphere", "Sonar", "HouseVotes84", "Glass", package = "mlbench")
data("spam", package = "kernlab")

number <- function(level) as.numeric(as.character(level))
complete <- function(columns) {
  lapply(columns, function(column) column[complete.cases(as.data.frame(columns))])
}

write_set("breast_wisconsin", with(BreastCancer, complete(list(
  y = as.numeric(Class == "malignant"),
  clump_thickness = number(Cl.thickness),
  cell_size = number(Cell.size),
  bare_nuclei = number(Bare.nuclei),
  mitoses = number(Mitoses)
))))
write_set("ionosphere", with(Ionosphere, list(
  y = as.numeric(Class == "good"), V3 = V3, V5 = V5, V8 = V8
)))
write_set("sonar", with(Sonar, list(
  y = as.numeric(Class == "M"), band_11 = V11, band_36 = V36, band_45 = V45
)))
write_set("house_votes", with(HouseVotes84, complete(list(
  y = as.numeric(Class == "republican"),
  physician_fee_freeze = as.numeric(V4 == "y"),
  el_salvador_aid = as.numeric(V5 == "y"),
  budget_resolution = as.numeric(V3 == "y")
))))
write_set("glass", with(Glass, list(
  y = as.numeric(Type %in% c("5", "6", "7")), aluminium = Al, barium = Ba, magnesium = Mg
)))
write_set("spam", with(spam[seq(1, nrow(spam), by = 11), ], list(
  y = as.numeric(type == "spam"),
  word_your = your,
  char_dollar = charDollar,
  char_exclamation = charExclamation,
  capital_average = capitalAve
)))
