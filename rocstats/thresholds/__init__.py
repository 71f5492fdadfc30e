"""Thresholds: operating points, cutpoints and rates at a fixed rate, each with its interval."""
