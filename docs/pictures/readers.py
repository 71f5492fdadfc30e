"""
Readers and their mean
======================

Thin lines are readers, thick ones their mean.
"""

import rocstats as rs

rs.datasets.load_reader_study().plot()
