# What the intake should make of a file: the table that was written, with every cell that a repair touches.
# Base R only; continued from oracle.R.

# AUC and variance of scores that rank low or high, their mean, and how many there are.
table_numbers <- function(s, y, low) {
  turned <- if (low) -s else s
  row <- oracle_auc(turned[y == 1], turned[y == 0])
  c(row$value, row$variance, mean(s), length(s))
}

# The lowest tenth is written as below the largest of its values, where it ranks, tied.
repaired_tables <- function(s, y, low) {
  n <- length(s)
  limit <- sort(s)[(n + 9) %/% 10]
  plain <- table_numbers(s, y, low)
  limited <- table_numbers(pmax(s, limit), y, low)
  list(
    "decimal comma" = c(plain, n),
    "header row" = c(plain, 2),
    "below detection" = c(limited, sum(s <= limit)),
    "labels" = c(plain, sum((seq_len(n) - 1) %% 5 == 0)),
    "rows at the end" = c(plain, 1),
    together = limited
  )
}

# Every score by its rank as 1,001 and so on: asked in every row, and what either answer gives.
asked_tables <- function(s, y, low) {
  place <- rank(s, ties.method = "min")
  n <- length(s)
  list(
    asked = c(1, n, n),
    comma = table_numbers(1 + place / 1000, y, low),
    point = table_numbers(1000 + place, y, low)
  )
}
