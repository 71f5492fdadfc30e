"""
A chosen cutpoint
=================

Youden's index over all thresholds, and the cutpoint with its interval.
"""

import rocstats as rs

masses = rs.datasets.load_breast_cancer()
rs.optimal_cutpoint(masses, "mean_radius", criterion="youden").plot()
