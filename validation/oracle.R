# The statistics of rocstats by brute force: sums over all pairs, straight from their definitions.
# Nothing is sorted or accumulated, and nothing is shared with the package. Base R only.
# Numbers in brackets are sections of STATISTICS.md; T is a value, m and n are class sizes.
#
# A "row" is what oracle_auc, oracle_sauc and oracle_smauc return: `value`, `v10` (one structural
# component a positive), `v01` (one a negative), `variance`, `std_error` and the measure's details.
# Components keep the order of the scores, so rows of markers on the same subjects match.

step_kernel <- function(y, x) (y > x) + 0.5 * (y == x) # [2.1]
ramp_kernel <- function(y, x) (y - x) * (y > x) # [3.1]

pair_matrix <- function(pos, neg, kernel) {
  h <- matrix(NA_real_, length(pos), length(neg))
  for (i in seq_along(pos)) {
    for (j in seq_along(neg)) {
      h[i, j] <- kernel(pos[i], neg[j])
    }
  }
  h
}

# Components less the value in units of the largest, so that no square leaves the doubles.
centred <- function(row) {
  pos <- row$v10 - row$value
  neg <- row$v01 - row$value
  unit <- max(abs(c(pos, neg)))
  if (is.nan(unit) || unit == 0) unit <- 1
  list(pos = pos / unit, neg = neg / unit, unit = unit)
}

as_row <- function(value, v10, v01, ...) {
  row <- list(value = value, v10 = v10, v01 = v01)
  found <- oracle_covariance(list(row), scale = TRUE)
  std_error <- found$unit * sqrt(drop(found$covariance))
  c(row, list(variance = std_error^2, std_error = std_error), list(...))
}

# ---------------------------------------------------------------------------- AUC and sAUC [2.2, 3]

oracle_auc <- function(pos, neg) {
  h <- pair_matrix(pos, neg, step_kernel)
  as_row(mean(h), rowMeans(h), colMeans(h))
}

oracle_sauc <- function(pos, neg) {
  h <- pair_matrix(pos, neg, ramp_kernel)
  value <- mean(h)
  reverse <- mean(pair_matrix(pos, neg, function(y, x) ramp_kernel(x, y)))
  as_row(value, rowMeans(h), colMeans(h),
    r_plus = mean(pair_matrix(pos, neg, function(y, x) y * step_kernel(y, x))), # [3.3]
    r_minus = mean(pair_matrix(pos, neg, function(y, x) x * step_kernel(y, x))),
    rsauc = if (value + reverse > 0) value / (value + reverse) else NaN, # [3.7]
    mean_difference = value - reverse # [3.2]
  )
}

# ---------------------------------------------------------------------------------------- smAUC [4]

# The double sum over all subjects, each with itself too; NaN where undefined [4.1, 4.3].
plane_area <- function(score, up, right) {
  total <- 0
  for (i in seq_along(score)) {
    total <- total + up[i] * sum(right * step_kernel(score[i], score))
  }
  if (sum(up) == 0 || sum(right) == 0) NaN else total / (sum(up) * sum(right))
}

# Scores, g and theta [4.1], class weights, and the share of the positives in them [4.4].
smooth_setting <- function(pos, neg, midpoint, balanced, prevalence) {
  m <- length(pos)
  n <- length(neg)
  score <- c(pos, neg)
  g <- ifelse(score >= midpoint, score, 1 - score)
  share <- if (balanced) 0.5 else prevalence
  weight <- if (is.null(share)) c(1, 1) else c(share / m, (1 - share) / n)
  theta <- ifelse(seq_along(score) <= m, g, 1 - g)
  weight <- rep(weight, c(m, n))
  share <- sum(weight[seq_len(m)]) / sum(weight)
  list(
    score = score, theta = theta, up = weight * theta, right = weight * (1 - theta),
    weight = weight, at_chance = share * g + (1 - share) * (1 - g)
  )
}

# One division, so that a midpoint that is a score exactly is that score in doubles too [4.3].
smooth_midpoint <- function(pos, neg, midpoint) {
  m <- length(pos)
  n <- length(neg)
  if (is.numeric(midpoint)) {
    return(midpoint)
  }
  switch(midpoint,
    paper = (sum(pos) + sum(neg)) / (2 * m),
    class_mean = (n * sum(pos) + m * sum(neg)) / (2 * m * n)
  )
}

# How the value moves with an estimated midpoint: a secant over 2 SE each way [4.7].
midpoint_slope <- function(pos, neg, centre, ratio, ...) {
  reach <- 2 * sqrt(var(pos) / (4 * length(pos)) + ratio^2 * var(neg) / (4 * length(neg)))
  if (is.na(reach) || reach == 0) {
    return(reach)
  }
  value_at <- function(c) with(smooth_setting(pos, neg, c, ...), plane_area(score, up, right))
  (value_at(centre + reach) - value_at(centre - reach)) / (2 * reach)
}

# midpoint: a number, "paper" or "class_mean". Class weights: none, balanced, or a prevalence.
oracle_smauc <- function(pos, neg, midpoint = 0.5, balanced = FALSE, prevalence = NULL) {
  m <- length(pos)
  n <- length(neg)
  centre <- smooth_midpoint(pos, neg, midpoint)
  s <- smooth_setting(pos, neg, centre, balanced, prevalence)
  rise <- sum(s$up)
  run <- sum(s$right)
  value <- plane_area(s$score, s$up, s$right)
  d <- numeric(m + n) # [4.5]
  for (i in seq_len(m + n)) {
    below <- sum(s$right * step_kernel(s$score[i], s$score))
    above <- sum(s$up * step_kernel(s$score, s$score[i]))
    won <- (s$theta[i] * below + (1 - s$theta[i]) * above) / (rise * run)
    d[i] <- s$weight[i] * (won - value * (s$theta[i] / rise + (1 - s$theta[i]) / run))
  }
  d_pos <- d[seq_len(m)]
  d_neg <- d[m + seq_len(n)]
  v10 <- value + m * (d_pos - mean(d_pos)) # [0.6]
  v01 <- value + n * (d_neg - mean(d_neg))
  fixed <- is.numeric(midpoint)
  slope <- 0
  if (!fixed) {
    ratio <- if (midpoint == "paper") n / m else 1
    slope <- midpoint_slope(pos, neg, centre, ratio, balanced, prevalence)
    v10 <- v10 + slope * (pos - mean(pos)) / 2
    v01 <- v01 + slope * ratio * (neg - mean(neg)) / 2
  }
  cohort <- (m + n) / (m + n - 1) * sum(d^2) # [4.6]
  as_row(value, v10, v01,
    midpoint = centre,
    chance = plane_area(s$score, s$at_chance, 1 - s$at_chance), # [4.4]
    prevalence_sensitivity = sum(d_pos),
    cohort_variance = if (fixed && !balanced && is.null(prevalence)) cohort else NaN,
    midpoint_slope = slope
  )
}

# ------------------------------------------------------------- variances of a mean over pairs [2.4]

# "quadruples" is "unbiased" once more, over pairs of pairs that share no subject: O(m^2 n^2).
oracle_variance <- function(pos, neg, measure = "auc", method = "unbiased") {
  h <- pair_matrix(pos, neg, switch(measure, auc = step_kernel, sauc = ramp_kernel))
  m <- length(pos)
  n <- length(neg)
  u <- mean(h)
  v10 <- rowMeans(h)
  v01 <- colMeans(h)
  s10 <- sum((v10 - u)^2) / (m - 1)
  s01 <- sum((v01 - u)^2) / (n - 1)
  interaction <- without <- 0
  for (i in seq_len(m)) {
    for (j in seq_len(n)) {
      interaction <- interaction + (h[i, j] - v10[i] - v01[j] + u)^2
      if (method == "quadruples") without <- without + h[i, j] * sum(h[-i, -j])
    }
  }
  mean_square <- interaction / ((m - 1) * (n - 1))
  switch(method,
    delong = s10 / m + s01 / n,
    wu = (s10 * (n - 1) + s01 * (m - 1)) / (m * n),
    unbiased = s10 / m + s01 / n - mean_square / (m * n),
    quadruples = u^2 - without / (m * (m - 1) * n * (n - 1))
  )
}

# --------------------------------------------------------------------------------- covariance [0.5]

# Returns the `covariance` of the rows; its terms `pos`, `neg` and `across` (of clusters with both
# classes); the `units` of each class; the number of `clusters`. With scale = TRUE rows are divided
# by their `unit` first.
oracle_covariance <- function(rows, scale = FALSE) {
  m <- length(rows[[1]]$v10)
  n <- length(rows[[1]]$v01)
  oracle_cluster_covariance(rows, list(pos = seq_len(m), neg = m + seq_len(n)), scale)
}

# Obuchowski (1997): components are summed within clusters first. I10 clusters have a positive, I01
# a negative, and there are I in all; A and B are the sums of V10 - T and of V01 - T of a cluster.
#   S10 = I10/((I10-1) m) sum A A',  S01 = I01/((I01-1) n) sum B B',  S11 = I/(I-1) sum A B'
#   covariance = S10/m + S01/n + (S11 + S11')/(m n)
# With one subject a cluster this is DeLong's [0.5]. `cluster`: list(pos = , neg = ), ids of every
# component.
oracle_cluster_covariance <- function(rows, cluster, scale = FALSE) {
  k <- length(rows)
  parts <- lapply(rows, centred)
  unit <- vapply(parts, function(part) part$unit, numeric(1))
  restore <- function(x) if (scale) x else unit * x * rep(unit, each = k)
  m <- length(cluster$pos)
  n <- length(cluster$neg)
  ids <- unique(c(cluster$pos, cluster$neg))
  units <- c(pos = length(unique(cluster$pos)), neg = length(unique(cluster$neg)))
  pos <- neg <- across <- matrix(0, k, k)
  for (id in ids) {
    a <- vapply(parts, function(part) sum(part$pos[cluster$pos == id]), numeric(1))
    b <- vapply(parts, function(part) sum(part$neg[cluster$neg == id]), numeric(1))
    pos <- pos + outer(a, a)
    neg <- neg + outer(b, b)
    across <- across + outer(a, b) + outer(b, a)
  }
  pos <- restore(pos * units[["pos"]] / (units[["pos"]] - 1) / m^2)
  neg <- restore(neg * units[["neg"]] / (units[["neg"]] - 1) / n^2)
  across <- restore(across * length(ids) / (length(ids) - 1) / (m * n))
  if (min(units) < 2) pos[] <- neg[] <- NaN
  list(
    covariance = pos + neg + across, pos = pos, neg = neg, across = across,
    units = units, clusters = length(ids), unit = unit
  )
}

# ------------------------------------------------------------------------------- contrasts [6, 7.2]

oracle_satterthwaite <- function(terms, units) sum(terms)^2 / sum(terms^2 / (units - 1))

combine <- function(rows, weights) {
  part <- function(name) Reduce(`+`, Map(function(row, w) w * row[[name]], rows, weights))
  row <- list(value = part("value"), v10 = part("v10"), v01 = part("v01"))
  row$size <- sum(abs(weights * vapply(rows, function(r) r$value, numeric(1))))
  row
}

# Standard error and df of one row; with clusters there are never more df than clusters less one.
scatter <- function(row, cluster) {
  if (is.null(cluster)) {
    found <- oracle_covariance(list(row), scale = TRUE)
    most <- Inf
  } else {
    found <- oracle_cluster_covariance(list(row), cluster, scale = TRUE)
    most <- found$clusters - 1
  }
  list(
    std_error = found$unit * sqrt(max(found$covariance, 0)),
    df = min(oracle_satterthwaite(c(found$pos, found$neg), found$units), most),
    terms = found$unit^2 * c(found$pos, found$neg), units = found$units, most = most
  )
}

p_of <- function(statistic, df, alternative) {
  switch(alternative,
    "two-sided" = 2 * pt(-abs(statistic), df),
    less = pt(statistic, df),
    greater = pt(statistic, df, lower.tail = FALSE)
  )
}

# `size` is that of the terms of the estimate: what is less than a rounding of it is 0 [6.3].
judge <- function(estimate, size, std_error, df, alternative, null_value, level) {
  difference <- estimate - null_value
  if (abs(difference) <= 1e-14 * (size + abs(null_value))) difference <- 0
  statistic <- difference / std_error
  p <- p_of(statistic, df, alternative)
  tail <- if (alternative == "two-sided") (1 - level) / 2 else 1 - level
  reach <- qt(tail, df, lower.tail = FALSE) * std_error
  if (is.nan(std_error)) {
    df <- NaN
  } else if (std_error <= 1e-14 * size) {
    statistic <- if (difference == 0) 0 else sign(difference) * Inf
    p <- if (difference == 0) 1 else p_of(statistic, Inf, alternative)
    std_error <- df <- 0
    reach <- NaN
  }
  list(
    estimate = estimate, std_error = std_error, statistic = statistic, df = df, p_value = p,
    conf_low = if (alternative == "less") -Inf else estimate - reach,
    conf_high = if (alternative == "greater") Inf else estimate + reach
  )
}

# One linear combination of rows: t with Satterthwaite's df, or normal (df Inf).
oracle_contrast <- function(rows, weights, cluster = NULL, reference = "t",
                            alternative = "two-sided", null_value = 0, level = 0.95) {
  row <- combine(rows, weights)
  found <- scatter(row, cluster)
  df <- if (reference == "normal") Inf else found$df
  judge(row$value, row$size, found$std_error, df, alternative, null_value, level)
}

# Rows of two samples without a subject in common [6.6]; "proc" has pROC's two-term df.
oracle_independent <- function(first, second, reference = "t", alternative = "two-sided",
                               null_value = 0, level = 0.95) {
  a <- scatter(first, NULL)
  b <- scatter(second, NULL)
  df <- switch(reference,
    normal = Inf,
    t = oracle_satterthwaite(c(a$terms, b$terms), c(a$units, b$units)),
    proc = oracle_satterthwaite(c(a$std_error, b$std_error)^2, c(sum(a$units), sum(b$units)))
  )
  std_error <- sqrt(a$std_error^2 + b$std_error^2)
  size <- abs(first$value) + abs(second$value)
  judge(first$value - second$value, size, std_error, df, alternative, null_value, level)
}

# Are all contrasts zero [6.1, 6.2]? `weights` has one row a contrast; by default each row of the
# list less the next. "chi2" on the rank of their covariance, or "F" with nu = 2 min - 2 (at most
# clusters less one); where the rank is 1, F is the square of that contrast's t.
oracle_omnibus <- function(rows, cluster = NULL, weights = NULL, reference = "chi2") {
  k <- length(rows)
  if (is.null(weights)) weights <- cbind(diag(k - 1), 0) - cbind(0, diag(k - 1))
  contrasts <- lapply(seq_len(nrow(weights)), function(i) combine(rows, weights[i, ]))
  errors <- vapply(contrasts, function(row) scatter(row, cluster)$std_error, numeric(1))
  size <- vapply(contrasts, function(row) row$size, numeric(1))
  d <- vapply(contrasts, function(row) row$value, numeric(1))
  d[abs(d) <= 1e-14 * size] <- 0
  varies <- errors > 1e-14 * size
  errors[!varies] <- 1
  standard <- lapply(seq_along(d), function(i) combine(contrasts[i], varies[i] / errors[i]))
  found <- if (is.null(cluster)) {
    oracle_covariance(standard)
  } else {
    oracle_cluster_covariance(standard, cluster)
  }
  parts <- eigen(found$covariance, symmetric = TRUE)
  kept <- parts$values > 1e-10 * max(parts$values, 0)
  rank <- sum(kept)
  vectors <- parts$vectors[, kept, drop = FALSE]
  inside <- drop(crossprod(vectors, d / errors))
  outside <- d / errors - drop(vectors %*% inside)
  q <- sum(inside^2 / parts$values[kept])
  if (max(abs(outside)) > 1e-8 * max(abs(d / errors))) q <- Inf
  if (rank == 0 && all(d == 0)) {
    return(list(statistic = 0, df = 0, df_denominator = Inf, p_value = 1))
  }
  p <- pchisq(q, rank, lower.tail = FALSE)
  if (reference == "chi2") {
    return(list(statistic = q, df = rank, df_denominator = Inf, p_value = p))
  }
  most <- if (is.null(cluster)) Inf else found$clusters - 1
  nu <- min(2 * min(found$units) - 2, most)
  below <- nu - rank + 1
  statistic <- q * below / (nu * rank)
  if (rank == 1) {
    below <- scatter(combine(standard, vectors[, 1]), cluster)$df
    statistic <- q
  }
  p <- pf(statistic, rank, below, lower.tail = FALSE)
  list(statistic = statistic, df = rank, df_denominator = below, p_value = p)
}

# ----------------------------------------------------------------------- exchange permutation [6.4]

# Every exchange of two markers' scores within units, with both measures computed anew. `measure`
# is oracle_auc (scores become mid-ranks within their marker), oracle_sauc or a function like them.
# `unit`: list(pos = , neg = ), clusters exchanged as a whole; by default every subject is a unit.
oracle_permutation_bandos <- function(pos_a, neg_a, pos_b, neg_b, measure = oracle_auc,
                                      unit = NULL, studentized = FALSE) {
  is_pos <- rep(c(TRUE, FALSE), c(length(pos_a), length(neg_a)))
  a <- c(pos_a, neg_a)
  b <- c(pos_b, neg_b)
  if (identical(measure, oracle_auc)) {
    a <- rank(a, ties.method = "average")
    b <- rank(b, ties.method = "average")
  }
  ids <- if (is.null(unit)) seq_along(a) else c(unit$pos, unit$neg)
  code <- match(ids, unique(ids))
  units <- max(code)
  stopifnot(units <= 12)
  judge_swap <- function(swapped) {
    first <- ifelse(swapped, b, a)
    second <- ifelse(swapped, a, b)
    rows <- list(measure(first[is_pos], first[!is_pos]), measure(second[is_pos], second[!is_pos]))
    row <- combine(rows, c(1, -1))
    std_error <- if (studentized) scatter(row, unit)$std_error else NaN
    if (abs(row$value) <= 1e-12 * row$size) row$value <- 0
    if (!is.nan(std_error) && std_error <= 1e-12 * row$size) std_error <- 0
    ratio <- if (row$value == 0) 0 else row$value / std_error
    list(
      value = row$value, size = row$size, std_error = std_error,
      statistic = if (studentized) ratio else row$value
    )
  }
  observed <- judge_swap(rep(FALSE, length(a)))
  values <- numeric(2^units)
  for (choice in seq_len(2^units) - 1) {
    swapped <- bitwAnd(choice, 2^(seq_len(units) - 1)) > 0
    values[choice + 1] <- judge_swap(swapped[code])$statistic
  }
  near <- 1e-12 * observed$size
  if (studentized) near <- 1e-9 * max(1, abs(observed$statistic))
  if (!is.finite(near)) near <- 0
  std_error <- if (studentized) observed$std_error else sqrt(mean(values^2))
  list(
    estimate = observed$value, std_error = std_error,
    statistic = if (observed$value == 0) 0 else observed$value / std_error,
    p_two_sided = mean(abs(values) >= abs(observed$statistic) - near),
    p_less = mean(values <= observed$statistic + near),
    p_greater = mean(values >= observed$statistic - near),
    n_permutations = length(values)
  )
}

# ------------------------------------------------------------------------------------ intervals [7]

quantile_of <- function(level, df) qt((1 - level) / 2, df, lower.tail = FALSE)

oracle_wald_interval <- function(value, std_error, level = 0.95, df = Inf) {
  reach <- quantile_of(level, df) * std_error
  list(low = value - reach, high = value + reach)
}

oracle_log_interval <- function(value, std_error, level = 0.95, df = Inf) {
  reach <- quantile_of(level, df) * std_error / value
  if (value <= 0) reach <- NaN
  list(low = value * exp(-reach), high = value * exp(reach))
}

# Wald limits on another scale; at 0 and 1, where no scale helps, the exact bound [7.4].
transformed <- function(value, std_error, m, n, level, df, forward, slope, back) {
  exact <- ((1 - level) / 2)^(1 / min(m, n))
  if (value >= 1) {
    return(list(low = exact, high = 1))
  }
  if (value <= 0) {
    return(list(low = 0, high = 1 - exact))
  }
  reach <- quantile_of(level, df) * std_error * slope(value)
  list(low = back(forward(value) - reach), high = back(forward(value) + reach))
}

oracle_logit_interval <- function(value, std_error, m, n, level = 0.95, df = Inf) {
  transformed(value, std_error, m, n, level, df, qlogis, function(t) 1 / (t * (1 - t)), plogis)
}

oracle_probit_interval <- function(value, std_error, m, n, level = 0.95) {
  transformed(value, std_error, m, n, level, Inf, qnorm, function(t) 1 / dnorm(qnorm(t)), pnorm)
}

oracle_arcsine_interval <- function(value, std_error, m, n, level = 0.95) {
  transformed(
    value, std_error, m, n, level, Inf,
    function(t) asin(sqrt(t)), function(t) 1 / (2 * sqrt(t * (1 - t))),
    function(angle) sin(min(max(angle, 0), pi / 2))^2
  )
}

# Variance at a given AUC, and the Wald interval by it [7.3].
oracle_hanley_mcneil <- function(auc, m, n, level = 0.95, df = Inf) {
  q1 <- auc / (2 - auc)
  q2 <- 2 * auc^2 / (1 + auc)
  variance <- (auc * (1 - auc) + (m - 1) * (q1 - auc^2) + (n - 1) * (q2 - auc^2)) / (m * n)
  std_error <- sqrt(max(variance, 0))
  c(
    list(variance = variance, std_error = std_error),
    oracle_wald_interval(auc, std_error, level, df)
  )
}

# The roots of `excess`, negative at the value and positive near 0 and 1, on either side.
limits_by_root <- function(excess, value) {
  side <- function(edge) {
    outer <- (value + edge) / 2
    while (excess(outer) < 0) outer <- (outer + edge) / 2
    uniroot(excess, sort(c(value, outer)), tol = 1e-16, maxiter = 10000)$root
  }
  list(low = side(0), high = side(1))
}

# Newcombe (2006), method 5 [7.3]. At 0 and 1 the distance u of the other limit has u = z^2 V(u)/u.
oracle_newcombe_interval <- function(auc, m, n, level = 0.95, df = Inf) {
  z <- quantile_of(level, df)
  star <- (m + n) / 2 - 1
  shape <- function(t) 1 + star * (1 - t) / (2 - t) + star * t / (1 + t)
  if (auc == 0 || auc == 1) {
    edge <- function(u) u - z^2 * (1 - u) * shape(u) / (m * n)
    u <- uniroot(edge, c(0, 1), tol = 1e-16, maxiter = 10000)$root
    return(if (auc == 1) list(low = 1 - u, high = 1) else list(low = 0, high = u))
  }
  limits_by_root(function(t) (auc - t)^2 - z^2 * t * (1 - t) * shape(t) / (m * n), auc)
}

# Hoeffding (1963) [7.5]; at 0 and 1 it is the exact bound [7.4].
oracle_kl_interval <- function(value, m, n, level = 0.95) {
  if (value <= 0 || value >= 1) {
    return(oracle_logit_interval(value, 0, m, n, level))
  }
  limits_by_root(function(t) {
    divergence <- value * log(value / t) + (1 - value) * log((1 - value) / (1 - t))
    min(m, n) * divergence - log(2 / (1 - level))
  }, value)
}

# --------------------------------------------------------------- variance at the null [6.8, 7.8]

# Losses: what the formula's own scale and no correlation are worth; up to which the variance is all
# at the null, and from which on none of it. Of an even null `relief` is given back: where neither
# side has more than `tilt` of the variance above the other's, and the smaller class is more than a
# third of the larger.
AT_NULL <- list(scale = 3, related = 0.05, full = 10, none = 20, relief = 0.75, tilt = 0.2)

formula_at <- function(auc, m, n) {
  star <- (m + n) / 2 - 1
  auc * (1 - auc) * (1 + star * (1 - auc) / (2 - auc) + star * auc / (1 + auc)) / (m * n)
}

lost_by <- function(area) min(area$value, 1 - area$value) * min(area$m, area$n)

# `area`: list(value, variance, m, n), what its classes are worth, and `give`, how far it gives way
# to a hypothesis: by the numbers of subjects alone.
scale_of <- function(area) {
  at <- formula_at(area$value, area$m, area$n)
  if (at <= 0 || area$variance <= 0) {
    return(1)
  }
  ratio <- area$variance / at
  lost <- lost_by(area)
  if (ratio > 1) ratio else (lost * ratio + AT_NULL$scale) / (lost + AT_NULL$scale)
}

share_of <- function(lost, variance) {
  if (variance <= 0) {
    return(1)
  }
  min(max((AT_NULL$none - lost) / (AT_NULL$none - AT_NULL$full), 0), 1)
}

# `a`, `b`: what the classes are worth; m and n only matter to logit limits at 0 and 1.
oracle_score_interval <- function(auc, std_error, m, n, a, b, level = 0.95, df = Inf) {
  area <- list(value = auc, variance = std_error^2, m = a, n = b)
  if (std_error <= 1e-14 * auc) area$variance <- 0
  if (auc == 0 || auc == 1) {
    return(oracle_newcombe_interval(auc, a, b, level, df))
  }
  z <- quantile_of(level, df)
  scale <- scale_of(area)
  near <- limits_by_root(function(t) (auc - t)^2 - z^2 * scale * formula_at(t, a, b), auc)
  share <- share_of(lost_by(area), area$variance)
  if (share == 1) {
    return(near)
  }
  far <- oracle_logit_interval(auc, std_error, m, n, level, df)
  list(
    low = share * near$low + (1 - share) * far$low,
    high = share * near$high + (1 - share) * far$high
  )
}

drawn <- function(area) sqrt(lost_by(area) / (lost_by(area) + AT_NULL$related))

# Units that a variance is worth by the kurtosis of what it is a variance of, and one.
tail_units <- function(values) {
  n <- length(values)
  centred <- values - mean(values)
  if (n < 3 || all(centred == 0)) {
    return(n)
  }
  kurtosis <- n * sum(centred^4) / sum(centred^2)^2
  min(2 * n / (kurtosis - (n - 3) / (n - 1)), n - 1) + 1
}

tails_of <- function(row, cluster = NULL) {
  side <- function(v, ids) {
    v <- v - mean(v)
    if (is.null(ids)) tail_units(v) else tail_units(as.vector(tapply(v, as.character(ids), sum)))
  }
  c(pos = side(row$v10, cluster$pos), neg = side(row$v01, cluster$neg))
}

# How even the classes of an area are: 0 where one is three times the other, 1 from 2 to 3 on.
evenness_of <- function(area) {
  min(max(3 * min(area$m, area$n) / max(area$m, area$n) - 1, 0), 1)
}

# How even a null is that puts one area at `a` and the other at `b`.
even_at <- function(one, two, a, b) {
  u <- max(formula_at(a, one$m, one$n), 0)
  v <- max(formula_at(b, two$m, two$n), 0)
  tilt <- if (u + v > 0) abs(u - v) / (u + v) else 0
  max(1 - tilt / AT_NULL$tilt, 0) * min(evenness_of(one), evenness_of(two))
}

# The statistic of one area less another, at any difference, with its degrees of freedom: a function
# of it. Only the sample's own part of the variance is as uncertain as its tails make it.
statistic_at_null <- function(one, two, related, df, tailed) {
  delong <- one$variance + two$variance - 2 * related * sqrt(one$variance * two$variance)
  if (delong <= 1e-24 * (one$variance + two$variance)) delong <- 0
  share <- share_of(min(lost_by(one), lost_by(two)), delong)
  related <- related * drawn(one) * drawn(two)
  h <- c(one$give, two$give)
  function(null) {
    distance <- one$value - two$value - null
    first <- one$value - distance * h[1] / sum(h)
    first <- min(max(first, 0, null), 1, 1 + null)
    u <- scale_of(one) * formula_at(first, one$m, one$n)
    v <- scale_of(two) * formula_at(first - null, two$m, two$n)
    u <- max(u, 0)
    v <- max(v, 0)
    whole <- max(u + v - 2 * related * sqrt(u * v), delong)
    taken <- share
    if (delong > 0) {
      taken <- share * (1 - AT_NULL$relief * even_at(one, two, first, first - null))
    }
    variance <- delong + taken * (whole - delong)
    own <- if (variance > 0) delong / variance else 1
    here <- 1 / ((1 - taken) / df + taken / min(tailed / own^2, df))
    c(t = if (distance == 0) 0 else distance / sqrt(variance), df = here)
  }
}

# Tests and limits that are all read from that statistic: monotone, so that what is rejected is
# rejected with all beyond it.
judge_at_null <- function(one, two, related, df, tailed, level, margin) {
  if (is.nan(one$variance + two$variance)) {
    none <- list(statistic = NaN, df = NaN, p_value = NaN, conf_low = NaN, conf_high = NaN)
    return(c(none, list(noninferiority = NaN, superiority = NaN, equivalence = NaN)))
  }
  raw <- statistic_at_null(one, two, related, df, tailed)
  deviate <- function(x) qnorm(pt(-abs(x[["t"]]), x[["df"]]), lower.tail = FALSE)
  centre <- one$value - two$value
  at <- function(null) {
    edge <- if (null < centre) -1 else 1
    beyond <- lapply(null + (edge - null) * ((0:256) / 256)^2, raw)
    beyond[[which.min(vapply(beyond, deviate, numeric(1)))]]
  }
  q <- qnorm((1 - level) / 2, lower.tail = FALSE)
  limit <- function(edge) {
    if (centre == edge) {
      return(edge)
    }
    excess <- function(null) deviate(raw(null)) - q
    grid <- centre + (edge - centre) * ((256:0) / 256)^2
    first <- which(vapply(grid, excess, numeric(1)) <= 0)[1]
    if (first == 1) {
      return(edge)
    }
    uniroot(excess, sort(grid[c(first - 1, first)]), tol = 1e-16, maxiter = 10000)$root
  }
  above <- function(null) pt(at(null)[["t"]], at(null)[["df"]], lower.tail = FALSE)
  below <- function(null) pt(at(null)[["t"]], at(null)[["df"]])
  here <- at(0)
  list(
    statistic = here[["t"]], df = here[["df"]], p_value = 2 * pt(-abs(here[["t"]]), here[["df"]]),
    conf_low = limit(-1), conf_high = limit(1),
    noninferiority = above(-margin), superiority = above(margin),
    equivalence = max(above(-margin), below(margin))
  )
}

area_of <- function(row, cluster = NULL) {
  found <- scatter(row, cluster)
  worth <- oracle_worth(row, found, cluster)
  none <- found$std_error <= 1e-14 * abs(row$value)
  list(
    value = row$value, variance = if (isTRUE(none)) 0 else found$std_error^2, m = worth[["pos"]],
    n = worth[["neg"]], give = 1 / length(row$v10) + 1 / length(row$v01)
  )
}

# Two areas of one sample.
oracle_at_null <- function(rows, cluster = NULL, level = 0.95, margin = 0.1) {
  areas <- lapply(rows[1:2], area_of, cluster = cluster)
  joint <- if (is.null(cluster)) {
    oracle_covariance(rows)
  } else {
    oracle_cluster_covariance(rows, cluster)
  }
  spread <- sqrt(c(areas[[1]]$variance, areas[[2]]$variance))
  related <- if (prod(spread) > 0) joint$covariance[1, 2] / prod(spread) else 0
  row <- combine(rows[1:2], c(1, -1))
  found <- scatter(row, cluster)
  tailed <- min(oracle_satterthwaite(found$terms, tails_of(row, cluster)), found$df)
  if (min(found$units) < 3) tailed <- found$df
  df <- found$df
  if (is.nan(df)) {
    df <- min(sum(joint$units) - 2, if (is.null(cluster)) Inf else joint$clusters - 1)
    tailed <- df
  }
  judge_at_null(areas[[1]], areas[[2]], related, df, tailed, level, margin)
}

# Two areas of samples without a subject in common.
oracle_independent_at_null <- function(first, second, level = 0.95, margin = 0.1) {
  a <- scatter(first, NULL)
  b <- scatter(second, NULL)
  df <- oracle_satterthwaite(c(a$terms, b$terms), c(a$units, b$units))
  tailed <- oracle_satterthwaite(c(a$terms, b$terms), c(tails_of(first), tails_of(second)))
  if (is.nan(df)) df <- tailed <- sum(a$units, b$units) - 4
  judge_at_null(area_of(first), area_of(second), 0, df, min(tailed, df), level, margin)
}

# Three or more areas of one sample: as if each were their mean.
oracle_omnibus_at_null <- function(rows) {
  k <- length(rows)
  areas <- lapply(rows, area_of)
  delong <- oracle_omnibus(rows, reference = "chi2")$statistic
  value <- vapply(areas, function(area) area$value, numeric(1))
  spread <- sqrt(vapply(areas, function(area) area$variance, numeric(1)))
  related <- oracle_covariance(rows)$covariance / outer(spread, spread)
  weight <- vapply(areas, drawn, numeric(1))
  related <- ifelse(is.finite(related), related, 0) * outer(weight, weight)
  diag(related) <- 1
  at_mean <- function(area) scale_of(area) * formula_at(mean(value), area$m, area$n)
  u <- sqrt(vapply(areas, at_mean, numeric(1)))
  weights <- cbind(diag(k - 1), 0) - cbind(0, diag(k - 1))
  d <- drop(weights %*% value)
  q <- sum(d * solve(weights %*% (outer(u, u) * related) %*% t(weights), d))
  share <- share_of(min(vapply(areas, lost_by, numeric(1))), 1)
  if (share == 0) {
    return(oracle_omnibus(rows, reference = "F"))
  }
  q <- 1 / ((1 - share) / delong + share / min(q, delong))
  nu <- 2 * min(areas[[1]]$m, areas[[1]]$n) - 2
  below <- nu - (k - 1) + 1
  statistic <- q * below / (nu * (k - 1))
  list(
    statistic = statistic, df = k - 1, df_denominator = below,
    p_value = pf(statistic, k - 1, below, lower.tail = FALSE)
  )
}

# How many independent subjects the classes are worth: all but one divided by the design effect, the
# variance over clusters beside that of the row itself, if that is above 1. Where nothing varies
# every cluster counts as one.
oracle_worth <- function(row, found, cluster) {
  sizes <- c(pos = length(cluster$pos), neg = length(cluster$neg))
  if (is.null(cluster) || found$std_error <= 1e-14 * abs(row$value)) {
    return(found$units)
  }
  1 + (sizes - 1) * min(scatter(row, NULL)$std_error / found$std_error, 1)^2
}

score_df <- function(found, size) if (isTRUE(found$df > 0)) found$df else max(size - 2, 1)

# Any interval by the name rocstats gives it. With clusters m and n count clusters that have a
# positive, a negative, and std_error and df are those of the clusters; a variance by formula takes
# what the clusters are worth, and quantiles of t.
oracle_interval <- function(row, method, level = 0.95, cluster = NULL) {
  found <- scatter(row, cluster)
  df <- if (is.finite(found$df)) found$df else Inf
  t <- row$value
  error <- found$std_error
  m <- found$units[["pos"]]
  n <- found$units[["neg"]]
  worth <- oracle_worth(row, found, cluster)
  a <- worth[["pos"]]
  b <- worth[["neg"]]
  sized <- if (is.null(cluster)) Inf else df
  switch(method,
    wald = oracle_wald_interval(t, error, level),
    wald_t = oracle_wald_interval(t, error, level, df),
    log = oracle_log_interval(t, error, level),
    log_t = oracle_log_interval(t, error, level, df),
    logit = oracle_logit_interval(t, error, m, n, level),
    logit_t = oracle_logit_interval(t, error, m, n, level, df),
    probit = oracle_probit_interval(t, error, m, n, level),
    arcsine = oracle_arcsine_interval(t, error, m, n, level),
    "hanley-mcneil" = oracle_hanley_mcneil(t, a, b, level, sized)[c("low", "high")],
    newcombe = oracle_newcombe_interval(t, a, b, level, sized),
    kl = oracle_kl_interval(t, m, n, level),
    score = oracle_score_interval(t, error, m, n, a, b, level, sized),
    score_t = oracle_score_interval(t, error, m, n, a, b, level, score_df(found, a + b))
  )
}

# The recommended interval [7.7]; `unit`: all scores lie on [0, 1], or bounds were given.
oracle_auto_method <- function(row, measure, unit = TRUE, cluster = NULL) {
  found <- scatter(row, cluster)
  none <- found$std_error <= 1e-14 * abs(row$value)
  few <- min(row$value, 1 - row$value) * min(oracle_worth(row, found, cluster)) < AT_NULL$none
  switch(measure,
    auc = if (none || few) "score" else if (is.null(cluster)) "logit" else "logit_t",
    sauc = if (!unit) "log_t" else if (none) "kl" else "logit_t",
    smauc = "logit_t"
  )
}
