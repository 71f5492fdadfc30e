"""
Precision and recall
====================

Where positives are rare.
"""

import rocstats as rs

masses = rs.datasets.load_breast_cancer()
rs.precision_recall_curve(masses, "mean_radius").plot()
