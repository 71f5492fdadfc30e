"""Results in words: "pos" and "neg" of a qualitative test become 1 and 0; nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from rocstats.arrays import Floats
from rocstats.errors import InvalidSampleError, did_you_mean, keyword, listed, shown

__all__ = ["calls_of"]


def calls_of(
    cells: Iterable[Any], name: str, positive: frozenset[str], indeterminate: frozenset[str]
) -> tuple[Floats, str, str]:
    """Return the results of a test as 1, 0 and nan, and the words for positive and negative.

    Parameters
    ----------
    cells : results; None where one is missing
    name : of the test
    positive : words that are positive, of which a test uses at most one
    indeterminate : words that are neither, which become missing

    Examples
    --------
    >>> yes, neither = frozenset({"pos"}), frozenset({"invalid"})
    >>> calls_of(["pos", "neg", None, "invalid"], "rapid", yes, neither)
    (array([ 1.,  0., nan, nan]), 'pos', 'neg')
    """
    words = [None if cell is None else _word(cell) for cell in cells]
    used = dict.fromkeys(word for word in words if word is not None and word not in indeterminate)
    yes = [word for word in used if word in positive]
    no = [word for word in used if word not in positive]
    if not yes:
        wanted = listed(map(repr, sorted(positive)))
        raise InvalidSampleError(
            f"No result of {name} is {wanted}, named by {keyword('test_positive')}; it has "
            f"{listed(map(shown, used)) or 'none'}.{did_you_mean(min(positive), list(used))}"
        )
    if len(no) > 1 or len(yes) > 1:
        raise InvalidSampleError(
            f"The results of {name} are {listed(map(shown, used))}, more than one positive and one "
            f"negative; name those that are neither with {keyword('indeterminate')}."
        )
    calls = np.array(
        [np.nan if w is None or w in indeterminate else float(w in positive) for w in words]
    )
    return calls, yes[0], no[0] if no else f"not {yes[0]}"


def _word(cell: Any) -> str:
    """Return a result as a word: 1, 1.0 and "1" are one."""
    text = str(cell).strip()
    return text.removesuffix(".0") if isinstance(cell, float) else text
