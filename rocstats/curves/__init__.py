"""Curves whose areas are the measures: with bands, hulls, averages, smoothed."""
