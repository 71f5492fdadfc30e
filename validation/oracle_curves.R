# Curves by brute force, continued from oracle.R: hulls, averages, bands, partial areas, smooth curves.
# Base R only; a polygon is walked vertex by vertex, and derivatives are taken by complex steps.

# ------------------------------------------------------------------------------- the empirical curve

# Numbers called positive at every threshold, from none to all.
curve_counts <- function(up, y) {
  cuts <- c(Inf, sort(unique(up), decreasing = TRUE))
  list(
    fp = vapply(cuts, function(cut) sum(up >= cut & y == 0), numeric(1)),
    tp = vapply(cuts, function(cut) sum(up >= cut & y == 1), numeric(1)),
    n_pos = sum(y == 1), n_neg = sum(y == 0)
  )
}

# Height of a polygon over x: linear, the top of an upright piece, 0 left of it, its end right of it.
polygon_height <- function(xs, ys, x) {
  i <- findInterval(x + 1e-12, xs)
  here <- pmax(i, 1)
  there <- pmin(here + 1, length(xs))
  run <- xs[there] - xs[here]
  part <- ifelse(run > 0, pmax(0, x - xs[here]) / run, 0)
  ifelse(i == 0, 0, ys[here] + part * (ys[there] - ys[here]))
}

# ------------------------------------------------------------------------ hull (Fawcett 2006, section 6)

# All points of all curves, as counts; a point is a vertex of the hull unless a mixture of two others
# has no more false and no fewer true positives. (0, 0) and (n_neg, n_pos) always are.
hull_vertices <- function(ups, y) {
  found <- lapply(ups, function(up) do.call(cbind, curve_counts(up, y)[c("fp", "tp")]))
  points <- unique(do.call(rbind, found))
  n_neg <- sum(y == 0)
  n_pos <- sum(y == 1)
  x <- points[, 1]
  t <- points[, 2]
  beaten <- vapply(seq_along(x), function(p) {
    if ((x[p] == 0 && t[p] == 0) || (x[p] == n_neg && t[p] == n_pos)) {
      return(FALSE)
    }
    if (any(x[-p] <= x[p] & t[-p] >= t[p])) {
      return(TRUE)
    }
    left <- setdiff(which(x <= x[p]), p)
    right <- setdiff(which(x > x[p]), p)
    rise <- outer(t[left], t[right], function(a, b) b - a)
    run <- outer(x[left], x[right], function(a, b) b - a)
    any(rise * (x[p] - x[left]) >= (t[p] - t[left]) * run)
  }, logical(1))
  kept <- points[!beaten, , drop = FALSE]
  kept <- kept[order(kept[, 1], kept[, 2]), , drop = FALSE]
  list(fpr = kept[, 1] / n_neg, tpr = kept[, 2] / n_pos)
}

# ------------------------------------------------------------------ averages (Fawcett 2006, section 8)

# Mean, standard error and t limits within [0, 1], column by column; no limits without spread.
mean_and_limits <- function(values, level = 0.95) {
  k <- nrow(values)
  one <- function(v) {
    error <- if (diff(range(v)) == 0) 0 else sd(v) / sqrt(k)
    reach <- if (error == 0) NaN else qt((1 + level) / 2, k - 1) * error
    c(mean(v), error, max(mean(v) - reach, 0), min(mean(v) + reach, 1))
  }
  found <- apply(values, 2, one)
  list(mean = found[1, ], std_error = found[2, ], low = found[3, ], high = found[4, ])
}

# ---------------------------------------------------------------------------------------------- bands

# Clopper-Pearson's and Wilson's limits of a proportion.
exact_limits <- function(k, n, level) {
  tail <- (1 - level) / 2
  list(
    low = ifelse(k == 0, 0, qbeta(tail, k, n - k + 1)),
    high = ifelse(k == n, 1, qbeta(1 - tail, k + 1, n - k))
  )
}

score_limits <- function(k, n, level) {
  found <- vapply(k, function(one) {
    as.numeric(suppressWarnings(prop.test(one, n, conf.level = level, correct = FALSE)$conf.int))
  }, numeric(2))
  list(low = ifelse(k == 0, 0, found[1, ]), high = ifelse(k == n, 1, found[2, ]))
}

# The distance that Kolmogorov's D of n values exceeds with chance 1 - level: by ks.test, of a sample
# whose D is exactly that distance.
kolmogorov_quantile <- function(n, level) {
  chance <- function(d) {
    values <- pmax(seq_len(n) / n - d, 0) + seq_len(n) * 1e-18
    suppressWarnings(ks.test(values, "punif", exact = TRUE)$p.value)
  }
  uniroot(function(d) chance(d) - (1 - level), c(1 / n, 1 - 1e-9), tol = 1e-15, maxiter = 1000)$root
}

# Random curves that may be the true one: ordered uniforms in each class. Heights over the grid of the
# lowest and the highest curve through the boxes of all vertices, and of one through their middles.
spacing_curves <- function(counts, grid, draws) {
  edges <- function(n) c(0, cumsum(rexp(n + 1)))
  height <- function(x, t) polygon_height(x, t, grid)
  one <- function(i) {
    x <- edges(counts$n_neg)
    t <- edges(counts$n_pos)
    x <- x / x[length(x)]
    t <- t / t[length(t)]
    f <- counts$fp + 1
    p <- counts$tp + 1
    c(
      height(x[f + 1], t[p]),
      height(c(0, (x[f] + x[f + 1]) / 2, 1), c(0, (t[p] + t[p + 1]) / 2, 1)),
      height(x[f], t[p + 1])
    )
  }
  found <- vapply(seq_len(draws), one, numeric(3 * length(grid)))
  part <- function(k) t(found[(k - 1) * length(grid) + seq_along(grid), ])
  list(lowest = part(1), central = part(2), highest = part(3))
}

# The narrowest band of one rank that holds the level's share of central curves whole.
rank_band <- function(drawn, level) {
  size <- nrow(drawn$central)
  rank <- rep(size, size)
  for (g in seq_len(ncol(drawn$central))) {
    above <- findInterval(drawn$central[, g], sort(drawn$lowest[, g]))
    below <- findInterval(-drawn$central[, g], sort(-drawn$highest[, g]))
    rank <- pmin(rank, above, below)
  }
  k <- sort(rank)[floor((1 - level) * size + 1e-9) + 1]
  list(
    low = apply(drawn$lowest, 2, function(v) sort(v)[k]),
    high = apply(drawn$highest, 2, function(v) sort(v, decreasing = TRUE)[k])
  )
}

# How far a resample's curve lies from the sample's at most, in units of fpr, along lines of slope -s.
farthest_displacements <- function(up, y, draws) {
  s <- sqrt(sum(y == 0) / sum(y == 1))
  lines <- seq(0, 1, length.out = 1024)
  cuts <- c(Inf, sort(unique(up), decreasing = TRUE))
  across <- function(pos, neg) {
    fpr <- 1 - findInterval(cuts, sort(neg), left.open = TRUE) / length(neg)
    tpr <- 1 - findInterval(cuts, sort(pos), left.open = TRUE) / length(pos)
    approx((tpr + s * fpr) / (1 + s), fpr, lines, rule = 2, ties = list("ordered", max))$y
  }
  pos <- up[y == 1]
  neg <- up[y == 0]
  centre <- across(pos, neg)
  vapply(seq_len(draws), function(i) {
    max(abs(across(sample(pos, replace = TRUE), sample(neg, replace = TRUE)) - centre))
  }, numeric(1))
}

# -------------------------------------------------------------------- partial areas: the exact derivative

# Area over fpr from a to b under the polygon of weighted subjects; weights may be complex.
weighted_partial_area <- function(pos, neg, w_pos, w_neg, a, b) {
  cuts <- sort(unique(c(pos, neg)), decreasing = TRUE)
  share <- function(score, w) {
    c(0 + 0i, vapply(cuts, function(cut) sum(w[score >= cut]), complex(1)) / sum(w))
  }
  x <- share(neg, w_neg)
  t <- share(pos, w_pos)
  total <- 0 + 0i
  for (k in seq_along(cuts)) {
    from <- x[k]
    to <- x[k + 1]
    if (Re(to) <= a || Re(from) >= b || Re(to) == Re(from)) next
    at <- function(where) t[k] + (where - from) / (to - from) * (t[k + 1] - t[k])
    left <- if (Re(from) < a) a + 0i else from
    right <- if (Re(to) > b) b + 0i else to
    total <- total + (right - left) * (at(left) + at(right)) / 2
  }
  total
}

# The area and its variance by every subject's influence: the derivative in the subject's weight, by a
# complex step. A range of the tpr is one of the fpr with classes and order reversed.
partial_variance <- function(pos, neg, a, b, axis = "fpr") {
  if (axis == "tpr") {
    return(partial_variance(-neg, -pos, 1 - b, 1 - a))
  }
  m <- length(pos)
  n <- length(neg)
  step <- 1e-30
  area <- function(w_pos, w_neg) weighted_partial_area(pos, neg, w_pos, w_neg, a, b)
  bumped <- function(size, i) replace(rep(1 + 0i, size), i, 1 + step * 1i)
  plain <- function(size) rep(1 + 0i, size)
  of_pos <- vapply(seq_len(m), function(i) m * Im(area(bumped(m, i), plain(n))) / step, numeric(1))
  of_neg <- vapply(seq_len(n), function(j) n * Im(area(plain(m), bumped(n, j))) / step, numeric(1))
  list(
    value = Re(area(plain(m), plain(n))),
    variance = sum(of_pos^2) / (m * (m - 1)) + sum(of_neg^2) / (n * (n - 1))
  )
}

# --------------------------------------------------------------- binormal curve, by maximum likelihood

# Negatives and positives of each category from the lowest score up; neighbours that hold one class
# only, and the same, are one category.
truth_state_runs <- function(up, y) {
  cuts <- sort(unique(up))
  neg <- vapply(cuts, function(cut) sum(up == cut & y == 0), numeric(1))
  pos <- vapply(cuts, function(cut) sum(up == cut & y == 1), numeric(1))
  k <- 2
  while (k <= length(neg)) {
    if ((neg[k] == 0 && neg[k - 1] == 0) || (pos[k] == 0 && pos[k - 1] == 0)) {
      neg[k - 1] <- neg[k - 1] + neg[k]
      pos[k - 1] <- pos[k - 1] + pos[k]
      neg <- neg[-k]
      pos <- pos[-k]
    } else {
      k <- k + 1
    }
  }
  list(neg = neg, pos = pos)
}

# Dorfman & Alf (1969): negatives are N(0, 1) and positives N(a / b, 1 / b^2) between cut points.
binormal_likelihood <- function(cells) {
  shares <- function(z) diff(c(0, pnorm(z), 1))
  value <- function(theta) {
    cuts <- theta[-(1:2)]
    if (theta[2] <= 0 || is.unsorted(cuts, strictly = TRUE)) {
      return(-Inf)
    }
    some <- function(count, share) sum(ifelse(count > 0, count * log(share), 0))
    some(cells$neg, shares(cuts)) + some(cells$pos, shares(theta[2] * cuts - theta[1]))
  }
  gradient <- function(theta) {
    cuts <- theta[-(1:2)]
    z <- theta[2] * cuts - theta[1]
    of_neg <- -diff(cells$neg / shares(cuts)) * dnorm(cuts)
    of_pos <- -diff(cells$pos / shares(z)) * dnorm(z)
    c(-sum(of_pos), sum(cuts * of_pos), of_neg + theta[2] * of_pos)
  }
  slope_at <- function(theta, h) {
    vapply(seq_along(theta), function(i) {
      step <- replace(numeric(length(theta)), i, h)
      (gradient(theta + step) - gradient(theta - step)) / (2 * h)
    }, numeric(length(theta)))
  }
  hessian <- function(theta, h = 1e-3) (4 * slope_at(theta, h / 2) - slope_at(theta, h)) / 3
  list(value = value, gradient = gradient, hessian = hessian, slope_at = slope_at)
}

binormal_maximum <- function(up, y) {
  cells <- truth_state_runs(up, y)
  model <- binormal_likelihood(cells)
  below <- cumsum(cells$neg + cells$pos)
  cuts <- qnorm(below[-length(below)] / below[length(below)])
  theta <- c(1, 1, cuts)
  for (round in 1:500) {
    information <- -model$slope_at(theta, 1e-5)
    weight <- 0
    repeat {
      wanted <- information + weight * diag(length(theta))
      step <- tryCatch(solve(wanted, model$gradient(theta)), error = function(e) NULL)
      good <- !is.null(step) && all(eigen((wanted + t(wanted)) / 2, TRUE, TRUE)$values > 0) &&
        model$value(theta + step) >= model$value(theta) - 1e-9
      if (good) break
      weight <- max(2 * weight, 1e-3)
    }
    theta <- theta + step
    if (max(abs(step)) < 1e-13) break
  }
  covariance <- solve(-model$hessian(theta, 1e-3))[1:2, 1:2]
  a <- theta[1]
  b <- theta[2]
  deviate <- a / sqrt(1 + b^2)
  slope <- c(1, -a * b / (1 + b^2)) / sqrt(1 + b^2)
  error <- sqrt(drop(t(slope) %*% covariance %*% slope))
  list(
    a = a, b = b, std_error_a = sqrt(covariance[1, 1]), std_error_b = sqrt(covariance[2, 2]),
    covariance = covariance[1, 2], log_likelihood = model$value(theta),
    area = pnorm(deviate), std_error = dnorm(deviate) * error,
    limits = pnorm(deviate + c(-1, 1) * qnorm(0.975) * error),
    height = pnorm(a + b * qnorm(c(0.1, 0.5)))
  )
}
