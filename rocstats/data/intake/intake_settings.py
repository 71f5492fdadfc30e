"""What a user may say about a file on its way in; what is not said is found, or asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from rocstats.errors import InvalidOptionError, check_count, check_option, named, shown

__all__ = [
    "AboveDetection",
    "BelowDetection",
    "Dates",
    "Decimal",
    "IntakeSettings",
    "Percent",
    "Separator",
]

Decimal = Literal["point", "comma", ".", ","]
Separator = Literal["comma", "semicolon", "tab", "bar", ",", ";", "|"]
Dates = Literal["day-first", "month-first"]
Percent = Literal["number", "share"]
BelowDetection = Literal["lowest", "half", "missing"]
AboveDetection = Literal["highest", "missing"]

_MARKS = {"point": ".", "comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}


@dataclass(frozen=True, slots=True, kw_only=True)
class IntakeSettings:
    """How a file is to be read, where its owner says so.

    Attributes
    ----------
    sheet, header_row, encoding, separator : where the table stands; found if None
    decimal : the mark of decimals, where the file leaves it open
    dates : what comes first in a date, where the file leaves it open
    percent : whether 12% is the number 12 or the share 0.12
    below_detection, above_detection : what becomes of <0.05 and of >100
    missing_codes : cells that mean a missing value; COLUMN=CODE means it in one column only
    outcome, exclude : labels of the outcome whose rows are left out
    kept : cells that stay as they are among numbers, as those of an indeterminate result
    wanted : columns that the analysis needs, which tell the sheet that is meant
    as_is : read the file as it stands, and repair nothing
    """

    sheet: str | int | None = None
    header_row: int | None = None
    encoding: str | None = None
    separator: Separator | None = None
    decimal: Decimal | None = None
    dates: Dates | None = None
    percent: Percent | None = None
    below_detection: BelowDetection = "lowest"
    above_detection: AboveDetection = "highest"
    missing_codes: tuple[Any, ...] = ()
    outcome: str | None = None
    exclude: tuple[Any, ...] = ()
    kept: tuple[Any, ...] = ()
    wanted: tuple[str, ...] = ()
    as_is: bool = False

    def __post_init__(self) -> None:
        for name, allowed in _CHOICES.items():
            value = getattr(self, name)
            if value is not None:
                check_option(name, value, get_args(allowed))
        if self.header_row is not None:
            check_count("header_row", self.header_row)
        if self.encoding is not None:
            _check_encoding(self.encoding)
        for name in ("missing_codes", "exclude"):
            object.__setattr__(self, name, _several(name, getattr(self, name)))
        if self.exclude and self.outcome is None:
            raise InvalidOptionError(
                f"{named('exclude')} names labels of the outcome; name its column with "
                f"{named('outcome')}."
            )

    @property
    def mark(self) -> str | None:
        """The decimal mark that was named."""
        return None if self.decimal is None else _MARKS.get(self.decimal, self.decimal)

    @property
    def delimiter(self) -> str | None:
        """The separator that was named."""
        return None if self.separator is None else _MARKS.get(self.separator, self.separator)

    @property
    def moves(self) -> bool:
        """Whether it says where the table stands."""
        return any(
            value is not None
            for value in (self.sheet, self.header_row, self.encoding, self.separator)
        )


_CHOICES = {
    "separator": Separator,
    "decimal": Decimal,
    "dates": Dates,
    "percent": Percent,
    "below_detection": BelowDetection,
    "above_detection": AboveDetection,
}


def _several(name: str, value: Any) -> tuple[Any, ...]:
    if isinstance(value, (str, int, float)):
        return (value,)
    if not isinstance(value, Iterable):
        raise InvalidOptionError(f"{named(name)} must be cells, got {shown(value)}.")
    return tuple(value)


def _check_encoding(encoding: str) -> None:
    import codecs

    try:
        codecs.lookup(encoding)
    except (LookupError, TypeError, ValueError):
        raise InvalidOptionError(
            f"{named('encoding')} must be an encoding that Python knows, as utf-8, utf-16 or "
            f"cp1252, got {shown(encoding)}."
        ) from None
