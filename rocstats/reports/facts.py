"""Facts: how a number of a report is shown, and the markup that says which number it is.

A page states numbers only through these functions, so that text, tables, figures and JSON cannot
disagree. A rounded number never claims more than is so: 0.9996 is shown as "> 0.999", not as 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from rocstats.analysis.shares import tenths
from rocstats.reports.leaves import Number, json_text, number
from rocstats.reports.markup import Markup

__all__ = [
    "FORMATS",
    "NOT_ESTIMABLE",
    "level_of",
    "mark",
    "show_coef",
    "show_corr",
    "show_count",
    "show_cut",
    "show_df",
    "show_digits",
    "show_est",
    "show_fine",
    "show_level",
    "show_long",
    "show_num",
    "show_p",
    "show_p_sign",
    "show_pct",
    "show_points",
    "show_ratio",
    "show_signed",
    "show_subjects",
    "show_tenths",
    "show_tiny",
    "with_minus",
]

NOT_ESTIMABLE = "–"
_MINUS = "\u2212"
_NOISE = 1e-12  # a difference below this is the rounding error of two equal numbers
_MANY = 1e7  # from here on a measured number is shown with an exponent


def show_est(value: Number) -> str:
    """Return an estimate, its limit or its standard error with three decimals.

    Examples
    --------
    >>> show_est(0.73137), show_est(0.9996), show_est(1.0), show_est(0.0004), show_est(None)
    ('0.731', '> 0.999', '1.000', '< 0.001', '–')
    """
    return _shown(value, _within)


def show_fine(value: Number) -> str:
    """Return an estimate or p-value with four decimals, as reader studies print them.

    Examples
    --------
    >>> show_fine(-0.07275), show_fine(0.0001234), show_fine(0.00001), show_fine(0.0)
    ('−0.0727', '0.0001', '< 0.0001', '0.0000')
    """
    return _shown(value, _four)


def _four(x: float) -> str:
    return "< 0.0001" if 0.0 < x < 0.00005 else with_minus(f"{x:.4f}".replace("-0.0000", "0.0000"))


def show_df(value: Number) -> str:
    """Return degrees of freedom with two decimals.

    Examples
    --------
    >>> show_df(45.2074), show_df(4.0)
    ('45.21', '4.00')
    """
    return _shown(value, lambda x: f"{x:.2f}")


def show_pct(value: Number) -> str:
    """Return a proportion as a percentage with one decimal.

    Examples
    --------
    >>> show_pct(0.6097), show_pct(0.9999), show_pct(1.0), show_pct(0)
    ('61.0%', '> 99.9%', '100.0%', '0.0%')
    """
    return _shown(value, lambda x: _percent(tenths(x) or 0))


def show_level(value: Number) -> str:
    """Return a stated proportion as a percentage with the digits it was stated with.

    Examples
    --------
    >>> show_level(0.95), show_level(0.1), show_level(0.005)
    ('95%', '10%', '0.5%')
    """
    return _shown(value, lambda x: f"{100 * x:.10g}%")


def level_of(facts: Mapping[str, Any]) -> str:
    """Return the confidence level of the report, as ``95%``."""
    return show_level(facts["settings"]["confidence_level"])


def show_p(value: Number) -> str:
    """Return a p-value with three significant digits, so that no level is rounded away.

    Examples
    --------
    >>> show_p(0.0272), show_p(0.0499), show_p(0.0004), show_p(0.168), show_p(0.9998), show_p(1.0)
    ('0.0272', '0.0499', '< 0.001', '0.168', '> 0.999', '1.000')
    """
    return _shown(value, _probability)


def _probability(p: float) -> str:
    if p < 0.001:
        return "< 0.001"
    return _within(p) if p >= 0.1 else f"{p:.{4 + (p < 0.01)}f}"


def show_p_sign(value: Number) -> str:
    """Return a p-value with its sign, to stand after "p".

    Examples
    --------
    >>> show_p_sign(0.0272), show_p_sign(0.0004)
    ('= 0.0272', '< 0.001')
    """
    return _shown(value, lambda x: f"= {show_p(x)}" if show_p(x)[0] not in "<>" else show_p(x))


def show_count(value: Number) -> str:
    """Return a count, with commas from ten thousand on.

    Examples
    --------
    >>> show_count(113), show_count(1000), show_count(100000)
    ('113', '1000', '100,000')
    """
    return _shown(value, lambda x: f"{x:.0f}" if abs(x) < 1e4 else f"{x:,.0f}")


def show_digits(value: Number) -> str:
    """Return a whole number to be typed again, with all its digits and no commas.

    Examples
    --------
    >>> show_digits(20260513)
    '20260513'
    """
    return _shown(value, lambda x: str(int(value or 0)))  # a float keeps 53 bits only


def show_num(value: Number) -> str:
    """Return a measured number with four significant digits.

    Examples
    --------
    >>> show_num(0.21), show_num(12345.6), show_num(-3.14159), show_num(2e-7)
    ('0.21', '12,346', '−3.142', '2e−07')
    """
    return _shown(value, _general)


def show_cut(value: Number) -> str:
    """Return a threshold with all its digits, so that the printed one calls the same patients.

    Examples
    --------
    >>> show_cut(0.6497394), show_cut(4.0), show_cut(-0.5)
    ('0.6497394', '4', '−0.5')
    """
    return _shown(value, lambda x: repr(float(x)).removesuffix(".0").replace("-", _MINUS))


def show_ratio(value: Number) -> str:
    """Return a likelihood or odds ratio with two decimals, more where it is small.

    Examples
    --------
    >>> show_ratio(3.456), show_ratio(0.0345), show_ratio(1234.5), show_ratio("Infinity")
    ('3.46', '0.035', '1,230', '∞')
    """
    return _shown(value, _ratio)


def show_corr(value: Number) -> str:
    """Return a correlation with two decimals, which reach 1 only where it does.

    Examples
    --------
    >>> show_corr(0.6021), show_corr(-0.0071), show_corr(1.0), show_corr(-0.999)
    ('0.60', '−0.01', '1.00', '< −0.99')
    """
    return _shown(value, _correlation)


def show_signed(value: Number) -> str:
    """Return a difference with its sign and three decimals, or one digit where it is smaller.

    Examples
    --------
    >>> show_signed(0.1117), show_signed(-0.0295), show_signed(0.0), show_signed(-0.0003)
    ('+0.112', '−0.029', '0.000', '−0.0003')
    """
    return _shown(value, _signed)


def show_points(value: Number) -> str:
    """Return a difference of shares in percentage points, with its sign and one decimal.

    Examples
    --------
    >>> show_points(0.1841), show_points(-0.011), show_points(0.0), show_points(-0.0003)
    ('+18.4', '−1.1', '0.0', '−0.03')
    """
    return _shown(value, _points)


def show_coef(value: Number) -> str:
    """Return a fitted number with its sign and three decimals; a fit does not know what is less.

    Examples
    --------
    >>> show_coef(0.1117), show_coef(3e-9), show_coef(-0.0003), show_coef(-0.0295)
    ('+0.112', '0.000', '0.000', '−0.029')
    """
    return _shown(value, lambda x: _signed(x) if abs(x) >= 0.0005 else "0.000")


def show_long(value: Number) -> str:
    """Return a number to be compared digit by digit, with ten significant digits.

    Examples
    --------
    >>> show_long(0.7313685636856368), show_long(-2.0)
    ('0.7313685637', '−2')
    """
    return _shown(value, lambda x: f"{x:.10g}".replace("-", _MINUS))


def show_tiny(value: Number) -> str:
    """Return the size of an error with two digits.

    Examples
    --------
    >>> show_tiny(0.0), show_tiny(-1.1102e-16)
    ('0', '−1.1e−16')
    """
    return _shown(value, lambda x: f"{x:.2g}".replace("-", _MINUS))


def show_tenths(value: Number) -> str:
    """Return tenths of a percent, as `tenths` makes them, as a percentage.

    Examples
    --------
    >>> show_tenths(610), show_tenths(1001), show_tenths(-1)
    ('61.0%', '> 99.9%', '< 0.1%')
    """
    return _shown(value, _tenths)


def _tenths(x: float) -> str:
    if not -1.0 <= x <= 1001.0 or x != int(x):
        raise ValueError(f"Tenths of a percent are whole numbers from -1 to 1001, not {x!r}.")
    return _percent(int(x))


def _percent(x: int) -> str:
    special = {1001: "> 99.9%", -1: "< 0.1%"}
    return special.get(x) or f"{x // 10}.{x % 10}%"


def show_subjects(value: Number) -> str:
    """Return how many of a hundred or a thousand subjects, with one decimal.

    Examples
    --------
    >>> show_subjects(47.222), show_subjects(-25.007), show_subjects(-0.01)
    ('47.2', '−25.0', '0.0')
    """
    return _shown(value, lambda x: with_minus(f"{x:.1f}".replace("-0.0", "0.0")))


def with_minus(text: str) -> str:
    """Return the text of a number with the minus sign that a reader sees.

    Examples
    --------
    >>> with_minus("-0.07")
    '−0.07'
    """
    return text.replace("-", _MINUS)


def _shown(value: Number, show: Callable[[float], str]) -> str:
    at = number(value) + 0.0  # a zero has no sign
    if math.isnan(at):
        return NOT_ESTIMABLE
    if math.isinf(at):
        return "∞" if at > 0 else f"{_MINUS}∞"
    return show(at)


def _within(x: float) -> str:
    """Return three decimals, which reach 0 or 1 only where the number does."""
    shown = f"{x:.3f}"
    if x < 1.0 and shown == "1.000":
        return "> 0.999"
    if x > 0.0 and shown == "0.000":
        return "< 0.001"
    return shown.replace("-0.000", "0.000").replace("-", _MINUS)


def _general(x: float) -> str:
    shown = f"{x:,.0f}" if 1e4 <= abs(x) < _MANY else f"{x:.4g}"
    return shown.replace("e+", "e").replace("-", _MINUS)


def _ratio(x: float) -> str:
    if 0.0 < abs(x) < 0.1:
        return f"{x:.2g}".replace("-", _MINUS)
    if abs(x) < 100.0:
        return f"{x:.2f}".replace("-", _MINUS)
    return f"{float(f'{x:.3g}'):,.0f}" if abs(x) < _MANY else _general(x)


def _correlation(x: float) -> str:
    if 0.995 <= abs(x) < 1.0 - _NOISE:
        return "> 0.99" if x > 0.0 else f"< {_MINUS}0.99"
    return f"{x:.2f}".replace("-0.00", "0.00").replace("-", _MINUS)


def _signed(x: float) -> str:
    if abs(x) < _NOISE:
        return "0.000"
    shown = f"{x:+.3f}"
    if float(shown) == 0.0:
        shown = f"{x:+.1g}" if abs(x) >= 1e-4 else f"{x:+.0e}"
    return shown.replace("-", _MINUS)


def _points(x: float) -> str:
    if abs(x) < _NOISE:
        return "0.0"
    shown = f"{100.0 * x:+.1f}"
    return (shown if float(shown) else f"{100.0 * x:+.1g}").replace("-", _MINUS)


FORMATS: dict[str, Callable[[Number], str]] = {
    "est": show_est,
    "fine": show_fine,
    "df": show_df,
    "pct": show_pct,
    "level": show_level,
    "pval": show_p,
    "psign": show_p_sign,
    "count": show_count,
    "digits": show_digits,
    "num": show_num,
    "cut": show_cut,
    "ratio": show_ratio,
    "signed": show_signed,
    "points": show_points,
    "coef": show_coef,
    "corr": show_corr,
    "tenths": show_tenths,
    "subjects": show_subjects,
    "long": show_long,
    "tiny": show_tiny,
}


def mark(value: Number, kind: str, text: str | None = None, *, to: str | None = None) -> Markup:
    """Return the HTML of a number: what is shown, its full value, its path and its format.

    A text that was made for it, with enough digits of a threshold, is shown as it is. What a
    reader can move also says where it moves ``to``, and stays an element where it is missing.

    Examples
    --------
    >>> from rocstats.reports.leaves import wrap
    >>> mark(wrap({"auc": 0.73137})["auc"], "est")
    '<data value="0.73137" data-path="auc" data-as="est">0.731</data>'
    """
    shown = escape(with_minus(text) if text else FORMATS[kind](value))
    if math.isnan(number(value)) and to is None:
        return Markup(f'<span class="none" title="not estimable">{shown}</span>')
    path = getattr(value, "path", None)
    if path is None and to is None:
        raise TypeError(f"The page may state facts only, and {value!r} is none.")
    known = {"value": json_text(value), "data-path": path, "data-as": kind, "data-to": to}
    written = "".join(f' {k}="{escape(v)}"' for k, v in known.items() if v is not None)
    return Markup(f"<data{written}>{shown}</data>")
