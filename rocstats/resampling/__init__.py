"""Bootstrap and permutation: the independent second witness."""
