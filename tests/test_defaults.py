"""Every default of every public function, once: in its docstring, in its signature, on record."""

from __future__ import annotations

import dataclasses
import inspect
import re
from typing import Any

import pytest
from numpydoc.docscrape import NumpyDocString
from recorded import hold
from test_docstrings import PUBLIC, Documented

import rocstats as rs


def given(documented: Documented) -> dict[str, Any]:
    """Return the parameters that have a default, or the fields of a class."""
    if documented.kind == "class":
        if not dataclasses.is_dataclass(documented.thing):
            return {}
        return {
            field.name: field.default
            for field in dataclasses.fields(documented.thing)
            if field.default is not dataclasses.MISSING
        }
    parameters = inspect.signature(documented.thing).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not inspect.Parameter.empty}


WITH_DEFAULTS = [documented for documented in PUBLIC if given(documented)]


@pytest.mark.parametrize("documented", WITH_DEFAULTS, ids=lambda one: one.name)
def test_a_default_is_what_the_docstring_says(documented: Documented) -> None:
    text = inspect.getdoc(documented.thing) or ""
    if documented.kind == "class":
        text = documented.thing.__doc__ or ""
    told = {
        name.strip(): one.type
        for one in NumpyDocString(inspect.cleandoc(text))["Parameters"]
        for name in one.name.split(",")
    }
    for name, default in given(documented).items():
        if name not in told or "default" not in told[name] or default is None:
            continue
        word = told[name].split("default", 1)[1].strip().lstrip("=: ")
        if "..." in word:
            continue
        try:
            meant = eval(word, {"Bootstrap": rs.Bootstrap, "Permutation": rs.Permutation})
        except (SyntaxError, NameError):
            continue
        assert meant == default, f"{name} of {documented.name}: {word} and {default!r}"


def shown(value: Any) -> str:
    """Return a default in words that are the same in every run."""
    return re.sub(r"<function (\S+) at 0x[0-9a-f]+>", r"\1", repr(value))


def test_every_default_is_as_recorded() -> None:
    found = {
        documented.name: {name: shown(value) for name, value in given(documented).items()}
        for documented in WITH_DEFAULTS
    }
    hold("", "defaults", found)
