"""
A confidence band
=================

The whole curve lies within it in 95% of studies.
"""

import rocstats as rs

masses = rs.datasets.load_breast_cancer()
rs.roc_band(masses, "mean_texture").plot()
