# Weighted areas by their definitions: all pairs, glm for the probability of verification. Base R only;
# continued from oracle.R.

# Weights, a mark of verification and a stratum that both sides make of a row's place and score.
row_weights <- function(y) 1 + ((seq_along(y) * 7) %% 5) / 2
row_verified <- function(s) ((seq_along(s) * 7919) %% 101) / 101 < 0.3 + 0.6 * rank(s) / length(s)
row_strata <- function(y) seq_along(y) %% 3

win_table <- function(s, y) {
  outer(s[y == 1], s[y == 0], function(a, b) (a > b) + (a == b) / 2)
}

# The area with weights, and what every subject adds to its error: w (p - A) / W.
weighted_parts <- function(s, y, w) {
  wins <- win_table(s, y)
  a <- w[y == 1] / sum(w[y == 1])
  b <- w[y == 0] / sum(w[y == 0])
  area <- sum(a * (wins %*% b))
  adds <- numeric(length(y))
  adds[y == 1] <- a * (wins %*% b - area)
  adds[y == 0] <- b * (t(wins) %*% a - area)
  list(area = area, adds = adds)
}

weighted_area <- function(s, y, w) {
  found <- weighted_parts(s, y, w)
  m <- sum(y == 1)
  n <- sum(y == 0)
  squares <- m / (m - 1) * sum(found$adds[y == 1]^2) + n / (n - 1) * sum(found$adds[y == 0]^2)
  c(found$area, squares)
}

# Alonzo & Pepe's area by inverse probability weights, its variance with the fitted model's influence.
verified_area <- function(s, y, v) {
  z <- (s - mean(s)) / sd(s)
  fit <- glm(v ~ z, family = binomial, control = glm.control(epsilon = 1e-14, maxit = 100))
  p <- fitted(fit)
  x <- model.matrix(fit)
  found <- weighted_parts(s[v], y[v], 1 / p[v])
  slope <- colSums(found$adds * -(1 - p[v]) * x[v, , drop = FALSE])
  adds <- numeric(length(s))
  adds[v] <- found$adds
  adds <- adds + drop((x * (v - p)) %*% solve(t(x) %*% (x * p * (1 - p))) %*% slope)
  n <- length(s)
  c(found$area, n / (n - ncol(x)) * n / (n - 1) * sum((adds - mean(adds))^2))
}

# Units of three rows, each of one of two strata: what they add is centred within their stratum.
row_units <- function(y) (seq_along(y) - 1) %/% 3

survey_area <- function(s, y, w, unit) {
  found <- weighted_parts(s, y, w)
  sums <- tapply(found$adds, unit, sum)
  stratum <- as.integer(names(sums)) %% 2
  squares <- tapply(sums, stratum, function(u) length(u) / (length(u) - 1) * sum((u - mean(u))^2))
  c(found$area, sum(squares))
}

# Both weights: the model is fitted with those of the design, which multiply those of verification.
survey_verified_area <- function(s, y, v, w) {
  d <- w / mean(w)
  z <- (s - mean(s)) / sd(s)
  control <- glm.control(epsilon = 1e-14, maxit = 100)
  fit <- glm(v ~ z, family = quasibinomial, weights = d, control = control)
  p <- fitted(fit)
  x <- model.matrix(fit)
  found <- weighted_parts(s[v], y[v], d[v] / p[v])
  slope <- colSums(found$adds * -(1 - p[v]) * x[v, , drop = FALSE])
  adds <- numeric(length(s))
  adds[v] <- found$adds
  adds <- adds + drop((x * d * (v - p)) %*% solve(t(x) %*% (x * d * p * (1 - p))) %*% slope)
  n <- length(s)
  c(found$area, n / (n - ncol(x)) * n / (n - 1) * sum(adds^2))
}

# Janes & Pepe's area: the mean placement of positives among the negatives of their stratum.
adjusted_area <- function(s, y, z) {
  parts <- lapply(unique(z), function(k) win_table(s[z == k], y[z == k]))
  own <- unlist(lapply(parts, rowMeans))
  shares <- sapply(parts, nrow) / length(own)
  variance <- var(own) / length(own) +
    sum(shares^2 * sapply(parts, function(w) var(colMeans(w)) / ncol(w)))
  areas <- sapply(parts, mean)
  each <- sapply(parts, function(w) {
    var(rowMeans(w)) / nrow(w) + var(colMeans(w)) / ncol(w)
  })
  middle <- sum(areas / each) / sum(1 / each)
  c(mean(own), variance, sum((areas - middle)^2 / each))
}

# The mean area of folds, and its variance: the folds are independent, given their models.
row_folds <- function(y) {
  fold <- integer(length(y))
  for (k in unique(y)) fold[y == k] <- seq_len(sum(y == k)) %% 3
  fold
}

folds_area <- function(s, y, fold) {
  parts <- lapply(sort(unique(fold)), function(k) win_table(s[fold == k], y[fold == k]))
  each <- sapply(parts, function(w) {
    var(rowMeans(w)) / nrow(w) + var(colMeans(w)) / ncol(w)
  })
  c(mean(sapply(parts, mean)), sum(each) / length(parts)^2)
}
