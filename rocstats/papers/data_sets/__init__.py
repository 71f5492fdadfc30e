"""Benchmark sets of the papers: generated, from scikit-learn, a folder, R or OpenML."""
