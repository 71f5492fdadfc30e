"""
A smooth curve
==============

The binormal fit over the steps of the data.
"""

import rocstats as rs

ratings = rs.datasets.load_ct_ratings()
ax = rs.roc_curve(ratings).plot()
rs.binormal_fit(ratings).plot(ax=ax)
