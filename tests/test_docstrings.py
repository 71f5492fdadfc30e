"""Docstrings: numpydoc's own validation, neighbours that exist, and no chain of references."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

import pytest
from numpydoc.docscrape import NumpyDocString
from numpydoc.validate import validate

import rocstats as rs
from rocstats.tables import Answer, AnswerAtLevel, AnswerByMethod, AnswerInPart

SPACES = ("rocstats", "rocstats.datasets", "rocstats.sklearn", "rocstats.rbridge")

# Codes of numpydoc that are switched off, and why.
OFF = {
    "ES01": "an extended summary is written where the summary does not say it all",
    "GL01": "the summary stands on the line of the quotes, which older numpydoc refuses",
}
OFF_METHODS = {
    "SA01": "the class names the neighbours",
    "EX01": "the function that makes the object has the example",
}
OFF_CLASSES = {"EX01": "the function that makes the object has the example"}
OFF_RESULTS = {"PR01": "rocstats makes it, not the user: it has Attributes instead of Parameters"}
OFF_ALARMS = {
    "SA01": "an error or a warning is found by its own sentence",
    "PR01": "and it is made of that sentence",
}

# What every result states and how it is rendered is one thing, said in one place: the mixins.
RENDERINGS = {"statement", "to_dict", "to_docx", "to_frame", "to_latex"}
MIXINS = (Answer, AnswerAtLevel, AnswerByMethod, AnswerInPart)


class Documented(NamedTuple):
    name: str  # as a user writes it, in full
    kind: str  # function, class or method
    thing: Any

    @property
    def space(self) -> str:
        return max((s for s in SPACES if self.name.startswith(f"{s}.")), key=len)

    @property
    def parameters(self) -> list[str]:
        if self.kind == "class":
            return []
        return [name for name in inspect.signature(self.thing).parameters if name != "self"]


def public() -> Iterator[Documented]:
    for space in SPACES:
        module = import_module(space)
        own = [n for n, v in vars(module).items() if getattr(v, "__module__", None) == space]
        for name in dict.fromkeys([*module.__all__, *(n for n in own if n[0] != "_")]):
            thing = getattr(module, name)
            if inspect.isfunction(thing):
                yield Documented(f"{space}.{name}", "function", thing)
            elif inspect.isclass(thing):
                yield Documented(f"{space}.{name}", "class", thing)
                for method in vars(thing):
                    value = getattr(thing, method)
                    if callable(value) and method[0] != "_" and method not in RENDERINGS:
                        yield Documented(f"{space}.{name}.{method}", "method", value)
    for mixin in MIXINS:
        for method in sorted(RENDERINGS):
            name = f"rocstats.tables.{mixin.__name__}.{method}"
            yield Documented(name, "method", getattr(mixin, method))


PUBLIC = tuple(public())
NAMES = {documented.name for documented in PUBLIC}


def sections(thing: Any) -> NumpyDocString:
    return NumpyDocString(inspect.getdoc(thing) or "")


def switched_off(documented: Documented) -> set[str]:
    off = set(OFF)
    if documented.kind == "method":
        off |= set(OFF_METHODS)
        if not documented.parameters and documented.thing.__doc__.startswith("Return "):
            off.add("RT01")  # the summary says what comes back
    if documented.kind == "class":
        off |= set(OFF_CLASSES)
        if issubclass(documented.thing, Exception):
            off |= set(OFF_ALARMS)
        if sections(documented.thing)["Attributes"]:
            off |= set(OFF_RESULTS)
    return off


def complaints(documented: Documented) -> list[str]:
    off = switched_off(documented)
    errors = validate(documented.name)["errors"]
    return [f"{code} {words}" for code, words in errors if code not in off]


def each(*kinds: str) -> Any:
    chosen = [documented for documented in PUBLIC if documented.kind in kinds]
    return pytest.mark.parametrize("documented", chosen, ids=lambda d: d.name)


def test_nothing_public_is_forgotten():
    kinds = [documented.kind for documented in PUBLIC]
    assert kinds.count("function") >= 85
    assert kinds.count("class") >= 80
    assert kinds.count("method") >= 90
    assert {n for n in rs.__all__ if inspect.isroutine(getattr(rs, n))} <= {
        name.removeprefix("rocstats.") for name in NAMES
    }


@each("function", "class", "method")
def test_numpydoc_has_nothing_to_say(documented):
    assert complaints(documented) == []


@pytest.mark.parametrize(
    ("section", "code"),
    [("Parameters", "PR01"), ("Returns", "RT01"), ("See Also", "SA01"), ("Examples", "EX01")],
)
def test_a_section_that_is_missing_is_noticed(section, code, monkeypatch):
    documented = next(d for d in PUBLIC if d.name == "rocstats.auc")
    without = re.sub(rf"(?s)\n +{section}\n +-+\n.*?(?=\n\n|\n *$)", "", rs.auc.__doc__)
    monkeypatch.setattr(rs.auc, "__doc__", without)
    assert code in {words.split()[0] for words in complaints(documented)}


@each("class")
def test_every_field_is_described(documented):
    text = sections(documented.thing)
    entries = [*text["Parameters"], *text["Attributes"]]
    described = {name.strip() for entry in entries for name in entry.name.split(",")}
    if dataclasses.is_dataclass(documented.thing):
        fields = {field.name for field in dataclasses.fields(documented.thing)}
        assert {name for name in fields if name[0] != "_"} <= described
    for entry in entries:
        assert entry.type, entry.name
        assert " ".join(entry.desc).endswith("."), entry.name


def resolved(name: str, documented: Documented) -> Any:
    """What a name in a docstring means: in its class, in its namespace, or in full."""
    if name.startswith("rocstats."):
        owners = ["rocstats"]
    else:
        owners = [documented.name.rpartition(".")[0], documented.space]
    for owner in owners:
        thing = rs
        for part in [*owner.split("."), *name.removeprefix("rocstats.").split(".")][1:]:
            thing = getattr(thing, part, None)
        if thing is not None:
            return thing
    return None


@each("function", "class", "method")
def test_neighbours_exist(documented):
    names = [name for group, _ in sections(documented.thing)["See Also"] for name, _ in group]
    assert [name for name in names if resolved(name, documented) is None] == []
    assert documented.name not in {f"{documented.space}.{name}" for name in names}


REFERENCE = re.compile(r"\b(?:as|as in|as for|as with|see|like|of|those of) `([\w.]+)`", re.I)


def referred_to(documented: Documented) -> list[str]:
    """Functions that a reader is sent to before the Notes, so to learn of parameters."""
    text = sections(documented.thing)
    words = [*text["Summary"], *text["Extended Summary"]]
    words += [line for entry in text["Parameters"] for line in (entry.type, *entry.desc)]
    names = set(REFERENCE.findall(" ".join(words))) - set(documented.parameters)
    return sorted(n for n in names if inspect.isroutine(resolved(n, documented)))


def lost_on_the_way(documented: Documented) -> list[str]:
    """Functions that a reader is sent to and that do not explain, but send further."""
    lost = []
    for name in referred_to(documented):
        target = resolved(name, documented)
        there = next(d for d in PUBLIC if d.thing == target)
        if referred_to(there) or (there.parameters and not sections(target)["Parameters"]):
            lost.append(name)
    return lost


@each("function", "class", "method")
def test_a_reference_leads_to_the_explanation_itself(documented):
    assert lost_on_the_way(documented) == []


def test_a_chain_of_references_is_noticed(monkeypatch):
    documented = next(d for d in PUBLIC if d.name == "rocstats.gini")
    monkeypatch.setattr(rs.gini, "__doc__", "Estimate it; arguments as in `auc`.")
    assert lost_on_the_way(documented) == []
    monkeypatch.setattr(
        rs.auc, "__doc__", "Estimate it; arguments as in `ScoredSample.from_arrays`."
    )
    assert lost_on_the_way(documented) == ["auc"]
