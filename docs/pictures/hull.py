"""
The convex hull
===============

Which thresholds are best for some costs and some prevalence.
"""

import rocstats as rs

masses = rs.datasets.load_breast_cancer()
rs.roc_hull(masses.only(["mean_texture", "mean_smoothness"])).plot()
