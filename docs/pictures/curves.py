"""
ROC curves
==========

Several markers on the same subjects, with their areas.
"""

import rocstats as rs

masses = rs.datasets.load_breast_cancer().only(["mean_radius", "mean_texture", "worst_area"])
rs.roc_curves(masses).plot()
