"""Estimates: one measure of one marker, with its standard error and intervals."""
