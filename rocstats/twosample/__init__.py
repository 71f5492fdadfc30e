"""Two-sample tests: sAUC, Wilcoxon-Mann-Whitney and friends, each with every null distribution."""
