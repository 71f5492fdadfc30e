"""
Areas side by side
==================

AUCs of all markers with their intervals.
"""

import rocstats as rs

masses = rs.datasets.load_breast_cancer()
rs.estimate(masses, measures=["auc"]).plot()
