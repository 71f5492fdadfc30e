# Sites that tell counts only: bins with a least count, pairs within sites, and windows held against a
# baseline; by their definitions, all pairs. Base R only; continued from oracle.R and oracle_groups.R.

site_of <- function(s, y, here) oracle_auc(s[here & y == 1], s[here & y == 0])

# Cuts at the deciles, the middle first; each stands if at least `least` of either class are on both sides,
# up to the next cut that stands. The AUC is then known between two values: pairs of a bin are undecided.
least_count_bins <- function(s, y, least) {
  sorted <- sort(s)
  cuts <- sorted[(length(s) * c(5, 2, 8, 1, 9, 3, 7, 4, 6) + 9) %/% 10]
  edges <- numeric(0)
  for (cut in cuts) {
    if (cut %in% edges) next
    low <- max(-Inf, edges[edges < cut])
    high <- min(Inf, edges[edges > cut])
    sides <- list(s >= low & s < cut, s >= cut & s < high)
    if (min(sapply(sides, function(h) c(sum(h & y == 1), sum(h & y == 0)))) >= least) {
      edges <- c(edges, cut)
    }
  }
  edges <- sort(edges)
  bin <- rowSums(outer(s, edges, ">=")) + 1
  of <- function(class) as.numeric(table(factor(bin[y == class], seq_len(length(edges) + 1))))
  wins <- mean(outer(bin[y == 1], bin[y == 0], ">"))
  alike <- mean(outer(bin[y == 1], bin[y == 0], "=="))
  list(
    edges = edges, n_pos = of(1), n_neg = of(0),
    bounds = c(wins, wins + alike), value = wins + alike / 2
  )
}

# The AUC within sites, by pairs and by inverse variance; the AUC of pairs between sites; Cochran's Q.
within_sites <- function(s, y, site) {
  rows <- lapply(sort(unique(site)), function(k) site_of(s, y, site == k))
  area <- sapply(rows, function(row) row$value)
  variance <- sapply(rows, function(row) row$variance)
  inside <- outer(site[y == 1], site[y == 0], "==")
  wins <- outer(s[y == 1], s[y == 0], function(a, b) (a > b) + (a == b) / 2)
  share <- as.numeric(tapply(y, site, function(v) sum(v) * sum(1 - v)))
  share <- share / sum(share)
  precise <- (1 / variance) / sum(1 / variance)
  q <- sum((area - sum(precise * area))^2 / variance)
  limits <- t(sapply(rows, function(row) {
    unname(unlist(oracle_interval(row, oracle_auto_method(row, "auc"))))
  }))
  value <- mean(wins[inside])
  reach <- function(side) sqrt(sum((share * (limits[, side] - area))^2))
  list(
    pairs = c(value, sum(share^2 * variance)),
    limits = value + c(-1, 1) * c(reach(1), reach(2)),
    inverse_variance = c(sum(precise * area), 1 / sum(1 / variance)),
    between = mean(wins[!inside]),
    heterogeneity = c(q, pchisq(q, length(area) - 1, lower.tail = FALSE))
  )
}

# Every later window against the first, and Holm's p-values.
watched_windows <- function(s, y, window) {
  rows <- lapply(sort(unique(window)), function(k) site_of(s, y, window == k))
  tests <- lapply(rows[-1], function(row) oracle_independent_at_null(row, rows[[1]]))
  p <- sapply(tests, function(test) test$p_value)
  list(
    difference = sapply(rows[-1], function(row) row$value) - rows[[1]]$value,
    statistic = sapply(tests, function(test) test$statistic),
    p_value = p,
    p_adjusted = p.adjust(p, "holm")
  )
}
