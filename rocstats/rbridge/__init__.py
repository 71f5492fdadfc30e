"""R beside rocstats: pROC's answers as our own results, and the R script.

Nothing here uses rocstats' estimators, so that an agreement between the two is evidence. Needs R,
pROC and the extra ``rocstats[r]``; where one is missing, `RUnavailableError` says what to install.
Any thread may call, one at a time (`rocstats.rbridge.session`).
"""

from __future__ import annotations

from rocstats.rbridge.proc_areas import auc, ci_auc, cov, var
from rocstats.rbridge.proc_calls import Resampling
from rocstats.rbridge.proc_curves import SmoothedCurve, roc, smooth
from rocstats.rbridge.proc_multiclass import MulticlassArea, multiclass_roc
from rocstats.rbridge.proc_point_intervals import ci_coords, ci_se, ci_sp, ci_thresholds
from rocstats.rbridge.proc_points import PointTable, coords
from rocstats.rbridge.proc_power import PowerAnalysis, power_roc_test
from rocstats.rbridge.proc_tests import roc_test, wilcox_test
from rocstats.rbridge.roc_objects import from_r, to_r
from rocstats.rbridge.session import (
    available,
    evaluate,
    evaluate_object,
    require,
    source,
    versions,
)

__all__ = [
    "MulticlassArea",
    "PointTable",
    "PowerAnalysis",
    "Resampling",
    "SmoothedCurve",
    "auc",
    "available",
    "ci_auc",
    "ci_coords",
    "ci_se",
    "ci_sp",
    "ci_thresholds",
    "coords",
    "cov",
    "evaluate",
    "evaluate_object",
    "from_r",
    "multiclass_roc",
    "power_roc_test",
    "require",
    "roc",
    "roc_test",
    "smooth",
    "source",
    "to_r",
    "var",
    "versions",
    "wilcox_test",
]
