"""Resampling: bootstrap and permutation, the independent second witness."""
