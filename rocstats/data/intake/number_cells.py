"""Cells that mean numbers, however they are written: what each says, and what it leaves open."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Literal

from rocstats.data.columns import beyond_doubles

__all__ = [
    "EMPTY_WORDS",
    "ERROR_CODES",
    "KEPT",
    "UNIT",
    "Reading",
    "clean",
    "is_blank",
    "read_cell",
]

Kind = Literal["number", "below", "above", "missing", "date", "word", "kept"]
Mark = Literal[".", ",", ""]
Beside = Literal["", "footnote marks", "flags", "words of a scale", "titres"]

# Words that stand for no value where numbers are expected, folded. "none" may mean zero.
EMPTY_WORDS = frozenset(
    {
        *("-", "--", "---", "\N{EN DASH}", "\N{EM DASH}", ".", "..", "...", "?", "/", "*", "x"),
        *("n/d", "n.d.", "n.d", "nd", "n/a", "n.a.", "n.a", "na", "nan", "null", "missing", "miss"),
        *("not done", "not available", "not measured", "not determined", "unknown", "no data"),
        *("k.a.", "k. a.", "n.b.", "s/d", "s.d."),
        *("#n/a", "#div/0!", "#value!", "#ref!", "#num!", "#name?", "#null!", "#nv"),
    }
)
ERROR_CODES = frozenset({"#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!"})
_NO_LIMIT = {"lod", "loq", "llod", "lloq", "blq", "bloq", "bdl", "bld", "below detection"}
_NO_LIMIT |= {"below detection limit", "below limit of detection"}
_ABOVE_LIMIT = {"uloq", "alq", "aloq", "above detection limit", "above limit of quantification"}

_GAP = "[ '\N{RIGHT SINGLE QUOTATION MARK}]"
_EXPONENT = r"(?:[eE][-+]?\d{1,4})?"
_NUMBER = re.compile(
    r"(?P<sign>[-+\N{MINUS SIGN}]?) ?(?P<digits>"
    rf"(?P<whole>\d+{_EXPONENT}|inf(?:inity)?)"
    r"|(?P<dot3>[1-9]\d{0,2}\.\d{3})"
    r"|(?P<comma3>[1-9]\d{0,2},\d{3})"
    rf"|(?P<dot>\d+\.\d*{_EXPONENT}|\.\d+{_EXPONENT})"
    rf"|(?P<comma>\d+,\d*{_EXPONENT}|,\d+{_EXPONENT})"
    r"|(?P<commas>\d{1,3}(?:(?:,\d{3}){2,}|(?:,\d{3})+\.\d+))"
    r"|(?P<dots>\d{1,3}(?:(?:\.\d{3}){2,}|(?:\.\d{3})+,\d+))"
    rf"|(?P<gaps>\d{{1,3}}(?:{_GAP}\d{{3}})+(?:[.,]\d+)?)"
    r") ?(?P<rest>%|[^\W\d_].*|[°µμ].*)?",
    re.ASCII | re.IGNORECASE,
)
_CENSOR = re.compile(r"(<=|>=|=<|=>|<|>|≤|≥|⩽|⩾|&lt;|&gt;)\s*(.*)", re.DOTALL)
_NOTED = re.compile(r"(.*[\d%°²³\w])\s?[*†‡§#]{1,3}", re.DOTALL)
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}.*|\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})", re.DOTALL)

_PREFIX = "(?:[kdcmµμunpf]|da)?"
_ATOM = (
    rf"(?:{_PREFIX}(?:g|l|L|mol|M|m|s|U|IU|UI|IE|Eq|eq|cal|J|W|V|Pa|Hz|Bq|osm|Osm|kat)"
    r"|%|‰|h|hr|hrs|min|sec|d|day|days|wk|weeks?|mo|months?|y|yr|yrs|years?|bpm|mmHg|°C|°F|°"
    r"|mcg|cells?|copies|cp|ppm|ppb|AU|RU|HU|points?|score|ratio|lb|in|ft|kDa|mcL|mcl|fL|fl"
    r"|IU/mL|COI|S/CO|titer|titre|Jahre|jaar|ans|años|anni"
    r"|dB|dpt|(?:[KGT]|[GT]pt)(?=/))"
)
_POWER = r"(?:(?:\^?[-+\N{MINUS SIGN}]?\d)|[²³⁻¹]+)?"
_TEN = r"(?:10(?:\^?\*{0,2}-?\d{1,2}|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)|[xX×]\s?10(?:\^?\d{1,2}|[⁰¹²³⁴⁵⁶⁷⁸⁹]+)|1000)"
UNIT = re.compile(
    rf"(?:{_TEN}\s?)?(?:{_ATOM}{_POWER})?(?:\s?[/·.* ]\s?(?:{_TEN}|\d+(?:\.\d+)?\s?)?"
    rf"(?:{_ATOM})?{_POWER}){{0,3}}"
)
"""A unit such as mg/l, 10^9/l or years; an empty text matches, and has to be refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one cell says.

    Attributes
    ----------
    kind : what it is: a number, one below or above a limit, nothing, a date or a word; or a word
        that is to be kept
    value : the number, or its limit; nan where there is none
    plain : whether Python would read the same number in the text as it stands
    mark : the decimal mark that it shows without doubt
    open : the mark that may part thousands or decimals: 1,234
    either : the number if that mark parts thousands
    spread : whether thousands are parted by a mark or a gap
    percent, unit : a percent sign, and a unit, behind the number
    beside : what stands beside the number, as in 4.2*, if anything does
    """

    kind: Kind
    value: float = float("nan")
    plain: bool = False
    mark: Mark = ""
    open: Mark = ""
    either: float = float("nan")
    spread: bool = False
    percent: bool = False
    unit: str = ""
    beside: Beside = ""


_NUMERIC = ("number", "below", "above")
WORD, NOTHING, DATE = Reading(kind="word"), Reading(kind="missing"), Reading(kind="date")
KEPT = Reading(kind="kept")


def is_blank(cell: Any) -> bool:
    """Whether a cell holds nothing."""
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return True
    return isinstance(cell, float) and cell != cell


def clean(text: str) -> str:
    """Return a text without spaces at its ends, single ones within, and no invisible marks.

    Examples
    --------
    >>> clean("  Not   done ")
    'Not done'
    """
    return " ".join(text.replace("\N{ZERO WIDTH NO-BREAK SPACE}", "").split())


def read_cell(cell: Any) -> Reading:
    """Return what a cell says: a text, or what a workbook stored.

    Examples
    --------
    >>> read_cell("< 0,05").kind, read_cell("< 0,05").value
    ('below', 0.05)
    >>> read_cell("1,234").open, read_cell("1,234").value, read_cell("1,234").either
    (',', 1.234, 1234.0)
    >>> read_cell("4.2*").value, read_cell("> 500 †").kind, read_cell("sick*").kind
    (4.2, 'above', 'word')
    >>> read_cell("1.234,5").value, read_cell("12 %").percent, read_cell("high").kind
    (1234.5, True, 'word')
    """
    if isinstance(cell, bool):
        return WORD
    if isinstance(cell, (int, float)):
        return _stored(cell)
    if not isinstance(cell, str):
        return DATE if hasattr(cell, "year") or hasattr(cell, "hour") else WORD
    text = clean(cell)
    folded = text.casefold()
    if not text or folded in EMPTY_WORDS:
        return NOTHING
    if folded in _NO_LIMIT or folded in _ABOVE_LIMIT:
        return Reading(kind="below" if folded in _NO_LIMIT else "above")
    if _DATE.fullmatch(text):
        return DATE
    noted = _NOTED.fullmatch(text)
    if noted is not None:
        read = read_cell(noted[1])
        return (
            replace(read, plain=False, beside="footnote marks") if read.kind in _NUMERIC else WORD
        )
    censor = _CENSOR.fullmatch(text)
    if censor is not None:
        return _censored(censor[1], censor[2])
    return _number(text, plain=_is_plain(text))


def _stored(cell: float) -> Reading:
    value = float(cell)
    return NOTHING if value != value else Reading(kind="number", value=value, plain=True)


def _censored(sign: str, text: str) -> Reading:
    kind: Kind = "below" if sign in ("<", "<=", "=<", "≤", "⩽", "&lt;") else "above"
    if text.casefold() in _NO_LIMIT | _ABOVE_LIMIT | {"detection limit", "limit"}:
        return Reading(kind=kind)
    limit = _number(text, plain=False)
    return replace(limit, kind=kind) if limit.kind == "number" else WORD


def _number(text: str, *, plain: bool) -> Reading:
    found = _NUMBER.fullmatch(text)
    if found is None or beyond_doubles(text):
        return WORD
    rest = found["rest"] or ""
    if rest not in ("", "%") and not UNIT.fullmatch(rest):
        return WORD
    form = next(name for name in _FORMS if found[name] is not None)
    mark, thousands, spread = _FORMS[form]
    sign = "-" if found["sign"] in ("-", "\N{MINUS SIGN}") else ""
    digits = sign + re.sub(thousands, "", found["digits"]) if spread else sign + found["digits"]
    if form == "gaps" and not digits.lstrip("-").isdigit():
        mark = "," if "," in digits else "."
    value = float(digits.replace(",", "."))
    if value in (float("inf"), float("-inf")) and "i" not in digits.casefold():
        return WORD
    read = Reading(
        kind="number",
        value=value,
        plain=plain,
        mark=mark,
        spread=spread,
        percent=rest == "%",
        unit="" if rest == "%" else rest,
    )
    if form in ("dot3", "comma3"):
        between: Mark = "." if form == "dot3" else ","
        return replace(read, open=between, either=float(digits.replace(between, "")))
    return read


# How a number is written: the mark of its decimals, that of its thousands, and whether it has any.
_FORMS: dict[str, tuple[Mark, str, bool]] = {
    "whole": ("", "", False),
    "dot3": ("", "", False),
    "comma3": ("", "", False),
    "dot": (".", "", False),
    "comma": (",", "", False),
    "commas": (".", ",", True),
    "dots": (",", "[.]", True),
    "gaps": ("", _GAP, True),
}


def _is_plain(text: str) -> bool:
    """Whether Python reads a number in it, and so does pandas."""
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text
