"""Do two groups differ? sAUC, Wilcoxon and friends, by every null distribution."""
