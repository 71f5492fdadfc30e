"""Plots: matplotlib drawings, an Axes in and an Axes out."""
