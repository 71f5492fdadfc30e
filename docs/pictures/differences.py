"""
Differences
===========

What stands left of zero is worse than ``worst_area``.
"""

import rocstats as rs

masses = rs.datasets.load_breast_cancer()
rs.compare(masses).pairwise(versus="worst_area").plot()
