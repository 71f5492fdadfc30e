# Survival outcomes by their definitions: every censoring time, every pair of subjects, nothing clever.
# The third marker is the time, the class says who has the event; a fourth marker above its median makes it another one.

uncensored_before <- function(time, censored, s, with = FALSE) {
  left <- 1
  for (u in sort(unique(time[censored]))) if (u < s || (with && u == s)) {
    at_risk <- sum(time > u | (time == u & censored))
    left <- left * (1 - sum(time == u & censored) / at_risk)
  }
  left
}

# sum_i mass_i I_k(until_i): the integral of dM_k / pi over the censoring times before until_i
through_censoring <- function(time, censored, mass, until) {
  n <- length(time); total <- numeric(n)
  for (u in sort(unique(time[censored]))) {
    here <- time == u & censored
    at_risk <- time > u | here
    martingale <- here - at_risk * sum(here) / sum(at_risk)
    total <- total + martingale / (sum(at_risk) / n) * sum(mass[until > u])
  }
  total
}

survival_wins <- function(s) (sign(outer(s, s, "-")) + 1) / 2

roles_at <- function(time, code, t, controls) {
  censored <- code == 0
  before <- sapply(time, function(s) uncensored_before(time, censored, s))
  after <- uncensored_before(time, censored, t, TRUE)
  case <- ifelse(time <= t & code == 1, 1 / before, 0)
  control <- ifelse(time > t, 1 / after, 0)
  if (controls == "event-free") control <- ifelse(time <= t & code == 2, 1 / before, control)
  list(case = case, control = control, until = ifelse(time <= t, time, t + 1e-9))
}

area_at <- function(time, code, s, t, controls) {
  r <- roles_at(time, code, t, controls)
  won <- survival_wins(s)
  p <- as.vector(won %*% r$control) / sum(r$control)
  q <- as.vector(r$case %*% won) / sum(r$case)
  value <- sum(r$case * p) / sum(r$case)
  mass <- r$case * (p - value) / sum(r$case) + r$control * (q - value) / sum(r$control)
  list(value = value, phi = length(time) * mass + through_censoring(time, code == 0, mass, r$until))
}

rates_at <- function(time, code, s, t, cut, controls) {
  r <- roles_at(time, code, t, controls)
  called <- s >= cut; both <- r$case + r$control
  parts <- list(list(r$case * called, r$case), list(r$control * !called, r$control),
    list(r$case * called, both * called), list(r$control * !called, both * !called))
  sapply(parts, function(x) {
    value <- sum(x[[1]]) / sum(x[[2]])
    mass <- (x[[1]] - value * x[[2]]) / sum(x[[2]])
    phi <- length(time) * mass + through_censoring(time, code == 0, mass, r$until)
    c(value, sqrt(sum(phi^2) / (length(time) * (length(time) - 1))))
  })
}

concordance_of <- function(time, event, s, tau, uno, estimated) {
  n <- length(time); censored <- event == 0
  weight <- ifelse(event == 1 & time < tau, 1, 0)
  if (uno) weight <- weight / sapply(time, function(u) uncensored_before(time, censored, u))^2
  later <- outer(time, time, "<") | (outer(time, time, "==") & matrix(censored, n, n, byrow = TRUE))
  diag(later) <- FALSE
  pairs <- weight * later
  value <- sum(pairs * survival_wins(s)) / sum(pairs)
  gain <- pairs * (survival_wins(s) - value) / sum(pairs)
  phi <- n * (rowSums(gain) + colSums(gain))
  if (estimated) phi <- phi + through_censoring(time, censored, 2 * rowSums(gain), time)
  c(value, sqrt(sum(phi^2)) / n)
}

survival_study <- function(scores, y) {
  time <- scores[[3]] - min(scores[[3]]) + 1
  code <- ifelse(y == 1 & scores[[4]] > median(scores[[4]]), 2, y)
  n <- length(y)
  t <- sort(time)[ceiling(n / 2)]; tau <- sort(time)[ceiling(3 * n / 4)]
  cut <- sort(scores[[1]])[ceiling(n / 2)]
  found <- list()
  for (controls in c("event-free", "survivors")) {
    a <- area_at(time, code, scores[[1]], t, controls)
    b <- area_at(time, code, scores[[2]], t, controls)
    error <- function(phi) sqrt(sum(phi^2) / (n * (n - 1)))
    found[[sub("-", "_", controls)]] <- c(a$value, error(a$phi), b$value, error(b$phi), a$value - b$value, error(a$phi - b$phi))
    found[[paste0(sub("-", "_", controls), "_rates")]] <- as.vector(rates_at(time, code, scores[[1]], t, cut, controls))
  }
  c(found, list(
    harrell = concordance_of(time, y, scores[[1]], Inf, FALSE, FALSE),
    uno = concordance_of(time, y, scores[[1]], tau, TRUE, TRUE),
    uno_fixed = concordance_of(time, y, scores[[1]], tau, TRUE, FALSE)
  ))
}
