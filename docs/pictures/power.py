"""
Power
=====

How it grows with the number of patients.
"""

import rocstats as rs

rs.sample_size_auc(auc=0.8, null_value=0.7, power=0.9, ratio=2).plot()
