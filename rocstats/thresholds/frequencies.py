"""Natural frequencies: rates told as whole people."""

from __future__ import annotations

__all__ = ["frequencies"]

_FEWEST = 10  # people of the rarer class that a sentence speaks of
_MOST = 10**7  # people in all, for a class rarer still


def frequencies(prevalence: float, sensitivity: float, specificity: float) -> dict[str, int]:
    """Return the table of whole people, of 1000 or more, that the rates stand for.

    Examples
    --------
    >>> frequencies(0.1, 0.8, 0.9)
    {'of': 1000, 'ill': 100, 'tp': 80, 'fn': 20, 'well': 900, 'fp': 90, 'tn': 810}
    """
    of = 1000
    while of * min(prevalence, 1.0 - prevalence) < _FEWEST and of < _MOST:
        of *= 100
    ill = round(of * prevalence)
    well = of - ill
    tp, fp = round(ill * sensitivity), round(well * (1.0 - specificity))
    return {"of": of, "ill": ill, "tp": tp, "fn": ill - tp, "well": well, "fp": fp, "tn": well - fp}
