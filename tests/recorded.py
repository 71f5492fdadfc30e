"""Whole answers as they were read once: what nobody meant to change is noticed here.

A record is every word and number of an answer: its text, what it warned of and its facts. It does
not say that a number is right; the oracle, R and the laws do. It says that a note is still there,
that a field holds what it held, that a default and an option do what they did. Records lie in
``tests/<room>/recorded.json``. After a change that was meant, make them again and read the
difference: ``ROCSTATS_RECORD=1 python -m pytest -p no:xdist -k recorded tests``.
"""

from __future__ import annotations

import json
import math
import os
import re
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import rocstats as rs
from rocstats.data.scan.site_files import sketch_content
from rocstats.tables import plain

TESTS = Path(__file__).parent
PACKAGE = str(Path(rs.__file__).parent)
WRITING = os.environ.get("ROCSTATS_RECORD") == "1"
WIDTH = 160  # of a line of a record
MANY = 12  # of longer lists there are the ends and the sums
RELATIVE, ABSOLUTE = 2e-6, 1e-9  # records have seven digits, and sums may go in another order
OF_LIBRARIES = re.compile(r"\b(Python|NumPy|SciPy|statsmodels|pandas) \d+(?:\.\w+)+")
LONG = 14  # signs of a number that repr has written
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]\d+)?")


def whole(make: Callable[[], Any]) -> dict[str, Any]:
    """Return an answer as its record: what it warns of, its text, its facts."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", rs.RocstatsWarning)
        found = make()
        facts = found.to_dict() if hasattr(found, "to_dict") else _facts(found)
        text = "" if isinstance(found, dict | list | float | str) else repr(found)
    told = [f"{w.category.__name__}: {w.message}" for w in caught]
    return {"warnings": told, "text": text.splitlines(), "facts": shortened(facts)}


def _facts(found: Any) -> Any:
    if isinstance(found, rs.SiteSketch):
        return sketch_content(found)
    return {} if isinstance(found, rs.ScoredSample) else plain(found)


def shortened(value: Any) -> Any:
    """Return facts with numbers of seven digits, and long lists by their ends and sums."""
    if isinstance(value, dict):
        return {str(key): shortened(one) for key, one in value.items()}
    if isinstance(value, float):
        return float(f"{value:.7g}") if math.isfinite(value) else str(value)
    if not isinstance(value, list | tuple):
        return anywhere(value) if isinstance(value, str) else value
    if len(value) <= MANY:
        return [shortened(one) for one in value]
    ends = [shortened(one) for one in (*value[:2], *value[-2:])]
    return {"n": len(value), "ends": ends, "sums": shortened(sums(list(value)))}


def anywhere(text: str) -> str:
    """Return a text as it is of any version and in any folder."""
    text = text.replace(rs.__version__, "VERSION").replace(PACKAGE, "PACKAGE")
    return OF_LIBRARIES.sub(r"\1 VERSION", text)


def sums(values: list[Any]) -> Any:
    """Return what every element of a long list takes part in: a sum by places, words joined."""
    if all(isinstance(one, dict) for one in values):
        keys = sorted({key for one in values for key in one})
        return {key: sums([one.get(key) for one in values]) for key in keys}
    if all(isinstance(one, list | tuple) for one in values):
        longest = max(map(len, values))
        return [sums([one[k] for one in values if k < len(one)]) for k in range(min(longest, MANY))]
    numbers = [(k, v) for k, v in enumerate(values) if isinstance(v, int | float)]
    finite = [(k, float(v)) for k, v in numbers if math.isfinite(v)]
    lacking = len(values) - len(finite)
    if finite:
        weighed = sum((k % 7 + 1) * v for k, v in finite)
        return [lacking, sum(abs(v) for _, v in finite), weighed]
    words = dict.fromkeys(str(v) for v in values)
    return f"{lacking}: {', '.join([*words][:MANY])}"


def differences(known: Any, found: Any, where: str = "") -> list[str]:
    """Return in words where an answer is not what was recorded."""
    if isinstance(known, dict) and isinstance(found, dict):
        lines: list[str] = []
        for key in dict.fromkeys([*known, *found]):
            if key in known and key in found:
                lines += differences(known[key], found[key], f"{where}/{key}")
            else:
                lines.append(f"{where}/{key}: {'gone' if key in known else 'new'}")
        return lines
    if isinstance(known, list) and isinstance(found, list) and len(known) == len(found):
        pairs = enumerate(zip(known, found, strict=True))
        return [line for k, (a, b) in pairs for line in differences(a, b, f"{where}/{k}")]
    number = (int, float)
    if type(known) is not bool is not type(found) and isinstance(known, number):
        if isinstance(found, number) and math.isclose(
            known, found, rel_tol=RELATIVE, abs_tol=ABSOLUTE
        ):
            return []
    elif isinstance(known, str) and isinstance(found, str):
        if _same_text(known, found):
            return []
    elif known == found and type(known) is type(found):
        return []
    return [f"{where}: {known!r} was recorded, now {found!r}"]


def _same_text(known: str, found: str) -> bool:
    """Whether texts differ in the last bits of numbers alone, where repr has all their digits."""
    pairs = zip(NUMBER.findall(known), NUMBER.findall(found), strict=False)
    return NUMBER.sub("0.0", known) == NUMBER.sub("0.0", found) and all(
        a == b or (max(len(a), len(b)) > LONG and math.isclose(float(a), float(b), rel_tol=1e-11))
        for a, b in pairs
    )


def record_of(room: str) -> dict[str, Any]:
    """Return the records of a room, by name."""
    path = TESTS / room / "recorded.json"
    known: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return known


def hold(room: str, name: str, found: Any) -> None:
    """Compare with the record of this name; or make it, where that is asked for."""
    found = json.loads(json.dumps(found))
    known = record_of(room)
    if WRITING:
        known[name] = found
        (TESTS / room / "recorded.json").write_text(f"{written(known)}\n", "utf-8")
        return
    assert name in known, "make the record: see tests/recorded.py"
    told = differences(known[name], found)
    assert not told, "\n".join(told[:20])


def written(value: Any, depth: int = 0) -> str:
    """Return JSON in which what fits on a line stands on one."""
    text = json.dumps(value, ensure_ascii=False)
    if len(text) + depth <= WIDTH or not isinstance(value, dict | list):
        return text
    margin = " " * (depth + 1)
    if isinstance(value, dict):
        items = [
            f"{json.dumps(key, ensure_ascii=False)}: {written(one, depth + 1)}"
            for key, one in value.items()
        ]
        begin, end = "{}"
    else:
        items, (begin, end) = [written(one, depth + 1) for one in value], "[]"
    inner = f",\n{margin}".join(items)
    return f"{begin}\n{margin}{inner}\n{' ' * depth}{end}"


def names(room: str) -> list[str]:
    """Return the names of the answers of a room that are recorded."""
    from recorded_calls import answers_of, cases

    return [*cases(room), *answers_of(room)]


@cache
def answer(room: str, name: str) -> dict[str, Any]:
    """Return the record that an answer would have now."""
    from recorded_calls import answers_of, cases

    known = cases(room)
    return whole(known[name][0] if name in known else answers_of(room)[name])


def holds(room: str, name: str) -> None:
    """Compare one answer with its record, and with that of the call without the option."""
    from recorded_calls import cases

    found = answer(room, name)
    hold(room, name, found)
    _, base = cases(room).get(name, (None, ""))
    if base:
        assert found != answer(room, base), "the option changes nothing"


OF_THE_CALLS = ("name", "more", "rows", "how", "stream")  # no options of the package
JUNK: tuple[Any, ...] = ("zzz", -1.5, math.nan, 7)


def junked(room: str) -> list[str]:
    """Return the calls of a room that take options."""
    from recorded_calls import VARIED, Together

    return [
        name
        for name, (_, options) in VARIED.get(room, {}).items()
        if any(not isinstance(value, Together) for value in options.values())
    ]


def refuses(room: str, name: str) -> None:
    """Give every option of a call what it can hardly mean; what is refused and how is recorded.

    Whatever is raised is one of ours, and a sentence.
    """
    from recorded_calls import VARIED, Together

    make, options = VARIED[room][name]
    told: dict[str, list[str]] = {}
    for option, usual in options.items():
        ours = isinstance(usual, Together) or option in OF_THE_CALLS
        for junk in () if ours else JUNK:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    make(**{option: junk})
                said = "taken"
            except rs.RocstatsError as error:
                said = str(error)
                assert said.endswith((".", "?", ")")), said
            told.setdefault(option, []).append(said)
    hold(room, f"refused {name}", told)
