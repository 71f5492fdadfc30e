"""Drawings with matplotlib: an Axes in, an Axes out."""
