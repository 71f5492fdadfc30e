# Folds with patients and repeats, groups of people, and quantities compared: by their definitions, all
# pairs. Base R only; continued from oracle.R and oracle_weights.R.

# Patients of two rows, their folds, folds of a second division, and groups, made of a row's place.
row_patients <- function(y) (seq_along(y) - 1) %/% 2
patient_folds <- function(y) row_patients(y) %% 3
second_folds <- function(y) {
  fold <- integer(length(y))
  for (k in unique(y)) fold[y == k] <- (seq_len(sum(y == k)) %/% 3) %% 3
  fold
}
row_groups <- function(y) seq_along(y) %% 3

# Every row's placement less the area of its fold, over the size of its class there; `tie` is what a tie
# counts in the placements.
fold_parts <- function(s, y, fold, tie = 0.5) {
  adds <- numeric(length(y))
  areas <- pairs <- numeric(0)
  for (k in sort(unique(fold))) {
    here <- fold == k
    wins <- outer(s[here & y == 1], s[here & y == 0], function(a, b) (a > b) + (a == b) * tie)
    area <- mean(win_table(s[here], y[here]))
    adds[here & y == 1] <- (rowMeans(wins) - area) / nrow(wins)
    adds[here & y == 0] <- (colMeans(wins) - area) / ncol(wins)
    areas <- c(areas, area)
    pairs <- c(pairs, length(wins))
  }
  list(adds = adds, areas = areas, pairs = pairs, place = match(fold, sort(unique(fold))))
}

# The mean area of folds that keep patients together: variance over patients, limits by the variance of
# each fold (Obuchowski 1997), and LeDell's pooled standard error.
patients_area <- function(s, y, who, fold, weights) {
  found <- fold_parts(s, y, fold)
  share <- if (weights == "pairs") found$pairs / sum(found$pairs) else rep(1 / 3, 3)
  adds <- share[found$place] * found$adds
  value <- sum(share * found$areas)
  total <- tapply(adds, who, sum)
  k <- length(total)
  terms <- units <- numeric(0)
  across <- 0
  for (f in sort(unique(fold))) {
    each <- lapply(0:1, function(class) {
      tapply(adds[fold == f & y == class], who[fold == f & y == class], sum)
    })
    terms <- c(terms, sapply(each, function(u) length(u) / (length(u) - 1) * sum(u^2)))
    units <- c(units, sapply(each, length))
    both <- intersect(names(each[[1]]), names(each[[2]]))
    size <- length(unique(who[fold == f]))
    across <- across + 2 * size / (size - 1) * sum(each[[1]][both] * each[[2]][both])
  }
  spread <- sqrt(sum(terms) + across)
  df <- sum(terms)^2 / sum(terms^2 / (units - 1))
  reach <- qt(0.975, df) * spread / (value * (1 - value))
  c(value, k / (k - 1) * sum(total^2), plogis(qlogis(value) + c(-1, 1) * reach))
}

ledell_pooled <- function(s, y, who, fold) {
  size <- ave(y, fold, y, FUN = length)
  ic <- fold_parts(s, y, fold, tie = 0)$adds * size / ifelse(y == 1, mean(y == 1), mean(y == 0))
  k <- length(unique(who))
  unit <- tapply(ic, who, sum) * k / length(y)
  of <- tapply(fold, who, function(f) f[1])
  sqrt(mean(tapply(unit^2, of, mean)) / k)
}

# Two divisions of the same subjects: what a subject adds is averaged over them.
repeats_area <- function(s, y, first, second) {
  parts <- lapply(list(first, second), function(fold) {
    found <- fold_parts(s, y, fold)
    size <- ave(y, fold, y, FUN = length)
    list(value = mean(found$areas), adds = found$adds / 3 * sqrt(size / (size - 1)))
  })
  c(mean(sapply(parts, function(p) p$value)), sum(((parts[[1]]$adds + parts[[2]]$adds) / 2)^2))
}

# Miettinen & Nurminen (1985): the statistic of a difference of two independent shares at a null value.
share_statistic <- function(x, n, null) {
  seen <- x[1] / n[1] - x[2] / n[2]
  ends <- c(max(0, -null), min(1, 1 - null))
  slope <- function(p) {
    part <- function(k, q) if (k > 0) k / q else 0
    part(x[1], p + null) - part(n[1] - x[1], 1 - p - null) + part(x[2], p) - part(n[2] - x[2], 1 - p)
  }
  inside <- ends + c(1, -1) * diff(ends) * 1e-15
  p <- if (slope(inside[1]) <= 0) ends[1] else if (slope(inside[2]) >= 0) ends[2] else {
    uniroot(slope, inside, tol = 1e-15)$root
  }
  own <- (p + null) * (1 - p - null) / n[1] + p * (1 - p) / n[2]
  if (seen == null) 0 else (seen - null) / sqrt(own * sum(n) / (sum(n) - 1))
}

share_limits <- function(x, n) {
  seen <- x[1] / n[1] - x[2] / n[2]
  side <- function(from, to, z) {
    uniroot(function(d) share_statistic(x, n, d) - z, c(from, to), tol = 1e-13)$root
  }
  z <- qnorm(0.975)
  c(side(-1 + 1e-9, seen - 1e-9, z), side(seen + 1e-9, 1 - 1e-9, -z))
}

# Areas within groups and across, with gaps; rates at a cut, their gaps, and whether all are equal.
groups_of <- function(s, y, group, cut) {
  area <- function(a, b) {
    wins <- outer(s[group == a & y == 1], s[group == b & y == 0], function(p, q) {
      (p > q) + (p == q) / 2
    })
    c(mean(wins), var(rowMeans(wins)) / nrow(wins) + var(colMeans(wins)) / ncol(wins))
  }
  gap <- function(one, other) c(one[1] - other[1], sqrt(one[2] + other[2]))
  pairs <- list(c(0, 1), c(0, 2), c(1, 2))
  rate <- function(class) {
    right <- if (class == 1) s >= cut else s < cut
    x <- sapply(0:2, function(g) sum(right[group == g & y == class]))
    n <- sapply(0:2, function(g) sum(group == g & y == class))
    pooled <- sum(x) / sum(n)
    list(
      gaps = unlist(lapply(pairs, function(p) {
        c(share_statistic(x[p + 1], n[p + 1], 0), share_limits(x[p + 1], n[p + 1]))
      })),
      equal = (sum(n) - 1) / sum(n) * sum(n * (x / n - pooled)^2) / (pooled * (1 - pooled)),
      wilson = unlist(lapply(1:3, function(g) prop.test(x[g], n[g], correct = FALSE)$conf.int))
    )
  }
  found <- list(
    auc = unlist(lapply(pairs, function(p) gap(area(p[1], p[1]), area(p[2], p[2])))),
    xauc = unlist(lapply(pairs, function(p) gap(area(p[1], p[2]), area(p[2], p[1]))))
  )
  for (class in 1:0) {
    name <- if (class == 1) "sensitivity" else "specificity"
    each <- rate(class)
    found[[paste0(name, "_gaps")]] <- each$gaps
    found[[paste0(name, "_equal")]] <- each$equal
    found[[paste0(name, "_wilson")]] <- each$wilson
  }
  found
}

# Average precision, and every subject's influence on it: the derivative of the mean over positives of
# tp / (tp + fp) in the weight of the subject, class sizes fixed.
precision_parts <- function(s, y) {
  at <- s[y == 1]
  tp <- sapply(at, function(x) sum(s >= x & y == 1))
  fp <- sapply(at, function(x) sum(s >= x & y == 0))
  share <- tp / (tp + fp)
  pos <- sapply(seq_along(at), function(k) {
    share[k] + sum((at[k] >= at) * fp / (tp + fp)^2)
  })
  neg <- sapply(s[y == 0], function(x) {
    -sum(y == 0) / sum(y == 1) * sum((x >= at) * tp / (tp + fp)^2)
  })
  list(value = mean(share), pos = pos, neg = neg)
}

precision_difference <- function(one, other, y) {
  a <- precision_parts(one, y)
  b <- precision_parts(other, y)
  sizes <- c(sum(y == 1), sum(y == 0))
  terms <- c(var(a$pos - b$pos), var(a$neg - b$neg)) / sizes
  df <- sum(terms)^2 / sum(terms^2 / (sizes - 1))
  t <- (a$value - b$value) / sqrt(sum(terms))
  c(a$value - b$value, sqrt(sum(terms)), t, df, 2 * pt(-abs(t), df))
}
