"""Studies: tests on data of known truth, models chosen by several criteria, papers run again."""
