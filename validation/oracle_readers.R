# Reader studies by their definitions: every pair of cases, every case left out, nothing clever.
# Four markers are two tests of two readers: test 1 reader 1, test 1 reader 2, test 2 reader 1, test 2 reader 2.

reader_test <- c(1, 1, 2, 2)
reader_who <- c(1, 2, 1, 2)

pair_wins <- function(s, y) {
  gap <- outer(s[y == 1], s[y == 0], "-")
  (sign(gap) + 1) / 2
}

delong_rows <- function(wins) {
  m <- nrow(wins[[1]]); n <- ncol(wins[[1]])
  v10 <- sapply(wins, rowMeans); v01 <- sapply(wins, colMeans)
  cov(v10) / m + cov(v01) / n
}

jackknife_rows <- function(scores, y) {
  left <- sapply(scores, function(s) sapply(seq_along(y), function(k) mean(pair_wins(s[-k], y[-k]))))
  n <- length(y)
  (n - 1)^2 / n * cov(left)
}

unbiased_rows <- function(wins) {
  k <- length(wins); m <- nrow(wins[[1]]); n <- ncol(wins[[1]])
  found <- matrix(0, k, k)
  for (a in 1:k) for (b in 1:k) {
    w <- wins[[a]]; v <- wins[[b]]
    apart <- sum(w) * sum(v) - sum(rowSums(w) * rowSums(v)) - sum(colSums(w) * colSums(v)) + sum(w * v)
    found[a, b] <- mean(w) * mean(v) - apart / (m * (m - 1) * n * (n - 1))
  }
  found
}

reader_table <- function(theta, s) {
  t <- 2; r <- 2
  th <- matrix(theta, nrow = t, byrow = TRUE)
  same_t <- outer(reader_test, reader_test, "=="); same_r <- outer(reader_who, reader_who, "==")
  v <- mean(s[same_t & same_r]); c1 <- mean(s[!same_t & same_r])
  c2 <- mean(s[same_t & !same_r]); c3 <- mean(s[!same_t & !same_r])
  mst <- r * sum((rowMeans(th) - mean(th))^2) / (t - 1)
  msr <- t * sum((colMeans(th) - mean(th))^2) / (r - 1)
  mstr <- sum((th - outer(rowMeans(th), colMeans(th), "+") + mean(th))^2) / ((t - 1) * (r - 1))
  den <- mstr + r * max(c2 - c3, 0)
  df <- den^2 / (mstr^2 / ((t - 1) * (r - 1)))
  fixed <- v - c1 + (r - 1) * (c2 - c3)
  single <- sapply(1:t, function(i) {
    own <- s[reader_test == i, reader_test == i]
    ms <- var(th[i, ]); shared <- max(own[1, 2], 0)
    c(sqrt(ms / r + shared), (ms + r * shared)^2 / (ms^2 / (r - 1)))
  })
  d <- mean(th[1, ]) - mean(th[2, ])
  se <- sqrt(2 * den / r)
  list(
    components = c(mst, msr, mstr, v, c1, c2, c3, (msr - mstr) / t - c1 + c3, mstr - v + c1 + c2 - c3),
    random = c(mst / den, df, pf(mst / den, t - 1, df, lower.tail = FALSE), d, se, d - qt(.975, df) * se, d + qt(.975, df) * se),
    fixed = c(mst / fixed, pchisq(mst / fixed, 1, lower.tail = FALSE)),
    cases_fixed = c(mst / mstr, pf(mst / mstr, 1, 1, lower.tail = FALSE)),
    single = as.vector(single)
  )
}

reader_moments <- function(wins) {
  m <- nrow(wins[[1]]); n <- ncol(wins[[1]])
  two <- function(a, b) {
    part <- function(same) {
      q <- c(0, 0, 0, 0); k <- 0
      for (i in which(reader_test == a)) for (j in which(reader_test == b)) {
        if ((reader_who[i] == reader_who[j]) != same) next
        w <- wins[[i]]; v <- wins[[j]]; k <- k + 1
        q <- q + c(sum(w * v), sum(rowSums(w) * rowSums(v)), sum(colSums(w) * colSums(v)), sum(w) * sum(v))
      }
      size <- k * c(m * n, m * n^2, m^2 * n, m^2 * n^2)
      exact <- function(x) c(x[1], x[2] - x[1], x[3] - x[1], x[4] - x[2] - x[3] + x[1])
      list(sums = exact(q), size = exact(size), sums_v = q, size_v = size)
    }
    own <- part(TRUE); other <- part(FALSE)
    sums <- c(own$sums, other$sums); size <- c(own$size, other$size)
    share <- size / (4 * (m * n)^2); share[8] <- share[8] - 1
    every <- (own$sums_v + other$sums_v) / (own$size_v + other$size_v)
    c(sum(share * sums / size), every[3] - every[4], every[2] - every[4], own$sums_v[4] / own$size_v[4] - every[4])
  }
  parts <- two(1, 1) + two(2, 2) - 2 * two(1, 2)
  df <- parts[1]^2 / (parts[2]^2 / (n - 1)^3 + parts[3]^2 / (m - 1)^3 + parts[4]^2)
  c(parts[1], max(df, 1))
}

reader_power <- function(parts, cases, readers, planned, d) {
  excess <- max(parts[6] - parts[7], 0); own <- max(parts[9], 0)
  den <- own + cases / planned * (parts[4] - parts[5] + (readers - 1) * excess)
  alone <- own + cases / planned * (parts[4] - parts[5] - excess)
  df <- den^2 / (alone^2 / (readers - 1))
  pf(qf(.95, 1, df), 1, df, ncp = d^2 * readers / (2 * den), lower.tail = FALSE)
}

reader_study <- function(scores, y) {
  wins <- lapply(scores, pair_wins, y)
  theta <- sapply(wins, mean)
  tables <- lapply(list(delong_rows(wins), jackknife_rows(scores, y), unbiased_rows(wins)), function(s) reader_table(theta, s))
  names(tables) <- c("influence", "jackknife", "unbiased")
  parts <- tables$influence$components
  s <- delong_rows(wins)
  alone <- mean(theta[1:2]) - theta[3]
  contrast <- cbind(diag(-1, 2), c(1, 1), 0)
  own <- contrast %*% s %*% t(contrast)
  ms <- var(as.vector(contrast %*% theta)); shared <- max(own[1, 2], 0)
  c(
    unlist(lapply(names(tables), function(n) setNames(tables[[n]], paste0(n, "_", names(tables[[n]])))), recursive = FALSE),
    list(
      moments = reader_moments(wins),
      power = c(reader_power(parts, length(y), 6, 200, .05), reader_power(parts, length(y), 12, 500, .05)),
      program = c(-alone, sqrt(ms / 2 + shared), (ms + 2 * shared)^2 / ms^2)
    )
  )
}
