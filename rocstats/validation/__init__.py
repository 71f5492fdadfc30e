"""Validation: what rocstats computes beside what R, its oracle and its own files say."""
