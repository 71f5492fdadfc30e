# Binary tests on the same patients, by their definitions: restricted likelihoods maximised by search,
# sums over subjects, tails of the binomial law. Base R only; continued from oracle.R.

# Both markers of a pair at their pooled medians: 1 positive, 0 negative; the first is the standard test.
cut_at_median <- function(scores, low) {
  Map(function(s, down) as.numeric(if (down) s <= median(s) else s >= median(s)), scores, low)
}

# Successes of both tests, of the new one alone, of the standard one alone, of neither.
paired_cells <- function(standard, new) {
  c(
    a = sum(standard & new), b = sum(!standard & new), c = sum(standard & !new),
    d = sum(!standard & !new)
  )
}

# A root of a falling function, to the last digits.
falling_root <- function(f, low, high) {
  if (f(low) <= 0) return(low)
  if (f(high) >= 0) return(high)
  uniroot(f, c(low, high), tol = 1e-16, maxiter = 10000)$root
}

# Tango: the share q of the standard test's lone successes that is likeliest where the difference is delta,
# from the derivative of the likelihood; then the score statistic.
tango_z <- function(k, delta) {
  n <- sum(k)
  b <- k[["b"]]
  c <- k[["c"]]
  low <- max(0, -delta)
  high <- (1 - delta) / 2
  slope <- function(q) b * q * (1 - 2 * q - delta) + c * (q + delta) * (1 - 2 * q - delta) -
    2 * (n - b - c) * q * (q + delta)
  # The likelihood is concave; its derivative times positive terms falls through 0 once inside.
  inside <- low + (high - low) * c(1e-13, 1 - 1e-13)
  q <- falling_root(slope, inside[1], inside[2])
  (b - c - n * delta) / sqrt(n * (2 * q + delta * (1 - delta)))
}

tango_limits <- function(k, level) {
  z <- qnorm((1 + level) / 2)
  seen <- (k[["b"]] - k[["c"]]) / sum(k)
  c(
    falling_root(function(d) tango_z(k, d) - z, -1 + 1e-12, seen - 1e-12),
    falling_root(function(d) tango_z(k, d) + z, seen + 1e-12, 1 - 1e-12)
  )
}

# Tang, Tang & Chan: shares of both, new alone and standard alone that are likeliest where the ratio is t.
# Who succeeds in neither test has no part, so the likelihood is that of the others alone.
tang_z <- function(k, t) {
  a <- k[["a"]]
  b <- k[["b"]]
  c <- k[["c"]]
  # Of those with a success: a + b = t (a + c) and a + b + c = 1, so the standard share is u = 1 - b,
  # with b = t u - a; then a = t u - 1 + u and c = 1 - t u.
  loss <- function(u) b / (u - 1) + a * (1 + t) / ((1 + t) * u - 1) - c * t / (1 - t * u)
  ends <- c(max(1 / (1 + t), 0), min(1, 1 / t))
  inside <- ends[1] + diff(ends) * c(1e-13, 1 - 1e-13)
  u <- falling_root(loss, inside[1], inside[2])
  shares <- c(a = (1 + t) * u - 1, b = 1 - u, c = 1 - t * u)
  some <- a + b + c
  square <- shares[["a"]] * (1 - t)^2 + shares[["b"]] + shares[["c"]] * t^2
  ((a + b) - t * (a + c)) / sqrt(some * square)
}

tang_limits <- function(k, level) {
  z <- qnorm((1 + level) / 2)
  seen <- (k[["a"]] + k[["b"]]) / (k[["a"]] + k[["c"]])
  c(
    exp(falling_root(function(l) tang_z(k, exp(l)) - z, log(seen) - 10, log(seen) - 1e-12)),
    exp(falling_root(function(l) tang_z(k, exp(l)) + z, log(seen) + 1e-12, log(seen) + 10))
  )
}

# McNemar's chi-square, its p, the mid-p and the exact p.
mcnemar_answers <- function(k) {
  m <- k[["b"]] + k[["c"]]
  few <- min(k[["b"]], k[["c"]])
  chi2 <- if (m) (k[["b"]] - k[["c"]])^2 / m else 0
  exact <- if (m) min(1, 2 * pbinom(few, m, 0.5)) else 1
  mid <- if (!m) 1 else if (k[["b"]] == k[["c"]]) 1 - dbinom(few, m, 0.5) / 2 else exact - dbinom(few, m, 0.5)
  c(chi2, pchisq(chi2, 1, lower.tail = FALSE), mid, exact)
}

# Predictive values: both score tests, and the log ratio with its standard error, over subjects.
predictive_answers <- function(d, t1, t2) {
  k <- t1 + t2
  v <- sum(d * k) / sum(k)
  v1 <- sum(d * t1) / sum(t1)
  v2 <- sum(d * t2) / sum(t2)
  common <- sum((d - v)^2 * t1 * t2) / sum(k)
  w <- t2 - k * sum(t2) / sum(k)
  n <- length(d)
  influence <- (d - v2) * t2 / (mean(t2) * v2) - (d - v1) * t1 / (mean(t1) * v1)
  c(
    v2 - v1, v2 / v1,
    (v2 - v1)^2 / ((v * (1 - v) - 2 * common) * (1 / sum(t1) + 1 / sum(t2))),
    sum(d * w)^2 / sum((d - v)^2 * w^2),
    sqrt(sum(influence^2) / (n * (n - 1)))
  )
}

# Likelihood ratios: the ratio, and the standard error of its logarithm, class by class.
likelihood_answers <- function(y, t1, t2) {
  rate <- function(t, class) mean(t[y == class])
  part <- function(class) {
    p1 <- rate(t1, class)
    p2 <- rate(t2, class)
    var(t2[y == class] / p2 - t1[y == class] / p1) / sum(y == class)
  }
  ratio <- (rate(t2, 1) / rate(t2, 0)) / (rate(t1, 1) / rate(t1, 0))
  c(ratio, sqrt(part(1) + part(0)))
}
