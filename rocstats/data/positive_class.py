"""Which of two classes is the positive one where nobody said it."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import numpy as np

from rocstats.errors import InvalidOptionError, keyword, listed

__all__ = ["check_one_is_positive", "is_plainly_negative", "is_written"]


def check_one_is_positive(outcome: str, classes: Iterable[Any]) -> None:
    """Refuse to take 1 as positive beside a class that is not plainly the negative one.

    1 is positive beside 0 and beside -1, also as True beside False; beside 2 (SPSS, factors of R)
    it is as often the negative class.
    """
    codes = list(classes)
    others = [code for code in codes if not is_written("1", code)]
    if len(codes) != 2 or len(others) != 1:
        return  # no two classes, or 1 is none of them, which the sample says
    if not is_plainly_negative(others[0]):
        raise InvalidOptionError(
            f"{outcome} is coded {listed(sorted(map(str, codes)))}; "
            f"name the positive class with {keyword('pos_label')}."
        )


def is_plainly_negative(label: Any) -> bool:
    """Return whether a class is the negative one wherever 1 is the other."""
    return is_written("0", label) or is_written("-1", label)


def is_written(text: str, label: Any) -> bool:
    """Return whether a label is written as `text`: 1, 1.0, True and "1" are all written 1."""
    if isinstance(label, str):
        return label == text
    number = label.item() if isinstance(label, np.generic) else label
    return isinstance(number, (int, float, Decimal)) and number == float(text)
