# Tests and studies by brute force, continued from oracle.R: the two-sample test of sAUC, several
# classes, measures over ranked lists, criteria of model selection, power studies. Base R only.

# -------------------------------------------------------------- two-sample tests [STATISTICS.md 5.2, 5.3]

# Moments over all relabelings, m of the pool being positive, of S = mean (x - y)+ and of its mirror
# image R: a sum over all pairs of pairs, each with the chance that its members have these labels.
relabeling_moments <- function(pool, m) {
  size <- length(pool)
  n <- size - m
  falling <- function(k, times) ifelse(times == 1, k, k * (k - 1))
  pairs <- expand.grid(x = seq_len(size), y = seq_len(size))
  pairs <- pairs[pairs$x != pairs$y, ]
  ahead <- pmax(pool[pairs$x] - pool[pairs$y], 0)
  behind <- pmax(pool[pairs$y] - pool[pairs$x], 0)
  mean <- mean(ahead)
  ahead <- ahead - mean
  behind <- behind - mean
  all <- c(ahead = 0, behind = 0, across = 0)
  for (k in seq_len(nrow(pairs))) {
    x <- pairs$x[k]
    y <- pairs$y[k]
    n_x <- 1 + (pairs$x != x)
    n_y <- 1 + (pairs$y != y)
    chance <- falling(m, n_x) * falling(n, n_y)
    together <- n_x + n_y
    chance <- chance / c(1, size * (size - 1), size * (size - 1) * (size - 2),
      size * (size - 1) * (size - 2) * (size - 3))[together]
    chance[pairs$x == y | pairs$y == x] <- 0
    all <- all + c(
      ahead[k] * sum(ahead * chance), behind[k] * sum(behind * chance), ahead[k] * sum(behind * chance)
    )
  }
  list(
    mean = mean, ahead = all[["ahead"]] / (m * n)^2, behind = all[["behind"]] / (m * n)^2,
    across = all[["across"]] / (m * n)^2
  )
}

# P(max(Z1, Z2) > z) for standard normals with correlation rho, by quadrature.
larger_of_two_tail <- function(z, rho) {
  s <- sqrt((1 - rho) * (1 + rho))
  integrand <- function(u) dnorm(u) * pnorm((rho * u - z) / s)
  turn <- z / rho
  breaks <- sort(unique(pmin(z, c(-40, -12, -6, 0, turn + s / abs(rho) * seq(-9, 9, 3), z))))
  pieces <- mapply(function(from, to) {
    integrate(integrand, from, to, rel.tol = 1e-12, abs.tol = 1e-300, subdivisions = 2000,
      stop.on.error = FALSE)$value
  }, breaks[-length(breaks)], breaks[-1])
  pnorm(z, lower.tail = FALSE) + sum(pieces)
}

scored_test <- function(pos, neg) {
  ahead <- mean(pair_matrix(pos, neg, ramp_kernel))
  behind <- mean(pair_matrix(pos, neg, function(y, x) ramp_kernel(x, y)))
  found <- relabeling_moments(c(pos, neg), length(pos))
  z <- c(greater = (ahead - found$mean) / sqrt(found$ahead), less = (behind - found$mean) / sqrt(found$behind))
  rho <- found$across / sqrt(found$ahead * found$behind)
  list(
    estimate = ahead, null_value = found$mean, std_error = sqrt(found$ahead),
    statistic = c(max(z), z[["less"]], z[["greater"]]),
    p = c(larger_of_two_tail(max(z), rho), pnorm(-z[["less"]]), pnorm(-z[["greater"]]))
  )
}

# Every relabeling: p two-sided by the larger of Z+ and Z-, then "less" and "greater".
scored_test_exact <- function(pos, neg) {
  pool <- c(pos, neg)
  m <- length(pos)
  n <- length(neg)
  ramp <- outer(pool, pool, function(y, x) pmax(y - x, 0))
  means <- combn(length(pool), m, function(x) {
    c(sum(ramp[x, -x]), sum(ramp[-x, x])) / (m * n)
  })
  reach <- diff(range(pool))
  centre <- mean(means[1, ])
  spread <- apply(means, 1, function(v) sqrt(mean((v - mean(v))^2)))
  larger <- pmax((means[1, ] - centre) / spread[1], (means[2, ] - centre) / spread[2])
  # combn takes the first m places, those of `pos`, first.
  c(
    mean(larger >= larger[1] - 1e-9),
    mean(means[2, ] >= means[2, 1] - 1e-12 * reach), mean(means[1, ] >= means[1, 1] - 1e-12 * reach)
  )
}

# Kolmogorov's distance and the limit of its law; "greater" where x is larger.
distance_test <- function(pos, neg) {
  at <- sort(unique(c(pos, neg)))
  apart <- vapply(at, function(t) mean(neg <= t) - mean(pos <= t), numeric(1))
  d <- c(max(abs(apart)), max(0, -apart), max(0, apart))
  scaled <- d * sqrt(length(pos) * length(neg) / (length(pos) + length(neg)))
  k <- 1:200
  two_sided <- if (scaled[1] < 0.3) NaN else 2 * sum((-1)^(k - 1) * exp(-2 * k^2 * scaled[1]^2))
  list(distance = d, p = c(two_sided, exp(-2 * scaled[2:3]^2)))
}

# Brunner & Munzel (2000): the AUC less 1/2 over DeLong's standard error, with Satterthwaite's df.
placement_test <- function(pos, neg) {
  row <- oracle_auc(pos, neg)
  found <- scatter(row, NULL)
  t <- (row$value - 0.5) / found$std_error
  list(
    estimate = row$value, statistic = t, df = found$df,
    p = c(2 * pt(-abs(t), found$df), pt(t, found$df), pt(-t, found$df))
  )
}

# ------------------------------------------------------------------------------------ several classes

# Areas A(i|j) of class i's scores against class j, their weighted mean, and its variance: the sum over
# the classes of the variance of the components within the class. `score` has a column for each class.
class_areas <- function(class, score, method, sampling = "stratified") {
  labels <- sort(unique(class))
  k <- length(labels)
  size <- vapply(labels, function(l) sum(class == l), numeric(1))
  share <- size / sum(size)
  area <- weight <- matrix(0, k, k)
  phi <- numeric(length(class))
  for (i in 1:k) for (j in setdiff(1:k, i)) {
    weight[i, j] <- if (method == "hand-till") 1 / (k * (k - 1)) else share[i] * size[j] / (sum(size) - size[i])
  }
  for (i in 1:k) for (j in setdiff(1:k, i)) {
    h <- pair_matrix(score[class == labels[i], i], score[class == labels[j], i], step_kernel)
    area[i, j] <- mean(h)
    phi[class == labels[i]] <- phi[class == labels[i]] + weight[i, j] * (rowMeans(h) - mean(h))
    phi[class == labels[j]] <- phi[class == labels[j]] + weight[i, j] * (colMeans(h) - mean(h))
  }
  terms <- vapply(seq_len(k), function(c) var(phi[class == labels[c]]) / size[c], numeric(1))
  drawn <- 0
  if (sampling == "cohort" && method != "hand-till") {
    # The derivative of sum p_i p_j / (1 - p_i) A(i|j) in each prevalence.
    slope <- vapply(1:k, function(c) {
      sum(share * area[c, ]) / (1 - share[c])^2 + sum(share / (1 - share) * area[, c])
    }, numeric(1))
    drawn <- sum(share * (slope - sum(share * slope))^2) / (sum(size) - 1)
  }
  list(
    value = sum(weight * area), variance = sum(terms) + drawn, terms = terms, size = size,
    area = area, phi = phi
  )
}

# ------------------------------------------------------------------------ measures over ranked lists

# Pairs of lists by what two measures say of them, and C, D and E of Huang & Ling (2005).
consistency_of <- function(f, g, tolerance = 1e-9) {
  pairs <- combn(length(f), 2)
  side <- function(v) {
    d <- v[pairs[1, ]] - v[pairs[2, ]]
    ifelse(abs(d) > tolerance, sign(d), 0)
  }
  f <- side(f)
  g <- side(g)
  counts <- c(
    sum(f * g > 0), sum(f * g < 0), sum(f != 0 & g == 0), sum(f == 0 & g != 0), sum(f == 0 & g == 0)
  )
  list(counts = counts, degrees = c(
    counts[1] / (counts[1] + counts[2]), counts[3] / counts[4], counts[5] / sum(counts)
  ))
}

# AUC, accuracy and F1 of the first n_pos places, and lift of the top quarter, of all ranked lists.
ranked_list_measures <- function(n_pos, n_neg) {
  size <- n_pos + n_neg
  top <- floor(size / 4 + 0.5)
  found <- combn(size, n_pos, function(place) { # place 1 is the highest score
    others <- setdiff(seq_len(size), place)
    right <- sum(place <= n_pos)
    c(
      sum(outer(place, others, "<")) / (n_pos * n_neg),
      (right + sum(others > n_pos)) / size,
      2 * right / (n_pos + n_pos), sum(place <= top) / top / (n_pos / size)
    )
  })
  list(auc = found[1, ], accuracy = found[2, ], f1 = found[3, ], lift = found[4, ])
}

# ------------------------------------------------------------------------------------ model selection

# `validated[[k]]` and `tested` have a row a split and a column a candidate; more is better by `sign`.
selection_table <- function(validated, sign, tested, n_train, n_test) {
  share <- Map(function(v, s) t(apply(s * v, 1, function(r) (r >= max(r) - 1e-12) / sum(r >= max(r) - 1e-12))),
    validated, sign)
  best <- t(apply(tested, 1, function(r) r >= max(r) - 1e-12))
  value <- lapply(share, function(s) rowSums(s * tested))
  pairs <- combn(length(validated), 2)
  tests <- apply(pairs, 2, function(k) {
    d <- value[[k[1]]] - value[[k[2]]]
    j <- length(d)
    error <- sd(d) * sqrt(1 / j + n_test / n_train)
    wins <- sum(d > 1e-12)
    losses <- sum(d < -1e-12)
    p <- function(e) 2 * pt(-abs(mean(d) / e), j - 1)
    c(mean(d), error, p(error), p(sd(d) / sqrt(j)), wins, losses, binom.test(wins, wins + losses)$p.value)
  })
  list(
    test_mean = vapply(value, mean, numeric(1)), test_sd = vapply(value, sd, numeric(1)),
    best = vapply(share, function(s) mean(rowSums(s * best)), numeric(1)),
    regret = vapply(value, function(v) mean(apply(tested, 1, max) - v), numeric(1)),
    share = unlist(lapply(share, colMeans)), comparisons = as.numeric(tests)
  )
}

# -------------------------------------------------------------------------------------- power studies

# The noncentrality of a normal test with a power.
noncentrality_of <- function(power, level) {
  bar <- qnorm(level / 2, lower.tail = FALSE)
  uniroot(function(d) pnorm(d - bar) + pnorm(-d - bar) - power, c(0, 50), tol = 1e-15)$root
}

# Chance to reject at the p-values of a randomised test that has the size exactly.
rejection_chance <- function(p, null, level) {
  candidates <- sort(unique(null))
  limit <- candidates[which(vapply(candidates, function(c) mean(null <= c) >= level - 1e-12, TRUE))[1]]
  chance <- (level - mean(null < limit)) / mean(null == limit)
  (p < limit) + chance * (p == limit)
}

# Size, power and size-adjusted power of each test (rows of p and null), against the first.
power_table <- function(p, null, level, n) {
  tests <- seq_len(nrow(p))
  hits <- t(sapply(tests, function(i) rejection_chance(p[i, ], null[i, ], level)))
  null_hits <- t(sapply(tests, function(i) rejection_chance(null[i, ], null[i, ], level)))
  slope <- sapply(tests, function(i) {
    at <- function(l) mean(rejection_chance(p[i, ], null[i, ], l))
    (at(1.5 * level) - at(0.5 * level)) / level
  })
  covariance <- cov(t(hits)) / ncol(p) + outer(slope, slope) * cov(t(null_hits)) / ncol(null)
  power <- rowMeans(hits)
  away <- sapply(power, noncentrality_of, level = level)
  bar <- qnorm(level / 2, lower.tail = FALSE)
  by_power <- 1 / (dnorm(away - bar) - dnorm(away + bar))
  share <- function(hit) c(mean(hit), sqrt(mean(hit) * (1 - mean(hit)) / length(hit)))
  error <- function(w) sqrt(max(drop(w %*% covariance %*% w), 0))
  unlist(lapply(tests, function(i) {
    contrast <- (tests == i) - (tests == 1)
    relative <- 2 * by_power / away * contrast
    ratio <- (away[i] / away[1])^2
    c(
      share(null[i, ] <= level), share(p[i, ] <= level), power[i], sqrt(covariance[i, i]),
      power[i] - power[1], error(contrast), ratio, ratio * error(relative), ratio * n
    )
  }))
}

# Pitman's efficiency of sAUC and of t against the AUC for a shift, by quadrature over the line.
shift_efficiency <- function(density, distribution, share_pos, from, to) {
  over <- function(f) integrate(f, from, to, rel.tol = 1e-12, subdivisions = 5000)$value
  mean <- over(function(z) z * density(z))
  efficacy <- function(score, slope) {
    centre <- over(function(z) score(z) * density(z))
    over(function(z) slope(z) * density(z))^2 / over(function(z) (score(z) - centre)^2 * density(z))
  }
  away <- function(z) {
    vapply(z, function(a) {
      below <- integrate(distribution, from, a, rel.tol = 1e-12, subdivisions = 5000)$value
      2 * below + mean - a # E|a - Z| = 2 int F + E Z - a
    }, numeric(1))
  }
  tilt <- 1 - 2 * share_pos
  area <- efficacy(distribution, density)
  c(
    efficacy(function(z) z + tilt * away(z), function(z) 1 + tilt * (2 * distribution(z) - 1)) / area,
    efficacy(function(z) z, function(z) 1 + 0 * z) / area
  )
}
