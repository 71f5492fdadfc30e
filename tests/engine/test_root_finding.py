"""Roots are those of scipy's brentq, bit for bit, with as many calls of the function."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from rocstats.engine.root_finding import find_zero

FUNCTIONS = {
    "cubic": (lambda x: x**3 - 2.0 * x - 5.0, -1.0, 6.0),
    "flat": (lambda x: (x - 0.3) ** 9, -2.0, 7.0),
    "steep": (lambda x: math.atan(1e6 * (x - 1e-3)), -1.0, 1.0),
    "step": (lambda x: -1.0 if x < 0.123 else 1.0, 0.0, 1.0),
    "falling": (lambda x: math.exp(-x) - 1e-5, 0.0, 50.0),
    "far": (lambda x: x - 1e200, 0.0, 1e300),
    "logarithm": (lambda x: math.log(x), 1e-300, 5.0),
    "ends": (lambda x: x, 0.0, 1.0),
    "other end": (lambda x: x - 1.0, 0.0, 1.0),
}


def counted(function):
    calls = []

    def called(x):
        calls.append(x)
        return function(x)

    return called, calls


@pytest.mark.parametrize("xtol", [1e-3, 1e-12, 1e-15])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_root_has_the_bits_of_scipy(name, xtol):
    function, low, high = FUNCTIONS[name]
    ours, seen = counted(function)
    theirs, known = counted(function)
    for a, b in ((low, high), (high, low)):
        found = find_zero(ours, a, b, xtol=xtol)
        assert found == brentq(theirs, a, b, xtol=xtol, disp=False)
    assert seen == known


def test_random_polynomials_have_the_roots_of_scipy():
    rng = np.random.default_rng(1)
    for _ in range(300):
        p = np.polynomial.Polynomial(rng.normal(size=6))
        low, high = sorted(rng.normal(scale=3.0, size=2).tolist())
        if p(low) * p(high) < 0.0:
            found = find_zero(lambda x, p=p: float(p(x)), low, high, xtol=1e-14)
            assert found == brentq(p, low, high, xtol=1e-14)


def test_one_sign_is_refused():
    with pytest.raises(ValueError, match="No change of sign"):
        find_zero(lambda x: x * x + 1.0, -1.0, 1.0, xtol=1e-12)
